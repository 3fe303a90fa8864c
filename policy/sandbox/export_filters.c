/* SPDX-License-Identifier: Apache-2.0 */
/* A step of the build: prints the filters of all roles as C, so that no program links libseccomp. */
#include "policy/sandbox/build_filter.h"

#include <stdio.h>

static int print_program(enum role role, const struct sock_filter *p, size_t n)
{
	if (printf("/* %s */\nstatic const struct sock_filter role_%d[] = {\n", role_name(role), (int)role) < 0)
		return -EIO;
	for (size_t i = 0; i < n; i++)
		if (printf("\t{ 0x%04x, %u, %u, 0x%08x },\n", p[i].code, p[i].jt, p[i].jf, p[i].k) < 0)
			return -EIO;
	return printf("};\n\n") < 0 ? -EIO : 0;
}

static int print_filters(bool trap)
{
	size_t lengths[ROLE__MAX] = { 0 };

	puts("/* Written by the build from policy/sandbox/calls.c. */\n#include \"policy/sandbox/filters.h\"\n");
	for (unsigned int role = 0; role < ROLE__MAX; role++) {
		CLEANUP(freep) struct sock_filter *p = NULL;
		int rc = roles[role].confined ? filter_build((enum role)role, trap, &p, &lengths[role]) : 0;

		if (rc == 0 && p != NULL)
			rc = print_program((enum role)role, p, lengths[role]);
		if (rc < 0)
			return rc;
	}
	puts("const struct filter_program role_filters[ROLE__MAX] = {");
	for (unsigned int role = 0; role < ROLE__MAX; role++)
		if (lengths[role] != 0)
			printf("\t[%u] = { role_%u, %zu },\n", role, role, lengths[role]);
	puts("};");
	return fflush(stdout) == 0 ? 0 : -EIO;
}

int main(int argc, char **argv)
{
	int rc = print_filters(argc > 1 && strcmp(argv[1], "trap") == 0);

	if (rc < 0)
		fprintf(stderr, "export_filters: %s\n", strerror(-rc));
	return rc < 0 ? 1 : 0;
}
