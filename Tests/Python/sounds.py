"""Sounds that show each number of a preset: of lengths at which a frame, a row or a patch more begins, faint, long, and hardly changing."""

import json
from pathlib import Path

import numpy as np
import scipy.io.wavfile
from formulas import models, reference

FIXTURES = Path(__file__).resolve().parents[1] / "Fixtures" / "models"


def formula(preset):
    """A function of samples and their rate, in float64; None: there is none."""
    if preset == "wide-log-mel":
        return models.MODELS[preset]
    if preset in models.MODELS:
        return lambda x, rate: models.MODELS[preset](x)
    if preset in reference.PRESETS:
        return lambda x, rate: reference.PRESETS[preset](np.asarray(x)[:, None], rate)
    return None


def base(rate):
    """The sound of the fixtures; its samples at other rates are those of the longest."""
    for path in sorted(FIXTURES.glob("sound-*.wav"), key=lambda path: -path.stat().st_size):
        found, samples = scipy.io.wavfile.read(path)
        if found == rate:
            break
    return (samples / 32768).astype(np.float32)


def next_edge(plan, samples, limit):
    """The least number of samples above `samples` with more rows."""
    count, step = plan.frame_count(samples), 1
    while plan.frame_count(samples + step) == count:
        step *= 2
        if step > limit:
            return None
    low, high = samples, samples + step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if plan.frame_count(middle) == count else (low, middle)
    return high


def steady(rate):
    """Harmonics of 100 Hz, whose bands change by a hundredth of a percent."""
    time = np.arange(rate // 2) / rate
    swing = 1 + 5e-5 * np.sin(2 * np.pi * 3 * time)
    tone = sum(np.cos(2 * np.pi * 100 * k * time + k * k) for k in range(1, rate // 200))
    return (0.003 * swing * tone).astype(np.float32)


def sounds(plan, counting, configuration):
    """Names and samples, the shortest first. `counting`: a plan whose rows follow the samples."""
    rate = plan.sample_rate
    own = base(rate)

    def of(count):
        return np.tile(own, -(-count // len(own)))[:count]

    audio = configuration["audio"]
    start = len(own) * 2 // 3
    edge = next_edge(counting, start, 4 * rate)
    after = edge and next_edge(counting, edge, 4 * rate)
    for name, count in (("edge", edge), ("next edge", after)):
        if count:
            yield f"{name}, a sample less", of(count - 1)
            yield name, of(count)
    yield "sound", own
    if audio["minimum"]:
        yield "short", of(round(audio["minimum"] * rate) - 10)
    # From sounds in which hardly anything is at a floor to those in which everything is.
    for power in (6, 10, 13, 16, 20, 26):
        yield f"2^-{power}", own * np.float32(2.0**-power)
    yield "steady", steady(rate)
    if configuration["scale"]["kind"] == "pcen":
        # Faint for so long that the memory of its start has gone.
        yield "far", of(rate // 4) * np.float32(2.0**-55)
    if audio["duration"]:
        yield "long", of(round((audio["duration"] * 1.01 + 0.1) * rate))
    if configuration["rows"]["count"]:
        rows = configuration["rows"]["count"] + 2
        yield "many rows", of(round(rows * configuration["frame"]["hop"] + configuration["frame"]["length"]))


SPHERE = ("NIST_1A\n   1024\nchannel_count -i 1\nsample_count -i {count}\nsample_rate -i {rate}\nsample_n_bytes -i 2\nsample_byte_format -s2 01\n"
          "sample_sig_bits -i 16\nsample_coding -s26 pcm,embedded-shorten-v2.00\nend_head\n")


def shorten(samples):
    """16-bit samples as shorten 2 stores them, each by itself."""
    bits = []

    def code(value, width):
        bits.extend([0] * (value >> width) + [1] + [value >> bit & 1 for bit in reversed(range(width))])

    def number(value):
        code(value.bit_length(), 2)
        code(value, value.bit_length())

    for value in (5, 1, 256, 0, 0, 0):  # 16 bits, channels, samples in a block, no prediction, no mean, nothing skipped
        number(value)
    for start in range(0, len(samples), 256):
        block = [int(sample) for sample in samples[start:start + 256]]
        if len(block) < 256:
            code(5, 2)
            number(len(block))
        code(0, 2)
        code(12, 3)
        for sample in block:
            code(2 * sample if sample >= 0 else -2 * sample - 1, 13)
    code(4, 2)
    return b"ajkg\2" + np.packbits(bits + [0] * (-len(bits) % 32)).tobytes()


def sphere_of_shorten(samples, rate):
    """A SPHERE file with one channel of 16-bit samples that shorten compressed."""
    return SPHERE.format(count=len(samples), rate=rate).encode().ljust(1024) + shorten(samples)
