/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies as a taken-over worker may send them: decoded within bounds, reconciled only towards the strict side. */
#include "broker/decision/keys.h"
#include "broker/decision/reconcile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t touch(struct bytes b)
{
	size_t sum = 0;

	for (size_t i = 0; i < b.len; i++)
		sum += (unsigned char)b.p[i];
	return sum;
}

static void try_assessment(struct bytes body)
{
	const struct request q = { .mode = REQUEST_HOOK };
	CLEANUP(freep) char *reason = NULL;
	struct assessment a, before;
	struct evidence_log log;

	if (assessment_decode(body, &a) < 0)
		return;
	before = a;
	(void)counting_key(&a);
	reason = reason_render(a.reason.id, a.reason.args, a.reason.n_args);
	if (reason == NULL || touch(a.command) + touch(a.effects) == SIZE_MAX)
		abort();
	evidence_log_init(&log);
	if (reconcile(&q, &log, &a) < 0)
		return;
	if (a.verdict > before.verdict)
		abort();
	if (a.verdict == VERDICT_ALLOW &&
		(a.flags != 0 || (a.source != SOURCE_FAST_ALLOW && a.source != SOURCE_EMPTY &&
					 a.source != SOURCE_LANDED)))
		abort();
}

static void try_question(struct bytes body)
{
	struct question q;
	struct answer a;

	if (question_decode(body, &q) == 0 &&
		(memchr(q.text.p, '\0', q.text.len) != NULL || q.text.len > QUESTION_PATH_MAX))
		abort();
	if (answer_decode(body, &a) == 0 && touch(a.content) + touch(a.real) == SIZE_MAX)
		abort();
}

static void try_request(struct bytes body)
{
	CLEANUP(worker_policy_done) struct worker_policy p = { 0 };
	struct request q;

	if (request_decode(body, &q) == 0 && touch(q.input) == SIZE_MAX)
		abort();
	if (worker_policy_decode(body, &p) == 0 && touch(p.home) == SIZE_MAX)
		abort();
}

/* The first byte chooses the kind of body. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes body;

	if (size == 0)
		return 0;
	body = (struct bytes){ (const char *)data + 1, size - 1 };
	switch (data[0] % 3) {
	case 0:
		try_assessment(body);
		break;
	case 1:
		try_question(body);
		break;
	default:
		try_request(body);
		break;
	}
	return 0;
}
