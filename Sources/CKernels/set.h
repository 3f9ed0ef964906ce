// All loops, compiled once for each set: KERNEL(name) names the function, TARGET selects the instructions, LANES is the number
// of frames in a vector of doubles, FLOATS the number of values in one of floats, NAME the set's name.

#define KERNEL_JOIN(name, set) name##_##set
#define KERNEL_NAME(name, set) KERNEL_JOIN(name, set)
#define KERNEL(name) KERNEL_NAME(name, SET)

#include "loops.h"

#include "products.h"

#include "filters.h"

#include "preparation.h"

#include "lanes.h"

#include "fourier.h"

#include "spectrum.h"

static const struct veery_kernels KERNEL(set) = {
    .pcm16 = KERNEL(pcm16),
    .logarithm = KERNEL(logarithm),
    .raise = KERNEL(raise),
    .maximum = KERNEL(maximum),
    .products = KERNEL(products),
    .filter = KERNEL(filter),
    .statistics = KERNEL(statistics),
    .normalize = KERNEL(normalize),
    .encode_halves = KERNEL(encode_halves),
    .decode_halves = KERNEL(decode_halves),
    .finite = KERNEL(finite),
    .finite_halves = KERNEL(finite_halves),
    .profile = KERNEL(profile),
    .histogram = KERNEL(histogram),
    .lanes = &KERNEL(lanes),
    .name = NAME,
};

#undef KERNEL
#undef KERNEL_NAME
#undef KERNEL_JOIN
#undef TARGET
#undef SET
#undef LANES
#undef FLOATS
#undef NAME
