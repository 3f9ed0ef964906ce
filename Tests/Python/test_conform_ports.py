"""`veery conform` and wrong ports of models' front ends: what public threads report, written anew from the formulas in NumPy. The
right port is equal; of the wrong one, each wrong detail is named by its key and value."""

import dataclasses
import json
import typing

import numpy as np
import pytest
import scipy.fft

from conftest import write_manifest, write_wav
from test_commands import validate
from test_conform import keys, sound

RATE = 16_000


# ------------------------------------------------------------------------------------------------------ parts of ports


def htk(f):
    return 2595 * np.log10(1 + np.asarray(f, float) / 700)


def from_htk(m):
    return 700 * (10 ** (np.asarray(m, float) / 2595) - 1)


def slaney(f):
    f = np.asarray(f, float)
    return np.where(f < 1000, f * 3 / 200, 15 + 27 * np.log(np.maximum(f, 1e-9) / 1000) / np.log(6.4))


def from_slaney(m):
    return np.where(m < 15, m * 200 / 3, 1000 * np.exp((np.asarray(m, float) - 15) * np.log(6.4) / 27))


def bank(bands, points, *, rate=RATE, low=0, high=None, scale="slaney", area=True, in_mel=False, move=lambda f: f):
    """Weights of bands by bins of a transform of `points` samples."""
    to, back = (slaney, from_slaney) if scale == "slaney" else (htk, from_htk)
    edges = move(back(np.linspace(to(low), to(rate / 2 if high is None else high), bands + 2)))
    f = np.arange(points // 2 + 1) * rate / points
    axis, corners = (to(f), to(edges)) if in_mel else (f, edges)
    return np.stack([
        np.clip(np.minimum((axis - a) / (b - a), (c - axis) / (c - b)), 0, None) * (2 / (right - left) if area else 1)
        for a, b, c, left, right in zip(corners, corners[1:], corners[2:], edges, edges[2:])])


def hann(length, symmetric=False):
    return 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(length) / (length - symmetric))


def hamming(length):
    return 0.54 - 0.46 * np.cos(2 * np.pi * np.arange(length) / (length - 1))


def in_points(window, points, at="middle"):
    """A window among zeros; `at`: how many samples after the middle, or where."""
    before = 0 if at == "start" else (points - len(window)) // 2 + (0 if at == "middle" else at)
    return np.pad(window, (before, points - len(window) - before))


def powers(x, window, hop):
    """|X|² of the whole frames of a signal."""
    frames = np.lib.stride_tricks.sliding_window_view(np.asarray(x, float), len(window))[::hop]
    return np.abs(np.fft.rfft(frames * window)) ** 2


def kaldi_frames(x, length=400, hop=160, late=0):
    """Frames with snip-edges=false."""
    count = (len(x) + hop // 2) // hop
    padded = np.concatenate([x[:length][::-1], x, x[-length:][::-1]])
    return np.stack([padded[length + hop * i + hop // 2 - length // 2 + late:][:length] for i in range(count)])


def prepared(frames):
    """Frames without their means, with pre-emphasis, as Kaldi has them."""
    frames = frames - frames.mean(1, keepdims=True)
    return np.concatenate([frames[:, :1] * 0.03, frames[:, 1:] - 0.97 * frames[:, :-1]], 1)


def snipped(x, length=400, hop=160):
    return np.lib.stride_tricks.sliding_window_view(np.asarray(x, float), length)[::hop]


# -------------------------------------------------------------------------------------------------------- front ends


def nemo(x, *, emphasis=0.97, scale="slaney", area=True, pad="constant", at="middle", ddof=1, guard=2.0 ** -24, normalised=True):
    x = np.concatenate([x[:1], x[1:] - emphasis * x[:-1]])
    count = len(x) // 160
    power = powers(np.pad(x, 256, mode=pad), in_points(hann(400, True), 512, at), 160)[:count]
    value = np.log(power @ bank(80, 512, scale=scale, area=area).T + guard)
    return (value - value.mean(0)) / (value.std(0, ddof=ddof) + 1e-5) if normalised else value


def qwen(x, *, scale="slaney", symmetric=False, late=False):
    window = hann(400, symmetric)
    if late:  # frames as in Kaldi, half a hop late
        power = np.abs(np.fft.rfft(kaldi_frames(x) * window)) ** 2
    else:
        power = powers(np.pad(x, 200, mode="reflect"), window, 160)[:-1]
    value = np.log10(np.maximum(power @ bank(128, 400, scale=scale).T, 1e-10))
    value = (np.maximum(value, value.max() - 8) + 4) / 4
    return np.concatenate([value, np.zeros((-len(value) % 100, 128))])


def icefall(x, *, high=7600, late=0):
    povey = hann(400, True) ** 0.85
    power = np.abs(np.fft.rfft(prepared(kaldi_frames(x, late=late)) * povey, 512)) ** 2
    return np.log(np.maximum(power @ bank(80, 512, low=20, high=high, scale="htk", area=False, in_mel=True).T, 2.0 ** -23))


def paraformer(x, *, lead=True, rest=True, late=0):
    power = np.abs(np.fft.rfft(prepared(snipped(x[late:] * 32768)) * hamming(400), 512)) ** 2
    value = np.log(np.maximum(power @ bank(80, 512, low=20, scale="htk", area=False, in_mel=True).T, 2.0 ** -23))
    rows = -(-len(value) // 6)
    if lead:
        value = np.concatenate([np.repeat(value[:1], 3, 0), value])
    if rest:
        value = np.concatenate([value, np.repeat(value[-1:], max(6 * (rows - 1) + 7 - len(value), 0), 0)])
    else:
        rows = 1 + (len(value) - 7) // 6
    return np.stack([value[6 * i:6 * i + 7].ravel() for i in range(rows)])


def wake_word(x, *, factor=32767, top_db=80):
    """The bank of openWakeWord."""
    power = powers(x * factor, in_points(hann(400), 512), 160)
    value = 10 * np.log10(np.maximum(power @ bank(32, 512, low=60, high=3800).T, 1e-10))
    return np.maximum(value, value.max() - top_db) / 10 + 2


def style_tts(x, *, rate=16_000):
    """24 kHz; its bank is torchaudio's for 16 kHz."""
    power = powers(np.pad(x, 1024, mode="reflect"), in_points(hann(1200), 2048), 300)
    return (np.log(1e-5 + power @ bank(80, 2048, rate=rate, scale="htk", area=False).T) + 4) / 4


def hifi_gan(x, *, pad=384, floor=1e-5, guard=None, epsilon=1e-9):
    power = powers(np.pad(x, pad, mode="reflect"), hann(1024), 256)
    value = np.sqrt(power + epsilon) @ bank(80, 1024, rate=22_050, high=8000).T
    return np.log(np.maximum(value, floor)) if guard is None else np.log(value + guard)


def musicnn(x, *, logarithm=np.log10, area=True):
    return logarithm(1 + 10_000 * (powers(np.pad(x, 256), hann(512), 256) @ bank(96, 512, area=area).T))


def mt3(x, *, centred=False):
    """512 bands of 16 kHz, frames to the end of the signal."""
    padded = np.pad(x, 1024) if centred else np.pad(x, (0, 2048))
    count = 1 + len(x) // 128 if centred else -(-len(x) // 128)
    value = np.sqrt(powers(padded, hann(2048), 128)[:count]) @ bank(
        512, 2048, low=20, high=7600, scale="htk", area=False, in_mel=True).T
    return np.log(np.maximum(value, 1e-5))


# -------------------------------------------------------------------------------------------------------------- ports


@dataclasses.dataclass
class Port:
    """A thread, what it is about, and what has to be found."""

    thread: str
    front_end: typing.Callable
    wrong: dict
    expected: dict
    preset: typing.Union[str, dict]
    rate: int = RATE


PORTS = [
    # The filters' norm was taken from another setting, frames were mirrored at the ends, the window had its zeros after it.
    Port("Blaizzy/mlx-audio 592", nemo, {"area": False, "pad": "reflect", "at": "start", "ddof": 0, "guard": 1e-5},
         {"transform.mel_norm": "none", "frame.pad": "reflect", "frame.window_at": "left", "normalize.ddof": "0",
          "scale.floor": "1e-05"}, "parakeet"),
    # Pre-emphasis was not there.
    Port("Blaizzy/mlx-audio 285", nemo, {"emphasis": 0}, {"condition.pre_emphasis": "0"}, "parakeet"),
    # The scale was changed to that of HTK, "to match NeMo", which has Slaney's.
    Port("Blaizzy/mlx-audio-swift 86", nemo, {"scale": "htk"}, {"transform.mel_scale": "htk"}, "parakeet"),
    # The scale of HTK and a symmetric window in a port of Whisper's front end.
    Port("Blaizzy/mlx-audio-swift 247", qwen, {"scale": "htk", "symmetric": True},
         {"transform.mel_scale": "htk", "frame.symmetric": "true"}, "qwen3-asr"),
    # Bands up to half the sample rate, where the models were trained with 400 Hz less.
    Port("k2-fsa/sherpa-onnx 514", icefall, {"high": 8000}, {"transform.high": "8000"}, "icefall"),
    # Frames half a hop late, as Kaldi has them.
    Port("k2-fsa/sherpa-onnx 3873", qwen, {"late": True}, {"frame.align": "kaldi", "frame.drop_last": "false"}, "qwen3-asr"),
    # Rows were stacked from the first one on, and those that fill no stack were dropped.
    Port("k2-fsa/sherpa-onnx 3839", paraformer, {"lead": False, "rest": False},
         {"patches.lead": "0", "patches.rest": "drop"}, "paraformer"),
    # Samples from -1 to 1, where the model knows those of 16 bits.
    Port("msp1974/ViewAssistCompanionApp 47", wake_word, {"factor": 1}, {"audio.scale": "unit"}, "openwakeword"),
    # The bank was made for the right rate, not for that which the model was trained with.
    Port("yl4579/StyleTTS 74", style_tts, {"rate": 24_000}, {"transform.bank_rate": "null", "transform.high": "null"}, "styletts2", 24_000),
    # Frames of Tacotron 2, centred.
    Port("jik876/hifi-gan 53", hifi_gan, {"pad": 512}, {"frame.align": "center"}, "hifi-gan-22k", 22_050),
    # ln(v + 1e-9) for ln(max(v, 1e-5)), and no epsilon within the magnitude. No sound of 16 bits has values near 1e-9: it is a floor.
    Port("igorshmukler/kokoro-ruslan 85", hifi_gan, {"guard": 1e-9, "epsilon": 0},
         {"scale.floor": "1e-09", "transform.spectrum_epsilon": "0"}, "hifi-gan-22k", 22_050),
    # Natural logarithms, and bands of peak 1.
    Port("MTG/essentia 1471", musicnn, {"logarithm": np.log, "area": False}, {"scale.kind": "ln", "transform.mel_norm": "none"},
         "musicnn"),
    # Centred frames, where TensorFlow's start at the hops and zeros complete them.
    Port("gudgud96/MR-MT3 10", mt3, {"centred": True}, {"frame.align": "center", "frame.pad": "zero", "frame.pad_end": "false"}, "mt3"),
]


def chosen(preset, folder):
    """The arguments that name a preset or a configuration."""
    if isinstance(preset, str):
        return ["--preset", preset]
    (folder / "front-end.json").write_text(json.dumps({"version": 1, **preset}))
    return ["--config", folder / "front-end.json"]


@pytest.fixture
def conform(veery, tmp_path):
    """The report of `theirs` and a recording, by a preset or a configuration."""

    def run(theirs, preset, status=1):
        np.save(tmp_path / "theirs.npy", theirs)
        report = json.loads(veery(
            "conform", "theirs.npy", "a.wav", *chosen(preset, tmp_path), "--json", status=status, folder=tmp_path).stdout)
        validate(report, "conform-report")
        return report

    return run


def recording(folder, rate=RATE, seconds=1.9):
    """A recording that ends in silence, where floors show; its samples."""
    whole = sound(seconds, rate=rate)
    fading = np.clip(4 - 4 * np.arange(len(whole)) / len(whole), 0, 1)
    fading[-len(whole) // 8:] = 0
    return write_wav(folder / "a.wav", rate, whole * fading)[:, 0].astype(np.float64)


@pytest.mark.parametrize("port", PORTS, ids=lambda port: port.thread)
def test_the_wrong_detail_of_a_port_is_named(conform, tmp_path, port):
    samples = recording(tmp_path, port.rate)
    assert conform(port.front_end(samples), port.preset, status=0)["equal"]
    report = conform(port.front_end(samples, **port.wrong), port.preset)
    found = report["explanation"]
    assert keys(report) == port.expected
    assert "preset" not in found and found["complete"] and found["fit"] == "exact"


# ---------------------------------------------------------------------------------- what no port of the table is about


@pytest.mark.parametrize("front_end, wrong, preset, rate, words", [
    (nemo, {"at": 1}, "parakeet", RATE, "1 sample late, or the window does within fft_length"),
    (nemo, {"at": -1}, "parakeet", RATE, "1 sample early, or the window does within fft_length"),
    (nemo, {"at": 3}, "parakeet", RATE, "3 samples late, or the window does within fft_length"),
    (icefall, {"late": -2}, "icefall", RATE, "2 samples early, or the window does within fft_length"),
    (paraformer, {"late": 1}, "paraformer", RATE, "1 sample late, or the window does within fft_length"),
    (hifi_gan, {"pad": 383}, "hifi-gan-22k", 22_050, "1 sample late"),
    (hifi_gan, {"pad": 385}, "hifi-gan-22k", 22_050, "1 sample early"),
])
def test_frames_that_start_some_samples_off_are_named(conform, tmp_path, front_end, wrong, preset, rate, words):
    report = conform(front_end(recording(tmp_path, rate), **wrong), preset)
    found = report["explanation"]
    shift = int(words[0]) * (1 if "late" in words else -1)
    assert found["changes"] == [{"frame_shift": shift, "note": f"frames start {words}"}]
    assert "preset" not in found and found["complete"] and found["fit"] == "exact"


def test_frames_that_start_off_are_named_next_to_other_details(conform, tmp_path):
    report = conform(nemo(recording(tmp_path), at=1, scale="htk"), "parakeet")
    changes = report["explanation"]["changes"]
    assert {change.get("key") or change["note"] for change in changes} == {
        "transform.mel_scale", "frames start 1 sample late, or the window does within fft_length"}
    assert report["explanation"]["complete"] and report["explanation"]["fit"] == "exact"


@pytest.mark.parametrize("expected", ["none", "constant"])
@pytest.mark.parametrize("axis, ddof, epsilon, squared, keys_of_clip", [
    (None, 1, 1e-5, False, {"normalize.axis": "all", "normalize.ddof": "1"}),
    (None, 0, 1e-3, False, {"normalize.axis": "all", "normalize.epsilon": "0.001"}),
    (0, 1, 1e-2, True, {"normalize.ddof": "1", "normalize.epsilon": "0.01", "normalize.epsilon_in": "variance"}),
    (0, 0, 1e-2, False, {"normalize.epsilon": "0.01"}),
])
def test_a_normalisation_by_the_clip_is_named(conform, tmp_path, expected, axis, ddof, epsilon, squared, keys_of_clip):
    """Where none is expected, or one by constants: a clip's own figures are no other constants."""
    value = nemo(recording(tmp_path), normalised=False)
    spread = value.std(axis, ddof=ddof)
    theirs = (value - value.mean(axis)) / (np.sqrt(spread ** 2 + epsilon) if squared else spread + epsilon)
    constant = {"scope": "constant", "mean": -8, "std": 3, "ddof": 0, "epsilon": 0}
    scope = {"scope": "none", "ddof": 0, "epsilon": 0} if expected == "none" else constant
    report = conform(theirs, {"extends": "parakeet", "scale": {"reference": 1}, "normalize": scope})
    found = keys(report)
    # What single precision cannot tell is not said.
    if epsilon == 1e-5:
        assert found.pop("normalize.epsilon", "1e-05") == "1e-05"
    taken = {"normalize.mean": "null", "normalize.std": "null"} if expected == "constant" else {}
    assert found == {"normalize.scope": "clip", **keys_of_clip, **taken}
    assert report["explanation"]["fit"] == "exact" and report["explanation"]["complete"]


@pytest.mark.parametrize("given", ["--set", "--config"])
def test_files_of_constants_are_named_by_their_paths(veery, tmp_path, given):
    """Two may have one name; their numbers are not listed."""
    value = nemo(recording(tmp_path), normalised=False)
    for folder, numbers in ("means", np.linspace(-9, -7, 80)), ("spreads", np.linspace(2, 4, 80)):
        (tmp_path / "b" / folder).mkdir(parents=True)
        np.save(tmp_path / "b" / folder / "columns.npy", numbers)
    np.save(tmp_path / "theirs.npy", (value - value.mean(0)) / value.std(0))
    settings = {"normalize.scope": "constant", "normalize.ddof": 0, "normalize.epsilon": 0, "scale.reference": 1}
    base = [word for key, setting in settings.items() for word in ("--set", f"{key}={setting}")]
    files = ["--set", "normalize.mean=b/means/columns.npy", "--set", "normalize.std=b/spreads/columns.npy"]
    options = ["--preset", "parakeet", *base, *files]
    if given == "--config":
        (tmp_path / "b" / "c.yaml").write_text(
            "extends: parakeet\nscale: {reference: 1}\n"
            "normalize: {scope: constant, ddof: 0, epsilon: 0, mean: means/columns.npy, std: spreads/columns.npy}\n")
        options = ["--config", "b/c.yaml"]
    said = veery("conform", "theirs.npy", "a.wav", *options, status=1, folder=tmp_path).stdout
    assert "normalize.mean=null (rather than the 80 numbers of b/means/columns.npy)" in said, said
    assert "normalize.std=null (rather than the 80 numbers of b/spreads/columns.npy)" in said, said
    report = json.loads(veery("conform", "theirs.npy", "a.wav", *options, "--json", status=1, folder=tmp_path).stdout)
    validate(report, "conform-report")
    assert {change["key"] for change in report["explanation"]["changes"]} == {"normalize.scope", "normalize.mean", "normalize.std"}


@pytest.mark.parametrize("limit", [None, 60])
def test_a_number_within_the_logarithm_next_to_a_limit_is_named(conform, tmp_path, limit):
    """ln(v + 1e-6), or decibels of it, where decibels of at least 1e-10 within 80 of the greatest are expected."""
    x = recording(tmp_path, 22_050)
    power = powers(np.pad(x, 1024), hann(2048), 512) @ bank(128, 2048, rate=22_050).T
    value = 10 * np.log10(power + 1e-6)
    theirs = value if limit is None else np.maximum(value, value.max() - limit)
    report = conform(theirs, "librosa-log-mel")
    assert keys(report) == {
        "scale.floor": "1e-06", "scale.guard": "add", "scale.top_db": "null" if limit is None else str(limit)}
    assert report["explanation"]["fit"] == "exact" and report["explanation"]["complete"]


def kaldi_mfcc(x, *, energy="raw", floor=0.0, vtln=(), bands=False):
    """compute-mfcc-feats --dither=0; the bands alone are those of compute-fbank-feats."""
    frames = snipped(x * 32768)
    frames = frames - frames.mean(1, keepdims=True)
    emphasised = np.concatenate([frames[:, :1] * 0.03, frames[:, 1:] - 0.97 * frames[:, :-1]], 1)
    windowed = emphasised * hann(400, True) ** 0.85
    weights = bank(23, 512, low=20, scale="htk", area=False, in_mel=True, move=warp(*vtln) if vtln else lambda f: f)
    value = np.log(np.maximum(np.abs(np.fft.rfft(windowed, 512)) ** 2 @ weights.T, 2.0 ** -23))
    if bands:
        return value
    cepstra = scipy.fft.dct(value, norm="ortho")[:, :13] * (1 + 11 * np.sin(np.pi * np.arange(13) / 22))
    power = ((frames if energy == "raw" else windowed) ** 2).sum(1)
    cepstra[:, 0] = np.log(np.maximum(power, max(floor, 2.0 ** -23)))
    return cepstra


def warp(factor, low=100, high=7500):
    """Kaldi's vocal tract length normalisation between 20 and 8000 Hz."""
    first, last = low * max(1, factor), high * min(1, factor)

    def move(f):
        return np.where(
            f < first, 20 + (first / factor - 20) / (first - 20) * (f - 20),
            np.where(f < last, f / factor, 8000 + (8000 - last / factor) / (8000 - last) * (f - 8000)))

    return move


@pytest.mark.parametrize("detail, expected", [
    ({"energy": "windowed"}, {"transform.energy": "windowed"}),  # raw_energy=False, pytorch/audio 2665
    ({"floor": 1.0}, {"transform.energy_floor": "1"}),  # energy_floor of torchaudio, in silence
    ({"energy": "windowed", "floor": 1.0}, {"transform.energy": "windowed", "transform.energy_floor": "1"}),
    ({"vtln": (0.9,)}, {"transform.vtln_warp": "0.9"}),
    ({"vtln": (1.13,)}, {"transform.vtln_warp": "1.13"}),
    ({"vtln": (0.87, 200, 7000)}, {"transform.vtln_warp": "0.87", "transform.vtln_low": "200", "transform.vtln_high": "7000"}),
], ids=str)
@pytest.mark.parametrize("preset", ["kaldi-mfcc", "kaldi-fbank"])
def test_options_of_kaldi_are_named(conform, tmp_path, preset, detail, expected):
    if preset == "kaldi-fbank" and "vtln" not in detail:
        return
    samples, bands = recording(tmp_path), preset == "kaldi-fbank"
    conform(kaldi_mfcc(samples, bands=bands), preset, status=0)
    report = conform(kaldi_mfcc(samples, bands=bands, **detail), preset)
    assert keys(report) == expected and report["explanation"]["complete"] and report["explanation"]["fit"] == "exact"


@pytest.mark.parametrize("ours, theirs", [("htk", "librosa"), ("librosa", "htk")])
def test_the_lifter_of_librosa_is_named(conform, tmp_path, ours, theirs):
    samples = recording(tmp_path)
    power = powers(np.pad(samples, 1024), hann(2048), 512)
    bands = 10 * np.log10(np.maximum(power @ bank(128, 2048).T, 1e-10))
    cepstra = scipy.fft.dct(np.maximum(bands, bands.max() - 80), norm="ortho")[:, :20]

    def lifted(form):
        return cepstra * (1 + 11 * np.sin(np.pi * (np.arange(20) + (form == "librosa")) / 22))

    preset = {
        "audio": {"sample_rate": 16_000}, "frame": {"length": 2048, "hop": 512, "align": "center", "pad": "zero"},
        "transform": {"kind": "mfcc", "bins": 20, "bands": 128, "lifter": 22, "lifter_form": ours},
        "scale": {"kind": "db", "top_db": 80}, "normalize": {"scope": "none"}}
    conform(lifted(ours), preset, status=0)
    assert keys(conform(lifted(theirs), preset)) == {"transform.lifter_form": theirs}


def as_brain(values):
    """Values rounded to the eight digits of bfloat16."""
    bits = values.astype("<f4").view("<u4").astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16).astype("<u4").view("<f4")


@pytest.mark.parametrize("precision, rounded", [
    ("float16", lambda x: x.astype("<f2")), ("float16", lambda x: x.astype(">f2")),
    ("float16", lambda x: x.astype("<f2").astype("<f4")), ("bfloat16", as_brain)],
    ids=["little-endian", "big-endian", "stored as float32", "bfloat16"])
@pytest.mark.parametrize("preset", ["kaldi-fbank", "kaldi-mfcc"])
def test_half_precision_is_compared_as_such(conform, veery, tmp_path, precision, rounded, preset):
    samples, bands = recording(tmp_path), preset == "kaldi-fbank"
    right = kaldi_mfcc(samples, bands=bands)
    found = conform(rounded(right), preset, status=0)["recordings"][0]
    assert found["precision"] == precision and found["difference"]["typical"] < 1e-7
    said = veery("conform", "theirs.npy", "a.wav", "--preset", preset, folder=tmp_path).stdout
    assert f"note: values of the precision of {precision}: each stands for all numbers that are rounded to it" in said
    # What is off by more than the rounding is named as ever.
    report = conform(rounded(kaldi_mfcc(samples, vtln=(0.9,), bands=bands)), preset)
    assert keys(report) == {"transform.vtln_warp": "0.9"} and report["explanation"]["complete"]


def test_whole_numbers_and_samples_are_not_of_half_precision(conform, tmp_path):
    samples = recording(tmp_path)
    report = conform(np.round(kaldi_mfcc(samples, bands=True)), "kaldi-fbank")
    assert "precision" not in report["recordings"][0] and not report["explanation"]["complete"]
    quiet = write_wav(tmp_path / "a.wav", RATE, samples * 0.03)
    raw = {
        "audio": {"sample_rate": 16_000}, "frame": {"length": 1, "hop": 1, "fft_length": 1, "window": "rectangular"},
        "transform": {"kind": "raw"}, "scale": {"kind": "linear"}, "normalize": {"scope": "none"}}
    assert "precision" not in conform(quiet.astype(np.float32), raw, status=0)["recordings"][0]


@pytest.mark.parametrize("kind", ["raw", "windowed"])
@pytest.mark.parametrize("last", [False, True], ids=["first", "last"])
def test_the_energy_of_kaldi_next_to_the_bands_is_named(conform, veery, tmp_path, kind, last):
    """use_energy of compute-fbank-feats; with htk_compat, it is the last column."""
    samples = recording(tmp_path)

    def array(**details):
        parts = [kaldi_mfcc(samples, energy=kind)[:, :1], kaldi_mfcc(samples, bands=True, **details)]
        return np.concatenate(parts[::-1] if last else parts, 1)

    report = conform(array(), "kaldi-fbank")
    found = report["recordings"][0]
    assert found["shape_changes"] == ["last_column" if last else "first_column"] and found["energy_column"]
    assert found["equal_values"] and not found["equal"] and "explanation" not in report
    said = veery("conform", "theirs.npy", "a.wav", "--preset", "kaldi-fbank", status=1, folder=tmp_path).stdout
    assert ("column 23, the last one, left out: " if last else "column 0 left out: ") + "it is Kaldi's energy" in said
    # What else is wrong is explained without that column.
    report = conform(array(vtln=(0.9,)), "kaldi-fbank")
    assert keys(report) == {"transform.vtln_warp": "0.9"} and report["explanation"]["complete"]
    assert report["recordings"][0]["energy_column"]


def test_a_column_that_is_no_energy_is_left_out_and_not_named(conform, tmp_path):
    samples = recording(tmp_path)
    right = kaldi_mfcc(samples, bands=True)
    found = conform(np.concatenate([np.arange(len(right))[:, None], right], 1), "kaldi-fbank")["recordings"][0]
    assert found["shape_changes"] == ["first_column"] and found["equal_values"] and "energy_column" not in found


def several(veery, folder, preset, arrays, status):
    """The report of arrays by the names of their recordings."""
    np.savez(folder / "theirs.npz", **arrays)
    write_manifest(folder / "m.csv", [{"path": f"{name}.wav", "id": name} for name in arrays])
    arguments = ["conform", "theirs.npz", "m.csv", "--preset", preset]
    report = json.loads(veery(*arguments, "--json", status=status, folder=folder).stdout)
    validate(report, "conform-report")
    return report["recordings"], veery(*arguments, status=status, folder=folder).stdout


def test_an_array_of_one_value_does_not_decide_the_precision(veery, tmp_path):
    """The floor of Whisper in silence is -1.5, which is a number of bfloat16."""
    samples = recording(tmp_path)
    write_wav(tmp_path / "silence.wav", RATE, np.zeros(RATE))
    right = kaldi_mfcc(samples, bands=True).astype(np.float32)
    silent = kaldi_mfcc(np.zeros(RATE), bands=True)
    found, said = several(veery, tmp_path, "kaldi-fbank", {"a": right, "silence": np.round(silent * 64) / 64}, status=1)
    assert found[0]["equal"] and not found[1]["equal"] and not any("precision" in one for one in found)
    assert "precision of" not in said
    # Where the others have half precision, an array of silence has it, too.
    found, said = several(
        veery, tmp_path, "kaldi-fbank", {"a": right.astype(np.float16), "silence": silent.astype(np.float16)}, status=0)
    assert all(one["precision"] == "float16" for one in found) and "precision of float16" in said


@pytest.mark.parametrize("error, equal", [(4e-9, True), (1e-3, False)])
def test_rounding_in_silence_is_no_difference(veery, tmp_path, error, equal):
    """What is normalised by the deviation of silence is 0, or what rounding leaves of it."""
    samples = recording(tmp_path)
    write_wav(tmp_path / "silence.wav", RATE, np.zeros(RATE))
    silent = np.full((RATE // 160, 80), error, np.float32)
    arrays = {"a": nemo(samples).astype(np.float32), "silence": silent}
    found, said = several(veery, tmp_path, "parakeet", arrays, status=0 if equal else 1)
    assert [one["equal"] for one in found] == [True, equal] and "precision of" not in said


def test_the_last_digit_of_a_floor_is_no_difference(veery, tmp_path):
    samples = recording(tmp_path)
    write_wav(tmp_path / "silence.wav", RATE, np.zeros(RATE))
    silent = kaldi_mfcc(np.zeros(RATE), bands=True).astype(np.float32)
    silent[3] = np.nextafter(silent[3], np.float32(0))
    silent[5] = np.nextafter(silent[5], np.float32(-99))
    assert np.ptp(silent) > 1e-6
    arrays = {"a": kaldi_mfcc(samples, bands=True).astype(np.float32), "silence": silent}
    found, _ = several(veery, tmp_path, "kaldi-fbank", arrays, status=0)
    assert all(one["equal"] for one in found)
