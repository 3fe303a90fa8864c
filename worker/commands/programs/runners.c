/* SPDX-License-Identifier: Apache-2.0 */
/* Wrappers that need reading of their own: xargs, watch, flock, script, strace, busybox, parallel. */
#include "worker/commands/model.h"

/* Bits of xargs. */
enum { REPLACES = 1, WHOLE_LINES = 2, FROM_FILE = 4, APPENDIX_MAX = 8 };

void run_placeholder(struct run *run, struct arg *args, uint32_t n, const char *mark)
{
	size_t len = strlen(mark);

	(void)run;
	for (uint32_t i = 0; i < n; i++) {
		const char *at = len ? memmem(args[i].text.p, args[i].text.len, mark, len) : NULL;

		if (!at)
			continue;
		args[i].text.len = (size_t)(at - args[i].text.p);
		args[i].is_static = false;
		args[i].flags |= WORD_PARAM;
	}
}

/* -I R, -i[R], --replace[=R]: what is read takes the place of R in the words. */
static void xargs_replace(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	run->bits |= REPLACES;
	if (!value->is_static)
		run_open(run, "what xargs replaces is not known before it runs");
	run->detail = value->text.len ? value->text : BYTES("{}");
}

/* What comes in by the pipe, as words: taken apart at blanks and quotes, unless -0 or -d says otherwise. */
static const struct word *what_is_read(struct run *run)
{
	const struct invocation *inv = run->invocation;
	const struct word *fed = NULL;
	struct word *first = NULL, **end = &first;
	uint32_t n = 0;
	bool texts = true;

	if (inv->input == INPUT_PIPE && !(run->bits & FROM_FILE) && inv->line && inv->line->fed)
		fed = inv->line->fed(inv->line_data);
	for (; fed; fed = fed->next) {
		struct word *copy = run_alloc(run, sizeof(*copy));

		if (!copy || n++ == APPENDIX_MAX)
			return NULL;
		*copy = *fed;
		copy->next = NULL;
		if (!(run->bits & WHOLE_LINES) && !(copy->flags & (WORD_TOKEN | WORD_PROCESS)) && !copy->is_static)
			copy->flags |= WORD_PIECES;
		texts = texts && copy->is_static;
		*end = copy;
		end = &copy->next;
	}
	/* Words that are known to the letter may have been one line. */
	return n > 1 && texts && (run->bits & (REPLACES | WHOLE_LINES)) ? NULL : first;
}

/* What stands around a pattern must not be read as part of one; the id of a process is no part of a word. */
static bool stands_for_itself(struct bytes before, struct bytes behind, const struct word *read)
{
	if (!(read->flags & WORD_FOUND))
		return before.len == 0 && behind.len == 0;
	for (size_t i = 0; i < before.len + behind.len; i++)
		if (strchr("*?[", i < before.len ? before.p[i] : behind.p[i - before.len]))
			return false;
	return true;
}

/* The words with the mark replaced by one of the words that are read. */
static bool put_in_place(struct run *run, struct arg *args, uint32_t n, struct bytes mark, const struct word *read)
{
	struct bytes text = read->is_static ? read->value : read->src;

	for (uint32_t i = 0; i < n; i++) {
		const char *at = memmem(args[i].text.p, args[i].text.len, mark.p, mark.len);
		struct bytes before, behind;
		struct word *w;

		if (!at)
			continue;
		before = (struct bytes){ args[i].text.p, (size_t)(at - args[i].text.p) };
		behind = bytes_from(args[i].text, before.len + mark.len);
		if (!args[i].is_static || memmem(behind.p, behind.len, mark.p, mark.len) ||
			(!read->is_static && !stands_for_itself(before, behind, read)))
			return false;
		w = run_alloc(run, sizeof(*w));
		if (!w)
			return false;
		*w = *read;
		w->flags |= WORD_SINGLE;
		w->next = NULL;
		w->src = run_join(run, run_join(run, before, text), behind);
		if (read->is_static)
			w->value = w->src;
		else
			w->prefix = run_join(run, before, read->prefix);
		args[i] = arg_of_word(w);
	}
	return true;
}

/* Once for each word that may be read: any of them may be the last one, or stand where the mark is. */
static void xargs_run(struct run *run, const struct word *read)
{
	static const struct wrapping replaces = { 0 }, appends = { .appended = true };
	const struct arg *operands = run->operands;
	struct nested **end;

	if (!(run->bits & REPLACES)) {
		end = run->out->nested_end;
		run_wrapping(run, &appends);
		if (*end && read)
			(*end)->invocation.appendix = read;
		return;
	}
	for (const struct word *w = read; w || w == read; w = w->next) {
		struct arg *args = run_alloc(run, run->n_operands * sizeof(*args));

		if (!args)
			return;
		memcpy(args, operands, run->n_operands * sizeof(*args));
		if (!w || !put_in_place(run, args, run->n_operands, run->detail, w)) {
			memcpy(args, operands, run->n_operands * sizeof(*args));
			run_placeholder(run, args, run->n_operands, run_copy(run, run->detail.p, run->detail.len).p);
		}
		run->operands = args;
		run_wrapping(run, &replaces);
		run->operands = operands;
		if (!w)
			return;
	}
}

/* What is handed to a shell is a program, wherever its words come from. */
static bool takes_programs(const struct arg *command)
{
	struct bytes name = command->text;

	return !command->is_static || !program_name(command->text, &name) ||
		in_list(name, "sh bash dash ash zsh ksh fish csh tcsh eval ssh busybox");
}

static void xargs_command(struct run *run)
{
	static const struct wrapping appends = { .appended = true };

	if (run->n_operands == 0)
		run_wrapping(run, &appends);
	else
		xargs_run(run, takes_programs(&run->operands[0]) ? NULL : what_is_read(run));
}

MODEL(xargs) = {
	.name = "xargs",
	.syntax = POSIX_ORDER,
	.shorts = "E:e::l::L:n:oP:prs:tx",
	.longs = "eof?= max-lines?= max-args= open-tty max-procs= interactive "
		 "process-slot-var= no-run-if-empty max-chars= show-limits verbose exit",
	.options = OPTIONS{ { "a", "arg-file", REQUIRED, EFFECT_OF_VALUE, EFFECT_READ, FROM_FILE },
		{ "0", "null", NOTHING, IGNORE, .set = WHOLE_LINES },
		{ "d", "delimiter", REQUIRED, IGNORE }, { "I", NULL, REQUIRED, CALL },
		{ "i", "replace", OPTIONAL, CALL },
		{ "J", NULL, REQUIRED, REFUSE, .text = "-J is not known to the gate" }, { 0 } },
	.option = xargs_replace,
	.special = xargs_command,
	.input = STDIN_ARGUMENTS,
};

static void watch_command(struct run *run)
{
	static const struct wrapping words = { 0 }, text = { .joined = true };

	run_wrapping(run, run->bits & 1 ? &words : &text);
}

MODEL(watch) = {
	.name = "watch",
	.syntax = POSIX_ORDER,
	.shorts = "bcCd::egn:pq:rtw",
	.longs = "beep color no-color differences?= errexit chgexit interval= precise equexit= no-rerun "
		 "no-title no-wrap",
	.options = OPTIONS{ { "x", "exec", NOTHING, IGNORE, .set = 1 }, { 0 } },
	.special = watch_command,
};

/* flock FILE COMMAND, flock FILE -c TEXT, flock FD. */
static void flock_command(struct run *run)
{
	static const struct wrapping wrapping = { .skip = 1 };

	if (run->n_operands == 0)
		return;
	if (run->n_operands > 1) {
		run_effect(run, EFFECT_CREATE, &run->operands[0]);
		if (arg_is(&run->operands[1], "-c") || arg_is(&run->operands[1], "--command")) {
			if (run->n_operands == 3 && run->operands[2].is_static)
				run_nested_text(run, run->operands[2].text, DIALECT_POSIX);
			else
				run_open(run, "flock -c gets a text that is not known before it runs");
			return;
		}
		run_wrapping(run, &wrapping);
	}
}

MODEL(flock) = {
	.name = "flock",
	.syntax = POSIX_ORDER,
	.shorts = "sxeunoFw:E:v",
	.longs = "shared exclusive unlock nonblock nb close no-fork wait= timeout= conflict-exit-code= "
		 "verbose",
	.special = flock_command,
};

/* script -c TEXT FILE: runs the text and writes the typescript. */
static void script_command(struct run *run)
{
	if (run->n_operands == 0)
		run_effect_fixed(run, EFFECT_WRITE, "typescript");
	if (!run->out->nested)
		run_open(run, "script without -c starts a shell on its input");
}

MODEL(script) = {
	.name = "script",
	.shorts = "aefqE:m:t::",
	.longs = "append echo= return flush force logging-format= quiet timing?=",
	.options = OPTIONS{ { "c", "command", REQUIRED, SHELL_TEXT },
		{ "IOBT", "log-in log-out log-io log-timing", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE },
		{ "o", "output-limit", REQUIRED, IGNORE }, { 0 } },
	.rules = RULES{ { EACH, EFFECT_WRITE }, { END } },
	.special = script_command,
};

/* strace -o '|COMMAND' and '!COMMAND' run a command. */
static void strace_output(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (!value->is_static || bytes_start(value->text, "|") || bytes_start(value->text, "!"))
		run_open(run, "strace -o runs a command");
	else
		run_effect(run, EFFECT_WRITE, value);
}

MODEL(strace) = {
	.name = "strace",
	.syntax = POSIX_ORDER | PARTIAL,
	.shorts = "cCDdfFhiknNqrtTvVwxyYza:A:b:e:I:s:S:u:U:X:P:",
	.longs = "trace= signal= read= write= fault= status= seccomp-bpf follow-forks summary "
		 "summary-only summary-wall-clock string-limit= decode-fds?= no-abbrev",
	.options = OPTIONS{ { "p", "attach", REQUIRED, EFFECT_OF_VALUE, EFFECT_ATTACH },
		{ "o", "output", REQUIRED, CALL },
		{ "E", "env", REQUIRED, REFUSE, .text = "-E sets the environment" }, { 0 } },
	.option = strace_output,
	.wrapping = WRAPPING{ .skip = 0 },
};

MODEL(ltrace) = {
	.name = "ltrace",
	.syntax = POSIX_ORDER | PARTIAL,
	.shorts = "cCfirStTa:e:l:n:s:x:u:",
	.options = OPTIONS{ { "p", NULL, REQUIRED, EFFECT_OF_VALUE, EFFECT_ATTACH },
		{ "o", "output", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, { 0 } },
	.wrapping = WRAPPING{ .skip = 0 },
};

/* busybox APPLET …: vouched for only where the applet reads its options as the program of that name does. */
static void busybox_command(struct run *run)
{
	static const struct wrapping wrapping = { 0 };

	if (run->n_operands &&
		!(run->operands[0].is_static &&
			in_list(run->operands[0].text,
				"ls cat echo head tail wc grep sort uniq cut tr df du ps date uname sleep "
				"true false test pwd mkdir rm cp mv touch sh ash find sed xargs basename "
				"dirname env printf id whoami hostname seq which stat free uptime")))
		run_open(run, "this applet of busybox is not known to the gate");
	run_wrapping(run, &wrapping);
}

MODEL(busybox) = {
	.name = "busybox",
	.syntax = POSIX_ORDER,
	.longs = "list list-full",
	.special = busybox_command,
};

/* GNU parallel: the command may hold replacement strings, and is read by a shell. */
static void parallel_command(struct run *run)
{
	uint32_t n = 0;
	struct bytes text;

	while (n < run->n_operands &&
		!(run->operands[n].is_static && bytes_start(run->operands[n].text, ":::")))
		n++;
	run->out->stdin_role = STDIN_ARGUMENTS;
	if (n == 0 || !run_join_args(run, run->operands, n, &text)) {
		run_open(run, "parallel runs commands that are not known before they run");
		return;
	}
	run_nested_text(run, text, DIALECT_POSIX);
	run_open(run, "parallel puts arguments into a shell's text");
}

MODEL(parallel) = {
	.name = "parallel",
	.syntax = POSIX_ORDER | PARTIAL,
	.shorts = "j:kn:N:P:I:tvX0",
	.longs = "jobs= keep-order halt= bar eta dry-run null will-cite no-notice",
	.special = parallel_command,
};
