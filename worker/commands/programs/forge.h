/* SPDX-License-Identifier: Apache-2.0 */
/* What the files about forges share (forge.c, forge_api.c). */
#ifndef COMMANDS_FORGE_H
#define COMMANDS_FORGE_H

#include "worker/commands/model.h"

/* A program for the forge's own jq, which sees the environment as jq itself does. */
void forge_jq(struct run *run, const struct arg *program);

extern const struct command_model gh_api[];

#endif
