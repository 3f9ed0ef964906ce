"""What the server of `veery browse` says of a dataset, against h5py, soundfile, NumPy and SciPy."""

import csv
import re
import shutil
import tarfile

import h5py
import numpy as np
import pytest
import scipy.signal
import soundfile
from browsing import starting
from recordings import noise, tone, write_manifest, write_wav

RATE = 8000
MEL = ["--preset", "log-mel", "--set", f"audio.sample_rate={RATE}", "--set", "transform.high=4000", "--set", "transform.bins=8"]
PLAIN = [*MEL, "--set", "normalize.scope=none"]
HOSTILE = "<img src=x onerror=alert(1)>\"'&amp;\\ \u202e \u2028é\N{BIRD}"
COLUMNS = ["path", "id", "label", "split", "start", "end", "channel", "site"]
CLIPS = [
    "a.wav,whole,song,train,,,,north", "a.wav,part,call,test,0.5,1.25,,north", "a.wav,rest,call,train,1.5,,,",
    "s.wav,left,song,train,,,0,south", "s.wav,right,call,test,,,1,south", "s.wav,both,song,,0.25,1,,", "f.flac,flac,song,train,0.1,0.9,,",
    "f.wav,float,call,,,,,", "o.ogg,ogg,song,,,,,", "m.mp3,mp3,call,,,,,", "t.tar::in/t.wav,member,song,test,0.2,0.4,,",
    'hostile.wav,"' + HOSTILE.replace('"', '""') + '",x,,,,,']


def sounds(folder):
    """Recordings of every kind, and the samples of each as soundfile reads them."""
    write_wav(folder / "a.wav", RATE, 0.5 * tone(RATE, 2, [440, 1200]) + noise(1, 2 * RATE, 0.2))
    write_wav(folder / "s.wav", RATE, np.stack([tone(RATE, 1.5, [300]), noise(2, 12_000)], axis=1))
    soundfile.write(folder / "f.flac", noise(3, 44_100), 44_100, subtype="PCM_24")
    write_wav(folder / "f.wav", 16_000, 1.5 * noise(4, 16_000, 1), "<f4")
    soundfile.write(folder / "o.ogg", tone(22_050, 1, [500]), 22_050)
    soundfile.write(folder / "m.mp3", tone(44_100, 1, [500]), 44_100)
    write_wav(folder / "in/t.wav", RATE, noise(5, RATE))
    with tarfile.open(folder / "t.tar", "w") as archive:
        archive.add(folder / "in/t.wav", "in/t.wav")
    write_wav(folder / "hostile.wav", RATE, noise(6, RATE))


def parts(path):
    """For each clip of the manifest: its samples at the recording's rate, and that rate, as soundfile has them."""
    found = {}
    for row in rows(path):
        name = row["path"].replace("t.tar::", "")
        samples, rate = soundfile.read(path.parent / name, dtype="float32", always_2d=True)
        first = round(float(row["start"] or 0) * rate)
        past = round(float(row["end"]) * rate) if row["end"] else len(samples)
        chosen = samples[:, int(row["channel"])] if row["channel"] else samples.astype(np.float64).mean(axis=1).astype(np.float32)
        found[row["id"]] = (chosen[first:past], rate, chosen, first)
    return found


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["path"] not in ("missing.wav", "broken.wav")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, veery):
    folder = tmp_path_factory.mktemp("dïr 1")
    sounds(folder)
    (folder / "broken.wav").write_bytes(b"RIFF no sound")
    text = ",".join(COLUMNS) + "\n" + "\n".join(CLIPS) + "\n"
    (folder / "m.csv").write_text(text.replace("o.ogg", "missing.wav,gone,song,,,,,\nbroken.wav,broken,song,,,,,\no.ogg"), encoding="utf-8")
    veery("extract", folder / "m.csv", "-o", folder / "f.h5", *PLAIN, status=3)
    veery("extract", folder / "m.csv", "-o", folder / "z.h5", *MEL, status=3)
    veery("extract", folder / "m.csv", "-o", folder / "s.h5", *PLAIN, "--files", 3, status=3)
    return folder


@pytest.fixture(scope="module")
def serve(program):
    with starting(program) as start:
        yield start


@pytest.fixture(scope="module")
def features(folder, serve):
    return serve(folder / "f.h5")


@pytest.fixture(scope="module")
def manifest(folder, serve):
    return serve(folder / "m.csv")


@pytest.fixture(scope="module")
def number(features):
    """The number of a clip by its id."""
    return {name: index for index, name in enumerate(features.clips()["id"])}


def texts(item):
    return item.asstr()[:].tolist()


# ------------------------------------------------------------------------------------------------------------ the table


def test_the_table_is_what_the_feature_file_has(folder, features):
    found, dataset = features.clips(), features.json("/api/dataset")
    with h5py.File(folder / "f.h5") as file:
        clips, failures = file["clips"], file["failures"]
        stored, failed = len(clips["id"]), len(failures["id"])
        assert (dataset["clips"], dataset["failures"], dataset["kind"], dataset["name"]) == (stored, failed, "features", "f.h5")
        assert failed == 2 and stored == len(CLIPS)
        assert dataset["labels"] == texts(file["labels"]) and dataset["columns"] == ["site"]
        assert found["id"] == texts(clips["id"]) + texts(failures["id"])
        assert found["path"] == texts(clips["path"]) + texts(failures["path"])
        assert found["labels"] == [[index] for index in clips["label_index"][:].tolist()] + [[]] * failed
        splits = [dataset["splits"][index] if index >= 0 else "" for index in found["split"]]
        assert splits == texts(clips["split"]) + [""] * failed
        for name in ("start", "duration"):
            assert found[name][:stored] == clips[name][:].tolist()
        assert found["duration"][stored:] == [None] * failed
        assert found["frames"] == clips["frame_count"][:].tolist() + [None] * failed
        assert found["columns/site"] == texts(clips["extra/site"]) + [""] * failed
        assert found["failure"] == [None] * stored + [
            {"stage": stage, "kind": kind, "reason": reason}
            for stage, kind, reason in zip(*(texts(failures[name]) for name in ("stage", "kind", "reason")))]
        attributes = file["features"].attrs
        assert (dataset["bins"], dataset["framePeriod"], dataset["firstFrameTime"]) == (
            8, attributes["frame_period"], attributes["first_frame_time"])
        assert (dataset["units"], dataset["longName"]) == (attributes["units"], attributes["long_name"])
        assert dataset["frequency"] == pytest.approx(file["frequency"][:])
        low, high = dataset["range"]
        assert file["features"][:].min() <= low < high <= file["features"][:].max()


def test_pieces_of_the_table_are_the_whole(features):
    whole = features.clips()
    assert features.clips(count=5) == whole
    assert features.json("/api/clips?from=3&count=2")["id"] == whole["id"][3:5]
    for query, expected in [
            ("from=99", []), ("from=-5&count=1", whole["id"][:1]), ("count=0", []), ("count=-1", []), ("from=x&count=y", whole["id"]),
            (f"from={2**62}&count={2**62}", []), (f"from={2**63}", whole["id"])]:
        assert features.json("/api/clips?" + query)["id"] == expected, query


def test_a_set_is_its_clips_as_one_file(folder, features, serve):
    server = serve(folder / "s.index.json")
    one, whole = server.clips(), features.clips()
    # The parts of a set have the clips in their own order.
    order = [one["id"].index(name) for name in whole["id"]]
    assert sorted(order) == list(range(len(order)))
    for name in ("path", "start", "duration", "frames", "failure", "columns/site"):
        assert [one[name][index] for index in order] == whole[name], name
    dataset = server.json("/api/dataset")
    assert dataset["name"] == "s.index.json" and dataset["labels"] == features.json("/api/dataset")["labels"]
    for number, other in enumerate(order):
        if whole["failure"][number] is None:
            assert server.clip(other, "values").body == features.clip(number, "values").body


def test_the_table_is_what_the_manifest_has(folder, manifest):
    found, dataset = manifest.clips(), manifest.json("/api/dataset")
    expected = [line.split(",") for line in (folder / "m.csv").read_text("utf-8").split("\n")[1:-2]]
    assert (dataset["kind"], dataset["clips"], dataset["failures"], dataset["bins"], dataset["framePeriod"]) == (
        "manifest", len(CLIPS) + 2, 0, 0, None)
    assert found["id"] == [row[1] for row in expected] + [HOSTILE]
    assert found["path"] == [row[0] for row in expected] + ["hostile.wav"]
    assert [[dataset["labels"][label] for label in labels] for labels in found["labels"]] == [[row[2]] for row in expected] + [["x"]]
    assert [dataset["splits"][index] if index >= 0 else "" for index in found["split"]] == [row[3] for row in expected] + [""]
    assert found["start"][:3] == [0, 0.5, 1.5] and found["duration"][1] == 0.75 and found["duration"][3] is None
    assert found["frames"] == [None] * len(found["id"]) == found["failure"]
    answer = manifest.get("/api/clips/0/values")
    assert answer.status == 404 and "no stored values" in answer.error
    assert manifest.json("/api/suspicion")["state"] == "none"


def test_several_labels(tmp_path, veery, serve):
    for name in "abc":
        write_wav(tmp_path / f"{name}.wav", RATE, noise(ord(name), RATE))
    write_manifest(tmp_path / "m.csv", [
        {"path": "a.wav", "labels": "y|x"}, {"path": "b.wav", "labels": ""}, {"path": "c.wav", "labels": "z"}])
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", *MEL)
    for name in ("m.csv", "f.h5"):
        server = serve(tmp_path / name)
        dataset = server.json("/api/dataset")
        assert (dataset["labels"], dataset["multilabel"], dataset["columns"]) == (["x", "y", "z"], True, [])
        assert server.clips()["labels"] == [[0, 1], [], [2]]


def test_no_clips_that_succeeded_and_a_clip_of_one_sample(tmp_path, veery, serve):
    (tmp_path / "b.wav").write_bytes(b"")
    (tmp_path / "none.csv").write_text("path\nb.wav\n")
    veery("extract", tmp_path / "none.csv", "-o", tmp_path / "none.h5", *MEL, status=3)
    server = serve(tmp_path / "none.h5")
    dataset = server.json("/api/dataset")
    assert (dataset["clips"], dataset["failures"]) == (0, 1) and len(server.clips()["id"]) == 1
    assert server.json("/api/suspicion")["state"] in ("none", "computing", "done")
    assert server.get("/api/clips/0").status == 200 and server.get("/api/clips/0/values").status == 404
    assert server.get("/api/clips/1").status == 404
    write_wav(tmp_path / "one.wav", RATE, np.array([0.25]))
    (tmp_path / "one.csv").write_text("path\none.wav\n")
    server = serve(tmp_path / "one.csv")
    samples, rate = server.clip(0, "sound.wav").sound
    assert samples.tolist() == [8192 / 32768] and rate == RATE
    assert np.frombuffer(server.clip(0, "waveform", columns=50).body, "<f4").tolist() == [0.25, 0.25]
    assert server.clip(0, "spectrogram", size=16).picture.shape == (1, 9)
    assert server.json("/api/clips/0")["duration"] == 1 / RATE


# ------------------------------------------------------------------------------------------------------- stored values


def row_means(values, step):
    return np.array([values[first:first + step].astype(np.float64).mean(axis=0) for first in range(0, len(values), step)])


def test_values_are_the_rows_of_the_file(folder, features, number):
    with h5py.File(folder / "f.h5") as file:
        clips, period, first_time = file["clips"], *(file["features"].attrs[name] for name in ("frame_period", "first_frame_time"))
        for name, index in number.items():
            if index >= len(CLIPS):
                assert features.get(f"/api/clips/{index}/values").status == 404
                continue
            first, count = clips["frame_start"][index], clips["frame_count"][index]
            rows = file["features"][first:first + count]
            answer = features.clip(index, "values")
            assert np.array_equal(answer.picture, rows)
            assert (answer.number("X-Row-Period"), answer.number("X-First-Time")) == (period, first_time)
            # More frames than were asked for: means of neighbours.
            answer = features.clip(index, "values", frames=7)
            step = round(answer.number("X-Row-Period") / period)
            assert len(answer.picture) <= 7 and step * 7 >= count
            assert np.abs(answer.picture - row_means(rows, step)).max() < 1e-5
            assert answer.number("X-First-Time") == pytest.approx(first_time + period * (step - 1) / 2)


def test_a_part_of_the_values(folder, features, number):
    index = number["whole"]
    whole, dataset = features.clip(index, "values").picture, features.json("/api/dataset")
    period, first_time = dataset["framePeriod"], dataset["firstFrameTime"]
    for start, end in [(0.5, 0.8), (-3, 0.1), (1.9, 77), (0, 0), (1, 1)]:
        answer = features.clip(index, "values", **{"from": start, "to": end})
        first = round((answer.number("X-First-Time") - first_time) / period)
        rows = answer.picture
        assert np.array_equal(rows, whole[first:first + len(rows)])
        times = first_time + period * np.arange(len(whole))
        inside = np.flatnonzero((times >= start) & (times <= end))
        assert not len(inside) or first <= inside[0] and inside[-1] < first + len(rows), (start, end)
        assert len(rows) <= len(inside) + 3
    assert len(features.clip(index, "values", **{"from": 50, "to": 60}).picture) == 0
    for query in ("from=2&to=1", "from=nan&to=1", "from=x&to=y", "from=1", "frames=-4", "frames=x", f"frames={2**70}"):
        assert features.get(f"/api/clips/{index}/values?{query}").status == 200, query


def test_undone_normalisation_gives_the_values_before_it(folder, features, serve, number):
    server = serve(folder / "z.h5")
    for name in ("whole", "part", "flac"):
        plain = features.clip(number[name], "values").picture
        assert not np.allclose(server.clip(number[name], "values").picture, plain, atol=0.1)
        assert np.abs(server.clip(number[name], "values", undo=1).picture - plain).max() < 1e-3


def test_falling_axes_rise_and_patches_are_frames(folder, veery, serve, tmp_path):
    veery("extract", folder / "m.csv", "-o", tmp_path / "d.h5", *PLAIN, "--set", "transform.order=descending", status=3)
    server = serve(tmp_path / "d.h5", "--root", folder)
    with h5py.File(tmp_path / "d.h5") as file:
        assert np.all(np.diff(file["frequency"][:]) < 0)
        assert server.json("/api/dataset")["frequency"] == pytest.approx(file["frequency"][:][::-1])
        count = file["clips/frame_count"][0]
        assert np.array_equal(server.clip(0, "values").picture, file["features"][:count][:, ::-1])
    veery("extract", folder / "m.csv", "-o", tmp_path / "p.h5", *PLAIN, "--set", "patches.length=20", status=3)
    server = serve(tmp_path / "p.h5", "--root", folder)
    with h5py.File(tmp_path / "p.h5") as file:
        count = file["clips/frame_count"][0]
        expected = file["features"][:count].reshape(-1, 8)
        answer = server.clip(0, "values")
        assert np.array_equal(answer.picture, expected)
        assert answer.number("X-Row-Period") == server.json("/api/dataset")["framePeriod"]


# --------------------------------------------------------------------------------------------------------------- sound


TOLERANCE = {"ogg": 1e-4, "mp3": 1e-4, "both": 1e-7}


@pytest.mark.parametrize("kind", ["features", "manifest"])
def test_what_is_played_is_the_samples_of_the_clip(folder, request, kind):
    server, expected = request.getfixturevalue(kind), parts(folder / "m.csv")
    for index, name in enumerate(server.clips()["id"]):
        if name not in expected:
            answer = server.get(f"/api/clips/{index}/sound.wav")
            assert answer.status == 404 and "recording" in answer.error
            continue
        samples, rate, *_ = expected[name]
        answer = server.clip(index, "sound.wav")
        found, found_rate = answer.sound
        assert found_rate == rate and len(found) == len(samples), name
        assert np.abs(found - samples).max() <= TOLERANCE.get(name, 0), name
        assert answer.number("X-First-Time") == 0 and answer.headers["Content-Type"] == "audio/wav"


def test_context_is_cut_at_the_ends_of_the_recording(folder, features, number):
    for name in ("part", "whole", "left", "flac", "member"):
        samples, rate, all, first = parts(folder / "m.csv")[name]
        for before, after in [(0.2, 0.3), (9, 9), (9, 0), (0, 1e12), (0.1, -0.05), (-0.05, 0), (-1, 9), (9, -1)]:
            start = max(first - round(before * rate), 0)
            end = min(first + len(samples) + round(min(after, 1e6) * rate), len(all))
            answer = features.get(f"/api/clips/{number[name]}/sound.wav?before={before}&after={after}")
            if end <= start:
                assert answer.status == 400 and "no samples" in answer.error
                continue
            assert np.array_equal(answer.sound[0], all[start:end]), (name, before, after)
            assert answer.number("X-First-Time") == pytest.approx((start - first) / rate, abs=1e-9)


def test_ranges_of_the_sound(features, number):
    target = f"/api/clips/{number['part']}/sound.wav"
    whole = features.get(target).body
    size = len(whole)
    for given, first, past in [
            ("bytes=0-0", 0, 1), ("bytes=0-99", 0, 100), ("bytes=40-", 40, size), ("bytes=-10", size - 10, size),
            ("bytes=43-45", 43, 46), (f"bytes=5-{2**80}", 5, size), (f"bytes=-{size + 5}", 0, size)]:
        answer = features.get(target, Range=given)
        assert (answer.status, answer.headers["Content-Range"]) == (206, f"bytes {first}-{past - 1}/{size}"), given
        assert answer.body == whole[first:past] and answer.headers["Accept-Ranges"] == "bytes"
    for given in (f"bytes={size}-", "bytes=-0", f"bytes={2**80}-"):
        answer = features.get(target, Range=given)
        assert (answer.status, answer.headers["Content-Range"], answer.body) == (416, f"bytes */{size}", b""), given
    for given in ("bytes=5-2", "bytes=a-b", "lines=1-2", "bytes=1-2,5-6", "bytes=-"):
        answer = features.get(target, Range=given)
        assert (answer.status, answer.body) == (200, whole), given
    head = features.request("HEAD", target)
    assert (head.status, head.body, head.headers["Content-Length"]) == (200, b"", str(size))
    assert features.get(f"/api/clips/{number['part']}", Range="bytes=0-1").status == 200


def test_levels_are_those_of_the_samples(folder, features, number):
    for name, (samples, *_) in parts(folder / "m.csv").items():
        details, samples = features.json(f"/api/clips/{number[name]}"), samples.astype(np.float64)
        tolerance = 0.01 if name in TOLERANCE else 1e-4
        assert details["peak"] == pytest.approx(20 * np.log10(np.abs(samples).max()), abs=tolerance), name
        assert details["rms"] == pytest.approx(10 * np.log10(np.mean(samples ** 2)), abs=tolerance), name
    found = features.clips()
    assert [value is None for value in found["rms"]] == [False] * len(CLIPS) + [True] * 2


def test_silence_has_the_least_level(tmp_path, serve):
    write_wav(tmp_path / "s.wav", RATE, np.zeros(RATE))
    (tmp_path / "m.csv").write_text("path\ns.wav\n")
    server = serve(tmp_path / "m.csv")
    assert server.clips()["peak"] == [None]
    details = server.json("/api/clips/0")
    assert (details["peak"], details["rms"]) == (-120, -120)
    assert server.clips()["peak"] == [-120] and server.clips()["duration"] == [1]


# ------------------------------------------------------------------------------------------------------------ pictures


@pytest.mark.parametrize("query", [{}, {"before": 0.2, "after": 0.1}, {"before": 9, "after": 9}])
def test_the_waveform_is_the_extremes_of_the_samples(folder, features, number, query):
    for name in ("whole", "part", "left", "float", "flac"):
        played, rate = features.clip(number[name], "sound.wav", **query).sound
        for columns in (1, 7, 100, 1200):
            answer = features.clip(number[name], "waveform", columns=columns, **query)
            pairs = np.frombuffer(answer.body, "<f4").reshape(-1, 2)
            assert len(pairs) == columns == int(answer.headers["X-Columns"])
            assert answer.number("X-Column-Period") == pytest.approx(len(played) / rate / columns)
            assert answer.number("X-First-Time") == pytest.approx(max(-query.get("before", 0), -start_of(folder, name)), abs=1e-4)
            edges = np.arange(columns + 1) * len(played) / columns
            for (low, high), start, end in zip(pairs, edges, edges[1:]):
                # A sample at an edge may count for both sides.
                wide = played[max(int(start) - 1, 0):int(np.ceil(end)) + 1]
                narrow = played[int(np.ceil(start)) + 1:int(end) - 1]
                assert wide.min() <= low <= narrow.min(initial=9) and narrow.max(initial=-9) <= high <= wide.max(), (name, columns)
            assert pairs[:, 0].min() == played.min() and pairs[:, 1].max() == played.max()


def start_of(folder, name):
    _, rate, _, first = parts(folder / "m.csv")[name]
    return first / rate


@pytest.mark.parametrize("size, frames, query", [(64, 2000, {}), (256, 40, {}), (1024, 2000, {"before": 0.1, "after": 0.2}), (4096, 2, {})])
def test_the_spectrogram_is_the_power_of_the_samples(folder, features, number, size, frames, query):
    """Hann windows, centred on multiples of the hop, zeros before and after."""
    for name in ("part", "flac", "right"):
        played, rate = features.clip(number[name], "sound.wav", **query).sound
        answer = features.clip(number[name], "spectrogram", size=size, frames=frames, **query)
        found, hop = answer.picture, round(answer.number("X-Row-Period") * rate)
        assert found.shape == (len(played) // hop + 1, size // 2 + 1) and len(found) <= frames + 1
        assert hop == max(size // 8, -(-len(played) // frames)) and answer.number("X-Nyquist") == rate / 2
        assert answer.number("X-First-Time") == pytest.approx(max(-query.get("before", 0), -start_of(folder, name)), abs=1e-9)
        padded = np.pad(played.astype(np.float64), (size // 2, size))
        windows = np.stack([padded[row * hop:row * hop + size] for row in range(len(found))]) * scipy.signal.get_window("hann", size)
        expected = 10 * np.log10(np.maximum(np.abs(np.fft.rfft(windows)) ** 2, 1e-10))
        # A bin that cancels has rounding alone; float32 has 24 bits of the greatest one.
        heard = expected > expected.max() - 90
        assert np.abs(found[heard] - expected[heard]).max() < 0.01


def test_sizes_of_windows_are_powers_of_two(features, number):
    for size in (0, -8, 8, 100, 131_072, 2**63):
        answer = features.get(f"/api/clips/{number['part']}/spectrogram?size={size}")
        assert answer.status == (400 if size < 2**63 else 200), size


# --------------------------------------------------------------------------------------------------- marks and messages


def test_labels_of_frames_and_clips_of_the_same_recording(tmp_path, veery, serve):
    write_wav(tmp_path / "a.wav", RATE, noise(1, 4 * RATE))
    (tmp_path / "m.csv").write_text("path,id,label,start,end\na.wav,one,x,0.5,1.5\na.wav,two,y,1.25,2\na.wav,three,x,3,3.5\n")
    (tmp_path / "n.csv").write_text("path,label,start,end\na.wav,song,0.75,1\na.wav,call,1,1.3\n")
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", *MEL, "--frame-labels", tmp_path / "n.csv")
    server = serve(tmp_path / "f.h5")
    details = server.json("/api/clips/0")
    period = server.json("/api/dataset")["framePeriod"]
    assert [mark["label"] for mark in details["frameLabels"]] == ["song", "call"]
    for mark, (start, end) in zip(details["frameLabels"], [(0.25, 0.5), (0.5, 0.8)]):
        assert mark["start"] == pytest.approx(start, abs=period) and mark["end"] == pytest.approx(end, abs=period)
    assert [(mark["label"], mark["start"], mark["end"]) for mark in details["annotations"]] == [("y", 0.75, 1.5), ("x", 2.5, 3)]
    assert server.json("/api/clips/1")["annotations"][0] == {"label": "x", "start": -0.75, "end": 0.25, "low": None, "high": None}
    server = serve(tmp_path / "m.csv", "--annotations", tmp_path / "n.csv")
    marks = server.json("/api/clips/0")["annotations"]
    assert [(mark["label"], round(mark["start"], 9), round(mark["end"], 9)) for mark in marks] == [("song", 0.25, 0.5), ("call", 0.5, 0.8)]


def test_a_recording_that_is_missing_changed_or_cut(tmp_path, veery, serve):
    for name in ("gone", "cut", "other", "good"):
        write_wav(tmp_path / f"{name}.wav", RATE, noise(1, RATE))
    (tmp_path / "m.csv").write_text("path,id,start,end\ngone.wav,gone,,\ncut.wav,cut,0.5,0.9\nother.wav,other,,\ngood.wav,good,,\n")
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", *MEL)
    (tmp_path / "gone.wav").unlink()
    (tmp_path / "cut.wav").write_bytes((tmp_path / "cut.wav").read_bytes()[:1000])
    (tmp_path / "other.wav").write_bytes(b"something else")
    for name in ("f.h5", "m.csv"):
        server = serve(tmp_path / name)
        for number, said in [(0, f"not at {tmp_path}/gone.wav. Give the folder"), (1, "recording"), (2, "recording")]:
            details = server.json(f"/api/clips/{number}")
            assert not details["recording"]["found"] and said in details["recording"]["message"], details
            assert details["peak"] is None
            for part in ("sound.wav", "waveform", "spectrogram"):
                answer = server.get(f"/api/clips/{number}/{part}")
                assert answer.status in (400, 404) and said in answer.error, answer.body
            assert server.get(f"/api/clips/{number}/values").status == (200 if name == "f.h5" else 404)
        assert server.json("/api/clips/3")["recording"] == {"found": True, "duration": 1, "message": ""}


def test_the_folder_of_recordings_that_were_moved(folder, serve, tmp_path):
    shutil.copy(folder / "m.csv", tmp_path / "m.csv")
    said = serve(tmp_path / "m.csv").json("/api/clips/0")["recording"]
    assert said["message"] == f"The recording is not at {tmp_path}/a.wav. Give the folder that its path starts from with --root."
    assert serve(tmp_path / "m.csv", "--root", folder).json("/api/clips/0")["recording"]["found"]


def test_labels_are_judged_where_there_are_features(folder, manifest, features):
    said = manifest.json("/api/suspicion")
    assert said["state"] == "none" and "open the file that 'veery extract' makes of this manifest" in said["note"]
    assert features.json("/api/suspicion")["state"] in ("computing", "done")


def test_a_part_that_is_too_long_to_be_played(tmp_path, serve):
    """Three hours of zeros at 8 kHz, in a file without blocks on the disk."""
    write_wav(tmp_path / "a.wav", RATE, np.zeros(1))
    header, size = bytearray((tmp_path / "a.wav").read_bytes()[:44]), 2 * RATE * 3 * 3600
    header[4:8], header[40:44] = (size + 36).to_bytes(4, "little"), size.to_bytes(4, "little")
    (tmp_path / "a.wav").write_bytes(header)
    with (tmp_path / "a.wav").open("r+b") as file:
        file.truncate(44 + size)
    (tmp_path / "m.csv").write_text("path,start,end\na.wav,,\na.wav,5000,5001\n")
    server = serve(tmp_path / "m.csv")
    assert server.json("/api/clips/0")["peak"] is None
    answer = server.get("/api/clips/0/sound.wav")
    assert answer.status == 413 and answer.error == "This part is too long to play at once: select a shorter one."
    assert len(server.clip(0, "sound.wav", before=-10_000, after=-799).sound[0]) == RATE
    assert len(server.clip(1, "sound.wav", before=1, after=1).sound[0]) == 3 * RATE


def test_hostile_texts_are_texts(features, number, folder):
    assert HOSTILE in number
    details = features.json(f"/api/clips/{number[HOSTILE]}")
    assert details["id"] == HOSTILE
    answer = features.get(f"/api/clips/{number[HOSTILE]}")
    assert answer.headers["Content-Type"] == "application/json" and answer.headers["X-Content-Type-Options"] == "nosniff"
    page = features.get("/")
    assert page.headers["Content-Type"].startswith("text/html") and HOSTILE.encode() not in page.body


def test_root_view_and_the_command_of_the_page(folder, serve, tmp_path):
    shutil.copy(folder / "m.csv", tmp_path / "it's m.csv")
    server = serve(tmp_path / "it's m.csv", "--root", folder, "--view", "#q=a b", "--labels", tmp_path / "k.csv")
    assert server.address.endswith("#q=a%20b")
    assert server.json("/api/clips/0")["recording"]["found"]
    dataset = server.json("/api/dataset")
    assert dataset["corrections"] == "k.csv" and "it'\\''s m.csv' --root" in dataset["command"]
    assert re.fullmatch(r"veery \d+\.\d+\.\d+.*", dataset["version"])


def test_the_file_that_was_replaced_is_gone(folder, serve, tmp_path):
    shutil.copy(folder / "f.h5", tmp_path / "f.h5")
    server = serve(tmp_path / "f.h5")
    before = server.json("/api/state")["generation"]
    assert server.json("/api/dataset")["generation"] == before
    shutil.copy(folder / "z.h5", tmp_path / "new.h5")
    (tmp_path / "new.h5").rename(tmp_path / "f.h5")
    for target in ("/api/dataset", "/api/clips", "/api/clips/0", "/api/clips/0/values", "/api/clips/0/sound.wav", "/api/suspicion"):
        answer = server.get(target)
        assert answer.status == 410 and "f.h5 was replaced or changed" in answer.error, target
    assert server.post((0, "checked")).status == 410 and not (tmp_path / "f.corrections.csv").exists()
    assert server.json("/api/state")["generation"] != before
    (tmp_path / "f.h5").unlink()
    assert server.get("/api/dataset").status == 410 and server.json("/api/state")["corrections"] == 0
