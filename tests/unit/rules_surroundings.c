/* SPDX-License-Identifier: Apache-2.0 */
/* Lines on a machine whose environment is set up for libraries, copies that take along what links lead to, containers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/unit/rules_world.h"

static const struct row copy_rows[] = {
	{ ALLOW, "zip -r out.zip src" },
	{ ALLOW, "zip -qr out.zip src README.md" },
	{ OPEN, "zip -r out.zip linked" },
	{ OPEN, "zip -r out.zip huge" },
	{ ALLOW, "zip -ry out.zip linked" },
	{ ALLOW, "zip --symlinks -r out.zip linked" },
	{ ALLOW, "tar czf out.tgz linked" },
	{ OPEN, "tar chzf out.tgz linked" },
	{ OPEN, "tar -chf out.tar linked" },
	{ OPEN, "tar --dereference -cf out.tar src linked" },
	{ ALLOW, "tar chf out.tar src" },
	{ ALLOW, "cp -r linked copy" },
	{ ALLOW, "cp -a linked copy" },
	{ OPEN, "cp -rL linked copy" },
	{ OPEN, "cp -r --dereference linked copy" },
	{ ALLOW, "cp -rL src copy" },
	{ ALLOW, "rsync -a linked copy" },
	{ OPEN, "rsync -aL linked copy" },
	{ OPEN, "rsync -a --copy-links linked copy" },
	{ OPEN, "rsync -a --copy-unsafe-links linked copy" },
	{ ALLOW, "rsync -aL src copy" },
	{ OPEN, "scp -r linked forge.example.net:/srv/" },
	{ ALLOW, "scp -r src forge.example.net:/srv/" },
	{ OPEN, "7z a out.7z linked" },
	{ ALLOW, "7z a out.7z src" },
};

/* The text of a symbolic link is read from where the link lies. */
static const struct row link_rows[] = {
	{ ALLOW, "ln -sf ../src/keep.txt docs/link.txt" },
	{ ALLOW, "ln -s ../../src/a.c src/gen/a.c" },
	{ ALLOW, "ln -s a.c src/b.c" },
	{ OPEN, "ln -s ../../other/x docs/link.txt" },
	{ OPEN, "ln -s ../other/x link.txt" },
	{ ALLOW, "ln -sr src/a.c docs/a.c" },
	{ SELF, "ln -s ../../.claude src/x" },
	{ SELF, "ln -s ../../.claude/settings.json docs/x" },
	{ OPEN, "ln -s ../../.ssh/id_rsa docs/x" },
};

/* Who may log in, or become root. */
static const struct row access_rows[] = {
	{ DENY, "echo 'ada ALL=(ALL) NOPASSWD:ALL' | sudo tee /etc/sudoers.d/ada" },
	{ DENY, "echo x >> /etc/sudoers" },
	{ DENY, "echo key >> ~/.ssh/authorized_keys" },
	{ DENY, "cat key.pub | tee -a ~/.ssh/authorized_keys" },
	{ DENY, "cp key.pub ~/.ssh/authorized_keys" },
	{ DENY, "echo x:x:0:0::/:/bin/sh >> /etc/passwd" },
	{ DENY, "sed -i s/x/y/ /etc/group" },
	{ ALLOW, "cat /etc/passwd" },
	{ ALLOW, "grep -n ada /etc/group" },
	{ OPEN, "echo x >> ~/.ssh/known_hosts" },
};

/* Scratch itself: what is put there lies below it. */
static const struct row scratch_rows[] = {
	{ ALLOW, "wget -P /tmp https://example.com/a.tgz" },
	{ ALLOW, "tar xzf a.tgz -C /tmp" },
	{ ALLOW, "cp README.md /tmp" },
	{ DENY, "rm -rf /tmp" },
	{ OPEN, "echo x > .lfsconfig" },
};

/* A container sees of this machine what is mounted, under another name. */
static const struct row container_rows[] = {
	{ OPEN, "docker run --rm -v " WORLD_ROOT ":/w alpine cat /w/.env" },
	{ OPEN, "docker run --rm -v .:/w:ro -w /w alpine cat .env" },
	{ OPEN, "docker run --rm -v .:/w alpine cat .env" },
	{ OPEN, "docker run --rm -v .:/w alpine sh -c 'cd /w && cat .env'" },
	{ OPEN, "docker run --rm -v .:/w alpine sh -c 'cat /?/README.md'" },
	{ OPEN, "docker run --rm -v .:/w -w /w alpine sh -c 'rm -rf $X'" },
	{ OPEN, "docker run --rm --mount type=bind,source=.,target=/w alpine cat /w/.env" },
	{ OPEN, "docker run --rm -v .:/w alpine sh -c 'echo x > /w/.git/hooks/pre-commit'" },
	{ SELF, "docker run --rm -v .:/w alpine sh -c 'echo x > /w/.claude/settings.json'" },
	{ OPEN, "docker run --rm -v .:/w alpine rm -rf /w" },
	{ OPEN, "docker run --rm -v .:/w/x alpine rm -rf /w" },
	/* Nothing is said of the directory: many images work in the root. */
	{ OPEN, "docker run --rm -v .:/w alpine rm -rf w" },
	{ OPEN, "docker run --rm -v .:/w alpine rm -rf w/build w/." },
	{ OPEN, "docker run --rm -v .:/w alpine sh -c 'rm -rf *'" },
	{ ALLOW, "docker run --rm -v .:/w alpine rm -rf w/build" },
	{ ALLOW, "docker run --rm -v .:/w alpine sh -c 'cat *.md'" },
	{ OPEN, "docker run --rm -v .:/w alpine sh -c 'rm -rf /*'" },
	{ OPEN, "docker exec db cat /run/secrets/key" },
	{ OPEN, "docker compose exec web cat /app/.env" },
	{ OPEN, "docker run -e API_TOKEN octo/app" },
	{ ALLOW, "docker run --rm -v .:/w -w /w alpine cat README.md" },
	{ ALLOW, "docker run --rm -v .:/w alpine sh -c 'cd /w && cat README.md src/*'" },
	{ ALLOW, "docker run --rm -v .:/w alpine rm -rf /w/build" },
	{ ALLOW, "docker run --rm -v ./src:/s alpine cat /s/../.env" },
	{ ALLOW, "docker run --rm -v .:/w -w /w node npm ci" },
	{ ALLOW, "docker run --rm -v .:/w node npm test" },
	{ ALLOW, "docker run --rm -v .:/w -w /w node sh -c 'npm run build && rm -rf dist/*'" },
	{ ALLOW, "docker run --rm alpine cat /etc/passwd /root/.env" },
	{ ALLOW, "docker exec db cat /etc/hostname" },
};

static void test_containers(void **state)
{
	(void)state;
	WALK(container_rows, SHELL_FRESH);
}

static void test_places(void **state)
{
	(void)state;
	WALK(link_rows, SHELL_FRESH);
	WALK(access_rows, SHELL_FRESH);
	WALK(scratch_rows, SHELL_FRESH);
}

static void test_copies(void **state)
{
	(void)state;
	WALK(copy_rows, SHELL_FRESH);
}

static struct bytes libraries[] = { LITERAL("LD_LIBRARY_PATH"), LITERAL("NODE_OPTIONS"), LITERAL("PYTHONPATH") };

/* The first is set to what only root writes, the others to something else (the world says so). */
static const struct row library_rows[] = {
	{ ALLOW, "ls" },
	{ ALLOW, "git status" },
	{ OPEN, "npm --version" },
	{ OPEN, "node --version && npm test" },
	{ OPEN, "python3 -c 'print(1)'" },
};

static void test_libraries(void **state)
{
	const struct string_list before = world_policy.environment_names;

	(void)state;
	world_policy.environment_names = (struct string_list){ libraries, ARRAY_LEN(libraries) };
	WALK(library_rows, SHELL_FRESH);
	world_policy.environment_names = before;
}

/* A project's settings gave HOME another value: what names it may lie anywhere, and is as harmful as where we look. */
static const struct row home_rows[] = {
	{ ALLOW, "ls" },
	{ ALLOW, "git reset --soft HEAD~1" },
	{ ALLOW, "echo a~b" },
	{ OPEN, "ls ~" },
	{ OPEN, "cat ~/notes.md" },
	{ OPEN, "cat \"$HOME\"/notes.md" },
	{ OPEN, "cat ${HOME}/notes.md" },
	{ OPEN, "x=~/notes.md; cat $x" },
	{ OPEN, "for f in ~/notes.md; do cat $f; done" },
	{ OPEN, "bash -c 'cat ~/notes.md'" },
	{ OPEN, "cat <~/notes.md" },
	{ OPEN, "cd && rm -rf build" },
	{ SELF, "rm ~/.claude/settings.json" },
	{ DENY, "cat ~/.ssh/id_rsa" },
};

static void test_home(void **state)
{
	(void)state;
	world_policy.home_is_another = true;
	WALK(home_rows, SHELL_FRESH);
	world_policy.home_is_another = false;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_containers),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_libraries),
		cmocka_unit_test(test_home),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
