// From a transform over lanes to powers, spectra, cosine coefficients and bands: see `RealFFT` for the algebra, which is that
// of `untangle1` in loops.h, with the numbers of all lanes instead of one.

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

TARGET static void KERNEL(lane_powers)(const double *z, const struct veery_lane_plan *plan, double *power) {
    const size_t half = plan->length;
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
    // As in `cosine` of loops.h: where both are the same number, the second one is stored last.
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
