/* SPDX-License-Identifier: Apache-2.0 */
/* A session as the JSON text of its file. */
#include <json-c/json_object.h>

#include "broker/state/session.h"
#include "policy/text/json_strict.h"
#include "policy/text/jsonout.h"

static bool get_key(struct json_object *o, const char *name, struct key *ret)
{
	struct bytes hex = json_member_string(o, name);

	if (hex.len != KEY_HEX)
		return false;
	for (size_t i = 0; i < KEY_HEX; i++) {
		if (strchr("0123456789abcdef", hex.p[i]) == NULL || hex.p[i] == '\0')
			return false;
	}
	memcpy(ret->hex, hex.p, KEY_HEX);
	ret->hex[KEY_HEX] = '\0';
	return true;
}

static int64_t get_int(struct json_object *o, const char *name, int64_t min)
{
	struct json_object *v = json_member(o, name, json_type_int);
	int64_t n = v != NULL ? json_object_get_int64(v) : min;

	return n < min ? min : n;
}

static char *get_text(struct json_object *o, const char *name, size_t cap)
{
	struct bytes b = json_member_string(o, name);

	return strndup(b.len > 0 ? b.p : "", b.len < cap ? b.len : cap);
}

static enum source source_by_name(struct bytes name)
{
	for (uint32_t s = 0; s < SOURCE__MAX; s++) {
		if (bytes_is(name, source_name((enum source)s)))
			return (enum source)s;
	}
	return SOURCE_ERROR;
}

/* False: more than a line can name, or no keys. */
static bool parse_files(struct json_object *files, struct denial_record *r)
{
	size_t n = files != NULL ? json_object_array_length(files) : 0;

	if (n > QUESTIONS_MAX)
		return false;
	r->files = calloc(n > 0 ? n : 1, sizeof(*r->files));
	for (size_t i = 0; r->files != NULL && i < n; i++) {
		struct json_object *f = json_object_array_get_idx(files, i);
		struct file_key *k = &r->files[r->n_files++];

		if (!json_object_is_type(f, json_type_object) || !get_key(f, "path", &k->path) ||
			!get_key(f, "content", &k->content)) {
			free(TAKE_PTR(r->files));
			r->n_files = 0;
			return false;
		}
	}
	return true;
}

/* False: not a record of ours (an older gate counted by text): left out, which only makes a count start again. */
static bool parse_denial(struct json_object *o, struct denial_record *r)
{
	struct json_object *transient = json_member(o, "transient", json_type_boolean);
	int64_t count = get_int(o, "count", 0);

	if (!get_key(o, "normalizedCommand", &r->counting) || !get_key(o, "exact", &r->exact) ||
		count == 0 || count > UINT32_MAX || !parse_files(json_member(o, "files", json_type_array), r))
		return false;
	r->count = (uint32_t)count;
	r->timestamp = get_int(o, "timestamp", 0);
	r->transient = transient != NULL && json_object_get_boolean(transient);
	r->source = source_by_name(json_member_string(o, "source"));
	r->command = get_text(o, "command", SESSION_COMMAND_MAX);
	r->reason = get_text(o, "reason", SESSION_REASON_MAX);
	return true;
}

static bool parse_allow(struct json_object *o, struct allow_record *r)
{
	if (!get_key(o, "key", &r->permit.exact) || !get_key(o, "judge", &r->permit.judge))
		return false;
	r->timestamp = get_int(o, "timestamp", 0);
	r->reason = get_text(o, "reason", SESSION_REASON_MAX);
	return true;
}

/* The newest are last in the file: of too many, the last ones are taken. */
static size_t first_of(struct json_object *array, size_t max)
{
	size_t n = json_object_array_length(array);

	return n > max ? n - max : 0;
}

static int parse_records(struct json_object *denials, struct json_object *allows, struct session *s)
{
	for (size_t i = first_of(denials, SESSION_DENIALS_MAX); i < json_object_array_length(denials); i++) {
		struct denial_record *r = &s->denials[s->n_denials];

		if (!parse_denial(json_object_array_get_idx(denials, i), r))
			continue;
		s->n_denials++;
		if (r->files == NULL || r->command == NULL || r->reason == NULL)
			return -ENOMEM;
	}
	for (size_t i = first_of(allows, SESSION_ALLOWS_MAX); i < json_object_array_length(allows); i++) {
		struct allow_record *r = &s->allows[s->n_allows];

		if (!parse_allow(json_object_array_get_idx(allows, i), r))
			continue;
		s->n_allows++;
		if (r->reason == NULL)
			return -ENOMEM;
	}
	return 0;
}

/* Times that are no numbers count: a bound must not grow because somebody wrote nonsense into the file. */
static void parse_judged(struct json_object *judged, struct session *s)
{
	size_t n = judged != NULL ? json_object_array_length(judged) : 0;

	for (size_t i = n > 0 ? first_of(judged, SESSION_JUDGED_MAX) : 0; i < n; i++) {
		struct json_object *v = json_object_array_get_idx(judged, i);

		s->judged[s->n_judged++] =
			json_object_is_type(v, json_type_int) ? json_object_get_int64(v) : s->updated;
	}
}

int session_parse(struct bytes text, struct session *ret)
{
	CLEANUP(json_putp) struct json_object *root = NULL;
	CLEANUP(session_done) struct session s = { 0 };
	struct json_object *denials, *allows;
	size_t at;
	int err = json_strict(text, &root, &at);

	if (err < 0)
		return err;
	if (err != JSON_OK || !json_object_is_type(root, json_type_object))
		return SESSION_CORRUPT;
	denials = json_member(root, "recentDenials", json_type_array);
	allows = json_member(root, "recentAllows", json_type_array);
	if (denials == NULL || allows == NULL)
		return SESSION_CORRUPT;
	s.id = get_text(root, "conversationId", SESSION_ID_MAX);
	if (s.id == NULL)
		return -ENOMEM;
	s.total_denials = (uint64_t)get_int(root, "totalDenials", 0);
	s.created = get_int(root, "createdAt", 0);
	s.updated = get_int(root, "updatedAt", 0);
	parse_judged(json_member(root, "recentJudged", json_type_array), &s);
	err = parse_records(denials, allows, &s);
	if (err < 0)
		return err;
	*ret = s;
	s = (struct session){ 0 };
	return 0;
}

static void format_denial(struct jsonout *o, const struct denial_record *r)
{
	jsonout_object(o);
	jsonout_member(o, "command", r->command);
	jsonout_member(o, "normalizedCommand", r->counting.hex);
	jsonout_member(o, "exact", r->exact.hex);
	jsonout_name(o, "files");
	jsonout_array(o);
	for (uint32_t i = 0; i < r->n_files; i++) {
		jsonout_object(o);
		jsonout_member(o, "path", r->files[i].path.hex);
		jsonout_member(o, "content", r->files[i].content.hex);
		jsonout_end(o);
	}
	jsonout_end(o);
	jsonout_member(o, "reason", r->reason);
	jsonout_member(o, "source", source_name(r->source));
	jsonout_member_int(o, "timestamp", r->timestamp);
	jsonout_member_int(o, "count", (int64_t)r->count);
	if (r->transient)
		jsonout_member_bool(o, "transient", true);
	jsonout_end(o);
}

void session_format(const struct session *s, struct textbuf *b)
{
	struct jsonout o = JSONOUT_PRETTY(b);

	jsonout_object(&o);
	jsonout_member(&o, "conversationId", s->id);
	jsonout_member_int(&o, "totalDenials", (int64_t)s->total_denials);
	jsonout_name(&o, "recentDenials");
	jsonout_array(&o);
	for (uint32_t i = 0; i < s->n_denials; i++)
		format_denial(&o, &s->denials[i]);
	jsonout_end(&o);
	jsonout_name(&o, "recentAllows");
	jsonout_array(&o);
	for (uint32_t i = 0; i < s->n_allows; i++) {
		jsonout_object(&o);
		jsonout_member(&o, "key", s->allows[i].permit.exact.hex);
		jsonout_member(&o, "judge", s->allows[i].permit.judge.hex);
		jsonout_member(&o, "reason", s->allows[i].reason);
		jsonout_member_int(&o, "timestamp", s->allows[i].timestamp);
		jsonout_end(&o);
	}
	jsonout_end(&o);
	jsonout_name(&o, "recentJudged");
	jsonout_array(&o);
	for (uint32_t i = 0; i < s->n_judged; i++)
		jsonout_int(&o, s->judged[i]);
	jsonout_end(&o);
	jsonout_member_int(&o, "createdAt", s->created);
	jsonout_member_int(&o, "updatedAt", s->updated);
	jsonout_end(&o);
	textbuf_putc(b, '\n');
}
