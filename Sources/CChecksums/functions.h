// The functions of one set, after <xxhash.h>: static, so that each file that includes this has its own.

static void *create(void) { return XXH3_createState(); }

static void release(void *state) { XXH3_freeState(state); }

static void reset(void *state) { XXH3_128bits_reset(state); }

static void update(void *state, const void *bytes, size_t count) { XXH3_128bits_update(state, bytes, count); }

static struct veery_checksum digest(const void *state) {
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    return (struct veery_checksum){.high = hash.high64, .low = hash.low64};
}

static struct veery_checksum whole(const void *bytes, size_t count) {
    XXH128_hash_t hash = XXH3_128bits(bytes, count);
    return (struct veery_checksum){.high = hash.high64, .low = hash.low64};
}

static const struct veery_xxh3 set = {
    .create = create,
    .release = release,
    .reset = reset,
    .update = update,
    .digest = digest,
    .whole = whole,
};
