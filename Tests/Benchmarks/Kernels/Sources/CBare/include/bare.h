/* What the libraries do by themselves, with the least around them: what Veery's kernels are held against. */
#ifndef BARE_H
#define BARE_H

#include <stddef.h>

/* Transforms of frames in batches of 16, single precision. */
typedef struct bare_transform bare_transform;

typedef enum { BARE_R2C, BARE_REDFT10 } bare_kind;

/* Null where there is no memory or no plan. */
bare_transform *bare_transform_make(bare_kind kind, int frame_length, int hop, int fft_length);
void bare_transform_free(bare_transform *transform);

/* Copies and transforms every whole frame; the spectra are discarded. Returns the number of frames. */
size_t bare_transform_run(bare_transform *transform, const float *samples, size_t count);

/* Transforms of one frame at a time, double precision, from floats times a window to a row of floats: powers, or coefficients. */
typedef struct bare_row bare_row;

typedef enum { BARE_ROW_R2C, BARE_ROW_REDFT00, BARE_ROW_REDFT10, BARE_ROW_REDFT01, BARE_ROW_REDFT11 } bare_row_kind;

/* Null where there is no memory or no plan. */
bare_row *bare_row_make(bare_row_kind kind, int length, const double *weights);
void bare_row_free(bare_row *row);

/* Transforms frames that are `hop` samples apart, each into the same row. */
void bare_row_run(bare_row *row, const float *samples, size_t hop, size_t frames, float *values);

/* Decodes a whole recording into a buffer of so many floats. Returns the frames, or a negative number. */
long bare_decode(const char *path, float *buffer, size_t capacity);

/* Resamples signals at high quality, each as one piece. */
typedef struct bare_resampler bare_resampler;

/* Null where there is no memory, or libsoxr refuses the rates. */
bare_resampler *bare_resampler_make(double input_rate, double output_rate);
void bare_resampler_free(bare_resampler *resampler);

/* Returns the samples that come out, or a negative number. */
long bare_resampler_run(
    bare_resampler *resampler, const float *samples, size_t count, float *output, size_t capacity);

/* Writes the bytes, so many times, into a new file. Returns 0, or an error number. */
int bare_write(const char *path, const void *bytes, size_t count, size_t times);

#endif
