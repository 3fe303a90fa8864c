/* SPDX-License-Identifier: Apache-2.0 */
/* Points of time as text. */
#ifndef TELEMETRY_STAMP_H
#define TELEMETRY_STAMP_H

#include "policy/base.h"

enum { STAMP_SIZE = 64 };

/* "2026-01-31T23:59:59.999Z" from milliseconds since 1970. Not by gmtime(): that reads the time zone's file first. */
void stamp_format(int64_t ms, char out[STAMP_SIZE]);
int64_t stamp_now(void);

#endif
