#pragma once

#include <stddef.h>
#include <stdint.h>

/// The two halves of a checksum.
struct veery_checksum {
    uint64_t high;
    uint64_t low;
};

/// XXH3-128, for the instructions of one kind of processor. Checksums do not depend on the set.
///
/// Distributions build libxxhash for the least processor of the architecture: on x86-64 for vectors half as wide as those
/// of almost every such processor. Its header holds the whole of it, and is compiled here once more, for those.
struct veery_xxh3 {
    /// A state, aligned as its set needs it, to be reset before use; null where there is no memory.
    void *(*create)(void);
    void (*release)(void *state);
    void (*reset)(void *state);
    void (*update)(void *state, const void *bytes, size_t count);
    struct veery_checksum (*digest)(const void *state);
    /// The checksum of bytes that lie in one piece. With no bytes the address may be null.
    struct veery_checksum (*whole)(const void *bytes, size_t count);
};

/// The set for the processor that the program runs on. A state belongs to the set that made it.
const struct veery_xxh3 *veery_xxh3_best(void);

/// The sets one by one, libxxhash itself first; null where there is none of this number, or the processor cannot run it.
const struct veery_xxh3 *veery_xxh3_set(int index);
