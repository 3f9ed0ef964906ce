/* Sources/CPlatform by itself: claims add up, end, and are not those of a child. */

#define _GNU_SOURCE
#include "veery_memory.h"
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MB ((size_t)1 << 20)
#define EXPECT(condition) do { if (!(condition)) { printf("line %d: %s\n", __LINE__, #condition); exit(1); } } while (0)

/* Leaves `bytes` of address space. */
static void leave(size_t bytes) {
    char text[64] = "";
    FILE *file = fopen("/proc/self/statm", "r");
    EXPECT(file && fgets(text, sizeof text, file));
    fclose(file);
    struct rlimit limit;
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = strtoul(text, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE) + bytes;
    setrlimit(RLIMIT_AS, &limit);
}

static void *claim_in_thread(void *bytes) { return (void *)(uintptr_t)veery_claim_memory(*(size_t *)bytes); }

static int claim_elsewhere(size_t bytes) {
    pthread_t thread;
    void *result;
    EXPECT(pthread_create(&thread, NULL, claim_in_thread, &bytes) == 0);
    pthread_join(thread, &result);
    return result != NULL;
}

int main(void) {
    /* The C library reuses the stack of a thread for the next one. */
    EXPECT(claim_elsewhere(MB));
    veery_end_claim(MB);
    leave(20 * MB);
    EXPECT(veery_claim_memory(12 * MB));
    /* There is no memory for twice as much. */
    EXPECT(!veery_claim_memory(12 * MB) && !claim_elsewhere(12 * MB));
    EXPECT(veery_memory_is_left(4 * MB) && !veery_memory_is_left(12 * MB));
    EXPECT(veery_claim_memory(4 * MB));
    veery_end_claim(4 * MB);
    pid_t child = fork();
    if (child == 0) _exit(veery_claim_memory(12 * MB) ? 0 : 1);
    int status;
    waitpid(child, &status, 0);
    EXPECT(status == 0);
    veery_end_claim(12 * MB);
    EXPECT(veery_claim_memory(12 * MB));
    veery_end_claim(12 * MB);
    /* Claims that are refused are not counted. */
    const size_t huge[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX - MB, (size_t)1 << 48, 30 * MB};
    for (size_t i = 0; i < sizeof huge / sizeof *huge; i++) {
        EXPECT(!veery_claim_memory(huge[i]) && !veery_memory_is_left(huge[i]));
        EXPECT(veery_claim_memory(12 * MB));
        veery_end_claim(12 * MB);
    }
    /* A heap that cannot be extended grows by 1 MB at a time, which has to be free in addition. */
    leave(MB + MB / 2);
    EXPECT(!veery_claim_memory(MB));
    /* Claims allocate nothing. */
    leave(20 * MB);
    for (int i = 0; i < 10000; i++) {
        EXPECT(veery_claim_memory(12 * MB));
        veery_end_claim(12 * MB);
    }
    puts("done");
    return 0;
}
