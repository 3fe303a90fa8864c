/* SPDX-License-Identifier: Apache-2.0 */
/* Users that settings name, from /etc/passwd alone: the name service talks to daemons that a confined broker cannot. */
#include "broker/broker.h"

#include <pwd.h>
#include <stdio.h>

enum { LINE_MAX_BYTES = 16 * 1024 };

/* A plain number below the one that means "no change" to setresuid(2). */
static bool parse_uid(const char *text, uid_t *ret)
{
	uint64_t v = 0;

	for (const char *p = text; *p != '\0'; p++) {
		if (*p < '0' || *p > '9' || v >= UINT32_MAX)
			return false;
		v = v * 10 + (uint64_t)(*p - '0');
	}
	if (*text == '\0' || v >= UINT32_MAX)
		return false;
	*ret = (uid_t)v;
	return true;
}

/* Lines that begin with + or - are directions to the name service, no users. */
static bool is_named(const struct passwd *entry, const char *name, bool is_number, uid_t uid)
{
	if (strchr("+-", entry->pw_name[0]) != NULL)
		return false;
	return is_number ? entry->pw_uid == uid : strcmp(entry->pw_name, name) == 0;
}

int broker_user(const struct broker *b, enum config_key key, uid_t *ret_uid, gid_t *ret_gid)
{
	const char *name = config_string(b->config, key);
	CLEANUP(freep) char *buffer = malloc(LINE_MAX_BYTES);
	struct passwd entry, *found = NULL;
	uid_t uid = 0;
	bool is_number = parse_uid(name, &uid), seen = false;
	FILE *f;

	*ret_uid = *ret_gid = 0;
	if (*name == '\0')
		return 0;
	f = buffer != NULL ? fopen("/etc/passwd", "re") : NULL;
	while (f != NULL && !seen && fgetpwent_r(f, &entry, buffer, LINE_MAX_BYTES, &found) == 0)
		seen = is_named(&entry, name, is_number, uid);
	if (f != NULL)
		fclose(f);
	if (!seen && !is_number)
		return -ENOENT;
	*ret_uid = seen ? entry.pw_uid : uid;
	*ret_gid = seen ? entry.pw_gid : (gid_t)uid; /* a number without an entry: no group of anybody's */
	return 0;
}
