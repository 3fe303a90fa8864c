/* SPDX-License-Identifier: Apache-2.0 */
/* For models of programs that show settings (shown_settings.c). */
#ifndef COMMANDS_SHOWN_SETTINGS_H
#define COMMANDS_SHOWN_SETTINGS_H

#include "worker/commands/model.h"

enum { FORMAT_IS_HARMLESS = 1 << 29 };

/* option() of --format: a Go template over what docker inspect shows. */
void run_format(struct run *run, const struct option_rule *rule, const struct arg *value);
/* special() of inspect: all that is known of a container, its variables too, unless the format asks for less. */
void run_inspects(struct run *run);
/* special() of compose config. */
void run_shows_compose(struct run *run);
/* special() of `config list`. */
void run_lists_settings(struct run *run);
/* special() of `config get`: the operands name settings, some of which are credentials or addresses that hold one. */
void run_shows_setting(struct run *run);

#endif
