/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that make, copy, move, delete and re-permission files (coreutils, acl, e2fsprogs). */
#include "worker/commands/model.h"

enum {
	RECURSIVE = 1,
	TARGET_DIR = 2,
	NO_TARGET_DIR = 4,
	DIRECTORIES = 8,
	SYMBOLIC = 16,
	REFERENCE = 32,
	IN_PLACE = 64,
	OPENED = 128, /* a mode that lets everybody write */
	REMOVES = 256,
	THROUGH_LINKS = 512, /* of what is copied */
	RELATIVE = 1024, /* ln -r works out the text of the link itself */
};

static struct bytes last_component(struct bytes path)
{
	size_t end = path.len, start;

	while (end > 1 && path.p[end - 1] == '/')
		end--;
	start = end;
	while (start > 0 && path.p[start - 1] != '/')
		start--;
	return (struct bytes){ path.p + start, end - start };
}

/* Source and destination of cp, mv, ln and install. A destination that may be a directory gets the name of
 * the source. */
static void transfer(struct run *run, enum effect_id source, enum effect_id destination)
{
	uint32_t n = run->n_operands, sources = n;
	const struct arg into = { .text = run->detail, .is_static = true };
	const struct arg *to = run->detail.p ? &into : NULL;

	if (!(run->bits & TARGET_DIR)) {
		/* One pattern may become sources and destination. */
		if (n == 1 && !run->operands[0].is_static) {
			run_effect(run, source, &run->operands[0]);
			run_effect(run, destination, &run->operands[0]);
		}
		if (n < 2)
			return;
		to = &run->operands[n - 1];
		sources = n - 1;
	}
	for (uint32_t i = 0; i < sources; i++) {
		struct command_effect *e;

		if (run->bits & THROUGH_LINKS)
			run_copy_through_links(run, &run->operands[i]);
		else
			run_effect(run, source, &run->operands[i]);
		if (!to || (run->bits & NO_TARGET_DIR))
			continue;
		run_effect(run, destination, to);
		e = run_last_effect(run);
		/* dir/. is what the directory holds, under names that are not said. */
		if (e && run->operands[i].is_static && !bytes_end(run->operands[i].text, "."))
			e->within = last_component(run->operands[i].text);
	}
	if (to && (sources == 0 || (run->bits & NO_TARGET_DIR)))
		run_effect(run, destination, to);
}

static void cp_command(struct run *run)
{
	transfer(run, run->bits & SYMBOLIC ? EFFECT_LINK : EFFECT_COPY, EFFECT_WRITE);
}

/* -t DIRECTORY: what each source becomes below it is known once all operands are. */
static void into_option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	run->bits |= TARGET_DIR;
	if (value->is_static)
		run->detail = value->text;
	else
		run_effect(run, EFFECT_WRITE, value);
}

#define INTO { "t", "target-directory", REQUIRED, CALL, .text = "into" }, \
	{ "T", "no-target-directory", NOTHING, IGNORE, .set = NO_TARGET_DIR }

MODEL(cp) = {
	.name = "cp",
	.shorts = "abdfiHnPpRruvxZS:",
	.special = cp_command,
	.longs = "archive attributes-only backup?= copy-contents force interactive no-clobber "
		 "no-dereference preserve?= no-preserve= parents recursive reflink?= remove-destination "
		 "sparse= strip-trailing-slashes suffix= update?= verbose one-file-system context?= debug "
		 "keep-directory-symlink",
	.option = into_option,
	.options = OPTIONS{ INTO, { "ls", "link symbolic-link", NOTHING, IGNORE, .set = SYMBOLIC },
		{ "L", "dereference", NOTHING, IGNORE, .set = THROUGH_LINKS }, { 0 } },
};

static void mv_command(struct run *run)
{
	transfer(run, EFFECT_MOVE, EFFECT_WRITE);
}

MODEL(mv) = {
	.name = "mv",
	.shorts = "bfinuvZS:",
	.special = mv_command,
	.longs = "backup?= force interactive no-clobber no-copy exchange strip-trailing-slashes suffix= "
		 "update?= verbose context debug",
	.option = into_option,
	.options = OPTIONS{ INTO, { 0 } },
};

/*
 * The text of a symbolic link is read from where the link lies (symlink(7)): below the destination, where that is a
 * directory, else beside it.
 */
static void symbolic_links(struct run *run)
{
	const struct arg *last = run->n_operands ? &run->operands[run->n_operands - 1] : NULL;
	struct bytes into = run->bits & TARGET_DIR ? run->detail : last ? last->text : run->detail;
	struct command_effect *from = run_last_effect(run);
	size_t n = into.len;

	transfer(run, EFFECT_LINK, EFFECT_WRITE);
	if (!(run->bits & TARGET_DIR) && last && last->is_static && run->n_operands == 2) {
		while (n > 0 && into.p[n - 1] != '/')
			n--;
		into.len = n;
	}
	if (!into.len || (last && !last->is_static))
		return;
	for (struct command_effect *e = from ? from->next : run->out->effects; e; e = e->next)
		if (e->effect == EFFECT_LINK && e->is_static && !bytes_start(e->target, "/"))
			e->base = into;
}

/* ln TARGET makes ./basename; ln -s writes its text, and reading through it later reads TARGET. */
static void ln_command(struct run *run)
{
	if (run->n_operands == 1 && !(run->bits & TARGET_DIR)) {
		run_effect(run, EFFECT_LINK, &run->operands[0]);
		run_effect_text(run, EFFECT_CREATE, last_component(run->operands[0].text));
		return;
	}
	if ((run->bits & SYMBOLIC) && !(run->bits & RELATIVE))
		symbolic_links(run);
	else
		transfer(run, EFFECT_LINK, EFFECT_WRITE);
}

MODEL(ln) = {
	.name = "ln",
	.shorts = "bdFfiLnPvS:",
	.special = ln_command,
	.longs = "backup?= directory force interactive logical no-dereference physical suffix= verbose",
	.option = into_option,
	.options = OPTIONS{ INTO, { "s", "symbolic", NOTHING, IGNORE, .set = SYMBOLIC },
		{ "r", "relative", NOTHING, IGNORE, .set = RELATIVE }, { 0 } },
};

static bool opens_wide(struct bytes mode);
static bool sets_id(struct bytes mode);

/* install -m MODE: a mode for everybody, or set-user-id, is more than a copy. */
static void install_mode(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	if (rule->text)
		into_option(run, rule, value);
	else if (!value->is_static || opens_wide(value->text) || sets_id(value->text))
		run_open(run, "install gives a mode that opens the file to everybody");
}

static void install_command(struct run *run)
{
	if (run->bits & DIRECTORIES) {
		for (uint32_t i = 0; i < run->n_operands; i++)
			run_effect(run, EFFECT_MAKE_DIRECTORY, &run->operands[i]);
		return;
	}
	transfer(run, EFFECT_COPY, EFFECT_WRITE);
}

MODEL(install) = {
	.name = "install",
	.shorts = "bcCDpvZS:",
	.special = install_command,
	.option = install_mode,
	.longs = "backup?= compare preserve-timestamps suffix= verbose preserve-context context?=",
	.options = OPTIONS{ INTO, { "d", "directory", NOTHING, IGNORE, .set = DIRECTORIES },
		{ "m", "mode", REQUIRED, CALL }, { "s", "strip", NOTHING, IGNORE },
		{ NULL, "strip-program", REQUIRED, REFUSE, .text = "runs a program to strip with" },
		{ "og", "owner group", REQUIRED, IGNORE }, { 0 } },
};

MODEL(rm) = {
	.name = "rm",
	.shorts = "fiIdv",
	.longs = "force interactive?= one-file-system dir verbose preserve-root?= no-preserve-root",
	.options = OPTIONS{ { "rR", "recursive", NOTHING, IGNORE, .set = RECURSIVE }, { 0 } },
	.rules = RULES{ { EACH, EFFECT_DELETE, .unless = RECURSIVE },
		{ EACH, EFFECT_DELETE_TREE, .when = RECURSIVE }, { END } },
};
MODEL(rmdir) = {
	.name = "rmdir",
	.syntax = ANY_OPTION,
	.shorts = "pv",
	.longs = "ignore-fail-on-non-empty parents verbose",
	.rules = RULES{ { EACH, EFFECT_DELETE }, { END } },
};
MODEL(unlink) = { .name = "unlink", .rules = RULES{ { EACH, EFFECT_DELETE }, { END } } };
/* A disk is not a file that is overwritten. */
static void shred_command(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++)
		run_effect(run,
			bytes_start(run->operands[i].text, "/dev/") ? EFFECT_RAW_DEVICE : EFFECT_WRITE,
			&run->operands[i]);
}

MODEL(shred) = {
	.name = "shred",
	.shorts = "fn:s:vxz",
	.longs = "force iterations= size= verbose exact zero",
	.options = OPTIONS{ { NULL, "random-source", REQUIRED, EFFECT_OF_VALUE, EFFECT_USE },
		{ "u", NULL, NOTHING, IGNORE, .set = REMOVES },
		{ NULL, "remove", OPTIONAL, IGNORE, .set = REMOVES }, { 0 } },
	.special = shred_command,
	.rules = RULES{ { EACH, EFFECT_DELETE, .when = REMOVES }, { END } },
};
MODEL(trash) = { .name = "trash",
	.shorts = "v",
	.syntax = PARTIAL,
	.rules = RULES{ { EACH, EFFECT_DELETE_TREE }, { END } } };
static void directory_mode(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (!value->is_static || opens_wide(value->text))
		run->bits |= OPENED;
}

MODEL(mkdir) = {
	.name = "mkdir",
	.syntax = ANY_OPTION,
	.shorts = "pvZ",
	.longs = "parents verbose context?=",
	.option = directory_mode,
	.options = OPTIONS{ { "m", "mode", REQUIRED, CALL }, { 0 } },
	.rules = RULES{ { EACH, EFFECT_MAKE_DIRECTORY, .unless = OPENED },
		{ EACH, EFFECT_CREATE, .when = OPENED }, { END } },
};
MODEL(touch) = {
	.name = "touch",
	.syntax = ANY_OPTION,
	.shorts = "acd:fhmt:",
	.longs = "no-create date= no-dereference time=",
	.options = OPTIONS{ { "r", "reference", REQUIRED, EFFECT_OF_VALUE, EFFECT_LIST }, { 0 } },
	.rules = RULES{ { EACH, EFFECT_TOUCH }, { END } },
};
MODEL(truncate) = {
	.name = "truncate",
	.shorts = "cos:",
	.longs = "no-create io-blocks size=",
	.options = OPTIONS{ { "r", "reference", REQUIRED, EFFECT_OF_VALUE, EFFECT_LIST }, { 0 } },
	.rules = RULES{ { EACH, EFFECT_WRITE }, { END } },
};
MODEL(fallocate) = {
	.name = "fallocate",
	.shorts = "cdinpvxzl:o:",
	.longs = "collapse-range dig-holes insert-range keep-size length= offset= punch-hole verbose posix "
		 "zero-range",
	.rules = RULES{ { EACH, EFFECT_WRITE }, { END } },
};
MODEL(mkfifo) = { .name = "mkfifo",
	.shorts = "m:Z",
	.longs = "mode= context?=",
	.rules = RULES{ { EACH, EFFECT_CREATE }, { END } } };
MODEL(mknod) = { .name = "mknod",
	.shorts = "m:",
	.refuse = "makes a device",
	.rules = RULES{ { FIRST, EFFECT_CREATE }, { END } } };

/* mktemp [TEMPLATE]: below TMPDIR, or where the template says. */
static void mktemp_command(struct run *run)
{
	if (run->n_operands && !(run->bits & TARGET_DIR))
		run_effect(run, EFFECT_CREATE, &run->operands[0]);
	else if (!(run->bits & TARGET_DIR))
		run_effect_fixed(run, EFFECT_PURE, NULL);
}

MODEL(mktemp) = {
	.name = "mktemp",
	.syntax = ANY_OPTION,
	.shorts = "duqV",
	.longs = "directory dry-run quiet suffix=",
	.options = OPTIONS{ { "t", NULL, NOTHING, IGNORE, .set = TARGET_DIR },
		 { "p", NULL, REQUIRED, EFFECT_OF_VALUE, EFFECT_CREATE, TARGET_DIR },
		{ NULL, "tmpdir", OPTIONAL, EFFECT_OF_VALUE, EFFECT_CREATE, TARGET_DIR }, { 0 } },
	.special = mktemp_command,
};

/* A mode that lets everybody write (chmod(1)). */
static bool opens_wide(struct bytes mode)
{
	bool who_other = false, adds = false;

	if (mode.len && mode.p[0] >= '0' && mode.p[0] <= '7')
		return ((mode.p[mode.len - 1] - '0') & 2) != 0;
	for (size_t i = 0; i < mode.len; i++) {
		char c = mode.p[i];

		if (c == ',')
			who_other = adds = false;
		else if (c == '+' || c == '=')
			adds = true;
		else if (c == '-')
			adds = false;
		else if (!adds)
			who_other = who_other || c == 'o' || c == 'a';
		else if (who_other && (c == 'w' || c == 'u' || c == 'g')) /* o=u: as its owner may */
			return true;
	}
	return false;
}

/* A mode that makes a program run as its owner or group. */
static bool sets_id(struct bytes mode)
{
	bool adds = false;

	if (mode.len && mode.p[0] >= '0' && mode.p[0] <= '7')
		return mode.len > 3 && ((mode.p[mode.len - 4] - '0') & 6) != 0;
	for (size_t i = 0; i < mode.len; i++) {
		if (mode.p[i] == '+' || mode.p[i] == '=')
			adds = true;
		else if (mode.p[i] == '-' || mode.p[i] == ',')
			adds = false;
		else if (adds && mode.p[i] == 's')
			return true;
	}
	return false;
}

/* chmod MODE FILE…; a mode may look like an option (-w). */
static void chmod_reader(struct run *run)
{
	const struct arg *mode = NULL;
	bool reference = false, ended = false;

	for (uint32_t i = 0; i < run->argc; i++) {
		const struct arg *a = &run->argv[i];
		enum effect_id effect;

		if (!ended && arg_is(a, "--")) {
			ended = true;
			continue;
		}
		if (!ended && a->is_static && a->text.len > 1 && a->text.p[0] == '-') {
			if (bytes_start(a->text, "--reference=")) {
				reference = true;
				continue;
			}
			if (in_list(a->text,
				    "--recursive --changes --silent --quiet --verbose --preserve-root "
				    "--no-preserve-root --help --version") ||
				only_of(a->text, 1, "Rcfv"))
				continue;
			if (a->text.p[1] != '-' &&
				only_of(a->text, 1, "rwxXst,+=-augo01234567")) {
				mode = a;
				continue;
			}
			run_open(run, "option %.*s of chmod is not known to the gate",
				(int)(a->text.len < 80 ? a->text.len : 80), a->text.p);
			continue;
		}
		if (!ended && arg_may_be_option(run, a))
			run_open(run, "a word of chmod may turn into an option before it runs: %.*s",
				(int)(a->word && a->word->src.len < 80 ? a->word->src.len : 0),
				a->word ? a->word->src.p : "");
		if (!mode && !reference) {
			mode = a;
			continue;
		}
		if (mode && sets_id(mode->text))
			run_open(run, "chmod makes a program run as its owner");
		effect = mode && mode->is_static && !opens_wide(mode->text) ? EFFECT_MODE : EFFECT_MODE_OPEN;
		run->uncertain = !mode || !mode->is_static;
		run_effect(run, effect, a);
		run->uncertain = false;
	}
}

MODEL(chmod) = { .name = "chmod", .reader = chmod_reader };

#define OWNER_LONGS "changes silent quiet verbose dereference no-dereference preserve-root " \
	"no-preserve-root recursive from="

MODEL(chown) = {
	.name = "chown",
	.shorts = "cfvhRHLP",
	.longs = OWNER_LONGS,
	.options = OPTIONS{ { NULL, "reference", REQUIRED, EFFECT_OF_VALUE, EFFECT_LIST, REFERENCE }, { 0 } },
	.rules = RULES{ { REST, EFFECT_OWNER, .unless = REFERENCE },
		{ EACH, EFFECT_OWNER, .when = REFERENCE }, { END } },
};
MODEL(chgrp) = {
	.name = "chgrp",
	.shorts = "cfvhRHLP",
	.longs = OWNER_LONGS,
	.options = OPTIONS{ { NULL, "reference", REQUIRED, EFFECT_OF_VALUE, EFFECT_LIST, REFERENCE }, { 0 } },
	.rules = RULES{ { REST, EFFECT_OWNER, .unless = REFERENCE },
		{ EACH, EFFECT_OWNER, .when = REFERENCE }, { END } },
};
/* Operands behind the options and, for chattr, the signs of its attributes; what they change is not told apart. */
static void attributes(struct run *run)
{
	for (uint32_t i = 0; i < run->argc; i++) {
		const struct arg *a = &run->argv[i];

		if (a->is_static && in_list(a->text, "-m -M -x -X -n -v -p --modify --remove --name --value"))
			i++;
		else if (!a->text.len || !strchr("-+=", a->text.p[0]))
			run_effect(run, EFFECT_MODE, a);
	}
}

MODEL(setfacl) = { .name = "setfacl", .reader = attributes, .refuse = "changes who may use files" };
MODEL(setfattr) = { .name = "setfattr", .reader = attributes, .refuse = "changes attributes of files" };
MODEL(getfacl) = {
	.name = "getfacl",
	.syntax = ANY_OPTION,
	.shorts = "adceEsRLPtpnv",
	.longs = "access default omit-header recursive numeric absolute-names",
	.rules = RULES{ { EACH, EFFECT_LIST }, { END } },
};
MODEL(chattr) = { .name = "chattr", .reader = attributes, .refuse = "changes attributes that protect files" };
MODEL(lsattr) = { .name = "lsattr",
	.syntax = ANY_OPTION,
	.shorts = "RVadlpv",
	.rules = RULES{ { EACH, EFFECT_LIST }, { END } } };

/* dd if= of= bs= …: operands only, of the form name=value. */
static void dd_reader(struct run *run)
{
	bool out = false;

	for (uint32_t i = 0; i < run->argc; i++) {
		const struct arg *a = &run->argv[i];
		struct arg value = *a;

		if (bytes_start(a->text, "if=")) {
			value.text = bytes_from(a->text, 3);
			run_effect(run, EFFECT_READ, &value);
		} else if (bytes_start(a->text, "of=")) {
			value.text = bytes_from(a->text, 3);
			out = true;
			run_effect(run,
				value.is_static && bytes_start(value.text, "/dev/") ? EFFECT_RAW_DEVICE
										    : EFFECT_WRITE,
				&value);
		} else if (!bytes_start(a->text, "bs=") && !bytes_start(a->text, "ibs=") &&
			!bytes_start(a->text, "obs=") && !bytes_start(a->text, "count=") &&
			!bytes_start(a->text, "skip=") && !bytes_start(a->text, "seek=") &&
			!bytes_start(a->text, "iseek=") && !bytes_start(a->text, "oseek=") &&
			!bytes_start(a->text, "conv=") && !bytes_start(a->text, "iflag=") &&
			!bytes_start(a->text, "oflag=") && !bytes_start(a->text, "cbs=") &&
			!bytes_start(a->text, "status=")) {
			run_open(run, "an operand of dd is not known to the gate: %.*s",
				(int)(a->text.len < 80 ? a->text.len : 80), a->text.p);
		}
	}
	if (!out)
		run_effect_fixed(run, EFFECT_PURE, NULL);
	run->out->stdin_role = STDIN_READ;
}

MODEL(dd) = { .name = "dd", .reader = dd_reader };

/* tee FILE…: /dev/stdout and the like are placed as nothing. */
MODEL(tee) = {
	.name = "tee",
	.shorts = "aip",
	.longs = "append ignore-interrupts output-error?=",
	.input = STDIN_READ,
	.rules = RULES{ { EACH, EFFECT_WRITE }, { END } },
};
MODEL(sponge) = { .name = "sponge",
	.shorts = "a",
	.input = STDIN_READ,
	.rules = RULES{ { EACH, EFFECT_WRITE }, { END } } };

/* split and csplit write PREFIXaa … beside the prefix. */
static void split_command(struct run *run)
{
	if (run->n_operands > 1)
		run_effect(run, EFFECT_WRITE, &run->operands[1]);
	else
		run_effect_fixed(run, EFFECT_WRITE, "xaa");
}

MODEL(split) = {
	.name = "split",
	.syntax = NUMBER,
	.shorts = "a:b:C:del:n:t:ux",
	.special = split_command,
	.input = STDIN_READ,
	.longs = "suffix-length= additional-suffix= bytes= line-bytes= numeric-suffixes?= hex-suffixes?= "
		 "elide-empty-files lines= number= separator= unbuffered verbose",
	.options = OPTIONS{ { NULL, "filter", REQUIRED, SHELL_TEXT }, { 0 } },
	.rules = RULES{ { FIRST, EFFECT_COPY }, { END } },
};
MODEL(csplit) = {
	.name = "csplit",
	.shorts = "kn:qsz",
	.longs = "keep-files digits= quiet silent elide-empty-files suppress-matched",
	.options = OPTIONS{ { "f", "prefix", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE, 1 },
		{ "b", "suffix-format", REQUIRED, REFUSE,
			.text = "-b makes names that are not known before it runs" },
		{ 0 } },
	.rules = RULES{ { FIRST, EFFECT_COPY }, { ALWAYS, EFFECT_WRITE, .unless = 1, .text = "xx00" }, { END } },
};
/* Perl's takes code, the one of util-linux two texts; either way files of other names are renamed. */
MODEL(rename) = {
	.name = "rename",
	.syntax = PARTIAL,
	.shorts = "nvfsoe:",
	.rules = RULES{ { REST, EFFECT_MOVE }, { END } },
	.refuse = "may run Perl code",
};
