/*
 * veery.h - features of audio signals, to the last bit those that `veery extract` stores
 *
 * SYNOPSIS
 *     #include <veery.h>          cc program.c -lveery
 *
 *     veery_plan *plan = NULL;
 *     veery_error error;
 *     if (veery_plan_create("whisper", 0, &plan, &error)) fprintf(stderr, "%s\n", error.text);
 *     veery_plan_row_limit(plan, count, 0, &rows, &error);
 *     float *features = malloc(rows * bins * sizeof *features);
 *     veery_plan_features(plan, samples, count, 0, features, rows, &rows, &error);
 *     veery_plan_destroy(plan);
 *
 * DESCRIPTION
 *     A plan is a configuration at a sample rate: frames, window, transform, filter bank, scale, normalisation. It turns a whole
 *     signal into rows of features, one row a frame, `bins` values a row, row after row. A stream does the same with a signal that
 *     comes in pieces. Rows do not depend on how a signal is cut into pieces, nor on the number of threads.
 *
 *     Samples are float32, mono, on the unit scale: full scale is -1 to 1. They have the plan's rate, or a rate that is given, from
 *     which they are resampled as `veery extract` does it.
 *
 * NORMALISATION
 *     Rows are normalised as the plan's configuration says. Where normalize.scope is `none`, nothing is done; where it is `clip`,
 *     a signal's own statistics normalise it, and a stream hands over its rows after the end; where it is `dataset`, the plan needs
 *     the statistics of a dataset (veery_plan_normalized), and without them its features are refused
 *     (VEERY_NEEDS_STATISTICS). veery_plan_unnormalized makes a plan whose rows are those before normalisation.
 *
 * ERRORS
 *     A function that can fail returns a veery_status, VEERY_OK (0) or why it failed, and explains it in `error`, which may be
 *     NULL. Its outputs are then as they were, unless the function says otherwise. No input ends the process: null pointers, sizes
 *     of 0 or too large, numbers that are not finite and calls in the wrong order are errors. Two things are the caller's duty: a
 *     pointer that is not null points to as many values as is said, and a handle is not used after it was destroyed.
 *
 * MEMORY
 *     Memory that runs out is an error (VEERY_OUT_OF_MEMORY), however little is left. A plan is as before; a stream has failed
 *     until it is reset, and its rows can still be read. A call that allocates checks before it begins that all the memory it may
 *     need is there, which is mostly several times what it takes: up to 18 MB for a plan or a stream of a preset (50 MB for a plan
 *     with a band that may lie between two bins, since its warning tries longer transforms), 8 MB for features of samples at
 *     another rate, 4 MB for other features. Frames of more than 2048 samples, patches, clips that are repeated, rows that are
 *     added to those of the signal, transforms that FFTW computes, and the resamplers kaiser_best and soxr-vhq add to that. At the
 *     plan's rate, the stream functions need memory only for rows that have not been read, unless FFTW computes or the clip's
 *     statistics normalise.
 *
 *     Threads that are inside of libveery never count on the same memory. Other threads of the process may take it after the check:
 *     only then can Swift, FFTW or libsoxr end the process. So can a system that hands out more memory than it has.
 *
 * THREADS AND FORKS
 *     A plan may be used by any number of threads at once; a stream by one at a time (another gets VEERY_BUSY). Handles may be
 *     destroyed by any thread, a plan before its streams. A process may fork at any time, also while other threads compute or make
 *     their first plan: parent and child can both use their plans, and the child the streams that no other thread was using.
 *
 * TEXTS
 *     Functions that give a text write as much as fits into `capacity` bytes, with a 0 at the end, and return the length of the
 *     whole text in bytes, without the 0, as snprintf does. All texts are UTF-8. Where there is no memory to make a text, it is
 *     empty.
 *
 * VERSIONS
 *     Functions and status codes are added, and never removed or changed, as long as VEERY_INTERFACE_VERSION is the same.
 *     Structures whose size the caller sets begin with it, so that they can grow.
 */

#ifndef VEERY_H
#define VEERY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header; veery_interface_version() gives that of the library. */
#define VEERY_INTERFACE_VERSION 1

/* A configuration at a sample rate. */
typedef struct veery_plan veery_plan;

/* A signal that comes in pieces. */
typedef struct veery_stream veery_stream;

/* The result of a function: one of the codes below. */
typedef int32_t veery_status;

enum {
    VEERY_OK = 0,
    /* A null pointer, a size that no memory has, a rate out of range. */
    VEERY_INVALID_ARGUMENT = 1,
    /* No preset has the name. */
    VEERY_UNKNOWN_PRESET = 2,
    /* The text is not JSON, or the configuration is refused; the text of the error names the key. */
    VEERY_INVALID_CONFIGURATION = 3,
    /* A sample is infinite or not a number. */
    VEERY_NOT_FINITE = 4,
    /* The signal is so loud that features exceed single precision. */
    VEERY_OVERFLOW = 5,
    /* The rows do not fit into the buffer. */
    VEERY_BUFFER_TOO_SMALL = 6,
    /* normalize.scope is `dataset`, and the plan has no statistics. */
    VEERY_NEEDS_STATISTICS = 7,
    /* An earlier call on this stream failed, and the stream was not reset. */
    VEERY_STREAM_FAILED = 8,
    /* Another thread is using the stream. */
    VEERY_BUSY = 9,
    /* Memory runs out. */
    VEERY_OUT_OF_MEMORY = 10,
    /* A library that Veery uses failed; the text of the error says how. */
    VEERY_LIBRARY_FAILED = 11,
    /* A sample is 256 or more, or -256 or less: the signal is not on the unit scale. Divide samples of 16-bit PCM by 32768. */
    VEERY_NOT_UNIT_SCALE = 12
};

/* Why a function failed. Set by functions that fail, and only by them. */
typedef struct veery_error {
    veery_status status;
    /* A sentence for a person, with a 0 at the end; cut off where it is longer. */
    char text[1020];
} veery_error;

/* The meaning of the columns. */
enum {
    /* The centre of each column in Hz. Where columns come in several parts (real and imaginary, deltas), each part repeats them. */
    VEERY_AXIS_FREQUENCY = 0,
    /* The order of each column's cepstral coefficient, for each part. */
    VEERY_AXIS_COEFFICIENT = 1
};

/* What normalises the rows of a plan. */
enum {
    VEERY_NORMALIZE_NONE = 0,
    /* Each signal's own statistics. */
    VEERY_NORMALIZE_CLIP = 1,
    /* The statistics that the plan was given, or still needs. */
    VEERY_NORMALIZE_DATASET = 2,
    /* By the constants of the configuration: `normalize.mean` and `normalize.std`. */
    VEERY_NORMALIZE_CONSTANT = 3
};

/* A plan in numbers. */
typedef struct veery_plan_info {
    /* Set this to sizeof(veery_plan_info) before the call. */
    size_t size;
    /* Rate of the samples that the frames are cut from, in Hz. */
    uint32_t sample_rate;
    /* VEERY_AXIS_... */
    uint32_t axis;
    /* VEERY_NORMALIZE_... */
    uint32_t normalization;
    /* 1: normalize.scope is `dataset`, and statistics have not been given. */
    uint32_t needs_statistics;
    /* 1: a stream hands over its rows after the end of the signal, since they depend on all of it. */
    uint32_t needs_whole_signal;
    /* 1: a row is a patch, the values of patch_length frames one after another (patches.stacked). */
    uint32_t patches_are_stacked;
    /* Values in a row that is handed over: of stacked patches, those of patch_length frames. */
    size_t bins;
    /* In samples at `sample_rate`. */
    size_t frame_length;
    size_t hop_length;
    size_t fft_length;
    /* The number of samples, at `sample_rate`, that one row takes at least. */
    size_t minimum_samples;
    /* The length in samples that every signal is cropped to, or padded with zeros (audio.duration; with audio.fit: keep only
     * cropped); 0: its own. */
    size_t fixed_length;
    /* Seconds from a row that is handed over to the next; where rows are grouped into patches that are not stacked, from one to the
       next in a patch. */
    double frame_period;
    /* Time of the middle of row 0 in the signal, in seconds. */
    double first_frame_time;
    /* Where the rows of frames are grouped into patches: those of a patch, and from one patch to the next. Else 0. Patches that are
       not stacked are handed over row by row, patch after patch, and rows that belong to two patches twice. */
    size_t patch_length;
    size_t patch_hop;
} veery_plan_info;

/* VEERY_INTERFACE_VERSION of the library. */
int32_t veery_interface_version(void);

/* The version of Veery, such as `0.2.0`. */
size_t veery_version(char *text, size_t capacity);

/* What computes, with versions: `lanes 2, libsoxr-0.1.3`; FFTW where it is built in. */
size_t veery_library_versions(char *text, size_t capacity);

/* The number of presets; 0 where memory runs out. */
size_t veery_preset_count(void);

/* The name of a preset, 0 <= index < veery_preset_count(); an empty text for another index. */
size_t veery_preset_name(size_t index, char *text, size_t capacity);

/* A preset in a line; an empty text for another index. */
size_t veery_preset_summary(size_t index, char *text, size_t capacity);

/* The other names of a preset, those of models that take the same: a line each, followed by the keys that differ, such as
 * `whisper-large-v3 transform.bins=128`. veery_plan_create takes these names, too. An empty text where there are none. */
size_t veery_preset_aliases(size_t index, char *text, size_t capacity);

/*
 * A plan of a preset.
 *
 * sample_rate  rate of the samples in Hz, 1 to 10,000,000; 0: the rate that the preset computes at. Presets that compute at the
 *              recording's own rate need one. Another rate than the preset's own is as `--set audio.sample_rate=` of the command.
 * plan         receives the plan; destroy it by veery_plan_destroy.
 *
 * VEERY_UNKNOWN_PRESET, VEERY_INVALID_CONFIGURATION, VEERY_INVALID_ARGUMENT, VEERY_OUT_OF_MEMORY.
 */
veery_status veery_plan_create(const char *preset, uint32_t sample_rate, veery_plan **plan, veery_error *error);

/*
 * A plan of a configuration as JSON, such as the text of /provenance/configuration in a feature file.
 *
 * json         a configuration: what is missing has the value of the preset `log-mel`, or of that which the key `extends` names.
 *              The key `set` may hold single values to set over all that, as `--set` of the command does:
 *              {"extends": "whisper", "set": {"transform.bins": 128}}.
 *              What a model's own file says, as `veery presets --json FILE` prints it, may have the key `model` with the file's
 *              name and, a line each, what of the original is not part of the features: {"model": {"name":
 *              "preprocessor_config.json", "remarks": "noise is not added"}, ...}. veery_plan_warnings gives these lines then, and
 *              names what `set` and `sample_rate` change of the model's input.
 * length       of the text in bytes, at most 65,536.
 * sample_rate  rate of the samples in Hz; 0: that of the configuration. A configuration that states another rate is refused: its
 *              frames are counted in samples.
 *
 * VEERY_INVALID_CONFIGURATION, VEERY_INVALID_ARGUMENT, VEERY_OUT_OF_MEMORY.
 */
veery_status veery_plan_create_json(
    const char *json, size_t length, uint32_t sample_rate, veery_plan **plan, veery_error *error);

/* Releases a plan; its streams stay valid. NULL: does nothing. */
void veery_plan_destroy(veery_plan *plan);

/*
 * A plan that normalises by statistics of a dataset: those of /statistics in a feature file, of the values before normalisation.
 *
 * mean, deviation, minimum, maximum  a value for each column of a frame, in the range of float: `bins` of them or, where patches
 *                                    are stacked, bins / patch_length; deviation (the population's) not below 0.
 * frames                             the number of frames that they come from, at least 1. Beyond those that fit a computation, up
 *                                    to UINT64_MAX, it stands for as many as fit.
 *
 * The arrays are not compared with one another.
 *
 * A plan whose scope is not `dataset` is refused: VEERY_INVALID_ARGUMENT.
 */
veery_status veery_plan_normalized(
    const veery_plan *plan, const double *mean, const double *deviation, const double *minimum, const double *maximum,
    size_t bins, uint64_t frames, veery_plan **normalized, veery_error *error);

/* A plan whose rows are those before normalisation: as with `--set normalize.scope=none` of the command. */
veery_status veery_plan_unnormalized(const veery_plan *plan, veery_plan **unnormalized, veery_error *error);

/* A plan in numbers. info->size has to be set. */
veery_status veery_plan_get_info(const veery_plan *plan, veery_plan_info *info, veery_error *error);

/* The configuration as JSON, with every key; an empty text where plan is NULL. */
size_t veery_plan_configuration(const veery_plan *plan, char *text, size_t capacity);

/* The unit of the values, normalisation included, such as `zscore of ln(power)`; an empty text where plan is NULL. */
size_t veery_plan_units(const veery_plan *plan, char *text, size_t capacity);

/* Likely mistakes in the configuration, a line each; an empty text where there are none. */
size_t veery_plan_warnings(const veery_plan *plan, char *text, size_t capacity);

/*
 * What of a signal is not in its features, or is missing in it, a line each: the rest of one that is longer than they take
 * (audio.duration, rows.count) or than the windows of the model, what one lacks that is shorter than such a window, and bands above
 * half of a rate that is lower than the plan's. An empty text where there is nothing to say, where plan is NULL, and for a rate out
 * of range. veery_plan_features and streams say nothing of it. Not for a loop over short signals: it makes texts, and takes a lock.
 *
 * count        samples of the signal.
 * sample_rate  their rate in Hz; 0: the plan's.
 */
size_t veery_plan_signal_warnings(
    const veery_plan *plan, size_t count, uint32_t sample_rate, char *text, size_t capacity);

/* The frequency of each column in Hz, or the order of its coefficient; `bins` has to be that of the plan. */
veery_status veery_plan_axis(const veery_plan *plan, float *values, size_t bins, veery_error *error);

/*
 * The maximum number of rows of a signal.
 *
 * count        samples of the signal.
 * sample_rate  their rate in Hz; 0: the plan's. At the plan's rate, rows is exact; at another, it is that of up to two samples
 * more.
 */
veery_status veery_plan_row_limit(
    const veery_plan *plan, size_t count, uint32_t sample_rate, size_t *rows, veery_error *error);

/*
 * The features of a whole signal.
 *
 * samples      `count` samples.
 * sample_rate  their rate in Hz; 0: the plan's. Another rate is resampled by the configuration's
 *              audio.resampler: libsoxr at its high quality, unless it says otherwise.
 * features     receives the rows; has space for `capacity` rows of `bins` values. May be NULL where `capacity` is 0.
 * rows         receives the number of rows: 0 where the signal is shorter than a frame. After VEERY_BUFFER_TOO_SMALL, the number
 *              that there would have been.
 *
 * VEERY_NOT_FINITE, VEERY_NOT_UNIT_SCALE, VEERY_OVERFLOW, VEERY_BUFFER_TOO_SMALL, VEERY_NEEDS_STATISTICS, VEERY_OUT_OF_MEMORY,
 * VEERY_LIBRARY_FAILED, VEERY_INVALID_ARGUMENT. `features` may have been written to after any of them.
 *
 * What is longer than the features take is cut without a sign: see veery_plan_signal_warnings.
 *
 * Cost: memory does not grow with the signal. A plan keeps the workspaces of threads that are done, for the next call.
 */
veery_status veery_plan_features(
    const veery_plan *plan, const float *samples, size_t count, uint32_t sample_rate, float *features, size_t capacity,
    size_t *rows, veery_error *error);

/*
 * A stream of a plan.
 *
 * sample_rate  rate of the samples that will come, in Hz; 0: the plan's.
 * stream       receives the stream; destroy it by veery_stream_destroy.
 */
veery_status veery_stream_create(
    const veery_plan *plan, uint32_t sample_rate, veery_stream **stream, veery_error *error);

/* Releases a stream. NULL: does nothing. */
void veery_stream_destroy(veery_stream *stream);

/*
 * Takes samples. Rows that they complete can be read; up to 15 of them may be held back, to be computed together with later ones
 * (veery_stream_flush does not wait).
 *
 * available  receives the number of rows that can be read; may be NULL.
 *
 * VEERY_NOT_FINITE, VEERY_NOT_UNIT_SCALE, VEERY_INVALID_ARGUMENT, VEERY_BUSY: none of the samples was taken, and the stream is as
 * before. The first two name the first such sample of the signal, however it is cut into pieces. After any other error the stream has failed until it is reset; rows that were readable before can still be read.
 */
veery_status veery_stream_push(
    veery_stream *stream, const float *samples, size_t count, size_t *available, veery_error *error);

/*
 * Makes the rows of all complete frames readable now. It costs up to 16 frames' time, and does not change values. Rows that depend
 * on later samples still have to wait: all of them where `needs_whole_signal`, slopes over time for the frames that they need, and
 * samples that are resampled for the resampler's filter.
 */
veery_status veery_stream_flush(veery_stream *stream, size_t *available, veery_error *error);

/*
 * Ends the signal: makes all its rows readable, those past its end included. The next push starts a new signal, whose rows follow
 * those that have not been read.
 */
veery_status veery_stream_finish(veery_stream *stream, size_t *available, veery_error *error);

/*
 * Reads rows, in order, and forgets them.
 *
 * features  receives the rows; has space for `capacity` rows of `bins` values.
 * rows      receives the number of rows: `capacity`, or as many as there are.
 */
veery_status veery_stream_read(
    veery_stream *stream, float *features, size_t capacity, size_t *rows, veery_error *error);

/* Discards an unfinished signal, all rows that have not been read, and a failure. */
veery_status veery_stream_reset(veery_stream *stream, veery_error *error);

#ifdef __cplusplus
}
#endif

#endif
