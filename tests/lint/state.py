# SPDX-License-Identifier: Apache-2.0
"""No object of the programs but a main holds writable data: what one decision did cannot reach the next."""

import re
import subprocess
import sys

import tree

# 0000000000000000 l     O .bss	0000000000000004 name
SYMBOL = re.compile(r"^[0-9a-f]+ .{7} (\.(?:data|bss|tdata|tbss)(?!\.rel\.ro)[\w.]*)\s+([0-9a-f]+)\s+(?:\.hidden )?(\S+)$")
PROGRAM_FOLDERS = ("policy", "worker", "broker", "netproc")


def main():
    report = tree.Report()
    for folder in PROGRAM_FOLDERS:
        for path in sorted((tree.BUILD / folder).rglob("*.o")):
            name = path.relative_to(tree.BUILD).as_posix()
            if path.name.endswith("main.c.o") or "export_" in path.name:
                continue
            report.checked += 1
            table = subprocess.run(["objdump", "-t", str(path)], text=True, stdout=subprocess.PIPE, check=True).stdout
            for line in table.splitlines():
                match = SYMBOL.match(line)
                if match and int(match.group(2), 16) > 0 and not match.group(3).startswith("."):
                    report.problem(name, f"{match.group(3)} is writable ({match.group(1)})")
    return report.close("objects")


sys.exit(main())
