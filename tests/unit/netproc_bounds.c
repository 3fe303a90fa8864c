/* SPDX-License-Identifier: Apache-2.0 */
/* What one user may ask of the service: bursts, floods, many users, clocks that stand or jump. */
#include "netproc/bounds.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { MINUTE = 60 * 1000 };

static uint32_t take_all(struct bounds *b, uid_t uid, uint64_t now)
{
	struct uid_bounds *u = bounds_of(b, uid, now);
	uint32_t n = 0;

	assert_non_null(u);
	while (n < 1000 && bounds_take(b, u, now))
		n++;
	return n;
}

static void a_minute_at_once_and_no_more(void **state)
{
	struct bounds b = { .per_uid = 4, .per_minute = 30 };

	(void)state;
	assert_int_equal(take_all(&b, 7, 1000), 30);
	assert_int_equal(take_all(&b, 7, 1000), 0);
	assert_int_equal(take_all(&b, 7, 2999), 0);
	assert_int_equal(take_all(&b, 7, 3000), 1);
	assert_int_equal(take_all(&b, 7, 3000 + MINUTE / 2), 15);
	assert_int_equal(take_all(&b, 7, 3000 + 10 * MINUTE), 30);
	assert_int_equal(take_all(&b, 8, 3000), 30); /* another's is its own */
}

static void time_does_not_run_backwards(void **state)
{
	struct bounds b = { .per_minute = 10 };

	(void)state;
	assert_int_equal(take_all(&b, 7, 50 * MINUTE), 10);
	assert_int_equal(take_all(&b, 7, 0), 0);
	assert_int_equal(take_all(&b, 7, UINT64_MAX), 10);
}

static void large_rates_do_not_overflow(void **state)
{
	struct bounds b = { .per_minute = 100000 };

	(void)state;
	assert_int_equal(take_all(&b, 7, 0), 1000);
	assert_int_equal(take_all(&b, 7, UINT64_MAX - 1), 1000);
}

/* A table full of users has room for another, whose place is the one's who has used least: there least is forgotten. */
static void a_full_table_forgets_who_used_least(void **state)
{
	struct bounds b = { .per_minute = 10 };
	struct uid_bounds *u;

	(void)state;
	for (uid_t uid = 0; uid < BOUNDS_UIDS_MAX; uid++)
		if (uid != 6)
			assert_int_equal(take_all(&b, uid, 1000), 10);
	u = bounds_of(&b, 6, 1000);
	assert_non_null(u);
	assert_true(bounds_take(&b, u, 1000));
	assert_int_equal(take_all(&b, 5000, 1000), 10);
	assert_int_equal(take_all(&b, 3, 1000), 0);
	assert_int_equal(take_all(&b, 5000, 1000), 0);
	/* Who was forgotten comes as a new user, and so does who would come as one anyway. */
	assert_int_equal(take_all(&b, 6, 1000), 10);
	assert_int_equal(take_all(&b, 5001, 1000 + MINUTE), 10);
}

static void who_is_served_stays(void **state)
{
	struct bounds b = { .per_minute = 10 };

	(void)state;
	for (uid_t uid = 0; uid < BOUNDS_UIDS_MAX; uid++)
		bounds_of(&b, uid, 0)->running = 1;
	assert_null(bounds_of(&b, 5000, 10 * MINUTE));
	bounds_of(&b, 9, 0)->running = 0;
	bounds_of(&b, 9, 0)->waiting = 1;
	assert_null(bounds_of(&b, 5000, 10 * MINUTE));
	bounds_of(&b, 9, 0)->waiting = 0;
	assert_non_null(bounds_of(&b, 5000, 10 * MINUTE));
	assert_int_equal(bounds_of(&b, 8, 0)->running, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_minute_at_once_and_no_more),
		cmocka_unit_test(time_does_not_run_backwards),
		cmocka_unit_test(large_rates_do_not_overflow),
		cmocka_unit_test(a_full_table_forgets_who_used_least),
		cmocka_unit_test(who_is_served_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
