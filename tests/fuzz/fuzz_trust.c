/* SPDX-License-Identifier: Apache-2.0 */
/* A bundle of certificates, and the questions of a chain: for each subject in it, and for one that is not. */
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <stdlib.h>

#include "netproc/trust.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(SSL_CTX *ctx, const X509_NAME *name)
{
	X509_STORE_CTX *chain = X509_STORE_CTX_new();
	X509_OBJECT *found = X509_OBJECT_new();

	if (chain == NULL || found == NULL || X509_STORE_CTX_init(chain, SSL_CTX_get_cert_store(ctx), NULL, NULL) != 1)
		abort();
	/* What it found is of that name: a certificate that stands for another's would be trusted in its place. */
	if (X509_STORE_CTX_get_by_subject(chain, X509_LU_X509, name, found) == 1 &&
	    X509_NAME_cmp(X509_get_subject_name(X509_OBJECT_get0_X509(found)), name) != 0)
		abort();
	X509_OBJECT_free(found);
	X509_STORE_CTX_free(chain);
}

/* As OpenSSL itself reads the text. */
static void ask_for_each(SSL_CTX *ctx, const uint8_t *data, size_t size)
{
	BIO *text = BIO_new_mem_buf(data, (int)size);
	X509 *x;

	while ((x = PEM_read_bio_X509(text, NULL, NULL, NULL)) != NULL) {
		ask(ctx, X509_get_subject_name(x));
		X509_free(x);
	}
	BIO_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SSL_CTX *ctx = SSL_CTX_new(TLS_client_method());
	X509_NAME *none = X509_NAME_new();
	struct trust *t = NULL;
	size_t read;

	if (ctx == NULL || none == NULL || trust_new((struct bytes){ (const char *)data, size }, &t) < 0 ||
	    !trust_impose(t, ctx))
		abort();
	ask(ctx, none);
	if (size > 0)
		ask_for_each(ctx, data, size);
	if (trust_count(t, &read) < read)
		abort();
	X509_NAME_free(none);
	SSL_CTX_free(ctx);
	trust_done(&t);
	return 0;
}
