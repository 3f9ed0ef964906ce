"""Calls of all functions of CKernels for kernels_driver.c, with what NumPy and SciPy give for ordinary numbers.

The tables of a transform are made here, so that every processor has the same. Their meaning is in kernels.h and fourier.h.
"""

import dataclasses
import struct

import numpy as np
import scipy.fft

# Of a function over lanes: two ordinary frames, which are compared with NumPy, and one of each other kind.
KINDS = ("ordinary", "ordinary", "huge", "tiny", "any bits", "special", "mixed")
ORDINARY = 2
# With ends that are parts of any vector.
COUNTS = (0, 1, 3, 7, 8, 9, 16, 31, 67, 1003)


@dataclasses.dataclass(repr=False)
class Call:
    name: str
    arguments: list
    # The types of the results. Letters i are bits, of which none may differ: any NaN is as good as another, but not in these.
    types: str
    # For each result its first numbers, or None. A difference may be so large, in units of the largest number.
    expected: list | None = None
    tolerance: float = 0


@np.errstate(all="ignore")
def values(random, kind, count, real=np.float32):
    ordinary = random.standard_normal(count)
    largest, smallest = (1e38, 1e-40) if real == np.float32 else (1e308, 1e-310)
    if kind == "huge":
        return (ordinary * largest).clip(np.finfo(real).min, np.finfo(real).max).astype(real)
    if kind == "tiny":
        return (ordinary * smallest).astype(real)
    if kind == "any bits":
        return random.integers(0, 256, count * np.dtype(real).itemsize, dtype=np.uint8).view(real)
    if kind == "special":
        limits = np.finfo(real)
        return random.choice([0, -0.0, 1, -1, 3, limits.max, limits.tiny, limits.smallest_subnormal, np.inf, -np.inf, np.nan],
                             count, p=[0.3, 0.2, *[0.058] * 6, 0.05, 0.05, 0.052]).astype(real)
    if kind == "mixed":
        return (ordinary * 10.0 ** random.integers(-9, 9, count)).astype(real)
    return ordinary.astype(real)


def frames_of(random, size):
    return np.stack([values(random, kind, size, np.float64) for kind in KINDS])


def integers(*numbers):
    return np.array(numbers, np.int64)


def single(*numbers):
    return np.array(numbers, np.float32)


# ------------------------------------------------------------------------------------------------------------------ rows


def row_calls(random):
    for kind in dict.fromkeys(KINDS):
        for count in COUNTS:
            yield from calls_of_a_row(values(random, kind, count), kind == "ordinary")
        for rows, bins in ((1, 1), (5, 7), (3, 8), (9, 29), (4, 45), (33, 80)):
            yield from calls_of_rows(random, kind, rows, bins)
        for rows, blocks, columns in ((1, 1, 1), (2, 3, 8), (5, 5, 13), (7, 10, 20)):
            matrix = values(random, kind, rows * 8 * blocks).reshape(rows, -1)
            weights = values(random, "ordinary", columns * 8 * blocks).reshape(columns, -1)
            target = values(random, "ordinary", rows * (columns + 3)).reshape(rows, -1)
            expected = target.astype(float)
            with np.errstate(all="ignore"):
                expected[:, :columns] = matrix.astype(float) @ weights.T.astype(float)
            yield Call("products", [matrix, weights, target, integers(rows, blocks, columns, columns + 3)], "f4",
                       [expected] if kind == "ordinary" else None, 1e-6)
        for blocks, count in ((1, 1), (3, 2), (5, 7), (35, 4)):
            samples = values(random, kind, 8 * blocks + 50)
            weights = values(random, "ordinary", count * 8 * blocks, np.float64).reshape(count, -1)
            starts = random.integers(0, 50, count)
            with np.errstate(all="ignore"):
                sums = [samples[start:start + 8 * blocks].astype(float) @ row for start, row in zip(starts, weights)]
            yield Call("filter", [samples, weights, starts, integers(blocks)], "f4", [np.array(sums)] if kind == "ordinary" else None, 1e-6)
    for count in COUNTS:
        bits = random.integers(0, 256, 2 * count + 1, dtype=np.uint8)
        yield Call("pcm16", [bits], "f4", [bits[1:].copy().view("<i2") / 32768])
        halves = random.integers(0, 1 << 16, count, dtype=np.uint16)
        numbers = halves.view(np.float16)
        yield Call("decode_halves", [halves], "i4", [np.where(np.isnan(numbers), 0, numbers)])
        yield Call("finite_halves", [halves], "i8", [integers(np.isfinite(numbers).all())])
        numbers = np.nan_to_num(numbers, posinf=1, neginf=2)
        yield Call("finite_halves", [numbers], "i8", [integers(1)])
        steady = single(*random.uniform(-4.9, 4.9, count))
        counts = np.histogram(np.floor(steady * 10.0), np.arange(-50, 51))[0]
        yield Call("histogram", [steady, integers(-50, 50), np.array([10.0])], "i8 " * 101, [*counts.reshape(-1, 1), integers(count)])
        ended = np.where(np.arange(count) == count // 2, single(5.1), steady)
        yield Call("histogram", [ended, integers(-50, 50), np.array([10.0])], "i8 " * 101, [*[None] * 100, integers(count // 2)])
    halves = np.arange(1 << 16, dtype=np.uint16)
    yield Call("decode_halves", [halves], "i4", [np.nan_to_num(halves.view(np.float16), nan=0, posinf=np.inf, neginf=-np.inf)])
    tables = random.integers(0, 1 << 32, 16 * 256, dtype=np.uint32)
    for count in COUNTS:
        message = random.integers(0, 256, count + 1, dtype=np.uint8)
        yield Call("veery_ogg_checksum", [tables, integers(0xABCD1234), message], "i8")


def calls_of_a_row(row, is_ordinary):
    def ordinary(*numbers):
        return list(numbers) if is_ordinary else None

    with np.errstate(all="ignore"):
        logarithms = np.minimum(np.log(np.maximum(row.astype(float), 1e-10)) * 4.3429446 + 0.5, 2)
        halves = row.astype(np.float16)
    yield Call("logarithm", [row, single(1e-10, 4.3429446, 0.5, 2)], "f4", ordinary(logarithms), 1e-6)
    yield Call("logarithm", [row, single(1e-42, 1, 0, np.inf)], "f4")
    yield Call("raise", [row, single(-0.25)], "f4", ordinary(np.maximum(row, single(-0.25))))
    yield Call("raise", [row, single(0)], "f4")
    for least in (-np.inf, 0.5, -0.0):
        yield Call("maximum", [row, single(least)], "f4", ordinary(np.max(row, initial=np.float32(least))))
    yield Call("encode_halves", [row], "i2 i2", ordinary(halves.view(np.int16), halves.view(np.int16)))
    yield Call("finite", [row], "i8", [integers(np.isfinite(row).all())])


def calls_of_rows(random, kind, rows, bins):
    table = values(random, kind, rows * bins).reshape(rows, bins)
    shape = integers(rows, bins)
    zeros = np.zeros(bins)
    one, other = (values(random, "ordinary", bins) for _ in range(2))
    is_ordinary = kind == "ordinary"
    with np.errstate(all="ignore"):
        wide = table.astype(float)
        distances = wide - one
        statistics = [distances.sum(0), (distances ** 2).sum(0), table.min(0), table.max(0)]
        normalized = ((wide - one) - other * 1e-8) / (0.5 + abs(other)) + 1.5
        profile = [wide.sum(0), (wide ** 2).sum(0), integers((table <= other).sum()), integers((table != table[0]).any())]
    yield Call(
        "statistics", [table, shape, one, zeros, zeros, single(*[np.inf] * bins), single(*[-np.inf] * bins)], "f8 f8 f4 f4",
        statistics if is_ordinary else None, 1e-13)
    yield Call("normalize", [table, shape, one, other * single(1e-8), single(0.5) + abs(other), single(1.5)], "f4",
               [normalized] if is_ordinary else None, 1e-6)
    yield Call("normalize", [table, shape, one, other * single(1e-8), other * single(1e-30), single(0)], "f4")
    yield Call("profile", [table, shape, table[0], other, zeros, zeros], "f8 f8 i8 i8", profile if is_ordinary else None, 1e-13)
    same = np.repeat(table[:1], rows, axis=0)
    yield Call("profile", [same, shape, table[0], other, zeros + 0.1, zeros + 0.1], "f8 f8 i8 i8")


# ----------------------------------------------------------------------------------------------------------------- lanes


def points(numbers, count):
    """Cosine and sine of 2π · number / count, in turn."""
    angles = 2 * np.pi * (np.atleast_1d(numbers) % count) / count
    return np.stack([np.cos(angles), np.sin(angles)], -1)


class Plan:
    """A transform by passes of these radices; without any, `length` numbers by a convolution."""

    def __init__(self, radices=(), length=None, is_odd=False):
        self.radices, self.is_odd = list(radices), is_odd
        self.length = length or int(np.prod(radices, dtype=int))
        turns, part = [], self.length
        positions, rest = np.zeros(self.length, np.int32), np.arange(self.length)
        for radix in radices:
            if radix == 7 or radix > 8:
                turns.append(points(np.arange(radix), radix))
            products = np.outer(np.arange(1, part // radix), np.arange(1, radix)).ravel()
            turns.append(points(products, part) * [1, -1])
            part //= radix
            positions += (rest % radix * part).astype(np.int32)
            rest //= radix
        self.positions = positions + rest.astype(np.int32)
        self.turns = np.concatenate(turns) if turns else np.zeros((0, 2))
        self.cosines, sines = points(np.arange(self.length // 2 + 1), 2 * self.length).T.copy()
        self.sines = -sines
        self.convolution = None
        if not radices and self.length > 1:
            self.convolution = self.convolution_tables(self.length // 2 + 1 if is_odd else self.length)

    def convolution_tables(self, results):
        twos = (self.length + results - 2).bit_length()
        plan = Plan([8] * (twos // 3) + [[], [2], [4]][twos % 3])
        squares = np.arange(self.length) ** 2
        chirp = points(squares, 2 * self.length) * [1, -1]
        around = np.zeros(plan.length, complex)
        conjugate = chirp @ [1, -1j]
        around[:results] = conjugate[:results]
        around[plan.length - self.length + 1:] = conjugate[:0:-1]
        response = numbers_of(np.fft.fft(around) / plan.length)
        return [integers(self.length, results), chirp, response, *plan.tables()]

    def tables(self):
        return [integers(self.length, self.is_odd), np.array(self.radices, np.int32), self.turns, self.positions, self.cosines,
                self.sines]

    def __call__(self, name, frames, types="f8", more=(), expected=None):
        return Call(name, [integers(len(frames), 0, 0), frames, *self.tables(), *more], types, expected, 1e-14)


def numbers_of(complex_numbers):
    """Real parts, each followed by its imaginary part."""
    return np.stack([complex_numbers.real, complex_numbers.imag], -1).reshape(*complex_numbers.shape[:-1], -1)


def with_first(first, frames):
    return np.concatenate([first, frames[len(first):]])


PASSES = ((), (2,), (3,), (4,), (5,), (7,), (8,), (11,), (13,), (4, 4), (8, 2), (5, 3, 2), (13, 2), (7, 11), (5, 5, 3), (7, 11, 13),
          (8, 8, 8, 2), (8, 13, 11), (8, 7, 5, 4), (3, 3, 3, 2, 2))


def transform_calls(random):
    plans = [Plan(radices) for radices in PASSES]
    plans += [Plan(radices, is_odd=True) for radices in PASSES if np.prod(radices, dtype=int) % 2]
    plans += [Plan(length=length, is_odd=is_odd) for length in (17, 101, 263) for is_odd in (False, True)]
    plans.append(Plan(length=34))
    for plan in plans:
        yield from calls_of_a_plan(random, plan)


def calls_of_a_plan(random, plan):
    length = plan.length
    frames = frames_of(random, 2 * length)
    if plan.is_odd:
        frames[:, 1::2] = 0
    spectrum = np.fft.fft(frames[:ORDINARY, 0::2] + 1j * frames[:ORDINARY, 1::2])
    if plan.convolution:
        results = int(plan.convolution[0][1])
        wanted = with_first(numbers_of(spectrum), frames)[:ORDINARY]
        wanted[:, 2 * results:] = np.nan  # what is left of the convolution
    else:
        ordered = np.empty_like(spectrum)
        ordered[:, plan.positions] = spectrum
        wanted = numbers_of(ordered)
    yield plan("transform", frames, more=plan.convolution or [integers()], expected=[wanted])

    def of(complex_frames):
        """The result of a transform, with these as its first frames."""
        ordered = np.empty_like(complex_frames)
        ordered[:, plan.positions] = complex_frames
        return with_first(numbers_of(ordered), frames_of(random, 2 * length))

    if plan.is_odd:
        signals = random.standard_normal((ORDINARY, length))
        given, spectra = of(np.fft.fft(signals)), np.fft.rfft(signals)
    else:
        signals = random.standard_normal((ORDINARY, 2 * length))
        given, spectra = of(np.fft.fft(signals[:, 0::2] + 1j * signals[:, 1::2]) / 2), np.fft.rfft(signals)
    yield plan("powers", given, expected=[abs(spectra) ** 2])
    yield plan("spectra", given, "f8 f8", expected=[spectra.real, spectra.imag])
    if plan.is_odd:
        return
    turns = points(np.arange(length + 1), 8 * length).T.copy()
    turns[1] *= -1
    folded = np.concatenate([signals[:, 0::2], signals[:, 1::2][:, ::-1]], -1)
    given = of(np.fft.fft(folded[:, 0::2] + 1j * folded[:, 1::2]) / 2)
    yield plan("cosines", given, more=list(turns), expected=[scipy.fft.dct(signals, 2) / 2])
    coefficients = random.standard_normal((ORDINARY, 2 * length))
    # Halved coefficients: SciPy's sum has twice each but the first one.
    samples = scipy.fft.dct(coefficients * ([2] + [1] * (2 * length - 1)), 3)
    folded = np.concatenate([samples[:, 0::2], samples[:, 1::2][:, ::-1]], -1)
    conjugate = folded[:, 0::2] - 1j * folded[:, 1::2]
    yield plan("tangle", with_first(coefficients, frames_of(random, 2 * length)), more=list(turns),
               expected=[numbers_of(np.fft.ifft(conjugate))])
    yield plan("unfold", of(conjugate), expected=[samples])


def lane_calls(random):
    for size in (1, 4, 7, 26, 130):
        frames = frames_of(random, size)
        with np.errstate(all="ignore"):
            roots = np.sqrt(abs(frames).astype(np.float32)).astype(float)[:ORDINARY]
        yield Call("roots", [integers(len(frames), 0, 0), abs(frames)], "f8", [roots])
        yield Call("roots", [integers(len(frames), 0, 0), frames], "f8")
        for step in (1, 2):
            columns = (size + step - 1) // step
            for squares in (0, 1):
                rows = values(random, "ordinary", len(frames) * (columns + 2)).reshape(len(frames), -1)
                wanted = rows[:ORDINARY].copy()
                taken = frames[:ORDINARY, ::step].astype(np.float32)
                wanted[:, :columns] = taken * taken if squares else taken
                yield Call("to_rows", [integers(len(frames), step, columns, squares, columns + 2), frames, rows], "f4", [wanted])
    for size, counts in ((1, [1]), (40, [1, 2, 3, 0, 7, 8, 40]), (257, [5, 200, 31])):
        frames = frames_of(random, size)
        counts = np.array(counts, np.int32)
        first = random.integers(0, size - counts + 1).astype(np.int32)
        weights = random.standard_normal(counts.sum())
        parts = np.split(weights, counts.cumsum()[:-1])
        sums = [frames[:ORDINARY, start:start + len(part)] @ part for start, part in zip(first, parts)]
        yield Call("bands", [integers(len(frames), 0, 0), frames, first, counts, weights], "f8", [np.stack(sums, -1)], 1e-13)
    yield from frame_calls(random)


def frame_calls(random):
    number = 0
    for samples, length, offset in ((1, 1, 0), (3, 8, 2), (8, 8, 0), (13, 16, 3), (25, 31, 6), (400, 512, 56), (401, 401, 0)):
        for removes, measures, emphasis, rest in (
                (0, 0, 0, 0), (1, 1, 0.97, 0), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0.5, 0), (1, 1, 0.97, 1), (0, 0, 0, 1), (0, 1, 0.25, 1)):
            # Every combination with every length, in turn.
            number += 1
            step, is_folded = ((1, 0), (1, 1), (2, 0))[number % 3]
            stride = max(samples // 3, 1)
            distance = rest * (stride * len(KINDS) + samples + 5)
            for kind in dict.fromkeys(KINDS):
                sound = values(random, kind, distance + stride * len(KINDS) + samples + 3)
                weights = random.uniform(0.1, 1, samples)
                wanted = prepared(sound, stride, distance, samples, removes, emphasis)
                with np.errstate(all="ignore"):
                    energies = (wanted[0] ** 2).sum(-1) * measures
                output = in_order(wanted[1] * weights, length, offset, step, is_folded)
                yield Call(
                    "from_frames",
                    [sound, integers(stride, len(KINDS), distance),
                     integers(samples, length, offset, step, removes, measures, is_folded), np.array([float(emphasis)]), weights],
                    "f8 f8", [output, energies] if kind == "ordinary" else None, 1e-12)


@np.errstate(all="ignore")
def prepared(sound, stride, distance, samples, removes, emphasis):
    """Frames without their means, and these with the emphasis."""
    starts = np.arange(len(KINDS)) * stride
    frames = sound.astype(float)[starts[:, None] + np.arange(samples)]
    if distance:
        frames = frames + sound.astype(float)[starts[:, None] + distance + np.arange(samples)]
    if removes:
        frames = frames - frames.mean(-1, keepdims=True)
    return frames, frames - emphasis * np.concatenate([frames[:, :1], frames[:, :-1]], -1)


def in_order(frames, length, offset, step, is_folded):
    whole = np.zeros((len(frames), length))
    whole[:, offset:offset + frames.shape[1]] = frames
    if is_folded:
        whole = np.concatenate([whole[:, 0::2], whole[:, 1::2][:, ::-1]], -1)
    output = np.zeros((len(frames), step * length))
    output[:, ::step] = whole
    return output


# ----------------------------------------------------------------------------------------------------------------- files


def all_calls():
    random = np.random.default_rng(1)
    return [*row_calls(random), *lane_calls(random), *transform_calls(random)]


def write_calls(path, calls):
    def array(content):
        return struct.pack("<Q", len(content)) + content + bytes(-len(content) % 8)

    with open(path, "wb") as file:
        for call in calls:
            file.write(array(call.name.encode()) + array(struct.pack("<Q", len(call.arguments))))
            for argument in call.arguments:
                file.write(array(np.ascontiguousarray(argument).tobytes()))


def read_results(path, calls):
    """For each set its results: a list of arrays for each call."""
    content, offset, sets = path.read_bytes(), 0, {}

    def array():
        nonlocal offset
        size, = struct.unpack_from("<Q", content, offset)
        start = offset + 8
        offset = start + (size + 7) // 8 * 8
        return content[start:start + size]

    while offset < len(content):
        name = array().decode()
        sets[name] = [[np.frombuffer(array(), "<" + kind) for kind in call.types.split()] for call in calls]
    return sets
