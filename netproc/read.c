/* SPDX-License-Identifier: Apache-2.0 */
/* One byte more than the size is asked for, so that a file which grows meanwhile is not taken for a whole one. */
#include "netproc/read.h"

int read_whole(int fd, size_t size, struct textbuf *ret)
{
	size_t len = 0;

	if (!textbuf_reserve(ret, size + 1))
		return -ENOMEM;
	while (len <= size) {
		ssize_t n = pread(fd, ret->p + ret->len, size + 1 - len, (off_t)len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : 0;
		ret->len += (size_t)n;
		len += (size_t)n;
	}
	return -EAGAIN;
}
