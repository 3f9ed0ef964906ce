#include "veery_program.h"

// Some header of the library is needed for __GLIBC__.
#include <stdlib.h>

static const char *const *arguments;

const char *const *veery_arguments(void) { return arguments; }

#ifdef __GLIBC__
// glibc hands the arguments of `main` to every function of this section; musl and macOS do not.
static void keep(int count, char **values, char **environment) {
    (void)environment;
    if (count > 0) arguments = (const char *const *)values;
}

__attribute__((section(".init_array"), used)) static void (*const keeper)(int, char **, char **) = keep;
#endif
