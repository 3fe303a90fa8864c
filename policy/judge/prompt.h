/* SPDX-License-Identifier: Apache-2.0 */
/* What a judge is told, in our own words: texts with places for the configuration, and the table of risks. */
#ifndef JUDGE_PROMPT_H
#define JUDGE_PROMPT_H

#include "policy/request.h"
#include "policy/text/textbuf.h"

struct risk_question {
	const char *name;
	const char *text;
};

enum { RISKS = 12, CHOICES = 2 };

extern const struct risk_question risk_questions[RISKS];
/* The labels of the verdict, the one that lets a command run first. */
extern const char *const verdict_labels[CHOICES];
extern const char verdict_question[];

extern const char prompt_verdict[], prompt_allow[], prompt_deny[], prompt_chat[];

struct prompt_facts {
	struct string_list sanctioned_remotes, protected_branches;
	struct bytes instructions; /* added by the user's configuration, or empty */
};

/* Append `text` with its places filled. */
void prompt_expand(struct textbuf *b, const char *text, const struct prompt_facts *f) NONNULL;

#endif
