/* SPDX-License-Identifier: Apache-2.0 */
/* Services and their logs: systemctl, service, journalctl, the other *ctl programs, cron and at. */
#include "worker/commands/model.h"

/* Services that guard the machine, or that its owner logs in by. */
static bool guards(struct bytes unit)
{
	static const char names[] =
		"ufw firewalld nftables iptables netfilter-persistent fail2ban crowdsec auditd apparmor "
		"selinux sshguard clamav clamav-daemon clamav-freshclam falcon-sensor ossec wazuh-agent "
		"osqueryd rsyslog syslog syslog-ng systemd-journald ssh sshd tailscaled wg-quick openvpn "
		"polkit mdatp sysmon";
	const char *dot = unit.len ? memrchr(unit.p, '.', unit.len) : NULL;

	if (dot)
		unit.len = (size_t)(dot - unit.p);
	return in_list(unit, names) || bytes_start(unit, "wg-quick@");
}

static void each(struct run *run, enum effect_id effect, enum effect_id on_guard)
{
	for (uint32_t i = 0; i < run->n_operands; i++)
		run_effect(run, guards(run->operands[i].text) ? on_guard : effect, &run->operands[i]);
}

static void stops(struct run *run)
{
	each(run, EFFECT_SERVICE_STOP, EFFECT_SERVICE_GUARD_OFF);
}

static void restarts(struct run *run)
{
	each(run, EFFECT_SERVICE_RESTART, EFFECT_SERVICE_RESTART);
	if (run->n_operands == 0)
		run_effect_fixed(run, EFFECT_STATUS, NULL);
}

static void disables(struct run *run)
{
	each(run, EFFECT_SERVICE_ENABLE, EFFECT_SERVICE_GUARD_OFF);
}

static void enables(struct run *run)
{
	each(run, EFFECT_SERVICE_ENABLE, EFFECT_SERVICE_ENABLE);
	if (run->n_operands == 0)
		run_effect_fixed(run, EFFECT_SERVICE_ENABLE, "all units");
}

#define UNIT_OPTIONS "type= state= property= all recursive reverse after before full value " \
	"show-types job-mode= quiet no-warn no-block wait no-legend no-pager system user plain " \
	"lines= output= failed legend?= with-dependencies no-ask-password timestamp= now runtime " \
	"preset-mode= check-inhibitors= signal= kill-whom= kill-who= global marked"
#define UNIT_SHORTS "t:p:alqn:o:s:fr"
#define STATUS RULES{ { ALWAYS, EFFECT_STATUS }, { END } }

static const struct command_model systemctl[] = {
	{ .name = "status|show|cat|is-active|is-enabled|is-failed|is-system-running|list-units|list-unit-"
		  "files|list-timers|list-sockets|list-jobs|list-dependencies|list-paths|list-automounts|"
		  "list-machines|get-default|help|whoami",
		.syntax = PARTIAL,
		.rules = STATUS },
	{ .name = "show-environment",
		.syntax = NO_OPTIONS,
		.rules = RULES{ { ALWAYS, EFFECT_PRINT_ENVIRONMENT }, { END } } },
	{ .name = "start|restart|reload|try-restart|reload-or-restart|try-reload-or-restart|daemon-reload|"
		  "daemon-reexec|reset-failed",
		.syntax = PARTIAL,
		.special = restarts },
	{ .name = "stop", .syntax = PARTIAL, .special = stops },
	{ .name = "disable|mask", .syntax = PARTIAL, .special = disables },
	{ .name = "enable|unmask|reenable|preset|preset-all|link|revert|edit|set-property|add-wants|add-"
		  "requires|set-default|isolate",
		.syntax = PARTIAL,
		.special = enables },
	{ .name = "kill|clean|freeze|thaw", .syntax = PARTIAL, .special = stops },
	{ .name = "reboot|poweroff|halt|kexec|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|rescue|"
		  "emergency|default|exit|soft-reboot|switch-root",
		.syntax = PARTIAL,
		.rules = RULES{ { ALWAYS, EFFECT_POWER }, { END } } },
	{ 0 },
};

MODEL(systemctl) = {
	.name = "systemctl",
	.syntax = POSIX_ORDER | PARTIAL | SUBCOMMAND_ALONE_OK | INHERITED,
	.subcommands = systemctl,
	.shorts = UNIT_SHORTS,
	.longs = UNIT_OPTIONS,
	.options = OPTIONS{ { "HM", "host machine", REQUIRED, REFUSE, .text = "acts on another machine" },
		{ NULL, "root image", REQUIRED, REFUSE, .text = "acts on another system" }, { 0 } },
};

/* service NAME ACTION, service --status-all. */
static void service_command(struct run *run)
{
	const struct arg *action = run->n_operands > 1 ? &run->operands[1] : NULL;

	if (!action)
		run_effect_fixed(run, EFFECT_STATUS, NULL);
	else if (arg_is(action, "status"))
		run_effect_fixed(run, EFFECT_STATUS, NULL);
	else if (action->is_static &&
		in_list(action->text, "start restart reload force-reload try-restart condrestart"))
		run_effect(run, EFFECT_SERVICE_RESTART, &run->operands[0]);
	else if (arg_is(action, "stop"))
		run_effect(run,
			guards(run->operands[0].text) ? EFFECT_SERVICE_GUARD_OFF : EFFECT_SERVICE_STOP,
			&run->operands[0]);
	else
		run_open(run, "this action of a service is not known to the gate");
}

MODEL(service) = {
	.name = "service", .longs = "status-all", .syntax = POSIX_ORDER, .special = service_command
};
MODEL(rc_service) = { .name = "rc-service", .syntax = POSIX_ORDER | PARTIAL, .special = service_command };

MODEL(journalctl) = {
	.name = "journalctl",
	.syntax = PARTIAL,
	.shorts = "amqxefrkb::u:t:p:g:c:n::o:S:U:NF:T:",
	.longs = "system user merge boot?= list-boots dmesg unit= user-unit= identifier= exclude-identifier= "
		 "priority= facility= grep= case-sensitive?= since= until= cursor= after-cursor= show-cursor "
		 "reverse lines?= no-tail follow output= output-fields= no-hostname truncate-newline utc "
		 "catalog no-full full all quiet no-pager pager-end disk-usage header fields field= "
		 "list-catalog verify namespace= invocation= list-invocations",
	.options = OPTIONS{ { NULL, "vacuum-size vacuum-files vacuum-time", REQUIRED, EFFECT_FIXED,
				    EFFECT_AUDIT_OFF, .text = "journal" },
		{ NULL,
			"rotate relinquish-var smart-relinquish-var flush sync setup-keys update-catalog "
			"force",
			NOTHING, REFUSE, .text = "changes the journal" },
		{ "D", "directory file root image", REQUIRED, EFFECT_OF_VALUE, EFFECT_READ },
		{ NULL, "cursor-file", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE },
		{ "M", "machine", REQUIRED, REFUSE, .text = "-M looks into another machine" }, { 0 } },
	.rules = STATUS,
};

static const struct command_model timedatectl[] = {
	{ .name = "status|show|timesync-status|show-timesync|list-timezones",
		.syntax = PARTIAL,
		.shorts = "p:a",
		.longs = "property= value all no-pager",
		.rules = STATUS },
	{ .name = "set-time|set-timezone|set-ntp|set-local-rtc",
		.syntax = PARTIAL,
		.rules = RULES{ { ALWAYS, EFFECT_CLOCK }, { END } } },
	{ 0 },
};
MODEL(timedatectl) = { .name = "timedatectl",
	.syntax = POSIX_ORDER | PARTIAL | SUBCOMMAND_ALONE_OK,
	.longs = "no-pager",
	.subcommands = timedatectl };
static const struct command_model hostnamectl[] = {
	{ .name = "status", .syntax = PARTIAL, .longs = "static transient pretty json=", .rules = STATUS },
	{ .name = "hostname|set-hostname|set-icon-name|set-chassis",
		.rules = RULES{ { ALWAYS, EFFECT_MACHINE_SETTING, .text = "hostname" }, { END } } },
	{ 0 },
};
MODEL(hostnamectl) = { .name = "hostnamectl",
	.syntax = POSIX_ORDER | PARTIAL | SUBCOMMAND_ALONE_OK,
	.subcommands = hostnamectl };
static const struct command_model loginctl[] = {
	{ .name = "list-sessions|list-users|list-seats|session-status|show-session|user-status|show-user|"
		  "seat-status|show-seat",
		.syntax = PARTIAL,
		.shorts = "p:a",
		.longs = "property= value no-pager no-legend",
		.rules = STATUS },
	{ .name = "enable-linger|disable-linger",
		.rules = RULES{ { ALWAYS, EFFECT_SERVICE_ENABLE, .text = "linger" }, { END } } },
	{ 0 },
};
MODEL(loginctl) = {
	.name = "loginctl", .syntax = POSIX_ORDER | PARTIAL | SUBCOMMAND_ALONE_OK, .subcommands = loginctl
};
static const struct command_model resolvectl[] = {
	{ .name = "status|statistics|dns|domain", .syntax = PARTIAL, .rules = STATUS },
	{ .name = "query",
		.syntax = PARTIAL,
		.shorts = "46i:t:",
		.longs = "type= legend=",
		.rules = RULES{ { EACH, EFFECT_PROBE }, { END } } },
	{ .name = "flush-caches",
		.rules = RULES{ { ALWAYS, EFFECT_SERVICE_RESTART, .text = "resolver" }, { END } } },
	{ 0 },
};
MODEL(resolvectl) = {
	.name = "resolvectl", .syntax = POSIX_ORDER | PARTIAL | SUBCOMMAND_ALONE_OK, .subcommands = resolvectl
};
static const struct command_model lists[] = { { .name = "list|status|info|show|lldp",
						      .syntax = PARTIAL,
						      .shorts = "anr1",
						      .longs = "no-pager all no-legend",
						      .rules = STATUS },
	{ 0 } };
MODEL(networkctl) = {
	.name = "networkctl", .syntax = POSIX_ORDER | PARTIAL | SUBCOMMAND_ALONE_OK, .subcommands = lists
};
MODEL(coredumpctl) = { .name = "coredumpctl",
	.syntax = POSIX_ORDER | PARTIAL | SUBCOMMAND_ALONE_OK,
	.longs = "no-pager",
	.subcommands = lists };
MODEL(localectl) = {
	.name = "localectl", .syntax = POSIX_ORDER | PARTIAL | SUBCOMMAND_ALONE_OK, .subcommands = lists
};
static const struct command_model analyze[] = {
	{ .name = "time|blame|critical-chain|unit-paths|calendar|timespan|timestamp|verify|security|cat-"
		  "config|exit-status|syscall-filter|condition|dump",
		.syntax = PARTIAL,
		.longs = "no-pager user system offline= threshold= iterations= base-time= root=",
		.rules = STATUS },
	{ 0 },
};
MODEL(systemd_analyze) = { .name = "systemd-analyze",
	.syntax = POSIX_ORDER | PARTIAL | SUBCOMMAND_ALONE_OK,
	.longs = "no-pager user system",
	.subcommands = analyze };

/* crontab -l shows; any other way installs what runs later. */
static void crontab_command(struct run *run)
{
	run_effect_fixed(run, run->bits & 1 ? EFFECT_STATUS : EFFECT_SCHEDULE, "crontab");
	run->out->stdin_role = STDIN_PROGRAM;
}

MODEL(crontab) = {
	.name = "crontab",
	.syntax = NO_LONG,
	.shorts = "u:in:",
	.special = crontab_command,
	.options = OPTIONS{ { "l", NULL, NOTHING, IGNORE, .set = 1 },
		{ "er", NULL, NOTHING, IGNORE }, { 0 } },
};
MODEL(at) = { .name = "at",
	.syntax = NO_OPTIONS,
	.rules = RULES{ { ALWAYS, EFFECT_SCHEDULE, .text = "at" }, { END } },
	.input = STDIN_PROGRAM };
MODEL(atq) = { .name = "atq", .syntax = PARTIAL, .shorts = "q:V", .rules = STATUS };
MODEL(atrm) = { .name = "atrm", .rules = RULES{ { ALWAYS, EFFECT_SCHEDULE, .text = "at" }, { END } } };

/*
 * A word that ends in ; begins another command, and #(…) in a format is run by a shell (tmux(1) "PARSING SYNTAX",
 * "FORMATS").
 */
static void tmux_words(struct run *run)
{
	bool shows = run->n_operands && in_list(run->operands[0].text, "display-message display");

	for (uint32_t i = 0; i < run->n_operands; i++) {
		const struct arg *a = &run->operands[i];

		if (bytes_end(a->text, ";"))
			run_open(run, "tmux gets more than one command");
		if (bytes_find(a->text, "#("))
			run_open(run, "a format of tmux runs a command");
		if (!a->is_static && shows)
			run_open(run, "what tmux displays is not known before it runs");
	}
}

/* tmux: what only shows; what starts a command; what types for somebody. Without -t, the pane it is started from is meant. */
enum { TMUX_TARGETED = 1, TMUX_KILLS = 2 };

static void tmux_runs(struct run *run)
{
	struct bytes text;

	if (run->bits & TMUX_KILLS)
		run_effect_fixed(run, EFFECT_SIGNAL, run->bits & TMUX_TARGETED ? "a session of tmux" : "tmux");
	if (run->n_operands == 0) {
		run_effect_fixed(run, EFFECT_BACKGROUND, NULL);
		return;
	}
	if (run_join_args(run, run->operands, run->n_operands, &text))
		run_nested_text(run, text, DIALECT_POSIX);
	else
		run_open(run, "the command that tmux runs is not known before it runs");
}

static const struct command_model tmux[] = {
	{ .name = "list-sessions|ls|list-windows|lsw|list-panes|lsp|list-clients|lsc|list-keys|lsk|list-"
		  "commands|lscm|has-session|has|show-options|show|show-messages|"
		  "info|list-buffers|lsb",
		.syntax = NO_LONG | PARTIAL,
		.shorts = "asF:f:t:gqvwHA",
		.rules = STATUS },
	{ .name = "show-environment|showenv",
		.syntax = NO_OPTIONS,
		.rules = RULES{ { ALWAYS, EFFECT_PRINT_ENVIRONMENT }, { END } } },
	{ .name = "display-message|display",
		.syntax = NO_LONG | PARTIAL,
		.shorts = "apc:t:F:",
		.rules = STATUS },
	{ .name = "capture-pane|capturep",
		.syntax = NO_LONG | PARTIAL,
		.shorts = "aeJNpPqCS:E:b:t:T",
		.rules = STATUS },
	{ .name = "new-session|new|new-window|neww|split-window|splitw|respawn-pane|respawnp|respawn-window|"
		  "respawnw",
		.syntax = POSIX_ORDER | NO_LONG | PARTIAL,
		.shorts = "AdDEPXabhvIfZc:e:F:n:s:x:y:l:p:",
		.options = OPTIONS{ { "k", NULL, NOTHING, IGNORE, .set = TMUX_KILLS },
			{ "t", NULL, REQUIRED, IGNORE, .set = TMUX_TARGETED }, { 0 } },
		.special = tmux_runs },
	{ .name = "kill-session|kill-window|kill-pane|killw|killp",
		.syntax = NO_LONG | PARTIAL,
		.shorts = "aC",
		.options = OPTIONS{ { "t", NULL, REQUIRED, IGNORE, .set = TMUX_TARGETED }, { 0 } },
		.rules = RULES{ { ALWAYS, EFFECT_SIGNAL, .text = "tmux", .unless = TMUX_TARGETED },
			{ ALWAYS, EFFECT_SIGNAL, .text = "a session of tmux", .when = TMUX_TARGETED }, { END } } },
	{ .name = "send-keys|send|paste-buffer|pasteb|send-prefix",
		.syntax = NO_OPTIONS,
		.rules = RULES{ { ALWAYS, EFFECT_TERMINAL_INPUT, .text = "tmux" }, { END } } },
	{ .name = "select-window|select-pane|selectw|selectp|rename-session|rename-window|resize-pane|resize-"
		  "window|wait-for|wait|select-layout",
		.syntax = NO_LONG | PARTIAL,
		.shorts = "lnpTt:aUDRLx:y:Z",
		.rules = RULES{ { ALWAYS, EFFECT_STATUS }, { END } } },
	{ 0 },
};
MODEL(tmux) = { .name = "tmux",
	.syntax = POSIX_ORDER | NO_LONG | PARTIAL,
	.shorts = "2uvVL:S:T:",
	.special = tmux_words,
	.subcommands = tmux };
/* screen -X COMMAND is carried out in a session that runs: `stuff` types there. */
static void screen_reader(struct run *run)
{
	for (uint32_t i = 0; i < run->argc; i++)
		if (arg_is(&run->argv[i], "-X"))
			run_effect_fixed(run, EFFECT_TERMINAL_INPUT, "screen");
}

MODEL(screen) = { .name = "screen", .reader = screen_reader, .refuse = "starts or types into terminals" };
