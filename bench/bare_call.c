/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The floor of the model rows: what libcurl alone takes to send a body over TLS and have the answer, a new connection
 * each time, or one that is kept: bare-call URL CA-FILE BODY-FILE KEY COUNT new|kept
 */
#include <curl/curl.h>
#include <stdio.h>

#include "bench/calls.h"

enum { COUNT_MAX = 10000, BODY_MAX = 1 << 20 };

struct request {
	const char *url, *ca;
	char body[BODY_MAX];
	struct curl_slist *headers;
};

static size_t count_body(char *p, size_t size, size_t n, void *data)
{
	(void)p;
	*(size_t *)data += size * n;
	return size * n;
}

static CURL *prepare(const struct request *r, size_t *got)
{
	CURL *c = curl_easy_init();

	if (c == NULL || curl_easy_setopt(c, CURLOPT_URL, r->url) != CURLE_OK ||
		curl_easy_setopt(c, CURLOPT_CAINFO, r->ca) != CURLE_OK ||
		curl_easy_setopt(c, CURLOPT_HTTPHEADER, r->headers) != CURLE_OK ||
		curl_easy_setopt(c, CURLOPT_POSTFIELDS, r->body) != CURLE_OK ||
		curl_easy_setopt(c, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) != CURLE_OK ||
		curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, count_body) != CURLE_OK ||
		curl_easy_setopt(c, CURLOPT_WRITEDATA, got) != CURLE_OK)
		return NULL;
	return c;
}

/* Microseconds, or below 0. */
static double time_one(const struct request *r, CURL **kept)
{
	double from = now_us();
	size_t got = 0;
	long status = 0;
	CURL *c = *kept != NULL ? *kept : prepare(r, &got);

	if (c == NULL || curl_easy_setopt(c, CURLOPT_WRITEDATA, &got) != CURLE_OK || curl_easy_perform(c) != CURLE_OK ||
		curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &status) != CURLE_OK || status != 200 || got == 0)
		return -1;
	if (*kept == NULL)
		curl_easy_cleanup(c);
	return now_us() - from;
}

static bool read_body(const char *path, struct request *r)
{
	FILE *f = fopen(path, "re");
	size_t n = f != NULL ? fread(r->body, 1, BODY_MAX - 1, f) : 0;

	if (f != NULL)
		fclose(f);
	r->body[n] = '\0';
	return n > 0;
}

int main(int argc, char **argv)
{
	static double us[COUNT_MAX];
	static struct request r;
	char key[256];
	size_t got = 0, n = argc == 7 ? (size_t)strtoul(argv[5], NULL, 10) : 0;
	CURL *kept = NULL;

	if (n == 0 || n > COUNT_MAX || curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK || !read_body(argv[3], &r)) {
		fputs("usage: bare-call URL CA-FILE BODY-FILE KEY COUNT new|kept\n", stderr);
		return 64;
	}
	r.url = argv[1];
	r.ca = argv[2];
	(void)snprintf(key, sizeof(key), "Authorization: Bearer %s", argv[4]);
	r.headers = curl_slist_append(curl_slist_append(NULL, key), "Content-Type: application/json");
	if (strcmp(argv[6], "kept") == 0) {
		kept = prepare(&r, &got);
		if (kept == NULL || time_one(&r, &kept) < 0)
			return 1;
	}
	for (size_t i = 0; i < n; i++) {
		us[i] = time_one(&r, &kept);
		if (us[i] < 0) {
			fputs("bare-call: a call failed\n", stderr);
			return 1;
		}
	}
	print_percentiles(us, n);
	if (kept != NULL)
		curl_easy_cleanup(kept);
	curl_slist_free_all(r.headers);
	return 0;
}
