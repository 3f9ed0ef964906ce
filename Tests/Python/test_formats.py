"""Datasets in formats of their own: each gives the same features as a manifest written by hand, and every mistake is named."""

import gzip
import json
import shutil
import subprocess
from pathlib import Path

import h5py
import numpy as np
import pytest
from conftest import noise, write_manifest, write_wav

FIXTURES = Path(__file__).resolve().parents[1] / "Fixtures" / "formats"
RATE = 16_000


def wav(path, seed=None, seconds=0.5, channels=1):
    signal = noise(seed if seed is not None else sum(str(path.name).encode()), round(RATE * seconds) * channels)
    write_wav(path, RATE, signal.reshape(-1, channels) if channels > 1 else signal)


def read(path):
    """Every dataset but provenance, as Python values."""
    found = {}
    with h5py.File(path) as file:
        def visit(name, item):
            if isinstance(item, h5py.Dataset) and not name.startswith("provenance"):
                found[name] = np.asarray(item[()]).astype("O" if item.dtype.kind in "SO" else item.dtype).tolist() \
                    if item.dtype.kind in "SO" else item[()].tobytes()
        file.visititems(visit)
    return found


def texts(path, *names):
    with h5py.File(path) as file:
        columns = [[value.decode() for value in file["clips/" + name][()]] for name in names]
    return list(zip(*columns))


def extract(veery, source, output, *options, **more):
    result = veery("extract", source, "-o", output, "--set", "normalize.scope=none", "--overwrite", *options, **more)
    return result


def same(veery, tmp_path, source, rows, *options, root=None, title=None):
    """The dataset's features, labels and columns are those of a manifest with these rows. Returns what was said."""
    result = extract(veery, source, tmp_path / "dataset.h5", *options)
    manifest = write_manifest(tmp_path / "own.csv", rows)
    extract(veery, manifest, tmp_path / "own.h5", "--root", root or source)
    one, other = read(tmp_path / "dataset.h5"), read(tmp_path / "own.h5")
    assert one.keys() == other.keys()
    for name in one:
        assert one[name] == other[name], name
    if title:
        assert f"read as {title}" in result.stderr
    return result


# MARK: lhotse and Kaldi, as lhotse 1.33 writes them


@pytest.fixture
def described(tmp_path):
    """A folder with the recordings of Fixtures/formats/make.py, and its descriptions."""
    folder = tmp_path / "data"
    shutil.copytree(FIXTURES, folder)
    (folder / "make.py").unlink()
    wav(folder / "audio/one.wav", 1, 1.0)
    wav(folder / "audio/stereo.wav", 2, 1.5, channels=2)
    wav(folder / "audio/left.wav", 3, 1.0)
    wav(folder / "audio/right.wav", 4, 1.0)
    return folder


LHOTSE = [
    dict(id="one-whole", path="audio/one.wav", split="train", text="the whole of it", speaker="s1", language="en", gender="F"),
    dict(id="one-part", path="audio/one.wav", split="train", start=0.25, end=0.75, text="a “part”, größer", speaker="s1", language="en",
         gender="", label="wren", snr="12.5", tags='["a","b"]'),
    dict(id="stereo-right", path="audio/stereo.wav", split="train", start=0.1, end=0.8, channel=1, text="right", speaker="s2"),
    dict(id="stereo-both", path="audio/stereo.wav", split="train", start=0.5, end=1.5, text="both", speaker="s2"),
    dict(id="array-right", path="audio/right.wav", split="train", text="second file", speaker="s3"),
]
CLIPS = ["features", "clips/id", "clips/path", "clips/label", "clips/split", "clips/start", "clips/duration", "clips/frame_count"]


def like(one, other, names=CLIPS):
    for name in names:
        assert one[name] == other[name], name


@pytest.mark.parametrize("source", ["lhotse", "lhotse/demo_supervisions_train-clean-5.jsonl.gz"])
def test_lhotse_supervisions(veery, described, tmp_path, source):
    extract(veery, described / source, tmp_path / "d.h5")
    rows = [{**row, "split": row["split"] if source == "lhotse" else ""} for row in LHOTSE]
    rows = [row if row["split"] else {k: v for k, v in row.items() if k != "split"} for row in rows]
    extract(veery, write_manifest(tmp_path / "own.csv", rows), tmp_path / "own.h5", "--root", described)
    one, other = read(tmp_path / "d.h5"), read(tmp_path / "own.h5")
    like(one, other, CLIPS + [f"clips/extra/{name}" for name in ("text", "speaker", "language", "gender", "snr", "tags")])


def test_lhotse_recordings_and_cuts(veery, described, tmp_path):
    veery("extract", described / "lhotse/demo_recordings_train-clean-5.jsonl.gz", "-o", tmp_path / "r.h5", status=1)
    names = (described / "lhotse/demo_recordings_train-clean-5.jsonl.gz", described / "some_recordings.jsonl")
    lines = gzip.decompress(names[0].read_bytes()).decode().splitlines()
    names[1].write_text("\n".join(line for line in lines if '"array"' not in line) + "\n")
    extract(veery, names[1], tmp_path / "r.h5")
    assert texts(tmp_path / "r.h5", "id", "path") == [("one", "audio/one.wav"), ("stereo", "audio/stereo.wav")]
    extract(veery, described / "cuts.jsonl", tmp_path / "c.h5")
    extract(veery, described / "lhotse", tmp_path / "s.h5")
    assert texts(tmp_path / "c.h5", "id", "label", "extra/text") == texts(tmp_path / "s.h5", "id", "label", "extra/text")[:2]
    with h5py.File(tmp_path / "c.h5") as cuts, h5py.File(tmp_path / "s.h5") as both:
        assert np.array_equal(cuts["features"], both["features"][: len(cuts["features"])])


def test_lhotse_mistakes(veery, described, tmp_path):
    folder = described / "lhotse"
    recordings, supervisions = (folder / f"demo_{name}_train-clean-5.jsonl.gz" for name in ("recordings", "supervisions"))
    one = json.loads(gzip.decompress(recordings.read_bytes()).decode().splitlines()[0])

    def put(path, *lines):
        path.with_suffix("").write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
        path.unlink(missing_ok=True)

    put(recordings, one, {**one}, {**one, "id": "cmd", "sources": [{"type": "command", "channels": [0], "source": "sox x |"}]},
        {**one, "id": "fast", "transforms": [{"name": "Speed", "kwargs": {"factor": 1.1}}]}, {"id": "bare"})
    put(supervisions, {"id": "a", "recording_id": "one", "start": -1, "duration": 0.5},
        {"id": "b", "recording_id": "two", "start": 0, "duration": 0.5}, {"id": "c", "recording_id": "cmd", "start": 0, "duration": 1},
        "{broken", {"id": "a", "recording_id": "one", "start": 0.2, "duration": 0.1}, {"id": "a", "recording_id": "one", "start": 0.1, "duration": 0.1},
        {"id": "d", "recording_id": "one", "start": 0, "duration": 0.2, "channel": 3})
    message = veery("check", folder, status=1).stderr
    for part in ["recordings_train-clean-5.jsonl, line 2: the recording 'one' is that of line 1 already",
                 "line 3: the source of 'cmd' is a command, which is not run", "line 4: the recording 'fast' is to be changed", "(Speed)",
                 "line 5: the recording 'bare' has no sources", "supervisions_train-clean-5.jsonl, line 1: start is -1.0",
                 "line 2: demo_recordings_train-clean-5.jsonl has no recording 'two'", "line 4: ",
                 "line 6: the id 'a' is that of demo_supervisions_train-clean-5.jsonl, line 5, already", "line 7: the recording 'one' has no channel 3"]:
        assert part in message, (part, message)
    assert ": 9 problems; nothing was done" in message
    assert "MixedCut" in veery("check", described / "mixed.jsonl", status=1).stderr
    (described / "alone_supervisions.jsonl").write_text('{"id": "a", "recording_id": "one", "start": 0, "duration": 0.5}\n')
    assert "expected the recordings beside the supervisions, as 'alone_recordings.jsonl'" in veery(
        "check", described / "alone_supervisions.jsonl", status=1).stderr


KALDI = [
    dict(id="one-part", path="audio/one.wav", start=0.25, end=0.75, text="a “part”, größer", speaker="s1", utt2dur="0.5", language="en"),
    dict(id="one-whole", path="audio/one.wav", start=0, end=1, text="the whole of it", speaker="s1", utt2dur="1.0", language="en"),
]


def test_kaldi(veery, described, tmp_path):
    for source in ["kaldi", "kaldi/wav.scp"]:
        extract(veery, described / source, tmp_path / "d.h5")
        extract(veery, write_manifest(tmp_path / "own.csv", KALDI), tmp_path / "own.h5", "--root", described)
        like(read(tmp_path / "d.h5"), read(tmp_path / "own.h5"), CLIPS + [f"clips/extra/{n}" for n in ("text", "speaker", "utt2dur", "language")])


def test_kaldi_parts_segments_to_the_end_and_speakers(veery, described, tmp_path):
    data = described / "data"
    for split in ["train", "test"]:
        (data / split).mkdir(parents=True)
        (data / split / "wav.scp").write_text(f"{split}-r audio/one.wav\n{split}-s  audio/stereo.wav \n")
    (data / "train/segments").write_text("train-1 train-r 0.5 -1\ntrain-2 train-s 0 0.5 1\n")
    (data / "train/utt2spk").write_text("train-1 anna\ntrain-2 bert\n")
    (data / "train/spk2gender").write_text("anna f\nbert m\n")
    (data / "train/utt2label").write_text("train-1 yes\n")
    (data / "test/text").write_text("test-r a b  c\n")
    result = extract(veery, data, tmp_path / "d.h5")
    assert texts(tmp_path / "d.h5", "id", "split", "label", "extra/speaker", "extra/gender", "extra/text") == [
        ("test-r", "test", "", "", "", "a b  c"), ("test-s", "test", "", "", "", ""),
        ("train-1", "train", "yes", "anna", "f", ""), ("train-2", "train", "", "bert", "m", "")]
    assert "test/text: no value for 1 clip: 'test-s'; train/utt2label: no value for 1 clip: 'train-2'" in result.stderr
    with h5py.File(tmp_path / "d.h5") as file:
        assert file["clips/duration"][()].tolist() == [1.0, 1.5, 0.5, 0.5]
    # The current folder, or the data's, or the two above.
    veery("extract", "data", "-o", tmp_path / "here.h5", folder=described)
    assert texts(tmp_path / "here.h5", "path") == texts(tmp_path / "d.h5", "path")


def test_kaldi_mistakes(veery, described):
    folder = described / "kaldi"
    (folder / "wav.scp").write_text("one audio/one.wav\ntwo sph2pipe -f wav two.sph |\none audio/x.wav\nthree\nark raw.ark:123\nbad \udcff\n",
                                    errors="surrogateescape")
    (folder / "segments").write_text("a one 0.5\nb none 0 1\nc two 0 1\nd one 1 0.5\ne one zero 1\nf one 0 0.5\nf one 0.5 1\n")
    (folder / "text").write_text("f x\nf y\n")
    message = veery("check", folder, status=1).stderr
    for part in ["wav.scp, line 2: 'sph2pipe -f wav two.sph |' is a command, which is not run", "line 3: the recording 'one' is that of line 1",
                 "line 4: there is no path", "line 5: 'raw.ark:123' is a part of a Kaldi archive", "line 6: the line is not valid UTF-8",
                 "segments, line 1: expected UTTERANCE RECORDING START END, found 3 fields", "line 2: wav.scp has no recording 'none'",
                 "line 4: end 0.5 is not after start 1.0", "line 5: start is 'zero'", "line 7: the id 'f' is that of segments, line 6, already",
                 "text, line 2: there is a line for 'f' already"]:
        assert part in message, (part, message)
    assert ": 11 problems; nothing was done" in message


# MARK: Tables beside folders


def test_esc50(veery, tmp_path):
    folder = tmp_path / "ESC-50-master"
    names = ["1-100032-A-0.wav", "1-100038-A-14.wav", "2-100210-A-36.wav"]
    for name in names:
        wav(folder / "audio" / name)
    (folder / "meta").mkdir()
    (folder / "meta/esc50.csv").write_text(
        "filename,fold,target,category,esc10,src_file,take\n1-100032-A-0.wav,1,0,dog,True,100032,A\n"
        "1-100038-A-14.wav,1,14,chirping_birds,False,100038,A\n2-100210-A-36.wav,2,36,vacuum_cleaner,False,100210,A\n")
    rows = [dict(path="audio/" + name, label=label, fold=fold, target=target, esc10=esc, src_file=src, take="A") for name, fold, target, label, esc, src in
            zip(names, "112", ("0", "14", "36"), ("dog", "chirping_birds", "vacuum_cleaner"), ("True", "False", "False"), ("100032", "100038", "100210"))]
    same(veery, tmp_path, folder, rows, title="ESC-50 (esc50.csv)")
    same(veery, tmp_path, folder / "meta/esc50.csv", rows, root=folder)
    veery("extract", ".", "-o", tmp_path / "here.h5", folder=folder)
    veery("extract", "esc50.csv", "-o", tmp_path / "there.h5", folder=folder / "meta")
    assert read(tmp_path / "here.h5") == read(tmp_path / "there.h5")


def test_urbansound8k(veery, tmp_path):
    folder = tmp_path / "UrbanSound8K"
    wav(folder / "audio/fold5/100032-3-0-0.wav")
    wav(folder / "audio/fold10/100648-1-0-0.wav")
    (folder / "metadata").mkdir()
    (folder / "metadata/UrbanSound8K.csv").write_text(
        "slice_file_name,fsID,start,end,salience,fold,classID,class\n100032-3-0-0.wav,100032,0.0,0.317551,1,5,3,dog_bark\n"
        "100648-1-0-0.wav,100648,4.823402,5.471927,2,10,1,car_horn\n")
    rows = [dict(path="audio/fold5/100032-3-0-0.wav", label="dog_bark", fsID="100032", salience="1", classID="3", source_start="0.0", source_end="0.317551"),
            dict(path="audio/fold10/100648-1-0-0.wav", label="car_horn", fsID="100648", salience="2", classID="1", source_start="4.823402", source_end="5.471927")]
    rows = [{**row, "fold": fold} for row, fold in zip(rows, ("5", "10"))]
    extract(veery, folder, tmp_path / "d.h5")
    extract(veery, write_manifest(tmp_path / "own.csv", rows), tmp_path / "own.h5", "--root", folder)
    like(read(tmp_path / "d.h5"), read(tmp_path / "own.h5"), CLIPS + ["clips/extra/fold", "clips/extra/source_start", "clips/extra/classID"])


def test_speech_commands(veery, tmp_path):
    folder = tmp_path / "speech"
    names = ["bed/0c40e715_nohash_0.wav", "bed/0c40e715_nohash_1.wav", "cat/00176480_nohash_0.wav", "cat/0a7c2a8d_nohash_0.wav"]
    for name in [*names, "_background_noise_/pink_noise.wav"]:
        wav(folder / name)
    (folder / "validation_list.txt").write_text("bed/0c40e715_nohash_1.wav\n")
    (folder / "testing_list.txt").write_text("cat/00176480_nohash_0.wav\ncat/gone_nohash_0.wav\n")
    rows = [dict(path=name, label=name[:3], split=split, speaker=name[4:12]) for name, split in zip(names, ("train", "validation", "test", "train"))]
    message = same(veery, tmp_path, folder, rows, title="Speech Commands").stderr
    assert "_background_noise_" not in message and "testing_list.txt: 1 entry names no recording" in message and "cat/gone_nohash_0.wav" in message
    (folder / "testing_list.txt").write_text("bed/0c40e715_nohash_1.wav\n")
    assert "testing_list.txt, line 1: 'bed/0c40e715_nohash_1.wav' is in the other list already" in veery("check", folder, status=1).stderr


def librispeech(folder):
    words = {"dev-clean/84/121123": ["GO DO YOU HEAR", "BUT IN LESS THAN FIVE MINUTES"], "train-clean-100/103/1240": ["CHAPTER ONE"]}
    for chapter, lines in words.items():
        stem = "-".join(chapter.split("/")[1:])
        for number in range(len(lines)):
            wav(folder / chapter / f"{stem}-{number:04}.wav")
        (folder / chapter / f"{stem}.trans.txt").write_text("".join(f"{stem}-{n:04} {line}\n" for n, line in enumerate(lines)))
    (folder / "SPEAKERS.TXT").write_text(
        "; Some pipe(|) separated metadata\n;ID  |SEX| SUBSET           |MINUTES| NAME\n84   | F | dev-clean        |  8.02 | Christie Nowak\n"
        "103  | F | train-clean-100  | 25.20 | Karen Savage\n")
    (folder / "README.TXT").write_text("x")


def test_librispeech(veery, tmp_path):
    folder = tmp_path / "LibriSpeech"
    librispeech(folder)
    rows = [dict(id=f"84-121123-000{n}", path=f"dev-clean/84/121123/84-121123-000{n}.wav", split="dev", subset="dev-clean", speaker="84", chapter="121123",
                 gender="F", text=text) for n, text in enumerate(["GO DO YOU HEAR", "BUT IN LESS THAN FIVE MINUTES"])]
    rows.append(dict(id="103-1240-0000", path="train-clean-100/103/1240/103-1240-0000.wav", split="train", subset="train-clean-100", speaker="103",
                     chapter="1240", gender="F", text="CHAPTER ONE"))
    same(veery, tmp_path, folder, rows, title="a LibriSpeech corpus (dev-clean, train-clean-100)")
    part = [{**row, "path": row["path"].removeprefix("dev-clean/")} for row in rows[:2]]
    same(veery, tmp_path, folder / "dev-clean", part)
    veery("extract", ".", "-o", tmp_path / "here.h5", "--set", "normalize.scope=none", folder=folder / "dev-clean")
    assert texts(tmp_path / "here.h5", "split", "extra/gender") == [("dev", "F")] * 2
    chapter = folder / "dev-clean/84/121123"
    (chapter / "84-121123-0000.wav").rename(chapter / "84-121123-0009.wav")
    (folder / "train-clean-100/103/1240/103-1240.trans.txt").unlink()
    (folder / "train-clean-100/103/1241").mkdir()
    (folder / "train-clean-100/103/1241/103-1241.trans.txt").write_text("103-1241-0000 X\n")
    found = veery("check", folder, status=3)
    for text in ["dev-clean/84/121123/84-121123-0000.wav", "train-clean-100/103/1241/103-1241-0000.flac",
                 "2 recordings are not in the metadata: 'dev-clean/84/121123/84-121123-0009.wav'"]:
        assert text in found.stderr + found.stdout, found


COMMON_VOICE = "client_id\tpath\tsentence_id\tsentence\tsentence_domain\tup_votes\tdown_votes\tage\tgender\taccents\tvariant\tlocale\tsegment\n"


def test_common_voice(veery, tmp_path):
    folder = tmp_path / "cv/en"
    rows = []
    for split, sentence in [("train", '"No," he said.'), ("dev", "It's a \"test"), ("test", "fine")]:
        name = f"common_voice_en_{len(rows)}"
        wav(folder / "clips" / (name + ".wav"))
        (folder / "clips" / (name + ".wav")).rename(folder / "clips" / (name + ".mp3"))
        (folder / f"{split}.tsv").write_text(COMMON_VOICE + f"abc{split}\t{name}.mp3\tid1\t{sentence}\t\t2\t0\ttwenties\tmale\t\t\ten\t\n")
        rows.append(dict(id=name, path=f"clips/{name}.mp3", split=split, speaker="abc" + split, text=sentence, sentence_id="id1", sentence_domain="",
                         up_votes="2", down_votes="0", age="twenties", gender="male", accents="", variant="", locale="en", segment=""))
    write_manifest(tmp_path / "own.tsv", [])
    result = extract(veery, folder, tmp_path / "d.h5")
    assert "read as a Common Voice corpus (train.tsv, dev.tsv, test.tsv)" in result.stderr
    lines = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    (tmp_path / "own.jsonl").write_text(lines)
    extract(veery, tmp_path / "own.jsonl", tmp_path / "own.h5", "--root", folder)
    assert read(tmp_path / "d.h5") == read(tmp_path / "own.h5")
    extract(veery, folder / "dev.tsv", tmp_path / "dev.h5")
    assert texts(tmp_path / "dev.h5", "id", "path", "split") == [("common_voice_en_1", "clips/common_voice_en_1.mp3", "dev")]


def test_ketos(veery, tmp_path):
    wav(tmp_path / "day1.wav", seconds=2)
    table = tmp_path / "annotations.csv"
    table.write_text("filename,annot_id,label,start,end,freq_min,freq_max\nday1.wav,0,1,0.25,0.75,100,900.5\nday1.wav,1,2,0.5,1.5,,\n")
    rows = [dict(id="day1#0", path="day1.wav", label="1", start=0.25, end=0.75, low_frequency="100", high_frequency="900.5"),
            dict(id="day1#1", path="day1.wav", label="2", start=0.5, end=1.5)]
    same(veery, tmp_path, table, rows, root=tmp_path, title="a Ketos annotation table")


def test_nemo(veery, tmp_path):
    wav(tmp_path / "a.wav", seconds=1)
    wav(tmp_path / "b.wav")
    (tmp_path / "train_manifest.json").write_text(
        '{"audio_filepath": "a.wav", "duration": 0.5, "offset": 0.25, "text": "x"}\n{"audio_filepath": "b.wav", "duration": 0.51, "command": "go"}\n')
    extract(veery, tmp_path / "train_manifest.json", tmp_path / "d.h5")
    assert texts(tmp_path / "d.h5", "path", "label", "extra/text") == [("a.wav", "", "x"), ("b.wav", "go", "")]
    with h5py.File(tmp_path / "d.h5") as file:
        assert file["clips/start"][()].tolist() == [0.25, 0] and file["clips/duration"][()].tolist() == [0.5, 0.5]


def test_audiofolder_with_metadata(veery, tmp_path):
    folder = tmp_path / "af"
    for name in ["train/a.wav", "train/sub/b.wav", "test/c.wav"]:
        wav(folder / name)
    rows = [dict(path="train/a.wav", split="train", label="x", transcription="one, two"), dict(path="train/sub/b.wav", split="train", label="y", transcription=""),
            dict(path="test/c.wav", split="test", label="x", transcription="three")]
    (folder / "metadata.csv").write_text('file_name,label,transcription\ntrain/a.wav,x,"one, two"\ntrain/sub/b.wav,y,\ntest/c.wav,x,three\n')
    same(veery, tmp_path, folder, rows, title="a Hugging Face audio folder (metadata.csv)")
    same(veery, tmp_path, folder / "metadata.csv", rows, root=folder)
    (folder / "metadata.csv").unlink()
    (folder / "train/metadata.jsonl").write_text('{"file_name": "a.wav", "label": "x", "transcription": "one, two"}\n{"file_name": "sub/b.wav", "label": "y", "transcription": null}\n')
    (folder / "test/metadata.csv").write_text("file_name,label,transcription\nc.wav,x,three\n")
    same(veery, tmp_path, folder, [rows[2], rows[0], rows[1]], title="a Hugging Face audio folder (test/metadata.csv, train/metadata.jsonl)")
    (folder / "test/metadata.csv").write_text("file_name,label,duration\n,x,1.0\nc.wav\nc.wav,x,0.7\n")
    message = veery("check", folder, status=1).stderr
    assert "test/metadata.csv, line 2: file_name is empty" in message or "metadata.csv, line 2: file_name is empty" in message
    assert "line 3: has 1 field; the header has 3" in message


def test_folders(veery, tmp_path):
    folder = tmp_path / "plain"
    for name in ["wren/a.wav", "robin/a.wav", "robin/b.flac.wav"]:
        wav(folder / name)
    rows = [dict(path=name, label=name.split("/")[0]) for name in ["robin/a.wav", "robin/b.flac.wav", "wren/a.wav"]]
    same(veery, tmp_path, folder, rows, title="a folder of recordings")
    veery("crawl", folder, "-o", folder / "m.csv")
    extract(veery, folder / "m.csv", tmp_path / "crawled.h5")
    assert read(tmp_path / "crawled.h5") == read(tmp_path / "dataset.h5")
    splits = tmp_path / "splits"
    for name in ["train/wren/a.wav", "train/robin/a.wav", "validation/wren/b.wav", "test/c.wav"]:
        wav(splits / name)
    rows = [dict(path="test/c.wav", split="test", label=""), dict(path="train/robin/a.wav", split="train", label="robin"),
            dict(path="train/wren/a.wav", split="train", label="wren"), dict(path="validation/wren/b.wav", split="validation", label="wren")]
    same(veery, tmp_path, splits, rows, title="a Hugging Face audio folder")
    extract(veery, splits, tmp_path / "as-folder.h5", "--format", "folder")
    assert texts(tmp_path / "as-folder.h5", "label", "split") == [("", "test"), ("robin", "train"), ("wren", "train"), ("wren", "validation")]
    (tmp_path / "none").mkdir()
    (tmp_path / "none/x.txt").write_text("x")
    assert "expected recordings" in veery("check", tmp_path / "none", status=1).stderr
    assert "is not a Kaldi data directory: expected a folder with wav.scp" in veery("check", folder, "--format", "kaldi", status=1).stderr


# MARK: Columns


def test_columns(veery, tmp_path):
    wav(tmp_path / "a.wav", seconds=1)
    wav(tmp_path / "b.wav", seconds=1)
    for name, text in {"m.csv": "file,species,label,onset,offset\na.wav,wren,1,0.1,0.4\na.wav,robin,2,0.5,0.75\nb.wav,wren,3,0,1\n",
                       "m.jsonl": '{"file":"a.wav","species":"wren","label":1,"onset":0.1,"offset":0.4}\n{"file":"a.wav","species":"robin","label":2,"onset":0.5,'
                                  '"offset":0.75}\n{"file":"b.wav","species":"wren","label":3,"onset":0,"offset":1}\n',
                       "s.csv": "file;species;label;onset;offset\na.wav;wren;1;0,1;0,4\na.wav;robin;2;0,5;0,75\nb.wav;wren;3;0;1\n"}.items():
        (tmp_path / name).write_text(text)
        options = ["--format", name.split(".")[1], "--column", "path=file", "--column", "label=species", "--column", "start=onset", "--column", "end=offset"]
        rows = [dict(path="a.wav", label="wren", start=0.1, end=0.4), dict(path="a.wav", label="robin", start=0.5, end=0.75), dict(path="b.wav", label="wren", start=0, end=1)]
        message = same(veery, tmp_path, tmp_path / name, rows, *options, root=tmp_path).stderr
        assert "'species', by --column, and not 'label'" in message
    # The error that refuses such a table says what to do.
    (tmp_path / "o.csv").write_text("path,species,onset,offset\na.wav,wren,0.1,0.4\na.wav,robin,0.5,0.75\n")
    message = veery("check", tmp_path / "o.csv", status=1).stderr
    assert "give --column start=onset --column end=offset" in message
    veery("check", tmp_path / "o.csv", "--column", "start=onset", "--column", "end=offset")
    (tmp_path / "n.csv").write_text("recording,species\na.wav,wren\n")
    assert "give --column path=recording" in veery("check", tmp_path / "n.csv", status=1).stderr
    assert "no problems" in veery("check", tmp_path / "n.csv", "--column", "path=recording").stdout
    assert "there is no column 'specie' to read as 'label'; the columns are: 'path', 'species', 'onset', 'offset'" in veery(
        "check", tmp_path / "o.csv", "--column", "label=specie", status=1).stderr
    for wrong in [["--column", "species=label"], ["--column", "label"], ["--column", "label=a", "--column", "label=b"]]:
        veery("check", tmp_path / "o.csv", *wrong, status=64)


def test_columns_are_part_of_the_run(veery, tmp_path):
    """A file made with other columns is not up to date."""
    wav(tmp_path / "a.wav")
    (tmp_path / "m.csv").write_text("path,species,common\na.wav,Troglodytes,wren\n")
    run = ["extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "--column"]
    veery(*run, "label=species")
    assert "up to date" in veery(*run, "label=species").stderr
    assert "exists" in veery(*run, "label=common", status=1).stderr


def test_labels_of_converted_datasets(veery, described, tmp_path):
    extract(veery, described / "kaldi", tmp_path / "d.h5", "--column", "label=speaker")
    assert texts(tmp_path / "d.h5", "label") == [("s1",), ("s1",)]
    with h5py.File(tmp_path / "d.h5") as file:
        assert "speaker" not in file["clips/extra"]


def test_a_dataset_from_standard_input(program, described, tmp_path):
    run = [program, "extract", "-", "-o", tmp_path / "d.h5"]
    result = subprocess.run(run, cwd=described, input=(described / "cuts.jsonl").read_bytes(), capture_output=True)
    assert result.returncode == 0, result.stderr
    assert texts(tmp_path / "d.h5", "id") == [("one-whole",), ("one-part",)]


def test_resume_of_a_dataset(veery, described, tmp_path):
    """The same rows give the same run, also from another format; other rows do not."""
    extract(veery, described / "kaldi", tmp_path / "d.h5")
    run = ["extract", described / "kaldi", "-o", tmp_path / "d.h5", "--set", "normalize.scope=none"]
    assert "up to date" in veery(*run).stderr
    (described / "kaldi/text").write_text("one-part changed\none-whole the whole of it\n")
    veery(*run, status=1)


@pytest.mark.parametrize("seed", range(6))
def test_damaged_descriptions_never_crash(veery, described, tmp_path, seed):
    """Bytes of a description are changed, repeated or cut off: it is read, or refused with a message."""
    random = np.random.default_rng(seed)
    sources = {"kaldi": ["wav.scp", "segments", "text", "utt2spk"], ".": ["cuts.jsonl"], "lhotse": ["a_recordings.jsonl", "a_supervisions.jsonl"]}
    for name in ("recordings", "supervisions"):
        packed = described / f"lhotse/demo_{name}_train-clean-5.jsonl.gz"
        (described / f"lhotse/a_{name}.jsonl").write_bytes(gzip.decompress(packed.read_bytes()))
        packed.unlink()
    for folder, names in sources.items():
        whole = {name: (described / folder / name).read_bytes() for name in names}
        for _ in range(6):
            name = names[random.integers(len(names))]
            data = bytearray(whole[name])
            for _ in range(random.integers(1, 4)):
                offset = int(random.integers(len(data)))
                kind = random.integers(3)
                if kind == 0:
                    data[offset] = int(random.integers(256))
                elif kind == 1:
                    data[offset:offset] = data[offset:offset + int(random.integers(40))]
                else:
                    del data[offset:]
            (described / folder / name).write_bytes(bytes(data))
            source = described / folder if folder != "." else described / "cuts.jsonl"
            result = veery("check", source, status=(0, 1, 3, 64))
            assert result.returncode in (0, 3) or result.stderr.startswith("Error: "), bytes(data)
            (described / folder / name).write_bytes(whole[name])
