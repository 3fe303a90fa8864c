/* SPDX-License-Identifier: Apache-2.0 */
/* Python given as text. */
#include "worker/commands/inline.h"
#include "worker/commands/inline/tree.h"

/* Python 2 reads other grammar, and its input() evaluates what it reads. */
void inline_python(struct run *run, const struct arg *text)
{
	struct bytes name = run->invocation->words ? run->invocation->words->value : BYTES("");
	bool three = bytes_find(name, "python3") || bytes_find(name, "pypy3");

	if (bytes_find(name, "python2") || (!three && bytes_find(text->text, "input"))) {
		run_effect_fixed(run, EFFECT_RUN_INLINE, NULL);
		run_open(run, "the code given to %s may be read by Python 2", run->model->name);
		return;
	}
	inline_text(run, &language_python, text);
}
