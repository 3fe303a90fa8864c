# SPDX-License-Identifier: Apache-2.0
"""
Whole hook calls that a judge over TLS on this machine is asked for, beside the same calls offline, less the server's own
time; and, by a tap between broker and netproc (netproc_tap.c), what lies from the fields sent to the reply received.
bench/latency runs it with the two directories named in the environment.
"""

import os
import pathlib
import shutil
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = pathlib.Path(os.environ["GATE_BUILD"])
sys.path[:0] = [str(ROOT / "tests" / "process"), str(ROOT / "tests" / "model")]
sys.dont_write_bytecode = True
import gate
import repositories
import servers
import timed

CALLS = 40
BOUND_MS = 10


def tapped(folder):
    """A build tree of its own, in which the tap stands before netproc. The program, and where the tap writes."""
    for name in ("broker/auto-classifier", "worker/auto-classifier-worker", "broker/git/auto-classifier-git"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(BUILD / name, folder / name)
    (folder / "netproc").mkdir()
    shutil.copy(BUILD / "bench" / "netproc-tap", folder / "netproc" / "auto-classifier-netproc")
    shutil.copy(BUILD / "netproc" / "auto-classifier-netproc", folder / "netproc" / "netproc")
    return folder / "broker" / "auto-classifier", folder / "netproc" / "took"


class Calls:
    def __init__(self, world):
        self.world, self.n = world, 0
        authority = servers.Authority(world.scratch / "ca")
        self.server = timed.server(authority)
        self.judged = {"llm": {"provider": "jev", "caFile": timed.trusted(authority, world.scratch)},
                       "jev": {"baseUrl": self.server.url, "apiKey": self.server.key}}

    def one(self, config, cwd, decision):
        """Milliseconds of a call in a session of its own, less what the server took."""
        self.n += 1
        self.world.config(config)
        self.server.took.clear()
        result = self.world.hook("claude", gate.claude(f"frobnicate --all {self.n}", session=f"b-{self.n}", cwd=cwd))
        if result.decision != decision:
            sys.exit(f"bench/latency: a call was not decided as it should be: {result}")
        return result.seconds * 1000 - sum(self.server.took)

    def both(self, cwd):
        """(with a judge, offline), in turn, so that both meet the same machine."""
        pairs = [(self.one(self.judged, cwd, "allow"), self.one({"llm": {"provider": "offline"}}, cwd, "deny"))
                 for _ in range(CALLS)]
        return [statistics.median(one) for one in zip(*pairs)]

    def between(self, cwd, took):
        """From fields to reply."""
        values = []
        for _ in range(CALLS):
            took.unlink(missing_ok=True)
            self.one(self.judged, cwd, "allow")
            values.append(float(took.read_text(encoding="ascii")) / 1000 - sum(self.server.took))
        return statistics.median(values)


def main():
    world = gate.World()
    try:
        calls = Calls(world)
        inside, outside = world.scratch / "app", world.scratch / "none"
        outside.mkdir()
        repositories.git(world.scratch, "init", "-q", "-b", "main", str(inside))
        places = (("outside a repository", outside), ("in a repository", inside))
        print(f"a whole hook call that a judge is asked for, {CALLS} calls, less the server's own time:")
        for name, cwd in places:
            judged, offline = calls.both(cwd)
            print(f"  {name:32} p50 {judged:5.1f} ms   offline {offline:5.1f} ms   over it {judged - offline:5.1f} ms")
        world.program, took = tapped(world.scratch / "tree")
        for name, cwd in places:
            print(f"  fields to reply, {name:20} p50 {calls.between(cwd, took):5.1f} ms   (bound {BOUND_MS})")
    finally:
        world.close()


if __name__ == "__main__":
    main()
