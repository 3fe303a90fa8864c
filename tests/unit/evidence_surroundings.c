/* SPDX-License-Identifier: Apache-2.0 */
/* What variables of the environment are set to, and where the links of a tree lead, on a real file system. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <fcntl.h>
#include <sys/stat.h>

#include "broker/evidence/evidence.h"
#include "policy/environment.h"
#include "policy/request.h"
#include "tests/unit/scratch.h"

static char top[SCRATCH_SIZE];
static struct broker broker;
static char variable[2048], key[128];
static char *environment[] = { variable, key, NULL };

/* %T in a text is the directory the test is made in. */
static const char *placed(const char *text)
{
	static char buffer[8][1024];
	static unsigned int next;
	char *out = buffer[next++ % ARRAY_LEN(buffer)];
	size_t n = 0;

	for (; *text != '\0'; text++)
		if (text[0] == '%' && text[1] == 'T')
			n += (size_t)snprintf(out + n, 1024 - n, "%s", top), text++;
		else
			out[n++] = *text;
	assert_true(n < 1024);
	out[n] = '\0';
	return out;
}

static void make_file(const char *path)
{
	int fd = open(placed(path), O_CREAT | O_WRONLY | O_EXCL, 0644);

	assert_true(fd >= 0);
	close(fd);
}

static int set_up(void **state)
{
	static const char *const directories[] = { "%T/home", "%T/home/app", "%T/home/app/.git", "%T/home/app/lib",
		"%T/home/app/plain", "%T/home/app/plain/deep", "%T/home/app/linked", "%T/home/app/linked/deep",
		"%T/home/app/up", "%T/home/app/broken", "%T/home/.ssh", "%T/home/lib", "%T/scratch", "%T/open" };
	static char root[300], home[300];
	struct bytes roots[1];
	struct worker_policy p = { 0 };

	(void)state;
	scratch_make("/var/tmp/surroundings", top);
	for (size_t i = 0; i < ARRAY_LEN(directories); i++)
		assert_int_equal(mkdir(placed(directories[i]), 0700), 0);
	assert_int_equal(chmod(placed("%T/open"), 01777), 0);
	make_file("%T/home/.ssh/id_rsa");
	make_file("%T/home/app/lib/a.py");
	make_file("%T/home/app/plain/deep/x");
	assert_int_equal(symlink("../lib/a.py", placed("%T/home/app/plain/a.py")), 0);
	assert_int_equal(symlink("../../../.ssh/id_rsa", placed("%T/home/app/linked/deep/notes")), 0);
	assert_int_equal(symlink("../..", placed("%T/home/app/up/all")), 0);
	assert_int_equal(symlink("nowhere", placed("%T/home/app/broken/x")), 0);
	snprintf(root, sizeof(root), "%s/scratch/", top);
	snprintf(home, sizeof(home), "%s/home", top);
	roots[0] = (struct bytes){ root, strlen(root) };
	p.scratch_roots = (struct string_list){ roots, 1 };
	p.home = (struct bytes){ home, strlen(home) };
	worker_policy_encode(&broker.policy, &p);
	assert_false(broker.policy.bad);
	broker.home = home;
	broker.start.environment = environment;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	evidence_free(broker.evidence);
	wr_done(&broker.policy);
	return scratch_remove(top);
}

static struct answer ask(enum question_kind kind, const char *text)
{
	static char app[300];
	struct question q = { .kind = kind, .text = { text, strlen(text) } };
	struct answer a = { 0 };

	snprintf(app, sizeof(app), "%s/home/app", top);
	q.extra = (struct bytes){ app, strlen(app) };
	assert_int_equal(evidence_answer(&broker, &q, &a), 0);
	return a;
}

static const struct {
	const char *variable; /* NAME=value */
	bool harmless;
} values[] = {
	/* libraries: where only root or the user writes, and no agent at work */
	{ "LD_LIBRARY_PATH=/usr/lib", true },
	{ "LD_LIBRARY_PATH=/usr/lib:/usr/local/cuda-99/lib64", true },
	{ "LD_LIBRARY_PATH=/opt/conda/lib", true },
	{ "LD_LIBRARY_PATH=%T/home/lib:/usr/lib", true },
	{ "LD_LIBRARY_PATH=", true },
	{ "LD_LIBRARY_PATH=/usr/lib:", false },
	{ "LD_LIBRARY_PATH=:/usr/lib", false },
	{ "LD_LIBRARY_PATH=/usr/lib::/lib", false },
	{ "LD_LIBRARY_PATH=lib", false },
	{ "LD_LIBRARY_PATH=.", false },
	{ "LD_LIBRARY_PATH=%T/home/app/lib", false },
	{ "LD_LIBRARY_PATH=/usr/lib:%T/home/app/lib", false },
	{ "LD_LIBRARY_PATH=%T/home/lib/../app", false },
	{ "LD_LIBRARY_PATH=%T/scratch/lib", false },
	{ "LD_LIBRARY_PATH=%T/open", false },
	{ "LD_LIBRARY_PATH=%T/open/not/yet", false },
	{ "LD_LIBRARY_PATH=/tmp/lib", false },
	{ "LD_LIBRARY_PATH=/dev/shm/lib", false },
	{ "LD_PRELOAD=/usr/lib/libjemalloc.so", false },
	/* modules: the project's own as well, as its tests run them anyway */
	{ "PYTHONPATH=%T/home/app/lib", true },
	{ "PYTHONPATH=/usr/lib/python3:%T/home/lib", true },
	{ "PYTHONPATH=%T/scratch/lib", false },
	{ "PYTHONPATH=/tmp", false },
	{ "PYTHONPATH=src", false },
	{ "NODE_PATH=/usr/lib/node_modules", true },
	{ "NODE_PATH=/tmp/x", false },
	{ "npm_config_userconfig=%T/home/.npmrc", true },
	{ "npm_config_userconfig=%T/home/app/.npmrc", false },
	{ "npm_config_registry=https://registry.npmjs.org/", false },
	/* options of everyday */
	{ "NODE_OPTIONS=--max-old-space-size=8192", true },
	{ "NODE_OPTIONS=--max-old-space-size=4096 --no-warnings", true },
	{ "NODE_OPTIONS=--enable-source-maps", true },
	{ "NODE_OPTIONS=", true },
	{ "NODE_OPTIONS=--require ./x.js", false },
	{ "NODE_OPTIONS=--max-old-space-size=8192 --require=/tmp/x.js", false },
	{ "NODE_OPTIONS=-r x", false },
	{ "NODE_OPTIONS=--import=x", false },
	{ "NODE_OPTIONS=--max-old-space-size=", false },
	{ "NODE_OPTIONS=--max-old-space-size=8192\t--require=x", false },
	{ "JAVA_TOOL_OPTIONS=-Xmx4g -Dfile.encoding=UTF-8", true },
	{ "JAVA_TOOL_OPTIONS=-javaagent:/tmp/x.jar", false },
	{ "GOFLAGS=-mod=mod -buildvcs=false", true },
	{ "GOFLAGS=-toolexec=/tmp/x", false },
	{ "RUSTFLAGS=-D warnings", true },
	{ "RUSTFLAGS=-C linker=/tmp/x", false },
	{ "PIP_INDEX_URL=https://pypi.org/simple/", true },
	{ "PIP_INDEX_URL=https://pypi.org.evil.example/simple/", false },
	{ "UV_INDEX_URL=https://evil.example/simple", false },
	{ "GOPROXY=https://proxy.golang.org,direct", true },
	{ "GOPROXY=https://evil.example,direct", false },
	{ "GOSUMDB=off", true },
	{ "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER=qemu", false },
	{ "CARGO_TARGET_DIR=/tmp/x", true },
	{ "KUBECONFIG=%T/home/.kube/config", true },
	{ "KUBECONFIG=%T/home/app/config", false },
	{ "AWS_CONFIG_FILE=/tmp/x", false },
	{ "AWS_ENDPOINT_URL_S3=https://evil.example", false },
	{ "DOCKER_HOST=unix:///run/user/1000/docker.sock", true },
	{ "DOCKER_HOST=tcp://evil.example:2375", false },
	{ "LESSOPEN=| /usr/bin/lesspipe %s", true },
	{ "LESSOPEN=||/usr/bin/lesspipe.sh %s", true },
	{ "LESSOPEN=|/tmp/x %s", false },
	{ "LESSOPEN=| /usr/bin/lesspipe %s; id", false },
	{ "PS4=$(id)", false },
	{ "MAKEFLAGS=-j8", true },
	{ "MAKEFLAGS=-j8 --eval=x", false },
	{ "MAKEFLAGS=CC=/tmp/cc", false },
	{ "PYTHONWARNINGS=ignore::DeprecationWarning", true },
	{ "PYTHONWARNINGS=all:0:antigravity.x:0:0", false },
	{ "PYTEST_ADDOPTS=-q --color=yes", true },
	{ "PYTEST_ADDOPTS=-p evil", false },
	/* git */
	{ "GIT_TRACE=1", true },
	{ "GIT_TRACE2_EVENT=/tmp/x", false },
	{ "GIT_SSH_COMMAND=ssh -o BatchMode=yes", true },
	{ "GIT_SSH_COMMAND=ssh -i ~/.ssh/deploy -o IdentitiesOnly=yes", true },
	{ "GIT_SSH_COMMAND=ssh -o ProxyCommand=x", false },
	{ "GIT_SSH_COMMAND=ssh -i x;y", false },
	{ "GIT_SSH_COMMAND=/tmp/ssh -o BatchMode=yes", false },
	{ "GIT_CONFIG_COUNT=1", true },
	{ "GIT_CONFIG_KEY_0=safe.directory", true },
	{ "GIT_CONFIG_KEY_0=core.fsmonitor", false },
	{ "GIT_CONFIG_KEY_0=url.x.insteadOf", false },
	{ "GIT_DIR=/tmp/x", false },
	{ "BASH_ENV=/tmp/x", false },
};

static void test_values(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(values); i++) {
		char name[64];
		size_t n = strcspn(values[i].variable, "=");
		struct answer a;

		snprintf(variable, sizeof(variable), "%s", placed(values[i].variable));
		snprintf(name, sizeof(name), "%.*s", (int)n, values[i].variable);
		a = ask(ASK_VARIABLE, name);
		if (a.status != ANSWER_KNOWN || (a.size == 1) != values[i].harmless)
			fail_msg("%s", placed(values[i].variable));
	}
}

/* Of a value that may be a password only the name that belongs to it is known. */
static void test_git_values(void **state)
{
	struct answer a;

	(void)state;
	variable[0] = '\0';
	snprintf(key, sizeof(key), "GIT_CONFIG_KEY_3=user.name");
	a = ask(ASK_VARIABLE, "GIT_CONFIG_VALUE_3");
	assert_int_equal(a.size, 1);
	snprintf(key, sizeof(key), "GIT_CONFIG_KEY_3=http.extraHeader");
	a = ask(ASK_VARIABLE, "GIT_CONFIG_VALUE_3");
	assert_int_equal(a.size, 0);
	a = ask(ASK_VARIABLE, "GIT_CONFIG_VALUE_4");
	assert_int_equal(a.size, 0);
	key[0] = '\0';
}

/* What names alone settle. */
static void test_rows(void **state)
{
	uint32_t row;

	(void)state;
	assert_true(environment_is_powerful(BYTES("LD_LIBRARY_PATH"), &row));
	assert_true(environment_affects(row, BYTES("LD_LIBRARY_PATH"), BYTES("ls")));
	assert_true(environment_is_powerful(BYTES("npm_config_registry"), &row));
	assert_false(environment_is_powerful(BYTES("npm_config_user_agent"), &row));
	assert_false(environment_is_powerful(BYTES("GIT_EDITOR"), &row));
	assert_false(environment_is_powerful(BYTES("CUDA_HOME"), &row));
	assert_true(environment_is_powerful(BYTES("BASH_FUNC_ls%%"), &row));
	assert_true(environment_affects(row, BYTES("BASH_FUNC_ls%%"), BYTES("ls")));
	assert_false(environment_affects(row, BYTES("BASH_FUNC_ls%%"), BYTES("lsblk")));
}

static void test_links(void **state)
{
	static const struct {
		const char *tree;
		enum answer_status status;
		uint64_t links;
		bool secret;
	} rows[] = {
		{ "%T/home/app/plain", ANSWER_KNOWN, 1, false },
		{ "%T/home/app/plain/deep", ANSWER_KNOWN, 0, false },
		{ "%T/home/app/plain/deep/x", ANSWER_KNOWN, 0, false },
		{ "%T/home/app/linked", ANSWER_KNOWN, 1, true },
		/* to a directory that holds the home's keys */
		{ "%T/home/app/up", ANSWER_KNOWN, 1, true },
		{ "%T/home/app/broken", ANSWER_KNOWN, 1, false },
		{ "%T/home/app/none", ANSWER_KNOWN, 0, false },
		{ "/proc/self", ANSWER_UNKNOWN, 0, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct answer a = ask(ASK_LINKS, placed(rows[i].tree));

		if (a.status != rows[i].status || a.size != rows[i].links ||
			((a.facts & FACT_SECRET) != 0) != rows[i].secret)
			fail_msg("%s: status %d, %u links, facts %x", rows[i].tree, a.status, (unsigned int)a.size,
				a.facts);
		evidence_answer_done(&a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_git_values),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_links),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
