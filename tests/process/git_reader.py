# SPDX-License-Identifier: Apache-2.0
"""The git reader asked about repositories that git itself made."""

import os
import random
import shutil
import subprocess
import sys

from git_asked import (BELOW_IGNORED, BELOW_TRACKED, CHANGED, COMMITTED, DIFF, ELSEWHERE, ENVIRONMENT, FILTER,
                       FSMONITOR, HOME, HOOK_INDEX, HOOKS, HOOKS_OUTSIDE, IGNORED, LANDED, MISSING, MIXED, ON_REMOTE,
                       PARTIAL, STASHED, TRACKED, TRANSPORT, UNTRACKED, ask, git, put, Repositories, run_all)


class Facts(Repositories):
    def test_clone(self):
        app = self.clone()
        facts = self.facts(app)
        self.assertEqual(facts["root"], str(app))
        self.assertEqual(facts["branch"], "main")
        self.assertEqual(facts["default"], "main")
        self.assertEqual((facts["complete"], facts["bare"], facts["runs"]), ("1", "0", 0))
        self.assertEqual(facts["all"]["push"], [f"file://{self.base}/up"])

    def test_detached(self):
        app = self.clone()
        git(app, "checkout", "-q", "--detach")
        self.assertEqual(self.facts(app)["branch"], "")

    def test_unborn(self):
        app = self.base / "new"
        git(self.base, "init", "-q", "-b", "topic", str(app))
        self.assertEqual(self.facts(app)["branch"], "topic")
        put(app / "x", "x")
        self.assertEqual(self.state(app, "x"), 0)

    def test_bare(self):
        self.upstream()
        git(self.base, "clone", "-q", "--bare", "up", "bare.git")
        facts = self.facts(self.base / "bare.git", bare=True)
        self.assertEqual((facts["bare"], facts["branch"]), ("1", "main"))
        self.assertEqual(ask(self.base / "bare.git", "file", "run.sh", bare=True)["outcome"], "refused")

    def test_linked_worktree(self):
        app = self.clone()
        git(app, "worktree", "add", "-q", "-b", "side", "../linked")
        linked = self.base / "linked"
        first = ask(linked, need=False)
        self.assertEqual((first["outcome"], first["kind"]), ("needs", "directory"))
        self.assertEqual(first["text"], str(app / ".git/worktrees/linked"))
        facts = self.facts(linked)
        self.assertEqual((facts["branch"], facts["default"]), ("side", "main"))
        self.assertEqual((facts["git"], facts["common"]), (str(app / ".git/worktrees/linked"), str(app / ".git")))
        self.assertEqual(self.state(linked, "run.sh"), TRACKED | COMMITTED | LANDED | ON_REMOTE)

    def test_worktree_config(self):
        app = self.clone()
        git(app, "worktree", "add", "-q", "../linked")
        git(app, "config", "extensions.worktreeConfig", "true")
        git(self.base / "linked", "config", "--worktree", "core.fsmonitor", "/tmp/x")
        self.assertEqual(self.facts(self.base / "linked")["runs"], FSMONITOR)
        self.assertEqual(self.facts(app)["runs"], 0)

    def test_submodule(self):
        library = self.upstream("library")
        app = self.clone()
        git(app, "-c", "protocol.file.allow=always", "submodule", "add", "-q", f"file://{library}", "lib")
        facts = self.facts(app / "lib")
        self.assertEqual((facts["branch"], facts["runs"]), ("main", 0))
        self.assertEqual(self.state(app / "lib", "run.sh"), TRACKED | COMMITTED | LANDED | ON_REMOTE)
        # What the submodule's settings run, `git status` above runs as well.
        git(app / "lib", "config", "core.fsmonitor", "/tmp/x")
        self.assertEqual(self.facts(app)["runs"], FSMONITOR)

    def test_repository_in_the_index(self):
        # No submodule: a repository of its own that was added as it is. git looks into it with its own settings.
        app = self.clone()
        inner = app / "deep/inner"
        git(self.base, "init", "-q", "-b", "main", str(inner))
        put(inner / "x", "x")
        git(inner, "add", ".")
        git(inner, "commit", "-q", "-m", "x")
        git(inner, "config", "core.fsmonitor", "/tmp/x")
        self.assertEqual(self.facts(app)["runs"], 0)
        git(app, "add", "deep/inner", check=False)
        for version in ("2", "3", "4"):
            git(app, "update-index", "--index-version", version)
            if version == "3":
                git(app, "update-index", "--skip-worktree", "run.sh")
            self.assertEqual(self.facts(app)["runs"], FSMONITOR, version)
        git(inner, "config", "--unset", "core.fsmonitor")
        self.assertEqual(self.facts(app)["runs"], 0)
        git(app, "update-index", "--split-index")
        self.assertEqual(self.facts(app)["runs"], FSMONITOR | DIFF | FILTER)

    def test_index_versions(self):
        app = self.clone()
        for number in range(300):
            put(app / f"some/longer/path/{number % 7}/{'n' * (number % 90)}{number}", "x")
        put(app / "link/linked", "x")
        git(app, "add", ".")
        git(app, "commit", "-q", "-m", "many")
        git(app, "status")
        for version in ("2", "4", "3"):
            git(app, "update-index", "--index-version", version)
            self.assertEqual(self.facts(app)["runs"], 0, version)

    def test_separate_git_directory(self):
        app = self.base / "app"
        git(self.base, "init", "-q", "-b", "main", "--separate-git-dir", str(self.base / "store"), str(app))
        self.assertEqual(self.facts(app)["git"], str(self.base / "store"))

    def test_git_is_a_link(self):
        app = self.clone()
        (app / ".git").rename(self.base / "store")
        (app / ".git").symlink_to(self.base / "store")
        self.assertEqual(ask(app, need=False)["outcome"], "needs")
        self.assertEqual(self.facts(app)["branch"], "main")

    def test_packed_refs(self):
        app = self.clone()
        git(app, "pack-refs", "--all")
        (app / ".git/refs/remotes/origin/HEAD").unlink()
        self.assertEqual(self.facts(app)["default"], "main")
        self.assertEqual(self.state(app, "run.sh"), TRACKED | COMMITTED | LANDED | ON_REMOTE)

    def test_partial_clone(self):
        up = self.upstream()
        git(up, "config", "uploadpack.allowFilter", "true")
        app = self.clone("--filter=blob:none", of=up)
        self.assertEqual(self.facts(app)["runs"], PARTIAL)
        self.assertEqual(self.state(app, "run.sh"), TRACKED | COMMITTED | LANDED | ON_REMOTE)
        # What was never fetched is not looked for: the names are in the trees, which are here.
        put(up / "late.sh", "late")
        git(up, "add", ".")
        git(up, "commit", "-q", "-m", "late")
        git(app, "fetch", "-q")
        put(app / "late.sh", "late")
        self.assertEqual(self.state(app, "late.sh"), LANDED | ON_REMOTE)
        app = self.clone("--filter=tree:0", "--no-checkout", name="treeless", of=up)
        put(app / "run.sh", "x")
        self.assertIn(ask(app, "file", "run.sh")["outcome"], ("file", "refused"))

    def test_shallow(self):
        up = self.upstream()
        put(up / "run.sh", "#!/bin/sh\necho again\n", 0o755)
        git(up, "commit", "-q", "-a", "-m", "second")
        app = self.clone("--depth=1", of=up)
        self.assertEqual(self.state(app, "run.sh"), TRACKED | COMMITTED | LANDED | ON_REMOTE)

    def test_sha256(self):
        app = self.base / "new"
        git(self.base, "init", "-q", "--object-format=sha256", "-b", "main", str(app))
        put(app / "x", "x")
        git(app, "add", ".")
        git(app, "commit", "-q", "-m", "x")
        self.assertEqual(self.facts(app)["branch"], "main")
        self.assertIn(ask(app, "file", "x")["outcome"], ("refused", "file"))

    def test_references_in_tables(self):
        # As git makes with --ref-format=reftable: HEAD names no branch, and refs are kept where nobody here looks.
        app = self.clone()
        put(app / ".git/HEAD", "ref: refs/heads/.invalid\n")
        self.assertEqual(ask(app)["outcome"], "refused")
        put(app / ".git/HEAD", "ref: refs/heads/main\n")
        git(app, "config", "core.repositoryformatversion", "1")
        git(app, "config", "extensions.refStorage", "reftable")
        self.assertEqual(ask(app)["outcome"], "refused")

    def test_unknown_extension(self):
        app = self.clone()
        git(app, "config", "core.repositoryformatversion", "1")
        git(app, "config", "extensions.somethingNew", "true")
        self.assertEqual(ask(app)["outcome"], "refused")

    def test_no_repository(self):
        (self.base / "none").mkdir()
        self.assertEqual(ask(self.base / "none")["outcome"], "refused")
        (self.base / "none/.git").mkdir()
        self.assertEqual(ask(self.base / "none")["outcome"], "refused")


    def test_what_fetches_write(self):
        app = self.clone()
        self.assertEqual(self.facts(app)["flags"], 0)
        for remote, value, mixed in (
                ("origin", "+refs/heads/main:refs/remotes/origin/main", 0), ("origin", "refs/heads/*:refs/heads/*", 0),
                ("origin", "+refs/pull/*/head:refs/remotes/origin/pr/*", 0), ("origin", "^refs/heads/x", 0),
                ("origin", "refs/tags/*:refs/tags/*", 0), ("origin", "main", 0),
                ("other", "+refs/heads/*:refs/remotes/other/*", 0),
                ("origin", "refs/heads/x:refs/remotes/origin/main", MIXED), ("origin", "+refs/*:refs/*", MIXED),
                ("origin", "refs/heads/x:refs/remotes/origin/HEAD", MIXED),
                ("origin", "refs/heads/x/*:refs/remotes/origin/*", MIXED),
                ("origin", "refs/tags/*:refs/remotes/origin/*", MIXED),
                ("other", "+refs/heads/*:refs/remotes/origin/*", MIXED),
                ("other", "+refs/heads/*:refs/remotes/*", MIXED)):
            git(app, "config", "--add", f"remote.{remote}.fetch", value)
            facts = self.facts(app)
            self.assertEqual((facts["remote"], facts["flags"]), ("origin", mixed), value)
            git(app, "config", "--unset", "--fixed-value", f"remote.{remote}.fetch", value)


class Settings(Repositories):
    def test_programs(self):
        app = self.clone()
        for name, value, runs in (("core.fsmonitor", "x", FSMONITOR), ("diff.external", "x", DIFF),
                                  ("filter.a.clean", "x", FILTER), ("core.worktree", "/tmp", ELSEWHERE),
                                  ("core.hooksPath", "/usr/share", HOOKS_OUTSIDE | HOOK_INDEX)):
            git(app, "config", name, value)
            self.assertEqual(self.facts(app)["runs"], runs, name)
            git(app, "--work-tree=.", "config", "--unset", name)

    def test_own_settings_are_no_concern(self):
        app = self.clone()
        put(HOME / ".gitconfig", "[core]\n\tpager = delta\n\tfsmonitor = /opt/x\n[alias]\n\tst = status\n")
        self.assertEqual(self.facts(app, grants=[f"user={HOME}/.gitconfig"])["runs"], 0)

    def test_hooks(self):
        app = self.clone()
        put(app / ".git/hooks/pre-commit", "#!/bin/sh\n", 0o644)
        self.assertEqual(self.facts(app)["runs"], 0)
        (app / ".git/hooks/pre-commit").chmod(0o755)
        self.assertEqual(self.facts(app)["runs"], HOOKS)
        put(app / ".git/hooks/post-index-change", "#!/bin/sh\n", 0o755)
        self.assertEqual(self.facts(app)["runs"], HOOKS | HOOK_INDEX)
        git(app, "config", "core.hooksPath", ".githooks")
        self.assertEqual(self.facts(app)["runs"], 0)
        put(app / ".githooks/commit-msg", "#!/bin/sh\n", 0o755)
        self.assertEqual(self.facts(app)["runs"], HOOKS)

    def test_includes(self):
        app = self.clone()
        put(app / "extra.inc", "[core]\n\tfsmonitor = x\n")
        git(app, "config", "include.path", "../extra.inc")
        self.assertEqual(self.facts(app)["runs"], FSMONITOR)
        put(self.base / "outside.inc", "[diff]\n\texternal = x\n")
        git(app, "config", "include.path", str(self.base / "outside.inc"))
        self.assertEqual(ask(app, need=False)["outcome"], "needs")
        self.assertEqual(self.facts(app)["runs"], DIFF)
        git(app, "config", "include.path", "missing.inc")
        self.assertEqual(self.facts(app)["runs"], 0)
        git(app, "config", "include.path", "config")
        self.assertEqual(ask(app)["outcome"], "refused")

    def test_conditional_include(self):
        app = self.clone()
        put(HOME / ".gitconfig", "[includeIf \"gitdir:/elsewhere/\"]\n\tpath = work.inc\n")
        put(HOME / "work.inc", "[user]\n\tname = Ada\n")
        grants = [f"user={HOME}/.gitconfig"]
        self.assertEqual(self.facts(app, grants=grants)["complete"], "1")
        put(HOME / "work.inc", "[url \"https://evil.example/\"]\n\tinsteadOf = https://\n")
        self.assertEqual(self.facts(app, grants=grants)["complete"], "0")

    def test_broken_settings(self):
        app = self.clone()
        for text in ("[core\n", "[core]\n\t= x\n", "1 = x\n", "[a \"b]\n", "[core]\n\tx = \"y\n", "[a]\n\tx = \\q\n",
                     "[a]\n\tb\0c = 1\n"):
            put(app / ".git/config", text)
            self.assertNotEqual(subprocess.run(["git", "config", "--list", "-f", str(app / ".git/config")], check=False,
                                               env=ENVIRONMENT, capture_output=True).returncode, 0, text)
            self.assertEqual(ask(app)["outcome"], "refused", text)

    def test_diversions(self):
        app = self.clone()
        for name, value in (("http.proxy", "http://x"), ("http.https://x/.proxy", "http://x"), ("core.gitProxy", "x"),
                            ("http.curloptResolve", "forge.example.net:443:192.0.2.1"), ("lfs.url", "https://x"),
                            ("lfs.pushurl", "https://x"), ("remote.origin.lfsurl", "https://x"),
                            ("submodule.recurse", "true"), ("push.recurseSubmodules", "on-demand")):
            git(app, "config", name, value)
            self.assertEqual(self.facts(app)["complete"], "0", name)
            git(app, "config", "--unset", name)
        self.assertEqual(self.facts(app)["complete"], "1")
        # Its settings count once there is a hook to heed them.
        put(app / ".lfsconfig", "[lfs]\n\turl = https://x\n")
        self.assertEqual(self.facts(app)["complete"], "1")
        put(app / ".git/hooks/pre-push", "#!/bin/sh\ngit lfs pre-push \"$@\"\n", 0o755)
        self.assertEqual(self.facts(app)["complete"], "0")
        put(app / ".lfsconfig", "[lfs]\n\tfetchexclude = *\n")
        self.assertEqual(self.facts(app)["complete"], "1")
        for content in ("[lfs\n", bytes(100_000)):
            put(app / ".lfsconfig", content)
            self.assertEqual(self.facts(app)["complete"], "0")

    def test_lfs(self):
        app = self.clone()
        for name, value in (("filter.lfs.clean", "git-lfs clean -- %f"), ("filter.lfs.smudge", "git-lfs smudge -- %f"),
                            ("filter.lfs.process", "git-lfs filter-process"), ("filter.lfs.required", "true")):
            git(app, "config", name, value)
        self.assertEqual(self.facts(app)["runs"], 0)
        for name, runs in (("lfs.extension.x.clean", FILTER), ("lfs.extension.x.smudge", FILTER),
                           ("lfs.customtransfer.x.path", FILTER | TRANSPORT)):
            git(app, "config", name, "/tmp/x")
            self.assertEqual(self.facts(app)["runs"], runs, name)
            git(app, "config", "--unset", name)

    def test_condition_of_the_repository(self):
        # What its own files include on a condition may hold one day: it counts.
        app = self.clone()
        put(app / ".git/more", "[core]\n\tfsmonitor = x\n")
        git(app, "config", "includeIf.onbranch:never.path", "more")
        self.assertEqual(self.facts(app)["runs"], FSMONITOR)

    def test_old_remotes(self):
        app = self.clone()
        put(app / ".git/remotes/old", "URL: https://evil.example/x\n")
        self.assertEqual(self.facts(app)["complete"], "0")

    def test_urls_as_git_says(self):
        app = self.clone()
        names, bases = ("a", "b", "c.d"), ("https://x.example/", "gh:", "https://x.example/long/", "mine:", "")
        rng = random.Random(int(os.environ.get("GATE_SEED", "1")))
        for _ in range(12):
            put(app / ".git/config", "[core]\n\trepositoryformatversion = 0\n")
            for name in names:
                for _ in range(rng.randint(1, 3)):
                    git(app, "config", "--add", f"remote.{name}.url", rng.choice(bases) + rng.choice(("p", "long/q")))
                for _ in range(rng.randint(0, 2) // 2):
                    git(app, "config", "--add", f"remote.{name}.pushurl", rng.choice(bases) + "r")
            for _ in range(rng.randint(0, 4)):
                git(app, "config", "--add", f"url.to{rng.randint(0, 9)}:.{rng.choice(('insteadOf', 'pushInsteadOf'))}",
                    rng.choice(bases[:4]))
            expected = [url for name in names
                        for url in git(app, "remote", "get-url", "--push", "--all", name).splitlines()]
            self.assertEqual(self.facts(app)["all"]["push"], expected, (app / ".git/config").read_text())


class States(Repositories):
    def test_files(self):
        app = self.clone()
        whole = TRACKED | COMMITTED | LANDED | ON_REMOTE
        self.assertEqual(self.state(app, "run.sh"), whole)
        self.assertEqual(self.state(app, "src/a.txt"), whole)
        put(app / "run.sh", "#!/bin/sh\necho other\n", 0o755)
        self.assertEqual(self.state(app, "run.sh"), TRACKED | ON_REMOTE)
        git(app, "commit", "-q", "-a", "-m", "second")
        self.assertEqual(self.state(app, "run.sh"), TRACKED | COMMITTED | ON_REMOTE)
        git(app, "push", "-q", "origin", "HEAD:other")
        self.assertEqual(self.state(app, "run.sh"), TRACKED | COMMITTED | ON_REMOTE)
        git(app, "update-ref", "refs/remotes/origin/main", "HEAD")
        self.assertEqual(self.state(app, "run.sh"), whole)
        put(app / "new.sh", "x")
        self.assertEqual(self.state(app, "new.sh"), 0)
        put(app / "x.log", "x")
        self.assertEqual(self.state(app, "x.log"), IGNORED)
        git(app, "add", "new.sh")
        self.assertEqual(self.state(app, "new.sh"), TRACKED)
        self.assertEqual(self.state(app, "not-there"), MISSING)
        (app / "src/a.txt").unlink()
        self.assertEqual(self.state(app, "src/a.txt"), TRACKED | MISSING)

    def test_raw_bytes(self):
        # A carriage return that a conversion would take away is a difference all the same.
        app = self.clone()
        git(app, "config", "core.autocrlf", "true")
        put(app / "run.sh", "#!/bin/sh\r\necho hello\r\n", 0o755)
        self.assertEqual(self.state(app, "run.sh"), TRACKED | ON_REMOTE)

    def test_other_upstream(self):
        # Landed is what the remote holds that this branch follows, whatever another one of that file's name says.
        app = self.clone()
        other = self.upstream("fork")
        put(other / "run.sh", "#!/bin/sh\necho fork\n", 0o755)
        git(other, "commit", "-q", "-a", "-m", "fork")
        git(app, "remote", "add", "fork", f"file://{other}")
        git(app, "fetch", "-q", "fork")
        git(app, "checkout", "-q", "-b", "f", "--track", "fork/main")
        self.assertEqual(self.state(app, "run.sh"), TRACKED | COMMITTED | LANDED | ON_REMOTE)
        git(app, "branch", "-q", "--unset-upstream")
        self.assertEqual(self.state(app, "run.sh"), TRACKED | COMMITTED | ON_REMOTE)

    def test_alternates(self):
        up = self.upstream()
        app = self.base / "app"
        git(self.base, "clone", "-q", "--shared", str(up), str(app))
        answer = ask(app, "file", "run.sh", need=False)
        self.assertEqual((answer["outcome"], answer["kind"]), ("needs", "objects"))
        self.assertEqual(answer["text"], str(up / ".git/objects"))
        self.assertEqual(self.state(app, "run.sh"), TRACKED | COMMITTED | LANDED | ON_REMOTE)

    def test_alternates_in_a_circle(self):
        app = self.clone()
        put(app / ".git/objects/info/alternates", f"{app}/.git/objects\n")
        self.assertIn(ask(app, "file", "run.sh")["outcome"], ("file", "refused"))

    def test_alternates_in_turn(self):
        up = self.upstream()
        git(self.base, "clone", "-q", "--shared", str(up), "middle")
        git(self.base, "clone", "-q", "--shared", "middle", "app")
        app = self.base / "app"
        self.assertEqual(self.state(app, "run.sh"), TRACKED | COMMITTED | LANDED | ON_REMOTE)
        path = app / ".git/objects/info/alternates"
        put(path, "# a comment\n\n../../../middle/.git/objects\n")
        self.assertEqual(self.state(app, "run.sh"), TRACKED | COMMITTED | LANDED | ON_REMOTE)
        put(path, f'"{up}/.git/objects"\n')
        self.assertEqual(ask(app, "file", "run.sh")["outcome"], "refused")
        put(path, f"{self.base}/gone\n")
        self.assertEqual(ask(app, "file", "run.sh")["outcome"], "refused")

    def test_replaced_objects(self):
        # What replaces an object here, or grafts another history on, has gone through nobody's review.
        app = self.clone()
        put(app / "run.sh", "#!/bin/sh\necho other\n", 0o755)
        git(app, "commit", "-q", "-a", "-m", "other")
        self.assertEqual(self.state(app, "run.sh"), TRACKED | COMMITTED | ON_REMOTE)
        git(app, "replace", "origin/main", "HEAD")
        git(app, "replace", "origin/main:run.sh", "HEAD:run.sh")
        self.assertEqual(git(app, "show", "origin/main:run.sh"), "#!/bin/sh\necho other\n")
        self.assertEqual(self.state(app, "run.sh"), TRACKED | COMMITTED | ON_REMOTE)
        put(app / ".git/info/grafts", git(app, "rev-parse", "origin/main"))
        self.assertEqual(self.state(app, "run.sh"), TRACKED | COMMITTED | ON_REMOTE)

    def test_forged_object(self):
        # A commit under another one's name: its bytes are held against its name.
        app = self.clone()
        put(app / "run.sh", "#!/bin/sh\necho other\n", 0o755)
        git(app, "commit", "-q", "-a", "-m", "other")
        for pack in list((app / ".git/objects/pack").glob("*")):
            pack.rename(self.base / pack.name)
        for pack in self.base.glob("*.pack"):
            with open(pack, "rb") as stream:
                subprocess.run(["git", "-C", str(app), "unpack-objects", "-q"], stdin=stream, env=ENVIRONMENT, check=True)
        landed, ours = (git(app, "rev-parse", name).strip() for name in ("origin/main", "HEAD"))
        path = app / ".git/objects" / landed[:2] / landed[2:]
        path.unlink()
        shutil.copy(app / ".git/objects" / ours[:2] / ours[2:], path)
        answer = ask(app, "file", "run.sh")
        self.assertEqual(answer["outcome"], "refused", answer)

    def test_stash(self):
        app = self.clone()
        self.assertEqual(self.below(app), BELOW_TRACKED)
        put(app / "run.sh", "x")
        git(app, "stash", "-q")
        self.assertEqual(self.below(app), BELOW_TRACKED | STASHED)
        git(app, "worktree", "add", "-q", "../linked")
        self.assertEqual(self.below(self.base / "linked"), BELOW_TRACKED | STASHED)
        git(app, "pack-refs", "--all")
        self.assertEqual(self.below(app), BELOW_TRACKED | STASHED)
        git(app, "stash", "drop", "-q")
        self.assertEqual(self.below(app), BELOW_TRACKED)

    def below(self, root, path=""):
        answer = ask(root, "below", path)
        self.assertEqual(answer["outcome"], "below", answer)
        return answer["state"]

    def test_work(self):
        app = self.clone()
        self.assertEqual(self.below(app), BELOW_TRACKED)
        put(app / "src/new", "x")
        self.assertEqual(self.below(app), BELOW_TRACKED | UNTRACKED)
        self.assertEqual(self.below(app, "src"), BELOW_TRACKED | UNTRACKED)
        self.assertEqual(self.below(app, "run.sh"), BELOW_TRACKED)
        self.assertEqual(self.below(app, "src/new"), UNTRACKED)
        put(app / "src/a.txt", "changed")
        self.assertEqual(self.below(app, "src/a.txt"), BELOW_TRACKED | CHANGED)
        put(app / "out/x", "x")
        self.assertEqual(self.below(app, "out"), BELOW_IGNORED)
        # A name with the characters of patterns means itself.
        put(app / "[s]*", "x")
        self.assertEqual(self.below(app, "[s]*"), UNTRACKED)
        git(app, "add", "src")
        self.assertEqual(self.below(app, "src/new"), BELOW_TRACKED | CHANGED)

    def test_a_link_is_no_file(self):
        app = self.clone()
        (app / "link").symlink_to("/etc/passwd")
        self.assertEqual(ask(app, "file", "link")["outcome"], "refused")


sys.exit(run_all())
