/* SPDX-License-Identifier: Apache-2.0 */
/* A parsed line as it is shown by `parse` and `explain`: simple commands with their words, or null where dynamic. */
#ifndef POLICY_LISTING_H
#define POLICY_LISTING_H

#include "policy/base.h"
#include "policy/verdict.h"
#include "policy/wire/codec.h"

struct listing_redirect {
	int32_t fd; /* -1: none written */
	struct bytes op, target;
	bool target_static;
};

struct listing_effect {
	struct bytes effect, place, target;
	enum verdict verdict;
};

/* Called while a body is decoded, in order. Any may be NULL. */
struct listing_visitor {
	void (*line)(void *data, struct bytes row_id, bool row_id_set, uint32_t row, bool parsed, bool modelled,
		struct bytes why);
	void (*command)(void *data, struct bytes context, enum verdict verdict, struct bytes why, struct bytes src);
	void (*word)(void *data, bool is_static, struct bytes value);
	void (*assignment)(void *data, struct bytes text);
	void (*redirect)(void *data, const struct listing_redirect *r);
	void (*effect)(void *data, const struct listing_effect *e);
	void (*end)(void *data);
};

/* Encoding: one _begin, then for each command its parts in the visitor's order, then _end. */
void listing_begin(struct writer *w, struct bytes row_id, bool row_id_set, uint32_t row, bool parsed, bool modelled,
	struct bytes why) NONNULL;
void listing_command(struct writer *w, struct bytes context, enum verdict verdict, struct bytes why, struct bytes src)
	NONNULL;
void listing_word(struct writer *w, bool is_static, struct bytes value) NONNULL;
void listing_assignment(struct writer *w, struct bytes text) NONNULL;
void listing_redirect(struct writer *w, const struct listing_redirect *r) NONNULL;
void listing_effect(struct writer *w, const struct listing_effect *e) NONNULL;
void listing_end(struct writer *w) NONNULL;
/* 0, or -EPROTO when the body is not a whole, well-formed listing. */
int listing_walk(struct bytes body, const struct listing_visitor *v, void *data) __attribute__((nonnull(2))) MUST_CHECK;

#endif
