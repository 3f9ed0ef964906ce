"""What the program advises while it extracts, draws, exports and so on is done, and helps: the table Tests/Advice/advice.tsv."""

import contextlib
import ctypes
import fcntl
import importlib
import json
import os
import pickle
import shlex
import shutil
import subprocess
import sys
import time

import h5py
import numpy
import pytest
import soundfile
import veery as package

from advice import AGAIN, case, follow, quoted, run
from conftest import noise, write_manifest, write_wav

RATE = 16000
# The feature file of `base`, for what reads one.
MADE = "veery extract m.csv -o f.h5 --quiet && "
# Samples as features, which are no model's input.
SAMPLES = (
    "--set transform.kind=raw --set scale.kind=linear --set frame.length=16 --set frame.hop=16 --set frame.fft_length=16 "
    "--set frame.window=rectangular --set normalize.scope=none")
FRAMES = "--set frame.hop=800 --set normalize.scope=none"
PYTHON = shlex.quote(sys.executable)


def base(folder):
    """Two recordings of a second, and a manifest of them."""
    for number, name in enumerate("ab"):
        write_wav(folder / f"{name}.wav", RATE, noise(number, RATE))
    write_manifest(folder / "m.csv", [{"path": "a.wav", "label": "x", "split": "train"}, {"path": "b.wav", "label": "y", "split": "test"}])


def and_then(*steps):
    """`base`, and then what is given: texts of files by name, or functions of the folder."""

    def make(folder):
        base(folder)
        for step in steps:
            if callable(step):
                step(folder)
            else:
                for name, text in step.items():
                    (folder / name).parent.mkdir(parents=True, exist_ok=True)
                    (folder / name).write_text(text)

    return make


def of_windows(folder):
    """A recording of 12 s, two manifests, and a file of the name that advice would give to another."""
    write_wav(folder / "12s.wav", 32_000, noise(3, 12 * 32_000))
    write_manifest(folder / "the clips.csv", [{"path": "12s.wav"}])
    write_manifest(folder / "short.csv", [{"path": "12s.wav", "start": 0, "end": 5}, {"path": "12s.wav", "start": 10, "end": 12}])
    (folder / "windows.csv").write_text("mine")


def cutting(_, said):
    """The command that a remark on windows prints."""
    return "veery clips " + quoted(said, "'veery clips ", "' makes" if "makes a clip" in said.text else "' leaves")


def stereo(folder):
    write_wav(folder / "s.wav", RATE, noise(5, 2 * RATE).reshape(-1, 2))
    write_manifest(folder / "s.csv", [{"path": "s.wav"}])


def low(folder):
    write_wav(folder / "low.wav", 8000, noise(6, 8000))
    write_manifest(folder / "low.csv", [{"path": "low.wav"}])


def long(folder):
    """Two windows of 5 s, and a rest."""
    write_wav(folder / "long.wav", 32_000, noise(9, 10 * 32_000 + 5000))


def cut(folder):
    """A recording whose second half is missing."""
    write_wav(folder / "cut.wav", RATE, noise(7, 2 * RATE))
    os.truncate(folder / "cut.wav", 44 + 2 * RATE)
    write_manifest(folder / "cut.csv", [{"path": "cut.wav"}])


def tiny(folder):
    write_wav(folder / "tiny.wav", RATE, noise(7, 100))
    write_manifest(folder / "tiny.csv", [{"path": "a.wav"}, {"path": "tiny.wav"}])


def infinite(folder):
    signal = noise(8, RATE)
    signal[100] = numpy.inf
    write_wav(folder / "i.wav", RATE, signal, "<f4")
    write_manifest(folder / "i.csv", [{"path": "i.wav"}])


def first_id(folder):
    with h5py.File(folder / "f.h5") as file:
        return file["clips/id"].asstr()[0]


def holds(count, name="f.h5"):
    """The feature file is complete and has so many clips."""

    def check(folder, _):
        with h5py.File(folder / name) as file:
            assert file.attrs["complete"] == 1 and len(file["clips/id"]) == count
    return check


def there(*names):
    def check(folder, _):
        assert all((folder / name).exists() for name in names), names
    return check


def lines(name, count):
    def check(folder, _):
        assert len((folder / name).read_text().splitlines()) == count, (folder / name).read_text()
    return check


def has_line(name, line):
    def check(folder, _):
        assert line in (folder / name).read_text().splitlines(), (folder / name).read_text()
    return check


def prints(text):
    def check(_, said):
        assert text in said.text, text
    return check


def remove(*names):
    def step(folder, _):
        for name in names:
            shutil.rmtree(folder / name) if (folder / name).is_dir() else (folder / name).unlink()
    return step


def write(name, text):
    def step(folder, _):
        (folder / name).write_text(text)
    return step


def move(old, new):
    def step(folder, _):
        (folder / old).rename(folder / new)
    return step


class Held:
    """Something that another program holds, until it lets it go."""

    def __init__(self, take, release):
        self.take, self.release, self.held = take, release, None

    def make(self, folder):
        base(folder)
        self.held = self.take(folder)

    def let_go(self, folder, _):
        self.release(self.held)


# --- Presets of models


def model_kept(folder, said):
    with h5py.File(folder / "f.h5") as file:
        audio = json.loads(file["provenance/configuration"].asstr()[()])["audio"]
        assert audio["sample_rate"] == 16000
    assert "warning" not in said.errors


MODELS = [
    case("too-short", and_then(tiny), "veery extract tiny.csv -o f.h5",
         "(--set audio.minimum=SECONDS appends zeros to clips that are too short, in a new file)",
         "veery extract tiny.csv -o f.h5 --set audio.minimum=0.025 --overwrite", right=holds(2)),
    case("model-rate", and_then(low), "veery extract low.csv -o f.h5 --preset whisper",
         "hold nothing; the model of whisper expects 16000 Hz: use originals of that rate if there are any",
         lambda folder, _: [write_wav(folder / "low.wav", RATE, noise(6, RATE))] and None,
         "veery extract low.csv -o f.h5 --preset whisper --overwrite", right=model_kept),
    case("model-refused", and_then(low), "veery extract low.csv -o f.h5 --preset whisper --set audio.sample_rate=8000",
         "audio.sample_rate is 8000 instead of 16000, which the model of whisper expects: leave that change out, since recordings of "
         "any rate are resampled", "veery extract low.csv -o f.h5 --preset whisper", right=holds(1)),
    case("model-changed", base, "veery extract m.csv -o f.h5 --preset whisper --set frame.hop=100",
         "warning: whisper: frame.hop is 100 instead of 160: a model gives wrong results for input that it was not trained with: leave "
         "that change out unless yours was trained with it", "veery extract m.csv -o f.h5 --preset whisper --overwrite", right=model_kept),
    case("model-bins", base, "veery extract m.csv -o f.h5 --preset whisper --set transform.bins=126",
         "leave that change out unless yours was trained with it", "veery presets whisper | grep -o 'transform.bins=128' && "
         "veery extract m.csv -o f.h5 --preset whisper --set transform.bins=128 --overwrite", right=model_kept),
    case("model-copy", and_then(low), "veery presets whisper > w.yaml && veery extract low.csv -o f.h5 --config w.yaml",
         "the model of whisper expects 16000 Hz: use originals of that rate if there are any",
         lambda folder, _: [write_wav(folder / "low.wav", RATE, noise(6, RATE))] and None,
         "veery extract low.csv -o f.h5 --config w.yaml --overwrite", right=model_kept),
    case("model-live", and_then(low), "veery live --file low.wav --speed 0 --record f.h5 --preset whisper",
         "the model of whisper expects 16000 Hz: use originals of that rate if there are any",
         lambda folder, _: [write_wav(folder / "low.wav", RATE, noise(6, RATE))] and None,
         "veery live --file low.wav --speed 0 --record f.h5 --preset whisper --overwrite", right=holds(1)),
    case("model-render", and_then(low), "veery render low.wav -o p.png --preset whisper",
         "1 recording has a lower sample rate than the features (16000 Hz), 8000 Hz: its bins above 4000 Hz hold nothing; the model of "
         "whisper expects 16000 Hz: use originals of that rate if there are any",
         lambda folder, _: [write_wav(folder / "low.wav", RATE, noise(6, RATE))] and None,
         "veery render low.wav -o p.png --preset whisper", right=there("p.png")),
    *(case(f"model-window-{name}", and_then(long), f"veery {command}",
           "perch-2, windows of 5 s: 1 clip is longer than the model takes at a time, and not cut into such windows: ",
           "veery clips long.wav --window 5s -o w.csv", "veery extract w.csv -o g.h5 --preset perch-2", right=holds(2, "g.h5"))
      for name, command in (("extract", "extract long.wav -o f.h5 --preset perch-2"), ("render", "render long.wav -o p.png --preset perch-2"))),
    *(case(f"first-channel-{name}", and_then(stereo), f"veery {command} --preset kaldi-fbank",
           "1 clip is of the first channel alone (audio.channels), and the others of its recording are left out: "
           f"'{'s.wav' if name == 'render' else 's'}'",
           f"veery {command} --preset kaldi-fbank --set audio.channels=mix{'' if name == 'render' else ' --overwrite'}")
      for name, command in (("extract", "extract s.wav -o f.h5"), ("render", "render s.wav -o p.png"),
                            ("live", "live --file s.wav --speed 0 --record f.h5"))),
    case("model-bands", base, "veery extract m.csv -o f.h5 --preset ast",
         "band 3 (counted from 0) holds no bin of the spectrum and will always be at the floor, as the model of ast expects: leave "
         "transform.bins as it is", "veery inspect f.h5", right=prints("128")),
    case("model-file", and_then({"c.yaml": "extends: whisper\naudio: {sample_rate: 8000}\n"}),
         "veery extract m.csv -o f.h5 --config c.yaml",
         "c.yaml: configuration transform.high: expected null or at most half the sample rate, 4000.0 Hz, found 8000.0: "
         "audio.sample_rate is 8000 instead of 16000, which the model of whisper expects: leave that change out",
         write("c.yaml", "extends: whisper\n"), AGAIN, right=model_kept),
]

# --- Outputs that are there already, and interrupted runs


def hdf5_open(folder):
    with h5py.File(folder / "f.h5", "w") as file:
        file["x"] = 1
    return h5py.File(folder / "f.h5", "r+")


def locked(folder):
    """What another run of the same output holds."""
    (folder / "f.h5.spool").mkdir()
    lock = open(folder / "f.h5.spool/lock", "w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


IN_USE = Held(hdf5_open, lambda file: file.close())
BUSY = Held(locked, lambda file: file.close())


def declared(folder):
    """A recording of which the manifest says another length: a loss."""
    base(folder)
    write_manifest(folder / "m.csv", [{"path": "a.wav", "recording.duration": "1.0?"}, {"path": "b.wav", "recording.duration": "9?"}])


def table(*rows):
    return "path,label,split\n" + "".join(f"{row}\n" for row in rows)


# A split that does not exist: statistics cannot be computed, and the finished clips are left for the next run.
def unfit(folder):
    base(folder)
    (folder / "t.wav").write_bytes(b"RIFF")
    (folder / "m.csv").write_text(table("a.wav,x,test", "b.wav,y,test", "t.wav,z,train"))


KEPT = "veery extract m.csv -o f.h5 --max-failures 5 --quiet; "
RESUME = "veery extract m.csv -o f.h5 --max-failures 5 --set normalize.fit=test"
OTHER_MANIFEST = KEPT + "cp m.csv before.csv; sed -i /b.wav/d m.csv; " + RESUME
# The rows of the feature file of `base` have another transform, as those of an older version would.
OLDER = f"{PYTHON} older.py && "
older = and_then({"older.py": f"""
import json, sys
sys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})
import h5py
from test_format import metadata_checksum
with h5py.File("f.h5", "r+") as file:
    software = json.loads(file["provenance/software"][()])
    software["transform"] = "lanes 0"
    file["provenance/software"][()] = json.dumps(software, separators=(",", ":"))
    file.attrs["metadata_xxh3"] = metadata_checksum(file)
"""})
DAMAGED_ROWS = (
    "test -e copy || { " + MADE + "cp f.h5 copy; echo ./b.wav,z,test >> m.csv; }; "
    f"{PYTHON} -c 'import h5py; h5py.File(\"f.h5\", \"r+\")[\"features\"][3, 4] = 9' && veery extract m.csv -o f.h5 ")

LONG_SAMPLES = "--set frame.hop=1 --set transform.kind=raw --set frame.length=30000 --set scale.kind=linear --set frame.window=rectangular"
WIDE_SAMPLES = LONG_SAMPLES.replace("=30000", "=40000").replace("--set frame.hop=1 ", "")

OUTPUTS = [
    case("filter-same", base, "veery filter a.wav a.wav --band-pass 300-400", "are the same file: give another name for the output",
         "veery filter a.wav o.wav --band-pass 300-400", right=there("o.wav")),
    case("filter-link", and_then(lambda folder: os.link(folder / "a.wav", folder / "l.wav")),
         "veery filter a.wav l.wav --band-pass 300-400", "a.wav and l.wav are the same file: give another name for the output",
         "veery filter a.wav o.wav --band-pass 300-400", right=there("o.wav")),
    case("in-use", IN_USE.make, "veery extract m.csv -o f.h5 --overwrite",
         "another program, such as a Python session, has the file open for writing: close it there first",
         IN_USE.let_go, remove("f.h5"), AGAIN, right=holds(2)),
    case("busy", BUSY.make, "veery extract m.csv -o f.h5", "is writing this output; wait for it, stop it, or choose another output",
         BUSY.let_go, AGAIN, right=holds(2)),
    case("busy-name", Held(locked, None).make, "veery extract m.csv -o f.h5", "or choose another output", "veery extract m.csv -o g.h5",
         right=holds(2, "g.h5")),
    case("foreign-folder", and_then({"f.h5.spool/clips-0.spool": "text"}), "veery extract m.csv -o f.h5",
         "so nothing is written there; move it away, or choose another output", move("f.h5.spool", "mine"), AGAIN, right=holds(2)),
    case("foreign-folder-output", and_then({"f.h5.spool/clips-0.spool": "text"}), "veery extract m.csv -o f.h5",
         "move it away, or choose another output", "veery extract m.csv -o g.h5", right=holds(2, "g.h5")),
    case("no-clip", base, MADE + "veery render f.h5 --clip zzz -o p.png",
         "no clip with the id 'zzz'; 'veery list f.h5' shows the ids, and with --failures those of failed clips",
         "veery list f.h5", "veery list f.h5 --failures",
         lambda folder, _: f"veery render f.h5 --clip {first_id(folder)} -o p.png", right=there("p.png")),
    case("option-argument", base, "veery extract --input m.csv -o f.h5", "Give it without an option: veery extract <manifest>",
         "veery extract m.csv -o f.h5", right=holds(2)),
    case("option-second-argument", base, "veery filter a.wav -o o.wav --band-pass 300-400",
         "Give it without an option: veery filter <input> <output>", "veery filter a.wav o.wav --band-pass 300-400", right=there("o.wav")),
    case("option-needless", base, "veery extract m.csv -o f.h5 --resume", "Leave it out: an interrupted run is resumed anyway",
         "veery extract m.csv -o f.h5", right=holds(2)),
    case("option-needless-crawl", base, "veery crawl . -o c.csv --recursive", "Leave it out: folders are searched with all folders in them",
         "veery crawl . -o c.csv", right=there("c.csv")),
    case("option-needless-list", base, MADE + "veery list f.h5 -o list.txt",
         "Leave it out: '> FILE' after the command writes the list into a file", "veery list f.h5 > list.txt", right=there("list.txt")),
    case("set-in-two-words", base, "veery extract m.csv -o f.h5 --set frame.hop 200",
         "--set frame.hop 200: write key and value as one word: --set frame.hop=200",
         lambda folder, said: "veery extract m.csv -o f.h5 " + said.text[said.text.index("--set frame.hop=200"):].split("\n")[0], right=holds(2)),
    case("set-in-two-words-render", base, "veery render a.wav -o p.png --set frame.length '25 ms'",
         "write key and value as one word: --set 'frame.length=25 ms'", "veery render a.wav -o p.png --set 'frame.length=25 ms'",
         right=there("p.png")),
    case("csv-or-json", base, MADE + "veery list f.h5 --csv --json", "Give either --csv or --json, not both.", "veery list f.h5 --csv",
         "veery list f.h5 --json"),
    case("cut-copied", base, MADE + "cp f.h5 whole.h5; head -c 3000 whole.h5 > f.h5; veery inspect f.h5",
         "a file that is cut off, with 3000 of its ", "cp whole.h5 f.h5", "veery inspect f.h5 --verify"),
    case("cut-made-again", base, MADE + "head -c 3000 f.h5 > x.h5; mv x.h5 f.h5; veery inspect f.h5", "copy it again, or extract it again",
         "veery extract m.csv -o f.h5 --overwrite", "veery inspect f.h5 --verify"),
    case("lost-member", base, "test -e f.index.json || veery extract m.csv -o f.h5 --files 2 --quiet && rm -f f-00001-of-00002.h5; "
         "veery inspect f.index.json", "names it as one of its set; bring it back, or extract the set again",
         "veery extract m.csv -o f.h5 --files 2 --overwrite", "veery inspect f.index.json --verify"),
    case("other-member", base, "veery extract m.csv -o f.h5 --files 2 --quiet && head -c 3000 f-00002-of-00002.h5 > f-00001-of-00002.h5; "
         "veery inspect f.index.json", "(a run that was to replace the set may have been stopped: give its command again)",
         "veery extract m.csv -o f.h5 --files 2 --overwrite", "veery inspect f.index.json --verify"),
    case("exists", base, MADE + "veery extract m.csv -o f.h5 --set frame.hop=200",
         "the file exists and was made with another configuration (frame.hop was 160 and is 200 now): give --overwrite to replace it, "
         "or another name", "veery extract m.csv -o f.h5 --set frame.hop=200 --overwrite", right=holds(2)),
    case("exists-name", base, MADE + "veery extract m.csv -o f.h5 --set frame.hop=200", "give --overwrite to replace it, or another name",
         "veery extract m.csv -o g.h5 --set frame.hop=200", right=holds(2, "g.h5")),
    case("exists-preset", base, MADE + "veery extract m.csv -o f.h5 --preset whisper",
         "settings differ from those that veery inspect f.h5 --json shows: frame.align was start and is center now", "veery inspect f.h5 --json",
         right=prints('"align"')),
    case("exists-no-features", and_then({"f.h5": "mine"}), "veery extract m.csv -o f.h5 --overwrite",
         "so it is not replaced, not even with --overwrite: choose another name", "veery extract m.csv -o g.h5", right=holds(2, "g.h5")),
    case("exists-damaged", base, MADE + "truncate -s 3000 f.h5; veery extract m.csv -o f.h5 --shard 1/1",
         "if it is damaged, --overwrite replaces it", "veery extract m.csv -o f.h5 --shard 1/1 --overwrite",
         "veery extract m.csv -o f.h5 --overwrite", right=holds(2), status=(75,)),
    case("exists-manifest", base, MADE + "sed -i s/y/z/ m.csv; veery extract m.csv -o f.h5",
         "was made from another manifest (--sync brings it to this one)", "veery extract m.csv -o f.h5 --sync", right=holds(2)),
    case("exists-quoting", and_then({"q.tsv": 'path\tlabel\na.wav\t"x"\nb.wav\ty\n'}),
         "veery extract q.tsv -o f.h5 --quoting literal --quiet && veery extract q.tsv -o f.h5 --quoting csv",
         "with another meaning of its quotation marks (see --quoting)", "veery extract q.tsv -o f.h5 --quoting literal",
         right=holds(2)),
    case("exists-recording", base, MADE + "cp b.wav a.wav; veery extract m.csv -o f.h5",
         "(--sync computes its clips anew)", "veery extract m.csv -o f.h5 --sync",
         right=lambda folder, _: len(set(h5py.File(folder / "f.h5")["clips/audio_xxh3"][:])) == 1),
    case("exists-missing", base, MADE + "mv a.wav away.wav; veery extract m.csv -o f.h5",
         "the recording a.wav, of which it has clips, is not there: make it available again, such as by mounting its disk or with "
         "--root, and give the same command", "mv away.wav a.wav", "veery extract m.csv -o f.h5", right=prints("up to date")),
    case("exists-unread", base, MADE.replace("veery extract m.csv -o f.h5", "mv b.wav away; veery extract m.csv -o f.h5 --max-failures 1")
         + "mv away b.wav; veery extract m.csv -o f.h5",
         "the recording b.wav could not be read then, and can be read now (--retry-failed adds its clips)",
         "veery extract m.csv -o f.h5 --retry-failed", right=holds(2)),
    case("exists-missing-root", base, MADE + "mkdir b; mv *.wav b; veery extract m.csv -o f.h5", "or with --root, and give the same command",
         "veery extract m.csv -o f.h5 --root b", right=prints("up to date")),
    case("exists-missing-overwrite", base, MADE + "rm b.wav; veery extract m.csv -o f.h5", "--overwrite makes a file without these clips",
         "veery extract m.csv -o f.h5 --overwrite --max-failures 1", right=holds(1)),
    case("exists-statistics", base, MADE + "veery extract m.csv -o g.h5 --stats-from f.h5 --quiet && veery extract m.csv -o g.h5",
         "clips were appended to it (see --append), it follows its manifest (see --sync), or --stats-from was given",
         "veery extract m.csv -o g.h5 --stats-from f.h5", right=prints("up to date")),
    case("exists-appended", base, "head -2 m.csv > n.csv; veery extract n.csv -o f.h5 --quiet && "
         "veery extract m.csv -o f.h5 --append --quiet && veery extract m.csv -o f.h5",
         "clips were appended to it (see --append)", "veery extract m.csv -o f.h5 --append", right=prints("up to date")),
    case("exists-followed", base, "head -2 m.csv > n.csv; veery extract n.csv -o f.h5 --quiet && "
         "veery extract m.csv -o f.h5 --sync --quiet && veery extract m.csv -o f.h5",
         "it follows its manifest (see --sync)", "veery extract m.csv -o f.h5 --sync", right=prints("up to date")),
    case("no-folder", base, "veery extract m.csv -o new/f.h5", "there is no such folder; create it first",
         "mkdir new", AGAIN, right=holds(2, "new/f.h5")),
    case("spool-link", and_then(lambda folder: os.symlink("gone", folder / "f.h5.spool")), "veery extract m.csv -o f.h5",
         "f.h5.spool: this symbolic link leads to gone, which is missing: bring it back (is a disk not mounted?)", "mkdir gone", AGAIN,
         right=holds(2)),
    case("spool-link-delete", and_then(lambda folder: os.symlink("gone", folder / "f.h5.spool")), "veery extract m.csv -o f.h5",
         "or delete the link", "rm f.h5.spool", AGAIN, right=holds(2)),
    case("shards-link", and_then(lambda folder: os.symlink("gone", folder / "f.h5.shards")), "veery extract m.csv -o f.h5 --shard 1/2",
         "f.h5.shards: this symbolic link leads to gone, which is missing", "mkdir gone", AGAIN, right=there("gone")),
    case("spool-link-live", and_then(lambda folder: os.symlink("gone", folder / "f.h5.spool")),
         "veery live --file a.wav --speed 0 --record f.h5", "this symbolic link leads to gone, which is missing", "rm f.h5.spool", AGAIN,
         right=holds(1)),
    case("spool-file", and_then({"f.h5.spool": "mine"}), "veery extract m.csv -o f.h5",
         "expected a folder for finished clips, or nothing, found a file: move it away", "mv f.h5.spool mine", AGAIN, right=holds(2)),
    case("spool-file-other", and_then({"f.h5.spool": "mine"}), "veery extract m.csv -o f.h5", "or choose another output",
         "veery extract m.csv -o g.h5", right=holds(2, "g.h5")),
    case("link-to-nothing", and_then(lambda folder: os.symlink("gone.png", folder / "p.png")), "veery render a.wav -o p.png",
         "this symbolic link leads to nothing: delete it, or choose another name for the output",
         lambda folder, _: (folder / "p.png").unlink(), AGAIN, right=there("p.png")),
    case("link-to-nothing-name", and_then(lambda folder: os.symlink("gone.png", folder / "p.png")), "veery render a.wav -o p.png",
         "delete it, or choose another name for the output", "veery render a.wav -o q.png", right=there("q.png")),
    case("standard-output", base, "veery extract m.csv -o -", "features cannot be written to standard output; give the name of a file.",
         "veery extract m.csv -o f.h5", right=holds(2)),
    case("index-name", base, "veery extract m.csv -o f.h5 --files 2 --quiet; veery inspect f.h5",
         "there is no such file, but the index of a set of feature files: give f.index.json", "veery inspect f.index.json",
         right=prints("2 clips")),
    case("no-file", base, MADE + "veery inspect ff.h5", "there is no such file; check the path", "veery inspect f.h5"),
    case("no-root", base, MADE + "veery inspect f.h5 --html r.html --root gone", "there is no such folder; check --root",
         "veery inspect f.h5 --html r.html --root .", right=there("r.html")),
    *(case(f"new-statistics-{name}", base, "head -2 m.csv > n.csv; veery extract n.csv -o f.h5 --quiet && veery extract m.csv -o f.h5 " + how,
           words, "veery extract m.csv -o f.h5 --sync --new-statistics", "veery extract m.csv -o g.h5 --quiet && cmp f.h5 g.h5 && veery "
           "extract m.csv -o f.h5", right=prints("up to date"))
      for name, how, words in (
          ("append", "--append", "the statistics are those from before, and new clips are normalised by them; --sync --new-statistics computes"),
          ("sync", "--sync", "the statistics are those from before, and new clips are normalised by them; --sync --new-statistics computes"),
          ("refused", "--append --quiet && veery extract m.csv -o f.h5", "(--sync --new-statistics computes those of its clips)"))),
    case("append-removed", base, MADE + "sed -i /b.wav/d m.csv; veery extract m.csv -o f.h5 --append",
         "Restore these rows, or give --sync instead of --append", "veery extract m.csv -o f.h5 --sync", right=holds(1)),
    case("append-restored", base, MADE + "cp m.csv n.csv; sed -i /b.wav/d m.csv; veery extract m.csv -o f.h5 --append",
         "Restore these rows, or give --sync", "cp n.csv m.csv; veery extract m.csv -o f.h5 --append", right=prints("up to date")),
    case("append-order", base, MADE + "(head -1 m.csv; tail -1 m.csv; sed -n 2p m.csv) > n.csv; veery extract n.csv -o f.h5 --append",
         "Restore the order of its rows, or give --sync instead of --append", "veery extract n.csv -o f.h5 --sync", right=holds(2)),
    case("append-changed", base, MADE + "cp b.wav a.wav; echo 'b.wav,z,test' | sed s/b.wav/.\\\\/b.wav/ >> m.csv; "
         "veery extract m.csv -o f.h5 --append",
         "restore them, or give --sync instead of --append to compute these clips anew, or --overwrite to compute all",
         "veery extract m.csv -o f.h5 --sync", right=holds(3)),
    case("append-changed-overwrite", base, MADE + "cp b.wav a.wav; echo './b.wav,z,test' >> m.csv; veery extract m.csv -o f.h5 --append",
         "or --overwrite to compute all", "veery extract m.csv -o f.h5 --overwrite", right=holds(3)),
    case("sync-otherwise", base, MADE + "veery extract m.csv -o f.h5 --sync --set frame.hop=200",
         "undo that, or add --overwrite to compute all clips again", "veery extract m.csv -o f.h5 --sync --set frame.hop=200 --overwrite",
         right=holds(2)),
    case("sync-undone", base, MADE + "veery extract m.csv -o f.h5 --sync --set frame.hop=200", "undo that, or add --overwrite",
         "veery extract m.csv -o f.h5 --sync", right=prints("up to date")),
    case("sync-older", older, MADE + OLDER + "veery extract m.csv -o f.h5 --sync",
         "sync with the version that made it, or add --overwrite to compute all clips again",
         "veery extract m.csv -o f.h5 --sync --overwrite", right=holds(2)),
    case("append-older", older, MADE + OLDER + "echo './b.wav,z,test' >> m.csv; veery extract m.csv -o f.h5 --append",
         "append with the version that made it, or give --overwrite instead of --append to compute all clips again",
         "veery extract m.csv -o f.h5 --overwrite", right=holds(3)),
    case("retry-changed", base, "echo gone.wav,z,test >> m.csv; veery extract m.csv -o f.h5 --max-failures 1 --quiet; "
         "sed -i s/,y,/,w,/ m.csv; veery extract m.csv -o f.h5 --retry-failed --max-failures 1",
         "the manifest has changed since: add --sync to follow it",
         "veery extract m.csv -o f.h5 --retry-failed --sync --max-failures 1", right=holds(2)),
    case("kept-normalise", unfit, "veery extract m.csv -o f.h5 --max-failures 5",
         "a run with another normalize section reuses them; --fresh discards them",
         "veery extract m.csv -o f.h5 --max-failures 5 --set normalize.fit=test", right=holds(2)),
    case("kept-fresh", unfit, "veery extract m.csv -o f.h5 --max-failures 5", "--fresh discards them",
         lambda folder, _: shutil.copy(folder / "a.wav", folder / "t.wav") and None, "veery extract m.csv -o f.h5 --fresh",
         right=holds(3)),
    case("other-run", unfit, KEPT + "veery extract m.csv -o f.h5 --max-failures 5 --set frame.hop=200 --set normalize.fit=test",
         "undo that to resume the run, or give --fresh to delete its clips",
         "veery extract m.csv -o f.h5 --max-failures 5 --set frame.hop=200 --set normalize.fit=test --fresh", right=holds(2)),
    case("other-run-undone", unfit, KEPT + "veery extract m.csv -o f.h5 --max-failures 5 --set frame.hop=200 --set normalize.fit=test",
         "undo that to resume the run", "veery extract m.csv -o f.h5 --max-failures 5 --set normalize.fit=test", right=holds(2)),
    case("other-manifest", unfit, OTHER_MANIFEST, "finish the run with the manifest as it was, then give --sync with the new one, which keeps the clips that "
         "are the same; or give --fresh to delete its clips", "mv m.csv new.csv && mv before.csv m.csv", RESUME, "mv new.csv m.csv", RESUME + " --sync",
         right=prints("kept 1 clip; 1 removed")),
    case("other-manifest-fresh", unfit, OTHER_MANIFEST, "or give --fresh to delete its clips", RESUME + " --fresh", right=holds(1)),
    case("other-run-older", unfit, KEPT + "sed -i 's/lanes 1/lanes 0/' f.h5.spool/run.json; " + RESUME,
         "complete the run with the version that began it, or give --fresh to delete its clips", RESUME + " --fresh", right=holds(2)),
    case("other-run-its-version", unfit, KEPT + "sed -i 's/lanes 1/lanes 0/' f.h5.spool/run.json; " + RESUME,
         "complete the run with the version that began it", "sed -i 's/lanes 0/lanes 1/' f.h5.spool/run.json; " + RESUME,
         right=prints("resuming")),
    case("other-run-precision", unfit, KEPT + "veery extract m.csv -o f.h5 --max-failures 5 --set normalize.scope=clip",
         "normalize.scope was dataset and is clip now: undo that to resume the run", RESUME, right=prints("resuming")),
    case("other-run-unreadable", unfit, KEPT + "echo '{' > f.h5.spool/run.json; " + RESUME,
         "its description cannot be read: give --fresh to delete its clips", RESUME + " --fresh", right=holds(2)),
    case("kept-elsewhere", unfit, "mkdir -p s; veery extract m.csv -o f.h5 --max-failures 5 --scratch s --quiet; "
         "veery extract m.csv -o f.h5 --max-failures 5 --set normalize.fit=test",
         "give the same --scratch again to resume it, or --fresh to delete them",
         "veery extract m.csv -o f.h5 --max-failures 5 --set normalize.fit=test --scratch s", right=prints("resuming")),
    case("kept-beside", unfit, KEPT + "mkdir -p s; veery extract m.csv -o f.h5 --max-failures 5 --set normalize.fit=test --scratch s",
         "give its command, without --scratch, again to resume it, or --fresh to delete them",
         "veery extract m.csv -o f.h5 --max-failures 5 --set normalize.fit=test", right=prints("resuming")),
    case("kept-nowhere", unfit, "mkdir -p s; veery extract m.csv -o f.h5 --max-failures 5 --scratch s --quiet; rm -r s; "
         "veery extract m.csv -o f.h5 --max-failures 5 --set normalize.fit=test",
         ", which is missing: restore it, or give --fresh to start over",
         "veery extract m.csv -o f.h5 --max-failures 5 --set normalize.fit=test --fresh", right=holds(2)),
    case("kept-missing", unfit, KEPT + "mv a.wav away; veery extract m.csv -o f.h5 --max-failures 5 --set normalize.fit=test",
         "restore them (is a disk not mounted?) and give the same command again, or add --keep-missing to use those clips as they were "
         "read, or --fresh to delete all",
         "mv away a.wav; veery extract m.csv -o f.h5 --max-failures 5 --set normalize.fit=test", right=holds(2)),
    case("kept-missing-kept", unfit, KEPT + "rm a.wav; veery extract m.csv -o f.h5 --max-failures 5 --set normalize.fit=test",
         "or add --keep-missing to use those clips as they were read",
         "veery extract m.csv -o f.h5 --max-failures 5 --set normalize.fit=test --keep-missing", right=holds(2)),
    case("strict", declared, "veery extract m.csv -o f.h5 --strict", "the same command without --strict finishes with them",
         "veery extract m.csv -o f.h5", right=prints("resuming")),
    case("no-split", base, "veery extract m.csv -o f.h5 --set normalize.fit=dev",
         "name one (--set normalize.fit=NAME), take all clips (--set 'normalize.fit=\"\"'), or set normalize.scope to none or clip",
         "veery extract m.csv -o f.h5 --set normalize.fit=test", right=holds(2)),
    case("no-split-all", base, "veery extract m.csv -o f.h5 --set normalize.fit=dev", "take all clips (--set 'normalize.fit=\"\"')",
         "veery extract m.csv -o f.h5 --set 'normalize.fit=\"\"'", right=holds(2)),
    case("no-split-none", base, "veery extract m.csv -o f.h5 --set normalize.fit=dev", "or set normalize.scope to none or clip",
         "veery extract m.csv -o f.h5 --set normalize.fit=dev --set normalize.scope=none", right=holds(2)),
    case("channel-all", and_then(stereo, {"s.csv": "path,channel\ns.wav,1\n"}),
         "veery extract s.csv -o f.h5 --set audio.channels=all",
         "leave out the column channel, or choose one channel with audio.channels", write("s.csv", "path\ns.wav\n"), AGAIN,
         right=holds(1)),
    case("channel-one", and_then(stereo, {"s.csv": "path,channel\ns.wav,1\n"}),
         "veery extract s.csv -o f.h5 --set audio.channels=all", "or choose one channel with audio.channels",
         "veery extract s.csv -o f.h5 --set audio.channels=1", right=holds(1)),
    case("damaged-rows", base, DAMAGED_ROWS + "--append", "repair that file and give the same command again to resume",
         "cp copy f.h5; veery extract m.csv -o f.h5 --append", right=holds(3)),
    *(case(f"damaged-rows-{update}", base, DAMAGED_ROWS + f"--{update}",
           f"--fresh --overwrite{', without --append,' if update == 'append' else ''} computes all clips again",
           f"veery extract m.csv -o f.h5 --fresh --overwrite{'' if update == 'append' else ' --sync'}", right=holds(3))
      for update in ("append", "sync")),
    case("low-rate", and_then(low), "veery extract low.csv -o f.h5",
         "set audio.sample_rate to that rate, and transform.high to half of it at most",
         "veery extract low.csv -o f.h5 --set audio.sample_rate=8000 --set transform.high=4000 --overwrite", right=holds(1)),
    case("low-rate-notes", and_then(low), "veery extract low.csv -o f.h5 --preset musical-spectrum",
         "set audio.sample_rate to that rate, and make transform.notes as few as are below half of it",
         "veery extract low.csv -o f.h5 --preset musical-spectrum --set audio.sample_rate=8000 --set transform.notes=83 --overwrite",
         right=holds(1)),
    case("unfinished-run", base, "mkdir -p f.h5.spool/features.h5 && touch f.h5.spool/lock && "
         "! veery extract m.csv -o f.h5 --set normalize.scope=none --quiet 2> /dev/null && veery inspect f.h5.spool",
         "has not ended: give the same command again, which resumes it",
         "rmdir f.h5.spool/features.h5 && veery extract m.csv -o f.h5 --set normalize.scope=none", right=holds(2)),
    case("windows-extract", and_then(of_windows), "veery extract 'the clips.csv' -o f.h5 --preset perch-2", "makes a clip of each part",
         cutting, "veery extract windows-2.csv -o g.h5 --preset perch-2", right=holds(3, "g.h5")),
    case("windows-dry-run", and_then(of_windows), "veery extract 'the clips.csv' -o f.h5 --preset perch-2 --dry-run",
         "makes a clip of each part", cutting, "veery extract windows-2.csv -o g.h5 --preset perch-2", right=holds(3, "g.h5")),
    case("windows-render", and_then(of_windows), "veery render 12s.wav -o a.png --preset perch-2", "makes a clip of each part", cutting,
         "veery extract windows-2.csv -o g.h5 --preset perch-2", right=holds(3, "g.h5")),
    case("windows-short", and_then(of_windows), "veery extract short.csv -o f.h5 --preset perch-2", "appends zeros, and 'veery clips ", cutting,
         "veery extract windows-2.csv -o g.h5 --preset perch-2", right=holds(1, "g.h5")),
    case("windows-short-zeros", and_then(of_windows), "veery extract short.csv -o f.h5 --preset perch-2", "--set audio.minimum=5 appends zeros",
         "veery extract short.csv -o g.h5 --preset perch-2 --set audio.minimum=5", right=holds(2, "g.h5")),
    case("low-rate-samples", and_then(low), f"veery extract low.csv -o f.h5 {SAMPLES}",
         "1 clip has a lower sample rate than the features (16000 Hz), 8000 Hz: its samples hold nothing above 4000 Hz; set "
         "audio.sample_rate to that rate", f"veery extract low.csv -o f.h5 {SAMPLES} --set audio.sample_rate=8000 --overwrite", right=holds(1)),
]

# --- Parts and sets

SHARDS = "veery extract m.csv -o f.h5 --shard 1/2 --quiet && veery extract m.csv -o f.h5 --shard 2/2 --quiet && "

PARTS = [
    case("no-shards", base, "veery extract m.csv -o f.h5 --file 1/2",
         "run them with --shard, or give --files without --file, which computes what is missing",
         "veery extract m.csv -o f.h5 --shard 1/1", AGAIN, right=there("f-00001-of-00002.h5"), status=(75,)),
    case("no-shards-files", base, "veery extract m.csv -o f.h5 --file 1/2",
         "or give --files without --file, which computes what is missing", "veery extract m.csv -o f.h5 --files 2",
         right=there("f.index.json"), status=(75,)),
    case("other-shards", base, "veery extract m.csv -o f.h5 --shard 1/2 --quiet && veery extract m.csv -o f.h5 --shard 1/3",
         "give --shard i/2, or delete the folder", "veery extract m.csv -o f.h5 --shard 2/2", "veery extract m.csv -o f.h5",
         right=holds(2)),
    case("other-shards-deleted", base, "veery extract m.csv -o f.h5 --shard 1/2 --quiet && veery extract m.csv -o f.h5 --shard 1/3",
         "or delete the folder", remove("f.h5.shards"), "veery extract m.csv -o f.h5 --shard 1/3"),
    case("shard-otherwise", base, "veery extract m.csv -o f.h5 --shard 1/2 --quiet && "
         "veery extract m.csv -o f.h5 --shard 2/2 --set frame.hop=200",
         "give all shards the same manifest and settings, or give --fresh to each to compute them again",
         "veery extract m.csv -o f.h5 --shard 2/2 && veery extract m.csv -o f.h5", right=holds(2)),
    case("shard-fresh", base, "veery extract m.csv -o f.h5 --shard 1/2 --quiet && "
         "veery extract m.csv -o f.h5 --shard 2/2 --set frame.hop=200", "or give --fresh to each to compute them again",
         "for i in 1 2; do veery extract m.csv -o f.h5 --shard $i/2 --set frame.hop=200 --fresh || exit; done; "
         "veery extract m.csv -o f.h5 --set frame.hop=200", right=holds(2)),
    case("shard-older", base, "veery extract m.csv -o f.h5 --shard 1/2 --quiet && "
         "sed -i 's/lanes 1/lanes 0/' f.h5.shards/00001-of-00002/run.json; veery extract m.csv -o f.h5 --shard 2/2",
         "run all shards with one version, or give --fresh to each to compute them again",
         "for i in 1 2; do veery extract m.csv -o f.h5 --shard $i/2 --fresh || exit; done; veery extract m.csv -o f.h5", right=holds(2)),
    case("shard-unreadable", base, "veery extract m.csv -o f.h5 --shard 1/2 --quiet && "
         "echo '{' > f.h5.shards/00001-of-00002/run.json; veery extract m.csv -o f.h5 --shard 2/2",
         "its description cannot be read: give --fresh to this shard to compute it again",
         "veery extract m.csv -o f.h5 --shard 1/2 --fresh && veery extract m.csv -o f.h5 --shard 2/2 && veery extract m.csv -o f.h5",
         right=holds(2)),
    case("shards-otherwise", base, SHARDS + "veery extract m.csv -o f.h5 --file 1/2 --set frame.hop=200",
         "give all shards the same manifest and settings, or give --fresh to each to compute them again",
         "veery extract m.csv -o f.h5 --file 1/2", right=there("f-00001-of-00002.h5")),
    case("shards-stale", base, SHARDS + "cp b.wav a.wav; veery extract m.csv -o f.h5 --file 1/2",
         "restore them, give --files without --file to compute these clips again, or, if they are only missing, --keep-missing",
         "veery extract m.csv -o f.h5 --files 2", right=there("f.index.json")),
    case("shards-missing", base, SHARDS + "rm a.wav; veery extract m.csv -o f.h5 --file 1/2", "or, if they are only missing, --keep-missing",
         "veery extract m.csv -o f.h5 --file 1/2 --keep-missing", right=there("f-00001-of-00002.h5")),
    case("member-otherwise", base, SHARDS + "veery extract m.csv -o f.h5 --file 1/2 --quiet && "
         "veery extract m.csv -o f.h5 --file 2/2 --set normalize.scope=none",
         "unless its task is still to come, give --file 1/2 --overwrite with the options of this file, or write this file again with "
         "those of that one", "veery extract m.csv -o f.h5 --file 1/2 --set normalize.scope=none --overwrite", right=there("f.index.json")),
    case("member-again", base, SHARDS + "veery extract m.csv -o f.h5 --file 1/2 --quiet && "
         "veery extract m.csv -o f.h5 --file 2/2 --set normalize.scope=none",
         "or write this file again with those of that one", "veery extract m.csv -o f.h5 --file 2/2 --overwrite", right=there("f.index.json")),
    case("task-number", base, "veery extract m.csv -o f.h5 --shard auto/2", "is set: give --shard i/2",
         "veery extract m.csv -o f.h5 --shard 1/2"),
    case("file-of-others", base, "veery extract m.csv -o f.h5 --files 3 --file 1/2", "--file is one of 2 files, but --files says 3.",
         SHARDS + "veery extract m.csv -o f.h5 --file 1/2 --files 2", right=there("f-00001-of-00002.h5")),
    case("file-without", base, SHARDS + "veery extract m.csv -o f.h5 --file 1/2 --fresh",
         "--file writes a file from shards that are done: give it without --fresh.", "veery extract m.csv -o f.h5 --file 1/2",
         right=there("f-00001-of-00002.h5")),
    case("files-without", base, "veery extract m.csv -o f.h5 --files 2 --append",
         "--files writes a new set of files: give it without --append.", "veery extract m.csv -o f.h5 --files 2",
         right=there("f.index.json")),
    case("shard-without", base, "veery extract m.csv -o f.h5 --shard 1/2 --append",
         "--shard computes a part of a new file: give it without --append.", "veery extract m.csv -o f.h5 --shard 1/2"),
    case("tar-without", and_then(lambda folder: os.system(f"cd {folder} && tar cf t.tar a.wav b.wav")),
         "veery extract t.tar -o f.h5 --tar --dry-run", "Give the tar as a file without --tar.", "veery extract t.tar -o f.h5 --dry-run",
         "veery extract t.tar -o f.h5", right=holds(2)),
    case("append-and-sync", base, MADE + "veery extract m.csv -o f.h5 --append --sync",
         "--append keeps all clips and tries failed ones again: give it without --sync and --retry-failed.",
         "veery extract m.csv -o f.h5 --append", right=prints("up to date")),
    case("statistics-two", base, MADE + "veery extract m.csv -o f.h5 --sync --new-statistics --stats-from f.h5",
         "--new-statistics computes statistics, and --stats-from takes those of another file.",
         "veery extract m.csv -o f.h5 --sync --new-statistics", right=holds(2)),
    case("verify-append", base, MADE + "veery extract m.csv -o f.h5 --append --verify-inputs",
         "--verify-inputs is for interrupted runs; --append always compares the clips that it keeps.",
         "veery extract m.csv -o f.h5 --append", right=prints("up to date")),
    case("verify-fresh", base, "veery extract m.csv -o f.h5 --fresh --verify-inputs",
         "--fresh discards the clips that --verify-inputs would compare: give one of them.", "veery extract m.csv -o f.h5 --fresh",
         right=holds(2)),
    case("verify-not-fresh", base, "veery extract m.csv -o f.h5 --fresh --verify-inputs",
         "--fresh discards the clips that --verify-inputs would compare: give one of them.",
         "veery extract m.csv -o f.h5 --verify-inputs", right=holds(2)),
    case("append-or-overwrite", base, MADE + "echo './b.wav,z,test' >> m.csv; veery extract m.csv -o f.h5 --append --overwrite",
         "--append keeps the clips of the output, and --overwrite replaces it: give one of them.",
         "veery extract m.csv -o f.h5 --append", right=holds(3)),
    case("overwrite-or-append", base, MADE + "echo './b.wav,z,test' >> m.csv; veery extract m.csv -o f.h5 --append --overwrite",
         "--append keeps the clips of the output, and --overwrite replaces it: give one of them.",
         "veery extract m.csv -o f.h5 --overwrite", right=holds(3)),
    case("shard-all-clips", base, "veery extract m.csv -o f.h5 --shard 1/1 --max-failures 1",
         "--max-failures is for all clips: give it to the command without --shard, which writes the file.",
         "veery extract m.csv -o f.h5 --shard 1/1 && veery extract m.csv -o f.h5 --max-failures 1", right=holds(2)),
    case("file-all-clips", base, SHARDS + "veery extract m.csv -o f.h5 --file 2/2 --failures-out x.csv",
         "--failures-out is for all clips: give it with --files instead of --file, once the set is complete.",
         "veery extract m.csv -o f.h5 --file 1/2 && veery extract m.csv -o f.h5 --file 2/2",
         "veery extract m.csv -o f.h5 --files 2 --failures-out x.csv", right=prints("up to date")),
    case("mixed-stream", and_then(lambda folder: os.system(f"cd {folder} && tar cf t.tar a.wav b.wav")),
         "veery extract t.tar -o f.h5 --tar --allow-mixed", "--allow-mixed is for clips of shards, and --tar has none: leave it out.",
         "veery extract t.tar -o f.h5 --tar", right=holds(2)),
]


# --- What an extraction says at its end

FAILING = and_then(cut, infinite, {"m.csv": "path\na.wav\ncut.wav\ni.wav\n"})


def with_labels(folder):
    """A feature file whose frames have labels."""
    base(folder)
    (folder / "marks.csv").write_text("path,start,end,label\na.wav,0.1,0.4,owl\nb.wav,0.2,0.6,wren\n")
    (folder / "other.csv").write_text("path,start,end,label\na.wav,0.3,0.9,owl\nb.wav,0.2,0.6,wren\n")


def many_bad(folder):
    base(folder)
    for number in range(40):
        (folder / f"t{number}.wav").write_bytes(b"RIFF" + bytes([number]))
    write_manifest(folder / "m.csv", [{"path": "a.wav"}] + [{"path": f"t{number}.wav"} for number in range(40)])


LABELLED = "veery extract m.csv -o f.h5 --frame-labels marks.csv --quiet && "


def framed(folder, _):
    with h5py.File(folder / "f.h5") as file:
        assert set(file["frame_label_names"].asstr()[:]) == {"owl", "wren"}


REPORTS = [
    case("no-recording", and_then(lambda folder: (folder / "rec").mkdir(), lambda folder: (folder / "a.wav").rename(folder / "rec/a.wav"),
                                  {"m.csv": "path\na.wav\n"}), "veery extract m.csv -o f.h5 --max-failures 1 --set normalize.scope=none",
         "so there is nothing to write: give the folder with --root", "veery extract m.csv -o f.h5 --root rec --set normalize.scope=none",
         right=holds(1)),
    case("no-recording-root", and_then(lambda folder: (folder / "rec").mkdir(), {"m.csv": "path\nz.wav\n"}),
         "veery extract m.csv -o f.h5 --max-failures 1 --set normalize.scope=none", ": give the folder with --root",
         lambda folder, _: [(folder / "a.wav").rename(folder / "rec/z.wav")] and None,
         "veery extract m.csv -o f.h5 --root rec --set normalize.scope=none", right=holds(1)),
    case("no-recording-absolute", lambda folder: [base(folder), (folder / "m.csv").write_text(f"path\n{folder}/rec/a.wav\n")],
         "veery extract m.csv -o f.h5 --max-failures 1 --set normalize.scope=none", "it is an absolute path, which starts from no folder: correct the paths in the table",
         write("m.csv", "path\na.wav\n"), "veery extract m.csv -o f.h5 --set normalize.scope=none", right=holds(1)),
    case("failures-out", many_bad, "veery extract m.csv -o f.h5 --failures-out bad.csv --quiet; "
         "veery extract m.csv -o f.h5 --failures-out bad.csv --overwrite",
         "wrote bad.csv: the clips that failed; after mending, give it to 'veery extract'",
         lambda folder, _: [shutil.copy(folder / "b.wav", folder / f"t{number}.wav") for number in range(40)] and None,
         "veery extract bad.csv -o g.h5", right=holds(40, "g.h5")),
    case("max-failures", many_bad, "veery extract m.csv -o f.h5", "failed, more than --max-failures 0 allows",
         "veery extract m.csv -o f.h5 --max-failures 40", right=holds(1)),
    case("more-failures", many_bad, "veery extract m.csv -o f.h5", "… and more: see 'veery inspect f.h5'", "veery inspect f.h5",
         right=prints("40")),
    case("plan-failures", many_bad, "veery extract m.csv -o f.h5 --dry-run", "… and more: see 'veery check'", "veery check m.csv --json",
         right=prints("t39.wav"), better="t39.wav"),
    case("check-more", and_then(lambda folder: write_manifest(
        folder / "l.csv", [{"path": "a.wav", "id": number, "label": f"l{number}"} for number in range(20)])),
         "veery check l.csv", "more: see --json", "veery check l.csv --json", right=prints("l19")),
    case("truncated", FAILING, "veery extract m.csv -o f.h5 --max-failures 2",
         "--truncated keep stores the readable part of a recording that is cut off",
         "veery extract m.csv -o f.h5 --max-failures 2 --truncated keep --overwrite", right=holds(2)),
    case("non-finite", FAILING, "veery extract m.csv -o f.h5 --max-failures 2", "--non-finite zero sets infinite and NaN samples to 0",
         "veery extract m.csv -o f.h5 --max-failures 2 --non-finite zero --overwrite", right=holds(2)),
    case("frames-append", with_labels, LABELLED + "echo ./a.wav,z,train >> m.csv; veery extract m.csv -o f.h5 --append",
         "its frames have labels: give their annotations with --frame-labels",
         "veery extract m.csv -o f.h5 --append --frame-labels marks.csv", right=framed),
    case("frames-sync", with_labels, LABELLED + "veery extract m.csv -o f.h5 --sync",
         "its frames have labels: give their annotations with --frame-labels",
         "veery extract m.csv -o f.h5 --sync --frame-labels marks.csv", right=framed),
    case("frames-none", with_labels, MADE + "veery extract m.csv -o f.h5 --append --frame-labels marks.csv",
         "its frames have no labels: leave out --frame-labels, or give --overwrite instead of --append",
         "veery extract m.csv -o f.h5 --append", right=holds(2)),
    case("frames-none-overwrite", with_labels, MADE + "veery extract m.csv -o f.h5 --append --frame-labels marks.csv",
         "or give --overwrite instead of --append", "veery extract m.csv -o f.h5 --overwrite --frame-labels marks.csv", right=framed),
    case("frames-added", with_labels, MADE + "veery extract m.csv -o f.h5 --frame-labels marks.csv",
         "has no labels of frames (--sync adds them)", "veery extract m.csv -o f.h5 --frame-labels marks.csv --sync", right=framed),
    case("frames-renewed", with_labels, LABELLED + "veery extract m.csv -o f.h5 --frame-labels other.csv",
         "was made with other annotations (--sync renews the labels of frames)",
         "veery extract m.csv -o f.h5 --frame-labels other.csv --sync", right=framed),
    case("frames-mixed", and_then(stereo, {"marks.csv": "path,start,end,label,channel\ns.wav,0.1,0.4,owl,1\n"}),
         "veery extract s.csv -o f.h5 --frame-labels marks.csv",
         "give the clips a column 'channel', --set audio.channels=NUMBER, or --channel mix to take the annotations of all",
         "veery extract s.csv -o f.h5 --frame-labels marks.csv --set audio.channels=1", right=holds(1)),
    case("frames-mixed-column", and_then(stereo, {"marks.csv": "path,start,end,label,channel\ns.wav,0.1,0.4,owl,1\n"}),
         "veery extract s.csv -o f.h5 --frame-labels marks.csv", "give the clips a column 'channel'",
         write("s.csv", "path,channel\ns.wav,1\n"), AGAIN, right=holds(1)),
    case("frames-mixed-all", and_then(stereo, {"marks.csv": "path,start,end,label,channel\ns.wav,0.1,0.4,owl,1\n"}),
         "veery extract s.csv -o f.h5 --frame-labels marks.csv", "or --channel mix to take the annotations of all",
         "veery extract s.csv -o f.h5 --frame-labels marks.csv --channel mix", right=holds(1)),
    case("slow", base, "veery extract m.csv -o f.h5 --dry-run --set frame.fft_length=65536 --set frame.hop=1",
         "use a smaller frame.fft_length or a larger frame.hop", "veery extract m.csv -o f.h5 --set frame.fft_length=65536", right=holds(2)),
    case("empty-bands", base, "veery extract m.csv -o f.h5 --dry-run --set transform.bins=128 --set transform.mel_scale=htk",
         "will always be at the floor: use fewer transform.bins",
         lambda folder, said: "veery extract m.csv -o f.h5 --set transform.mel_scale=htk --set transform.bins=" + quoted(said, "use fewer transform.bins (", ")"),
         right=holds(2)),
    case("empty-bands-longer", base, "veery extract m.csv -o f.h5 --dry-run --set transform.bins=128 --set transform.mel_scale=htk", "or a larger frame.fft_length",
         lambda folder, said: "veery extract m.csv -o f.h5 --set transform.bins=128 --set transform.mel_scale=htk --set frame.fft_length="
         + quoted(said, "or a larger frame.fft_length (", ")"), right=holds(2)),
    case("crowded-notes", base, "veery extract m.csv -o f.h5 --dry-run --set transform.kind=musical",
         "use a larger frame.fft_length, fewer transform.points_per_note, or a higher transform.lowest",
         "veery extract m.csv -o f.h5 --set transform.kind=musical --set frame.fft_length=262144", right=holds(2)),
]

# --- Clips and splits


def annotated(text, name="a.csv"):
    return and_then({name: text})


def cut_marks(folder):
    base(folder)
    cut(folder)
    (folder / "cut.csv").unlink()
    (folder / "marks.csv").write_text("path,start,end,label\ncut.wav,0.1,0.4,owl\ncut.wav,0.7,1.5,owl\n")


CLIPS = [
    case("clips-list-label", and_then({"marks.csv": "path,start,end,label\na.wav,0.1,0.4,x|y\n"}),
         "veery clips m.csv --annotations marks.csv --window 0.5 -o c.csv", "rename it, or write JSON Lines",
         "veery clips m.csv --annotations marks.csv --window 0.5 -o c.jsonl", right=there("c.jsonl")),
    case("clips-list-renamed", and_then({"marks.csv": "path,start,end,label\na.wav,0.1,0.4,x|y\n"}),
         "veery clips m.csv --annotations marks.csv --window 0.5 -o c.csv", "rename it, or write JSON Lines",
         write("marks.csv", "path,start,end,label\na.wav,0.1,0.4,x-y\n"), AGAIN, right=there("c.csv")),
    case("clips-cut", cut_marks, "veery clips cut.wav --window 0.2 -o c.csv", "(--truncated keep: the windows of what can be read)",
         "veery clips cut.wav --window 0.2 -o c.csv --truncated keep", right=there("c.csv")),
    case("clips-cut-mark", cut_marks, "veery clips cut.wav --annotations marks.csv -o c.csv",
         "(--truncated keep cuts it there)", "veery clips cut.wav --annotations marks.csv -o c.csv --truncated keep",
         right=lines("c.csv", 3)),
    case("clips-no-window", base, "veery clips m.csv --window 5 -o c.csv", "no recording is as long as a window (--partial keep)",
         "veery clips m.csv --window 5 -o c.csv --partial keep", right=lines("c.csv", 3)),
    case("clips-last-part", base, "veery clips m.csv --window 0.3 -o c.csv", "is shorter than a window and left out",
         "veery clips m.csv --window 0.3 -o c.csv --partial keep --overwrite", right=lines("c.csv", 9)),
    case("clips-last-shift", base, "veery clips m.csv --window 0.3 -o c.csv", "(--partial keep or shift)",
         "veery clips m.csv --window 0.3 -o c.csv --partial shift --overwrite", right=lines("c.csv", 9)),
    case("clips-short", annotated("start,end,label\n0.1,0.2,x\n0.1,0.9,y\n"), "veery clips a.wav --min-duration 0.5 -o c.csv",
         "widened to the minimum length (--short drop leaves them out)",
         "veery clips a.wav --min-duration 0.5 --short drop -o c.csv --overwrite", right=lines("c.csv", 2)),
    case("clips-no-label", annotated("start,end,label\n0.1,0.2,x\n"), "veery clips a.wav --window 0.5 -o c.csv",
         "without a label (--no-label gives them one)", "veery clips a.wav --window 0.5 --no-label none -o c.csv --overwrite", right=lines("c.csv", 3)),
    case("clips-label-missing", annotated("start,end,label\n0.1,0.2,x\n0.6,0.7,\n"), "veery clips a.wav --window 0.5 -o c.csv",
         "has no label: line 3; --label NAME gives it one", "veery clips a.wav --window 0.5 --label what -o c.csv --overwrite",
         right=lines("c.csv", 3)),
    case("clips-point", annotated("start,end,label\n0.1,0.1,x\n"), "veery clips a.wav -o c.csv",
         "is a point, and no clip by itself: give --context or --min-duration", "veery clips a.wav -o c.csv --context 0.1",
         right=lines("c.csv", 2)),
    case("clips-point-length", annotated("start,end,label\n0.3,0.3,x\n"), "veery clips a.wav -o c.csv", "give --context or --min-duration",
         "veery clips a.wav -o c.csv --min-duration 0.2", right=lines("c.csv", 2)),
    case("clips-channel", annotated("start,end,label,channel\n0.1,0.4,x,3\n"), "veery clips a.wav -o c.csv",
         "(--channel mix ignores channels)", "veery clips a.wav -o c.csv --channel mix", right=lines("c.csv", 2)),
    case("clips-unit", annotated("start,end,label\n100,400,x\n500,900,x\n"), "veery clips a.wav -o c.csv",
         "all times fit their recordings if they are milliseconds: --time-unit ms", "veery clips a.wav -o c.csv --time-unit ms",
         right=lines("c.csv", 3)),
    case("clips-far", annotated("start,end,label\n1000,1500.5,x\n1600.25,1900.5,x\n"), "veery clips a.wav -o c.csv",
         "are they in another unit (--time-unit), or of another recording?", "veery clips b.wav --window 0.5 -o c.csv", right=lines("c.csv", 3)),
    case("clips-raven", annotated("Selection\tBegin Time (s)\tEnd Time (s)\tBegin File\tSpecies\n1\t0.1\t0.4\ta.wav\tx\n"
                                  "2\t1.1\t1.4\tb.wav\ty\n", "day.Table.1.selections.txt"),
         "veery clips m.csv --annotations day.Table.1.selections.txt -o c.csv", "add that column in Raven",
         write("day.Table.1.selections.txt", "Selection\tBegin Time (s)\tEnd Time (s)\tBegin File\tFile Offset (s)\tSpecies\n"
               "1\t0.1\t0.4\ta.wav\t0.1\tx\n2\t1.1\t1.4\tb.wav\t0.1\ty\n"), AGAIN, right=lines("c.csv", 3)),
    case("clips-raven-one", annotated("Selection\tBegin Time (s)\tEnd Time (s)\tBegin File\tSpecies\n1\t1.1\t1.4\tb.wav\ty\n",
                                      "day.Table.1.selections.txt"),
         "veery clips m.csv --annotations day.Table.1.selections.txt -o c.csv",
         "so the times may count from the start of the first of several recordings: add that column in Raven",
         write("day.Table.1.selections.txt", "Selection\tBegin Time (s)\tEnd Time (s)\tBegin File\tFile Offset (s)\tSpecies\n"
               "1\t1.1\t1.4\tb.wav\t0.1\ty\n"), AGAIN, right=has_line("c.csv", "b.wav,b#0.1-0.4,y,test,0.1,0.4,1")),
    case("clips-two-ends", annotated("start,end,stop,label\n0.1,0.4,0.3,x\n"),
         "veery clips a.wav -o c.csv --end-column end --duration-column stop", "Give either --end-column or --duration-column, not both.",
         "veery clips a.wav -o c.csv --end-column stop", right=lines("c.csv", 2)),
    case("clips-problems", annotated("start,end,label\n0.1,0.4,x\n0.5,3,x\n"), "veery clips a.wav -o c.csv",
         "(--skip-problems leaves out what has problems)", "veery clips a.wav -o c.csv --skip-problems", right=lines("c.csv", 2)),
    case("clips-nameless", and_then({"marks.txt": "0.1\t0.4\tx\n"}), "veery clips marks.txt -o c.csv",
         "give the recording or a manifest as the source, and this file with --annotations",
         "veery clips a.wav --annotations marks.txt -o c.csv", right=lines("c.csv", 2)),
    case("clips-several", and_then({"a.txt": "0.1\t0.4\tx\n", "a.csv": "start,end,label\n0.2,0.5,x\n"}), "veery clips a.wav -o c.csv",
         "or give the files with --annotations", "veery clips a.wav --annotations a.csv -o c.csv", right=lines("c.csv", 2)),
    case("clips-several-moved", and_then({"a.txt": "0.1\t0.4\tx\n", "a.csv": "start,end,label\n0.2,0.5,x\n"}), "veery clips a.wav -o c.csv",
         "move all but one elsewhere", "mkdir old && mv a.txt old", "veery clips a.wav -o c.csv", right=lines("c.csv", 2)),
    *(case(f"clips-already-{way}", and_then({"parts.csv": "path,start,end,label,split\na.wav,0.1,0.4,x,train\n", "marks.txt": "0.2\t0.3\ty\n",
                                             "a.txt": "0.1\t0.2\tz\n"}),
           "veery clips parts.csv -o c.csv",
           "parts.csv: its rows are parts of recordings with labels, which are clips already: give it to 'veery extract'. For windows of them, "
           "give --window; for what other tables mark in them, give those with --annotations", command, right=right)
      for way, command, right in (("extracted", "veery extract parts.csv -o f.h5", holds(1)),
                                  ("windows", "veery clips parts.csv --window 0.1 -o c.csv", lines("c.csv", 4)),
                                  ("marked", "veery clips parts.csv --annotations marks.txt -o c.csv", lines("c.csv", 2)))),
    *(case(f"clips-unread-times-{ending}", and_then({f"parts.{ending}": text}), f"veery clips parts.{ending} -o c.csv",
           "may be the starts and ends of parts of the recordings, and are not read: give --start-column Anfang --end-column Ende",
           lambda folder, said, ending=ending: f"veery clips parts.{ending} -o c.csv " + quoted(said, "not read: give ", ";"), right=lines("c.csv", 2))
      for ending, text in (("csv", "file,Anfang,Ende,label\na.wav,0.1,0.4,x\n"), ("tsv", "file\tAnfang\tEnde\tlabel\na.wav\t0.1\t0.4\tx\n"))),
    case("clips-unread-times-jsonl", and_then({"parts.jsonl": '{"file": "a.wav", "Anfang": 0.1, "Ende": 0.4, "label": "x"}\n'}),
         "veery clips parts.jsonl -o c.csv", "and are not read: name them 'start' and 'end'",
         write("parts.jsonl", '{"file": "a.wav", "start": 0.1, "end": 0.4, "label": "x"}\n'), AGAIN, right=lines("c.csv", 2)),
    case("clips-ambiguous", lambda folder: [(folder / name).mkdir() or write_wav(folder / name / "r.wav", RATE, noise(1, RATE)) for name in ("s1", "s2")]
         and (folder / "annotations.csv").write_text("file,start,end,label\nr.wav,0.1,0.4,x\n"), "veery clips . -o c.csv",
         ": write the folders, too", write("annotations.csv", "file,start,end,label\ns2/r.wav,0.1,0.4,x\n"), AGAIN,
         right=prints("1 recording has no annotations: ./s1/r.wav")),
    case("clips-several-named", and_then({"a.txt": "0.1\t0.4\tx\n", "a.csv": "start,end,label\n0.2,0.5,x\n"}),
         "veery clips a.wav -o c.csv", "choose for all recordings by --annotations-named",
         lambda folder, said: "veery clips a.wav -o c.csv --annotations-named "
         + quoted(said, "by --annotations-named ", " or "), right=lines("c.csv", 2)),
    case("clips-alike", lambda folder: [write_wav(folder / name, RATE, noise(1, RATE)) for name in ("day.wav", "DAY.wav")]
         and (folder / "Day.txt").write_text("0.1\t0.4\tx\n"), "veery clips . -o c.csv",
         "its name may stand for 'DAY.wav' or 'day.wav': rename it after one of them, such as to 'DAY.wav.txt'",
         move("Day.txt", "DAY.wav.txt"), AGAIN, right=there("c.csv")),
    case("clips-named-none", and_then({"marks/a.txt": "0.1\t0.4\tx\n"}),
         "veery clips m.csv --annotations marks --annotations-named '*.csv' -o c.csv", "that is named '*.csv' (--annotations-named)",
         "veery clips m.csv --annotations marks --annotations-named '*.txt' -o c.csv", right=lines("c.csv", 2)),
    case("clips-beside-none", and_then({"a.txt": "0.1\t0.4\tx\n"}), "veery clips m.csv --annotations-named '*.tsv' -o c.csv",
         "there are no annotation files named '*.tsv' (--annotations-named)", "veery clips m.csv --annotations-named '*.txt' -o c.csv",
         right=lines("c.csv", 2)),
    case("clips-none", base, "veery clips m.csv -o c.csv", "give them with --annotations, or cut windows with --window and without --no-label",
         "veery clips m.csv --window 0.5 -o c.csv", right=lines("c.csv", 5)),
    case("clips-none-given", and_then({"marks/a.txt": "0.1\t0.4\tx\n"}), "veery clips m.csv -o c.csv", "give them with --annotations",
         "veery clips m.csv --annotations marks -o c.csv", right=lines("c.csv", 2)),
    case("split-none", base, "veery split m.csv -o s.csv", "Give one of --ratio, --folds and --list.",
         "veery split m.csv --folds 2 -o s.csv", right=lines("s.csv", 3)),
    case("split-empty", and_then({"l.csv": "path,label\na.wav,x\n./a.wav,x\nb.wav,y\n././a.wav,x\n"}),
         "for seed in 0 1 2 3 4 5 6 7; do veery split m.csv --ratio train=0.5,test=0.5 --seed $seed -o s.csv --overwrite; done",
         "--stratify shares them out evenly, and another --seed otherwise",
         "veery split m.csv --ratio train=0.5,test=0.5 --stratify -o s.csv --overwrite",
         right=lambda folder, _: {line.split(",")[2] for line in (folder / "s.csv").read_text().splitlines()[1:]} == {"train", "test"}),
    case("split-kept", and_then({"l.csv": "path,id,split\na.wav,1,train\na.wav,2,test\nb.wav,3,\n"}),
         "veery split l.csv --folds 2 --keep -o s.csv", "leave out --keep, or group them otherwise with --by",
         "veery split l.csv --folds 2 -o s.csv", right=lines("s.csv", 4)),
    case("split-kept-by", and_then({"l.csv": "path,id,split,speaker\na.wav,1,train,u\na.wav,2,test,v\nb.wav,3,,w\n"}),
         "veery split l.csv --ratio train=0.5,test=0.5 --keep -o s.csv", "or group them otherwise with --by",
         "veery split l.csv --ratio train=0.5,test=0.5 --keep --by speaker -o s.csv", right=lines("s.csv", 4)),
    case("split-stratified", base, "veery split m.csv --folds 2 --stratify -o s.csv",
         "note: --stratify balances labels; groups may change their split when clips are added",
         "veery split m.csv --folds 2 -o s.csv --overwrite", right=lines("s.csv", 3)),
    case("crawl-two", base, "veery crawl . -o c.csv --label-level 0 --label-from x", "Give either --label-level or --label-from, not both.",
         "veery crawl . -o c.csv --label-from '(?<label>.)[.]wav'", right=there("c.csv")),
    case("crawl-format", base, "veery crawl . -o c.dat", "give it with --output-format.", "veery crawl . -o c.dat --output-format csv", right=there("c.dat")),
    case("output-format", base, "veery split m.csv --folds 2 -o s.dat", "give it with --output-format.",
         "veery split m.csv --folds 2 -o s.dat --output-format csv", right=lines("s.dat", 3)),
    case("labels-twice", and_then({"l.csv": "path,p,q\na.wav,1,0\nb.wav,0,1\n"}),
         "veery check l.csv --one-hot p --one-hot q --column labels=p", "both say what the labels are: give one of them.",
         "veery check l.csv --one-hot p --one-hot q", right=prints("2")),
    case("quoting-csv", base, "veery check m.csv --quoting literal", "--quoting literal is for TSV; this manifest is CSV",
         "veery check m.csv"),
]

# --- Pictures, reports, exports, other commands

# Runs a command on a terminal that nobody types into.
TERMINAL = f"{PYTHON} -c 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))'"


REST = [
    case("conform-preset", and_then(lambda folder: numpy.save(folder / "x.npy", numpy.zeros((100, 80), "f4"))),
         "veery conform x.npy a.wav", "Give --preset NAME or --config FILE", "veery conform x.npy a.wav --preset whisper",
         better="whisper"),
    case("conform-batch", and_then(lambda folder: numpy.save(folder / "x.npy", numpy.zeros((3, 4, 100, 80), "f4"))),
         "veery conform x.npy a.wav --preset whisper", "if it is a batch, save one of its arrays by itself",
         lambda folder, _: numpy.save(folder / "x.npy", numpy.random.default_rng(0).normal(0, 1, (100, 80))),
         AGAIN, better="differ"),
    case("conform-torch", and_then(lambda folder: os.system(f"cd {folder} && mkdir t && echo x > t/data.pkl && "
                                                            "python3 -c \"import shutil; shutil.make_archive('x', 'zip', 't')\" && mv x.zip x.npz")),
         "veery conform x.npz a.wav --preset whisper", "of a file of torch.save, save the array by numpy.save",
         lambda folder, _: numpy.save(folder / "x.npy", numpy.random.default_rng(0).normal(0, 1, (100, 80))),
         "veery conform x.npy a.wav --preset whisper", better="differ"),
    case("conform-kaldi", and_then(lambda folder: (folder / "x.ark").write_bytes(b"a \0BCM " + bytes(40))),
         "veery conform x.ark a.wav --preset whisper", "copy-feats --compress=false writes one",
         lambda folder, _: (folder / "x.ark").write_bytes(
             b"a \0BFM \x04" + (100).to_bytes(4, "little") + b"\x04" + (80).to_bytes(4, "little")
             + numpy.random.default_rng(0).normal(0, 1, (100, 80)).astype("<f4").tobytes()) and None, AGAIN, better="differ"),
    case("render-folder", base, "veery inspect f.h5; " + MADE + "veery export f.h5 --to npy -o n --quiet && veery export f.h5 --to npy -o n",
         "the folder exists and is not empty; --overwrite replaces it, or choose another folder",
         "veery export f.h5 --to npy -o n --overwrite", right=there("n")),
    case("export-another", base, MADE + "veery export f.h5 --to npy -o n --quiet && veery export f.h5 --to npy -o n",
         "or choose another folder", "veery export f.h5 --to npy -o o", right=there("o")),
    case("export-foreign", and_then({"n/mine": "x"}), MADE + "veery export f.h5 --to npy -o n --overwrite",
         "expected a folder that 'veery export' wrote, found 'mine' in it: choose another folder", "veery export f.h5 --to npy -o o",
         right=there("o")),
    case("export-link", and_then(lambda folder: os.symlink("gone", folder / "n")), MADE + "veery export f.h5 --to npy -o n",
         "this symbolic link leads to nothing: delete it, or choose another folder",
         lambda folder, _: (folder / "n").unlink(), "veery export f.h5 --to npy -o n", right=there("n")),
    case("export-kaldi", base, MADE + "veery export f.h5 --to kaldi -o 'a|b'", "feats.scp cannot hold a path with a line break or a '|': "
         "choose another folder", "veery export f.h5 --to kaldi -o ab", right=there("ab/feats.scp")),
    case("export-zarr-split", base, MADE + "veery export f.h5 --to zarr -o z.json --split train",
         "leave out --split and --label, and select clips by the variables split and label", "veery export f.h5 --to zarr -o z.json",
         right=there("z.json")),
    case("export-zarr-set", base, "test -e f.index.json || veery extract m.csv -o f.h5 --files 2 --quiet; "
         "veery export f.index.json --to zarr -o z.json", "export its files one at a time",
         "veery export f-00001-of-00002.h5 --to zarr -o z.json", right=there("z.json")),
    case("export-channels", stereo, "veery extract s.csv -o f.h5 --set audio.channels=all --quiet && veery export f.h5 --to kaldi -o k",
         "choose one with audio.channels", "veery extract s.csv -o f.h5 --set audio.channels=0 --overwrite && veery export f.h5 --to kaldi -o k",
         right=there("k/feats.scp")),
    case("page-root", base, MADE + "mkdir away && mv a.wav b.wav away && veery inspect f.h5 --html r.html && cat r.html",
         "give that folder as --root.", "veery inspect f.h5 --html r.html --root away && cat r.html",
         right=prints("that were read")),
    case("page-some", base, MADE + "mkdir away && cp a.wav b.wav away && rm b.wav && veery inspect f.h5 --html r.html && cat r.html",
         "could not be read; --root names the folder of the manifest.", "veery inspect f.h5 --html r.html --root away && cat r.html",
         right=prints("None of 2 recordings")),
    case("page-infinite", base, MADE + f"{PYTHON} -c 'import h5py; h5py.File(\"f.h5\", \"r+\")[\"features\"][3, 4] = float(\"inf\")' && "
         "veery inspect f.h5 --html r.html && cat r.html", "Such values were not written by veery: see inspect --verify.",
         "veery inspect f.h5 --verify", better="tensor_xxh3"),
    case("plots-foreign", and_then({"p/mine": "x"}), MADE + "veery inspect f.h5 --plots p",
         "or one that veery wrote figures to, found 'mine' in it: choose another folder", "veery inspect f.h5 --plots q", right=there("q")),
    case("page-foreign", and_then({"r.html": "mine"}), MADE + "veery inspect f.h5 --html r.html",
         "is not a page that veery wrote, so it is not replaced: choose another name", "veery inspect f.h5 --html s.html",
         right=there("s.html")),
    case("page-inside", base, MADE + "veery inspect f.h5 --plots p --html p/r.html", "which holds only figures: write the page elsewhere.",
         "veery inspect f.h5 --plots p --html r.html", right=there("r.html", "p")),
    case("inspect-kinds", base, MADE + "veery inspect f.h5 --html r.html --json", "give only one kind.", "veery inspect f.h5 --json"),
    case("inspect-suspicious", base, MADE + "veery inspect f.h5 --suspicious --html r.html", "leave out --verify, --html and --plots.",
         "veery inspect f.h5 --suspicious"),
    case("filter-band", base, "veery filter a.wav o.wav", "Give --band-pass LOW-HIGH or --band-stop LOW-HIGH.",
         "veery filter a.wav o.wav --band-pass 300-3400", right=there("o.wav")),
    case("filter-bands", base, "veery filter a.wav o.wav --band-pass 300-400 --band-stop 300-400",
         "Give either --band-pass or --band-stop, not both.", "veery filter a.wav o.wav --band-stop 300-400", right=there("o.wav")),
    case("two-configurations", and_then({"c.yaml": "extends: whisper\n"}), "veery extract m.csv -o f.h5 --preset whisper --config c.yaml",
         "Give either --preset or --config, not both; a configuration file may have 'extends: NAME' at its top.",
         "veery extract m.csv -o f.h5 --config c.yaml", right=holds(2)),
    case("presets-golden", base, "veery presets whisper --golden g --json", "--golden writes files: --keys and --json print.",
         "veery presets whisper --golden g", right=there("g")),
    case("time-clock", base, "veery render a.wav --time clock -o p.png", "give the time when the recording started, with --begins 05:30:00.",
         "veery render a.wav --time clock --begins 05:30:00 -o p.png", right=there("p.png")),
    case("overlay-root", base, MADE + "mkdir away && mv a.wav away && veery render f.h5 --clip a --waveform -o p.png",
         "give the folder that its path starts from with --root", "veery render f.h5 --clip a --waveform --root away -o p.png",
         right=there("p.png")),
    case("below-peak", base, MADE + "veery render f.h5 --clip a --below-peak 60 -o p.png", "Give --range low:high in that unit",
         "veery render f.h5 --clip a --range -3:3 -o p.png", right=there("p.png")),
    case("below-peak-recording", base, MADE + "veery render f.h5 --clip a --below-peak 60 -o p.png",
         "or draw the recording with --set scale.kind=db --set normalize.scope=none.",
         "veery render a.wav --set scale.kind=db --set normalize.scope=none --below-peak 60 -o p.png", right=there("p.png")),
    case("ranges", base, "veery render a.wav --range 0:1 --below-peak 60 -o p.png", "Give only one of --range, --percentiles and --below-peak.",
         "veery render a.wav --below-peak 60 -o p.png", right=there("p.png")),
    case("picture-name", base, "veery render a.wav -o p.jpg", "give a name that ends in .png, .svg or .pdf.", "veery render a.wav -o p.svg",
         right=there("p.svg")),
    case("sheet-label", base, MADE + "veery render f.h5 --sheet --labels q -o p.png", "See 'veery inspect'.",
         "veery inspect f.h5 | grep -w x && veery render f.h5 --sheet --labels x -o p.png", right=there("p.png")),
    case("bank-inputs", base, "veery render a.wav --filter-bank whisper -o p.png", "--filter-bank draws no values: it takes --set, "
         "--sample-rate, --json", "veery render --filter-bank whisper -o p.png", right=there("p.png")),
    case("bank-rate", and_then({"c.yaml": "audio: {sample_rate: null}\n"}), "veery render --filter-bank c.yaml -o p.png",
         "a rate to draw the bands at: give one with --sample-rate", "veery render --filter-bank c.yaml --sample-rate 16000 -o p.png",
         right=there("p.png")),
    case("bank-own-rate", base, "veery render --filter-bank log-mel --sample-rate 8000 -o p.png", "--set changes that",
         "veery render --filter-bank log-mel --set audio.sample_rate=8000 -o p.png", right=there("p.png")),
    case("picture-end", and_then(lambda folder: write_wav(folder / "w.wav", 48000, noise(3, 48000))),
         "veery render w.wav --preset log-mel -o p.png", "--preset spectrogram shows all", "veery render w.wav --preset spectrogram -o p.png",
         right=there("p.png")),
    case("plain-one", base, "veery render a.wav b.wav --plain -o p.png", "--plain draws one clip or recording, found 2.",
         "veery render a.wav --plain -o p.png", right=there("p.png")),
    case("plain-axes", base, "veery render a.wav --plain --waveform -o p.png", "are for pictures with axes.",
         "veery render a.wav --waveform -o p.png", right=there("p.png")),
    case("plain-bins", base, "veery render a.wav --plain -o p.png --preset spectrogram --set frame.fft_length=131072",
         "values in a frame: choose a band of frequencies",
         "veery render a.wav --plain --band 0-1000 -o p.png --preset spectrogram --set frame.fft_length=131072", right=there("p.png")),
    case("plain-samples", base, f"veery render a.wav --plain -o p.png {WIDE_SAMPLES} --set frame.hop=16000",
         "values in a frame: draw it with axes", f"veery render a.wav -o p.png {WIDE_SAMPLES} --set frame.hop=16000", right=there("p.png")),
    case("plain-samples-frames", base, f"veery render a.wav --plain -o p.png {WIDE_SAMPLES} --set frame.hop=1",
         "leave out --plain, which draws at most 32,000 values of a frame",
         f"veery render a.wav -o p.png {WIDE_SAMPLES} --set frame.hop=1", right=there("p.png")),
    # Samples as rows are the fastest way to more values than a picture may have.
    *(case(name, base, f"veery render a.wav --plain -o p.png {LONG_SAMPLES}",
           "draw the newest frames with --columns, or a part with --start and --end",
           f"veery render a.wav --plain {part} -o p.png {LONG_SAMPLES}", right=there("p.png"))
      for name, part in [("plain-large", "--columns 100"), ("plain-large-part", "--start 0 --end 0.05")]),
    case("sheet-options", base, MADE + "veery render f.h5 --sheet --clip a -o p.png", "are not for it.",
         "veery render f.h5 --sheet -o p.png", right=there("p.png")),
    case("stored-two", base, MADE + "veery render f.h5 a.wav --clip a -o p.png", "--clip is for one feature file, found 2 inputs: draw recordings "
         "without it.", "veery render a.wav -o p.png", right=there("p.png")),
    case("stored-alone", base, MADE + "veery render f.h5 a.wav -o p.png", "give it alone, and name its clips with --clip; recordings are drawn "
         "by themselves.", "veery render f.h5 --clip a -o p.png", right=there("p.png")),
    case("stored-newest", lambda folder: [write_wav(folder / "l.wav", RATE, noise(3, 3 * RATE)),
                                          write_manifest(folder / "m.csv", [{"path": "l.wav"}])],
         "veery extract m.csv -o f.h5 --set frame.hop=1 --set transform.bins=2 --set normalize.scope=none --quiet && "
         "veery render f.h5 --clip l --plain -o p.png", "draw the newest frames with --columns",
         "veery render f.h5 --clip l --plain --columns 1000 -o p.png", right=there("p.png")),
    case("marks-named", and_then({"t.csv": "start,end,label\n" + "".join(f"0.{n:02},0.{n + 1:02},a-long-label-{n}\n" for n in range(10, 90))}),
         "veery render a.wav --annotations t.csv -o p.png", "draw a shorter part with --start and --end, or ",
         "veery render a.wav --annotations t.csv --start 0.1 --end 0.125 -o p.png", right=there("p.png")),
    case("stored-clip", base, MADE + "veery render f.h5 -o p.png", "name a clip with --clip, such as ",
         lambda folder, said: "veery render f.h5 -o p.png --clip " + quoted(said, "name a clip with --clip, such as ", ","),
         right=there("p.png")),
    case("live-terminal", base, "veery live --file a.wav", "give --record features.h5 to store the features without a display.",
         "veery live --file a.wav --speed 0 --record features.h5", right=holds(1, "features.h5")),
    case("live-dumb", base, f"TERM=dumb {TERMINAL} veery live --file a.wav --speed 0", "use another one, or give --depth ascii where it can.",
         f"TERM=xterm {TERMINAL} veery live --file a.wav --speed 0"),
    case("live-ascii", base, f"TERM=dumb {TERMINAL} veery live --file a.wav --speed 0", "or give --depth ascii where it can.",
         f"TERM=dumb {TERMINAL} veery live --file a.wav --speed 0 --depth ascii"),
    case("live-filtered", base, f"{TERMINAL} veery live --file a.wav --speed 0 --band-pass 300-3400", "add '| aplay' or '> file'.",
         "veery live --file a.wav --speed 0 --band-pass 300-3400 > file", right=there("file")),
    case("decode-terminal", base, f"{TERMINAL} veery decode a.wav", "give -o, or add '| PROGRAM'", "veery decode a.wav -o x.wav", right=there("x.wav")),
    case("decode-program", base, f"{TERMINAL} veery decode a.wav", "or add '| PROGRAM'", f"{TERMINAL} sh -c 'veery decode a.wav | cat > b.wav'",
         right=there("b.wav")),
    case("decode-overwrite", base, "veery decode a.wav --overwrite > b.wav", "--overwrite is for a file: give -o.",
         "veery decode a.wav --overwrite -o b.wav", right=there("b.wav")),
    case("live-notes", base, f"TERM=xterm {TERMINAL} veery live --file a.wav --speed 0 --display notes --preset log-mel",
         "--display notes shows a musical axis: use --preset musical-spectrum.",
         f"TERM=xterm {TERMINAL} veery live --file a.wav --speed 0 --display notes --preset musical-spectrum"),
    case("live-equalizer", base, f"TERM=xterm {TERMINAL} sh -c 'veery live --file a.wav --speed 0 --display equalizer --preset librosa-mfcc > x'",
         "leave the configuration out, or use one with frequencies.",
         f"TERM=xterm {TERMINAL} sh -c 'veery live --file a.wav --speed 0 --display equalizer > x'", right=there("x")),
    case("usage", base, "veery render a.wav", "See 'veery render --help' for more information.", "veery render --help",
         right=prints("A feature file, the index of a set")),
    case("live-raw", base, "veery live --format s16le --record f.h5 < a.wav", "--format and --channels are for raw samples: give --rate, too.",
         "veery live --format s16le --rate 16000 --record f.h5 < a.wav", right=holds(1)),
    case("live-three", base, "veery live --file a.wav --file b.wav --file a.wav --record f.h5", "Give --file or --input twice at most, found 3.",
         "veery live --file a.wav --file b.wav --speed 0 --record f.h5", right=holds(2)),
    case("live-cut", base, "head -c 20000 a.wav | veery live --record f.h5", "let the program that writes it run to its end",
         "cat a.wav | veery live --record f.h5 --overwrite", right=holds(1)),
    case("repeated", base, "veery extract m.csv -o f.h5 --preset log-mel --preset mfcc", "Give it once.",
         "veery extract m.csv -o f.h5 --preset log-mel", right=holds(2)),
    case("live-policy", base, "veery live --file a.wav --record f.h5 --truncated keep", "'veery extract' has --truncated and --non-finite.",
         "mkdir r && cp a.wav r && veery extract r -o f.h5 --truncated keep", right=holds(1)),
    case("live-recover", base, "veery live --recover f.h5 --rate 16000", "give it alone, or with --overwrite.", "veery live --recover f.h5",
         better="expected what an interrupted recording has left"),
    case("live-header", base, "cat a.wav | veery live --rate 8000 --record f.h5", "leave --rate out", "cat a.wav | veery live --record f.h5",
         right=holds(1)),
    case("live-whole", base, "veery live --file a.wav --speed 0 --record f.h5 --set condition.remove_dc=true",
         "which needs to know the whole recording first: give --set condition.remove_dc=false for a display; 'veery extract' "
         "computes it of a folder of recordings",
         "veery live --file a.wav --speed 0 --record f.h5 --set condition.remove_dc=false", right=holds(1)),
    case("live-whole-model", base, "veery live --file a.wav --speed 0 --record f.h5 --preset wav2vec2",
         "'veery extract' computes it of a folder of recordings",
         "mkdir r && cp a.wav r && veery extract r -o f.h5 --preset wav2vec2", right=holds(1)),
    case("live-resized", base, "veery live --file a.wav --speed 0 --record f.h5 --set rows.resize=0.5",
         "--set rows=null keeps the rows of frames", "veery live --file a.wav --speed 0 --record f.h5 --set rows=null", right=holds(1)),
    case("live-resized-folder", base, "veery live --file a.wav --speed 0 --record f.h5 --set rows.resize=0.5",
         "'veery extract' computes them of a folder of recordings",
         "mkdir r && cp a.wav r && veery extract r -o f.h5 --set rows.resize=0.5", right=holds(1)),
    case("live-flac", and_then(lambda folder: soundfile.write(folder / "a.flac", noise(1, RATE), RATE)),
         "veery live --record f.h5 < a.flac", "a FLAC file: give its file with --file, or decode it first, such as by sox or ffmpeg",
         "veery live --file a.flac --speed 0 --record f.h5", right=holds(1)),
    case("live-ogg", and_then(lambda folder: soundfile.write(folder / "a.ogg", noise(1, RATE), RATE)),
         "veery live --record f.h5 < a.ogg", "an Ogg file: give its file with --file, or decode it first, such as by sox or ffmpeg",
         "veery live --file a.ogg --speed 0 --record f.h5", right=holds(1)),
    case("live-mp3", and_then(lambda folder: soundfile.write(folder / "a.mp3", noise(1, RATE), RATE)),
         "veery live --record f.h5 < a.mp3", "an MP3 file: give its file with --file, or decode it first, such as by sox or ffmpeg",
         "veery live --file a.mp3 --speed 0 --record f.h5", right=holds(1)),
    case("live-remainder", base, "head -c 16001 a.wav | tail -c 15001 | veery live --rate 16000 --channels 2 --record f.h5",
         "which are not a whole sample of every channel: check --format and --channels",
         "head -c 16000 a.wav | tail -c 15000 | veery live --rate 16000 --format s16le --record f.h5 --overwrite", right=holds(1)),
    case("live-run", unfit, KEPT + "veery live --file a.wav --speed 0 --record f.h5", "finish it, or give --record another name",
         "veery live --file a.wav --speed 0 --record g.h5", right=holds(1, "g.h5")),
]


@pytest.mark.sampled(60)
@pytest.mark.parametrize("case", MODELS + OUTPUTS + PARTS + REPORTS + CLIPS + REST)
def test_advice(program, tmp_path, case):
    follow(program, tmp_path, case)


# --- A recording that was interrupted


def test_an_interrupted_recording(program, tmp_path):
    """The error names the command that completes it, and the folder to delete."""
    base(tmp_path)
    for way in "recover", "delete":
        process = subprocess.Popen([program, "live", "--rate", "16000", "--record", "live.h5"], cwd=tmp_path,
                                   stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
        process.stdin.write((noise(1, 5 * RATE) * 32767).astype("<i2").tobytes())
        process.stdin.flush()
        spool = tmp_path / "live.h5.spool"
        until = time.monotonic() + 60
        while time.monotonic() < until and sum(path.stat().st_size for path in spool.glob("*")) < 100_000:
            time.sleep(0.01)
        process.kill()
        process.wait()
        said = run(program, tmp_path, "veery inspect live.h5.spool")
        assert said.status == 1 and "has received. To complete it: veery live --recover live.h5\n" in said.text, said
        said = run(program, tmp_path, "veery extract m.csv -o live.h5")
        assert said.status == 1 and "was interrupted before this file was written. To complete it: " in said.text, said
        if way == "recover":
            command = quoted(said, "To complete it: ", ". To discard it")
            assert run(program, tmp_path, command).status == 0
            holds(1, "live.h5")(tmp_path, None)
            (tmp_path / "live.h5").unlink()
        else:
            shutil.rmtree(tmp_path / quoted(said, "delete the folder ").strip())
            assert run(program, tmp_path, "veery extract m.csv -o live.h5").status == 0
            holds(2, "live.h5")(tmp_path, None)


@pytest.mark.skipif(sys.platform != "linux", reason="NO LINUX: memory is not limited by 'ulimit -v'")
def test_memory(program, tmp_path):
    follow(program, tmp_path, case(
        "memory", base, "ulimit -v 150000; veery extract m.csv -o f.h5 --jobs 2 --set frame.hop=16000 --set frame.fft_length=4194304",
        "finished clips are kept: give the same command again, with more memory or fewer --jobs",
        "veery extract m.csv -o f.h5 --jobs 1 --set frame.hop=16000 --set frame.fft_length=4194304", status=(75,),
        right=holds(2)).values[0])


# --- The Python package


@pytest.fixture(scope="module")
def python(veery, tmp_path_factory):
    """A folder with feature files; each test copies what it changes."""
    folder = tmp_path_factory.mktemp("python")
    base(folder)
    stereo(folder)
    (folder / "marks.csv").write_text("path,start,end,label\na.wav,0.1,0.4,owl\n")
    veery("extract", "m.csv", "-o", "f.h5", folder=folder)
    veery("extract", "m.csv", "-o", "other.h5", "--set", "frame.hop=200", folder=folder)
    veery("extract", "m.csv", "-o", "framed.h5", "--frame-labels", "marks.csv", folder=folder)
    veery("extract", "s.csv", "-o", "s.h5", "--set", "audio.channels=all", folder=folder)
    return folder


@contextlib.contextmanager
def advises(text, error=(ValueError, TypeError, AttributeError, OSError, RuntimeError)):
    """The block fails with an error that has the text."""
    with pytest.raises(error) as found:
        yield
    assert text in str(found.value)


SIGNAL = noise(3, RATE).astype("f4")


def test_python_channels(python):
    with package.open(python / "f.h5") as file:
        with advises("channel: this file has no axis of channels: leave it out"):
            file.plan(channel=0)
        assert file.plan().features(SIGNAL).shape[1] == 80
    with package.open(python / "s.h5") as file:
        with advises("name one, as in plan(channel=0)"):
            file.plan()
        assert file.plan(channel=0).features(SIGNAL).shape[1] == 80
        with advises("; take those of one channel: statistics.channel(c)"):
            package.FeaturePlan(file.configuration, statistics=file.statistics)


def test_python_replaced(python, tmp_path):
    path = tmp_path / "f.h5"
    shutil.copy(python / "f.h5", path)
    opened = package.open(path)
    os.replace(shutil.copy(python / "other.h5", tmp_path / "new.h5"), path)
    with advises("the file was replaced after it was opened: open it again"):
        opened[0].features
    assert len(package.open(path)[0].features) > 70


def test_python_set(python, veery, tmp_path):
    base(tmp_path)
    veery("extract", "m.csv", "-o", "f.h5", "--files", 2, folder=tmp_path)
    packed = pickle.dumps(package.open(tmp_path / "f.index.json"))
    again = ["extract", "m.csv", "-o", "f.h5", "--files", 2, "--set", "frame.hop=200", "--overwrite"]
    veery(*again, folder=tmp_path)
    with advises("the set was replaced after it was opened: open it again"):
        pickle.loads(packed)
    assert len(package.open(tmp_path / "f.index.json")) == 2
    shutil.copy(python / "other.h5", tmp_path / "f-00001-of-00002.h5")
    with advises("(a run that was to replace the set may have been stopped: give its command again)"):
        package.open(tmp_path / "f.index.json")
    veery(*again, folder=tmp_path)
    assert len(package.open(tmp_path / "f.index.json")) == 2


def test_python_program(program, monkeypatch, tmp_path):
    from veery import _program

    monkeypatch.delenv("VEERY")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(_program, "script_folders", lambda: [str(tmp_path)])
    with advises("or set the environment variable VEERY to the path of the program"):
        package.find_program()
    monkeypatch.setenv("VEERY", str(program))
    assert package.find_program() == str(program)


@pytest.mark.parametrize("text, refused, accepted", [
    ("take one of its values", {"label": {"a": "x"}}, {"label": "x"}),
    ("take one of its values, or put all into the column 'labels'", {"label": ["x", "y"]}, {"labels": ["x", "y"]}),
    ("decode them, or leave out the column", {"note": b"\xe9"}, {"note": b"\xe9".decode("latin-1")}),
    ("leave out the column", {"note": b"\xe9"}, {}),
    ("it holds a NUL character (\\0); remove it", {"note": "a\0"}, {"note": "a"}),
    ("; rename one", {"note": {1: "x", "1": "y"}}, {"note": {1: "x", "2": "y"}}),
    ("Rename the file, or replace the text", {"note": "\ud800"}, {"note": "?"}),
], ids=["label-dict", "label-list", "bytes-decoded", "bytes-left-out", "nul", "two-keys", "surrogate"])
def test_python_cells(python, tmp_path, text, refused, accepted):
    row = {"path": str(python / "a.wav")}
    with advises(text):
        package.extract([row | refused], tmp_path / "f.h5", settings={"normalize.scope": "none"})
    package.extract([row | accepted], tmp_path / "f.h5", settings={"normalize.scope": "none"})
    clip = package.open(tmp_path / "f.h5")[0]
    assert (clip.label or "") == accepted.get("label", "") and clip.labels == accepted.get("labels", clip.labels)


def test_python_table(python, tmp_path):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame([[str(python / "a.wav"), "x", "y"]], columns=["path", "note", "note"])
    with advises("manifest: two columns of the table have the name 'note'; rename one"):
        package.extract(table, tmp_path / "f.h5")
    table.columns = ["path", "note", "more"]
    package.extract(table, tmp_path / "f.h5", settings={"normalize.scope": "none"})
    assert package.open(tmp_path / "f.h5")[0].extra["more"] == "y"


def test_python_plans(python):
    with advises("give them, as in statistics=veery.open('features.h5').statistics, or normalize=False for the values before"):
        package.FeaturePlan("log-mel")
    plan = package.FeaturePlan("log-mel", statistics=package.open(python / "f.h5").statistics)
    assert package.FeaturePlan("log-mel", normalize=False).features(SIGNAL).shape == plan.features(SIGNAL).shape
    with advises("a plan never changes: make another one for another bins"):
        plan.bins = 3
    assert package.FeaturePlan("log-mel", normalize=False, settings={"transform.bins": 3}).bins == 3
    with advises("; divide 16-bit PCM by 32768"):
        plan.features((SIGNAL * 32767).astype("i2"))
    assert numpy.isfinite(plan.features((SIGNAL * 32767).astype("i2") / 32768)).all()
    with advises("divide samples of 16-bit PCM by 32768"):
        plan.features(numpy.round(SIGNAL * 32767))
    assert numpy.isfinite(plan.features(numpy.round(SIGNAL * 32767) / 32768)).all()
    with advises("; veery.load decodes a recording"):
        plan.stream().push(str(python / "a.wav"))
    assert len(plan.features(package.load(python / "a.wav")[0])) == 98
    every = package.FeaturePlan("log-mel", normalize=False, settings={"audio.channels": "all"})
    with advises("load them by veery.load(recording, plan.sample_rate, 'all'), and pass on one at a time"):
        every.features(python / "s.wav")
    for channel in package.load(python / "s.wav", every.sample_rate, "all")[0]:
        assert len(every.features(channel)) == 98
    path = python / "c.json"
    path.write_text('{"extends": "whisper"}')
    with advises("read the file first, as by json.loads(path.read_text())"):
        package.FeaturePlan(path)
    assert package.FeaturePlan(json.loads(path.read_text())).bins == 80


def test_python_recordings(python, tmp_path):
    shutil.copy(python / "f.h5", tmp_path / "f.h5")
    with advises("if the recordings were moved, give their folder, as in veery.open(path, root=folder)"):
        package.open(tmp_path / "f.h5")[0].samples()
    with h5py.File(tmp_path / "f.h5", "r+") as file:
        del file["provenance"].attrs["root"], file["provenance"].attrs["root_xxh3"]
    with advises("give the folder that 'a.wav' starts from, as in veery.open(path, root=folder)"):
        package.open(tmp_path / "f.h5")[0].samples()
    assert len(package.open(tmp_path / "f.h5", root=python)[0].samples()[0]) == RATE


def test_python_interface():
    """What a program says that uses the library itself."""
    from veery._library import library

    plan, other, count = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_size_t()
    rows = numpy.empty((98, 80), "f4")
    library().call("plan_create", b"log-mel", 0, ctypes.byref(plan))

    def features(handle):
        library().call("plan_features", handle, SIGNAL.ctypes.data, len(SIGNAL), 0, rows.ctypes.data, 98, ctypes.byref(count))

    with advises("give those of a feature file, or ask for the rows before normalisation"):
        features(plan)
    library().call("plan_unnormalized", plan, ctypes.byref(other))
    features(other)
    assert count.value == 98
    for handle in plan, other:
        library().plan_destroy(handle)


def test_python_rates():
    whole = {"version": 1, "audio": {"sample_rate": 16000}, "normalize": {"scope": "none"}}
    with advises("leave the plan's rate out, and give that of the samples where features are computed"):
        package.FeaturePlan(whole, sample_rate=8000)
    assert len(package.FeaturePlan(whole).features(SIGNAL[:8000], 8000)) == 98


def test_python_models():
    """A model's numbers are not to be changed for a signal of another rate, which is resampled."""
    with advises("audio.sample_rate is 8000 instead of 16000, which the model of whisper expects: leave that change out, since "
                 "recordings of any rate are resampled"):
        package.FeaturePlan("whisper", sample_rate=8000)
    with advises("leave that change out"):
        package.FeaturePlan("whisper", settings={"audio.sample_rate": 8000})
    assert package.FeaturePlan("whisper").features(SIGNAL[:8000], 8000).shape == (100, 80)
    assert "leave transform.bins as it is" in "".join(package.FeaturePlan("ast").warnings)
    changed = package.FeaturePlan("whisper", settings={"frame.hop": 100}).warnings
    assert ["frame.hop is 100 instead of 160" in text for text in changed] == [True]
    assert not package.FeaturePlan("whisper", settings={"store.type": "float16"}).warnings


def test_python_torch(python):
    pytest.importorskip("torch")
    from veery import torch

    with advises("give either all_labels or frame_labels"):
        torch.Dataset(python / "framed.h5", all_labels=True, frame_labels=True)
    with advises("frames have no labels; give --frame-labels to 'veery extract'"):
        torch.Dataset(python / "f.h5", frame_labels=True)
    assert len(torch.Dataset(python / "framed.h5", frame_labels=True)) == 2


def test_python_lhotse(python, veery, tmp_path):
    lhotse = pytest.importorskip("lhotse")
    importlib.import_module("veery.lhotse")  # which registers what reads them

    base(tmp_path)
    veery("extract", "m.csv", "-o", "f.h5", folder=tmp_path)
    veery("export", "f.h5", "--to", "lhotse", "-o", "l", folder=tmp_path)
    shutil.copy(python / "other.h5", tmp_path / "f.h5")
    cuts = next(path for path in (tmp_path / "l").iterdir() if "cuts" in path.name)
    with advises("run 'veery export --to lhotse' again"):
        lhotse.CutSet.from_file(cuts)[0].load_features()
    veery("export", "f.h5", "--to", "lhotse", "-o", "l", "--overwrite", folder=tmp_path)
    assert lhotse.CutSet.from_file(cuts)[0].load_features().shape[1] == 80


def test_python_system(monkeypatch, tmp_path):
    """What the message of status 75 is: the same call again, once there is memory, succeeds."""
    base(tmp_path)
    with monkeypatch.context() as patch:
        (tmp_path / "veery").write_text("#!/bin/sh\nexit 75\n")
        (tmp_path / "veery").chmod(0o755)
        patch.setenv("VEERY", str(tmp_path / "veery"))
        with advises("the system failed: try again"):
            package.extract(tmp_path / "m.csv", tmp_path / "f.h5")
    package.extract(tmp_path / "m.csv", tmp_path / "f.h5")
    assert len(package.open(tmp_path / "f.h5")) == 2
