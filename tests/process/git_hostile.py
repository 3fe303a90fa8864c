# SPDX-License-Identifier: Apache-2.0
"""The git reader asked about repositories that nobody would make: an answer or a refusal, never a crash."""

import hashlib
import os
import random
import shutil
import struct
import subprocess
import sys
import zlib

from git_asked import (ENVIRONMENT, FILTER, FSMONITOR, ask, git, put, Repositories, run_all)


class Hostile(Repositories):
    """An answer or a refusal, never a crash; what never answers is killed by the broker."""

    def survives(self, root, *asked):
        answer = ask(root, *asked)
        self.assertNotEqual(answer["outcome"], "died", answer)
        return answer["outcome"]

    def test_outside_is_not_read(self):
        app = self.clone()
        shutil.rmtree(app / ".git")
        (app / ".git").symlink_to("/etc")
        self.assertEqual(ask(app, need=False)["outcome"], "needs")
        (app / ".git").unlink()
        put(app / ".git", "gitdir: /etc\n")
        self.assertEqual(ask(app, need=False)["outcome"], "needs")
        self.assertEqual(ask(app)["outcome"], "refused")

    def test_without_grants(self):
        app = self.clone()
        self.assertNotEqual(ask(app, tree=False, need=False)["outcome"], "facts")

    def test_strange_git_files(self):
        app = self.clone()
        shutil.rmtree(app / ".git")
        for content in (b"", b"gitdir:", b"gitdir: ", b"gitdir: \n", b"gitdir: \0", b"gitdir: " + b"/a" * 9000,
                        b"gitdir: .git\n", os.urandom(64), b"gitdir: ..\n", b"gitdir: /dev/zero\n"):
            put(app / ".git", content)
            self.assertEqual(self.survives(app), "refused", content[:20])

    def test_strange_files(self):
        for name in ("HEAD", "config", "packed-refs", "commondir", "objects/info/alternates", "index",
                     "refs/remotes/origin/HEAD", "shallow"):
            app = self.clone(name=f"app-{name.replace('/', '-')}", of=getattr(self, "up", None) or self._up())
            path = app / ".git" / name
            for kind in ("fifo", "directory", "device link", "noise", "zeros"):
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path)
                else:
                    path.unlink(missing_ok=True)
                if kind == "fifo":
                    os.mkfifo(path)
                elif kind == "directory":
                    path.mkdir()
                elif kind == "device link":
                    path.symlink_to("/dev/zero")
                else:
                    put(path, os.urandom(3000) if kind == "noise" else bytes(3000))
                self.survives(app)
                self.survives(app, "file", "run.sh")
                self.survives(app, "below", "")

    def _up(self):
        self.up = self.upstream()
        return self.up

    def test_refs_in_a_circle(self):
        app = self.clone()
        put(app / ".git/refs/remotes/origin/HEAD", "ref: refs/remotes/origin/loop\n")
        put(app / ".git/refs/remotes/origin/loop", "ref: refs/remotes/origin/HEAD\n")
        self.survives(app)
        self.assertIn(self.survives(app, "file", "run.sh"), ("refused", "file"))
        put(app / ".git/HEAD", "ref: refs/heads/x\n")
        put(app / ".git/refs/heads/x", "ref: refs/heads/x\n")
        self.survives(app, "file", "run.sh")

    def test_corrupt_pack(self):
        app = self.clone()
        git(app, "repack", "-adq")
        pack = next((app / ".git/objects/pack").glob("*.pack"))
        rng = random.Random(7)
        for size in (None, 40, 11, 0):
            pack.chmod(0o644)
            content = bytearray(pack.read_bytes()[:size])
            for _ in range(20 if size is None else 0):
                content[rng.randrange(len(content))] ^= 0xff
            pack.write_bytes(content)
            self.survives(app, "file", "run.sh")

    def test_huge_object(self):
        # A tree that says it is two gigabytes, in a few kilobytes of zeros.
        app = self.clone()
        packer = zlib.compressobj(9)
        bomb = packer.compress(b"tree 2147483648\0")
        zeros = bytes(1 << 20)
        for _ in range(256):
            bomb += packer.compress(zeros)
        bomb += packer.flush()
        oid = git(app, "rev-parse", "HEAD^{tree}").strip()
        path = app / ".git/objects" / oid[:2] / oid[2:]
        for pack in (app / ".git/objects/pack").glob("*"):
            pack.rename(self.base / pack.name)
            if pack.suffix == ".pack":
                git(app, "unpack-objects", "-q", text=None, check=False)
        path.parent.mkdir(exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_bytes(bomb)
        self.survives(app, "file", "run.sh")

    def loose(self, root):
        """All objects of a repository as files of their own, whose directory is returned."""
        for pack in list((root / ".git/objects/pack").glob("*")):
            pack.rename(self.base / pack.name)
        for pack in self.base.glob("*.pack"):
            with open(pack, "rb") as stream:
                subprocess.run(["git", "-C", str(root), "unpack-objects", "-q"], stdin=stream, env=ENVIRONMENT, check=True)
        return root / ".git/objects"

    def test_more_than_it_says(self):
        # What comes out of such a file overruns the buffer that its header asks for.
        app = self.clone()
        put(app / ".gitattributes", "*.x text\n")
        git(app, "add", ".")
        git(app, "commit", "-q", "-m", "attributes")
        objects = self.loose(app)
        (app / ".gitattributes").unlink()
        for name in ("HEAD", "HEAD^{tree}", "HEAD:src", "HEAD:.gitattributes", "origin/main", "origin/main^{tree}"):
            oid = git(app, "rev-parse", name).strip()
            path = objects / oid[:2] / oid[2:]
            content = path.read_bytes()
            kind, _, body = zlib.decompress(content).partition(b"\0")
            for size, rest in ((3, body), (3, body * 2000), (0, body), (len(body) - 1, body), (len(body) + 7, body)):
                path.chmod(0o644)
                path.write_bytes(zlib.compress(kind.split()[0] + b" %d\0" % size + rest))
                for asked in (("file", "src/a.txt"), ("below", "")):
                    self.survives(app, *asked)
                if name in ("HEAD", "HEAD^{tree}", "HEAD:src") and size < len(body):
                    self.assertEqual(self.survives(app, "file", "src/a.txt"), "refused", (name, size))
                    self.assertEqual(self.survives(app, "below", ""), "refused", (name, size))
            path.write_bytes(content)
        self.assertEqual(self.survives(app, "file", "src/a.txt"), "file")
        self.assertEqual(self.survives(app, "below", ""), "below")

    def test_large_index(self):
        app = self.clone()
        entries = 500_000
        oid = bytes.fromhex(git(app, "rev-parse", "HEAD:run.sh").strip())
        out = [b"DIRC" + struct.pack(">LL", 2, entries)]
        for number in range(entries):
            name = b"d%03d/f%06d" % (number // 1000, number)
            entry = struct.pack(">10L", 0, 0, 0, 0, 0, 0, 0o100644, 0, 0, 0) + oid + struct.pack(">H", len(name)) + name
            out.append(entry + bytes(8 - len(entry) % 8))
        body = b"".join(out)
        put(app / ".git/index", body + hashlib.sha1(body).digest())
        answer = ask(app, "file", "run.sh")
        self.assertIn(answer["outcome"], ("file", "refused", "silent"))
        self.assertEqual(self.facts(app)["branch"], "main")

    def test_deep_submodules(self):
        app = self.clone()
        path = app / ".git/modules"
        for _ in range(40):
            path = path / "m"
        path.mkdir(parents=True)
        self.assertEqual(self.facts(app)["runs"], FSMONITOR | FILTER)


sys.exit(run_all())
