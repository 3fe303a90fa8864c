/* SPDX-License-Identifier: Apache-2.0 */
/* Every program that has a model, by name. */
#include "worker/commands/names.h"

/* Apart, so that only the addresses have to be relocated when a process starts. */
static const char names[][MODEL_NAME_SIZE] = {
#define NAME(text, id) text,
#include "worker/commands/names.def"
#undef NAME
};

static const struct command_model *const models[] = {
#define NAME(text, id) &model_##id,
#include "worker/commands/names.def"
#undef NAME
};

#define NAME(text, id) _Static_assert(sizeof(text) <= MODEL_NAME_SIZE, "a name ends within its place");
#include "worker/commands/names.def"
#undef NAME

bool model_named(size_t i, struct named_model *ret)
{
	if (i >= ARRAY_LEN(names))
		return false;
	*ret = (struct named_model){ names[i], models[i] };
	return true;
}

const struct command_model *model_by_name(struct bytes name)
{
	size_t low = 0, high = ARRAY_LEN(names);

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		size_t n = strlen(names[mid]);
		int c = memcmp(name.p, names[mid], name.len < n ? name.len : n);

		if (c == 0)
			c = name.len < n ? -1 : name.len > n;
		if (c == 0)
			return models[mid];
		if (c < 0)
			high = mid;
		else
			low = mid + 1;
	}
	return NULL;
}
