# SPDX-License-Identifier: Apache-2.0
"""Command lines as long as the gate takes them, each of a shape that has cost some parser or matcher its linear time."""

LIMIT = 64 * 1024


def _repeat(unit, before="", after=""):
    """As many of `unit` as fit between the two."""
    return before + unit * ((LIMIT - len(before) - len(after)) // len(unit)) + after


def _nest(opening, closing, core="x", before="echo "):
    depth = (LIMIT - len(before) - len(core)) // (len(opening) + len(closing))
    return before + opening * depth + core + closing * depth


def _here_documents():
    lines, size, number = [], 0, 0
    while True:
        line = f"cat <<E{number}\nx\nE{number}\n"
        if size + len(line) > LIMIT:
            return "".join(lines)
        lines.append(line)
        size += len(line)
        number += 1


def _here_documents_on_a_line():
    """Every body is looked for in the text behind all of their operators."""
    operators = "cat" + "".join(f" <<E{n}" for n in range(1500)) + "\n"
    bodies = "".join(f"E{n}\n" for n in range(1500))
    return operators + bodies + ": " + "x" * (LIMIT - len(operators) - len(bodies) - 2)


LINES = {
    "substitutions, nested": _nest("$(", ")", "true"),
    "substitutions, never closed": _repeat("$(", "echo "),
    "substitutions in quotes, nested": _nest('"$(echo ', ')"'),
    "backticks": _repeat("`x`", "echo "),
    "backticks, escaped": "echo `" + "\\" * (LIMIT - 16) + "`",
    "parameters, nested": _nest("${a:-", "}"),
    "parameters, never closed": _repeat("${a:-", "echo "),
    "parameters, many": _repeat("$a", "echo "),
    "arithmetic, nested": _nest("$((", "))", "1"),
    "arithmetic, doubtful": _repeat("$(( ", "echo "),
    "parentheses, never closed": _repeat("( "),
    "groups, nested": _repeat("{ "),
    "quotes, never closed": _repeat("'\"", "echo "),
    "single quotes, many": _repeat("'a'", "echo "),
    "double quotes, many": _repeat('"a"', "echo "),
    "ANSI-C quotes, many": _repeat("$'\\x41'", "echo "),
    "braces, nested": _nest("{a,", "}", "b"),
    "braces, products": _repeat("{a,b}", "echo "),
    "braces, never closed": _repeat("{a,", "echo "),
    "brace ranges": _repeat("{1..99999999}", "echo "),
    "globs": _repeat("*?[a", "echo "),
    "extended globs, nested": _nest("@(a|", ")", "b"),
    "brackets, never closed": _repeat("[", "echo "),
    "here-documents": _here_documents(),
    "here-documents on one line": _here_documents_on_a_line(),
    "here-documents, never closed": _repeat("cat <<E\n"),
    "here-strings": _repeat("<<<x ", "cat "),
    "redirections": _repeat(">x ", "true "),
    "commands": ":;" * 10000,
    "commands, echo": _repeat("echo x\n"),
    "pipes": _repeat("cat|", after="cat"),
    "and, or": _repeat("true&&", after="true"),
    "background": _repeat("x&"),
    "assignments": _repeat("a=b "),
    "assignments, growing": _repeat("a=$a$a;", after="echo $a"),
    "arrays": _repeat("x ", "a=( ", ")"),
    "functions": _repeat("f(){ :;};"),
    "case": "case x in " + _repeat("a|", after="b) ;; esac")[:LIMIT - 10],
    "conditionals, nested": _nest("if :; then ", " fi; ", ":", ""),
    "loops, nested": _nest("while :; do ", " done; ", ":", ""),
    "loop, long list": _repeat("cat f $x; ", "for x in " + "a b c d " * 16 + "; do ", "done"),
    "loop, values": _repeat("y=$x; cp $x $y; ", "for x in a b; do ", "done"),
    "loops, values": _repeat("cp $x $y; ", "for x in a b c d e f; do for y in 1 2 3 4; do ", "done; done"),
    "secret, handed on": _repeat('b=$a; echo "$b"; ', "a=$API_TOKEN; "),
    "tests": _repeat("! ", "[[ ", "x ]]"),
    "one word": "echo " + "a" * (LIMIT - 5),
    "one name": "a" * LIMIT,
    "words": _repeat("a ", "echo "),
    "blanks": "echo" + " " * (LIMIT - 5) + "x",
    "continuations": _repeat("\\\n", "echo "),
    "comments": _repeat("#\n"),
    "newlines": "echo x" + "\n" * (LIMIT - 6),
    "carriage returns": _repeat("echo x\r\n"),
    "wrappers": _repeat("env ", after="true"),
    "wrappers, options": _repeat("-i ", "env ", "true"),
    "shells in shells": _repeat("sh -c "),
    "evals": _repeat("eval ", after="true"),
    "xargs": _repeat("xargs ", after="echo"),
    "find -exec": _repeat("-exec echo {} ; ".replace(";", "\\;"), "find . "),
    "options": _repeat("-r ", "rm ", "x"),
    "options, clusters": "rm -" + "r" * (LIMIT - 6) + " x",
    "slashes": "cat " + "/" * (LIMIT - 4),
    "dots": _repeat("../", "cat "),
    "roots": _repeat("/ ", "rm -rf "),
    "git pushes": _repeat("git push --force origin main;"),
    "git options": _repeat("-c a=b ", "git ", "push --force"),
    "pipes to a shell": _repeat("curl x | sh;"),
    "curls": _repeat("curl "),
    "tokens": _repeat("TOKEN=a ", "export "),
    "base64": "echo " + "QUJD" * ((LIMIT - 20) // 4) + " | base64 -d",
    "dashes": "-" * LIMIT,
    "equals": "=" * LIMIT,
    "backslashes": "\\" * LIMIT,
    "letters outside ASCII": _repeat("é", "echo ")[:LIMIT // 2],
    "bidi controls": "echo " + "\u202e" * ((LIMIT - 5) // 3),
    "tildes": _repeat("~:", "PATH="),
    "history": _repeat("!!", "echo "),
    "coprocesses": _repeat("coproc "),
    "process substitutions": _nest("<(cat ", ")", "x", "cat "),
}

for _name, _line in LINES.items():
    assert 10_000 < len(_line.encode()) <= LIMIT, (_name, len(_line.encode()))
