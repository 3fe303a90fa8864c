/* SPDX-License-Identifier: Apache-2.0 */
/* What a worker read in a judge's reply: numbers and one line of text, held to rules by the broker. */
#ifndef JUDGE_JUDGEMENT_H
#define JUDGE_JUDGEMENT_H

#include "policy/judge/prompt.h"
#include "policy/wire/codec.h"

enum { JUDGEMENT_TEXT_MAX = 1024, MILLION = 1000000 };

enum judgement_state {
	JUDGEMENT_UNUSABLE = 0, /* not what this kind of judge answers; `text` says why. The judge failed */
	JUDGEMENT_UNPARSEABLE, /* a chat model that answered something else: a denial that is not asked again */
	JUDGEMENT_READ,
	JUDGEMENT__MAX
};

struct judgement {
	enum judgement_state state;
	bool allow; /* its choice */
	bool has_risks; /* a decision model: numbers below are set. In millionths */
	uint32_t p_allow, confidence, risks[RISKS];
	uint64_t input_tokens, output_tokens;
	struct bytes model; /* as the server names it, or empty */
	struct bytes text; /* the model's reason, or what is wrong */
};

/* What the text of an unusable answer begins with where a service's own words follow. */
extern const char judgement_error[];

void judgement_encode(struct writer *w, const struct judgement *j) NONNULL;
/* Points into the body. Anything out of range is -EPROTO. */
int judgement_decode(struct bytes body, struct judgement *ret) NONNULL MUST_CHECK;

#endif
