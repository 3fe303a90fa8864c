/* SPDX-License-Identifier: Apache-2.0 */
/* Session files on a real disk: private, locked, replaced as a whole, set aside when corrupt, swept when old. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include <cmocka.h>

#include "broker/state/private.h"
#include "broker/state/state.h"
#include "broker/state/store.h"
#include "policy/wire/channel.h"
#include "tests/unit/scratch.h"

enum { WINDOW = 300000 };

struct place {
	char base[SCRATCH_SIZE], dir[128], file[256];
};

static const char path[] = "auto-classifier/sessions";

static int set_up(void **state)
{
	struct place *p = calloc(1, sizeof(*p));
	struct key k = key_of_bytes(BYTES("s"));

	assert_non_null(p);
	scratch_make("/tmp/unit-store", p->base);
	(void)snprintf(p->dir, sizeof(p->dir), "%s/%s", p->base, path);
	(void)snprintf(p->file, sizeof(p->file), "%s/%.32s.json", p->dir, k.hex);
	*state = p;
	return 0;
}

static int tear_down(void **state)
{
	struct place *p = *state;

	assert_int_equal(scratch_remove(p->base), 0);
	free(p);
	return 0;
}

static struct key key_of(const char *s)
{
	return key_of_bytes((struct bytes){ s, strlen(s) });
}

static int deny(struct state *st, const char *what, uint32_t *ret_count)
{
	CLEANUP(tally_done) struct tally t = { 0 };
	const struct denial d = {
		.counting = key_of(what),
		.exact = key_of("e"),
		.command = { what, strlen(what) },
		.reason = "because",
		.source = SOURCE_OFFLINE,
		.open = true,
	};
	int err = state_deny(st, BYTES("s"), &d, WINDOW, &t);

	*ret_count = t.count;
	return err;
}

static uint32_t count_on(const char *base, const char *what)
{
	CLEANUP(state_freep) struct state *st = NULL;
	uint32_t n;

	assert_int_equal(state_on_disk(base, path, &st), 0);
	assert_int_equal(deny(st, what, &n), 0);
	return n;
}

static mode_t mode_of(const char *name)
{
	struct stat st;

	assert_int_equal(lstat(name, &st), 0);
	return st.st_mode & 07777;
}

static size_t entries(const char *dir, const char *containing)
{
	char command[256], out[32];
	FILE *f;

	(void)snprintf(command, sizeof(command), "ls -A %s | grep -c -e '%s'", dir, containing);
	f = popen(command, "r");
	assert_non_null(f);
	assert_non_null(fgets(out, sizeof(out), f));
	(void)pclose(f);
	return strtoul(out, NULL, 10);
}

static void put(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void counts_survive_processes(void **state)
{
	struct place *p = *state;
	CLEANUP(state_freep) struct state *st = NULL;
	CLEANUP(tally_done) struct tally t = { 0 };
	struct key k = key_of("a");

	assert_int_equal(state_on_disk(p->base, path, &st), 0);
	assert_int_equal(state_find(st, BYTES("s"), &k, WINDOW, &t), STATE_NONE);
	assert_int_equal(count_on(p->base, "a"), 1);
	assert_int_equal(count_on(p->base, "a"), 2);
	assert_int_equal(count_on(p->base, "b"), 1);
	assert_int_equal(state_find(st, BYTES("s"), &k, WINDOW, &t), 0);
	assert_int_equal(t.count, 2);
	assert_int_equal(state_find(st, BYTES("another"), &k, WINDOW, &t), STATE_NONE);
	assert_int_equal(mode_of(p->dir), 0700);
	assert_int_equal(mode_of(p->file), 0600);
	assert_int_equal(entries(p->dir, "tmp"), 0);
}

static void memory_touches_no_disk(void **state)
{
	struct place *p = *state;
	CLEANUP(state_freep) struct state *st = NULL;
	uint32_t n;

	assert_int_equal(state_in_memory(&st), 0);
	assert_int_equal(deny(st, "a", &n), 0);
	assert_int_equal(deny(st, "a", &n), 0);
	assert_int_equal(n, 2);
	assert_int_equal(access(p->dir, F_OK), -1);
}

static void memory_forgets_the_least_used(void **state)
{
	CLEANUP(state_freep) struct state *st = NULL;
	struct key k = key_of("a");
	char name[32];

	(void)state;
	assert_int_equal(state_in_memory(&st), 0);
	for (int i = 0; i < 1000; i++) {
		CLEANUP(tally_done) struct tally t = { 0 }, kept = { 0 };
		const struct denial d = { .counting = k, .exact = k, .reason = "" };

		(void)snprintf(name, sizeof(name), "session %d", i);
		assert_int_equal(state_deny(st, (struct bytes){ name, strlen(name) }, &d, WINDOW, &t), 0);
		assert_int_equal(t.count, 1);
		assert_int_equal(state_deny(st, BYTES("busy"), &d, WINDOW, &kept), 0);
		assert_int_equal(kept.count, i + 1);
	}
}

static void corrupt_files_are_set_aside(void **state)
{
	struct place *p = *state;

	assert_int_equal(count_on(p->base, "a"), 1);
	put(p->file, "{\"recentDenials\": [");
	assert_int_equal(count_on(p->base, "a"), 1);
	assert_int_equal(entries(p->dir, "corrupt-"), 1);
	assert_int_equal(count_on(p->base, "a"), 2);
}

static void a_link_is_not_followed(void **state)
{
	struct place *p = *state;
	char victim[128];

	(void)snprintf(victim, sizeof(victim), "%s/victim", p->base);
	put(victim, "{\"recentDenials\":[],\"recentAllows\":[]}");
	assert_int_equal(count_on(p->base, "a"), 1);
	assert_int_equal(unlink(p->file), 0);
	assert_int_equal(symlink(victim, p->file), 0);
	assert_int_equal(count_on(p->base, "a"), 1);
	assert_int_equal(count_on(p->base, "a"), 2);
	assert_int_equal(entries(p->dir, "corrupt-"), 1);
	assert_int_equal(mode_of(p->file), 0600);
}

static void strange_things_in_place_of_the_file(void **state)
{
	struct place *p = *state;

	assert_int_equal(count_on(p->base, "a"), 1);
	assert_int_equal(unlink(p->file), 0);
	assert_int_equal(mkfifo(p->file, 0600), 0);
	assert_int_equal(count_on(p->base, "a"), 1);
	assert_int_equal(unlink(p->file), 0);
	assert_int_equal(mkdir(p->file, 0700), 0);
	assert_int_equal(count_on(p->base, "a"), 1);
	assert_int_equal(count_on(p->base, "a"), 2);
}

/* Where the machine has nothing left to read it with, the file is as good as it was, and is not taken for none. */
static void a_file_that_cannot_be_read_now_stays(void **state)
{
	struct place *p = *state;
	CLEANUP(state_freep) struct state *st = NULL;
	int next = dup(STDERR_FILENO), failed;
	struct rlimit was, now;
	uint32_t n;

	assert_true(next >= 0);
	close(next);
	assert_int_equal(count_on(p->base, "a"), 1);
	assert_int_equal(state_on_disk(p->base, path, &st), 0);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &was), 0);
	/* Enough for the directory and the lock. */
	now = (struct rlimit){ (rlim_t)next + 2, was.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &now), 0);
	failed = deny(st, "a", &n);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &was), 0);
	assert_int_equal(failed, -EMFILE);
	assert_int_equal(entries(p->dir, "corrupt-"), 0);
	assert_int_equal(count_on(p->base, "a"), 2);
}

static void a_linked_or_foreign_directory_is_refused(void **state)
{
	struct place *p = *state;
	CLEANUP(state_freep) struct state *st = NULL;
	char real[128], link[128];
	uint32_t n;

	(void)snprintf(real, sizeof(real), "%s/real", p->base);
	(void)snprintf(link, sizeof(link), "%s/auto-classifier", p->base);
	assert_int_equal(mkdir(real, 0700), 0);
	assert_int_equal(symlink(real, link), 0);
	assert_int_equal(state_on_disk(p->base, path, &st), 0);
	assert_true(deny(st, "a", &n) < 0);
	assert_int_equal(unlink(link), 0);
	assert_int_equal(mkdir(link, 0700), 0);
	assert_int_equal(chmod(link, 0777), 0);
	assert_int_equal(deny(st, "a", &n), -EPERM);
	assert_int_equal(chmod(link, 0700), 0);
	if (geteuid() == 0) {
		assert_int_equal(chown(link, 65534, 65534), 0);
		assert_int_equal(deny(st, "a", &n), -EPERM);
		assert_int_equal(chown(link, 0, 0), 0);
	}
	assert_int_equal(deny(st, "a", &n), 0);
}

static void a_wide_directory_is_narrowed(void **state)
{
	struct place *p = *state;

	assert_int_equal(count_on(p->base, "a"), 1);
	assert_int_equal(chmod(p->dir, 0755), 0);
	assert_int_equal(count_on(p->base, "a"), 2);
	assert_int_equal(mode_of(p->dir), 0700);
}

static void a_base_that_others_may_change_is_refused(void **state)
{
	struct place *p = *state;
	CLEANUP(state_freep) struct state *st = NULL;
	uint32_t n;

	assert_int_equal(chmod(p->base, 0777), 0);
	assert_int_equal(state_on_disk(p->base, path, &st), 0);
	assert_int_equal(deny(st, "a", &n), -EPERM);
}

static void a_held_lock_is_not_waited_for_long(void **state)
{
	struct place *p = *state;
	CLEANUP(state_freep) struct state *st = NULL;
	char lock[256];
	uint64_t before;
	uint32_t n;
	int fd;

	assert_int_equal(count_on(p->base, "a"), 1);
	(void)snprintf(lock, sizeof(lock), "%s/.lock", p->dir);
	fd = open(lock, O_RDWR);
	assert_true(fd >= 0);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_int_equal(state_on_disk(p->base, path, &st), 0);
	before = clock_ms();
	assert_int_equal(deny(st, "a", &n), STATE_BUSY);
	assert_true(clock_ms() - before >= STORE_LOCK_MS - 5);
	assert_int_equal(deny(st, "b", &n), STATE_BUSY);
	close(fd);
	/* What could not be counted then is counted now. */
	assert_int_equal(deny(st, "a", &n), 0);
	assert_int_equal(n, 3);
	assert_int_equal(deny(st, "b", &n), 0);
	assert_int_equal(n, 2);
	assert_int_equal(entries(p->dir, "missed"), 0);
}

static void no_count_is_lost_between_processes(void **state)
{
	struct place *p = *state;
	enum { CHILDREN = 8, EACH = 25 };
	struct key k = key_of("a");
	CLEANUP(state_freep) struct state *st = NULL;
	CLEANUP(tally_done) struct tally t = { 0 };

	for (int i = 0; i < CHILDREN; i++) {
		if (fork() == 0) {
			uint32_t n;
			int failed = 0;

			if (state_on_disk(p->base, path, &st) < 0)
				_exit(1);
			/* Busy is an answer too, where the machine is: such a denial waits beside the file. */
			for (int j = 0; j < EACH; j++)
				failed |= deny(st, "a", &n) < 0;
			_exit(failed);
		}
	}
	for (int i = 0; i < CHILDREN; i++) {
		int status;

		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	assert_int_equal(count_on(p->base, "a"), CHILDREN * EACH + 1);
	assert_int_equal(state_on_disk(p->base, path, &st), 0);
	assert_int_equal(state_find(st, BYTES("s"), &k, WINDOW, &t), 0);
	assert_int_equal(t.count, CHILDREN * EACH + 1);
}

static void old_files_are_swept(void **state)
{
	struct place *p = *state;
	const struct timespec old[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
	char stale[256], foreign[256], stamp[256];

	assert_int_equal(count_on(p->base, "a"), 1);
	(void)snprintf(stale, sizeof(stale), "%s/0123456789abcdef0123456789abcdef.json", p->dir);
	(void)snprintf(foreign, sizeof(foreign), "%s/notes.json", p->dir);
	(void)snprintf(stamp, sizeof(stamp), "%s/.swept", p->dir);
	put(stale, "{}");
	put(foreign, "{}");
	assert_int_equal(utimensat(AT_FDCWD, stale, old, 0), 0);
	assert_int_equal(utimensat(AT_FDCWD, foreign, old, 0), 0);
	/* Not at every call. */
	assert_int_equal(count_on(p->base, "a"), 2);
	assert_int_equal(access(stale, F_OK), 0);
	assert_int_equal(utimensat(AT_FDCWD, stamp, old, 0), 0);
	assert_int_equal(count_on(p->base, "a"), 3);
	assert_int_equal(access(stale, F_OK), -1);
	assert_int_equal(access(foreign, F_OK), 0);
	assert_int_equal(access(p->file, F_OK), 0);
}

static void a_directory_that_cannot_be_written(void **state)
{
	CLEANUP(state_freep) struct state *st = NULL;
	uint32_t n;

	(void)state;
	/* Root may write anywhere but here. */
	assert_int_equal(state_on_disk("/proc/self", path, &st), 0);
	assert_true(deny(st, "a", &n) < 0);
	state_free(TAKE_PTR(st));
	assert_int_equal(state_on_disk("/dev/null/base", path, &st), 0);
	assert_true(deny(st, "a", &n) < 0);
}

#define DISK_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		DISK_TEST(counts_survive_processes),
		DISK_TEST(memory_touches_no_disk),
		cmocka_unit_test(memory_forgets_the_least_used),
		DISK_TEST(corrupt_files_are_set_aside),
		DISK_TEST(a_link_is_not_followed),
		DISK_TEST(strange_things_in_place_of_the_file),
		DISK_TEST(a_file_that_cannot_be_read_now_stays),
		DISK_TEST(a_linked_or_foreign_directory_is_refused),
		DISK_TEST(a_wide_directory_is_narrowed),
		DISK_TEST(a_base_that_others_may_change_is_refused),
		DISK_TEST(a_held_lock_is_not_waited_for_long),
		DISK_TEST(no_count_is_lost_between_processes),
		DISK_TEST(old_files_are_swept),
		cmocka_unit_test(a_directory_that_cannot_be_written),
	};

	return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
