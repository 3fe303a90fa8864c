/* SPDX-License-Identifier: Apache-2.0 */
/* git_settings FILE: its settings as `git config --list -z --no-includes -f FILE` prints them; exit 1 where we give up. */
#include <stdio.h>

#include "broker/git/config_file.h"
#include "broker/git/repository.h"

static int print_setting(void *data, struct bytes name, struct bytes value, bool has_value)
{
	(void)data;
	fwrite(name.p, 1, name.len, stdout);
	if (has_value) {
		putchar('\n');
		fwrite(value.p, 1, value.len, stdout);
	}
	putchar('\0');
	return 0;
}

int main(int argc, char **argv)
{
	CLEANUP(text_done) struct text t = { 0 };
	struct want w;

	if (argc != 2 || read_file(argv[1], 1 << 20, GIT_GRANT_INCLUDE, &w, &t) != 0)
		return 64;
	return config_file_parse((struct bytes){ t.p, t.len }, print_setting, NULL) == 0 ? 0 : 1;
}
