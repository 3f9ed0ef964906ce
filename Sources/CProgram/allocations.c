// Neither Swift nor several of the libraries survive an allocation that fails: Swift traps, FFTW ends the program by its own
// means, libvorbis and libsoxr use the null pointer, and libFLAC calls the recording damaged. The program may exit at any moment,
// as it may be killed by SIGKILL at any moment: so it exits when the first allocation fails, with a status that says that another
// attempt may succeed.
//
// The functions below replace glibc's in the whole process, and call them.

#include "veery_program.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static _Atomic(const char *) last_words;
static _Atomic(void (*)(void)) last_farewell;

void veery_guard_words(const char *words) { atomic_store(&last_words, words); }
void veery_guard_farewell(void (*farewell)(void)) { atomic_store(&last_farewell, farewell); }

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HAS_OTHER_ALLOCATOR
#endif
#endif

#if defined(__GLIBC__) && !defined(HAS_OTHER_ALLOCATOR)

#include <alloca.h>
#include <errno.h>
#include <malloc.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// glibc's own, under names that still refer to them when the usual names are replaced.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_int guard_status;
static atomic_flag is_leaving = ATOMIC_FLAG_INIT;

// Only the values of a file or a configuration lead to allocations of this size, and their callers report the failure themselves.
#define LARGEST ((size_t)1 << 30)

static void put(const char *text) {
    ssize_t written = write(2, text, strlen(text));
    (void)written;
}

static void put_number(uint64_t number) {
    char digits[21];
    char *start = digits + sizeof digits - 1;
    *start = 0;
    do {
        *--start = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    put(start);
}

static int is_limited(int resource, struct rlimit *limit) {
    return getrlimit(resource, limit) == 0 && limit->rlim_cur != RLIM_INFINITY;
}

static void leave(size_t bytes) {
    // Others may be here a moment later: one speaks, and ends them too.
    while (atomic_flag_test_and_set(&is_leaving)) pause();
    void (*farewell)(void) = atomic_load(&last_farewell);
    if (farewell) farewell();
    put("Error: out of memory: could not allocate ");
    put_number(bytes);
    put(" bytes");
    struct rlimit limit;
    if (is_limited(RLIMIT_AS, &limit)) {
        put("; the limit is ");
        put_number(limit.rlim_cur >> 10);
        put(" kB (ulimit -v)");
    } else if (is_limited(RLIMIT_DATA, &limit)) {
        put("; the limit is ");
        put_number(limit.rlim_cur >> 10);
        put(" kB (ulimit -d)");
    }
    const char *words = atomic_load(&last_words);
    if (words) put(words);
    put("\n");
    _exit(atomic_load(&guard_status));
}

static inline void *checked(void *memory, size_t bytes) {
    // An allocation of no bytes has to have an address, too: without one, the caller ends the program in its own words.
    if (__builtin_expect(!memory && bytes < LARGEST, 0) && atomic_load(&guard_status)) leave(bytes);
    return memory;
}

void *malloc(size_t bytes) { return checked(__libc_malloc(bytes), bytes); }

void *calloc(size_t count, size_t size) {
    void *memory = __libc_calloc(count, size);
    size_t bytes;
    if (!memory && !__builtin_mul_overflow(count, size, &bytes)) checked(memory, bytes);
    return memory;
}

void *realloc(void *old, size_t bytes) {
    void *memory = __libc_realloc(old, bytes);
    // For no bytes, it frees the old ones.
    return bytes > 0 ? checked(memory, bytes) : memory;
}

void *memalign(size_t alignment, size_t bytes) { return checked(__libc_memalign(alignment, bytes), bytes); }

void *aligned_alloc(size_t alignment, size_t bytes) { return checked(__libc_memalign(alignment, bytes), bytes); }

int posix_memalign(void **memory, size_t alignment, size_t bytes) {
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *made = checked(__libc_memalign(alignment, bytes), bytes);
    if (!made) return ENOMEM;
    *memory = made;
    return 0;
}

// The stack of the main thread grows as it is used, and where it may not, that is a SIGSEGV: so it has grown before.
static __attribute__((noinline)) void touch_stack(void) {
    size_t size = (size_t)1 << 20;
    struct rlimit limit;
    if (is_limited(RLIMIT_STACK, &limit) && limit.rlim_cur / 2 < size) size = (size_t)limit.rlim_cur / 2;
    volatile char *stack = alloca(size);
    for (size_t i = 0; i < size; i += 4096) stack[i] = 0;
}

void veery_guard_memory(int status) {
    struct rlimit limit;
    if (is_limited(RLIMIT_AS, &limit) || is_limited(RLIMIT_DATA, &limit)) {
        // By default each thread reserves 64 MiB of addresses for what it allocates.
        mallopt(M_ARENA_MAX, 1);
        touch_stack();
    }
    atomic_store(&guard_status, status);
}

#else

void veery_guard_memory(int status) { (void)status; }

#endif
