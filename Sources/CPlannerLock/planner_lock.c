#include "veery_planner_lock.h"

#include <pthread.h>

static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t registered = PTHREAD_ONCE_INIT;

static void take(void) { pthread_mutex_lock(&planner); }
static void give(void) { pthread_mutex_unlock(&planner); }
static void watch_forks(void) { pthread_atfork(take, give, give); }

void veery_lock_planner(void) {
    pthread_once(&registered, watch_forks);
    take();
}

void veery_unlock_planner(void) { give(); }
