/* SPDX-License-Identifier: Apache-2.0 */
/* The Gregorian calendar in UTC, by arithmetic alone. */
#include "broker/telemetry/stamp.h"

#include <stdio.h>
#include <time.h>

enum { DAYS_1970 = 719468, DAYS_400_YEARS = 146097, MS_A_DAY = 86400000 };

struct date {
	int64_t year;
	uint8_t month, day;
};

/* Days since 1970 to a date; years begin in March, so that a leap day is the last of its year. */
static struct date date_of(int64_t days)
{
	int64_t shifted = days + DAYS_1970;
	int64_t era = (shifted >= 0 ? shifted : shifted - DAYS_400_YEARS + 1) / DAYS_400_YEARS;
	int64_t of_era = shifted - era * DAYS_400_YEARS;
	int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
	int64_t month = (5 * of_year + 2) / 153;

	return (struct date){
		.year = year + era * 400 + (month >= 10),
		.month = (uint8_t)(month < 10 ? month + 3 : month - 9),
		.day = (uint8_t)(of_year - (153 * month + 2) / 5 + 1),
	};
}

void stamp_format(int64_t ms, char out[STAMP_SIZE])
{
	int64_t days = ms / MS_A_DAY - (ms % MS_A_DAY < 0);
	int64_t rest = ms - days * MS_A_DAY;
	struct date d = date_of(days);

	(void)snprintf(out, STAMP_SIZE, "%04lld-%02d-%02dT%02d:%02d:%02d.%03dZ", (long long)d.year, d.month, d.day,
		(uint8_t)(rest / 3600000), (uint8_t)(rest / 60000 % 60), (uint8_t)(rest / 1000 % 60),
		(uint16_t)(rest % 1000));
}

int64_t stamp_now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
