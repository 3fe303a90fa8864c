/* SPDX-License-Identifier: Apache-2.0 */
/* Showing a listing: as JSON for `parse` and `explain --json`, as a tree for `explain`. */
#ifndef REPLY_LISTING_H
#define REPLY_LISTING_H

#include "broker/decision/outcome.h"
#include "policy/text/textbuf.h"

/* `parse`: {"id"?, "parse", "modelled", "why"?, "cmds"}. On one line, or pretty. 0, or -errno: no whole
 * listing. */
int listing_parse_json(
	struct bytes listing, bool pretty, struct textbuf *out, bool *ret_parsed) NONNULL MUST_CHECK;
/* `explain --json`: the outcome and, for each command, verdict, reason and effects. */
int listing_explain_json(
	struct bytes listing, const struct outcome *o, struct textbuf *out) NONNULL MUST_CHECK;
/* `explain`: for a person; escape sequences only with `colour`. An empty listing shows the outcome alone. */
int listing_explain_text(
	struct bytes listing, const struct outcome *o, bool colour, struct textbuf *out) NONNULL MUST_CHECK;

#endif
