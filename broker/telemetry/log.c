/* SPDX-License-Identifier: Apache-2.0 */
/* The log file. */
#include "broker/telemetry/log.h"

#include <stdarg.h>
#include <stdio.h>

#include "broker/telemetry/stamp.h"
#include "broker/telemetry/telemetry.h"
#include "policy/text/oneline.h"

void log_line(struct broker *b, const char *fmt, ...)
{
	CLEANUP(textbuf_done) struct textbuf line = { 0 };
	CLEANUP(close_fdp) int dir = -1;
	const char *path = b->config != NULL ? config_string(b->config, CFG_LOG_PATH) : "", *name;
	char message[LOG_LINE_MAX], stamp[STAMP_SIZE];
	va_list args;

	if (*path == '\0')
		return;
	va_start(args, fmt);
	(void)vsnprintf(message, sizeof(message), fmt, args);
	va_end(args);
	stamp_format(stamp_now(), stamp);
	textbuf_printf(&line, "[auto-classifier][%s] ", stamp);
	text_oneline(&line, (struct bytes){ message, strlen(message) }, LOG_LINE_MAX);
	textbuf_putc(&line, '\n');
	if (line.failed || open_parent(b, path, &dir, &name) < 0 || append_rotating(dir, name, &line, LOG_FILE_MAX) < 0)
		return; /* there is nowhere left to tell it */
}
