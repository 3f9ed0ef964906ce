// In C: Swift sees neither RTLD_DEFAULT, a macro, nor glibc's dladdr, an extension.
#define _GNU_SOURCE
#include "veery_loader.h"

#include <dlfcn.h>

void *veery_loaded_function(const char *name) { return dlsym(RTLD_DEFAULT, name); }

const char *veery_loaded_file(const void *function) {
    Dl_info info;
    return dladdr(function, &info) != 0 ? info.dli_fname : 0;
}
