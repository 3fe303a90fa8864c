/* SPDX-License-Identifier: Apache-2.0 */
/* The report that `doctor` prints, line by line. */
#include <stdarg.h>
#include <stdio.h>

#include "broker/cli/doctor.h"
#include "policy/text/oneline.h"

enum { LINE_MAX_BYTES = 2000 };

void report_section(struct report *r, const char *title)
{
	textbuf_printf(
		&r->text, r->colour ? "%s\033[1m%s\033[0m\n" : "%s%s\n", r->text.len > 0 ? "\n" : "", title);
}

static PRINTF_LIKE(2, 0) void report_text(struct report *r, const char *fmt, va_list args)
{
	char line[LINE_MAX_BYTES];
	int n = vsnprintf(line, sizeof(line), fmt, args);

	if (n > 0)
		text_oneline(&r->text, (struct bytes){ line, strnlen(line, sizeof(line)) }, sizeof(line));
	textbuf_putc(&r->text, '\n');
}

void report_finding(struct report *r, enum mark m, const char *fmt, ...)
{
	static const struct {
		const char *word, *paint;
	} marks[] = {
		[MARK_OK] = { "ok  ", "\033[32m" },
		[MARK_NOTE] = { "note", "\033[2m" },
		[MARK_WARN] = { "warn", "\033[33m" },
		[MARK_FAIL] = { "FAIL", "\033[31m" },
	};
	va_list args;

	textbuf_printf(&r->text, "  %s%s%s  ", r->colour ? marks[m].paint : "", marks[m].word,
		r->colour ? "\033[0m" : "");
	va_start(args, fmt);
	report_text(r, fmt, args);
	va_end(args);
	r->failed |= m == MARK_FAIL;
}

void report_remedy(struct report *r, const char *fmt, ...)
{
	va_list args;

	textbuf_puts(&r->text, "        ");
	va_start(args, fmt);
	report_text(r, fmt, args);
	va_end(args);
}
