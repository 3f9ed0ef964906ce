"""Several labels of a clip (`/clips/label_matrix`), and labels of frames (`extract --frame-labels`)."""

import json
import pathlib
import signal
import subprocess
import time

import h5py
import numpy as np
import PIL.Image
import pytest
from conftest import noise, write_manifest, write_wav
from test_commands import digest, validate
from test_format import metadata_checksum, record_checksums
from veery import open as open_features

HERE = pathlib.Path(__file__).resolve().parents[1]
GOLDENS = json.loads((HERE / "Fixtures" / "frame-label-goldens.json").read_text("utf-8"))
RATE = 16_000


def matrix(path):
    """For each clip the set of its labels, by the matrix; None: there is none."""
    with h5py.File(path) as file:
        if "clips/label_matrix" not in file:
            return None
        names, rows = file["labels"].asstr()[:], file["clips/label_matrix"][:]
        assert rows.dtype == np.uint8 and rows.shape == (len(file["clips/id"]), len(names)) and set(np.unique(rows)) <= {0, 1}
        return [set(names[row != 0]) for row in rows]


def frame_labels(path):
    """For each clip, the names of its frames' labels; None for a frame without a label."""
    with h5py.File(path) as file:
        names = [*file["frame_label_names"].asstr()[:], None]
        labels = file["frame_label"][:].reshape(-1)
        assert file["frame_label"].dtype == np.int32 and labels.min(initial=-1) >= -1 and labels.max(initial=-1) < len(names) - 1
        clips = zip(file["clips/id"].asstr()[:], file["clips/frame_start"][:], file["clips/frame_count"][:])
        return {name: [names[label] for label in labels[start:start + count]] for name, start, count in clips}


def by_formula(segments, start, duration, first, period, frames):
    """What the page says, by NumPy: the annotation that starts last among those with onset <= middle < offset, to a nanosecond.

    Rows whose middle is before or after the clip have none.
    """
    time = np.rint((start + (first + np.arange(frames) * period)) * 1e9).astype(np.int64) + 1
    labels, latest = [None] * frames, np.full(frames, -1)
    for order, (onset, offset, label) in enumerate(segments):
        onset, offset = int(np.rint(onset * 1e9)), int(np.rint(offset * 1e9))
        for row in np.flatnonzero((onset <= time) & (time < offset) & (time < int(np.rint((start + duration) * 1e9)))
                                  & (time >= int(np.rint(start * 1e9)))):
            if onset >= latest[row]:
                labels[row], latest[row] = label, onset
    return labels


@pytest.fixture
def folder(tmp_path):
    for name, seconds in (("day", 4), ("night", 2)):
        write_wav(tmp_path / f"{name}.wav", RATE, noise(len(name), seconds * RATE))
    return tmp_path


ANNOTATIONS = [("day.wav", 0.5, 1.25, "wren"), ("day.wav", 1.0, 1.5, "robin"), ("day.wav", 2.0, 3.5, "wren"),
               ("day.wav", 2.2, 2.4, "owl"), ("day.wav", 2.2, 2.3, "robin"), ("night.wav", 0.0, 0.31, "owl")]


def annotate(path, rows=ANNOTATIONS):
    write_manifest(path, [dict(file=row[0], onset=row[1], offset=row[2], label=row[3]) for row in rows])
    return path


def checksums_hold(path):
    with h5py.File(path) as file:
        assert list(file["clips/record_xxh3"].asstr()[:]) == list(record_checksums(file))
        assert file.attrs["metadata_xxh3"] == metadata_checksum(file)


# Several labels

LISTS = ["wren|robin", "", "owl", "robin||wren|robin|", '["a|b","owl"]', "[]", "wren"]
SETS = [{"wren", "robin"}, set(), {"owl"}, {"robin", "wren"}, {"a|b", "owl"}, set(), {"wren"}]


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl"])
@pytest.mark.parametrize("layout", [[], ["--set", "store.compression=deflate"], ["--set", "store.layout=fixed", "--set", "audio.duration=0.5"]],
                         ids=["packed", "deflate", "fixed"])
def test_lists_of_labels_become_a_matrix(veery, folder, form, layout):
    rows = [dict(path="day.wav", start=i / 4, end=i / 4 + 0.5, label=["wren", "", "owl", "noise"][i % 4], labels=labels)
            for i, labels in enumerate(LISTS)]
    path = folder / f"m.{form}"
    if form == "jsonl":
        for row, labels in zip(rows, SETS):
            row["labels"] = sorted(labels)
        rows[1]["labels"] = None
        del rows[5]["labels"]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        write_manifest(path, rows, "\t" if form == "tsv" else ",")
        if form == "tsv":
            path.write_text(path.read_text().replace('"["', '["').replace('""', '"').replace('"]"', '"]'))
    said = veery("extract", path, "-o", folder / "f.h5", *layout).stderr
    assert "3 rows have a 'label' that their 'labels' do not list" in said, said
    assert matrix(folder / "f.h5") == SETS
    with h5py.File(folder / "f.h5") as file:
        assert list(file["labels"].asstr()[:]) == sorted({"a|b", "owl", "robin", "wren", "noise"})
        assert list(file["clips/label_index"][:]) == [
            -1 if not row["label"] else list(file["labels"].asstr()[:]).index(row["label"]) for row in rows]
        assert "labels" in file["clips/extra"]
    assert "complete and consistent" in veery("inspect", folder / "f.h5", "--verify").stdout
    checksums_hold(folder / "f.h5")


def test_lists_that_cannot_be_read_are_reported_at_once(veery, folder):
    write_manifest(folder / "m.csv", [dict(path="day.wav", id=str(i), labels=labels) for i, labels in enumerate(
        ["a|b", "['a', 'b']", '["a"', '[["a"]]', "[noise]", '["a" "b"]'])])
    said = veery("extract", folder / "m.csv", "-o", folder / "f.h5", status=1).stderr
    assert [f"line {line}" in said for line in (2, 3, 4, 5, 6, 7)] == [False, False, False, True, False, True], said
    assert "neither in JSON nor as Python" in said and not (folder / "f.h5").exists()


def test_a_file_without_the_column_is_as_before(veery, folder):
    """No dataset, no other name."""
    write_manifest(folder / "m.csv", [dict(path="day.wav", label="wren")])
    veery("extract", folder / "m.csv", "-o", folder / "f.h5")
    with h5py.File(folder / "f.h5") as file:
        names = []
        file.visit(names.append)
        assert not [name for name in names if "matrix" in name or "frame_label" in name or "annotations" in name]


def test_likely_mistakes_are_reported(veery, folder):
    write_manifest(folder / "m.csv", [dict(path="day.wav", labels="guitar,drums")])
    assert "(--label-separator ','); to split them, give this option" in veery("extract", folder / "m.csv", "-o", folder / "f.h5").stderr
    (folder / "m.jsonl").write_text(json.dumps(dict(path="day.wav", Labels="guitar|drums")) + "\n")
    assert "(not 'labels')" in veery("extract", folder / "m.jsonl", "-o", folder / "f.h5", "--overwrite").stderr


def test_windows_of_clips_become_rows(veery, folder):
    """From annotations to windows to a matrix: the labels of the annotations that overlap each window."""
    annotate(folder / "a.csv")
    for form in ("csv", "jsonl"):
        veery("clips", folder, "--annotations", folder / "a.csv", "--window", "0.5s", "-o", folder / f"w.{form}")
        veery("extract", folder / f"w.{form}", "-o", folder / f"{form}.h5", "--set", "normalize.scope=none")
    with h5py.File(folder / "csv.h5") as file:
        windows = list(zip(file["clips/path"].asstr()[:], file["clips/start"][:], file["clips/duration"][:]))
    expected = [{label for name, on, off, label in ANNOTATIONS if name == path and on < start + length and off > start}
                for path, start, length in windows]
    assert matrix(folder / "csv.h5") == matrix(folder / "jsonl.h5") == expected and any(len(row) > 1 for row in expected)


def test_damage_in_the_matrix_is_found(veery, folder):
    write_manifest(folder / "m.csv", [dict(path="day.wav", labels="a|b", start=i / 10, end=i / 10 + 0.5) for i in range(20)])
    veery("extract", folder / "m.csv", "-o", folder / "f.h5")
    for value in (0, 2):
        with h5py.File(folder / "f.h5", "a") as file:
            file["clips/label_matrix"][7, 1] = value
        said = veery("inspect", folder / "f.h5", "--verify", status=1).stdout
        assert "clip 'day#0.7-1.2'" in said and "record_xxh3" in said


def test_inspect_counts_labels(veery, folder):
    write_manifest(folder / "m.csv", [
        dict(path="day.wav", start=i / 10, end=i / 10 + 0.5, labels=labels) for i, labels in enumerate(
            ["a|b", "a|b|c", "c", "", "b"])])
    veery("extract", folder / "m.csv", "-o", folder / "f.h5")
    report = json.loads(veery("inspect", folder / "f.h5", "--json").stdout)
    validate(report, "inspect")
    found = report["label_matrix"]
    assert [(group["name"], group["clips"]) for group in found["labels"]] == [("a", 2), ("b", 3), ("c", 2)]
    assert found["unlabelled"] == 1 and report["unlabelled"] == 5 and "frame_labels" not in report
    assert {count["value"]: count["clips"] for count in found["labels_per_clip"]} == {0: 1, 1: 2, 2: 1, 3: 1}
    assert found["frequent"] == [1, 0, 2] and found["together"] == [[3, 2, 1], [2, 2, 1], [1, 1, 2]]
    text = veery("inspect", folder / "f.h5").stdout
    assert "Labels, all of each clip (3)" in text and "b + a 2" in text
    veery("inspect", folder / "f.h5", "--html", folder / "p.html")
    page = (folder / "p.html").read_text("utf-8")
    assert "Labels that clips have together" in page and "b and a: 2 clips" in page


def test_a_label_counts_where_the_list_of_labels_does_not_name_it(veery, folder):
    """An example is the label that `clips --no-label none` gives windows without a call. All commands agree on a clip's labels."""
    rows = [("none", ""), ("none", ""), ("a", "a|b"), ("b", "b"), ("c", "a"), ("", "")]
    write_manifest(folder / "m.csv", [
        dict(path="day.wav", start=i / 10, end=i / 10 + 0.5, label=label, labels=labels, id=f"{i}")
        for i, (label, labels) in enumerate(rows)])
    veery("extract", folder / "m.csv", "-o", folder / "f.h5")
    expected = {"a": ["2", "4"], "b": ["2", "3"], "c": ["4"], "none": ["0", "1"]}
    found = json.loads(veery("inspect", folder / "f.h5", "--json").stdout)["label_matrix"]
    assert {group["name"]: group["clips"] for group in found["labels"]} == {label: len(ids) for label, ids in expected.items()}
    assert found["unlabelled"] == 1 and {count["value"]: count["clips"] for count in found["labels_per_clip"]} == {0: 1, 1: 3, 2: 2}
    names = [group["name"] for group in found["labels"]]
    assert dict(zip((names[label] for label in found["frequent"]), found["together"]))["a"] == [2, 1, 0, 1]
    for label, ids in expected.items():
        assert [clip.id for clip in open_features(folder / "f.h5").select(label=label)] == ids
        out = folder / f"export-{label}"
        veery("export", folder / "f.h5", "--to", "npy", "--label", label, "-o", out)
        assert [json.loads(line)["id"] for line in (out / "clips.jsonl").read_text().splitlines()] == ids
    # The matrix itself has what the column lists, and nothing else.
    assert matrix(folder / "f.h5") == [set(), set(), {"a", "b"}, {"b"}, {"a"}, set()]


# Labels of frames

CONFIGURATIONS = {
    "start": [], "center": ["--preset", "librosa-log-mel"], "kaldi": ["--preset", "kaldi-fbank"],
    "resampled": ["--set", "audio.sample_rate=11025"],
    "deflate": ["--set", "store.compression=deflate"],
    "fixed": ["--set", "store.layout=fixed", "--set", "audio.duration=1.5"],
    "padded": ["--set", "audio.duration=1.5"],
    "lead": ["--set", "audio.lead=1000"],
    "pad_end": ["--set", "frame.align=start", "--set", "frame.pad_end=true"],
}


@pytest.mark.parametrize("options", CONFIGURATIONS.values(), ids=CONFIGURATIONS)
def test_frames_have_the_label_of_the_annotation_at_their_middle(veery, folder, options):
    annotate(folder / "a.csv")
    write_manifest(folder / "m.csv", [
        dict(path="day.wav", id="day"), dict(path="night.wav", id="night"),
        *(dict(path="day.wav", id=f"part{i}", start=start, end=end) for i, (start, end) in enumerate(
            [(0.77, 1.6), (1.00003, 2.25), (2.2, 2.9), (3.45, 4)]))])
    veery("extract", folder / "m.csv", "-o", folder / "f.h5", "--frame-labels", folder / "a.csv", *options)
    assert "complete and consistent" in veery("inspect", folder / "f.h5", "--verify").stdout
    checksums_hold(folder / "f.h5")
    found = frame_labels(folder / "f.h5")
    with h5py.File(folder / "f.h5") as file:
        features = file["features"]
        assert file["frame_label"].shape == features.shape[:-1]
        assert list(file["frame_label_names"].asstr()[:]) == ["owl", "robin", "wren"]
        first, period = features.attrs["first_frame_time"], features.attrs["frame_period"]
        covered = np.zeros(file["frame_label"].size, bool)
        for row, name in enumerate(file["clips/id"].asstr()[:]):
            path, start, count = (file[f"clips/{key}"][row] for key in ("path", "start", "frame_count"))
            segments = [(on, off, label) for recording, on, off, label in ANNOTATIONS if recording == path.decode()]
            start = round(start * RATE) / RATE
            assert found[name] == by_formula(segments, start, file["clips/duration"][row], first, period, count), name
            covered[file["clips/frame_start"][row]:][:count] = True
        assert (file["frame_label"][:].reshape(-1)[~covered] == -1).all()
    assert {"owl", "robin", "wren", None} == {label for labels in found.values() for label in labels}


def test_real_songs_are_labelled_as_crowsetta_and_vak_say(veery, collection, tmp_path):
    birds = collection / "birds"
    songs = GOLDENS["songs"]
    tables = {"bengalese_finch_Bird0": "Annotation.xml", "bengalese_finch_gy6or6": "annotations.csv"}
    different = total = 0
    for bird, table in tables.items():
        own = {name: song for name, song in songs.items() if name.startswith(bird)}
        write_manifest(tmp_path / "m.csv", [dict(path=str(birds / name), id=name) for name in own])
        veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "--frame-labels", birds / bird / table, "--overwrite")
        found = frame_labels(tmp_path / "f.h5")
        for name, song in own.items():
            labels, (first, period) = found[name], (GOLDENS["frame"][key] for key in ("first", "period"))
            assert len(labels) == song["frames"]
            assert labels == by_formula(song["segments"], 0, 1e6, first, period, len(labels)), name
            # vak includes the frames next to both ends; where a syllable follows at once, its first frame is the last's.
            vak = [None] * len(labels)
            for start, count, label in song["vak"]:
                vak[start:start + count] = [label] * count
            edges = np.array([edge for segment in song["segments"] for edge in segment[:2]])
            for row in np.flatnonzero([one != other for one, other in zip(labels, vak)]):
                assert np.abs(edges - (first + row * period)).min() <= period / 2 + 1e-9, (name, row)
                different += 1
            assert all(other is not None for one, other in zip(labels, vak) if one is not None)
            total += len(labels)
    assert total == 13080 and 0 < different < 0.06 * total, (different, total)


def test_a_segment_is_labelled_like_the_same_segment_cut_into_a_file(veery, folder):
    (start, end) = (12_345, 51_111)
    samples = noise(3, 4 * RATE)
    write_wav(folder / "cut.wav", RATE, samples[start:end])
    shift = start / RATE
    annotate(folder / "a.csv", ANNOTATIONS[:-1] + [
        ("cut.wav", max(on - shift, 0), min(off - shift, (end - start) / RATE), label) for name, on, off, label in ANNOTATIONS
        if name == "day.wav" and off > shift and on < end / RATE])
    write_manifest(folder / "m.csv", [dict(path="day.wav", id="part", start=start / RATE, end=end / RATE), dict(path="cut.wav", id="cut")])
    veery("extract", folder / "m.csv", "-o", folder / "f.h5", "--frame-labels", folder / "a.csv")
    with h5py.File(folder / "f.h5") as file:
        assert list(file["clips/tensor_xxh3"][:]) == [file["clips/tensor_xxh3"][0]] * 2
        assert list(file["clips/frame_label_xxh3"][:]) == [file["clips/frame_label_xxh3"][0]] * 2
    found = frame_labels(folder / "f.h5")
    assert found["part"] == found["cut"] and set(found["cut"]) == {"wren", "robin", "owl", None}


def test_all_problems_of_annotations_are_reported_at_once(veery, folder):
    # Of two annotations that start together the last row counts, but `clips` sorts its rows: so there are none here.
    rows = [*ANNOTATIONS[:4], ("day.wav", 2.25, 2.3, "robin"), ANNOTATIONS[5]]
    annotate(folder / "a.csv", rows + [("day.wav", 11, 12, "wren"), ("nobody.wav", 0, 1, "wren"), ("day.wav", 3, 9, "owl"),
                                               ("night.wav", 0, 0.31, "owl")])
    (folder / "b.csv").write_text("file,onset,offset,label\nday.wav,x,1,a\n")
    write_manifest(folder / "m.csv", [dict(path="day.wav"), dict(path="night.wav")])
    run = ["extract", folder / "m.csv", "-o", folder / "f.h5", "--frame-labels", folder / "a.csv", "--frame-labels", folder / "b.csv"]
    said = veery(*run, status=1).stderr
    for problem in ("a.csv, line 8: starts at 11 s", "a.csv, line 9: names the recording 'nobody.wav'", "a.csv, line 10: ends at 9 s",
                    "a.csv, line 11: repeats line 7", "b.csv, line 2"):
        assert problem in said, said
    assert not (folder / "f.h5").exists()
    # `clips` leaves problems out, and its manifest is a table of annotations, too.
    veery("clips", folder / "m.csv", "--annotations", folder / "a.csv", "--annotations", folder / "b.csv", "--skip-problems",
          "-o", folder / "kept.csv")
    veery(*run[:4], "--frame-labels", folder / "kept.csv")
    annotate(folder / "c.csv", rows)
    veery("extract", folder / "m.csv", "-o", folder / "g.h5", "--frame-labels", folder / "c.csv")
    assert frame_labels(folder / "f.h5") == frame_labels(folder / "g.h5")
    assert "there is no such file" in veery("extract", folder / "m.csv", "-o", folder / "x.h5", "--frame-labels", folder / "no.csv", status=1).stderr
    assert "for --frame-labels" in veery("extract", folder / "m.csv", "-o", folder / "x.h5", "--tier", "words", status=64).stderr


def test_the_format_of_annotations_does_not_matter(veery, folder):
    """Two tables in a folder, next to the recordings, or one for both: the same labels, and the same file."""
    rows = [row for row in ANNOTATIONS if row[1:3] != (2.2, 2.3)]
    annotate(folder / "one.csv", rows)
    (folder / "tables").mkdir()
    for name in ("day", "night"):
        (folder / f"tables/{name}.txt").write_text("".join(f"{on}\t{off}\t{label}\n" for path, on, off, label in rows if path == f"{name}.wav"))
    write_manifest(folder / "m.csv", [dict(path="day.wav"), dict(path="night.wav")])
    for name, given in (("one", "one.csv"), ("tables", "tables")):
        veery("extract", folder / "m.csv", "-o", folder / f"{name}.h5", "--frame-labels", folder / given)
    assert digest(folder / "one.h5") == digest(folder / "tables.h5")


def test_rows_belong_to_their_clips_where_others_fail(veery, folder):
    """A recording that is missing, one that is too short, and one that is not a recording: their annotations are not a problem."""
    write_wav(folder / "short.wav", RATE, noise(1, 20))
    (folder / "text.wav").write_text("no recording")
    annotate(folder / "a.csv", [*ANNOTATIONS, ("gone.wav", 1, 2, "auk"), ("text.wav", 1, 2, "auk"), ("short.wav", 0, 0.001, "auk")])
    names = ["gone", "day", "text", "short", "night"]
    write_manifest(folder / "m.csv", [dict(path=f"{name}.wav", labels=f"{name}|all") for name in names])
    veery("extract", folder / "m.csv", "-o", folder / "f.h5", "--frame-labels", folder / "a.csv", "--max-failures", 3)
    write_manifest(folder / "n.csv", [dict(path=f"{name}.wav") for name in ("day", "night")])
    veery("extract", folder / "n.csv", "-o", folder / "g.h5", "--frame-labels", annotate(folder / "b.csv"))
    assert matrix(folder / "f.h5") == [{"day", "all"}, {"night", "all"}]
    assert frame_labels(folder / "f.h5") == frame_labels(folder / "g.h5")
    with h5py.File(folder / "f.h5") as file:
        assert list(file["labels"].asstr()[:]) == sorted([*names, "all"]) and "auk" in file["frame_label_names"].asstr()[:]
    assert "complete and consistent" in veery("inspect", folder / "f.h5", "--verify").stdout


def test_other_annotations_are_another_run(veery, folder):
    annotate(folder / "a.csv")
    annotate(folder / "b.csv", ANNOTATIONS[:-1])
    write_manifest(folder / "m.csv", [dict(path="day.wav"), dict(path="night.wav")])
    run = ["extract", folder / "m.csv", "-o", folder / "f.h5"]
    veery(*run, "--frame-labels", folder / "a.csv")
    before = digest(folder / "f.h5")
    assert "up to date" in veery(*run, "--frame-labels", folder / "a.csv").stderr
    assert "other annotations" in veery(*run, "--frame-labels", folder / "b.csv", status=1).stderr
    assert "--frame-labels is not given" in veery(*run, status=1).stderr
    assert digest(folder / "f.h5") == before
    veery(*run, "--overwrite")
    assert "has no labels of frames" in veery(*run, "--frame-labels", folder / "a.csv", status=1).stderr


def many(folder, clips=400):
    rows = []
    for index in range(20):
        write_wav(folder / f"r{index}.wav", RATE, noise(index, 6 * RATE))
    random = np.random.default_rng(5)
    for index in range(clips):
        start = round(float(random.uniform(0, 3)), 4)
        rows.append(dict(path=f"r{index % 20}.wav", id=f"c{index}", start=start, end=start + 2.5,
                         labels="|".join(random.choice(["a", "b", "c", "d"], random.integers(0, 4)))))
    marks = []
    for index in range(20):
        for start in np.arange(0, 5.5, 0.25):
            marks.append((f"r{index}.wav", round(start + random.uniform(0, 0.2), 5), round(start + random.uniform(0.2, 0.5), 5), random.choice(["x", "y", "z"])))
    annotate(folder / "a.csv", marks)
    write_manifest(folder / "m.csv", rows)
    return rows, marks


@pytest.mark.long
@pytest.mark.parametrize("options", [[], ["--set", "normalize.scope=none"], ["--set", "store.compression=deflate"]],
                         ids=["normalised", "in place", "deflate"])
def test_the_bytes_depend_neither_on_jobs_nor_on_kills(program, veery, tmp_path, options):
    many(tmp_path)
    run = ["extract", tmp_path / "m.csv", "--frame-labels", tmp_path / "a.csv", *options]
    veery(*run, "-o", tmp_path / "one.h5", "--jobs", 1)
    veery(*run, "-o", tmp_path / "four.h5", "--jobs", 4)
    assert digest(tmp_path / "one.h5") == digest(tmp_path / "four.h5")
    killed = 0
    for delay in np.random.default_rng(7).uniform(0.02, 0.5, 8):
        process = subprocess.Popen([program, *map(str, run), "-o", tmp_path / "killed.h5"], stderr=subprocess.DEVNULL)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        killed += process.wait() != 0
    annotate(tmp_path / "b.csv", [("r0.wav", 0, 1, "x")])
    if not (tmp_path / "killed.h5").exists() and (tmp_path / "killed.h5.spool").exists():
        said = veery("extract", tmp_path / "m.csv", "--frame-labels", tmp_path / "b.csv", *options, "-o", tmp_path / "killed.h5",
                     status=(0, 1)).stderr
        assert "the annotations of --frame-labels have changed" in said or "wrote" in said
        (tmp_path / "killed.h5").unlink(missing_ok=True)
    veery(*run, "-o", tmp_path / "killed.h5")
    assert killed and digest(tmp_path / "killed.h5") == digest(tmp_path / "one.h5")
    assert "complete and consistent" in veery("inspect", tmp_path / "killed.h5", "--verify").stdout


def test_appending_keeps_indices(veery, folder):
    """New names come after the old ones; what the file says of its clips does not change."""
    annotate(folder / "old.csv", ANNOTATIONS[:5])
    annotate(folder / "new.csv", [*ANNOTATIONS, ("night.wav", 0.5, 1.0, "auk")])
    write_manifest(folder / "old_m.csv", [dict(path="day.wav", labels="a|b")])
    write_manifest(folder / "new_m.csv", [dict(path="day.wav", labels="b"), dict(path="night.wav", labels="c")])
    veery("extract", folder / "old_m.csv", "-o", folder / "f.h5", "--frame-labels", folder / "old.csv")
    before = frame_labels(folder / "f.h5")
    append = ["extract", folder / "new_m.csv", "-o", folder / "f.h5", "--append"]
    for wrong, words in [([], "give their annotations with --frame-labels"),
                         (["--frame-labels", annotate(folder / "w.csv", [ANNOTATIONS[-1]])], "the annotations of its clip 'day'")]:
        older = digest(folder / "f.h5")
        assert words in veery(*append, *wrong, status=1).stderr and digest(folder / "f.h5") == older
    veery(*append, "--frame-labels", folder / "new.csv")
    with h5py.File(folder / "f.h5") as file:
        assert list(file["frame_label_names"].asstr()[:]) == ["owl", "robin", "wren", "auk"]
    found = frame_labels(folder / "f.h5")
    assert found["day"] == before["day"] and set(found["night"]) == {"owl", "auk", None}
    assert matrix(folder / "f.h5") == [{"b"}, {"c"}]
    assert "complete and consistent" in veery("inspect", folder / "f.h5", "--verify").stdout
    checksums_hold(folder / "f.h5")
    assert "up to date" in veery(*append, "--frame-labels", folder / "new.csv").stderr
    veery("extract", folder / "old_m.csv", "-o", folder / "g.h5")
    assert "its frames have no labels" in veery(
        "extract", folder / "new_m.csv", "-o", folder / "g.h5", "--append", "--frame-labels", folder / "new.csv", status=1).stderr


@pytest.mark.parametrize("options", [[], ["--set", "normalize.scope=none"], ["--set", "store.layout=fixed", "--set", "audio.duration=0.5"]],
                         ids=["dataset", "none", "fixed"])
def test_syncing_renews_both_kinds_of_labels(veery, folder, options):
    """The bytes are those of a fresh run with the new manifest and the new annotations; rows are copied."""
    annotate(folder / "old.csv", ANNOTATIONS[:5])
    annotate(folder / "new.csv", [*ANNOTATIONS[1:], ("night.wav", 0.5, 1.0, "auk")])
    write_manifest(folder / "m.csv", [dict(path="day.wav", labels="a|b"), dict(path="night.wav", labels="")])
    # A file says that it has kept its statistics: with the old ones, a fresh run has other bytes.
    statistics = ["--new-statistics"] if not options or "fixed" in str(options) else []
    run = ["extract", folder / "m.csv", "-o", folder / "f.h5", *options]
    veery(*run, "--frame-labels", folder / "old.csv")
    older = digest(folder / "f.h5")
    sync = [*run, "--sync", *statistics]
    assert "up to date" in veery(*sync, "--frame-labels", folder / "old.csv").stderr and digest(folder / "f.h5") == older
    assert "its frames have labels: give their annotations with --frame-labels" in veery(*sync, status=1).stderr
    assert digest(folder / "f.h5") == older
    # Only the annotations have changed, in both clips; with a fixed length, one clip ends before its changes.
    count = 1 if "fixed" in str(options) else 2
    said = json.loads(veery(*sync, "--frame-labels", folder / "new.csv", "--dry-run", "--json").stdout)
    assert said["sync"]["reannotated"] == count and digest(folder / "f.h5") == older, said
    said = veery(*sync, "--frame-labels", folder / "new.csv").stderr
    assert f"{count} with other labels of frames" in said, said
    fresh = ["extract", folder / "m.csv", *options, "--frame-labels", folder / "new.csv", "-o"]
    veery(*fresh, folder / "fresh.h5")
    assert digest(folder / "f.h5") == digest(folder / "fresh.h5")
    # Then only the manifest.
    write_manifest(folder / "m.csv", [dict(path="night.wav", labels="c"), dict(path="day.wav", labels="b")])
    veery(*sync, "--frame-labels", folder / "new.csv")
    veery(*fresh, folder / "fresh.h5", "--overwrite")
    assert digest(folder / "f.h5") == digest(folder / "fresh.h5")
    assert matrix(folder / "f.h5") == [{"c"}, {"b"}]
    # A file without labels of frames gets them.
    veery(*run, "--overwrite")
    veery(*sync, "--frame-labels", folder / "new.csv")
    assert digest(folder / "f.h5") == digest(folder / "fresh.h5")


def test_damaged_labels_of_frames_are_found(veery, folder):
    annotate(folder / "a.csv")
    write_manifest(folder / "m.csv", [dict(path="day.wav"), dict(path="night.wav")])
    veery("extract", folder / "m.csv", "-o", folder / "f.h5", "--frame-labels", folder / "a.csv")
    whole = (folder / "f.h5").read_bytes()
    for value, words in ((1, "labels of its frames have the checksum"), (3, "holds 3 at row 7, of 3 names"), (-2, "holds -2 at row 7")):
        (folder / "f.h5").write_bytes(whole)
        with h5py.File(folder / "f.h5", "a") as file:
            file["frame_label"][file["clips/frame_start"][1] + 7] = value
        said = veery("inspect", folder / "f.h5", "--verify", status=1).stdout
        assert "clip 'night'" in said and words in said
        veery("inspect", folder / "f.h5", "--html", folder / "p.html")
    (folder / "f.h5").write_bytes(whole)
    with h5py.File(folder / "f.h5", "a") as file:
        names = file["frame_label_names"]
        names[0] = b"eel"
    assert "metadata_xxh3" in veery("inspect", folder / "f.h5", "--verify", status=1).stdout


def test_reports_show_frames_by_label(veery, folder):
    annotate(folder / "a.csv")
    write_manifest(folder / "m.csv", [dict(path="day.wav"), dict(path="night.wav")])
    veery("extract", folder / "m.csv", "-o", folder / "f.h5", "--frame-labels", folder / "a.csv")
    report = json.loads(veery("inspect", folder / "f.h5", "--json").stdout)
    validate(report, "inspect")
    all_frames = [label for labels in frame_labels(folder / "f.h5").values() for label in labels]
    found = report["frame_labels"]
    assert {label["name"]: label["frames"] for label in found["labels"]} == {name: all_frames.count(name) for name in ("owl", "robin", "wren")}
    assert found["unlabelled"] == all_frames.count(None) and found["frames"] == len(all_frames)
    assert "Labels of frames (3)" in veery("inspect", folder / "f.h5").stdout
    veery("inspect", folder / "f.h5", "--html", folder / "p.html")
    assert "Frames by label" in (folder / "p.html").read_text("utf-8")
    # A strip below the spectrogram, a lane for each label.
    veery("extract", folder / "m.csv", "-o", folder / "g.h5")
    colours = {}
    for name in "fg":
        veery("render", folder / f"{name}.h5", "--clip", "day", "-o", folder / f"{name}.png")
        with PIL.Image.open(folder / f"{name}.png") as picture:
            colours[name] = {colour for _, colour in picture.convert("RGB").getcolors(1 << 24)}
    lanes = {(0x00, 0x72, 0xB2), (0xE6, 0x9F, 0x00), (0x00, 0x9E, 0x73)}
    assert lanes <= colours["f"] and not lanes & colours["g"]


def test_other_readers_open_the_datasets(veery, folder):
    """xarray and PyTables, without knowing anything of the format."""
    import tables
    import xarray
    annotate(folder / "a.csv")
    write_manifest(folder / "m.csv", [dict(path="day.wav", labels="a|b"), dict(path="night.wav", labels="b")])
    for layout in ([], ["--set", "store.layout=fixed", "--set", "audio.duration=1"]):
        veery("extract", folder / "m.csv", "-o", folder / "f.h5", "--frame-labels", folder / "a.csv", "--overwrite", *layout)
        with xarray.open_dataset(folder / "f.h5", engine="h5netcdf") as file:
            assert file["frame_label"].dims == (("clip", "time") if layout else ("row",))
            assert file["frame_label"].shape == file["features"].shape[:-1]
        with tables.open_file(folder / "f.h5") as file:
            assert file.root.clips.label_matrix[:].tolist() == [[1, 1], [0, 1]]


@pytest.fixture
def calls(tmp_path):
    """A Kaldi directory with both sides of a call in one file, and words of it in CTM."""
    write_wav(tmp_path / "sw2001.wav", RATE, noise(1, 8 * RATE).reshape(-1, 2))
    data = tmp_path / "data/train"
    data.mkdir(parents=True)
    (data / "wav.scp").write_text(f"sw1-A {tmp_path}/sw2001.wav\nsw1-B {tmp_path}/sw2001.wav\n")
    (data / "reco2file_and_channel").write_text("sw1-A sw1 A\nsw1-B sw1 B\n")
    (data / "segments").write_text("u-A sw1-A 1 3\nu-B sw1-B 2 4\n")
    (data / "ctm").write_text("sw1 A 1.5 0.5 hello\nsw1 B 3 0.5 world\n")
    return tmp_path


@pytest.mark.parametrize("words", [
    "sw1 A 1.5 0.5 hello\nsw1 B 3 0.5 world\n", "sw1-A 1 1.5 0.5 hello\nsw1-B 1 3 0.5 world\n", "u-A 1 0.5 0.5 hello\nu-B 1 1 0.5 world\n"])
def test_words_of_a_kaldi_directory(veery, calls, words):
    """By files and channels, by recordings, by utterances: each side has its own words."""
    (calls / "data/train/ctm").write_text(words)
    said = veery("extract", "data/train", "-o", "f.h5", "--frame-labels", "data/train/ctm", "--set", "normalize.scope=none", folder=calls).stderr
    assert "not read" not in said and "not used" not in said, said
    labels = frame_labels(calls / "f.h5")
    assert {name: {label for label in found if label} for name, found in labels.items()} == {"u-A": {"hello"}, "u-B": {"world"}}
    rows = {name: [index for index, label in enumerate(found) if label] for name, found in labels.items()}
    assert abs(np.mean(rows["u-A"]) - 75) < 5 and abs(np.mean(rows["u-B"]) - 125) < 5


def test_turns_of_a_kaldi_directory_and_a_name_that_is_unknown(veery, calls):
    (calls / "turns.rttm").write_text("SPEAKER sw1-A 1 1.5 0.5 <NA> <NA> ann <NA> <NA>\n")
    veery("extract", "data/train", "-o", "f.h5", "--frame-labels", "turns.rttm", folder=calls)
    assert {label for label in frame_labels(calls / "f.h5")["u-A"] if label} == {"ann"}
    assert not any(frame_labels(calls / "f.h5")["u-B"])
    (calls / "turns.rttm").write_text("SPEAKER nobody 1 1.5 0.5 <NA> <NA> ann <NA> <NA>\n")
    refused = veery("extract", "data/train", "-o", "g.h5", "--frame-labels", "turns.rttm", folder=calls, status=1).stderr
    assert "names the recording 'nobody', which is not one of data/train" in refused
    # Without the option, the file is named.
    assert "1 metadata file is not read: 'data/train/ctm'" in veery("extract", "data/train", "-o", "h.h5", folder=calls).stderr
