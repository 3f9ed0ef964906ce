#include "kernels.h"

/// The checksum of the byte at bit `shift` of a word, followed by `k` bytes.
#define LOOK_UP(k, word, shift) tables[256 * (k) + ((word) >> (shift)&0xFF)]
/// The checksum of the four bytes of a word, followed by `k` bytes.
#define FOUR(k, word)                                                                                                  \
    (LOOK_UP((k) + 3, word, 24) ^ LOOK_UP((k) + 2, word, 16) ^ LOOK_UP((k) + 1, word, 8) ^ LOOK_UP(k, word, 0))

static inline uint32_t big_endian(const uint8_t *byte) {
    return (uint32_t)byte[0] << 24 | (uint32_t)byte[1] << 16 | (uint32_t)byte[2] << 8 | byte[3];
}

// Sixteen bytes at a time, whose look-ups do not wait for one another ("slicing").
uint32_t veery_ogg_checksum(const uint32_t *tables, uint32_t checksum, const void *bytes, size_t count) {
    const uint8_t *byte = bytes;
    for (; count >= 16; count -= 16, byte += 16) {
        const uint32_t a = checksum ^ big_endian(byte), b = big_endian(byte + 4);
        const uint32_t c = big_endian(byte + 8), d = big_endian(byte + 12);
        checksum = FOUR(12, a) ^ FOUR(8, b) ^ FOUR(4, c) ^ FOUR(0, d);
    }
    for (; count > 0; count--, byte++) checksum = checksum << 8 ^ tables[(checksum >> 24) ^ *byte];
    return checksum;
}
