#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// The innermost loops, for the instructions of one kind of processor.
///
/// Every set does the same operations in the same order, none of them fused, so that results do not depend on the set to
/// the last bit. Swift has no way to compile a function for several kinds of processor, and its baseline on x86-64 is half
/// as wide as what almost every such processor has; that alone is why these loops are in C.
struct veery_kernels {
    /// 16-bit samples, little-endian, of any alignment, to −1 … 1: divided by 32768.
    void (*pcm16)(const void *samples, size_t count, float *values);

    /// values[i] = samples[i] · window[i].
    void (*window)(const float *samples, const double *window, size_t count, double *values);

    /// The even samples forwards, the odd ones backwards, each times a weight: row[n] = samples[2n] · weights[n] and
    /// row[length − 1 − n] = samples[2n + 1] · weights[length − 1 − n], for `count` samples, at most `length`.
    void (*fold)(const float *samples, const double *weights, size_t count, size_t length, double *row);

    /// The power |X[k]|², k = 0 … half, of the spectrum that is interleaved in the `half` complex numbers of `z` (see
    /// `RealFFT`). `cosines` and `sines` hold the twiddle factors for k = 0 … half/2; all samples were halved before.
    void (*power)(const double *z, size_t half, const double *cosines, const double *sines, float *power);

    /// The spectrum X[k], k = 0 … half, of the same input.
    void (*spectrum)(
        const double *z, size_t half, const double *cosines, const double *sines, double *real, double *imaginary);

    /// The 2 · half coefficients of a DCT-II from the same input, the spectrum of the reordered samples (see
    /// `CosineTransform`). `turn_cosines` and `turn_sines` hold that transform's twiddle factors for k = 0 … half.
    void (*cosine)(
        const double *z, size_t half, const double *cosines, const double *sines, const double *turn_cosines,
        const double *turn_sines, float *values);

    /// Sums of weighted powers, of eight bands for each of `groups`: band i of the powers from `first[i]` on, times
    /// `blocks[group]` times eight weights; the weights lie group after group, block after block, band after band.
    void (*bands)(
        const float *power, const float *weights, const int32_t *first, const int32_t *blocks, size_t groups,
        float *values);

    /// min(ln(max(v, floor)) · factor + offset, limit); infinity and NaN become NaN.
    /// `count` is a multiple of eight.
    void (*logarithm)(float *values, size_t count, float floor, float factor, float offset, float limit);

    /// For the first `bins` columns, a multiple of eight, of rows of `width` values: adds their distances from `shift`, and
    /// their squares, and updates minimum and maximum.
    void (*statistics)(
        const float *values, size_t rows, size_t width, size_t bins, const float *shift, double *sums, double *squares,
        float *minimum, float *maximum);

    /// ((v − high) − low) / spread + base in place, for the first `bins` columns, a multiple of eight, of rows of `width`
    /// values; overflow becomes the largest finite number.
    void (*normalize)(
        float *values, size_t rows, size_t width, size_t bins, const float *high, const float *low, const float *spread,
        float base);

    /// Values to the nearest IEEE half precision, little-endian (see `HalfPrecision`); `halves` and `values` may be the same memory.
    void (*encode_halves)(const float *values, size_t count, void *halves);

    /// The values of halves, exactly.
    void (*decode_halves)(const uint16_t *halves, size_t count, float *values);
};

/// The set for the current processor.
const struct veery_kernels *veery_kernels_best(void);

/// The set for every processor of the architecture.
const struct veery_kernels *veery_kernels_baseline(void);

/// Continues the CRC-32 of an Ogg page: polynomial 0x04C11DB7, highest bit first, nothing inverted; it starts at 0.
///
/// `tables` holds sixteen tables of 256 entries: entry b of table k is the checksum of byte b followed by k zero bytes.
uint32_t veery_ogg_checksum(const uint32_t *tables, uint32_t checksum, const void *bytes, size_t count);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
