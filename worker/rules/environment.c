/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Assignments. What stands before a command goes into its environment (accepted.c). What sets a variable of this shell
 * alone is harmless unless the shell itself reads it, or it was exported before the line began.
 */
#include "worker/rules/internal.h"

/*
 * Variables the shell itself reads, or that decide what names run: setting one changes what the rest of the text means.
 */
static const char shell_names[][24] = {
	"PATH", "IFS", "BASH_ENV", "ENV", "PS4", "PS0", "PROMPT_COMMAND", "SHELLOPTS", "BASHOPTS", "CDPATH", "HOME",
	"PWD",
	"OLDPWD", "GLOBIGNORE", "EXECIGNORE", "FIGNORE", "BASH_CMDS", "BASH_ALIASES", "BASH_COMPAT", "BASH_XTRACEFD",
	"BASH_LOADABLES_PATH", "POSIXLY_CORRECT", "SHELL", "INPUTRC", "FCEDIT", "TMPDIR", "ZDOTDIR", "FPATH",
	"MODULE_PATH",
	"fpath", "path", "cdpath", "module_path", "NULLCMD", "READNULLCMD", "DIRSTACK", "BASH_ARGV0", "BASHPID",
	"FUNCNEST",
	"HIST*", "LD_*", "DYLD_*", "GIT_*", "PYTHON*", "NODE_OPTIONS", "PERL5*", "RUBY*", "JAVA_TOOL_OPTIONS",
	"http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "PAGER", "EDITOR", "VISUAL",
	"LESSOPEN", "LESSCLOSE", "MANPAGER", "SSH_*", "TMUX*",
};

static const char *const gate_prefixes[] = { "AUTO_CLASSIFIER_", "TYPESAFE_" };

bool variable_matches(struct bytes name, const char *pattern)
{
	size_t n = strlen(pattern);

	if (pattern[0] == '*')
		return name.len >= n && memcmp(name.p + name.len - (n - 1), pattern + 1, n - 1) == 0;
	if (pattern[n - 1] == '*')
		return name.len >= n - 1 && memcmp(name.p, pattern, n - 1) == 0;
	return bytes_is(name, pattern);
}

bool variable_is_gate(struct bytes name)
{
	for (size_t i = 0; i < ARRAY_LEN(gate_prefixes); i++) {
		size_t n = strlen(gate_prefixes[i]);

		if (name.len >= n && strncasecmp(name.p, gate_prefixes[i], n) == 0)
			return true;
	}
	return false;
}

bool variable_is_shells(struct bytes name)
{
	if (variable_is_runner_file(name))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(shell_names); i++)
		if (variable_matches(name, shell_names[i]))
			return true;
	return false;
}

static bool is_exported(const struct judge *j, struct bytes name)
{
	const struct string_list *list = &j->line->policy->environment_names;

	for (uint32_t i = 0; i < list->n; i++)
		if (bytes_eq(list->items[i], name))
			return true;
	return false;
}

static void deny_gate_variable(struct subject *s, struct bytes name)
{
	deny(s, STAGE_SELF, (struct reason_text){ REASON_SELF_PROTECTION, 1,
		{ judge_text(s->j, "it sets %.*s, which belongs to the gate", (int)name.len, name.p) } },
		BYTES("self-protection"), BYTES("set-variable"), name);
}

/* A program that keeps or shows a variable of this name does not know what it is. */
static void renames_secret(struct subject *s, struct bytes name)
{
	leave_open(s, judge_text(s->j, "the variable %.*s takes a credential along by another name", (int)name.len,
		name.p), BYTES("environment"), name, false);
}

static void not_accepted(struct subject *s, struct bytes name)
{
	leave_open(s, judge_text(s->j, "the variable %.*s can change what programs do", (int)name.len, name.p),
		BYTES("environment"), name, false);
}

/*
 * Text that the shell would run when it evaluates the variable as arithmetic or with ${…@P}: bash looks into values for
 * array subscripts, and runs the substitutions there (bash(1), ARITHMETIC EVALUATION).
 */
static bool holds_hidden_code(const struct subject *s, const struct word *w)
{
	if (w == NULL || !w->is_static || w->value.len < 3)
		return false;
	if (memmem(w->value.p, w->value.len, "$(", 2) == NULL && memchr(w->value.p, '`', w->value.len) == NULL)
		return false;
	return s->j->line->shell == SHELL_PERSISTENT || line_evaluates(s->j);
}

static const struct bytes not_known = { NULL, 0 }; /* of a value */

void judge_assignments(struct subject *s, const struct assignment *a, bool has_command)
{
	for (; a != NULL; a = a->next) {
		/* Otherwise it is only the end, or a part, of the value. */
		const bool whole = a->subscript == NULL && !a->append;

		if (variable_is_gate(a->name)) {
			deny_gate_variable(s, a->name);
			continue;
		}
		if (holds_hidden_code(s, a->value))
			leave_open(s, BYTES("a variable holds text that arithmetic would run"),
				BYTES("hidden"), a->name, false);
		if (variable_is_accepted(s, a->name, whole ? a->value : NULL, whole ? BYTES("") : not_known)) {
			if (has_command && !variable_is_secret(a->name) && word_mentions_secret(s->j, a->value))
				renames_secret(s, a->name);
			continue;
		}
		if (line_is_traced(s->j) && word_mentions_secret(s->j, a->value))
			leave_open(s, BYTES("the shell prints, as it is told to, what a variable gets: a credential"),
				BYTES("environment"), a->name, false);
		/* `IFS= read`: for that one reading alone. */
		if (has_command && bytes_is(a->name, "IFS") && bytes_is(s->program, "read"))
			continue;
		if (has_command || variable_is_shells(a->name) || is_exported(s->j, a->name))
			not_accepted(s, a->name);
	}
}

void judge_assignment_words(struct subject *s, const struct word *words, uint32_t n)
{
	for (; words != NULL && n > 0; words = words->next, n--) {
		struct bytes text = words->is_static ? words->value : words->prefix, name = text, value = not_known;
		const char *eq = text.len > 0 ? (const char *)memchr(text.p, '=', text.len) : NULL;

		/* `export NAME` passes on a value that some other line set, and += one of which this is only the end. */
		if (eq != NULL)
			name.len = (size_t)(eq - text.p);
		if (name.len > 0 && name.p[name.len - 1] == '+')
			name.len--;
		else if (eq != NULL && words->is_static)
			value = (struct bytes){ eq + 1, text.len - name.len - 1 };
		if (variable_is_gate(name)) {
			deny_gate_variable(s, name);
			continue;
		}
		if (eq == NULL && !words->is_static) {
			not_accepted(s, words->src);
			continue;
		}
		if (!variable_is_accepted(s, name, NULL, value))
			not_accepted(s, name);
		else if (!variable_is_secret(name) && word_mentions_secret(s->j, words))
			renames_secret(s, name);
	}
}
