/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs whose purpose is to carry files elsewhere: httpie, the copiers of object stores, mail, and one-way senders.
 * What an upload's settings files say is not known here, so that none of them is vouched for when it sends; where it
 * sends to is seen all the same.
 */
#include "worker/commands/model.h"

enum { IGNORES_INPUT = 1, BODY = 2, DOWNLOADS = 4, NAMED = 8, CHANGES = 16 };

/* NAME=VALUE, NAME:=JSON, NAME@FILE, NAME=@FILE send; NAME==VALUE is part of the address, NAME:VALUE a header. */
static void http_item(struct run *run, const struct arg *item)
{
	static const char *const separators[] = { ":=@", "==@", "=@", ":@", "==", ":=", "@", "=", ":" };
	struct arg file = *item;

	if (!item->is_static)
		run_open(run, "what %s sends is not known before it runs", run->model->name);
	for (size_t at = 0; at < item->text.len; at++) {
		struct bytes rest = bytes_from(item->text, at);

		for (size_t i = 0; i < ARRAY_LEN(separators); i++) {
			size_t n = strlen(separators[i]);

			if (!bytes_start(rest, separators[i]))
				continue;
			if (strcmp(separators[i], "==") != 0 && strcmp(separators[i], ":") != 0)
				run->bits |= BODY;
			file.text = bytes_from(rest, n);
			if (separators[i][n - 1] == '@')
				run_effect(run, EFFECT_COPY, &file);
			return;
		}
	}
}

#define METHODS "GET HEAD OPTIONS POST PUT PATCH DELETE get head options post put patch delete"

/* [METHOD] URL [ITEM …]; :3000/x is this machine's. */
static void http_command(struct run *run)
{
	const enum input_kind input = run->invocation->input;
	uint32_t at = 0;
	struct arg url;

	if (run->n_operands > 1 && run->operands[0].is_static && in_list(run->operands[0].text, METHODS)) {
		struct bytes method = run->operands[at++].text;

		if (in_list(method, "DELETE delete"))
			run->bits |= CHANGES;
		else if (!in_list(method, "GET HEAD OPTIONS get head options"))
			run->bits |= BODY;
	}
	if (at >= run->n_operands)
		return;
	url = run->operands[at++];
	if (bytes_start(url.text, ":"))
		url.text = run_join(run, BYTES("localhost"), url.text);
	for (; at < run->n_operands; at++)
		http_item(run, &run->operands[at]);
	if (!(run->bits & IGNORES_INPUT) && (input == INPUT_PIPE || input == INPUT_FILE || input == INPUT_TEXT)) {
		run->bits |= BODY;
		run->out->stdin_role = STDIN_SENT;
	}
	if (run->bits & CHANGES)
		run_effect(run, EFFECT_REMOTE_CHANGE, &url);
	run_effect(run, run->bits & BODY ? EFFECT_UPLOAD : url.is_static ? EFFECT_FETCH : EFFECT_FETCH_COMPUTED, &url);
	if ((run->bits & DOWNLOADS) && !(run->bits & NAMED))
		run_open(run, "the server names the file that %s writes", run->model->name);
}

#define HTTPIE(id, program) MODEL(id) = { \
	.name = program, \
	.syntax = PARTIAL, \
	.special = http_command, \
	.shorts = "jfvhbmFSp:a:A:s:q", \
	.longs = "json form multipart verbose headers body meta follow stream print= auth= auth-type= style= quiet " \
		 "pretty= timeout= check-status max-redirects= max-headers= verify= ssl= default-scheme= all " \
		 "unsorted sorted response-charset= response-mime= compress offline chunked", \
	.options = OPTIONS{ { "I", "ignore-stdin", NOTHING, IGNORE, .set = IGNORES_INPUT }, \
		{ "d", "download", NOTHING, IGNORE, .set = DOWNLOADS }, \
		{ "o", "output", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE, NAMED }, \
		{ NULL, "raw", REQUIRED, IGNORE, .set = BODY }, \
		{ NULL, "session session-read-only", REQUIRED, REFUSE, .text = "keeps what it sends in a file" }, \
		{ NULL, "proxy", REQUIRED, REFUSE, .text = "goes through another host" }, \
		{ NULL, "cert cert-key", REQUIRED, EFFECT_OF_VALUE, EFFECT_USE }, { 0 } }, \
}
HTTPIE(httpie, "http");
HTTPIE(xh, "xh");

/* Copiers between here and a store of objects. What is in no list of theirs leaves them open. */
struct copier {
	const char *program;
	const char *copies, *syncs, *sends, *receives, *reads, *destroys; /* verbs */
	const char *with_value; /* options that take the next word, unless it is attached with = */
	const char *flags;
	bool colon; /* NAME:PATH is remote */
	bool aliased; /* the first component of a remote place is a name from its settings */
};

static const struct copier copiers[] = {
	{ "gsutil", "cp mv", "rsync", "", "", "ls du stat cat hash version help", "rm rb", "-h -x -z -j -u -a -s",
		"-m -q -r -R -n -p -v -e -P -l -L", false, false },
	{ "gcloud", "cp mv", "rsync", "", "", "ls du cat hash", "rm", "--project --account --billing-project",
		"-r -R -q --recursive --quiet --no-clobber --gzip-in-flight-all", false, false },
	{ "s3cmd", "cp mv", "sync", "put", "get", "ls la du info", "del rm rb", "--region --exclude --include --acl",
		"-r -q -v -n --recursive --quiet --verbose --dry-run --skip-existing --no-progress --progress", false,
		false },
	{ "s5cmd", "cp mv", "sync", "pipe", "cat", "ls du head version", "rm rb", "--profile --numworkers --exclude",
		"-n -u -s --no-clobber --if-size-differ --if-source-newer --json", false, false },
	{ "rclone", "copy copyto move moveto", "sync bisync", "rcat", "cat",
		"ls lsl lsd lsf lsjson size about version listremotes check tree help",
		"delete purge deletefile rmdir rmdirs cleanup",
		"--include --exclude --filter --transfers --checkers --bwlimit --max-age --min-age --log-level "
		"--stats --retries --max-depth",
		"-P -v -vv -q -n --progress --verbose --quiet --dry-run --checksum --update --size-only "
		"--ignore-existing --fast-list --no-traverse --immutable", true, false },
	{ "mc", "cp mv", "mirror", "put pipe", "get", "ls stat du tree cat head find version", "rm rb", "--storage-class",
		"-r -q --recursive --quiet --json --no-color --preserve", false, true },
	{ "azcopy", "copy cp", "sync", "", "", "list version", "remove rm",
		"--include-pattern --exclude-pattern --log-level --output-level",
		"--recursive --dry-run --put-md5 --check-length", false, false },
};

static const struct copier *copier_of(const struct run *run)
{
	for (size_t i = 0; i < ARRAY_LEN(copiers); i++)
		if (strcmp(copiers[i].program, run->model->name) == 0)
			return &copiers[i];
	return NULL;
}

static bool is_remote(const struct copier *c, const struct arg *a)
{
	const char *colon = a->text.len ? memchr(a->text.p, ':', a->text.len) : NULL;
	const char *slash = a->text.len ? memchr(a->text.p, '/', a->text.len) : NULL;

	if (bytes_find(a->text, "://"))
		return true;
	if (c->aliased)
		return slash && slash != a->text.p && !bytes_start(a->text, "./") && !bytes_start(a->text, "../") &&
			!bytes_start(a->text, "~");
	return c->colon && colon && (!slash || colon < slash);
}

/* A place here that is written like one of a store: file:// (gsutil, gcloud), :local: (rclone "The local backend"). */
static struct arg place_of(struct run *run, const struct arg *a)
{
	static const char *const here[] = { "file://", ":local:", "local:" };
	struct arg place = *a;

	for (size_t i = 0; i < ARRAY_LEN(here); i++)
		if (bytes_start(a->text, here[i])) {
			place.text = bytes_from(a->text, strlen(here[i]));
			return place;
		}
	if (bytes_start(a->text, ":"))
		run_open(run, "%s is given a store and its settings in one word", run->model->name);
	return place;
}

/* What is printed of a place here; a name from the settings may as well be a directory. */
static void print_places(struct run *run, const struct copier *c, const struct arg *places, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (c->aliased || !is_remote(c, &places[i]))
			run_effect(run, EFFECT_READ, &places[i]);
}

static void send_to(struct run *run, const struct arg *to)
{
	run_effect(run, EFFECT_UPLOAD, to);
	run_open(run, "%s sends to where its own settings say", run->model->name);
}

static void carry(struct run *run, const struct copier *c, const struct arg *places, uint32_t n, bool mirrors)
{
	/* From one store to another nothing leaves this machine. */
	bool brings = n > 1;

	for (uint32_t i = 0; i + 1 < n; i++)
		brings = brings && is_remote(c, &places[i]);
	for (uint32_t i = 0; i < n; i++) {
		bool last = i + 1 == n, remote = is_remote(c, &places[i]);

		if (!places[i].is_static && places[i].text.len == 0)
			run_open(run, "what %s copies is not known before it runs", run->model->name);
		if (last && remote && brings)
			run_effect_fixed(run, EFFECT_CLOUD_CHANGE, "objects");
		else if (last && remote)
			send_to(run, &places[i]);
		else if (last && !arg_is(&places[i], "-"))
			run_effect(run, mirrors ? EFFECT_DELETE_TREE : EFFECT_WRITE, &places[i]);
		else if (remote)
			run_effect_fixed(run, EFFECT_CLOUD_READ, "objects");
		else if (arg_is(&places[i], "-"))
			run->out->stdin_role = STDIN_SENT;
		else
			run_copy_through_links(run, &places[i]);
	}
}

/* Files to one place at the end: s3cmd put FILE… s3://…, or what stands on its input. */
static void put(struct run *run, const struct arg *places, uint32_t n)
{
	if (n == 1)
		run->out->stdin_role = STDIN_SENT;
	for (uint32_t i = 0; i + 1 < n; i++)
		run_effect(run, EFFECT_COPY, &places[i]);
	if (n > 0)
		send_to(run, &places[n - 1]);
}

static void get(struct run *run, const struct copier *c, const struct arg *places, uint32_t n)
{
	run_effect_fixed(run, EFFECT_CLOUD_READ, "objects");
	if (n > 1 && !is_remote(c, &places[n - 1]))
		run_effect(run, EFFECT_WRITE, &places[n - 1]);
	else if (strcmp(c->receives, "get") == 0)
		run_effect_fixed(run, EFFECT_CREATE, ".");
}

/* Those that say with whose settings, to which host, or that something is deleted, are in no list. */
static bool takes_option(struct run *run, const struct copier *c, uint32_t *i)
{
	const struct arg *a = &run->argv[*i];
	const char *eq = a->text.len ? memchr(a->text.p, '=', a->text.len) : NULL;
	struct bytes name = a->text;

	if (a->text.len < 2 || a->text.p[0] != '-')
		return false;
	if (eq)
		name.len = (size_t)(eq - name.p);
	if (in_list(name, c->with_value))
		*i += eq ? 0 : 1;
	else if (!in_list(name, c->flags))
		run_open(run, "option %.*s of %s is not known to the gate", (int)(name.len < 60 ? name.len : 60),
			name.p, run->model->name);
	return true;
}

void run_copies_objects(struct run *run)
{
	const struct copier *c = copier_of(run);
	struct arg *places = run_alloc(run, (run->argc + 1) * sizeof(*places));
	struct bytes verb = { NULL, 0 };
	uint32_t n = 0;

	if (!places || !c)
		return;
	for (uint32_t i = 0; i < run->argc; i++) {
		if (takes_option(run, c, &i))
			continue;
		if (verb.p) {
			places[n++] = place_of(run, &run->argv[i]);
		} else if (run->argv[i].is_static) {
			verb = run->argv[i].text;
		} else {
			run_open(run, "what %s does is not known before it runs", run->model->name);
			return;
		}
	}
	if (verb.p)
		run->out->program = run_join(run, run_join(run, run->out->program, BYTES(" ")), verb);
	if (in_list(verb, "cat head tail"))
		print_places(run, c, places, n);
	if (in_list(verb, c->copies) || in_list(verb, c->syncs))
		carry(run, c, places, n, in_list(verb, c->syncs));
	else if (in_list(verb, c->sends))
		put(run, places, n);
	else if (in_list(verb, c->receives))
		get(run, c, places, n);
	else if (in_list(verb, c->reads))
		run_effect_fixed(run, EFFECT_CLOUD_READ, "objects");
	else if (in_list(verb, c->destroys))
		run_effect_fixed(run, EFFECT_CLOUD_DESTROY, "objects");
	else
		run_open(run, "what %s does is not known to the gate", run->model->name);
	/* A copy that is taken away is gone from where it was. */
	if (in_list(verb, "mv move moveto"))
		run_open(run, "%s deletes what it has copied", run->model->name);
}

#define COPIER(id, program) MODEL(id) = { .name = program, .reader = run_copies_objects }
COPIER(gsutil, "gsutil");
COPIER(s3cmd, "s3cmd");
COPIER(s5cmd, "s5cmd");
COPIER(rclone, "rclone");
COPIER(mc, "mc");
COPIER(azcopy, "azcopy");

/* Mail goes to the host behind the @ of each address; what is attached goes along. */
static void mail_reader(struct run *run)
{
	run_open(run, "%s sends mail", run->model->name);
	run->out->stdin_role = STDIN_SENT;
	for (uint32_t i = 0; i < run->argc; i++) {
		struct arg a = run->argv[i];
		const char *at = a.text.len ? memrchr(a.text.p, '@', a.text.len) : NULL;

		if (a.is_static && in_list(a.text, "-s --subject --header -r --from -f --body")) {
			i++;
			continue;
		}
		if (a.is_static && in_list(a.text, "-a -A --attach --attachment") && i + 1 < run->argc) {
			run_effect(run, EFFECT_COPY, &run->argv[++i]);
			continue;
		}
		if (!at || bytes_start(a.text, "--header") || bytes_start(a.text, "--from"))
			continue;
		a.text = bytes_from(a.text, (size_t)(at + 1 - a.text.p));
		while (a.text.len && strchr(">,; ", a.text.p[a.text.len - 1]))
			a.text.len--;
		run_effect(run, EFFECT_UPLOAD, &a);
	}
}

#define MAIL(id, program) MODEL(id) = { .name = program, .reader = mail_reader }
MAIL(mail, "mail");
MAIL(mutt, "mutt");
MAIL(sendmail, "sendmail");
MAIL(swaks, "swaks");

/* One-way senders: the verb that sends, and the public service they send to unless told otherwise. */
static const struct {
	const char *program, *verbs, *service;
} senders[] = {
	{ "pastebinit", "", "https://paste.ubuntu.com/" },
	{ "wgetpaste", "", "https://dpaste.com/" },
	{ "wormhole", "send tx", "https://magic-wormhole.io/" },
	{ "croc", "send", "https://croc.schollz.com/" },
	{ "ffsend", "upload up", "https://send.vis.ee/" },
	{ "ipfs", "add", "https://ipfs.io/" },
};

static void sender_reader(struct run *run)
{
	bool sends = false;

	for (size_t i = 0; i < ARRAY_LEN(senders); i++) {
		if (strcmp(senders[i].program, run->model->name) != 0)
			continue;
		sends = senders[i].verbs[0] == '\0';
		for (uint32_t k = 0; k < run->argc; k++) {
			if (sends && !bytes_start(run->argv[k].text, "-"))
				run_effect(run, EFFECT_COPY, &run->argv[k]);
			sends = sends || (run->argv[k].is_static && in_list(run->argv[k].text, senders[i].verbs));
		}
		if (sends)
			run_effect_fixed(run, EFFECT_UPLOAD, senders[i].service);
	}
	run_open(run, "%s carries files between machines", run->model->name);
	if (sends)
		run->out->stdin_role = STDIN_SENT;
}

#define SENDER(id, program) MODEL(id) = { .name = program, .reader = sender_reader }
SENDER(pastebinit, "pastebinit");
SENDER(wgetpaste, "wgetpaste");
SENDER(wormhole, "wormhole");
SENDER(croc, "croc");
SENDER(ffsend, "ffsend");
SENDER(ipfs, "ipfs");

MODEL(logger) = {
	.name = "logger",
	.syntax = PARTIAL,
	.shorts = "isedTt:p:P:S:",
	.longs = "tag= priority= stderr id?= port= tcp udp size=",
	.input = STDIN_READ,
	.options = OPTIONS{ { "n", "server", REQUIRED, EFFECT_OF_VALUE, EFFECT_UPLOAD },
		{ "f", "file", REQUIRED, EFFECT_OF_VALUE, EFFECT_COPY }, { 0 } },
	.refuse = "writes into the log of the machine",
};
MODEL(websocat) = {
	.name = "websocat",
	.syntax = PARTIAL,
	.shorts = "tbn1vqEk",
	.input = STDIN_SENT,
	.rules = RULES{ { EACH, EFFECT_UPLOAD }, { END } },
	.refuse = "joins its input and output to another host",
};
MODEL(mosquitto_pub) = {
	.name = "mosquitto_pub",
	.syntax = PARTIAL,
	.shorts = "lnrdqt:m:p:i:u:P:",
	.input = STDIN_SENT,
	.options = OPTIONS{ { "h", "host", REQUIRED, EFFECT_OF_VALUE, EFFECT_UPLOAD },
		{ "f", "file", REQUIRED, EFFECT_OF_VALUE, EFFECT_COPY }, { 0 } },
	.refuse = "publishes messages",
};
