/* SPDX-License-Identifier: Apache-2.0 */
/* The parser's door: checks of the whole text, limits, and how a place is flagged. */
#include "worker/shell/parser.h"

void unmodelled(struct parser *p, enum unmodelled kind, const char *at, const char *why)
{
	struct script *s = p->script;

	if (!s->unmodelled) {
		bool here = at >= p->in.start && at <= p->in.end; /* else in a text that is no longer being read */
		size_t left = here ? (size_t)(p->in.end - at) : 0;

		s->unmodelled_at = (struct bytes){ at, left > 32 ? 32 : left };
		s->unmodelled_why = why;
	}
	s->unmodelled |= kind;
}

void *stop_syntax(struct parser *p, const char *why)
{
	if (!p->stopped)
		unmodelled(p, UNMODELLED_SYNTAX, p->in.at, why);
	p->stopped = true;
	return NULL;
}

void *stop_limit(struct parser *p, enum parse_limit limit)
{
	if (p->script->limit == LIMIT_NONE)
		p->script->limit = limit;
	unmodelled(p, UNMODELLED_OTHER, p->in.at, "past a limit of the parser");
	p->stopped = true;
	return NULL;
}

void *stop_memory(struct parser *p)
{
	p->out_of_memory = true;
	p->stopped = true;
	return NULL;
}

bool enter(struct parser *p)
{
	if (p->depth >= SHELL_MAX_DEPTH) {
		stop_limit(p, LIMIT_DEPTH);
		return false;
	}
	p->depth++;
	return true;
}

void leave(struct parser *p)
{
	p->depth--;
}

void *parser_alloc(struct parser *p, size_t size)
{
	void *m = arena_alloc(p->arena, size);

	return m ? m : stop_memory(p);
}

/* Length of the UTF-8 sequence at s, 0 when it is none (RFC 3629: no overlong forms, surrogates, or past U+10FFFF). */
static size_t utf8_length(const unsigned char *s, size_t left)
{
	unsigned char low = 0x80, high = 0xbf;
	size_t n;

	if (s[0] >= 0xc2 && s[0] <= 0xdf) {
		n = 2;
	} else if ((s[0] & 0xf0) == 0xe0) {
		n = 3;
		if (s[0] == 0xe0)
			low = 0xa0;
		else if (s[0] == 0xed)
			high = 0x9f;
	} else if (s[0] >= 0xf0 && s[0] <= 0xf4) {
		n = 4;
		if (s[0] == 0xf0)
			low = 0x90;
		else if (s[0] == 0xf4)
			high = 0x8f;
	} else {
		return 0;
	}
	if (left < n || s[1] < low || s[1] > high)
		return 0;
	for (size_t i = 2; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

static void check_encoding(struct parser *p)
{
	const char *at = p->in.start;

	while (at < p->in.end) {
		size_t n;

		if ((unsigned char)*at < 0x80) {
			if (*at == '\0' || *at == '\001' || *at == '\177')
				unmodelled(p, UNMODELLED_CONTROL, at, "a control character the shell keeps for itself");
			at++;
			continue;
		}
		n = utf8_length((const unsigned char *)at, (size_t)(p->in.end - at));
		if (!n) {
			unmodelled(p, UNMODELLED_ENCODING, at, "not UTF-8");
			return;
		}
		at += n;
	}
}

bool expect_end(struct parser *p)
{
	if (peek(p) != END_OF_INPUT)
		return stop_syntax(p, "an operator or reserved word where a command should begin");
	/* The end is a newline to a here-document that was begun on the last line. */
	return !p->heredocs->n || heredocs_read(p);
}

static void parse_whole(struct parser *p)
{
	struct node *root = parse_list(p);

	p->script->root = root;
	if (p->stopped)
		return;
	expect_end(p);
}

int shell_parse(struct arena *arena, struct bytes text, const struct shell_options *options, struct script **ret_script)
{
	struct heredoc_queue heredocs = { .n = 0 };
	struct parser p = {
		.arena = arena, .options = options, .heredocs = &heredocs,
		.in = { .start = text.p, .at = text.p, .end = text.p ? text.p + text.len : NULL },
	};

	p.script = arena_new(arena, struct script);
	if (!p.script)
		return -ENOMEM;
	p.script->text = text;
	p.tail = &p.script->commands;
	if (!push_context(&p, CONTEXT_TOP, NULL))
		return -ENOMEM;
	if (text.len > SHELL_MAX_LENGTH) {
		stop_limit(&p, LIMIT_LENGTH);
	} else if (text.len) {
		check_encoding(&p);
		parse_whole(&p);
	}
	if (p.out_of_memory)
		return -ENOMEM;
	if (p.script->limit == LIMIT_NONE)
		resolve_variables(&p);
	check_rereading(&p);
	if (p.out_of_memory)
		return -ENOMEM;
	*ret_script = p.script;
	return 0;
}
