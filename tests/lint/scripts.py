# SPDX-License-Identifier: Apache-2.0
"""Every shell script through shellcheck, every Python file through the compiler."""

import ast
import shutil
import subprocess
import sys

import tree

SHELLS = ("#!/bin/sh", "#!/bin/bash", "#!/usr/bin/env bash", "#!/usr/bin/env sh")


def main():
    report = tree.Report()
    shells = []
    for path, name in tree.files():
        text = None if tree.is_input(name) else tree.text(path)
        if text is None:
            continue
        first = text.split("\n", 1)[0]
        if first in SHELLS:
            report.checked += 1
            shells.append(str(path))
            if not path.stat().st_mode & 0o111:
                report.problem(name, "a script that cannot be executed")
            if "\nset -eu" not in text:
                report.problem(name, "does not stop at an error: set -eu")
        elif path.suffix == ".py" or first.endswith("python3"):
            report.checked += 1
            try:
                ast.parse(text, name)
            except SyntaxError as error:
                report.problem(name, str(error))
    checker = shutil.which("shellcheck")
    if checker and shells:
        result = subprocess.run([checker, "-x", "-P", str(tree.ROOT), *shells], cwd=tree.ROOT, text=True,
                                stdout=subprocess.PIPE, check=False)
        if result.returncode:
            report.problem("shellcheck", "\n" + result.stdout)
    status = report.close("scripts")
    if status == 0 and not checker:
        print("skipped the rest: shellcheck is not installed")
        return 77
    return status


sys.exit(main())
