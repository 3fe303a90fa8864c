/* SPDX-License-Identifier: Apache-2.0 */
/* What stands in a file that a command names, once somebody has looked: programs of filters, and patches. */
#include "worker/commands/model.h"

static const struct {
	const char *program;
	void (*read)(struct run *run, struct bytes text);
} readers[] = {
	{ "awk", run_reads_awk }, { "sed", run_reads_sed }, { "jq", run_reads_jq }, { "patch", run_reads_patch },
	{ "git apply", run_reads_patch },
};

bool run_reads_given(struct run *run, const struct word *word)
{
	const struct invocation *inv = run->invocation;

	if (!inv->given_word || inv->given_word != word)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(readers); i++)
		if (bytes_is(run->out->program, readers[i].program)) {
			readers[i].read(run, inv->given);
			return true;
		}
	return false;
}

bool command_reads_given(struct bytes program)
{
	for (size_t i = 0; i < ARRAY_LEN(readers); i++)
		if (bytes_is(program, readers[i].program))
			return true;
	return false;
}
