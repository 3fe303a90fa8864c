/* SPDX-License-Identifier: Apache-2.0 */
/* curl and wget: what is fetched, what is sent, and where it is written (curl(1), wget(1)). */
#include "worker/commands/model.h"

enum {
	SENDS = 1, /* a body goes along */
	QUERY = 2, /* -G: the data is part of the address */
	CHANGES = 4, /* a method that deletes */
	COMPUTED = 8, /* a header, cookie or body that is not known before it runs */
	TO_DIRECTORY = 16, /* files are named by the server or the address */
	TO_FILE = 32,
	NO_FILE = 64,
	METHOD = 128, /* a method that reads was named */
	FILES = 256, /* what a file, or its input, holds goes along */
	TELLS = 512, /* what is sent is printed too */
	JAR = 1024, /* cookies of a file may go along */
};

static bool is_scheme(struct bytes url, const char *scheme)
{
	size_t n = strlen(scheme);

	return url.len > n && strncasecmp(url.p, scheme, n) == 0;
}

/* An unquoted ? in an address is a pattern that no file name fits: the word stays as it is written. */
static struct arg without_pattern(const struct arg *a)
{
	struct arg r = *a;

	if (!a->is_static && a->flags == WORD_GLOB && a->word && bytes_find(a->text, "://") &&
		!bytes_char(a->word->src, '\\') && !bytes_char(a->word->src, '\'') &&
		!bytes_char(a->word->src, '"')) {
		r.text = a->word->src;
		r.is_static = true;
	}
	return r;
}

/* One address. */
static void address(struct run *run, const struct arg *word)
{
	const struct arg pattern = without_pattern(word), *url = &pattern;
	struct arg path = pattern;
	const char *scheme = memmem(url->text.p, url->text.len, "://", 3);

	if (is_scheme(url->text, "file://")) {
		path.text = bytes_from(url->text, 7);
		run_effect(run, EFFECT_READ, &path);
		return;
	}
	if (scheme && !is_scheme(url->text, "http://") && !is_scheme(url->text, "https://") &&
		!is_scheme(url->text, "ftp://") && !is_scheme(url->text, "ftps://"))
		run_open(run, "%s speaks a protocol that is not known to the gate", run->model->name);
	/* Who speaks to it may start a container that sees all of the host. */
	if (bytes_find(url->text, ":2375") || bytes_find(url->text, ":2376"))
		run_open(run, "%s speaks to the engine of containers", run->model->name);
	if (run->bits & CHANGES)
		run_effect(run, EFFECT_REMOTE_CHANGE, url);
	/* With -G the data is part of the address: as good as any other, unless it comes from a file. */
	if ((run->bits & FILES) || ((run->bits & SENDS) && !((run->bits & QUERY) && !(run->bits & COMPUTED))))
		run_effect(run, EFFECT_UPLOAD, url);
	else if (!url->is_static || (run->bits & (COMPUTED | JAR)))
		run_effect(run, EFFECT_FETCH_COMPUTED, url);
	else
		run_effect(run, EFFECT_FETCH, url);
}

/* Does the @ stand where a file's name follows? --data-urlencode and --url-query take NAME@FILE as well. */
static bool names_file(const struct option_rule *rule, struct bytes value, const char *at)
{
	if (!at)
		return false;
	/* Behind a +, --url-query takes the rest as it is. */
	if (rule->longs && strcmp(rule->longs, "url-query") == 0 && bytes_start(value, "+"))
		return false;
	if (at == value.p || at[-1] == '=' || at[-1] == '<')
		return true;
	return rule->longs && in_list(bytes_str(rule->longs), "data-urlencode url-query") &&
		!memchr(value.p, '=', (size_t)(at - value.p));
}

/* -d @FILE, -F name=@FILE, -H @FILE: the file's content is sent. */
static void body(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	struct arg file = *value;
	const char *at;

	if (!value->is_static)
		run->bits |= COMPUTED;
	if (!value->text.len)
		return;
	at = memchr(value->text.p, '@', value->text.len);
	if (!names_file(rule, value->text, at))
		at = memmem(value->text.p, value->text.len, "=<", 2)
			? (const char *)memmem(value->text.p, value->text.len, "=<", 2) + 1
			: NULL;
	if (!at)
		return;
	run->bits |= FILES;
	file.text = bytes_from(value->text, (size_t)(at + 1 - value->text.p));
	if (memchr(file.text.p, ';', file.text.len))
		file.text.len = (size_t)((const char *)memchr(file.text.p, ';', file.text.len) - file.text.p);
	if (!bytes_is(file.text, "-"))
		run_effect(run, EFFECT_COPY, &file);
	else
		run->out->stdin_role = STDIN_SENT;
}

/* What stands for a value that may carry anything: a header, a cookie, a user. */
static void header(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (!value->is_static)
		run->bits |= COMPUTED;
	if (bytes_start(value->text, "@"))
		run_open(run, "%s takes headers from a file", run->model->name);
}

/* -b NAME=VALUE is data; -b FILE is read as a file of cookies, which are sent to the hosts that it names for them. */
static void cookie(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	header(run, rule, value);
	if (!value->text.len || bytes_char(value->text, '='))
		return;
	run_effect(run, EFFECT_USE, value);
	run->bits |= JAR;
}

static void method(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (!value->is_static)
		run_open(run, "the method of %s is not known before it runs", run->model->name);
	else if (in_list(value->text, "GET HEAD OPTIONS get head"))
		run->bits |= METHOD;
	else if (in_list(value->text, "DELETE delete"))
		run->bits |= CHANGES;
	else
		run->bits |= SENDS;
}

/* -w FORMAT may take its text from a file, and newer versions write to files. */
static void write_out(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (bytes_start(value->text, "@") || bytes_find(value->text, "%output") || !value->is_static)
		run_open(run, "the format of curl -w is not known to the gate");
}

static void write_file(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (arg_is(value, "-") || arg_is(value, "%"))
		return;
	/* curl puts what a pattern in the address stood for in place of #1. */
	if (bytes_char(value->text, '#'))
		run_open(run, "the name of the file is made from the address");
	run_effect(run, EFFECT_WRITE, value);
}

/* --url ADDRESS, any number of times; --url @FILE names a file of addresses, or the input. */
static void url_option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (!value->is_static)
		run_open(run, "an address of %s is not known before it runs", run->model->name);
	else if (bytes_start(value->text, "@"))
		run_open(run, "%s takes its addresses from a file", run->model->name);
	else if (run->detail.p)
		run_open(run, "%s is given several addresses by options", run->model->name);
	run->detail = value->text;
}

/* One hook for all options that need reading: the rule's text says which. */
static void option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	static const struct {
		const char *text;
		void (*read)(struct run *, const struct option_rule *, const struct arg *);
	} readers[] = {
		{ "body", body },
		{ "header", header },
		{ "cookie", cookie },
		{ "method", method },
		{ "format", write_out },
		{ "file", write_file },
		{ "url", url_option },
	};

	for (size_t i = 0; i < ARRAY_LEN(readers); i++)
		if (strcmp(readers[i].text, rule->text) == 0)
			readers[i].read(run, rule, value);
}

static void addresses(struct run *run)
{
	struct arg named = { .text = run->detail, .is_static = true };

	if (run->detail.p)
		address(run, &named);
	for (uint32_t i = 0; i < run->n_operands; i++)
		address(run, &run->operands[i]);
}

/* A file named as the last component of the address, in the directory. */
static void named_by_address(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++) {
		struct bytes name = run->operands[i].text;
		const char *end = name.len ? memchr(name.p, '?', name.len) : NULL;
		const char *slash;
		struct command_effect *e;

		if (end)
			name.len = (size_t)(end - name.p);
		slash = name.len ? memrchr(name.p, '/', name.len) : NULL;
		run_effect_fixed(run, EFFECT_CREATE, ".");
		if (bytes_char(name, '{') || bytes_char(name, '['))
			run_open(run, "the names of the files are made from a pattern");
		e = run_last_effect(run);
		if (e && slash && slash > name.p && slash[-1] != '/')
			e->within = bytes_from(name, (size_t)(slash + 1 - name.p));
	}
}

static void curl_command(struct run *run)
{
	addresses(run);
	run->out->shows_words = run->out->shows_words || (run->bits & TELLS) != 0;
	if (run->bits & TO_DIRECTORY)
		named_by_address(run);
}

MODEL(curl) = {
	.name = "curl",
	.syntax = NO_ABBREVIATION | PARTIAL,
	.shorts = "sSfikLI#j012346agBlMNpqRZC:m:r:t:y:Y:z:P:",
	.special = curl_command,
	.option = option,
	.longs =
		"silent show-error fail fail-with-body fail-early include insecure location "
		"location-trusted head progress-bar no-progress-meter junk-session-cookies globoff no-buffer "
		"remote-time parallel compressed compressed-ssh http1.0 http1.1 http2 http2-prior-knowledge "
		"http3 tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 ipv4 ipv6 max-time= connect-timeout= retry= "
		"retry-delay= retry-max-time= retry-connrefused retry-all-errors speed-limit= speed-time= "
		"limit-rate= range= time-cond= max-filesize= max-redirs= parallel-max= ciphers= tls-max= "
		"interface= local-port= keepalive-time= no-keepalive tcp-nodelay tcp-fastopen create-dirs "
		"styled-output no-styled-output raw tr-encoding path-as-is ignore-content-length list-only "
		"use-ascii disable ssl-reqd ssl continue-at= expect100-timeout= happy-eyeballs-timeout-ms= "
		"post301 post302 post303 http0.9 basic digest negotiate ntlm anyauth doh-url= "
		"remove-on-error skip-existing clobber no-clobber show-headers",
	.options = OPTIONS{ { "o", "output", REQUIRED, CALL, .text = "file", .set = TO_FILE },
		{ "O", "remote-name remote-name-all", NOTHING, IGNORE, .set = TO_DIRECTORY },
		{ "J", "remote-header-name", NOTHING, REFUSE, .text = "-J lets the server name the file" },
		{ NULL, "output-dir", REQUIRED, EFFECT_OF_VALUE, EFFECT_CREATE },
		{ "v", "verbose", NOTHING, IGNORE, .set = TELLS },
		{ "D", "dump-header stderr etag-save hsts alt-svc", REQUIRED, CALL, .text = "file" },
		{ NULL, "trace trace-ascii libcurl", REQUIRED, CALL, .text = "file", .set = TELLS },
		{ "c", "cookie-jar", REQUIRED, CALL, .text = "file" },
		{ "T", "upload-file", REQUIRED, EFFECT_OF_VALUE, EFFECT_COPY, SENDS },
		{ "d", "data data-raw data-binary data-ascii json", REQUIRED, CALL, .text = "body",
			.set = SENDS },
		{ NULL, "data-urlencode", REQUIRED, CALL, .text = "body", .set = SENDS },
		{ NULL, "url-query", REQUIRED, CALL, .text = "body" },
		{ "F", "form form-string", REQUIRED, CALL, .text = "body", .set = SENDS },
		{ "G", "get", NOTHING, IGNORE, .set = QUERY },
		{ "H", "header proxy-header", REQUIRED, CALL, .text = "header" },
		{ "Aeu", "user-agent referer user oauth2-bearer aws-sigv4", REQUIRED, CALL, .text = "header" },
		{ "b", "cookie", REQUIRED, CALL, .text = "cookie" },
		{ "X", "request", REQUIRED, CALL, .text = "method" },
		{ "w", "write-out", REQUIRED, CALL, .text = "format" },
		{ NULL, "url", REQUIRED, CALL, .text = "url" },
		{ "E", "cert key cacert capath crlfile pinnedpubkey etag-compare", REQUIRED, EFFECT_OF_VALUE,
			EFFECT_USE },
		{ "n", "netrc netrc-optional", NOTHING, IGNORE },
		{ "K", "config", REQUIRED, REFUSE, .text = "-K takes its options from a file" },
		{ "x", "proxy socks4 socks5 socks4a socks5-hostname preproxy", REQUIRED, REFUSE,
			.text = "goes through another host" },
		{ NULL, "connect-to resolve", REQUIRED, REFUSE,
			.text = "goes to another host than the address says" },
		{ NULL, "unix-socket abstract-unix-socket", REQUIRED, REFUSE,
			.text = "speaks to a local service by its socket" },
		{ ":", "next", NOTHING, REFUSE, .text = "--next begins another transfer" },
		{ "Q", "quote", REQUIRED, REFUSE, .text = "-Q sends commands" }, { 0 } },
};

/* Without the host's directory in front, a server's paths are names in this one: .git/hooks/…, Makefile. */
#define WGET_NAMES "the files are named by the addresses"

/* -nv, -nc and their like are two letters of one option. */
static void wget_option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	if (rule->text[0] != 'n' || rule->text[1])
		option(run, rule, value);
	else if (!value->is_static || bytes_char(value->text, 'H') || bytes_char(value->text, 'd'))
		run_open(run, WGET_NAMES);
}

static void wget_command(struct run *run)
{
	addresses(run);
	if (!(run->bits & (TO_FILE | TO_DIRECTORY | NO_FILE)) && (run->n_operands || run->detail.p))
		named_by_address(run);
}

MODEL(wget) = {
	.name = "wget",
	.syntax = PARTIAL,
	.shorts = "bdqvcNSrkKmpHLxFA:R:D:I:X:l:t:T:w:Q:U:46E",
	.special = wget_command,
	.option = wget_option,
	.longs = "background debug quiet verbose no-verbose continue timestamping no-clobber server-response "
		 "recursive convert-links backup-converted mirror page-requisites span-hosts relative "
		 "force-directories protocol-directories "
		 "accept= reject= accept-regex= reject-regex= regex-type= domains= exclude-domains= "
		 "follow-ftp include-directories= exclude-directories= level= tries= timeout= dns-timeout= "
		 "connect-timeout= read-timeout= wait= waitretry= random-wait quota= user-agent= "
		 "no-check-certificate show-progress progress= limit-rate= no-cache no-cookies no-hsts "
		 "no-parent no-proxy no-dns-cache retry-connrefused retry-on-http-error= max-redirect= "
		 "content-on-error trust-server-names ipv4-only inet4-only inet6-only secure-protocol= "
		 "https-only no-config compression= adjust-extension html-extension default-page= start-pos= "
		 "no-iri no-netrc no-if-modified-since ignore-length ignore-case report-speed= "
		 "keep-session-cookies",
	.options = OPTIONS{ { "O", "output-document", REQUIRED, CALL, .text = "file", .set = TO_FILE },
		{ "P", "directory-prefix", REQUIRED, EFFECT_OF_VALUE, EFFECT_CREATE, TO_DIRECTORY },
		{ "oa", "output-file append-output rejected-log save-cookies warc-file hsts-file", REQUIRED,
			CALL, .text = "file" },
		{ NULL, "spider", NOTHING, IGNORE, .set = NO_FILE },
		{ NULL, "post-data body-data", REQUIRED, CALL, .text = "body", .set = SENDS },
		{ NULL, "post-file body-file", REQUIRED, EFFECT_OF_VALUE, EFFECT_COPY, SENDS },
		{ NULL, "method", REQUIRED, CALL, .text = "method" },
		{ NULL, "header user password http-user http-password referer", REQUIRED, CALL,
			.text = "header" },
		{ NULL, "load-cookies certificate private-key ca-certificate ca-directory crl-file", REQUIRED,
			EFFECT_OF_VALUE, EFFECT_USE },
		{ NULL, "content-disposition", NOTHING, REFUSE,
			.text = "--content-disposition lets the server name the file" },
		{ "i", "input-file", REQUIRED, REFUSE, .text = "-i takes its addresses from a file" },
		{ "e", "execute", REQUIRED, REFUSE, .text = "-e sets any option" },
		{ NULL, "config use-askpass preferred-location", REQUIRED, REFUSE,
			.text = "takes its options from elsewhere" },
		{ "n", NULL, REQUIRED, CALL, .text = "n" },
		{ NULL, "no-directories no-host-directories", NOTHING, REFUSE, .text = WGET_NAMES },
		{ NULL, "cut-dirs", REQUIRED, REFUSE, .text = WGET_NAMES },
		{ "B", "base", REQUIRED, REFUSE, .text = "-B changes what the addresses mean" }, { 0 } },
};

/* ping, dig and the like only ask; a name that is computed carries data out. */
static void asks(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++) {
		if (bytes_start(run->operands[i].text, "+"))
			continue;
		run_effect(run, run->operands[i].is_static ? EFFECT_PROBE : EFFECT_FETCH_COMPUTED,
			&run->operands[i]);
	}
}

MODEL(ping) = {
	.name = "ping",
	.syntax = PARTIAL,
	.special = asks,
	.shorts = "aAbBc:DdF:hi:I:l:Lm:M:nOQ:qrRs:S:t:T:UvVw:W:46",
	.options = OPTIONS{ { "f", NULL, NOTHING, REFUSE, .text = "-f floods the host" },
		{ "p", NULL, REQUIRED, REFUSE, .text = "-p sends a pattern" }, { 0 } },
};
MODEL(traceroute) = {
	.name = "traceroute", .syntax = PARTIAL, .special = asks, .shorts = "46dFInrAeTm:q:w:N:p:f:i:s:t:z:"
};
MODEL(tracepath) = { .name = "tracepath", .syntax = PARTIAL, .special = asks, .shorts = "46nbl:m:p:" };
MODEL(mtr) = { .name = "mtr",
	.syntax = PARTIAL,
	.special = asks,
	.shorts = "46bc:i:lm:nrtTuwzP:s:",
	.longs = "report report-wide no-dns report-cycles=" };
MODEL(dig) = {
	.name = "dig",
	.syntax = ONE_DASH,
	.special = asks,
	.longs = "4 6 m r u v b= c= p= q= t= x=",
	.options = OPTIONS{ { NULL, "f", REQUIRED, REFUSE, .text = "-f takes its questions from a file" },
		{ NULL, "k y", REQUIRED, EFFECT_OF_VALUE, EFFECT_USE }, { 0 } },
};
MODEL(host) = {
	.name = "host", .syntax = PARTIAL | NO_LONG, .special = asks, .shorts = "aCdilrsTUvVw46c:N:R:t:W:m:p:"
};
MODEL(nslookup) = { .name = "nslookup",
	.syntax = ONE_DASH | PARTIAL,
	.special = asks,
	.longs = "type= query= debug timeout= port= class=" };
MODEL(whois) = { .name = "whois", .syntax = PARTIAL, .special = asks, .shorts = "Hh:p:I" };
/* getent shadow prints password hashes. */
static void getent_command(struct run *run)
{
	if (run->n_operands &&
		(!run->operands[0].is_static || in_list(run->operands[0].text, "shadow gshadow")))
		run_effect_fixed(run, EFFECT_PRINT_CREDENTIAL, "shadow");
	run_effect_fixed(run, EFFECT_STATUS, NULL);
}

MODEL(getent) = { .name = "getent", .syntax = PARTIAL, .shorts = "s:i", .special = getent_command };
MODEL(ss) = {
	.name = "ss",
	.shorts = "hVHOnraloemipTsEbzZN:4670tudwxSMf:A:",
	.syntax = PARTIAL,
	.longs = "numeric resolve all listening options extended memory processes info summary tcp udp dccp "
		 "raw unix sctp vsock ipv4 ipv6 no-header oneline query= family=",
	.options = OPTIONS{ { "K", "kill", NOTHING, EFFECT_FIXED, EFFECT_MACHINE_SETTING, .text = "connections" },
		{ "D", "diag", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE },
		{ "F", "filter", REQUIRED, EFFECT_OF_VALUE, EFFECT_READ }, { 0 } },
	.rules = RULES{ { ALWAYS, EFFECT_STATUS }, { END } },
};
MODEL(netstat) = {
	.name = "netstat",
	.syntax = ANY_OPTION | PARTIAL,
	.shorts = "rgiMsnNeopvclaFCtuwxSbfLm",
	.longs = "tcp udp listening numeric all program route interfaces statistics extend continuous",
	.rules = RULES{ { ALWAYS, EFFECT_STATUS }, { END } },
};

/* Programs whose purpose is to scan or attack. */
#define ATTACKS(id, program) MODEL(id) = { .name = program, .syntax = NO_OPTIONS, .rules = RULES{ { \
	ALWAYS, EFFECT_SCAN, .text = "" }, { END } } }
ATTACKS(nmap, "nmap");
ATTACKS(masscan, "masscan");
ATTACKS(zmap, "zmap");
ATTACKS(nikto, "nikto");
ATTACKS(sqlmap, "sqlmap");
ATTACKS(hydra, "hydra");
ATTACKS(medusa, "medusa");
ATTACKS(gobuster, "gobuster");
ATTACKS(ffuf, "ffuf");
ATTACKS(dirb, "dirb");
ATTACKS(wfuzz, "wfuzz");
ATTACKS(arp_scan, "arp-scan");
ATTACKS(msfconsole, "msfconsole");
ATTACKS(responder, "responder");
ATTACKS(hping3, "hping3");
ATTACKS(slowloris, "slowloris");
