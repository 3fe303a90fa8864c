/* SPDX-License-Identifier: Apache-2.0 */
/* Keys, sums and encryption: openssl, gpg, ssh-keygen and those that hold credentials (pass, op, vault,
 * security …). */
#include "worker/commands/model.h"

#define PURE RULES{ { ALWAYS, EFFECT_PURE }, { END } }
#define IN_OUT OPTIONS{ { NULL, "in CAfile", REQUIRED, EFFECT_OF_VALUE, EFFECT_USE }, \
	{ NULL, "out keyout writerand", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, \
	{ NULL, "key inkey signkey CA CAkey untrusted trusted CApath certfile", REQUIRED, EFFECT_OF_VALUE, \
	EFFECT_USE }, \
	{ NULL, "engine provider provider-path", REQUIRED, REFUSE, .text = "loads code" }, \
	{ 0 } }

/* s_client sends its input; without any it shows the certificates of the other side. */
static void s_client_host(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (run->invocation->input == INPUT_NONE)
		run_effect(run, EFFECT_PROBE, value);
	else
		run_effect(run, EFFECT_UPLOAD, value);
}

static void s_client(struct run *run)
{
	if (run->invocation->input != INPUT_NONE)
		run->out->stdin_role = STDIN_SENT;
}

/* One-dash options, the same for most subcommands (openssl(1)). */
static const struct command_model openssl[] = {
	{ .name = "version|ciphers|list|help|errstr|prime",
		.syntax = ONE_DASH | PARTIAL,
		.longs = "a v b p f d s tls1_2 tls1_3 commands digest-commands cipher-commands hex generate "
			 "bits=",
		.rules = PURE },
	{ .name = "rand", .syntax = ONE_DASH, .longs = "base64 hex", .options = IN_OUT, .rules = PURE },
	{ .name = "passwd",
		.syntax = ONE_DASH,
		.longs = "6 5 1 apr1 stdin noverify quiet table salt=",
		.options = IN_OUT,
		.rules = PURE },
	{ .name = "dgst|md5|sha1|sha224|sha256|sha384|sha512",
		.syntax = ONE_DASH,
		.longs = "md5 sha1 sha224 sha256 sha384 sha512 hex binary c r hmac= mac= macopt= verify= "
			 "signature= sigopt=",
		.options = OPTIONS{ { NULL, "sign", REQUIRED, EFFECT_OF_VALUE, EFFECT_USE },
			{ NULL, "out", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, { 0 } },
		.rules = RULES{ { EACH, EFFECT_LIST }, { END } },
		.input = STDIN_READ },
	/* These two print what a key file holds. */
	{ .name = "pkcs12|asn1parse",
		.syntax = ONE_DASH | PARTIAL,
		.options = OPTIONS{ { NULL, "in", REQUIRED, EFFECT_OF_VALUE, EFFECT_READ },
			{ NULL, "out", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE },
			{ NULL, "inkey certfile CAfile", REQUIRED, EFFECT_OF_VALUE, EFFECT_COPY },
			{ NULL, "engine provider provider-path", REQUIRED, REFUSE, .text = "loads code" }, { 0 } },
		.input = STDIN_READ,
		.longs = "info nokeys clcerts cacerts nodes noenc noout export passin= passout= name= legacy i dump "
			 "inform= strparse= offset= length= oid=",
		.rules = RULES{ { EACH, EFFECT_READ }, { END } } },
	{ .name = "x509|req|crl|verify|pkcs7|ocsp",
		.syntax = ONE_DASH | PARTIAL,
		.options = IN_OUT,
		.input = STDIN_READ,
		.longs = "text noout subject issuer dates startdate enddate serial fingerprint pubkey "
			 "modulus hash checkend= ext= purpose new x509 newkey= nodes noenc days= subj= "
			 "addext= batch utf8 verify sha256 sha512 inform= outform= nameopt= req extfile= "
			 "extensions= set_serial= CAcreateserial email alias partial_chain crl_check verbose "
			 "i info nokeys clcerts cacerts export passin= passout= name= certopt=",
		.rules = RULES{ { EACH, EFFECT_USE }, { END } } },
	{ .name = "genrsa|genpkey|ecparam|dhparam|gendsa",
		.syntax = ONE_DASH | PARTIAL,
		.options = IN_OUT,
		.longs = "algorithm= pkeyopt= genkey name= noout aes256 aes-256-cbc pass= passout= "
			 "traditional f4 list_curves text check",
		.rules = PURE },
	{ .name = "s_client",
		.syntax = ONE_DASH | PARTIAL,
		.special = s_client,
		.option = s_client_host,
		.longs = "servername= showcerts brief quiet tls1_2 tls1_3 tls1_1 starttls= verify= alpn= "
			 "status no_ign_eof ign_eof",
		.options = OPTIONS{ { NULL, "connect host", REQUIRED, CALL },
			{ NULL, "CAfile cert key", REQUIRED, EFFECT_OF_VALUE, EFFECT_USE },
			{ NULL, "proxy", REQUIRED, REFUSE, .text = "goes through another host" }, { 0 } } },
	/* Plain base64 and the like is reading; with a cipher it may be how files are taken hostage. */
	{ .name = "base64",
		.syntax = ONE_DASH,
		.longs = "d e A a",
		.options = OPTIONS{ { NULL, "in", REQUIRED, EFFECT_OF_VALUE, EFFECT_READ },
			{ NULL, "out", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, { 0 } },
		.input = STDIN_READ },
	{ 0 },
};

MODEL(openssl) = { .name = "openssl", .syntax = POSIX_ORDER, .subcommands = openssl };

/* ssh-keygen: showing a fingerprint, or making a key where -f says. */
static void keygen(struct run *run)
{
	struct arg file = { .text = run->detail, .is_static = !(run->bits & 4) };

	if (run->detail.p)
		run_effect(run, run->bits & 1 ? EFFECT_USE : EFFECT_WRITE, &file);
	else if (!(run->bits & 1))
		run_open(run, "ssh-keygen without -f asks where to write");
}

static void keygen_file(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	run->detail = value->text;
	run->bits |= value->is_static ? 0 : 4;
}

MODEL(ssh_keygen) = {
	.name = "ssh-keygen",
	.syntax = NO_LONG,
	.shorts = "qva:t:b:C:E:I:m:O:n:V:z:",
	.special = keygen,
	.option = keygen_file,
	.options = OPTIONS{ { "lLBF", NULL, NOTHING, IGNORE, .set = 1 }, { "f", NULL, REQUIRED, CALL },
		{ "N", NULL, REQUIRED, IGNORE },
		{ "yepicARHkKMQSsUuwDP", NULL, NOTHING, REFUSE,
			.text = "with this option changes or shows keys" },
		{ 0 } },
};
MODEL(ssh_keyscan) = { .name = "ssh-keyscan",
	.syntax = NO_LONG,
	.shorts = "46cDHqvp:t:T:O:",
	.rules = RULES{ { EACH, EFFECT_PROBE }, { END } } };
MODEL(ssh_add) = {
	.name = "ssh-add",
	.syntax = NO_LONG,
	.shorts = "qv",
	.options = OPTIONS{ { "lL", NULL, NOTHING, IGNORE, .set = 1 }, { 0 } },
	.rules = RULES{ { EACH, EFFECT_USE }, { END } },
};
MODEL(ssh_agent) = { .name = "ssh-agent",
	.syntax = POSIX_ORDER | NO_LONG,
	.shorts = "ckst:",
	.wrapping = WRAPPING{ .effect = EFFECT_SHELL_STATE } };

/* Without a command gpg does what the file is: decrypts, verifies or imports it. */
static void gpg_command(struct run *run)
{
	if (!(run->bits & 1))
		run_open(run, "what gpg does is not known to the gate");
}

/* gpg: verifying and listing; everything that touches secret keys is open. */
MODEL(gpg) = {
	.name = "gpg",
	.syntax = PARTIAL | NO_ABBREVIATION,
	.shorts = "vqa",
	.longs = "batch yes quiet verbose no-tty armor with-colons with-fingerprint keyid-format= status-fd= "
		 "trust-model= dry-run no-auto-key-locate no-default-keyring",
	.options = OPTIONS{ { "o", "output", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE },
		{ "k",
			"verify list-keys list-public-keys list-sigs list-signatures check-signatures fingerprint "
			"list-packets show-keys list-secret-keys dearmor",
			NOTHING, IGNORE, .set = 1 },
		{ NULL, "print-md", REQUIRED, IGNORE, .set = 1 },
		{ NULL, "import", NOTHING, REFUSE, .text = "--import changes whom to trust" },
		{ NULL, "keyring", REQUIRED, EFFECT_OF_VALUE, EFFECT_USE }, { 0 } },
	.special = gpg_command,
	.rules = RULES{ { EACH, EFFECT_USE }, { END } },
	.input = STDIN_READ,
};

/* Stores of credentials: what they print is one. */
#define PRINTS_CREDENTIALS(id, program) MODEL(id) = { .name = program, .syntax = NO_OPTIONS, .rules \
	= RULES{ { ALWAYS, EFFECT_PRINT_CREDENTIAL, .text = program }, { END } }, .refuse = \
	"holds credentials" }
PRINTS_CREDENTIALS(pass, "pass");
PRINTS_CREDENTIALS(secret_tool, "secret-tool");
PRINTS_CREDENTIALS(keyring, "keyring");
PRINTS_CREDENTIALS(op, "op");
PRINTS_CREDENTIALS(bw, "bw");
PRINTS_CREDENTIALS(security, "security");
MODEL(age) = { .name = "age", .refuse = "encrypts or decrypts files" };
MODEL(mkpasswd) = { .name = "mkpasswd", .syntax = PARTIAL, .shorts = "m:S:sR:", .rules = PURE };
MODEL(uuidgen) = {
	.name = "uuidgen", .syntax = PARTIAL, .shorts = "rtmsn:N:x", .longs = "random time", .rules = PURE
};
MODEL(pwgen) = { .name = "pwgen", .syntax = PARTIAL, .shorts = "cnAyBsHhC10v", .rules = PURE };
