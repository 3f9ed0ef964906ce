#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// What happens to a frame before its window, as in Kaldi's `FrameExtractor`, in double precision.
struct veery_preparation {
    /// Whether the mean is subtracted.
    int32_t removes_mean;
    /// Whether the energy Σ x² is measured then (1), or after pre-emphasis and window (2).
    int32_t measures_energy;
    /// The share of the sample before that is subtracted at last; of the first sample, of itself.
    double pre_emphasis;
};

/// The innermost loops, for the instructions of one kind of processor.
///
/// Every set does the same operations in the same order, none of them fused, so that results do not depend on the set to
/// the last bit. Swift has no way to compile a function for several kinds of processor, and its baseline on x86-64 is half
/// as wide as what almost every such processor has; that alone is why these loops are in C.
struct veery_kernels {
    /// 16-bit samples, little-endian, of any alignment, to −1 … 1: divided by 32768.
    void (*pcm16)(const void *samples, size_t count, float *values);

    /// min(ln(max(v, floor)) · factor + offset, limit); infinity and NaN become NaN.
    void (*logarithm)(float *values, size_t count, float floor, float factor, float offset, float limit);

    /// max(v, minimum); NaN remains NaN.
    void (*raise)(const float *values, size_t count, float least, float *raised);

    /// The maximum of `most` and the values that are not NaN.
    float (*maximum)(const float *values, size_t count, float most);

    /// For rows of 8 · `blocks` values, one after another: the sum of the products with each of `columns` such rows of weights, in
    /// rows that are `width` values apart. Product n is added to sum n mod 8, and these to each other, one after another.
    void (*products)(
        const float *values, size_t rows, size_t blocks, const float *weights, size_t columns, float *products,
        size_t width);

    /// For each of `count` results: the sum, in double precision, of the products of 8 · `blocks` samples, from sample `starts[i]` on,
    /// with the weights `rows[i]`. Product n is added to sum n mod 8; of these, first those four apart are added, then those two
    /// apart.
    void (*filter)(
        const float *samples, const intptr_t *starts, const double *_Nonnull const *_Nonnull rows, size_t blocks,
        size_t count, float *results);

    /// For each column of rows: adds the distances from `shift`, and their squares, and updates minimum and maximum.
    void (*statistics)(
        const float *values, size_t rows, size_t bins, const float *shift, double *sums, double *squares,
        float *minimum, float *maximum);

    /// Replaces each v of rows by ((v − high) − low) / spread + base, with the values of its column. What overflows becomes the
    /// largest finite number.
    void (*normalize)(
        float *values, size_t rows, size_t bins, const float *high, const float *low, const float *spread, float base);

    /// Values to the nearest IEEE half precision, little-endian (see `HalfPrecision`); `halves` and `values` may be the same
    /// memory.
    void (*encode_halves)(const float *values, size_t count, void *halves);

    /// The values of halves, exactly.
    void (*decode_halves)(const uint16_t *halves, size_t count, float *values);

    /// Whether all values are finite: 1, or 0.
    int (*finite)(const float *values, size_t count);

    /// The same of halves.
    int (*finite_halves)(const uint16_t *halves, size_t count);

    /// For each column of rows of finite values: adds them and their squares.
    ///
    /// \param first A row; the result tells whether any value differs from that of its column.
    /// \param limits A value for each column; the number of values up to it is added to `low`.
    int (*profile)(
        const float *values, size_t rows, size_t bins, const float *first, const float *limits, double *sums,
        double *squares, intptr_t *low);

    /// Counts finite values v by the whole part of v · scale, which lies from `low` to just below `high`: `counts` has an entry
    /// for each, the first for `low`. Ends at the first value outside, and returns how many were counted.
    size_t (*histogram)(
        const float *values, size_t count, double scale, int32_t low, int32_t high, intptr_t *counts);

    /// Transforms of several frames at a time.
    const struct veery_lanes *lanes;

    /// The set's name in `VEERY_INSTRUCTIONS`: sse2, avx2, avx512; baseline on other architectures.
    const char *name;
};

struct veery_convolution;

/// A complex Fourier transform, and what follows it (see fourier.h and spectrum.h).
struct veery_lane_plan {
    /// Complex numbers of a frame, M: half of its samples, or, of an odd number, all of them, with imaginary parts of 0.
    size_t length;
    int32_t is_odd;
    /// The radix of each pass, 2, 3, 4, 5, 7, 8, 11 or 13; their product is the length. A long transform starts with 8 where it can.
    const int32_t *radices;
    /// For each pass over m numbers of a part: of radix 7, 11 and 13, cosine and sine of 2πp / radix, p = 0 … radix − 1; then, for
    /// j = 1 … m − 1 and q = 1 … radix − 1, the cosine and the negative sine of 2πjq / (radix · m).
    const double *turns;
    /// Where number k of the result is, k = 0 … length − 1.
    const int32_t *positions;
    /// The twiddle factors of the untangling, for k = 0 … length / 2: cosine and negative sine of πk / length. Not used where the
    /// number of samples is odd.
    const double *cosines, *sines;
    /// What the transform is computed by instead of passes; NULL: passes.
    const struct veery_convolution *_Nullable convolution;
};

/// A transform of M numbers by a longer one (see `convolve` in fourier.h).
struct veery_convolution {
    /// Of L numbers, at least `length` + `results` − 1. It has passes.
    const struct veery_lane_plan *plan;
    /// M, and how many numbers of the result are needed: the first ones.
    size_t length, results;
    /// Cosine and negative sine of πn² / M, n = 0 … M − 1.
    const double *chirp;
    /// The transform of the chirp's conjugate, divided by L: L complex numbers, in order.
    const double *response;
};

/// Frames in memory, `stride` samples apart.
struct veery_frames {
    const float *first;
    size_t stride, count;
    /// Distance from each sample to the number that is added to it; 0: nothing is added.
    size_t rest;
};

/// Frames on their way into lanes.
struct veery_lane_window {
    /// What comes first.
    struct veery_preparation preparation;
    /// A factor for each sample of a frame.
    const double *weights;
    /// Samples of a frame.
    size_t samples;
    /// Samples of the transform, and index of the frame's first one; the others are 0.
    size_t length, offset;
    /// Distance of two samples in lanes: 1, or 2, with zeros in between.
    size_t step;
    /// Whether even samples go forwards, followed by the odd ones backwards: x₀ x₂ x₄ … x₅ x₃ x₁.
    int32_t is_folded;
};

/// Loops over several frames at a time. Number n of the frames lies in `count` doubles from n · `count` on, a frame in each;
/// of complex numbers, the real parts are followed by the imaginary parts. The operations on a frame depend neither on
/// `count` nor on the other frames.
struct veery_lanes {
    /// Frames at a time, at most eight.
    size_t count;

    /// Frames, at most as many as there are lanes, prepared and through the window to lanes, and the energy of each lane, or 0.
    /// Lanes that are left over get a copy of the last frame. Up to three samples are read past a frame's end.
    void (*from_frames)(
        const struct veery_frames *frames, const struct veery_lane_window *window, double *lanes, double *energies);

    /// Every `step`th number of the lanes to rows in single precision, `width` apart, for the first `count` lanes; squared there
    /// if `squares`.
    void (*to_rows)(
        const double *lanes, size_t step, size_t columns, int32_t squares, float *rows, size_t width, size_t count);

    /// The Fourier transform of the plan; the result replaces the input. For a convolution, `z` and the scratch memory `work` have
    /// 2L numbers of each lane each, of which the input is the first 2M.
    void (*transform)(double *z, const struct veery_lane_plan *plan, double *_Nullable work);

    /// The powers |X[k]|² of N real samples, k = 0 … N/2. Where N is even, all samples were halved before.
    void (*powers)(const double *z, const struct veery_lane_plan *plan, double *powers);

    /// The spectra X[k], k = 0 … N/2, of the same.
    void (*spectra)(const double *z, const struct veery_lane_plan *plan, double *real, double *imaginary);

    /// The N coefficients of a DCT-II from the same, of an even N, where the samples were folded (Makhoul 1980, "A fast cosine
    /// transform in one and two dimensions"): X[k] = Re(t V[k]) and X[N − k] = −Im(t V[k]), t = exp(−πik/2N). `turn_cosines` and
    /// `turn_sines` hold t for k = 0 … N/2.
    void (*cosines)(
        const double *z, const struct veery_lane_plan *plan, const double *turn_cosines, const double *turn_sines,
        double *values);

    /// The input of a transform that `unfold` makes a DCT-III of: of N coefficients, of an even N, which were halved before.
    void (*tangle)(
        const double *values, const struct veery_lane_plan *plan, const double *turn_cosines, const double *turn_sines,
        double *z);

    /// The N samples of a DCT-III.
    void (*unfold)(const double *z, const struct veery_lane_plan *plan, double *values);

    /// Square roots, in single precision, of `count` numbers of each lane.
    void (*roots)(double *values, size_t count);

    /// Sums of weighted powers: band b of the `counts[b]` powers from `first[b]` on; the weights lie band after band.
    void (*bands)(
        const double *powers, const double *weights, const int32_t *first, const int32_t *counts, size_t bands,
        double *values);
};

/// The set for the current processor, unless the environment variable `VEERY_INSTRUCTIONS` names another that it can run.
const struct veery_kernels *veery_kernels_best(void);

/// The sets that this processor can run, by ascending number of lanes: the first of them for every processor of the
/// architecture. NULL from `index` = their number on.
const struct veery_kernels *_Nullable veery_kernels_set(size_t index);

/// Instructions of x86-64 beyond those that all its processors have.
enum veery_instructions { VEERY_AVX, VEERY_FMA, VEERY_FMA4, VEERY_AVX2, VEERY_AVX512F };

/// Whether this processor has them and its system lets programs use them: 1, or 0. Other libraries choose their functions by this;
/// `VEERY_INSTRUCTIONS` does not change it.
int veery_processor_has(enum veery_instructions instructions);

/// Continues the CRC-32 of an Ogg page: polynomial 0x04C11DB7, highest bit first, nothing inverted; it starts at 0.
///
/// `tables` holds sixteen tables of 256 entries: entry b of table k is the checksum of byte b followed by k zero bytes.
uint32_t veery_ogg_checksum(const uint32_t *tables, uint32_t checksum, const void *bytes, size_t count);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
