/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libseccomp writes the program; in front of it go four instructions that tell calls the library has never heard of
 * (ENOSYS) from those it knows and the lists do not name (the end). Doing that with a rule for each known call would
 * make the program ten times as long, and its loading the costliest step of a start.
 */
#include "policy/sandbox/build_filter.h"
#include "policy/sandbox/calls.h"

#include <fcntl.h>
#include <seccomp.h>
#include <stddef.h>
#include <sys/mman.h>

#include <linux/seccomp.h>

/* Bit 30 marks x32 numbers (seccomp(2), caveats); libseccomp's part refuses those. */
enum { X32_BIT = 0x40000000, NUMBERS_TRIED = 1024 };

/* The kernel's O_TMPFILE holds O_DIRECTORY, with which reading is fine. */
enum { OPEN_WRITES = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY) };

static void release(scmp_filter_ctx *c)
{
	if (*c != NULL)
		seccomp_release(*c);
}

uint32_t filter_known_max(void)
{
	uint32_t max = 0;

	for (uint32_t nr = 0; nr < NUMBERS_TRIED; nr++) {
		CLEANUP(freep) char *name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, (int)nr);

		if (name != NULL)
			max = nr;
	}
	return max;
}

static int add_rule(scmp_filter_ctx c, const struct call_rule *r)
{
	int nr = seccomp_syscall_resolve_name(r->name);

	/* Below zero: other machines have it, this one does not. Unknown to the library: soft ones are refused anyway. */
	if (nr == __NR_SCMP_ERROR)
		return r->kind == CALL_SOFT ? 0 : -ENOSYS;
	if (nr < 0)
		return 0;
	switch (r->kind) {
	case CALL_ALLOW:
		return seccomp_rule_add(c, SCMP_ACT_ALLOW, nr, 0);
	case CALL_NO_EXEC:
		return seccomp_rule_add(c, SCMP_ACT_ALLOW, nr, 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
	case CALL_READ_ONLY:
		return seccomp_rule_add(c, SCMP_ACT_ALLOW, nr, 1, SCMP_A2(SCMP_CMP_MASKED_EQ, OPEN_WRITES, 0));
	case CALL_SOFT:
		return seccomp_rule_add(c, SCMP_ACT_ERRNO(ENOSYS), nr, 0);
	case CALL_PENDING:
		return seccomp_rule_add(c, SCMP_ACT_ERRNO(EINPROGRESS), nr, 0);
	}
	return -EINVAL;
}

static int add_list(scmp_filter_ctx c, const struct call_list *l)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < l->n; i++) {
		rc = add_rule(c, &l->rules[i]);
		if (rc == -EEXIST) /* both lists name it */
			rc = 0;
	}
	return rc;
}

static int export(scmp_filter_ctx c, struct sock_filter *program, size_t max, size_t *ret_n)
{
	CLEANUP(close_fdp) int fd = memfd_create("filter", MFD_CLOEXEC);
	int rc = fd < 0 ? -errno : seccomp_export_bpf(c, fd);
	ssize_t size;

	if (rc < 0)
		return rc;
	size = pread(fd, program, max * sizeof(*program), 0);
	if (size <= 0 || (size_t)size % sizeof(*program) != 0 || (size_t)size == max * sizeof(*program))
		return -EIO;
	*ret_n = (size_t)size / sizeof(*program);
	return 0;
}

int filter_build(enum role role, bool trap, struct sock_filter **ret, size_t *ret_n)
{
	enum { MAX = BPF_MAXINSNS };
	const uint32_t hard = trap ? SCMP_ACT_TRAP : SCMP_ACT_KILL_PROCESS;
	CLEANUP(release) scmp_filter_ctx c = seccomp_init(hard);
	CLEANUP(freep) struct sock_filter *p = calloc(MAX, sizeof(*p));
	const struct sock_filter unknown[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, filter_known_max(), 0, 2),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, trap ? SECCOMP_RET_TRAP : SECCOMP_RET_ERRNO | ENOSYS),
	};
	size_t n = 0;
	int rc;

	if (c == NULL || p == NULL)
		return -ENOMEM;
	rc = seccomp_attr_set(c, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
	if (rc == 0)
		rc = seccomp_attr_set(c, SCMP_FLTATR_CTL_OPTIMIZE, 2); /* a binary search, not a chain */
	if (rc == 0)
		rc = add_list(c, &role_calls[role].own);
	if (rc == 0)
		rc = add_list(c, &role_calls[role].libc);
	if (rc == 0)
		rc = export(c, p + ARRAY_LEN(unknown), MAX - ARRAY_LEN(unknown), &n);
	if (rc < 0)
		return rc;
	memcpy(p, unknown, sizeof(unknown));
	*ret_n = n + ARRAY_LEN(unknown);
	*ret = TAKE_PTR(p);
	return 0;
}
