/* SPDX-License-Identifier: Apache-2.0 */
/* `doctor`: is everything in place, and what is to be done where it is not? */
#include "broker/cli/doctor.h"

#include <fcntl.h>
#include <stdio.h>

#include "broker/cli/cli.h"
#include "broker/cli/options.h"
#include "broker/config_load.h"
#include "broker/decision/judge.h"
#include "broker/decision/pipeline.h"
#include "broker/state/private.h"

/* The number behind `name` in /proc/self/status, or -1. */
static long own_status(const char *name)
{
	CLEANUP(close_fdp) int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	char text[8192], *at;
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (n <= 0)
		return -1;
	text[n] = '\0';
	at = strstr(text, name);
	return at ? strtol(at + strlen(name), NULL, 10) : -1;
}

static void doctor_sandbox(struct report *r, const struct broker *b)
{
	report_section(r, "Confinement");
	if (own_status("\nSeccomp:") == 2)
		report_finding(r, MARK_OK, "seccomp: system calls are filtered");
	else
		report_finding(r, MARK_FAIL, "seccomp: system calls are not filtered in this build");
	if (own_status("\nNoNewPrivs:") != 1)
		report_finding(r, MARK_FAIL, "a process of the gate could gain privileges");
	if (b->start.landlock_abi > 0) {
		report_finding(r, MARK_OK, "Landlock: ABI %d", b->start.landlock_abi);
	} else {
		report_finding(r, MARK_WARN,
			"Landlock: this kernel has none, so files are fenced off by seccomp alone");
		report_remedy(r,
			"use Linux 5.13 or later with landlock in the lsm= list; no git facts are given without it");
	}
}

static bool is_allowed(const struct outcome *o)
{
	return o->decision == DECISION_ALLOW;
}

/* A harmless line through a real worker: everything between the harness and the verdict has to work for it.
 */
static void doctor_worker(struct report *r, struct broker *b)
{
	CLEANUP(outcome_done) struct outcome o = { 0 };
	CLEANUP(freep) char *listing = NULL;
	const struct request q = { .mode = REQUEST_EXPLAIN,
		.harness = HARNESS_CLI,
		.cwd = BYTES("/"),
		.session = BYTES("doctor"),
		.input = BYTES("true"),
		.first_row = 1 };
	uint64_t before = clock_ms();
	size_t length;

	report_section(r, "Processes");
	if (b->start.missing_program) {
		report_finding(r, MARK_FAIL, "%s is not there, or cannot be run", b->start.missing_program);
		report_remedy(r, "install auto-classifier anew: its programs must stay where they were put");
	}
	if (decide_listing(b, &q, &listing, &length, &o) < 0 || !listing) {
		report_finding(r, MARK_FAIL, "the worker does not answer, so every command is denied");
		report_remedy(r, "install auto-classifier anew: its programs must stay where they were put");
	} else if (!is_allowed(&o)) {
		report_finding(
			r, MARK_FAIL, "`true` is not allowed: %s", o.reason ? o.reason : "no reason given");
	} else {
		report_finding(r, MARK_OK, "guard, broker and worker answer (%llu ms)",
			(unsigned long long)(clock_ms() - before));
	}
}

static void doctor_problems(struct report *r, const struct config *c)
{
	const struct config_problem *problems;
	size_t n = config_problems(c, &problems);

	for (size_t i = 0; i < n; i++) {
		const struct config_problem *p = &problems[i];

		if (p->line > 0)
			report_finding(r, p->fatal ? MARK_FAIL : MARK_WARN, "%s, line %u: %s",
				config_layer_name(p->layer), p->line, p->text);
		else
			report_finding(r, p->fatal ? MARK_FAIL : MARK_WARN, "%s: %s",
				config_layer_name(p->layer), p->text);
	}
	if (config_is_broken(c))
		report_remedy(r,
			"mend it: until then every command is denied. `auto-classifier config check` tells more");
	else if (config_overlay_broken(c))
		report_remedy(r, "mend the overlay: until then it is left out, and nobody is asked");
}

static void doctor_config(struct report *r, const struct broker *b)
{
	const struct config_files *f = b->files;

	report_section(r, "Settings");
	if (f && f->file_read)
		report_finding(r, MARK_OK, "%s", f->file);
	else
		report_finding(r, MARK_NOTE, "no settings of yours (%s): the defaults are in force",
			f && f->file ? f->file : "no home directory");
	if (f && f->host_read)
		report_finding(r, MARK_OK, "%s, for every user here", f->host);
	if (f && f->overlay_read)
		report_finding(r, MARK_OK, "%s, over it", f->overlay);
	if (f && f->floor_read)
		report_finding(r, MARK_OK, "%s binds them: this host's floor", f->floor);
	else
		report_finding(r, MARK_NOTE, "this host sets no floor (%s)",
			f && f->floor ? f->floor : "/etc/auto-classifier");
	doctor_problems(r, b->config);
	if (config_bool(b->config, CFG_POLICY_HEADLESS))
		report_finding(r, MARK_NOTE, "headless: nobody is asked, what would be is denied");
}

/* A denial that cannot be counted is still a denial, but a person is never asked about it. */
static void doctor_state(struct report *r, struct broker *b)
{
	CLEANUP(close_fdp) int fd = -1;
	char base[STATE_BASE_MAX];
	const char *path;
	int e = judge_state_place(b, base, sizeof(base), &path);

	report_section(r, "State");
	if (e < 0) {
		report_finding(r, MARK_FAIL, "there is nowhere to keep sessions");
		report_remedy(r, "set \"state.dir\" to a directory of yours");
		return;
	}
	e = private_dir(base, path, &fd);
	if (e == 0) {
		report_finding(r, MARK_OK, "sessions are kept in %s/%s", base, path);
		return;
	}
	report_finding(r, MARK_FAIL, "%s/%s cannot be used: %s", base, path,
		e == -EPERM ? "it is not yours alone" : strerror(-e));
	report_remedy(r, "it must be a directory of yours, mode 0700, with no link on the way");
}

int cli_doctor(struct broker *b)
{
	struct report r = { .colour = cli_wants_colour(b) };
	bool ask = false;
	const struct option_spec specs[] = { { "--judge", NULL, &ask } };
	const char *error, *what = NULL;
	int n, e;

	if (options_read(b->start.argc, b->start.argv, 2, specs, ARRAY_LEN(specs), NULL, 0, &n, &error, &what) < 0)
		return cli_usage_error(b, error, what);
	doctor_sandbox(&r, b);
	doctor_worker(&r, b);
	doctor_config(&r, b);
	doctor_state(&r, b);
	report_section(&r, "Harnesses");
	if (b->home)
		doctor_hooks(&r, b->home, b->cwd, broker_getenv(b, "PATH"));
	else
		report_finding(&r, MARK_FAIL, "your home directory is not known");
	e = doctor_judge(&r, b, ask);
	if (e == 0)
		e = r.text.failed ? -ENOMEM : broker_out(b, r.text.p, r.text.len);
	textbuf_done(&r.text);
	return e < 0 ? e : r.failed;
}
