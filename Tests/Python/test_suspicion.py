"""`inspect --suspicious`: labels that disagree with the clips that are like them, against NumPy and on labels that were changed."""

import csv
import json

import h5py
import numpy as np
import pytest
import soundfile
import veery as package

from conftest import noise, write_manifest, write_wav
from sessions import ROOT, code_of

PARTS, AXES, REGULARISATION = 4, 64, 0.1


def suspicion(veery, path, *options, folder=None):
    return json.loads(veery("inspect", path, "--suspicious", "--json", *options, folder=folder).stdout)["suspicion"]


# ------------------------------------------------------------------------------------------------------ the same in NumPy


def vectors(path):
    """A vector for each clip, its label and its recording."""
    with h5py.File(path) as file:
        rows, clips = file["features"][:].astype(np.float64), file["clips"]
        starts, counts = clips["frame_start"][:], clips["frame_count"][:]
        labels, recordings = clips["label_index"][:], np.unique(clips["path"][:], return_inverse=True)[1]
    found = []
    for start, count in zip(starts, counts):
        frames = rows[start:start + count]
        bounds = [(part * count // PARTS, max(part * count // PARTS + 1, (part + 1) * count // PARTS)) for part in range(PARTS)]
        found.append(np.concatenate([*(frames[a:b].mean(0) for a, b in bounds), frames.std(0), [np.log(count)]]))
    return np.array(found), labels, recordings


def scores(path):
    """Ridge regression with a Gaussian kernel, each recording left out: float64, with the exact eigenvectors and all clips."""
    found, labels, recordings = vectors(path)
    deviation = found.std(0)
    standard = (found - found.mean(0))[:, deviation > 0] / deviation[deviation > 0]
    left, values, _ = np.linalg.svd(standard, full_matrices=False)
    variances = values ** 2 / len(standard)
    count = min(AXES, int((variances > 1e-9 * variances[0]).sum()), len(standard) - 1)
    points = left[:, :count] * values[:count] / variances[:count] ** 0.25
    squared = ((points[:, None] - points[None]) ** 2).sum(-1)
    width = 3 * np.sort(np.sort(squared, 1)[:, min(10, len(points) - 1)])[len(points) // 2]
    inverse = np.linalg.inv(np.exp(-squared / (2 * width)) + REGULARISATION * np.eye(len(points)))
    targets = np.eye(labels.max() + 1)[labels]
    weights, predicted = inverse @ targets, np.zeros_like(targets)
    for recording in np.unique(recordings):
        own = np.flatnonzero(recordings == recording)
        predicted[own] = targets[own] - np.linalg.solve(inverse[np.ix_(own, own)], weights[own])
    given = predicted[np.arange(len(labels)), labels].copy()
    predicted[np.arange(len(labels)), labels] = -9
    return predicted.max(1) - given, predicted.argmax(1)


@pytest.fixture(scope="module")
def voices(tmp_path_factory):
    """Clips of three kinds of filtered noise, two to a recording."""
    folder = tmp_path_factory.mktemp("voices")
    rng, rows = np.random.default_rng(3), []
    for number in range(75):
        kind = number % 3
        sound = rng.standard_normal(12_000)
        for _ in range(3):
            sound = np.convolve(sound, [[1, 0.9], [1, -0.9], [1, 0, 0.9]][kind], "same")
        write_wav(folder / f"{number}.wav", 16_000, (0.1 * sound / np.abs(sound).max()).astype(np.float32))
        for part in range(2):
            rows.append(dict(path=f"{number}.wav", id=f"{number}-{part}", start=part * 0.35, end=part * 0.35 + 0.35, label="abc"[kind]))
    write_manifest(folder / "m.csv", rows)
    return folder, rows


def test_scores_are_those_of_numpy(veery, voices, tmp_path):
    folder, rows = voices
    changed = [dict(row, label="abc"[(ord(row["label"]) - 96) % 3]) if n in (10, 77, 140) else row for n, row in enumerate(rows)]
    write_manifest(tmp_path / "m.csv", changed)
    veery("extract", "m.csv", "--root", folder, "-o", "f.h5", "-q", folder=tmp_path)
    expected, others = scores(tmp_path / "f.h5")
    found = suspicion(veery, "f.h5", folder=tmp_path)
    assert found["method"] == "kernel" and found["left_out"] == "recording"
    # Rounding to float32, and the subspace of the smallest axes.
    by_clip = {clip["clip"]: clip for clip in found["clips"] if "score" in clip}
    for index, clip in by_clip.items():
        assert abs(clip["score"] - np.clip(expected[index], -1, 1)) < 0.05, (index, clip, expected[index])
    assert [clip["clip"] for clip in found["clips"]][:3] == sorted((10, 77, 140), key=lambda n: -expected[n])
    for index in (10, 77, 140):
        words = by_clip[index]["reasons"][0]["text"]
        assert f"clips like it have '{'abc'[others[index]]}'" in words, words


def test_values_that_are_not_finite_are_damage_not_findings(veery, voices, tmp_path):
    folder, _ = voices
    veery("extract", folder / "m.csv", "-o", "f.h5", "-q", folder=tmp_path)
    with h5py.File(tmp_path / "f.h5", "r+") as file:
        first, count = file["clips/frame_start"][5], file["clips/frame_count"][5]
        file["features"][first + count - 1, 3] = np.inf
    said = "f.h5: the file is damaged: clip '2-1' has values that are infinite or not numbers"
    for arguments in (["inspect", "f.h5", "--suspicious"], ["render", "f.h5", "--clip", "2-1", "-o", "p.png"],
                      ["render", "f.h5", "--clip", "2-1", "--plain", "-o", "p.png"], ["render", "f.h5", "--sheet", "-o", "p.png"],
                      ["render", "f.h5", "--sheet", "--list"]):
        run = veery(*arguments, folder=tmp_path, status=1)
        assert said in run.stderr and not run.stdout, arguments
    assert not (tmp_path / "p.png").exists()
    veery("render", "f.h5", "--clip", "2-0", "-o", "p.png", folder=tmp_path)
    # The page shows where they are, and compares nothing with what is left of the clip.
    veery("inspect", "f.h5", "--html", "r.html", folder=tmp_path)
    page = (tmp_path / "r.html").read_text()
    assert "1 value infinite or not a number" in page and "Suspicious clips are not searched for." in page
    assert 'id="suspicious"' not in page


def test_the_result_does_not_depend_on_jobs(veery, voices, tmp_path):
    folder, _ = voices
    veery("extract", folder / "m.csv", "-o", "f.h5", "-q", folder=tmp_path)
    texts = {veery("inspect", "f.h5", "--suspicious", "--json", "--jobs", jobs, folder=tmp_path).stdout for jobs in (1, 2, 7)}
    assert len(texts) == 1
    # A set of files is one table.
    veery("extract", folder / "m.csv", "-o", "s.h5", "--files", 3, "-q", folder=tmp_path)
    one, other = suspicion(veery, "f.h5", folder=tmp_path), suspicion(veery, "s.index.json", folder=tmp_path)
    assert one["clips"] == other["clips"]


def test_other_signs(veery, tmp_path):
    for number in range(6):
        write_wav(tmp_path / f"{number}.wav", 16_000, noise(number, 8000))
    write_wav(tmp_path / "zero.wav", 16_000, np.zeros(8000, np.float32))
    write_wav(tmp_path / "copy.wav", 16_000, noise(1, 8000))
    write_wav(tmp_path / "loud.wav", 16_000, np.clip(9 * noise(7, 8000), -1, 1))
    names = [*map(str, range(6)), "zero", "copy", "loud"]
    write_manifest(tmp_path / "m.csv", [dict(path=f"{name}.wav", label="ab"[name in ("copy", "2", "4")]) for name in names])
    veery("extract", "m.csv", "-o", "f.h5", "-q", "--set", "normalize.scope=none", folder=tmp_path)
    found = suspicion(veery, "f.h5", folder=tmp_path)
    kinds = {clip["id"]: [reason["kind"] for reason in clip["reasons"]] for clip in found["clips"]}
    assert kinds["1"][0] == kinds["copy"][0] == "equal" and kinds["zero"][0] == "silent" and "clipped" in kinds["loud"]
    assert found["method"] == "nearest" and "fewer than 20 clips" in found["notes"][0]
    assert [clip["id"] for clip in found["clips"]][:3] == ["1", "copy", "zero"]
    text = veery("inspect", "f.h5", "--suspicious", folder=tmp_path).stdout
    assert "1  1: has the samples of 'copy', which has another label" in text, text


def test_what_is_left_out(veery, voices, tmp_path):
    folder, rows = voices
    write_manifest(tmp_path / "m.csv", [dict(row, bird=row["label"]) for row in rows])
    veery("extract", "m.csv", "--root", folder, "-o", "f.h5", "-q", folder=tmp_path)
    notes = suspicion(veery, "f.h5", "--leave-out", "bird", folder=tmp_path)["notes"]
    assert any("not judged: no clip of another group has the same label" in note for note in notes), notes
    assert suspicion(veery, "f.h5", "--leave-out", "clip", folder=tmp_path)["left_out"] == "clip"
    assert "no column 'brid'" in veery("inspect", "f.h5", "--suspicious", "--leave-out", "brid", folder=tmp_path, status=1).stderr
    for wrong in (["--leave-out", "clip"], ["--suspicious", "--verify"], ["--suspicious", "--html", "p.html"]):
        veery("inspect", "f.h5", *wrong, folder=tmp_path, status=64)


def test_the_list_has_the_first_and_json_all(veery, voices, tmp_path):
    folder, rows = voices
    rng = np.random.default_rng(2)
    write_manifest(tmp_path / "m.csv", [dict(row, label="abc"[rng.integers(3)]) for row in rows])
    veery("extract", "m.csv", "--root", folder, "-o", "f.h5", "-q", folder=tmp_path)
    all_of_them = suspicion(veery, "f.h5", folder=tmp_path)["clips"]
    lines = veery("inspect", "f.h5", "--suspicious", folder=tmp_path).stdout.splitlines()
    assert len(all_of_them) > 20 and len(lines) == 21
    assert lines[0] == f"{len(all_of_them)} of 150 clips are suspicious, the most suspicious first; the first 20 (--json lists all):"
    assert [line.split()[1].rstrip(":") for line in lines[1:]] == [clip["id"] for clip in all_of_them[:20]]


def test_check_lists_suspicious_labels_of_the_manifest(veery, voices, tmp_path):
    folder, rows = voices
    changed = [dict(row, label="abc"[(ord(row["label"]) - 96) % 3]) if n in (10, 77, 140) else row for n, row in enumerate(rows)]
    write_manifest(tmp_path / "m.csv", changed)
    veery("extract", "m.csv", "--root", folder, "-o", "f.h5", "-q", folder=tmp_path)
    # One is corrected since, and one is not in the manifest.
    write_manifest(tmp_path / "n.csv", [row if n == 77 else changed[n] for n, row in enumerate(rows) if n != 10])
    done = veery("check", "n.csv", "--root", folder, "--features", "f.h5", "--json", "--progress", "none", folder=tmp_path)
    kinds = {kind["kind"]: kind for kind in json.loads(done.stdout)["kinds"]}
    found = kinds["suspicious_label"]
    ranked = [clip["id"] for clip in suspicion(veery, "f.h5", folder=tmp_path)["clips"] if clip["reasons"][0]["kind"] == "other_label"]
    gone, corrected = rows[10]["id"], rows[77]["id"]
    assert found["severity"] == "note" and [clip["id"] for clip in found["first"]] == [name for name in ranked if name not in (gone, corrected)]
    assert all(line.startswith("note: ") for line in done.stderr.splitlines() if "f.h5: " in line), done.stderr
    assert f"a clip with a suspicious label is not in the manifest: '{gone}'" in done.stderr, done.stderr
    assert "1 clip with a suspicious label has another label in the manifest" in done.stderr, done.stderr


def test_python_has_a_list(program, veery, voices, tmp_path, monkeypatch):
    folder, _ = voices
    monkeypatch.setenv("VEERY", str(program))
    veery("extract", folder / "m.csv", "-o", "f.h5", "-q", folder=tmp_path)
    expected = suspicion(veery, "f.h5", folder=tmp_path)["clips"]
    with package.open(tmp_path / "f.h5") as file:
        found = file.suspicious()
        assert [(each.id, each.score, each.label, each.kinds) for each in found] == [
            (clip["id"], clip.get("score"), clip["label"], [reason["kind"] for reason in clip["reasons"]]) for clip in expected]
        assert all(each.suggested is None or each.suggested in file.labels for each in found)
        assert file.suspicious(leave_out="clip", jobs=1) is not None
        with pytest.raises(package.CommandError, match="no column 'brid'"):
            file.suspicious(leave_out="brid")
    assert package.inspect(tmp_path / "f.h5", suspicious=True)["suspicion"]["clips"] == expected


def test_the_code_of_the_page(program, veery, voices, tmp_path, monkeypatch, capsys):
    folder, rows = voices
    monkeypatch.setenv("VEERY", str(program))
    monkeypatch.chdir(tmp_path)
    changed = [dict(row, label="abc"[(ord(row["label"]) - 96) % 3]) if n == 10 else row for n, row in enumerate(rows)]
    write_manifest(tmp_path / "m.csv", changed)
    veery("extract", "m.csv", "--root", folder, "-o", "birds.h5", "-q", folder=tmp_path)
    code, = code_of(ROOT / "Schemas/guide/suspicion.md", "python")
    exec(code, {})
    assert capsys.readouterr().out.startswith(rows[10]["id"] + " 0.")


def test_the_report_shows_the_first(veery, voices, tmp_path):
    folder, rows = voices
    changed = [dict(row, label="abc"[(ord(row["label"]) - 96) % 3]) if n in (10, 77) else row for n, row in enumerate(rows)]
    write_manifest(tmp_path / "m.csv", changed)
    veery("extract", "m.csv", "--root", folder, "-o", "f.h5", "-q", folder=tmp_path)
    veery("inspect", "f.h5", "--html", "p.html", folder=tmp_path)
    section = (tmp_path / "p.html").read_text().partition('id="suspicious"')[2].partition("</section>")[0]
    first = suspicion(veery, "f.h5", folder=tmp_path)["clips"][0]
    assert first["id"] in section and f"clips like it have &#39;{first['suggested']}&#39;" in section.replace("&apos;", "&#39;").replace("'", "&#39;")
    assert 2 <= section.count("<img ") <= 10


# ------------------------------------------------------------------------------------------- wrong labels of real recordings


def digits(collection):
    for row in csv.DictReader(open(collection / "fsdd/labels.csv")):
        yield dict(path=str(collection / "fsdd" / row["file"]), label=row["digit"])


def letters(collection):
    for row in csv.DictReader(open(collection / "letters/labels.csv")):
        yield dict(path=str(collection / "letters" / row["file"]), label=row["language"])


def prompts(collection):
    for row in csv.DictReader(open(collection / "prompts/labels.csv")):
        yield dict(path=str(collection / "prompts" / row["file"]), label=row["language"])


def syllables(folder, audio, name):
    def rows(collection):
        for row in csv.DictReader(open(collection / "birds" / folder / "annotations.csv")):
            if float(row["offset_s"]) - float(row["onset_s"]) > 0.026:
                yield dict(path=str(collection / "birds" / folder / audio / row[name]), start=row["onset_s"], end=row["offset_s"],
                           label=row["label"])
    return rows


SETS = {"digits": digits, "letters": letters, "prompts": prompts, "gy6or6": syllables("bengalese_finch_gy6or6", ".", "file"),
        "Bird0": syllables("bengalese_finch_Bird0", "Wave", "notated_path")}


@pytest.mark.parametrize("share, first, least", [(0.01, 0.03, 0.95), (0.05, 0.05, 0.85)])
def test_wrong_labels_of_real_recordings_come_first(veery, collection, tmp_path, share, first, least):
    """Means over the sets and some seeds; of the second, 0.85 is near to what is possible: there are as many places as wrong labels."""
    found = []
    for name, rows in SETS.items():
        clips = [dict(row, id=f"{name}{index}") for index, row in enumerate(rows(collection))]
        classes = sorted({row["label"] for row in clips})
        for seed in range(4):
            rng = np.random.default_rng(seed)
            wrong = rng.choice(len(clips), max(1, round(share * len(clips))), replace=False)
            changed = [dict(row) for row in clips]
            for index in wrong:
                own = classes.index(clips[index]["label"])
                changed[index]["label"] = classes[(own + rng.integers(1, len(classes))) % len(classes)]
            write_manifest(tmp_path / "m.csv", changed)
            veery("extract", "m.csv", "-o", "f.h5", "-q", "--overwrite", folder=tmp_path)
            ranked = [clip["id"] for clip in suspicion(veery, "f.h5", folder=tmp_path)["clips"] if "score" in clip]
            top = set(ranked[:int(np.ceil(first * len(clips)))])
            found.append(np.mean([f"{name}{index}" in top for index in wrong]))
    assert np.mean(found) >= least, np.mean(found)


@pytest.mark.parametrize("name", ["digits", "Bird0"])
def test_copies_of_real_recordings_are_the_most_similar_pairs(veery, collection, tmp_path, name):
    """Copies that are quieter, compressed anew or a little shorter, in another split."""
    clips = [dict(row, id=str(index), split="train") for index, row in enumerate(SETS[name](collection))][:250]
    rng = np.random.default_rng(1)
    chosen = rng.choice(len(clips), 15, replace=False)
    for number, index in enumerate(chosen):
        row = clips[index]
        samples, rate = soundfile.read(row["path"])
        if "start" in row:
            samples = samples[round(float(row["start"]) * rate):round(float(row["end"]) * rate)]
        if number % 3 == 0:
            soundfile.write(tmp_path / f"{number}.wav", 0.4 * samples, rate, "PCM_16")
        elif number % 3 == 1:
            soundfile.write(tmp_path / f"{number}.ogg", 0.8 * samples, rate)
        else:
            soundfile.write(tmp_path / f"{number}.wav", samples[:-rate // 200], rate, "FLOAT")
        suffix = "ogg" if number % 3 == 1 else "wav"
        clips.append(dict(path=str(tmp_path / f"{number}.{suffix}"), label=row["label"], id=f"{index} copy", split="test"))
    write_manifest(tmp_path / "m.csv", clips)
    veery("extract", "m.csv", "-o", "f.h5", "-q", folder=tmp_path)
    pairs = suspicion(veery, "f.h5", folder=tmp_path)["pairs"]
    wanted = {(str(index), f"{index} copy") for index in chosen}
    found = [tuple(pair["ids"]) for pair in pairs if pair["across_splits"]]
    assert len(wanted & set(found[:15])) >= 14, [(tuple(pair["ids"]), pair["similarity"]) for pair in pairs[:30]]
    assert wanted <= set(found), wanted - set(found)
