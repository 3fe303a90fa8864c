/* SPDX-License-Identifier: Apache-2.0 */
/* JavaScript given as text. */
#include "worker/commands/inline.h"

void inline_node(struct run *run, const struct arg *text)
{
	(void)text;
	run_effect_fixed(run, EFFECT_RUN_INLINE, NULL);
}
