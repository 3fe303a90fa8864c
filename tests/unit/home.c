/* SPDX-License-Identifier: Apache-2.0 */
/* The user's home: from a file, and from a program in getent's place that tells, lies, babbles or fails. */
#include "broker/home.h"
#include "tests/unit/scratch.h"

#include <limits.h>
#include <pwd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>

#include <cmocka.h>

enum { SOMEBODY = 4711 };

static char top[SCRATCH_SIZE];
static char passwd[PATH_MAX], getent[PATH_MAX];

static int begin(void **state)
{
	(void)state;
	scratch_make("/tmp/home", top);
	snprintf(passwd, sizeof(passwd), "%s/passwd", top);
	snprintf(getent, sizeof(getent), "%s/getent", top);
	return 0;
}

static int end(void **state)
{
	(void)state;
	return scratch_remove(top);
}

static void file_holds(const char *text)
{
	scratch_put(top, "passwd", text, strlen(text));
}

/* A shell script; what it is called with is left in the file `asked`. */
static void service_does(const char *commands)
{
	char text[2048];
	int n = snprintf(text, sizeof(text), "#!/bin/sh\necho \"$@\" >%s/asked\n%s\n", top, commands);

	scratch_put(top, "getent", text, (size_t)n);
	assert_int_equal(chmod(getent, 0700), 0);
}

static bool service_was_asked(const char *for_what)
{
	char path[PATH_MAX], line[100] = "";
	FILE *f;

	snprintf(path, sizeof(path), "%s/asked", top);
	f = fopen(path, "r");
	if (f == NULL)
		return false;
	assert_non_null(fgets(line, sizeof(line), f));
	fclose(f);
	assert_string_equal(line, for_what);
	return true;
}

static void home_is(const char *expected)
{
	CLEANUP(freep) char *home = home_of(SOMEBODY, passwd, getent);

	if (expected == NULL)
		assert_null(home);
	else
		assert_string_equal(home, expected);
}

static void test_file_knows(void **state)
{
	(void)state;
	service_does("echo 'other:x:4711:4711::/from/service:/bin/sh'");
	file_holds("# a comment\n\nroot:x:0:0:root:/root:/bin/sh\nbroken\n+other:x:4711:4711::/plus:/bin/sh\n"
		   "me:x:4711:4711:Me,,,:/home/me:/bin/sh\nagain:x:4711:4711::/home/again:/bin/sh\n");
	home_is("/home/me");
	assert_false(service_was_asked(""));
}

static void test_service_knows(void **state)
{
	(void)state;
	service_does("echo 'nobody:x:65534:65534::/nonexistent:/bin/sh'; echo 'me:x:4711:10::/net/me:/bin/sh'; "
		"exec sleep 1000");
	file_holds("root:x:0:0:root:/root:/bin/sh\n+::::::\n");
	home_is("/net/me");
	assert_true(service_was_asked("passwd 4711\n"));
}

static void test_no_file(void **state)
{
	(void)state;
	service_does("echo 'me:x:4711:10::/net/me:/bin/sh'");
	home_is("/net/me");
}

static void test_nobody_knows(void **state)
{
	static const char *const answers[] = {
		"exit 2", "kill -9 $$", "exec >&-", "echo", "echo me:x:4712:10::/net/me:/bin/sh", "echo me:x:4711",
		"echo me:x:4711:10::relative:/bin/sh", "echo me:x:4711:10:::/bin/sh", "printf 'me:x:4711:10::/net/'",
		"printf '%0100000d' 1; echo :x:4711:10::/net/me:/bin/sh", "printf '\\000\\377'",
	};

	(void)state;
	file_holds("");
	for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
		service_does(answers[i]);
		if (strstr(answers[i], "/net/'") != NULL)
			home_is("/net/"); /* the last line may lack its end */
		else
			home_is(NULL);
	}
	assert_int_equal(unlink(getent), 0);
	home_is(NULL);
}

/* The program finds none of our descriptors, and of the environment nothing. */
static void test_nothing_is_handed_on(void **state)
{
	(void)state;
	file_holds("");
	assert_int_equal(setenv("HOME_TEST_CANARY", "1", 1), 0);
	service_does("test -z \"$HOME_TEST_CANARY\" && test \"$LC_ALL\" = C && test ! -e /proc/self/fd/4 && "
		     "echo me:x:4711:10::/net/me:/bin/sh");
	assert_int_equal(dup2(STDERR_FILENO, 4), 4);
	home_is("/net/me");
	close(4);
}

static void test_real(void **state)
{
	CLEANUP(freep) char *home = home_from_passwd();
	CLEANUP(freep) char *asked = home_of(geteuid(), "/dev/null", "/usr/bin/getent");
	const struct passwd *entry = getpwuid(geteuid());

	(void)state;
	if (entry == NULL || entry->pw_dir[0] != '/')
		skip();
	assert_string_equal(home, entry->pw_dir);
	if (access("/usr/bin/getent", X_OK) < 0)
		skip();
	assert_string_equal(asked, entry->pw_dir);
}

#define IN_SCRATCH(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_file_knows),
		IN_SCRATCH(test_service_knows),
		IN_SCRATCH(test_no_file),
		IN_SCRATCH(test_nobody_knows),
		IN_SCRATCH(test_nothing_is_handed_on),
		cmocka_unit_test(test_real),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
