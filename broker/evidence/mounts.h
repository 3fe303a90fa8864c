/* SPDX-License-Identifier: Apache-2.0 */
/* Mounts that are not looked into. */
#ifndef EVIDENCE_MOUNTS_H
#define EVIDENCE_MOUNTS_H

#include "broker/evidence/resolve.h"

/* By the mount's number (statx(2), STATX_MNT_ID); without one, by fstatfs(2) on the O_PATH descriptor. */
bool mount_is_remote(const struct mounts *m, bool has_id, uint64_t id, int fd);

#endif
