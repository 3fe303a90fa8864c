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

#endif
