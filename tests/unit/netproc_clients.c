/* SPDX-License-Identifier: Apache-2.0 */
/* Who waits for the service, who is next, and whose place is given up: shared out among users, not among clients. */
#include "netproc/clients.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <fcntl.h>

static struct clients *new_clients(uint32_t per_uid, uint32_t per_minute)
{
	struct clients *c = calloc(1, sizeof(*c));

	assert_non_null(c);
	c->bounds.per_uid = per_uid;
	c->bounds.per_minute = per_minute;
	return c;
}

static void done(struct clients *c)
{
	while (c->n > 0)
		clients_drop(c, c->n - 1);
	free(c);
}

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

/* A client of this user's. The descriptor, and who was refused for it. */
static int come(struct clients *c, uid_t uid, uint64_t now, int *ret_refused)
{
	int fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);

	assert_true(fd >= 0);
	*ret_refused = clients_add(c, fd, uid, now);
	return fd;
}

static int come_in(struct clients *c, uid_t uid, uint64_t now)
{
	int refused, fd = come(c, uid, now, &refused);

	assert_int_equal(refused, -1);
	return fd;
}

static void speak(struct clients *c)
{
	for (uint32_t i = 0; i < c->n; i++)
		c->list[i].spoke = true;
}

static uint32_t count_of(const struct clients *c, uid_t uid)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->n; i++)
		n += c->list[i].bounds->uid == uid;
	return n;
}

static void a_user_has_so_many_places_and_so_many_a_minute(void **state)
{
	struct clients *c = new_clients(4, 1000), *slow = new_clients(4, 3);
	int fd, last, refused;

	(void)state;
	for (int i = 0; i < CLIENTS_PER_UID; i++)
		come_in(c, 7, 1000);
	fd = come(c, 7, 1000, &refused);
	assert_int_equal(refused, fd);
	close(fd);
	assert_int_equal(c->n, CLIENTS_PER_UID);
	come_in(c, 8, 1000);
	for (int i = 0; i < 3; i++)
		come_in(slow, 7, 1000);
	last = come_in(slow, 7, 1000);
	come_in(slow, 8, 1000);
	/* Coming is free, speaking is not. */
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(clients_spoke(slow, i, 1000), -1);
	assert_int_equal(clients_spoke(slow, 3, 1000), last);
	assert_true(is_open(last));
	close(last);
	assert_int_equal(clients_spoke(slow, 3, 1000), -1);
	assert_int_equal(slow->n, 4);
	assert_int_equal(clients_due(slow), 4);
	done(c);
	done(slow);
}

static void who_has_most_gives_up_the_last(void **state)
{
	struct clients *c = new_clients(4, 1000);
	int refused, last = -1;

	(void)state;
	for (int i = 0; i < CLIENTS_PER_UID; i++)
		come_in(c, 7, 1000);
	for (int i = 0; i < CLIENTS_PER_UID; i++)
		last = come_in(c, 8, 1000);
	speak(c);
	(void)come(c, 9, 1000, &refused);
	assert_int_equal(refused, last);
	assert_true(is_open(last)); /* the caller's, to tell it */
	close(last);
	speak(c);
	/* The next is of the other, who has one more now. */
	(void)come(c, 9, 1000, &refused);
	close(refused);
	assert_int_equal(count_of(c, 7), CLIENTS_PER_UID - 1);
	assert_int_equal(count_of(c, 8), CLIENTS_PER_UID - 1);
	assert_int_equal(count_of(c, 9), 2);
	done(c);
}

/* Nor more than one's share: a table of others who have no more each keeps the one who would have more out. */
static void a_place_is_taken_only_from_who_has_more(void **state)
{
	struct clients *c = new_clients(4, 1000);
	int fd, refused;

	(void)state;
	for (uid_t uid = 0; uid < CLIENTS_MAX; uid++)
		come_in(c, uid, 1000);
	speak(c);
	fd = come(c, 5000, 1000, &refused);
	assert_int_equal(refused, fd);
	close(fd);
	fd = come(c, 3, 1000, &refused);
	assert_int_equal(refused, fd);
	close(fd);
	assert_int_equal(c->n, CLIENTS_MAX);
	done(c);
}

static void who_says_nothing_gives_way(void **state)
{
	struct clients *c = new_clients(4, 1000);
	int silent, fd, refused;

	(void)state;
	come_in(c, 0, 1000);
	silent = come_in(c, 1, 1000);
	for (uid_t uid = 2; uid < CLIENTS_MAX; uid++)
		come_in(c, uid, 1000);
	speak(c);
	c->list[1].spoke = false;
	fd = come(c, 5000, 1000 + QUIET_MS - 1, &refused);
	assert_int_equal(refused, fd);
	close(fd);
	(void)come(c, 5000, 1000 + QUIET_MS, &refused);
	assert_int_equal(refused, silent);
	close(refused);
	assert_int_equal(count_of(c, 1), 0);
	assert_int_equal(count_of(c, 5000), 1);
	done(c);
}

static void turns_go_round_the_users(void **state)
{
	struct clients *c = new_clients(2, 1000);
	const uid_t wanted[] = { 7, 8, 7, 9 };

	(void)state;
	for (int i = 0; i < 3; i++)
		come_in(c, 7, 1000);
	come_in(c, 8, 1000);
	assert_int_equal(clients_next(c), c->n); /* nobody has spoken */
	assert_int_equal(clients_due(c), 0);
	speak(c);
	assert_int_equal(clients_due(c), 3); /* two of the one, and the other */
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
		uint32_t next = clients_next(c);
		struct uid_bounds *u;

		assert_true(next < c->n);
		u = c->list[next].bounds;
		assert_int_equal(u->uid, wanted[i]);
		u->running++;
		clients_drop(c, next);
		if (i == 2) {
			come_in(c, 9, 1000);
			speak(c);
		}
	}
	assert_int_equal(c->n, 1); /* the third of the first, who has two at work */
	assert_int_equal(clients_next(c), c->n);
	assert_int_equal(clients_due(c), 0);
	done(c);
}

static void patience_ends(void **state)
{
	struct clients *c = new_clients(4, 1000);
	int silent = come_in(c, 7, 1000), speaking = come_in(c, 7, 1000);

	(void)state;
	c->list[1].spoke = true;
	assert_int_equal(clients_late_at(c, 1500), 1500);
	assert_int_equal(clients_late_at(c, 100000), 1000 + FIRST_BYTE_MS);
	clients_drop_late(c, 1000 + FIRST_BYTE_MS - 1);
	assert_int_equal(c->n, 2);
	clients_drop_late(c, 1000 + FIRST_BYTE_MS);
	assert_int_equal(c->n, 1);
	assert_false(is_open(silent));
	assert_int_equal(clients_late_at(c, 100000), 1000 + TURN_MS);
	clients_drop_late(c, 1000 + TURN_MS);
	assert_int_equal(c->n, 0);
	assert_false(is_open(speaking));
	assert_int_equal(bounds_of(&c->bounds, 7, 1000)->waiting, 0);
	done(c);
}

/* However many users somebody has, another's place in the table of rates can be had. */
static void many_users_keep_nobody_out(void **state)
{
	struct clients *c = new_clients(4, 2);
	int refused;

	(void)state;
	for (uid_t uid = 0; uid < 4 * BOUNDS_UIDS_MAX; uid++) {
		come_in(c, uid, 1000);
		clients_drop(c, 0);
	}
	for (uid_t uid = 0; uid < CLIENTS_MAX; uid++) {
		(void)come(c, uid, 1000, &refused);
		assert_int_equal(refused, -1);
	}
	assert_int_equal(c->n, CLIENTS_MAX);
	done(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_user_has_so_many_places_and_so_many_a_minute),
		cmocka_unit_test(who_has_most_gives_up_the_last),
		cmocka_unit_test(a_place_is_taken_only_from_who_has_more),
		cmocka_unit_test(who_says_nothing_gives_way),
		cmocka_unit_test(turns_go_round_the_users),
		cmocka_unit_test(patience_ends),
		cmocka_unit_test(many_users_keep_nobody_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
