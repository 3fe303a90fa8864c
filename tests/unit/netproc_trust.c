/* SPDX-License-Identifier: Apache-2.0 */
/* The trust store that is read as it is asked: who is verified by it, who is not, and how much of it was read for that. */
#include "netproc/trust.h"

#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { MANY = 60, YEAR_S = 365 * 86400 };

struct party {
	X509 *certificate;
	EVP_PKEY *key;
};

static void set_name(X509_NAME *name, const char *common, int type)
{
	assert_int_equal(X509_NAME_add_entry_by_NID(name, NID_organizationName, type,
		(const unsigned char *)"Trust tests", -1, -1, 0), 1);
	assert_int_equal(X509_NAME_add_entry_by_NID(name, NID_commonName, type, (const unsigned char *)common, -1, -1,
		0), 1);
}

static void extend(X509 *x, X509 *by, int nid, const char *value)
{
	X509V3_CTX about;
	X509_EXTENSION *e;

	X509V3_set_ctx(&about, by, x, NULL, NULL, 0);
	e = X509V3_EXT_nconf_nid(NULL, &about, nid, value);
	assert_non_null(e);
	assert_int_equal(X509_add_ext(x, e, -1), 1);
	X509_EXTENSION_free(e);
}

/* Signed by itself where `by` is NULL; its issuer named `spelled` in strings of this kind, where that is not NULL. */
static struct party issue_spelled(const char *common, bool ca, const struct party *by, const char *spelled, int kind)
{
	static long serial;
	struct party p = { X509_new(), EVP_EC_gen("P-256") };
	X509_NAME *other = X509_NAME_new();

	assert_non_null(p.certificate);
	assert_non_null(p.key);
	X509_set_version(p.certificate, X509_VERSION_3);
	ASN1_INTEGER_set(X509_get_serialNumber(p.certificate), ++serial);
	X509_gmtime_adj(X509_getm_notBefore(p.certificate), -86400);
	X509_gmtime_adj(X509_getm_notAfter(p.certificate), YEAR_S);
	set_name(X509_get_subject_name(p.certificate), common, MBSTRING_UTF8);
	X509_set_issuer_name(p.certificate, X509_get_subject_name(by != NULL ? by->certificate : p.certificate));
	if (spelled != NULL) {
		set_name(other, spelled, kind);
		X509_set_issuer_name(p.certificate, other);
	}
	X509_set_pubkey(p.certificate, p.key);
	extend(p.certificate, NULL, NID_basic_constraints, ca ? "critical,CA:TRUE" : "critical,CA:FALSE");
	extend(p.certificate, NULL, NID_subject_key_identifier, "hash");
	if (by != NULL)
		extend(p.certificate, by->certificate, NID_authority_key_identifier, "keyid:always");
	assert_true(X509_sign(p.certificate, by != NULL ? by->key : p.key, EVP_sha256()) > 0);
	X509_NAME_free(other);
	return p;
}

static struct party issue(const char *common, bool ca, const struct party *by)
{
	return issue_spelled(common, ca, by, NULL, 0);
}

static void party_done(struct party *p)
{
	X509_free(p->certificate);
	EVP_PKEY_free(p->key);
}

#define PARTY CLEANUP(party_done) struct party

static void bio_done(BIO **b)
{
	BIO_free(*b);
}

#define BUNDLE CLEANUP(bio_done) BIO *

static void put(BIO *bundle, const struct party *p)
{
	assert_int_equal(PEM_write_bio_X509(bundle, p->certificate), 1);
}

/* Certificates that have nothing to do with it. */
static void put_others(BIO *bundle, int n)
{
	for (int i = 0; i < n; i++) {
		char name[32];

		(void)snprintf(name, sizeof(name), "Other root %d", i);
		PARTY other = issue(name, true, NULL);

		put(bundle, &other);
	}
}

/* Is `server`, who sends `between` along, verified? *ret_read: how many certificates were read for it. */
static bool verifies(BIO *bundle, const struct party *server, const struct party *between, size_t *ret_read)
{
	CLEANUP(trust_done) struct trust *t = NULL;
	SSL_CTX *ctx = SSL_CTX_new(TLS_client_method());
	X509_STORE_CTX *chain = X509_STORE_CTX_new();
	STACK_OF(X509) *sent = sk_X509_new_null();
	char *text;
	long len = BIO_get_mem_data(bundle, &text);
	bool ok;

	if (between != NULL)
		sk_X509_push(sent, between->certificate);
	assert_int_equal(trust_new((struct bytes){ text, (size_t)len }, &t), 0);
	assert_true(trust_impose(t, ctx));
	assert_int_equal(X509_STORE_CTX_init(chain, SSL_CTX_get_cert_store(ctx), server->certificate, sent), 1);
	X509_STORE_CTX_set_default(chain, "ssl_server");
	ok = X509_verify_cert(chain) == 1;
	(void)trust_count(t, ret_read);
	X509_STORE_CTX_free(chain);
	sk_X509_free(sent);
	SSL_CTX_free(ctx);
	return ok;
}

static void test_reads_what_a_chain_needs(void **state)
{
	PARTY root = issue("Our root", true, NULL), middle = issue("Our middle", true, &root);
	PARTY server = issue("server", false, &middle);
	BUNDLE bundle = BIO_new(BIO_s_mem());
	size_t read;

	(void)state;
	put_others(bundle, MANY / 2);
	put(bundle, &root);
	put_others(bundle, MANY / 2);
	assert_true(verifies(bundle, &server, &middle, &read));
	assert_int_equal(read, 1);
	/* Without what is between them nothing leads from one to the other. */
	assert_false(verifies(bundle, &server, NULL, &read));
	assert_int_equal(read, 0);
}

static void test_trusts_nobody_else(void **state)
{
	PARTY root = issue("Our root", true, NULL), false_root = issue("Our root", true, NULL);
	PARTY stranger = issue("A stranger", true, NULL);
	PARTY server = issue("server", false, &stranger), forged = issue("server", false, &false_root);
	BUNDLE bundle = BIO_new(BIO_s_mem());
	BUNDLE empty = BIO_new(BIO_s_mem());
	size_t read;

	(void)state;
	put_others(bundle, 3);
	put(bundle, &root);
	assert_false(verifies(bundle, &server, &stranger, &read));
	/* The name is right, and so it is read; the signature is another's. */
	assert_false(verifies(bundle, &forged, NULL, &read));
	assert_int_equal(read, 1);
	assert_false(verifies(empty, &server, &stranger, &read));
	assert_int_equal(read, 0);
}

static void test_roots_of_one_name(void **state)
{
	PARTY first = issue("Our root", true, NULL), second = issue("Our root", true, NULL);
	PARTY third = issue("Our root", true, NULL);
	struct party *const roots[] = { &first, &second, &third };
	size_t read;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(roots); i++) {
		PARTY server = issue("server", false, roots[i]);
		BUNDLE bundle = BIO_new(BIO_s_mem());

		for (size_t k = 0; k < ARRAY_LEN(roots); k++)
			put(bundle, roots[k]);
		assert_true(verifies(bundle, &server, NULL, &read));
		assert_int_equal(read, ARRAY_LEN(roots));
	}
}

/* RFC 5280 section 7.1: the kind of string, case and runs of blanks make no other name. */
static void test_names_in_another_spelling(void **state)
{
	static const struct {
		const char *common;
		int kind; /* MBSTRING_: whichever the text needs; V_ASN1_: these bytes */
		bool same;
	} names[] = {
		{ "Our root", V_ASN1_PRINTABLESTRING, true },
		{ "Our root", V_ASN1_T61STRING, true },
		{ "OUR  root ", V_ASN1_PRINTABLESTRING, true },
		{ " our rOOt", V_ASN1_UTF8STRING, true },
		{ "Our boot", V_ASN1_PRINTABLESTRING, false },
		{ "Ourroot", V_ASN1_UTF8STRING, false }, /* of the same letters */
		{ "Our torO", V_ASN1_UTF8STRING, false },
		{ "Our-root", V_ASN1_UTF8STRING, false },
		{ "Our root 2", V_ASN1_UTF8STRING, false },
	};
	PARTY root = issue("Our root", true, NULL);
	size_t read;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		PARTY server = issue_spelled("server", false, &root, names[i].common, names[i].kind);
		BUNDLE bundle = BIO_new(BIO_s_mem());

		put_others(bundle, 3);
		put(bundle, &root);
		assert_int_equal(verifies(bundle, &server, NULL, &read), names[i].same);
		assert_int_equal(read, names[i].same);
	}
}

/* What is wider than a byte is compared as OpenSSL reads it. */
static void test_names_of_wide_characters(void **state)
{
	static const char wide[] = "\0O\0u\0r\0 \0r\0o\0o\0t";
	PARTY root = issue("Our root", true, NULL);
	PARTY server = issue("server", false, &root);
	BUNDLE bundle = BIO_new(BIO_s_mem());
	X509_NAME *name = X509_NAME_new();
	size_t read;

	(void)state;
	assert_int_equal(X509_NAME_add_entry_by_NID(name, NID_organizationName, MBSTRING_UTF8,
		(const unsigned char *)"Trust tests", -1, -1, 0), 1);
	assert_int_equal(X509_NAME_add_entry_by_NID(name, NID_commonName, V_ASN1_BMPSTRING, (const unsigned char *)wide,
		sizeof(wide) - 1, -1, 0), 1);
	X509_set_issuer_name(server.certificate, name);
	assert_true(X509_sign(server.certificate, root.key, EVP_sha256()) > 0);
	X509_NAME_free(name);
	put_others(bundle, 3);
	put(bundle, &root);
	assert_true(verifies(bundle, &server, NULL, &read));
	assert_int_equal(read, 1);
}

/* Somebody who trusts an authority below a root trusts that one. */
static void test_anchor_below_a_root(void **state)
{
	PARTY root = issue("Our root", true, NULL), middle = issue("Our middle", true, &root);
	PARTY server = issue("server", false, &middle);
	BUNDLE bundle = BIO_new(BIO_s_mem());
	size_t read;

	(void)state;
	put(bundle, &middle);
	assert_true(verifies(bundle, &server, NULL, &read));
	assert_int_equal(read, 1);
}

static void test_passes_over_what_is_no_certificate(void **state)
{
	static const char *const odd[] = {
		"words of a person\n",
		"-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA\n-----END PUBLIC KEY-----\n",
		"-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n",
		"-----BEGIN CERTIFICATE-----\nMIIBozCCAUmgAwIBAgIU\n", /* without its end */
		"-----BEGIN CERTIFICATE----- MIIBozCCAUmgAwIBAgIU", /* the same, in the middle of a line */
		"-----BEGIN CERTIFICATE-----\nMIIB\n-----END TRUSTED CERTIFICATE-----\n",
		"-----BEGIN CERTIFICATE-----\nMII!\n-----END CERTIFICATE-----\n",
		"-----END CERTIFICATE-----\n",
		"-----BEGIN \n",
		"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n", /* an element longer than what there is */
		"-----BEGIN CERTIFICATE-----\nMIAAAAAA\n-----END CERTIFICATE-----\n", /* of indefinite length: no DER */
		"-----BEGIN CERTIFICATE-----\nMAIwAA==\n-----END CERTIFICATE-----\n", /* without any of the fields */
	};
	PARTY root = issue("Our root", true, NULL), server = issue("server", false, &root);
	size_t read;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(odd); i++) {
		BUNDLE bundle = BIO_new(BIO_s_mem());

		BIO_puts(bundle, odd[i]);
		BIO_puts(bundle, "\n");
		put(bundle, &root);
		BIO_puts(bundle, odd[i]);
		assert_true(verifies(bundle, &server, NULL, &read));
		assert_int_equal(read, 1);
	}
}

/* As editors and mail leave them: RFC 7468 section 3 has all of these read. */
static void test_other_line_ends(void **state)
{
	PARTY root = issue("Our root", true, NULL), server = issue("server", false, &root);
	BUNDLE bundle = BIO_new(BIO_s_mem());
	char *text;
	long len;
	size_t read;

	(void)state;
	put(bundle, &root);
	len = BIO_get_mem_data(bundle, &text);
	for (int form = 0; form < 3; form++) {
		BUNDLE other = BIO_new(BIO_s_mem());

		for (long i = 0; i < len; i++) {
			if (text[i] != '\n')
				BIO_write(other, text + i, 1);
			else if (form < 2)
				BIO_puts(other, form == 0 ? "\r\n" : " \t\n");
			else if (text[i - 1] == '-' || text[i + 1] == '-')
				BIO_puts(other, "\n"); /* the base64 as one line */
		}
		assert_true(verifies(other, &server, NULL, &read));
	}
}

/* Every beginning of a bundle is one: nothing is read past its end, and no root that is not whole counts. */
static void test_torn_anywhere(void **state)
{
	PARTY root = issue("Our root", true, NULL), server = issue("server", false, &root);
	BUNDLE bundle = BIO_new(BIO_s_mem());
	char *text;
	long len;
	size_t read;

	(void)state;
	put(bundle, &root);
	len = BIO_get_mem_data(bundle, &text);
	for (long n = 0; n < len - 1; n++) {
		BUNDLE torn = BIO_new(BIO_s_mem());

		assert_int_equal(BIO_write(torn, text, (int)n), n);
		assert_false(verifies(torn, &server, NULL, &read));
	}
	assert_true(verifies(bundle, &server, NULL, &read));
}

/* x509(1), trust settings: what a certificate of this form says it is not for, it is not for. */
static void test_heeds_what_a_root_is_not_for(void **state)
{
	PARTY root = issue("Our root", true, NULL), server = issue("server", false, &root);
	ASN1_OBJECT *const uses[] = { OBJ_nid2obj(NID_client_auth), OBJ_nid2obj(NID_server_auth) };
	size_t read;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(uses); i++) {
		BUNDLE bundle = BIO_new(BIO_s_mem());

		assert_int_equal(X509_add1_reject_object(root.certificate, uses[i]), 1);
		assert_int_equal(PEM_write_bio_X509_AUX(bundle, root.certificate), 1);
		assert_int_equal(verifies(bundle, &server, NULL, &read), i == 0);
		assert_int_equal(read, 1);
	}
}

/* As where one bundle was appended to another. Of the two forms the first holds, as where OpenSSL reads them all. */
static void test_one_root_twice(void **state)
{
	PARTY root = issue("Our root", true, NULL), server = issue("server", false, &root);
	BUNDLE bundle = BIO_new(BIO_s_mem());
	BUNDLE refused = BIO_new(BIO_s_mem());
	size_t read;

	(void)state;
	put(bundle, &root);
	put(bundle, &root);
	assert_true(verifies(bundle, &server, NULL, &read));
	assert_int_equal(read, 2);
	assert_int_equal(X509_add1_reject_object(root.certificate, OBJ_nid2obj(NID_server_auth)), 1);
	assert_int_equal(PEM_write_bio_X509_AUX(refused, root.certificate), 1);
	put(refused, &root);
	assert_false(verifies(refused, &server, NULL, &read));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads_what_a_chain_needs),
		cmocka_unit_test(test_trusts_nobody_else),
		cmocka_unit_test(test_roots_of_one_name),
		cmocka_unit_test(test_names_in_another_spelling),
		cmocka_unit_test(test_names_of_wide_characters),
		cmocka_unit_test(test_anchor_below_a_root),
		cmocka_unit_test(test_other_line_ends),
		cmocka_unit_test(test_passes_over_what_is_no_certificate),
		cmocka_unit_test(test_torn_anywhere),
		cmocka_unit_test(test_heeds_what_a_root_is_not_for),
		cmocka_unit_test(test_one_root_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
