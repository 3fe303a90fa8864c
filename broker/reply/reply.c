/* SPDX-License-Identifier: Apache-2.0 */
/* What the replies have in common. */
#include "broker/reply/reply.h"

void reply_done(struct reply *r)
{
	textbuf_done(&r->out);
	textbuf_done(&r->err);
}

const char *outcome_finding(const struct outcome *o)
{
	return o->raw_reason ? o->raw_reason : o->reason;
}

int reply_status(enum decision d)
{
	switch (d) {
	case DECISION_ALLOW:
		return 0;
	case DECISION_ASK:
	case DECISION_FORCE_ASK:
		return 1;
	case DECISION_DENY:
	case DECISION__MAX:
		break;
	}
	return 2;
}
