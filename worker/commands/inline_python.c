/* SPDX-License-Identifier: Apache-2.0 */
/* Python given as text. */
#include "worker/commands/inline.h"

void inline_python(struct run *run, const struct arg *text)
{
	(void)text;
	run_effect_fixed(run, EFFECT_RUN_INLINE, NULL);
}
