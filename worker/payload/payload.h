/* SPDX-License-Identifier: Apache-2.0 */
/* What a harness wrote to stdin, decoded. One file a harness; whatever does not fit is malformed, and so
 * denied. */
#ifndef PAYLOAD_PAYLOAD_H
#define PAYLOAD_PAYLOAD_H

#include "policy/assessment.h"
#include "worker/shell/arena.h"

struct payload {
	enum request_kind kind;
	enum harness harness;
	struct bytes event, tool, call_id, session;
	struct bytes cwd; /* absolute, or empty: not known */
	struct bytes command; /* any length; no NUL inside */
	bool foreign_shell; /* the tool runs a shell that no dialect models (PowerShell) */
	const char *why; /* KIND_MALFORMED: what is wrong, for people; static text */
};

/*
 * Decodes the whole of stdin as `harness` sends it (HARNESS_UNKNOWN: recognised by its fields). `event` is
 * what the hook's command line said, or empty. Strings of *ret live in the arena. 0 also when it is
 * malformed; -ENOMEM.
 */
int payload_decode(struct arena *arena, enum harness harness, struct bytes event, struct bytes input,
	struct payload *ret) NONNULL MUST_CHECK;

/* One line of a batch: {"id", "command", "cwd"?, "session"?}; other members are left alone. */
struct row {
	struct bytes id, command, cwd, session;
	bool id_set;
	const char *why; /* what is wrong with the line (static text), or NULL: it is good */
};

/* As payload_decode(): strings in the arena, -ENOMEM. The id is kept also when the rest of the line is bad.
 */
int row_decode(struct arena *arena, struct bytes line, struct row *ret) NONNULL MUST_CHECK;

#endif
