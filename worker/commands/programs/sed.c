/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sed: options and the script, read far enough to see every file and command it names: r R w W, the w and e
 * flags of s, and e (GNU sed manual "Commands"). What is not recognised makes the command open.
 */
#include "worker/commands/model.h"

enum { SCRIPT_GIVEN = 1, IN_PLACE = 2 };

struct scanner {
	struct run *run;
	struct bytes s;
	size_t at;
};

static int peek(const struct scanner *c)
{
	return c->at < c->s.len ? (unsigned char)c->s.p[c->at] : -1;
}

static void blanks(struct scanner *c, const char *set)
{
	while (c->at < c->s.len && c->s.p[c->at] && strchr(set, c->s.p[c->at]))
		c->at++;
}

static struct bytes line(struct scanner *c)
{
	struct bytes r = { c->s.p + c->at, 0 };

	while (c->at < c->s.len && c->s.p[c->at] != '\n') {
		c->at++;
		r.len++;
	}
	return r;
}

/* A text up to an unescaped `end`. */
static bool delimited(struct scanner *c, int end)
{
	while (c->at < c->s.len) {
		int ch = (unsigned char)c->s.p[c->at++];

		if (ch == '\\' && c->at < c->s.len)
			c->at++;
		else if (ch == end)
			return true;
	}
	return false;
}

/* [:alpha:] inside brackets, from its colon on. */
static bool class_name(struct scanner *c)
{
	int mark = peek(c);

	c->at++;
	while (c->at < c->s.len && c->s.p[c->at] >= 'a' && c->s.p[c->at] <= 'z')
		c->at++;
	if (peek(c) != mark || c->at + 1 >= c->s.len || c->s.p[c->at + 1] != ']')
		return false;
	c->at += 2;
	return true;
}

/*
 * A regular expression up to `end`. GNU sed before 4.9 ends it at an `end` inside a bracket expression too,
 * later ones do not: such a script is not understood.
 */
static bool regex(struct scanner *c, int end)
{
	size_t bracket = 0; /* the first place at which ] closes, 0 outside */

	while (c->at < c->s.len) {
		int ch = (unsigned char)c->s.p[c->at++];

		if (ch == '\\' && c->at < c->s.len && (!bracket || c->s.p[c->at] == end)) {
			c->at++;
		} else if (ch == end) {
			return !bracket;
		} else if (bracket) {
			if (ch == '[' && c->at < c->s.len && strchr(":.=", c->s.p[c->at]) && !class_name(c))
				return false;
			if (ch == ']' && c->at - 1 >= bracket)
				bracket = 0;
		} else if (ch == '[') {
			bracket = c->at + (peek(c) == '^' ? 1 : 0) + 1;
		}
	}
	return false;
}

/* One address, if there is one. */
static bool address(struct scanner *c)
{
	int ch = peek(c);

	if (ch >= '0' && ch <= '9') {
		blanks(c, "0123456789");
		if (peek(c) == '~') {
			c->at++;
			blanks(c, "0123456789");
		}
		return true;
	}
	if (ch == '$') {
		c->at++;
		return true;
	}
	if (ch == '/' || ch == '\\') {
		int end = '/';

		c->at++;
		if (ch == '\\') {
			end = peek(c);
			if (end < 0 || end == '\n' || end == '\\')
				return false;
			c->at++;
		}
		if (!regex(c, end))
			return false;
		blanks(c, "IM");
		return true;
	}
	return false;
}

static bool addresses(struct scanner *c)
{
	if (!address(c))
		return peek(c) != '/' && peek(c) != '\\';
	blanks(c, " \t");
	if (peek(c) != ',')
		return true;
	c->at++;
	blanks(c, " \t");
	if (peek(c) == '+' || peek(c) == '~') {
		c->at++;
		blanks(c, "0123456789");
		return true;
	}
	return address(c);
}

static void file_effect(struct scanner *c, enum effect_id effect)
{
	struct bytes name;

	blanks(c, " \t");
	name = line(c);
	if (bytes_is(name, "/dev/stdout") || bytes_is(name, "/dev/stderr"))
		return;
	run_effect_text(c->run, effect, name);
}

static bool substitute(struct scanner *c)
{
	int end = peek(c);

	if (end < 0 || end == '\n' || end == '\\')
		return false;
	c->at++;
	if (!regex(c, end) || !delimited(c, end))
		return false;
	for (;;) {
		int ch = peek(c);

		if (ch == 'w') {
			c->at++;
			file_effect(c, EFFECT_WRITE);
			return true;
		}
		if (ch == 'e') {
			run_open(c->run, "the script of sed runs what its input says (s///e)");
			c->at++;
		} else if (ch > 0 && strchr("gpiImM0123456789", ch)) {
			c->at++;
		} else {
			return true;
		}
	}
}

/* a, i, c: text to the end of the line, continued by backslashes. */
static void text_argument(struct scanner *c)
{
	while (c->at < c->s.len && c->s.p[c->at] != '\n') {
		if (c->s.p[c->at] == '\\' && c->at + 1 < c->s.len)
			c->at++;
		c->at++;
	}
}

/* y: as many bytes as there are delimiters. */
static bool transliterate(struct scanner *c)
{
	int end = peek(c);

	if (end < 0 || end == '\n' || end == '\\')
		return false;
	c->at++;
	return delimited(c, end) && delimited(c, end);
}

/* e: what a script runs is judged for harm, and never vouched for: nobody expects it there. */
static void shell_command(struct scanner *c)
{
	struct bytes text;

	blanks(c, " \t");
	text = line(c);
	run_open(c->run, "the script of sed runs a command (e)");
	if (text.len)
		run_nested_text(c->run, text, DIALECT_POSIX);
}

static void label(struct scanner *c)
{
	while (peek(c) >= 0 && !strchr("\n;}", peek(c)))
		c->at++;
}

/* A command whose argument is the rest of the line, or of the text. False: it is none of these. */
static bool takes_the_rest(struct scanner *c, int ch)
{
	switch (ch) {
	case '{':
		return true;
	case '#':
		line(c);
		return true;
	case ':':
	case 'b':
	case 't':
	case 'T':
	case 'v':
		label(c);
		return true;
	case 'a':
	case 'i':
	case 'c':
		text_argument(c);
		return true;
	case 'r':
	case 'R':
		file_effect(c, EFFECT_READ);
		return true;
	case 'w':
	case 'W':
		file_effect(c, EFFECT_WRITE);
		return true;
	case 'e':
		shell_command(c);
		return true;
	default:
		return false;
	}
}

/* One command behind its addresses. false: not understood. */
static bool command(struct scanner *c)
{
	int ch = peek(c);

	if (ch < 0)
		return true;
	c->at++;
	if (takes_the_rest(c, ch))
		return true;
	if (ch == 'y' || ch == 's') {
		if (!(ch == 'y' ? transliterate(c) : substitute(c)))
			return false;
	} else if (ch != '\0' && strchr("lLqQ", ch) != NULL) {
		blanks(c, " \t0123456789");
	} else if (ch == '\0' || strchr("}=dDgGhHnNpPxzF", ch) == NULL) {
		return false;
	}
	blanks(c, " \t");
	return peek(c) < 0 || strchr(";\n}#", peek(c));
}

void run_reads_sed(struct run *run, struct bytes text)
{
	struct scanner c = { .run = run, .s = text };

	while (c.at < c.s.len) {
		blanks(&c, " \t\n;");
		if (c.at >= c.s.len)
			break;
		if (!addresses(&c)) {
			run_open(run, "the script of sed could not be read");
			return;
		}
		blanks(&c, " \t!");
		if (!command(&c)) {
			run_open(run, "the script of sed could not be read");
			return;
		}
	}
}

/*
 * Dynamic text inside a script: "s/a/$x/" may hold anything. When what is dynamic is a plain parameter of a
 * script that is otherwise static, it could still end the s command and begin another, so it is open.
 */
static void script(struct run *run, const struct arg *a)
{
	run->bits |= SCRIPT_GIVEN;
	if (!a->is_static)
		run_open(run, "the script of sed is not known before it runs");
	else
		run_reads_sed(run, a->text);
}

static void script_option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	/* In a suffix a * stands for the file's name, and a slash leads to another directory. */
	if (!rule->text)
		script(run, value);
	else if (value && (!value->is_static || bytes_char(value->text, '/') || bytes_char(value->text, '*')))
		run_open(run, "sed keeps a copy in a place of its own");
}

static void sed_command(struct run *run)
{
	uint32_t at = 0;

	if (!(run->bits & SCRIPT_GIVEN)) {
		if (run->n_operands == 0)
			return;
		script(run, &run->operands[at++]);
	}
	if (at == run->n_operands)
		run->out->stdin_role = STDIN_READ;
	for (; at < run->n_operands; at++)
		run_effect(run, run->bits & IN_PLACE ? EFFECT_WRITE : EFFECT_READ, &run->operands[at]);
}

MODEL(sed) = {
	.name = "sed",
	.shorts = "nErsuzb",
	.special = sed_command,
	.option = script_option,
	.longs = "debug quiet silent posix regexp-extended separate unbuffered null-data follow-symlinks "
		 "sandbox binary",
	.options = OPTIONS{ { "e", "expression", REQUIRED, CALL },
		{ "i", "in-place", OPTIONAL, CALL, .set = IN_PLACE, .text = "suffix" },
		{ "f", "file", REQUIRED, EFFECT_OF_VALUE, EFFECT_EXECUTE, SCRIPT_GIVEN },
		{ "l", "line-length", REQUIRED, IGNORE }, { 0 } },
};
