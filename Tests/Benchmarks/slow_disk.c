/* A disk as slow as one in a network, for `make bench CASE=slow` and for tests: every `open` and every read of files below a folder
 * waits.
 *
 * Preloaded (LD_PRELOAD). Environment: SLOW_FOLDER, SLOW_OPEN and SLOW_READ in microseconds (5000 and 1000 unless given);
 * SLOW_COUNT, a file that gets the largest number of threads that have waited at the same time.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { descriptors = 1 << 16 };
static atomic_uchar is_slow[descriptors];

static long microseconds(const char *name, long usual) {
    const char *text = getenv(name);
    return text ? atol(text) : usual;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int waiting, most;

/* Counts a thread that starts to wait. */
static void enter(void) {
    pthread_mutex_lock(&lock);
    const char *path = ++waiting > most ? getenv("SLOW_COUNT") : NULL;
    if (waiting > most) most = waiting;
    if (path) {
        char text[16];
        const int length = snprintf(text, sizeof text, "%d\n", most);
        const long file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (file >= 0) {
            if (syscall(SYS_write, file, text, length) != length) abort();
            syscall(SYS_close, file);
        }
    }
    pthread_mutex_unlock(&lock);
}

static void leave(void) {
    pthread_mutex_lock(&lock);
    waiting--;
    pthread_mutex_unlock(&lock);
}

static void wait_for(long time) {
    struct timespec left = {time / 1000000, time % 1000000 * 1000};
    enter();
    while (nanosleep(&left, &left)) {}
    leave();
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
