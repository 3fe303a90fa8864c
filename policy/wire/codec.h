/* SPDX-License-Identifier: Apache-2.0 */
/* Building and reading message bodies: little-endian integers, strings with a length. Errors stick; a body read is
 * only good when rd_end() says that nothing is left over. */
#ifndef WIRE_CODEC_H
#define WIRE_CODEC_H

#include "policy/base.h"

struct writer {
	char *p; /* owned */
	size_t len, cap;
	size_t max; /* 0: MESSAGE_MAX */
	bool bad; /* past max, or out of memory */
};

void wr_u8(struct writer *w, uint8_t v) NONNULL;
void wr_u32(struct writer *w, uint32_t v) NONNULL;
void wr_u64(struct writer *w, uint64_t v) NONNULL;
void wr_bytes(struct writer *w, struct bytes b) NONNULL; /* u32 length, then the bytes */
void wr_str(struct writer *w, const char *s) __attribute__((nonnull(1))); /* NULL writes the empty string */
void wr_raw(struct writer *w, const void *p, size_t len) __attribute__((nonnull(1)));
void wr_reset(struct writer *w) NONNULL;
void wr_done(struct writer *w) NONNULL;

struct reader {
	const char *p;
	size_t left;
	bool bad;
};

uint8_t rd_u8(struct reader *r) NONNULL;
uint32_t rd_u32(struct reader *r) NONNULL;
uint64_t rd_u64(struct reader *r) NONNULL;
/* A count of things to follow: bad when above max. */
uint32_t rd_count(struct reader *r, uint32_t max) NONNULL;
/* Points into the body. Any bytes, at most max of them. Empty and bad on error. */
struct bytes rd_bytes(struct reader *r, uint32_t max) NONNULL;
/* As rd_bytes, but a NUL inside is an error: for paths and names. */
struct bytes rd_text(struct reader *r, uint32_t max) NONNULL;
bool rd_bool(struct reader *r) NONNULL; /* only 0 and 1 are accepted */
bool rd_end(const struct reader *r) NONNULL;

#endif
