# SPDX-License-Identifier: Apache-2.0
"""
Random lines around a program named canary, each given to the gate and run by the real shell: where the shell runs the
canary, the gate has not allowed the line. The canary is unknown to the gate, so an allow means that the parser did
not see it: a quote, a comment or a here-document that the shell does not see there. canary.py [SHELL]
"""

import concurrent.futures
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys

import gate

LINES = int(os.environ.get("GATE_LINES") or 2500)
SEED = int(os.environ.get("GATE_SEED") or 20260)
SHELLS = {"bash": ("bash", ["bash", "--norc", "-c"]), "dash": ("posix", ["dash", "-c"]), "zsh": ("zsh", ["zsh", "-fc"])}

# No slash and no program but builtins and the canary: what a line can do stays in its own empty directory.
ATOMS = ["x", "a", "echo x", "echo", "true", ":", "canary", "canary", "canary x", "$a", "${a}", "${a:-x}", "${#a}", "$?",
         "a=x", "a=canary", "'x'", '"x"', "$'x'", '$"x"', "x\\ y", "~", "*", "{a,b}", "{1..3}", "2", "-n", "--", "!", "x=(a b)",
         "é", "\\", "\\\\", "'\\''", "$((1+2))", "$[1+2]", "#", "x#y", "# x", "'#'", "[x]", "E", "\"E\"", "esac", "done", "fi", "in"]
WRAPS = [("$(", ")"), ("`", "`"), ("\"$(", ")\""), ("\"`", "`\""), ("<(", ")"), ("(", ")"), ("{ ", "; }"), ("${a:-", "}"),
         ("\"${a:-", "}\""), ("${a:+", "}"), ("${a#", "}"), ("${a/x/", "}"), ("$((", "))"), ("((", "))"), ("'", "'"), ("\"", "\""),
         ("$'", "'"), ("$\"", "\""), ("if ", "; then :; fi"), ("if :; then ", "; fi"), ("for i in x; do ", "; done"),
         ("while ", "; do break; done"), ("case x in x) ", ";; esac"), ("case ", " in *) :;; esac"), ("case x in (x) ", " ;; esac"),
         ("[[ ", " ]]"), ("cat <<E\n", "\nE\n"), ("cat <<'E'\n", "\nE\n"), ("cat <<\"E\"\n", "\nE\n"), ("cat <<-E\n\t", "\n\tE\n"),
         ("cat <<\\E\n", "\nE\n"), ("cat <<E; ", "\nx\nE\n"), ("cat <<< ", ""), ("echo <<E ", "\nE\n"), ("eval ", ""), ("eval '", "'"),
         ("f() { ", "; }; f"), ("f() (", "); f"), ("a=(", ")"), ("a=", ""), ("a=$(", ")"), ("! ", ""), ("time ", ""), ("coproc ", ""),
         ("select i in x; do ", "; done"), ("$(<", ")"), ("trap ", " EXIT"), ("command ", ""), ("builtin ", ""), ("exec ", ""),
         ("until ", "; do break; done"), ("echo \\\n", ""), ("@(", ")"), ("a[", "]=x"), ("${a[", "]}"), ("${!", "}"), ("$((a[", "]))"),
         ("alias canary=", ""), ("$(( $(", ") ))"), ("$( (", ") )"), ("\"$(echo \"", "\")\""), ("${a:-'", "'}"), ("\"${a:-'", "'}\""),
         ("printf -v a ", ""), ("let a=", ""), ("declare a=", ""), ("export a=", ""), ("local a=", ""), ("read a <<E\n", "\nE\n"),
         ("echo ${a@P}", ""), ("exec 3< <(", ")"), ("if [ x ]; then ", "; else canary; fi"), ("function f { ", "; }; f")]
JOINS = ["; ", "; ", "; ", "; ", " ", " ", "\n", "\n", "\n", " | ", " && ", " || ", " | ", " & ", ";", "&", "|", " |& ", " > x ", " 2>&1 ", " < x ", "\\\n", "\r\n", "\t", " # ", "",
         " #", ";;", "; ;", " >& x ", " &> x ", " <> x ", " >| x ", "\n#x\n", " ; # x\n", "\n\n", "\v", "\f", "\u00a0", " << E\n", "\nE\n"]
BITS = ["'", '"', "`", "\\", "$", "(", ")", "{", "}", "#", "\n", ";", "&", "|", "<", ">", "<<E", "\nE\n", " ", "=", "!", "$(", "${", "$'", "\r",
        "\\\n", "*", "[", "]", "))", "((", "esac", "\t", "canary", "\n canary\n", "'\n", "\"\n", ")canary", "`canary`", "$(canary)"]


def piece(source, depth):
    if depth <= 0 or source.random() < 0.25:
        return "canary" if source.random() < 0.3 else source.choice(ATOMS)
    if source.random() < 0.6:
        opening, closing = source.choice(WRAPS)
        return opening + piece(source, depth - 1) + closing
    return source.choice(JOINS).join(piece(source, depth - 1) for _ in range(source.randint(2, 3)))


def line_of(source):
    line = piece(source, source.randint(1, 4))
    if source.random() < 0.5:
        line = "echo " + line
    for _ in range(source.choice((0, 0, 0, 1, 1, 2, 3))):
        at = source.randint(0, len(line))
        if source.random() < 0.3 and line:
            line = line[:at] + line[at + 1:]
        else:
            line = line[:at] + source.choice(BITS) + line[at:]
    return line


def contained():
    os.setsid()
    for limit, value in ((resource.RLIMIT_CPU, 2), (resource.RLIMIT_FSIZE, 1 << 20), (resource.RLIMIT_AS, 1 << 30),
                         (resource.RLIMIT_CORE, 0)):
        resource.setrlimit(limit, (value, value))


def runs_canary(shell, line, folder, programs):
    """Does this shell run the canary on this line? Whatever it left running is killed with its session's group."""
    marker = folder / ".ran"
    work = folder / "work"
    work.mkdir(parents=True)
    env = {"PATH": str(programs), "HOME": str(work), "MARKER": str(marker), "LANG": "C.UTF-8"}
    process = subprocess.Popen([*shell, line], cwd=work, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, preexec_fn=contained)
    try:
        process.wait(3)
    except subprocess.TimeoutExpired:
        pass
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    ran = marker.exists()
    shutil.rmtree(folder, ignore_errors=True)
    return ran


def decide(world, dialect, lines, cwd):
    rows = "".join(json.dumps({"id": str(n), "command": line, "cwd": str(cwd)}) + "\n" for n, line in enumerate(lines))
    result = world.run("check", "--batch", "--dialect", dialect, stdin=rows.encode(), timeout=300)
    decisions = [json.loads(row) for row in result.out.decode().splitlines()]
    gate.expect([row["id"] for row in decisions] == [str(n) for n in range(len(lines))], f"rows are missing: {result.err!r}")
    return [row["decision"] for row in decisions]


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else "bash"
    dialect, command = SHELLS[name]
    found = shutil.which(command[0])
    if not found:
        gate.skip(f"{name} is not installed")
    world = gate.World()
    cwd = world.fresh()
    programs = world.scratch / "programs"
    programs.mkdir()
    (programs / "canary").write_text("#!/bin/sh\n: > \"$MARKER\"\n", encoding="utf-8")
    (programs / "canary").chmod(0o755)
    (programs / "cat").symlink_to(shutil.which("cat"))
    source = random.Random(SEED)
    lines = list(dict.fromkeys(line_of(source).replace("\0", "") for _ in range(LINES)))
    decisions = decide(world, dialect, lines, cwd)
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        ran = list(pool.map(lambda n: runs_canary([found, *command[1:]], lines[n], world.scratch / f"run-{n}", programs),
                            range(len(lines))))
    cases = gate.Cases()
    for line, decision, canary in zip(lines, decisions, ran):
        with cases.case(repr(line)):
            gate.expect(not (canary and decision == "allow"), f"{name} runs the canary and the gate allows it")
    allowed = decisions.count("allow")
    print(f"{name}: {len(lines)} lines, {sum(ran)} ran the canary, {allowed} allowed")
    with cases.case("both were met"):
        gate.expect(sum(ran) > len(lines) // 25 and allowed > len(lines) // 50, "the lines try nothing")
    world.close()
    return cases.close()


sys.exit(main())
