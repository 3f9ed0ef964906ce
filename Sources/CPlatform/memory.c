// Some header of the library is needed for __GLIBC__.
#include <stdlib.h>

#include "veery_memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

// The claims of all threads. Each asks for the sum, so two of them never count on the same memory.
static atomic_size_t claimed;

// Up to this size, an allocation comes from the heap itself, and freed memory stays in the heap.
#define FROM_HEAP ((size_t)64 << 10)
// A larger one is mapped alone. The heap then grows in steps of 132 KiB or, if it cannot be extended, of 1 MiB.
#define HEAP_STEPS ((size_t)1280 << 10)
// glibc keeps as much free memory as the largest block that was ever freed: so for larger blocks mmap is tried instead.
#define FROM_ALLOCATOR ((size_t)4 << 20)

// The threads whose claims these are do not exist in a child.
static void forget(void) { atomic_store(&claimed, 0); }

// When the library is loaded: before anything is claimed that a child would keep, and while there is memory for it.
__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(NULL, NULL, forget); }

static int can_map(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (memory == MAP_FAILED) return 0;
    munmap(memory, bytes);
    return 1;
}

static int can_allocate(size_t bytes) {
    if (bytes > FROM_HEAP && __builtin_add_overflow(bytes, HEAP_STEPS, &bytes)) return 0;
    if (bytes > FROM_ALLOCATOR) return can_map(bytes);
    void *memory = malloc(bytes);
    // Otherwise the compiler leaves out both calls.
    __asm__ volatile("" : "+r"(memory));
    if (!memory) return 0;
    free(memory);
    return 1;
}

int veery_memory_is_left(size_t bytes) {
    size_t needed = atomic_load_explicit(&claimed, memory_order_relaxed);
    if (needed < veery_small_memory) needed = veery_small_memory;
    return !__builtin_add_overflow(bytes, needed, &needed) && can_allocate(needed);
}

int veery_claim_memory(size_t bytes) {
    // Before it is counted: a claim that nothing could meet must not fail those of others.
    if (bytes > FROM_ALLOCATOR && !can_allocate(bytes)) return 0;
    size_t others = atomic_fetch_add(&claimed, bytes);
    // Counted before it is checked, so that of two at the same time one sees both.
    if (!can_allocate(others + bytes)) {
        veery_end_claim(bytes);
        return 0;
    }
    return 1;
}

void veery_end_claim(size_t bytes) { atomic_fetch_sub_explicit(&claimed, bytes, memory_order_relaxed); }

#ifdef __GLIBC__

#include <sys/resource.h>

// Where the stack of the main thread begins: the only one that grows as it is used, and a SIGSEGV where it may not.
extern void *__libc_stack_end;

// What a call uses: 60 KiB measured, and buffers of less than 64 KiB each that FFTW takes from the stack.
#define CALL ((size_t)256 << 10)
// It grows by more, so that it does not have to again for calls from a little deeper.
#define GROWTH (CALL + ((size_t)64 << 10))
// No other stack begins as near to the main one.
#define NEAR ((size_t)64 << 20)
// Arguments and environment, which the limit of the stack includes.
#define ENVIRONMENT ((size_t)1 << 20)
#define PAGE 4096

// The lowest address that the stack of the main thread has grown to; it never shrinks.
static atomic_uintptr_t reached = UINTPTR_MAX;

static __attribute__((noinline)) void grow(void) {
    volatile char below[GROWTH];
    for (size_t end = sizeof below; end >= PAGE; end -= PAGE) below[end - PAGE] = 0;
    atomic_store_explicit(&reached, (uintptr_t)below, memory_order_relaxed);
}

static __attribute__((noinline)) int can_grow(size_t used) {
    struct rlimit limit;
    // The caller's stack is smaller than that: nothing can be said of it.
    if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur < used + GROWTH + ENVIRONMENT) return 1;
    // The frames of these functions included.
    size_t size = GROWTH + 2 * PAGE;
    if (!can_map(size)) return 0;
    grow();
    return 1;
}

int veery_stack_suffices(void) {
    uintptr_t here = (uintptr_t)__builtin_frame_address(0), begin = (uintptr_t)__libc_stack_end;
    if (here > begin || begin - here > NEAR) return 1;
    if (here - CALL >= atomic_load_explicit(&reached, memory_order_relaxed)) return 1;
    return can_grow(begin - here);
}

#else

int veery_stack_suffices(void) { return 1; }

#endif
