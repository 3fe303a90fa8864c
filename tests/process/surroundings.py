# SPDX-License-Identifier: Apache-2.0
"""The harness's environment, names planted in PATH, links and second names of files, through the whole gate."""

import os
import pathlib
import shutil
import subprocess
import sys

import gate

FAILED = []


def expect(world, cwd, command, wanted, about="", **environment):
    """`wanted`: allow, or a word of the reason it is stopped with."""
    env = world.environment(**environment)
    reply = world.hook("claude", gate.claude(command, session=os.urandom(6).hex(), cwd=cwd), env=env, cwd=cwd)
    decision, reason = reply.verdict()
    fine = decision == "allow" if wanted == "allow" else decision != "allow" and wanted in reason
    if not fine:
        FAILED.append(f"{command} {about}{environment}: {decision}, {reason}")


def project(world):
    app = world.home / "app"
    for folder in ("src", "lib", "plain", "linked", "venv/bin"):
        (app / folder).mkdir(parents=True)
    (app / "README.md").write_text("x\n", encoding="utf-8")
    (app / "src/a.c").write_text("x\n", encoding="utf-8")
    env = world.environment(GIT_CONFIG_NOSYSTEM="1")
    subprocess.run(["git", "init", "-q", str(app)], env=env, check=True)
    (world.home / ".ssh").mkdir()
    (world.home / ".ssh/id_rsa").write_text("k\n", encoding="utf-8")
    (world.home / ".claude").mkdir()
    (world.home / ".claude/settings.json").write_text("{}\n", encoding="utf-8")
    (world.home / "libs").mkdir()
    return app


def values(world, app):
    home = str(world.home)
    for value in ("/usr/lib", "/usr/local/cuda-99/lib64:/usr/lib", home + "/libs", "/opt/conda/lib"):
        expect(world, app, "ls -la && cat README.md", "allow", LD_LIBRARY_PATH=value)
    for value in (str(app / "lib"), "/usr/lib:", "lib", "/tmp/lib", "/usr/lib:" + str(app)):
        expect(world, app, "ls -la", "LD_LIBRARY_PATH", LD_LIBRARY_PATH=value)
    expect(world, app, "node --version", "allow", NODE_OPTIONS="--max-old-space-size=8192")
    expect(world, app, "node --version", "NODE_OPTIONS", NODE_OPTIONS="--require ./x.js")
    expect(world, app, "ls", "allow", NODE_OPTIONS="--require ./x.js")
    expect(world, app, "python3 --version", "allow", PYTHONPATH=str(app / "src"))
    expect(world, app, "python3 -c 'print(1)'", "PYTHONPATH", PYTHONPATH="/tmp/x")
    expect(world, app, "make --version", "allow", MAKEFLAGS="-j8")
    # As a harness that npx started finds it.
    npm = {"npm_config_user_agent": "npm/10", "npm_config_cache": home + "/.npm", "npm_config_prefix": "/usr/local",
           "npm_config_userconfig": home + "/.npmrc", "npm_config_local_prefix": str(app), "npm_config_noproxy": "",
           "npm_config_globalconfig": "/usr/local/etc/npmrc", "npm_config_init_module": home + "/.npm-init.js",
           "npm_config_node_gyp": "/usr/local/lib/node_modules/npm/x.js", "npm_config_npm_version": "10.0.0"}
    expect(world, app, "ls && npm --version", "allow", **npm)
    expect(world, app, "npm --version", "npm_config_script_shell", npm_config_script_shell="/tmp/x")
    for name, value in (("BASH_ENV", "/tmp/x"), ("LD_PRELOAD", "/usr/lib/x.so"), ("SHELLOPTS", "xtrace")):
        expect(world, app, "ls", name, **{name: value})


def functions(world, app):
    planted = {"BASH_FUNC_ls%%": "() { rm -rf x; }"}
    expect(world, app, "ls", "BASH_FUNC_ls", **planted)
    expect(world, app, "cat README.md", "allow", **planted)


def git_variables(world, app):
    settings = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
    expect(world, app, "git status", "allow", **settings)
    settings["GIT_CONFIG_KEY_0"] = "core.fsmonitor"
    expect(world, app, "git status", "which repository git would use", **settings)
    expect(world, app, "git status", "allow", GIT_SSH_COMMAND="ssh -o BatchMode=yes", GIT_EDITOR="true", GIT_TRACE="0")
    expect(world, app, "git status", "which repository git would use", GIT_SSH_COMMAND="ssh -o ProxyCommand=x")
    expect(world, app, "git status", "which repository git would use", GIT_DIR="/tmp/x")


def planted_programs(world, app):
    path = f"{app}/venv/bin:/usr/local/bin:/usr/bin:/bin"
    expect(world, app, "git status", "allow", PATH=path)
    tool = app / "venv/bin/git"
    tool.write_text("#!/bin/sh\n", encoding="utf-8")
    tool.chmod(0o755)
    expect(world, app, "git status", "venv/bin/git", PATH=path)
    expect(world, app, "ls", "allow", PATH=path)
    expect(world, app, "git status", "allow", "where PATH has the system's first ",
           PATH=f"/usr/bin:/bin:{app}/venv/bin")
    expect(world, app, "ls", "program", PATH=":/usr/bin:/bin")


def links(world, app):
    os.symlink("../src/a.c", app / "plain/a.c")
    os.symlink("../../.ssh/id_rsa", app / "linked/notes")
    for command in ("zip -r o.zip {}", "tar chf o.tar {}", "cp -rL {} copy", "rsync -aL {} copy"):
        expect(world, app, command.format("plain"), "allow")
        expect(world, app, command.format("linked"), "secret")
    for command in ("zip -ry o.zip linked", "tar cf o.tar linked", "cp -r linked copy"):
        expect(world, app, command, "allow")


def second_names(world, app):
    """Files that guard, under names made before the line."""
    settings = world.home / ".claude/settings.json"
    os.link(settings, app / "hard")
    os.symlink(settings, app / "soft")
    os.symlink(world.home / ".claude", app / "folder")
    os.symlink(world.home / ".ssh", app / "keys")
    for command in ("echo '{}' > hard", "cp README.md soft", "echo x | tee hard", "sed -i d hard", "truncate -s 0 soft",
                    "echo > folder/settings.json", "tar xf a.tar -C folder", "cp -t folder README.md settings.json",
                    "rm -rf folder/settings.json", "mv ~/.claude ~/old", "chmod 000 folder", "rm -rf ~/.claude"):
        expect(world, app, command, "self-protection")
    expect(world, app, "cat keys/id_rsa", "credential")
    expect(world, app, "cat hard soft", "allow")
    expect(world, app, "cp README.md folder/skills", "home")


def processes(world, app):
    """This test stands where a harness does: the guard is its child."""
    own, group = os.getpid(), os.getpgid(os.getppid())
    name = pathlib.Path("/proc/self/comm").read_text(encoding="ascii").strip()
    for command in (f"kill {own}", f"kill -9 {os.getppid()}", f"kill -- -{group}", f"sudo kill -STOP {own}", f"pkill {name}",
                    f"pkill -f '{os.path.basename(__file__)}'", f"strace -p {own}"):
        expect(world, app, command, "self-protection")
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as other:
        expect(world, app, f"kill {other.pid}", "allow")
        expect(world, app, f"kill -- -{other.pid}", "allow")
        other.kill()
    expect(world, app, "pkill -f 'nobody was started so'", "allow")


def main():
    if shutil.which("git") is None:
        gate.skip("git is not installed")
    world = gate.World()
    try:
        world.config({"llm": {"provider": "offline"}})
        app = project(world)
        for part in (values, functions, git_variables, planted_programs, links, second_names, processes):
            part(world, app)
    finally:
        world.close()
    for line in FAILED:
        print(line)
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
