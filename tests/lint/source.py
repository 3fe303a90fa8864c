# SPDX-License-Identifier: Apache-2.0
"""Holds the tree to its own rules: who includes whom, size of files and functions, heads, words that must not stay."""

import re
import sys

import tree

ROLES = ("worker", "broker", "netproc")
FILE_LINES = 600
FUNCTION_LINES = 65
COLUMNS = 120
# A row of a table is read across and stays one line; so does a sample in a test.
ROW = re.compile(r'^\s*(\{|\[|"|/\* |[A-Z_]{2,}\(|.*\{ \.)|^\t\* ')
ROW_COLUMNS = 240
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]')
# Split, so that this file does not hold what it looks for.
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
PLACES = re.compile(r"/wor" r"k/(main|shared|\.)|/tmp" r"/b-|/tmp" r"/brief|\.\./sha" r"red\b|\.libra" r"ry/")


def may_include(folder, included):
    """policy/ stands alone; each role sees itself and policy/; tests and benches see everything."""
    if folder in ROLES:
        return included in (folder, "policy")
    if folder == "policy":
        return included == "policy"
    return True


def check_includes(report, name, lines):
    folder = name.split("/")[0]
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quote, target = match.groups()
        if quote == "<":
            continue
        if not (tree.ROOT / target).exists() and not (tree.BUILD / target).exists():
            report.problem(f"{name}:{number}", f'"{target}" is not a path from the root')
        elif not may_include(folder, target.split("/")[0]):
            report.problem(f"{name}:{number}", f'{folder}/ must not include "{target}"')


def check_size(report, name, lines):
    if len(lines) > FILE_LINES and not name.endswith(".def"):
        report.problem(name, f"{len(lines)} lines; a file is one idea in at most {FILE_LINES}")
    start = None
    for number, line in enumerate(lines, 1):
        if len(line.expandtabs(8)) > (ROW_COLUMNS if ROW.match(line) else COLUMNS):
            report.problem(f"{name}:{number}", f"longer than {COLUMNS} columns")
        if line == "{":
            start = number
        elif line == "}" and start is not None:
            if number - start > FUNCTION_LINES:
                report.problem(f"{name}:{start}", f"a function of {number - start} lines")
            start = None


def check_head(report, name, lines):
    if not lines or not lines[0].startswith("/* SPDX-License-Identifier: Apache-2.0 */"):
        report.problem(name, "does not begin with its licence")
    elif len(lines) < 2 or not lines[1].startswith("/*"):
        report.problem(name, "its second line does not say what the file is for")


def check_words(report, name, text):
    for number, line in enumerate(text.splitlines(), 1):
        match = UNFINISHED.search(line)
        if match and "XXXXXX" not in line:
            report.problem(f"{name}:{number}", f"unfinished: {match.group(0)}")
        match = PLACES.search(line)
        if match:
            report.problem(f"{name}:{number}", f"names a place outside the project: {match.group(0)}")
        if line != line.rstrip() and not name.endswith(".md"):
            report.problem(f"{name}:{number}", "blanks at the end of the line")


def main():
    report = tree.Report()
    for path, name in tree.files():
        text = None if tree.is_input(name) else tree.text(path)
        if text is None:
            continue
        report.checked += 1
        if name != "LICENSE":
            check_words(report, name, text)
        if path.suffix in (".c", ".h", ".def"):
            lines = text.split("\n")[:-1] if text.endswith("\n") else text.split("\n")
            check_head(report, name, lines)
            check_size(report, name, lines)
            check_includes(report, name, lines)
    return report.close("files")


sys.exit(main())
