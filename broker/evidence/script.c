/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a script holds that the line is about to run, or a file that it names. Shown are regular files alone, below the
 * directory the session works in, its repository or scratch, or that the payload itself names; never what looks like a
 * secret or is the gate's, by name or by where it really lies. Secrets inside it are blotted out before it leaves, and
 * it then counts as seen in part.
 */
#include <fcntl.h>
#include <sys/sysmacros.h>

#include "broker/evidence/internal.h"
#include "broker/evidence/mounts.h"
#include "policy/paths/paths.h"
#include "policy/text/redact.h"

static bool is_name_byte(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c < 0 || c == '.' ||
		c == '_' || c == '-';
}

/* As a name of its own, not as a part of a longer one: `a` would be in any text. */
static bool names(struct bytes text, struct bytes name)
{
	const char *end = text.p + text.len, *at = text.p;

	while (text.len > 0 && (at = memmem(at, (size_t)(end - at), name.p, name.len)) != NULL) {
		if ((at == text.p || !is_name_byte(at[-1])) && (at + name.len == end || !is_name_byte(at[name.len])))
			return true;
		at++;
	}
	return false;
}

/* As a whole string of the payload: a directory above the one it names is none that it names. */
static bool quotes(struct bytes text, struct bytes string)
{
	const char *end = text.p + text.len, *at = text.p;

	while (text.len > 0 && (at = memmem(at, (size_t)(end - at), string.p, string.len)) != NULL) {
		if (at > text.p && at[-1] == '"' && at + string.len < end && at[string.len] == '"')
			return true;
		at++;
	}
	return false;
}

/* The payload's own bytes, or the command line where a person gave it. Names in JSON may be escaped: then they are not
 * found. */
static bool payload_names(const struct broker *b, struct bytes name)
{
	if (name.len == 0)
		return false;
	for (int i = 1; i < b->start.argc; i++)
		if (names((struct bytes){ b->start.argv[i], strlen(b->start.argv[i]) }, name))
			return true;
	return names(b->input, name);
}

/*
 * A worker that lies could name any directory as the session's: it counts when the payload names it, or when it is the
 * one the broker runs in.
 */
static bool session_is_real(const struct broker *b, struct bytes session)
{
	if (session.len <= 1)
		return false;
	if (b->cwd != NULL && bytes_is(session, b->cwd))
		return true;
	for (int i = 1; i < b->start.argc; i++)
		if (bytes_is(session, b->start.argv[i]))
			return true;
	return quotes(b->input, session);
}

static bool may_be_shown(const struct broker *b, const struct question *q, uint32_t facts, const struct resolved *r)
{
	if (r->type != PATH_FILE || (facts & (FACT_SECRET | FACT_GATE | FACT_REMOTE_FS)) != 0)
		return false;
	if ((facts & FACT_IN_SCRATCH) != 0)
		return true;
	if ((facts & FACT_IN_WORKSPACE) != 0 && session_is_real(b, q->extra))
		return true;
	return payload_names(b, path_last(q->text));
}

bool in_denied_zone(const struct evidence *e, struct bytes real)
{
	for (uint32_t i = 0; i < e->policy.zone_deny.n; i++)
		if (path_in_zone(real, e->policy.zone_deny.items[i], (struct bytes){ e->real_home, e->real_home_len }))
			return true;
	return false;
}

/* The very file that was looked at, however the path may have changed since: -1 when it is another one now. */
static int open_same(const struct evidence *e, const struct resolved *r)
{
	CLEANUP(close_fdp) int fd = open(r->real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct statx x;

	if (fd < 0 || statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_BASIC_STATS | STATX_MNT_ID, &x) < 0)
		return -1;
	if (!S_ISREG(x.stx_mode) || x.stx_ino != r->ino ||
		(((dev_t)x.stx_dev_major << 32) | x.stx_dev_minor) != r->dev)
		return -1;
	if (mount_is_remote(e->mounts, (x.stx_mask & STATX_MNT_ID) != 0, x.stx_mnt_id, fd))
		return -1;
	return TAKE_FD(fd);
}

enum { LOOK_AHEAD = 4096 /* behind what is shown: a secret there is known by its end */ };

/* As many bytes as there is room for. */
static size_t read_all(int fd, char *buffer, size_t size)
{
	size_t n = 0;

	while (n < size) {
		ssize_t r = read(fd, buffer + n, size - n);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return size;
		if (r == 0)
			break;
		n += (size_t)r;
	}
	return n;
}

/* Secrets become as many letters x. True: there were some. */
static bool blot_out(char *text, size_t len)
{
	struct secret s;
	size_t from = 0;
	bool any = false;

	while (secret_find((struct bytes){ text, len }, from, &s) != SECRET_NONE && s.end > from) {
		for (size_t i = s.start; i < s.end; i++)
			if (text[i] != '\n')
				text[i] = 'x';
		from = s.end;
		any = true;
	}
	return any;
}

/* A worker is shown a script whole or not at all; a judge sees how a file begins. */
static int add_content(const struct evidence *e, const struct resolved *r, bool whole, struct answer *ret)
{
	CLEANUP(close_fdp) int fd = open_same(e, r);
	CLEANUP(freep) char *buffer = NULL;
	size_t n;

	if (fd < 0)
		return 0;
	buffer = malloc(SCRIPT_BYTES_MAX + LOOK_AHEAD);
	if (buffer == NULL)
		return -ENOMEM;
	n = read_all(fd, buffer, SCRIPT_BYTES_MAX + LOOK_AHEAD);
	ret->size = n;
	if (n > SCRIPT_BYTES_MAX) {
		ret->facts |= FACT_IN_PART;
		if (whole)
			return 0;
	}
	if (blot_out(buffer, n))
		ret->facts |= FACT_IN_PART;
	n = n < SCRIPT_BYTES_MAX ? n : SCRIPT_BYTES_MAX;
	return answer_text(&ret->content, buffer, n);
}

int answer_script(struct broker *b, struct evidence *e, const struct question *q, struct answer *ret)
{
	struct question where = *q;
	struct resolved r;
	int err;

	where.kind = ASK_PATH;
	err = answer_path_resolved(e, &where, ret, &r);
	if (err < 0 || ret->status != ANSWER_KNOWN)
		return err;
	if (may_be_shown(b, q, ret->facts, &r) && !in_denied_zone(e, (struct bytes){ r.real, r.real_len }))
		err = add_content(e, &r, q->kind == ASK_SCRIPT, ret);
	else
		ret->facts |= FACT_IN_PART;
	if (err < 0)
		evidence_answer_done(ret);
	return err;
}
