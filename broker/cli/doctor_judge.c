/* SPDX-License-Identifier: Apache-2.0 */
/* What `doctor` says of the judge: who it is, who asks it, where its key comes from, and, when told to, what it answers. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "broker/cli/doctor.h"
#include "broker/model/model.h"
#include "policy/judge/keys.h"

enum { PATIENCE_MS = 15000, CONNECT_MS = 2000 };

struct checkup {
	struct report *r;
	struct broker *b;
	struct model_setup s;
	bool jev;
	const char *url;
	struct judge_address address;
};

static bool is_set(const struct broker *b, enum config_key k)
{
	return *config_string(b->config, k) != '\0';
}

/* A path that something is at, of that type. */
static bool is_there(const char *path, mode_t type)
{
	CLEANUP(close_fdp) int fd = open(path, O_PATH | O_CLOEXEC);
	struct stat st;

	return fd >= 0 && fstat(fd, &st) == 0 && (st.st_mode & S_IFMT) == type;
}

static void say_nobody(struct checkup *c)
{
	bool offline = strcmp(config_string(c->b->config, CFG_LLM_PROVIDER), "offline") == 0;

	report_finding(c->r, MARK_NOTE,
		"%s: what rules and effects do not settle is denied, with what was not understood",
		offline ? "offline (llm.provider)" : "no model");
	if (!offline)
		report_remedy(c->r, "%s is one once there is a key for it: \"%s\": { \"apiKey\": \"env:NAME\" }",
			c->url, c->jev ? "jev" : "llm");
}

static void say_who(struct checkup *c)
{
	const struct config *k = c->b->config;
	enum config_key url = c->jev ? CFG_JEV_BASE_URL : CFG_LLM_BASE_URL;

	report_finding(c->r, MARK_OK, "%s, model %s, at %s (%s)", c->jev ? "a decision model" : "a chat model",
		config_string(k, c->jev ? CFG_JEV_MODEL : CFG_LLM_MODEL), c->url,
		config_layer_name(config_origin(k, url)));
	if (c->address.https || c->address.here)
		return;
	report_finding(c->r, MARK_WARN, "what it is asked crosses the network as plain text, as llm.allowHttp permits");
	report_remedy(c->r, "use https, with llm.caFile where its certificate is of an authority of your own");
}

/* Found as the guard finds it. */
static void say_helper(struct checkup *c, const char *name)
{
	static const char *const places[] = { "", "/usr/local/bin/", "/usr/bin/", "/bin/" };
	size_t first = name[0] == '/' ? 0 : 1, end = name[0] == '/' ? 1 : ARRAY_LEN(places);
	char path[PATH_MAX];

	for (size_t i = first; i < end; i++) {
		int n = snprintf(path, sizeof(path), "%s%s", places[i], name);

		if (n > 0 && n < (int)sizeof(path) && access(path, X_OK) == 0) {
			report_finding(c->r, MARK_OK, "%s asks it (jev.command): no key is held here", path);
			return;
		}
	}
	report_finding(c->r, MARK_FAIL, "%s is not there, or cannot be run, so every open command is denied", name);
	report_remedy(c->r, "name it by its whole path, or put it into /usr/local/bin or /usr/bin");
}

/* Connected to as a decision would be, and let go: no process of the service is given away for that. */
static int say_service(struct checkup *c)
{
	const char *path = config_string(c->b->config, CFG_NETPROC_SOCKET);
	char run[MODEL_RUN_BYTES];
	struct channel channel;
	int e;

	if (!is_there(path, S_IFSOCK)) {
		report_finding(c->r, MARK_FAIL,
			"no socket of a service is at %s (netproc.socket), so every open command is denied", path);
		report_remedy(c->r, "start it: systemctl enable --now auto-classifier-netproc.socket");
		return 0;
	}
	e = model_service_open(c->b, clock_ms() + CONNECT_MS, &channel, run);
	if (e == 0) {
		channel_done(&channel);
		report_finding(
			c->r, MARK_OK, "the service at %s asks it (netproc.socket), with a key of its own", path);
	}
	if (e <= 0)
		return e;
	report_finding(c->r, MARK_FAIL, "the service at %s cannot be used, so every open command is denied", path);
	report_remedy(c->r,
		"see `systemctl status auto-classifier-netproc`; netproc.uid is its user, log.path tells who answers");
	return 0;
}

/* Names and places only: nothing here ever has the key. */
static const char *source_text(const struct checkup *c, const struct key_source *k, char *buffer, size_t size)
{
	enum config_key literal = c->jev ? CFG_JEV_API_KEY : CFG_LLM_API_KEY;

	switch (k->kind) {
	case KEY_VARIABLE:
		(void)snprintf(buffer, size, "the variable %.*s", (int)k->text.len, k->text.p);
		break;
	case KEY_LITERAL:
		(void)snprintf(buffer, size, "%.*s (%s)", (int)k->text.len, k->text.p,
			config_layer_name(config_origin(c->b->config, literal)));
		break;
	case KEY_FILE:
		(void)snprintf(buffer, size, "the file %.*s", (int)k->text.len, k->text.p);
		break;
	case KEY__MAX:
		return "nowhere";
	}
	return buffer;
}

static bool source_is_empty(const struct checkup *c, const struct key_source *k, char *path, size_t size)
{
	if (k->kind == KEY_VARIABLE)
		return !broker_variable_is_set(c->b, k->text);
	if (k->kind != KEY_FILE)
		return false;
	(void)snprintf(path, size, "%.*s", (int)k->text.len, k->text.p);
	return !is_there(path, S_IFREG) || access(path, R_OK) < 0;
}

/* The first source that holds a key and may go to this host is the one that netproc takes. */
static bool say_source(struct checkup *c, const struct key_source *k)
{
	char text[PATH_MAX + 40], path[PATH_MAX];
	const char *from = source_text(c, k, text, sizeof(text));
	const char *home = k->kind == KEY_VARIABLE ? key_home(k->text) : NULL;

	if (source_is_empty(c, k, path, sizeof(path))) {
		report_finding(c->r, MARK_WARN, "%s %s", from,
			k->kind == KEY_FILE ? "cannot be read" : "is not set");
		return false;
	}
	if (!key_may_go(&c->s.q, k, c->address.host)) {
		report_finding(c->r, MARK_WARN, "%s is not sent to %.*s: %s%s%s", from, (int)c->address.host.len,
			c->address.host.p, home ? "it belongs to " : "no configuration file names that address",
			home ? home : "", home ? ", and no configuration file says otherwise" : "");
		report_remedy(c->r, "set %s in your settings, beside the key", c->jev ? "jev.baseUrl" : "llm.baseUrl");
		return false;
	}
	report_finding(c->r, MARK_OK, "its key comes from %s", from);
	return true;
}

static void say_key(struct checkup *c)
{
	bool found = false;

	for (uint32_t i = 0; i < c->s.q.n_keys && !found; i++)
		found = say_source(c, &c->s.q.keys[i]);
	if (found)
		return;
	if (c->address.here) {
		report_finding(c->r, MARK_NOTE, "no key: a server on this machine may do without");
		return;
	}
	report_finding(c->r, MARK_FAIL, "there is no key for it, so every open command is denied");
	report_remedy(c->r, "set \"%s\": { \"apiKey\": \"env:NAME\" }, or \"apiKeyFile\", in your settings",
		c->jev ? "jev" : "llm");
}

static const char *failure_remedy(const struct model_answer *a)
{
	static const char *const of_failure[MODEL_FAILURE__MAX] = {
		[MODEL_BAD_ADDRESS] = "an address is https://HOST, or http://HOST for this machine and llm.allowHttp",
		[MODEL_NO_KEY] = "set apiKey or apiKeyFile beside the address in your settings",
		[MODEL_UNREACHABLE] = "is the address right, and may this machine reach it? A proxy goes into llm.proxy",
		[MODEL_TLS] = "llm.caFile names the authority where it is one of your own",
		[MODEL_TIMEOUT] = "it may be slow today: jev.timeoutMs and llm.timeoutMs say how long is waited",
		[MODEL_TOO_LARGE] = "is this the address of a judge?",
		[MODEL_NOT_HTTP] = "is this the address of a judge?",
		[MODEL_BROKEN] = "install auto-classifier anew, or see what the helper command prints",
		[MODEL_BUSY] = "the service's bounds are netproc.perUid and netproc.perMinute in its file",
		[MODEL_NO_SERVICE] = "start it: systemctl enable --now auto-classifier-netproc.socket; netproc.uid is its user",
		[MODEL_OTHER_JUDGE] = "llm.provider must say what the service asks",
	};

	if (a->failed)
		return of_failure[a->failure];
	if (a->status == 401 || a->status == 403)
		return "the key is not accepted: is it still valid, and for this service?";
	if (a->status == 402)
		return "the account has no credit left";
	if (a->status == 400 || a->status == 404 || a->status == 422)
		return "is the model's name right? `auto-classifier models` lists what is offered there";
	return "it is the service's own trouble: try again later";
}

/* What came back, for a person. -errno only where this process can go on no more. */
static int say_answer(struct checkup *c, const struct model_answer *a, uint64_t took_ms)
{
	CLEANUP(freep) char *buffer = NULL;
	struct judgement j;
	const char *remedy;
	int e;

	if (!a->failed && a->status == 200) {
		e = model_read(c->b, c->s.q.protocol, a->body, clock_ms() + PATIENCE_MS, &j, &buffer);
		if (e < 0 && e != -EPROTO)
			return e;
		if (e == 0 && j.state == JUDGEMENT_READ) {
			report_finding(c->r, MARK_OK, "asked about `true`, it %s it, in %llu ms",
				j.allow ? "allows" : "denies", (unsigned long long)took_ms);
			return 0;
		}
		report_finding(c->r, MARK_FAIL, "its answer cannot be used: %.*s", e == 0 ? (int)j.text.len : 0,
			e == 0 ? j.text.p : "");
		report_remedy(c->r, "is this the address of a judge, and is the model one that can judge?");
		return 0;
	}
	if (a->failed)
		report_finding(c->r, MARK_FAIL, "it cannot be asked: %s", model_failure_text(a->failure));
	else
		report_finding(c->r, MARK_FAIL, "it answered with HTTP status %u", a->status);
	remedy = failure_remedy(a);
	if (remedy != NULL)
		report_remedy(c->r, "%s", remedy);
	return 0;
}

static int ask_once(struct checkup *c)
{
	CLEANUP(model_answer_done) struct model_answer a = { 0 };
	const char *model = config_string(c->b->config, c->jev ? CFG_JEV_MODEL : CFG_LLM_MODEL), *const *helper;
	uint64_t from = clock_ms(), until = from + PATIENCE_MS;
	int e;

	c->s.q.model = (struct bytes){ model, strlen(model) };
	c->s.q.timeout_ms = PATIENCE_MS;
	if (c->jev && config_strings(c->b->config, CFG_JEV_COMMAND, &helper) > 0)
		e = model_helper(c->b, &c->s, until, &a);
	else
		e = model_attempt(c->b, &c->s, until, &a);
	return e < 0 ? e : say_answer(c, &a, clock_ms() - from);
}

static int say_judge(struct checkup *c, bool ask)
{
	const char *const *helper;
	int e = 0;

	say_who(c);
	if (c->jev && config_strings(c->b->config, CFG_JEV_COMMAND, &helper) > 0)
		say_helper(c, helper[0]);
	else if (is_set(c->b, CFG_NETPROC_SOCKET))
		e = say_service(c);
	else
		say_key(c);
	if (e < 0)
		return e;
	if (ask)
		return ask_once(c);
	report_finding(c->r, MARK_NOTE, "it was not asked: `auto-classifier doctor --judge` asks it once");
	return 0;
}

int doctor_judge(struct report *r, struct broker *b, bool ask)
{
	const struct assessment harmless = { .command = BYTES("true"), .cwd = BYTES("/"), .session = BYTES("doctor") };
	struct checkup c = { .r = r, .b = b, .jev = strcmp(config_string(b->config, CFG_LLM_PROVIDER), "jev") == 0 };
	int e;

	report_section(r, "Judge");
	c.url = config_string(b->config, c.jev ? CFG_JEV_BASE_URL : CFG_LLM_BASE_URL);
	if (config_is_broken(b->config)) {
		report_finding(r, MARK_NOTE, "nobody is asked while the settings are broken");
		return 0;
	}
	if (!config_has_judge(b->config) || !judge_address_parse(c.url, &c.address)) {
		say_nobody(&c);
		return 0;
	}
	e = model_setup(b, &harmless, "", &c.s);
	if (e < 0)
		return e;
	e = say_judge(&c, ask);
	model_setup_done(&c.s);
	return e;
}
