// What else is in this process besides Veery's own code.
#define _GNU_SOURCE
#include "veery_program.h"

#include <stddef.h>

// .ci/portable links a file with another definition, which it makes of the linker's list of archives.
__attribute__((weak)) const char *veery_components(void) { return NULL; }

#if defined(__APPLE__)
#include <mach-o/dyld.h>

void veery_each_library(void (*visit)(const char *path, void *context), void *context) {
    for (uint32_t index = 0; index < _dyld_image_count(); index++) {
        const char *path = _dyld_get_image_name(index);
        if (path) visit(path, context);
    }
}
#else
#include <link.h>

struct Visitor {
    void (*visit)(const char *path, void *context);
    void *context;
};

static int pass_on(struct dl_phdr_info *info, size_t size, void *visitor) {
    (void)size;
    const struct Visitor *to = visitor;
    if (info->dlpi_name) to->visit(info->dlpi_name, to->context);
    return 0;
}

void veery_each_library(void (*visit)(const char *path, void *context), void *context) {
    struct Visitor visitor = {visit, context};
    dl_iterate_phdr(pass_on, &visitor);
}
#endif
