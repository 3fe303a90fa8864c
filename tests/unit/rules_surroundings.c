/* SPDX-License-Identifier: Apache-2.0 */
/* Lines on a machine whose environment is set up for libraries, and copies that take along what links lead to. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_libraries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
