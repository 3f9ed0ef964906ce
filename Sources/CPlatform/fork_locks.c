#include "veery_fork_locks.h"

#include <pthread.h>

static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t setup = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t registered = PTHREAD_ONCE_INIT;

static void take(void) {
    pthread_mutex_lock(&setup);
    pthread_mutex_lock(&planner);
}

static void give(void) {
    pthread_mutex_unlock(&planner);
    pthread_mutex_unlock(&setup);
}

static void watch_forks(void) { pthread_atfork(take, give, give); }

static void lock(pthread_mutex_t *mutex) {
    pthread_once(&registered, watch_forks);
    pthread_mutex_lock(mutex);
}

void veery_lock_planner(void) { lock(&planner); }

void veery_unlock_planner(void) { pthread_mutex_unlock(&planner); }

void veery_lock_setup(void) { lock(&setup); }

void veery_unlock_setup(void) { pthread_mutex_unlock(&setup); }
