/* SPDX-License-Identifier: Apache-2.0 */
/* java(1): which code it runs, by its class path, its archive or its source file. */
#include "worker/commands/model.h"

/* Options that tune the machine or open its own modules, by how they begin; those in `taking` may take a word. */
static bool tunes(struct bytes o, bool *ret_takes)
{
	static const char taking[] = "--add-opens --add-exports --add-modules --add-reads --enable-native-access "
				     "--source -source --illegal-access";
	static const char *const beginnings[] = { "-D", "-Xm", "-Xs", "-Xint", "-Xcomp", "-Xmixed", "-Xrs", "-Xshare:",
		"-Xverify", "-ea", "-da", "-esa", "-dsa", "-enable", "-disable", "-server", "-client", "-verbose",
		"--enable-preview", "--add-", "--enable-native-access=", "--illegal-access=", "--show-version",
		"-showversion" };

	*ret_takes = in_list(o, taking);
	if (bytes_start(o, "-XX:"))
		return bytes_start(o, "-XX:+") || bytes_start(o, "-XX:-") ||
			!(bytes_char(o, '/') || bytes_find(o, ":On") || bytes_find(o, "File") ||
				bytes_find(o, "Flags"));
	for (size_t i = 0; i < ARRAY_LEN(beginnings); i++)
		if (bytes_start(o, beginnings[i]))
			return true;
	return *ret_takes;
}

/* Each place of a class path: the project's, or another's. */
static void class_path(struct run *run, const struct arg *value)
{
	struct bytes rest = value->text;

	run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
	if (!value->is_static)
		run_effect(run, EFFECT_EXECUTE, value);
	while (rest.len) {
		const char *colon = memchr(rest.p, ':', rest.len);
		struct arg place = *value;

		place.text = (struct bytes){ rest.p, colon ? (size_t)(colon - rest.p) : rest.len };
		if (bytes_start(place.text, "/") || bytes_find(place.text, "..") || bytes_start(place.text, "~"))
			run_effect(run, EFFECT_EXECUTE, &place);
		rest = bytes_from(rest, place.text.len + (colon != NULL));
	}
}

/* One option; false: it is not known. May use up the next word. */
static bool option(struct run *run, uint32_t *at)
{
	const struct arg *a = &run->argv[*at], *next = *at + 1 < run->argc ? a + 1 : NULL;
	const char *eq = memchr(a->text.p, '=', a->text.len);
	struct bytes name = { a->text.p, eq ? (size_t)(eq - a->text.p) : a->text.len };
	struct arg value = *a;
	bool takes;

	if (in_list(name, "-cp -classpath --class-path -p --module-path")) {
		if (eq)
			value.text = bytes_from(a->text, name.len + 1);
		else if (next)
			value = *next, ++*at;
		class_path(run, &value);
		return true;
	}
	if (!tunes(a->text, &takes))
		return false;
	*at += takes && next;
	return true;
}

/* java [options] CLASS, -jar FILE, -m MODULE or FILE.java; what follows is the program's. */
static void java_reader(struct run *run)
{
	for (uint32_t i = 0; i < run->argc; i++) {
		const struct arg *a = &run->argv[i];

		if (!a->is_static && (a->text.len == 0 || (a->text.p[0] == '-' && !bytes_start(a->text, "-D")))) {
			run_open(run, "a word of java is not known before it runs");
			return;
		}
		if (in_list(a->text, "-version --version -fullversion -help --help -? -X")) {
			run_effect_fixed(run, EFFECT_PURE, NULL);
			return;
		}
		if (in_list(a->text, "-m --module") || bytes_start(a->text, "--module=")) {
			run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
			return;
		}
		if (bytes_is(a->text, "-jar")) {
			if (i + 1 < run->argc)
				run_effect(run, EFFECT_EXECUTE, &run->argv[i + 1]);
			return;
		}
		if (bytes_end(a->text, ".java") && a->text.p[0] != '-') {
			run_effect(run, EFFECT_EXECUTE, a);
			return;
		}
		if (a->text.len && a->text.p[0] != '-' && a->text.p[0] != '@') {
			run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
			return;
		}
		if (a->text.len == 0 || a->text.p[0] == '@' || !option(run, &i))
			run_open(run, "option %.*s of java is not known to the gate",
				(int)(a->text.len < 80 ? a->text.len : 80), a->text.p);
	}
	run_effect_fixed(run, EFFECT_PURE, NULL);
}

MODEL(java) = { .name = "java", .reader = java_reader };
