/* SPDX-License-Identifier: Apache-2.0 */
/* Values of variables that people set every day, and that change nothing a verdict depends on. */
#include "policy/environment.h"
#include "policy/text/fold.h"

/*
 * Words that may stand in a value, between blanks: # is a run of digits, @ one of letters, digits and ._,+-. What is in
 * no list may load code (--require, -javaagent, -toolexec, --eval, -p plugin).
 */
static const char *const node_words[] = {
	"--max-old-space-size=#", "--max_old_space_size=#", "--max-semi-space-size=#", "--max-http-header-size=#",
	"--stack-size=#", "--stack-trace-limit=#", "--no-warnings", "--no-deprecation", "--trace-warnings",
	"--trace-deprecation", "--trace-uncaught", "--pending-deprecation", "--throw-deprecation",
	"--enable-source-maps", "--openssl-legacy-provider", "--experimental-vm-modules", "--experimental-strip-types",
	"--experimental-json-modules", "--experimental-fetch", "--no-experimental-fetch", "--expose-gc", "--expose_gc",
	"--use-openssl-ca", "--use-bundled-ca", "--use-system-ca", "--unhandled-rejections=@", "--dns-result-order=@",
	"--disable-warning=@", "--no-experimental-global-navigator", NULL,
};
static const char *const java_words[] = {
	"-Xmx@", "-Xms@", "-Xss@", "-XX:MaxRAMPercentage=@", "-XX:InitialRAMPercentage=@", "-XX:MaxMetaspaceSize=@",
	"-XX:+UseContainerSupport", "-XX:+UseG1GC", "-XX:+UseSerialGC", "-XX:+UseParallelGC", "-XX:TieredStopAtLevel=#",
	"-XX:ReservedCodeCacheSize=@", "-Dfile.encoding=@", "-Dstdout.encoding=@", "-Dsun.jnu.encoding=@",
	"-Djava.awt.headless=@", "-Djava.net.preferIPv4Stack=@", "-Dorg.gradle.daemon=@",
	"-Dorg.gradle.workers.max=#", "-Dorg.gradle.parallel=@", "-Dmaven.artifact.threads=#",
	"-Dorg.slf4j.simpleLogger.defaultLogLevel=@", "-ea", NULL,
};
static const char *const go_words[] = {
	"-mod=@", "-buildvcs=@", "-trimpath", "-count=#", "-v", "-x", "-race", "-short", "-p=#", "-tags=@", "-timeout=@", NULL,
};
static const char *const make_words[] = {
	"-j#", "-j", "j#", "j", "--jobs=#", "-l#", "--load-average=#", "-s", "s", "-k", "k", "-w", "w", "-r", "-R", "rR",
	"--silent", "--quiet", "--no-print-directory", "--output-sync=@", "-O@", "-O", NULL,
};
static const char *const pytest_words[] = {
	"-q", "-qq", "-v", "-vv", "-vvv", "-s", "-x", "-l", "-ra", "-rA", "-rf", "-rs", "-n", "-n#", "-nauto", "auto", "#",
	"--numprocesses=@", "--color=@", "--tb=@", "--maxfail=#", "--durations=#", "--strict-markers",
	"--strict-config", "--no-header", "--no-summary", "--disable-warnings", "--showlocals", "--verbose", "--quiet", NULL,
};
/* Behind the program; IdentityFile, and -i with a path, only choose who the user is. */
static const char *const ssh_words[] = {
	"-o", "-q", "-4", "-6", "-T", "-x", "-a", "-i", "BatchMode=@", "StrictHostKeyChecking=@", "ConnectTimeout=#",
	"ServerAliveInterval=#", "ServerAliveCountMax=#", "IdentitiesOnly=@", "-oBatchMode=@",
	"-oStrictHostKeyChecking=@", "-oConnectTimeout=#", "-oIdentitiesOnly=@", NULL,
};
static const char *const truths[] = { "0", "1", "2", "true", "false", "yes", "no", "on", "off", NULL };
static const char *const git_keys[] = {
	"safe.directory", "user.name", "user.email", "init.defaultbranch", "core.quotepath", "core.autocrlf", "color.ui",
	"advice.detachedhead", "gc.auto", "maintenance.auto", "pull.rebase", "pull.ff", "fetch.prune", NULL,
};

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		(c != '\0' && strchr("._,+-", c) != NULL);
}

static bool fits(struct bytes word, const char *pattern)
{
	size_t at = 0;

	for (; *pattern != '\0'; pattern++) {
		size_t from = at;

		if (*pattern != '#' && *pattern != '@') {
			if (at == word.len || word.p[at++] != *pattern)
				return false;
			continue;
		}
		while (at < word.len &&
			(*pattern == '#' ? word.p[at] >= '0' && word.p[at] <= '9' : is_plain(word.p[at])))
			at++;
		if (at == from)
			return false;
	}
	return at == word.len;
}

static bool is_listed(struct bytes word, const char *const *list)
{
	for (; *list != NULL; list++)
		if (fits(word, *list))
			return true;
	return false;
}

static bool next_word(struct bytes *rest, struct bytes *ret)
{
	while (rest->len > 0 && rest->p[0] == ' ')
		*rest = (struct bytes){ rest->p + 1, rest->len - 1 };
	ret->p = rest->p;
	for (ret->len = 0; ret->len < rest->len && rest->p[ret->len] != ' ';)
		ret->len++;
	*rest = (struct bytes){ rest->p + ret->len, rest->len - ret->len };
	return ret->len > 0;
}

static bool all_listed(struct bytes value, const char *const *list)
{
	struct bytes word;

	while (next_word(&value, &word))
		if (!is_listed(word, list))
			return false;
	return true;
}

/* A shell reads the value: nothing that is more than a name to it. */
static bool is_plain_path(struct bytes word)
{
	for (size_t i = 0; i < word.len; i++)
		if (!is_plain(word.p[i]) && word.p[i] != '/' && word.p[i] != '~')
			return false;
	return word.len > 0 && word.p[0] != '-';
}

/* The program first; a path only behind -i. */
static bool is_quiet_ssh(struct bytes value)
{
	struct bytes word;
	bool identity = false;

	if (!next_word(&value, &word) || (!bytes_is(word, "ssh") && !bytes_is(word, "/usr/bin/ssh")))
		return false;
	while (next_word(&value, &word)) {
		if (!(identity ? is_plain_path(word) : is_listed(word, ssh_words)))
			return false;
		identity = !identity && bytes_is(word, "-i");
	}
	return !identity;
}

/* action:message:category:module:line; a category with a dot in it is imported (warnings, "The Warnings Filter"). */
static bool is_filter(struct bytes value)
{
	for (size_t i = 0; i < value.len; i++)
		if (value.p[i] == '.' || (!is_plain(value.p[i]) && value.p[i] != ':'))
			return false;
	return true;
}

static bool is_git_key(struct bytes value)
{
	for (size_t i = 0; git_keys[i] != NULL; i++)
		if (fold_is(value, git_keys[i]))
			return true;
	return false;
}

bool environment_value_is_harmless(enum environment_value kind, struct bytes value)
{
	switch (kind) {
	case ENVIRONMENT_ANY:
	case ENVIRONMENT_DIRECTORIES:
	case ENVIRONMENT_PROJECT:
		return true;
	case ENVIRONMENT_NUMBER:
		return value.len == 0 || is_listed(value, truths);
	case ENVIRONMENT_COUNT:
		return fits(value, "#");
	case ENVIRONMENT_NODE:
		return all_listed(value, node_words);
	case ENVIRONMENT_JAVA:
		return all_listed(value, java_words);
	case ENVIRONMENT_GO:
		return all_listed(value, go_words);
	case ENVIRONMENT_MAKE:
		return all_listed(value, make_words);
	case ENVIRONMENT_PYTEST:
		return all_listed(value, pytest_words);
	case ENVIRONMENT_WARNINGS:
		return is_filter(value);
	case ENVIRONMENT_SSH:
		return is_quiet_ssh(value);
	case ENVIRONMENT_GIT_KEY:
		return is_git_key(value);
	case ENVIRONMENT_CLOSES:
	case ENVIRONMENT_GIT_VALUE:
	default:
		return false;
	}
}
