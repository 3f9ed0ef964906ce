// For renameat2, which Swift's module of the C library leaves out.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>

#include "veery_files.h"

int veery_exchange(const char *first, const char *second) {
#ifdef __APPLE__
    return renamex_np(first, second, RENAME_SWAP);
#else
    return renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE);
#endif
}
