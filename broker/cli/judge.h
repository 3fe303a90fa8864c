/* SPDX-License-Identifier: Apache-2.0 */
/* From options to a request, for the commands a person runs. */
#ifndef CLI_JUDGE_H
#define CLI_JUDGE_H

#include "broker/cli/cli.h"
#include "policy/request.h"
#include "policy/text/textbuf.h"

enum { JUDGE_PATH_MAX = 4096 };

struct judge_request {
	struct request q;
	char cwd[JUDGE_PATH_MAX]; /* --cwd made absolute; q.cwd points here or to the broker's */
};

/* The request of `mode`; the broker's directory when --cwd names none. False: --cwd is no usable path. */
bool judge_request_fill(const struct broker *b, const struct judge_options *o, enum request_mode mode,
	struct judge_request *ret) NONNULL MUST_CHECK;

/* Passes the text on to stdout and empties it; -ENOMEM when it had failed. */
int judge_print(struct broker *b, struct textbuf *text) NONNULL MUST_CHECK;

/* `check --batch` and `parse --batch`. */
int cli_batch(struct broker *b, const struct judge_options *o, enum request_mode mode) NONNULL;

#endif
