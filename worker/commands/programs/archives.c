/* SPDX-License-Identifier: Apache-2.0 */
/* Archives and compression: tar, zip, gzip and their families. What is unpacked is named by the archive,
 * below a directory. */
#include "worker/commands/model.h"

enum {
	RENAMES = 512,
	REMOVES = 1024, /* zstd and lz4 keep what they read, unless told otherwise */
	FOLLOWS = 2048,
	CREATE = 1,
	EXTRACT = 2,
	LIST = 4,
	UPDATE = 8,
	TO_STDOUT = 16,
	KEEP = 32,
	DECOMPRESS = 64,
	TEST = 128,
	NAMES = 256,
};

static void tar_file(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	run->detail = value->text;
	run->chosen = *value;
	/* host:file is on another host. */
	if (bytes_char(value->text, ':') && !bytes_start(value->text, "/") && !bytes_start(value->text, "."))
		run_open(run, "tar takes an archive on another host");
}

/* What is packed goes by a pipe to somebody who may print it: all but those who pack it tighter, count or unpack it. */
static bool may_be_printed(const struct run *run)
{
	static const char silent[] = "gzip pigz bzip2 pbzip2 xz zstd lz4 wc sha256sum sha1sum md5sum pv";
	const struct invocation *inv = run->invocation;
	const struct simple_command *reader = NULL;
	bool unpacks = false;

	if (!inv->line || !inv->line->is_piped || !inv->line->is_piped(inv->line_data))
		return false;
	if (inv->line->reader)
		reader = inv->line->reader(inv->line_data);
	if (!reader || !reader->words->is_static)
		return true;
	if (in_list(reader->words->value, silent))
		return reader->piped_out;
	for (const struct word *w = reader->words->next; w && bytes_is(reader->words->value, "tar"); w = w->next) {
		bool letters = !bytes_start(w->value, "--") && (bytes_start(w->value, "-") || w == reader->words->next);

		if (!w->is_static || bytes_is(w->value, "--to-stdout") || (letters && bytes_char(w->value, 'O')))
			return true;
		unpacks = unpacks || (letters && bytes_char(w->value, 'x'));
	}
	return !unpacks;
}

static void check_printed(struct run *run, bool named)
{
	bool whole = false;

	for (uint32_t i = 0; i < run->n_operands; i++)
		whole = whole || !run->operands[i].is_static || only_of(run->operands[i].text, 0, "./");
	if ((run->bits & CREATE) && !named && whole && may_be_printed(run))
		run_open(run, "a whole tree is packed, and printed perhaps with what is secret in it");
	if ((run->bits & EXTRACT) && (run->bits & TO_STDOUT) && run->n_operands == 0)
		run_open(run, "tar -O prints everything that is packed");
}

static void tar_command(struct run *run)
{
	bool named = run->chosen.text.p && !arg_is(&run->chosen, "-");

	check_printed(run, named);

	if (run->bits & (CREATE | UPDATE)) {
		if (named)
			run_effect(run, EFFECT_WRITE, &run->chosen);
		for (uint32_t i = 0; i < run->n_operands; i++)
			if (run->bits & FOLLOWS)
				run_copy_through_links(run, &run->operands[i]);
			else
				run_effect(run, EFFECT_COPY, &run->operands[i]);
		if (run->bits & NAMES)
			run_open(run, "tar -T takes the names of files from a file");
	} else if (named) {
		run_effect(run, EFFECT_USE, &run->chosen);
	}
	/* What lies in an archive under a secret's name is a secret. */
	if ((run->bits & (EXTRACT | TO_STDOUT)) == (EXTRACT | TO_STDOUT))
		for (uint32_t i = 0; i < run->n_operands; i++)
			run_effect(run, EFFECT_READ, &run->operands[i]);
	if (!named)
		run->out->stdin_role = STDIN_READ;
	if ((run->bits & EXTRACT) && !(run->bits & TO_STDOUT)) {
		run_effect_fixed(run, EFFECT_WRITE, ".");
		/* Members that are named come out under those names. */
		for (uint32_t i = 0; i < run->n_operands; i++)
			run_effect(run, EFFECT_WRITE, &run->operands[i]);
	}
	if ((run->bits & EXTRACT) && (run->bits & RENAMES))
		run_open(run, "tar --transform makes names that are not known to the gate");
	if (run->bits & LIST)
		run_effect_fixed(run, EFFECT_PURE, NULL);
	if (!(run->bits & (CREATE | UPDATE | EXTRACT | LIST)))
		run_open(run, "what tar does is not known to the gate");
}

static const struct option_rule tar_options[] = {
	{ "c", "create", NOTHING, IGNORE, .set = CREATE },
	{ "x", "extract get", NOTHING, IGNORE, .set = EXTRACT },
	{ "td", "list diff compare", NOTHING, IGNORE, .set = LIST },
	{ "ruA", "append update catenate concatenate delete", NOTHING, IGNORE, .set = UPDATE },
	{ "O", "to-stdout", NOTHING, IGNORE, .set = TO_STDOUT },
	{ "f", "file", REQUIRED, CALL },
	{ "C", "directory cd", REQUIRED, DIRECTORY },
	{ "X", "exclude-from", REQUIRED, EFFECT_OF_VALUE, EFFECT_USE },
	{ "T", "files-from", REQUIRED, EFFECT_OF_VALUE, EFFECT_USE, NAMES },
	{ NULL, "add-file", REQUIRED, EFFECT_OF_VALUE, EFFECT_COPY },
	{ NULL, "one-top-level", OPTIONAL, CALL, .text = "top" },
	{ "g", "listed-incremental index-file", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE },
	{ "I", "use-compress-program", REQUIRED, REFUSE, .text = "-I runs a program" },
	{ "F", "info-script new-volume-script", REQUIRED, REFUSE, .text = "-F runs a program" },
	{ NULL, "to-command rsh-command rmt-command checkpoint-action", REQUIRED, REFUSE,
		.text = "runs a program" },
	{ "h", "dereference", NOTHING, IGNORE, .set = FOLLOWS },
	{ "P", "absolute-names", NOTHING, REFUSE, .text = "-P writes to absolute names" },
	{ NULL, "remove-files recursive-unlink unlink-first", NOTHING, REFUSE, .text = "deletes files" },
	{ NULL, "transform xform", REQUIRED, CALL },
	{ 0 },
};

/* --transform makes other names, which matter where files are written. */
static void tar_option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	if (rule->text && value->text.p && value->text.len)
		run_effect(run, EFFECT_WRITE, value); /* the members go below this directory instead */
	else if (rule->text)
		return;
	else if (rule->longs && rule->longs[0] == 't')
		run->bits |= RENAMES;
	else
		tar_file(run, rule, value);
}

static const struct command_model tar_model = {
	.name = "tar",
	.syntax = PARTIAL,
	.shorts = "vwkmpsSzjJZaMUlBGioRWb:K:N:V:L:H:n",
	.options = tar_options,
	.option = tar_option,
	.special = tar_command,
	.longs = "verbose gzip gunzip ungzip bzip2 xz lzma lzip lzop zstd compress uncompress "
		 "auto-compress no-auto-compress keep-old-files skip-old-files keep-newer-files "
		 "overwrite no-overwrite-dir preserve-permissions same-permissions same-order "
		 "preserve no-same-owner no-same-permissions same-owner numeric-owner owner= group= "
		 "mode= mtime= touch hard-dereference exclude= exclude-vcs "
		 "exclude-vcs-ignores exclude-backups exclude-caches exclude-caches-all exclude-tag= "
		 "strip-components= wildcards no-wildcards wildcards-match-slash anchored no-anchored "
		 "ignore-case no-ignore-case no-recursion recursion one-file-system sort= format= "
		 "posix old-archive pax-option= label= sparse checkpoint?= totals?= utc full-time "
		 "show-transformed-names show-stored-names block-number verbatim-files-from null "
		 "no-null newer= newer-mtime= after-date= occurrence?= warning= ignore-failed-read "
		 "ignore-zeros blocking-factor= record-size= read-full-records interactive "
		 "confirmation delay-directory-restore no-delay-directory-restore acls no-acls xattrs "
		 "no-xattrs selinux no-selinux starting-file= quoting-style= check-links force-local "
		 "level= test-label verify incremental",
};

/* The first word may be a cluster without a dash, whose values follow in order (tar(1) "Traditional usage").
 */
static void tar_reader(struct run *run)
{
	const struct arg *first = run->argc ? &run->argv[0] : NULL;

	if (first && first->is_static && first->text.len && first->text.p[0] != '-') {
		struct arg *args = run_alloc(run, (run->argc + first->text.len) * sizeof(*args));
		uint32_t n = 0, at = 1;

		if (!args)
			return;
		for (size_t i = 0; i < first->text.len; i++) {
			char c = first->text.p[i];

			args[n] = *first;
			args[n++].text = run_join(run, BYTES("-"), (struct bytes){ first->text.p + i, 1 });
			if (strchr("fbCTXgKNVLHIF", c) && at < run->argc)
				args[n++] = run->argv[at++];
		}
		while (at < run->argc)
			args[n++] = run->argv[at++];
		run->argv = args;
		run->argc = n;
	}
	run_model(run, run->model->more);
}

/* The name without the ending: what is unpacked takes the place of whatever is called so. */
static void writes_unpacked(struct run *run, const struct arg *packed)
{
	static const char *const endings[] = { ".gz", ".bz2", ".xz", ".lzma", ".zst", ".lz4", ".lz", ".Z", ".z" };

	for (size_t i = 0; packed->is_static && i < ARRAY_LEN(endings); i++)
		if (bytes_end(packed->text, endings[i]))
			run_effect_text(run, EFFECT_WRITE,
				(struct bytes){ packed->text.p, packed->text.len - strlen(endings[i]) });
}

MODEL(tar) = { .name = "tar", .reader = tar_reader, .more = &tar_model };
MODEL(bsdtar) = { .name = "bsdtar", .reader = tar_reader, .more = &tar_model };

/* gzip FILE replaces FILE by FILE.gz, -d the other way; -c, -l and -t leave it. */
static void gzip_command(struct run *run)
{
	bool keeps = in_list(bytes_str(run->model->name), "zstd lz4");

	if (run->n_operands == 0)
		run->out->stdin_role = STDIN_READ;
	for (uint32_t i = 0; i < run->n_operands; i++) {
		const struct arg *a = &run->operands[i];

		if (arg_is(a, "-"))
			continue;
		run_effect(run, EFFECT_READ, a);
		if (run->bits & (TO_STDOUT | LIST | TEST))
			continue;
		if (!(run->bits & KEEP) && (!keeps || (run->bits & REMOVES)))
			run_effect(run, EFFECT_MOVE, a);
		run_effect(run, EFFECT_WRITE, a);
		writes_unpacked(run, a);
	}
}

#define COMPRESS_OPTIONS OPTIONS{ \
	{ "N", "name", NOTHING, REFUSE, .text = "-N takes the name from what is packed" }, \
	{ "S", "suffix", REQUIRED, REFUSE, .text = "-S makes names of another kind" }, \
	 { "c", "stdout to-stdout", NOTHING, IGNORE, .set = TO_STDOUT }, \
	{ "lt", "list test", NOTHING, IGNORE, .set = LIST }, \
	{ "k", "keep", NOTHING, IGNORE, .set = KEEP }, \
	{ NULL, "rm", NOTHING, IGNORE, .set = REMOVES }, \
	{ "o", NULL, REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, \
	{ 0 } }
#define COMPRESS_LONGS "decompress uncompress force quiet verbose recursive fast best no-name " \
	"rsyncable threads= small repetitive-fast ultra extreme format= check= " \
	"memlimit= block-size= no-warn robot progress no-progress single-stream synchronous"
MODEL(gzip) = { .name = "gzip",
	.syntax = NUMBER | PARTIAL,
	.shorts = "dfhnqrv",
	.longs = COMPRESS_LONGS,
	.options = COMPRESS_OPTIONS,
	.special = gzip_command };
MODEL(gunzip) = { .name = "gunzip",
	.syntax = NUMBER | PARTIAL,
	.shorts = "dfhnqrv",
	.longs = COMPRESS_LONGS,
	.options = COMPRESS_OPTIONS,
	.special = gzip_command };
MODEL(bzip2) = { .name = "bzip2",
	.syntax = NUMBER | PARTIAL,
	.shorts = "dzfqsvL",
	.longs = COMPRESS_LONGS,
	.options = COMPRESS_OPTIONS,
	.special = gzip_command };
MODEL(bunzip2) = { .name = "bunzip2",
	.syntax = NUMBER | PARTIAL,
	.shorts = "dzfqsvL",
	.longs = COMPRESS_LONGS,
	.options = COMPRESS_OPTIONS,
	.special = gzip_command };
MODEL(xz) = { .name = "xz",
	.syntax = NUMBER | PARTIAL,
	.shorts = "dzfqQveT:M:F:C:H",
	.longs = COMPRESS_LONGS,
	.options = COMPRESS_OPTIONS,
	.special = gzip_command };
MODEL(unxz) = { .name = "unxz",
	.syntax = NUMBER | PARTIAL,
	.shorts = "dzfqQveT:M:F:C:H",
	.longs = COMPRESS_LONGS,
	.options = COMPRESS_OPTIONS,
	.special = gzip_command };
MODEL(zstd) = { .name = "zstd",
	.syntax = NUMBER | PARTIAL,
	.shorts = "dzfqvrT:D:b:",
	.longs = COMPRESS_LONGS,
	.options = COMPRESS_OPTIONS,
	.special = gzip_command };
MODEL(lz4) = { .name = "lz4",
	.syntax = NUMBER | PARTIAL,
	.shorts = "dzfqvm",
	.longs = COMPRESS_LONGS,
	.options = COMPRESS_OPTIONS,
	.special = gzip_command };
#define READS RULES{ { EACH, EFFECT_READ }, { END } }
MODEL(zcat) = { .name = "zcat",
	.syntax = PARTIAL,
	.shorts = "fhLrvV",
	.longs = "force",
	.rules = READS,
	.input = STDIN_READ };
MODEL(bzcat) = { .name = "bzcat", .syntax = PARTIAL, .shorts = "s", .rules = READS, .input = STDIN_READ };
MODEL(xzcat) = { .name = "xzcat", .syntax = PARTIAL, .shorts = "fqvT:", .rules = READS, .input = STDIN_READ };
MODEL(zstdcat) = {
	.name = "zstdcat", .syntax = PARTIAL, .shorts = "fqv", .rules = READS, .input = STDIN_READ
};

/* Links are followed, unless -y keeps them. */
static void zip_command(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++)
		if (i == 0)
			run_effect(run, EFFECT_WRITE, &run->operands[i]);
		else if (run->bits & KEEP)
			run_effect(run, EFFECT_COPY, &run->operands[i]);
		else
			run_copy_through_links(run, &run->operands[i]);
}

/* zip ARCHIVE FILE…; -T with -TT runs a test command, -m deletes what was packed. */
MODEL(zip) = {
	.name = "zip",
	.syntax = NUMBER | PARTIAL,
	.shorts = "rqvjXuf9oSDgeAlLkcFz",
	.longs = "recurse-paths quiet verbose junk-paths no-extra update freshen encrypt",
	.options = OPTIONS{ { "y", "symlinks", NOTHING, IGNORE, .set = KEEP },
		{ "m", "move", NOTHING, REFUSE, .text = "-m deletes what it packed" },
		{ "T", "test unzip-command", NOTHING, REFUSE, .text = "-T may run a program" },
		{ "P", "password", REQUIRED, IGNORE },
		{ "xin", "exclude include suffixes", REQUIRED, IGNORE },
		{ "b", "temp-path", REQUIRED, EFFECT_OF_VALUE, EFFECT_CREATE },
		{ "O", "output-file out", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, { 0 } },
	.special = zip_command,
};

static void unzip_command(struct run *run)
{
	if (run->n_operands)
		run_effect(run, EFFECT_USE, &run->operands[0]);
	for (uint32_t i = 1; i < run->n_operands && (run->bits & TO_STDOUT); i++)
		run_effect(run, EFFECT_READ, &run->operands[i]);
	if (!(run->bits & (LIST | TO_STDOUT)) && !(run->bits & EXTRACT)) {
		run_effect_fixed(run, EFFECT_WRITE, ".");
		for (uint32_t i = 1; i < run->n_operands; i++)
			run_effect(run, EFFECT_WRITE, &run->operands[i]);
	}
}

MODEL(unzip) = {
	.name = "unzip",
	.syntax = NO_LONG,
	.shorts = "fnoqjuaCLVXKUWDMb",
	.special = unzip_command,
	.options = OPTIONS{ { "lvtzZ", NULL, NOTHING, IGNORE, .set = LIST },
		{ "pc", NULL, NOTHING, IGNORE, .set = TO_STDOUT },
		{ "d", NULL, REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE, EXTRACT },
		{ "xP", NULL, REQUIRED, IGNORE },
		{ ":", NULL, NOTHING, REFUSE, .text = "-: writes outside the directory" }, { 0 } },
};

/* 7z COMMAND [switches] ARCHIVE [files]. */
static void seven_zip(struct run *run)
{
	const struct arg *command = run->n_operands ? &run->operands[0] : NULL;

	if (!command || !command->is_static || run->n_operands < 2) {
		run_open(run, "what 7z does is not known to the gate");
		return;
	}
	if (in_list(command->text, "l t i")) {
		run_effect(run, EFFECT_USE, &run->operands[1]);
	} else if (in_list(command->text, "a u")) {
		run_effect(run, EFFECT_WRITE, &run->operands[1]);
		for (uint32_t i = 2; i < run->n_operands; i++)
			run_copy_through_links(run, &run->operands[i]);
	} else if (in_list(command->text, "x e")) {
		run_effect(run, EFFECT_USE, &run->operands[1]);
		if (!(run->bits & EXTRACT))
			run_effect_fixed(run, EFFECT_WRITE, ".");
	} else {
		run_open(run, "this command of 7z is not known to the gate");
	}
}

/* -sdel deletes what was packed, -so prints what is unpacked. */
static void seven_zip_switch(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (!value->is_static || !in_list(value->text, "lt scc scs cc cs fx mt nl ns lp pe"))
		run_open(run, "this switch of 7z is not known to the gate");
}

MODEL(seven_z) = {
	.name = "7z",
	.syntax = NO_LONG,
	.shorts = "yrm:t:p:a:b:x:",
	.special = seven_zip,
	.option = seven_zip_switch,
	.options = OPTIONS{ { "s", NULL, REQUIRED, CALL },
		 { "o", NULL, REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE, EXTRACT }, { 0 } },
};
MODEL(cpio) = { .name = "cpio", .syntax = PARTIAL, .refuse = "writes what its input names" };
/* Everything behind the archive's name. */
static void ar_members(struct run *run, uint32_t archive, enum effect_id effect)
{
	for (uint32_t i = archive + 1; i < run->n_operands; i++)
		run_effect(run, effect, &run->operands[i]);
}

/* ar [-]KEYS [MEMBER | COUNT] ARCHIVE [FILE…]: one of dmpqrstx, and modifiers (ar(1)). -M takes commands from its
 * input, --plugin loads code. */
static void ar_command(struct run *run)
{
	struct bytes keys = run->n_operands ? run->operands[0].text : (struct bytes){ "", 0 };
	size_t from = bytes_start(keys, "-") ? 1 : 0;
	uint32_t archive = 1;
	char operation = '\0';

	for (size_t i = from; i < keys.len; i++) {
		if (strchr("dmpqrstx", keys.p[i]) && operation != 'r' && operation != 'q')
			operation = keys.p[i];
		archive += strchr("abiN", keys.p[i]) != NULL;
	}
	if (!operation || !run->operands[0].is_static || !only_of(keys, from, "dmpqrstxabiNcDfloOPsSTuUvV") ||
		archive >= run->n_operands || bytes_start(run->operands[archive].text, "-")) {
		run_open(run, "what ar does is not known to the gate");
		return;
	}
	if (!strchr("ptx", operation)) {
		run_effect(run, EFFECT_WRITE, &run->operands[archive]);
		ar_members(run, archive, strchr("qr", operation) ? EFFECT_COPY : EFFECT_USE);
		return;
	}
	run_effect(run, operation == 'p' ? EFFECT_READ : EFFECT_USE, &run->operands[archive]);
	if (operation == 'p')
		ar_members(run, archive, EFFECT_READ);
	if (operation == 'x')
		run_effect_fixed(run, EFFECT_WRITE, ".");
}

MODEL(ar) = { .name = "ar", .syntax = NO_OPTIONS, .special = ar_command };
