#include "kernels.h"

int veery_processor_has(enum veery_instructions instructions) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    switch (instructions) {
    case VEERY_AVX: return __builtin_cpu_supports("avx") != 0;
    case VEERY_FMA: return __builtin_cpu_supports("fma") != 0;
    case VEERY_FMA4: return __builtin_cpu_supports("fma4") != 0;
    case VEERY_AVX2: return __builtin_cpu_supports("avx2") != 0;
    case VEERY_AVX512F: return __builtin_cpu_supports("avx512f") != 0;
    }
#endif
    (void)instructions;
    return 0;
}
