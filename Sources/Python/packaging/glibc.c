// Functions that the linker would otherwise take from versions of the GNU C library newer than 2.34, which the wheel's tag names
// as the oldest. Only the wheel's program and library are linked with this file.
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/types.h>

#pragma GCC visibility push(hidden)

// 2.35 has these anew; hypotl is as it was. No feature is computed with them.
double hypot(double x, double y) { return (double)hypotl(x, y); }
float hypotf(float x, float y) { return (float)hypotl(x, y); }

// New in 2.36, where they do the same.
void arc4random_buf(void *buffer, size_t size) {
    for (unsigned char *next = buffer; size > 0;) {
        ssize_t count = getrandom(next, size, 0);
        if (count < 0 && errno != EINTR) abort();
        if (count > 0) next += count, size -= (size_t)count;
    }
}

uint32_t arc4random(void) {
    uint32_t value;
    arc4random_buf(&value, sizeof value);
    return value;
}

uint32_t arc4random_uniform(uint32_t bound) {
    if (bound < 2) return 0;
    uint32_t value, minimum = -bound % bound;  // below it, some remainders would be more frequent
    do value = arc4random();
    while (value < minimum);
    return value % bound;
}

#pragma GCC visibility pop
