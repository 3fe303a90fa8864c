/* SPDX-License-Identifier: Apache-2.0 */
/* The layers of the sandbox, entered in the order in which each can still be entered. */
#include "policy/sandbox/confine.h"
#include "policy/sandbox/filters.h"
#include "policy/sandbox/landlock.h"

#include <linux/seccomp.h>
#include <signal.h>
#include <sys/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

static int set_limit(int resource, int64_t value)
{
	const struct rlimit limit = { .rlim_cur = (rlim_t)value, .rlim_max = (rlim_t)value };
	struct rlimit now;

	if (value == LIMIT_KEEP)
		return 0;
	/* A caller's lower limit stands: raising it is not ours, and would fail. */
	if (getrlimit((__rlimit_resource_t)resource, &now) < 0)
		return -errno;
	if (now.rlim_max != RLIM_INFINITY && now.rlim_max < limit.rlim_max)
		return 0;
	return setrlimit((__rlimit_resource_t)resource, &limit) < 0 ? -errno : 0;
}

static int enter_limits(const struct role_spec *r, const struct readable *below)
{
	int rc = set_limit(RLIMIT_CORE, 0);

	(void)below;
	if (rc == 0)
		rc = set_limit(RLIMIT_FSIZE, r->limits.file_size);
	if (rc == 0)
		rc = set_limit(RLIMIT_NOFILE, r->limits.open_files);
	if (rc == 0)
		rc = set_limit(RLIMIT_NPROC, r->limits.processes);
#ifndef WITHOUT_FILTER /* sanitizers reserve terabytes of address space */
	if (rc == 0)
		rc = set_limit(RLIMIT_AS, r->limits.address_space);
#endif
	return rc;
}

static int enter_undumpable(const struct role_spec *r, const struct readable *below)
{
	(void)r, (void)below;
	return prctl(PR_SET_DUMPABLE, 0) < 0 ? -errno : 0;
}

static int enter_no_new_privileges(const struct role_spec *r, const struct readable *below)
{
	(void)r, (void)below;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ? -errno : 0;
}

static void cap_freep(cap_t *c)
{
	if (*c != NULL)
		cap_free(*c);
}

/*
 * Empties the bounding set: EINVAL ends the list of what this kernel knows. Without CAP_SETPCAP the first call is
 * refused, and so would be every other, past the end of the list too; it does not matter, since nothing is permitted
 * afterwards and no exec can bring it back under NO_NEW_PRIVS.
 */
static int empty_bounding_set(void)
{
	for (cap_value_t cap = 0; cap_drop_bound(cap) == 0; cap++)
		;
	return errno == EINVAL || errno == EPERM ? 0 : -errno;
}

static int enter_capabilities(const struct role_spec *r, const struct readable *below)
{
	const cap_value_t read_search = CAP_DAC_READ_SEARCH;
	CLEANUP(cap_freep) cap_t have = cap_get_proc(), left = cap_init();
	cap_flag_value_t may_read = CAP_CLEAR;
	int rc;

	(void)below;
	if (have == NULL || left == NULL)
		return -errno;
	if (cap_compare(have, left) == 0)
		return 0;
	if (cap_get_flag(have, read_search, CAP_PERMITTED, &may_read) < 0)
		return -errno;
	rc = empty_bounding_set();
	if (rc < 0)
		return rc;
	if (r->keeps_dac_read_search && may_read == CAP_SET &&
	    (cap_set_flag(left, CAP_PERMITTED, 1, &read_search, CAP_SET) < 0 ||
	     cap_set_flag(left, CAP_EFFECTIVE, 1, &read_search, CAP_SET) < 0))
		return -errno;
	/* cap_reset_ambient(3) would ask about each of them first, in as many calls as there are capabilities. */
	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0 && errno != EINVAL)
		return -errno;
	return cap_set_proc(left) < 0 ? -errno : 0;
}

static int enter_landlock(const struct role_spec *r, const struct readable *below)
{
	return landlock_enter(r->landlock, below);
}

static int enter_filter(const struct role_spec *r, const struct readable *below)
{
	const struct filter_program *f = &role_filters[r - roles];

	(void)below;
	if (!r->confined || f->n == 0)
		return -ENOSYS;
#ifdef WITHOUT_FILTER
	return 0; /* sanitizers make calls of their own at any time */
#else
	const struct sock_fprog program = { .len = f->n, .filter = (struct sock_filter *)(uintptr_t)f->code };

	if (FILTERS_TRAP && filter_report_traps() < 0)
		return -errno;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0 ? -errno : 0;
#endif
}

static const struct {
	const char *name, *failed;
	int (*enter)(const struct role_spec *r, const struct readable *below);
} layers[] = {
	{ "resource limits", "could not set its resource limits", enter_limits },
	{ "undumpable memory", "could not make its memory undumpable", enter_undumpable },
	{ "no new privileges", "could not renounce new privileges", enter_no_new_privileges },
	{ "capabilities", "could not give up its capabilities", enter_capabilities },
	{ "Landlock", "could not enter Landlock", enter_landlock },
	{ "system call filter", "could not enter its system call filter", enter_filter },
};

int confine(enum role role, const char **ret_layer)
{
	static const struct readable nothing;

	return confine_reading(role, &nothing, ret_layer);
}

int confine_reading(enum role role, const struct readable *below, const char **ret_layer)
{
	for (size_t i = 0; i < ARRAY_LEN(layers); i++) {
		int rc = layers[i].enter(&roles[role], below);

		if (rc < 0) {
			*ret_layer = layers[i].name;
			return rc;
		}
	}
	return 0;
}

int confine_exit_status(const char *layer)
{
	int i = 0;

	while (i < (int)ARRAY_LEN(layers) && strcmp(layers[i].name, layer) != 0)
		i++;
	return EXIT_LAYER + i;
}

const char *child_end_text(int wait_status)
{
	int status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : -1;

	if (WIFSIGNALED(wait_status))
		return WTERMSIG(wait_status) == SIGSYS ? "was stopped by its system call filter" :
		       WTERMSIG(wait_status) == SIGKILL ? "was killed" : "crashed";
	if (status == EXIT_NO_PROGRAM)
		return "could not be started: its program is missing or cannot be run";
	if (status == EXIT_NO_USER)
		return "could not become the user it is to run as";
	if (status == TRAPPED_STATUS)
		return "made a system call that its filter refuses";
	if (status >= EXIT_LAYER && status < EXIT_LAYER + (int)ARRAY_LEN(layers))
		return layers[status - EXIT_LAYER].failed;
	return status == 0 ? "ended" : "gave up";
}
