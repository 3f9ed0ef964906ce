"""Every option of `veery extract` with every kind of run: it changes what the run does, or is refused by name.

The effect is looked for in a situation in which the option has one: in the exit status, in what is printed, and in the bytes of what
is written. Tests/CommandTests/ExtractOptionTests.swift holds the refusals to the table of the sources."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from conftest import noise, write_wav

pytestmark = pytest.mark.long

RATE = 16000
OF_SET, OF_SHARD, OF_MEMBER = ["--files", "2"], ["--shard", "1/1"], ["--file", "1/2"]
KINDS = {
    "one file": [], "set": OF_SET, "shard": OF_SHARD, "file of a set": OF_MEMBER, "stream": ["--tar"], "append": ["--append"],
    "sync": ["--sync"], "retry": ["--retry-failed"], "sync and retry": ["--sync", "--retry-failed"], "dry": ["--dry-run"],
    "dry set": [*OF_SET, "--dry-run"], "dry sync": ["--sync", "--dry-run"],
}
UPDATES = {"append", "sync", "retry", "sync and retry", "dry sync"}
DRY = {"dry", "dry set", "dry sync"}
# Pairs whose effect cannot be seen here, with the reason. An option alone stands for all kinds of run.
UNPROVEN = {
    "output": "no run is without it",
    "jobs": "the bytes do not depend on it; test_threads.py counts threads",
    ("files", "file of a set"): "it repeats what --file says; another number is refused",
    ("max-failures", "dry"): "the run that is shown looks at it", ("max-failures", "dry set"): "the run that is shown looks at it",
    ("max-failures", "dry sync"): "the run that is shown looks at it",
    ("retry-failed", "sync"): "it reads the recordings of failed clips anyway",
    ("retry-failed", "dry sync"): "it reads the recordings of failed clips anyway",
    ("progress", "dry"): "nothing is done that could progress", ("progress", "dry set"): "nothing is done that could progress",
    ("progress", "dry sync"): "nothing is done that could progress",
}

LENGTHS = "path,id,label,recording.duration\n"
FIRST = LENGTHS + "a.wav,a,x,\nb.wav,b,y,\n"
# With --strict, the length of d.wav is what ends the run once all clips are done; they are kept.
LATER = FIRST + "c.wav,c,z,\nd.wav,d,z,9?\n"
WITH_BAD = FIRST + "bad.wav,bad,z,\n"
MARKS = "path,start,end,label,other,second,annotator\na.wav,0,0.2,one,two,b.wav,Ann\na.wav,0.2,0.4,,four,b.wav,Ben\n"
TIER = '''File type = "ooTextFile"
Object class = "TextGrid"

0
0.5
<exists>
2
"IntervalTier"
"words"
0
0.5
1
0
0.5
"word"
"IntervalTier"
"phones"
0
0.5
1
0
0.5
"phone"
'''


# The folder of an attempt at a shard: host, process and time are in its name.
ATTEMPT = r"(?<=\d{5}-of-\d{5})\.[\w-]+"


def without_time(member):
    member.mtime = 0
    return member


class Run:
    """A folder of recordings, and a kind of run in it."""

    def __init__(self, program, folder, kind):
        self.program, self.folder, self.kind = program, folder, kind
        self.input = "t.tar" if kind == "stream" else "m.csv"
        self.options = []

    def veery(self, *options, kind=None):
        words = KINDS[self.kind] if kind is None else kind
        return subprocess.run(
            [self.program, "extract", self.input, "-o", "f.h5", *words, "--jobs", "1", *self.options, *options], cwd=self.folder,
            capture_output=True, text=True, timeout=120, env={**os.environ, "TMPDIR": str(self.folder)})

    def write(self, text, name=None):
        path = self.folder / (name or self.input)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def tar(self, *names):
        with tarfile.open(self.folder / "t.tar", "w") as file:
            for name in filter(lambda name: (self.folder / name).exists(), names):
                file.add(self.folder / name, name, filter=without_time)

    def rows(self, first=FIRST, later=None, there=False):
        """Writes the manifest; for an update or a file of a set, first makes what it starts from. `there`: also for a dry run,
        which compares what is there with what would be."""
        later = later or first
        if self.kind == "stream":
            return self.tar(*(re.split("[,\t]", line)[0] for line in later.splitlines()[1:]))
        self.write(first)
        if self.kind in UPDATES or there and self.kind in DRY:
            self.veery(kind=OF_SET if self.kind == "dry set" else [])
        self.write(later)
        if self.kind == "file of a set":
            self.veery(kind=OF_SHARD)

    def interrupted(self):
        """An older run has ended once its clips were done."""
        if self.kind == "stream":
            self.tar("a.wav", "b.wav", "c.wav", "d.wav")
            whole = (self.folder / "t.tar").read_bytes()
            (self.folder / "t.tar").write_bytes(whole[:-12000])
            self.veery()
            (self.folder / "t.tar").write_bytes(whole)
        elif self.kind in ("retry", "sync and retry"):
            self.write(LATER)
            names = ["c.wav", "d.wav"]
            good = [(self.folder / name).read_bytes() for name in names]
            for name in names:
                (self.folder / name).write_bytes(b"bad")
            self.veery(kind=[])
            for name, content in zip(names, good):
                (self.folder / name).write_bytes(content)
            self.veery("--strict")
        else:
            self.rows(FIRST if self.kind in UPDATES else LATER, LATER)
            if self.kind != "file of a set":
                self.veery("--strict", kind=[word for word in KINDS[self.kind] if word != "--dry-run"])

    def seen(self, options):
        """What a run does that a user can see."""
        done = self.veery(*options)
        printed = [re.sub(r"in [\d.,]+ (?:ms|s)\b.*|\d+× real time|\"(?:elapsed_seconds|seconds_left)\": ?[\d.e-]+", "",
                          re.sub(ATTEMPT, "attempt", text)) for text in (done.stdout, done.stderr)]
        files = sorted((re.sub(ATTEMPT, "attempt", str(path.relative_to(self.folder))),
                        # Records of finished clips contain the times of their recordings.
                        path.stat().st_size if path.suffix == ".spool" else hashlib.sha256(path.read_bytes()).hexdigest())
                       for path in self.folder.rglob("*") if path.is_file() and path.name != "lock")
        return SimpleNamespace(status=done.returncode, said=done.stderr, all=(done.returncode, *printed, files))


def table(text, name=None):
    def prepare(run):
        if name and run.kind != "stream":
            run.input = name
            if "/" in name:
                (run.folder / name).parent.mkdir()
        run.rows(text, there=True)
    return prepare


def with_found(text, name="m.csv"):
    """A manifest whose recordings are found with an option only; in a set also one that is found without it, or no shard would be made."""
    def prepare(run):
        if run.kind != "file of a set":
            return table(text, name)(run)
        found = run.folder / Path(name).parent / "found.wav"
        found.parent.mkdir(exist_ok=True)
        shutil.copy(run.folder / "c.wav", found)
        run.input = name
        columns = text.splitlines()[0].count(",") + 1
        run.rows(text + ",".join(["found.wav", "found", "z", ""][:columns]) + "\n")
    return prepare


def plain(run):
    run.rows()


def corrected(run):
    run.rows(there=True)
    run.write("id,action,label\na,relabel,other\n", "c.csv")


def interrupted(run):
    run.interrupted()


def failing(run):
    run.rows(WITH_BAD)


def grown(run):
    """The manifest has a clip more than the file."""
    run.options = ["--set", "normalize.scope=dataset"]
    if run.kind in ("retry", "one file"):
        run.rows(WITH_BAD if run.kind == "retry" else FIRST)
        if run.kind == "retry":
            shutil.copy(run.folder / "c.wav", run.folder / "bad.wav")
    else:
        run.rows(FIRST, FIRST + "c.wav,c,z,\n")


def made_before(run):
    """The file is there, without the last clip of the manifest."""
    run.write(FIRST)
    run.veery(kind=[])
    run.rows(FIRST + "c.wav,c,z,\n") if run.kind not in UPDATES | {"stream"} else grown(run)


def mended(run):
    """The file is there, with a clip that has failed and can be read now."""
    run.write(WITH_BAD)
    run.veery(kind=[])
    shutil.copy(run.folder / "c.wav", run.folder / "bad.wav")


def good_again(run):
    run.write(WITH_BAD)
    run.veery(kind=[])
    write_wav(run.folder / "bad.wav", RATE, noise(9, RATE // 2))


def changed(run):
    """The manifest of a file that has a clip more now."""
    run.write(WITH_BAD)
    run.veery(kind=[])
    run.write(WITH_BAD + "c.wav,c,z,\n")


def marked(marks=MARKS, options=("--frame-labels", "marks.csv")):
    def prepare(run):
        run.write(marks, options[1])
        run.options = list(options)
        run.rows(there=True)
    return prepare


def unmarked(run):
    run.write(MARKS, "marks.csv")
    run.rows()


def in_channels(run):
    write_wav(run.folder / "a.wav", RATE, noise(7, RATE).reshape(-1, 2))
    marked("path,start,end,label,channel\na.wav,0,0.2,one,1\n")(run)


def two_tiers(run):
    run.options = ["--frame-labels", "a.TextGrid"]
    run.write(TIER, "a.TextGrid")
    run.rows()


def cut(run):
    path = run.folder / "bad.wav"
    path.write_bytes((run.folder / "a.wav").read_bytes()[:-4000])
    failing(run)


def not_finite(run):
    samples = noise(9, RATE // 2)
    samples[100] = float("nan")
    write_wav(run.folder / "bad.wav", RATE, samples, "<f4")
    run.rows(WITH_BAD, there=True)


def late(run):
    run.rows("path,id,start,end\na.wav,a,0,0.5\nb.wav,b,0.1,0.7\n")
    if run.kind == "stream":
        run.tar("a.wav", "b.wav")


def media(run):
    (run.folder / "bad.m4a").write_bytes(b"\0\0\0\x18ftypM4A " + bytes(200))
    run.rows(FIRST + "bad.m4a,bad,z,\n")


def changed_in_secret(run):
    run.interrupted()
    path = run.folder / "c.wav"
    stamp = path.stat()
    write_wav(path, RATE, noise(99, RATE // 2))
    assert path.stat().st_size == stamp.st_size
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))


def missing(run):
    run.interrupted()
    (run.folder / ("a.wav" if run.kind == "file of a set" else "c.wav")).unlink()


def shards_of_another(run):
    """Shards of another machine; for a shard, an unfinished attempt at it."""
    run.rows() if run.kind == "file of a set" else run.write(FIRST)
    if run.kind == "shard":
        run.write(LATER)
        run.veery("--strict")
    elif run.kind != "file of a set":
        run.veery(kind=OF_SHARD)
    paths = list(run.folder.glob("f.h5.shards/*/machine.json"))
    if run.kind == "file of a set":
        # Without one of two, shards are compared with the first.
        shutil.rmtree(run.folder / "f.h5.shards")
        run.veery(kind=["--shard", "1/2"])
        run.veery(kind=["--shard", "2/2"])
        paths = sorted(run.folder.glob("f.h5.shards/*/machine.json"))[1:]
    for path in paths:
        path.write_text(path.read_text().replace("x86-64", "another").replace("arm64", "another"))


def packed(run):
    """For a shard, whose clips are next to the output, what is unpacked counts."""
    if run.kind != "shard":
        return run.interrupted()
    run.tar("a.wav", "b.wav")
    run.input = "t.tar.gz"
    subprocess.run(["gzip", "t.tar"], cwd=run.folder, check=True)


def other_statistics(run):
    run.options = ["--set", "normalize.scope=dataset"]
    run.write(LENGTHS + "c.wav,c,z,\n", "other.csv")
    subprocess.run([run.program, "extract", "other.csv", "-o", "g.h5", *run.options, "-q"], cwd=run.folder, check=True)
    if run.kind in ("shard", "dry", "dry set"):
        run.write(FIRST)
        run.veery(kind=OF_SET if run.kind == "dry set" else [])
    plain(run)


def other_output(run):
    """The output exists, made with other settings."""
    run.write(FIRST)
    if run.kind == "stream":
        run.tar("a.wav", "b.wav")
    kinds = {"set": [OF_SET], "dry set": [OF_SET], "file of a set": [OF_SET], "stream": [["--tar"]]}
    for kind in kinds.get(run.kind, [[]]):
        run.veery("--set", "frame.hop=200", kind=kind)
    # Without settings, an update takes those of the output.
    run.options = [*run.options, "--set", "frame.hop=160"]
    if run.kind == "file of a set":
        (run.folder / "f.index.json").unlink()
        run.veery(kind=OF_SHARD)


def with_loss(run):
    if run.kind in ("retry", "sync and retry"):
        run.write(LATER)
        good = (run.folder / "d.wav").read_bytes()
        (run.folder / "d.wav").write_bytes(b"bad")
        run.veery(kind=[])
        (run.folder / "d.wav").write_bytes(good)
    else:
        run.rows(FIRST, LATER)
    if run.kind == "stream":
        run.write("", "x.spx")
        run.tar("a.wav", "x.spx")


def listed(run):
    failing(run)
    if run.kind in DRY:
        run.write("", "x.csv")


LABELS = LENGTHS.replace("label,", "labels,") + "a.wav,a,u;v,\nb.wav,b,v,\n"
ONE_HOT = "path,id,sp_u,sp_v\na.wav,a,1,0\nb.wav,b,1,1\n"
NAKED = "path,id\na,a\nb,b\n"
TIMES = "path,id,start,end\na.wav,a,0,250\nb.wav,b,100,300\n"
SPECIES = "path,id,label,species\na.wav,a,x,wren\nb.wav,b,y,owl\n"
QUOTED = 'path\tid\tlabel\na.wav\ta\t"x"\nb.wav\tb\ty\n'
# For each option what is there, and its value.
CASES = {
    "format": (plain, "kaldi"), "quoting": (table(QUOTED, "m.tsv"), "csv"), "column": (table(SPECIES), "label=species"),
    "label-separator": (table(LABELS), ";"), "one-hot": (table(ONE_HOT), "sp_*"), "extension": (with_found(NAKED), "wav"),
    "corrections": (corrected, "c.csv"), "time-unit": (table(TIMES), "ms"), "root": (with_found(FIRST, "sub/m.csv"), "."),
    "tar": (plain,), "preset": (plain, "whisper"),
    "config": (plain, "c.yaml"), "set": (plain, "frame.hop=200"), "max-failures": (failing, "1"), "shard": (plain, "1/1"),
    "files": (plain, "2"), "file": (lambda run: (plain(run), run.veery(kind=OF_SHARD)), "1/2"), "allow-mixed": (shards_of_another,),
    "append": (made_before,), "sync": (changed,), "retry-failed": (good_again,), "new-statistics": (grown,),
    "frame-labels": (unmarked, "marks.csv"), "label-column": (marked(), "other"), "path-column": (marked(), "second"),
    "label": (marked(), "none"), "annotator": (marked(), "Ann"), "tier": (two_tiers, "words"), "channel": (in_channels, "mix"),
    "truncated": (cut, "keep"), "non-finite": (not_finite, "zero"), "overshoot": (late, "0.5"), "no-ffmpeg": (media,),
    "fresh": (interrupted,), "verify-inputs": (changed_in_secret,), "keep-missing": (missing,), "scratch": (packed, "nowhere/s"),
    "stats-from": (other_statistics, "g.h5"), "failures-out": (listed, "x.csv"), "progress": (plain, "json"),
    "overwrite": (other_output,), "quiet": (with_loss,), "dry-run": (plain,), "strict": (with_loss,), "json": (plain,),
}
OPTIONS = [*CASES, *(name for name in UNPROVEN if isinstance(name, str))]


def test_every_option_has_a_case(program):
    shown = subprocess.run([program, "extract", "--experimental-dump-help"], capture_output=True, text=True, check=True).stdout
    names = [name["name"] for argument in json.loads(shown)["command"]["arguments"] for name in argument.get("names", [])
             if name["kind"] == "long"]
    assert sorted(OPTIONS) == sorted(set(names) - {"help", "version"})
    assert {pair[0] for pair in UNPROVEN if isinstance(pair, tuple)} <= set(CASES)


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recordings")
    for number, name in enumerate("abcd"):
        write_wav(folder / f"{name}.wav", RATE, noise(number, RATE // 2))
    (folder / "bad.wav").write_text("no recording")
    (folder / "c.yaml").write_text("frame: {hop: 200}\n")
    return folder


@pytest.fixture(scope="module")
def outcome(program, recordings, tmp_path_factory):
    """What a kind of run does with the options given, once it is prepared. The same one without options is made once for all options."""
    known = {}

    def run(prepare, kind, given=()):
        if not given and (prepare, kind) in known:
            return known[prepare, kind]
        folder = tmp_path_factory.mktemp("run") / "x"
        shutil.copytree(recordings, folder)
        made = Run(program, folder, kind)
        prepare(made)
        seen = made.seen(given)
        shutil.rmtree(folder)
        if not given:
            known[prepare, kind] = seen
        return seen

    return run


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("option", CASES)
def test_an_option_acts_or_is_refused_by_name(outcome, option, kind):
    word = f"--{option}"
    if word in KINDS[kind]:
        pytest.skip("it chooses this kind of run")
    prepare, *value = CASES[option]
    seen = outcome(prepare, kind, (word, *value))
    if seen.status == 64:
        assert word in seen.said.splitlines()[0], seen.said
        assert (option, kind) not in UNPROVEN
    elif (option, kind) in UNPROVEN:
        assert seen.all == outcome(prepare, kind).all, "it has an effect: it is not UNPROVEN"
    else:
        assert seen.all != outcome(prepare, kind).all, f"{word} changes nothing: {seen.all}"


@pytest.mark.parametrize("prepare", [grown, missing, with_loss, shards_of_another], ids=lambda prepare: prepare.__name__)
@pytest.mark.parametrize("kind", KINDS)
def test_the_same_run_is_seen_as_the_same(program, recordings, tmp_path, prepare, kind):
    """Otherwise the test above would find an effect of every option."""
    seen = []
    for name in "ab":
        folder = tmp_path / name / "x"
        shutil.copytree(recordings, folder)
        run = Run(program, folder, kind)
        prepare(run)
        seen.append(run.seen([]).all)
    assert seen[0] == seen[1]


@pytest.mark.parametrize("command", [["extract", "m.csv", "-o", "f.h5"], ["extract", "m.csv", "-o", "f.h5", "--shard", "1/1"],
                                     ["extract", "m.csv", "-o", "g.h5", "--files", "2"], ["export", "made.h5", "--to", "npy", "-o", "e"]])
def test_progress_that_is_asked_for_is_shown_without_anything_else(veery, recordings, tmp_path, command):
    folder = tmp_path / "x"
    shutil.copytree(recordings, folder)
    (folder / "m.csv").write_text(FIRST)
    veery("extract", "m.csv", "-o", "made.h5", "--quiet", folder=folder)
    shown = veery(*command, "--quiet", "--progress", "json", folder=folder).stderr.splitlines()
    assert shown and all(json.loads(line)["phase"] for line in shown), shown
    assert veery(*command, "--quiet", folder=folder, status=(0, 1)).stderr.startswith("Error: ") is (command[0] == "export")
