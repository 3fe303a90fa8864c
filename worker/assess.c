/* SPDX-License-Identifier: Apache-2.0 */
/* One line to an assessment, with what the worker holds: policy, rules, the broker to ask. */
#include "worker/assess.h"

#include "policy/paths/paths.h"
#include "worker/ask.h"

/* The dialect of the shell a harness runs: fixed, or that of the user's login shell. */
static enum dialect login_dialect(struct bytes shell)
{
	static const struct {
		const char *name;
		enum dialect dialect;
	} shells[] = {
		{ "bash", DIALECT_BASH },
		{ "sh", DIALECT_POSIX },
		{ "dash", DIALECT_POSIX },
		{ "zsh", DIALECT_ZSH },
	};

	shell = path_last(shell);
	if (shell.len == 0) /* an empty field in passwd means /bin/sh */
		return DIALECT_POSIX;
	for (size_t i = 0; i < ARRAY_LEN(shells); i++)
		if (bytes_is(shell, shells[i].name))
			return shells[i].dialect;
	return DIALECT_OTHER;
}

enum dialect assess_dialect(const struct worker_policy *policy, enum harness harness, struct bytes name)
{
	const char *spec = harness_specs[harness].dialect;
	enum dialect d;

	if (name.len > 0)
		return dialect_from_name(name, &d) ? d : DIALECT_OTHER;
	if (dialect_from_name((struct bytes){ spec, strlen(spec) }, &d))
		return d;
	d = login_dialect(policy->shell);
	/* Where neither bash nor zsh is the login shell, one of the two is found and run: what both read
	 * alike is modelled. */
	if (strcmp(spec, "bash-or-zsh") == 0 && d != DIALECT_BASH)
		return DIALECT_ZSH;
	return d;
}

int assess_line(struct worker *w, const struct judged_line *l, struct assessment *a,
	struct script **ret_script, struct finding **ret_findings)
{
	const struct oracle oracle = oracle_channel(&w->broker);
	const struct line line = {
		.command = l->command,
		.cwd = l->cwd,
		.session = l->session,
		.dialect = l->dialect,
		.shell = harness_specs[l->harness].shell,
		.policy = &w->policy,
		.rules = &w->rules,
		.oracle = &oracle,
	};
	int r = judge_line(&w->arena, &line, a, ret_script, ret_findings);

	if (r < 0)
		return r;
	a->harness = l->harness;
	a->cwd = l->cwd;
	a->command = l->command;
	if (a->command.len > ASSESSMENT_COMMAND_MAX)
		a->command.len = ASSESSMENT_COMMAND_MAX;
	return 0;
}

int assess_send(struct worker *w, enum message_type type, const struct writer *body)
{
	return body->bad ? -EMSGSIZE : channel_send(&w->broker, type, body->p, body->len, -1);
}

void assess_malformed(struct assessment *a, enum reason reason, const char *where, const char *why)
{
	a->kind = KIND_MALFORMED;
	a->verdict = VERDICT_DENY;
	a->source = SOURCE_ERROR;
	a->reason = (struct reason_text){
		.id = reason, .n_args = 2, .args = { { where, strlen(where) }, { why, strlen(why) } }
	};
}
