"""`veery conform`: arrays that other programs might have made, each by NumPy from the formula."""

import json
import re
import struct

import h5py
import numpy as np
import pytest
import scipy.fft
import scipy.signal

from conftest import noise, tone, write_manifest, write_wav
from test_commands import validate
from veery import FeaturePlan

RATE = 16000


def sound(seconds=1.0, seed=1, rate=RATE):
    count = round(seconds * rate)
    time = np.arange(count) / rate
    loudness = np.clip(np.sin(4 * time) ** 2, 0.01, 1)
    return tone(rate, seconds, [180, 360, 950, 2300, 5200], 0.5) * loudness + noise(seed, count, 0.01) + 0.003


def to_mel(frequency):
    return 1127 * np.log(1 + np.asarray(frequency, float) / 700)


def kaldi(signal, *, window="povey", scale=32768, low=20, high=8000, bands=23, emphasis=0.97, mean=True, snip=True, mels="mel",
          floor=2.0 ** -23, power=2):
    """compute-fbank-feats --dither=0 in float64, with its details as arguments."""
    x = np.asarray(signal, float) * scale
    if snip:
        count = 1 + (len(x) - 400) // 160
        starts = 160 * np.arange(count)
        frames = np.stack([x[start:start + 400] for start in starts])
    else:
        count = (len(x) + 80) // 160
        padded = np.concatenate([x[:400][::-1], x, x[-400:][::-1]])
        frames = np.stack([padded[400 + 160 * i + 80 - 200:][:400] for i in range(count)])
    if mean:
        frames = frames - frames.mean(1, keepdims=True)
    if emphasis:
        frames = np.concatenate([frames[:, :1] * (1 - emphasis), frames[:, 1:] - emphasis * frames[:, :-1]], 1)
    n = np.arange(400)
    hann = 0.5 - 0.5 * np.cos(2 * np.pi * n / 399)
    shape = {"povey": hann ** 0.85, "hann": hann, "hamming": 0.54 - 0.46 * np.cos(2 * np.pi * n / 399)}[window]
    spectrum = np.abs(np.fft.rfft(frames * shape, 512)) ** power
    f = np.arange(257) * RATE / 512
    edges = np.linspace(to_mel(low), to_mel(high), bands + 2)
    axis = to_mel(f)
    if mels == "hertz":
        edges, axis = 700 * (np.exp(edges / 1127) - 1), f
    bank = np.stack([
        np.clip(np.minimum((axis - a) / (b - a), (c - axis) / (c - b)), 0, None)
        for a, b, c in zip(edges, edges[1:], edges[2:])])
    return np.log(np.maximum(spectrum @ bank.T, floor))


@pytest.fixture
def recording(tmp_path):
    samples = write_wav(tmp_path / "a.wav", RATE, sound())[:, 0]
    return tmp_path / "a.wav", samples


@pytest.fixture
def reported(veery, tmp_path):
    """Runs the command with --json; returns the report, and what it was asked with."""

    def run(theirs, audio, *arguments, status=1):
        if isinstance(theirs, np.ndarray):
            np.save(tmp_path / "theirs.npy", theirs)
            theirs = tmp_path / "theirs.npy"
        if not any(str(argument) in ("--preset", "--config") for argument in arguments):
            arguments = (*arguments, "--preset", "kaldi-fbank")
        asked = ("conform", theirs, audio, *arguments)
        report = json.loads(veery(*asked, "--json", status=status).stdout)
        validate(report, "conform-report")
        assert report["equal"] == (status == 0)
        return report, asked

    return run


@pytest.fixture
def conform(veery, reported):
    """Runs the command with --json and without, which is another search; returns the report and the text."""

    def run(*arguments, status=1):
        report, asked = reported(*arguments, status=status)
        return report, veery(*asked, status=status).stdout

    return run


def keys(report):
    return {change["key"]: change["value"] for change in report["explanation"]["changes"] if change["value"] != change["expected"]}


def test_several_recordings_are_explained_by_what_holds_for_all(veery, tmp_path):
    """Both have two rows more: for each, another audio.duration explains them; for both, frame.pad_end does."""
    def compared(settings, lengths, scale=()):
        arrays, rows = {}, []
        for index, count in enumerate(lengths):
            name = f"r{index}"
            samples = write_wav(tmp_path / f"{name}.wav", 16000, noise(index + 1, count))[:, 0]
            arrays[name] = FeaturePlan("kaldi-fbank", settings=settings).features(samples) * (scale[index] if scale else 1)
            rows.append({"path": f"{name}.wav", "id": name})
        np.savez(tmp_path / "a.npz", **arrays)
        write_manifest(tmp_path / "m.csv", rows)
        run = veery("conform", "a.npz", "m.csv", "--preset", "kaldi-fbank", "--json", folder=tmp_path, status=1)
        return json.loads(run.stdout)

    report = compared({"frame.pad_end": True}, [36_800, 48_160, 30_111])
    assert keys(report) == {"frame.pad_end": "true"}, report["explanation"]
    assert all(one["explained"] for one in report["recordings"])
    # No change holds for both: each array has a length and a factor of its own.
    report = compared({"audio.duration": 4}, [36_800, 48_160])
    assert all(one["explained"] for one in report["recordings"])
    report = compared({}, [36_800, 48_160], scale=(1.5, 1.25))
    assert sorted(one["explained"] for one in report["recordings"]) == [False, True]


def test_the_formula_is_equal(conform, recording):
    path, samples = recording
    for dtype in "<f8", "<f4", ">f4":
        report, text = conform(kaldi(samples).astype(dtype), path, status=0)
        assert "explanation" not in report and report["tried"] == 0
        assert report["recordings"][0]["difference"]["typical"] < 1e-6
        assert text.startswith(f"{path.parent / 'theirs.npy'}: equal to the features kaldi-fbank of {path}\n")
    order = np.asfortranarray(kaldi(samples))
    assert not order.flags.c_contiguous
    conform(order, path, status=0)


@pytest.mark.parametrize("detail, expected", [
    ({"window": "hann"}, {"frame.window": "hann"}),
    ({"window": "hamming"}, {"frame.window": "hamming"}),
    ({"scale": 1}, {"audio.scale": "unit"}),
    ({"low": 0}, {"transform.low": "0"}),
    ({"high": 7600}, {"transform.high": "7600"}),
    ({"emphasis": 0}, {"frame.pre_emphasis": "0"}),
    ({"mean": False}, {"frame.remove_dc": "false"}),
    ({"snip": False}, {"frame.align": "kaldi"}),
    ({"mels": "hertz"}, {"transform.triangles": "hertz"}),
    ({"bands": 80}, {"transform.bins": "80"}),
    ({"power": 1}, {"transform.spectrum": "magnitude"}),
    ({"window": "hamming", "high": 7600}, {"frame.window": "hamming", "transform.high": "7600"}),
    ({"bands": 40, "window": "hann"}, {"transform.bins": "40", "frame.window": "hann"}),
], ids=str)
def test_a_broken_detail_is_found(conform, recording, detail, expected):
    path, samples = recording
    report, text = conform(kaldi(samples, **detail), path)
    found = report["explanation"]
    assert found["complete"] and found["fit"] == "exact" and keys(report) == expected
    assert found["difference"]["typical"] < 1e-6
    for key, value in expected.items():
        assert f"{key}={value}" in text
    assert report["recordings"][0]["explained"]


def test_the_text_says_how_much_of_a_difference_is_explained(conform, recording):
    path, samples = recording

    def repeated(array):
        return np.concatenate([array[:40], array[39:40], array[41:]])

    _, text = conform(kaldi(samples, window="hann"), path)
    assert "\nexplanation: fits to " in text and "\n  frame.window=hann (rather than povey)\n" in text
    report, text = conform(repeated(kaldi(samples, emphasis=0)), path)
    assert not report["explanation"]["complete"] and keys(report) == {"frame.pre_emphasis": "0"}
    assert "\nexplanation: none is complete; the nearest is still " in text and "\n  frame.pre_emphasis=0 (rather than 0.97)\n" in text
    # Nothing but the row is wrong.
    report, text = conform(repeated(kaldi(samples)), path)
    assert report["unexplained"] == "some_rows" and "explanation" not in report
    assert "\nexplanation: none: 97 of 98 rows are equal, in the longest run rows 41 to 97, and no change explains the others" in text
    assert "the configuration as it is" not in text and "nearest" not in text
    # Every value is, up and down.
    right = kaldi(samples)
    signs = np.where(np.arange(right.size) * 7919 % 13 < 6, 1, -1).reshape(right.shape)
    report, text = conform(right + 1e-3 * np.ptp(right) * signs, path)
    assert not report["explanation"]["complete"] and report["explanation"]["changes"] == []
    assert "\nexplanation: none: no change brings the features clearly nearer to the array\n" in text


def test_rows_that_are_equal_are_named_where_others_are_wrong(conform, recording):
    """From row 60 on, the array repeats one row: a factor and an offset for each bin were said to be the nearest."""
    path, samples = recording
    stuck = kaldi(samples)
    stuck[60:] = stuck[59]
    report, text = conform(stuck, path)
    assert report["recordings"][0]["equal_rows"] == {"count": 60, "run": [0, 59], "first_other": 60}
    assert report["unexplained"] == "some_rows" and "explanation" not in report
    assert "none: rows 0 to 59 are equal (60 of 98), and no change explains the others, of which row 60 is the first\n" in text


def test_an_array_of_something_else_is_named_as_such(conform, recording):
    """A factor near 0 was said to be the nearest."""
    path, _ = recording
    report, text = conform(np.random.default_rng(0).standard_normal((98, 23)), path)
    assert report["unexplained"] == "unrelated" and "explanation" not in report and report["alternatives"] == []
    assert "none: the array has nothing to do with the features of this recording: " in text


def test_frames_of_lhotse_are_told_from_those_of_kaldi_where_the_hop_is_odd(reported, tmp_path, veery):
    write_wav(tmp_path / "a.wav", 44100, sound(rate=44100))
    write_manifest(tmp_path / "m.csv", [{"path": "a.wav"}])
    at_44100 = "--set", "audio.sample_rate=44100", "--set", "transform.high=21650"
    veery("extract", "m.csv", "-o", "f.h5", "--preset", "lhotse-fbank", *at_44100, "--quiet", folder=tmp_path)
    with h5py.File(tmp_path / "f.h5") as file:
        theirs = file["features"][:]
    report, _ = reported(theirs, tmp_path / "a.wav", "--preset", "icefall", *at_44100)
    assert report["explanation"]["fit"] == "exact" and keys(report) == {"frame.align": "lhotse"}
    reported(theirs, tmp_path / "a.wav", "--preset", "lhotse-fbank", *at_44100, status=0)


def test_shapes(conform, recording):
    path, samples = recording
    right = kaldi(samples)
    for theirs, changes, words in [
            (right.T, ["transposed"], "transposed: bins before rows"), (right[None], ["extra_axes"], "it has further axes of length 1"),
            (right.T[None, None], ["extra_axes", "transposed"], "it has further axes of length 1, transposed: bins before rows"),
            (right.ravel(), ["flattened"], "flattened, all rows in one axis")]:
        # Axes of length 1 and their order are no difference, such as those of transformers.
        equal = changes != ["flattened"]
        report, text = conform(theirs, path, status=0 if equal else 1)
        result = report["recordings"][0]
        assert result["shape_changes"] == changes and result["equal_values"] and "explanation" not in report
        assert result["equal"] == equal and result["shape"] == list(theirs.shape) and f": {words}\n" in text
        assert (f"of {path}, in another layout\n" if equal else "in another shape") in text
    assert "layout" not in conform(right, path, status=0)[1]
    padded = np.concatenate([right, np.full((30, 23), -1.5)])
    result = conform(padded, path)[0]["recordings"][0]
    assert result["shape_changes"] == ["filled_rows"] and result["filled_rows"] == 30 and result["equal_values"]
    report, text = conform(right[1:], path)
    assert report["explanation"]["row_shift"] == 1 and "the first row is row 1" in text


@pytest.mark.parametrize("change, words", [
    (lambda x: x * 20 / np.log(10), "decibels, doubled"), (lambda x: x / np.log(2), "base 2"),
    (lambda x: (x - 15.41663) / (2 * 6.55582), "BEATs"),
    (lambda x: 3 * x + 7, "normalised by constants?")])
def test_a_factor_has_a_name(conform, recording, change, words):
    path, samples = recording
    report, text = conform(change(kaldi(samples)), path)
    assert report["explanation"]["fit"] == "affine" and report["explanation"]["complete"] and words in text


def test_values_relative_to_the_maximum(conform, recording):
    path, samples = recording
    right = kaldi(samples)
    report, text = conform(right - right.max(), path)
    assert keys(report) == {"scale.reference": "max"} and report["explanation"]["complete"] and "ref=np.max" in text


def test_normalisation_of_the_clip(conform, recording):
    path, samples = recording
    right = kaldi(samples)
    zscore = (right - right.mean(0)) / right.std(0)
    assert keys(conform(zscore, path)[0]) == {"normalize.scope": "clip"}
    zscore = (right - right.mean(0)) / (right.std(0, ddof=1))
    assert keys(conform(zscore, path)[0]) == {"normalize.scope": "clip", "normalize.ddof": "1"}
    assert keys(conform(right - right.mean(0), path)[0]) == {"normalize.scope": "clip", "normalize.method": "mean"}
    strange = right * np.linspace(1, 2, 23) + np.linspace(-3, 3, 23)
    report, text = conform(strange, path)
    assert report["explanation"]["fit"] == "bin_affine" and len(report["explanation"]["factor"]) == 23
    assert "for each bin" in text


def test_dither_leaves_a_random_part(conform, recording):
    path, samples = recording
    dithered = samples * 32768 + np.random.default_rng(5).normal(size=len(samples))
    report, text = conform(kaldi(dithered / 32768), path)
    assert report["explanation"]["complete"] and 2.6e-5 <= report["explanation"]["noise"] <= 3.6e-5
    assert keys(report) == {} and "dither" in text


def dithered_with_silence(tmp_path, **wrong):
    """Speech-like sound with 0.3 s of zeros, and what compute-fbank-feats --dither=1 makes of it: other noise in each frame."""
    given = sound(1.5)
    given[9600:14400] = 0
    samples = write_wav(tmp_path / "a.wav", RATE, given)[:, 0]
    scaled, noises = samples * 32768.0, np.random.default_rng(5)
    starts = range(0, len(samples) - 399, 160)
    rows = [kaldi((scaled[start:start + 400] + noises.normal(size=400)) / 32768, **wrong) for start in starts]
    return np.concatenate(rows), tmp_path / "a.wav"


def test_dither_is_recognised_where_the_recording_is_digitally_silent(conform, tmp_path):
    report, text = conform(*dithered_with_silence(tmp_path))
    assert report["explanation"]["complete"] and 2.6e-5 <= report["explanation"]["noise"] <= 3.6e-5
    assert keys(report) == {} and "is all that changes where the samples are constant, as in digital silence" in text


def test_dither_in_digital_silence_with_a_wrong_window_names_no_change(conform, tmp_path):
    """Most of the difference is noise in the silence, which made several wrong keys fit."""
    report, text = conform(*dithered_with_silence(tmp_path, window="hamming"))
    assert report["unexplained"] == "silence" and "explanation" not in report and report["alternatives"] == []
    assert "most of the difference is where the samples are constant, as in digital silence" in text and "dither" in text


def test_other_sound_in_digital_silence_is_not_dither(reported, tmp_path):
    """Speech where the zeros are, and another recording."""
    _, path = dithered_with_silence(tmp_path)
    spoken = sound(1.5)
    for theirs in kaldi(spoken), kaldi(spoken[::-1]):
        report, _ = reported(theirs, path)
        assert report.get("unexplained") != "silence" and report.get("explanation", {}).get("noise") is None


def test_a_dataset_normalisation_is_left_out(conform, recording, veery):
    path, samples = recording
    report, text = conform(
        np.zeros((98, 80)), path, "--preset", "log-mel")
    assert "before the normalisation over the dataset" in text


def test_formats(conform, recording, tmp_path, veery):
    path, samples = recording
    right = kaldi(samples).astype("<f4")
    np.savez(tmp_path / "one.npz", features=right)
    np.savez_compressed(tmp_path / "two.npz", features=right, other=right + 1)
    header = json.dumps({"__metadata__": {}, "m": {"dtype": "F32", "shape": right.shape, "data_offsets": [0, right.nbytes]}})
    (tmp_path / "a.safetensors").write_bytes(struct.pack("<Q", len(header)) + header.encode() + right.tobytes())
    rows = "\n".join("  " + " ".join(repr(float(value)) for value in row) for row in right)
    (tmp_path / "a.txt").write_text(f"a  [\n{rows} ]\n")
    (tmp_path / "a.ark").write_bytes(
        b"a \0BFM \4" + struct.pack("<i", 98) + b"\4" + struct.pack("<i", 23) + right.tobytes())
    for name in "one.npz", "a.safetensors", "a.txt", "a.ark":
        conform(tmp_path / name, path, status=0)
    conform(tmp_path / "two.npz", path, "--array", "features", status=0)
    arguments = ["conform", tmp_path / "two.npz", path, "--preset", "kaldi-fbank"]
    said = veery(*arguments, status=2).stderr
    assert "there are 'features', 'other'" in said and "--array" in said
    assert "there is no array 'x'; there are 'features', 'other'" in veery(*arguments, "--array", "x", status=2).stderr


def test_several_recordings(conform, tmp_path, veery):
    rows, arrays = [], {}
    for number in range(4):
        samples = write_wav(tmp_path / "r" / f"{number}.wav", RATE, sound(0.6 + 0.1 * number, number))[:, 0]
        rows.append({"path": f"r/{number}.wav", "id": f"clip{number}"})
        arrays[f"clip{number}"] = samples
    manifest = write_manifest(tmp_path / "m.csv", rows)
    folder = tmp_path / "arrays"
    folder.mkdir()
    for name, samples in arrays.items():
        np.save(folder / f"{name}.npy", kaldi(samples))
    conform(folder, manifest, status=0)
    np.savez(tmp_path / "all.npz", **{name: kaldi(samples) for name, samples in arrays.items()})
    conform(tmp_path / "all.npz", manifest, status=0)
    for name in "clip1", "clip2":
        np.save(folder / f"{name}.npy", kaldi(arrays[name], window="hann"))
    report, text = conform(folder, manifest)
    assert keys(report) == {"frame.window": "hann"} and report["explanation"]["recording"] == "clip2"
    assert [one.get("explained") for one in report["recordings"]] == [None, True, True, None]
    assert "2 of 4 arrays equal" in text and "clip1: " in text
    (folder / "clip0.npy").unlink()
    np.save(folder / "other.npy", kaldi(arrays["clip1"]))
    report, text = conform(folder, manifest)
    assert "there is no array 'clip0'" in report["recordings"][0]["obstacle"] and report["unused_arrays"] == ["other"]


def test_shapes_of_several_recordings_are_reported(tmp_path, veery):
    rows, arrays = [], {}
    for number in range(3):
        samples = write_wav(tmp_path / "r" / f"{number}.wav", RATE, sound(0.6 + 0.1 * number, number))[:, 0]
        rows.append({"path": f"r/{number}.wav", "id": f"clip{number}"})
        arrays[f"clip{number}"] = kaldi(samples).T
    np.savez(tmp_path / "all.npz", **arrays)
    manifest = write_manifest(tmp_path / "m.csv", rows)
    said = veery("conform", tmp_path / "all.npz", manifest, "--preset", "kaldi-fbank", status=0).stdout
    assert "equal to the features kaldi-fbank of 3 recordings, in another layout\n" in said
    assert "note: equal arrays in another layout: 3, such as clip0: transposed: bins before rows\n" in said
    np.savez(tmp_path / "all.npz", **{name: array.T.ravel() for name, array in arrays.items()})
    said = veery("conform", tmp_path / "all.npz", manifest, "--preset", "kaldi-fbank", status=1).stdout
    assert "0 of 3 arrays equal" in said and said.count("flattened, all rows in one axis") == 3 and "layout" not in said


def test_the_status_tells_differences_from_trouble(recording, tmp_path, veery):
    """0 equal, 1 not equal, 2 not comparable: nothing on standard output, a sentence on standard error."""
    path, samples = recording
    np.save(tmp_path / "right.npy", kaldi(samples))
    np.save(tmp_path / "wrong.npy", kaldi(samples, window="hann"))
    (tmp_path / "torn.npy").write_bytes((tmp_path / "right.npy").read_bytes()[:-8])
    for name, status in ("right", 0), ("wrong", 1), ("torn", 2), ("missing", 2):
        for options in [], ["--json"]:
            result = veery("conform", tmp_path / f"{name}.npy", path, "--preset", "kaldi-fbank", *options, status=status)
            assert (result.stdout == "") == (status == 2) and (result.stderr != "") == (status == 2)


def test_all_channels(conform, tmp_path, veery):
    path = tmp_path / "two.wav"
    both = write_wav(path, RATE, np.stack([sound(seed=1), sound(seed=2)[::-1]], 1))
    channels = np.stack([kaldi(both[:, 0]), kaldi(both[:, 1])], 1)
    arguments = ["--preset", "kaldi-fbank", "--set", "audio.channels=all"]
    report, text = conform(channels, path, *arguments, status=0)
    assert report["recordings"][0]["expected_shape"] == [98, 2, 23] and "rows, channels and bins" in text
    report, _ = conform(kaldi(both.astype(float).mean(1)), path, *arguments)
    assert keys(report) == {"audio.channels": "mix"}
    assert conform(channels.transpose(1, 0, 2), path, *arguments)[0]["recordings"][0]["shape_changes"] == ["channels_first"]


@pytest.mark.long
def test_damage_is_not_dither(conform, recording):
    path, samples = recording
    right = kaldi(samples)
    one, row = right.copy(), right.copy()
    one[50, 3], row[40] = np.nan, row[39]
    late = kaldi(np.concatenate([[0], samples[:-1]]))
    for damaged in one, row, late:
        report, text = conform(damaged, path)
        # Frames that start a sample early are those of a signal that is a sample late.
        found = report.get("explanation", {})
        assert found.get("complete", False) == (damaged is late and "1 sample early" in text)
        assert (report.get("unexplained") == "some_rows") == (damaged is not late)
        assert "noise" not in found and "noise in the samples" not in text


def test_patches(conform, recording):
    path, samples = recording
    arguments = ["--preset", "kaldi-fbank", "--set", "patches.length=20", "--set", "patches.hop=10"]
    right = kaldi(samples)
    patches = np.stack([right[start:start + 20] for start in range(0, 79, 10)])
    assert conform(patches, path, *arguments, status=0)[0]["recordings"][0]["expected_shape"] == [8, 20, 23]
    report, text = conform(patches.swapaxes(1, 2), path, *arguments, status=0)
    assert report["recordings"][0]["shape_changes"] == ["transposed"] and report["recordings"][0]["equal_values"]
    assert keys(conform(patches[::2], path, *arguments)[0]) == {"patches.hop": "20"}
    assert keys(conform(right, path, *arguments)[0]) == {"patches.length": "null", "patches.hop": "null"}
    assert "expected three axes" in conform(np.zeros((2, 3, 4, 5)) + np.arange(5), path, *arguments)[1]


def test_wrong_use_and_broken_files(recording, tmp_path, veery):
    path, samples = recording
    np.save(tmp_path / "a.npy", kaldi(samples))
    say = lambda *arguments, status: veery("conform", *arguments, status=status, folder=tmp_path).stderr
    assert "Give --preset NAME or --config FILE" in say("a.npy", path, status=64)
    assert "--tolerance" in say("a.npy", path, "--preset", "kaldi-fbank", "--tolerance", "0", status=64)
    assert "Unknown preset" in say("a.npy", path, "--preset", "kaldi", status=64)
    write_manifest(tmp_path / "m.csv", [{"path": path, "id": "a"}])
    for option in ("--array", "x"), ("--start", "0.1"), ("--end", "0.2"), ("--channel", "0"):
        said = say("a.npy", "m.csv", "--preset", "kaldi-fbank", *option, status=64)
        assert option[0] in said and "for one recording" in said
    assert "--root is for a manifest" in say("a.npy", path, "--preset", "kaldi-fbank", "--root", ".", status=64)
    assert "none.npy: cannot read the array: No such file" in say("none.npy", path, "--preset", "kaldi-fbank", status=2)
    assert "No such file" in say("a.npy", "none.wav", "--preset", "kaldi-fbank", status=2)
    assert "expected an array of NumPy" in say(path, path, "--preset", "kaldi-fbank", status=2)
    np.save(tmp_path / "objects.npy", np.array([[1, 2], [3]], dtype=object), allow_pickle=True)
    assert "Python objects" in say("objects.npy", path, "--preset", "kaldi-fbank", status=2)
    np.save(tmp_path / "complex.npy", np.zeros((98, 23), complex))
    assert "expected real numbers, such as '<f4', found '<c16'" in say("complex.npy", path, "--preset", "kaldi-fbank", status=2)
    for value in np.nan, np.inf:
        np.save(tmp_path / "nan.npy", np.full((98, 23), value))
        said = veery("conform", "nan.npy", path, "--preset", "kaldi-fbank", status=1, folder=tmp_path).stdout
        assert "all values are infinite or not a number" in said and "explanation" not in said and "of this number of bins" not in said
    np.save(tmp_path / "deep.npy", np.zeros((2, 98, 23)))
    assert "two axes" in veery("conform", "deep.npy", path, "--preset", "kaldi-fbank", status=1, folder=tmp_path).stdout


@pytest.mark.long
def test_damaged_arrays_end_in_words(recording, tmp_path, veery):
    path, samples = recording
    right = kaldi(samples).astype("<f4")
    np.save(tmp_path / "a.npy", right)
    np.savez_compressed(tmp_path / "a.npz", a=right)
    random = np.random.default_rng(8)
    for original in "a.npy", "a.npz":
        sound = (tmp_path / original).read_bytes()
        for number in range(30):
            damaged = bytearray(sound)
            reach = 128 if original == "a.npy" and number % 2 else len(sound)
            for _ in range(3):
                damaged[random.integers(reach)] = random.integers(256)
            if number % 5 == 0:
                damaged = damaged[:random.integers(len(sound))]
            (tmp_path / "damaged").write_bytes(damaged)
            veery("conform", "damaged", path, "--preset", "kaldi-fbank", status=(0, 1, 2), folder=tmp_path)


def test_another_rate_has_a_note_and_the_resampler_is_found(conform, tmp_path):
    path = tmp_path / "b.wav"
    samples = write_wav(path, 22050, sound(rate=22050))[:, 0]
    resampled = scipy.signal.resample_poly(samples.astype(float), 320, 441)
    report, text = conform(kaldi(resampled), path)
    assert report["recordings"][0]["resampled_from"] == 22050 and "another resampler" in text
    assert report["explanation"]["complete"] and "audio.resampler=polyphase" in text
    assert [change["key"] for change in report["explanation"]["changes"]] == ["audio.resampler"]
    report, text = conform(kaldi(samples), path)
    assert report["explanation"]["complete"] and "not resampled" in text
    assert report["explanation"]["changes"] == [{"resampled": False, "note": "samples at 22050 Hz, not resampled"}]


def librosa_mel(bands, length, *, htk=False, norm=True, low=0, high=8000):
    """The filter bank of librosa."""
    def mel(f):
        f = np.asarray(f, float)
        if htk:
            return 2595 * np.log10(1 + f / 700)
        return np.where(f < 1000, f * 3 / 200, 15 + 27 * np.log(np.maximum(f, 1e-9) / 1000) / np.log(6.4))

    def hertz(m):
        if htk:
            return 700 * (10 ** (m / 2595) - 1)
        return np.where(m < 15, m * 200 / 3, 1000 * np.exp((m - 15) * np.log(6.4) / 27))

    edges = hertz(np.linspace(mel(low), mel(high), bands + 2))
    f = np.arange(length // 2 + 1) * RATE / length
    bank = np.stack([
        np.clip(np.minimum((f - a) / (b - a), (c - f) / (c - b)), 0, None) * (2 / (c - a) if norm else 1)
        for a, b, c in zip(edges, edges[1:], edges[2:])])
    return bank


def whisper(signal, *, symmetric=False, drop=True, htk=False, limits=True, pad="reflect", seconds=None):
    x = np.asarray(signal, float)
    if seconds:
        x = np.pad(x, (0, round(seconds * RATE) - len(x)))
    x = np.pad(x, 200, mode=pad)
    n = np.arange(400)
    window = 0.5 - 0.5 * np.cos(2 * np.pi * n / (399 if symmetric else 400))
    frames = np.stack([x[i:i + 400] for i in range(0, len(x) - 399, 160)])
    power = np.abs(np.fft.rfft(frames * window)) ** 2
    if drop:
        power = power[:-1]
    value = np.log10(np.maximum(power @ librosa_mel(80, 400, htk=htk).T, 1e-10))
    return (np.maximum(value, value.max() - 8) + 4) / 4 if limits else value


@pytest.mark.parametrize("detail, expected", [
    ({"symmetric": True}, {"frame.symmetric": "true"}), ({"drop": False}, {"frame.drop_last": "false"}),
    ({"htk": True}, {"transform.mel_scale": "htk"}), ({"pad": "constant"}, {"frame.pad": "zero"}),
    ({"seconds": 3}, {"audio.duration": "3"}),
], ids=str)
def test_a_broken_whisper(reported, recording, detail, expected):
    path, samples = recording
    reported(whisper(samples), path, "--preset", "whisper", status=0)
    report, _ = reported(whisper(samples, **detail).T[None], path, "--preset", "whisper")
    assert keys(report) == expected and report["explanation"]["complete"]
    assert report["recordings"][0]["shape_changes"][:2] == ["extra_axes", "transposed"]


def test_a_change_that_does_nothing_is_not_named(reported, tmp_path):
    """Of a long array, changes cost little. No sample is above 1: cutting them to -1 to 1 was named nevertheless."""
    path = tmp_path / "long.wav"
    samples = write_wav(path, RATE, sound(12))[:, 0]
    natural = whisper(samples, limits=False) * np.log(10)
    report, _ = reported((np.maximum(natural, natural.max() - 8) + 4) / 4, path, "--preset", "whisper")
    assert report["explanation"]["complete"] and report["explanation"]["fit"] == "exact"
    assert keys(report) == {"scale.kind": "ln", "scale.top_db": "34.74355855226014"}


def test_a_clip_of_its_own_length_is_likelier_than_a_number_of_rows(reported, tmp_path):
    """Zeros at the ends, and none up to the duration: three keys were named, with the number of rows."""
    path = tmp_path / "long.wav"
    samples = write_wav(path, RATE, sound(12))[:, 0]
    arguments = ["--preset", "whisper", "--set", "audio.duration=15"]
    report, _ = reported(whisper(samples, pad="constant"), path, *arguments)
    assert report["explanation"]["complete"] and keys(report) == {"frame.pad": "zero", "audio.duration": "null"}
    # Rows that are dropped after the padding: the last ones hold its zeros, not the clip's mirrored end.
    report, _ = reported(whisper(samples, seconds=15)[:1200], path, *arguments)
    assert report["explanation"]["complete"] and keys(report) == {"rows.count": "1200"}


def nemo(signal, ddof=1):
    """The front end of Parakeet, normalised by bin."""
    x = np.asarray(signal, float)
    x = np.concatenate([x[:1], x[1:] - 0.97 * x[:-1]])
    count = len(x) // 160
    x = np.pad(x, 256)
    window = np.zeros(512)
    window[56:456] = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(400) / 399)
    power = np.stack([np.abs(np.fft.rfft(x[160 * i:160 * i + 512] * window)) ** 2 for i in range(count)])
    value = np.log(power @ librosa_mel(80, 512).T + 2.0 ** -24)
    return (value - value.mean(0)) / (value.std(0, ddof=ddof) + 1e-5)


@pytest.mark.long
def test_a_detail_that_changes_little(conform, tmp_path):
    """ddof changes 1/(2 rows) of each value: of a long clip, less than the tolerance."""
    path = tmp_path / "long.wav"
    samples = write_wav(path, RATE, sound(24))[:, 0]
    right = nemo(samples)
    conform(right, path, "--preset", "parakeet", status=0)
    report, text = conform(nemo(samples, ddof=0), path, "--preset", "parakeet")
    first = report["recordings"][0]
    assert first["equal_values"] and first["surpassed"] and first["difference"]["typical"] < 5e-5
    assert keys(report) == {"normalize.ddof": "0"} and report["gain"] > 10
    assert "near to the features parakeet" in text and "times less than without" in text
    # Rounding to half precision stays equal.
    conform(right.astype("<f2"), path, "--preset", "parakeet", status=0)


def test_what_explains_one_array_is_tried_on_those_within_the_tolerance(conform, tmp_path):
    """ddof changes the array of a short clip clearly, and that of a long one by less than the tolerance: neither is right."""
    arrays, rows = {}, []
    for name, seconds, ddof in ("short", 1, 0), ("long", 20, 0), ("right", 20, 1):
        samples = write_wav(tmp_path / f"{name}.wav", RATE, sound(seconds, seed=seconds))[:, 0]
        arrays[name] = nemo(samples, ddof=ddof)
        rows.append({"path": f"{name}.wav", "id": name})
    np.savez(tmp_path / "a.npz", **arrays)
    write_manifest(tmp_path / "m.csv", rows)
    report, text = conform(tmp_path / "a.npz", tmp_path / "m.csv", "--preset", "parakeet")
    short, long, right = report["recordings"]
    assert keys(report) == {"normalize.ddof": "0"} and report["explanation"]["recording"] == "short" and "gain" not in report
    assert not short["equal_values"] and short["explained"]
    assert long["equal_values"] and long["surpassed"] and long["explained"] and not long["equal"]
    assert right["equal"] and "explained" not in right
    assert "1 of 3 arrays equal" in text


@pytest.mark.long
def test_many_details_at_once(reported, recording):
    path, samples = recording
    report, _ = reported(nemo(samples).T[None], path, "--preset", "log-mel")
    assert report["explanation"]["complete"]
    if "preset" in report["explanation"]:  # nearer than log-mel
        return
    found = keys(report)
    assert found["frame.align"] == "center" and found["frame.pad"] == "zero" and found["frame.symmetric"] == "true"
    assert found["scale.guard"] == "add" and float(found["scale.floor"]) == 2.0 ** -24
    assert "0.97" in (found.get("condition.pre_emphasis"), found.get("frame.pre_emphasis"))
    assert found["normalize.scope"] == "clip" and found["normalize.ddof"] == "1"


def test_another_preset(conform, recording):
    path, samples = recording
    report, text = conform(whisper(samples), path)
    assert report["explanation"]["complete"] and report["explanation"]["preset"] == "whisper"
    assert "preset whisper, another one than expected" in text


def test_real_recordings(reported, collection, tmp_path):
    """Recordings of other rates, taken to have 16 kHz: what the formula makes of them is equal, and a wrong window is found."""
    paths = sorted((collection / "fsdd").glob("*.wav"))[:3] + sorted((collection / "birds").rglob("*.wav"))[:3]
    for number, source in enumerate(paths):
        _, stored = scipy.io.wavfile.read(source)
        stored = stored[:3 * RATE]
        path = tmp_path / f"{number}.wav"
        scipy.io.wavfile.write(path, RATE, stored)
        samples = stored / 32768
        reported(kaldi(samples), path, status=0)
        report, _ = reported(kaldi(samples, window="hann", high=7600), path)
        assert keys(report) == {"frame.window": "hann", "transform.high": "7600"} and report["explanation"]["complete"]


def test_an_array_of_one_value(conform, recording):
    path, _ = recording
    for value in 0, 3.5:
        report, text = conform(np.full((98, 23), value), path)
        assert "explanation" not in report and f"the array holds {value} alone" in text


def test_an_array_of_a_part_is_of_that_part(conform, tmp_path):
    """Rows of a part of a long recording are not explained by a number of bins, or by other rows."""
    path = tmp_path / "long.wav"
    seconds = 20
    samples = write_wav(path, RATE, sound(seconds) * np.linspace(0.1, 1, seconds * RATE))[:, 0]
    whole = kaldi(samples)
    for rows in 150, 240:
        part = whole[500:500 + rows]
        report, text = conform(part, path)
        first = report["recordings"][0]
        # The last frame is two hops and a half long.
        end = 5 + rows / 100 + 0.02
        assert first["part"] == pytest.approx({"row": 500, "start": 5, "end": end}) and "explanation" not in report
        assert f"about 5 s to {end:g} s" in text and f"--start 5 --end {end:g}" in text
        conform(part, path, "--start", "5", "--end", f"{end:g}", status=0)
        assert f"{len(whole):,} rows expected, {rows} found" in text and "number of bins" not in text
    np.savez(tmp_path / "a.npz", one=whole[500:650], two=whole)
    write_manifest(tmp_path / "m.csv", [{"path": path, "id": "one"}, {"path": path, "id": "two"}])
    _, text = conform(tmp_path / "a.npz", tmp_path / "m.csv")
    assert "explanation, by one: the array seems to be of a part" in text and "give that part's start and end in the manifest" in text
    # The rows of another recording.
    report, text = conform(kaldi(noise(5, RATE)), path)
    assert "part" not in report["recordings"][0] and "number of bins" not in text
    assert f"{len(whole):,} rows expected, 98 found. The array may be of a part of the recording" in text


def test_what_single_precision_loses_is_no_other_floor(conform, tmp_path):
    """Errors of quiet bins next to loud ones, one of them above the limit of single values: no change of a key makes these."""
    path = tmp_path / "three.wav"
    right = kaldi(write_wav(path, RATE, sound(3))[:, 0])
    depth = right.max(1, keepdims=True) - right
    error = 1e-6 * np.exp(depth / 2) * np.random.default_rng(3).choice([-1, 1], right.shape)
    error[np.unravel_index(depth.argmax(), depth.shape)] = 0.003 * np.ptp(right)
    report, text = conform(right + error, path)
    assert report["recordings"][0]["difference"]["typical"] < 5e-5
    assert report["unexplained"] == "single_precision" and "explanation" not in report and report["alternatives"] == []
    assert "may compute in single precision" in text and "fits" not in text
    # A floor that is added raises all of them.
    report, text = conform(right + abs(error), path)
    assert report.get("unexplained") != "single_precision" and "single precision" not in text


def test_alternatives_say_what_was_fitted(conform, recording):
    """A change alone leaves much of an array that has a factor, too: what is printed is left with a factor, and that is said."""
    path, samples = recording
    report, text = conform(1.5 * kaldi(samples, high=7600, window="hann") + 0.2, path)
    words = {
        "exact": "", "affine": ", and a factor and an offset", "bin_offset": ", and an offset for each bin",
        "bin_affine": ", and a factor and an offset for each bin",
    }
    fits = [one["fit"] for one in report["alternatives"]]
    assert any(fit != "exact" for fit in fits), fits
    lines = text.split("next best changes alone, and what they leave:\n")[1].splitlines()
    for line, fit in zip(lines, fits):
        assert line.endswith(words[fit]) and (", and" in line) == (fit != "exact"), line


def test_the_value_that_is_farthest_off_has_digits_enough(conform, recording):
    path, samples = recording
    theirs = kaldi(samples)
    theirs[40, 7] += 2e-4
    _, text = conform(theirs, path, status=0)
    expected, found = re.search(r"row 40, bin 7: expected (\S+), found (\S+)\)", text).groups()
    assert 0.5e-4 < float(found.replace("−", "-")) - float(expected.replace("−", "-")) < 3.5e-4, text
