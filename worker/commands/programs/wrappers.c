/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that run another one: what they take for themselves, and where the inner command begins. Sources:
 * the manual page of each. Privilege (sudo, doas, su) is no effect of its own: the inner command is judged.
 */
#include "worker/commands/model.h"

static bool is_assignment(const struct arg *a)
{
	size_t i = 0;

	while (i < a->text.len &&
		(a->text.p[i] == '_' || (a->text.p[i] >= 'a' && a->text.p[i] <= 'z') ||
			(a->text.p[i] >= 'A' && a->text.p[i] <= 'Z') ||
			(i > 0 && a->text.p[i] >= '0' && a->text.p[i] <= '9')))
		i++;
	return i > 0 && i < a->text.len && a->text.p[i] == '=';
}

/* The text that a shell of the wrapper's own gets: its words, joined by blanks. */
static void joined(struct run *run, const struct wrapping *w, uint32_t from)
{
	struct nested *n;
	struct bytes text;

	if (!run_join_args(run, run->operands + from, run->n_operands - from, &text)) {
		run_open(run, "the command that %s runs is not known before it runs", run->model->name);
		return;
	}
	n = run_nested_text(run, text, DIALECT_POSIX);
	if (n)
		n->where = w->where;
}

static const struct word *link_assigns(struct run *run, uint32_t from, uint32_t to)
{
	struct word *first = NULL, **end = &first;

	for (uint32_t i = from; i < to; i++) {
		struct word *copy = run_alloc(run, sizeof(*copy));

		if (!copy)
			return NULL;
		*copy = *run->operands[i].word;
		copy->next = NULL;
		*end = copy;
		end = &copy->next;
	}
	return first;
}

void run_wrapping(struct run *run, const struct wrapping *w)
{
	uint32_t at = w->skip, first_assign;
	struct nested *n;

	if (run->bits & w->unless)
		return;
	run->out->wrapper = true;
	if (w->effect)
		run_effect_fixed(run, w->effect, NULL);
	first_assign = at;
	while (w->assigns && at < run->n_operands && is_assignment(&run->operands[at]))
		at++;
	if (at >= run->n_operands) {
		if (w->bare)
			run_open(run, "%s %s", run->model->name, w->bare);
		if (at > first_assign && at <= run->n_operands) {
			run->out->assigns = link_assigns(run, first_assign, at);
			run->out->n_assigns = at - first_assign;
		}
		return;
	}
	if (w->joined) {
		joined(run, w, at);
		return;
	}
	n = run_nested_words(run, run->operands + at, run->n_operands - at);
	if (!n)
		return;
	n->where = w->where;
	n->invocation.standalone = !w->keeps_shell;
	n->invocation.privileged = run->invocation->privileged ||
		in_list(bytes_str(run->model->name), "sudo doas su runuser pkexec");
	n->invocation.appended = w->appended || run->invocation->appended;
	n->invocation.assigns = link_assigns(run, first_assign, at);
}

/* env -S: the value is split into words as a shell would, but for escapes, variables and comments; with any
 * of those, or anything that a shell would read otherwise, it is open. */
static void split_string(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	run->bits |= 1;
	for (size_t i = 0; i < value->text.len; i++)
		if (strchr("\\$#;&|<>()`*?[~!{}\n", value->text.p[i])) {
			run_open(run, "env -S gets a text that the gate does not read");
			return;
		}
	if (!value->is_static)
		run_open(run, "env -S gets a text that is not known before it runs");
	else
		run_nested_text(run, value->text, DIALECT_POSIX);
}

static void env_command(struct run *run)
{
	static const struct wrapping wrapping = { .assigns = true };

	if (run->bits & 1) {
		/* With -S the remaining words are arguments of the text's command. */
		if (run->n_operands)
			run_open(run, "env -S with further arguments is not known to the gate");
		return;
	}
	if (run->n_operands == 0) {
		run_effect_fixed(run, EFFECT_PRINT_ENVIRONMENT, NULL);
		return;
	}
	run_wrapping(run, &wrapping);
	if (!run->out->nested)
		run_effect_fixed(run, EFFECT_PRINT_ENVIRONMENT, NULL);
}

MODEL(env) = {
	.name = "env",
	.syntax = POSIX_ORDER,
	.shorts = "i0vu:",
	.longs = "ignore-environment null unset= debug block-signal?= default-signal?= "
		 "ignore-signal?= list-signal-handling",
	.options = OPTIONS{ { "S", "split-string", REQUIRED, CALL }, { "C", "chdir", REQUIRED, DIRECTORY },
		{ 0 } },
	.option = split_string,
	.special = env_command,
};

/* A user by number: one that overflows becomes root behind the rules of sudoers (CVE-2019-14287). */
static void sudo_user(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (value->is_static && bytes_start(value->text, "#"))
		run_open(run, "sudo takes a user by number");
}

/* sudo -s and -i start a shell; with words behind them, that shell runs these. */
static void sudo_command(struct run *run)
{
	static const struct wrapping wrapping = { .assigns = true };

	run_wrapping(run, &wrapping);
	if ((run->bits & 1) && !run->out->nested)
		run_program_from_stdin(run, true, DIALECT_BASH);
}

MODEL(sudo) = {
	.name = "sudo",
	.syntax = POSIX_ORDER,
	.shorts = "AbBEHknNPSa:C:c:g:h:p:r:t:T:U:",
	.longs = "askpass background bell preserve-env?= set-home reset-timestamp non-interactive no-update "
		 "preserve-groups stdin auth-type= close-from= login-class= group= host= prompt= role= type= "
		 "command-timeout= other-user=",
	.options = OPTIONS{ { "lvKV", "list validate remove-timestamp version", NOTHING, IGNORE },
		{ "s", "shell", NOTHING, IGNORE, .set = 1 }, { "i", "login", NOTHING, IGNORE, .set = 1 },
		{ "u", "user", REQUIRED, CALL }, { "e", "edit", NOTHING, REFUSE, .text = "-e edits files" },
		{ "R", "chroot", REQUIRED, REFUSE, .text = "-R changes the root directory" },
		{ "D", "chdir", REQUIRED, DIRECTORY }, { 0 } },
	.special = sudo_command,
	.option = sudo_user,
};

MODEL(doas) = {
	.name = "doas",
	.syntax = POSIX_ORDER | NO_LONG,
	.shorts = "nLu:a:",
	.options = OPTIONS{ { "s", NULL, NOTHING, REFUSE, .text = "-s starts a shell" },
		{ "C", NULL, REQUIRED, REFUSE, .text = "-C reads another configuration" }, { 0 } },
	.wrapping = WRAPPING{ .bare = "without a command does nothing" },
};

/* su -c TEXT [USER]: the text is read by the user's login shell. */
static void su_command(struct run *run)
{
	if (!run->out->nested && !run->out->open)
		run_open(run, "su without -c starts a shell on its input");
}

MODEL(su) = {
	.name = "su",
	.shorts = "lmpPTg:G:w:",
	.longs = "login preserve-environment pty no-pty group= supp-group= whitelist-environment=",
	.options = OPTIONS{ { "c", "command session-command", REQUIRED, SHELL_TEXT },
		{ "s", "shell", REQUIRED, REFUSE, .text = "-s names another shell" },
		{ "f", "fast", NOTHING, IGNORE }, { 0 } },
	.special = su_command,
};

static void runuser_command(struct run *run)
{
	static const struct wrapping wrapping = { .bare = "starts a shell on its input" };

	if (run->bits & 1)
		run_wrapping(run, &wrapping);
	else
		su_command(run);
}

MODEL(runuser) = {
	.name = "runuser",
	.syntax = POSIX_ORDER,
	.shorts = "lmpPg:G:w:",
	.longs = "login group= supp-group= whitelist-environment= pty",
	.options = OPTIONS{ { "c", "command session-command", REQUIRED, SHELL_TEXT },
		{ "u", "user", REQUIRED, IGNORE, .set = 1 },
		{ "s", "shell", REQUIRED, REFUSE, .text = "-s names another shell" }, { 0 } },
	.special = runuser_command,
};

MODEL(setpriv) = {
	.name = "setpriv",
	.syntax = POSIX_ORDER | PARTIAL,
	.shorts = "d",
	.longs = "reuid= regid= init-groups clear-groups keep-groups no-new-privs reset-env dump inh-caps= "
		 "ambient-caps= bounding-set= groups= pdeathsig=",
	.wrapping = WRAPPING{ .skip = 0 },
};

MODEL(nice) = {
	.name = "nice",
	.syntax = POSIX_ORDER | NUMBER,
	.shorts = "n:",
	.longs = "adjustment=",
	.wrapping = WRAPPING{ .skip = 0 },
};

MODEL(ionice) = {
	.name = "ionice",
	.syntax = POSIX_ORDER,
	.shorts = "c:n:p:P:u:t",
	.longs = "class= classdata= pid= pgid= uid= ignore",
	.wrapping = WRAPPING{ .skip = 0 },
};

MODEL(chrt) = {
	.name = "chrt",
	.syntax = POSIX_ORDER,
	.shorts = "abdefimorRvpT:P:D:",
	.longs = "batch deadline fifo idle other rr reset-on-fork all-tasks max pid verbose sched-runtime= "
		 "sched-period= sched-deadline=",
	.wrapping = WRAPPING{ .skip = 1 },
};

MODEL(taskset) = {
	.name = "taskset",
	.syntax = POSIX_ORDER,
	.shorts = "acp",
	.longs = "all-tasks cpu-list pid",
	.wrapping = WRAPPING{ .skip = 1 },
};

MODEL(timeout) = {
	.name = "timeout",
	.syntax = POSIX_ORDER,
	.shorts = "fk:s:v",
	.longs = "foreground kill-after= preserve-status signal= verbose",
	.wrapping = WRAPPING{ .skip = 1 },
};

MODEL(stdbuf) = {
	.name = "stdbuf",
	.syntax = POSIX_ORDER,
	.shorts = "i:o:e:",
	.longs = "input= output= error=",
	.wrapping = WRAPPING{ .skip = 0 },
};

MODEL(nohup) = {
	.name = "nohup",
	.syntax = POSIX_ORDER,
	.wrapping = WRAPPING{ .effect = EFFECT_BACKGROUND },
};

MODEL(setsid) = {
	.name = "setsid",
	.syntax = POSIX_ORDER,
	.shorts = "cfw",
	.longs = "ctty fork wait",
	.wrapping = WRAPPING{ .effect = EFFECT_BACKGROUND },
};

/* time(1); the keyword is the parser's. */
/* The format is printed, but for what it has the figures put in for. */
static void time_format(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	run->out->shows_words = run->out->shows_words || !value->is_static;
}

MODEL(time) = {
	.name = "time",
	.syntax = POSIX_ORDER,
	.shorts = "apqv",
	.longs = "append portability quiet verbose",
	.option = time_format,
	.options = OPTIONS{ { "f", "format", REQUIRED, CALL },
		{ "o", "output", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, { 0 } },
	.wrapping = WRAPPING{ .skip = 0 },
};

MODEL(command) = {
	.name = "command",
	.syntax = POSIX_ORDER | NO_LONG | SHELL_ONLY,
	.shorts = "p",
	.options = OPTIONS{ { "vV", NULL, NOTHING, IGNORE, .set = 1 }, { 0 } },
	.wrapping = WRAPPING{ .keeps_shell = true, .unless = 1 },
};

MODEL(builtin) = {
	.name = "builtin",
	.syntax = POSIX_ORDER | NO_LONG | SHELL_ONLY,
	.wrapping = WRAPPING{ .keeps_shell = true },
};

/* Without a command only redirections of the shell remain: the caller sees them. */
MODEL(exec) = {
	.name = "exec",
	.syntax = POSIX_ORDER | NO_LONG | SHELL_ONLY,
	.shorts = "cla:",
	.wrapping = WRAPPING{ .skip = 0 },
};

/* The program that runs is the one of that name below the new root. */
static void chroot_command(struct run *run)
{
	if (run->n_operands && !arg_is(&run->operands[0], "/"))
		run_effect(run, EFFECT_EXECUTE, &run->operands[0]);
}

MODEL(chroot) = {
	.name = "chroot",
	.syntax = POSIX_ORDER,
	.special = chroot_command,
	.longs = "groups= userspec= skip-chdir",
	.wrapping = WRAPPING{ .skip = 1, .where = NESTED_ROOT, .bare = "starts a shell on its input" },
};

MODEL(unshare) = {
	.name = "unshare",
	.syntax = POSIX_ORDER | PARTIAL,
	.shorts = "rcfmuipnUCTw:S:G:",
	.longs = "map-root-user map-current-user map-auto fork mount?= uts?= ipc?= pid?= net?= user?= "
		 "cgroup?= time?= mount-proc?= kill-child?= keep-caps setuid= setgid= wd= setgroups= "
		 "propagation=",
	.options = OPTIONS{ { "R", "root", REQUIRED, REFUSE, .text = "changes the root directory" }, { 0 } },
	.wrapping = WRAPPING{ .where = NESTED_ELSEWHERE, .bare = "starts a shell on its input" },
};

MODEL(nsenter) = {
	.name = "nsenter",
	.syntax = POSIX_ORDER,
	.shorts = "at:m::u::i::n::p::U::C::T::S:G:FZ",
	.longs = "all target= mount?= uts?= ipc?= net?= pid?= user?= cgroup?= time?= setuid= setgid= no-fork "
		 "preserve-credentials follow-context",
	.options = OPTIONS{ { "r", "root", OPTIONAL, REFUSE, .text = "changes the root directory" },
		{ "w", "wd wdns", OPTIONAL, REFUSE, .text = "changes the directory" }, { 0 } },
	.wrapping = WRAPPING{ .where = NESTED_ELSEWHERE, .bare = "starts a shell on its input" },
};

MODEL(systemd_run) = {
	.name = "systemd-run",
	.syntax = POSIX_ORDER | PARTIAL,
	.shorts = "tPqGdru:",
	.longs =
		"user system scope unit= description= slice= slice-inherit remain-after-exit send-sighup "
		"service-type= uid= gid= nice= pty pipe quiet wait collect same-dir no-block no-ask-password",
	.options = OPTIONS{ { "S", "shell", NOTHING, REFUSE, .text = "starts a shell" },
		{ "p", "property", REQUIRED, REFUSE, .text = "sets a property of the unit" },
		{ "HM", "host machine", REQUIRED, REFUSE, .text = "runs on another machine" },
		{ "E", "setenv", REQUIRED, REFUSE, .text = "sets the environment" },
		{ NULL,
			"on-active on-boot on-startup on-unit-active on-unit-inactive on-calendar "
			"on-clock-change on-timezone-change path-property socket-property timer-property",
			REQUIRED, EFFECT_OF_VALUE, EFFECT_SCHEDULE },
		{ NULL, "working-directory", REQUIRED, DIRECTORY }, { 0 } },
	.wrapping = WRAPPING{ .skip = 0, .bare = "without a command is not known to the gate" },
	.refuse = "runs a command outside this session's processes",
};

MODEL(unbuffer) = {
	.name = "unbuffer", .syntax = POSIX_ORDER, .shorts = "p", .wrapping = WRAPPING{ .skip = 0 }
};
MODEL(catchsegv) = { .name = "catchsegv", .syntax = POSIX_ORDER, .wrapping = WRAPPING{ .skip = 0 } };
MODEL(chronic) = {
	.name = "chronic", .syntax = POSIX_ORDER, .shorts = "ev", .wrapping = WRAPPING{ .skip = 0 }
};
MODEL(fakeroot) = { .name = "fakeroot",
	.syntax = POSIX_ORDER | PARTIAL,
	.shorts = "u",
	.wrapping = WRAPPING{ .bare = "starts a shell on its input" } };
MODEL(dbus_run_session) = {
	.name = "dbus-run-session", .syntax = POSIX_ORDER | PARTIAL, .wrapping = WRAPPING{ .skip = 0 }
};
MODEL(xvfb_run) = {
	.name = "xvfb-run",
	.syntax = POSIX_ORDER,
	.shorts = "ahn:lp:s:w:",
	.options = OPTIONS{ { "ef", "error-file auth-file", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, { 0 } },
	.longs = "auto-servernum server-num= listen-tcp xauth-protocol= server-args= "
		 "wait=",
	.wrapping = WRAPPING{ .skip = 0 },
};
MODEL(caffeinate) = { .name = "caffeinate",
	.syntax = POSIX_ORDER | NO_LONG,
	.shorts = "disumt:w:",
	.wrapping = WRAPPING{ .skip = 0 } };
MODEL(pkexec) = { .name = "pkexec",
	.syntax = POSIX_ORDER,
	.longs = "disable-internal-agent user= keep-cwd",
	.wrapping = WRAPPING{ .bare = "starts a shell on its input" } };
