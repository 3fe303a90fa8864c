/* SPDX-License-Identifier: Apache-2.0 */
/* A decision model's numbers held to the configured bounds: every doubt is a denial. */
#include "broker/model/model.h"

static uint32_t millionths(const struct config *c, enum config_key k)
{
	double d = config_number(c, k);

	return d >= 1.0 ? MILLION : d > 0.0 ? (uint32_t)(d * MILLION + 0.5) : 0;
}

/* Every risk at or over the bound, the greatest first; how many. */
static size_t put_risks(const struct judgement *j, uint32_t bound, struct textbuf *why)
{
	bool done[RISKS] = { false };
	size_t n = 0;

	for (;;) {
		size_t worst = RISKS;

		for (size_t i = 0; i < RISKS; i++)
			if (!done[i] && j->risks[i] >= bound && (worst == RISKS || j->risks[i] > j->risks[worst]))
				worst = i;
		if (worst == RISKS)
			return n;
		done[worst] = true;
		textbuf_printf(why, "%s%s %.2f", n++ == 0 ? " for " : ", ", risk_questions[worst].name,
			j->risks[worst] / (double)MILLION);
	}
}

static bool is_quiet(const struct config *c, const struct judgement *j)
{
	uint32_t ceiling = millionths(c, CFG_JEV_LOW_RISK_CEILING);

	for (size_t i = 0; i < RISKS; i++)
		if (j->risks[i] >= ceiling)
			return false;
	return ceiling > 0 && j->p_allow >= millionths(c, CFG_JEV_LOW_RISK_MIN_ALLOW);
}

bool judgement_allows(const struct config *c, const struct judgement *j, struct textbuf *why)
{
	uint32_t bound = millionths(c, CFG_JEV_RISK_THRESHOLD);
	bool risky = false, sure = j->confidence >= millionths(c, CFG_JEV_MIN_CONFIDENCE) || is_quiet(c, j);

	for (size_t i = 0; i < RISKS; i++)
		risky = risky || j->risks[i] >= bound;
	if (!j->allow || risky) {
		textbuf_puts(why, "the judge denies it");
		put_risks(j, bound, why);
	} else if (!sure) {
		textbuf_puts(why, "the judge would allow it, but is not sure enough");
	} else {
		textbuf_puts(why, "the judge allows it");
	}
	textbuf_printf(why, " (p(allow) %.2f, confidence %.2f)", j->p_allow / (double)MILLION,
		j->confidence / (double)MILLION);
	return j->allow && !risky && sure;
}
