#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hold the parser against the real shells.

usage: shells.py PARSE_ROWS

1. Every row of the dialect table runs in bash and in each other shell that is here. Where they differ the row must say
   so, and outside bash the construct must not be modelled.
2. Generated words: what is called static must be exactly the one argument that the shell passes on.
3. Generated lines around a function that notes its arguments: each call that the shell makes must be among the commands
   that the parser lists, in every shell whose dialect models the line.

GATE_SEED and GATE_LINES vary 2 and 3.
"""
import atexit, json, os, random, shutil, subprocess, sys, tempfile

SHELLS = {"bash": "bash", "dash": "posix", "zsh": "zsh", "fish": "other"}
HOME = tempfile.mkdtemp(prefix="gate-home-")  # fish makes folders in it
atexit.register(shutil.rmtree, HOME, ignore_errors=True)
SEED = int(os.environ.get("GATE_SEED", "1"))
LINES = int(os.environ.get("GATE_LINES", "150"))
ENV = {"PATH": "/usr/bin:/bin", "HOME": HOME, "LC_ALL": "C.UTF-8"}

failures = []


def fail(*what):
    failures.append(what)
    print("FAIL", *what)


def parse(tool, lines, dialect):
    feed = "".join(json.dumps({"id": str(i), "command": l, "dialect": dialect, "home": HOME}) + "\n"
                   for i, l in enumerate(lines))
    out = subprocess.run([tool], input=feed.encode(), stdout=subprocess.PIPE, check=True).stdout
    rows = [json.loads(l) for l in out.decode("utf-8", "surrogateescape").splitlines()]
    assert len(rows) == len(lines), (len(rows), len(lines))
    return rows


def run(shell, text, cwd, fd9=None):
    """Standard output and status; output of descriptor 9 in a file when named."""
    def opened():
        if fd9:
            os.dup2(os.open(fd9, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), 9)
    try:
        p = subprocess.run([shell, "-c", text], cwd=cwd, env=ENV, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, timeout=20, preexec_fn=opened, close_fds=False)
        return p.returncode, p.stdout
    except subprocess.TimeoutExpired:
        return "timeout", b""


def table(tool, shells):
    rows = [json.loads(l) for l in subprocess.run([tool, "--constructs"], stdout=subprocess.PIPE).stdout.splitlines()]
    assert len(rows) > 30
    for r in rows:
        seen = {}
        for shell in shells:
            with tempfile.TemporaryDirectory() as d:
                seen[shell] = run(shell, r["example"], d)
        for shell in shells:
            dialect = SHELLS[shell]
            if shell != "bash" and seen[shell] != seen["bash"] and dialect not in r["differs"]:
                fail(r["name"], shell, "reads it differently and the table does not say so", seen[shell], seen["bash"])
        for dialect in ("bash", "posix", "zsh", "other"):
            modelled = parse(tool, [r["example"]], dialect)[0]["modelled"]
            if dialect in r["differs"] and modelled:
                fail(r["name"], "is modelled as", dialect, repr(r["example"]))
    print(f"{len(rows)} constructs under {', '.join(shells)}")


PIECES = ["a", "b c", "'", '"', "\\", "$", "{", "}", ",", "..", "1", "~", "/", ":", "=", "x=", "[", "]", "*", "?", "!",
          "@", "(", ")", "|", "#", "^", "%", "+", "-", ".", "$'", "\\x41", "\\n", "\\t", "\\'", "\\e", "\\0", "é",
          "'q r'", '"d e"', "\\ ", "\\\\", "\\$", '\\"', "\\\n", "''", '""', "$'t\\tu'", "{a,b}", "{}", "~/", "a=~",
          "[a]", ";", "<", ">", "`", "\t", "$v", '"$v"', "$(p)", "$((1))"]


def words(tool, shell, rng):
    dialect = SHELLS[shell]
    candidates = ["".join(rng.choice(PIECES) for _ in range(rng.randint(1, 6))) for _ in range(LINES * 10)]
    static = []
    for w, row in zip(candidates, parse(tool, ["p " + w for w in candidates], dialect)):
        c = row["cmds"]
        if w.endswith("\\"):  # would join the next line of the script below
            continue
        if not (row["parse"] and row["modelled"] and len(c) == 1 and "redirs" not in c[0] and None not in c[0]["argv"]):
            continue
        static.append((w, c[0]["argv"][1:]))
    static = static[:LINES]
    with tempfile.TemporaryDirectory() as d:
        script = "p() { printf '%s\\0' \"$#\" \"$@\"; }\n" + "\n".join("p " + w for w, _ in static) + "\n"
        out = run(shell, script, d)[1].decode("utf-8", "surrogateescape").split("\0")
    at = 0
    for w, expected in static:
        n = int(out[at]) if at < len(out) and out[at].isdigit() else -1
        got = out[at + 1:at + 1 + n]
        if got != expected:
            fail(shell, "passes on", got, "for", repr(w), "called static:", expected)
            break
        at += 1 + n
    if not static:
        fail("no static word for", shell)
    print(f"{len(static)} static words under {shell}")


def word(rng, deep):
    w = rng.choice(["a", "bb", "'c d'", '"e f"', "g\\ h", "$v", '"$v"', "{i,j}", "~", "x=y", "*", "$'k\\tl'", "''", "#m",
                    "n#", "-o", "if", "}", "[", "!", '"$@"', "${w:-q}", "$((1+1))", "a\\\nb", "@", "é"])
    if deep > 0 and rng.random() < 0.25:
        inner = line(rng, deep - 1)
        w += rng.choice(["$(%s)", '"$(%s)"', "`%s`", "<(%s)", "${w:-$(%s)}"]) % inner.replace("`", "")
    return w


def redirect(rng):
    return rng.choice([">f", "2>f", ">>f", "</dev/null", "2>&1", "&>f", "<<<h", ">&2", "<f", ">|f"])


def simple(rng, deep):
    parts = ["p"] + [word(rng, deep) for _ in range(rng.randint(0, 3))]
    if rng.random() < 0.2:
        parts.insert(rng.randint(0, len(parts)), redirect(rng))
    if rng.random() < 0.15:
        parts.insert(0, rng.choice(["v=1", "v='2 3'", "w=$v", "v=~"]))
        if rng.random() < 0.4:
            return parts[0]
    return " ".join(parts)


def compound(rng, deep):
    body = lambda: line(rng, deep - 1)
    return rng.choice([
        lambda: "{ %s; }" % body(), lambda: "(%s)" % body(), lambda: "if %s; then %s; else %s; fi" % (body(), body(), body()),
        lambda: "for v in %s; do %s; done" % (word(rng, 0), body()), lambda: "case %s in a|b) %s;; *) %s;; esac" % (word(rng, 0), body(), body()),
        lambda: "while false; do %s; done" % body(), lambda: "f() { %s; }; f" % body(), lambda: "! %s" % simple(rng, 0),
        lambda: "[[ %s == a* ]]" % word(rng, 0).replace("*", "a"), lambda: "((1)) && %s" % simple(rng, 0),
        lambda: "cat <<E\n%s $(%s)\nE\n" % (word(rng, 0), simple(rng, 0)), lambda: "cat <<'E' # x\n$(p no)\nE\n",
        lambda: "eval \"$v\"", lambda: "p <<E | cat\nx\nE\n", lambda: "until true; do %s; done" % body(),
        lambda: "((p <<E\np %s\nE\n) )" % word(rng, 0), lambda: "((%s) )" % body(), lambda: 'p "${v#%s}"' % word(rng, 0),
        lambda: "p <<\"E\nF\"\nE\nF\n%s" % simple(rng, 0), lambda: "p $((p <<E\nx\nE\n) )",
    ])()


def line(rng, deep):
    parts = [compound(rng, deep) if deep > 0 and rng.random() < 0.4 else simple(rng, deep) for _ in range(rng.randint(1, 3))]
    text = parts[0]
    for part in parts[1:]:
        text += (rng.choice(["\n", "\n"]) if text.endswith("\n") else rng.choice(["; ", " && ", " || ", " | ", "\n", ";"])) + part
    return text.rstrip("\n") if deep == 2 else text


def fits(pattern, argv):
    """A dynamic word stands for any number of arguments."""
    if not pattern:
        return not argv
    if pattern[0] is None:
        return any(fits(pattern[1:], argv[i:]) for i in range(len(argv) + 1))
    return bool(argv) and argv[0] == pattern[0] and fits(pattern[1:], argv[1:])


def calls(tool, shell, rng):
    prelude = "p() { printf '%s\\0' \"$#\" \"$@\" >&9; }\n"
    lines = [line(rng, 2) for _ in range(LINES)]
    models = parse(tool, lines, SHELLS[shell])
    made = checked = 0
    for text, row in zip(lines, models):
        if not row["modelled"]:
            continue
        checked += 1
        with tempfile.TemporaryDirectory() as d:
            run(shell, prelude + text, d, fd9=d + "/calls")
            with open(d + "/calls", "rb") as f:
                out = f.read().decode("utf-8", "surrogateescape").split("\0")
        at = 0
        while at < len(out) - 1:
            argv = ["p"] + out[at + 1:at + 1 + int(out[at])]
            at = at + 1 + int(out[at])
            made += 1
            if not any(fits(c["argv"], argv) for c in row["cmds"]):
                fail(shell, "called", argv, "which is not listed for", repr(text), [c["argv"] for c in row["cmds"]])
                break
    if not checked or not made:
        fail("nothing was checked under", shell)
    print(f"{made} calls of {checked} modelled lines under {shell}")


def main():
    tool = os.path.abspath(sys.argv[1])
    shells = [s for s in SHELLS if shutil.which(s, path=ENV["PATH"])]
    if "bash" not in shells:
        print("skipped: bash is not here")
        sys.exit(77)
    table(tool, shells)
    for shell in shells:
        if shell != "fish":
            words(tool, shell, random.Random(SEED))
            calls(tool, shell, random.Random(SEED))
    missing = [s for s in SHELLS if s not in shells]
    if missing:
        print("not here, so not asked:", ", ".join(missing))
    sys.exit(1 if failures else 0)


main()
