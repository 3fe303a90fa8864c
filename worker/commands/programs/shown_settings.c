/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that show settings, their own or those of a container: which of them may hold a credential. */
#include "worker/commands/programs/shown_settings.h"

/* What of a container a format asks for. Its configuration holds the environment; the rest is names and numbers. */
static bool is_harmless_field(struct bytes rest)
{
	static const char *const fields[] = { ".Config.Image", ".Config.Labels", ".Config.Hostname",
		".Config.WorkingDir", ".Config.User", ".Config.ExposedPorts", ".Config.Healthcheck", ".Config.Volumes",
		".Config.StopSignal" };

	for (size_t i = 0; i < ARRAY_LEN(fields); i++)
		if (bytes_start(rest, fields[i]))
			return true;
	return !bytes_start(rest, ".Config") && !bytes_start(rest, ".ContainerConfig") && !bytes_start(rest, ".Env");
}

static bool word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Every field in it is named, and none of them is the environment: {{.}} is all of them. */
static bool format_is_harmless(struct bytes format)
{
	for (size_t i = 0; i < format.len; i++) {
		struct bytes rest = bytes_from(format, i);

		if (format.p[i] != '.' || (i > 0 && (word_char(format.p[i - 1]) || format.p[i - 1] == ')')))
			continue;
		if (rest.len < 2 || !word_char(rest.p[1]) || !is_harmless_field(rest))
			return false;
	}
	return bytes_find(format, "{{") && !bytes_find(format, "\"Env\"") && !bytes_find(format, "\"Config\"");
}

void run_format(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (value->is_static && format_is_harmless(value->text))
		run->bits |= FORMAT_IS_HARMLESS;
}

/* `.[0].State.Status`, `.[].NetworkSettings`: the first field, behind the list, says what is let through. */
static bool path_is_harmless(struct bytes program)
{
	if (!bytes_start(program, ".[0].") && !bytes_start(program, ".[]."))
		return false;
	program = bytes_from(program, bytes_start(program, ".[].") ? 3 : 4);
	return program.len > 1 && word_char(program.p[1]) && is_harmless_field(program) &&
		only_of(program, 0, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.[]\"/");
}

/* jq -r PATH, which prints nothing but what the path leads to. */
static bool is_cut_down(const struct run *run)
{
	const struct invocation *inv = run->invocation;
	const struct simple_command *reader = NULL;
	const struct word *w;

	if (inv->line && inv->line->reader)
		reader = inv->line->reader(inv->line_data);
	w = reader ? reader->words : NULL;
	if (!w || !w->is_static || !bytes_is(w->value, "jq"))
		return false;
	w = w->next;
	while (w && w->is_static && in_list(w->value, "-r -c -e -M --raw-output --compact-output"))
		w = w->next;
	return w && !w->next && w->is_static && path_is_harmless(w->value);
}

void run_inspects(struct run *run)
{
	if (run->n_operands > 0 && !(run->bits & FORMAT_IS_HARMLESS) && !is_cut_down(run))
		run_effect_fixed(run, EFFECT_PRINT_ENVIRONMENT, NULL);
}

/* With the values of variables put in, unless only names are asked for. */
void run_shows_compose(struct run *run)
{
	if (!(run->bits & FORMAT_IS_HARMLESS))
		run_effect_fixed(run, EFFECT_PRINT_ENVIRONMENT, NULL);
}

/* npm and pnpm leave out of the list what they know for a token; pip and yarn do not, nor out of addresses. */
void run_lists_settings(struct run *run)
{
	if (bytes_start(run->out->program, "npm") || bytes_start(run->out->program, "pnpm"))
		return;
	run->uncertain = true;
	run_effect_text(run, EFFECT_PRINT_CREDENTIAL, run->out->program);
	run->uncertain = false;
}

void run_shows_setting(struct run *run)
{
	static const char *const parts[] = { "auth", "token", "passw", "secret", "credential", "index-url", "proxy",
		"find-links", "cafile", "certfile", "keyfile" };

	for (uint32_t i = 0; i < run->n_operands; i++) {
		bool secret = !run->operands[i].is_static;

		for (size_t k = 0; k < ARRAY_LEN(parts) && !secret; k++)
			secret = bytes_find_fold(run->operands[i].text, parts[k]);
		if (!secret)
			continue;
		run->uncertain = true;
		run_effect(run, EFFECT_PRINT_CREDENTIAL, &run->operands[i]);
		run->uncertain = false;
	}
}
