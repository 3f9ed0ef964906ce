/* Calls every function of veery.h in processes with more and more memory: each returns VEERY_OK or VEERY_OUT_OF_MEMORY, and its
 * plan or stream works as before once there is memory. Prints for each function how often it lacked memory, and how many KiB
 * were enough with a full heap. Usage, with a preset or JSON:
 *   memory CONFIGURATION
 *   memory CONFIGURATION threads NUMBER                   several threads at once
 *   memory CONFIGURATION forks RESAMPLED FEATURES         children of a process whose threads compute: bytes that are enough for features
 *                                                         at another rate, and for others, with a workspace that has to be made
 *   memory CONFIGURATION bounds PLAN RESAMPLED FEATURES   bytes that are enough for each call, for features at another rate, and
 *                                                         for other features */

#define _GNU_SOURCE
#include "veery.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SAMPLES = 40000, FOREIGN = 44100 };
/* Bytes of memory that every call is tried with, and those that have to be enough. */
static const size_t USUAL = 8 << 20, MOST = 128 << 20;
enum { AFTER_SUCCESS = 1, AFTER_LACK = 2 };

static const char *configuration;
static veery_plan *plan, *shared;
static veery_plan_info info = {.size = sizeof info};
static float samples[SAMPLES], *rows, *expected;
static size_t capacity, expected_rows, expected_foreign_rows;
static float *expected_foreign;
static double *zeros, *ones;
static veery_stream *streams[2];

static void set_limit(rlim_t bytes) {
    struct rlimit limit;
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    setrlimit(RLIMIT_AS, &limit);
}

/* Leaves `left` bytes of address space; `fill`: and nothing of the heap. */
static void squeeze(size_t left, int fill) {
    char text[64] = "";
    int file = open("/proc/self/statm", O_RDONLY);
    if (file < 0 || read(file, text, sizeof text - 1) <= 0) _exit(90);
    close(file);
    size_t size = strtoul(text, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE);
    set_limit(size);
    if (fill)
        for (size_t part = 1 << 20; part >= 16; part /= 2) while (malloc(part)) {}
    set_limit(size + left);
}

static veery_status create(veery_plan **made, veery_error *error) {
    return configuration[0] == '{' ? veery_plan_create_json(configuration, strlen(configuration), 0, made, error)
                                   : veery_plan_create(configuration, 0, made, error);
}

/* A text is whole, or there was no memory for it. */
static veery_status text(size_t length, const char *written) { return strlen(written) == length ? VEERY_OK : 91; }

static veery_status call(int number, const char **name, veery_error *error) {
    static char written[40000];
    veery_plan *made = NULL;
    veery_stream *stream = NULL;
    size_t count = 0;
    static float values[3 * 8192];
    switch (number) {
    case 0: *name = "plan_create"; return create(&made, error);
    case 1:
        *name = "plan_normalized";
        return shared ? veery_plan_normalized(shared, zeros, ones, zeros, ones, info.bins, UINT64_MAX, &made, error) : VEERY_OK;
    case 2: *name = "plan_unnormalized"; return veery_plan_unnormalized(plan, &made, error);
    case 3: *name = "plan_get_info"; return veery_plan_get_info(plan, &info, error);
    case 4: *name = "plan_axis"; return info.bins <= 3 * 8192 ? veery_plan_axis(plan, values, info.bins, error) : VEERY_OK;
    case 5: *name = "plan_row_limit"; return veery_plan_row_limit(plan, SAMPLES, FOREIGN, &count, error);
    case 6: *name = "plan_configuration"; return text(veery_plan_configuration(plan, written, sizeof written), written);
    case 7:
        *name = "plan_units";
        count = veery_plan_units(plan, written, sizeof written);
        return count > 0 ? text(count, written) : 92;
    case 8: *name = "plan_warnings"; return text(veery_plan_warnings(plan, written, sizeof written), written);
    case 9: *name = "preset_name"; return text(veery_preset_name(3, written, sizeof written), written);
    case 10: *name = "preset_summary"; return text(veery_preset_summary(3, written, sizeof written), written);
    case 11: *name = "preset_count"; return veery_preset_count() < 1000 ? VEERY_OK : 93;
    case 12: *name = "library_versions"; return text(veery_library_versions(written, sizeof written), written);
    case 13: *name = "version"; return text(veery_version(written, sizeof written), written);
    case 14: *name = "plan_features"; return veery_plan_features(plan, samples, SAMPLES, 0, rows, capacity, &count, error);
    case 15:
        *name = "plan_features, resampled";
        return veery_plan_features(plan, samples, SAMPLES, FOREIGN, rows, capacity, &count, error);
    case 16: *name = "stream_create"; return veery_stream_create(plan, 0, &stream, error);
    case 17: *name = "stream_create, resampled"; return veery_stream_create(plan, FOREIGN, &stream, error);
    case 18: *name = "stream_push"; return veery_stream_push(streams[0], samples, SAMPLES, &count, error);
    case 19: *name = "stream_push, resampled"; return veery_stream_push(streams[1], samples, SAMPLES, &count, error);
    case 20: *name = "stream_flush"; return veery_stream_flush(streams[0], &count, error);
    case 21: *name = "stream_flush, resampled"; return veery_stream_flush(streams[1], &count, error);
    case 22: *name = "stream_finish"; return veery_stream_finish(streams[0], &count, error);
    case 23: *name = "stream_finish, resampled"; return veery_stream_finish(streams[1], &count, error);
    case 24: *name = "stream_read"; return veery_stream_read(streams[0], rows, capacity, &count, error);
    case 25: *name = "stream_reset"; return veery_stream_reset(streams[0], error);
    case 26: *name = "stream_reset, resampled"; return veery_stream_reset(streams[1], error);
    case 27:
        *name = "a sample that is not a number";
        rows[0] = 0.0f / (*zeros != 0 ? 1.0f : 0.0f);
        return veery_plan_features(plan, rows, 1, 0, rows, capacity, &count, error) == VEERY_NOT_FINITE ? VEERY_OK : 94;
    case 28:
        *name = "plan_signal_warnings";
        return text(veery_plan_signal_warnings(plan, SAMPLES, 100, written, sizeof written), written);
    default: *name = NULL; return VEERY_OK;
    }
}

/* All functions give what they give in a process that never lacked memory. */
static int works(void) {
    veery_error error;
    size_t count = 0, available;
    memset(rows, 0, capacity * info.bins * sizeof *rows);
    if (veery_plan_features(plan, samples, SAMPLES, 0, rows, capacity, &count, &error) || count != expected_rows
        || memcmp(rows, expected, count * info.bins * sizeof *rows)) return 0;
    if (veery_plan_features(plan, samples, SAMPLES, FOREIGN, rows, capacity, &count, &error) || count != expected_foreign_rows
        || memcmp(rows, expected_foreign, count * info.bins * sizeof *rows)) return 0;
    for (int i = 0; i < 2; i++) {
        if (veery_stream_reset(streams[i], &error)) return 0;
        for (int part = 0; part < 4; part++)
            if (veery_stream_push(streams[i], samples + part * SAMPLES / 4, SAMPLES / 4, NULL, &error)) return 0;
        if (veery_stream_finish(streams[i], &available, &error)) return 0;
        if (veery_stream_read(streams[i], rows, capacity, &count, &error) || count != (i ? expected_foreign_rows : expected_rows)
            || memcmp(rows, i ? expected_foreign : expected, count * info.bins * sizeof *rows)) return 0;
    }
    return 1;
}

/* The status of a call with `left` bytes of memory; 200 and more: the signal that ended the process.
 * `uses`: after which statuses plan and streams have to work. */
static int attempt(int number, size_t left, int fill, int uses) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        const char *name;
        veery_error error = {0};
        int null = open("/dev/null", O_WRONLY);
        dup2(null, 2);
        close(null);
        squeeze(left, fill);
        veery_status status = call(number, &name, &error);
        if (status == VEERY_OUT_OF_MEMORY && strlen(error.text) < 20) status = 95;
        set_limit(RLIM_INFINITY);
        if (uses & (status == VEERY_OK ? AFTER_SUCCESS : status == VEERY_OUT_OF_MEMORY ? AFTER_LACK : 0) && !works()) status = 96;
        _exit(status);
    }
    int status;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? 200 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int bad;

static pthread_barrier_t gate;

static int compute_once(float *own, int rate) {
    veery_error error;
    size_t count;
    veery_status status = veery_plan_features(plan, samples, SAMPLES, rate, own, capacity, &count, &error);
    return status != VEERY_OK && status != VEERY_OUT_OF_MEMORY;
}

/* A thread's own allocations are made before memory becomes scarce, so that only those of libveery fail. */
static void *compute(void *own) {
    if (compute_once(own, 0) || compute_once(own, FOREIGN)) bad = 1;
    pthread_barrier_wait(&gate);
    pthread_barrier_wait(&gate);
    for (int i = 0; i < 20; i++) if (compute_once(own, i % 2 ? FOREIGN : 0)) bad = 1;
    /* No thread ends before all are done: ending takes or frees memory. */
    pthread_barrier_wait(&gate);
    return NULL;
}

/* Several threads at once that compute by libveery. */
static int attempt_threads(int number, size_t left) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        pthread_t threads[16];
        int null = open("/dev/null", O_WRONLY);
        dup2(null, 2);
        pthread_barrier_init(&gate, NULL, (unsigned)number + 1);
        for (int i = 0; i < number; i++) {
            float *own = malloc(capacity * info.bins * sizeof *own);
            if (!own || pthread_create(&threads[i], NULL, compute, own)) _exit(97);
        }
        pthread_barrier_wait(&gate);
        squeeze(left, 0);
        pthread_barrier_wait(&gate);
        pthread_barrier_wait(&gate);
        set_limit(RLIM_INFINITY);
        for (int i = 0; i < number; i++) pthread_join(threads[i], NULL);
        _exit(bad ? 98 : 0);
    }
    int status;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? 200 + WTERMSIG(status) : WEXITSTATUS(status);
}

static volatile int is_over;

static void *compute_on(void *own) {
    while (!is_over) if (compute_once(own, FOREIGN)) bad = 1;
    return NULL;
}

/* A child has neither the threads of its parent nor their claims of memory. */
static int attempt_forks(size_t resampled, size_t left) {
    pthread_t threads[4];
    int failures = 0;
    for (int i = 0; i < 4; i++) {
        float *own = malloc(capacity * info.bins * sizeof *own);
        if (!own || pthread_create(&threads[i], NULL, compute_on, own)) return 1;
    }
    for (int i = 0; i < 20; i++) {
        int number = 14 + i % 2, status = attempt(number, number == 15 ? resampled : left, 1, 0);
        if (status) printf("%d in a child: %d\n", number, status), failures++;
    }
    is_over = 1;
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    return failures + bad;
}

int main(int argument_count, char **arguments) {
    veery_error error;
    size_t count;
    int failures = 0;
    configuration = arguments[1];
    unsigned state = 1;
    for (int i = 0; i < SAMPLES; i++) samples[i] = (float)((state = state * 1664525u + 1013904223u) >> 8) / (1 << 24) - 0.5f;
    if (create(&plan, &error)) { printf("%s\n", error.text); return 1; }
    veery_plan_get_info(plan, &info, &error);
    if (info.needs_statistics) {
        shared = plan;
        if (veery_plan_unnormalized(shared, &plan, &error)) { printf("%s\n", error.text); return 1; }
    }
    veery_plan_row_limit(plan, SAMPLES, 0, &capacity, &error);
    veery_plan_row_limit(plan, SAMPLES, FOREIGN, &count, &error);
    if (count > capacity) capacity = count;
    size_t size = (capacity + 1) * info.bins * sizeof(float);
    zeros = calloc(info.bins, sizeof *zeros);
    ones = calloc(info.bins, sizeof *ones);
    rows = calloc(1, size), expected = calloc(1, size), expected_foreign = calloc(1, size);
    for (size_t bin = 0; bin < info.bins; bin++) ones[bin] = 1;
    if (veery_plan_features(plan, samples, SAMPLES, 0, expected, capacity, &expected_rows, &error)
        || veery_plan_features(plan, samples, SAMPLES, FOREIGN, expected_foreign, capacity, &expected_foreign_rows, &error)) {
        printf("%s\n", error.text);
        return 1;
    }
    for (int i = 0; i < 2; i++)
        if (veery_stream_create(plan, i ? FOREIGN : 0, &streams[i], &error)
            || veery_stream_push(streams[i], samples, 20000, NULL, &error)) {
            printf("%s\n", error.text);
            return 1;
        }
    if (argument_count == 5) {
        int found = attempt_forks(strtoul(arguments[3], NULL, 10), strtoul(arguments[4], NULL, 10));
        if (!found) puts("done");
        return found != 0;
    }
    const int threads = argument_count == 4 ? atoi(arguments[3]) : 0;
    if (threads) {
        for (size_t left = 0; left <= (size_t)32 << 20; left += 1 << 19) {
            int status = attempt_threads(threads, left);
            if (status) printf("%d threads with %zu KiB: %d\n", threads, left >> 10, status), failures++;
        }
        if (!failures) puts("done");
        return failures != 0;
    }
    const char *name = "";
    for (int number = 0;; number++) {
        call(number, &name, &error);
        if (!name) break;
        if (number >= 18 && number <= 26) { /* These change the streams: back to the state before. */
            for (int i = 0; i < 2; i++) {
                veery_stream_reset(streams[i], &error);
                veery_stream_push(streams[i], samples, 20000, NULL, &error);
            }
        }
        if (argument_count == 6) {
            size_t bound = strtoul(arguments[number == 15 ? 4 : number == 14 ? 5 : 3], NULL, 10);
            int status = attempt(number, bound, 1, AFTER_SUCCESS | AFTER_LACK);
            if (status != VEERY_OK) printf("%s with %zu bytes, which are enough: %d\n", name, bound, status), failures++;
            continue;
        }
        /* More and more memory, up to 8 MiB, and then until it is enough. What a call leaves is used after lacks, after the first success,
         * which has only just enough, and after the last one, which has the most. */
        int lacks = 0;
        size_t enough = 0;
        for (int fill = 0; fill < 2; fill++) {
            int last = VEERY_OUT_OF_MEMORY;
            size_t step = 4 << 10;
            enough = 0;
            for (size_t left = 0; left <= USUAL || (last == VEERY_OUT_OF_MEMORY && left <= MOST); left += step) {
                if (left >= 32 << 10) step = 32 << 10;
                if (left >= 256 << 10) step = 256 << 10;
                if (left >= 2 << 20) step = 512 << 10;
                if (left >= USUAL) step = 2 << 20;
                int uses = left % (left < 2 << 20 ? 256 << 10 : 1 << 20) ? 0 : AFTER_LACK;
                if (last == VEERY_OUT_OF_MEMORY || left == USUAL) uses |= AFTER_SUCCESS;
                last = attempt(number, left, fill, uses);
                lacks += last == VEERY_OUT_OF_MEMORY;
                if (last == VEERY_OUT_OF_MEMORY) enough = left + step;
                if (last != VEERY_OK && last != VEERY_OUT_OF_MEMORY) {
                    printf("%s with %zu KiB%s: %d\n", name, left >> 10, fill ? " and a full heap" : "", last);
                    failures++;
                }
            }
            if (last == VEERY_OUT_OF_MEMORY) printf("%s: %zu MiB are not enough\n", name, MOST >> 20), failures++;
        }
        printf("%s: %d %zu\n", name, lacks, enough >> 10);
    }
    if (!failures) puts("done");
    return failures != 0;
}
