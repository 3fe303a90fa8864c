/* SPDX-License-Identifier: Apache-2.0 */
/* Packages and tools of JavaScript's registry by their names: what is run by one, and where one comes from. */
#ifndef COMMANDS_NPX_H
#define COMMANDS_NPX_H

#include "worker/commands/model.h"

/*
 * Runs the tool that words[0] names, with the other words. `installed`: only what is here already is run, so that the
 * project has it. The name of a tool that the gate does not know is open, unless it is installed.
 */
void run_js_tool(struct run *run, const struct arg *words, uint32_t n, bool installed);

/* A tool so common that its name is its own wherever packages come from. */
bool js_tool_is_known(struct bytes name);

/* The name of a well-known tool's program, under which the registry has a package of somebody else's. */
bool js_name_is_anothers(struct bytes name);

/* What one installs or runs by comes from an address or another forge, not from the registry or from here. */
bool js_from_outside(struct bytes spec);

#endif
