#include "sets.h"

#include <xxhash.h>

#include "functions.h"

const struct veery_xxh3 *veery_xxh3_set(int index) {
    if (index == 0) return &set;
#if defined(__x86_64__)
    if (index == 1 && __builtin_cpu_supports("avx2")) return veery_xxh3_avx2();
    if (index == 2 && __builtin_cpu_supports("avx512f")) return veery_xxh3_avx512();
#endif
    return 0;
}

const struct veery_xxh3 *veery_xxh3_best(void) {
    for (int index = 2; index > 0; index--) {
        const struct veery_xxh3 *found = veery_xxh3_set(index);
        if (found) return found;
    }
    return &set;
}
