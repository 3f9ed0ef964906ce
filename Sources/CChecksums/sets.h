#pragma once

#include "xxh3.h"

#if defined(__x86_64__)
/// The sets for AVX2 and AVX-512, which the processor must have.
const struct veery_xxh3 *veery_xxh3_avx2(void);
const struct veery_xxh3 *veery_xxh3_avx512(void);
#endif
