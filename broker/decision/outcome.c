/* SPDX-License-Identifier: Apache-2.0 */
/* Freeing an outcome, and its texts. */
#include "broker/decision/outcome.h"

#include "broker/model/model.h"

void outcome_done(struct outcome *o)
{
	free(o->reason);
	free(o->raw_reason);
	free(o->rule);
	if (o->model != NULL)
		model_verdict_done(o->model);
	free(o->model);
	*o = (struct outcome){ 0 };
}

int outcome_set(char **where, char *text)
{
	if (text == NULL)
		return -ENOMEM;
	free(*where);
	*where = text;
	return 0;
}
