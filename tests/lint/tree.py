# SPDX-License-Identifier: Apache-2.0
"""The project's own files, for the checks that walk them."""

import os
import pathlib

ROOT = pathlib.Path(os.environ.get("GATE_SOURCE") or pathlib.Path(__file__).parents[2])
BUILD = pathlib.Path(os.environ.get("GATE_BUILD") or ROOT / "build")


def files():
    """Every file that could be committed, as (path, path relative to the root)."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(d for d in folders if d not in (".git", "__pycache__", "node_modules")
                            and not d.startswith("build") and pathlib.Path(folder, d) != BUILD)
        for name in sorted(names):
            path = pathlib.Path(folder, name)
            if path.is_file() and not path.is_symlink() and path.suffix not in (".o", ".swp", ".pyc"):
                yield path, path.relative_to(ROOT).as_posix()


def text(path):
    """Its text, or None for a file that is not text (fuzz inputs)."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def is_input(name):
    return name.startswith("tests/fuzz/corpus/")


class Report:
    def __init__(self):
        self.checked = 0
        self.problems = []

    def problem(self, where, what):
        self.problems.append(f"{where}: {what}")

    def close(self, noun):
        for line in self.problems:
            print(line)
        print(f"{self.checked} {noun} checked, {len(self.problems)} problems")
        if not self.checked:
            print("nothing was checked")
        return 1 if self.problems or not self.checked else 0
