/* SPDX-License-Identifier: Apache-2.0 */
/* The lists as data: their bounds, what no role may ever have, and that the built programs are made from them. */
#include "policy/sandbox/build_filter.h"
#include "policy/sandbox/calls.h"
#include "policy/sandbox/filters.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const char *const never[] = {
	"execve", "execveat", "fork", "vfork", "clone", "socket", "socketpair", "connect", "bind", "listen", "accept",
	"accept4", "ptrace", "process_vm_readv", "process_vm_writev", "kill", "tkill", "pidfd_send_signal", "pidfd_getfd",
	"bpf", "perf_event_open", "io_uring_setup", "io_uring_enter", "io_uring_register", "userfaultfd", "keyctl", "add_key",
	"mount", "umount2", "pivot_root", "chroot", "setns", "unshare", "open_by_handle_at", "name_to_handle_at",
	"init_module", "finit_module", "kexec_load", "setuid", "setresuid", "setgid", "setresgid", "capset", "personality",
	"memfd_create", "shmat", "shmget", "mq_open", "symlink", "symlinkat", "link", "linkat", "chmod", "chown", "mknod",
	"mknodat", "chdir", "fchdir", "setrlimit", "prlimit64", "seccomp", "modify_ldt", "remap_file_pages", "vmsplice",
};

/* What one role is there for, and no other. */
static bool is_its_trade(enum role role, const char *name)
{
	return role == ROLE_ACCEPTOR && strcmp(name, "accept4") == 0;
}

static bool is_refused(int kind)
{
	return kind == -1 || kind == CALL_SOFT || kind == CALL_PENDING;
}

/* The kind under which a list holds a name, or -1. */
static int kind_of(const struct call_list *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->rules[i].name, name) == 0)
			return (int)l->rules[i].kind;
	return -1;
}

static void list_is_sound(const struct call_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		assert_true(strlen(l->rules[i].why) > 3);
		for (size_t j = i + 1; j < l->n; j++)
			assert_string_not_equal(l->rules[i].name, l->rules[j].name);
	}
}

static void lists_are_sound(void **state)
{
	(void)state;
	for (unsigned int role = 0; role < ROLE__MAX; role++) {
		const struct role_calls *c = &role_calls[role];

		assert_int_equal(c->own.n != 0, roles[role].confined);
		assert_int_equal(role_filters[role].n != 0, roles[role].confined);
		list_is_sound(&c->own);
		list_is_sound(&c->libc);
		for (size_t i = 0; i < ARRAY_LEN(never); i++) {
			assert_true(is_refused(kind_of(&c->own, never[i])) || is_its_trade((enum role)role, never[i]));
			assert_true(is_refused(kind_of(&c->libc, never[i])));
		}
	}
}

/* Those that live on sockets they have. */
static void a_dozen_is_enough(void **state)
{
	static const enum role few[] = { ROLE_WORKER, ROLE_ACCEPTOR };

	(void)state;
	for (size_t r = 0; r < ARRAY_LEN(few); r++) {
		const struct call_list *own = &role_calls[few[r]].own;

		assert_in_range(own->n, 1, 12);
		for (size_t i = 0; i < own->n; i++) /* none of them names a file, a network or a process */
			assert_null(strstr(own->rules[i].name, "open"));
	}
}

static void programs_are_the_lists(void **state)
{
	(void)state;
	for (unsigned int role = 0; role < ROLE__MAX; role++) {
		CLEANUP(freep) struct sock_filter *fresh = NULL;
		size_t n = 0;

		if (!roles[role].confined)
			continue;
		assert_int_equal(filter_build((enum role)role, FILTERS_TRAP, &fresh, &n), 0);
		assert_int_equal(role_filters[role].n, n);
		assert_memory_equal(role_filters[role].code, fresh, n * sizeof(*fresh));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_are_sound),
		cmocka_unit_test(a_dozen_is_enough),
		cmocka_unit_test(programs_are_the_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
