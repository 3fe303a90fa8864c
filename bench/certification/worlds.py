# SPDX-License-Identifier: Apache-2.0
"""
The world that cases are judged in, made for real: a home in a mount namespace of its own (or a temporary folder where
none can be had), repositories made by git, scripts in every state, the gate's configuration.

A world is a JSON object: config (settings that the labels assume), cwd (of cases that name none), remotes (of a fixture's
repository), repositories {FOLDER: remotes}, committed {PATH: TEXT} (in every repository), files {PATH: TEXT} (at home).
Cases and worlds call the home /home/dev, whatever it really is.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import cases
import gate

HOME = "/home/dev"
ADA = {"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.net", "GIT_COMMITTER_NAME": "Ada",
       "GIT_COMMITTER_EMAIL": "ada@example.net", "GIT_CONFIG_NOSYSTEM": "1"}
# Settings that name files: those are read before the home goes away, and laid into the new one.
FILE_SETTINGS = (("llm", "apiKeyFile"), ("llm", "caFile"), ("llm", "systemPromptFile"))


class CaseWorld(gate.World):
    """`private`: hooks find this home. Else only `check`, which takes its home from $HOME, can be asked."""

    def __init__(self):
        self.private = True
        super().__init__("dev")

    def _unable(self, error):
        self.private = False
        # Not below /tmp: everything there may be written and deleted.
        self.home = pathlib.Path(tempfile.mkdtemp(prefix=".gate-certify-", dir=pathlib.Path.home()))
        print(f"no private home can be mounted here ({error}): cases run in {self.home}, through `check`",
              file=sys.stderr)

    def close(self):
        if not self.private:
            shutil.rmtree(self.home, ignore_errors=True)
        super().close()

    def here(self, text):
        """Text of a case with the home as it is."""
        return text.replace(HOME, str(self.home))

    def path(self, name, folder=None):
        name = self.here(name)
        if name.startswith("~/"):
            return self.home / name[2:]
        return pathlib.Path(name) if folder is None else folder / name

    def git(self, folder, *arguments, stdin=""):
        subprocess.run(["git", "-C", str(folder), *arguments], env=self.environment(**ADA), check=True,
                       input=stdin.encode(), stdout=subprocess.DEVNULL)

    def write(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(text, dict):
            path.symlink_to(self.here(text["link"]))
            return
        path.write_text(self.here(text), encoding="utf-8")
        if text.startswith("#!"):
            path.chmod(0o755)

    def build(self, world):
        """The home as the world describes it, with nothing of an earlier one."""
        shutil.rmtree(self.fresh())
        self.template = self.home / ".template"
        self.git(self.home, "init", "-q", "-b", "main", str(self.template))
        for name, text in world["committed"].items():
            self.write(self.template / name, text)
        self.git(self.template, "add", "-A")
        self.git(self.template, "commit", "-q", "-m", "Begin")
        for name, text in world["files"].items():
            self.write(self.path(name), text)
        (self.home / ".ssh").mkdir(mode=0o700, exist_ok=True)
        (self.home / ".ssh").chmod(0o700)
        for name, remotes in world["repositories"].items():
            self.repository(self.path(name), remotes)

    def repository(self, folder, remotes, script=None):
        """As a clone has it: each remote's default branch is what was committed before the work at hand."""
        shutil.copytree(self.template, folder)
        if script is not None:
            self.write(folder / script["script"], script["content"])
            if script["state"] in ("landed", *cases.CHANGED):
                self._commit(folder)
        refs = "".join(f"create refs/remotes/{name}/main HEAD\n" for name in remotes)
        for name, url in remotes.items():
            self.git(folder, "remote", "add", name, url)
        self.git(folder, "update-ref", "--stdin", stdin=refs)
        for name in remotes:
            self.git(folder, "symbolic-ref", f"refs/remotes/{name}/HEAD", f"refs/remotes/{name}/main")
        if script is not None and script["state"] == "unpushed":
            self._commit(folder)
        if script is not None and script["state"] in cases.CHANGED:
            self.write(folder / script["script"], script["workContent"])
        if script is not None and script["state"] == "staged":
            self.git(folder, "add", "-A")
        if script is not None and script["state"] == "stashed":
            self.git(folder, "stash", "push", "-q")

    def _commit(self, folder):
        self.git(folder, "add", "-A")
        self.git(folder, "commit", "-q", "--allow-empty", "-m", "Work")

    def place(self, case, world):
        """Makes what the case needs; returns the folder that it runs in."""
        fixture, remotes = case.get("fixture"), case.get("remote_urls")
        own = self.home / "cases" / case["suite"] / case["id"]
        folder = self.path(case["cwd"]) if "cwd" in case else own
        if fixture is not None and fixture["state"] == "outside":
            self.write(self.path(fixture["script"], folder), fixture["content"])
        elif fixture is not None or remotes is not None:
            self.repository(folder, world["remotes"] if remotes is None else remotes, fixture)
        elif "files" not in case and "cwd" not in case:
            folder = self.path(world["cwd"])
        if "files" in case or folder.is_relative_to(self.home) and "cwd" in case:
            folder.mkdir(parents=True, exist_ok=True)
        for name, text in case.get("files", {}).items():
            self.write(self.path(name, folder), text)
        return folder

    def configure(self, settings):
        """The user's settings; files that they name, already read, are laid beside them."""
        settings = json.loads(json.dumps(settings))
        for section, name in FILE_SETTINGS:
            text = settings.get(section, {}).get(name)
            if text:
                path = self.home / ".config" / "auto-classifier" / name
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                path.write_text(text, encoding="utf-8")
                path.chmod(0o600)
                settings[section][name] = str(path)
        self.config(settings)


def file_settings_read(settings):
    """The same settings with each file's text in place of its name."""
    settings = json.loads(json.dumps(settings))
    for section, name in FILE_SETTINGS:
        path = settings.get(section, {}).get(name)
        if path:
            settings[section][name] = pathlib.Path(os.path.expanduser(path)).read_text(encoding="utf-8")
    return settings
