/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Editors, and interpreters that edit files in place (perl -i, ruby -i). Their commands are languages of their own, so
 * none of them is vouched for; the files they are given are known all the same, and may be written.
 */
#include "worker/commands/programs/perl.h"

/* Options that take the next word, and those behind which a file is written that is no operand. */
struct editor {
	const char *program, *with_value, *writes_value;
};

static const struct editor editors[] = {
	{ "vim", "-c --cmd -S -t -T -u -U -i --servername --startuptime", "-w -W" },
	{ "ed", "-p --prompt", "" },
	{ "nano", "-r -s -T -Y -J -Q", "" },
	{ "emacs", "-l --load -f --funcall --eval --execute -u --user -L -d -t", "" },
	{ "code", "--user-data-dir --extensions-dir --profile --locale", "" },
};

static void edits(struct run *run)
{
	const struct editor *e = editors;

	while (strcmp(e->program, run->model->name) != 0)
		e++;
	run_open(run, "%s edits files by commands of its own", run->model->name);
	run->out->stdin_role = STDIN_READ;
	for (uint32_t i = 0; i < run->argc; i++) {
		const struct arg *a = &run->argv[i];

		if (a->is_static && in_list(a->text, e->with_value))
			i++;
		else if (a->is_static && in_list(a->text, e->writes_value) && i + 1 < run->argc)
			run_effect(run, EFFECT_WRITE, &run->argv[++i]);
		else if (!bytes_start(a->text, "-") && !bytes_start(a->text, "+"))
			run_effect(run, EFFECT_WRITE, a);
	}
}

#define EDITOR(id, program) MODEL(id) = { .name = program, .reader = edits }
EDITOR(vim, "vim");
EDITOR(ed, "ed");
EDITOR(nano, "nano");
EDITOR(emacs, "emacs");
EDITOR(code, "code");

/* A cluster of switches with i in it (perlrun(1) "-i", ruby(1)); what follows the i is the backup's suffix. */
static bool edits_in_place(struct bytes cluster)
{
	if (cluster.len < 2 || cluster.p[0] != '-' || cluster.p[1] == '-')
		return false;
	for (size_t k = 1; k < cluster.len; k++) {
		if (cluster.p[k] == 'i')
			return true;
		/* The rest belongs to a switch that takes a value. */
		if (strchr("eEIMmCDFxXVtTrSK", cluster.p[k]))
			return false;
	}
	return false;
}

/* perl -v; ruby -c FILE, which runs nothing of it (perl -c does). */
static bool only_looks(struct run *run)
{
	if (run->argc == 1 && in_list(run->argv[0].text, "-v --version -h --help")) {
		run_effect_fixed(run, EFFECT_PURE, NULL);
		return true;
	}
	if (run->argc != 2 || !in_list(run->argv[0].text, "-c -wc -cw") || strcmp(run->model->name, "ruby") != 0 ||
		bytes_start(run->argv[1].text, "-"))
		return false;
	run_effect(run, EFFECT_USE, &run->argv[1]);
	return true;
}

/* perl -pi -e CODE FILE…: where the text is not understood, the files that are written are known all the same. */
static void interprets(struct run *run)
{
	bool in_place = false, code = false;

	if (only_looks(run))
		return;
	run->out->stdin_role = STDIN_READ;
	if (strcmp(run->model->name, "perl") != 0 || !perl_is_understood(run))
		run_open(run, "the gate does not read the language of %s", run->model->name);
	for (uint32_t i = 0; i < run->argc; i++) {
		const struct arg *a = &run->argv[i];

		if (bytes_start(a->text, "-") && a->text.len > 1) {
			in_place = in_place || edits_in_place(a->text);
			/* -e as the last letter: the text is the next word. */
			if (a->is_static && strchr("eE", a->text.p[a->text.len - 1]) && a->text.p[1] != '-') {
				code = true;
				i++;
			}
		} else if (!code) {
			run_effect(run, EFFECT_EXECUTE, a);
			return;
		} else {
			run_effect(run, in_place ? EFFECT_WRITE : EFFECT_READ, a);
		}
	}
}

#define INTERPRETER(id, program) MODEL(id) = { .name = program, .reader = interprets }
INTERPRETER(perl, "perl");
INTERPRETER(ruby, "ruby");
