/* SPDX-License-Identifier: Apache-2.0 */
/* Processes and the state of the machine: ps, kill, lsof, free, uname, date, env's printing half … */
#include "worker/commands/model.h"

#define STATUS RULES{ { ALWAYS, EFFECT_STATUS }, { END } }

/* ps e, ps auxe and a format with "environ" show the environments of processes; -e does not (ps(1) "OUTPUT FORMAT
 * CONTROL", "STANDARD FORMAT SPECIFIERS"). */
static bool shows_format(const struct arg *option)
{
	return in_list(option->text, "-o -O o O --format");
}

static void ps_reader(struct run *run)
{
	for (uint32_t i = 0; i < run->argc; i++) {
		const struct arg *a = &run->argv[i];
		bool value = i > 0 && run->argv[i - 1].is_static &&
			in_list(run->argv[i - 1].text,
				"-o -O -p -C -u -U -g -G -t -s -q --pid --ppid --sort --format --user "
				"--group o p U O");

		if (bytes_find(a->text, "environ"))
			run_effect_fixed(run, EFFECT_PRINT_ENVIRONMENT, NULL);
		if (value ? !shows_format(&run->argv[i - 1]) : bytes_start(a->text, "-") && a->text.len > 1)
			continue;
		if (!a->is_static)
			run_open(run, "what ps shows is not known before it runs");
		else if (!value && a->text.len && ((a->text.p[0] | 0x20) >= 'a' && (a->text.p[0] | 0x20) <= 'z') &&
			bytes_char(a->text, 'e') && !bytes_char(a->text, ','))
			run_effect_fixed(run, EFFECT_PRINT_ENVIRONMENT, NULL);
	}
	run_effect_fixed(run, EFFECT_STATUS, NULL);
}

MODEL(ps) = { .name = "ps", .reader = ps_reader };

/* Behind sudo a signal reaches what others run. */
static void check_owner(struct run *run)
{
	if (run->invocation->privileged)
		run_open(run, "%s behind sudo signals what others run", run->model->name);
}

/* The process that a word means to kill(2): 01 and " +1" are 1 to strtol(3). */
static bool is_process(const struct arg *a, int wanted)
{
	struct bytes b = a->text;
	bool minus;
	size_t i = 0;
	int n = 0;

	while (i < b.len && (b.p[i] == ' ' || b.p[i] == '\t' || b.p[i] == '\n'))
		i++;
	minus = i < b.len && b.p[i] == '-';
	if (i < b.len && (b.p[i] == '-' || b.p[i] == '+'))
		i++;
	if (i == b.len || !a->is_static)
		return false;
	for (; i < b.len && b.p[i] >= '0' && b.p[i] <= '9'; i++)
		n = n > 9 ? n : n * 10 + b.p[i] - '0';
	while (i < b.len && (b.p[i] == ' ' || b.p[i] == '\t' || b.p[i] == '\n'))
		i++;
	return i == b.len && (minus ? -n : n) == wanted;
}

static bool all_are_known(const struct run *run)
{
	for (uint32_t i = 0; i < run->argc; i++)
		if (!run->argv[i].is_static && !(run->argv[i].flags & WORD_PROCESS))
			return false;
	return true;
}

/* kill [-SIGNAL] PID…: -1 is every process one may signal, 0 the own group, 1 the system itself. */
static void kill_reader(struct run *run)
{
	uint32_t at = 0;

	if (run->argc && run->argv[0].is_static &&
		(bytes_start(run->argv[0].text, "-l") || bytes_start(run->argv[0].text, "-L"))) {
		run_effect_fixed(run, EFFECT_STATUS, NULL);
		return;
	}
	/* Signal 0 only asks whether it is there (kill(2)). */
	if (run->argc && arg_is(&run->argv[0], "-0") && run->argc > 1) {
		run_effect_fixed(run, EFFECT_STATUS, NULL);
		return;
	}
	if (run->argc && arg_is(&run->argv[0], "-1") && run->argc == 1) {
		run_effect_fixed(run, EFFECT_SIGNAL_ALL, NULL);
		return;
	}
	/* Whoever that is, it is open already where nobody knows which process is meant. */
	if (all_are_known(run))
		check_owner(run);
	while (at < run->argc && run->argv[at].is_static && bytes_start(run->argv[at].text, "-") &&
		!arg_is(&run->argv[at], "--")) {
		bool takes = in_list(run->argv[at].text, "-s -n --signal -q --timeout");
		int second = bytes_at(run->argv[at].text, 1);

		/* The first is the signal; one more with a dash is a process group or every process. */
		if (at > 0 && !takes && second >= '0' && second <= '9')
			break;
		at += takes ? 2 : 1;
	}
	if (at < run->argc && arg_is(&run->argv[at], "--"))
		at++;
	for (; at < run->argc; at++) {
		const struct arg *a = &run->argv[at];

		if (is_process(a, -1))
			run_effect_fixed(run, EFFECT_SIGNAL_ALL, NULL);
		else if (is_process(a, 0))
			run_open(run, "the process group of 0 is the one of the shell itself");
		else if (is_process(a, 1))
			run_effect_fixed(run, EFFECT_POWER, NULL);
		else
			run_effect(run, EFFECT_SIGNAL, a);
	}
}

MODEL(kill) = { .name = "kill", .reader = kill_reader };

/* A pattern that fits every name. */
static bool fits_all(struct bytes p)
{
	for (size_t i = 0; i < p.len; i++)
		if (!strchr(".*^$+?[]|()/", p.p[i]))
			return false;
	return true;
}

static bool names_sessions(struct bytes p)
{
	return in_list(p, "sh bash zsh dash fish ksh tmux screen sshd systemd login init");
}

bool chooses_sessions(struct bytes pattern)
{
	return fits_all(pattern) || names_sessions(pattern);
}

static void pkill_command(struct run *run)
{
	check_owner(run);
	if (run->n_operands == 0)
		run_effect_fixed(run, EFFECT_SIGNAL_ALL, NULL);
	for (uint32_t i = 0; i < run->n_operands; i++)
		if (run->operands[i].is_static && fits_all(run->operands[i].text))
			run_effect_fixed(run, EFFECT_SIGNAL_ALL, NULL);
		else if (names_sessions(run->operands[i].text))
			run_open(run, "%s ends shells and sessions", run->model->name);
		else
			run_effect(run, EFFECT_SIGNAL, &run->operands[i]);
}

/* The signal may be given by name or number behind one dash; of letters that are options the program says more. */
#define SIGNAL_LETTERS "ABCDEHJKLMNOQRSTVWXY0123456789"
MODEL(pkill) = {
	.name = "pkill",
	.syntax = PARTIAL,
	.shorts = "efinoxcahd:F:g:G:P:s:t:u:U:q:r:IZ" SIGNAL_LETTERS,
	.special = pkill_command,
	.longs = "signal= echo full ignore-case newest oldest exact count pidfile= pgroup= "
		 "group= parent= session= terminal= euid= uid= older=",
	.options = OPTIONS{ { "v", "inverse", NOTHING, EFFECT_FIXED, EFFECT_SIGNAL_ALL }, { 0 } },
};
MODEL(killall) = {
	.name = "killall",
	.syntax = PARTIAL,
	.shorts = "egilqrvwy:o:s:u:Z:FGIPU" SIGNAL_LETTERS,
	.special = pkill_command,
	.longs = "exact ignore-case process-group interactive list quiet regexp signal= user= verbose wait "
		 "younger-than= older-than= ns=",
};
MODEL(killall5) = {
	.name = "killall5", .syntax = NO_OPTIONS, .rules = RULES{ { ALWAYS, EFFECT_SIGNAL_ALL }, { END } }
};
MODEL(pgrep) = {
	.name = "pgrep",
	.syntax = ANY_OPTION | PARTIAL,
	.shorts = "acd:flinovwxF:g:G:P:s:t:u:U:r:A",
	.longs = "list-full list-name delimiter= full ignore-case newest oldest inverse exact count parent= "
		 "user= euid= pidfile= older= lightweight",
	.rules = STATUS,
};
MODEL(pidof) = { .name = "pidof", .syntax = ANY_OPTION | PARTIAL, .shorts = "scnqwxo:S:", .rules = STATUS };
MODEL(pstree) = {
	.name = "pstree", .syntax = ANY_OPTION | PARTIAL, .shorts = "aAcCghHGlnNpsStTuUVZ", .rules = STATUS
};
MODEL(top) = { .name = "top",
	.syntax = ANY_OPTION | NO_LONG,
	.shorts = "bcHiISsd:E:e:n:o:Op:u:U:w::1l:",
	.rules = STATUS };
MODEL(htop) = { .name = "htop", .syntax = PARTIAL, .refuse = "waits for keys, which can signal processes" };
MODEL(lsof) = {
	.name = "lsof",
	.syntax = ANY_OPTION | PARTIAL | PLUS,
	.shorts = "abChKlnNOPRtUvVXwi::p:u:c:d:D:f:F::g::o:r::s::S::T::x::z::Z::",
	.rules = STATUS,
};
/* Whoever has a port open is a server; a file or a directory is held by the shell and the agent themselves. */
static void fuser_command(struct run *run)
{
	run_effect_fixed(run, EFFECT_STATUS, NULL);
	if (!(run->bits & 1))
		return;
	run_effect_fixed(run, EFFECT_SIGNAL, "users of a file or port");
	for (uint32_t i = 0; i < run->n_operands; i++) {
		struct bytes name = run->operands[i].text;

		if (!(run->bits & 2) &&
			!(run->operands[i].is_static && (bytes_end(name, "/tcp") || bytes_end(name, "/udp")) &&
				name.len > 4 && name.p[0] >= '0' && name.p[0] <= '9'))
			run_open(run, "fuser -k ends every process that has a file in use");
	}
}

static void fuser_option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (value->is_static && in_list(value->text, "tcp udp"))
		run->bits |= 2;
}

MODEL(fuser) = {
	.name = "fuser",
	.syntax = PARTIAL,
	.shorts = "acfilsuv",
	.longs = "all verbose user",
	.special = fuser_command,
	.option = fuser_option,
	.options = OPTIONS{ { "k", "kill", NOTHING, IGNORE, .set = 1 },
		{ "n", "namespace", REQUIRED, CALL },
		{ "mM", "mount ismountpoint", NOTHING, IGNORE, .set = 0 }, { 0 } },
};
MODEL(free) = { .name = "free",
	.syntax = ANY_OPTION,
	.shorts = "bkmghltwvs:c:L",
	.longs = "bytes kilo mega giga tera peta kibi mebi gibi tebi pebi human si lohi line total seconds= "
		 "count= wide committed",
	.rules = STATUS };
MODEL(uptime) = { .name = "uptime",
	.syntax = ANY_OPTION,
	.shorts = "pshrc",
	.longs = "pretty since container raw",
	.rules = STATUS };
MODEL(w) = { .name = "w",
	.syntax = ANY_OPTION,
	.shorts = "hufsiopV",
	.longs = "no-header no-current short from old-style ip-addr pids",
	.rules = STATUS };
MODEL(who) = { .name = "who",
	.syntax = ANY_OPTION | PARTIAL,
	.shorts = "abdHlmpqrstTuw",
	.longs = "all boot dead heading login count short users mesg lookup",
	.rules = STATUS };
MODEL(last) = { .name = "last",
	.syntax = ANY_OPTION | NUMBER | PARTIAL,
	.shorts = "adFiRwxn:s:t:p:f:",
	.rules = STATUS };
MODEL(id) = { .name = "id",
	.syntax = ANY_OPTION,
	.shorts = "aZgGnruz",
	.longs = "context group groups name real user zero",
	.rules = STATUS };
MODEL(whoami) = { .name = "whoami", .rules = STATUS };
MODEL(groups) = { .name = "groups", .rules = STATUS };
MODEL(users) = { .name = "users", .rules = STATUS };
MODEL(logname) = { .name = "logname", .rules = STATUS };
MODEL(tty) = { .name = "tty", .shorts = "s", .longs = "silent quiet", .rules = STATUS };
MODEL(uname) = {
	.name = "uname",
	.syntax = ANY_OPTION,
	.shorts = "asnrvmpio",
	.longs = "all kernel-name nodename kernel-release kernel-version machine processor hardware-platform "
		 "operating-system",
	.rules = STATUS,
};
MODEL(arch) = { .name = "arch", .rules = STATUS };
MODEL(nproc) = { .name = "nproc", .syntax = ANY_OPTION, .longs = "all ignore=", .rules = STATUS };
MODEL(lscpu) = { .name = "lscpu",
	.syntax = ANY_OPTION | PARTIAL,
	.shorts = "abBcCeJpxy",
	.longs = "all json extended?= parse?= online caches?=",
	.rules = STATUS };
MODEL(lsblk) = { .name = "lsblk",
	.syntax = ANY_OPTION | PARTIAL,
	.shorts = "aAbdDe:fI:iJlMmnNo:OpPrsStTvw:x:zE:",
	.longs = "all bytes json fs list output= paths nodeps noheadings tree?= output-all",
	.rules = STATUS };
MODEL(lspci) = {
	.name = "lspci", .syntax = ANY_OPTION | NO_LONG, .shorts = "vnxbDkPtqQmMgGd:s:i:A:", .rules = STATUS
};
MODEL(lsusb) = { .name = "lsusb", .syntax = ANY_OPTION | PARTIAL, .shorts = "vts:d:D:", .rules = STATUS };
MODEL(lsmod) = { .name = "lsmod", .rules = STATUS };
MODEL(modinfo) = {
	.name = "modinfo", .syntax = ANY_OPTION | PARTIAL, .shorts = "F:k:0adlpn", .rules = STATUS
};
MODEL(lshw) = { .name = "lshw",
	.syntax = ONE_DASH | PARTIAL,
	.longs = "short json html xml businfo sanitize numeric quiet class= C= c= disable=",
	.rules = STATUS };
MODEL(dmidecode) = { .name = "dmidecode",
	.syntax = PARTIAL,
	.shorts = "qs:t:",
	.longs = "type= string= quiet",
	.rules = STATUS };
MODEL(vmstat) = {
	.name = "vmstat", .syntax = ANY_OPTION | PARTIAL, .shorts = "adfimnstwS:p:D", .rules = STATUS
};
MODEL(iostat) = {
	.name = "iostat", .syntax = ANY_OPTION | PARTIAL, .shorts = "cdhkmNpstxyz", .rules = STATUS
};
MODEL(mpstat) = {
	.name = "mpstat", .syntax = ANY_OPTION | PARTIAL, .shorts = "AnuTVP:I:N:o:", .rules = STATUS
};
MODEL(nvidia_smi) = {
	.name = "nvidia-smi",
	.syntax = NO_ABBREVIATION | PARTIAL,
	.shorts = "Li:qxl:d:",
	.longs = "list-gpus query-gpu= query-compute-apps= format= id= loop= loop-ms= query display= "
		 "xml-format",
	.rules = STATUS,
};
MODEL(getconf) = { .name = "getconf", .syntax = ANY_OPTION | NO_LONG, .shorts = "av:", .rules = STATUS };
MODEL(locale) = { .name = "locale", .syntax = ANY_OPTION | PARTIAL, .shorts = "amck", .rules = STATUS };
MODEL(lsb_release) = { .name = "lsb_release",
	.syntax = ANY_OPTION,
	.shorts = "vidrcas",
	.longs = "version id description release codename all short",
	.rules = STATUS };
MODEL(sw_vers) = { .name = "sw_vers", .syntax = NO_OPTIONS, .rules = STATUS };
MODEL(stty) = {
	.name = "stty", .syntax = NO_OPTIONS, .rules = RULES{ { ALWAYS, EFFECT_SHELL_STATE }, { END } }
};
MODEL(tput) = { .name = "tput",
	.syntax = ANY_OPTION | PARTIAL,
	.shorts = "T:Sx",
	.rules = RULES{ { ALWAYS, EFFECT_PURE }, { END } } };
MODEL(clear) = { .name = "clear",
	.syntax = PARTIAL,
	.shorts = "xT:",
	.rules = RULES{ { ALWAYS, EFFECT_PURE }, { END } } };
MODEL(reset) = { .name = "reset", .rules = RULES{ { ALWAYS, EFFECT_PURE }, { END } } };
/* A name with a slash, or -l, is a file that is shown. */
static void man_command(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++)
		if (!run->operands[i].is_static || bytes_char(run->operands[i].text, '/') || (run->bits & 1))
			run_effect(run, EFFECT_READ, &run->operands[i]);
	run_effect_fixed(run, EFFECT_PURE, NULL);
}

MODEL(man) = {
	.name = "man",
	.syntax = PARTIAL,
	.special = man_command,
	.shorts = "afkwWdDiIu7s:S:e:M:m:E:L:",
	.longs = "apropos whatis where path all sections= locale= no-hyphenation no-justification",
	.options = OPTIONS{ { "P", "pager", REQUIRED, REFUSE, .text = "-P runs a program" },
		{ "HTXZ", "html browser gxditview troff-device ditroff", OPTIONAL, REFUSE,
			.text = "runs a program" },
		{ "C", "config-file", REQUIRED, REFUSE, .text = "-C takes another configuration" },
		{ "l", "local-file", NOTHING, IGNORE, .set = 1 },
		{ "t", "troff preprocessor", NOTHING, REFUSE, .text = "runs troff" }, { 0 } },
};
MODEL(tldr) = { .name = "tldr",
	.syntax = PARTIAL,
	.shorts = "p:L:",
	.rules = RULES{ { ALWAYS, EFFECT_PURE }, { END } } };
MODEL(apropos) = { .name = "apropos",
	.syntax = PARTIAL,
	.shorts = "des:rwa",
	.rules = RULES{ { ALWAYS, EFFECT_PURE }, { END } } };
MODEL(whatis) = { .name = "whatis",
	.syntax = PARTIAL,
	.shorts = "ds:rw",
	.rules = RULES{ { ALWAYS, EFFECT_PURE }, { END } } };

/* dmesg -C and -c empty the kernel's log. */
MODEL(dmesg) = {
	.name = "dmesg",
	.syntax = PARTIAL,
	.shorts = "dehHJkLprSTtuwWxf:l:s:",
	.rules = STATUS,
	.longs = "color?= ctime facility= follow human json kernel level= nopager raw reltime since= "
		 "time-format= until= userspace decode",
	.options = OPTIONS{ { "cC", "clear read-clear", NOTHING, EFFECT_FIXED, EFFECT_AUDIT_OFF,
				    .text = "kernel log" },
		{ "DEn", "console-off console-on", NOTHING, REFUSE, .text = "changes the console" },
		{ "F", "file", REQUIRED, EFFECT_OF_VALUE, EFFECT_READ }, { 0 } },
};

/* date MMDDhhmm and date -s set the clock; +FORMAT prints. */
static void date_command(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++) {
		if (bytes_start(run->operands[i].text, "+"))
			continue;
		if (run->operands[i].is_static)
			run_effect_fixed(run, EFFECT_CLOCK, NULL);
		else
			run_open(run, "date gets a word that may set the clock");
	}
	run_effect_fixed(run, EFFECT_PURE, NULL);
}

MODEL(date) = {
	.name = "date",
	.shorts = "d:I::jnRuv:z:",
	.longs = "date= iso-8601?= rfc-email rfc-2822 rfc-3339= utc universal debug resolution",
	.special = date_command,
	.options = OPTIONS{ { "s", "set", REQUIRED, EFFECT_FIXED, EFFECT_CLOCK },
		{ "f", "file", REQUIRED, EFFECT_OF_VALUE, EFFECT_READ },
		{ "r", "reference", REQUIRED, IGNORE }, { 0 } },
};
MODEL(hwclock) = {
	.name = "hwclock",
	.syntax = PARTIAL,
	.shorts = "ruv",
	.longs = "show get utc localtime verbose",
	.rules = STATUS,
	.options = OPTIONS{ { "wsaS", "set hctosys systohc systz adjust setepoch predict param-set", NOTHING,
				    EFFECT_FIXED, EFFECT_CLOCK },
		{ NULL, "date", REQUIRED, IGNORE }, { 0 } },
};
MODEL(ntpdate) = {
	.name = "ntpdate", .syntax = NO_OPTIONS, .rules = RULES{ { ALWAYS, EFFECT_CLOCK }, { END } }
};

/* printenv NAME shows one variable; without names, all of them. */
static void printenv_command(struct run *run)
{
	if (run->n_operands == 0)
		run_effect_fixed(run, EFFECT_PRINT_ENVIRONMENT, NULL);
	for (uint32_t i = 0; i < run->n_operands; i++)
		if (!run->operands[i].is_static)
			run_effect_fixed(run, EFFECT_PRINT_ENVIRONMENT, NULL);
		else
			run_effect(run,
				variable_is_secret(run->operands[i].text) ? EFFECT_PRINT_CREDENTIAL
									  : EFFECT_PRINT_VARIABLE,
				&run->operands[i]);
}

MODEL(printenv) = { .name = "printenv", .shorts = "0", .longs = "null", .special = printenv_command };

/* hostname NAME sets it. */
static void hostname_command(struct run *run)
{
	if (run->n_operands)
		run_effect(run, EFFECT_MACHINE_SETTING, &run->operands[0]);
	else
		run_effect_fixed(run, EFFECT_STATUS, NULL);
}

MODEL(hostname) = {
	.name = "hostname",
	.syntax = PARTIAL,
	.shorts = "aAdfiIsy",
	.longs = "alias all-fqdns domain fqdn long ip-address all-ip-addresses short nis yp",
	.special = hostname_command,
	.options = OPTIONS{ { "F", "file", REQUIRED, EFFECT_FIXED, EFFECT_SYSTEM_CHANGE, .text = "hostname" },
		{ 0 } },
};
