/* SPDX-License-Identifier: Apache-2.0 */
/* Every program that has a model, by name. */
#include "worker/commands/names.h"

static const struct named_model names[] = {
#define NAME(text, id) { text, &model_##id },
#include "worker/commands/names.def"
#undef NAME
};

const struct named_model *model_names(size_t *ret_n)
{
	*ret_n = ARRAY_LEN(names);
	return names;
}

const struct command_model *model_by_name(struct bytes name)
{
	size_t low = 0, high = ARRAY_LEN(names);

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		size_t n = strlen(names[mid].name);
		int c = memcmp(name.p, names[mid].name, name.len < n ? name.len : n);

		if (c == 0)
			c = name.len < n ? -1 : name.len > n;
		if (c == 0)
			return names[mid].model;
		if (c < 0)
			high = mid;
		else
			low = mid + 1;
	}
	return NULL;
}
