#include "kernels.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Fused, a product would not be rounded, and results would depend on the processor.
#pragma STDC FP_CONTRACT OFF

typedef float float4 __attribute__((vector_size(16)));
typedef float float8 __attribute__((vector_size(32)));
typedef int32_t int8x __attribute__((vector_size(32)));
typedef uint32_t uint8x __attribute__((vector_size(32)));
typedef uint16_t short8x __attribute__((vector_size(16)));
typedef double double4 __attribute__((vector_size(32)));
typedef double double8 __attribute__((vector_size(64)));

// The same, of any alignment.
typedef float float4_any __attribute__((vector_size(16), aligned(4), may_alias));
typedef float float8_any __attribute__((vector_size(32), aligned(4), may_alias));
typedef double double8_any __attribute__((vector_size(64), aligned(8), may_alias));
typedef double double4_any __attribute__((vector_size(32), aligned(8), may_alias));

// Macros, not functions: passing vectors between functions of different instruction sets changes the calling convention.
#define load4(address) (*(const double4_any *)(address))
#define load4f(address) (*(const float4_any *)(address))
#define load8d(address) (*(const double8_any *)(address))
#define load8(address) (*(const float8_any *)(address))
#define store4(address, value) (*(float4_any *)(address) = (value))
#define store4d(address, value) (*(double4_any *)(address) = (value))
#define store8(address, value) (*(float8_any *)(address) = (value))
#define DOUBLES(address) __builtin_convertvector(*(const float4_any *)(address), double4)
#define DOUBLES8(address) __builtin_convertvector(*(const float8_any *)(address), double8)
#define EIGHT(x) ((float8){(x), (x), (x), (x), (x), (x), (x), (x)})
#define EIGHT_INT(x) ((int8x){(x), (x), (x), (x), (x), (x), (x), (x)})
#define CHOOSE_INT(mask, yes, no) (((int8x)(yes) & (mask)) | ((int8x)(no) & ~(mask)))
#define CHOOSE(mask, yes, no) ((float8)CHOOSE_INT(mask, yes, no))

/// Parts of a transform whose passes run one after the other: half of a small first-level cache.
#define PART_BYTES (16 << 10)

/// For code shared by several loops: arguments by address, inlined into the callers.
#define ALWAYS __attribute__((always_inline))

#define SET baseline
#define TARGET
#define LANES 2
#define FLOATS 8
#if defined(__x86_64__)
#define NAME "sse2"
#else
#define NAME "baseline"
#endif
#include "set.h"

#if defined(__x86_64__)
#define SET avx2
#define TARGET __attribute__((target("avx2")))
#define LANES 4
#define FLOATS 8
#define NAME "avx2"
#include "set.h"

#define SET avx512
#define TARGET __attribute__((target("avx512f,avx512vl,avx512bw,avx512dq")))
#define LANES 8
#define FLOATS 16
#define NAME "avx512"
#include "set.h"
#endif

/// What this processor can run; then NULL.
static const struct veery_kernels *sets[4];
static const struct veery_kernels *best = &set_baseline;

/// Chooses the set when the program or library is loaded, before there are threads.
__attribute__((constructor)) static void choose(void) {
    size_t count = 0;
    sets[count++] = &set_baseline;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2")) sets[count++] = &set_avx2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")) {
        sets[count++] = &set_avx512;
    }
#endif
    best = sets[count - 1];
    const char *wanted = getenv("VEERY_INSTRUCTIONS");
    if (wanted == NULL || *wanted == 0) return;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(wanted, sets[i]->name) == 0) {
            best = sets[i];
            return;
        }
    }
    fprintf(
        stderr, "veery: VEERY_INSTRUCTIONS is '%s', which is not known or not for this processor: ignored, %s is used\n",
        wanted, best->name);
}

const struct veery_kernels *veery_kernels_best(void) { return best; }

const struct veery_kernels *veery_kernels_set(size_t index) { return index < 4 ? sets[index] : NULL; }
