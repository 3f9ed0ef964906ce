// Frames as lanes: number n of LANES frames beside each other in one vector, so that a transform of all frames is written
// as that of one. Rows become lanes, and lanes rows. A vector belongs to one set; no operation depends on LANES.

typedef double KERNEL(vector) __attribute__((vector_size(8 * LANES)));
typedef double KERNEL(vector_any) __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef float KERNEL(single) __attribute__((vector_size(4 * LANES)));

#define vector KERNEL(vector)
#define single KERNEL(single)
#define LANE_LOAD(address) (*(const KERNEL(vector_any) *)(address))
#define LANE_STORE(address, value) (*(KERNEL(vector_any) *)(address) = (value))

// Shuffles, which work on every 128 bits by themselves. `SIDE_BY_SIDE`: the pairs of numbers at `column` of every other row,
// from row `first` on. `FIRST_OF` and `SECOND_OF`: the first and the second numbers of the pairs of two vectors, in turn.
// `LOW_OF` and `HIGH_OF`: the first and the last two of four floats of two vectors, in turn; `LOW_PAIRS` and `HIGH_PAIRS`: one
// after the other.
#if LANES == 8
#define SIDE_BY_SIDE(row, first, column)                                                                               \
    __builtin_shufflevector(                                                                                           \
        PAIRS(row[first] + column, row[first + 2] + column), PAIRS(row[first + 4] + column, row[first + 6] + column),  \
        0, 1, 2, 3, 4, 5, 6, 7)
#define FIRST_OF(a, b) __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14)
#define SECOND_OF(a, b) __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15)
#define LOW_OF(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGH_OF(a, b) __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define LOW_PAIRS(a, b) __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define HIGH_PAIRS(a, b) __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#elif LANES == 4
#define SIDE_BY_SIDE(row, first, column) PAIRS(row[first] + column, row[first + 2] + column)
#define FIRST_OF(a, b) FIRSTS(a, b)
#define SECOND_OF(a, b) SECONDS(a, b)
#define LOW_OF(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH_OF(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define LOW_PAIRS(a, b) __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define HIGH_PAIRS(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7)
#else
#define SIDE_BY_SIDE(row, first, column) load2(row[first] + column)
#define FIRST_OF(a, b) __builtin_shufflevector(a, b, 0, 2)
#define SECOND_OF(a, b) __builtin_shufflevector(a, b, 1, 3)
#endif

/// The first address of each lane's row; lanes that are left over have the last row.
#define ROWS_OF_LANES(type, row, rows, stride, count)                                                                  \
    const type *row[LANES];                                                                                            \
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

/// Where sample n of a transform's input lies: n, or where the even ones forwards and the odd ones backwards put it.
static inline ALWAYS size_t KERNEL(place)(size_t n, size_t length, int is_folded) {
    return !is_folded ? n : n % 2 == 0 ? n / 2 : length - 1 - n / 2;
}

TARGET static inline ALWAYS void KERNEL(through_window)(
    const float *const *row, const double *weights, size_t samples, size_t length, size_t offset, int is_folded,
    double *lanes) {
    const vector zero = {0};
    single column[4];
    size_t n = 0;
    for (; n + 4 <= samples; n += 4) {
        KERNEL(columns4)(row, n, column);
#pragma clang loop unroll(full)
        for (size_t i = 0; i < 4; i++) {
            vector sample = __builtin_convertvector(column[i], vector);
            LANE_STORE(lanes + KERNEL(place)(offset + n + i, length, is_folded) * LANES, sample * weights[n + i]);
        }
    }
    if (n < samples) KERNEL(columns4)(row, n, column);
    for (size_t i = 0; n + i < samples; i++) {
        vector sample = __builtin_convertvector(column[i], vector);
        LANE_STORE(lanes + KERNEL(place)(offset + n + i, length, is_folded) * LANES, sample * weights[n + i]);
    }
    for (n = 0; n < offset; n++) LANE_STORE(lanes + KERNEL(place)(n, length, is_folded) * LANES, zero);
    for (n = offset + samples; n < length; n++) {
        LANE_STORE(lanes + KERNEL(place)(n, length, is_folded) * LANES, zero);
    }
}

TARGET static void KERNEL(frames_to_lanes)(
    const float *frames, size_t stride, size_t count, const struct veery_lane_window *window, double *lanes) {
    ROWS_OF_LANES(float, row, frames, stride, count);
    const struct veery_lane_window w = *window;
    if (w.is_folded) {
        KERNEL(through_window)(row, w.weights, w.samples, w.length, w.offset, 1, lanes);
    } else {
        KERNEL(through_window)(row, w.weights, w.samples, w.length, w.offset, 0, lanes);
    }
}

TARGET static void KERNEL(rows_to_lanes)(
    const double *rows, size_t stride, size_t count, size_t columns, double *lanes) {
    ROWS_OF_LANES(double, row, rows, stride, count);
    for (size_t block = 0; block < columns; block += LANES) {
#pragma clang loop unroll(full)
        for (size_t n = 0; n < LANES; n += 2) {
            size_t column = block + n;
            vector even = SIDE_BY_SIDE(row, 0, column), odd = SIDE_BY_SIDE(row, 1, column);
            LANE_STORE(lanes + column * LANES, FIRST_OF(even, odd));
            LANE_STORE(lanes + (column + 1) * LANES, SECOND_OF(even, odd));
        }
    }
}

TARGET static void KERNEL(lanes_to_rows)(
    const double *lanes, size_t step, size_t columns, float *rows, size_t width, size_t count) {
    const size_t stride = step * LANES;
    size_t column = 0;
    for (; column + 4 <= columns; column += 4) {
        const double *source = lanes + column * stride;
        single four[4];
#pragma clang loop unroll(full)
        for (int i = 0; i < 4; i++) four[i] = __builtin_convertvector(LANE_LOAD(source + i * stride), single);
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
            rows[lane * width + column] = (float)lanes[column * stride + lane];
        }
    }
}
