/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that look into a running process, take it over, or change how it runs: whom they are told by number. */
#include "worker/commands/model.h"

static bool is_number(struct bytes text)
{
	return text.len > 0 && only_of(text, 0, "0123456789,");
}

/* The number in -p123, --pid=123, -fp123. */
static struct bytes attached_number(struct bytes text)
{
	size_t from = text.len;

	if (!bytes_start(text, "-"))
		return (struct bytes){ NULL, 0 };
	while (from > 0 && text.p[from - 1] >= '0' && text.p[from - 1] <= '9')
		from--;
	return bytes_from(text, from);
}

static void attaches(struct run *run)
{
	for (uint32_t i = 0; i < run->argc; i++) {
		const struct arg *a = &run->argv[i];

		if (!a->is_static || is_number(a->text))
			run_effect(run, EFFECT_ATTACH, a);
		else if (attached_number(a->text).len > 0)
			run_effect_text(run, EFFECT_ATTACH, attached_number(a->text));
	}
}

/* Each of them runs commands of its own, or programs that its words name, besides. */
#define ATTACHES(id, text) MODEL(id) = { .name = text, .refuse = "looks into processes, or changes them", \
	.syntax = ANY_OPTION | PARTIAL, .special = attaches }

ATTACHES(gdb, "gdb");
ATTACHES(gdbserver, "gdbserver");
ATTACHES(lldb, "lldb");
ATTACHES(gcore, "gcore");
ATTACHES(reptyr, "reptyr");
ATTACHES(py_spy, "py-spy");
ATTACHES(renice, "renice");
ATTACHES(prlimit, "prlimit");
ATTACHES(criu, "criu");
ATTACHES(jmap, "jmap");
ATTACHES(jstack, "jstack");
