"""Channels and times that tables name are those that are read, in every format and by every command.

The recordings' channels are tones of different frequencies, and their seconds have different loudness, so that the features
show which part of which channel was read.
"""
import csv
import gzip
import json
import re

import h5py
import numpy as np
import pytest
from conftest import tone, write_manifest, write_wav

RATE = 16_000
TONES = [500, 1500, 3000, 5000]
SETTINGS = ["--set", "normalize.scope=none", "--set", "transform.kind=fft", "--set", "frame.fft_length=512"]


def stereo(path, seconds=2.0, channels=2):
    """A recording whose channel c is a tone of TONES[c]."""
    signal = np.stack([tone(RATE, seconds, [TONES[c]]) for c in range(channels)], axis=1)
    write_wav(path, RATE, signal if channels > 1 else signal[:, 0])


def clips_of(path):
    """For each clip by its id: the tones that it holds, and its seconds."""
    with h5py.File(path) as file:
        features, frequency = file["features"][:], file["frequency"][:]
        found = {}
        rows = zip(file["clips/id"].asstr()[:], file["clips/frame_start"][:], file["clips/frame_count"][:],
                   file["clips/duration"][:])
        for name, start, count, duration in rows:
            power = features[start:start + count].mean(axis=0)
            peaks = {t for t in TONES if power[np.abs(frequency - t).argmin()] > power.max() - 3}
            found[name] = (peaks, round(float(duration), 4))
        return found


def failures_of(path):
    with h5py.File(path) as file:
        return dict(zip(file["failures/id"].asstr()[:], file["failures/kind"].asstr()[:]))


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def lines(path, *rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def objects(path, *rows):
    return lines(path, *map(json.dumps, rows))


@pytest.fixture
def folder(tmp_path):
    stereo(tmp_path / "call.wav")
    stereo(tmp_path / "mono.wav", channels=1)
    return tmp_path


def extracted(veery, folder, source, *options, status=0):
    veery("extract", source, "-o", "f.h5", *SETTINGS, *options, "--overwrite", "--quiet", status=status, folder=folder)
    return clips_of(folder / "f.h5")


# ---------------------------------------------------------------------------------------------------------------- channels

A, B, BOTH = {500}, {1500}, {500, 1500}


def kaldi_reco2file(folder):
    lines(folder / "data/wav.scp", f"call-A {folder}/call.wav", f"call-B {folder}/call.wav")
    lines(folder / "data/reco2file_and_channel", "call-A call A", "call-B call B")
    lines(folder / "data/segments", "u-A call-A 0 0.7", "u-B call-B 0.7 1.5")
    return "data", {"u-A": A, "u-B": B}


def kaldi_recordings(folder):
    kaldi_reco2file(folder)
    (folder / "data/segments").unlink()
    return "data", {"call-A": A, "call-B": B}


def kaldi_numbers(folder):
    kaldi_reco2file(folder)
    lines(folder / "data/reco2file_and_channel", "call-A call 0", "call-B call 1")
    return "data", {"u-A": A, "u-B": B}


def kaldi_one_side(folder):
    """One side of a file that has both."""
    lines(folder / "data/wav.scp", f"call-B {folder}/call.wav")
    lines(folder / "data/reco2file_and_channel", "call-B call B")
    return "data", {"call-B": B}


def kaldi_split_sides(folder):
    """Files that have one side each, as sph2pipe writes them."""
    write_wav(folder / "b.wav", RATE, tone(RATE, 2, [1500]))
    lines(folder / "data/wav.scp", f"call-A {folder}/mono.wav", f"call-B {folder}/b.wav")
    lines(folder / "data/reco2file_and_channel", "call-A call A", "call-B call B")
    return "data", {"call-A": A, "call-B": B}


def kaldi_fifth_column(folder):
    lines(folder / "data/wav.scp", f"call {folder}/call.wav")
    lines(folder / "data/segments", "u-A call 0 0.7 0", "u-B call 0.7 -1 1")
    return "data", {"u-A": A, "u-B": B}


def manifest_numbers(folder):
    write_manifest(folder / "m.csv", [{"path": "call.wav", "channel": c} for c in (0, 1)])
    return "m.csv", {"call#ch0": A, "call#ch1": B}


def manifest_letters(folder):
    write_manifest(folder / "m.csv", [{"path": "call.wav", "channel": c} for c in "AB"])
    return "m.csv", {"call#ch0": A, "call#ch1": B}


def manifest_segments(folder):
    rows = [{"path": "call.wav", "channel": c, "start": 0.5, "end": 1.5} for c in (0, 1)]
    write_manifest(folder / "m.csv", rows)
    return "m.csv", {"call#ch0#0.5-1.5": A, "call#ch1#0.5-1.5": B}


def manifest_objects(folder):
    objects(folder / "m.jsonl", {"path": "call.wav", "channel": 1}, {"path": "call.wav", "channel": "a"})
    return "m.jsonl", {"call#ch1": B, "call#ch0": A}


def renamed_column(folder):
    write_manifest(folder / "m.csv", [{"wav": "call.wav", "channel": c} for c in (0, 1)])
    return ["m.csv", "--column", "path=wav"], {"call#ch0": A, "call#ch1": B}


def nemo_channel(folder):
    objects(folder / "m.json", {"audio_filepath": "call.wav", "channel": 1, "duration": 2.0})
    return "m.json", {"call#ch1": B}


def nemo_selector(folder):
    objects(folder / "m.json", {"audio_filepath": "call.wav", "channel_selector": 1, "duration": 2.0})
    return "m.json", {"call#ch1": B}


def nemo_list(folder):
    objects(folder / "m.json", {"audio_filepath": "call.wav", "channel_selector": [1], "duration": 2.0})
    return "m.json", {"call#ch1": B}


def nemo_mean(folder):
    objects(folder / "m.json", {"audio_filepath": "call.wav", "channel_selector": "average", "duration": 2.0})
    return "m.json", {"call": BOTH}


def recording(folder, **more):
    return {"id": "r", "sources": [{"type": "file", "channels": [0, 1], "source": str(folder / "call.wav")}],
            "sampling_rate": RATE, "num_samples": 2 * RATE, "duration": 2.0, **more}


def lhotse_supervisions(folder):
    objects(folder / "l/recordings.jsonl", recording(folder))
    objects(folder / "l/supervisions.jsonl", *[
        {"id": f"s{c}", "recording_id": "r", "start": 0.5, "duration": 1.0, "channel": c} for c in (0, 1)])
    return "l", {"s0": A, "s1": B}


def lhotse_cuts(folder):
    objects(folder / "cuts.jsonl", *[
        {"id": f"c{c}", "start": 0, "duration": 2.0, "channel": c, "type": "MonoCut", "supervisions": [],
         "recording": recording(folder)} for c in (0, 1)])
    return "cuts.jsonl", {"c0": A, "c1": B}


def no_channel(folder):
    write_manifest(folder / "m.csv", [{"path": "call.wav"}, {"path": "mono.wav"}])
    return "m.csv", {"call": BOTH, "mono": A}


SOURCES = [kaldi_reco2file, kaldi_recordings, kaldi_numbers, kaldi_one_side, kaldi_split_sides, kaldi_fifth_column,
           manifest_numbers, manifest_letters, manifest_segments, manifest_objects, renamed_column, nemo_channel,
           nemo_selector, nemo_list, nemo_mean, lhotse_supervisions, lhotse_cuts, no_channel]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.__name__)
def test_a_channel_of_a_dataset_is_read(veery, folder, source):
    given, expected = source(folder)
    given = given if isinstance(given, list) else [given]
    found = {name: tones for name, (tones, _) in extracted(veery, folder, *given).items()}
    assert found == expected
    assert "no problems" in veery("check", *given, folder=folder).stdout
    # The same through a manifest that another command writes.
    veery("split", *given, "-o", "split.csv", "--ratio", "train=0.5,test=0.5", folder=folder)
    assert {name: tones for name, (tones, _) in extracted(veery, folder, "split.csv").items()} == expected
    veery("clips", *given, "--window", "0.5s", "-o", "windows.csv", folder=folder)
    for name, (tones, _) in extracted(veery, folder, "windows.csv").items():
        assert tones == expected[next(key for key in expected if name.startswith(key.split("#0.5")[0]))], name
    for more in (["--shard", "1/2"], ["--shard", "2/2"], []):
        veery("extract", *given, "-o", "parts.h5", *SETTINGS, *more, "--quiet", folder=folder)
    assert {name: tones for name, (tones, _) in clips_of(folder / "parts.h5").items()} == expected


@pytest.mark.parametrize("selector", ["L", -1, 1.5, [0, 1], [], True, "1?", {}])
def test_a_channel_selector_that_is_not_a_channel_is_a_problem(veery, folder, selector):
    objects(folder / "m.json", {"audio_filepath": "call.wav", "channel_selector": selector, "duration": 2.0})
    for command in (["check"], ["extract", "-o", "f.h5"]):
        said = veery(command[0], "m.json", *command[1:], status=1, folder=folder).stderr
        assert "line 1: channel_selector is " in said and "expected one channel, as 0 or [0], or 'average'" in said


@pytest.mark.parametrize("selector, channel", [(1, 0), ("average", 0)])
def test_two_channels_of_one_row_are_a_problem(veery, folder, selector, channel):
    objects(folder / "m.json", {"audio_filepath": "call.wav", "channel_selector": selector, "channel": channel})
    assert "expected one of them" in veery("check", "m.json", status=1, folder=folder).stderr


@pytest.mark.parametrize("channel", ["1", "B", 1.5, True, -1, []])
def test_a_channel_of_lhotse_that_is_not_a_channel_is_a_problem(veery, folder, channel):
    cut = {"id": "c", "start": 0, "duration": 2.0, "type": "MonoCut", "recording": recording(folder)}
    objects(folder / "cuts.jsonl", {**cut, "channel": channel, "supervisions": []})
    objects(folder / "inner.jsonl", {**cut, "channel": 0, "supervisions": [
        {"id": "s", "recording_id": "r", "start": 0, "duration": 2.0, "channel": channel}]})
    objects(folder / "l/recordings.jsonl", recording(folder))
    objects(folder / "l/supervisions.jsonl",
            {"id": "s", "recording_id": "r", "start": 0.5, "duration": 1.0, "channel": channel})
    for source in ("cuts.jsonl", "inner.jsonl", "l"):
        assert ", line 1" in veery("check", source, status=1, folder=folder).stderr, source


@pytest.mark.parametrize("name, value", [("start", "1"), ("duration", "1.0"), ("start", True)])
def test_a_time_of_lhotse_that_is_not_a_number_is_a_problem(veery, folder, name, value):
    times = {"start": 0, "duration": 2.0, name: value}
    objects(folder / "l/recordings.jsonl", recording(folder))
    objects(folder / "l/supervisions.jsonl", {"id": "s", "recording_id": "r", **times})
    assert f"line 1: {name} is " in veery("check", "l", status=1, folder=folder).stderr
    objects(folder / "l/supervisions.jsonl", {"id": "s", "recording_id": "r", "start": 0, "duration": 2.0})
    objects(folder / "l/recordings.jsonl", recording(folder, duration="2.0"))
    assert "line 1: duration is " in veery("check", "l", status=1, folder=folder).stderr


@pytest.mark.parametrize("channel", ["1?", "left"])
def test_a_fifth_column_of_kaldi_that_is_not_a_channel_is_a_problem(veery, folder, channel):
    kaldi_fifth_column(folder)
    text = (folder / "data/segments").read_text().splitlines()
    lines(folder / "data/segments", *[" ".join([*row.split()[:4], channel]) for row in text])
    assert f"the channel is '{channel}'" in veery("check", "data", status=1, folder=folder).stderr


@pytest.mark.parametrize("channel, status", [(2, 3), ("C", 3)])
def test_a_channel_that_a_recording_lacks_is_a_failure(veery, folder, channel, status):
    write_manifest(folder / "m.csv", [{"path": "call.wav", "channel": channel}, {"path": "call.wav", "id": "all"}])
    assert extracted(veery, folder, "m.csv", status=status) == {"all": (BOTH, 2.0)}
    assert failures_of(folder / "f.h5") == {"call#ch2": "no_such_channel"}
    said = veery("check", "m.csv", status=3, folder=folder).stdout
    assert "expected channel 2 (counted from 0), found a recording of 2 channels" in said
    said = veery("clips", "m.csv", "--window", "1s", "-o", "w.csv", status=1, folder=folder).stderr
    assert "'call#ch2'" in said and "channel 2" in said and "2 channels" in said


def test_channels_of_kaldi_that_disagree_are_refused(veery, folder):
    kaldi_reco2file(folder)
    lines(folder / "data/segments", "u-A call-A 0 0.7 1")
    assert "segments, line 1: the channel is 1, and line 1 of reco2file_and_channel says 0" in veery(
        "check", "data", status=1, folder=folder).stderr
    lines(folder / "data/reco2file_and_channel", "call-A call left", "call-B call")
    said = veery("check", "data", status=1, folder=folder).stderr
    assert "line 1: the channel is 'left'" in said and "line 2: expected RECORDING FILE CHANNEL, found 2 fields" in said


def test_supervisions_of_other_channels_are_not_those_of_a_cut(veery, folder):
    supervisions = [{"id": f"s{c}", "recording_id": "r", "start": 0, "duration": 1.0, "channel": c, "text": f"side {c}",
                     "speaker": "AB"[c]} for c in (0, 1)]
    objects(folder / "cuts.jsonl", {"id": "c", "start": 0, "duration": 2.0, "channel": 1, "type": "MonoCut",
                                    "supervisions": supervisions, "recording": recording(folder)})
    said = veery("extract", "cuts.jsonl", "-o", "f.h5", folder=folder).stderr
    with h5py.File(folder / "f.h5") as file:
        assert file["clips/extra/text"].asstr()[0] == "side 1" and file["clips/extra/speaker"].asstr()[0] == "B"
    assert "left out: cuts.jsonl: 1 supervision gives no clip: line 1 (of other channels than its cut)" in said


# -------------------------------------------------------------------------------------------------------------- annotations

HEADER = "Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\tHigh Freq (Hz)\tSpecies"


def raven(folder):
    """Raven counts channels from 1; two channels have a box of the same times and frequencies."""
    return lines(folder / "call.Table.1.selections.txt", HEADER, "1\tSpectrogram 1\t1\t0.5\t1.5\t100\t7000\tbird",
                 "2\tSpectrogram 2\t2\t0.5\t1.5\t100\t7000\tbird", "3\tSpectrogram 2\t2\t1.6\t1.9\t100\t7000\tbird")


def times(folder):
    return lines(folder / "call.csv", "onset,offset,label,channel", "0.5,1.5,bird,0", "0.5,1.5,bird,1", "1.6,1.9,bird,1")


def times_letters(folder):
    return lines(folder / "call.csv", "onset;offset;label;Channel", "0,5;1,5;bird;A", "0,5;1,5;bird;B", "1,6;1,9;bird;b")


def annotations_manifest(folder):
    return lines(folder / "marks.csv", "path,start,end,label,channel", "call.wav,0.5,1.5,bird,0", "call.wav,0.5,1.5,bird,1",
                 "call.wav,1.6,1.9,bird,1")


def kaleidoscope(folder):
    return lines(folder / "cluster.csv", "INDIR,FOLDER,IN FILE,CHANNEL,OFFSET,DURATION,TOP1MATCH", ",,call.wav,0,0.5,1,bird",
                 ",,call.wav,1,0.5,1,bird", ",,call.wav,1,1.6,0.3,bird")


TABLES = [raven, times, times_letters, annotations_manifest, kaleidoscope]
CUT = {"call#ch0#0.5-1.5": A, "call#ch1#0.5-1.5": B, "call#ch1#1.6-1.9": B}


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__)
def test_clips_of_annotations_are_of_their_channel(veery, folder, table):
    path = table(folder)
    said = veery("clips", "call.wav", "--annotations", path.name, "-o", "c.csv", folder=folder).stderr
    assert {row["id"]: row["channel"] for row in rows_of(folder / "c.csv")} == {
        name: name[7] for name in CUT}
    assert {name: tones for name, (tones, _) in extracted(veery, folder, "c.csv").items()} == CUT
    assert "3 clips are of the one channel that their annotations name" in said and "--channel mix" in said

    write_manifest(folder / "m.csv", [{"path": "call.wav", "channel": c, "id": f"side{c}"} for c in (0, 1)])
    veery("clips", "m.csv", "--annotations", path.name, "-o", "c.csv", "--overwrite", folder=folder)
    assert [(row["id"], row["channel"]) for row in rows_of(folder / "c.csv")] == [
        ("side0#0.5-1.5", "0"), ("side1#0.5-1.5", "1"), ("side1#1.6-1.9", "1")]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__)
def test_windows_have_the_labels_of_their_channel(veery, folder, table):
    path = table(folder)
    veery("clips", "call.wav", "--annotations", path.name, "--window", "1s", "-o", "w.csv", folder=folder)
    found = [(row["id"], row["channel"], row["label"]) for row in rows_of(folder / "w.csv")]
    assert found == [("call#ch0#0-1", "0", "bird"), ("call#ch0#1-2", "0", "bird"), ("call#ch1#0-1", "1", "bird"),
                     ("call#ch1#1-2", "1", "bird")]
    veery("clips", "call.wav", "--annotations", path.name, "--window", "0.4s", "-o", "w.csv", "--overwrite", folder=folder)
    ends = {(row["channel"], row["label"]) for row in rows_of(folder / "w.csv") if row["start"] == "1.6"}
    assert ends == {("0", ""), ("1", "bird")}
    for name, (tones, _) in extracted(veery, folder, "w.csv").items():
        assert tones == (A if "#ch0#" in name else B)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__)
def test_frames_have_the_labels_of_their_channel(veery, folder, table):
    path = table(folder)
    write_manifest(folder / "m.csv", [{"path": "call.wav", "channel": c, "id": f"side{c}"} for c in (0, 1)])

    unused = []

    def labelled(*options, status=0):
        said = veery("extract", "m.csv", "-o", "f.h5", "--frame-labels", path.name, "--overwrite", *options, status=status,
                     folder=folder)
        if status:
            return said.stderr
        remark = re.search(r"left out: .*: (\d+) annotations? (?:is|are) not used: line", said.stderr)
        unused.append(int(remark[1]) if remark else 0)
        with h5py.File(folder / "f.h5") as file:
            starts, counts = file["clips/frame_start"][:], file["clips/frame_count"][:]
            return [int((file["frame_label"][s:s + c] >= 0).sum()) for s, c in zip(starts, counts)]

    assert labelled() == [100, 130]
    # One configured channel for all clips.
    write_manifest(folder / "m.csv", [{"path": "call.wav"}])
    assert labelled("--set", "audio.channels=1") == [130]
    assert labelled("--set", "audio.channels=first") == [100]
    assert unused == [0, 1, 2]
    said = labelled(status=1)
    assert "call.wav" in said and "--channel mix" in said and "audio.channels" in said


def test_frames_of_the_mix_have_the_labels_of_all_channels_by_an_option(veery, folder):
    lines(folder / "marks.csv", "path,start,end,label,channel", "call.wav,0.5,1.0,a,0", "call.wav,1.0,1.5,b,1")
    write_manifest(folder / "m.csv", [{"path": "call.wav"}])
    veery("extract", "m.csv", "-o", "f.h5", "--frame-labels", "marks.csv", status=1, folder=folder)
    veery("extract", "m.csv", "-o", "f.h5", "--frame-labels", "marks.csv", "--channel", "mix", folder=folder)
    with h5py.File(folder / "f.h5") as file:
        assert (file["frame_label"][:] >= 0).sum() == 100


def test_the_mix_is_kept_by_an_option(veery, folder):
    write = lines(folder / "call.Table.1.selections.txt", HEADER, "1\tSpectrogram 1\t1\t0.5\t1.5\t100\t7000\tbird",
                  "2\tSpectrogram 2\t2\t1.6\t1.9\t100\t7000\tbird")
    veery("clips", "call.wav", "--annotations", write.name, "--channel", "mix", "-o", "c.csv", folder=folder)
    rows = rows_of(folder / "c.csv")
    assert [row["id"] for row in rows] == ["call#0.5-1.5", "call#1.6-1.9"] and "channel" not in rows[0]
    assert all(tones == BOTH for tones, _ in extracted(veery, folder, "c.csv").values())


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__)
@pytest.mark.parametrize("command", ["clips", "windows", "extract", "render"])
def test_annotations_of_a_channel_that_the_recording_lacks(veery, folder, table, command):
    path = table(folder)
    path.rename(folder / f"mono{path.name.removeprefix('call')}" if path.name.startswith("call") else path)
    if not path.exists():
        path = folder / f"mono{path.name.removeprefix('call')}"
    path.write_text(path.read_text().replace("call.wav", "mono.wav"))
    write_manifest(folder / "m.csv", [{"path": "mono.wav"}])
    given = {"clips": ["clips", "mono.wav", "--annotations", path.name, "-o", "c.csv"],
             "windows": ["clips", "mono.wav", "--annotations", path.name, "--window", "1s", "-o", "c.csv"],
             "extract": ["extract", "m.csv", "-o", "g.h5", "--frame-labels", path.name],
             "render": ["render", "mono.wav", "--annotations", path.name, "-o", "p.png"]}[command]
    said = veery(*given, status=1, folder=folder).stderr
    assert "line 3: its channel is 1 (counted from 0), but 'mono.wav' has 1 channel" in said


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__)
def test_mono_recordings_give_nothing_to_say(veery, folder, table):
    path = table(folder)
    first = path.read_text().splitlines()[:2]
    own = lines(folder / path.name.replace("call", "mono"), *first)
    own.write_text(own.read_text().replace("call.wav", "mono.wav"))
    said = veery("clips", "mono.wav", "--annotations", own.name, "-o", "c.csv", folder=folder).stderr
    rows = rows_of(folder / "c.csv")
    assert [row["id"] for row in rows] == ["mono#0.5-1.5"] and "channel" not in rows[0]
    assert "channel" not in said


def test_the_same_selection_in_two_views_is_one(veery, folder):
    lines(folder / "call.Table.1.selections.txt", HEADER, "1\tWaveform 1\t1\t0.5\t1.5\t0\t8000\tbird",
          "1\tSpectrogram 1\t1\t0.5\t1.5\t100\t7000\tbird", "2\tWaveform 2\t2\t0.5\t1.5\t0\t8000\tbird",
          "2\tSpectrogram 2\t2\t0.5\t1.5\t100\t7000\tbird")
    veery("clips", "call.wav", "-o", "c.csv", folder=folder)
    rows = rows_of(folder / "c.csv")
    assert [(row["id"], row["low_frequency"]) for row in rows] == [("call#ch0#0.5-1.5", "100"), ("call#ch1#0.5-1.5", "100")]


def test_recordings_without_calls_are_cut_into_windows_of_the_annotated_channels(veery, folder):
    stereo(folder / "quiet.wav")
    lines(folder / "marks.csv", "path,start,end,label,channel", "call.wav,0.5,1.5,bird,1")
    write_manifest(folder / "m.csv", [{"path": "call.wav"}, {"path": "quiet.wav"}])
    veery("clips", "m.csv", "--annotations", "marks.csv", "--window", "1s", "-o", "w.csv", folder=folder)
    assert {row["channel"] for row in rows_of(folder / "w.csv")} == {"1"}


def test_annotations_that_no_row_takes_are_reported(veery, folder):
    lines(folder / "marks.csv", "path,start,end,label,channel", "call.wav,0.1,0.7,agent,0", "call.wav,0.2,0.7,other,1")
    write_manifest(folder / "m.csv", [{"path": "call.wav", "id": "customer", "channel": 1}])
    said = veery("clips", "m.csv", "--annotations", "marks.csv", "-o", "c.csv", folder=folder).stderr
    assert [row["label"] for row in rows_of(folder / "c.csv")] == ["other"]
    assert "left out: marks.csv: 1 annotation is not used: line 2 (of a channel that no clip has)" in said


def test_boxes_of_other_channels_are_not_drawn(veery, folder):
    raven(folder)
    name = "call.Table.1.selections.txt"

    def drawn(*options, table=name):
        veery("render", "call.wav", "--annotations", table, *options, "-o", "p.svg", folder=folder)
        return (folder / "p.svg").read_bytes()

    text = (folder / name).read_text()
    only = lines(folder / "one.txt", *[row for row in text.splitlines() if "\t2\t" not in row])
    assert drawn("--channel", 0) == drawn("--channel", 0, table=only.name)
    assert drawn("--channel", 1) != drawn("--channel", 1, table=only.name)
    said = veery("render", "call.wav", "--annotations", only.name, "--channel", 1, "-o", "p.svg", folder=folder).stderr
    assert "of other channels" in said and "no box is drawn" in said


def test_birdnet_writes_channel_1_everywhere(veery, folder):
    lines(folder / "call.BirdNET.selection.table.txt",
          "Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\tHigh Freq (Hz)\tCommon Name\tSpecies Code\t"
          "Confidence", "1\tSpectrogram 1\t1\t0\t1\t0\t8000\tWren\twren\t0.9")
    veery("clips", "call.wav", "-o", "c.csv", folder=folder)
    assert "channel" not in rows_of(folder / "c.csv")[0]
    # BirdNET writes channel 1 alone: a table with another one was changed by somebody, who means that channel.
    table = folder / "call.BirdNET.selection.table.txt"
    table.write_text(table.read_text().replace("Spectrogram 1\t1", "Spectrogram 1\t2"))
    veery("clips", "call.wav", "-o", "c.csv", "--overwrite", folder=folder)
    assert [row["channel"] for row in rows_of(folder / "c.csv")] == ["1"]


# -------------------------------------------------------------------------------------------------------------------- times

LENGTH = 1.4963125  # 23,941 samples


@pytest.fixture
def timed(tmp_path):
    write_wav(tmp_path / "u.wav", RATE, tone(RATE, 2, [500])[:23_941])
    return tmp_path


def csv_duration(folder, duration):
    write_manifest(folder / "m.csv", [{"path": "u.wav", "text": "x", "duration": duration}])
    return ["m.csv"]


def tsv_duration(folder, duration):
    write_manifest(folder / "m.tsv", [{"path": "u.wav", "duration": duration}], delimiter="\t")
    return ["m.tsv"]


def json_duration(folder, duration):
    objects(folder / "m.jsonl", {"path": "u.wav", "duration": duration})
    return ["m.jsonl"]


def nemo_duration(folder, duration):
    objects(folder / "m.json", {"audio_filepath": "u.wav", "duration": duration, "text": "x"})
    return ["m.json"]


def folder_duration(folder, duration):
    write_manifest(folder / "metadata.csv", [{"file_name": "u.wav", "duration": duration}])
    return ["."]


def column_duration(folder, duration):
    write_manifest(folder / "m.csv", [{"wav": "u.wav", "len": duration}])
    return ["m.csv", "--column", "path=wav", "--column", "duration=len"]


def blank_start(folder, duration):
    write_manifest(folder / "m.csv", [{"path": "u.wav", "start": "", "duration": duration}])
    return ["m.csv"]


def gzipped(folder, duration):
    (folder / "m.jsonl.gz").write_bytes(gzip.compress(json.dumps({"path": "u.wav", "duration": duration}).encode()))
    return ["m.jsonl.gz"]


DURATIONS = [csv_duration, tsv_duration, json_duration, nemo_duration, folder_duration, column_duration, blank_start, gzipped]


@pytest.mark.sampled(13)
@pytest.mark.parametrize("source", DURATIONS, ids=lambda source: source.__name__)
@pytest.mark.parametrize("duration, kept", [(1.5, LENGTH), (1.49, LENGTH), (1.506, LENGTH), (1.487, LENGTH), (0.5, 0.5),
                                            (1.48, 1.48), (1.52, None)])
def test_a_duration_alone(veery, timed, source, duration, kept):
    given = source(timed, duration)
    status = 0 if kept else 3
    veery("extract", *given, "-o", "f.h5", "--quiet", "--set", "normalize.scope=none", status=status, folder=timed)
    if kept is None:
        with h5py.File(timed / "f.h5") as file:
            reason = file["failures/reason"].asstr()[0]
        assert "the segment ends at 1.52 s, but the recording lasts 1.496313 s" in reason
        return
    found = clips_of_lengths(timed / "f.h5")
    assert found == {"u": pytest.approx(kept, abs=1e-6)}
    assert "no problems" in veery("check", *given, folder=timed).stdout
    dry = json.loads(veery("extract", *given, "-o", "g.h5", "--dry-run", "--json", "--quiet", folder=timed).stdout)
    assert dry["seconds"] == pytest.approx(kept, abs=1e-3) if "seconds" in dry else True
    bytes_ = (timed / "f.h5").read_bytes()
    for more in (["--shard", "1/2"], []):
        veery("extract", *given, "-o", "s.h5", *more, "--quiet", "--set", "normalize.scope=none", folder=timed)
    assert (timed / "s.h5").read_bytes() == bytes_
    veery("split", *given, "-o", "split.csv", "--ratio", "train=0.5,test=0.5", folder=timed)
    veery("extract", "split.csv", "-o", "t.h5", "--quiet", "--set", "normalize.scope=none", folder=timed)
    assert clips_of_lengths(timed / "t.h5") == found
    veery("clips", *given, "--window", "0.1s", "--partial", "keep", "-o", "w.csv", folder=timed)
    rows = rows_of(timed / "w.csv")
    assert float(rows[-1]["end"]) == pytest.approx(kept, abs=1e-6) and rows[0]["id"] == "u#0-0.1"
    # A second command finds the file up to date, and `--sync` changes nothing.
    assert "up to date" in veery(
        "extract", *given, "-o", "f.h5", "--set", "normalize.scope=none", folder=timed).stderr
    veery("extract", *given, "-o", "f.h5", "--sync", "--quiet", "--set", "normalize.scope=none", folder=timed)
    assert (timed / "f.h5").read_bytes() == bytes_


def clips_of_lengths(path):
    with h5py.File(path) as file:
        return dict(zip(file["clips/id"].asstr()[:], file["clips/duration"][:].tolist()))


def test_a_whole_recording_has_the_samples_of_one_without_times(veery, timed):
    write_manifest(timed / "a.csv", [{"path": "u.wav"}])
    csv_duration(timed, 1.5)
    for name in "am":
        veery("extract", f"{name}.csv", "-o", f"{name}.h5", "--quiet", folder=timed)
    with h5py.File(timed / "a.h5") as a, h5py.File(timed / "m.h5") as m:
        assert (a["features"][:] == m["features"][:]).all()
        assert a["clips/audio_xxh3"][0] == m["clips/audio_xxh3"][0] and m["clips/start"][0] == 0


def test_the_samples_decide_where_another_duration_means_another_part(veery, timed):
    options = ["--quiet", "--set", "normalize.scope=none"]
    csv_duration(timed, 1.48)
    veery("extract", "m.csv", "-o", "f.h5", *options, folder=timed)
    csv_duration(timed, 1.49)
    veery("extract", "m.csv", "-o", "f.h5", "--sync", *options, folder=timed)
    assert clips_of_lengths(timed / "f.h5") == {"u": pytest.approx(LENGTH)}


def test_durations_of_python(timed):
    import veery as package
    report = package.extract([{"path": "u.wav", "duration": 1.5}], timed / "p.h5", root=timed)
    assert report["clips"] == 1 and clips_of_lengths(timed / "p.h5") == {"u": pytest.approx(LENGTH)}
    package.extract([{"path": "u.wav", "start": 0, "end": 8000}], timed / "q.h5", root=timed, time_unit="samples")
    assert clips_of_lengths(timed / "q.h5") == {"u#0-0.5": 0.5}


# -------------------------------------------------------------------------------------------------------------------- units

@pytest.mark.parametrize("unit, factor", [("ms", 1000), ("samples", RATE)])
@pytest.mark.parametrize("command", ["extract", "check"])
def test_times_in_another_unit_are_recognised(veery, folder, unit, factor, command):
    rows = [{"path": "call.wav", "start": int(0.5 * i * factor), "end": int((0.5 * i + 0.5) * factor)} for i in range(4)]
    write_manifest(folder / "m.csv", rows)
    given = {"extract": ["extract", "m.csv", "-o", "f.h5"], "check": ["check", "m.csv"]}[command]
    said = veery(*given, status=(1, 3), folder=folder)
    assert f"--time-unit {unit}" in said.stdout + said.stderr
    given += ["--overwrite"] if command == "extract" else []
    veery(*given, "--time-unit", unit, folder=folder)
    if command == "extract":
        assert clips_of_lengths(folder / "f.h5") == {
            f"call#{start}-{end}": 0.5 for start, end in [("0", "0.5"), ("0.5", "1"), ("1", "1.5"), ("1.5", "2")]}
        with h5py.File(folder / "f.h5") as file:
            assert file["clips/start"][:].tolist() == [0, 0.5, 1, 1.5]
        veery("split", "m.csv", "--time-unit", unit, "-o", "s.csv", "--ratio", "train=0.5,test=0.5", folder=folder)
        assert [float(row["end"]) for row in rows_of(folder / "s.csv")] == [0.5, 1, 1.5, 2]


@pytest.mark.parametrize("unit", ["ms", "samples"])
def test_a_unit_changes_nothing_but_the_times(veery, folder, unit):
    """Remarks on the rows, ids that are given, and numbers of lines are those of the manifest."""
    (folder / "m.tsv").write_text('path\tid\tstart\tend\tnote\tStart\tlabel\tlabels\n'
                                  'call.wav\tcall#100-900\t100\t900\t"a ""b"" c"\tq\tx\tx\n\n'
                                  'mono.wav\t\t100\t900\tk\tq\tx\ty|z\n')
    plain = json.loads(veery("check", "m.tsv", "--json", folder=folder, status=(0, 3)).stdout)["remarks"]
    assert {remark["kind"] for remark in plain} >= {"quotes-kept", "columns-chosen", "labels-unlisted"}
    options = ["--time-unit", unit, "--json"]
    found = json.loads(veery("check", "m.tsv", *options, folder=folder, status=(0, 3)).stdout)["remarks"]
    assert [remark for remark in found if remark["source"] != "recordings"] == [
        remark for remark in plain if remark["source"] != "recordings"]
    assert next(remark for remark in found if remark["kind"] == "labels-unlisted")["first"] == ["line 4"]
    veery("split", "m.tsv", "--time-unit", unit, "-o", "s.csv", "--ratio", "train=1", folder=folder)
    ids = [row["id"] for row in rows_of(folder / "s.csv")]
    assert ids[0] == "call#100-900" and ids[1] == ("mono#0.1-0.9" if unit == "ms" else "mono#0.00625-0.05625")
    (folder / "m.tsv").write_text("path\tstart\tend\n\n\ncall.wav\t100\t200\ncall.wav\t100\t200\n")
    said = veery("check", "m.tsv", "--time-unit", unit, folder=folder, status=1).stderr
    assert "line 5: the id " in said and "line 4" in said


@pytest.mark.parametrize("unit, value", [("ms", 2000), ("samples", 32_000)])
def test_a_duration_in_another_unit_is_recognised(veery, folder, unit, value):
    write_manifest(folder / "m.csv", [{"path": "call.wav", "duration": value}])
    said = veery("extract", "m.csv", "-o", "f.h5", status=(1, 3), folder=folder).stderr
    assert f"if the times are {'milliseconds' if unit == 'ms' else 'samples'}, give --time-unit {unit}" in said
    veery("extract", "m.csv", "-o", "f.h5", "--overwrite", "--time-unit", unit, folder=folder)
    assert clips_of_lengths(folder / "f.h5") == {"call": 2.0}


def test_a_stop_and_a_duration(veery, folder):
    """SpeechBrain's tables of VoxCeleb have start and stop in samples, and the duration of the whole file."""
    rows = [{"ID": f"c{i}", "duration": 2.0, "wav": "call.wav", "start": 8000 * i, "stop": 8000 * i + 8000} for i in range(2)]
    write_manifest(folder / "m.csv", rows)
    for command in (["extract", "m.csv", "-o", "f.h5"], ["check", "m.csv"],
                    ["split", "m.csv", "-o", "s.csv", "--ratio", "train=1"]):
        said = veery(*command, "--column", "path=wav", status=1, folder=folder).stderr
        assert "'stop' is 8000, and by its duration the clip ends at 2.0 s" in said
        assert "--column end=stop" in said and "--time-unit samples" in said
    said = veery("extract", "m.csv", "-o", "f.h5", "--column", "path=wav", "--column", "end=stop", "--time-unit", "samples",
                 folder=folder).stderr
    assert "original_duration" in said
    assert clips_of_lengths(folder / "f.h5") == {"c0": 0.5, "c1": 0.5}  # the column 'ID': capitals of a header do not count


@pytest.mark.parametrize("stop, status", [(0.5, 1), (2.0, 0), ("", 0)])
def test_a_second_end(veery, folder, stop, status):
    write_manifest(folder / "m.csv", [{"path": "call.wav", "start": 0, "duration": 2, "end_time": stop or 2.0},
                                      {"path": "mono.wav", "start": 0, "duration": 2, "end_time": stop}])
    said = veery("extract", "m.csv", "-o", "f.h5", status=status, folder=folder).stderr
    assert status == 0 or "'end_time' is 0.5" in said


# -------------------------------------------------------------------------------------------------------------- declarations

@pytest.mark.parametrize("declared, kind", [
    ({}, None), ({"num_samples": 32_100, "duration": 2.00625}, None), ({"num_samples": 36_000, "duration": 2.25}, "declared_length"),
    ({"num_samples": 24_000, "duration": 1.5}, "declared_length"), ({"duration": 2.5}, "declared_length"),
    ({"sampling_rate": 8000, "num_samples": 16_000}, "declared_rate")])
@pytest.mark.parametrize("form", ["recordings", "cuts"])
def test_recordings_that_differ_from_what_lhotse_declares(veery, folder, declared, kind, form):
    found = recording(folder, **declared)
    if form == "recordings":
        objects(folder / "recordings.jsonl", found)
    else:
        objects(folder / "cuts.jsonl", {"id": "r", "start": 0, "duration": 1, "channel": 0, "type": "MonoCut",
                                        "supervisions": [], "recording": found})
    status = (1, 3) if kind else 0
    veery("extract", f"{form}.jsonl", "-o", "f.h5", "--quiet", status=status, folder=folder)
    said = veery("check", f"{form}.jsonl", status=(1, 3) if kind else 0, folder=folder).stdout
    assert ("as the manifest says" in said) == (kind is not None)
    dry = veery("extract", f"{form}.jsonl", "-o", "g.h5", "--dry-run", status=(0, 1, 3), folder=folder)
    assert ("as the manifest says" in dry.stdout + dry.stderr) == (kind is not None)
    if kind and (folder / "f.h5").exists():
        assert set(failures_of(folder / "f.h5").values()) == {kind}
    # A manifest that is made of it says the same.
    veery("split", f"{form}.jsonl", "-o", "s.csv", "--ratio", "train=1", folder=folder)
    veery("check", "s.csv", status=(1, 3) if kind else 0, folder=folder)


# ---------------------------------------------------------------------------------------------------------------- overshoot

def kaldi_late(folder, late):
    lines(folder / "data/wav.scp", f"r {folder}/call.wav")
    lines(folder / "data/segments", "u1 r 0 0.7", f"u2 r 1.5 {2 + late}", "u3 r 1.2 -1")
    return ["data"]


def csv_late(folder, late):
    write_manifest(folder / "m.csv", [{"id": "u1", "path": "call.wav", "start": 0, "end": 0.7},
                                      {"id": "u2", "path": "call.wav", "start": 1.5, "end": 2 + late},
                                      {"id": "u3", "path": "call.wav", "start": 1.2}])
    return ["m.csv"]


@pytest.mark.parametrize("source, late, options, cut", [
    (kaldi_late, 0.03, [], True), (kaldi_late, 0.49, [], True), (kaldi_late, 0.6, [], False),
    (kaldi_late, 0.6, ["--overshoot", 1], True), (kaldi_late, 0.03, ["--overshoot", 0], False),
    (csv_late, 0.0009, [], True), (csv_late, 0.03, [], False), (csv_late, 0.03, ["--overshoot", 0.03], True),
    (csv_late, 0.03, ["--overshoot", 0.02], False)])
def test_segments_that_end_late(veery, folder, source, late, options, cut):
    given = source(folder, late)
    status = 0 if cut else 3
    said = veery("extract", *given, "-o", "f.h5", *options, status=status, folder=folder).stderr
    found = clips_of_lengths(folder / "f.h5")
    assert found == ({"u1": 0.7, "u2": 0.5, "u3": 0.8} if cut else {"u1": 0.7, "u3": 0.8})
    if not cut:
        assert failures_of(folder / "f.h5") == {"u2": "segment_ends_late"}
        assert "--overshoot" in said
    veery("check", *given, *options, status=status, folder=folder)
    veery("clips", *given, "--window", "0.1s", "-o", "w.csv", *options, status=0 if cut else 1, folder=folder)
    if cut:
        bytes_ = (folder / "f.h5").read_bytes()
        for more in (["--shard", "1/2"], []):
            veery("extract", *given, "-o", "s.h5", *more, *options, "--quiet", folder=folder)
        assert (folder / "s.h5").read_bytes() == bytes_
        assert late < 0.001 or "remark: recordings: 1 clip ends after its recording, and is cut there: 'u2'" in said


def test_overshoot_is_recorded(veery, folder):
    csv_late(folder, 0.03)
    veery("extract", "m.csv", "-o", "f.h5", "--overshoot", 0.1, folder=folder)
    with h5py.File(folder / "f.h5") as file:
        assert json.loads(file["provenance/configuration"][()])["audio"]["overshoot"] == 0.1
    veery("extract", "m.csv", "-o", "g.h5", "--set", "audio.overshoot=0.1", folder=folder)
    assert (folder / "f.h5").read_bytes() == (folder / "g.h5").read_bytes()
    assert "audio.overshoot" in veery("extract", "m.csv", "-o", "f.h5", status=1, folder=folder).stderr


def test_times_with_decimal_commas_are_not_passed_over(veery, folder):
    for column in ([], ["--column", "path=wav"]):
        name = "wav" if column else "path"
        lines(folder / "m.csv", f"{name};start;stop", "call.wav;0,5;0,9")
        said = veery("extract", "m.csv", *column, "-o", "f.h5", status=1, folder=folder).stderr
        assert "the column 'stop' seems to be where a clip ends, but only 'start' is read" in said
        lines(folder / "m.csv", f"{name};duration;stop", "call.wav;0,5;0,9")
        said = veery("extract", "m.csv", *column, "-o", "f.h5", status=1, folder=folder).stderr
        assert "'stop' is 0,9, and by its duration the clip ends at 0.5 s" in said
    # The advice succeeds.
    lines(folder / "m.csv", "path;start;stop", "call.wav;0,5;0,9")
    assert extracted(veery, folder, "m.csv", "--column", "end=stop") == {"call#0.5-0.9": (BOTH, 0.4)}


def test_remarks_on_rows_name_the_lines_of_the_table(veery, folder):
    lines(folder / "m.csv", "wav,label,labels", "call.wav,x,y|z")
    found = json.loads(veery("check", "m.csv", "--column", "path=wav", "--json", folder=folder).stdout)["remarks"]
    assert next(remark for remark in found if remark["kind"] == "labels-unlisted")["first"] == ["line 2"]


@pytest.mark.parametrize("value", ["-1", "1e308", "3601"])
def test_a_bound_of_late_ends_is_checked(veery, folder, value):
    write_manifest(folder / "m.csv", [{"path": "call.wav", "start": 0, "end": 9, "max_overshoot": value}])
    assert "max_overshoot is " in veery("check", "m.csv", folder=folder, status=1).stderr


def test_a_clip_that_was_not_cut_does_not_grow_unseen(veery, folder):
    """The recording of the clip is missing, so that only the feature file says how long it was."""
    options = ["--set", "audio.overshoot=0.5", "--keep-missing"]
    for end in (1.5, 1.9):
        write_manifest(folder / "m.csv", [{"path": "call.wav", "id": "x", "start": 0, "end": end},
                                          {"path": "mono.wav", "id": "y", "start": 0, "end": 1}])
        if end == 1.5:
            veery("extract", "m.csv", "-o", "f.h5", *options[:2], folder=folder)
            (folder / "call.wav").unlink()
    veery("extract", "m.csv", "-o", "f.h5", "--sync", *options, folder=folder, status=3)
    assert list(failures_of(folder / "f.h5")) == ["x"]


def test_whole_recordings_in_place_of_parts_are_a_loss(veery, folder):
    write_manifest(folder / "m.csv", [{"path": "call.wav", "onset": 0.5, "offset": 0.9}])
    said = veery("extract", "m.csv", "-o", "f.h5", "--strict", status=1, folder=folder).stderr
    assert "left out: " in said and "'onset' (--column start=onset), 'offset' (--column end=offset)" in said
    assert not (folder / "f.h5").exists()
