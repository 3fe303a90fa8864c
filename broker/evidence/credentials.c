/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Remotes are told to the worker without the passwords that people leave in their URLs: each becomes as many letters x,
 * so that the host and path by which a destination is judged stay as they are.
 */
#include "broker/evidence/internal.h"
#include "policy/git_facts.h"

static void blot(char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = 'x';
}

/* Over ssh the name is no secret and says where one arrives; elsewhere a token may stand in its place. */
static bool is_ssh(const char *url, size_t scheme)
{
	if (scheme < 4)
		return scheme == 3 && memcmp(url, "ssh", 3) == 0;
	return memcmp(url, "ssh+", 4) == 0 || memcmp(url + scheme - 4, "+ssh", 4) == 0;
}

/* RFC 3986, 3.2: userinfo ends at the last @ of the authority, which ends at / ? or #. */
static void blot_url(char *url, size_t len)
{
	char *mark = memmem(url, len, "://", 3), *end = url + len, *query = memchr(url, '?', len);
	char *from, *at, *authority_end;

	if (mark == NULL)
		return;
	if (query != NULL)
		blot(query + 1, (size_t)(end - query - 1));
	from = authority_end = mark + 3;
	while (authority_end < end && strchr("/?#", *authority_end) == NULL)
		authority_end++;
	at = memrchr(from, '@', (size_t)(authority_end - from));
	if (at == NULL)
		return;
	if (is_ssh(url, (size_t)(mark - url))) {
		char *colon = memchr(from, ':', (size_t)(at - from));

		from = colon != NULL ? colon + 1 : at;
	}
	blot(from, (size_t)(at - from));
}

/* They point into an answer's own copy of the message. */
static void blot_all(const struct bytes *urls, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (urls[i].len > 0)
			blot_url((char *)(uintptr_t)urls[i].p, urls[i].len);
}

int hide_push_credentials(struct answer *a)
{
	struct git_push push;

	if (git_push_decode(a->detail, &push) < 0)
		return -EPROTO;
	blot_all(push.urls, push.n_urls);
	return 0;
}

int hide_facts_credentials(struct answer *a)
{
	CLEANUP(freep) struct git_facts *f = malloc(sizeof(*f));

	if (f == NULL)
		return -ENOMEM;
	if (git_facts_decode(a->detail, f) < 0)
		return -EPROTO;
	for (uint32_t i = 0; i < f->n_remotes; i++) {
		blot_all(f->remotes[i].urls, f->remotes[i].n_urls);
		blot_all(f->remotes[i].push_urls, f->remotes[i].n_push_urls);
	}
	for (uint32_t i = 0; i < f->n_rewrites; i++)
		blot_all(&f->rewrites[i].base, 1);
	return 0;
}
