/* SPDX-License-Identifier: Apache-2.0 */
/* A key in memory that is locked, left out of core files and wiped in forks; and where keys come from. */
#ifndef NETPROC_SECRET_H
#define NETPROC_SECRET_H

#include "policy/judge/model.h"

enum { KEY_MAX = 8192, KEY_FILE_MAX = 1024 * 1024 };

struct secret {
	char *p; /* locked pages; owned */
	size_t len, cap;
};

/* 0 or -errno: memory that cannot be locked is not used. */
int secret_alloc(struct secret *s, size_t cap) NONNULL MUST_CHECK;
void secret_done(struct secret *s) NONNULL;

/* What keys are read from: opened before the connection, read after it. */
struct key_files {
	int environment; /* memory file of NAME=value, each ending in NUL, or -1; owned */
	int config; /* the configuration file with a literal key, or -1; owned */
	int files[MODEL_KEYS_MAX]; /* of KEY_FILE sources, or -1; owned */
	struct secret key, scratch; /* scratch: a file that a key is looked for in */
};

/* Opens key files, locks memory; reads nothing. 0 or -errno. */
int key_prepare(const struct model_request *q, struct key_files *k) NONNULL MUST_CHECK;
void key_files_done(struct key_files *k) NONNULL;
/* All but the key itself: what else the sources hold is nothing for a process that reads from the network. */
void key_sources_close(struct key_files *k) NONNULL;

enum key_outcome {
	KEY_FOUND = 0,
	KEY_ABSENT = 1, /* no source holds one */
	KEY_UNPAIRED, /* one does, and may not go to this host */
	KEY_MALFORMED, /* it holds blanks, controls or more than KEY_MAX bytes */
};

/* The key for `host`, in k->key. enum key_outcome or -errno. */
int key_read(const struct model_request *q, const char *host, struct key_files *k) NONNULL MUST_CHECK;

#endif
