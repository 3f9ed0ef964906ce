// Makes a disk slow: opening a recording takes as many milliseconds as VEERY_TEST_DELAY says. For LD_PRELOAD.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void delay(const char *path) {
    const char *text = getenv("VEERY_TEST_DELAY"), *dot = strrchr(path, '.');
    if (!text || !dot || strcmp(dot, ".wav") != 0) return;
    long milliseconds = atol(text);
    struct timespec left = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    while (nanosleep(&left, &left) != 0) {}
}

#define WRAP(name)                                                        \
    int name(const char *path, int flags, ...) {                          \
        va_list list;                                                     \
        va_start(list, flags);                                            \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; \
        va_end(list);                                                     \
        delay(path);                                                      \
        int (*original)(const char *, int, ...) = dlsym(RTLD_NEXT, #name); \
        return original(path, flags, mode);                               \
    }
WRAP(open)
WRAP(open64)

#define WRAP_AT(name)                                                     \
    int name(int folder, const char *path, int flags, ...) {              \
        va_list list;                                                     \
        va_start(list, flags);                                            \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; \
        va_end(list);                                                     \
        delay(path);                                                      \
        int (*original)(int, const char *, int, ...) = dlsym(RTLD_NEXT, #name); \
        return original(folder, path, flags, mode);                       \
    }
WRAP_AT(openat)
WRAP_AT(openat64)
