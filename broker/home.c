/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file first: to say the same of a local user, the name service reads three more and looks for a daemon. For any
 * other user it is asked by a program of the C library's, since its modules (nsswitch.conf(5)) are code of anybody's
 * that whoever asks has to load: here none is, and so the guard can do without a loader.
 */
#include "broker/home.h"
#include "policy/sandbox/confine.h"
#include "policy/sandbox/start.h"

#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { LINE_MAX_BYTES = 16 * 1024, UID_DIGITS = 12 };

/* Lines that begin with + or - are directions to the name service, no users. Closes `f`, which may be NULL. */
static char *home_in(FILE *f, uid_t uid)
{
	CLEANUP(freep) char *buffer = malloc(LINE_MAX_BYTES);
	struct passwd entry, *found = NULL;
	char *home = NULL;

	while (f != NULL && buffer != NULL && home == NULL &&
	       fgetpwent_r(f, &entry, buffer, LINE_MAX_BYTES, &found) == 0)
		if (entry.pw_uid == uid && strchr("+-", entry.pw_name[0]) == NULL && entry.pw_dir[0] == '/')
			home = strdup(entry.pw_dir);
	if (f != NULL)
		fclose(f);
	return home;
}

/* Between fork and exec, with nothing open but the null device and the way back. */
static _Noreturn void run_getent(const char *program, char *uid, int out, pid_t parent)
{
	char name[] = "getent", database[] = "passwd", path[] = "PATH=/usr/bin:/bin", locale[] = "LC_ALL=C";
	char *const argv[] = { name, database, uid, NULL };
	char *const environment[] = { path, locale, NULL };

	if (dup2(out, STDOUT_FILENO) >= 0 && syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, 0) == 0 &&
	    start_live_under(parent) == 0)
		execve(program, argv, environment);
	_exit(EXIT_NO_PROGRAM);
}

static char *home_by_name_service(uid_t uid, const char *program)
{
	CLEANUP(close_fdp) int ours = -1, theirs = -1;
	char digits[UID_DIGITS];
	pid_t parent = getpid(), child;
	char *home;
	int ends[2];
	FILE *f;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return NULL;
	ours = ends[0];
	theirs = ends[1];
	(void)snprintf(digits, sizeof(digits), "%u", (unsigned int)uid);
	child = fork();
	if (child == 0)
		run_getent(program, digits, theirs, parent);
	if (child < 0)
		return NULL;
	close_fdp(&theirs);
	theirs = -1;
	f = fdopen(ours, "r");
	if (f != NULL)
		ours = -1; /* home_in() closes it */
	home = home_in(f, uid);
	kill(child, SIGKILL); /* whatever more it has to say */
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	return home;
}

char *home_of(uid_t uid, const char *passwd, const char *getent)
{
	char *home = home_in(fopen(passwd, "re"), uid);

	return home != NULL ? home : home_by_name_service(uid, getent);
}

char *home_from_passwd(void)
{
	return home_of(geteuid(), "/etc/passwd", "/usr/bin/getent");
}
