/* SPDX-License-Identifier: Apache-2.0 */
/* Keeping what was shown of files. */
#include "broker/decision/served.h"

#include "policy/paths/paths.h"

enum { BINARY_LOOK = 8192 };

static void file_done(struct served_file *f)
{
	free(f->named);
	free(f->path);
	free(f->content);
	*f = (struct served_file){ 0 };
}

void served_reset(struct served **s)
{
	if (*s == NULL)
		return;
	for (uint32_t i = 0; i < (*s)->n; i++)
		file_done(&(*s)->files[i]);
	free(TAKE_PTR(*s));
}

static char *copy(struct bytes b)
{
	char *p = malloc(b.len + 1);

	if (p == NULL)
		return NULL;
	if (b.len > 0)
		memcpy(p, b.p, b.len);
	p[b.len] = '\0';
	return p;
}

static char *copy_name(const struct question *q)
{
	char path[QUESTION_PATH_MAX];
	size_t n = path_normalise(q->base.len > 0 ? q->base : BYTES("/"), q->text, path, sizeof(path));

	return copy(n > 0 ? (struct bytes){ path, n } : q->text);
}

static bool is_binary(struct bytes content)
{
	return content.len > 0 &&
		memchr(content.p, '\0', content.len < BINARY_LOOK ? content.len : BINARY_LOOK) != NULL;
}

/* Why less than all of it is shown; NULL: it is. */
static const char *note_of(const struct answer *a)
{
	if (a->status != ANSWER_KNOWN)
		return "it could not be looked at";
	if (a->type == PATH_MISSING || a->type == PATH_LINK_BROKEN)
		return "it does not exist";
	if (a->type != PATH_FILE)
		return "it is no regular file";
	if ((a->facts & FACT_GATE) != 0)
		return "withheld: it is one of the gate's own files";
	if ((a->facts & FACT_SECRET) != 0)
		return "withheld: it looks like a credential";
	if (is_binary(a->content))
		return "it is no text";
	if (a->content.len < a->size || (a->content.len == 0 && (a->facts & FACT_IN_PART) != 0))
		return a->content.len > 0 ? "only the beginning is shown" : "its content is not shown";
	return (a->facts & FACT_IN_PART) != 0 ? "secrets in it are blotted out" : NULL;
}

static int fill(struct served_file *f, const struct question *q, const struct answer *a, const char *note)
{
	bool shown = a->type == PATH_FILE && !is_binary(a->content);

	*f = (struct served_file){
		.named = copy_name(q), .path = copy(a->real.len > 0 ? a->real : q->text),
		.content = copy(shown ? a->content : BYTES("")), .len = shown ? a->content.len : 0,
		.size = a->size, .runs = q->kind != ASK_FILE, .note = note,
	};
	f->whole = shown && a->status == ANSWER_KNOWN && f->len == f->size &&
		(f->len > 0 || (a->facts & FACT_IN_PART) == 0);
	return f->named != NULL && f->path != NULL && f->content != NULL ? 0 : -ENOMEM;
}

/* The same file, asked for again: as a script to read, and as one that runs. */
static struct served_file *find(struct served *s, struct bytes real)
{
	for (uint32_t i = 0; real.len > 0 && i < s->n; i++)
		if (bytes_is(real, s->files[i].path))
			return &s->files[i];
	return NULL;
}

int served_keep(struct served **s, const struct question *q, const struct answer *a)
{
	struct served_file *f;

	if (!question_is_of_content(q->kind))
		return 0;
	/* Not every word that looks like the name of a file is one. */
	if (q->kind == ASK_FILE && (a->status != ANSWER_KNOWN || a->type != PATH_FILE))
		return 0;
	if (*s == NULL && (*s = calloc(1, sizeof(**s))) == NULL)
		return -ENOMEM;
	f = find(*s, a->real);
	if (f != NULL && (f->whole || f->len >= a->content.len)) {
		f->runs = f->runs || q->kind != ASK_FILE;
		return 0;
	}
	if (f != NULL) {
		bool runs = f->runs;
		int err;

		file_done(f);
		err = fill(f, q, a, note_of(a));
		f->runs = f->runs || runs;
		return err;
	}
	if ((*s)->n == MODEL_FILES_MAX) {
		(*s)->left_out = true;
		(*s)->left_out_runs = (*s)->left_out_runs || q->kind != ASK_FILE;
		return 0;
	}
	return fill(&(*s)->files[(*s)->n++], q, a, note_of(a));
}

bool served_whole(const struct served *s, struct bytes path)
{
	for (uint32_t i = 0; s != NULL && i < s->n; i++)
		if (s->files[i].whole && (bytes_is(path, s->files[i].path) || bytes_is(path, s->files[i].named)))
			return true;
	return false;
}
