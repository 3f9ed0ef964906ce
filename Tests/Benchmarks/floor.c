/* The floor: the least that any program must do that turns WAV files into a file of log-mel features.
 *
 * Decodes every file of a list, transforms its whole frames, and writes as many bytes as 80 values a frame have. There
 * is no window, no filter bank, no logarithm, no normalisation, no index, no checksum: only what cannot be left out.
 *
 * Usage: floor LIST OUTPUT THREADS     LIST: a path on each line
 */
#include <fftw3.h>
#include <pthread.h>
#include <sndfile.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>

enum { frame_length = 400, hop = 160, fft_length = 512, bins = fft_length / 2 + 1, kept = 80, batch = 16 };
enum { write_size = 1 << 20 };

static char **paths;
static size_t path_count;
static atomic_size_t next_path;
static int output;
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t writer = PTHREAD_MUTEX_INITIALIZER;

typedef struct {
    size_t files, frames;
    double seconds;
} totals;

static void die(const char *what, const char *which) {
    fprintf(stderr, "floor: %s: %s\n", what, which);
    exit(1);
}

static void *allocate(void *old, size_t size) {
    void *memory = realloc(old, size);
    if (!memory) die("out of memory", "");
    return memory;
}

static void write_out(const char *bytes, size_t count) {
    pthread_mutex_lock(&writer);
    while (count > 0) {
        ssize_t written = write(output, bytes, count);
        if (written < 0) die("cannot write", "output");
        bytes += written;
        count -= (size_t)written;
    }
    pthread_mutex_unlock(&writer);
}

static void *work(void *argument) {
    totals *sum = argument;
    float *input = fftwf_alloc_real((size_t)batch * fft_length);
    fftwf_complex *spectra = fftwf_alloc_complex((size_t)batch * bins);
    if (!input || !spectra) die("out of memory", "");
    int length[] = {fft_length};
    pthread_mutex_lock(&planner);
    fftwf_plan plan = fftwf_plan_many_dft_r2c(
        1, length, batch, input, NULL, 1, fft_length, spectra, NULL, 1, bins, FFTW_ESTIMATE);
    pthread_mutex_unlock(&planner);
    if (!plan) die("no plan", "");
    memset(input, 0, sizeof(float) * batch * fft_length);

    float *samples = NULL;
    size_t capacity = 0, pending = 0;
    const size_t row = kept * sizeof(float);
    char *block = allocate(NULL, write_size + batch * row);

    for (;;) {
        size_t index = atomic_fetch_add(&next_path, 1);
        if (index >= path_count) break;
        SF_INFO info = {0};
        SNDFILE *file = sf_open(paths[index], SFM_READ, &info);
        if (!file) die(sf_strerror(NULL), paths[index]);
        if (info.channels != 1) die("more than one channel", paths[index]);
        if ((size_t)info.frames > capacity) {
            capacity = (size_t)info.frames;
            samples = allocate(samples, capacity * sizeof(float));
        }
        size_t count = info.frames > 0 ? (size_t)sf_readf_float(file, samples, info.frames) : 0;
        sf_close(file);

        size_t frames = count < frame_length ? 0 : (count - frame_length) / hop + 1;
        for (size_t first = 0; first < frames; first += batch) {
            size_t here = frames - first < batch ? frames - first : batch;
            for (size_t frame = 0; frame < here; frame++)
                memcpy(input + frame * fft_length, samples + (first + frame) * hop, frame_length * sizeof(float));
            fftwf_execute(plan);
            for (size_t frame = 0; frame < here; frame++) {
                memcpy(block + pending, spectra + frame * bins, row);
                pending += row;
            }
            if (pending >= write_size) {
                write_out(block, pending);
                pending = 0;
            }
        }
        sum->files += 1;
        sum->frames += frames;
        sum->seconds += (double)count / info.samplerate;
    }
    write_out(block, pending);
    pthread_mutex_lock(&planner);
    fftwf_destroy_plan(plan);
    pthread_mutex_unlock(&planner);
    fftwf_free(input);
    fftwf_free(spectra);
    free(samples);
    free(block);
    return NULL;
}

static void read_list(const char *path) {
    FILE *list = fopen(path, "r");
    if (!list) die("cannot read", path);
    char *line = NULL;
    size_t size = 0, capacity = 0;
    ssize_t length;
    while ((length = getline(&line, &size, list)) > 0) {
        if (line[length - 1] == '\n') line[--length] = 0;
        if (length == 0) continue;
        if (path_count == capacity) paths = allocate(paths, (capacity = capacity ? 2 * capacity : 1024) * sizeof *paths);
        paths[path_count++] = strdup(line);
    }
    free(line);
    fclose(list);
}

int main(int argc, char **argv) {
    int threads = argc == 4 ? atoi(argv[3]) : 0;
    if (threads < 1 || threads > 64) die("usage", "floor LIST OUTPUT THREADS");
    read_list(argv[1]);
    output = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (output < 0) die("cannot create", argv[2]);

    pthread_t workers[64];
    totals sums[64] = {{0, 0, 0}}, all = {0, 0, 0};
    for (int i = 0; i < threads; i++)
        if (pthread_create(&workers[i], NULL, work, &sums[i])) die("no thread", "");
    for (int i = 0; i < threads; i++) {
        pthread_join(workers[i], NULL);
        all.files += sums[i].files;
        all.frames += sums[i].frames;
        all.seconds += sums[i].seconds;
    }
    if (close(output)) die("cannot close", argv[2]);
    printf("%zu files, %zu frames, %.3f seconds\n", all.files, all.frames, all.seconds);
    return 0;
}
