/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of written cases: one file a family of programs. */
#include "policy/base.h"
#include "tests/unit/effects_cases.h"

#define CASE(line, effects) { line, effects },
static const struct effects_case option_cases[] = {
#include "tests/unit/effects_options.def"
};
static const struct effects_case wrapper_cases[] = {
#include "tests/unit/effects_wrappers.def"
};
static const struct effects_case git_cases[] = {
#include "tests/unit/effects_git.def"
};
static const struct effects_case program_cases[] = {
#include "tests/unit/effects_programs.def"
};
static const struct effects_case python_cases[] = {
#include "tests/unit/effects_python.def"
};
static const struct effects_case node_cases[] = {
#include "tests/unit/effects_node.def"
};
static const struct effects_case tool_cases[] = {
#include "tests/unit/effects_tools.def"
};
static const struct effects_case transfer_cases[] = {
#include "tests/unit/effects_transfer.def"
};
static const struct effects_case files_cases[] = {
#include "tests/unit/effects_files.def"
};
static const struct effects_case system_cases[] = {
#include "tests/unit/effects_system.def"
};
static const struct effects_case network_cases[] = {
#include "tests/unit/effects_network.def"
};
static const struct effects_case builds_cases[] = {
#include "tests/unit/effects_builds.def"
};
static const struct effects_case shell_cases[] = {
#include "tests/unit/effects_shell.def"
};
static const struct effects_case git_commands_cases[] = {
#include "tests/unit/effects_git_commands.def"
};
#undef CASE
#define READS(program, what, line, effects) { line, effects },
#define LACKS(program, what, why)
#define OPENS(program)
static const struct effects_case reader_cases[] = {
#include "tests/unit/effects_readers.def"
};
#undef READS
#undef LACKS
#undef OPENS

#define TABLE(about, cases) { about, cases, ARRAY_LEN(cases) }
static const struct effects_cases tables[] = {
	TABLE("options", option_cases),
	TABLE("wrappers", wrapper_cases),
	TABLE("git", git_cases),
	TABLE("programs", program_cases),
	TABLE("python", python_cases),
	TABLE("node", node_cases),
	TABLE("readers", reader_cases),
	TABLE("git", git_commands_cases),
	TABLE("the shell", shell_cases),
	TABLE("builds", builds_cases),
	TABLE("the network", network_cases),
	TABLE("the machine", system_cases),
	TABLE("files", files_cases),
	TABLE("tools", tool_cases),
	TABLE("transfer", transfer_cases),
};

const struct effects_cases *effects_tables(size_t *ret_n)
{
	*ret_n = ARRAY_LEN(tables);
	return tables;
}
