/* SPDX-License-Identifier: Apache-2.0 */
/* A trust store that is read as it is asked: OpenSSL verifies, and what is found here it verifies as any other. */
#include "netproc/trust.h"

#include <limits.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

enum { CERTIFICATES_MAX = 4096, TBS_FIELDS_BEFORE_SUBJECT = 4 /* serialNumber, signature, issuer, validity */ };

struct certificate {
	unsigned char *der; /* OpenSSL's to free; owned */
	long len;
	bool aux; /* a TRUSTED CERTIFICATE: what it may be used for follows it */
	struct bytes subject; /* in der */
	X509_NAME *name; /* of the subject, once it was compared by meaning; owned */
	bool in_store;
};

struct trust {
	struct certificate *list; /* owned */
	size_t n, cap, n_read;
	X509_LOOKUP_METHOD *method; /* owned */
};

void trust_done(struct trust **t)
{
	if (*t == NULL)
		return;
	for (size_t i = 0; i < (*t)->n; i++) {
		OPENSSL_free((*t)->list[i].der);
		X509_NAME_free((*t)->list[i].name);
	}
	X509_LOOKUP_meth_free((*t)->method);
	free((*t)->list);
	free(*t);
}

/* The next element of DER: *at moves to its content if it is of this kind, which is then looked into, else past it. */
static bool step(const unsigned char **at, const unsigned char **end, int class, int tag, bool into)
{
	const unsigned char *p = *at;
	long len;
	int is_tag, is_class;
	int rc = ASN1_get_object(&p, &len, &is_tag, &is_class, *end - p);

	if ((rc & 0x80) != 0 || (rc & 1) != 0 || is_tag != tag || is_class != class)
		return false;
	if (into)
		*end = p + len;
	*at = into ? p : p + len;
	return true;
}

/* RFC 5280 section 4.1: Certificate and TBSCertificate are SEQUENCEs; version is there or not. */
static bool find_subject(struct certificate *c)
{
	const unsigned char *at = c->der, *end = c->der + c->len, *start;

	if (!step(&at, &end, V_ASN1_UNIVERSAL, V_ASN1_SEQUENCE, true) ||
	    !step(&at, &end, V_ASN1_UNIVERSAL, V_ASN1_SEQUENCE, true))
		return false;
	(void)step(&at, &end, V_ASN1_CONTEXT_SPECIFIC, 0, false);
	for (int i = 0; i < TBS_FIELDS_BEFORE_SUBJECT; i++)
		if (!step(&at, &end, V_ASN1_UNIVERSAL, i == 0 ? V_ASN1_INTEGER : V_ASN1_SEQUENCE, false))
			return false;
	start = at;
	if (!step(&at, &end, V_ASN1_UNIVERSAL, V_ASN1_SEQUENCE, false))
		return false;
	c->subject = (struct bytes){ (const char *)start, (size_t)(at - start) };
	return true;
}

static bool is_certificate(const char *label, bool *ret_aux)
{
	*ret_aux = strcmp(label, PEM_STRING_X509_TRUSTED) == 0;
	return *ret_aux || strcmp(label, PEM_STRING_X509) == 0 || strcmp(label, PEM_STRING_X509_OLD) == 0;
}

static int add(struct trust *t, struct certificate *c)
{
	if (t->n == t->cap) {
		size_t cap = t->cap == 0 ? 256 : 2 * t->cap;
		struct certificate *longer = reallocarray(t->list, cap, sizeof(*longer));

		if (longer == NULL)
			return -ENOMEM;
		t->list = longer;
		t->cap = cap;
	}
	t->list[t->n++] = *c;
	c->der = NULL;
	return 0;
}

/* One block of the text, of which at least a line is consumed. 0, 1: there is none left; -ENOMEM. */
static int take_block(struct trust *t, BIO *text)
{
	char *label = NULL, *header = NULL;
	struct certificate c = { 0 };
	bool whole = PEM_read_bio(text, &label, &header, &c.der, &c.len) == 1;
	int err = !whole && ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE ? 1 : 0;

	if (whole && is_certificate(label, &c.aux) && find_subject(&c))
		err = add(t, &c);
	OPENSSL_free(label);
	OPENSSL_free(header);
	OPENSSL_free(c.der);
	return err;
}

static void free_text(BIO **text)
{
	BIO_free(*text);
}

static bool same_name(struct certificate *c, const X509_NAME *wanted)
{
	const unsigned char *p = (const unsigned char *)c->subject.p;

	if (c->name == NULL)
		c->name = d2i_X509_NAME(NULL, &p, (long)c->subject.len);
	return c->name != NULL && X509_NAME_cmp(c->name, wanted) == 0;
}

/* Into the store, which keeps it. The certificate, the store's; or NULL. */
static X509 *read_certificate(struct trust *t, struct certificate *c, X509_STORE *store)
{
	const unsigned char *p = c->der;
	X509 *x = c->aux ? d2i_X509_AUX(NULL, &p, c->len) : d2i_X509(NULL, &p, c->len);
	bool kept = x != NULL && X509_STORE_add_cert(store, x) == 1;

	X509_free(x);
	c->in_store = true;
	t->n_read += kept;
	return kept ? x : NULL;
}

/* All of one subject: which of them signed is for OpenSSL to find out. */
static X509 *read_all(struct trust *t, struct bytes der, const X509_NAME *name, X509_STORE *store)
{
	X509 *found = NULL;

	for (size_t i = 0; i < t->n; i++) {
		struct certificate *c = &t->list[i];

		if (!c->in_store && (name != NULL ? same_name(c, name) : bytes_eq(c->subject, der))) {
			X509 *x = read_certificate(t, c, store);

			found = x != NULL ? x : found;
		}
	}
	return found;
}

/* Whoever asked takes a reference of its own, and leaves us with the one that set1 took: X509_LOOKUP_meth_new(3). */
static int hand_over(X509 *x, X509_OBJECT *ret)
{
	if (x == NULL || X509_OBJECT_set1_X509(ret, x) != 1)
		return 0;
	X509_free(x);
	return 1;
}

/*
 * A subject is spelled in a certificate as in those it signed (RFC 5280 section 4.1.2.6); where it is not, the same
 * name in another spelling is as good.
 */
static int by_subject(X509_LOOKUP *lookup, X509_LOOKUP_TYPE type, const X509_NAME *name, X509_OBJECT *ret)
{
	struct trust *t = X509_LOOKUP_get_method_data(lookup);
	X509_STORE *store = X509_LOOKUP_get_store(lookup);
	unsigned char *der = NULL;
	X509 *x;
	int n;

	if (type != X509_LU_X509)
		return 0;
	/* What cannot be read is not trusted, and that is all: it is no error of the chain that asked. */
	ERR_set_mark();
	n = i2d_X509_NAME(name, &der);
	x = n > 0 ? read_all(t, (struct bytes){ (const char *)der, (size_t)n }, NULL, store) : NULL;
	if (x == NULL)
		x = read_all(t, (struct bytes){ 0 }, name, store);
	OPENSSL_free(der);
	ERR_pop_to_mark();
	return hand_over(x, ret);
}

static int make_method(struct trust *t)
{
	t->method = X509_LOOKUP_meth_new("certificates, read as they are asked for");
	return t->method != NULL && X509_LOOKUP_meth_set_get_by_subject(t->method, by_subject) == 1 ? 0 : -ENOMEM;
}

int trust_new(struct bytes pem, struct trust **ret)
{
	CLEANUP(trust_done) struct trust *t = calloc(1, sizeof(*t));
	CLEANUP(free_text) BIO *text = pem.len > INT_MAX ? NULL : BIO_new_mem_buf(pem.len > 0 ? pem.p : "", (int)pem.len);
	int err = t == NULL || text == NULL ? -ENOMEM : make_method(t);

	while (err == 0 && t->n < CERTIFICATES_MAX && BIO_eof(text) == 0)
		err = take_block(t, text);
	if (err < 0)
		return err;
	ERR_clear_error();
	*ret = TAKE_PTR(t);
	return 0;
}

/* How a chain is built libcurl says as well, of the store that this one takes the place of. */
bool trust_impose(struct trust *t, SSL_CTX *ctx)
{
	X509_STORE *store = X509_STORE_new();
	X509_LOOKUP *lookup = store != NULL ? X509_STORE_add_lookup(store, t->method) : NULL;

	if (lookup == NULL || X509_LOOKUP_set_method_data(lookup, t) != 1 ||
	    X509_STORE_set_flags(store, X509_V_FLAG_TRUSTED_FIRST | X509_V_FLAG_PARTIAL_CHAIN) != 1) {
		X509_STORE_free(store);
		return false;
	}
	SSL_CTX_set_cert_store(ctx, store);
	return true;
}

size_t trust_count(const struct trust *t, size_t *ret_read)
{
	*ret_read = t->n_read;
	return t->n;
}
