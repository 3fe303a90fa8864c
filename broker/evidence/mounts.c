/* SPDX-License-Identifier: Apache-2.0 */
/*
 * File systems that are not looked into: those whose server may never answer (FUSE, network), and the kernel's own,
 * whose files are doors to elsewhere (proc, sysfs, cgroup). They are told by the mount's number, since asking a FUSE
 * server for its statistics can hang as well as reading from it.
 */
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <sys/vfs.h>

#include "broker/evidence/mounts.h"

enum { MOUNTINFO_MAX = 4 * 1024 * 1024 };

struct mounts {
	uint64_t *remote, *known; /* mount numbers, sorted as they come */
	size_t n_remote, n_known, size;
};

static const char *const remote_types[] = {
	"fuse", "fuseblk", "fusectl", "proc", "sysfs", "cgroup", "cgroup2", "nfs", "nfs4", "cifs", "smb3", "smbfs",
	"9p", "afs",
	"ceph", "autofs", "debugfs", "tracefs", "securityfs", "bpf", "configfs", "efivarfs", "pstore", "binfmt_misc",
	"virtiofs",
	"lustre", "gfs2", "ocfs2", "coda", "ncpfs", "rpc_pipefs", "devpts", "mqueue", "hugetlbfs", "nsfs", "selinuxfs",
};

static bool type_is_remote(const char *type, size_t len)
{
	if (len > 5 && memcmp(type, "fuse.", 5) == 0)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(remote_types); i++)
		if (strlen(remote_types[i]) == len && memcmp(remote_types[i], type, len) == 0)
			return true;
	return false;
}

static char *read_all(int fd, size_t *ret_len)
{
	size_t len = 0, size = 16 * 1024;
	char *p = malloc(size);

	while (p != NULL) {
		ssize_t n = read(fd, p + len, size - len);
		char *grown;

		if (n == 0) {
			*ret_len = len;
			return p;
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		len += (size_t)n;
		if (len < size)
			continue;
		size *= 2;
		grown = size <= MOUNTINFO_MAX ? realloc(p, size) : NULL;
		if (grown == NULL)
			break;
		p = grown;
	}
	free(p);
	return NULL;
}

static bool add(struct mounts *m, uint64_t id, bool remote)
{
	if (m->n_known == m->size) {
		size_t size = m->size > 0 ? m->size * 2 : 64;
		uint64_t *known = realloc(m->known, size * sizeof(*known)), *far;

		if (known == NULL)
			return false;
		m->known = known;
		far = realloc(m->remote, size * sizeof(*far));
		if (far == NULL)
			return false;
		m->remote = far;
		m->size = size;
	}
	m->known[m->n_known++] = id;
	if (remote)
		m->remote[m->n_remote++] = id;
	return true;
}

/* "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw": the type follows the lone dash. */
static bool add_line(struct mounts *m, const char *line, size_t len)
{
	const char *dash = memmem(line, len, " - ", 3);
	const char *type = dash != NULL ? dash + 3 : NULL;
	size_t left = type != NULL ? len - (size_t)(type - line) : 0, n = 0;
	uint64_t id = 0;

	for (size_t i = 0; i < len && line[i] >= '0' && line[i] <= '9'; i++)
		id = id * 10 + (uint64_t)(line[i] - '0');
	while (n < left && type[n] != ' ')
		n++;
	return type == NULL || add(m, id, type_is_remote(type, n));
}

struct mounts *mounts_read(void)
{
	CLEANUP(close_fdp) int fd = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
	CLEANUP(freep) char *text = NULL;
	struct mounts *m;
	size_t len = 0;

	text = fd >= 0 ? read_all(fd, &len) : NULL;
	m = text != NULL ? calloc(1, sizeof(*m)) : NULL;
	if (m == NULL)
		return NULL;
	for (size_t start = 0; start < len;) {
		const char *nl = memchr(text + start, '\n', len - start);
		size_t n = nl != NULL ? (size_t)(nl - text) - start : len - start;

		if (!add_line(m, text + start, n)) {
			mounts_free(m);
			return NULL;
		}
		start += n + 1;
	}
	return m;
}

void mounts_free(struct mounts *m)
{
	if (m == NULL)
		return;
	free(m->known);
	free(m->remote);
	free(m);
}

static bool listed(const uint64_t *list, size_t n, uint64_t id)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == id)
			return true;
	return false;
}

static bool magic_is_remote(int fd)
{
	static const unsigned long magics[] = {
		0x65735546 /* FUSE */,
		0x9fa0 /* proc */,
		0x62656572 /* sysfs */,
		0x27e0eb /* cgroup */,
		0x63677270 /* cgroup2 */,
		0x6969 /* NFS */,
		0xff534d42 /* CIFS */,
		0xfe534d42 /* SMB2 */,
		0x01021997 /* 9p */,
		0x5346414f /* AFS */,
		0x00c36400 /* Ceph */,
		0x0187 /* autofs */,
		0x64626720 /* debugfs */,
		0x74726163 /* tracefs */,
		0x73636673 /* securityfs */,
		0xcafe4a11 /* bpf */,
		0x62656570 /* configfs */,
		0xde5e81e4 /* efivarfs */,
		0x6e736673 /* nsfs */,
		0x1cd1 /* devpts */,
	};
	struct statfs fs;

	if (fstatfs(fd, &fs) < 0)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(magics); i++)
		if ((unsigned long)(uint32_t)fs.f_type == magics[i])
			return true;
	return false;
}

/* A mount that was not there when the table was read is one nobody has looked at. */
bool mount_is_remote(const struct mounts *m, bool has_id, uint64_t id, int fd)
{
	if (m == NULL || !has_id)
		return magic_is_remote(fd);
	return !listed(m->known, m->n_known, id) || listed(m->remote, m->n_remote, id);
}
