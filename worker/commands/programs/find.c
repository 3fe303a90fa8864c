/* SPDX-License-Identifier: Apache-2.0 */
/* find(1): roots, tests and actions. Every primary is listed; what is not is not known. */
#include "worker/commands/model.h"

/* Primaries without an argument, and with one, that only choose or print. */
static const char plain[] =
	"-a -and -o -or -not ! ( ) , -daystart -depth -d -follow -ignore_readdir_race -noignore_readdir_race "
	"-mount -noleaf -nowarn -warn -xdev -empty -executable -false -nogroup -nouser -readable -true "
	"-writable -ls -print -print0 -prune -quit -X";
static const char with_value[] =
	"-maxdepth -mindepth -regextype -amin -atime -cmin -context -ctime -fstype -gid -group -ilname "
	"-iname -inum -ipath -iregex -iwholename -links -lname -mmin -mtime -name -path -perm -regex -size "
	"-type -uid -used -user -wholename -xtype -printf";
/* Compare with a file: -newerXY too. */
static const char with_file[] = "-anewer -cnewer -newer -samefile";
static const char writes_file[] = "-fprint -fprint0 -fls";

enum { NAMES_MAX = 8, ROOTS_MAX = 4, RUNS_MAX = 128 };

struct find {
	struct run *run;
	uint32_t first, roots; /* argv[first .. first + roots) */
	uint32_t names_n;
	struct bytes names[NAMES_MAX]; /* patterns of which every file that is acted upon matches one; none:
					  unknown */
	bool only_files; /* -type f or d: no link is among what is acted upon */
	bool limited; /* some test chooses among the files */
	bool only_empty; /* what is acted upon holds nothing */
	bool not_git; /* a test leaves out what lies below .git */
	bool deletes;
	uint32_t runs; /* commands run, for every root and name */
	bool for_command; /* what is found is handed to a command, which may follow a link */
	bool prints; /* an action prints more than names */
	bool follows; /* -L: what is found may lie anywhere */
};

static bool is_expression(const struct arg *a)
{
	return a->text.len > 0 &&
		(a->text.p[0] == '-' || arg_is(a, "(") || arg_is(a, "!") || arg_is(a, ",") || arg_is(a, ")"));
}

/*
 * What is found below a root, as a pattern: its name where the tests say one; else anything, hidden files
 * too. The tests narrow what is hit, so it is not the whole directory.
 */
static void found(struct find *f, const struct arg *root, struct bytes name, struct arg *ret)
{
	struct word *w = run_alloc(f->run, sizeof(*w));

	*ret = (struct arg){ .flags = WORD_PARAM };
	if (!w)
		return;
	ret->word = w;
	ret->text = root ? root->text : BYTES(".");
	if (root && !root->is_static) {
		*w = *root->word;
		return;
	}
	if (!bytes_end(ret->text, "/"))
		ret->text = run_join(f->run, ret->text, BYTES("/"));
	*w = (struct word){ .flags = WORD_GLOB };
	/* A link or a secret may lie at any depth: what is found is a pattern over the whole tree. */
	if (f->for_command) {
		ret->text = run_join(f->run, ret->text, BYTES("**/"));
		w->flags |= WORD_FOUND | (f->only_files ? WORD_REGULAR : 0) | (f->not_git ? WORD_NOT_GIT : 0);
	}
	w->src = run_join(f->run, ret->text, name.len ? name : f->limited ? BYTES("?*") :
		f->for_command ? BYTES("*") : BYTES(".*"));
	/* A name without a pattern is one file in any directory below: still not known to the letter. */
	if (name.len && !strpbrk(run_copy(f->run, name.p, name.len).p, "*?["))
		w->src = run_join(f->run, w->src, BYTES("*"));
	w->prefix.p = w->src.p;
	while (w->prefix.len < w->src.len && !strchr("*?[", w->src.p[w->prefix.len]))
		w->prefix.len++;
	ret->text = w->prefix;
	ret->flags = w->flags;
}

/* Calls `each` for every root and every name that what is found may have. */
static void each_found(
	struct find *f, void (*each)(struct find *f, const struct arg *found, void *data), void *data)
{
	for (uint32_t r = 0; r < (f->roots ? f->roots : 1); r++)
		for (uint32_t n = 0; n < (f->names_n ? f->names_n : 1); n++) {
			struct arg a;

			found(f, f->roots ? &f->run->argv[f->first + r] : NULL,
				f->names_n ? f->names[n] : (struct bytes){ "", 0 }, &a);
			each(f, &a, data);
		}
}

struct exec {
	uint32_t at, end;
	bool elsewhere;
};

static void one_exec(struct find *f, const struct arg *found, void *data)
{
	const struct exec *x = data;
	struct run *run = f->run;
	uint32_t n = x->end - x->at;
	struct arg *args;
	struct nested *nested;

	if (f->runs++ >= RUNS_MAX) {
		run_open(run, "find runs more commands than the gate looks at");
		return;
	}
	args = run_alloc(run, n * sizeof(*args));
	if (!args)
		return;
	memcpy(args, run->argv + x->at, n * sizeof(*args));
	run_placeholder(run, args, n, "{}");
	for (uint32_t i = 0; i < n; i++)
		if (arg_is(&run->argv[x->at + i], "{}"))
			args[i] = *found;
	nested = run_nested_words(run, args, n);
	if (nested && x->elsewhere)
		nested->where = NESTED_ELSEWHERE;
}

static void each_root(struct find *f, enum effect_id effect)
{
	static const struct arg here = { .text = { ".", 1 }, .is_static = true };

	if (f->roots == 0)
		run_effect(f->run, effect, &here);
	for (uint32_t i = 0; i < f->roots; i++)
		run_effect(f->run, effect, &f->run->argv[f->first + i]);
}

/* The command of -exec, up to ; or +. */
static uint32_t exec_command(struct find *f, uint32_t at, bool elsewhere)
{
	struct run *run = f->run;
	struct exec x = { .at = at, .end = at, .elsewhere = elsewhere };

	while (x.end < run->argc && !arg_is(&run->argv[x.end], ";") &&
		!(arg_is(&run->argv[x.end], "+") && x.end > at && arg_is(&run->argv[x.end - 1], "{}")))
		x.end++;
	if (f->follows)
		run_open(run, "find -L acts on what links lead to");
	if (x.end == run->argc) {
		run_open(run, "a command of find has no end");
		return x.end;
	}
	if (f->roots > ROOTS_MAX) {
		run_open(run, "find runs a command below more places than the gate looks at");
	} else if (x.end > at) {
		f->for_command = true;
		each_found(f, one_exec, &x);
		f->for_command = false;
	}
	/* Taking away whatever there is, is taking away the tree. */
	if (x.end > at && !f->limited && f->names_n == 0 && run->argv[at].is_static &&
		in_list(run->argv[at].text, "rm unlink shred truncate mv /bin/rm /usr/bin/rm"))
		each_root(f, EFFECT_DELETE_TREE);
	return x.end + 1;
}

static void one_deletion(struct find *f, const struct arg *found, void *data)
{
	(void)data;
	run_effect(f->run, EFFECT_DELETE, found);
}

/* -delete without a test that chooses takes everything below the roots; with one, files somewhere below them.
 */
static void deletes(struct find *f)
{
	if (!f->limited) {
		each_root(f, EFFECT_DELETE_TREE);
		return;
	}
	each_root(f, EFFECT_DELETE);
	f->for_command = !f->only_empty;
	each_found(f, one_deletion, NULL);
}

/* Tests that choose few of the files; -type and -maxdepth do not. */
static const char choosing[] =
	"-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -newer -anewer "
	"-cnewer -mtime -mmin -atime -amin -ctime -cmin -size -empty -user -group -uid -gid -nouser -nogroup "
	"-perm -inum -links -samefile -used";

/*
 * The tests, before any action is looked at: which names what is found can have. A name behind -not says
 * nothing; with -o every alternative must give one; parentheses only group, unless they are negated.
 */
static void survey(struct find *f, uint32_t at)
{
	uint32_t alternatives = 1, names = 0;
	bool negated = false, unclear = false;

	for (; at < f->run->argc; at++) {
		const struct arg *a = &f->run->argv[at];

		if (!a->is_static)
			continue;
		f->follows = f->follows || arg_is(a, "-follow");
		if (in_list(a->text, "! -not")) {
			negated = true;
			continue;
		}
		if (arg_is(a, "(") && negated)
			unclear = true;
		if (in_list(a->text, "-o -or ,"))
			alternatives++;
		if (!negated && (in_list(a->text, choosing) || bytes_start(a->text, "-newer")))
			f->limited = true;
		if (arg_is(a, "-type") && at + 1 < f->run->argc && !negated &&
			in_list(f->run->argv[at + 1].text, "f d"))
			f->only_files = true;
		if (negated && in_list(a->text, "-path -wholename") && at + 1 < f->run->argc &&
			bytes_end(f->run->argv[at + 1].text, ".git/*"))
			f->not_git = true;
		if (arg_is(a, "-empty") && !negated)
			f->only_empty = true;
		if (in_list(a->text, "-name -iname") && at + 1 < f->run->argc && !negated) {
			names++;
			if (f->run->argv[at + 1].is_static && f->names_n < NAMES_MAX &&
				!bytes_char(f->run->argv[at + 1].text, '/'))
				f->names[f->names_n++] = f->run->argv[at + 1].text;
			else
				unclear = true;
		}
		if (in_list(a->text, with_value))
			at++;
		negated = false;
	}
	if (alternatives > 1 || f->follows)
		f->only_files = f->only_empty = f->not_git = false;
	if (alternatives > 1 && names < alternatives)
		unclear = true;
	if (alternatives > 1 && names == 0)
		f->limited = false;
	if (alternatives == 1 && f->names_n > 1)
		f->names_n = 1;
	if (unclear)
		f->names_n = 0;
}

/* One primary at argv[at]; returns the index behind it. */
static uint32_t primary(struct find *f, uint32_t at)
{
	struct run *run = f->run;
	const struct arg *a = &run->argv[at];
	const struct arg *value = at + 1 < run->argc ? &run->argv[at + 1] : NULL;

	if (!a->is_static) {
		run_open(run, "a word of find is not known before it runs: %.*s",
			(int)(a->word && a->word->src.len < 80 ? a->word->src.len : 0),
			a->word ? a->word->src.p : "");
		return at + 1;
	}
	if (in_list(a->text, "-ls -printf") || bytes_start(a->text, "-exec") || bytes_start(a->text, "-ok"))
		f->prints = true;
	if (in_list(a->text, plain))
		return at + 1;
	if (in_list(a->text, with_value))
		return at + 2;
	if (in_list(a->text, with_file) || (bytes_start(a->text, "-newer") && a->text.len == 8)) {
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
		if (f->follows)
			run_open(run, "find -L acts on what links lead to");
		f->deletes = true;
		return at + 1;
	}
	if (arg_is(a, "-exec") || arg_is(a, "-ok"))
		return exec_command(f, at + 1, false);
	if (arg_is(a, "-execdir") || arg_is(a, "-okdir"))
		return exec_command(f, at + 1, true);
	if (arg_is(a, "-help") || arg_is(a, "-version"))
		return at + 1;
	run_open(run, "%.*s of find is not known to the gate", (int)(a->text.len < 80 ? a->text.len : 80),
		a->text.p);
	return at + 1;
}

/* For whoever reads what it prints. */
static void tell(struct find *f, const struct arg *found, void *data)
{
	struct word *copy = run_alloc(f->run, sizeof(*copy));

	(void)data;
	if (copy && found->word) {
		*copy = *found->word;
		copy->next = NULL;
	}
	run_prints(f->run, copy);
}

static void find_reader(struct run *run)
{
	struct find f = { .run = run };
	bool through = false; /* links that it starts from */
	uint32_t at = 0;

	while (at < run->argc && run->argv[at].is_static &&
		(in_list(run->argv[at].text, "-H -L -P") || bytes_start(run->argv[at].text, "-O") ||
			arg_is(&run->argv[at], "-D"))) {
		f.follows = f.follows || arg_is(&run->argv[at], "-L");
		through = through || arg_is(&run->argv[at], "-H");
		at += arg_is(&run->argv[at], "-D") ? 2 : 1;
	}
	if (at > run->argc)
		at = run->argc;
	f.first = at;
	while (at < run->argc && !is_expression(&run->argv[at])) {
		const struct arg *a = &run->argv[at];

		if (arg_may_be_option(run, a) && !(a->flags & WORD_TILDE))
			run_open(run, "a word of find may turn into an action before it runs");
		at++;
	}
	f.roots = at - f.first;
	each_root(&f, EFFECT_LIST);
	survey(&f, at);
	while (at < run->argc)
		at = primary(&f, at);
	if (f.deletes)
		deletes(&f);
	if (through && (f.deletes || run->out->nested))
		run_open(run, "find -H goes where a link leads that it starts from");
	f.for_command = true;
	if (run->invocation->telling && !f.prints && !f.follows && f.roots <= ROOTS_MAX)
		each_found(&f, tell, NULL);
}

MODEL(find) = { .name = "find", .reader = find_reader };
