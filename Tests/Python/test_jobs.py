"""Worked examples, from data to a classifier: the sessions of three pages of the guide, as they are there.

Each runs on sounds that are made, whose truth is known, and on recordings of the collection: then it prints what the page shows."""

import csv
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import job_folders
import numpy as np
import pytest
import soundfile
import veery
from sessions import ROOT, Result, blocks, run

pytestmark = [pytest.mark.long, pytest.mark.promised]

JOBS = ("field-recordings", "kaldi-recipe", "labelled-folder")
# A line of the account, or of what a check finds.
SAID = re.compile(r"(?:left out|loss|remark|note|warning|error|Error|leak): ")


class Job(NamedTuple):
    """What somebody has at the end of a page."""
    folder: Path
    commands: list[str]
    shown: list[list[str]]
    results: list[Result]
    truth: Any

    @property
    def features(self):
        return veery.open(next(self.folder.glob("*.h5")))

    def printed(self, word):
        """What the command of this word has printed."""
        return next(result.output for command, result in zip(self.commands, self.results) if word in command.split())


def session(name):
    found = [block for block in blocks((ROOT / f"Schemas/guide/{name}.md").read_text()) if block.commands]
    assert len(found) == 1 and found[0].is_session, "the page has one session, and no other command"
    return found[0]


def prepare(name, folder, collection):
    """The data of a job: of the collection, or made where that is None."""
    shutil.copy(ROOT / "examples/python/classify.py", folder)
    made = collection is None
    if name == "field-recordings":
        return job_folders.days(
            folder, job_folders.made_songs() if made else job_folders.real_songs(collection),
            job_folders.made_backgrounds() if made else job_folders.real_backgrounds(collection))
    if name == "kaldi-recipe":
        return job_folders.recipe(folder, job_folders.made_words if made else job_folders.real_words(collection))
    return job_folders.table(folder, job_folders.made_instruments() if made else job_folders.real_instruments(collection))


@pytest.fixture(scope="module")
def environment(program, library):
    folders = [str(program.parent), str(Path(sys.executable).parent), os.environ["PATH"]]
    return {**os.environ, "VEERY": str(program), "VEERY_LIBRARY": str(library), "PATH": os.pathsep.join(folders)}


@pytest.fixture(scope="module", params=["made", pytest.param("real", marks=pytest.mark.collection)])
def jobs(request, environment, tmp_path_factory):
    """Runs the session of a page, once."""
    collection = request.getfixturevalue("collection") if request.param == "real" else None
    done = {}

    def job(name):
        if name not in done:
            folder = tmp_path_factory.mktemp(name)
            truth = prepare(name, folder, collection)
            block = session(name)
            results = run(block.commands, folder, environment, folder.with_name(f"{folder.name}-outputs"))
            done[name] = Job(folder, block.commands, block.shown, results, truth)
        return done[name]

    job.is_real = collection is not None
    return job


def timeless(line):
    """A line without what depends on the machine."""
    return re.sub(r" in [\d.]+ s( \([\d,]+× real time\))?$", "", line.rstrip())


def shape(line):
    """A line without its numbers and names."""
    line = re.sub(r"'[^']*'(, '[^']*')*", "'…'", timeless(line))
    return re.sub(r"\d[\d,.]*( (h|min|s|kB|MB|GB)\b( (?=\d))?)?", "0", line).replace("clips have", "clip has")


@pytest.mark.parametrize("name", JOBS)
def test_a_job_takes_at_most_seven_commands(name):
    commands = session(name).commands
    assert 5 <= len(commands) <= 7 and commands[-1].startswith("python classify.py ")
    assert all(command.startswith("veery ") for command in commands[:-1])
    assert not any(mark in command for command in commands for mark in ("|", ";", "&&", "$"))


@pytest.mark.parametrize("name", JOBS)
def test_every_command_ends_well_and_prints_what_the_page_shows(jobs, name):
    job = jobs(name)
    for command, shown, result in zip(job.commands, job.shown, job.results, strict=True):
        assert result.status == 0, f"{command}\n{result.output}"
        printed = [timeless(line) for line in result.output.splitlines()]
        said = [shape(line) for line in printed if SAID.match(line)]
        # The page shows all remarks, notes and warnings, and no others.
        assert said == [shape(line) for line in shown if SAID.match(line)], f"{command}\n{result.output}"
        if jobs.is_real:
            lines = iter(printed)
            missing = [line for line in shown if not any(timeless(line) == other for other in lines)]
            assert not missing, f"{command}\n{result.output}"


@pytest.mark.parametrize("name", JOBS)
def test_the_classifier_learns(jobs, name):
    line = jobs(name).printed("classify.py").splitlines()[-1]
    right, count, most = re.fullmatch(r"all: (\S+) % of (\d+) clips; always '.*': (\S+) %", line).groups()
    assert int(count) == len(jobs(name).features.select(split="test"))
    # At most this share of the mistakes that the most frequent label alone would make.
    assert 100 - float(right) < (0.6 if jobs.is_real else 0.3) * (100 - float(most)), line


def alone(job, clip, folder, environment, *options):
    """The features of a clip whose samples are in a recording of their own."""
    signal, rate = soundfile.read(job.folder / clip.path, dtype="int16")
    start = round(clip.start * rate)
    soundfile.write(folder / "alone.wav", signal[start:start + round(clip.duration * rate)], rate, subtype="PCM_16")
    (folder / "alone.csv").write_text("path\nalone.wav\n")
    command = next(command for command in job.commands if command.startswith("veery extract")).split()
    settings = [word for position, word in enumerate(command) if {"--preset", "--set"} & {word, command[position - 1]}]
    subprocess.run(["veery", "extract", "alone.csv", "-o", "alone.h5", "--overwrite", *settings, *options], cwd=folder, env=environment,
                   check=True, capture_output=True)
    return veery.open(folder / "alone.h5")[0].features


@pytest.mark.parametrize("name", JOBS)
def test_the_features_of_a_clip_are_those_of_it_alone(jobs, name, environment, tmp_path):
    file = jobs(name).features
    raw = "--set=normalize.scope=none"
    for index in (0, len(file) // 2, len(file) - 1):
        found = alone(jobs(name), file[index], tmp_path, environment, raw)
        if file.configuration["normalize"]["scope"] == "none":
            assert np.array_equal(found, file[index].features)
        else:
            mean, std = file.statistics.mean, file.statistics.std
            assert np.abs((found - mean) / std - file[index].features).max() < 1e-5


@pytest.mark.parametrize("name", JOBS)
def test_nothing_is_left_out(jobs, name):
    file = jobs(name).features
    assert file.failures == [] and file.remarks == []
    values = np.concatenate([clip.features for clip in file])
    assert np.isfinite(values).all() and values.std() > 0
    if "--sheet" in " ".join(jobs(name).commands):
        assert next(jobs(name).folder.glob("*.png")).read_bytes().startswith(b"\x89PNG")


def groups(file, split, column):
    return {column(clip) for clip in file.select(split=split)}


def test_windows_have_the_labels_of_the_calls_in_them(jobs):
    job = jobs("field-recordings")
    file, expected = job.features, {}
    for path, calls in job.truth.items():
        for start in np.arange(0, job_folders.DAY_SECONDS - 2.9, 3):
            overlaps = {}
            for call in calls:
                length = min(call.end, start + 3) - max(call.start, start)
                if length >= min(3, call.end - call.start) / 2:
                    overlaps[call.label] = overlaps.get(call.label, 0) + length
            expected[path, start] = max(overlaps, key=overlaps.get) if overlaps else "none"
    assert {(clip.path, clip.start): clip.label for clip in file} == expected
    assert all(clip.duration == 3 for clip in file) and len(expected) == 160
    # No site is in both splits, and every label is in each.
    sites = [groups(file, split, lambda clip: clip.path.split("/")[1]) for split in ("train", "test")]
    assert sites[0] | sites[1] == set(job_folders.SITES) and not sites[0] & sites[1] and len(sites[1]) == 1
    assert all(groups(file, split, lambda clip: clip.label) == {"Bird0", "gy6or6", "none"} for split in ("train", "test"))


def test_a_recipe_keeps_its_splits_and_its_speakers_apart(jobs):
    job = jobs("kaldi-recipe")
    file = job.features
    assert {split: groups(file, split, lambda clip: clip.extra["speaker"]) for split in ("train", "test")} == {
        split: set(speakers) for split, speakers in job_folders.SPEAKERS.items()}
    for split, speakers in job_folders.SPEAKERS.items():
        labels = [clip.label for clip in file.select(split=split)]
        assert {label: labels.count(label) for label in job_folders.DIGITS} == {
            label: 5 * len(speakers) for label in job_folders.DIGITS}
        for line in (job.folder / "data" / split / "segments").read_text().splitlines():
            utterance, recording, start, end = line.split()
            clip = file[utterance]
            assert clip.path == f"audio/{recording}.wav" and clip.label == utterance.rpartition("-")[2]
            assert clip.start == float(start) and clip.duration == pytest.approx(float(end) - float(start), abs=1e-6)
            assert clip.extra["gender"] == "m" and clip.split == split


def test_kaldi_gets_its_features_back(jobs):
    job = jobs("kaldi-recipe")
    lines = [line.split(maxsplit=1) for line in (job.folder / "fbank/feats.scp").read_text().splitlines()]
    assert [name for name, _ in lines] == sorted(clip.id for clip in job.features)


def test_speakers_are_normalised_and_frames_spliced_as_the_page_says(jobs, tmp_path, monkeypatch):
    job = jobs("kaldi-recipe")
    code = re.search(r"```python\n(.*?)```", (ROOT / "Schemas/guide/kaldi-recipe.md").read_text(), re.DOTALL).group(1)
    found = {}
    code = code.replace("    for clip in clips:\n", "    for clip in clips:\n        keep(speaker, clip)\n")
    monkeypatch.chdir(job.folder)
    names = {"keep": lambda speaker, clip: found.setdefault(speaker, []).append(clip.features)}
    exec(code, names)
    assert set(found) == {speaker for speakers in job_folders.SPEAKERS.values() for speaker in speakers}
    last = sorted(found)[-1]
    rows, one = np.concatenate(found[last]).astype(float), found[last][-1]
    assert np.allclose(names["normalized"], (one - rows.mean(axis=0)) / rows.std(axis=0))
    assert names["spliced"].shape == (len(one), 9 * 23) and np.array_equal(names["spliced"][:, 4 * 23:5 * 23], names["normalized"])
    # The keys of the table make the same rows of features that are not normalised.
    words = re.search(r"`(--set patches[^`]*)`", (ROOT / "Schemas/guide/kaldi-recipe.md").read_text()).group(1).split()
    settings = {key: {"true": True}.get(value) or (int(value) if value.isdigit() else value)
                for key, value in (word.split("=") for word in words if word != "--set")}
    veery.extract("data", tmp_path / "spliced.h5", preset="kaldi-fbank", settings={"audio.sample_rate": 8000, **settings})
    spliced, plain = veery.open(tmp_path / "spliced.h5"), job.features
    for number in (0, 7):
        whole = np.pad(plain[number].features, ((4, 4), (0, 0)), mode="edge")
        expected = np.hstack([whole[i:i + len(whole) - 8] for i in range(9)])
        assert np.array_equal(np.asarray(spliced[number].features).reshape(expected.shape), expected)


def test_a_folder_has_the_labels_of_its_table(jobs):
    job = jobs("labelled-folder")
    file = job.features
    with open(job.folder / "sounds/labels.csv", newline="", encoding="utf-8") as table:
        rows = {f"sounds/{row['filename']}": row["instrument"] for row in csv.DictReader(table)}
    assert {clip.path: clip.label for clip in file} == rows and len(rows) == 60
    assert {clip.extra["source"] for clip in file} == {"FSDKaggle2018"}
    for split, count in (("train", 4), ("test", 2)):
        labels = [clip.label for clip in file.select(split=split)]
        assert {label: labels.count(label) for label in file.labels} == dict.fromkeys(job_folders.INSTRUMENTS, count)


# Other people's habits give the same clips.

def first_commands(name, folder, environment, count):
    commands = session(name).commands[:count]
    results = run(commands, folder, environment, folder.with_name(f"{folder.name}-outputs"))
    assert [result.status for result in results] == [0] * count, results
    return results


@pytest.mark.parametrize("table_name", [
    lambda site, day: f"{day}.Table.1.selections.txt", lambda site, day: f"Selections/{day}.Table.1.selections.txt",
    lambda site, day: f"{day}.selections.txt", lambda site, day: f"{day}.Table01.txt",
], ids=["Raven", "folder", "short", "numbered"])
def test_other_names_of_tables(table_name, environment, tmp_path):
    songs, backgrounds = job_folders.made_songs(), job_folders.made_backgrounds()
    found = []
    for name, options in (("usual", {}), ("other", {"table_name": table_name, "line_end": "\n"})):
        (tmp_path / name).mkdir()
        job_folders.days(tmp_path / name, songs, backgrounds, **options)
        first_commands("field-recordings", tmp_path / name, environment, 2)
        found.append((tmp_path / name / "split.csv").read_bytes())
    assert found[0] == found[1]


@pytest.mark.parametrize("form", [
    {"end": "\n"}, {"separator": ";"}, {"mark": "\ufeff"}, {"separator": ";", "mark": "\ufeff"},
], ids=["lines", "semicolons", "mark", "Excel"])
def test_other_forms_of_a_table(form, environment, tmp_path):
    found = []
    for name, options in (("usual", {}), ("other", form)):
        (tmp_path / name).mkdir()
        job_folders.table(tmp_path / name, job_folders.made_instruments(), **options)
        first_commands("labelled-folder", tmp_path / name, environment, 2)
        found.append((tmp_path / name / "split.csv").read_bytes())
    assert found[0] == found[1]


# The lines that each page explains.

CLIPS, WORDS, SOUNDS = "clips recordings -o w.csv --window 3s --label-column Bird", "--column label=text", "--column label=instrument"
FIRST = "recordings/beech/20240512_043000"
TABLE = f"{FIRST}.Table.1.selections.txt"


def renamed(old, new):
    return lambda folder: (folder / old).rename(folder / new)


def copied(old, new):
    return lambda folder: shutil.copytree(folder / old, folder / new) if (folder / old).is_dir() else shutil.copy(folder / old, folder / new)


def changed(name, pattern, new, count=0):
    def change(folder):
        text, found = re.subn(pattern, new, (folder / name).read_bytes().decode(), count=count, flags=re.MULTILINE)
        assert found, name
        (folder / name).write_bytes(text.encode())
    return change


def cut(name):
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes()[:1_000_000])


# By page and line: what is done to the data, the command that says the line then, its status, and what the page advises.
LINES = {
    ("field-recordings", "left out: … no annotations"): (
        renamed(TABLE, "elsewhere.txt"), f"veery {CLIPS}", 0,
        f"head -n 1 elsewhere.txt >{TABLE}; veery {CLIPS} --overwrite"),
    ("field-recordings", "left out: … where not all annotations are known"): (
        changed(TABLE, r"^(\d.*\t)[^\t\r\n]+(\r?)$", r"\1\2"), f"veery {CLIPS}", 0, f"veery {CLIPS} --label what --overwrite"),
    ("field-recordings", "remark: … no column with labels found"): (
        lambda folder: None, "veery clips recordings -o w.csv --window 3s", 0, f"veery {CLIPS} --overwrite"),
    ("field-recordings", "remark: … a recording whose name is only part of its own"): (
        renamed(TABLE, f"{FIRST}_JS.Table.1.selections.txt"), f"veery {CLIPS}", 0, None),
    ("field-recordings", "Error: … expected one annotation file for it, found 2"): (
        copied(TABLE, f"{FIRST}.Table.2.selections.txt"), f"veery {CLIPS}", 1, f"mv {FIRST}.Table.2* .; veery {CLIPS}"),
    ("field-recordings", "note: … label no window"): (
        lambda folder: None, f"veery {CLIPS} --min-overlap 2.5s", 0, f"veery {CLIPS} --min-overlap 50% --overwrite"),
    ("field-recordings", "warning: no clip is in the split"): (
        lambda folder: [shutil.rmtree(folder / "recordings" / site) for site in job_folders.SITES[1:]],
        f"veery {CLIPS} && veery split w.csv -o s.csv --by folder --stratify --ratio train=0.5,test=0.5", 0,
        "veery split w.csv -o s.csv --stratify --ratio train=0.5,test=0.5 --overwrite"),
    ("field-recordings", "Error: … cut off: the header promises"): (
        cut(f"{FIRST}.wav"), f"veery {CLIPS}", 1, f"veery {CLIPS} --truncated keep"),
    ("kaldi-recipe", "Error: … is a command, which is not run"): (
        changed("data/train/wav.scp", "^george .*", "george cat audio/george.wav |"), f"veery check data {WORDS}", 1,
        f"cat audio/george.wav >g.wav; sed -i 's/^george .*/george g.wav/' data/train/wav.scp; veery check data {WORDS}"),
    ("kaldi-recipe", "error: … None of the recordings exists"): (
        renamed("audio", "elsewhere"), f"veery check data {WORDS}", 3,
        f"mkdir there; mv elsewhere there/audio; veery check data {WORDS} --root there"),
    ("kaldi-recipe", "left out: … annotations are not used"): (
        changed("data/train/segments", "^george-0.*\n", ""), f"veery check data {WORDS}", 0, None),
    ("kaldi-recipe", "remark: … no value for"): (
        changed("data/train/text", "^george-0-(one|two).*\n", ""), f"veery check data {WORDS}", 0, None),
    ("kaldi-recipe", "Error: … the id … is that of … already"): (
        copied("data/train", "data/train_hires"), f"veery check data {WORDS}", 1, f"veery check data/train {WORDS}"),
    ("kaldi-recipe", "warning: … a lower sample rate than the features"): (
        lambda folder: None, f"veery extract data -o d.h5 --preset kaldi-fbank {WORDS}", 0,
        f"veery extract data -o d.h5 --preset kaldi-fbank {WORDS} --overwrite --set audio.sample_rate=8k"),
    ("kaldi-recipe", "decode: the segment ends at … s, but the recording lasts … s"): (
        changed("data/train/segments", r" \S+$", " 99", count=1),
        f"veery extract data -o d.h5 --preset kaldi-fbank --set audio.sample_rate=8k {WORDS}", 3, None),
    ("labelled-folder", "remark: … no label is read, and 1 column may hold labels"): (
        lambda folder: None, "veery check sounds", 0, f"veery check sounds {SOUNDS}"),
    ("labelled-folder", "Error: … there is no column 'instrument'"): (
        renamed("sounds/labels.csv", "sounds/classes.csv"), f"veery check sounds {SOUNDS}", 1, f"veery check sounds/classes.csv {SOUNDS}"),
    ("labelled-folder", "error: … None of the recordings exists"): (
        changed("sounds/labels.csv", r"\.flac", ""), f"veery check sounds/labels.csv {SOUNDS}", 3,
        f"veery check sounds/labels.csv {SOUNDS} --extension flac"),
    ("labelled-folder", "left out: … is not in the metadata"): (
        copied("sounds/000000.flac", "sounds/new.flac"), f"veery check sounds {SOUNDS}", 0,
        f"printf 'new.flac,Cello,\\r\\n' >>sounds/labels.csv; veery check sounds {SOUNDS}"),
    ("labelled-folder", "1 clip failed: … No such file or directory"): (
        renamed("sounds/000000.flac", "elsewhere.flac"), f"veery extract sounds {SOUNDS} -o i.h5", 3,
        f"veery check sounds {SOUNDS} --mend usable.csv; veery extract usable.csv -o i.h5 --overwrite"),
    ("labelled-folder", "warning: … Labels differ only in case, blanks or Unicode form"): (
        changed("sounds/labels.csv", "Cello", "cello", count=1), f"veery check sounds {SOUNDS}", 0,
        f"sed -i s/cello/Cello/ sounds/labels.csv; veery check sounds {SOUNDS}"),
}


def explained(name):
    """The lines in the page's last table."""
    table = (ROOT / f"Schemas/guide/{name}.md").read_text().split("| line | what to do |\n|---|---|\n")[1].split("\n\n")[0]
    return re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)


def test_every_line_that_a_page_explains_is_tested():
    assert sorted((name, line) for name in JOBS for line in explained(name)) == sorted(LINES)


@pytest.mark.parametrize("name, line", LINES, ids=str)
def test_a_line_is_printed_and_its_advice_helps(name, line, environment, tmp_path):
    change, command, status, advised = LINES[name, line]
    folder = tmp_path / "folder"
    folder.mkdir()
    prepare(name, folder, None)
    change(folder)
    pattern = re.compile(".*".join(re.escape(part.strip()) for part in line.split("…")), re.DOTALL)
    result, = run([command], folder, environment, tmp_path / "said")
    assert result.status == status and pattern.search(result.output), result.output
    if advised:
        result, = run([advised], folder, environment, tmp_path / "advised")
        assert result.status == 0 and not pattern.search(result.output), result.output
