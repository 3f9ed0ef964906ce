// In C: Swift sees neither RTLD_DEFAULT, a macro, nor glibc's dladdr, an extension.
#define _GNU_SOURCE
#include "veery_loader.h"

#include <dlfcn.h>

void *veery_loaded_function(const char *name) { return dlsym(RTLD_DEFAULT, name); }

const char *veery_loaded_file(const void *function) {
    Dl_info place;
    return dladdr(function, &place) != 0 ? place.dli_fname : 0;
}
