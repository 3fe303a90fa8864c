# SPDX-License-Identifier: Apache-2.0
"""
Stands between a harness and the gate's hook: gives it half of the payload, kills the named child of the guard, gives
it the rest and passes on what the guard answers. interrupted_hook.py LOG ROLE PROGRAM ARGUMENTS...
"""

import os
import pathlib
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "process"))
import gate


def main():
    log, victim, *command = sys.argv[1:]
    payload = sys.stdin.buffer.read()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdin.write(payload[:len(payload) // 2])
    process.stdin.flush()
    pid = gate.wait_child(process.pid, victim)
    if pid is not None:
        os.kill(pid, signal.SIGKILL)
        with open(log, "a", encoding="utf-8") as file:
            file.write(f"killed {victim}\n")
    try:
        out, err = process.communicate(payload[len(payload) // 2:])
    except BrokenPipeError:
        out, err = process.communicate()
    sys.stdout.buffer.write(out)
    sys.stderr.buffer.write(err)
    return process.returncode


sys.exit(main())
