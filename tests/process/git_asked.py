# SPDX-License-Identifier: Apache-2.0
"""Repositories made by git itself, and the git reader asked about them behind its real sandbox."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ASK, READER = (pathlib.Path(sys.argv.pop(1)) for _ in range(2))

TRACKED, IGNORED, COMMITTED, LANDED, ON_REMOTE, MISSING = (1 << i for i in range(6))
CHANGED, UNTRACKED, BELOW_IGNORED, BELOW_TRACKED, STASHED = (1 << i for i in range(5))
FSMONITOR, DIFF, FILTER, TRANSPORT = 1, 2, 4, 64
MIRROR, REFSPECS, FORCES, HELPER, MIXED = (1 << i for i in range(5))
HOOK_INDEX, HOOKS, HOOKS_OUTSIDE, ELSEWHERE, PARTIAL = (1 << i for i in range(16, 21))

SCRATCH = pathlib.Path(tempfile.mkdtemp(prefix="gate-git-")).resolve()
HOME = SCRATCH / "home"
ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": str(HOME), "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C",
               "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org", "GIT_COMMITTER_NAME": "Ada",
               "GIT_COMMITTER_EMAIL": "ada@example.org"}


def git(directory, *arguments, check=True, text=None):
    done = subprocess.run(["git", "-C", str(directory), *arguments], env=ENVIRONMENT, capture_output=True, text=True,
                          input=text, check=False)
    if check and done.returncode != 0:
        raise AssertionError(f"git {arguments}: {done.stderr}")
    return done.stdout


def put(path, content, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    path.chmod(mode)


def ask(root, what="facts", path=None, *, bare=False, grants=(), need=True, tree=True):
    """The answer, as {name: value}; names that come several times as lists in `all`."""
    command = [str(ASK), *(["--grant"] if need else []), str(READER), str(HOME)]
    if tree:
        command.append(f"tree={root}")
    command += [*grants, "--", str(root), *(["bare"] if bare else []), what, *([path] if path is not None else [])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    answer = {"all": {}}
    for line in done.stdout.splitlines():
        name, _, value = line.partition("=")
        answer.setdefault(name, value)
        answer["all"].setdefault(name, []).append(value)
    if "outcome" not in answer:
        raise AssertionError(f"{command}: {done.returncode} {done.stdout} {done.stderr}")
    for name in ("state", "runs", "status", "flags"):
        if name in answer:
            answer[name] = int(answer[name], 16)
    return answer


class Repositories(unittest.TestCase):
    def setUp(self):
        self.base = pathlib.Path(tempfile.mkdtemp(dir=SCRATCH))
        HOME.mkdir(exist_ok=True)

    def tearDown(self):
        shutil.rmtree(self.base, ignore_errors=True)

    def upstream(self, name="up"):
        """A repository with one commit on main: run.sh, src/a.txt, .gitignore."""
        up = self.base / name
        up.mkdir()
        git(up, "init", "-q", "-b", "main")
        put(up / "run.sh", "#!/bin/sh\necho hello\n", 0o755)
        put(up / "src/a.txt", "a\n")
        put(up / ".gitignore", "*.log\n/out/\n")
        git(up, "add", ".")
        git(up, "commit", "-q", "-m", "first")
        return up

    def clone(self, *options, name="app", of=None):
        of = of or self.upstream()
        app = self.base / name
        git(self.base, "clone", "-q", *options, f"file://{of}", str(app))
        return app

    def facts(self, root, **how):
        answer = ask(root, **how)
        self.assertEqual(answer["outcome"], "facts", answer)
        return answer

    def state(self, root, path, **how):
        answer = ask(root, "file", path, **how)
        self.assertEqual(answer["outcome"], "file", answer)
        return answer["state"]


def run_all():
    """All tests of the module that calls; an exit status."""
    if shutil.which("git") is None:
        print("skipped: git is not installed")
        return 77
    done = unittest.main("__main__", exit=False, verbosity=1)
    shutil.rmtree(SCRATCH, ignore_errors=True)
    return 0 if done.result.wasSuccessful() else 1
