/* SPDX-License-Identifier: Apache-2.0 */
/* The file a session's beginning is put down in: hashes, one a line; the repository's first, then one for each remote. */
#include "broker/evidence/origin.h"

#include <fcntl.h>
#include <stdio.h>

#include "broker/decision/judge.h"
#include "broker/decision/keys.h"
#include "broker/decision/pipeline.h"
#include "broker/evidence/internal.h"
#include "broker/state/private.h"
#include "broker/state/store.h"
#include "broker/telemetry/log.h"

enum { LINE_BYTES = KEY_HEX + 1, ORIGIN_BYTES_MAX = (GIT_REMOTES_MAX + 1) * LINE_BYTES };

struct origin {
	char text[ORIGIN_BYTES_MAX + 1];
	size_t len;
};

struct place {
	char base[STATE_BASE_MAX];
	const char *path; /* below it */
	char name[STORE_NAME_SIZE];
};

static int place_of(struct broker *b, struct bytes session, struct place *ret)
{
	store_name(session, STORE_ORIGIN_SUFFIX, ret->name);
	return judge_state_place(b, ret->base, sizeof(ret->base), &ret->path);
}

/* A glance, with every call of a hook: what is there is looked at closely where it is used. */
static bool has_begun(const struct place *p)
{
	char path[STATE_BASE_MAX + STORE_NAME_SIZE + 64];
	int n = snprintf(path, sizeof(path), "%s/%s/%s", p->base, p->path, p->name);

	return n > 0 && (size_t)n < sizeof(path) && access(path, F_OK) == 0;
}

static void add_line(struct origin *o, struct bytes text)
{
	struct key k = key_of_bytes(text);

	if (o->len + LINE_BYTES > ORIGIN_BYTES_MAX)
		return;
	memcpy(o->text + o->len, k.hex, KEY_HEX);
	o->text[o->len + KEY_HEX] = '\n';
	o->len += LINE_BYTES;
}

/* Of several addresses git fetches from the first. False: what it is cannot be told. */
static bool remote_text(const struct git_facts *f, const struct git_remote *m, struct textbuf *b)
{
	char room[GIT_TEXT_MAX];
	struct bytes url;

	if (!git_fetch_resolve(f, m, room, sizeof(room), &url))
		return false;
	textbuf_reset(b);
	textbuf_append(b, m->name.p, m->name.len);
	textbuf_putc(b, '\0');
	textbuf_append(b, url.p, url.len);
	return !b->failed;
}

static void describe(const struct git_facts *f, struct origin *o)
{
	CLEANUP(textbuf_done) struct textbuf b = { 0 };

	if (!f->complete || f->bare)
		return;
	add_line(o, f->common_directory);
	for (uint32_t i = 0; i < f->n_remotes; i++)
		if (remote_text(f, &f->remotes[i], &b))
			add_line(o, textbuf_bytes(&b));
}

/* Whoever comes second finds the file there: the first one's word stands. */
static int write_down(const struct place *p, const struct origin *o)
{
	CLEANUP(close_fdp) int dir = -1, fd = -1;
	int err = private_dir(p->base, p->path, &dir);

	if (err == 0)
		err = private_open(dir, p->name, O_WRONLY | O_CREAT | O_EXCL, &fd);
	if (err == 0)
		err = write_all(fd, o->text, o->len);
	return err == -EEXIST ? 0 : err;
}

/* Nothing else would: a script is then stopped for what it does, as if it had never landed. */
static void tell(struct broker *b, const char *why)
{
	log_line(b, "no script counts as landed on the session's own remotes: %s", why);
}

static void begin(struct broker *b, const struct place *p, struct bytes cwd)
{
	CLEANUP(freep) struct known_repository *known = calloc(1, sizeof(*known));
	struct evidence *e = evidence_of(b);
	struct origin o = { .len = 0 };
	int err;

	if (known == NULL || e == NULL)
		return;
	err = repository_know(b, e, cwd, known);
	if (err == 0)
		describe(&known->facts, &o);
	/* That there is no repository is no news. */
	if (err < 0 && err != -ENOENT)
		tell(b, "the repository that it began in could not be read");
	else if (err == 0 && !known->facts.complete)
		tell(b, "not all settings of the repository that it began in could be read");
	repository_forget(known);
	/*
	 * A file that could not be written whole stays as it is: what is there at a later decision is not what was
	 * there at the first.
	 */
	err = write_down(p, &o);
	if (err < 0)
		tell(b, strerror(-err));
}

static bool wants_origins(const struct broker *b, struct bytes session, struct bytes cwd)
{
	return session.len > 0 && !bytes_is(session, CHECK_SESSION) && cwd.len > 1 && cwd.p[0] == '/' &&
		!config_is_broken(b->config) && config_bool(b->config, CFG_POLICY_TRUST_LANDED_SCRIPTS);
}

void origin_begin(struct broker *b, struct bytes session, struct bytes cwd)
{
	struct place p;

	if (wants_origins(b, session, cwd) && place_of(b, session, &p) == 0 && !has_begun(&p))
		begin(b, &p, cwd);
}

/* A file that was cut short, or is not ours, says nothing. */
static void read_back(const struct place *p, struct origin *o)
{
	CLEANUP(close_fdp) int dir = -1, fd = -1;
	ssize_t n = -1;

	o->len = 0;
	if (private_dir(p->base, p->path, &dir) < 0 || private_open(dir, p->name, O_RDONLY, &fd) < 0)
		return;
	while (o->len <= ORIGIN_BYTES_MAX) {
		n = read(fd, o->text + o->len, ORIGIN_BYTES_MAX + 1 - o->len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		o->len += (size_t)n;
	}
	if (n != 0 || o->len > ORIGIN_BYTES_MAX)
		o->len = 0;
}

static bool has_line(const struct origin *o, size_t from, size_t to, struct bytes text)
{
	struct key k = key_of_bytes(text);

	for (size_t at = from; at + LINE_BYTES <= o->len && at + LINE_BYTES <= to; at += LINE_BYTES)
		if (memcmp(o->text + at, k.hex, KEY_HEX) == 0 && o->text[at + KEY_HEX] == '\n')
			return true;
	return false;
}

bool origin_holds(struct broker *b, struct bytes session, struct bytes cwd, const struct git_facts *f,
	const struct git_remote *m)
{
	CLEANUP(textbuf_done) struct textbuf text = { 0 };
	struct origin o;
	struct place p;

	origin_begin(b, session, cwd);
	if (!wants_origins(b, session, cwd) || place_of(b, session, &p) < 0 || !remote_text(f, m, &text))
		return false;
	read_back(&p, &o);
	return has_line(&o, 0, LINE_BYTES, f->common_directory) &&
		has_line(&o, LINE_BYTES, o.len, textbuf_bytes(&text));
}
