/* SPDX-License-Identifier: Apache-2.0 */
/* Keeping what was shown of files. */
#include "broker/decision/served.h"

void served_reset(struct served **s)
{
	if (*s == NULL)
		return;
	for (uint32_t i = 0; i < (*s)->n; i++) {
		free((*s)->files[i].path);
		free((*s)->files[i].content);
	}
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

int served_keep(struct served **s, const struct question *q, const struct answer *a)
{
	struct served_file *f;

	if ((q->kind != ASK_SCRIPT && q->kind != ASK_FILE) || a->status != ANSWER_KNOWN || a->content.len == 0)
		return 0;
	if (*s == NULL && (*s = calloc(1, sizeof(**s))) == NULL)
		return -ENOMEM;
	if ((*s)->n == MODEL_FILES_MAX) {
		(*s)->left_out = true;
		return 0;
	}
	f = &(*s)->files[(*s)->n++];
	*f = (struct served_file){
		.path = copy(a->real), .content = copy(a->content),
		.len = a->content.len, .size = a->size, .runs = q->kind == ASK_SCRIPT,
	};
	return f->path != NULL && f->content != NULL ? 0 : -ENOMEM;
}

bool served_whole(const struct served *s, struct bytes path)
{
	for (uint32_t i = 0; s != NULL && i < s->n; i++)
		if (bytes_is(path, s->files[i].path) && s->files[i].len >= s->files[i].size)
			return true;
	return false;
}
