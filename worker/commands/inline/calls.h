/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of a call, and what calls do beyond files: commands, requests, modules. */
#ifndef INLINE_CALLS_H
#define INLINE_CALLS_H

#include "worker/commands/inline/tree.h"

enum { ARGUMENTS_MAX = 16 };

struct arguments {
	struct value v[ARGUMENTS_MAX];
	struct code *node[ARGUMENTS_MAX];
	struct bytes keyword[ARGUMENTS_MAX]; /* empty: by position */
	uint32_t n, by_position;
	bool spread;
};

/* Keywords that change nothing of what a function does to files and hosts. */
#define CALL_KEYWORDS \
	"encoding errors newline buffering indent exist_ok parents ignore_errors mode missing_ok dirs_exist_ok " \
	"recursive force check capture_output text timeout universal_newlines stdout stderr ensure_ascii " \
	"follow_redirects allow_redirects stream verify headers params"

/* The argument of that keyword; UINT32_MAX: there is none. */
uint32_t call_keyword(const struct arguments *a, const char *name);
/* A function among the arguments will be called with data. False: it is none, or one that may not be. */
bool call_back(struct evaluation *ev, const struct value *v);

void call_shell(struct evaluation *ev, const struct value *text);
void call_argv(struct evaluation *ev, const struct arguments *a);
void call_program(struct evaluation *ev, const struct arguments *a);
bool command_keywords(struct evaluation *ev, const struct arguments *a, uint32_t positions);
/* data: something of this machine goes along; computed: in the address or its headers. */
void call_request(struct evaluation *ev, const struct value *url, bool data, bool computed);
void call_fetch(struct evaluation *ev, const struct entity *e, const struct arguments *a);
void call_fetch_request(struct evaluation *ev, const struct arguments *a);
struct value call_require(struct evaluation *ev, const struct arguments *a);

#endif
