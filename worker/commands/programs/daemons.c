/* SPDX-License-Identifier: Apache-2.0 */
/* Servers' own programs, as far as they check a configuration, show a state or read messages: nginx, apache, haproxy,
 * caddy, tailscale, nats and brokers of messages. */
#include "worker/commands/model.h"

#define STATUS RULES{ { ALWAYS, EFFECT_STATUS }, { END } }

enum { TESTS = 1 };

/* nginx -t, and -s SIGNAL to the running one; alone it starts. -g and -c bring in other settings. */
static void nginx_signal(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	run->bits |= TESTS;
	if (arg_is(value, "reload") || arg_is(value, "reopen"))
		run_effect_fixed(run, EFFECT_SERVICE_RESTART, "nginx");
	else
		run_effect_fixed(run, EFFECT_SERVICE_STOP, "nginx");
}

static void nginx_command(struct run *run)
{
	if (!(run->bits & TESTS))
		run_effect_fixed(run, EFFECT_SERVICE_RESTART, "nginx");
}

MODEL(nginx) = {
	.name = "nginx",
	.syntax = NO_LONG,
	.shorts = "q",
	.options = OPTIONS{ { "tvVh?", NULL, NOTHING, EFFECT_FIXED, EFFECT_STATUS, TESTS },
		{ "s", NULL, REQUIRED, CALL }, { 0 } },
	.option = nginx_signal,
	.special = nginx_command,
};
static const struct command_model apachectl[] = {
	{ .name = "configtest|status|fullstatus", .rules = STATUS },
	{ .name = "graceful|restart|start",
		.rules = RULES{ { ALWAYS, EFFECT_SERVICE_RESTART, .text = "apache" }, { END } } },
	{ .name = "stop|graceful-stop", .rules = RULES{ { ALWAYS, EFFECT_SERVICE_STOP, .text = "apache" }, { END } } },
	{ 0 },
};
MODEL(apachectl) = {
	.name = "apachectl",
	.syntax = NO_LONG,
	.options = OPTIONS{ { "tvVSMlL", NULL, NOTHING, EFFECT_FIXED, EFFECT_STATUS }, { 0 } },
	.subcommands = apachectl,
};
/* Without -c it serves. */
MODEL(haproxy) = {
	.name = "haproxy",
	.syntax = NO_LONG | PARTIAL,
	.shorts = "qV",
	.options = OPTIONS{ { "c", NULL, NOTHING, EFFECT_FIXED, EFFECT_STATUS, TESTS },
		{ "f", NULL, REQUIRED, EFFECT_OF_VALUE, EFFECT_USE }, { 0 } },
	.rules = RULES{ { ALWAYS, EFFECT_LISTEN, .unless = TESTS }, { END } },
};
static const struct command_model caddy[] = {
	{ .name = "validate|adapt|fmt",
		.syntax = PARTIAL | NO_ABBREVIATION,
		.longs = "adapter= pretty diff",
		.options = OPTIONS{ { "c", "config", REQUIRED, EFFECT_OF_VALUE, EFFECT_READ },
			{ "w", "overwrite", NOTHING, IGNORE, .set = 1 }, { 0 } },
		.rules = RULES{ { EACH, EFFECT_READ }, { EACH, EFFECT_WRITE, .when = 1 },
			{ ABSENT, EFFECT_WRITE, .when = 1, .text = "Caddyfile" }, { ALWAYS, EFFECT_STATUS }, { END } } },
	{ .name = "version|list-modules|build-info|help", .rules = STATUS },
	{ 0 },
};
MODEL(caddy) = { .name = "caddy", .syntax = POSIX_ORDER, .subcommands = caddy };

/* serve hands a port of this machine on to the owner's own network; a folder or a text would be shown to it. */
static bool is_own_port(struct bytes target)
{
	static const char *const hosts[] = { "http://127.0.0.1:", "http://localhost:", "127.0.0.1:", "localhost:", "" };

	for (size_t i = 0; i < ARRAY_LEN(hosts); i++) {
		struct bytes port = bytes_from(target, strlen(hosts[i]));

		if (!bytes_start(target, hosts[i]) || port.len == 0)
			continue;
		if (bytes_end(port, "/"))
			port.len--;
		if (port.len > 0 && port.len <= 5 && only_of(port, 0, "0123456789"))
			return true;
	}
	return false;
}

static void tailscale_serves(struct run *run)
{
	const struct arg *to = run->operands;

	if (run->n_operands == 1 && to->is_static && in_list(to->text, "off status reset")) {
		run_effect_fixed(run, EFFECT_STATUS, NULL);
		return;
	}
	if (run->n_operands != 1 || !to->is_static || !is_own_port(to->text))
		run_open(run, "tailscale serves something else than a port of this machine");
	run_effect_fixed(run, EFFECT_SERVICE_RESTART, "tailscale serve");
}

static const struct command_model tailscale[] = {
	{ .name = "status|ip|version|netcheck|whois|ping|licenses|help",
		.syntax = ONE_DASH | PARTIAL,
		.shorts = "146c:",
		.longs = "json self peers active c= timeout= until-direct tsmp icmp 4 6 1 format= every= verbose "
			 "daemon upstream",
		.rules = STATUS },
	{ .name = "serve",
		.syntax = ONE_DASH | PARTIAL,
		.longs = "bg https= http= tcp= tls-terminated-tcp= set-path= yes json",
		.special = tailscale_serves },
	{ 0 },
};
MODEL(tailscale) = { .name = "tailscale", .syntax = POSIX_ORDER, .subcommands = tailscale };

/* A server is asked by its address, or by the one its settings name. */
#define NATS(names, letters, options, ...) { .name = names, .syntax = PARTIAL | NO_ABBREVIATION, .shorts = letters, \
	.longs = options, __VA_ARGS__ }
static const struct command_model nats_stream[] = {
	NATS("ls|info|view|report|subjects|state|get", "jan", "json names subject= all", .rules = STATUS),
	{ 0 },
};
static const struct command_model nats_kv[] = {
	NATS("ls|info|status|history", "jnv", "json names verbose", .rules = STATUS),
	{ 0 },
};
static const struct command_model nats[] = {
	NATS("sub|subscribe", "rq",
		"count= raw headers-only queue= last last-per-subject new since= timestamp no-ack stream= wait= "
		"match-replies report-subjects subjects-only",
		.rules = STATUS),
	NATS("rtt|latency|events", "j", "json all", .rules = STATUS),
	{ .name = "stream|str|s|consumer|con|c", .syntax = POSIX_ORDER, .subcommands = nats_stream },
	{ .name = "kv", .syntax = POSIX_ORDER, .subcommands = nats_kv },
	{ 0 },
};
MODEL(nats) = {
	.name = "nats",
	.syntax = POSIX_ORDER | PARTIAL | NO_ABBREVIATION | INHERITED,
	.shorts = "",
	.longs = "timeout= context= connection-name= trace no-context colors=",
	.options = OPTIONS{ { "s", "server", REQUIRED, EFFECT_OF_VALUE, EFFECT_FETCH }, { 0 } },
	.subcommands = nats,
};
/* kafka's scripts change topics unless told to list or describe. */
MODEL(kafka_topics) = {
	.name = "kafka-topics",
	.syntax = PARTIAL,
	.longs = "topic= under-replicated-partitions unavailable-partitions exclude-internal version",
	.options = OPTIONS{ { NULL, "bootstrap-server", REQUIRED, EFFECT_OF_VALUE, EFFECT_PROBE },
		{ NULL, "list describe", NOTHING, EFFECT_FIXED, EFFECT_STATUS, TESTS }, { 0 } },
	.rules = RULES{ { ALWAYS, EFFECT_REMOTE_CHANGE, .unless = TESTS, .text = "the brokers" }, { END } },
};
static const struct command_model rabbitmqctl[] = {
	{ .name = "status|list_queues|list_exchanges|list_bindings|list_connections|list_channels|list_consumers|"
		  "list_users|list_vhosts|list_permissions|list_policies|cluster_status|node_health_check|ping|version|"
		  "await_startup",
		.syntax = PARTIAL,
		.shorts = "p:qs",
		.longs = "vhost= formatter= quiet silent no-table-headers online offline local timeout=",
		.rules = STATUS },
	{ 0 },
};
MODEL(rabbitmqctl) = { .name = "rabbitmqctl",
	.syntax = POSIX_ORDER | PARTIAL,
	.shorts = "n:qt:",
	.longs = "node= quiet timeout=",
	.subcommands = rabbitmqctl };
