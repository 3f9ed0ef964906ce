// The complex Fourier transform of every lane, Z[k] = Σ z[n] · exp(−2πikn/M), in place and without shuffles.
//
// M = r · m, n = j + m·p, k = q + r·t, with w = exp(−2πi/M) and e = exp(−2πi/r):
//
//     Z[q + r·t] = Σ_j exp(−2πijt/m) · w^(jq) · Σ_p e^(pq) · z[j + m·p]
//
// A pass of radix r computes the inner sums and multiplies them by the turns w^(jq); number q of them is stored where p = q
// was. What is left are r transforms of m numbers each, q after q, for the next passes. Z[k] ends at `positions[k]`: with
// a whole vector for each number, order costs no more than a look into that table.
//
// A length with a prime factor beyond 13 is transformed by a convolution (`convolve`).

struct KERNEL(complex) {
    vector real, imaginary;
};
#define complex struct KERNEL(complex)

/// x · (cos + i sin), both the same in every lane.
TARGET static inline ALWAYS void KERNEL(turn)(complex *x, double cosine, double sine) {
    vector real = x->real * cosine - x->imaginary * sine;
    x->imaginary = x->real * sine + x->imaginary * cosine;
    x->real = real;
}

/// a, b = a + b, a − b.
TARGET static inline ALWAYS void KERNEL(butterfly2)(complex *a, complex *b) {
    complex sum = {a->real + b->real, a->imaginary + b->imaginary};
    *b = (complex){a->real - b->real, a->imaginary - b->imaginary};
    *a = sum;
}

/// a, b = a − ib, a + ib.
TARGET static inline ALWAYS void KERNEL(butterfly2i)(complex *a, complex *b) {
    complex sum = {a->real + b->imaginary, a->imaginary - b->real};
    *b = (complex){a->real - b->imaginary, a->imaginary + b->real};
    *a = sum;
}

TARGET static inline ALWAYS void KERNEL(butterfly3)(complex *a, complex *b, complex *c) {
    const double sine = 0x1.bb67ae8584caap-1;  // sin 60°
    complex sum = *b, difference = *c;
    KERNEL(butterfly2)(&sum, &difference);
    complex middle = {a->real - 0.5 * sum.real, a->imaginary - 0.5 * sum.imaginary};
    a->real += sum.real;
    a->imaginary += sum.imaginary;
    *b = middle;
    *c = (complex){sine * difference.real, sine * difference.imaginary};
    KERNEL(butterfly2i)(b, c);
}

TARGET static inline ALWAYS void KERNEL(butterfly4)(complex *a, complex *b, complex *c, complex *d) {
    KERNEL(butterfly2)(a, c);
    KERNEL(butterfly2)(b, d);
    KERNEL(butterfly2)(a, b);
    KERNEL(butterfly2i)(c, d);
    // Now a, c, b, d are the sums of q = 0, 1, 2, 3.
    complex second = *c;
    *c = *b;
    *b = second;
}

TARGET static inline ALWAYS void KERNEL(butterfly5)(complex *x) {
    const double quarter_root = 0x1.1e3779b97f4a8p-1;  // √5 / 4
    const double sine1 = 0x1.e6f0e134454ffp-1, sine2 = 0x1.2cf2304755a5ep-1;  // sin 72°, sin 36°
    complex a = x[1], b = x[2], c = x[4], d = x[3];
    KERNEL(butterfly2)(&a, &c);
    KERNEL(butterfly2)(&b, &d);
    complex sum = {a.real + b.real, a.imaginary + b.imaginary};
    complex spread = {quarter_root * (a.real - b.real), quarter_root * (a.imaginary - b.imaginary)};
    complex middle = {x[0].real - 0.25 * sum.real, x[0].imaginary - 0.25 * sum.imaginary};
    x[0] = (complex){x[0].real + sum.real, x[0].imaginary + sum.imaginary};
    KERNEL(butterfly2)(&middle, &spread);
    x[1] = middle;
    x[4] = (complex){sine1 * c.real + sine2 * d.real, sine1 * c.imaginary + sine2 * d.imaginary};
    x[2] = spread;
    x[3] = (complex){sine2 * c.real - sine1 * d.real, sine2 * c.imaginary - sine1 * d.imaginary};
    KERNEL(butterfly2i)(&x[1], &x[4]);
    KERNEL(butterfly2i)(&x[2], &x[3]);
}

TARGET static inline ALWAYS void KERNEL(butterfly8)(complex *x) {
    const double root = 0x1.6a09e667f3bcdp-1;  // √½
#pragma clang loop unroll(full)
    for (int p = 0; p < 4; p++) KERNEL(butterfly2)(&x[p], &x[p + 4]);
    // The odd sums: turned by 45°, 90°, 135°.
    x[5] = (complex){root * (x[5].real + x[5].imaginary), root * (x[5].imaginary - x[5].real)};
    x[6] = (complex){x[6].imaginary, -x[6].real};
    x[7] = (complex){root * (x[7].imaginary - x[7].real), -root * (x[7].real + x[7].imaginary)};
    KERNEL(butterfly4)(&x[0], &x[1], &x[2], &x[3]);
    KERNEL(butterfly4)(&x[4], &x[5], &x[6], &x[7]);
    complex even1 = x[1], even2 = x[2], even3 = x[3];
    x[1] = x[4];
    x[2] = even1;
    x[3] = x[5];
    x[4] = even2;
    x[5] = x[6];
    x[6] = even3;
}

/// An odd radix r by its definition: the sums for q and r − q share their products. `roots`: cosine and sine of 2πp/r,
/// p = 0 … r − 1.
TARGET static inline ALWAYS void KERNEL(butterfly_odd)(complex *x, const double *roots, int radix) {
    const int half = radix / 2;
    const complex first = x[0];
    complex sum[6], difference[6];
#pragma clang loop unroll(full)
    for (int p = 1; p <= half; p++) {
        sum[p - 1] = x[p];
        difference[p - 1] = x[radix - p];
        KERNEL(butterfly2)(&sum[p - 1], &difference[p - 1]);
        x[0].real += sum[p - 1].real;
        x[0].imaginary += sum[p - 1].imaginary;
    }
#pragma clang loop unroll(full)
    for (int q = 1; q <= half; q++) {
        complex even = first, odd = {{0}, {0}};
#pragma clang loop unroll(full)
        for (int p = 1; p <= half; p++) {
            const double cosine = roots[2 * (p * q % radix)], sine = roots[2 * (p * q % radix) + 1];
            even.real += cosine * sum[p - 1].real;
            even.imaginary += cosine * sum[p - 1].imaginary;
            odd.real += sine * difference[p - 1].real;
            odd.imaginary += sine * difference[p - 1].imaginary;
        }
        x[q] = even;
        x[radix - q] = odd;
        KERNEL(butterfly2i)(&x[q], &x[radix - q]);
    }
}

/// Number j of a pass, `m` numbers apart.
TARGET static inline ALWAYS void KERNEL(step)(
    double *z, size_t m, const double *roots, const double *turns, int radix, int is_turned) {
    complex x[13];
#pragma clang loop unroll(full)
    for (int p = 0; p < radix; p++) {
        const double *source = z + 2 * LANES * m * p;
        x[p] = (complex){LANE_LOAD(source), LANE_LOAD(source + LANES)};
    }
    if (radix == 2) KERNEL(butterfly2)(&x[0], &x[1]);
    if (radix == 3) KERNEL(butterfly3)(&x[0], &x[1], &x[2]);
    if (radix == 4) KERNEL(butterfly4)(&x[0], &x[1], &x[2], &x[3]);
    if (radix == 5) KERNEL(butterfly5)(x);
    if (radix == 8) KERNEL(butterfly8)(x);
    if (radix == 7 || radix > 8) KERNEL(butterfly_odd)(x, roots, radix);
#pragma clang loop unroll(full)
    for (int q = 0; q < radix; q++) {
        double *target = z + 2 * LANES * m * q;
        if (q > 0 && is_turned) KERNEL(turn)(&x[q], turns[2 * q - 2], turns[2 * q - 1]);
        LANE_STORE(target, x[q].real);
        LANE_STORE(target + LANES, x[q].imaginary);
    }
}

/// A pass over `blocks` transforms that follow each other.
TARGET static inline ALWAYS void KERNEL(pass)(
    double *z, size_t blocks, size_t m, const double *roots, const double *turns, int radix) {
    for (size_t block = 0; block < blocks; block++, z += 2 * LANES * m * radix) {
        // The turns of j = 0 are 1.
        KERNEL(step)(z, m, roots, turns, radix, 0);
        for (size_t j = 1; j < m; j++) {
            KERNEL(step)(z + 2 * LANES * j, m, roots, turns + 2 * (radix - 1) * (j - 1), radix, 1);
        }
    }
}

/// The first pass over `blocks` transforms of radix · m numbers each.
TARGET static void KERNEL(first_pass)(
    double *z, size_t blocks, size_t m, const double *roots, const double *turns, size_t radix) {
    switch (radix) {
    case 2: KERNEL(pass)(z, blocks, m, roots, turns, 2); break;
    case 3: KERNEL(pass)(z, blocks, m, roots, turns, 3); break;
    case 4: KERNEL(pass)(z, blocks, m, roots, turns, 4); break;
    case 5: KERNEL(pass)(z, blocks, m, roots, turns, 5); break;
    case 7: KERNEL(pass)(z, blocks, m, roots, turns, 7); break;
    case 11: KERNEL(pass)(z, blocks, m, roots, turns, 11); break;
    case 13: KERNEL(pass)(z, blocks, m, roots, turns, 13); break;
    default: KERNEL(pass)(z, blocks, m, roots, turns, 8);
    }
}

/// A transform of `length` numbers: the parts that a pass leaves one after the other while they are long, so that all
/// passes over a part find it in the first-level cache; the short ones together.
TARGET static void KERNEL(fourier)(double *z, size_t length, const int32_t *radices, const double *turns) {
    const size_t part = PART_BYTES / (2 * LANES * sizeof(double));
    size_t blocks = 1;
    while (length > 1) {
        const size_t radix = (size_t)*radices++, m = length / radix;
        const double *roots = turns;
        if (radix == 7 || radix > 8) turns += 2 * radix;
        KERNEL(first_pass)(z, blocks, m, roots, turns, radix);
        turns += 2 * (radix - 1) * (m - 1);
        if (length > part) {
            for (size_t q = 0; q < radix; q++) KERNEL(fourier)(z + 2 * LANES * m * q, m, radices, turns);
            return;
        }
        blocks *= radix;
        length = m;
    }
}

/// The transform of M numbers as a convolution of L: with 2nk = n² + k² − (k − n)² and the chirp c[n] = exp(−πin²/M),
///
///     Z[k] = c[k] · Σ_n (z[n] · c[n]) · c*[k − n]
///
/// Bluestein (1970), "A linear filtering approach to the computation of discrete Fourier transform". The sum is the inverse transform
/// of a product, and that is the conjugate of the transform of the conjugate. `z` and `work` have 2L numbers of each lane.
TARGET static void KERNEL(convolve)(double *z, const struct veery_convolution *by, double *work) {
    const struct veery_lane_plan *plan = by->plan;
    for (size_t n = 0; n < plan->length; n++) {
        complex x = {{0}, {0}};
        if (n < by->length) {
            x = (complex){LANE_LOAD(z + 2 * LANES * n), LANE_LOAD(z + 2 * LANES * n + LANES)};
            KERNEL(turn)(&x, by->chirp[2 * n], by->chirp[2 * n + 1]);
        }
        LANE_STORE(z + 2 * LANES * n, x.real);
        LANE_STORE(z + 2 * LANES * n + LANES, x.imaginary);
    }
    KERNEL(fourier)(z, plan->length, plan->radices, plan->turns);
    for (size_t k = 0; k < plan->length; k++) {
        const double *source = z + 2 * LANES * (size_t)plan->positions[k];
        complex x = {LANE_LOAD(source), LANE_LOAD(source + LANES)};
        KERNEL(turn)(&x, by->response[2 * k], by->response[2 * k + 1]);
        LANE_STORE(work + 2 * LANES * k, x.real);
        LANE_STORE(work + 2 * LANES * k + LANES, -x.imaginary);
    }
    KERNEL(fourier)(work, plan->length, plan->radices, plan->turns);
    for (size_t k = 0; k < by->results; k++) {
        const double *source = work + 2 * LANES * (size_t)plan->positions[k];
        complex x = {LANE_LOAD(source), -LANE_LOAD(source + LANES)};
        KERNEL(turn)(&x, by->chirp[2 * k], by->chirp[2 * k + 1]);
        LANE_STORE(z + 2 * LANES * k, x.real);
        LANE_STORE(z + 2 * LANES * k + LANES, x.imaginary);
    }
}

TARGET static void KERNEL(transform)(double *z, const struct veery_lane_plan *plan, double *work) {
    if (plan->convolution) KERNEL(convolve)(z, plan->convolution, work);
    else KERNEL(fourier)(z, plan->length, plan->radices, plan->turns);
}
