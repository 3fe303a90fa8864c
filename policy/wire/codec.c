/* SPDX-License-Identifier: Apache-2.0 */
/* Message bodies, byte by byte: nothing is copied as a struct, so no padding leaves a process. */
#include "policy/wire/codec.h"
#include "policy/wire/frame.h"

/* Room for `more` bytes, or NULL with the writer marked bad. */
static char *wr_room(struct writer *w, size_t more)
{
	size_t max = w->max != 0 ? w->max : MESSAGE_MAX;

	if (w->bad || more > max - w->len) {
		w->bad = true;
		return NULL;
	}
	if (more > w->cap - w->len) {
		size_t cap = w->cap < 128 ? 256 : w->cap * 2;
		char *p;

		if (cap < w->len + more)
			cap = w->len + more;
		p = realloc(w->p, cap);
		if (p == NULL) {
			w->bad = true;
			return NULL;
		}
		w->p = p;
		w->cap = cap;
	}
	w->len += more;
	return w->p + w->len - more;
}

static void wr_integer(struct writer *w, uint64_t v, size_t size)
{
	char *p = wr_room(w, size);

	for (size_t i = 0; p != NULL && i < size; i++)
		p[i] = (char)(v >> (8 * i));
}

void wr_u8(struct writer *w, uint8_t v)
{
	wr_integer(w, v, sizeof(v));
}

void wr_u32(struct writer *w, uint32_t v)
{
	wr_integer(w, v, sizeof(v));
}

void wr_u64(struct writer *w, uint64_t v)
{
	wr_integer(w, v, sizeof(v));
}

void wr_raw(struct writer *w, const void *p, size_t len)
{
	char *to = wr_room(w, len);

	if (to != NULL && len != 0)
		memcpy(to, p, len);
}

void wr_bytes(struct writer *w, struct bytes b)
{
	if (b.len > MESSAGE_MAX) {
		w->bad = true;
		return;
	}
	wr_u32(w, (uint32_t)b.len);
	wr_raw(w, b.p, b.len);
}

void wr_str(struct writer *w, const char *s)
{
	wr_bytes(w, (struct bytes){ s, s != NULL ? strlen(s) : 0 });
}

void wr_reset(struct writer *w)
{
	w->len = 0;
	w->bad = false;
}

void wr_done(struct writer *w)
{
	free(w->p);
	*w = (struct writer){ .max = w->max };
}

/* The next `n` bytes, or NULL with the reader marked bad and emptied: later reads fail too. */
static const char *rd_take(struct reader *r, size_t n)
{
	const char *p = r->p;

	if (r->bad || r->left < n) {
		r->bad = true;
		r->left = 0;
		return NULL;
	}
	if (n != 0)
		r->p += n;
	r->left -= n;
	return p;
}

static uint64_t rd_integer(struct reader *r, size_t size)
{
	const char *p = rd_take(r, size);
	uint64_t v = 0;

	for (size_t i = 0; p != NULL && i < size; i++)
		v |= (uint64_t)(uint8_t)p[i] << (8 * i);
	return v;
}

uint8_t rd_u8(struct reader *r)
{
	return (uint8_t)rd_integer(r, sizeof(uint8_t));
}

uint32_t rd_u32(struct reader *r)
{
	return (uint32_t)rd_integer(r, sizeof(uint32_t));
}

uint64_t rd_u64(struct reader *r)
{
	return rd_integer(r, sizeof(uint64_t));
}

uint32_t rd_count(struct reader *r, uint32_t max)
{
	uint32_t n = rd_u32(r);

	if (n > max) {
		(void)rd_take(r, SIZE_MAX);
		return 0;
	}
	return n;
}

struct bytes rd_bytes(struct reader *r, uint32_t max)
{
	uint32_t n = rd_count(r, max);
	const char *p = rd_take(r, n);

	return r->bad ? (struct bytes){ "", 0 } : (struct bytes){ n != 0 ? p : "", n };
}

struct bytes rd_text(struct reader *r, uint32_t max)
{
	struct bytes b = rd_bytes(r, max);

	if (b.len != 0 && memchr(b.p, '\0', b.len) != NULL) {
		(void)rd_take(r, SIZE_MAX);
		return (struct bytes){ "", 0 };
	}
	return b;
}

bool rd_bool(struct reader *r)
{
	uint8_t v = rd_u8(r);

	if (v > 1)
		(void)rd_take(r, SIZE_MAX);
	return v == 1;
}

bool rd_end(const struct reader *r)
{
	return !r->bad && r->left == 0;
}
