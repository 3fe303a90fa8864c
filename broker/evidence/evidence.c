/* SPDX-License-Identifier: Apache-2.0 */
/* One question of a worker: is it one that an honest worker asks, and who answers it. */
#include "broker/evidence/evidence.h"

#include "broker/evidence/internal.h"
#include "broker/evidence/reader.h"

static struct evidence *evidence_new(struct broker *b)
{
	struct evidence *e = calloc(1, sizeof(*e));
	struct resolved r;

	if (e == NULL)
		return NULL;
	if (worker_policy_decode((struct bytes){ b->policy.p, b->policy.len }, &e->policy) < 0) {
		free(e);
		return NULL;
	}
	e->mounts = mounts_read();
	e->home = b->home != NULL ? b->home : "";
	if (e->home[0] == '/') {
		resolve_path(e->mounts, e->home, false, &r);
		memcpy(e->real_home, r.real, r.real_len + 1);
		e->real_home_len = r.real_len;
	}
	return e;
}

void evidence_free(struct evidence *e)
{
	if (e == NULL)
		return;
	reader_free(e->reader);
	mounts_free(e->mounts);
	worker_policy_done(&e->policy);
	free(e);
}

struct evidence *evidence_of(struct broker *b)
{
	if (b->evidence == NULL)
		b->evidence = evidence_new(b);
	return b->evidence;
}

void evidence_begin(struct broker *b)
{
	if (b->evidence == NULL)
		return;
	b->evidence->entries_listed = 0;
	reader_begin(b->evidence->reader);
}

int answer_text(struct bytes *field, const char *p, size_t len)
{
	char *copy = malloc(len + 1);

	if (copy == NULL)
		return -ENOMEM;
	if (len > 0)
		memcpy(copy, p, len);
	copy[len] = '\0';
	*field = (struct bytes){ copy, len };
	return 0;
}

void evidence_answer_done(struct answer *a)
{
	free((void *)(uintptr_t)a->real.p);
	free((void *)(uintptr_t)a->content.p);
	free((void *)(uintptr_t)a->detail.p);
	a->real = a->content = a->detail = (struct bytes){ NULL, 0 };
}

static bool is_absolute(struct bytes path)
{
	return path.len > 0 && path.p[0] == '/';
}

/* Every field a worker fills is text without NUL and within the limits (question_decode() sees to it). */
static bool is_honest(const struct question *q)
{
	/* A push that names no remote goes to the one that the settings choose. */
	if ((q->text.len == 0 && q->kind != ASK_PUSH) || q->text.len >= QUESTION_PATH_MAX)
		return false;
	switch (q->kind) {
	case ASK_PATH:
	case ASK_ENTRY:
	case ASK_GLOB:
	case ASK_GLOB_TRACKED:
	case ASK_GLOB_VISIBLE:
	case ASK_LINKS:
		return (q->base.len == 0 || is_absolute(q->base)) && (is_absolute(q->text) || is_absolute(q->base)) &&
			(q->extra.len == 0 || is_absolute(q->extra));
	case ASK_PROGRAM:
	case ASK_VARIABLE:
		return q->base.len == 0 && (q->extra.len == 0 || is_absolute(q->extra)) &&
			memchr(q->text.p, '/', q->text.len) == NULL;
	case ASK_PROCESS:
	case ASK_PROCESS_LINE:
		return q->base.len == 0 && q->extra.len == 0;
	case ASK_SCRIPT:
	case ASK_FILE:
	case ASK_RUN:
		if (q->extra.len > 0 && !is_absolute(q->extra))
			return false;
		/* fall through */
	case ASK_STATE:
	case ASK_WORK:
		return is_absolute(q->base) || (q->base.len == 0 && is_absolute(q->text));
	case ASK_REPOSITORY:
	case ASK_PUSH:
		return is_absolute(q->base) && q->extra.len == 0;
	case ASK__MAX:
	default:
		return false;
	}
}

int evidence_answer(struct broker *b, const struct question *q, struct answer *ret)
{
	const char *path = NULL;
	struct evidence *e;

	if (!is_honest(q))
		return EVIDENCE_DISHONEST;
	/* Asked with most commands, and mostly told without the table of mounts and the workspace. */
	if (q->kind == ASK_PROGRAM) {
		int r = answer_system_program(b, q, &path, ret);

		if (r != PROGRAM_DOUBTFUL)
			return r;
	}
	e = evidence_of(b);
	if (e == NULL)
		return -ENOMEM;
	*ret = (struct answer){ .kind = q->kind, .status = ANSWER_UNKNOWN };
	switch (q->kind) {
	case ASK_PATH:
	case ASK_ENTRY:
		return answer_path(e, q, ret);
	case ASK_GLOB:
	case ASK_GLOB_TRACKED:
	case ASK_GLOB_VISIBLE:
		return answer_glob(e, q, ret);
	case ASK_LINKS:
		return answer_links(e, q, ret);
	case ASK_VARIABLE:
		return answer_variable(b, e, q, ret);
	case ASK_PROCESS:
	case ASK_PROCESS_LINE:
		return answer_process(q, ret);
	case ASK_PROGRAM:
		return answer_program(e, q, path, ret);
	case ASK_REPOSITORY:
		return answer_repository(b, e, q, ret);
	case ASK_PUSH:
		return answer_push(b, e, q, ret);
	case ASK_STATE:
	case ASK_WORK:
		return answer_state(b, e, q, ret);
	case ASK_SCRIPT:
	case ASK_FILE:
	case ASK_RUN:
		return answer_script(b, e, q, ret);
	case ASK__MAX:
	default:
		return 0;
	}
}
