/* A disk behind a network, for `make bench CASE=slow`: every opening and every reading of files below a folder waits.
 *
 * Preloaded (LD_PRELOAD). Environment: SLOW_FOLDER, SLOW_OPEN and SLOW_READ in microseconds (5000 and 1000 unless given).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { descriptors = 1 << 16 };
static atomic_uchar is_slow[descriptors];

static long microseconds(const char *name, long usual) {
    const char *text = getenv(name);
    return text ? atol(text) : usual;
}

static void wait_for(long time) {
    struct timespec left = {time / 1000000, time % 1000000 * 1000};
    while (nanosleep(&left, &left)) {}
}

static int opened(int descriptor, const char *path) {
    if (descriptor < 0 || descriptor >= descriptors) return descriptor;
    const char *folder = getenv("SLOW_FOLDER");
    const int slow = folder && strncmp(path, folder, strlen(folder)) == 0;
    atomic_store(&is_slow[descriptor], (unsigned char)slow);
    if (slow) wait_for(microseconds("SLOW_OPEN", 5000));
    return descriptor;
}

static void reading(int descriptor) {
    if (descriptor >= 0 && descriptor < descriptors && atomic_load(&is_slow[descriptor]))
        wait_for(microseconds("SLOW_READ", 1000));
}

#define NEXT(name) __typeof__(&name) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
#define MODE(flags, last) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | __O_TMPFILE)) { \
        va_list list; \
        va_start(list, last); \
        mode = va_arg(list, mode_t); \
        va_end(list); \
    }

int open(const char *path, int flags, ...) {
    NEXT(open);
    MODE(flags, flags)
    return opened(next(path, flags, mode), path);
}

int open64(const char *path, int flags, ...) {
    NEXT(open64);
    MODE(flags, flags)
    return opened(next(path, flags, mode), path);
}

int openat(int folder, const char *path, int flags, ...) {
    NEXT(openat);
    MODE(flags, flags)
    return opened(next(folder, path, flags, mode), path);
}

int openat64(int folder, const char *path, int flags, ...) {
    NEXT(openat64);
    MODE(flags, flags)
    return opened(next(folder, path, flags, mode), path);
}

ssize_t read(int descriptor, void *bytes, size_t count) {
    NEXT(read);
    reading(descriptor);
    return next(descriptor, bytes, count);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
    NEXT(pread);
    reading(descriptor);
    return next(descriptor, bytes, count, offset);
}

ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t offset) {
    NEXT(pread64);
    reading(descriptor);
    return next(descriptor, bytes, count, offset);
}
