/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a file whose size is known. */
#ifndef NETPROC_READ_H
#define NETPROC_READ_H

#include "policy/text/textbuf.h"

/* From its start, behind what is in `ret`. 0, -EAGAIN (it has grown: it is being written) or another -errno. */
int read_whole(int fd, size_t size, struct textbuf *ret) __attribute__((nonnull(3))) MUST_CHECK;

#endif
