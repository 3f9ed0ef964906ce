#include "sets.h"

#include <xxhash.h>

#include "functions.h"

const struct veery_xxh3 *veery_xxh3_library(void) { return &set; }

const struct veery_xxh3 *veery_xxh3_best(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return veery_xxh3_avx2();
#endif
    return &set;
}
