/* SPDX-License-Identifier: Apache-2.0 */
/* Redirections as effects: what is written is placed like any other target, and so is what is read. */
#include "worker/rules/internal.h"

static bool is_descriptor(const struct word *w)
{
	struct bytes v;

	if (w == NULL || !w->is_static)
		return false;
	v = w->value;
	if (bytes_is(v, "-"))
		return true;
	if (v.len > 1 && v.p[v.len - 1] == '-')
		v.len--;
	for (size_t i = 0; i < v.len; i++)
		if (v.p[i] < '0' || v.p[i] > '9')
			return false;
	return v.len > 0;
}

static enum effect_id effect_of(const struct redirect *r, bool counted)
{
	switch (r->op) {
	case REDIR_IN:
		return counted ? EFFECT_LIST : EFFECT_READ;
	case REDIR_OUT:
	case REDIR_CLOBBER:
	case REDIR_BOTH:
	case REDIR_RDWR:
	case REDIR_APPEND:
	case REDIR_BOTH_APPEND:
		return EFFECT_WRITE;
	case REDIR_DUP_OUT:
		return is_descriptor(r->target) ? EFFECT_PURE : EFFECT_WRITE;
	case REDIR_DUP_IN:
		/* A word that is no number is no file: the shell refuses it, or takes it from a variable. */
		return is_descriptor(r->target) ? EFFECT_PURE : EFFECT_UNKNOWN;
	case REDIR_HEREDOC:
	case REDIR_HEREDOC_TABS:
	case REDIR_HERESTRING:
		return EFFECT_PURE;
	case REDIR__MAX:
	default:
		return EFFECT_UNKNOWN;
	}
}

/* /dev/tcp/HOST/PORT and /dev/udp/… are connections that bash itself opens (bash(1), REDIRECTION). */
static bool is_connection(struct bytes path)
{
	return path.len > 9 && (memcmp(path.p, "/dev/tcp/", 9) == 0 || memcmp(path.p, "/dev/udp/", 9) == 0);
}

static void judge_connection(struct subject *s, struct bytes path)
{
	struct bytes host = { path.p + 9, path.len - 9 };
	const char *slash = (const char *)memchr(host.p, '/', host.len);
	enum place where;

	if (slash != NULL)
		host.len = (size_t)(slash - host.p);
	where = place_host(s->j->line->policy, TARGET_URL, host);
	if (where == PLACE_LOOPBACK || where == PLACE_SANCTIONED) {
		leave_open(s, BYTES("it opens a connection by itself"), BYTES("connection"), path, false);
		return;
	}
	deny(s, STAGE_UPLOAD, (struct reason_text){ REASON_UPLOAD, 2,
		{ s->program, judge_text(s->j, "opens a connection to %.*s", (int)path.len, path.p) } },
		BYTES("upload"), BYTES("connection"), path);
}

void judge_redirects(struct subject *s, const struct redirect *r)
{
	s->redirecting = true;
	for (; r != NULL; r = r->next) {
		struct command_effect e = { .effect = effect_of(r, s->counted), .certain = true, .word = r->target };

		if (e.effect == EFFECT_PURE)
			continue;
		if (r->target == NULL || e.effect == EFFECT_UNKNOWN) {
			leave_open(s, BYTES("a redirection goes where it cannot be seen"), BYTES("redirect"),
				r->target != NULL ? r->target->src : (struct bytes){ NULL, 0 }, false);
			continue;
		}
		e.is_static = r->target->is_static;
		e.target = e.is_static ? r->target->value : r->target->prefix;
		e.word_flags = r->target->flags;
		if (is_connection(e.target)) {
			judge_connection(s, e.target);
			continue;
		}
		/* >(…) and <(…): what runs there is judged where it stands; the pipe itself is no file. */
		if (!e.is_static && (r->target->flags & WORD_RUNS) && r->target->parts != NULL &&
			r->target->parts->kind == PART_PROCESS && r->target->parts->next == NULL)
			continue;
		judge_effect(s, &e, NULL);
	}
	s->redirecting = false;
}
