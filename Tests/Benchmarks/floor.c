/* The floor: the least that any program must do that turns recordings into a file of spectrograms.
 *
 * Decodes every clip of a list, resamples it where a rate is given, transforms its whole frames, and writes as many
 * bytes as KEPT values a frame have. There is no window, no filter bank, no logarithm, no normalisation, no index, no
 * checksum: only what cannot be left out. With OUTPUT - it stops before the frames: bare decoding, or bare decoding and
 * resampling. With the environment variable FLOOR_SYNC it waits in the end until all it wrote is on the disk, as a program
 * has to that promises not to lose it.
 *
 * Usage: floor LIST OUTPUT THREADS [RATE FRAME HOP FFT KEPT]
 *   LIST   a clip on each line: PATH, or PATH<tab>START<tab>COUNT in samples
 *   RATE   in Hz, 0 (as it is) unless given; then frames in samples: 400 160 512 80 unless given
 */
#include <errno.h>
#include <fcntl.h>
#include <fftw3.h>
#include <pthread.h>
#include <sndfile.h>
#include <soxr.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { batch = 16, clips_at_once = 8, write_size = 1 << 20, most_threads = 64 };

typedef struct {
    char *path;
    sf_count_t start, count; /* count < 0: to the end */
} clip;

typedef struct {
    size_t clips, frames;
    double seconds;
} totals;

/* What a thread decodes and resamples with. */
typedef struct {
    const char *path;
    SNDFILE *file;
    SF_INFO info;
    soxr_t resampler;
    int resampler_rate;
    float *decoded, *resampled;
    size_t decoded_capacity, resampled_capacity;
    sf_count_t position;
} reader;

static clip *clips;
static size_t clip_count;
static atomic_size_t next_clip;
static int output = -1;
static int rate = 0, frame_length = 400, hop = 160, fft_length = 512, kept = 80;
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t writer = PTHREAD_MUTEX_INITIALIZER;

static void die(const char *what, const char *which) {
    fprintf(stderr, "floor: %s: %s\n", what, which);
    exit(1);
}

static void *allocate(void *old, size_t size) {
    void *memory = realloc(old, size);
    if (!memory) die("out of memory", "");
    return memory;
}

/* Makes the buffer as large as count floats; its contents are lost. */
static void reserve(float **buffer, size_t *capacity, size_t count) {
    if (count <= *capacity) return;
    free(*buffer);
    *buffer = allocate(NULL, count * sizeof(float));
    *capacity = count;
}

static void write_out(const char *bytes, size_t count) {
    pthread_mutex_lock(&writer);
    while (count > 0) {
        ssize_t written = write(output, bytes, count);
        if (written < 0) die("cannot write", strerror(errno));
        bytes += written;
        count -= (size_t)written;
    }
    pthread_mutex_unlock(&writer);
}

/* Decodes a clip; the recording stays open for the next, and is only sought in where there is a gap. */
static size_t decode(reader *state, const clip *wanted) {
    if (!state->file || strcmp(state->path, wanted->path) != 0) {
        if (state->file) sf_close(state->file);
        memset(&state->info, 0, sizeof state->info);
        state->file = sf_open(wanted->path, SFM_READ, &state->info);
        if (!state->file) die(sf_strerror(NULL), wanted->path);
        if (state->info.channels != 1) die("more than one channel", wanted->path);
        state->path = wanted->path;
        state->position = 0;
    }
    sf_count_t count = wanted->count < 0 ? state->info.frames - wanted->start : wanted->count;
    if (count <= 0) return 0;
    if (state->position != wanted->start && sf_seek(state->file, wanted->start, SEEK_SET) != wanted->start)
        die("cannot seek", wanted->path);
    reserve(&state->decoded, &state->decoded_capacity, (size_t)count);
    sf_count_t got = sf_readf_float(state->file, state->decoded, count);
    state->position = wanted->start + got;
    return got > 0 ? (size_t)got : 0;
}

static size_t resample(reader *state, size_t count, const char *path) {
    if (state->resampler && state->resampler_rate == state->info.samplerate) {
        soxr_clear(state->resampler);
    } else {
        soxr_delete(state->resampler);
        soxr_error_t error = NULL;
        soxr_io_spec_t format = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
        soxr_quality_spec_t quality = soxr_quality_spec(SOXR_HQ, 0);
        soxr_runtime_spec_t one = soxr_runtime_spec(1);
        state->resampler = soxr_create(state->info.samplerate, rate, 1, &error, &format, &quality, &one);
        if (error) die(error, path);
        state->resampler_rate = state->info.samplerate;
    }
    size_t most = (size_t)((double)count * rate / state->info.samplerate) + 64, given = 0, more = 0;
    reserve(&state->resampled, &state->resampled_capacity, most);
    soxr_error_t error = soxr_process(state->resampler, state->decoded, count, NULL, state->resampled, most, &given);
    if (!error)
        error = soxr_process(state->resampler, NULL, 0, NULL, state->resampled + given, most - given, &more);
    if (error) die(error, path);
    return given + more;
}

static void *work(void *argument) {
    totals *sum = argument;
    const int bins = fft_length / 2 + 1;
    const size_t row = (size_t)kept * sizeof(float);
    float *input = NULL;
    fftwf_complex *spectra = NULL;
    fftwf_plan plan = NULL;
    char *block = NULL;
    size_t pending = 0;
    if (output >= 0) {
        input = fftwf_alloc_real((size_t)batch * (size_t)fft_length);
        spectra = fftwf_alloc_complex((size_t)batch * (size_t)bins);
        if (!input || !spectra) die("out of memory", "");
        pthread_mutex_lock(&planner);
        plan = fftwf_plan_many_dft_r2c(
            1, &fft_length, batch, input, NULL, 1, fft_length, spectra, NULL, 1, bins, FFTW_ESTIMATE);
        pthread_mutex_unlock(&planner);
        if (!plan) die("no plan", "");
        memset(input, 0, sizeof(float) * batch * (size_t)fft_length);
        block = allocate(NULL, write_size + batch * row);
    }

    reader state = {0};
    for (;;) {
        size_t index = atomic_fetch_add(&next_clip, clips_at_once);
        if (index >= clip_count) break;
        size_t end = index + clips_at_once < clip_count ? index + clips_at_once : clip_count;
        for (; index < end; index++) {
            size_t count = decode(&state, &clips[index]);
            sum->clips += 1;
            sum->seconds += (double)count / state.info.samplerate;
            const float *samples = state.decoded;
            if (rate > 0 && rate != state.info.samplerate) {
                count = resample(&state, count, clips[index].path);
                samples = state.resampled;
            }
            if (output < 0) continue;

            size_t frames = count < (size_t)frame_length ? 0 : (count - (size_t)frame_length) / (size_t)hop + 1;
            for (size_t first = 0; first < frames; first += batch) {
                size_t here = frames - first < batch ? frames - first : batch;
                for (size_t frame = 0; frame < here; frame++)
                    memcpy(
                        input + frame * (size_t)fft_length, samples + (first + frame) * (size_t)hop,
                        (size_t)frame_length * sizeof(float));
                fftwf_execute(plan);
                for (size_t frame = 0; frame < here; frame++) {
                    memcpy(block + pending, spectra + frame * (size_t)bins, row);
                    pending += row;
                }
                if (pending >= write_size) {
                    write_out(block, pending);
                    pending = 0;
                }
            }
            sum->frames += frames;
        }
    }
    if (output >= 0) {
        write_out(block, pending);
        pthread_mutex_lock(&planner);
        fftwf_destroy_plan(plan);
        pthread_mutex_unlock(&planner);
    }
    if (state.file) sf_close(state.file);
    soxr_delete(state.resampler);
    fftwf_free(input);
    fftwf_free(spectra);
    free(state.decoded);
    free(state.resampled);
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
        if (clip_count == capacity)
            clips = allocate(clips, (capacity = capacity ? 2 * capacity : 1024) * sizeof *clips);
        clip *next = &clips[clip_count++];
        char *tab = strchr(line, '\t');
        long long start = 0, count = -1;
        if (tab) {
            *tab = 0;
            if (sscanf(tab + 1, "%lld\t%lld", &start, &count) != 2) die("no START and COUNT", line);
        }
        next->start = start;
        next->count = count;
        /* Segments of one recording share its name. */
        next->path = clip_count > 1 && strcmp(line, next[-1].path) == 0 ? next[-1].path : strdup(line);
        if (!next->path) die("out of memory", "");
    }
    free(line);
    fclose(list);
}

int main(int argc, char **argv) {
    int threads = argc >= 4 ? atoi(argv[3]) : 0;
    if (threads < 1 || threads > most_threads || (argc != 4 && argc != 5 && argc != 9))
        die("usage", "floor LIST OUTPUT THREADS [RATE FRAME HOP FFT KEPT]");
    if (argc >= 5) rate = atoi(argv[4]);
    if (argc == 9) {
        frame_length = atoi(argv[5]);
        hop = atoi(argv[6]);
        fft_length = atoi(argv[7]);
        kept = atoi(argv[8]);
    }
    /* A row is taken from a spectrum: bins numbers of two values. */
    if (rate < 0 || frame_length < 1 || hop < 1 || fft_length < frame_length || kept < 1 || kept > fft_length + 2)
        die("usage", "expected 1 <= FRAME <= FFT, 1 <= HOP, KEPT <= FFT + 2");
    read_list(argv[1]);
    if (strcmp(argv[2], "-") != 0) {
        output = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0644);
        if (output < 0) die("cannot create", argv[2]);
    }

    pthread_t workers[most_threads];
    totals sums[most_threads] = {{0, 0, 0}}, all = {0, 0, 0};
    for (int i = 0; i < threads; i++)
        if (pthread_create(&workers[i], NULL, work, &sums[i])) die("no thread", "");
    for (int i = 0; i < threads; i++) {
        pthread_join(workers[i], NULL);
        all.clips += sums[i].clips;
        all.frames += sums[i].frames;
        all.seconds += sums[i].seconds;
    }
    if (output >= 0 && getenv("FLOOR_SYNC") && fsync(output)) die("cannot write to the disk", argv[2]);
    if (output >= 0 && close(output)) die("cannot close", argv[2]);
    printf("%zu clips, %zu frames, %.3f seconds\n", all.clips, all.frames, all.seconds);
    return 0;
}
