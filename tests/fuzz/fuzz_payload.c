/* SPDX-License-Identifier: Apache-2.0 */
/* Payloads and batch rows of any bytes: the first byte picks the decoder, the rest is what the harness wrote.
 */
#include <stdio.h>

#include "worker/payload/payload.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "broken: %s\n", what);
	abort();
}

static bool has_nul(struct bytes b)
{
	return b.len > 0 && memchr(b.p, '\0', b.len);
}

static void check_payload(const struct payload *p, enum harness asked)
{
	require(p->kind < KIND__MAX && p->kind != KIND_TOOL, "the kind is one that decoders give");
	require((p->kind == KIND_MALFORMED) == (p->why != NULL), "a reason, and only for what is malformed");
	require(asked == HARNESS_UNKNOWN || p->harness == asked, "the harness asked for");
	require(p->harness == HARNESS_AGY || p->harness == HARNESS_CLAUDE || p->kind == KIND_MALFORMED,
		"no opinion and no command from a harness that is not known");
	require(!has_nul(p->command) && !has_nul(p->session) && !has_nul(p->cwd) && !has_nul(p->tool),
		"no NUL in what was decoded");
	if (p->kind == KIND_SHELL || p->kind == KIND_PERMISSION) {
		require(p->session.len > 0, "a session for every command");
		require(p->cwd.len == 0 || p->cwd.p[0] == '/', "a directory that is absolute or not known");
		require(p->session.len <= ASSESSMENT_TEXT_MAX && p->cwd.len <= ASSESSMENT_TEXT_MAX &&
				p->tool.len <= ASSESSMENT_TEXT_MAX && p->call_id.len <= ASSESSMENT_TEXT_MAX,
			"texts that fit an assessment");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct {
		enum harness harness;
		const char *event;
	} as[] = {
		{ HARNESS_UNKNOWN, "" },
		{ HARNESS_CLAUDE, "" },
		{ HARNESS_CLAUDE, "PreToolUse" },
		{ HARNESS_CLAUDE, "PermissionRequest" },
		{ HARNESS_AGY, "" },
		{ HARNESS_AGY, "PreToolUse" },
		{ HARNESS_AGY, "PreInvocation" },
		{ HARNESS_AGY, "Stop" },
	};
	struct arena arena = { 0 };
	struct bytes input;
	struct payload p;
	struct row row;
	size_t pick;

	if (size == 0)
		return 0;
	pick = data[0] % (ARRAY_LEN(as) + 1);
	input = (struct bytes){ (const char *)data + 1, size - 1 };
	if (pick < ARRAY_LEN(as)) {
		struct bytes event = { as[pick].event, strlen(as[pick].event) };

		if (payload_decode(&arena, as[pick].harness, event, input, &p) == 0)
			check_payload(&p, as[pick].harness);
	} else if (row_decode(&arena, input, &row) == 0) {
		require(row.why || row.id_set, "a good row has an id");
		require(row.why || row.cwd.len == 0 || row.cwd.p[0] == '/',
			"a good row's directory is absolute");
		require(!has_nul(row.command) && !has_nul(row.id), "no NUL in a row");
	}
	arena_done(&arena);
	return 0;
}
