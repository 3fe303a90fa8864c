/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for keys. */
#include "netproc/secret.h"

#include <sys/mman.h>

int secret_alloc(struct secret *s, size_t cap)
{
	void *p = mmap(NULL, cap, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return -errno;
	if (mlock(p, cap) < 0 || madvise(p, cap, MADV_DONTDUMP) < 0 || madvise(p, cap, MADV_WIPEONFORK) < 0) {
		int err = -errno;

		munmap(p, cap);
		return err;
	}
	*s = (struct secret){ .p = p, .cap = cap };
	return 0;
}

void secret_done(struct secret *s)
{
	if (s->p != NULL) {
		explicit_bzero(s->p, s->cap);
		munmap(s->p, s->cap);
	}
	*s = (struct secret){ 0 };
}
