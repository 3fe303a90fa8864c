/* SPDX-License-Identifier: Apache-2.0 */
/* Counting key, exact key, and the running hash of the evidence served. */
#include "broker/decision/keys.h"

static void add_length(SHA2_CTX *ctx, uint64_t n)
{
	uint8_t le[8];

	for (size_t i = 0; i < sizeof(le); i++)
		le[i] = (uint8_t)(n >> (8 * i));
	SHA256Update(ctx, le, sizeof(le));
}

/* Length first: no two lists of strings can run together into the same bytes. */
static void add_bytes(SHA2_CTX *ctx, struct bytes b)
{
	add_length(ctx, b.len);
	if (b.len > 0)
		SHA256Update(ctx, (const uint8_t *)b.p, b.len);
}

static struct key finish(SHA2_CTX *ctx)
{
	static const char digits[] = "0123456789abcdef";
	uint8_t digest[SHA256_DIGEST_LENGTH];
	struct key k;

	SHA256Final(digest, ctx);
	for (size_t i = 0; i < sizeof(digest); i++) {
		k.hex[2 * i] = digits[digest[i] >> 4];
		k.hex[2 * i + 1] = digits[digest[i] & 15];
	}
	k.hex[KEY_HEX] = '\0';
	return k;
}

void evidence_log_init(struct evidence_log *log)
{
	SHA256Init(&log->all);
	log->n_files = 0;
	log->questions = 0;
	log->bytes = 0;
	log->in_part = false;
	log->guarded = false;
}

/* What nobody is shown, whoever asks: a lie about it is the only use that asking has. */
static bool is_guarded(const struct answer *a)
{
	if ((a->facts & (FACT_SECRET | FACT_GATE)) != 0 || a->type == PATH_SPECIAL)
		return true;
	/* Of a file system that is not looked into, the answer says no more than where it begins. */
	return (a->facts & FACT_REMOTE_FS) != 0 && a->real.len >= 5 && memcmp(a->real.p, "/proc", 5) == 0;
}

/* Longer than is read, withheld, or with something blotted out. */
static bool is_in_part(const struct answer *a)
{
	if (a->status != ANSWER_KNOWN || (a->facts & FACT_IN_PART) != 0)
		return true;
	return a->type == PATH_FILE ? a->content.len != a->size : a->type != PATH_MISSING && a->type != PATH_DIRECTORY;
}

static struct key key_over(const struct question *q, struct bytes name, struct bytes rest)
{
	SHA2_CTX ctx;

	SHA256Init(&ctx);
	add_length(&ctx, (uint64_t)q->kind);
	add_bytes(&ctx, name);
	add_bytes(&ctx, rest);
	return finish(&ctx);
}

/* By where it lies, or, where nothing is there, by how it was asked for. */
static struct file_key file_key(const struct question *q, const struct answer *a)
{
	struct file_key k;
	SHA2_CTX ctx;

	k.path = a->real.len > 0 ? key_over(q, a->real, BYTES("")) : key_over(q, q->text, q->base);
	SHA256Init(&ctx);
	add_length(&ctx, (uint64_t)a->status);
	add_length(&ctx, (uint64_t)a->type);
	add_length(&ctx, a->size);
	add_bytes(&ctx, a->content);
	add_bytes(&ctx, a->detail);
	k.content = finish(&ctx);
	return k;
}

void evidence_log_add(struct evidence_log *log, const struct question *q, const struct answer *a)
{
	log->questions++;
	log->bytes += (q->kind == ASK_SCRIPT ? a->content.len : 0) + a->detail.len + a->real.len;
	add_length(&log->all, (uint64_t)q->kind);
	add_bytes(&log->all, q->base);
	add_bytes(&log->all, q->text);
	add_bytes(&log->all, q->extra);
	add_length(&log->all, (uint64_t)a->status);
	add_length(&log->all, (uint64_t)a->type);
	add_length(&log->all, a->facts);
	add_length(&log->all, a->size);
	add_bytes(&log->all, a->real);
	add_bytes(&log->all, a->content);
	add_bytes(&log->all, a->detail);
	if (question_is_of_content(q->kind)) {
		log->guarded = log->guarded || is_guarded(a);
		log->in_part = log->in_part || is_in_part(a);
		if (log->n_files < QUESTIONS_MAX)
			log->files[log->n_files++] = file_key(q, a);
	}
}

struct bytes trim_blanks(struct bytes b)
{
	static const char blanks[] = " \t\r\n\v\f";

	while (b.len > 0 && b.p[0] != '\0' && strchr(blanks, b.p[0]) != NULL)
		b = (struct bytes){ b.p + 1, b.len - 1 };
	while (b.len > 0 && b.p[b.len - 1] != '\0' && strchr(blanks, b.p[b.len - 1]) != NULL)
		b.len--;
	return b;
}

static int bytes_order(struct bytes a, struct bytes b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int order = n > 0 ? memcmp(a.p, b.p, n) : 0;

	if (order != 0)
		return order;
	return a.len < b.len ? -1 : a.len > b.len;
}

static int cause_order(const void *pa, const void *pb)
{
	const struct cause *a = *(const struct cause *const *)pa, *b = *(const struct cause *const *)pb;
	int order = bytes_order(a->program, b->program);

	if (order == 0)
		order = bytes_order(a->effect, b->effect);
	return order != 0 ? order : bytes_order(a->target, b->target);
}

struct key counting_key(const struct assessment *a)
{
	const struct cause *sorted[ASSESSMENT_CAUSES_MAX];
	uint32_t n = a->n_causes < ASSESSMENT_CAUSES_MAX ? a->n_causes : ASSESSMENT_CAUSES_MAX;
	SHA2_CTX ctx;

	SHA256Init(&ctx);
	if (n == 0) {
		add_bytes(&ctx, BYTES("command"));
		add_bytes(&ctx, trim_blanks(a->command));
		return finish(&ctx);
	}
	for (uint32_t i = 0; i < n; i++)
		sorted[i] = &a->causes[i];
	qsort(sorted, n, sizeof(*sorted), cause_order);
	add_bytes(&ctx, BYTES("causes"));
	for (uint32_t i = 0; i < n; i++) {
		if (i > 0 && cause_order(&sorted[i - 1], &sorted[i]) == 0)
			continue;
		add_bytes(&ctx, sorted[i]->program);
		add_bytes(&ctx, sorted[i]->effect);
		add_bytes(&ctx, sorted[i]->target);
	}
	return finish(&ctx);
}

/* What a worker made of the command is in it: a lie that won an allow is found by nobody who does not tell it again. */
struct key exact_key(const struct assessment *a, const struct evidence_log *log)
{
	SHA2_CTX ctx = log->all;

	add_bytes(&ctx, BYTES("exact"));
	add_bytes(&ctx, trim_blanks(a->command));
	add_bytes(&ctx, a->session);
	add_bytes(&ctx, a->cwd);
	add_length(&ctx, (uint64_t)a->harness);
	add_length(&ctx, (uint64_t)a->kind);
	add_length(&ctx, (uint64_t)a->verdict);
	add_length(&ctx, a->flags);
	add_bytes(&ctx, a->effects);
	add_length(&ctx, (uint64_t)a->reason.id);
	add_length(&ctx, a->reason.n_args);
	for (uint32_t i = 0; i < a->reason.n_args; i++)
		add_bytes(&ctx, a->reason.args[i]);
	add_length(&ctx, a->n_causes);
	for (uint32_t i = 0; i < a->n_causes; i++) {
		add_bytes(&ctx, a->causes[i].program);
		add_bytes(&ctx, a->causes[i].effect);
		add_bytes(&ctx, a->causes[i].target);
	}
	return finish(&ctx);
}

struct key key_of_bytes(struct bytes b)
{
	SHA2_CTX ctx;

	SHA256Init(&ctx);
	if (b.len > 0)
		SHA256Update(&ctx, (const uint8_t *)b.p, b.len);
	return finish(&ctx);
}
