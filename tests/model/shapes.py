# SPDX-License-Identifier: Apache-2.0
"""
However a file is run: a judge that saw only its beginning, or nothing of it, has not allowed it. And however a file is
named: a judge is shown it, and it runs nothing.
"""

import sys

from facts import Teller, jev
from rig import Rig, gate
from servers import Server

# {} is a script too long to be shown whole; every line runs it.
RUNS = (
    "bash {}.sh", "sh {}.sh", "dash -e {}.sh", "zsh {}.sh", "bash -x -- {}.sh a b", "./{}.sh", "./{}.sh; true", "true && ./{}.sh",
    "(./{}.sh)", "{{ ./{}.sh; }} 2>&1 | tail -3", "if true; then ./{}.sh; fi", "for i in 1 2; do ./{}.sh; done", "! ./{}.sh",
    "f() {{ ./{}.sh; }}; f", "x=$(./{}.sh)", "cat <(./{}.sh)", "echo `./{}.sh`", "./{}.sh &", "source {}.sh", ". ./{}.sh",
    "sh < {}.sh", "bash -s < {}.sh", "cat {}.sh | sh", "cat {}.sh | sudo bash -s -- x", "timeout 5 ./{}.sh", "env A=b ./{}.sh",
    "nohup ./{}.sh", "nice -n 5 bash {}.sh", "time ./{}.sh", "sudo ./{}.sh", "exec ./{}.sh", "command bash {}.sh", "A=b ./{}.sh",
    "bash -c './{}.sh'", "eval ./{}.sh", "watch -n 1 ./{}.sh", "flock /tmp/l ./{}.sh", "xargs ./{}.sh < README.md",
    "find . -name x -exec ./{}.sh {{}} \\;", "stdbuf -o0 ./{}.sh", "setsid ./{}.sh", "trap ./{}.sh EXIT", "strace ./{}.sh",
    "python3 {}.py", "python3 -u {}.py a", "python3 - < {}.py", "python3 < {}.py", "cat {}.py | python3", "cat {}.py | python3 -",
    "node {}.js", "node --no-warnings {}.js", "node < {}.js", "perl {}.pl", "perl -w {}.pl x", "ruby {}.rb", "awk -f {}.awk README.md",
)
# Named, and not run: the line is open for another reason.
NAMES = (
    "frobnicate {}.json", "frobnicate -f {}.json", "frobnicate --file={}.json", "frobnicate --config {}.json",
    "frobnicate < {}.json", "frobnicate -d@{}.json", "frobnicate -d @{}.json", "frobnicate --data-binary=@{}.json",
    "frobnicate -F f=@{}.json", "frobnicate --form=f=@{}.json", "sudo frobnicate {}.json", "frobnicate x; cat {}.json | frobnicate",
)


def main():
    rig = Rig()
    server = Server(jev=True)
    rig.configure(server)
    folder = rig.world.home / "shapes"
    folder.mkdir()
    (folder / "README.md").write_text("x\n", encoding="utf-8")
    for kind, line in ((".sh", "frobnicate\n"), (".py", "print(frobnicate())\n"), (".js", "frobnicate();\n"), (".pl", "frobnicate();\n"),
                       (".rb", "frobnicate\n"), (".awk", "{ system($1) }\n"), (".json", "{}\n")):
        for name, times in (("long", 800), ("short", 1)):
            path = folder / (name + kind)
            path.write_text(("#!/bin/sh\n" if kind == ".sh" else "") + line * times, encoding="utf-8")
            path.chmod(0o755)
    teller = Teller(rig, server, jev)
    for shape in RUNS:
        with rig.cases.case(f"run unseen: {shape}"):
            _, files, result = teller.told(shape.format("long"), folder)
            seen = [f for name, f in files.items() if name.startswith("long")]
            gate.expect(seen and all(f["runs"] is True for f in seen), files)
            gate.expect(result.decision == "ask", result)
    for shape in NAMES:
        with rig.cases.case(f"named: {shape}"):
            _, files, result = teller.told(shape.format("short"), folder)
            gate.expect("short.json" in files and files["short.json"]["runs"] is False, files)
            gate.expect(result.decision == "allow", result)
    return rig.close()


if __name__ == "__main__":
    sys.exit(main())
