// From a transform over lanes to powers, spectra, cosine coefficients and bands, and from cosine coefficients to a transform.
//
// For an even length N = 2M the samples are taken as M complex numbers (x₀ + ix₁, x₂ + ix₃, …). With Z their spectrum,
// E = (Z[k] + Z*[M − k]) / 2 and O = (Z[k] − Z*[M − k]) / 2i are the spectra of the even and of the odd samples, and X[k] = E + wO,
// X[M − k] = (E − wO)*, w = exp(−2πik/N). The halves are left out here: all samples were halved before. For an odd length the
// imaginary parts are 0, and Z is the spectrum.

/// X[k] and the conjugate of X[half − k].
TARGET static inline ALWAYS void KERNEL(untangle)(
    const double *z, const struct veery_lane_plan *plan, size_t k, complex *lower, complex *upper) {
    const double *near = z + 2 * LANES * (size_t)plan->positions[k];
    const double *far = z + 2 * LANES * (size_t)plan->positions[plan->length - k];
    vector a = LANE_LOAD(near), b = LANE_LOAD(near + LANES), c = LANE_LOAD(far), d = LANE_LOAD(far + LANES);
    complex even = {a + c, b - d}, odd = {b + d, c - a};
    KERNEL(turn)(&odd, plan->cosines[k], plan->sines[k]);
    *lower = (complex){even.real + odd.real, even.imaginary + odd.imaginary};
    *upper = (complex){even.real - odd.real, even.imaginary - odd.imaginary};
}

/// X[0] and X[half], which are real.
TARGET static inline ALWAYS void KERNEL(ends)(const double *z, vector *first, vector *last) {
    vector a = LANE_LOAD(z), b = LANE_LOAD(z + LANES);
    *first = 2 * (a + b);
    *last = 2 * (a - b);
}

/// Z[k].
TARGET static inline ALWAYS complex KERNEL(number)(const double *z, const struct veery_lane_plan *plan, size_t k) {
    const double *source = z + 2 * LANES * (size_t)plan->positions[k];
    return (complex){LANE_LOAD(source), LANE_LOAD(source + LANES)};
}

/// X[k] of an odd length. X[0] is real; a convolution leaves a rounding error as its imaginary part.
TARGET static inline ALWAYS complex KERNEL(bin)(const double *z, const struct veery_lane_plan *plan, size_t k) {
    const vector zero = {0};
    complex x = KERNEL(number)(z, plan, k);
    if (k == 0) x.imaginary = zero;
    return x;
}

TARGET static void KERNEL(lane_powers)(const double *z, const struct veery_lane_plan *plan, double *power) {
    const size_t half = plan->length;
    for (size_t k = 0; plan->is_odd && k <= half / 2; k++) {
        complex x = KERNEL(bin)(z, plan, k);
        LANE_STORE(power + k * LANES, x.real * x.real + x.imaginary * x.imaginary);
    }
    if (plan->is_odd) return;
    vector first, last;
    KERNEL(ends)(z, &first, &last);
    LANE_STORE(power, first * first);
    LANE_STORE(power + half * LANES, last * last);
    for (size_t k = 1; k <= half / 2; k++) {
        complex x, y;
        KERNEL(untangle)(z, plan, k, &x, &y);
        LANE_STORE(power + k * LANES, x.real * x.real + x.imaginary * x.imaginary);
        LANE_STORE(power + (half - k) * LANES, y.real * y.real + y.imaginary * y.imaginary);
    }
}

TARGET static void KERNEL(lane_spectra)(
    const double *z, const struct veery_lane_plan *plan, double *real, double *imaginary) {
    const size_t half = plan->length;
    for (size_t k = 0; plan->is_odd && k <= half / 2; k++) {
        complex x = KERNEL(bin)(z, plan, k);
        LANE_STORE(real + k * LANES, x.real);
        LANE_STORE(imaginary + k * LANES, x.imaginary);
    }
    if (plan->is_odd) return;
    vector first, last, zero = {0};
    KERNEL(ends)(z, &first, &last);
    LANE_STORE(real, first);
    LANE_STORE(real + half * LANES, last);
    LANE_STORE(imaginary, zero);
    LANE_STORE(imaginary + half * LANES, -zero);
    for (size_t k = 1; k <= half / 2; k++) {
        complex x, y;
        KERNEL(untangle)(z, plan, k, &x, &y);
        LANE_STORE(real + k * LANES, x.real);
        LANE_STORE(imaginary + k * LANES, x.imaginary);
        LANE_STORE(real + (half - k) * LANES, y.real);
        LANE_STORE(imaginary + (half - k) * LANES, -y.imaginary);
    }
}

TARGET static void KERNEL(lane_cosines)(
    const double *z, const struct veery_lane_plan *plan, const double *turn_cosines, const double *turn_sines,
    double *values) {
    const size_t half = plan->length;
    vector first, last;
    KERNEL(ends)(z, &first, &last);
    LANE_STORE(values, first);
    LANE_STORE(values + half * LANES, turn_cosines[half] * last);
    // Of X[k] come the coefficients k and 2 half − k, of X[half − k] those for half − k and half + k. Where both are the same number,
    // the second one is stored last.
    for (size_t k = 1; k <= half / 2; k++) {
        complex x, y;
        KERNEL(untangle)(z, plan, k, &x, &y);
        y.imaginary = -y.imaginary;
        KERNEL(turn)(&x, turn_cosines[k], turn_sines[k]);
        KERNEL(turn)(&y, turn_cosines[half - k], turn_sines[half - k]);
        LANE_STORE(values + k * LANES, x.real);
        LANE_STORE(values + (2 * half - k) * LANES, -x.imaginary);
        LANE_STORE(values + (half + k) * LANES, -y.imaginary);
        LANE_STORE(values + (half - k) * LANES, y.real);
    }
}

// The opposite (DCT-III), of coefficients that were halved before. V[k] = exp(πik/2N) · (X[k] − iX[N − k]), V[0] = 2X[0], is the
// spectrum of the reordered samples. With S and D the sum and the difference of V[k] and V*[M − k], that of M complex numbers is
// Z[k] = S + i exp(2πik/N) D. Its inverse transform is the conjugate of the transform of Z*.

/// V[k], k > 0.
TARGET static inline ALWAYS complex KERNEL(reordered)(
    const double *values, size_t length, size_t k, const double *turn_cosines, const double *turn_sines) {
    complex x = {LANE_LOAD(values + k * LANES), -LANE_LOAD(values + (length - k) * LANES)};
    KERNEL(turn)(&x, turn_cosines[k], -turn_sines[k]);
    return x;
}

TARGET static void KERNEL(lane_tangle)(
    const double *values, const struct veery_lane_plan *plan, const double *turn_cosines, const double *turn_sines,
    double *z) {
    const size_t half = plan->length, length = 2 * half;
    vector first = 2 * LANE_LOAD(values);
    complex last = KERNEL(reordered)(values, length, half, turn_cosines, turn_sines);
    LANE_STORE(z, first + last.real);
    LANE_STORE(z + LANES, last.real - first);
    for (size_t k = 1; k <= half / 2; k++) {
        complex a = KERNEL(reordered)(values, length, k, turn_cosines, turn_sines);
        complex b = KERNEL(reordered)(values, length, half - k, turn_cosines, turn_sines);
        complex sum = {a.real + b.real, a.imaginary - b.imaginary};
        complex difference = {a.real - b.real, a.imaginary + b.imaginary};
        KERNEL(turn)(&difference, plan->cosines[k], -plan->sines[k]);
        double *near = z + 2 * LANES * k, *far = z + 2 * LANES * (half - k);
        LANE_STORE(near, sum.real - difference.imaginary);
        LANE_STORE(near + LANES, -(sum.imaginary + difference.real));
        LANE_STORE(far, sum.real + difference.imaginary);
        LANE_STORE(far + LANES, sum.imaginary - difference.real);
    }
}

TARGET static void KERNEL(lane_unfold)(const double *z, const struct veery_lane_plan *plan, double *values) {
    const size_t half = plan->length;
    for (size_t n = 0; n < half; n++) {
        complex x = KERNEL(number)(z, plan, n);
        // Numbers 2n and 2n + 1 of the reordered samples: the even ones forwards, then the odd ones backwards.
        const size_t even = 2 * n, odd = even + 1, length = 2 * half;
        LANE_STORE(values + (even < half ? 2 * even : 2 * (length - even) - 1) * LANES, x.real);
        LANE_STORE(values + (odd < half ? 2 * odd : 2 * (length - odd) - 1) * LANES, -x.imaginary);
    }
}

TARGET static void KERNEL(lane_roots)(double *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        single value = __builtin_convertvector(LANE_LOAD(values + i * LANES), single);
        value = __builtin_elementwise_sqrt(value);
        LANE_STORE(values + i * LANES, __builtin_convertvector(value, vector));
    }
}

TARGET static void KERNEL(lane_bands)(
    const double *power, const double *weights, const int32_t *first, const int32_t *counts, size_t bands,
    double *values) {
    for (size_t band = 0; band < bands; band++) {
        const size_t count = (size_t)counts[band];
        const double *source = power + (size_t)first[band] * LANES;
        // Two sums, since an addition waits for the one before.
        vector even = {0}, odd = {0};
        size_t i = 0;
        for (; i + 2 <= count; i += 2) {
            even += LANE_LOAD(source + i * LANES) * weights[i];
            odd += LANE_LOAD(source + (i + 1) * LANES) * weights[i + 1];
        }
        if (i < count) even += LANE_LOAD(source + i * LANES) * weights[i];
        LANE_STORE(values + band * LANES, even + odd);
        weights += count;
    }
}

static const struct veery_lanes KERNEL(lanes) = {
    .count = LANES,
    .from_frames = KERNEL(frames_to_lanes),
    .to_rows = KERNEL(lanes_to_rows),
    .transform = KERNEL(transform),
    .powers = KERNEL(lane_powers),
    .spectra = KERNEL(lane_spectra),
    .cosines = KERNEL(lane_cosines),
    .tangle = KERNEL(lane_tangle),
    .unfold = KERNEL(lane_unfold),
    .roots = KERNEL(lane_roots),
    .bands = KERNEL(lane_bands),
};

#undef complex
#undef vector
#undef single
#undef LANE_LOAD
#undef LANE_STORE
#undef LOW_OF
#undef HIGH_OF
#undef LOW_PAIRS
#undef HIGH_PAIRS
#undef ROWS_OF_LANES
