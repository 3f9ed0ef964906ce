#pragma once
#include <nettle/sha2.h>
#include <nettle/version.h>

// Nettle 4 dropped the length from its digest functions.
static inline void veery_sha256_digest(struct sha256_ctx *context, uint8_t digest[SHA256_DIGEST_SIZE]) {
#if NETTLE_VERSION_MAJOR >= 4
    sha256_digest(context, digest);
#else
    sha256_digest(context, SHA256_DIGEST_SIZE, digest);
#endif
}
