// Rows of values times a matrix: cepstra. The order of sums is that of eight lanes, whatever the width of a vector.

/// The sums of eight vectors of eight, each of one number after another.
TARGET static inline ALWAYS void KERNEL(sums8)(const float8 *vectors, float8 *sums) {
    // Number i of four vectors, followed by their number i + 4.
    float8 quarters[2][4];
#pragma clang loop unroll(full)
    for (int half = 0; half < 2; half++) {
        const float8 *v = vectors + 4 * half;
        float8 low = __builtin_shufflevector(v[0], v[1], 0, 8, 1, 9, 4, 12, 5, 13);
        float8 high = __builtin_shufflevector(v[0], v[1], 2, 10, 3, 11, 6, 14, 7, 15);
        float8 low2 = __builtin_shufflevector(v[2], v[3], 0, 8, 1, 9, 4, 12, 5, 13);
        float8 high2 = __builtin_shufflevector(v[2], v[3], 2, 10, 3, 11, 6, 14, 7, 15);
        quarters[half][0] = __builtin_shufflevector(low, low2, 0, 1, 8, 9, 4, 5, 12, 13);
        quarters[half][1] = __builtin_shufflevector(low, low2, 2, 3, 10, 11, 6, 7, 14, 15);
        quarters[half][2] = __builtin_shufflevector(high, high2, 0, 1, 8, 9, 4, 5, 12, 13);
        quarters[half][3] = __builtin_shufflevector(high, high2, 2, 3, 10, 11, 6, 7, 14, 15);
    }
    float8 sum = __builtin_shufflevector(quarters[0][0], quarters[1][0], 0, 1, 2, 3, 8, 9, 10, 11);
#pragma clang loop unroll(full)
    for (int i = 1; i < 4; i++) {
        sum += __builtin_shufflevector(quarters[0][i], quarters[1][i], 0, 1, 2, 3, 8, 9, 10, 11);
    }
#pragma clang loop unroll(full)
    for (int i = 0; i < 4; i++) {
        sum += __builtin_shufflevector(quarters[0][i], quarters[1][i], 4, 5, 6, 7, 12, 13, 14, 15);
    }
    *sums = sum;
}

/// The products of one row, or of two that follow each other, with eight rows of weights.
TARGET static inline ALWAYS void KERNEL(products8)(
    const float *row, int rows, size_t blocks, const float *const *weights, float8 *results) {
#if FLOATS == 16
    if (rows == 2) {
        KERNEL(floats) sum[8] = {0};
        for (size_t offset = 0; offset < 8 * blocks; offset += 8) {
            float8 first = load8(row + offset), second = load8(row + 8 * blocks + offset);
            KERNEL(floats) values =
                __builtin_shufflevector(first, second, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#pragma clang loop unroll(full)
            for (int i = 0; i < 8; i++) {
                float8 weight = load8(weights[i] + offset);
                sum[i] += values * __builtin_shufflevector(
                                       weight, weight, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7);
            }
        }
        float8 first[8], second[8];
#pragma clang loop unroll(full)
        for (int i = 0; i < 8; i++) {
            first[i] = __builtin_shufflevector(sum[i], sum[i], 0, 1, 2, 3, 4, 5, 6, 7);
            second[i] = __builtin_shufflevector(sum[i], sum[i], 8, 9, 10, 11, 12, 13, 14, 15);
        }
        KERNEL(sums8)(first, results);
        KERNEL(sums8)(second, results + 1);
        return;
    }
#endif
    for (int index = 0; index < rows; index++, row += 8 * blocks) {
        float8 sum[8];
#pragma clang loop unroll(full)
        for (int i = 0; i < 8; i++) sum[i] = (float8){0};
        for (size_t offset = 0; offset < 8 * blocks; offset += 8) {
            float8 values = load8(row + offset);
#pragma clang loop unroll(full)
            for (int i = 0; i < 8; i++) sum[i] += values * load8(weights[i] + offset);
        }
        KERNEL(sums8)(sum, results + index);
    }
}

TARGET static void KERNEL(products)(
    const float *values, size_t rows, size_t blocks, const float *weights, size_t columns, float *products,
    size_t width) {
    const size_t pair = FLOATS / 8;
    for (size_t column = 0; column < columns; column += 8) {
        const size_t count = columns - column < 8 ? columns - column : 8;
        const float *eight[8];
        for (size_t i = 0; i < 8; i++) eight[i] = weights + (column + (i < count ? i : count - 1)) * 8 * blocks;
        for (size_t row = 0; row < rows; row += pair) {
            const size_t number = rows - row < pair ? rows - row : pair;
            float8 results[FLOATS / 8];
            if (number == pair) KERNEL(products8)(values + row * 8 * blocks, FLOATS / 8, blocks, eight, results);
            else KERNEL(products8)(values + row * 8 * blocks, 1, blocks, eight, results);
            for (size_t i = 0; i < number; i++) {
                memcpy(products + (row + i) * width + column, &results[i], sizeof(float) * count);
            }
        }
    }
}
