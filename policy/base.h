/* SPDX-License-Identifier: Apache-2.0 */
/* Small things every file may use: ownership by attribute, sizes, the error convention. */
#ifndef POLICY_BASE_H
#define POLICY_BASE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Error convention of the whole tree:
 *   negative errno  something is broken; pass it up unchanged, never branch on its value
 *   0               success
 *   positive        an outcome, named in the module's enum, that the direct caller must handle
 * Parameters named ret_* are written on success only.
 */
#define CLEANUP(f) __attribute__((cleanup(f)))
#define NONNULL __attribute__((nonnull))
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#define MUST_CHECK __attribute__((warn_unused_result))
#define UNUSED __attribute__((unused))

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define TAKE_FD(fd) __extension__({ int take_fd_ = (fd); (fd) = -1; take_fd_; })
#define TAKE_PTR(p) __extension__({ __typeof__(p) take_ptr_ = (p); (p) = NULL; take_ptr_; })

static inline void close_fdp(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void freep(void *p)
{
	free(*(void **)p);
}

/* A byte string that need not end in NUL and may hold any byte. */
struct bytes {
	const char *p;
	size_t len;
};

#define BYTES(literal) ((struct bytes){ (literal), sizeof(literal) - 1 })

/* The byte at I, 0 to 255; -1 beyond the end, where what a word points into goes on. */
static inline int bytes_at(struct bytes b, size_t i)
{
	return i < b.len ? (unsigned char)b.p[i] : -1;
}

static inline bool bytes_eq(struct bytes a, struct bytes b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.p, b.p, a.len) == 0);
}

static inline bool bytes_is(struct bytes a, const char *s)
{
	size_t n;

	/* Compared with one table entry after the other: most differ in their first character. */
	if (a.len == 0 || a.p[0] != s[0])
		return a.len == 0 && s[0] == '\0';
	n = strlen(s);
	return a.len == n && memcmp(a.p, s, n) == 0;
}

#endif
