// Preloaded into the program by failing_writes.py: logs the calls that change files below a folder, and makes one of them
// fail, once or from then on.
//
// Environment:
// FAILING_FOLDER  only files below this folder count, by their real path. Standard output counts where it is such a file
// FAILING_LOG     the file that gets a line for each call: name, path, new path (of a rename or a link), bytes, outcome, by tabs.
//                 Paths are relative to the folder. The outcome is "done", "refused" by the system itself, "failed" by this
//                 library, "short", or "killed"
// FAILING_CALL    the call that fails: its name, the pattern of its path (as of fnmatch), and how many such calls come before
//                 it, by tabs. Without it none fails
// FAILING_ERROR   the number of the error; 0: the program is killed (SIGKILL) instead of the call
// FAILING_FOREVER every call from then on fails, too, except for deletions where the disk is full: these need no space
// FAILING_SHORT   the call is a write that takes half of the bytes; the next write to the same file fails, or the program is killed
//                 at once
//
// Programs that are started by the program have nothing of this.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define PATH 4096

static int log_file = -1;
static char folder[PATH], wanted_call[64], wanted_path[PATH], short_path[PATH];
static long calls_before = -1;
static int error_number, is_forever, is_short, is_failing;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
    const char *names[] = {
        "FAILING_FOLDER", "FAILING_LOG", "FAILING_CALL", "FAILING_ERROR", "FAILING_FOREVER", "FAILING_SHORT", "LD_PRELOAD"};
    const char *below = getenv("FAILING_FOLDER"), *log = getenv("FAILING_LOG");
    if (below && log && realpath(below, folder)) {
        int file = REAL(open)(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        // A high number, so that the program's own descriptors have the numbers that they would have without this library.
        log_file = fcntl(file, F_DUPFD_CLOEXEC, 900);
        REAL(close)(file);
        const char *call = getenv("FAILING_CALL"), *error = getenv("FAILING_ERROR");
        if (call && error && sscanf(call, "%63[^\t]\t%4095[^\t]\t%ld", wanted_call, wanted_path, &calls_before) == 3) {
            error_number = atoi(error);
            is_forever = getenv("FAILING_FOREVER") != NULL;
            is_short = getenv("FAILING_SHORT") != NULL;
        }
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) unsetenv(names[i]);
}

// Whether a path is below the folder; if so, it becomes relative to the folder.
static int is_watched(char *path) {
    size_t length = strlen(folder);
    if (log_file < 0 || strncmp(path, folder, length) != 0 || path[length] != '/') return 0;
    memmove(path, path + length + 1, strlen(path + length));
    return 1;
}

static int is_watched_file(int file, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t count = file < 0 || file == log_file ? -1 : readlink(link, path, PATH - 1);
    if (count < 0) return 0;
    path[count] = 0;
    return is_watched(path);
}

// Whether a file that a call names is below the folder. Its path: the real path of its parent, and its name.
static int is_watched_name(int at, const char *name, char *path) {
    char whole[2 * PATH], parent[PATH];
    const char *last = strrchr(name, '/');
    if (name[0] != '/' && at != AT_FDCWD) {
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d/", at);
        snprintf(whole, sizeof whole, "%s%.*s", link, last ? (int)(last - name) : 0, name);
    } else {
        snprintf(whole, sizeof whole, "%.*s", last ? (int)(last - name) : 1, last ? name : ".");
        if (last == name) strcpy(whole, "/");
    }
    if (!realpath(whole, parent)) return 0;
    if (snprintf(path, PATH, "%s/%s", strcmp(parent, "/") == 0 ? "" : parent, last ? last + 1 : name) >= PATH) return 0;
    return is_watched(path);
}

static void note(const char *call, const char *path, const char *other, long bytes, const char *outcome) {
    char line[3 * PATH];
    int error = errno;
    int count = snprintf(line, sizeof line, "%s\t%s\t%s\t%ld\t%s\n", call, path, other, bytes, outcome);
    if (REAL(write)(log_file, line, (size_t)count) != count) abort();
    errno = error;
}

static void die(void) {
    kill(getpid(), SIGKILL);
    while (1) pause();
}

// What becomes of a call: it is made, it fails, or it writes half.
enum fate { MADE, FAILED, HALVED };

static enum fate fate_of(const char *call, const char *path, long bytes) {
    enum fate fate = MADE;
    int deletes = strcmp(call, "unlink") == 0 || strcmp(call, "rmdir") == 0;
    int writes = strcmp(call, "write") == 0;
    int is_space = error_number == ENOSPC || error_number == EDQUOT;
    pthread_mutex_lock(&mutex);
    if (is_failing) {
        if (is_forever && !(deletes && is_space)) fate = FAILED;
    } else if (short_path[0]) {
        // Half of a write has been made: the next write to the same file fails.
        if (writes && strcmp(path, short_path) == 0) {
            fate = FAILED;
            is_failing = 1;
        }
    } else if (calls_before >= 0 && strcmp(call, wanted_call) == 0 && fnmatch(wanted_path, path, 0) == 0
               && calls_before-- == 0) {
        if (is_short && writes && bytes > 1) {
            fate = HALVED;
            snprintf(short_path, sizeof short_path, "%s", path);
        } else {
            fate = FAILED;
            is_failing = 1;
        }
    }
    if (fate == FAILED && error_number == 0) {
        note(call, path, "", bytes, "killed");
        die();
    }
    pthread_mutex_unlock(&mutex);
    if (fate == FAILED) errno = error_number;
    return fate;
}

static long noted(const char *call, const char *path, const char *other, long bytes, long result) {
    note(call, path, other, bytes, result < 0 ? "refused" : "done");
    return result;
}

static int failed(const char *call, const char *path, const char *other, long bytes) {
    errno = error_number;
    note(call, path, other, bytes, "failed");
    return -1;
}

// A call whose first argument is an open file; `bytes` are those that it writes.
#define ON_FILE(type, name, call, parameters, bytes, halved, ...)                                             \
    type name parameters {                                                                                    \
        char path[PATH];                                                                                      \
        if (!is_watched_file(file, path)) return REAL(name)(__VA_ARGS__);                                     \
        enum fate fate = fate_of(call, path, (long)(bytes));                                                  \
        if (fate == FAILED) return failed(call, path, "", (long)(bytes));                                     \
        if (fate == HALVED) {                                                                                 \
            note(call, path, "", (long)(bytes), "short");                                                     \
            type written = (type)(halved);                                                                    \
            if (error_number == 0) die();                                                                     \
            return written;                                                                                   \
        }                                                                                                     \
        return (type)noted(call, path, "", (long)(bytes), (long)REAL(name)(__VA_ARGS__));                     \
    }

ON_FILE(ssize_t, write, "write", (int file, const void *data, size_t count), count, REAL(write)(file, data, count / 2), file,
        data, count)
ON_FILE(ssize_t, pwrite, "write", (int file, const void *data, size_t count, off_t at), count,
        REAL(pwrite)(file, data, count / 2, at), file, data, count, at)
ON_FILE(ssize_t, pwrite64, "write", (int file, const void *data, size_t count, off64_t at), count,
        REAL(pwrite64)(file, data, count / 2, at), file, data, count, at)

static long total(const struct iovec *parts, int count) {
    long bytes = 0;
    for (int i = 0; i < count; i++) bytes += (long)parts[i].iov_len;
    return bytes;
}

// Half of a write of several parts is half of its first part.
ON_FILE(ssize_t, writev, "write", (int file, const struct iovec *parts, int count), total(parts, count),
        REAL(write)(file, parts[0].iov_base, parts[0].iov_len / 2), file, parts, count)
ON_FILE(ssize_t, pwritev, "write", (int file, const struct iovec *parts, int count, off_t at), total(parts, count),
        REAL(pwrite)(file, parts[0].iov_base, parts[0].iov_len / 2, at), file, parts, count, at)
ON_FILE(ssize_t, pwritev64, "write", (int file, const struct iovec *parts, int count, off64_t at), total(parts, count),
        REAL(pwrite64)(file, parts[0].iov_base, parts[0].iov_len / 2, at), file, parts, count, at)

// Nothing here cuts the power: a watched file need not be synced to the disk, which takes most of the time.
#define SYNC(name)                                                      \
    int name(int file) {                                                \
        char path[PATH];                                                \
        if (!is_watched_file(file, path)) return REAL(name)(file);      \
        if (fate_of("fsync", path, 0) == FAILED) return failed("fsync", path, "", 0); \
        return (int)noted("fsync", path, "", 0, 0);                     \
    }

SYNC(fsync)
SYNC(fdatasync)

ON_FILE(int, ftruncate, "truncate", (int file, off_t size), size, -1, file, size)
ON_FILE(int, ftruncate64, "truncate", (int file, off64_t size), size, -1, file, size)
ON_FILE(int, fallocate, "allocate", (int file, int mode, off_t at, off_t count), count, -1, file, mode, at, count)
ON_FILE(int, fallocate64, "allocate", (int file, int mode, off64_t at, off64_t count), count, -1, file, mode, at, count)
ON_FILE(int, fchmod, "chmod", (int file, mode_t mode), 0, -1, file, mode)

// These return the error.
#define ALLOCATE(name, offset)                                                           \
    int name(int file, offset at, offset count) {                                        \
        char path[PATH];                                                                 \
        if (!is_watched_file(file, path)) return REAL(name)(file, at, count);            \
        if (fate_of("allocate", path, (long)count) == FAILED) {                          \
            failed("allocate", path, "", (long)count);                                   \
            return error_number;                                                         \
        }                                                                                \
        return (int)-noted("allocate", path, "", (long)count, -REAL(name)(file, at, count)); \
    }

ALLOCATE(posix_fallocate, off_t)
ALLOCATE(posix_fallocate64, off64_t)

// A file is closed in any case, as the system does it.
int close(int file) {
    char path[PATH];
    int mode = fcntl(file, F_GETFL);
    if (mode < 0 || (mode & O_ACCMODE) == O_RDONLY || !is_watched_file(file, path)) return REAL(close)(file);
    enum fate fate = fate_of("close", path, 0);
    int result = REAL(close)(file);
    if (fate == FAILED) return failed("close", path, "", 0);
    return (int)noted("close", path, "", 0, result);
}

static int changes(int flags) {
    return (flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC);
}

#define OPEN(name, at, ...)                                                                     \
    {                                                                                           \
        va_list rest;                                                                           \
        va_start(rest, flags);                                                                  \
        mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? (mode_t)va_arg(rest, int) : 0;          \
        va_end(rest);                                                                           \
        char path[PATH];                                                                        \
        if (!changes(flags) || !is_watched_name(at, name_, path)) return REAL(name)(__VA_ARGS__, mode); \
        if (fate_of("open", path, 0) == FAILED) return failed("open", path, "", 0);             \
        return (int)noted("open", path, "", 0, REAL(name)(__VA_ARGS__, mode));                  \
    }

int open(const char *name_, int flags, ...) OPEN(open, AT_FDCWD, name_, flags)
int open64(const char *name_, int flags, ...) OPEN(open64, AT_FDCWD, name_, flags)
int openat(int at, const char *name_, int flags, ...) OPEN(openat, at, at, name_, flags)
int openat64(int at, const char *name_, int flags, ...) OPEN(openat64, at, at, name_, flags)

// A call with the name of a file.
#define ON_NAME(name, call, at, parameters, ...)                                           \
    int name parameters {                                                                  \
        char path[PATH];                                                                   \
        if (!is_watched_name(at, name_, path)) return REAL(name)(__VA_ARGS__);             \
        if (fate_of(call, path, 0) == FAILED) return failed(call, path, "", 0);            \
        return (int)noted(call, path, "", 0, REAL(name)(__VA_ARGS__));                     \
    }

ON_NAME(creat, "open", AT_FDCWD, (const char *name_, mode_t mode), name_, mode)
ON_NAME(creat64, "open", AT_FDCWD, (const char *name_, mode_t mode), name_, mode)
ON_NAME(mkstemp, "open", AT_FDCWD, (char *name_), name_)
ON_NAME(mkstemp64, "open", AT_FDCWD, (char *name_), name_)
ON_NAME(mkostemp, "open", AT_FDCWD, (char *name_, int flags), name_, flags)
ON_NAME(mkostemp64, "open", AT_FDCWD, (char *name_, int flags), name_, flags)
ON_NAME(mkdir, "mkdir", AT_FDCWD, (const char *name_, mode_t mode), name_, mode)
ON_NAME(mkdirat, "mkdir", at, (int at, const char *name_, mode_t mode), at, name_, mode)
ON_NAME(unlink, "unlink", AT_FDCWD, (const char *name_), name_)
ON_NAME(unlinkat, "unlink", at, (int at, const char *name_, int flags), at, name_, flags)
ON_NAME(rmdir, "rmdir", AT_FDCWD, (const char *name_), name_)
ON_NAME(remove, "unlink", AT_FDCWD, (const char *name_), name_)
ON_NAME(truncate, "truncate", AT_FDCWD, (const char *name_, off_t size), name_, size)
ON_NAME(truncate64, "truncate", AT_FDCWD, (const char *name_, off64_t size), name_, size)
ON_NAME(chmod, "chmod", AT_FDCWD, (const char *name_, mode_t mode), name_, mode)

// A call that gives a file a new name. It counts where either name is below the folder.
#define ON_NAMES(name, call, old_at, new_at, parameters, ...)                                      \
    int name parameters {                                                                          \
        char path[PATH] = "", other[PATH] = "";                                                    \
        int is_old = is_watched_name(old_at, old, path), is_new = is_watched_name(new_at, new, other); \
        if (!is_old && !is_new) return REAL(name)(__VA_ARGS__);                                    \
        if (fate_of(call, path, 0) == FAILED) return failed(call, path, other, 0);                 \
        return (int)noted(call, path, other, 0, REAL(name)(__VA_ARGS__));                          \
    }

ON_NAMES(rename, "rename", AT_FDCWD, AT_FDCWD, (const char *old, const char *new), old, new)
ON_NAMES(renameat, "rename", old_at, new_at, (int old_at, const char *old, int new_at, const char *new), old_at, old, new_at,
         new)
ON_NAMES(renameat2, "rename", old_at, new_at, (int old_at, const char *old, int new_at, const char *new, unsigned flags),
         old_at, old, new_at, new, flags)
ON_NAMES(link, "link", AT_FDCWD, AT_FDCWD, (const char *old, const char *new), old, new)
ON_NAMES(linkat, "link", old_at, new_at, (int old_at, const char *old, int new_at, const char *new, int flags), old_at, old,
         new_at, new, flags)
ON_NAMES(symlink, "link", AT_FDCWD, AT_FDCWD, (const char *old, const char *new), old, new)
