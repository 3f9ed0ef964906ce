// The loops over rows. Vectors have eight floats or four doubles: on processors with narrower ones, the compiler uses two.

TARGET static void KERNEL(pcm16)(const void *samples, size_t count, float *values) {
    const unsigned char *bytes = samples;
    for (size_t i = 0; i < count; i++) {
        uint16_t bits;
        memcpy(&bits, bytes + 2 * i, 2);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        bits = __builtin_bswap16(bits);
#endif
        values[i] = (float)(int16_t)bits * 0x1p-15f;
    }
}

typedef float KERNEL(floats) __attribute__((vector_size(4 * FLOATS)));
typedef float KERNEL(floats_any) __attribute__((vector_size(4 * FLOATS), aligned(4), may_alias));
typedef int32_t KERNEL(ints) __attribute__((vector_size(4 * FLOATS)));
typedef uint32_t KERNEL(uints) __attribute__((vector_size(4 * FLOATS)));

/// The first FLOATS values.
TARGET static inline ALWAYS void KERNEL(logarithms)(
    float *values, float floor, float factor, float offset, float limit) {
#define floats KERNEL(floats)
#define ints KERNEL(ints)
#define uints KERNEL(uints)
#define SELECT(mask, yes, no) ((floats)(((ints)(yes) & (mask)) | ((ints)(no) & ~(mask))))
    const floats zero = {0}, floors = zero + floor, limits = zero + limit;
    floats power = *(KERNEL(floats_any) *)values;
    floats x = SELECT(power < floors, floors, power);
    // The method of Cephes' logf; see `naturalLogarithm` in SignalProcessing, which this equals to the last bit.
    uints shifted = (uints)x - 0x3F3504F3u;
    floats exponent = __builtin_convertvector((ints)shifted >> 23, floats);
    floats m = (floats)((shifted & 0x007FFFFFu) + 0x3F3504F3u) - 1.0f;
    floats p = zero + 7.0376836e-2f;
    p = p * m - 0.1151461f;
    p = p * m + 0.11676998f;
    p = p * m - 0.12420141f;
    p = p * m + 0.14249323f;
    p = p * m - 0.16668058f;
    p = p * m + 0.20000715f;
    p = p * m - 0.24999994f;
    p = p * m + 0.33333331f;
    floats square = m * m;
    floats rest = p * square * m;
    rest = rest - exponent * 2.1219444e-4f;
    rest = rest - square * 0.5f;
    floats value = ((m + rest) + exponent * 0.693359375f) * factor + offset;
    ints finite = power < __builtin_inff();
    value = SELECT(finite, value, zero + __builtin_nanf(""));
    *(KERNEL(floats_any) *)values = SELECT((value > limits) & finite, limits, value);
#undef floats
#undef ints
#undef uints
#undef SELECT
}

TARGET static void KERNEL(raise)(const float *values, size_t count, float least, float *raised) {
    for (size_t i = 0; i < count; i++) raised[i] = values[i] < least ? least : values[i];
}

TARGET static float KERNEL(maximum)(const float *values, size_t count, float most) {
    float8 low = EIGHT(most), high = low;
    size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        float8 a = load8(values + i), b = load8(values + i + 8);
        low = CHOOSE(a > low, a, low);
        high = CHOOSE(b > high, b, high);
    }
    for (; i < count; i++) most = values[i] > most ? values[i] : most;
    low = CHOOSE(high > low, high, low);
    for (size_t lane = 0; lane < 8; lane++) most = low[lane] > most ? low[lane] : most;
    // Where both zeros are the maximum, their order must not matter.
    return most + 0.0f;
}

TARGET static void KERNEL(logarithm)(
    float *values, size_t count, float floor, float factor, float offset, float limit) {
    size_t i = 0;
    for (; i + FLOATS <= count; i += FLOATS) KERNEL(logarithms)(values + i, floor, factor, offset, limit);
    if (i == count) return;
    float rest[FLOATS] = {0};
    memcpy(rest, values + i, 4 * (count - i));
    KERNEL(logarithms)(rest, floor, factor, offset, limit);
    memcpy(values + i, rest, 4 * (count - i));
}

/// The statistics of eight columns, times `blocks`, from `bin` on.
TARGET static inline ALWAYS void KERNEL(column_statistics)(
    const float *values, size_t rows, size_t bins, size_t bin, int blocks, const float *shift, double *sums,
    double *squares, float *minimum, float *maximum) {
    double8 shifts[2], sum[2] = {{0}, {0}}, square[2] = {{0}, {0}};
    float8 least[2], most[2];
#pragma clang loop unroll(full)
    for (int i = 0; i < blocks; i++) {
        shifts[i] = DOUBLES8(shift + bin + 8 * i);
        least[i] = load8(minimum + bin + 8 * i);
        most[i] = load8(maximum + bin + 8 * i);
    }
    for (size_t row = 0; row < rows; row++) {
#pragma clang loop unroll(full)
        for (int i = 0; i < blocks; i++) {
            const float *source = values + row * bins + bin + 8 * i;
            double8 distance = DOUBLES8(source) - shifts[i];
            sum[i] += distance;
            square[i] += distance * distance;
            float8 value = load8(source);
            least[i] = CHOOSE(value < least[i], value, least[i]);
            most[i] = CHOOSE(value > most[i], value, most[i]);
        }
    }
#pragma clang loop unroll(full)
    for (int i = 0; i < blocks; i++) {
        store8(minimum + bin + 8 * i, least[i]);
        store8(maximum + bin + 8 * i, most[i]);
        for (size_t lane = 0; lane < 8; lane++) {
            sums[bin + 8 * i + lane] += sum[i][lane];
            squares[bin + 8 * i + lane] += square[i][lane];
        }
    }
}

TARGET static void KERNEL(statistics)(
    const float *values, size_t rows, size_t bins, const float *shift, double *sums, double *squares, float *minimum,
    float *maximum) {
    size_t bin = 0;
#if FLOATS == 16
    // A whole cache line of each row at a time: long rows compete for the same few lines of the cache.
    for (; bin + 16 <= bins; bin += 16) {
        KERNEL(column_statistics)(values, rows, bins, bin, 2, shift, sums, squares, minimum, maximum);
    }
#endif
    for (; bin + 8 <= bins; bin += 8) {
        KERNEL(column_statistics)(values, rows, bins, bin, 1, shift, sums, squares, minimum, maximum);
    }
    for (; bin < bins; bin++) {
        for (size_t row = 0; row < rows; row++) {
            float value = values[row * bins + bin];
            double distance = (double)value - (double)shift[bin];
            sums[bin] += distance;
            squares[bin] += distance * distance;
            if (value < minimum[bin]) minimum[bin] = value;
            if (value > maximum[bin]) maximum[bin] = value;
        }
    }
}

TARGET static void KERNEL(normalize)(
    float *values, size_t rows, size_t bins, const float *high, const float *low, const float *spread, float base) {
    const float8 most = EIGHT(FLT_MAX);
    for (size_t row = 0; row < rows; row++) {
        size_t bin = 0;
        for (; bin + 8 <= bins; bin += 8) {
            float *cell = values + row * bins + bin;
            float8 value = ((load8(cell) - load8(high + bin)) - load8(low + bin)) / load8(spread + bin) + base;
            value = CHOOSE(value > most, most, value);
            store8(cell, CHOOSE(value < -most, -most, value));
        }
        for (; bin < bins; bin++) {
            float *cell = values + row * bins + bin;
            float value = ((*cell - high[bin]) - low[bin]) / spread[bin] + base;
            *cell = value > FLT_MAX ? FLT_MAX : value < -FLT_MAX ? -FLT_MAX : value;
        }
    }
}

/// Eight values to halves. By integer arithmetic, since the processors' own conversion changes NaNs.
TARGET static inline ALWAYS void KERNEL(halves8)(const void *values, void *halves) {
    int8x all;
    memcpy(&all, values, 32);
    int8x sign = all & INT32_MIN, magnitude = all ^ sign;
    // Normal halves: the exponent is biased by 15, not 127; half of the last digit that is kept is added, less one unless
    // that digit is odd. A carry into the exponent is right, up to infinity.
    int8x half = (magnitude - ((127 - 15) << 23) + 0xFFF + ((magnitude >> 13) & 1)) >> 13;
    // Smaller ones: added to a half, where a unit in the last place is that of subnormal halves (2^-24), the processor
    // rounds them.
    int8x small = (int8x)((float8)magnitude + 0.5f) - ((127 - 1) << 23);
    half = CHOOSE_INT(magnitude < (127 - 14) << 23, small, half);
    half = CHOOSE_INT(magnitude >= (127 + 16) << 23, EIGHT_INT(0x7C00), half);
    int8x payload = (magnitude >> 13) & 0x3FF;
    // True is −1.
    payload -= payload == 0;
    half = CHOOSE_INT(magnitude > 0xFF << 23, payload | 0x7C00, half);
    // The shift copies the sign into the bits above 15, which the conversion cuts off.
    short8x bits = __builtin_convertvector((uint8x)(half | sign >> 16), short8x);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bits = bits << 8 | bits >> 8;
#endif
    memcpy(halves, &bits, 16);
}

TARGET static void KERNEL(encode_halves)(const float *values, size_t count, void *halves) {
    const unsigned char *source = (const unsigned char *)values;
    unsigned char *target = halves;
    size_t i = 0;
    for (; i + 8 <= count; i += 8) KERNEL(halves8)(source + 4 * i, target + 2 * i);
    if (i == count) return;
    float rest[8] = {0};
    uint16_t last[8];
    memcpy(rest, source + 4 * i, 4 * (count - i));
    KERNEL(halves8)(rest, last);
    memcpy(target + 2 * i, last, 2 * (count - i));
}

/// Eight halves to values.
TARGET static inline ALWAYS void KERNEL(values8)(const void *halves, void *values) {
    short8x narrow;
    memcpy(&narrow, halves, 16);
    uint8x wide = __builtin_convertvector(narrow, uint8x);
    uint8x sign = (wide & 0x8000) << 16;
    int8x exponents = (int8x)(wide & 0x7C00);
    int8x bits = (int8x)((wide & 0x7FFF) << 13) + ((127 - 15) << 23);
    bits += (exponents == 0x7C00) & ((127 - 15) << 23);
    // Subnormal halves: 1.x times 2^-14, less 2^-14.
    float8 small = (float8)(bits + (1 << 23)) - 0x1p-14f;
    bits = CHOOSE_INT(exponents == 0, small, bits) | (int8x)sign;
    memcpy(values, &bits, 32);
}

TARGET static void KERNEL(decode_halves)(const uint16_t *halves, size_t count, float *values) {
    size_t i = 0;
    for (; i + 8 <= count; i += 8) KERNEL(values8)(halves + i, values + i);
    if (i == count) return;
    uint16_t rest[8] = {0};
    float last[8];
    memcpy(rest, halves + i, 2 * (count - i));
    KERNEL(values8)(rest, last);
    memcpy(values + i, last, 4 * (count - i));
}

// An exponent of ones, which no finite number has, plus its last digit carries into the sign. So a loop needs no comparison.

TARGET static int KERNEL(finite)(const float *values, size_t count) {
    uint32_t carries = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, values + i, 4);
        carries |= (bits & 0x7F800000) + 0x00800000;
    }
    return carries < 0x80000000;
}

TARGET static int KERNEL(finite_halves)(const uint16_t *halves, size_t count) {
    uint16_t carries = 0;
    for (size_t i = 0; i < count; i++) carries |= (uint16_t)((halves[i] & 0x7C00) + 0x0400);
    return carries < 0x8000;
}

TARGET static int KERNEL(profile)(
    const float *values, size_t rows, size_t bins, const float *first, const float *limits, double *sums,
    double *squares, intptr_t *low) {
    int changed = 0;
    size_t bin = 0;
    for (; bin + 8 <= bins; bin += 8) {
        const float8 start = load8(first + bin), limit = load8(limits + bin);
        double4 low_sum = load4(sums + bin), high_sum = load4(sums + bin + 4);
        double4 low_square = load4(squares + bin), high_square = load4(squares + bin + 4);
        int8x count = {0}, differ = {0};
        for (size_t row = 0; row < rows; row++) {
            const float *source = values + row * bins + bin;
            double4 one = DOUBLES(source), other = DOUBLES(source + 4);
            low_sum += one;
            high_sum += other;
            low_square += one * one;
            high_square += other * other;
            float8 value = load8(source);
            count -= value <= limit;
            differ |= value != start;
        }
        store4d(sums + bin, low_sum);
        store4d(sums + bin + 4, high_sum);
        store4d(squares + bin, low_square);
        store4d(squares + bin + 4, high_square);
        for (size_t lane = 0; lane < 8; lane++) {
            *low += count[lane];
            changed |= differ[lane];
        }
    }
    for (; bin < bins; bin++) {
        for (size_t row = 0; row < rows; row++) {
            float value = values[row * bins + bin];
            sums[bin] += (double)value;
            squares[bin] += (double)value * (double)value;
            *low += value <= limits[bin];
            changed |= value != first[bin];
        }
    }
    return changed != 0;
}

TARGET static size_t KERNEL(histogram)(
    const float *values, size_t count, double scale, int32_t low, int32_t high, intptr_t *counts) {
    const double least = low, most = high;
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        double scaled[8];
        int32_t whole[8];
        int outside = 0;
        for (size_t lane = 0; lane < 8; lane++) {
            scaled[lane] = (double)values[i + lane] * scale;
            outside |= !(scaled[lane] >= least && scaled[lane] < most);
        }
        if (outside) break;
        for (size_t lane = 0; lane < 8; lane++) {
            whole[lane] = (int32_t)scaled[lane];
            whole[lane] -= (double)whole[lane] > scaled[lane];
        }
        for (size_t lane = 0; lane < 8; lane++) counts[whole[lane] - low]++;
    }
    for (; i < count; i++) {
        double scaled = (double)values[i] * scale;
        if (!(scaled >= least && scaled < most)) break;
        int32_t whole = (int32_t)scaled;
        counts[whole - ((double)whole > scaled) - low]++;
    }
    return i;
}
