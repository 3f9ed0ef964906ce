// Frames as lanes: value n of LANES frames side by side in one vector, so that a transform of all frames is written
// as that of one. Rows become lanes, and lanes rows. A vector belongs to one set; no operation depends on LANES.

typedef double KERNEL(vector) __attribute__((vector_size(8 * LANES)));
typedef double KERNEL(vector_any) __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef float KERNEL(single) __attribute__((vector_size(4 * LANES)));

#define vector KERNEL(vector)
#define single KERNEL(single)
#define LANE_LOAD(address) (*(const KERNEL(vector_any) *)(address))
#define LANE_STORE(address, value) (*(KERNEL(vector_any) *)(address) = (value))

// Shuffles, which work on every 128 bits by themselves. `LOW_OF` and `HIGH_OF`: the first and the last two of four floats of two
// vectors, in turn; `LOW_PAIRS` and `HIGH_PAIRS`: one after the other.
#if LANES == 8
#define LOW_OF(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGH_OF(a, b) __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define LOW_PAIRS(a, b) __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define HIGH_PAIRS(a, b) __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#elif LANES == 4
#define LOW_OF(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH_OF(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define LOW_PAIRS(a, b) __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define HIGH_PAIRS(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7)
#endif

/// The first address of each lane's row; lanes that are left over have the last row.
#define ROWS_OF_LANES(row, rows, stride, count)                                                                        \
    const float *row[LANES];                                                                                           \
    for (size_t lane = 0; lane < LANES; lane++) row[lane] = (rows) + (lane < (count) ? lane : (count) - 1) * (stride)

/// Four floats of each row, as columns: every one holds a number of each lane.
TARGET static inline ALWAYS void KERNEL(columns4)(const float *const *row, size_t n, single *column) {
#if LANES == 8
    single rows[4];
#pragma clang loop unroll(full)
    for (int i = 0; i < 4; i++) {
        float4 low = load4f(row[i] + n), high = load4f(row[i + 4] + n);
        rows[i] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
    }
#elif LANES == 4
    single rows[4] = {load4f(row[0] + n), load4f(row[1] + n), load4f(row[2] + n), load4f(row[3] + n)};
#else
    float4 a = load4f(row[0] + n), b = load4f(row[1] + n);
    column[0] = __builtin_shufflevector(a, b, 0, 4);
    column[1] = __builtin_shufflevector(a, b, 1, 5);
    column[2] = __builtin_shufflevector(a, b, 2, 6);
    column[3] = __builtin_shufflevector(a, b, 3, 7);
#endif
#if LANES > 2
    single low = LOW_OF(rows[0], rows[1]), high = HIGH_OF(rows[0], rows[1]);
    single low2 = LOW_OF(rows[2], rows[3]), high2 = HIGH_OF(rows[2], rows[3]);
    column[0] = LOW_PAIRS(low, low2);
    column[1] = HIGH_PAIRS(low, low2);
    column[2] = LOW_PAIRS(high, high2);
    column[3] = HIGH_PAIRS(high, high2);
#endif
}

/// Four columns as rows of four floats, the opposite.
TARGET static inline ALWAYS void KERNEL(rows4)(const single *column, float4 *row) {
#if LANES > 2
    single low = LOW_OF(column[0], column[1]), high = HIGH_OF(column[0], column[1]);
    single low2 = LOW_OF(column[2], column[3]), high2 = HIGH_OF(column[2], column[3]);
    single rows[4] = {
        LOW_PAIRS(low, low2), HIGH_PAIRS(low, low2), LOW_PAIRS(high, high2), HIGH_PAIRS(high, high2)};
#pragma clang loop unroll(full)
    for (int i = 0; i < 4; i++) {
        row[i] = __builtin_shufflevector(rows[i], rows[i], 0, 1, 2, 3);
#if LANES == 8
        row[i + 4] = __builtin_shufflevector(rows[i], rows[i], 4, 5, 6, 7);
#endif
    }
#else
    float4 low = __builtin_shufflevector(column[0], column[1], 0, 2, 1, 3);
    float4 high = __builtin_shufflevector(column[2], column[3], 0, 2, 1, 3);
    row[0] = __builtin_shufflevector(low, high, 0, 1, 4, 5);
    row[1] = __builtin_shufflevector(low, high, 2, 3, 6, 7);
#endif
}

/// The index of sample n in a transform's input: n, or, if `is_folded`, with the even samples first and then the odd ones
/// backwards.
static inline ALWAYS size_t KERNEL(input_index)(size_t n, size_t length, int is_folded) {
    return !is_folded ? n : n % 2 == 0 ? n / 2 : length - 1 - n / 2;
}

/// Sample n of every lane on its way through the window, of `column` and the rest in `remainder`. `before` is the sample before
/// it, without the mean.
TARGET static inline ALWAYS void KERNEL(pass_sample)(
    const single *column, const single *remainder, const struct veery_lane_window *w, const vector *mean, vector *before,
    size_t n, int is_folded, int is_prepared, double *lanes) {
    vector sample = __builtin_convertvector(*column, vector);
    if (is_prepared) {
        if (remainder) sample += __builtin_convertvector(*remainder, vector);
        sample -= *mean;
        vector whole = sample;
        if (w->preparation.pre_emphasis != 0) sample -= w->preparation.pre_emphasis * *before;
        *before = whole;
    }
    const size_t index = KERNEL(input_index)(w->offset + n, w->length, is_folded) * w->step;
    LANE_STORE(lanes + index * LANES, sample * w->weights[n]);
}

TARGET static inline ALWAYS void KERNEL(through_window)(
    const float *const *row, const float *const *rest, const struct veery_lane_window *window, const double *means,
    int is_folded, int is_prepared, double *lanes) {
    const struct veery_lane_window w = *window;
    const vector zero = {0}, mean = is_prepared ? LANE_LOAD(means) : zero;
    vector before = zero;
    single column[4], remainder[4];
    if (is_prepared) {
        // The sample before the first one is that itself.
        double first[LANES];
        for (size_t lane = 0; lane < LANES; lane++) {
            first[lane] = rest ? (double)*row[lane] + (double)*rest[lane] : (double)*row[lane];
        }
        before = LANE_LOAD(first) - mean;
    }
    size_t n = 0;
    for (; n + 4 <= w.samples; n += 4) {
        KERNEL(columns4)(row, n, column);
        if (rest) KERNEL(columns4)(rest, n, remainder);
#pragma clang loop unroll(full)
        for (size_t i = 0; i < 4; i++) {
            KERNEL(pass_sample)(
                column + i, rest ? remainder + i : NULL, &w, &mean, &before, n + i, is_folded, is_prepared, lanes);
        }
    }
    if (n < w.samples) {
        KERNEL(columns4)(row, n, column);
        if (rest) KERNEL(columns4)(rest, n, remainder);
    }
    for (size_t i = 0; n + i < w.samples; i++) {
        KERNEL(pass_sample)(
            column + i, rest ? remainder + i : NULL, &w, &mean, &before, n + i, is_folded, is_prepared, lanes);
    }
    for (n = 0; n < w.length; n++) {
        if (n == w.offset) n += w.samples;
        if (n >= w.length) break;
        LANE_STORE(lanes + KERNEL(input_index)(n, w.length, is_folded) * w.step * LANES, zero);
    }
    if (w.step == 1) return;
    for (n = 0; n < w.length; n++) LANE_STORE(lanes + (2 * n + 1) * LANES, zero);
}

/// The sum of the squares of what is in the lanes, in the order in which it is there.
TARGET static inline ALWAYS void KERNEL(lane_energies)(const double *lanes, size_t length, size_t step, double *energies) {
    vector sum = {0};
    for (size_t n = 0; n < length; n++) {
        const vector sample = LANE_LOAD(lanes + n * step * LANES);
        sum += sample * sample;
    }
    LANE_STORE(energies, sum);
}

TARGET static void KERNEL(frames_to_lanes)(
    const struct veery_frames *frames, const struct veery_lane_window *window, double *lanes, double *energies) {
    const struct veery_preparation *preparation = &window->preparation;
    ROWS_OF_LANES(row, frames->first, frames->stride, frames->count);
    double means[LANES];
    KERNEL(frame_levels)(row, LANES, frames->rest, window->samples, preparation, means, energies);
    if (frames->rest != 0) {
        ROWS_OF_LANES(rest, frames->first + frames->rest, frames->stride, frames->count);
        if (window->is_folded) KERNEL(through_window)(row, rest, window, means, 1, 1, lanes);
        else KERNEL(through_window)(row, rest, window, means, 0, 1, lanes);
    } else if (preparation->removes_mean || preparation->pre_emphasis != 0) {
        if (window->is_folded) KERNEL(through_window)(row, NULL, window, means, 1, 1, lanes);
        else KERNEL(through_window)(row, NULL, window, means, 0, 1, lanes);
    } else {
        if (window->is_folded) KERNEL(through_window)(row, NULL, window, means, 1, 0, lanes);
        else KERNEL(through_window)(row, NULL, window, means, 0, 0, lanes);
    }
    if (preparation->measures_energy == 2) KERNEL(lane_energies)(lanes, window->length, window->step, energies);
}

TARGET static inline ALWAYS void KERNEL(some_to_rows)(
    const double *lanes, size_t step, size_t columns, int squares, float *rows, size_t width, size_t count) {
    const size_t stride = step * LANES;
    size_t column = 0;
    for (; column + 4 <= columns; column += 4) {
        const double *source = lanes + column * stride;
        single four[4];
#pragma clang loop unroll(full)
        for (int i = 0; i < 4; i++) {
            four[i] = __builtin_convertvector(LANE_LOAD(source + i * stride), single);
            if (squares) four[i] *= four[i];
        }
        float4 row[LANES];
        KERNEL(rows4)(four, row);
        float *target = rows + column;
#pragma clang loop unroll(full)
        for (size_t lane = 0; lane < LANES; lane++) {
            if (lane < count) store4(target + lane * width, row[lane]);
        }
    }
    for (; column < columns; column++) {
        for (size_t lane = 0; lane < count; lane++) {
            float value = (float)lanes[column * stride + lane];
            rows[lane * width + column] = squares ? value * value : value;
        }
    }
}

TARGET static void KERNEL(lanes_to_rows)(
    const double *lanes, size_t step, size_t columns, int32_t squares, float *rows, size_t width, size_t count) {
    if (squares) KERNEL(some_to_rows)(lanes, step, columns, 1, rows, width, count);
    else KERNEL(some_to_rows)(lanes, step, columns, 0, rows, width, count);
}
