/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the environment out of the guard's memory before any other process copies that. */
#include "broker/guard/environment.h"

#include <fcntl.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/uio.h>

#include "policy/environment.h"

/* Names whose values the broker works with. A trailing '*' stands for any rest. */
static const char *const allowed[] = {
	"AUTO_CLASSIFIER_*", /* our own settings; keys among them fall to the list below */
	"CLAUDECODE",
	"CLAUDE_CODE_ENTRYPOINT",
	"CLAUDE_CODE_SESSION_ATTENDED", /* is there anybody to ask? */
	"CLAUDE_PROJECT_DIR",
	"COLUMNS",
	"GITHUB_OUTPUT", /* files of a workflow's runner: are they really its? */
	"GITHUB_STEP_SUMMARY",
	"HOME",
	"LANG",
	"LC_*",
	"NO_COLOR",
	"OPENAI_BASE_URL",
	"PATH",
	"SHELL",
	"TERM",
	"TMUX",
	"TMUX_PANE",
	"TYPESAFE_BASE_URL",
	"XDG_CACHE_HOME",
	"XDG_CONFIG_HOME",
	"XDG_RUNTIME_DIR",
	"XDG_STATE_HOME",
};

/* Whatever a name begins with: one of these in it means that its value is a secret. */
static const char *const secret_parts[] = { "KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "AUTH_" };

static bool has_secret_part(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(secret_parts); i++) {
		size_t n = strlen(secret_parts[i]);

		for (size_t at = 0; at + n <= len; at++)
			if (strncasecmp(name + at, secret_parts[i], n) == 0)
				return true;
	}
	return false;
}

/*
 * Variables that change programs, where the value tells whether they do. What git is told by a value, and not by its
 * name, may be a password.
 */
static bool is_told(struct bytes name)
{
	enum environment_value kind = environment_value_of(name);

	return kind != ENVIRONMENT_ANY && kind != ENVIRONMENT_CLOSES && kind != ENVIRONMENT_GIT_VALUE;
}

bool environment_is_allowed(const char *name)
{
	size_t len = strcspn(name, "=");

	for (size_t i = 0; i < ARRAY_LEN(allowed); i++) {
		size_t n;
		bool rest;

		if (allowed[i][0] != name[0])
			continue;
		n = strlen(allowed[i]);
		rest = allowed[i][n - 1] == '*';
		if (rest ? len >= n - 1 && memcmp(name, allowed[i], n - 1) == 0
			 : len == n && memcmp(name, allowed[i], n) == 0) {
			/* AUTO_CLASSIFIER_ itself holds none of the parts: look at what follows. */
			size_t skip = rest ? n - 1 : 0;

			return !has_secret_part(name + skip, len - skip);
		}
	}
	return is_told((struct bytes){ name, len });
}

/* Strings go from where they lie into the file: no copy of a value is made on the way. */
static int write_all(int fd, char **block)
{
	struct iovec iov[64];

	while (*block != NULL) {
		size_t n = 0, bytes = 0;
		ssize_t written;

		for (; block[n] != NULL && n < ARRAY_LEN(iov); n++) {
			iov[n] = (struct iovec){ .iov_base = block[n], .iov_len = strlen(block[n]) + 1 };
			bytes += iov[n].iov_len;
		}
		written = writev(fd, iov, (int)n);
		if (written < 0)
			return -errno;
		if ((size_t)written != bytes)
			return -EIO;
		block += n;
	}
	return 0;
}

static int seal_into_file(char **block)
{
	CLEANUP(close_fdp) int fd = memfd_create("environment", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int rc;

	if (fd < 0)
		return -errno;
	rc = write_all(fd, block);
	if (rc < 0)
		return rc;
	if (fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) < 0)
		return -errno;
	return TAKE_FD(fd);
}

static int copy_lists(char **block, struct environment *ret)
{
	size_t n = 0, bytes = 0, a = 0, o = 0;
	char *text;

	for (; block[n] != NULL; n++)
		bytes += strlen(block[n]) + 1;
	ret->store = malloc((n + 2) * 2 * sizeof(char *) + bytes);
	if (ret->store == NULL)
		return -ENOMEM;
	ret->allowed = ret->store;
	ret->other_names = ret->allowed + n + 1;
	text = (char *)(ret->other_names + n + 1);
	for (size_t i = 0; i < n; i++) {
		bool whole = environment_is_allowed(block[i]);
		size_t len = whole ? strlen(block[i]) : strcspn(block[i], "=");

		memcpy(text, block[i], len);
		text[len] = '\0';
		if (whole)
			ret->allowed[a++] = text;
		else
			ret->other_names[o++] = text;
		text += len + 1;
	}
	ret->allowed[a] = NULL;
	ret->other_names[o] = NULL;
	return 0;
}

static void wipe(char **block)
{
	for (; *block != NULL; block++) {
		explicit_bzero(*block, strlen(*block));
		*block = NULL;
	}
}

int environment_take(char **block, struct environment *ret)
{
	struct environment e = { .secrets_fd = seal_into_file(block) };
	int rc = e.secrets_fd < 0 ? e.secrets_fd : copy_lists(block, &e);

	wipe(block);
	if (rc < 0) {
		environment_done(&e);
		return rc;
	}
	*ret = e;
	return 0;
}

void environment_done(struct environment *e)
{
	close_fdp(&e->secrets_fd);
	free(e->store);
	*e = (struct environment){ .secrets_fd = -1 };
}
