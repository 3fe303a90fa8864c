/* SPDX-License-Identifier: Apache-2.0 */
/* Counting denials and remembering allows within the sliding window. */
#include "broker/state/session.h"

#include "policy/text/redact.h"
#include "policy/text/utf8.h"

static void denial_record_done(struct denial_record *r)
{
	free(r->files);
	free(r->command);
	free(r->reason);
	*r = (struct denial_record){ 0 };
}

static void allow_record_done(struct allow_record *r)
{
	free(r->reason);
	*r = (struct allow_record){ 0 };
}

int session_init(struct session *s, struct bytes id, int64_t now)
{
	size_t n = utf8_cut(id.p, id.len, SESSION_ID_MAX);
	char *copy = malloc(n + 1);

	if (copy == NULL)
		return -ENOMEM;
	if (n > 0)
		memcpy(copy, id.p, n);
	copy[n] = '\0';
	*s = (struct session){ .id = copy, .created = now, .updated = now };
	return 0;
}

void session_done(struct session *s)
{
	free(s->id);
	for (uint32_t i = 0; i < s->n_denials; i++)
		denial_record_done(&s->denials[i]);
	for (uint32_t i = 0; i < s->n_allows; i++)
		allow_record_done(&s->allows[i]);
	*s = (struct session){ 0 };
}

void tally_done(struct tally *t)
{
	free(t->reason);
	*t = (struct tally){ 0 };
}

/* A clock that was set back must not make a record live for ever, nor kill it at once. */
static bool is_live(int64_t timestamp, int64_t now, int64_t window)
{
	return now >= timestamp ? now - timestamp <= window : timestamp - now <= window;
}

static bool key_eq(const struct key *a, const struct key *b)
{
	return memcmp(a->hex, b->hex, KEY_HEX) == 0;
}

static struct denial_record *find_denial(struct session *s, const struct key *counting)
{
	for (uint32_t i = 0; i < s->n_denials; i++) {
		if (key_eq(&s->denials[i].counting, counting))
			return &s->denials[i];
	}
	return NULL;
}

const struct denial_record *session_find(const struct session *s, const struct key *counting, int64_t now,
	int64_t window)
{
	const struct denial_record *r = find_denial((struct session *)(uintptr_t)s, counting);

	return r != NULL && is_live(r->timestamp, now, window) ? r : NULL;
}

static void remove_denial(struct session *s, uint32_t i)
{
	denial_record_done(&s->denials[i]);
	s->n_denials--;
	memmove(&s->denials[i], &s->denials[i + 1], (s->n_denials - i) * sizeof(s->denials[0]));
	s->denials[s->n_denials] = (struct denial_record){ 0 };
}

/* For the file: without secrets, and only as much as a person reads. Redacted before it is cut. */
static char *readable(struct bytes text, size_t cap)
{
	CLEANUP(textbuf_done) struct textbuf b = { 0 };

	redact(&b, text);
	if (!b.failed && b.len > cap) {
		b.len = utf8_cut(b.p, b.len, cap);
		b.p[b.len] = '\0';
	}
	return textbuf_steal(&b);
}

static struct bytes bytes_of(const char *s)
{
	return (struct bytes){ s, s != NULL ? strlen(s) : 0 };
}

static int fill_record(struct denial_record *r, const struct denial *d)
{
	CLEANUP(freep) char *command = readable(d->command, SESSION_COMMAND_MAX);
	CLEANUP(freep) char *reason = readable(bytes_of(d->reason), SESSION_REASON_MAX);

	struct file_key *files = calloc(d->n_files > 0 ? d->n_files : 1, sizeof(*files));

	if (files != NULL && d->n_files > 0)
		memcpy(files, d->files, d->n_files * sizeof(*files));
	if (command == NULL || reason == NULL || files == NULL) {
		free(files);
		return -ENOMEM;
	}
	denial_record_done(r);
	*r = (struct denial_record){
		.counting = d->counting,
		.exact = d->exact,
		.files = files,
		.n_files = d->n_files,
		.command = TAKE_PTR(command),
		.reason = TAKE_PTR(reason),
		.source = d->source,
		.transient = d->transient,
	};
	return 0;
}

/* The newest is last, so that the first is the one to make room. */
static void add_denial(struct session *s, const struct denial_record *r)
{
	if (s->n_denials == SESSION_DENIALS_MAX)
		remove_denial(s, 0);
	s->denials[s->n_denials++] = *r;
}

/*
 * Of the files that the stored one depends on, is each that is looked at again what it was? One that the line no longer
 * names, or names besides, is no reason to ask again: else any other word would be.
 */
static bool files_are_same(const struct denial_record *r, const struct denial *d)
{
	for (uint32_t i = 0; i < r->n_files; i++)
		for (uint32_t k = 0; k < d->n_files; k++)
			if (key_eq(&r->files[i].path, &d->files[k].path) &&
				!key_eq(&r->files[i].content, &d->files[k].content))
				return false;
	return true;
}

bool session_stands(const struct session *s, const struct denial *d, int64_t now, int64_t window)
{
	const struct denial_record *r = session_find(s, &d->counting, now, window);

	return r != NULL && d->open && !r->transient && files_are_same(r, d);
}

uint32_t session_judged(const struct session *s, int64_t now, int64_t window)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->n_judged; i++)
		n += is_live(s->judged[i], now, window);
	return n;
}

static void add_judged(struct session *s, int64_t when)
{
	if (s->n_judged == SESSION_JUDGED_MAX)
		memmove(s->judged, s->judged + 1, --s->n_judged * sizeof(s->judged[0]));
	s->judged[s->n_judged++] = when;
}

int64_t session_charge(struct session *s, int64_t now, int64_t window)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->n_judged; i++)
		if (is_live(s->judged[i], now, window))
			s->judged[n++] = s->judged[i];
	s->n_judged = n;
	add_judged(s, now);
	s->updated = now;
	return now;
}

void session_refund(struct session *s, int64_t charge)
{
	for (uint32_t i = 0; i < s->n_judged; i++) {
		if (s->judged[i] != charge)
			continue;
		s->n_judged--;
		memmove(s->judged + i, s->judged + i + 1, (s->n_judged - i) * sizeof(s->judged[0]));
		return;
	}
}

int session_deny(struct session *s, const struct denial *d, int64_t now, int64_t window, struct tally *ret)
{
	struct denial_record *old = find_denial(s, &d->counting), fresh = { 0 };
	bool live = old != NULL && is_live(old->timestamp, now, window);
	bool retry = live && d->open && !old->transient && files_are_same(old, d);
	uint32_t count = live && old->count < UINT32_MAX ? old->count + 1 : 1;
	int err;

	if (retry) {
		fresh = *old;
		*old = (struct denial_record){ 0 };
	} else {
		err = fill_record(&fresh, d);
		if (err < 0)
			return err;
	}
	fresh.count = count;
	fresh.timestamp = now;
	if (old != NULL)
		remove_denial(s, (uint32_t)(old - s->denials));
	add_denial(s, &fresh);
	if (d->charge != 0 && !source_is_judge(d->source))
		session_refund(s, d->charge);
	else if (d->charge == 0 && !retry && source_is_judge(d->source))
		(void)session_charge(s, now, window);
	s->total_denials++;
	s->updated = now;
	*ret = (struct tally){ .count = count, .retry = retry, .source = fresh.source, .reason = strdup(fresh.reason) };
	return 0;
}

void session_merge(struct session *s, struct session *other)
{
	for (uint32_t i = 0; i < other->n_denials; i++) {
		struct denial_record *theirs = &other->denials[i], *ours = find_denial(s, &theirs->counting);

		if (ours == NULL) {
			add_denial(s, theirs);
			*theirs = (struct denial_record){ 0 };
			continue;
		}
		ours->count = ours->count > UINT32_MAX - theirs->count ? UINT32_MAX : ours->count + theirs->count;
		if (ours->timestamp < theirs->timestamp)
			ours->timestamp = theirs->timestamp;
	}
	for (uint32_t i = 0; i < other->n_judged; i++)
		add_judged(s, other->judged[i]);
	s->total_denials += other->total_denials;
}

static bool permit_eq(const struct permit *a, const struct permit *b)
{
	return key_eq(&a->exact, &b->exact) && key_eq(&a->judge, &b->judge);
}

int session_allow(struct session *s, const struct permit *p, const char *reason, int64_t now)
{
	char *copy = readable(bytes_of(reason), SESSION_REASON_MAX);
	uint32_t at = s->n_allows;

	if (copy == NULL)
		return -ENOMEM;
	for (uint32_t i = s->n_denials; i-- > 0;) {
		if (key_eq(&s->denials[i].exact, &p->exact))
			remove_denial(s, i);
	}
	for (uint32_t i = 0; i < s->n_allows; i++) {
		if (permit_eq(&s->allows[i].permit, p))
			at = i;
	}
	if (at == SESSION_ALLOWS_MAX)
		at = 0;
	if (at < s->n_allows) {
		allow_record_done(&s->allows[at]);
		s->n_allows--;
		memmove(&s->allows[at], &s->allows[at + 1], (s->n_allows - at) * sizeof(s->allows[0]));
	}
	s->allows[s->n_allows++] = (struct allow_record){ .permit = *p, .reason = copy, .timestamp = now };
	s->updated = now;
	return 0;
}

bool session_knows(const struct session *s, const struct key *exact, int64_t now, int64_t window)
{
	for (uint32_t i = 0; i < s->n_allows; i++)
		if (key_eq(&s->allows[i].permit.exact, exact) && is_live(s->allows[i].timestamp, now, window))
			return true;
	return false;
}

const struct allow_record *session_allowed(const struct session *s, const struct permit *p, int64_t now,
	int64_t window)
{
	for (uint32_t i = 0; i < s->n_allows; i++) {
		if (permit_eq(&s->allows[i].permit, p))
			return is_live(s->allows[i].timestamp, now, window) ? &s->allows[i] : NULL;
	}
	return NULL;
}
