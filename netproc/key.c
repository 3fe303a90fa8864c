/* SPDX-License-Identifier: Apache-2.0 */
/* Finding the key: in the environment's memory file, in a configuration file, in a file of its own. */
#include "netproc/secret.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "policy/config/literal.h"
#include "policy/judge/keys.h"

/* Opening a device can do something; a FIFO would hold us up. */
static int open_key_file(struct bytes path)
{
	CLEANUP(freep) char *name = strndup(path.p != NULL ? path.p : "", path.len);
	CLEANUP(close_fdp) int fd = -1;
	struct stat st;

	if (name == NULL)
		return -ENOMEM;
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	return S_ISREG(st.st_mode) && st.st_size <= KEY_MAX ? TAKE_FD(fd) : -EINVAL;
}

int key_prepare(const struct model_request *q, struct key_files *k)
{
	int err = secret_alloc(&k->key, 2 * KEY_MAX);
	struct stat st;

	for (uint32_t i = 0; i < MODEL_KEYS_MAX; i++)
		k->files[i] = -1;
	for (uint32_t i = 0; i < q->n_keys; i++)
		if (q->keys[i].kind == KEY_FILE)
			k->files[i] = open_key_file(q->keys[i].text);
	if (err == 0 && k->config >= 0) {
		if (fstat(k->config, &st) < 0)
			return -errno;
		if (!S_ISREG(st.st_mode) || st.st_size > KEY_FILE_MAX)
			return -EINVAL;
		err = secret_alloc(&k->scratch, (size_t)st.st_size + 1);
	}
	return err;
}

static void close_source(int *fd)
{
	close_fdp(fd);
	*fd = -1;
}

void key_sources_close(struct key_files *k)
{
	for (uint32_t i = 0; i < MODEL_KEYS_MAX; i++)
		close_source(&k->files[i]);
	close_source(&k->environment);
	close_source(&k->config);
	secret_done(&k->scratch);
}

void key_files_done(struct key_files *k)
{
	key_sources_close(k);
	secret_done(&k->key);
}

/* The whole file, at most `cap` bytes of it. The length, or -errno. */
static ssize_t read_into(int fd, char *p, size_t cap)
{
	size_t len = 0;

	while (len < cap) {
		ssize_t n = pread(fd, p + len, cap - len, (off_t)len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	return (ssize_t)len;
}

/* Follows one entry after the other through the file, of which never more than a block is in memory. */
struct scan {
	struct bytes name;
	size_t at; /* in the entry */
	bool same; /* as far as it was compared */
	bool done;
};

/* 0, or KEY_MALFORMED */
static int scan_byte(struct scan *s, char c, struct secret *key)
{
	if (c == '\0') {
		s->done = s->same && s->at > s->name.len;
		s->at = 0;
		s->same = true;
		return 0;
	}
	if (s->at < s->name.len)
		s->same = s->same && s->name.p[s->at] == c;
	else if (s->at == s->name.len)
		s->same = s->same && c == '=';
	else if (s->same && key->len == KEY_MAX)
		return KEY_MALFORMED;
	else if (s->same)
		key->p[key->len++] = c;
	s->at++;
	return 0;
}

static int from_environment(int fd, struct bytes name, struct secret *key)
{
	struct scan s = { .name = name, .same = true };
	char *block = key->p + KEY_MAX;
	off_t at = 0;
	int err = 0;

	key->len = 0;
	while (!s.done && err == 0) {
		ssize_t n = pread(fd, block, KEY_MAX, at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : KEY_ABSENT;
		for (ssize_t i = 0; i < n && !s.done && err == 0; i++)
			err = scan_byte(&s, block[i], key);
		at += n;
	}
	explicit_bzero(block, KEY_MAX);
	return err;
}

static int from_config(struct key_files *k, struct bytes path)
{
	CLEANUP(freep) char *dotted = strndup(path.p != NULL ? path.p : "", path.len);
	struct bytes value;
	ssize_t n;

	if (dotted == NULL)
		return -ENOMEM;
	if (k->config < 0 || k->scratch.p == NULL)
		return KEY_ABSENT;
	n = read_into(k->config, k->scratch.p, k->scratch.cap);
	if (n < 0)
		return (int)n;
	if (!config_literal(k->scratch.p, (size_t)n, dotted, &value))
		return KEY_ABSENT;
	if (value.len > KEY_MAX)
		return KEY_MALFORMED;
	if (value.len > 0)
		memcpy(k->key.p, value.p, value.len);
	k->key.len = value.len;
	return 0;
}

static int from_file(int fd, struct secret *key)
{
	ssize_t n;

	if (fd < 0)
		return KEY_ABSENT;
	n = read_into(fd, key->p, KEY_MAX);
	if (n < 0)
		return (int)n;
	key->len = (size_t)n;
	return 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Blanks around it are the editor's. Anything in it that is no part of a token would become another header. */
static int tidy(struct secret *key)
{
	size_t start = 0;

	while (start < key->len && is_blank(key->p[start]))
		start++;
	while (key->len > start && is_blank(key->p[key->len - 1]))
		key->len--;
	memmove(key->p, key->p + start, key->len - start);
	key->len -= start;
	key->p[key->len] = '\0';
	for (size_t i = 0; i < key->len; i++)
		if (key->p[i] <= ' ' || key->p[i] == 0x7f)
			return KEY_MALFORMED;
	return key->len == 0 ? KEY_ABSENT : KEY_FOUND;
}

int key_read(const struct model_request *q, const char *host, struct key_files *k)
{
	int outcome = KEY_ABSENT;

	for (uint32_t i = 0; i < q->n_keys; i++) {
		const struct key_source *s = &q->keys[i];
		int rc = s->kind == KEY_VARIABLE ? from_environment(k->environment, s->text, &k->key) :
			 s->kind == KEY_LITERAL ? from_config(k, s->text) : from_file(k->files[i], &k->key);

		if (rc == KEY_FOUND)
			rc = tidy(&k->key);
		if (rc == KEY_FOUND && !key_may_go(q, s, (struct bytes){ host, strlen(host) }))
			outcome = KEY_UNPAIRED;
		else if (rc != KEY_ABSENT)
			return rc;
	}
	explicit_bzero(k->key.p, k->key.cap);
	k->key.len = 0;
	return outcome;
}
