// What happens to frames before their window (see `FramePreparation`): their levels. The way into lanes has the rest.

/// Sums over each of `rows` frames, whose rests are `rest` numbers after them: of the samples, or of the squares of their
/// distances from the means. Sample n is added to sum n mod 8; then the last four sums are added to the first four, and these
/// to each other, one after another.
TARGET static inline ALWAYS void KERNEL(frame_sums)(
    const float *const *row, int rows, size_t rest, size_t samples, const double *means, int squares, double *sums) {
    double8 sum[LANES];
#pragma clang loop unroll(full)
    for (int i = 0; i < rows; i++) sum[i] = (double8){0};
    size_t n = 0;
    for (; n + 8 <= samples; n += 8) {
#pragma clang loop unroll(full)
        for (int i = 0; i < rows; i++) {
            double8 x = DOUBLES8(row[i] + n);
            if (rest != 0) x += DOUBLES8(row[i] + rest + n);
            if (squares) {
                x -= means[i];
                x *= x;
            }
            sum[i] += x;
        }
    }
    for (int i = 0; i < rows; i++) {
        double eight[8];
        memcpy(eight, &sum[i], sizeof eight);
        for (size_t last = n; last < samples; last++) {
            double x = row[i][last];
            if (rest != 0) x += (double)row[i][rest + last];
            if (squares) {
                x -= means[i];
                x *= x;
            }
            eight[last - n] += x;
        }
        sums[i] = (((eight[0] + eight[4]) + (eight[1] + eight[5])) + (eight[2] + eight[6])) + (eight[3] + eight[7]);
    }
}

/// The means of `rows` frames that are subtracted, and the energies after that.
TARGET static inline ALWAYS void KERNEL(frame_levels)(
    const float *const *row, int rows, size_t rest, size_t samples, const struct veery_preparation *preparation,
    double *means, double *energies) {
    for (int i = 0; i < rows; i++) means[i] = energies[i] = 0;
    if (preparation->removes_mean) {
        if (rest == 0) KERNEL(frame_sums)(row, rows, 0, samples, means, 0, means);
        else KERNEL(frame_sums)(row, rows, rest, samples, means, 0, means);
        for (int i = 0; i < rows; i++) means[i] /= (double)samples;
    }
    if (preparation->measures_energy == 1) {
        if (rest == 0) KERNEL(frame_sums)(row, rows, 0, samples, means, 1, energies);
        else KERNEL(frame_sums)(row, rows, rest, samples, means, 1, energies);
    }
}
