/* SPDX-License-Identifier: Apache-2.0 */
/* The harnesses: what differs between them and is data. Decoders are in worker/payload, replies in
 * broker/reply. */
#ifndef POLICY_HARNESS_H
#define POLICY_HARNESS_H

#include "policy/base.h"

enum harness {
	HARNESS_UNKNOWN = 0,
	HARNESS_AGY,
	HARNESS_CLAUDE,
	HARNESS_CODEX,
	HARNESS_COPILOT,
	HARNESS_GEMINI,
	HARNESS_CURSOR,
	HARNESS_OPENCODE,
	HARNESS_PI,
	HARNESS_CLI, /* check, explain: a person at a terminal */
	HARNESS__MAX
};

enum shell_kind { SHELL_PERSISTENT = 0, SHELL_FRESH };

struct last_word { /* what the guard prints when nobody else can */
	const char *out; /* whole stdout, with its newline; "" for none */
	const char *err; /* whole stderr */
	int status;
};

struct harness_spec {
	const char *name; /* as in `hook NAME` */
	uint32_t limit_ms; /* the harness's own patience; the guard answers a second before */
	enum shell_kind shell; /* does a line see the last line's shell state? */
	const char *dialect; /* "bash", "login" (the user's shell), or "bash-or-zsh" (that, when it is one of
				the two) */
	bool hooked; /* its payloads are decoded: `hook NAME` is accepted */
	struct last_word last_word;
};

extern const struct harness_spec harness_specs[HARNESS__MAX];

enum harness harness_from_name(const char *name, size_t len) NONNULL; /* HARNESS_UNKNOWN when not known */
enum harness harness_from_wire(uint32_t v);

#endif
