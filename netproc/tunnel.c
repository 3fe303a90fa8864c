/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes between a socket pair and a TLS connection of libcurl's. */
#include "netproc/tunnel.h"

#include <sys/socket.h>

enum { PIECE = 16 * 1024 /* a TLS record's worth */ };

struct piece {
	size_t from, to; /* what is still to be moved on */
	char p[PIECE];
};

struct tunnel {
	CURLM *multi;
	CURL *easy;
	int near, far; /* owned, or -1 */
	struct piece out, in;
	bool ended, torn;
};

int tunnel_new(struct tunnel **ret)
{
	CLEANUP(tunnel_done) struct tunnel *t = calloc(1, sizeof(*t));
	int pair[2];

	if (t == NULL)
		return -ENOMEM;
	t->near = t->far = -1;
	t->multi = curl_multi_init();
	t->easy = curl_easy_init();
	if (t->multi == NULL || t->easy == NULL)
		return -ENOMEM;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) < 0)
		return -errno;
	t->near = pair[0];
	t->far = pair[1];
	*ret = TAKE_PTR(t);
	return 0;
}

void tunnel_done(struct tunnel **t)
{
	if (*t == NULL)
		return;
	if ((*t)->easy != NULL && (*t)->multi != NULL)
		curl_multi_remove_handle((*t)->multi, (*t)->easy);
	if ((*t)->easy != NULL)
		curl_easy_cleanup((*t)->easy);
	if ((*t)->multi != NULL)
		curl_multi_cleanup((*t)->multi);
	close_fdp(&(*t)->near);
	close_fdp(&(*t)->far);
	explicit_bzero(*t, sizeof(**t)); /* the key went through it */
	free(*t);
}

CURL *tunnel_handle(const struct tunnel *t)
{
	return t->easy;
}

CURLM *tunnel_multi(const struct tunnel *t)
{
	return t->multi;
}

int tunnel_near_end(struct tunnel *t)
{
	return TAKE_FD(t->near);
}

int tunnel_fd(const struct tunnel *t)
{
	curl_socket_t fd = CURL_SOCKET_BAD;

	return curl_easy_getinfo(t->easy, CURLINFO_ACTIVESOCKET, &fd) == CURLE_OK && fd != CURL_SOCKET_BAD ? fd : -1;
}

bool tunnel_stands(struct tunnel *t)
{
	char byte;
	size_t n = 0;

	return curl_easy_recv(t->easy, &byte, sizeof(byte), &n) == CURLE_AGAIN;
}

static bool is_empty(const struct piece *p)
{
	return p->from == p->to;
}

static void hold(struct piece *p, size_t n)
{
	p->from = 0;
	p->to = n;
}

static bool take_near(struct tunnel *t)
{
	ssize_t n;

	if (!is_empty(&t->out) || t->far < 0)
		return false;
	n = recv(t->far, t->out.p, sizeof(t->out.p), MSG_DONTWAIT);
	if (n <= 0)
		return false; /* the transfer has closed its end: curl says so, too */
	hold(&t->out, (size_t)n);
	return true;
}

static bool give_far(struct tunnel *t)
{
	size_t n = 0;
	CURLcode code;

	if (is_empty(&t->out))
		return false;
	code = curl_easy_send(t->easy, t->out.p + t->out.from, t->out.to - t->out.from, &n);
	if (code == CURLE_OK) {
		t->out.from += n;
		return n > 0;
	}
	if (code == CURLE_AGAIN)
		return false;
	t->ended = t->torn = true;
	t->out.from = t->out.to;
	return true;
}

static bool take_far(struct tunnel *t)
{
	size_t n = 0;
	CURLcode code;

	if (!is_empty(&t->in) || t->ended)
		return false;
	code = curl_easy_recv(t->easy, t->in.p, sizeof(t->in.p), &n);
	if (code == CURLE_AGAIN)
		return false;
	t->ended = code != CURLE_OK || n == 0;
	t->torn = code != CURLE_OK;
	hold(&t->in, t->ended ? 0 : n);
	return true;
}

static bool give_near(struct tunnel *t)
{
	ssize_t n;

	if (is_empty(&t->in)) {
		bool closes = t->ended && t->far >= 0;

		if (closes) {
			close_fdp(&t->far);
			t->far = -1;
		}
		return closes;
	}
	n = t->far < 0 ? -1 : send(t->far, t->in.p + t->in.from, t->in.to - t->in.from, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (n > 0)
		t->in.from += (size_t)n;
	return n > 0;
}

bool tunnel_move(struct tunnel *t)
{
	bool moved = take_near(t);

	moved = give_far(t) || moved;
	moved = take_far(t) || moved;
	return give_near(t) || moved;
}

static void wait_for(struct curl_waitfd *e, int fd, bool in, bool out)
{
	*e = (struct curl_waitfd){ .fd = fd, .events = (short)((in ? CURL_WAIT_POLLIN : 0) | (out ? CURL_WAIT_POLLOUT : 0)) };
}

unsigned int tunnel_ends(const struct tunnel *t, struct curl_waitfd ends[TUNNEL_ENDS])
{
	int fd = t->ended ? -1 : tunnel_fd(t);
	unsigned int n = 0;

	if (t->far >= 0)
		wait_for(&ends[n++], t->far, is_empty(&t->out), !is_empty(&t->in));
	if (fd >= 0)
		wait_for(&ends[n++], fd, is_empty(&t->in), !is_empty(&t->out));
	return n;
}

bool tunnel_is_torn(const struct tunnel *t)
{
	return t->torn;
}
