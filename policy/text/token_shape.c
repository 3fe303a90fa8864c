/* SPDX-License-Identifier: Apache-2.0 */
/* Prefixes that issuers document, so that leaked tokens can be found. */
#include "policy/text/token_shape.h"

struct shape {
	const char *prefix;
	size_t min; /* characters that must follow */
	const char *also; /* besides letters and digits */
};

static const struct shape shapes[] = {
	{ "sk-", 20, "_-" },
	{ "sk_live_", 16, "" },
	{ "sk_test_", 16, "" },
	{ "rk_live_", 16, "" },
	{ "whsec_", 20, "+/=" },
	{ "ghp_", 20, "" },
	{ "gho_", 20, "" },
	{ "ghu_", 20, "" },
	{ "ghs_", 20, "" },
	{ "ghr_", 20, "" },
	{ "github_pat_", 20, "_" },
	{ "glpat-", 16, "_-" },
	{ "gldt-", 16, "_-" },
	{ "AKIA", 16, "" },
	{ "ASIA", 16, "" },
	{ "AIza", 30, "_-" },
	{ "GOCSPX-", 20, "_-" },
	{ "ya29.", 20, "_-" },
	{ "xoxa-", 10, "-" },
	{ "xoxb-", 10, "-" },
	{ "xoxe-", 10, "-" },
	{ "xoxo-", 10, "-" },
	{ "xoxp-", 10, "-" },
	{ "xoxr-", 10, "-" },
	{ "xoxs-", 10, "-" },
	{ "xapp-", 10, "-" },
	{ "npm_", 30, "" },
	{ "pypi-", 30, "_-" },
	{ "hf_", 30, "" },
	{ "gsk_", 30, "" },
	{ "dop_v1_", 30, "" },
	{ "dckr_pat_", 20, "_-" },
	{ "glsa_", 20, "_" },
	{ "shpat_", 20, "" },
	{ "lin_api_", 20, "" },
	{ "tskey-", 16, "-" },
	{ "hvs.", 20, "_-" },
	{ "SG.", 30, "._-" },
	{ "AGE-SECRET-KEY-1", 40, "" },
	{ "eyJ", 30, "._-" }, /* a JSON web token: base64 of {" */
};

static size_t run_of(const char *p, size_t len, const char *also)
{
	size_t n = 0;

	while (n < len && p[n]) {
		char c = p[n];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr(also, c)))
			break;
		n++;
	}
	return n;
}

size_t token_shape(const char *p, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
		size_t n, run;

		if (len == 0 || p[0] != shapes[i].prefix[0])
			continue;
		n = strlen(shapes[i].prefix);
		if (len < n || memcmp(p, shapes[i].prefix, n) != 0)
			continue;
		run = run_of(p + n, len - n, shapes[i].also);
		if (run >= shapes[i].min)
			return n + run;
	}
	return 0;
}
