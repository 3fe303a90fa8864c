/* SPDX-License-Identifier: Apache-2.0 */
/* The log file: what went wrong beside a decision. Nothing is opened until there is something to say. */
#ifndef TELEMETRY_LOG_H
#define TELEMETRY_LOG_H

#include "broker/broker.h"

enum { LOG_FILE_MAX = 10 * 1024 * 1024, LOG_LINE_MAX = 1000 };

/* One line; foreign text in it is made harmless. Failures are swallowed: there is nowhere left to tell them. */
void log_line(struct broker *b, const char *fmt, ...) PRINTF_LIKE(2, 3) __attribute__((nonnull(1, 2)));

#endif
