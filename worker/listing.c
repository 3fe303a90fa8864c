/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what the parser found as a listing: commands in order, dynamic words as such. */
#include "worker/listing.h"

#include "policy/listing.h"

static const char *const context_names[CONTEXT__MAX] = {
	[CONTEXT_TOP] = "top", [CONTEXT_PIPE] = "pipe", [CONTEXT_SUBSHELL] = "subshell", [CONTEXT_GROUP] = "group",
	[CONTEXT_IF] = "if", [CONTEXT_LOOP] = "loop", [CONTEXT_CASE] = "case", [CONTEXT_FUNCTION] = "function",
	[CONTEXT_SUBST] = "subst", [CONTEXT_PROCSUB] = "procsub", [CONTEXT_COPROC] = "coproc",
};

static const char *const redirect_names[REDIR__MAX] = {
	[REDIR_IN] = "<", [REDIR_OUT] = ">", [REDIR_APPEND] = ">>", [REDIR_CLOBBER] = ">|", [REDIR_RDWR] = "<>",
	[REDIR_DUP_IN] = "<&", [REDIR_DUP_OUT] = ">&", [REDIR_BOTH] = "&>", [REDIR_BOTH_APPEND] = "&>>",
	[REDIR_HEREDOC] = "<<", [REDIR_HEREDOC_TABS] = "<<-", [REDIR_HERESTRING] = "<<<",
};

static struct bytes text(const char *s)
{
	return (struct bytes){ s, strlen(s) };
}

/* Outermost first, joined by slashes; "top" only where there is nothing else. Cut at its outer end when too long. */
static struct bytes context_text(const struct context *c, char *buffer, size_t size)
{
	char *at = buffer + size;

	for (; c && c->kind != CONTEXT_TOP; c = c->up) {
		const char *name = context_names[c->kind];
		size_t len = strlen(name);

		if ((size_t)(at - buffer) < len + 1)
			break;
		if (at != buffer + size)
			*--at = '/';
		at -= len;
		memcpy(at, name, len);
	}
	if (at == buffer + size)
		return text(context_names[CONTEXT_TOP]);
	return (struct bytes){ at, (size_t)(buffer + size - at) };
}

static void write_redirect(struct writer *body, const struct redirect *r)
{
	const struct listing_redirect row = {
		.fd = r->fd,
		.op = text(redirect_names[r->op]),
		.target = r->target->is_static ? r->target->value : r->target->src,
		.target_static = r->target->is_static,
	};

	listing_redirect(body, &row);
}

static void write_command(struct writer *body, const struct simple_command *c, const struct finding *f)
{
	char buffer[2048];
	struct bytes context = context_text(c->context, buffer, sizeof(buffer));

	listing_command(body, context, f ? f->verdict : VERDICT_DENY, f ? f->why : BYTES(""), c->src);
	for (const struct word *w = c->words; w; w = w->next)
		listing_word(body, w->is_static, w->is_static ? w->value : w->src);
	for (const struct assignment *a = c->assigns; a; a = a->next)
		listing_assignment(body, a->src);
	for (const struct redirect *r = c->redirects; r; r = r->next)
		write_redirect(body, r);
	for (uint32_t i = 0; f && i < f->n_effects; i++)
		listing_effect(body, &f->effects[i]);
}

int listing_from_script(struct writer *body, const struct script *script, const struct finding *findings,
	struct bytes row_id, bool row_id_set, uint32_t row)
{
	bool parsed = !(script->unmodelled & UNMODELLED_SYNTAX) && script->limit == LIMIT_NONE;
	const char *why = script->unmodelled ? script->unmodelled_why : "";
	const struct simple_command *c = script->commands;

	listing_begin(body, row_id, row_id_set, row, parsed, !script->unmodelled, text(why));
	for (uint32_t i = 0; i < script->n_commands; i++, c = c->next)
		write_command(body, c, findings ? &findings[i] : NULL);
	listing_end(body);
	return body->bad ? -EMSGSIZE : 0;
}
