# SPDX-License-Identifier: Apache-2.0
"""
Every command that README.md shows with its output, run again: what it shows is what the built program prints.
`readme.py --update` writes what it prints now into README.md.
"""

import os
import re
import shutil
import subprocess
import sys

import gate

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)


def steps_of(block):
    """(command, output) of each `$ ` line of a block, which is one session in one folder; `> ` continues a command."""
    steps = []
    for line in block.splitlines():
        if line.startswith("$ "):
            steps.append(([line[2:]], []))
        elif line.startswith("> ") and not steps[-1][1]:
            steps[-1][0].append(line[2:])
        else:
            steps[-1][1].append(line)
    return [("\n".join(command), "\n".join(output)) for command, output in steps]


def plant(world):
    """The project that the README's commands are run in."""
    world.fresh()
    app = world.home / "app"
    (app / "src").mkdir(parents=True)
    (app / "src" / "main.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    (app / "deploy.sh").write_text("#!/bin/sh\nscp build/app.tar.gz deploy@www.example.org:/srv\n", encoding="utf-8")
    (app / "deploy.sh").chmod(0o755)
    if shutil.which("git"):
        subprocess.run(["git", "init", "-q"], cwd=app, env=world.environment(), check=True)
    return app


def run(world, cwd, command):
    env = world.environment(PATH=f"{world.program.parent}:{os.environ['PATH']}")
    return subprocess.run(["sh", "-c", command], cwd=cwd, env=env, stdin=subprocess.DEVNULL, text=True, timeout=60,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False).stdout.rstrip("\n").replace(str(world.home), "/home/you")


def update(world, text):
    def rewritten(match):
        cwd, lines = plant(world), []
        for command, _ in steps_of(match.group(1)):
            lines += ["$ " + command.replace("\n", "\n> "), run(world, cwd, command)]
        return "```console\n" + "\n".join(lines) + "\n```"

    (gate.SOURCE / "README.md").write_text(BLOCK.sub(rewritten, text), encoding="utf-8")


def main():
    text = (gate.SOURCE / "README.md").read_text(encoding="utf-8")
    world = gate.World()
    if sys.argv[1:] == ["--update"]:
        update(world, text)
        return 0
    cases = gate.Cases()
    for block in BLOCK.findall(text):
        cwd = plant(world)
        for command, output in steps_of(block):
            with cases.case(command):
                printed = run(world, cwd, command)
                gate.expect(printed == output, f"it prints\n{printed}")
    with cases.case("README shows commands"):
        gate.expect(cases.passed >= 5, f"only {cases.passed}")
    world.close()
    return cases.close()


sys.exit(main())
