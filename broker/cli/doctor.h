/* SPDX-License-Identifier: Apache-2.0 */
/* The report that `doctor` prints: findings, each with what to do about it. */
#ifndef CLI_DOCTOR_H
#define CLI_DOCTOR_H

#include "broker/broker.h"
#include "policy/text/textbuf.h"

enum mark { MARK_OK, MARK_NOTE, MARK_WARN, MARK_FAIL };

struct report {
	struct textbuf text;
	bool colour;
	bool failed; /* some finding was MARK_FAIL */
};

void report_section(struct report *r, const char *title) NONNULL;
/* One line; foreign text in it is escaped. */
void report_finding(struct report *r, enum mark m, const char *fmt, ...) PRINTF_LIKE(3, 4)
	__attribute__((nonnull(1, 3)));
/* What to do about the finding before it. */
void report_remedy(struct report *r, const char *fmt, ...) PRINTF_LIKE(2, 3) __attribute__((nonnull(1, 2)));

/*
 * The harnesses' settings: do they call us, and rightly? `cwd` may be NULL, and so may `search`: PATH, where a hook's
 * command without a directory is looked for.
 */
void doctor_hooks(struct report *r, const char *home, const char *cwd, const char *search)
	__attribute__((nonnull(1, 2)));

/* Who judges what the rules leave open, where its key comes from; with `ask`, whether it answers, by one call. 0 or
 * -errno (no memory, the guard is gone). */
int doctor_judge(struct report *r, struct broker *b, bool ask) NONNULL MUST_CHECK;

#endif
