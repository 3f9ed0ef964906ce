"""`veery split`: splits by ratio, folds or lists, of groups that stay together."""

import csv
import hashlib
import json
import re
import subprocess

import pytest
from conftest import noise, write_manifest, write_wav
from sessions import ROOT, code_of


@pytest.fixture
def birds(tmp_path):
    rows = [dict(path=f"rec/{n // 2}.wav", id=f"c{n}", label=["wren", "robin", "owl"][n % 3], site=f"site{n // 6}", start=n % 2 * 0.5,
                 end=n % 2 * 0.5 + 0.5, note='a, "b"') for n in range(60)]
    return write_manifest(tmp_path / "birds.csv", rows), rows


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def fraction(group, seed=0):
    return (int.from_bytes(hashlib.sha256(f"{seed}:{group}".encode()).digest()[:8], "big") >> 11) / 2**53


@pytest.mark.parametrize("by, key", [(None, "path"), ("site", "site"), ("clip", "id"), ("label", "label")])
def test_by_ratio(veery, birds, tmp_path, by, key):
    manifest, rows = birds
    output = tmp_path / "out.csv"
    result = veery("split", manifest, "-o", output, "--ratio", "train=0.6,val=0.2,test=0.2", "--seed", "5", *(["--by", by] if by else []))
    found = read(output)
    for row, new in zip(rows, found, strict=True):
        u = fraction(row[key], 5)
        assert new.pop("split") == ("train" if u < 0.6 else "val" if u < 0.6 + 0.2 else "test")
        assert {name: new[name] for name in ("path", "id", "label", "site", "note")} == {
            name: str(row[name]) for name in ("path", "id", "label", "site", "note")}
        assert (float(new["start"]), float(new["end"])) == (row["start"], row["end"])
    table = [line.split() for line in result.stdout.splitlines()]
    assert table[0] == ["label", "train", "val", "test", "all"] and [line[0] for line in table[1:4]] == ["owl", "robin", "wren"]
    assert table[4][:2] == ["all", "labels"] and table[4][-1] == "60"


def test_by_folder(veery, tmp_path):
    """Recordings are often in a folder for each site, with names that are the same everywhere."""
    def manifest(name, **more):
        rows = [{"path": f"{folder}{number}.wav", **more} for folder in ("rec/a/", "rec/b/", "rec/b/c/", "") for number in range(3)]
        return write_manifest(tmp_path / name, rows), rows

    for name, more, key in (("plain.csv", {}, lambda row: row["path"].rpartition("/")[0] or "."),
                            ("column.csv", {"folder": "one"}, lambda row: "one")):
        path, rows = manifest(name, **more)
        report = json.loads(veery("split", path, "-o", tmp_path / f"split-{name}", "--by", "folder", "--ratio", "train=0.5,test=0.5",
                                  "--json").stdout)
        assert report["groups"] == len({key(row) for row in rows})
        for row, new in zip(rows, read(tmp_path / f"split-{name}"), strict=True):
            assert new["split"] == ("train" if fraction(key(row)) < 0.5 else "test"), row


def test_check_by_folder(veery, tmp_path):
    """The word that `split` takes."""
    rows = [{"path": f"rec/{site}/{number}.wav", "split": split}
            for site, splits in (("a", ("train", "test")), ("b", ("test", "test"))) for number, split in enumerate(splits)]
    for index, row in enumerate(rows):
        write_wav(tmp_path / row["path"], 16000, noise(index, 1600))
    manifest = write_manifest(tmp_path / "m.csv", rows)
    assert "in several splits" not in veery("check", manifest).stdout
    printed = veery("check", manifest, "--by", "folder").stdout
    assert "folder 'rec/a' is in train, test" in printed and "'rec/b'" not in printed
    # The mend works as it is written.
    command, = re.findall(r"veery split MANIFEST -o NEW --by (\w+) --ratio", printed)
    veery("split", manifest, "-o", tmp_path / "new.csv", "--by", command, "--ratio", "train=0.5,test=0.5")
    assert "in several splits" not in veery("check", tmp_path / "new.csv", "--by", "folder").stdout


def test_report_as_json_and_folds(veery, birds, tmp_path):
    report = json.loads(veery("split", birds[0], "-o", tmp_path / "f.jsonl", "--folds", "4", "--by", "site", "--stratify", "--json").stdout)
    assert [split["name"] for split in report["splits"]] == ["fold0", "fold1", "fold2", "fold3"] and report["groups"] == 10
    assert sum(split["clips"] for split in report["splits"]) == 60
    lines = [json.loads(line) for line in (tmp_path / "f.jsonl").read_text().splitlines()]
    counts = {}
    for line in lines:
        counts[line["split"]] = counts.get(line["split"], 0) + 1
    assert counts == {split["name"]: split["clips"] for split in report["splits"] if split["clips"]}
    # Ten sites of six clips: no fold may have more than three.
    assert max(counts.values()) <= 18 and len(counts) == 4
    for label in report["labels"]:
        assert sum(label["clips"].values()) == 20


def test_lists(veery, birds, tmp_path):
    manifest, rows = birds
    (tmp_path / "val.txt").write_text("rec/1.wav\n2.wav\n\nc6\r\nc7\nnowhere\n")
    (tmp_path / "test.txt").write_text("4\n")
    result = veery("split", manifest, "-o", tmp_path / "o.csv", "--list", f"val={tmp_path}/val.txt", "--list", f"test={tmp_path}/test.txt", "--rest", "train")
    splits = {row["id"]: row["split"] for row in read(tmp_path / "o.csv")}
    assert [splits[f"c{n}"] for n in range(12)] == ["train"] * 2 + ["val"] * 6 + ["test"] * 2 + ["train"] * 2
    assert "1 entry names no recording that is there: 'nowhere'" in result.stderr
    result = veery("split", manifest, "-o", tmp_path / "p.csv", "--list", f"val={tmp_path}/val.txt")
    assert {row["split"] for row in read(tmp_path / "p.csv")} == {"val", ""} and "54 clips are in no list" in result.stderr
    (tmp_path / "half.txt").write_text("c6\n")
    assert "divide 1 recording, such as 'rec/3.wav'" in veery("split", manifest, "-o", tmp_path / "q.csv", "--list", f"val={tmp_path}/half.txt").stderr
    veery("split", manifest, "-o", tmp_path / "r.csv", "--list", f"val={tmp_path}/half.txt", "--by", "recording", status=1)
    assert not (tmp_path / "r.csv").exists()
    (tmp_path / "both.txt").write_text("c1\nrec/1.wav\n")
    error = veery("split", manifest, "-o", tmp_path / "r.csv", "--list", f"val={tmp_path}/val.txt", "--list", f"x={tmp_path}/both.txt", status=1).stderr
    assert "both.txt, line 2: 'rec/1.wav' is in" in error and "val.txt, line 1, already" in error
    veery("split", manifest, "-o", tmp_path / "r.csv", "--list", "val=none.txt", status=1)


def test_keep(veery, birds, tmp_path):
    manifest, rows = birds
    veery("split", manifest, "-o", tmp_path / "one.csv", "--ratio", "a=0.5,b=0.5")
    old = read(tmp_path / "one.csv")
    more = [*old, *({**row, "id": "n" + row["id"], "path": "new/" + row["path"], "split": ""} for row in old)]
    write_manifest(tmp_path / "two.csv", more)
    veery("split", tmp_path / "two.csv", "-o", tmp_path / "three.csv", "--ratio", "c=1", "--keep")
    found = read(tmp_path / "three.csv")
    assert [row["split"] for row in found] == [row["split"] for row in old] + ["c"] * 60
    assert "already has clips in several splits, such as 'site" in veery(
        "split", tmp_path / "two.csv", "-o", tmp_path / "x.csv", "--ratio", "c=1", "--keep", "--by", "note", status=1).stderr.replace(
            "'a, \"b\"'", "'site")


def test_paths_follow_the_manifest(veery, tmp_path):
    (tmp_path / "data").mkdir()
    for name in "abcd":
        write_wav(tmp_path / f"data/sub/{name}.wav", 16_000, noise(ord(name), 8_000))
    write_manifest(tmp_path / "data/m.csv", [dict(path=f"sub/{name}.wav") for name in "abcd"])
    (tmp_path / "elsewhere").mkdir()
    for target, start in [("s.csv", "data/sub/"), ("data/s.csv", "sub/"), ("elsewhere/s.csv", "../data/sub/")]:
        veery("split", tmp_path / "data/m.csv", "-o", tmp_path / target, "--ratio", "train=0.5,test=0.5")
        assert all(row["path"].startswith(start) for row in read(tmp_path / target)), target
        veery("extract", tmp_path / target, "-o", tmp_path / "f.h5", "--overwrite", "--set", "normalize.scope=none")
    output = veery("split", tmp_path / "data", "-o", "-", "--ratio", "train=0.5,test=0.5").stdout
    assert output.splitlines()[0] == "path,id,label,split" and len(output.splitlines()) == 5


def test_mistakes(veery, birds, tmp_path):
    manifest = birds[0]
    out = ["-o", tmp_path / "o.csv"]
    for options in [[], ["--ratio", "a=1", "--folds", "3"], ["--folds", "1"], ["--ratio", "a=0.5,b=0.4"], ["--ratio", "a"], ["--rest", "x", "--folds", "2"],
                    ["--ratio", "a=1", "--rest", "x"], ["--list", "val"], ["--list", "a=b", "--stratify"]]:
        veery("split", manifest, *out, *options, status=64)
    assert "the shares add up to 0.9; expected 1" in veery("split", manifest, *out, "--ratio", "a=0.5,b=0.4", status=64).stderr
    assert "there is no column 'sites'; the columns are: 'site', 'note'" in veery("split", manifest, *out, "--ratio", "a=1", "--by", "sites", status=1).stderr
    veery("split", manifest, "-o", tmp_path / "o.txt", "--ratio", "a=1", status=64)
    veery("split", manifest, *out, "--ratio", "a=1")
    assert "--overwrite" in veery("split", manifest, *out, "--ratio", "b=1", status=1).stderr
    veery("split", manifest, *out, "--ratio", "b=1", "--overwrite", "--quiet")
    assert {row["split"] for row in read(tmp_path / "o.csv")} == {"b"}


@pytest.fixture
def words(tmp_path):
    """Forty recordings of ten speakers in two folders."""
    for index in range(40):
        write_wav(tmp_path / f"words/{('left', 'right')[index % 2]}/s{index % 10}_{index}.wav", 16_000, noise(index, 160))
    (tmp_path / "lists").mkdir()
    return tmp_path


def by_name(rows):
    return {row["path"].rpartition("/")[2]: row["split"] for row in rows}


def test_splits_do_not_depend_on_how_paths_are_spelt(veery, words):
    """The same recordings, id, seed and shares; before, the folder and its manifest gave two thirds of the clips another split."""
    def split(source, output):
        veery("split", source, "-o", output, "--ratio", "70/30", "-q", folder=words)
        return by_name(read(words / output))

    for manifest in ("here.csv", "lists/all.csv"):
        veery("crawl", "words", "-o", manifest, "-q", folder=words)
    expected = split("words", "folder.csv")
    assert set(expected.values()) == {"train", "test"}
    for source, output in (
            ("here.csv", "a.csv"), ("lists/all.csv", "lists/b.csv"), ("lists/all.csv", "c.csv"), ("here.csv", "lists/d.csv"),
            ("folder.csv", "again.csv")):
        assert split(source, output) == expected, (source, output)
    printed = veery("split", "words", "-o", "-", "--ratio", "70/30", "-q", folder=words).stdout
    assert by_name(csv.DictReader(printed.splitlines())) == expected
    # Also in the folder of the recordings, where their paths begin with ../words.
    assert split("here.csv", "words/e.csv") == expected and split("words/e.csv", "words/f.csv") == expected


def test_python_splits_as_the_command(veery, words, library, monkeypatch):
    import veery as package

    veery("crawl", "words", "-o", "here.csv", "-q", folder=words)
    veery("split", "here.csv", "-o", "split.csv", "--ratio", "70/30", "-q", folder=words)
    expected = by_name(read(words / "split.csv"))
    (words / "notebooks").mkdir()
    for folder in (words, words / "notebooks"):
        monkeypatch.chdir(folder)
        rows = package.split(package.crawl(words / "words"), ratio="70/30")
        assert by_name(rows) == expected and by_name(package.split(rows, ratio="70/30")) == expected
        assert by_name(package.split(words / "words", ratio="70/30")) == expected
        assert by_name(package.split(words / "here.csv", ratio="70/30")) == expected


def test_the_names_and_splits_of_the_page(veery, tmp_path):
    """The page's program computes the splits of recordings and folders."""
    page = {}
    exec(code_of(ROOT / "Schemas/guide/splits.md", "python")[0], page)
    paths = ["a.wav", "../a.wav", "./b/a.wav", "b//c/./a.wav", "b/../c/a.wav", "../../b/a.wav", "b/../../c.wav", "/data/a.wav",
             "/data/../a.wav", "b/.hidden/..a.wav"]
    manifest = write_manifest(tmp_path / "m.csv", [dict(path=path, id=str(number)) for number, path in enumerate(paths)])
    shares = {"a": 0.3, "b": 0.3, "c": 0.4}
    for seed in range(5):
        for by in ("recording", "folder"):
            veery("split", manifest, "-o", tmp_path / "s.csv", "--ratio", "a=0.3,b=0.3,c=0.4", "--seed", seed, "--by", by, "--overwrite", "-q")
            for row in read(tmp_path / "s.csv"):
                name = page["name"](row["path"])
                group = name if by == "recording" else name.rpartition("/")[0] or ("/" if name.startswith("/") else ".")
                assert row["split"] == page["split"](group, shares, seed), (row["path"], by)


def test_a_column_of_speakers_is_mentioned(veery, words):
    """`check` would find what `split` could have avoided."""
    veery("crawl", "words", "-o", "m.csv", "--label-from", "(?<label>left|right)/(?<speaker>s[0-9])_", "-q", folder=words)
    options = ("--ratio", "50/50", "--overwrite")
    text = veery("split", "m.csv", "-o", "s.csv", *options, folder=words).stderr
    count, = re.findall(r"warning: (\d+) of 10 values of the column 'speaker' have clips in several splits; --by speaker keeps", text)
    rows = read(words / "s.csv")
    assert int(count) == sum(
        len({row["split"] for row in rows if row["speaker"] == f"s{number}"}) > 1 for number in range(10)) > 1
    for quiet in (("--by", "speaker"), ("--by", "recording"), ("--quiet",)):
        assert "speaker" not in veery("split", "m.csv", "-o", "s.csv", *options, *quiet, folder=words).stderr
    veery("split", "m.csv", "-o", "s.csv", *options, "--by", "speaker", folder=words)
    assert "speaker" not in veery("split", "s.csv", "-o", "t.csv", "--ratio", "train=1", folder=words).stderr


def test_a_missed_share_is_the_last_line(program, tmp_path):
    rows = [{"path": f"{group}-{number}.wav", "label": "ab"[number], "speaker": group} for group in "xyz" for number in (0, 1)]
    write_manifest(tmp_path / "m.csv", rows)
    done = subprocess.run(
        [program, "split", "m.csv", "-o", "s.csv", "--by", "speaker", "--ratio", "train=0.7,test=0.3", "--seed", "0"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[-1].startswith("warning: ") and len(lines) > 3 and not any(line.startswith("warning: ") for line in lines[:-1]), done.stdout
