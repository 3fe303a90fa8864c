/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that reach another host: ssh, scp, sftp, rsync, nc, socat, telnet. */
#include "worker/commands/model.h"

/* ssh [options] HOST [COMMAND …]: without a command it runs what its input says. */
static void ssh_command(struct run *run)
{
	struct bytes text;
	struct nested *n;

	if (run->n_operands == 0)
		return;
	run_effect(run, EFFECT_REMOTE_SHELL, &run->operands[0]);
	/* A file or a pipe on its input is carried there, whatever is run with it. */
	if (run->invocation->input == INPUT_PIPE || run->invocation->input == INPUT_FILE) {
		run_effect(run, EFFECT_UPLOAD, &run->operands[0]);
		run->out->stdin_role = STDIN_SENT;
	}
	if (run->n_operands == 1) {
		if (!(run->bits & 1))
			run_program_from_stdin(run, true, DIALECT_POSIX);
		for (struct nested *k = run->out->nested; k; k = k->next)
			k->where = NESTED_HOST;
		return;
	}
	run->out->stdin_role = STDIN_SENT;
	if (!run_join_args(run, run->operands + 1, run->n_operands - 1, &text)) {
		run_open(run, "the command that ssh runs is not known before it runs");
		return;
	}
	n = run_nested_text(run, text, DIALECT_POSIX);
	if (n)
		n->where = NESTED_HOST;
}

/* -o KEY=VALUE: several keys run programs here. */
static void ssh_option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	static const char *const runs[] = { "command", "include", "userknownhostsfile", "controlpath",
		"identityagent", "proxy", "forward", "tunnel", "sendenv", "setenv", "pkcs11", "securitykey",
		"xauth", "hostname" };

	(void)rule;
	if (!value->is_static)
		run_open(run, "an option of ssh is not known before it runs");
	for (size_t i = 0; i < ARRAY_LEN(runs); i++)
		if (bytes_find_fold(value->text, runs[i]) && !bytes_find_fold(value->text, "/dev/null"))
			run_open(run, "ssh -o sets something that may run a program");
}

MODEL(ssh) = {
	.name = "ssh",
	.syntax = POSIX_ORDER | NO_LONG,
	.shorts = "46aCGgkMnqTtVvXxYB:b:c:e:l:m:O:p:Q:W:J:I:w:S:s",
	.special = ssh_command,
	.option = ssh_option,
	.options = OPTIONS{ { "i", NULL, REQUIRED, EFFECT_OF_VALUE, EFFECT_USE },
		{ "F", NULL, REQUIRED, REFUSE, .text = "-F takes another configuration" },
		{ "E", NULL, REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, { "o", NULL, REQUIRED, CALL },
		{ "N", NULL, NOTHING, IGNORE, .set = 1 },
		{ "LRD", NULL, REQUIRED, REFUSE, .text = "opens a tunnel" }, { "fAK", NULL, NOTHING, IGNORE },
		{ 0 } },
};

static bool is_remote(struct bytes path)
{
	const char *colon = path.len ? memchr(path.p, ':', path.len) : NULL;
	const char *slash = path.len ? memchr(path.p, '/', path.len) : NULL;

	return colon && colon != path.p && (!slash || colon < slash);
}

static struct bytes name_of(struct bytes path)
{
	size_t start = path.len;

	while (start > 0 && path.p[start - 1] != '/' && path.p[start - 1] != ':')
		start--;
	return (struct bytes){ path.p + start, path.len - start };
}

/* A place here that is copied to. What a source becomes below it is its own name, unless only its content is meant. */
static void arrives(struct run *run, const struct arg *to)
{
	enum effect_id effect = run->bits & 2 ? EFFECT_DELETE_TREE : EFFECT_WRITE;

	run_effect(run, effect, to);
	for (uint32_t i = 0; i + 1 < run->n_operands && effect == EFFECT_WRITE; i++) {
		struct bytes name = name_of(run->operands[i].text);
		struct command_effect *e;

		if (!run->operands[i].is_static || !name.len || bytes_is(name, ".") || bytes_is(name, ".."))
			continue;
		run_effect(run, effect, to);
		e = run_last_effect(run);
		if (e)
			e->within = name;
	}
}

/* Copies between hosts: the last operand is the destination. */
static void copies(struct run *run)
{
	uint32_t n = run->n_operands;

	for (uint32_t i = 0; i < n; i++) {
		const struct arg *a = &run->operands[i];
		bool last = i + 1 == n && n > 1;
		struct command_effect *e;

		if (!a->is_static && a->text.len == 0)
			run_open(run, "what %s copies is not known before it runs", run->model->name);
		if (!is_remote(a->text) && !bytes_find(a->text, "://")) {
			if (last)
				arrives(run, a);
			else if (run->bits & 4)
				run_copy_through_links(run, a);
			else
				run_effect(run, EFFECT_COPY, a);
			continue;
		}
		run_effect(run,
			last                                 ? EFFECT_UPLOAD
				: bytes_find(a->text, "://") ? EFFECT_FETCH
							     : EFFECT_REMOTE_SHELL,
			a);
		e = run_last_effect(run);
		if (e)
			e->by_path = true;
	}
	if (n == 1)
		run_effect_fixed(run, EFFECT_STATUS, NULL);
}

MODEL(scp) = {
	.name = "scp",
	.syntax = NO_LONG,
	.shorts = "346ABCOpqRTvc:J:l:P:X:",
	.special = copies,
	.option = ssh_option,
	.options = OPTIONS{ { "i", NULL, REQUIRED, EFFECT_OF_VALUE, EFFECT_USE },
		{ "r", NULL, NOTHING, IGNORE, .set = 4 }, /* scp(1): -r follows links in the tree */
		{ "o", NULL, REQUIRED, CALL },
		{ "SDF", NULL, REQUIRED, REFUSE, .text = "takes another program or configuration" }, { 0 } },
};
MODEL(rsync) = {
	.name = "rsync",
	.syntax = PARTIAL,
	.special = copies,
	.shorts = "vqcarRbudlKHpEAXogDtOJUNSnWxyCzPih468FmI0B:@:",
	.longs = "verbose quiet checksum archive no-motd recursive relative no-implied-dirs backup suffix= "
		 "update inplace append append-verify dirs old-dirs links "
		 "safe-links munge-links keep-dirlinks hard-links perms executability chmod= "
		 "acls xattrs owner group devices specials times omit-dir-times omit-link-times numeric-ids "
		 "usermap= groupmap= chown= sparse preallocate dry-run whole-file one-file-system "
		 "block-size= existing ignore-existing max-size= min-size= partial prune-empty-dirs timeout= "
		 "contimeout= ignore-times size-only modify-window= fuzzy compress compress-level= "
		 "compress-choice= skip-compress= cvs-exclude filter= exclude= include= from0 human-readable "
		 "progress itemize-changes out-format= stats 8-bit-output bwlimit= list-only no-perms "
		 "no-owner no-group no-times no-o no-g no-p info= debug= open-noatime mkpath ipv4 ipv6 "
		 "protocol= address= port= outbuf= blocking-io delay-updates stop-after= no-whole-file "
		 "no-links no-compress",
	.options = OPTIONS{ { "Lk", "copy-links copy-unsafe-links copy-dirlinks", NOTHING, IGNORE, .set = 4 },
		{ "e", "rsh rsync-path", REQUIRED, REFUSE, .text = "-e runs a program" },
		{ "M", "remote-option", REQUIRED, REFUSE, .text = "-M sets options of the other side" },
		{ NULL, "daemon config", NOTHING, REFUSE, .text = "--daemon serves files" },
		{ NULL, "remove-source-files", NOTHING, REFUSE,
			.text = "--remove-source-files deletes what it copied" },
		{ NULL,
			"delete delete-before delete-during delete-delay delete-after delete-excluded "
			"delete-missing-args force",
			NOTHING, IGNORE, .set = 2 },
		{ NULL, "ignore-errors", NOTHING, IGNORE }, { NULL, "max-delete", REQUIRED, IGNORE },
		{ NULL, "files-from exclude-from include-from password-file", REQUIRED, EFFECT_OF_VALUE,
			EFFECT_READ },
		{ "T", "temp-dir backup-dir partial-dir log-file write-batch only-write-batch", REQUIRED,
			EFFECT_OF_VALUE, EFFECT_WRITE },
		{ NULL, "compare-dest copy-dest link-dest", REQUIRED, EFFECT_OF_VALUE, EFFECT_LIST }, { 0 } },
};
MODEL(sftp) = {
	.name = "sftp",
	.syntax = NO_LONG,
	.shorts = "46aCfNpqrvb:i:P:o:F:J:l:B:R:c:D:S:s:",
	.refuse = "moves files by commands of its own",
	.rules = RULES{ { FIRST, EFFECT_UPLOAD }, { END } },
};
MODEL(ssh_copy_id) = { .name = "ssh-copy-id",
	.syntax = NO_OPTIONS,
	.rules = RULES{ { LAST, EFFECT_REMOTE_CHANGE }, { ONLY, EFFECT_REMOTE_CHANGE }, { END } } };

/* nc: -z only tries, -l listens, else its input is sent; -e runs a program for the other side. */
static void nc_command(struct run *run)
{
	if (run->bits & 1) {
		run_effect_fixed(run, EFFECT_LISTEN, NULL);
		return;
	}
	if (run->n_operands == 0)
		return;
	if (run->bits & 4) {
		run_open(run, "%s speaks to a local service by its socket", run->model->name);
		return;
	}
	if (run->bits & 2) {
		run_effect(run, EFFECT_PROBE, &run->operands[0]);
		if (run->n_operands > 1 && bytes_char(run->operands[1].text, '-'))
			run_effect(run, EFFECT_SCAN, &run->operands[0]);
		return;
	}
	run->out->stdin_role = STDIN_SENT;
	if (run->invocation->input == INPUT_NONE) {
		run_effect(run, EFFECT_FETCH, &run->operands[0]);
		return;
	}
	/* Of an input that nobody names it is not known whether there is any. */
	run->uncertain = run->invocation->input == INPUT_INHERITED;
	run_effect(run, EFFECT_UPLOAD, &run->operands[0]);
	run->uncertain = false;
}

MODEL(nc) = {
	.name = "nc",
	.syntax = PARTIAL,
	.shorts = "46bCDdFhNnrStuvki:I:M:m:O:P:p:q:s:T:V:w:W:",
	.special = nc_command,
	.longs = "verbose udp nodns wait=",
	.options = OPTIONS{ { "l", "listen", NOTHING, IGNORE, .set = 1 },
		{ "z", NULL, NOTHING, IGNORE, .set = 2 },
		{ "U", "unixsock", NOTHING, IGNORE, .set = 4 },
		{ "ec", "exec sh-exec lua-exec", REQUIRED, REFUSE,
			.text = "-e runs a program for the other side" },
		{ "xX", "proxy proxy-type", REQUIRED, REFUSE, .text = "goes through another host" },
		{ "o", "output hex-dump", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, { 0 } },
};

/* socat joins two addresses, each of which may be a program, a file or a host. */
static void socat_reader(struct run *run)
{
	static const char *const hosts[] = { "tcp", "udp", "ssl", "sctp", "dtls", "dccp", "socks", "proxy" };

	run_open(run, "socat joins addresses that may be programs, files or hosts");
	for (uint32_t i = 0; i < run->argc; i++) {
		const struct arg *a = &run->argv[i];
		const char *colon = a->text.len ? memchr(a->text.p, ':', a->text.len) : NULL;
		struct bytes kind = { a->text.p, colon ? (size_t)(colon - a->text.p) : 0 };
		struct arg host = *a;
		bool connects = false;

		for (size_t k = 0; k < ARRAY_LEN(hosts); k++)
			connects = connects || bytes_find_fold(kind, hosts[k]);
		if (!connects || bytes_find_fold(kind, "listen"))
			continue;
		host.text = bytes_from(a->text, kind.len + 1);
		run_effect(run, EFFECT_UPLOAD, &host);
	}
}

MODEL(socat) = { .name = "socat", .reader = socat_reader };
MODEL(telnet) = {
	.name = "telnet",
	.syntax = PARTIAL | NO_LONG,
	.shorts = "468EKLacdrxn:e:k:l:X:b:",
	.rules = RULES{ { FIRST, EFFECT_UPLOAD }, { END } },
	.input = STDIN_SENT,
	.refuse = "takes commands of its own from its input, and may run a shell",
};
MODEL(ftp) = { .name = "ftp", .refuse = "moves files by commands of its own" };
