// Preloaded into the program by test_durability.py and test_failing_disk.py: logs, in their order, the calls that decide what a power cut
// leaves. A line for each: nanoseconds of the monotonic clock, call, path and, of a rename, the new path, separated by tabs.
//
// Calls of stat, open and read of recordings (.wav) are logged, too.
//
// Environment: DURABILITY_LOG, the file to write to; DURABILITY_SLOW, milliseconds that every read of a recording takes longer;
// DURABILITY_FAIL, calls and ends of paths ("fsync features.h5,open 3.wav"): these calls fail; with a number and a colon before
// it ("2:write .partial"), only the call of this number, from 1. DURABILITY_ERROR, the number of the error; EIO where it is not
// set, and with 0 writes are lost without an error. A folder has a slash at the end ("fsync out/").
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define PATH 4096

static int log_file = -1;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("DURABILITY_LOG");
    if (path) log_file = REAL(open)(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

static void note(const char *call, const char *path, const char *other) {
    char line[3 * PATH];
    struct timespec now;
    int error = errno;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int count = snprintf(line, sizeof line, "%lld\t%s\t%s\t%s\n", now.tv_sec * 1000000000LL + now.tv_nsec, call, path, other);
    if (log_file >= 0 && REAL(write)(log_file, line, (size_t)count) != count) abort();
    errno = error;
}

static const char *path_of(int file, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t count = readlink(link, path, PATH - 1);
    path[count < 0 ? 0 : count] = 0;
    return path;
}

// The path of an open file; that of a folder ends with a slash.
static const char *marked_path_of(int file, char *path) {
    struct stat status;
    size_t length = strlen(path_of(file, path));
    if (length < PATH - 1 && fstat(file, &status) == 0 && S_ISDIR(status.st_mode)) strcpy(path + length, "/");
    return path;
}

static int ends(const char *path, const char *end) {
    size_t length = strlen(path), tail = strlen(end);
    return length >= tail && strcmp(path + length - tail, end) == 0;
}

#define MOST_FAILURES 16

// Whether the test wants this call to fail.
static int fails(const char *call, const char *path) {
    static int seen[MOST_FAILURES];
    const char *wanted = getenv("DURABILITY_FAIL"), *error = getenv("DURABILITY_ERROR");
    size_t length = strlen(call);
    for (int i = 0; i < MOST_FAILURES && wanted && *wanted; i++) {
        char item[PATH], *name = item;
        size_t count = strcspn(wanted, ",");
        snprintf(item, sizeof item, "%.*s", (int)count, wanted);
        long number = strtol(item, &name, 10);
        if (*name == ':') name++;
        if (strncmp(name, call, length) == 0 && name[length] == ' ' && ends(path, name + length + 1)
            && (number == 0 || __atomic_add_fetch(&seen[i], 1, __ATOMIC_RELAXED) == number)) {
            errno = error ? atoi(error) : EIO;
            return 1;
        }
        wanted += count + (wanted[count] == ',');
    }
    return 0;
}

static void slow_down(const char *path) {
    const char *delay = getenv("DURABILITY_SLOW");
    if (delay && ends(path, ".wav")) usleep(1000 * (useconds_t)atoi(delay));
}

#define ON_FILE(type, name, call, parameters, lost, ...)    \
    type name parameters {                                  \
        char path[PATH];                                    \
        if (fails(call, marked_path_of(file, path)))        \
            return errno == 0 ? (type)(lost) : -1;          \
        path_of(file, path);                                \
        type result = REAL(name)(__VA_ARGS__);              \
        if (result >= 0) note(call, path, "");              \
        return result;                                      \
    }

// The descriptor is closed nevertheless, as the system does it.
int close(int file) {
    char path[PATH];
    int is_failure = fails("close", path_of(file, path)), error = errno;
    int result = REAL(close)(file);
    errno = is_failure ? error : errno;
    return is_failure ? -1 : result;
}

ON_FILE(int, fsync, "fsync", (int file), 0, file)
ON_FILE(int, fdatasync, "fdatasync", (int file), 0, file)
ON_FILE(int, ftruncate, "ftruncate", (int file, off_t size), 0, file, size)
ON_FILE(int, ftruncate64, "ftruncate", (int file, off64_t size), 0, file, size)
ON_FILE(ssize_t, write, "write", (int file, const void *bytes, size_t count), count, file, bytes, count)
ON_FILE(ssize_t, pwrite, "write", (int file, const void *bytes, size_t count, off_t at), count, file, bytes, count, at)
ON_FILE(ssize_t, pwrite64, "write", (int file, const void *bytes, size_t count, off64_t at), count, file, bytes, count, at)

#define READ(name, offset)                                          \
    ssize_t name(int file, void *bytes, size_t count, offset at) { \
        char path[PATH];                                            \
        slow_down(path_of(file, path));                             \
        if (fails("read", path)) return -1;                         \
        if (ends(path, ".wav")) note("read", path, "");             \
        return REAL(name)(file, bytes, count, at);                  \
    }

READ(pread, off_t)
READ(pread64, off64_t)

#define OPEN(name)                                                         \
    int name(const char *path, int flags, ...) {                           \
        va_list rest;                                                      \
        va_start(rest, flags);                                             \
        mode_t mode = flags & O_CREAT ? (mode_t)va_arg(rest, int) : 0;     \
        va_end(rest);                                                      \
        if (fails("open", path)) return -1;                                \
        int file = REAL(name)(path, flags, mode);                          \
        if (file >= 0 && flags & O_CREAT) note("create", path, "");        \
        if (ends(path, ".wav")) note("open", path, "");                    \
        return file;                                                       \
    }

OPEN(open)
OPEN(open64)

#define STATUS(name)                                    \
    int name(const char *path, struct stat *status) {   \
        if (ends(path, ".wav")) note("stat", path, ""); \
        return REAL(name)(path, status);                \
    }

STATUS(stat)
STATUS(lstat)

int rename(const char *old, const char *new) {
    if (fails("rename", old)) return -1;
    int result = REAL(rename)(old, new);
    if (result == 0) note("rename", old, new);
    return result;
}

ssize_t read(int file, void *bytes, size_t count) {
    char path[PATH];
    if (fails("read", path_of(file, path))) return -1;
    return REAL(read)(file, bytes, count);
}

int renameat(int old_folder, const char *old, int new_folder, const char *new) {
    int result = REAL(renameat)(old_folder, old, new_folder, new);
    if (result == 0) note("rename", old, new);
    return result;
}

int mkdir(const char *path, mode_t mode) {
    if (fails("mkdir", path)) return -1;
    int result = REAL(mkdir)(path, mode);
    if (result == 0) note("mkdir", path, "");
    return result;
}

int unlink(const char *path) {
    if (fails("unlink", path)) return -1;
    int result = REAL(unlink)(path);
    if (result == 0) note("unlink", path, "");
    return result;
}

DIR *opendir(const char *path) {
    return fails("list", path) ? NULL : REAL(opendir)(path);
}

int rmdir(const char *path) {
    return fails("rmdir", path) ? -1 : REAL(rmdir)(path);
}
