// Sums of samples times the weights of a filter: resampling. Sums are in the order of eight lanes, for vectors of any width.

/// The sum of eight numbers: halves of four, then of two, then one.
TARGET static inline ALWAYS double KERNEL(sum_of_eight)(const double8 *lanes) {
    const double8 v = *lanes;
    const double a = v[0] + v[4], b = v[1] + v[5], c = v[2] + v[6], d = v[3] + v[7];
    return (a + c) + (b + d);
}

TARGET static void KERNEL(filter)(
    const float *samples, const intptr_t *starts, const double *const *rows, size_t blocks, size_t count,
    float *results) {
    size_t index = 0;
    // Two sums that do not wait for each other.
    for (; index + 2 <= count; index += 2) {
        const float *one = samples + starts[index], *other = samples + starts[index + 1];
        const double *first = rows[index], *second = rows[index + 1];
        double8 sum = {0}, next = {0};
        for (size_t offset = 0; offset < 8 * blocks; offset += 8) {
            sum += DOUBLES8(one + offset) * load8d(first + offset);
            next += DOUBLES8(other + offset) * load8d(second + offset);
        }
        results[index] = (float)KERNEL(sum_of_eight)(&sum);
        results[index + 1] = (float)KERNEL(sum_of_eight)(&next);
    }
    if (index < count) {
        double8 sum = {0};
        for (size_t offset = 0; offset < 8 * blocks; offset += 8) {
            sum += DOUBLES8(samples + starts[index] + offset) * load8d(rows[index] + offset);
        }
        results[index] = (float)KERNEL(sum_of_eight)(&sum);
    }
}
