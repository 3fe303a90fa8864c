/* SPDX-License-Identifier: Apache-2.0 */
/* One JSON line a decision, appended to a private file that rotates. A failure is logged and changes nothing. */
#ifndef TELEMETRY_TELEMETRY_H
#define TELEMETRY_TELEMETRY_H

#include "broker/broker.h"
#include "broker/decision/outcome.h"
#include "policy/text/textbuf.h"

enum {
	TELEMETRY_COMMAND_MAX = 2000,
	TELEMETRY_REASON_MAX = 500,
	TELEMETRY_PAYLOAD_MAX = 2000,
	TELEMETRY_EFFECTS_MAX = 1000,
};

/* What a row tells beside its outcome. */
struct telemetry_facts {
	struct bytes payload; /* as received, for the broker's own hash and copy */
	uint64_t latency_ms;
	int64_t now_ms; /* since 1970 */
	const char *source; /* instead of the outcome's: what became of an escalation; NULL: the outcome's */
	const char *decision; /* likewise */
};

/* The row, with its newline. */
void telemetry_row(const struct outcome *o, const struct telemetry_facts *f, struct textbuf *ret) NONNULL;
/* Write a row where the configuration says so. */
void telemetry_record(struct broker *b, const struct outcome *o, const struct telemetry_facts *f) NONNULL;

/*
 * Append `text` in one write to a private file below `dir`, moving the file to `name`.1 first where it would grow past
 * `max` (0: never). 0 or -errno.
 */
int append_rotating(int dir, const char *name, const struct textbuf *text, uint64_t max) NONNULL MUST_CHECK;
/* The directory that holds `path`, and its last component; with ~/ from home. 0 or -errno. */
int open_parent(const struct broker *b, const char *path, int *ret_dir, const char **ret_name) NONNULL MUST_CHECK;

#endif
