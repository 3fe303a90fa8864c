/* SPDX-License-Identifier: Apache-2.0 */
/* Foreign text made safe to stand in one line before a person or in a command line. */
#ifndef TEXT_ONELINE_H
#define TEXT_ONELINE_H

#include "policy/text/textbuf.h"

/*
 * Append `in` as one line: line breaks and tabs as \n, \r and \t, other controls, bidi, zero-width and separator
 * characters as \u{…}, malformed bytes as \x…. At most `cap` bytes are added; what was cut ends in "…" (cap < 3: cut
 * without it). A backslash stays as it is: the text is for reading, not for decoding.
 */
void text_oneline(struct textbuf *b, struct bytes in, size_t cap) __attribute__((nonnull(1)));
/* As text_oneline, but keeps line breaks: for messages of several lines. */
void text_lines(struct textbuf *b, struct bytes in, size_t cap) __attribute__((nonnull(1)));

#endif
