/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a command prints, for the command that reads it: names of files below a directory, ids of processes that were
 * chosen by name or port, harmless tokens, or lines of its own input. Everything else is anything. Only asked for where
 * a pipe, a substitution or a loop hands the output on.
 */
#include "worker/commands/output.h"

/* Nothing that a shell, a pattern or a splitting into words would touch. */
#define FILE_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:+-"

void run_prints(struct run *run, struct word *word)
{
	struct word **end = &run->out->prints;

	if (!word) {
		run->failed = true;
		return;
	}
	while (*end)
		end = &(*end)->next;
	*end = word;
	run->out->output = OUTPUT_WORDS;
}

struct word *pattern_word(struct run *run, struct bytes pattern, uint32_t flags)
{
	struct word *w = run_alloc(run, sizeof(*w));

	if (!w)
		return NULL;
	*w = (struct word){ .src = pattern, .flags = WORD_GLOB | WORD_FOUND | flags };
	w->prefix.p = pattern.p;
	while (w->prefix.len < pattern.len && !strchr("*?[", pattern.p[w->prefix.len]))
		w->prefix.len++;
	return w;
}

struct word *static_word(struct run *run, struct bytes text)
{
	struct word *w = run_alloc(run, sizeof(*w));

	if (w)
		*w = (struct word){ .src = text, .is_static = true, .value = text };
	return w;
}

/* A text without blanks, slashes, quotes or a dash in front: a number, a date, the name of a system. */
static void prints_token(struct run *run)
{
	run_prints(run, pattern_word(run, BYTES("[0-9A-Za-z]*"), WORD_TOKEN));
}

static void prints_processes(struct run *run)
{
	static const struct word process = { .src = { "the processes it finds", 22 },
		.flags = WORD_PARAM | WORD_PROCESS };
	struct word *w = run_alloc(run, sizeof(*w));

	if (w)
		*w = process;
	run_prints(run, w);
}

bool has_option(const struct run *run, const char *letters, const char *valued, const char *longs)
{
	for (uint32_t i = 0; i < run->argc; i++) {
		struct bytes text = run->argv[i].text;

		if (arg_is(&run->argv[i], "--"))
			break;
		if (text.len < 2 || text.p[0] != '-')
			continue;
		if (text.p[1] == '-') {
			const char *eq = memchr(text.p, '=', text.len);
			struct bytes name = bytes_from(text, 2);

			if (eq)
				name.len = (size_t)(eq - name.p);
			if (in_list(name, longs))
				return true;
			continue;
		}
		for (size_t k = 1; k < text.len && text.p[k]; k++) {
			if (strchr(letters, text.p[k]))
				return true;
			if (strchr(valued, text.p[k]))
				break;
		}
	}
	return false;
}

void prints_anything(struct run *run)
{
	run->out->output = OUTPUT_ANYTHING;
	run->out->prints = NULL;
}

/* The name of a branch, which may hold slashes, and which git lets begin with no dash (git-check-ref-format(1)). */
static void prints_branch(struct run *run)
{
	run_prints(run, pattern_word(run, BYTES("[0-9A-Za-z]*"), WORD_TOKEN));
}

static void tell_branch(struct run *run)
{
	if (run->argc == 1 && arg_is(&run->argv[0], "--show-current"))
		prints_branch(run);
}

/* Names of tags and of commits. */
static void tell_describe(struct run *run)
{
	if (!has_option(run, "", "", "all dirty broken"))
		prints_branch(run);
}

static void tell_commits(struct run *run)
{
	static const char *const formats[] = { "--format=%H", "--format=%h", "--pretty=format:%H", "--pretty=format:%h",
		"--pretty=%H", "--pretty=%h" };

	if (has_option(run, "p", "", "name-only name-status stat patch graph"))
		return;
	for (uint32_t i = 0; i < run->argc; i++)
		for (size_t k = 0; k < ARRAY_LEN(formats); k++)
			if (arg_is(&run->argv[i], formats[k]))
				prints_branch(run);
}

static void tell_log(struct run *run)
{
	tell_shown(run);
	if (run->out->output == OUTPUT_ANYTHING)
		tell_commits(run);
}

static void tell_rev_list(struct run *run)
{
	if (!has_option(run, "", "", "format pretty header parents children graph objects left-right cherry-mark "
		"boundary timestamp"))
		prints_branch(run);
}

static void tell_merge_base(struct run *run)
{
	prints_branch(run);
}

/* Ids of containers and images. */
static void tell_ids(struct run *run)
{
	if (has_option(run, "q", "fn", "quiet") && !has_option(run, "", "", "format"))
		prints_token(run);
}

static void tell_symbolic_ref(struct run *run)
{
	for (uint32_t i = 0; i < run->argc; i++)
		if (!run->argv[i].is_static || !in_list(run->argv[i].text, "--short -q --quiet HEAD"))
			return;
	if (has_option(run, "", "", "short"))
		prints_branch(run);
}

/* --short HEAD, HEAD: a number; --abbrev-ref HEAD: a branch. */
static void tell_rev_parse(struct run *run)
{
	if (run->argc == 2 && arg_is(&run->argv[0], "--abbrev-ref") && arg_is(&run->argv[1], "HEAD")) {
		prints_branch(run);
		return;
	}
	for (uint32_t i = 0; i < run->argc; i++)
		if (!arg_is(&run->argv[i], "HEAD") && !arg_is(&run->argv[i], "--verify") &&
			!(bytes_start(run->argv[i].text, "--short") && run->argv[i].is_static))
			return;
	prints_token(run);
}

static void tell_mktemp(struct run *run)
{
	struct bytes template = run->n_operands ? run->operands[0].text : BYTES("/tmp/tmp.XXXXXXXXXX");
	size_t end = template.len;

	if ((run->n_operands && !run->operands[0].is_static) || run->n_operands > 1 ||
		has_option(run, "ptuV", "", "tmpdir suffix dry-run version help"))
		return;
	while (end > 0 && template.p[end - 1] != 'X')
		end--;
	template.len = end;
	while (template.len > 0 && template.p[template.len - 1] == 'X')
		template.len--;
	if (end - template.len >= 3 && only_of(template, 0, FILE_CHARACTERS))
		run_prints(run, pattern_word(run, run_join(run, template, BYTES("[0-9A-Za-z]*")),
			WORD_REGULAR | WORD_TOKEN));
}

/* A format of nothing but digits, letters and . : _ - around what the clock says. */
static void tell_date(struct run *run)
{
	const struct arg *format = run->n_operands == 1 ? &run->operands[0] : NULL;

	if (!format || !format->is_static || !bytes_start(format->text, "+") || format->text.len < 2)
		return;
	for (size_t i = 1; i < format->text.len; i++) {
		char c = format->text.p[i];

		if (c == '%' && i + 1 < format->text.len && strchr("YymdjHMSsNFTIUVuwGgC", format->text.p[i + 1]))
			i++;
		else if (!only_of((struct bytes){ &c, 1 }, 0, FILE_CHARACTERS) || c == '/' || (i == 1 && c == '-'))
			return;
	}
	prints_token(run);
}

static void tell_seq(struct run *run)
{
	for (uint32_t i = 0; i < run->argc; i++)
		if (!run->argv[i].is_static || !only_of(run->argv[i].text, 0, "0123456789"))
			return;
	prints_token(run);
}

/* Words without anything that echo, or who splits them again, would touch. */
static void tell_echo(struct run *run)
{
	for (uint32_t i = 0; i < run->argc; i++)
		if (!run->argv[i].is_static || !only_of(run->argv[i].text, 0, FILE_CHARACTERS " @=,%^") ||
			(i == 0 && bytes_start(run->argv[0].text, "-")))
			return;
	for (uint32_t i = 0; i < run->argc; i++)
		for (size_t from = 0, k = 0; k <= run->argv[i].text.len; k++) {
			struct bytes text = run->argv[i].text;

			if (k < text.len && text.p[k] != ' ')
				continue;
			if (k > from)
				run_prints(run, static_word(run, (struct bytes){ text.p + from, k - from }));
			from = k + 1;
		}
}

/* A file that is named for holding a process's id. */
static void tell_cat(struct run *run)
{
	if (run->argc == 0)
		run->out->output = OUTPUT_INPUT;
	else if (run->argc == 1 && run->n_operands == 1 && run->operands[0].is_static &&
		bytes_end(run->operands[0].text, ".pid"))
		prints_processes(run);
}

/*
 * Of lsof, the ids alone, and of those who have one port open. Who listens on it is a server; who talks to a port that
 * half the world offers may be anybody, the agent too.
 */
static void tell_lsof(struct run *run)
{
	bool port = false, busy = false, listens = false;

	for (uint32_t i = 0; i < run->argc; i++) {
		struct bytes text = run->argv[i].text;
		const char *colon = text.len ? memrchr(text.p, ':', text.len) : NULL;

		listens = listens || bytes_find(text, "LISTEN");
		if (!colon || bytes_find(text, "LISTEN"))
			continue;
		port = true;
		busy = busy || bytes_is((struct bytes){ colon, (size_t)(text.p + text.len - colon) }, ":443") ||
			bytes_is((struct bytes){ colon, (size_t)(text.p + text.len - colon) }, ":80");
	}
	if (has_option(run, "t", "ipucdDfFgorsSTxzZ", "") && port && (listens || !busy))
		prints_processes(run);
}

static void tell_pgrep(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++)
		if (!run->operands[i].is_static || chooses_sessions(run->operands[i].text))
			return;
	if (run->n_operands && !has_option(run, "lavc", "dFgGPstuUr", "list-full list-name inverse count"))
		prints_processes(run);
}

static void tell_jobs(struct run *run)
{
	if (run->argc == 1 && arg_is(&run->argv[0], "-p"))
		prints_processes(run);
}

static void tell_id(struct run *run)
{
	if (has_option(run, "ug", "", "user group") && !has_option(run, "GZz", "", "groups context zero"))
		prints_token(run);
}

static void tell_uname(struct run *run)
{
	if (run->argc == 1 && run->argv[0].is_static && in_list(run->argv[0].text, "-m -s -r"))
		prints_token(run);
}

static void tell_alone(struct run *run)
{
	if (run->argc == 0)
		prints_token(run);
}

/* Counts of its input alone, so that no name stands behind them. */
static void tell_wc(struct run *run)
{
	if (run->n_operands == 0 && run->argc == 1)
		prints_token(run);
}

/* Filters that keep lines as they are: `keeps` are the options that leave it so; digits count, and so do values. */
static void tell_filter(struct run *run, const char *keeps)
{
	for (uint32_t i = 0; i < run->argc; i++) {
		struct bytes text = run->argv[i].text;

		if (!run->argv[i].is_static || (!bytes_start(text, "-") && !only_of(text, 0, "0123456789,+")))
			return;
		for (size_t k = 1; bytes_start(text, "-") && k < text.len; k++)
			if (!strchr(keeps, text.p[k]) && !(text.p[k] >= '0' && text.p[k] <= '9'))
				return;
	}
	run->out->output = OUTPUT_INPUT;
}

static void tell_sort(struct run *run)
{
	tell_filter(run, "bdfghiMnRrVuzk,");
}

static void tell_uniq(struct run *run)
{
	tell_filter(run, "duiz");
}

static void tell_head(struct run *run)
{
	tell_filter(run, "nqz");
}

static void tell_tac(struct run *run)
{
	if (run->argc == 0)
		run->out->output = OUTPUT_INPUT;
}

static void tell_tee(struct run *run)
{
	run->out->output = OUTPUT_INPUT;
}

static const struct {
	const char *program;
	void (*tell)(struct run *run);
} tellers[] = {
	{ "arch", tell_alone }, { "basename", tell_basename }, { "cat", tell_cat }, { "date", tell_date },
	{ "dirname", tell_dirname }, { "echo", tell_echo }, { "fd", tell_fd },
	{ "docker images", tell_ids }, { "docker ps", tell_ids },
	{ "git branch", tell_branch }, { "git describe", tell_describe }, { "git merge-base", tell_merge_base },
	{ "git rev-list", tell_rev_list }, { "git diff", tell_changed }, { "git symbolic-ref", tell_symbolic_ref },
	{ "jobs", tell_jobs },
	{ "git grep", tell_git_grep }, { "git log", tell_log }, { "git ls-files", tell_ls_files },
	{ "git rev-parse", tell_rev_parse }, { "git show", tell_shown }, { "grep", tell_grep }, { "head", tell_head },
	{ "id", tell_id }, { "ls", tell_ls }, { "lsof", tell_lsof }, { "mktemp", tell_mktemp }, { "nproc", tell_alone },
	{ "pgrep", tell_pgrep }, { "pidof", tell_pgrep }, { "rg", tell_rg }, { "seq", tell_seq }, { "shuf", tell_head },
	{ "sort", tell_sort }, { "tac", tell_tac }, { "tail", tell_head }, { "tee", tell_tee }, { "uname", tell_uname },
	{ "uniq", tell_uniq }, { "wc", tell_wc }, { "whoami", tell_alone },
};

void run_tell(struct run *run)
{
	for (size_t i = 0; i < ARRAY_LEN(tellers); i++)
		if (bytes_is(run->out->program, tellers[i].program))
			tellers[i].tell(run);
}
