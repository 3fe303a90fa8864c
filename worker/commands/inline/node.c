/* SPDX-License-Identifier: Apache-2.0 */
/* JavaScript given as text. */
#include "worker/commands/inline.h"
#include "worker/commands/inline/tree.h"

void inline_node(struct run *run, const struct arg *text)
{
	inline_text(run, &language_node, text);
}
