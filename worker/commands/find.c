/* SPDX-License-Identifier: Apache-2.0 */
/* find(1): roots, tests and actions. Every primary is listed; what is not is not known. */
#include "worker/commands/model.h"

/* Primaries without an argument, and with one, that only choose or print. */
static const char plain[] =
	"-a -and -o -or -not ! ( ) , -daystart -depth -d -follow -ignore_readdir_race -noignore_readdir_race -mount -noleaf "
	"-nowarn -warn -xdev -empty -executable -false -nogroup -nouser -readable -true -writable -ls -print -print0 -prune "
	"-quit -X";
static const char with_value[] =
	"-maxdepth -mindepth -regextype -amin -atime -cmin -context -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex "
	"-iwholename -links -lname -mmin -mtime -name -path -perm -regex -size -type -uid -used -user -wholename -xtype -printf";
/* Compare with a file: -newerXY too. */
static const char with_file[] = "-anewer -cnewer -newer -samefile";
static const char writes_file[] = "-fprint -fprint0 -fls";

struct find {
	struct run *run;
	uint32_t roots; /* argv[first .. first + roots) */
	uint32_t first;
	bool deletes;
};

static bool is_expression(const struct arg *a)
{
	return a->text.len > 0 && (a->text.p[0] == '-' || arg_is(a, "(") || arg_is(a, "!") || arg_is(a, ",") || arg_is(a, ")"));
}

/* The command of -exec, up to ; or +. What is found takes the place of {}: below a root, so that is what is known of it. */
static uint32_t exec_command(struct find *f, uint32_t at, bool elsewhere)
{
	struct run *run = f->run;
	uint32_t end = at;
	struct arg *args;
	struct nested *n;
	bool one_root = f->roots == 1;

	while (end < run->argc && !arg_is(&run->argv[end], ";") &&
		!(arg_is(&run->argv[end], "+") && end > at && arg_is(&run->argv[end - 1], "{}")))
		end++;
	if (end == run->argc) {
		run_open(run, "a command of find has no end");
		return end;
	}
	args = run_alloc(run, (end - at + 1) * sizeof(*args));
	if (!args || end == at)
		return end + 1;
	memcpy(args, run->argv + at, (end - at) * sizeof(*args));
	run_placeholder(run, args, end - at, "{}");
	for (uint32_t i = 0; i < end - at; i++) {
		const struct arg *root = f->roots ? &run->argv[f->first] : NULL;

		if (!arg_is(&run->argv[at + i], "{}"))
			continue;
		args[i].flags |= WORD_GLOB;
		if (elsewhere)
			args[i].text = BYTES("./");
		else if (one_root)
			args[i].text = root->text.len && root->is_static ? run_join(run, root->text, BYTES("/")) : root->text;
		else if (f->roots == 0)
			args[i].text = BYTES("./");
	}
	n = run_nested_words(run, args, end - at);
	if (n && elsewhere)
		n->where = NESTED_ELSEWHERE;
	return end + 1;
}

static void each_root(struct find *f, enum effect_id effect)
{
	static const struct arg here = { .text = { ".", 1 }, .is_static = true };

	if (f->roots == 0)
		run_effect(f->run, effect, &here);
	for (uint32_t i = 0; i < f->roots; i++)
		run_effect(f->run, effect, &f->run->argv[f->first + i]);
}

/*
 * What -delete takes away: files below the roots. A find that tests names or types deletes some of what is below a root, and never needs
 * the root itself; without tests it deletes everything.
 */
static void deletes(struct find *f, uint32_t tests)
{
	static const struct arg here = { .text = { "./", 2 }, .flags = WORD_GLOB };

	if (tests == 0) {
		each_root(f, EFFECT_DELETE_TREE);
		return;
	}
	if (f->roots == 0)
		run_effect(f->run, EFFECT_DELETE, &here);
	for (uint32_t i = 0; i < f->roots; i++) {
		struct arg a = f->run->argv[f->first + i];

		run_effect(f->run, EFFECT_DELETE, &a);
		if (a.is_static) {
			a.text = run_join(f->run, a.text, BYTES("/"));
			a.is_static = false;
			a.flags |= WORD_GLOB;
		}
	}
}

/* One primary at argv[at]; returns the index behind it. */
static uint32_t primary(struct find *f, uint32_t at, uint32_t *tests)
{
	struct run *run = f->run;
	const struct arg *a = &run->argv[at];
	const struct arg *value = at + 1 < run->argc ? &run->argv[at + 1] : NULL;

	if (!a->is_static) {
		run_open(run, "a word of find is not known before it runs: %.*s",
			(int)(a->word && a->word->src.len < 80 ? a->word->src.len : 0), a->word ? a->word->src.p : "");
		return at + 1;
	}
	if (in_list(a->text, plain))
		return at + 1;
	if (in_list(a->text, with_value)) {
		if (!in_list(a->text, "-maxdepth -mindepth -regextype -printf"))
			(*tests)++;
		return at + 2;
	}
	if (in_list(a->text, with_file) || (bytes_start(a->text, "-newer") && a->text.len == 8)) {
		(*tests)++;
		if (value && !bytes_end(a->text, "t"))
			run_effect(run, EFFECT_LIST, value);
		return at + 2;
	}
	if (in_list(a->text, writes_file) || arg_is(a, "-fprintf")) {
		if (value)
			run_effect(run, EFFECT_WRITE, value);
		return at + (arg_is(a, "-fprintf") ? 3 : 2);
	}
	if (arg_is(a, "-files0-from")) {
		if (value)
			run_effect(run, EFFECT_READ, value);
		run_open(run, "find takes its roots from a file");
		return at + 2;
	}
	if (arg_is(a, "-delete")) {
		f->deletes = true;
		return at + 1;
	}
	if (arg_is(a, "-exec") || arg_is(a, "-ok"))
		return exec_command(f, at + 1, false);
	if (arg_is(a, "-execdir") || arg_is(a, "-okdir"))
		return exec_command(f, at + 1, true);
	if (arg_is(a, "-help") || arg_is(a, "-version"))
		return at + 1;
	run_open(run, "%.*s of find is not known to the gate", (int)(a->text.len < 80 ? a->text.len : 80), a->text.p);
	return at + 1;
}

static void find_reader(struct run *run)
{
	struct find f = { .run = run };
	uint32_t at = 0, tests = 0;

	while (at < run->argc && run->argv[at].is_static &&
		(in_list(run->argv[at].text, "-H -L -P") || bytes_start(run->argv[at].text, "-O") || arg_is(&run->argv[at], "-D")))
		at += arg_is(&run->argv[at], "-D") ? 2 : 1;
	f.first = at;
	while (at < run->argc && !is_expression(&run->argv[at])) {
		const struct arg *a = &run->argv[at];

		if (!a->is_static && (a->text.len == 0 || (a->flags & (WORD_SPLITS | WORD_BRACE))) && !(a->flags & WORD_TILDE))
			run_open(run, "a word of find may turn into an action before it runs");
		at++;
	}
	if (at > run->argc)
		at = run->argc;
	f.roots = at - f.first;
	each_root(&f, EFFECT_LIST);
	while (at < run->argc)
		at = primary(&f, at, &tests);
	if (f.deletes)
		deletes(&f, tests);
}

MODEL(find) = { .name = "find", .reader = find_reader };
