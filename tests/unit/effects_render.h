/* SPDX-License-Identifier: Apache-2.0 */
/* What a line's commands do, as one line of text that a table of cases can hold. */
#ifndef UNIT_EFFECTS_RENDER_H
#define UNIT_EFFECTS_RENDER_H

/*
 * The effects of each simple command, commands separated by " | ": "delete-tree build, delete a…". A dynamic target
 * ends in "…", an effect that only may happen in "?". A nested command stands in braces. "open" in front: something
 * was not understood. The text belongs to the renderer and lasts until the next call.
 */
const char *effects_render(const char *line);

/* The same, with the reason in parentheses behind each "open". */
const char *effects_render_reasons(const char *line);

/* Calls seen() with what each command of the line does, nested ones included, outer ones first. */
struct command_effects;
typedef void effects_seen(void *data, const struct command_effects *effects);
void effects_observe(const char *line, effects_seen *seen, void *data);

#endif
