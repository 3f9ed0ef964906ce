"""What the features of a recording are, by the definitions, in float64. Shares no code with Veery."""

import numpy as np
import scipy.fft

LOG_MEL = {
    "version": 1,
    "audio": {"sample_rate": 16000, "channels": "mix", "scale": "unit", "duration": None, "fit": None, "crop": "start",
              "minimum": None, "multiple": 1, "overshoot": None},
    "condition": {"remove_dc": False, "gain": "none", "dct_filter": None, "pre_emphasis": 0},
    "frame": {
        "length": 400, "hop": 160, "rounding": "nearest", "fft_length": 512, "window": "hann", "symmetric": False,
        "align": "start", "pad": "reflect", "drop_last": False, "remove_dc": False, "pre_emphasis": 0, "lookahead": 0},
    "transform": {
        "kind": "mel", "bins": 80, "low": 0, "high": 8000, "mel_scale": "slaney", "mel_norm": "slaney",
        "triangles": "hertz", "spectrum": "power", "order": "ascending", "deltas": 0, "delta_window": 2},
    "scale": {
        "kind": "ln", "floor": 1e-10, "reference": 1, "top_db": None, "offset": 0, "factor": 1, "limit": None,
        "guard": "max", "exponent": 1},
    "normalize": {
        "scope": "dataset", "method": "zscore", "axis": "bin", "fit": "train", "ddof": 0, "epsilon": 0, "epsilon_in": "std",
        "mean": None, "std": None},
    "rows": {"count": None, "multiple": 1, "fill": 0, "fill_order": "after"},
    "patches": {"length": None, "hop": None, "rest": "drop", "stacked": False},
    "store": {"layout": "packed", "type": "float32", "compression": "none"},
}


def changed(configuration, **sections):
    """The configuration with some keys of some sections changed."""
    return {**configuration, **{name: {**configuration[name], **keys} for name, keys in sections.items()}}


NOT_NORMALIZED = {"scope": "none"}
SCROLLING_DCT = {
    **changed(
        LOG_MEL, audio={"sample_rate": None, "channels": "first", "scale": "int16"},
        frame={"length": 1024, "hop": 512, "fft_length": 1024},
        scale={"kind": "db", "floor": 0.01048576, "reference": 1048576}, normalize=NOT_NORMALIZED),
    "transform": {"kind": "dct", "bins": None, "type": 2, "norm": "none"}}
MIXER_FFT = {
    **changed(
        LOG_MEL, audio={"sample_rate": None}, frame={"length": 512, "hop": 512, "fft_length": 512, "window": "rectangular"},
        scale={"kind": "magnitude", "reference": 512}, normalize=NOT_NORMALIZED),
    "transform": {"kind": "fft", "bins": 256, "step": 1}}


def signal(configuration, samples, channel=None):
    """One signal in float64 from samples on the unit scale, one row a sample, one column a channel."""
    choice = configuration["audio"]["channels"] if channel is None else channel
    x = samples.astype(np.float64)
    x = x.mean(axis=1) if choice == "mix" else x[:, 0 if choice == "first" else choice]
    return x * (32768 if configuration["audio"]["scale"] == "int16" else 1)


def frames(configuration, x):
    """Frames as rows, before the window."""
    frame = configuration["frame"]
    length, hop, size = frame["length"], frame["hop"], frame["fft_length"]
    before, count = 0, 1 + (len(x) - length) // hop if len(x) >= length else 0
    if frame["align"] == "center":
        before = size // 2 - (size - length) // 2
        count = 1 + (len(x) + 2 * (size // 2) - size) // hop
    after = max(0, (count - 1) * hop - before + length - len(x))
    x = np.pad(x, (before, after), mode="reflect" if frame["pad"] == "reflect" else "constant")
    return np.stack([x[i * hop:i * hop + length] for i in range(count)]) if count else np.zeros((0, length))


def window(configuration):
    frame = configuration["frame"]
    length = frame["length"]
    angle = 2 * np.pi * np.arange(length) / max(length - frame["symmetric"], 1)
    a0, a1, a2 = {
        "rectangular": (1, 0, 0), "hann": (0.5, 0.5, 0), "hamming": (0.54, 0.46, 0), "blackman": (0.42, 0.5, 0.08),
    }[frame["window"]]
    return a0 - a1 * np.cos(angle) + a2 * np.cos(2 * angle)


def mel_edges(transform):
    """The edges of the bands in Hz; band b reaches from edge b over its centre, edge b + 1, to edge b + 2."""
    if transform["mel_scale"] == "htk":
        to_mel = lambda f: 2595 * np.log10(1 + f / 700)
        to_hz = lambda m: 700 * (10 ** (m / 2595) - 1)
    else:
        to_mel = lambda f: 3 * f / 200 if f < 1000 else 15 + 27 * np.log(f / 1000) / np.log(6.4)
        to_hz = lambda m: np.where(m < 15, 200 * m / 3, 1000 * 6.4 ** ((m - 15) / 27))
    return to_hz(np.linspace(to_mel(transform["low"]), to_mel(transform["high"]), transform["bins"] + 2))


def mel_weights(configuration, rate):
    transform, size = configuration["transform"], configuration["frame"]["fft_length"]
    edges, f = mel_edges(transform), np.arange(size // 2 + 1) * rate / size
    left, centre, right = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    weights = np.maximum(0, np.minimum((f - left) / (centre - left), (right - f) / (right - centre)))
    return weights * 2 / (right - left) if transform["mel_norm"] == "slaney" else weights


def frequencies(configuration, rate):
    """Bin centres in Hz."""
    transform, size = configuration["transform"], configuration["frame"]["fft_length"]
    if transform["kind"] == "mel":
        return mel_edges(transform)[1:-1]
    if transform["kind"] == "fft":
        return np.arange(transform["bins"] or size // 2 + 1) * rate / size
    return np.arange(transform["bins"] or size) * rate / (2 * size)


def powers(configuration, x, rate):
    """The transform's power of each frame: |X|², or the mel bands' sums of it."""
    transform, size = configuration["transform"], configuration["frame"]["fft_length"]
    windowed = frames(configuration, x) * window(configuration)
    if transform["kind"] == "dct":
        return (scipy.fft.dct(windowed, type=2, n=size, axis=1) / 2)[:, :transform["bins"]] ** 2
    power = np.abs(np.fft.rfft(windowed, size, axis=1)) ** 2
    if transform["kind"] == "mel":
        return power @ mel_weights(configuration, rate).T
    return power[:, :transform["bins"]]


def amplitudes(configuration, values):
    """Values before normalisation, back as amplitudes √p: what rounding adds errors to, whatever the scale."""
    values = np.asarray(values, dtype=np.float64)
    kind, reference = configuration["scale"]["kind"], configuration["scale"]["reference"]
    return {
        "magnitude": lambda v: v * reference,
        "power": lambda v: np.sqrt(v * reference),
        "db": lambda v: np.sqrt(reference) * 10 ** (v / 20),
        "ln": lambda v: np.sqrt(reference) * np.exp(v / 2),
        "log10": lambda v: np.sqrt(reference) * 10 ** (v / 2),
    }[kind](values)


def features(configuration, x, rate):
    """Values before normalisation."""
    scale = configuration["scale"]
    p, floor, reference = powers(configuration, x, rate), scale["floor"], scale["reference"]
    return {
        "magnitude": lambda: np.sqrt(p) / reference,
        "power": lambda: p / reference,
        "db": lambda: 10 * np.log10(np.maximum(p, floor) / reference),
        "ln": lambda: np.log(np.maximum(p, floor) / reference),
        "log10": lambda: np.log10(np.maximum(p, floor) / reference),
    }[scale["kind"]]()


def assert_features(configuration, values, x, rate):
    """Values before normalisation are those of the signal, as exactly as single precision can be asked for.

    A float32 transform errs by some 1e-7 of its largest output *in amplitude*, in every bin. So the amplitude √p of
    each bin may differ by 2e-6 of the frame's largest (a fifth of the project's tolerance), and by 1e-5 of itself;
    the latter is 2e-5 in ln, 9e-5 dB, and less than what dividing by 32,767 instead of 32,768 would make. Where the reference lies under the floor, the value has to be at the floor
    within the same.
    """
    logarithmic = configuration["scale"]["kind"] in ("db", "ln", "log10")
    p = powers(configuration, x, rate)
    loudest = np.sqrt(p).max(axis=1, keepdims=True, initial=0)
    expected = np.sqrt(np.maximum(p, configuration["scale"]["floor"]) if logarithmic else p)
    assert values.shape == expected.shape
    assert np.isfinite(values).all()
    difference = np.abs(amplitudes(configuration, values) - expected)
    allowed = 2e-6 * loudest + 1e-5 * expected
    worst = np.unravel_index(np.argmax(difference - allowed), difference.shape) if difference.size else None
    assert (difference <= allowed).all(), f"frame and bin {worst}: {difference[worst]:.3g} > {allowed[worst]:.3g}"
