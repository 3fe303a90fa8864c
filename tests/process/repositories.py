# SPDX-License-Identifier: Apache-2.0
"""Repositories made by git itself, for tests and benches."""

import os
import subprocess

ENVIRONMENT = {"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org", "GIT_COMMITTER_NAME": "Ada",
               "GIT_COMMITTER_EMAIL": "ada@example.org", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"}


def git(folder, *arguments, stdin=None):
    """stdout of git, as text; `stdin` is an iterable of lines."""
    process = subprocess.Popen(["git", "-C", str(folder), *arguments], env={"PATH": os.environ["PATH"], **ENVIRONMENT},
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    for line in stdin or ():
        process.stdin.write(line)
    out = process.communicate()[0]
    if process.returncode != 0:
        raise RuntimeError(f"git {arguments[0]}: status {process.returncode}")
    return out


def enormous_index(folder, entries):
    """As many entries more, which are in no commit and not on disk."""
    blob = git(folder, "hash-object", "-w", "--stdin", stdin=["x\n"]).strip()
    git(folder, "update-index", "--index-info",
        stdin=(f"100644 {blob}\tmany/{n // 1000:04}/{n:07}\n" for n in range(entries)))
