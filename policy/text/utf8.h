/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8, strictly (RFC 3629), and which characters change what a person sees. */
#ifndef TEXT_UTF8_H
#define TEXT_UTF8_H

#include "policy/base.h"

enum char_class {
	CHAR_PLAIN = 0,
	CHAR_CONTROL, /* C0 but tab, LF and CR; DEL; C1 */
	CHAR_BIDI, /* reorders what stands around it (Unicode UAX 9) */
	CHAR_FORMAT, /* the rest of category Cf (zero-width, tags, soft hyphen …), fillers that show nothing */
	CHAR_SEPARATOR, /* U+2028, U+2029 */
	CHAR_QUOTE, /* looks like a quote that a shell reads, and is none */
};

/* One character: its length in bytes (1 to 4), or 0 when `p` does not start with a well-formed one. */
size_t utf8_decode(const char *p, size_t len, uint32_t *ret) NONNULL;
/* Writes 1 to 4 bytes; anything that is no scalar value becomes U+FFFD. */
size_t utf8_encode(uint32_t c, char out[static 4]) NONNULL;
bool utf8_valid(const char *p, size_t len);
/* The largest length <= cap that does not cut a character in two (len when that is within cap). */
size_t utf8_cut(const char *p, size_t len, size_t cap);
enum char_class utf8_class(uint32_t c);
/* The first character of another class than CHAR_PLAIN: its class and place; malformed bytes count as CHAR_CONTROL. */
enum char_class utf8_find_odd(const char *p, size_t len, size_t *ret_at) __attribute__((nonnull(3)));

#endif
