/* SPDX-License-Identifier: Apache-2.0 */
/* git config: reading by the old options and the new subcommands; writing only what runs nothing and leads nowhere. */
#include "worker/commands/programs/git.h"

enum { OPERANDS_MAX = 4 };

enum mode { MODE_BY_NUMBER, /* of operands: one names a setting, two set it */ MODE_READ, MODE_WRITE };

struct config_call {
	enum mode mode;
	const struct arg *operands[OPERANDS_MAX];
	uint32_t n;
	struct arg file; /* text.p NULL: the repository's own, or the user's */
};

/* KEY=VALUE of the last two operands; a value that is not known could be any program. */
static struct bytes assignment_of(struct run *run, const struct arg *const *operands, uint32_t n)
{
	const struct arg *value = n > 1 ? operands[n - 1] : NULL;
	struct bytes key = run_join(run, operands[0]->text, BYTES("="));

	return run_join(run, key, !value ? BYTES("?") : value->is_static ? value->text : BYTES("?"));
}

/* A pattern that http.ADDRESS.extraHeader or credential.ADDRESS.username could fit. */
static bool fits_secrets(struct bytes pattern)
{
	return bytes_find_fold(pattern, "http") || bytes_find_fold(pattern, "extra") ||
		bytes_find_fold(pattern, "credential") || bytes_find_fold(pattern, "auth") ||
		only_of(pattern, 0, ".*^$+?()|[]");
}

/* Some settings are credentials: http.extraHeader carries tokens, and helpers keep passwords in their own. */
static void shows_settings(struct run *run, const struct arg *const *operands, uint32_t n)
{
	bool regexp = false;

	for (uint32_t i = 0; i < run->argc; i++)
		regexp = regexp || arg_is(&run->argv[i], "--get-regexp") || arg_is(&run->argv[i], "--regexp");
	for (uint32_t i = 0; i < n; i++)
		if (!operands[i]->is_static || bytes_find_fold(operands[i]->text, "header") ||
			bytes_find_fold(operands[i]->text, "token") ||
			bytes_find_fold(operands[i]->text, "pass") ||
			bytes_find_fold(operands[i]->text, "secret") ||
			bytes_find_fold(operands[i]->text, "cookie") ||
			(regexp && fits_secrets(operands[i]->text)) || arg_is(operands[i], ".*") ||
			arg_is(operands[i], "."))
			run_effect_text(run, EFFECT_PRINT_CREDENTIAL, BYTES("git configuration"));
}

/* An option that stands at argv[*at], with its value. False: it is not known, which has been said. */
static bool take_option(struct run *run, uint32_t *at, struct config_call *call)
{
	static const char reads[] = "--get --get-all --get-regexp --get-urlmatch --list -l --get-color --get-colorbool";
	static const char writes[] = "--add --replace-all --unset --unset-all";
	static const char others[] = "--global --local --system --worktree --bool --int --bool-or-int --path --null -z "
		"--name-only --includes --no-includes --show-origin --show-scope --all --fixed-value --expiry-date "
		"--no-type --append";
	const struct arg *a = &run->argv[*at];

	if (in_list(a->text, reads)) {
		call->mode = MODE_READ;
	} else if (in_list(a->text, writes)) {
		call->mode = MODE_WRITE;
	} else if (arg_is(a, "--type") || arg_is(a, "--default") || arg_is(a, "--value")) {
		++*at;
	} else if ((arg_is(a, "-f") || arg_is(a, "--file")) && *at + 1 < run->argc) {
		call->file = run->argv[++*at];
	} else if (bytes_start(a->text, "--file=") && a->is_static) {
		call->file = *a;
		call->file.text = bytes_from(a->text, strlen("--file="));
	} else if (!bytes_start(a->text, "--type=") && !bytes_start(a->text, "--default=") &&
		!in_list(a->text, others)) {
		run_open(run, "option %.*s of git config is not known to the gate",
			(int)(a->text.len < 80 ? a->text.len : 80), a->text.p);
		return false;
	}
	return true;
}

static bool read_words(struct run *run, struct config_call *call)
{
	for (uint32_t i = 0; i < run->argc; i++) {
		const struct arg *a = &run->argv[i];

		if (!a->is_static && (a->text.len == 0 || a->text.p[0] == '-') && call->n < 1) {
			run_open(run, "what git config does is not known before it runs");
			return false;
		}
		if (a->text.len < 2 || a->text.p[0] != '-') {
			if (call->n < OPERANDS_MAX)
				call->operands[call->n++] = a;
		} else {
			take_option(run, &i, call);
		}
	}
	if (call->mode != MODE_BY_NUMBER || call->n == 0 || !call->operands[0]->is_static)
		return true;
	if (in_list(call->operands[0]->text, "get list get-color get-colorbool")) {
		call->mode = MODE_READ;
	} else if (in_list(call->operands[0]->text, "set unset")) {
		call->mode = MODE_WRITE;
		call->operands[0] = call->n > 1 ? call->operands[1] : call->operands[0];
	}
	return true;
}

static void local_or_file(struct run *run, const struct config_call *call, enum effect_id on_file, enum effect_id local)
{
	if (call->file.text.p)
		run_effect(run, on_file, &call->file);
	else
		run_effect_fixed(run, local, ".");
}

void git_config(struct run *run)
{
	struct config_call call = { .mode = MODE_BY_NUMBER };

	if (!read_words(run, &call))
		return;
	if (call.mode == MODE_BY_NUMBER && call.n && arg_is(call.operands[0], "edit")) {
		run_open(run, "git config edit starts an editor");
	} else if (call.mode == MODE_READ || (call.mode == MODE_BY_NUMBER && call.n < 2)) {
		local_or_file(run, &call, EFFECT_READ, EFFECT_GIT_READ);
		shows_settings(run, call.operands, call.n);
	} else if (call.n == 0) {
		run_open(run, "what git config does is not known to the gate");
	} else if (call.operands[0]->is_static &&
		git_setting_is_harmless(assignment_of(run, call.operands, call.n))) {
		local_or_file(run, &call, EFFECT_WRITE, EFFECT_GIT_LOCAL);
	} else {
		if (call.file.text.p)
			run_effect(run, EFFECT_WRITE, &call.file);
		run_effect(run, EFFECT_GIT_CONFIG, call.operands[0]);
	}
}
