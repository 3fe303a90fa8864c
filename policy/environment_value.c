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
static const char *const rust_words[] = {
	"-C", "-D", "-A", "-W", "-F", "-g", "-O", "--cfg", "--cap-lints", "warnings", "unused", "dead_code", "allow", "warn",
	"deny", "target-cpu=@", "target-feature=@", "opt-level=@", "debuginfo=@", "codegen-units=#", "lto=@", "panic=@",
	"overflow-checks=@", "debug-assertions=@", "strip=@", "instrument-coverage", "force-frame-pointers=@",
	"-Ctarget-cpu=@", "-Ctarget-feature=@", "-Copt-level=@", "-Cdebuginfo=@", "-Ccodegen-units=#", "-Clto=@",
	"-Cpanic=@", "-Cinstrument-coverage", "-Cstrip=@", "-Cdebug-assertions=@", "-Dwarnings", "-Awarnings", "-Adead_code",
	"-Aunused", "-Wunused", "clippy::all", "clippy::pedantic", "-Dclippy::all", "-Wclippy::all", "-Wclippy::pedantic",
	NULL,
};
/* Neither -fplugin=, -B, -specs=, -wrapper nor what -Wl and -Xlinker hand to the linker. */
static const char *const c_words[] = {
	"-O", "-O#", "-Os", "-Og", "-Oz", "-Ofast", "-g", "-g#", "-ggdb", "-ggdb#", "-w", "-Wall", "-Wextra", "-Werror",
	"-Wpedantic", "-pedantic", "-Wno-error", "-Werror=@", "-Wno-error=@", "-Wno-unused", "-Wno-unused-parameter",
	"-Wno-unused-variable", "-Wno-unused-function", "-Wno-deprecated-declarations", "-Wno-format-truncation",
	"-Wno-implicit-function-declaration", "-Wno-stringop-overflow", "-std=@", "-fPIC", "-fpic", "-fPIE", "-fpie",
	"-pie", "-pthread", "-fcommon", "-fno-common", "-fno-strict-aliasing", "-fno-omit-frame-pointer", "-fopenmp",
	"-fsanitize=@", "-fno-sanitize=@", "-fno-sanitize-recover", "-fno-sanitize-recover=@", "-fstack-protector",
	"-fstack-protector-strong", "-fprofile-arcs", "-ftest-coverage", "-fprofile-instr-generate", "-fcoverage-mapping",
	"--coverage", "-flto", "-fno-lto", "-fno-plt", "-fpermissive", "-fvisibility=@", "-fdiagnostics-color=@",
	"-march=@", "-mtune=@", "-mcpu=@", "-m32", "-m64", "-mavx2", "-msse4.2", "-static", "-s", "-lm", "-lpthread", "-ldl",
	"-lrt", "-stdlib=@", "-DNDEBUG", "-DDEBUG", "-DDEBUG=#", "-D_GNU_SOURCE", "-D_FORTIFY_SOURCE=#",
	"-U_FORTIFY_SOURCE", NULL,
};
static const char *const compilers[] = {
	"cc", "c++", "gcc", "g++", "clang", "clang++", "gcc-#", "g++-#", "clang-#", "clang++-#", "ccache", "musl-gcc",
	"x86_64-linux-gnu-gcc", "aarch64-linux-gnu-gcc", "x86_64-linux-gnu-g++", "aarch64-linux-gnu-g++", NULL,
};
static const char *const indexes[] = {
	"https://pypi.org/simple", "https://pypi.org/simple/", "https://proxy.golang.org", "https://proxy.golang.org,direct",
	"https://proxy.golang.org,off", "direct", "off", "sum.golang.org", NULL,
};
/* A path of the system's programs alone: what is called is the second word, if a bar stands by itself. */
static const char *const less_filters[] = {
	"|", "||", "|-", "||-", "-", "%s", "|/usr/bin/lesspipe", "/usr/bin/lesspipe", "|/usr/bin/lesspipe.sh",
	"||/usr/bin/lesspipe.sh", "|-/usr/bin/lesspipe.sh", "||-/usr/bin/lesspipe.sh", "/usr/bin/lesspipe.sh", NULL,
};
static const char *const less_options[] = {
	"-R", "-F", "-X", "-S", "-i", "-M", "-K", "-FR", "-RF", "-FX", "-XF", "-FRX", "-FRSX", "-FXR", "-RFX", "-XFR", "-RX",
	"-iR", "-iRFX", "-iMRS", "-SR", "-RS", "-RSX", "FRX", "FRSX", "R", "F", "FR", "RX", NULL,
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
	case ENVIRONMENT_RUST:
		return all_listed(value, rust_words);
	case ENVIRONMENT_C:
		return all_listed(value, c_words);
	case ENVIRONMENT_COMPILER:
		return all_listed(value, compilers);
	case ENVIRONMENT_INDEX:
		return value.len == 0 || is_listed(value, indexes);
	case ENVIRONMENT_SOCKET:
		return value.len == 0 || (value.len > 7 && memcmp(value.p, "unix://", 7) == 0);
	case ENVIRONMENT_LESS:
		return all_listed(value, less_filters);
	case ENVIRONMENT_LESS_OPTIONS:
		return all_listed(value, less_options);
	case ENVIRONMENT_GIT_KEY:
		return is_git_key(value);
	case ENVIRONMENT_CLOSES:
	case ENVIRONMENT_GIT_VALUE:
	default:
		return false;
	}
}
