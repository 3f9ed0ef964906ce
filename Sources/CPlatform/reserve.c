// For fallocate, which Swift's module of the C library leaves out.
#define _GNU_SOURCE
#include <fcntl.h>

#include "veery_files.h"

int veery_reserve(int descriptor, int64_t start, int64_t count) {
#ifdef __linux__
    return fallocate(descriptor, FALLOC_FL_KEEP_SIZE, start, count);
#else
    (void)descriptor, (void)start, (void)count;
    return -1;
#endif
}
