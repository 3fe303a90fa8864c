/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Landlock without its library: four system calls. A handled right is a refused right, but for what the git reader was
 * handed to read.
 * Numbers are from Documentation/userspace-api/landlock.rst, spelt out because headers of older systems lack them.
 */
#include "policy/sandbox/landlock.h"
#include "policy/sandbox/confine.h"

#include <sys/stat.h>
#include <sys/syscall.h>

/* struct landlock_ruleset_attr of ABI 6; older kernels take its leading part. */
struct ruleset {
	uint64_t files, ports, scopes;
};

enum { CREATE_VERSION = 1u << 0, FILES_EXECUTE = 1u << 0 };

/* Each ABI's rights, counted in bits: 13 file rights at first, then refer, truncate, ports, ioctl, scopes. */
static const struct {
	int abi;
	struct ruleset all;
} known[] = {
	{ 1, { (1u << 13) - 1, 0, 0 } },
	{ 2, { (1u << 14) - 1, 0, 0 } },
	{ 3, { (1u << 15) - 1, 0, 0 } },
	{ 4, { (1u << 15) - 1, 3, 0 } },
	{ 5, { (1u << 16) - 1, 3, 0 } },
	{ 6, { (1u << 16) - 1, 3, 3 } },
};

/* Rights to read a file, and to list a directory: what a rule of LANDLOCK_READ_BELOW grants. */
enum { FILES_READ_FILE = 1u << 2, FILES_READ_DIR = 1u << 3, RULE_PATH_BENEATH = 1 };

/* struct landlock_path_beneath_attr, packed as the kernel has it. */
struct path_beneath {
	uint64_t files;
	int32_t parent_fd;
} __attribute__((packed));

int landlock_abi(void)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_VERSION);

	if (abi < 0)
		return errno == ENOSYS || errno == EOPNOTSUPP ? 0 : -errno;
	return (int)abi;
}

static struct ruleset ruleset_for(int abi, enum landlock_rights rights)
{
	struct ruleset r = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (known[i].abi <= abi)
			r = known[i].all;
	if (rights == LANDLOCK_NO_EXECUTE)
		r.files = FILES_EXECUTE;
	return r;
}

static int add_rules(int ruleset, const struct readable *below)
{
	for (uint32_t i = 0; i < below->n; i++) {
		struct path_beneath rule = { FILES_READ_FILE, below->fds[i] };
		struct stat st;

		if (fstat(below->fds[i], &st) < 0)
			return -errno;
		if (S_ISDIR(st.st_mode)) /* the kernel refuses a directory's right for a file */
			rule.files |= FILES_READ_DIR;
		if (syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0) < 0)
			return -errno;
	}
	return 0;
}

int landlock_enter(enum landlock_rights rights, const struct readable *below)
{
	int abi = rights == LANDLOCK_NONE ? 0 : landlock_abi();
	CLEANUP(close_fdp) int fd = -1;
	struct ruleset r;
	int rc;

	if (abi <= 0)
		return abi == 0 && rights == LANDLOCK_READ_BELOW ? -ENOSYS : abi;
	r = ruleset_for(abi, rights);
	fd = (int)syscall(SYS_landlock_create_ruleset, &r, abi >= 6 ? 24 : abi >= 4 ? 16 : 8, 0);
	if (fd < 0)
		return -errno;
	rc = rights == LANDLOCK_READ_BELOW ? add_rules(fd, below) : 0;
	if (rc < 0)
		return rc;
	return syscall(SYS_landlock_restrict_self, fd, 0) < 0 ? -errno : 0;
}
