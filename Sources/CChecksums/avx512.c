#include "sets.h"

#if defined(__x86_64__)

// The intrinsics first: what is included below is compiled for AVX-512 as a whole.
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#else
#pragma GCC target("avx512f")
#endif

#define XXH_INLINE_ALL
#define XXH_VECTOR XXH_AVX512
#include <xxhash.h>

#include "functions.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif

const struct veery_xxh3 *veery_xxh3_avx512(void) { return &set; }

#endif
