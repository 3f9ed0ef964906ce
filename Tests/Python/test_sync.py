"""`veery extract --sync`: a feature file follows its manifest, and has the bytes of one made anew.

Random edits of a manifest and its recordings are compared with `cmp`. What a run kept is counted by a model of its own: the clips
whose row and recording are as they were.
"""
import io
import json
import os
import random
import shutil
import signal
import subprocess
import tarfile
import time

import h5py
import numpy as np
import pytest
import soundfile

from conftest import noise, tone, write_manifest, write_wav
from test_commands import digest, validate

MEL = ["--preset", "log-mel", "--set", "audio.sample_rate=8k", "--set", "transform.high=4000", "--set", "transform.bins=20"]
NONE = ["--set", "normalize.scope=none"]
CLIP = ["--set", "normalize.scope=clip"]
DEFLATE = ["--set", "store.compression=deflate"]
HALF = ["--set", "store.type=float16"]
FIXED = ["--set", "store.layout=fixed", "--set", "audio.duration=0.6"]
PEAK = ["--set", "scale.top_db=30"]
CONFIGURATIONS = {
    "none": [*MEL, *NONE],
    "none, float16": [*MEL, *NONE, *HALF],
    "none, deflate": [*MEL, *NONE, *DEFLATE],
    "none, fixed": [*MEL, *NONE, *FIXED],
    "none, fixed, deflate, float16": [*MEL, *NONE, *FIXED, *DEFLATE, *HALF],
    "cepstra with slopes": ["--preset", "librosa-mfcc", "--set", "audio.sample_rate=8k", "--set", "transform.high=4000",
                            "--set", "transform.deltas=2", *NONE],
    "slopes, float16": ["--preset", "librosa-mfcc", "--set", "audio.sample_rate=8k", "--set", "transform.high=4000",
                        "--set", "transform.deltas=1", *NONE, *HALF],
    "below the peak": [*MEL, *NONE, *PEAK],
    "each clip": [*MEL, *CLIP],
    "each clip, fixed, deflate": [*MEL, *CLIP, *FIXED, *DEFLATE],
    "each clip, float16": [*MEL, *CLIP, *HALF],
    "overflows": ["--preset", "log-mel", "--set", "audio.sample_rate=8k", "--set", "transform.high=4000", "--set",
                  "scale.kind=power", "--set", "scale.factor=20000", *NONE, *HALF],
    "policies": [*MEL, *NONE, "--truncated", "keep", "--non-finite", "zero"],
    "own rate": ["--preset", "log-mel", "--set", "audio.sample_rate=null", "--set", "transform.high=4000", *NONE],
    "new statistics": [*MEL, "--new-statistics"],
}


class World:
    """Recordings, an archive and a manifest that change at random."""

    def __init__(self, folder, seed):
        self.folder, self.random = folder, random.Random(seed)
        self.version, self.next, self.members = {}, 0, {}
        self.columns = {"note"}
        for number in range(7):
            self.record(f"{number}.wav")
        self.record("music.flac")
        self.pack()
        self.rows = []
        for _ in range(14):
            self.add()
        self.write()

    def record(self, name):
        """New sound under a name: at times of the same size, with the time of change of the older one."""
        path = self.folder / name
        before = path.stat() if path.exists() and self.random.random() < 0.7 else None
        self.next += 1
        self.version[name] = self.next
        generator = np.random.default_rng(self.next + 100)
        count = 9000 if before else self.random.choice([3000, 9000, 12_345, 100])
        rate = self.random.choice([8000, 8000, 16_000]) if not before else 8000
        sound = generator.uniform(-0.5, 0.5, (count, 2 if name == "3.wav" else 1)) * generator.choice([0.02, 0.3, 1])
        sound += tone(rate, count / rate, [400 + 100 * generator.random()])[:, None] * 0.2
        if name.endswith(".flac"):
            soundfile.write(path, sound, rate)
        else:
            write_wav(path, rate, sound.squeeze())
        if before and path.stat().st_size == before.st_size:
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def damage(self, name):
        self.next += 1
        self.version[name] = self.next
        path = self.folder / name
        match self.random.randrange(4):
            case 0: path.write_bytes(b"no sound")
            case 1: path.write_bytes(path.read_bytes()[:-2001] if path.exists() and path.stat().st_size > 3000 else b"RIFF")
            case 2: write_wav(path, 8000, np.array([0.1, np.nan, np.inf, *noise(self.next, 5000)]), dtype="<f4")
            case 3: path.write_bytes(b"")

    def pack(self):
        for name in ["x.wav", "y.wav"]:
            if name not in self.members or self.random.random() < 0.5:
                self.next += 1
                file = io.BytesIO()
                soundfile.write(file, noise(self.next, 4000), 8000, format="WAV", subtype="PCM_16")
                self.members[name] = file.getvalue()
                self.version[f"sounds.tar::{name}"] = self.next
        with tarfile.open(self.folder / "sounds.tar", "w") as archive:
            for name, content in self.members.items():
                entry = tarfile.TarInfo(name)
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))

    def add(self):
        self.next += 1
        row = {"id": f"clip {self.next}", "path": self.random.choice([*self.version, "gone.wav"]), "start": "", "end": "", "channel": "",
               "label": self.random.choice(["", "a", "b", "é"]), "split": self.random.choice(["train", "test", "train"]),
               "note": self.random.choice(["", "x", "a longer note"])}
        if self.random.random() < 0.5:
            row["start"] = f"{self.random.random() / 5:.4f}"
            if self.random.random() < 0.7:
                row["end"] = f"{float(row['start']) + 0.05 + self.random.random() / 4:.4f}"
        if row["path"] == "3.wav" and self.random.random() < 0.7:
            row["channel"] = self.random.choice(["0", "1"])
        self.rows.insert(self.random.randrange(len(self.rows) + 1), row)

    def edit(self):
        """One edit of many kinds; its name."""
        row = self.random.choice(self.rows)
        kinds = ["add", "remove", "relabel", "resplit", "note", "shuffle", "swap", "record", "damage", "segment", "channel", "column",
                 "path", "rename", "pack", "nothing"]
        kind = self.random.choice(kinds)
        match kind:
            case "add":
                for _ in range(self.random.choice([1, 1, 5])):
                    self.add()
            case "remove" if len(self.rows) > 3: self.rows.remove(row)
            case "relabel": row["label"] = self.random.choice(["", "a", "a new label", "ü"])
            case "resplit": row["split"] = self.random.choice(["train", "test", ""])
            case "note": row["note"] = str(self.random.random())
            case "shuffle": self.random.shuffle(self.rows)
            case "swap": self.rows.insert(0, self.rows.pop())
            case "record": self.record(self.random.choice([name for name in self.version if "::" not in name]))
            case "damage": self.damage(self.random.choice(["0.wav", "1.wav", "2.wav"]))
            case "segment": row["start"], row["end"] = f"{self.random.random() / 5:.5f}", ""
            case "channel" if row["path"] == "3.wav": row["channel"] = "1" if row["channel"] != "1" else ""
            case "column": self.columns ^= {self.random.choice(["note", "site", "the third"])}
            case "path": row["path"] = self.random.choice(list(self.version))
            case "rename": row["id"] += "'"
            case "pack": self.pack()
        return kind

    def write(self):
        names = ["id", "path", "start", "end", "label", "split", *sorted(self.columns)]
        if any(row["channel"] for row in self.rows):
            names.insert(3, "channel")
        write_manifest(self.folder / "m.csv", [{name: row.get(name, f"of {row['id']}") for name in names} for row in self.rows])

    def keys(self):
        """What makes each clip what it is, by its id."""
        return {row["id"]: (row["path"], self.version.get(row["path"]), row["start"], row["end"],
                            row["channel"] if row["path"] else "") for row in self.rows}


def stored(path):
    with h5py.File(path) as file:
        return set(file["clips/id"].asstr())


# Rounds of one to four edits each, for every configuration.
ROUNDS = int(os.environ.get("VEERY_SYNC_ROUNDS", "10"))


@pytest.mark.long
@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_a_file_that_follows_its_manifest_has_the_bytes_of_a_new_one(veery, tmp_path, name):
    """Hundreds of random edits; RandomEditsTests does the same with the library."""
    options = CONFIGURATIONS[name]
    plain = [option for option in options if option != "--new-statistics"]
    world = World(tmp_path, seed=len(name) * 1000 + 7)
    output, fresh = tmp_path / "f.h5", tmp_path / "fresh.h5"
    run = ["extract", tmp_path / "m.csv", "--max-failures", "100%", "--progress", "none"]
    veery(*run, *options, "-o", output, "--sync")
    kept, seen = 0, set()
    for number in range(ROUNDS):
        before, had = world.keys(), stored(output)
        time_before, bytes_before = output.stat().st_mtime_ns, output.read_bytes()
        edits = [world.edit() for _ in range(world.random.choice([1, 1, 2, 4]))]
        seen.update(edits)
        world.write()
        shown = (name, number, edits)
        first = world.rows[0]["path"]
        fresh.unlink(missing_ok=True)
        made = veery(*run, *plain, "-o", fresh, status=(0, 1))
        if made.returncode == 1:
            # None of the clips that give the rate, or the statistics, can be read: nor can a file follow.
            veery(*run, *options, "-o", output, "--sync", status=1)
            assert output.read_bytes() == bytes_before, shown
            continue
        planned = veery(*run, *options, "-o", output, "--sync", "--dry-run", "--json", status=(0, 1))
        plan = json.loads(planned.stdout)
        if number < 2:
            validate(plan, "extraction-report")
        assert output.read_bytes() == bytes_before and output.stat().st_mtime_ns == time_before, shown
        if planned.returncode == 1:
            # The first recording that can be read gives the rate: of another one, all is to be computed again.
            assert name == "own rate" and "sample rate" in plan["obstacle"], (shown, plan)
            veery(*run, *options, "-o", output, "--sync", status=1)
            veery(*run, *options, "-o", output, "--sync", "--overwrite")
            assert output.read_bytes() == fresh.read_bytes(), shown
            continue
        report = json.loads(veery(*run, *options, "-o", output, "--sync", "--json").stdout)
        if number < 2:
            validate(report, "extraction-report")
        assert output.read_bytes() == fresh.read_bytes(), (shown, report)
        assert report["up_to_date"] == (output.read_bytes() == bytes_before), (shown, report)
        assert not report["up_to_date"] or output.stat().st_mtime_ns == time_before, shown
        now = world.keys()
        same = {clip for clip, key in now.items() if before.get(clip) == key and clip in had}
        if "sync" in report:
            sync = report["sync"]
            assert sync == plan["sync"], shown
            assert sync["added"] == len(now.keys() - before.keys()) and sync["removed"] == len(before.keys() - now.keys()), shown
            if not sync["replaces_statistics"]:
                # A clip whose end was left out, and given as that of the recording, is the same.
                assert report["kept_clips"] >= len(same) or report["up_to_date"], (shown, report)
                assert report["kept_clips"] == plan["kept_clips"], (shown, report)
                kept += report["kept_clips"]
            if not report["up_to_date"] and not sync["replaces_statistics"]:
                assert sync["recomputed"] <= len(now.keys() & had) - len(same), (shown, report)
        assert sorted(path.name for path in tmp_path.glob("*.h5*")) == ["f.h5", "fresh.h5"], first
    # Rounded values do not tell the statistics of a clip: all clips are computed.
    copies = "--new-statistics" not in options and not {NONE[1], HALF[1]} <= set(options)
    assert (kept > 2 * ROUNDS or name == "own rate") if copies else kept == 0, kept
    assert veery("inspect", "--verify", output).returncode == 0
    # Once more, and nothing is written.
    before = output.stat().st_mtime_ns
    veery(*run, *options, "-o", output, "--sync")
    assert output.stat().st_mtime_ns == before


@pytest.fixture
def folder(tmp_path):
    for clip in range(6):
        write_wav(tmp_path / f"{clip}.wav", 16000, noise(clip, 8000))
    write_rows(tmp_path, range(6))
    return tmp_path


def write_rows(folder, clips, label="a"):
    write_manifest(folder / "m.csv", [{"path": f"{clip}.wav", "label": label, "split": "train"} for clip in clips])


def replace(path, seed):
    """Other samples, of the same size and time of change."""
    before = path.stat()
    write_wav(path, 16000, noise(seed, 8000))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_there_and_back_again(veery, folder):
    """From one manifest to another and back gives the first bytes."""
    run = ["extract", "m.csv", "-o", "f.h5", "--sync", *CLIP]
    veery(*run, folder=folder)
    first = digest(folder / "f.h5")
    write_rows(folder, [5, 3, 1], label="b")
    replace(folder / "3.wav", 80)
    veery(*run, folder=folder)
    assert digest(folder / "f.h5") != first
    write_rows(folder, range(6))
    replace(folder / "3.wav", 3)
    said = veery(*run, folder=folder).stderr
    assert "kept 2 clips; 3 added, 1 computed anew, 2 relabelled, 1 reordered" in said, said
    assert digest(folder / "f.h5") == first
    said = veery(*run, folder=folder).stderr
    assert "is up to date" in said


def test_a_dry_run_says_which_and_how_many(veery, folder):
    veery("extract", "m.csv", "-o", "f.h5", *NONE, folder=folder)
    older, names = digest(folder / "f.h5"), sorted(os.listdir(folder))
    rows = [{"path": f"{clip}.wav", "label": "b" if clip == 1 else "a", "split": "test" if clip == 2 else "train"}
            for clip in (0, 2, 1, 4, 5)]
    write_wav(folder / "new.wav", 16000, noise(9, 8000))
    write_manifest(folder / "m.csv", [*rows, {"path": "new.wav", "label": "a", "split": "train"}])
    replace(folder / "4.wav", 50)
    said = veery("extract", "m.csv", "-o", "f.h5", "--sync", "--dry-run", *NONE, folder=folder).stdout
    for line in ["would add      1 clip: new", "would remove   1 clip: 3", "compute anew   1 clip whose recording, times or channel changed: 4",
                 "would relabel  1 clip: 1", "would move     1 clip to another split: 2", "would reorder  1 clip: 1", "unchanged      2 clips"]:
        assert line in said.splitlines(), said
    report = json.loads(veery("extract", "m.csv", "-o", "f.h5", "--sync", "--dry-run", "--json", *NONE, folder=folder).stdout)
    validate(report, "extraction-report")
    assert report["existing_output"] == "follows" and report["clips_left"] == 2 and report["kept_clips"] == 4
    assert report["clips"] == 6 and report["sync"]["first_clips"]["recomputed"] == ["4"]
    assert digest(folder / "f.h5") == older and sorted(os.listdir(folder)) == sorted([*names, "new.wav"])


def test_unchanged_clips_are_copied_and_never_computed(veery, folder):
    """Recordings of unchanged clips may be gone; of a recording that has changed, no clip is copied."""
    veery("extract", "m.csv", "-o", "f.h5", *NONE, folder=folder)
    replace(folder / "4.wav", 50)
    write_rows(folder, [5, 4, 3, 2, 1, 0], label="b")
    veery("extract", "m.csv", "-o", "fresh.h5", *NONE, folder=folder)
    for clip in (0, 1, 2, 3, 5):
        (folder / f"{clip}.wav").rename(folder / f"{clip}.away")
    said = veery("extract", "m.csv", "-o", "f.h5", "--sync", *NONE, folder=folder).stderr
    assert "warning: 5 clips of the existing file, such as 5.wav, are kept unchecked: the recordings are missing" in said
    assert "kept 5 clips; 1 computed anew" in said
    assert digest(folder / "f.h5") == digest(folder / "fresh.h5")


def test_dataset_statistics_are_kept_or_renewed(veery, folder):
    veery("extract", "m.csv", "-o", "f.h5", folder=folder)
    with h5py.File(folder / "f.h5") as file:
        mean, checksum = file["statistics/mean"][:], file.attrs["metadata_xxh3"]
        rows = file["features"][:].reshape(6, -1, file["features"].shape[1])
    replace(folder / "4.wav", 50)
    write_rows(folder, [5, 4, 1])
    veery("extract", "m.csv", "-o", "fresh.h5", folder=folder)
    said = veery("extract", "m.csv", "-o", "f.h5", "--sync", folder=folder).stderr
    assert "kept 2 clips; 3 removed, 1 computed anew" in said, said
    with h5py.File(folder / "f.h5") as file:
        assert np.array_equal(file["statistics/mean"][:], mean)
        assert file["statistics"].attrs["source"] == checksum
        assert np.array_equal(file["features"][:len(rows[5])], rows[5])
    assert "up to date" in veery("extract", "m.csv", "-o", "f.h5", "--sync", folder=folder).stderr
    dry = veery("extract", "m.csv", "-o", "f.h5", "--sync", "--new-statistics", "--dry-run", folder=folder).stdout
    assert "compute anew   all clips, for new statistics" in dry
    veery("extract", "m.csv", "-o", "f.h5", "--sync", "--new-statistics", folder=folder)
    assert digest(folder / "f.h5") == digest(folder / "fresh.h5")


def test_failed_clips_are_tried_again(veery, folder):
    for clip in (2, 4):
        (folder / f"{clip}.wav").write_bytes(b"no sound")
    run = ["extract", "m.csv", "--max-failures", "9", *NONE]
    veery(*run, "-o", "f.h5", folder=folder)
    before = (folder / "f.h5").stat().st_mtime_ns
    # They fail again: nothing is written.
    said = veery(*run, "-o", "f.h5", "--retry-failed", folder=folder).stderr
    assert "up to date" in said and (folder / "f.h5").stat().st_mtime_ns == before, said
    write_wav(folder / "2.wav", 16000, noise(2, 8000))
    veery(*run, "-o", "fresh.h5", folder=folder)
    # Others are left: no recording of theirs is read.
    replace(folder / "1.wav", 60)
    report = json.loads(veery(*run, "-o", "f.h5", "--retry-failed", "--json", folder=folder).stdout)
    assert report["kept_clips"] == 4 and report["clips"] == 5 and report["sync"]["retried"] == 2
    assert digest(folder / "f.h5") == digest(folder / "fresh.h5")
    assert sorted(path.name for path in folder.glob("f.h5*")) == ["f.h5"]


def test_runs_that_cannot_sync_are_refused_with_the_reason(veery, folder):
    run = ["extract", "m.csv", "-o", "f.h5", "--sync"]
    veery(*run, *NONE, folder=folder)
    older = (folder / "f.h5").read_bytes()

    def refused(*options, status=1, command=run):
        said = veery(*command, *options, status=status, folder=folder).stderr
        assert sorted(path.name for path in folder.glob("f.h5*")) == ["f.h5"]
        return said

    for options, reason in [(CLIP, "normalize.scope was none and is clip now"), ([*NONE, *HALF], "store.type was float32 and is float16 now"),
                            ([*NONE, "--truncated", "keep"], "--truncated was fail and is keep now")]:
        assert reason in refused(*options) and "--overwrite" in refused(*options)
        assert (folder / "f.h5").read_bytes() == older
    retry = ["extract", "m.csv", "-o", "f.h5", "--retry-failed", *NONE]
    write_rows(folder, [1, 2])
    assert "--sync" in refused(command=retry)
    for wrong in [["--append", "--sync"], ["--append", "--retry-failed"], ["--new-statistics"]]:
        refused(*NONE, *wrong, status=64, command=run[:-1])
    refused("--stats-from", "f.h5", "--new-statistics", status=64)
    # What a person has added would be lost.
    with h5py.File(folder / "f.h5", "a") as file:
        file["my_embeddings"] = np.zeros(3)
    added = (folder / "f.h5").read_bytes()
    assert "it holds '/my_embeddings', which the new file would not" in refused(*NONE)
    assert (folder / "f.h5").read_bytes() == added
    (folder / "f.h5").write_bytes(older)
    # Damage: of what belongs to no clip, of a clip's columns, and of rows that would be copied.
    with h5py.File(folder / "f.h5") as file:
        rows = file["features"].id.get_offset()
        label = file["clips/duration"].id.get_offset()
        mean = file["statistics/mean"].id.get_offset()
    for offset, word in [(mean, "metadata_xxh3"), (label + 8, "record_xxh3"), (rows + 20_000, "tensor_xxh3")]:
        damaged = bytearray(older)
        damaged[offset] ^= 1
        (folder / "f.h5").write_bytes(damaged)
        said = veery(*run, *NONE, status=1, folder=folder).stderr
        assert word in said, said
        assert (folder / "f.h5").read_bytes() == damaged
        shutil.rmtree(folder / "f.h5.spool", ignore_errors=True)
    (folder / "f.h5").write_bytes(b"my notes")
    assert "f.h5" in refused(*NONE) and (folder / "f.h5").read_bytes() == b"my notes"
    (folder / "f.h5").write_bytes(older)
    # Whoever wants it gets all clips computed again.
    veery(*run, *CLIP, "--overwrite", folder=folder)
    veery("extract", "m.csv", "-o", "fresh.h5", *CLIP, folder=folder)
    assert digest(folder / "f.h5") == digest(folder / "fresh.h5")


@pytest.mark.parametrize("changed", [False, True], ids=["the same manifest", "another one"])
def test_a_damaged_file_is_made_anew_where_it_may_be_replaced(veery, folder, changed):
    run = ["extract", "m.csv", "--preset", "log-mel", *NONE]
    veery(*run, "-o", "f.h5", folder=folder)
    older = (folder / "f.h5").read_bytes()
    with h5py.File(folder / "f.h5") as file:
        offsets = [file["statistics/mean"].id.get_offset(), file["clips/duration"].id.get_offset() + 8,
                   file["features"].id.get_offset() + 20_000]
    if changed:
        replace(folder / "3.wav", 70)
    veery(*run, "-o", "fresh.h5", folder=folder)
    taken = 0
    for damaged in [*(older[:offset] + bytes([older[offset] ^ 1]) + older[offset + 1:] for offset in offsets), older[:20_000]]:
        # Only what may be replaced is.
        for options in (["--sync"], ["--retry-failed"])[:1 if changed else 2]:
            (folder / "f.h5").write_bytes(damaged)
            veery(*run, "-o", "f.h5", *options, status=1, folder=folder)
            assert (folder / "f.h5").read_bytes() == damaged
            # What the refused run computed is taken up.
            kept = (folder / "f.h5.spool").exists()
            taken += kept
            dry = veery(*run, "-o", "f.h5", *options, "--overwrite", "--dry-run", folder=folder).stdout
            assert "would not run" not in dry and "would keep" not in dry and ("would resume" in dry) == kept, dry
            veery(*run, "-o", "f.h5", *options, "--overwrite", folder=folder)
            assert digest(folder / "f.h5") == digest(folder / "fresh.h5")
    assert (taken > 0) == changed
    # Without a preset, the configuration would be that of the file, which may be damaged, too.
    flipped = older[:offsets[0]] + bytes([older[offsets[0]] ^ 1]) + older[offsets[0] + 1:]
    for damaged in (flipped, older[:20_000]):
        for update in ("--sync", "--retry-failed", "--append"):
            (folder / "f.h5").write_bytes(damaged)
            said = veery("extract", "m.csv", *NONE, "-o", "f.h5", update, status=1, folder=folder).stderr
            appends = update == "--append"
            assert (f"to compute all clips again, give --overwrite{', without --append,' if appends else ''} and the --preset or --config "
                    "that it was made with") in said, said
            veery(*run, "-o", "f.h5", "--overwrite", *([] if appends else [update]), folder=folder)
            assert digest(folder / "f.h5") == digest(folder / "fresh.h5")
    # A file that is open for writing elsewhere is not at fault.
    with h5py.File(folder / "f.h5", "r+"):
        said = veery("extract", "m.csv", *NONE, "-o", "f.h5", "--sync", status=1, folder=folder).stderr
        assert "close it there first" in said and "--overwrite" not in said, said
    # Clips of one that is sound are kept all the same.
    (folder / "f.h5").write_bytes(older)
    kept = json.loads(veery(*run, "-o", "f.h5", "--sync", "--overwrite", "--json", folder=folder).stdout)
    assert kept["kept_clips"] > 0 if changed else kept["up_to_date"]
    assert digest(folder / "f.h5") == digest(folder / "fresh.h5")


def test_a_kaldi_directory_is_followed(veery, tmp_path):
    for name in "abc":
        write_wav(tmp_path / f"{name}.wav", 16000, noise(ord(name), 24_000))
    data = tmp_path / "data"
    data.mkdir()

    def write(utterances, speakers):
        (data / "wav.scp").write_text("".join(f"{name} {tmp_path}/{name}.wav\n" for name in "abc"))
        (data / "segments").write_text("".join(f"{name}-{start} {name} {start} {start + 0.5}\n" for name, start in utterances))
        (data / "utt2spk").write_text("".join(f"{name}-{start} {speakers[name]}\n" for name, start in utterances))

    run = ["extract", data, *NONE]
    write([("a", 0.25), ("a", 0.75), ("b", 0.5)], dict(a="x", b="y", c="z"))
    veery(*run, "-o", tmp_path / "f.h5", "--sync")
    write([("a", 0.25), ("b", 0.5), ("c", 0.125)], dict(a="x", b="x", c="z"))
    report = json.loads(veery(*run, "-o", tmp_path / "f.h5", "--sync", "--json").stdout)
    veery(*run, "-o", tmp_path / "fresh.h5")
    assert digest(tmp_path / "f.h5") == digest(tmp_path / "fresh.h5")
    assert report["kept_clips"] == 2 and report["sync"]["added"] == 1 and report["sync"]["removed"] == 1


@pytest.mark.long
@pytest.mark.parametrize("options", [[*MEL, *NONE], [*MEL, *CLIP, *DEFLATE], MEL], ids=["none", "each clip", "dataset"])
def test_killed_at_any_moment_the_file_is_whole_and_the_same_command_continues(program, veery, tmp_path, options):
    chance = random.Random(5)
    for number in range(6):
        write_wav(tmp_path / f"{number}.wav", 8000, noise(number, 80_000))
    rows = [dict(id=f"c{clip}", path=f"{clip % 6}.wav", start=f"{chance.random() * 4:.3f}", label=f"l{clip % 3}", split="train")
            for clip in range(700)]
    write_manifest(tmp_path / "m.csv", rows[:400])
    output, old = tmp_path / "f.h5", tmp_path / "old.h5"
    run = ["extract", tmp_path / "m.csv", *options, "--max-failures", "100%", "--progress", "none"]
    veery(*run, "-o", old)
    chance.shuffle(rows)
    rows = rows[:500] + [dict(rows[0], id=f"gone{clip}", path="gone.wav") for clip in range(3)]
    for row in rows[::7]:
        row["label"] = "other"
    write_manifest(tmp_path / "m.csv", rows)
    replaced = write_wav(tmp_path / "3.wav", 8000, noise(30, 80_000))
    shutil.copy(old, output)
    begin = time.monotonic()
    veery(*run, "-o", output, "--sync")
    seconds = time.monotonic() - begin
    expected, before = output.read_bytes(), old.read_bytes()
    if options != MEL:
        veery(*run, "-o", tmp_path / "fresh.h5")
        assert expected == (tmp_path / "fresh.h5").read_bytes()
    assert len(replaced)
    resumed = kills = 0
    for _ in range(12):
        shutil.copy(old, output)
        for _ in range(chance.choice([1, 1, 2, 3])):
            process = subprocess.Popen([program, *map(str, run), "-o", str(output), "--sync", "--jobs", "2"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            time.sleep(seconds * chance.uniform(0.05, 0.9))
            process.send_signal(signal.SIGKILL)
            kills += process.wait() == -signal.SIGKILL
            resumed += b"resuming" in process.stderr.read()
            process.stderr.close()
            assert output.read_bytes() in (before, expected)
        said = veery(*run, "-o", output, "--sync").stderr
        resumed += "resuming" in said
        assert output.read_bytes() == expected
        assert sorted(path.name for path in tmp_path.glob("f.h5*")) == ["f.h5"]
    assert kills >= 4 and resumed >= 1, (kills, resumed)


@pytest.mark.long
def test_memory_stays_small(program, veery, peak_memory, tmp_path):
    """The tensor is many times as large as what a run may take more than one of few clips."""
    write_wav(tmp_path / "a.wav", 16000, noise(1, 160_000))
    sizes = {}
    for count in (20, 1500):
        rows = [dict(id=f"c{clip}", path="a.wav", label="x") for clip in range(count)]
        write_manifest(tmp_path / f"{count}.csv", rows)
        veery("extract", tmp_path / f"{count}.csv", "-o", tmp_path / f"{count}.h5", *NONE, "--set", "transform.bins=128")
        write_manifest(tmp_path / f"{count}.csv", [*reversed(rows), dict(id="new", path="a.wav", label="y")])
        sizes[count] = peak_memory(
            program, "extract", tmp_path / f"{count}.csv", "-o", tmp_path / f"{count}.h5", "--sync", *NONE,
            "--set", "transform.bins=128", "--progress", "none", "--jobs", "2", stderr=subprocess.DEVNULL)
    tensor = (tmp_path / "1500.h5").stat().st_size
    assert tensor > 300e6 and sizes[1500] - sizes[20] < 40e6, (tensor, sizes)
