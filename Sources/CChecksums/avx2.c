#include "sets.h"

#if defined(__x86_64__)

// The intrinsics first: what is included below is compiled for AVX2 as a whole.
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif

#define XXH_INLINE_ALL
#define XXH_VECTOR XXH_AVX2
#include <xxhash.h>

#include "functions.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif

const struct veery_xxh3 *veery_xxh3_avx2(void) { return &set; }

#endif
