#include "bare.h"

#include <errno.h>
#include <fcntl.h>
#include <fftw3.h>
#include <sndfile.h>
#include <soxr.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { batch = 16 };

struct bare_transform {
    int frame_length, hop, fft_length;
    float *input;
    fftwf_complex *output;
    fftwf_plan plan;
};

bare_transform *bare_transform_make(bare_kind kind, int frame_length, int hop, int fft_length) {
    bare_transform *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    const int bins = fft_length / 2 + 1;
    made->frame_length = frame_length;
    made->hop = hop;
    made->fft_length = fft_length;
    made->input = fftwf_alloc_real((size_t)batch * (size_t)fft_length);
    made->output = fftwf_alloc_complex((size_t)batch * (size_t)bins);
    if (made->input && made->output) {
        memset(made->input, 0, sizeof(float) * batch * (size_t)fft_length);
        fftw_r2r_kind real = FFTW_REDFT10;
        made->plan = kind == BARE_R2C
            ? fftwf_plan_many_dft_r2c(
                  1, &fft_length, batch, made->input, NULL, 1, fft_length, made->output, NULL, 1, bins, FFTW_ESTIMATE)
            : fftwf_plan_many_r2r(
                  1, &fft_length, batch, made->input, NULL, 1, fft_length, (float *)made->output, NULL, 1, fft_length,
                  &real, FFTW_ESTIMATE);
    }
    if (!made->plan) {
        bare_transform_free(made);
        return NULL;
    }
    return made;
}

void bare_transform_free(bare_transform *transform) {
    if (!transform) return;
    if (transform->plan) fftwf_destroy_plan(transform->plan);
    fftwf_free(transform->input);
    fftwf_free(transform->output);
    free(transform);
}

size_t bare_transform_run(bare_transform *transform, const float *samples, size_t count) {
    const size_t length = (size_t)transform->frame_length, hop = (size_t)transform->hop;
    size_t frames = count < length ? 0 : (count - length) / hop + 1;
    for (size_t first = 0; first < frames; first += batch) {
        size_t here = frames - first < batch ? frames - first : batch;
        for (size_t frame = 0; frame < here; frame++)
            memcpy(
                transform->input + frame * (size_t)transform->fft_length, samples + (first + frame) * hop,
                length * sizeof(float));
        fftwf_execute(transform->plan);
    }
    return frames;
}

struct bare_row {
    bare_row_kind kind;
    size_t length;
    double *weights, *input, *output;
    fftw_plan plan;
};

bare_row *bare_row_make(bare_row_kind kind, int length, const double *weights) {
    static const fftw_r2r_kind kinds[] = {FFTW_R2HC, FFTW_REDFT00, FFTW_REDFT10, FFTW_REDFT01, FFTW_REDFT11};
    bare_row *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->kind = kind;
    made->length = (size_t)length;
    made->weights = fftw_alloc_real(made->length);
    made->input = fftw_alloc_real(made->length);
    made->output = fftw_alloc_real(made->length + 2);
    if (made->weights && made->input && made->output) {
        memcpy(made->weights, weights, sizeof(double) * made->length);
        made->plan = kind == BARE_ROW_R2C
            ? fftw_plan_dft_r2c_1d(length, made->input, (fftw_complex *)made->output, FFTW_ESTIMATE)
            : fftw_plan_r2r_1d(length, made->input, made->output, kinds[kind], FFTW_ESTIMATE);
    }
    if (!made->plan) {
        bare_row_free(made);
        return NULL;
    }
    return made;
}

void bare_row_free(bare_row *row) {
    if (!row) return;
    if (row->plan) fftw_destroy_plan(row->plan);
    fftw_free(row->weights);
    fftw_free(row->input);
    fftw_free(row->output);
    free(row);
}

void bare_row_run(bare_row *row, const float *samples, size_t hop, size_t frames, float *values) {
    const double *output = row->output;
    for (size_t frame = 0; frame < frames; frame++, samples += hop) {
        for (size_t n = 0; n < row->length; n++) row->input[n] = samples[n] * row->weights[n];
        fftw_execute(row->plan);
        if (row->kind == BARE_ROW_R2C) {
            for (size_t k = 0; k <= row->length / 2; k++)
                values[k] = (float)(output[2 * k] * output[2 * k] + output[2 * k + 1] * output[2 * k + 1]);
        } else {
            for (size_t k = 0; k < row->length; k++) values[k] = (float)output[k];
        }
    }
}

long bare_decode(const char *path, float *buffer, size_t capacity) {
    SF_INFO info = {0};
    SNDFILE *file = sf_open(path, SFM_READ, &info);
    if (!file) return -1;
    size_t samples = (size_t)info.frames * (size_t)info.channels;
    long frames = samples > capacity ? -1 : (long)sf_readf_float(file, buffer, info.frames);
    sf_close(file);
    return frames;
}

struct bare_resampler {
    soxr_t soxr;
};

bare_resampler *bare_resampler_make(double input_rate, double output_rate) {
    bare_resampler *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    soxr_error_t error = NULL;
    soxr_io_spec_t format = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
    soxr_quality_spec_t quality = soxr_quality_spec(SOXR_HQ, 0);
    soxr_runtime_spec_t one = soxr_runtime_spec(1);
    made->soxr = soxr_create(input_rate, output_rate, 1, &error, &format, &quality, &one);
    if (made->soxr && !error) return made;
    bare_resampler_free(made);
    return NULL;
}

void bare_resampler_free(bare_resampler *resampler) {
    if (!resampler) return;
    soxr_delete(resampler->soxr);
    free(resampler);
}

long bare_resampler_run(
    bare_resampler *resampler, const float *samples, size_t count, float *output, size_t capacity) {
    size_t given = 0, more = 0;
    soxr_clear(resampler->soxr);
    if (soxr_process(resampler->soxr, samples, count, NULL, output, capacity, &given)) return -1;
    if (soxr_process(resampler->soxr, NULL, 0, NULL, output + given, capacity - given, &more)) return -1;
    return (long)(given + more);
}

int bare_write(const char *path, const void *bytes, size_t count, size_t times) {
    unlink(path);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0) return errno;
    for (; times > 0; times--) {
        const char *rest = bytes;
        size_t left = count;
        while (left > 0) {
            ssize_t written = write(file, rest, left);
            if (written < 0) {
                int error = errno;
                close(file);
                return error;
            }
            rest += written;
            left -= (size_t)written;
        }
    }
    return close(file) ? errno : 0;
}
