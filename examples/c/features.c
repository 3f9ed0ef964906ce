/*
 * Features of a raw recording, from a C program: whole, and as a stream.
 *
 *     cc -o features features.c -lveery
 *     sox speech.wav -t f32 -c 1 -r 16000 - | ./features whisper 16000
 *
 * Reads float32 samples of one channel from standard input, and prints the shape of their features, the first values, and whether
 * the stream gives the same bits.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "veery.h"

static void check(veery_status status, const veery_error *error) {
    if (status == VEERY_OK) return;
    fprintf(stderr, "features: %s\n", error->text);
    exit(1);
}

static void *allocate(void *old, size_t bytes) {
    void *memory = realloc(old, bytes > 0 ? bytes : 1);
    if (memory == NULL) {
        fprintf(stderr, "features: no memory for %zu bytes\n", bytes);
        exit(1);
    }
    return memory;
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: features PRESET SAMPLE_RATE <SAMPLES\n");
        return 64;
    }
    uint32_t rate = (uint32_t)strtoul(arguments[2], NULL, 10);

    float *samples = NULL;
    size_t length = 0, capacity = 0;
    do {
        if (length == capacity) {
            capacity = capacity * 2 + 65536;
            samples = allocate(samples, capacity * sizeof *samples);
        }
        length += fread(samples + length, sizeof *samples, capacity - length, stdin);
    } while (length == capacity);
    if (ferror(stdin)) {
        perror("features: standard input");
        return 1;
    }

    veery_error error;
    veery_plan *plan = NULL;
    /* At the preset's own rate, or at that of the samples where the preset has none. */
    veery_status status = veery_plan_create(arguments[1], 0, &plan, &error);
    if (status == VEERY_INVALID_ARGUMENT) status = veery_plan_create(arguments[1], rate, &plan, &error);
    check(status, &error);

    veery_plan *raw = NULL;
    check(veery_plan_unnormalized(plan, &raw, &error), &error);
    veery_plan_destroy(plan);

    veery_plan_info info = {.size = sizeof info};
    check(veery_plan_get_info(raw, &info, &error), &error);

    size_t limit = 0, rows = 0;
    check(veery_plan_row_limit(raw, length, rate, &limit, &error), &error);
    float *features = allocate(NULL, limit * info.bins * sizeof *features);
    check(veery_plan_features(raw, samples, length, rate, features, limit, &rows, &error), &error);
    printf("%zu rows of %zu values, one every %g s\n", rows, info.bins, info.frame_period);
    for (size_t bin = 0; rows > 0 && bin < info.bins && bin < 4; bin++) printf("%g ", features[bin]);
    printf("...\n");

    /* The same in pieces of 1,000 samples. */
    veery_stream *stream = NULL;
    check(veery_stream_create(raw, rate, &stream, &error), &error);
    for (size_t start = 0; start < length; start += 1000) {
        size_t size = length - start < 1000 ? length - start : 1000;
        check(veery_stream_push(stream, samples + start, size, NULL, &error), &error);
    }
    size_t available = 0, read = 0;
    check(veery_stream_finish(stream, &available, &error), &error);
    float *streamed = allocate(NULL, available * info.bins * sizeof *streamed);
    check(veery_stream_read(stream, streamed, available, &read, &error), &error);
    int isEqual = read == rows && memcmp(streamed, features, rows * info.bins * sizeof *features) == 0;
    printf("in pieces: %s\n", isEqual ? "the same bits" : "different");

    veery_stream_destroy(stream);
    veery_plan_destroy(raw);
    free(streamed);
    free(features);
    free(samples);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("features: standard output");
        return 1;
    }
    return isEqual ? 0 : 1;
}
