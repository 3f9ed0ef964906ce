#pragma once

#include "xxh3.h"

#if defined(__x86_64__)
/// The set for AVX2, which the processor must have.
const struct veery_xxh3 *veery_xxh3_avx2(void);
#endif
