/* SPDX-License-Identifier: Apache-2.0 */
/* git's configuration files: names have the form git gives them, values end where the file does, and what one setting
 * may run is told for each. */
#include <ctype.h>

#include "broker/git/config_file.h"
#include "policy/git_facts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
	unsigned int settings;
	size_t bytes;
};

static void require(bool holds)
{
	if (!holds)
		abort();
}

static int each(void *data, struct bytes name, struct bytes value, bool has_value)
{
	struct seen *s = data;
	const char *dot = memrchr(name.p, '.', name.len);

	require(name.len > 0 && memchr(name.p, '\0', name.len) == NULL);
	require(value.len == 0 || memchr(value.p, '\0', value.len) == NULL);
	require(has_value || value.len == 0);
	for (const char *p = dot != NULL ? dot + 1 : name.p; p < name.p + name.len; p++)
		require(islower((unsigned char)*p) || isdigit((unsigned char)*p) || *p == '-');
	require((git_runs_by(name, value, has_value) & ~(uint32_t)GIT_RUNS__ALL) == 0);
	s->settings++;
	s->bytes += value.len;
	return s->settings > 4096 ? 1 : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct seen s = { 0 };
	int rc = config_file_parse((struct bytes){ (const char *)data, size }, each, &s);

	require(rc == 0 || rc == 1 || rc == -EINVAL);
	require(s.bytes <= size);
	return 0;
}
