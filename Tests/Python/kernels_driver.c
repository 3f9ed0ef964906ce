/* Calls the loops of CKernels with the arguments in a file, once for every set that the processor has, and writes what they
 * compute; see kernel_calls.py. Usage: kernels_driver CALLS RESULTS
 *
 * Both files are arrays, one after another: the number of bytes, as 64 bits, and the bytes, up to a multiple of eight. A call is a
 * name, the number of its arguments, and these. For each set there are its name and the results of every call. */

#include "kernels.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 24 };

struct array {
    size_t size;
    void *bytes;
};

static char *calls;
static size_t calls_size, cursor;
static FILE *results;
static struct array arguments[MOST_ARGUMENTS];

static void fail(const char *reason, const char *name) {
    fprintf(stderr, "kernels_driver: %s: %s\n", reason, name);
    exit(1);
}

static void *space(size_t size) {
    void *bytes = calloc(1, size + 1);
    if (bytes == NULL) fail("no memory", "calloc");
    return bytes;
}

static struct array next(void) {
    if (cursor + 8 > calls_size) fail("the file ends too early", "size");
    struct array array = {.bytes = calls + cursor + 8};
    uint64_t size;
    memcpy(&size, calls + cursor, 8);
    array.size = (size_t)size;
    cursor += 8 + (array.size + 7) / 8 * 8;
    if (cursor > calls_size) fail("the file ends too early", "bytes");
    return array;
}

static void *argument(int i) { return arguments[i].bytes; }
static size_t number(int i, int n) { return (size_t)((const int64_t *)argument(i))[n]; }
static double real(int i, int n) { return ((const double *)argument(i))[n]; }

/* A copy of an argument, to be changed and written. */
static struct array copy(int i) {
    struct array array = {arguments[i].size, space(arguments[i].size)};
    memcpy(array.bytes, argument(i), array.size);
    return array;
}

static void give(struct array array) {
    const uint64_t size = array.size, zero = 0;
    fwrite(&size, 8, 1, results);
    fwrite(array.bytes, 1, array.size, results);
    fwrite(&zero, 1, (8 - array.size % 8) % 8, results);
    free(array.bytes);
}

static void give_number(int64_t value) {
    struct array array = {8, space(8)};
    memcpy(array.bytes, &value, 8);
    give(array);
}

/* The functions over rows: false if there is none of that name. */
static int call_rows(const struct veery_kernels *k, const char *name) {
    const size_t floats = arguments[0].size / 4;
    if (strcmp(name, "pcm16") == 0) {
        /* The first byte is not a part of the samples. */
        const size_t count = (arguments[0].size - 1) / 2;
        struct array values = {4 * count, space(4 * count)};
        k->pcm16((const char *)argument(0) + 1, count, values.bytes);
        give(values);
    } else if (strcmp(name, "logarithm") == 0) {
        struct array values = copy(0);
        const float *with = argument(1);
        k->logarithm(values.bytes, floats, with[0], with[1], with[2], with[3]);
        give(values);
    } else if (strcmp(name, "raise") == 0) {
        struct array raised = {4 * floats, space(4 * floats)};
        k->raise(argument(0), floats, *(const float *)argument(1), raised.bytes);
        give(raised);
    } else if (strcmp(name, "maximum") == 0) {
        struct array most = {4, space(4)};
        *(float *)most.bytes = k->maximum(argument(0), floats, *(const float *)argument(1));
        give(most);
    } else if (strcmp(name, "products") == 0) {
        struct array products = copy(2);
        k->products(argument(0), number(3, 0), number(3, 1), argument(1), number(3, 2), products.bytes, number(3, 3));
        give(products);
    } else if (strcmp(name, "filter") == 0) {
        /* Rows of weights one after another, one for each result. */
        const size_t blocks = number(3, 0), count = arguments[2].size / 8;
        const double **rows = space(count * sizeof *rows);
        for (size_t i = 0; i < count; i++) rows[i] = (const double *)argument(1) + i * 8 * blocks;
        struct array sums = {4 * count, space(4 * count)};
        k->filter(argument(0), argument(2), rows, blocks, count, sums.bytes);
        free(rows);
        give(sums);
    } else if (strcmp(name, "statistics") == 0) {
        struct array sums = copy(3), squares = copy(4), minimum = copy(5), maximum = copy(6);
        k->statistics(
            argument(0), number(1, 0), number(1, 1), argument(2), sums.bytes, squares.bytes, minimum.bytes,
            maximum.bytes);
        give(sums);
        give(squares);
        give(minimum);
        give(maximum);
    } else if (strcmp(name, "normalize") == 0) {
        struct array values = copy(0);
        k->normalize(
            values.bytes, number(1, 0), number(1, 1), argument(2), argument(3), argument(4),
            *(const float *)argument(5));
        give(values);
    } else if (strcmp(name, "encode_halves") == 0) {
        struct array halves = {2 * floats, space(2 * floats)}, same = copy(0);
        k->encode_halves(argument(0), floats, halves.bytes);
        give(halves);
        k->encode_halves(same.bytes, floats, same.bytes);
        same.size = 2 * floats;
        give(same);
    } else if (strcmp(name, "decode_halves") == 0) {
        struct array values = {2 * arguments[0].size, space(2 * arguments[0].size)};
        k->decode_halves(argument(0), arguments[0].size / 2, values.bytes);
        give(values);
    } else if (strcmp(name, "finite") == 0) {
        give_number(k->finite(argument(0), floats));
    } else if (strcmp(name, "finite_halves") == 0) {
        give_number(k->finite_halves(argument(0), arguments[0].size / 2));
    } else if (strcmp(name, "profile") == 0) {
        struct array sums = copy(4), squares = copy(5);
        intptr_t low = 0;
        const int changed = k->profile(
            argument(0), number(1, 0), number(1, 1), argument(2), argument(3), sums.bytes, squares.bytes, &low);
        give(sums);
        give(squares);
        give_number(low);
        give_number(changed);
    } else if (strcmp(name, "histogram") == 0) {
        const int32_t low = (int32_t)number(1, 0), high = (int32_t)number(1, 1);
        intptr_t *counts = space(sizeof(intptr_t) * (size_t)(high - low));
        const size_t counted = k->histogram(argument(0), floats, real(2, 0), low, high, counts);
        for (int32_t i = 0; i < high - low; i++) give_number(counts[i]);
        free(counts);
        give_number((int64_t)counted);
    } else {
        return 0;
    }
    return 1;
}

/* Frames of `size` doubles each, `columns` at a time as lanes. A lane that is left over has the last frame. */
static double *to_lanes(const double *frames, size_t size, size_t count, size_t first, size_t columns) {
    double *lanes = space(8 * size * columns);
    for (size_t lane = 0; lane < columns; lane++) {
        const size_t frame = first + lane < count ? first + lane : count - 1;
        for (size_t n = 0; n < size; n++) lanes[n * columns + lane] = frames[frame * size + n];
    }
    return lanes;
}

static void from_lanes(double *lanes, size_t size, size_t count, size_t first, size_t columns, double *frames) {
    for (size_t lane = 0; lane < columns && first + lane < count; lane++) {
        for (size_t n = 0; n < size; n++) frames[(first + lane) * size + n] = lanes[n * columns + lane];
    }
    free(lanes);
}

/* The plan whose tables are the arguments from `i` on. */
static void read_plan(int i, struct veery_lane_plan *plan) {
    *plan = (struct veery_lane_plan){
        .length = number(i, 0), .is_odd = (int32_t)number(i, 1), .radices = argument(i + 1), .turns = argument(i + 2),
        .positions = argument(i + 3), .cosines = argument(i + 4), .sines = argument(i + 5)};
}

/* Frames through windows: the lanes and the energies. */
static void call_from_frames(const struct veery_lanes *l) {
    const size_t count = number(1, 1), columns = l->count;
    struct veery_lane_window window = {
        .preparation = {(int32_t)number(2, 4), (int32_t)number(2, 5), real(3, 0)}, .weights = argument(4),
        .samples = number(2, 0), .length = number(2, 1), .offset = number(2, 2), .step = number(2, 3),
        .is_folded = (int32_t)number(2, 6)};
    const size_t size = window.length * window.step;
    struct array frames = {8 * size * count, space(8 * size * count)}, energies = {8 * count, space(8 * count)};
    for (size_t first = 0; first < count; first += columns) {
        const size_t now = count - first < columns ? count - first : columns;
        struct veery_frames source = {
            (const float *)argument(0) + first * number(1, 0), number(1, 0), now, number(1, 2)};
        double *lanes = space(8 * size * columns), some[8];
        l->from_frames(&source, &window, lanes, some);
        for (size_t n = 0; n < size; n++) {
            for (size_t lane = now; lane < columns; lane++) {
                const double *mine = lanes + n * columns + lane, *last = lanes + n * columns + now - 1;
                if (memcmp(mine, last, 8) != 0 && (*mine == *mine || *last == *last)) {
                    fail("a lane that is left over has not the last frame", "from_frames");
                }
            }
        }
        from_lanes(lanes, size, count, first, columns, frames.bytes);
        memcpy((double *)energies.bytes + first, some, 8 * now);
    }
    give(frames);
    give(energies);
}

/* The other functions over lanes: argument 0 has the number of frames and two numbers more, argument 1 the frames. */
static int call_lanes(const struct veery_lanes *l, const char *name) {
    if (strcmp(name, "from_frames") == 0) {
        call_from_frames(l);
        return 1;
    }
    const size_t count = number(0, 0), columns = l->count, size = arguments[1].size / 8 / count;
    struct veery_lane_plan plan, longer;
    struct veery_convolution convolution;
    size_t sizes[2] = {size, 0};
    enum { TO_ROWS, TRANSFORM, POWERS, SPECTRA, COSINES, TANGLE, UNFOLD, ROOTS, BANDS, FUNCTIONS } function = 0;
    static const char *const names[FUNCTIONS] = {
        "to_rows", "transform", "powers", "spectra", "cosines", "tangle", "unfold", "roots", "bands"};
    while (function < FUNCTIONS && strcmp(names[function], name) != 0) function++;
    if (function == FUNCTIONS) return 0;

    if (function >= TRANSFORM && function <= UNFOLD) {
        read_plan(2, &plan);
        sizes[0] = plan.is_odd ? plan.length / 2 + 1 : plan.length + 1;
    }
    if (function == TRANSFORM || function >= COSINES) sizes[0] = size;
    if (function == SPECTRA) sizes[1] = sizes[0];
    if (function == BANDS) sizes[0] = arguments[3].size / 4;
    size_t work_size = 0;
    if (function == TRANSFORM && arguments[8].size > 0) {
        read_plan(11, &longer);
        convolution = (struct veery_convolution){&longer, number(8, 0), number(8, 1), argument(9), argument(10)};
        plan.convolution = &convolution;
        work_size = 2 * longer.length;
    }
    struct array given[2], rows = {0};
    for (int i = 0; i < 2; i++) given[i] = (struct array){8 * sizes[i] * count, space(8 * sizes[i] * count)};
    if (function == TO_ROWS) rows = copy(2);
    for (size_t first = 0; first < count; first += columns) {
        double *z = to_lanes(argument(1), size, count, first, columns);
        if (work_size > 0) {
            double *larger = space(8 * work_size * columns);
            /* The function has to write all of it. */
            memset(larger, 0xff, 8 * work_size * columns);
            memcpy(larger, z, 8 * size * columns);
            free(z);
            z = larger;
        }
        double *one = space(8 * sizes[0] * columns), *other = space(8 * sizes[1] * columns);
        double *work = space(8 * work_size * columns);
        const size_t now = count - first < columns ? count - first : columns;
        int is_in_place = 0;
        switch (function) {
        case TO_ROWS:
            l->to_rows(
                z, number(0, 1), number(0, 2), (int32_t)number(0, 3),
                (float *)rows.bytes + first * number(0, 4), number(0, 4), now);
            break;
        case TRANSFORM: l->transform(z, &plan, work_size > 0 ? work : NULL); is_in_place = 1; break;
        case POWERS: l->powers(z, &plan, one); break;
        case SPECTRA: l->spectra(z, &plan, one, other); break;
        case COSINES: l->cosines(z, &plan, argument(8), argument(9), one); break;
        case TANGLE: l->tangle(z, &plan, argument(8), argument(9), one); break;
        case UNFOLD: l->unfold(z, &plan, one); break;
        case ROOTS: l->roots(z, size); is_in_place = 1; break;
        default: l->bands(z, argument(4), argument(2), argument(3), sizes[0], one);
        }
        if (is_in_place) memcpy(one, z, 8 * size * columns);
        from_lanes(one, sizes[0], count, first, columns, given[0].bytes);
        from_lanes(other, sizes[1], count, first, columns, given[1].bytes);
        free(work);
        free(z);
    }
    if (function == TO_ROWS) {
        give(rows);
        free(given[0].bytes);
    } else {
        give(given[0]);
    }
    if (function == SPECTRA) give(given[1]);
    else free(given[1].bytes);
    return 1;
}

int main(int count, char **words) {
    if (count != 3) fail("usage", "kernels_driver CALLS RESULTS");
    FILE *file = fopen(words[1], "rb");
    if (file == NULL) fail("cannot be read", words[1]);
    fseek(file, 0, SEEK_END);
    calls_size = (size_t)ftell(file);
    rewind(file);
    calls = space(calls_size);
    if (fread(calls, 1, calls_size, file) != calls_size) fail("cannot be read", words[1]);
    fclose(file);
    results = fopen(words[2], "wb");
    if (results == NULL) fail("cannot be written", words[2]);
    const struct veery_kernels *set;
    for (size_t index = 0; (set = veery_kernels_set(index)) != NULL; index++) {
        struct array name = {strlen(set->name), space(strlen(set->name))};
        memcpy(name.bytes, set->name, name.size);
        give(name);
        for (cursor = 0; cursor < calls_size;) {
            char function[32] = "";
            const struct array called = next();
            memcpy(function, called.bytes, called.size < sizeof function ? called.size : sizeof function - 1);
            const uint64_t number_of_arguments = *(const uint64_t *)next().bytes;
            if (number_of_arguments > MOST_ARGUMENTS) fail("too many arguments", function);
            for (size_t i = 0; i < number_of_arguments; i++) arguments[i] = next();
            if (strcmp(function, "veery_ogg_checksum") == 0) {
                give_number(veery_ogg_checksum(
                    argument(0), (uint32_t)number(1, 0), (const char *)argument(2) + 1, arguments[2].size - 1));
            } else if (!call_rows(set, function) && !call_lanes(set->lanes, function)) {
                fail("unknown function", function);
            }
        }
    }
    if (fclose(results) != 0) fail("cannot be written", words[2]);
    return 0;
}
