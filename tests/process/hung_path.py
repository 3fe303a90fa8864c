# SPDX-License-Identifier: Apache-2.0
"""A path, a working directory, a configuration and a state directory on a file system that never answers: a deny in time."""

import pathlib
import subprocess
import sys

import gate

LIMIT_MS = 2500
# The guard speaks a second before the limit; half a second of that is what a busy machine may take from it.
IN_TIME = (LIMIT_MS - 500) / 1000


class Hung:
    """hungfs, mounted for as long as the block lasts."""

    def __init__(self, world):
        self.path = world.scratch / "hung"
        self.path.mkdir(exist_ok=True)
        self.waiting = []

    def __enter__(self):
        program = gate.BUILD / "tests" / "process" / "hungfs"
        if not program.exists():
            gate.skip("libfuse3 was not there when this was built")
        self.server = subprocess.Popen([str(program), str(self.path)], stdout=subprocess.PIPE)
        if self.server.stdout.readline() != b"mounted\n":
            self.server.wait()
            gate.skip("a FUSE file system cannot be mounted here")
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait(10)


def check(world, hung, payload, decisions=("deny",)):
    process = world.start("hook", "claude", "--limit-ms", LIMIT_MS, stderr=gate.HANGING_STDERR)
    family = []
    try:
        worker = gate.wait_child(process.pid, "worker")
        family = gate.children(process.pid)
        result = gate.finish(process, payload)
    finally:
        process.kill()
        process.wait()
    gate.expect(worker is not None, "no worker was seen")
    decision, reason = result.verdict()
    gate.expect(decision in decisions and reason, f"not {decisions}: {result}")
    gate.expect(result.seconds < IN_TIME, f"a reply after {result.seconds:.2f} s, limit {LIMIT_MS} ms")
    hung.waiting += family


def main():
    if not pathlib.Path("/dev/fuse").exists():
        gate.skip("there is no /dev/fuse")
    world = gate.World()
    cases = gate.Cases()
    with Hung(world) as hung:
        for command in (f"cat {hung.path}/file", f"{hung.path}/script.sh", f"echo hi > {hung.path}/file",
                        f"cp {hung.path}/file .", f"rm {hung.path}/file"):
            with cases.case(command):
                check(world, hung, gate.claude(command, cwd=world.fresh()))
        # Listing names is fine anywhere, so that nothing need be looked up.
        with cases.case("ls"):
            check(world, hung, gate.claude(f"ls {hung.path}/folder", cwd=world.fresh()), ("allow", "deny"))
        with cases.case("a working directory that never answers"):
            world.fresh()
            check(world, hung, gate.claude("cat notes.txt", cwd=hung.path / "folder"))
        with cases.case("a configuration that never answers"):
            cwd = world.fresh()
            (world.home / ".config").mkdir()
            (world.home / ".config" / "auto-classifier").symlink_to(hung.path / "config")
            check(world, hung, gate.claude("ls", cwd=cwd))
        with cases.case("a state directory that never answers"):
            cwd = world.fresh()
            (world.home / ".cache").mkdir()
            (world.home / ".cache" / "auto-classifier").symlink_to(hung.path / "state")
            # Without its count a denial is taken for the one that a person decides on.
            check(world, hung, gate.claude("git push --force origin main", cwd=cwd), ("deny", "ask"))
    # A process whose request the server has taken cannot even be killed before the mount is gone; the guard did not wait.
    with cases.case("nobody is left behind"):
        gate.expect(gate.gone(hung.waiting), "a child of the guard outlived the mount")
    world.close()
    return cases.close()


sys.exit(main())
