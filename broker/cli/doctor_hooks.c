/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Do the harnesses call us, and rightly? A hook that is not found, or that is cut off before it answers, lets
 * the tool run, so what looks installed and is not is the finding that matters most.
 */
#include <fcntl.h>
#include <json-c/linkhash.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "broker/cli/doctor.h"
#include "policy/harness.h"
#include "policy/text/json_strict.h"

enum { SETTINGS_MAX = 4 * 1024 * 1024 };

enum read_outcome { READ_OK = 0, READ_ABSENT, READ_UNUSABLE };

static enum read_outcome read_settings(const char *path, struct json_object **ret)
{
	CLEANUP(close_fdp) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	CLEANUP(freep) char *text = NULL;
	struct stat st;
	size_t n = 0, at;

	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? READ_ABSENT : READ_UNUSABLE;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size > SETTINGS_MAX)
		return READ_UNUSABLE;
	text = malloc((size_t)st.st_size + 1);
	while (text && n < (size_t)st.st_size) {
		ssize_t r = read(fd, text + n, (size_t)st.st_size - n);

		if (r <= 0)
			break;
		n += (size_t)r;
	}
	if (!text || json_strict((struct bytes){ text, n }, ret, &at) != JSON_OK ||
		!json_object_is_type(*ret, json_type_object))
		return READ_UNUSABLE;
	return READ_OK;
}

/* What is known of the best handler for one event. */
struct handler {
	bool found, covers_shell;
	char command[512]; /* its program */
	int64_t timeout_s; /* 0: the harness's own */
	bool own_limit; /* --limit-ms is given */
};

/* Is the command's program ours? Its first word, without quotes. */
static bool calls_us(struct bytes command, struct handler *h)
{
	size_t start = 0, end, slash;

	if (command.len == 0)
		return false;
	while (start < command.len && strchr(" \t\"'", command.p[start]))
		start++;
	end = start;
	while (end < command.len && !strchr(" \t\"'", command.p[end]))
		end++;
	slash = end;
	while (slash > start && command.p[slash - 1] != '/')
		slash--;
	if (!bytes_is((struct bytes){ command.p + slash, end - slash }, "auto-classifier") ||
		end - start >= sizeof(h->command))
		return false;
	memcpy(h->command, command.p + start, end - start);
	h->command[end - start] = '\0';
	h->own_limit = memmem(command.p, command.len, "--limit-ms", strlen("--limit-ms")) != NULL;
	return true;
}

/* A matcher is a pattern over tool names; "" and "*" are all. Anything but the plain forms is taken as not
 * covering. */
static bool matcher_covers(struct json_object *group, const char *tool)
{
	struct bytes m = json_member_string(group, "matcher");
	size_t n = strlen(tool);

	if (m.len == 0 || bytes_is(m, "*") || bytes_is(m, ".*"))
		return true;
	for (const char *p = m.p, *end = m.p + m.len; p < end; p++) {
		const char *bar = memchr(p, '|', (size_t)(end - p));
		size_t len = (size_t)((bar ? bar : end) - p);

		if (len == n && memcmp(p, tool, n) == 0)
			return true;
		p += len;
	}
	return false;
}

static void scan_handlers(struct json_object *list, bool covers, struct handler *h)
{
	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		struct json_object *one = json_object_array_get_idx(list, i), *timeout;
		struct handler found = { .found = true, .covers_shell = covers };

		if (!json_object_is_type(one, json_type_object) ||
			!calls_us(json_member_string(one, "command"), &found))
			continue;
		timeout = json_member(one, "timeout", json_type_int);
		found.timeout_s = timeout ? json_object_get_int64(timeout) : 0;
		if (!h->found || covers)
			*h = found;
	}
}

/* EVENT: [ { matcher, hooks: [ handler … ] } … ], or agy's flat list of handlers. */
static void scan_event(struct json_object *events, const char *event, const char *tool, struct handler *h)
{
	struct json_object *groups = json_member(events, event, json_type_array);

	for (size_t i = 0; groups && i < json_object_array_length(groups); i++) {
		struct json_object *group = json_object_array_get_idx(groups, i);

		if (json_object_is_type(group, json_type_object))
			scan_handlers(
				json_member(group, "hooks", json_type_array), matcher_covers(group, tool), h);
	}
}

/* A name without a slash is looked for as the harness's shell will; `search`: PATH as it is here, or NULL. */
static bool is_there(const char *command, const char *search)
{
	char path[PATH_MAX];

	if (strchr(command, '/'))
		return command[0] != '/' || access(command, X_OK) == 0;
	while (search && *search) {
		size_t n = strcspn(search, ":");

		if ((size_t)snprintf(path, sizeof(path), "%.*s/%s", (int)n, search, command) < sizeof(path) &&
			access(path, X_OK) == 0)
			return true;
		search += n + (search[n] == ':');
	}
	return false;
}

static void judge_handler(struct report *r, const char *harness, const char *event, const char *path,
	const struct handler *h, uint32_t limit_ms, const char *search)
{
	if (!h->covers_shell) {
		report_finding(r, MARK_FAIL, "%s: the %s hook in %s does not cover the shell tool", harness,
			event, path);
		report_remedy(r, "set its \"matcher\" to \"*\"");
	} else if (!is_there(h->command, search)) {
		report_finding(r, MARK_FAIL,
			"%s: %s calls %s, which is not there: every command runs unjudged", harness, path,
			h->command);
		report_remedy(r, "write the whole path of auto-classifier, or install it there");
	} else if (h->timeout_s > 0 && (uint64_t)h->timeout_s * 1000 < limit_ms && !h->own_limit) {
		report_finding(r, MARK_FAIL,
			"%s: the %s hook in %s is cut off after %lld s, before the gate's last word", harness,
			event, path, (long long)h->timeout_s);
		report_remedy(r, "set \"timeout\" to %u, or add --limit-ms %lld to the command",
			limit_ms / 1000, (long long)h->timeout_s * 1000);
	} else {
		report_finding(r, MARK_OK, "%s: %s is judged (%s)", harness, event, path);
	}
}

static void claude_file(struct report *r, const char *path, const char *search, bool *ret_hooked)
{
	static const char *const events[] = { "PreToolUse", "PermissionRequest", "PreSkillShellCommand" };
	CLEANUP(json_putp) struct json_object *o = NULL;
	struct json_object *hooks, *off;

	switch (read_settings(path, &o)) {
	case READ_ABSENT:
		return;
	case READ_UNUSABLE:
		report_finding(r, MARK_WARN, "Claude Code: %s cannot be read as JSON", path);
		report_remedy(r, "mend it: Claude Code ignores the hooks in it");
		return;
	case READ_OK:
		break;
	}
	off = json_member(o, "disableAllHooks", json_type_boolean);
	if (off && json_object_get_boolean(off)) {
		report_finding(r, MARK_FAIL, "Claude Code: %s switches all hooks off", path);
		report_remedy(r, "remove \"disableAllHooks\" from it");
	}
	hooks = json_member(o, "hooks", json_type_object);
	for (size_t i = 0; hooks && i < ARRAY_LEN(events); i++) {
		struct handler h = { 0 };

		scan_event(hooks, events[i], "Bash", &h);
		if (!h.found)
			continue;
		judge_handler(r, "Claude Code", events[i], path, &h, harness_specs[HARNESS_CLAUDE].limit_ms, search);
		ret_hooked[i] = true;
	}
}

static void agy_file(struct report *r, const char *path, const char *search, bool *ret_hooked)
{
	CLEANUP(json_putp) struct json_object *o = NULL;
	struct handler h = { 0 };

	switch (read_settings(path, &o)) {
	case READ_ABSENT:
		return;
	case READ_UNUSABLE:
		report_finding(
			r, MARK_FAIL, "agy: %s cannot be read as JSON, so agy runs none of its hooks", path);
		report_remedy(r, "mend it; one invalid value drops the whole file");
		return;
	case READ_OK:
		break;
	}
	json_object_object_foreach(o, name, hook) {
		struct json_object *enabled;

		(void)name;
		if (!json_object_is_type(hook, json_type_object))
			continue;
		enabled = json_member(hook, "enabled", json_type_boolean);
		if (!enabled || json_object_get_boolean(enabled))
			scan_event(hook, "PreToolUse", "run_command", &h);
	}
	if (!h.found)
		return;
	judge_handler(r, "agy", "PreToolUse", path, &h, harness_specs[HARNESS_AGY].limit_ms, search);
	*ret_hooked = true;
}

static bool is_directory(const char *home, const char *name)
{
	char path[PATH_MAX];
	struct stat st;

	return (size_t)snprintf(path, sizeof(path), "%s/%s", home, name) < sizeof(path) &&
		stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void at(char path[PATH_MAX], const char *dir, const char *name)
{
	if (!dir || (size_t)snprintf(path, PATH_MAX, "%s/%s", dir, name) >= PATH_MAX)
		path[0] = '\0';
}

static void doctor_claude(struct report *r, const char *home, const char *cwd, const char *search)
{
	static const char user[] = ".claude/settings.json", local[] = ".claude/settings.local.json";
	bool hooked[3] = { false };
	char path[PATH_MAX];

	claude_file(r, "/etc/claude-code/managed-settings.json", search, hooked);
	at(path, home, user);
	claude_file(r, path, search, hooked);
	at(path, home, local);
	claude_file(r, path, search, hooked);
	if (cwd && strcmp(cwd, home) != 0) {
		at(path, cwd, user);
		claude_file(r, path, search, hooked);
		at(path, cwd, local);
		claude_file(r, path, search, hooked);
	}
	if (!hooked[0] && !is_directory(home, ".claude")) {
		report_finding(r, MARK_NOTE, "Claude Code: not used here");
	} else if (!hooked[0]) {
		report_finding(r, MARK_WARN, "Claude Code: no PreToolUse hook calls auto-classifier");
		report_remedy(r, "add it to %s/%s; `auto-classifier help` shows how", home, user);
	} else if (!hooked[1] || !hooked[2]) {
		report_finding(r, MARK_WARN, "Claude Code: %s not judged",
			hooked[1]	  ? "PreSkillShellCommand is" :
				hooked[2] ? "PermissionRequest is" :
					    "PermissionRequest and PreSkillShellCommand are");
		report_remedy(r, "add the same hook for it, with its own --event");
	}
}

static void doctor_agy(struct report *r, const char *home, const char *cwd, const char *search)
{
	static const char user[] = ".gemini/config/hooks.json";
	static const char *const project[] = { ".agents", ".agent", "_agents", "_agent" };
	bool hooked = false;
	char path[PATH_MAX];

	at(path, home, user);
	agy_file(r, path, search, &hooked);
	for (size_t i = 0; cwd && i < ARRAY_LEN(project); i++) {
		char name[32];

		snprintf(name, sizeof(name), "%s/hooks.json", project[i]);
		at(path, cwd, name);
		agy_file(r, path, search, &hooked);
	}
	if (!hooked && !is_directory(home, ".gemini/antigravity-cli")) {
		report_finding(r, MARK_NOTE, "agy: not used here");
	} else if (!hooked) {
		report_finding(r, MARK_WARN, "agy: no PreToolUse hook calls auto-classifier");
		report_remedy(r, "add it to %s/%s; `auto-classifier help` shows how", home, user);
	}
}

void doctor_hooks(struct report *r, const char *home, const char *cwd, const char *search)
{
	doctor_claude(r, home, cwd, search);
	doctor_agy(r, home, cwd, search);
}
