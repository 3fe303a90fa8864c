/* SPDX-License-Identifier: Apache-2.0 */
/* A trust store that is read as it is asked: OpenSSL verifies, and what is found here it verifies as any other. */
#include "netproc/trust.h"

#include <ctype.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

enum {
	CERTIFICATES_MAX = 4096,
	BLOCK_MAX = 32 * 1024, /* of one certificate's text */
	TBS_FIELDS_BEFORE_SUBJECT = 4, /* serialNumber, signature, issuer, validity */
	NO_LETTERS = 0,
};

struct certificate {
	unsigned char *der; /* owned */
	long len;
	bool aux; /* a TRUSTED CERTIFICATE: what it may be used for follows it */
	struct bytes subject; /* in der */
	X509_NAME *name; /* of the subject, once it was compared by meaning; owned */
	X509 *read; /* NULL: not yet, or it cannot be; owned */
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
		free((*t)->list[i].der);
		X509_NAME_free((*t)->list[i].name);
		X509_free((*t)->list[i].read);
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

	for (int depth = 0; depth < 2; depth++)
		if (!step(&at, &end, V_ASN1_UNIVERSAL, V_ASN1_SEQUENCE, true))
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

static bool is_certificate(struct bytes label, bool *ret_aux)
{
	*ret_aux = bytes_is(label, PEM_STRING_X509_TRUSTED);
	return *ret_aux || bytes_is(label, PEM_STRING_X509) || bytes_is(label, PEM_STRING_X509_OLD);
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

/* The next line from `at` on that begins like this, and what follows on it up to the dashes at its end. NULL: none. */
static const char *find_line(struct bytes text, const char *at, const char *begin, struct bytes *ret_label)
{
	static const char dashes[] = "-----";
	const char *const end = text.p + text.len;

	while ((at = memmem(at, (size_t)(end - at), begin, strlen(begin))) != NULL) {
		const char *label = at + strlen(begin);
		const char *close = memmem(label, (size_t)(end - label), dashes, strlen(dashes));

		if (close == NULL)
			return NULL;
		if ((at == text.p || at[-1] == '\n' || at[-1] == '\r') &&
		    memchr(label, '\n', (size_t)(close - label)) == NULL) {
			*ret_label = (struct bytes){ label, (size_t)(close - label) };
			return at;
		}
		at = label;
	}
	return NULL;
}

/* 0, 1 (it is no base64, in which RFC 7468 section 3 lets blanks stand) or -ENOMEM. */
static int decode(struct bytes body, struct certificate *c)
{
	CLEANUP(freep) char *packed = malloc(body.len + 1);
	size_t n = 0;
	int len;

	c->der = malloc(body.len + 1);
	if (packed == NULL || c->der == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < body.len; i++)
		if (!isspace((unsigned char)body.p[i]))
			packed[n++] = body.p[i];
	len = n >= 4 && n % 4 == 0 ? EVP_DecodeBlock(c->der, (const unsigned char *)packed, (int)n) : 0;
	/* Padding is decoded, too: EVP_DecodeBlock(3). */
	c->len = len <= 2 ? 0 : len - (packed[n - 1] == '=') - (packed[n - 2] == '=');
	return c->len > 0 ? 0 : 1;
}

/* One block of the text from *at on. 0, 1 (there is none left) or -ENOMEM. */
static int take_block(struct trust *t, struct bytes text, const char **at)
{
	struct certificate c = { 0 };
	struct bytes label, other, near = text;
	const char *begin = find_line(text, *at, "-----BEGIN ", &label), *body, *end;
	int err = 1;

	if (begin == NULL)
		return 1;
	/* The next one may begin before this one's end, where that is missing. */
	*at = body = label.p + label.len;
	if ((size_t)(text.p + text.len - body) > BLOCK_MAX)
		near.len = (size_t)(body - text.p) + BLOCK_MAX;
	end = find_line(near, body, "-----END ", &other);
	if (end != NULL && bytes_eq(label, other) && is_certificate(label, &c.aux)) {
		body += strcspn(body, "\r\n");
		err = body < end ? decode((struct bytes){ body, (size_t)(end - body) }, &c) : 1;
	}
	if (err == 0 && find_subject(&c))
		err = add(t, &c);
	free(c.der);
	return err < 0 ? err : 0;
}

/*
 * Over the letters and digits of a name's values, in either case: names of one meaning have the same, whatever kinds of
 * strings and however many blanks they are made of. NO_LETTERS: it has strings of wider characters, or is no name.
 */
static uint32_t letters_of(struct bytes der)
{
	const unsigned char *at = (const unsigned char *)der.p, *const end = at + der.len;
	uint32_t sum = 1;

	while (at < end) {
		long len;
		int tag, class, rc = ASN1_get_object(&at, &len, &tag, &class, end - at);

		if ((rc & 0x81) != 0 || tag == V_ASN1_BMPSTRING || tag == V_ASN1_UNIVERSALSTRING)
			return NO_LETTERS;
		if ((rc & V_ASN1_CONSTRUCTED) != 0)
			continue; /* into it */
		for (long i = 0; i < len && tag != V_ASN1_OBJECT; i++)
			if (at[i] < 0x80 && isalnum(at[i]))
				sum += (uint32_t)tolower(at[i]) * (uint32_t)tolower(at[i]);
		at += len;
	}
	return sum;
}

/* Telling that two names differ is quick; to read one takes longer than all the rest that is done for it here. */
static bool may_be_same(uint32_t letters, struct bytes subject)
{
	uint32_t other = letters == NO_LETTERS ? NO_LETTERS : letters_of(subject);

	return other == NO_LETTERS || other == letters;
}

static bool same_name(struct certificate *c, const X509_NAME *wanted)
{
	const unsigned char *p = (const unsigned char *)c->subject.p;

	if (c->name == NULL)
		c->name = d2i_X509_NAME(NULL, &p, (long)c->subject.len);
	return c->name != NULL && X509_NAME_cmp(c->name, wanted) == 0;
}

/* Into the store, which keeps no second one that is the same: what is returned stays as long as `t`, kept or not. */
static X509 *read_certificate(struct trust *t, struct certificate *c, X509_STORE *store)
{
	const unsigned char *p = c->der;

	c->in_store = true;
	c->read = c->aux ? d2i_X509_AUX(NULL, &p, c->len) : d2i_X509(NULL, &p, c->len);
	if (c->read == NULL || X509_STORE_add_cert(store, c->read) != 1)
		return NULL;
	t->n_read++;
	return c->read;
}

/*
 * All of one subject: spelled like this, or by meaning where there is a name. OpenSSL finds out which of them signed.
 * The first, which is in the store: of two that differ only in what they are trusted for, the second is not.
 */
static X509 *read_all(struct trust *t, struct bytes der, const X509_NAME *name, X509_STORE *store)
{
	const uint32_t letters = name != NULL ? letters_of(der) : NO_LETTERS;
	X509 *found = NULL;

	for (size_t i = 0; i < t->n; i++) {
		struct certificate *c = &t->list[i];

		if (!c->in_store && (name == NULL ? bytes_eq(c->subject, der) :
			may_be_same(letters, c->subject) && same_name(c, name))) {
			X509 *x = read_certificate(t, c, store);

			found = found != NULL ? found : x;
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
	struct bytes spelled;
	X509 *x = NULL;
	int n;

	if (type != X509_LU_X509)
		return 0;
	/* What cannot be read is not trusted, and that is all: it is no error of the chain that asked. */
	ERR_set_mark();
	n = i2d_X509_NAME(name, &der);
	if (n > 0) {
		spelled = (struct bytes){ (const char *)der, (size_t)n };
		x = read_all(t, spelled, NULL, store);
		if (x == NULL)
			x = read_all(t, spelled, name, store);
	}
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
	const char *at = pem.p;
	int err = t == NULL ? -ENOMEM : make_method(t);

	ERR_set_mark(); /* what is no certificate is no error */
	while (err == 0 && pem.len > 0 && t->n < CERTIFICATES_MAX)
		err = take_block(t, pem, &at);
	ERR_pop_to_mark();
	if (err < 0)
		return err;
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
