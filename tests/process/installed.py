# SPDX-License-Identifier: Apache-2.0
"""Installed below another root, the programs find each other by where they lie, whatever the environment says."""

import pathlib
import shutil
import subprocess
import sys

import gate


def main():
    meson = sys.argv[1]
    world = gate.World()
    cases = gate.Cases()
    root = world.scratch / "root"
    subprocess.run([meson, "install", "-C", str(gate.BUILD), "--no-rebuild", "--quiet", "--destdir", str(root)],
                   check=True, stdout=subprocess.DEVNULL)
    programs = [path for path in root.rglob("auto-classifier*") if path.is_file() and path.stat().st_mode & 0o111]
    command = [path for path in programs if path.name == "auto-classifier" and path.parent.name == "bin"]
    with cases.case("the command and its helpers are installed"):
        gate.expect(len(command) == 1, f"{programs}")
        helpers = {path.name for path in programs if "libexec" in path.parts}
        gate.expect({"auto-classifier-worker", "auto-classifier-netproc"} <= helpers, f"{helpers}")
    world.program = command[0]
    with cases.case("it decides"):
        gate.expect(world.hook("claude", gate.claude("echo hi")).decision == "allow", "no allow")
    with cases.case("a variable does not lead it to another worker"):
        evil = world.scratch / "evil"
        shutil.copytree(command[0].parent.parent, evil)
        for path in evil.rglob("auto-classifier-worker"):
            path.write_text("#!/bin/sh\ntouch " + str(world.scratch / "ran"), encoding="utf-8")
        env = world.environment(PATH=f"{evil}/bin:/usr/bin:/bin", PREFIX=str(evil), AUTO_CLASSIFIER_LIBEXEC=str(evil),
                                LIBEXECDIR=str(evil))
        gate.expect(world.hook("claude", gate.claude("echo hi"), env=env).decision == "allow", "no allow")
        # The rules close on a loader's variable, whatever it holds: it may change what the agent's programs are.
        env = world.environment(LD_LIBRARY_PATH=str(evil))
        gate.expect(world.hook("claude", gate.claude("echo hi"), env=env).decision == "deny", "no deny")
        gate.expect(not (world.scratch / "ran").exists(), "the other worker was run")
    with cases.case("through a link it still finds them"):
        link = world.scratch / "link"
        link.symlink_to(command[0])
        world.program = link
        gate.expect(world.hook("claude", gate.claude("echo hi")).decision == "allow", "no allow")
    with cases.case("without its worker it denies"):
        world.program = command[0]
        for path in root.rglob("auto-classifier-worker"):
            pathlib.Path(path).unlink()
        gate.expect(world.hook("claude", gate.claude("echo hi")).decision == "deny", "no deny")
    world.close()
    return cases.close()


sys.exit(main())
