/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asks a judge through the real netproc in the broker's place, and times it from before the process is started (or the
 * service is connected to) until the reply is there: model-call NETPROC|SOCKET URL CA-FILE KEY COUNT spawned|service
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>

#include "bench/calls.h"
#include "policy/judge/model.h"
#include "policy/sandbox/roles.h"
#include "policy/wire/channel.h"

enum { COUNT_MAX = 10000, PATIENCE_MS = 10000, PAUSE_MS = 30 };

struct asking {
	const char *netproc;
	bool service;
	int secrets; /* what the guard keeps the environment in */
	struct writer place, request; /* encoded once: the same is asked every time */
};

static struct bytes text(const char *s)
{
	return (struct bytes){ s, strlen(s) };
}

/* A decision of ordinary size: a command, what was made of it, two sanctioned remotes. */
static int encode_request(struct asking *a, const char *url, const char *ca)
{
	static struct bytes remotes[] = { BYTES("forge.example.net"), BYTES("github.com/acme-org/") };
	static struct bytes branches[] = { BYTES("main"), BYTES("master") };
	const struct model_request q = {
		.protocol = MODEL_JEV,
		.origin_from_file = true,
		.timeout_ms = PATIENCE_MS,
		.url = text(url),
		.model = BYTES("jev-1.13.0"),
		.session = BYTES("bench"),
		.ca_file = text(ca),
		.command = BYTES("frobnicate --all build | tee build/frobnicate.log"),
		.cwd = BYTES("/home/dev/src/app"),
		.effects = BYTES("execute frobnicate (unknown), create /home/dev/src/app/build/frobnicate.log (build)"),
		.finding = BYTES("frobnicate: the program frobnicate is not known to the gate"),
		.prompt = { .sanctioned_remotes = { remotes, ARRAY_LEN(remotes) },
			.protected_branches = { branches, ARRAY_LEN(branches) } },
		.n_keys = 1,
		.keys = { { .kind = KEY_VARIABLE, .from_file = true, .text = BYTES("BENCH_KEY") } },
	};

	struct model_request place = { .protocol = q.protocol, .timeout_ms = q.timeout_ms };

	model_place(&place, &q);
	model_request_encode(&a->place, &place);
	model_request_encode(&a->request, &q);
	return a->place.bad || a->request.bad ? -ENOMEM : 0;
}

static int keep_key(const char *key)
{
	int fd = memfd_create("environment", MFD_CLOEXEC);

	return fd < 0 || dprintf(fd, "BENCH_KEY=%s%c", key, '\0') < 0 ? -1 : fd;
}

static int connect_service(const struct asking *a)
{
	struct sockaddr_un place = { .sun_family = AF_UNIX };
	CLEANUP(close_fdp) int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (fd < 0 || strlen(a->netproc) >= sizeof(place.sun_path))
		return -1;
	memcpy(place.sun_path, a->netproc, strlen(a->netproc) + 1);
	return connect(fd, (const struct sockaddr *)(const void *)&place, sizeof(place)) < 0 ? -1 : TAKE_FD(fd);
}

static int exchange(const struct asking *a, struct channel *c)
{
	struct model_reply reply;
	struct message m;
	int rc = a->service ? channel_receive(c, &m) : channel_send(c, MSG_MODEL_PLACE, a->place.p, a->place.len, -1);

	if (rc == 0)
		rc = channel_send(c, MSG_MODEL_REQUEST, a->request.p, a->request.len, -1);
	if (rc == 0)
		rc = channel_receive_until(c, clock_ms() + PATIENCE_MS, &m);
	if (rc == 0 && m.type == MSG_MODEL_FAILED)
		fprintf(stderr, "model-call: %s\n", model_failure_text((enum model_failure)(unsigned char)m.body.p[0]));
	if (rc != 0 || m.type != MSG_MODEL_REPLY || model_reply_decode(m.body, &reply) < 0)
		return -EPROTO;
	return reply.status == 200 && reply.body.len > 0 ? 0 : -EPROTO;
}

/* Microseconds, or below 0. */
static double time_one(const struct asking *a)
{
	CLEANUP(channel_done) struct channel c;
	double from = now_us(), took;
	int fd = -1, rc;
	pid_t pid = 0;

	if (a->service)
		fd = connect_service(a);
	else if (start_netproc(a->netproc, a->secrets, &pid, &fd) < 0)
		return -1;
	channel_init(&c, fd, ROLE_BROKER, ROLE_NETPROC);
	rc = fd < 0 ? -ENOTCONN : exchange(a, &c);
	took = now_us() - from;
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return rc < 0 ? -1 : took;
}

int main(int argc, char **argv)
{
	static double us[COUNT_MAX];
	struct asking a = { .secrets = -1 };
	size_t n = argc == 7 ? (size_t)strtoul(argv[5], NULL, 10) : 0;
	int rc = 0;

	if (n == 0 || n > COUNT_MAX) {
		fputs("usage: model-call NETPROC|SOCKET URL CA-FILE KEY COUNT spawned|service\n", stderr);
		return 64;
	}
	a.netproc = argv[1];
	a.service = strcmp(argv[6], "service") == 0;
	a.secrets = keep_key(argv[4]);
	if (a.secrets < 0 || encode_request(&a, argv[2], argv[3]) < 0)
		rc = 1;
	for (size_t i = 0; i < n && rc == 0; i++) {
		const struct timespec apart = { .tv_nsec = PAUSE_MS * 1000000L };

		/* As calls come: a service has made the next connection ready by then. */
		nanosleep(&apart, NULL);
		us[i] = time_one(&a);
		if (us[i] < 0) {
			fputs("model-call: a call failed\n", stderr);
			rc = 1;
		}
	}
	if (rc == 0)
		print_percentiles(us, n);
	wr_done(&a.place);
	wr_done(&a.request);
	return rc;
}
