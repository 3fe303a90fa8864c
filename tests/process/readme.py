# SPDX-License-Identifier: Apache-2.0
"""Every command that README.md shows with its output, run again: what it shows is what the built program prints."""

import os
import re
import subprocess
import sys

import gate

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)


def sessions(text):
    """(command, output) of each `$ ` line in the console blocks, in order; a block is one shell session's worth."""
    for block in BLOCK.findall(text):
        steps = []
        for line in block.splitlines():
            if line.startswith("$ "):
                steps.append((line[2:], []))
            elif line.startswith("> ") and steps and not steps[-1][1]:
                steps[-1] = (steps[-1][0] + "\n" + line[2:], [])
            else:
                steps[-1][1].append(line)
        yield [(command, "\n".join(lines)) for command, lines in steps]


def main():
    text = (gate.SOURCE / "README.md").read_text(encoding="utf-8")
    world = gate.World()
    cases = gate.Cases()
    shown = 0
    for steps in sessions(text):
        cwd = world.fresh()
        env = world.environment(PATH=f"{world.program.parent}:{os.environ['PATH']}")
        for command, output in steps:
            shown += 1
            with cases.case(command):
                done = subprocess.run(["sh", "-c", command], cwd=cwd, env=env, stdin=subprocess.DEVNULL, text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
                gate.expect(done.stdout.rstrip("\n") == output.rstrip("\n"), f"prints\n{done.stdout}")
    with cases.case("README shows commands"):
        gate.expect(shown >= 5, f"only {shown}")
    world.close()
    return cases.close()


sys.exit(main())
