// Preloaded into the program by test_threads.py: counts the threads that are started, and writes their number to the file
// THREADS_LOG at the end.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int started;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
    __typeof__(&pthread_create) next = (__typeof__(&pthread_create))dlsym(RTLD_NEXT, "pthread_create");
    atomic_fetch_add(&started, 1);
    return next(thread, attributes, body, argument);
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("THREADS_LOG");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file == NULL) return;
    fprintf(file, "%d", atomic_load(&started));
    fclose(file);
}
