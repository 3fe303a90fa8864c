/* SPDX-License-Identifier: Apache-2.0 */
/* Freeing an outcome. */
#include "broker/decision/outcome.h"

void outcome_done(struct outcome *o)
{
	free(o->reason);
	free(o->raw_reason);
	free(o->rule);
	*o = (struct outcome){ 0 };
}
