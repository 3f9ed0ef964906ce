"""`veery check`: problems by kind, pages, mended manifests."""

import csv
import json
import os
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest
import soundfile

from conftest import noise, tone, write_manifest, write_wav
from test_commands import validate

RATE = 16000


@pytest.fixture
def dataset(tmp_path):
    """Ten recordings in a folder `r`, some of them with faults, and a manifest beside the folder."""
    folder = tmp_path / "r"
    for number in range(4):
        write_wav(folder / f"good{number}.wav", RATE, noise(number, RATE))
    (folder / "copy.wav").write_bytes((folder / "good0.wav").read_bytes())
    (folder / "cut.wav").write_bytes((folder / "good1.wav").read_bytes()[:9000])
    (folder / "lfs.wav").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n")
    (folder / "page.mp3").write_text("<html><head><title>Sorry, <b>log in</b></title></head></html>")
    write_wav(folder / "zero.wav", RATE, np.zeros(RATE))
    broken = noise(9, RATE).astype("<f4")
    broken[77] = np.inf
    write_wav(folder / "inf.wav", RATE, broken, dtype="<f4")
    names = ["good0", "good1", "good2", "good3", "copy", "cut", "lfs", "page", "gone", "zero", "inf"]
    write_manifest(tmp_path / "m.csv", [
        {"path": f"r/{name}.{'mp3' if name == 'page' else 'wav'}", "id": name, "label": "xy"[number % 2],
         "split": "test" if name == "copy" else "train", "note": f"a \"{name}\", quoted"}
        for number, name in enumerate(names)])
    return tmp_path


def kinds(veery, *arguments, status=3):
    report = json.loads(veery("check", *arguments, "--json", status=status).stdout)
    validate(report, "check-report")
    return {group["kind"]: [example["id"] for example in group["first"]] for group in report["kinds"]}, report


def test_problems_by_kind(veery, dataset):
    found, report = kinds(veery, dataset / "m.csv")
    assert found == {
        "cut_off": ["cut"], "git_lfs_pointer": ["lfs"], "missing": ["gone"], "text_page": ["page"],
        "label_absent_from_split": ["good1"]}
    assert report["problems"] == 4 and report["recordings"] == 7 and not report["deep"]
    deep, report = kinds(veery, dataset / "m.csv", "--deep")
    assert deep == found | {"non_finite": ["inf"], "duplicate_across_splits": ["good0", "copy"], "silent": ["zero"]}
    assert report["problems"] == 5 and report["leaks"] == 0 and report["deep"]
    assert list(deep)[-2:] == ["label_absent_from_split", "silent"]
    text = veery("check", dataset / "m.csv", "--deep", status=3).stdout
    assert "leak: 2 clips: Clips of different splits have the same samples.\n  r/good0.wav (good0): the same samples as 'copy'" in text
    assert "error: 1 clip: The file is a Git LFS pointer" in text and "→ Run git lfs pull" in text
    assert "r/gone.wav (gone): open: cannot read the file: No such file or directory" in text
    assert text.endswith("\n5 problems, 2 leaking clips\n")


def test_mended_manifests_are_valid_where_they_are(veery, dataset):
    out = dataset / "elsewhere" / "usable.csv"
    out.parent.mkdir()
    result = veery("check", dataset / "m.csv", "--mend", out, "--deep", status=3)
    assert f"wrote {out}: 6 clips" in result.stderr and "5 clips with reasons" in result.stderr
    rows = list(csv.DictReader(open(out, newline="")))
    rejected = list(csv.DictReader(open(out.parent / "usable.rejected.csv", newline="")))
    assert [row["id"] for row in rows] == ["good0", "good1", "good2", "good3", "copy", "zero"]
    assert {row["id"]: row["kind"] for row in rejected} == {
        "cut": "cut_off", "lfs": "git_lfs_pointer", "page": "text_page", "gone": "missing", "inf": "non_finite"}
    assert all(row["note"] == f"a \"{row['id']}\", quoted" for row in rows + rejected)
    assert all(Path(out.parent, row["path"]).is_file() for row in rows)
    assert all(row["reason"] for row in rejected) and "kind" not in rows[0]
    # Nothing is replaced, and nothing is left half done.
    before = sorted(os.listdir(out.parent))
    refused = veery("check", dataset / "m.csv", "--mend", out, status=1)
    assert "exists" in refused.stderr and not refused.stdout and sorted(os.listdir(out.parent)) == before

    # The rest can be extracted; the rejected clips, too, once they are mended.
    veery("extract", out, "-o", dataset / "f.h5", "--quiet")
    for row in rejected:
        write_wav(out.parent / row["path"], RATE, noise(5, RATE))
    again = out.parent / "usable.rejected.csv"
    veery("extract", again, "-o", dataset / "g.h5", "--quiet")
    result = veery("check", again, "--mend", out.parent / "again.csv")
    assert "every clip can be used" in result.stderr and not (out.parent / "again.rejected.csv").exists()
    (out.parent / rejected[0]["path"]).unlink()
    veery("check", again, "--mend", out.parent / "again.csv", "--overwrite", status=3)
    once_more = list(csv.DictReader(open(out.parent / "again.rejected.csv", newline="")))
    assert [(row["id"], row["kind"]) for row in once_more] == [("cut", "missing")]
    assert list(once_more[0]) == list(rejected[0])


@pytest.mark.parametrize("source", ["m.csv", "o.csv", "o.rejected.csv"])
def test_an_output_may_replace_the_manifest(veery, tmp_path, source):
    """Every row is in one of both: none is lost."""
    write_wav(tmp_path / "a.wav", RATE, noise(1, RATE))
    write_manifest(tmp_path / source, [{"id": name, "path": f"{name}.wav"} for name in "abc"])
    veery("check", tmp_path / source, "--mend", tmp_path / "o.csv", "--overwrite", status=3)
    for name, ids in ("o.csv", ["a"]), ("o.rejected.csv", ["b", "c"]):
        with open(tmp_path / name, newline="") as file:
            assert [row["id"] for row in csv.DictReader(file)] == ids


def test_older_outputs_that_are_kept_are_named(veery, tmp_path):
    write_wav(tmp_path / "a.wav", RATE, noise(1, RATE))
    write_manifest(tmp_path / "m.csv", [{"path": "a.wav"}, {"path": "b.wav"}])
    veery("check", tmp_path / "m.csv", "--mend", tmp_path / "o.csv", status=3)
    write_wav(tmp_path / "b.wav", RATE, noise(2, RATE))
    text = veery("check", tmp_path / "m.csv", "--mend", tmp_path / "o.csv", "--overwrite").stderr
    assert "o.rejected.csv was not written; the one that exists is older" in text
    (tmp_path / "a.wav").unlink()
    (tmp_path / "b.wav").unlink()
    text = veery("check", tmp_path / "m.csv", "--mend", tmp_path / "o.csv", "--overwrite", status=3).stderr
    assert "o.csv was not written; the one that exists is older" in text


@pytest.mark.parametrize("extension", ["csv", "tsv", "jsonl"])
def test_a_column_named_kind_keeps_its_values(veery, tmp_path, extension):
    write_wav(tmp_path / "a.wav", RATE, noise(1, RATE))
    write_manifest(tmp_path / "m.csv", [{"path": "a.wav", "kind": "song"}, {"path": "b.wav", "kind": "call"}])
    veery("check", tmp_path / "m.csv", "--mend", tmp_path / f"o.{extension}", status=3)
    text = (tmp_path / f"o.rejected.{extension}").read_text()
    if extension == "jsonl":
        row = json.loads(text)
    else:
        row = next(csv.DictReader(text.splitlines(), delimiter="\t" if extension == "tsv" else ","))
    assert row["path"] == "b.wav" and row["kind"] == "call" and row["problem_kind"] == "missing"
    assert "No such file" in row["problem_reason"]
    assert "song" in (tmp_path / f"o.{extension}").read_text()


def test_a_dataset_without_usable_clips_is_reported_and_not_written(veery, tmp_path):
    write_manifest(tmp_path / "m.csv", [{"path": "a.wav"}, {"path": "b.wav"}])
    result = veery("check", tmp_path / "m.csv", "--mend", tmp_path / "o.csv", status=3)
    assert "no clip can be used" in result.stderr and not (tmp_path / "o.csv").exists()
    assert f"The paths start from the folder '{tmp_path}'" in result.stdout and "--root FOLDER" in result.stdout
    assert "error: 2 clips: None of the recordings exists." in result.stdout
    assert len(list(csv.DictReader(open(tmp_path / "o.rejected.csv", newline="")))) == 2


def test_the_page_stands_alone(veery, dataset):
    page = dataset / "p.html"
    veery("check", dataset / "m.csv", "--deep", "--html", page, status=3)
    text = page.read_text()
    assert not re.search(r"(src|href)=\"(?!#|data:)", text) and "@import" not in text and "url(" not in text
    for words in ("Check of a dataset", "leak: 2 clips", "id=\"git-lfs-pointer\"", "href=\"#silent\"", "Run git lfs pull",
                  "Every recording was decoded."):
        assert words in text
    assert "<b>log in" not in text and "&lt;b&gt;log in" in text
    veery("check", dataset / "m.csv", "--html", page, status=3)
    assert "nothing was decoded" in page.read_text()
    refused = veery("check", dataset / "m.csv", "--html", dataset / "m.csv", status=1)
    assert "not a page that veery wrote" in refused.stderr and not refused.stdout


def test_a_page_without_problems(veery, tmp_path):
    write_wav(tmp_path / "a.wav", RATE, noise(1, RATE))
    write_manifest(tmp_path / "m.csv", [{"path": "a.wav"}])
    assert veery("check", tmp_path / "m.csv", "--deep", "--html", tmp_path / "p.html").stdout.endswith("\nno problems\n")
    assert "No problems were found." in (tmp_path / "p.html").read_text()


def test_recordings_and_clips_are_counted_separately(veery, tmp_path):
    write_wav(tmp_path / "a.wav", RATE, noise(1, 12 * RATE))
    write_manifest(tmp_path / "m.csv", [
        {"path": "a.wav", "start": number / 100, "end": (number + 1) / 100} for number in range(1100)])
    assert "1 recording; clips: 1,100 at 16,000 Hz; 1,100 mono" in veery("check", tmp_path / "m.csv").stdout


def test_overlaps_within_a_split_are_shown_by_one(veery, tmp_path):
    write_wav(tmp_path / "a.wav", 8000, noise(1, 16_000))
    write_manifest(tmp_path / "m.csv", [{"path": "a.wav", "start": start, "end": start + 1} for start in (0, 0.25, 0.5, 0.75)])
    said = veery("check", tmp_path / "m.csv").stdout
    assert "4 clips: Clips of one split overlap in time in one recording." in said
    assert said.count("overlaps with") == 1 and "… and 3 more: see --json" in said


def test_samples_that_the_header_declares_and_the_file_lacks(veery, tmp_path):
    soundfile.write(tmp_path / "a.mp3", tone(RATE, 4, [440, 1000]), RATE, subtype="MPEG_LAYER_III")
    damaged = bytearray((tmp_path / "a.mp3").read_bytes())
    middle = len(damaged) // 2
    damaged[middle:middle + len(damaged) // 8] = bytes(len(damaged) // 8)
    (tmp_path / "b.mp3").write_bytes(damaged)
    write_manifest(tmp_path / "m.csv", [{"path": "a.mp3"}, {"path": "b.mp3"}])
    assert kinds(veery, tmp_path / "m.csv", status=0)[0] == {}
    found, report = kinds(veery, tmp_path / "m.csv", "--deep")
    assert found == {"wrong_length": ["b"]} and report["kinds"][0]["first"][0]["text"].startswith("decode: expected 6")


def test_a_column_of_groups(veery, tmp_path):
    for name in "abc":
        write_wav(tmp_path / f"{name}.wav", RATE, noise(ord(name), RATE))
    write_manifest(tmp_path / "m.csv", [
        {"path": "a.wav", "split": "train", "bird": "Bo"}, {"path": "b.wav", "split": "test", "bird": "Bo"},
        {"path": "c.wav", "split": "test", "bird": "Cy"}])
    assert kinds(veery, tmp_path / "m.csv", status=0)[0] == {}
    assert kinds(veery, tmp_path / "m.csv", "--by", "bird", status=0)[0] == {"group_across_splits": ["a"]}
    assert "'tree'" in veery("check", tmp_path / "m.csv", "--by", "tree", status=1).stderr


def test_options_are_checked(veery, dataset):
    assert "--mend" in veery("check", dataset / "m.csv", "--mend", dataset / "o.txt", status=64).stderr
    assert "--overwrite" in veery("check", dataset / "m.csv", "--overwrite", status=64).stderr
    plain = veery("check", dataset / "m.csv", "--progress", "json", status=3)
    assert json.loads(plain.stderr.splitlines()[-1])["done"] == 11


def test_a_clip_without_a_label_has_none_in_labels_either(veery, tmp_path):
    for name in "abcd":
        write_wav(tmp_path / f"{name}.wav", 8000, noise(1, 4000))
    (tmp_path / "m.csv").write_text("path,label,labels\na.wav,x,x|y\nb.wav,,y\nc.wav,,\nd.wav,x,\n")
    groups = json.loads(veery("check", "m.csv", "--json", folder=tmp_path).stdout)["kinds"]
    assert [[example["id"] for example in group["first"]] for group in groups if group["kind"] == "unlabelled"] == [["c"]]


def test_labels_and_splits_of_every_clip_take_little_memory(program, peak_memory, tmp_path):
    """The column `split` may hold something else, as here: a table of all labels and splits would take 1.6 GB."""
    write_wav(tmp_path / "a.wav", RATE, noise(1, RATE))
    write_manifest(tmp_path / "m.csv", [
        {"id": index, "path": "a.wav", "label": f"l{index // 2}", "split": f"s{index}"} for index in range(20_000)])
    with open(tmp_path / "report.json", "wb") as report:
        held = peak_memory(program, "check", tmp_path / "m.csv", "--json", "--progress", "none", status=3, stdout=report)
    assert held < 200e6
    groups = {group["kind"]: group for group in json.loads((tmp_path / "report.json").read_text())["kinds"]}
    first = groups["label_absent_from_split"]
    assert first["clips"] == 20_000
    assert first["first"][0]["text"] == (
        "label 'l0' has no clip in " + ", ".join(f"s{index}" for index in range(2, 12)) + " and 19,988 more")


def test_known_faults_of_the_collection(veery, collection, tmp_path):
    veery("crawl", collection / "animals", "-o", tmp_path / "m.csv")
    found, _ = kinds(veery, tmp_path / "m.csv", "--deep", status=0)
    assert [Path(name).name for name in found["silent"]] == ["nandou", "iguana", "giraffe", "wombat"]
    assert [Path(name).name for name in found["duplicate_samples"]] == ["badger", "mountaingoat", "ram", "beaver"]
    veery("crawl", collection / "broken", "-o", tmp_path / "b.csv")
    found, report = kinds(veery, tmp_path / "b.csv", "--deep")
    bad = {Path(row["file"]).name for row in csv.DictReader(open(collection / "broken" / "manifest.csv", newline=""))
           if row["expect"] == "error"}
    rejected = {Path(example["path"]).name for group in report["kinds"] if group["severity"] == "error"
                for example in group["first"]}
    with open(tmp_path / "b.csv", newline="") as file:
        listed = {Path(row["path"]).name for row in csv.DictReader(file)}
    assert bad & listed and bad & listed <= rejected


@pytest.mark.parametrize("name, content, words, mend", [
    ("lfs.wav", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", "a Git LFS pointer: the recording was not fetched",
     "run git lfs pull in its repository"),
    ("page.mp3", "<html><head><title>Sorry</title></head></html>", "text: '<html><head><title>Sorry</title></head></html>'",
     "download the recording again"),
    ("note.flac", "\ufeffsee the other folder\n", "text: 'see the other folder'", "download the recording again")])
def test_what_is_not_a_recording_has_the_same_words_everywhere(veery, tmp_path, name, content, words, mend):
    (tmp_path / name).write_text(content)
    write_manifest(tmp_path / "m.csv", [{"path": name}])
    said = f"open: expected a recording, found {words}\n"
    assert said in veery("check", tmp_path / "m.csv", status=3).stdout
    assert said in veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "--dry-run").stdout
    assert said in veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", status=3).stderr
    assert f"expected a recording, found {words}; {mend}\n" in veery("render", tmp_path / name, "-o", tmp_path / "p.png", status=1).stderr
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(name, content)
    write_manifest(tmp_path / "m.csv", [{"path": f"a.zip::{name}"}])
    assert said in veery("extract", tmp_path / "m.csv", "-o", tmp_path / "g.h5", status=3).stderr


def test_channels_of_one_value_each_are_not_said_to_be_one_value(veery, tmp_path):
    for name, values in (("one", (0.25, 0.25)), ("two", (0.25, -0.25))):
        soundfile.write(tmp_path / f"{name}.wav", np.tile(values, (8000, 1)), 8000, subtype="FLOAT")
    text = veery("check", tmp_path / "one.wav", "--deep", status=(0, 3)).stdout
    assert "every sample is 0.25" in text, text
    text = veery("check", tmp_path / "two.wav", "--deep", status=(0, 3)).stdout
    assert "every channel has one value throughout: 0.25, -0.25" in text, text
