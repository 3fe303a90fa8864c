/* SPDX-License-Identifier: Apache-2.0 */
/* A session file that somebody else wrote: read without harm, and what was read is written and read back alike. */
#include "broker/state/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(session_done) struct session s = { 0 }, back = { 0 };
	CLEANUP(textbuf_done) struct textbuf text = { 0 }, again = { 0 };

	if (session_parse((struct bytes){ (const char *)data, size }, &s) != 0)
		return 0;
	if (s.n_denials > SESSION_DENIALS_MAX || s.n_allows > SESSION_ALLOWS_MAX)
		abort();
	session_format(&s, &text);
	if (text.failed || session_parse((struct bytes){ text.p, text.len }, &back) != 0)
		abort();
	session_format(&back, &again);
	/* Cut text may end within a character, which is written as another: the second round changes nothing more. */
	if (back.n_denials != s.n_denials || back.n_allows != s.n_allows || back.total_denials != s.total_denials)
		abort();
	return 0;
}
