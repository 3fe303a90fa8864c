/* SPDX-License-Identifier: Apache-2.0 */
/* Every reason the gate gives, as a template with numbered arguments ({0} … {3}). A worker names a reason; only the
 * broker words it. */
#ifndef POLICY_REASONS_H
#define POLICY_REASONS_H

#include "policy/base.h"

enum reason {
	REASON_INTERNAL = 0, /* the gate could not decide */
#define REASON(id, text) REASON_##id,
#include "policy/reasons.def"
#undef REASON
	REASON__MAX
};

enum reason reason_from_wire(uint32_t v);
const char *reason_template(enum reason r);
/* The reason in words; arguments are foreign text: made one line, escaped, capped at 300 bytes each. NULL: no memory. */
char *reason_render(enum reason r, const struct bytes *args, uint32_t n_args);

#endif
