/* SPDX-License-Identifier: Apache-2.0 */
/* What is remembered of one session: recent denials with their counts, recent allows. No I/O here. */
#ifndef STATE_SESSION_H
#define STATE_SESSION_H

#include "broker/decision/keys.h"
#include "policy/text/textbuf.h"
#include "policy/verdict.h"

enum {
	SESSION_DENIALS_MAX = 20, /* the oldest makes room */
	SESSION_ALLOWS_MAX = 50,
	SESSION_JUDGED_MAX = 1000, /* denials by a judge; more than that is as good as more than any bound */
	SESSION_FILE_MAX = 1024 * 1024,
	SESSION_ID_MAX = 1024,
	SESSION_COMMAND_MAX = 2000,
	SESSION_REASON_MAX = 500,
};

/* A denial about to be counted. */
struct denial {
	struct key counting, exact;
	const struct file_key *files; /* n_files that it depends on */
	uint32_t n_files;
	struct bytes command; /* for a reader of the file; redacted and cut here */
	const char *reason;
	enum source source;
	bool transient; /* the judge failed: the same again is judged again */
	bool open; /* not refused by a rule: within the window the stored finding stands */
	int64_t charge; /* taken for the judge before it was asked (session_charge()), or 0 */
};

/* A judge's allow: it holds for the same command, the same evidence, and a judge that would be told the same. */
struct permit {
	struct key exact, judge;
};

/* What counting one denial found. */
struct tally {
	uint32_t count; /* live denials of the same thing, this one included */
	bool retry; /* the stored finding stands: an open denial of unchanged things within the window */
	enum source source; /* of the finding that stands */
	char *reason; /* owned; the finding that stands, or NULL when there was no memory for it */
};

struct denial_record {
	struct key counting, exact;
	struct file_key *files; /* owned */
	uint32_t n_files;
	char *command, *reason; /* owned */
	enum source source;
	bool transient;
	int64_t timestamp; /* milliseconds since 1970 */
	uint32_t count;
};

struct allow_record {
	struct permit permit;
	char *reason; /* owned */
	int64_t timestamp;
};

struct session {
	char *id; /* owned */
	uint64_t total_denials;
	uint32_t n_denials, n_allows, n_judged;
	struct denial_record denials[SESSION_DENIALS_MAX]; /* the oldest first */
	struct allow_record allows[SESSION_ALLOWS_MAX];
	int64_t judged[SESSION_JUDGED_MAX]; /* when a judge denied something: a record can be replaced, these cannot */
	int64_t created, updated;
};

int session_init(struct session *s, struct bytes id, int64_t now) NONNULL MUST_CHECK; /* 0 or -ENOMEM */
void session_done(struct session *s) NONNULL;
void tally_done(struct tally *t) NONNULL;

/* Count `d`. 0 or -ENOMEM (nothing changed). */
int session_deny(struct session *s, const struct denial *d, int64_t now, int64_t window, struct tally *ret)
	NONNULL MUST_CHECK;
/* The live record of this key, or NULL. */
const struct denial_record *session_find(const struct session *s, const struct key *counting, int64_t now,
	int64_t window) NONNULL;
/* Does an open, unchanged denial of this stand, so that nobody need be asked again? */
bool session_stands(const struct session *s, const struct denial *d, int64_t now, int64_t window) NONNULL;
/* Was exactly this allowed within the window, whatever the judge was told beside it? */
bool session_knows(const struct session *s, const struct key *exact, int64_t now, int64_t window) NONNULL;
/* How many denials a judge gave within the window. */
uint32_t session_judged(const struct session *s, int64_t now, int64_t window) NONNULL;
/*
 * A judge is about to be asked: its denial is counted beforehand, so that neither another process at the same time nor
 * a disk that fills up makes room for one more. Returns what identifies it; a refund takes it back.
 */
int64_t session_charge(struct session *s, int64_t now, int64_t window) NONNULL;
void session_refund(struct session *s, int64_t charge) NONNULL;
/* Remember an allow and clear the denials of exactly this. 0 or -ENOMEM. */
int session_allow(struct session *s, const struct permit *p, const char *reason, int64_t now) NONNULL MUST_CHECK;
const struct allow_record *session_allowed(const struct session *s, const struct permit *p, int64_t now,
	int64_t window) NONNULL;

/* Add what `other` counted, moving its records over. */
void session_merge(struct session *s, struct session *other) NONNULL;

enum session_outcome { SESSION_CORRUPT = 1 };

/* From the text of a session file. Records that make no sense are left out; SESSION_CORRUPT: it is no session file. */
int session_parse(struct bytes text, struct session *ret) __attribute__((nonnull(2))) MUST_CHECK;
void session_format(const struct session *s, struct textbuf *b) NONNULL;

#endif
