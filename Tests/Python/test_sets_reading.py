"""Reading a set of feature files by its index: what `inspect`, `render`, `export` and `--stats-from` say of it is what they say of
one file with the same clips; and a file that is lost or changed is named."""

import gzip
import json
import os
import re
import shutil

import h5py
import numpy as np
import pytest
from recordings import noise, write_manifest, write_wav
from test_commands import validate

# What readers say of a set, in every layout, is a law of FeatureSetTests; here, what commands write of it.
SETTINGS = {
    "normalised": [],
    "fixed, compressed": ["--set", "store.layout=fixed", "--set", "audio.duration=1", "--set", "store.compression=deflate",
                          "--set", "normalize.scope=clip"],
}
CLIPS = 37
NAME = "f.index.json"


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    """40 recordings, of which three are missing; one is silent, two are the same, one is louder than full scale."""
    folder = tmp_path_factory.mktemp("recordings")
    rows = []
    for number in range(40):
        name = f"r{number}.wav"
        signal = 0.1 * np.stack([noise(100 * channel + (3 if number == 30 else number), 9_000 + 700 * (number % 11))
                                 for channel in range(2)], axis=1)
        if number not in (0, 17, 23):
            write_wav(folder / name, 16000, signal * (0 if number == 8 else 40 if number == 9 else 1))
        rows.append({"path": name, "id": f"{number}", "label": f"l{number % 3}", "split": ("train", "test")[number % 5 == 0],
                     "labels": f"l{number % 3}|x{number % 2}", "speaker": f"s{number % 4}"})
    write_manifest(folder / "m.csv", rows)
    (folder / "a.csv").write_text("path,start,end,label\n" + "".join(
        f"r{number}.wav,0.1,{0.2 + 0.01 * number},{'call' if number % 2 else 'song'}\n" for number in range(0, 40, 3)))
    return folder


@pytest.fixture(scope="module")
def made(veery, recordings, tmp_path_factory):
    """For settings: the folder with one file, and that with a set of four. Both have the same name to open, so that it is the same in
    what is said of them."""
    known = {}

    def make(name):
        if name not in known:
            folder = tmp_path_factory.mktemp("made")
            options = ["--max-failures", 3, "--frame-labels", recordings / "a.csv", *SETTINGS[name]]
            (folder / "one").mkdir()
            veery("extract", recordings / "m.csv", "-o", folder / "one/f.h5", *options)
            (folder / "one/f.h5").rename(folder / "one" / NAME)
            (folder / "4").mkdir()
            veery("extract", recordings / "m.csv", "-o", folder / "4/f.h5", "--files", 4, *options)
            known[name] = folder
        return known[name]

    return make


@pytest.fixture
def small(made, tmp_path):
    """A set of four files, to change."""
    shutil.copytree(made("normalised") / "4", tmp_path / "set")
    return tmp_path / "set"


def without(text, *patterns):
    for pattern in patterns:
        text, count = re.subn(pattern, "", text, flags=re.S)
        assert count <= 1
    return text


def size(folder):
    return sum(path.stat().st_size for path in folder.glob("f-*.h5"))


# ------------------------------------------------------------------------------------------------------ the same as one file


@pytest.mark.parametrize("name", SETTINGS)
def test_inspect_says_what_it_says_of_one_file(veery, made, name):
    one_folder, folder = made(name) / "one", made(name) / "4"
    one = json.loads(veery("inspect", NAME, "--json", folder=one_folder).stdout)
    assert one["clips"] == CLIPS and one["failures"] == 3 and "files" not in one
    found = json.loads(veery("inspect", NAME, "--json", folder=folder).stdout)
    validate(found, "inspect")
    assert found.pop("files") == 4 and found["bytes"] == size(folder)
    assert found == {**one, "bytes": found["bytes"]}
    words = veery("inspect", NAME, folder=folder).stdout
    own, sizes = r"Set +4 feature files, one after another\n", r",\s+[\d.]+ [kMG]?B(?=\n)"
    assert re.search(own, words)
    assert without(words, own, sizes) == without(veery("inspect", NAME, folder=one_folder).stdout, sizes)
    report = veery("inspect", NAME, "--verify", folder=folder).stdout
    assert report == veery("inspect", NAME, "--verify", folder=one_folder).stdout and "complete and consistent" in report


def test_a_set_of_one_file(veery, made, recordings, tmp_path):
    veery("extract", recordings / "m.csv", "-o", tmp_path / "f.h5", "--files", 1, "--max-failures", 3)
    assert re.search(r"Set +1 feature file, one after another\n", veery("inspect", NAME, folder=tmp_path).stdout)


@pytest.mark.parametrize("name", SETTINGS)
def test_the_page_is_that_of_one_file(veery, made, recordings, tmp_path, name):
    def page(folder):
        path = tmp_path / "r.html"
        veery("inspect", NAME, "--html", path, "--plots", tmp_path / "plots", "--root", recordings, folder=folder)
        plots = {file.name: file.read_bytes() for file in sorted((tmp_path / "plots").iterdir())}
        text = path.read_text()
        own = re.search(r'<p>With [^\n]*</p>\n<div class="code"><pre id="python-text".*?</pre>', text, re.S).group(0)
        sizes = r"<div><dt>Size</dt><dd>[^\n]*</dd></div>\n"
        return without(text.replace(own, ""), sizes, r"<div><dt>Set</dt><dd>[^\n]*</dd></div>\n"), own, plots

    text, own, plots = page(made(name) / "one")
    assert "h5py" in own and len(plots) > 5
    found, program, others = page(made(name) / "4")
    assert found == text and others == plots
    assert "veery.open(path)" in program and "import h5py" not in program


@pytest.mark.parametrize("name", SETTINGS)
def test_pictures_are_those_of_one_file(veery, made, recordings, tmp_path, name):
    def pictures(folder):
        found = []
        for options in (["--clip", "38", "--clip", "1", "--across", 2], ["--clip", "16", "--waveform", "--root", recordings],
                        ["--sheet", "--choose", "extreme", "--split", "train", "--list"]):
            said = veery("render", NAME, *options, "-o", tmp_path / "p.png", folder=folder).stdout
            found.append((said, (tmp_path / "p.png").read_bytes()))
        return found

    assert pictures(made(name) / "4") == pictures(made(name) / "one")


def test_statistics_of_a_set_are_those_of_one_file(veery, made, recordings, tmp_path):
    files = []
    for folder in ("one", "4"):
        target = tmp_path / f"{folder}.h5"
        source = made("normalised") / folder / NAME
        veery("extract", recordings / "m.csv", "-o", target, "--stats-from", source, "--max-failures", 3)
        files.append(target.read_bytes())
    with h5py.File(target) as file, h5py.File(made("normalised") / "one" / NAME) as source:
        assert file["statistics"].attrs["source"] == source.attrs["metadata_xxh3"]
    assert files[0] == files[1]


@pytest.mark.parametrize("name", SETTINGS)
def test_exports_are_those_of_one_file(veery, made, tmp_path, name):
    def files(folder, kind, *options):
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        veery("export", NAME, "--to", kind, "-o", tmp_path / "out", *options, folder=folder)
        return {path.name: path.read_bytes() for path in sorted((tmp_path / "out").iterdir())}

    one_folder, folder = made(name) / "one", made(name) / "4"
    for kind in ["npy", "safetensors", "webdataset", "kaldi"]:
        assert files(folder, kind) == files(one_folder, kind), kind
    assert files(folder, "npy", "--split", "test") == files(one_folder, "npy", "--split", "test")
    found, expected = files(folder, "lhotse"), files(one_folder, "lhotse")
    cuts, one = (gzip.decompress(each.pop("cuts.jsonl.gz")).decode() for each in (found, expected))
    assert str(folder / NAME) in cuts and cuts.replace(str(folder / NAME), str(one_folder / NAME)) == one
    assert found == expected


def test_a_zarr_reference_is_to_one_file(veery, small, tmp_path):
    result = veery("export", small / NAME, "--to", "zarr", "-o", tmp_path / "zarr", status=1)
    assert "expected one feature file, found a set: export its files one at a time" in result.stderr
    assert not (tmp_path / "zarr").exists()
    veery("export", small / "f-00002-of-00004.h5", "--to", "zarr", "-o", tmp_path / "zarr")


# ------------------------------------------------------------------------------------------------- files that are not right

COMMANDS = [["inspect"], ["inspect", "--json"], ["inspect", "--verify"], ["inspect", "--html", "r.html"],
            ["render", "--clip", "2", "-o", "p.png"], ["render", "--sheet", "-o", "s.png"], ["export", "--to", "npy", "-o", "npy"]]


def fails(veery, folder, words, commands=COMMANDS):
    for command in commands:
        result = veery(command[0], NAME, *command[1:], folder=folder, status=1)
        assert words in result.stderr + result.stdout, command
        assert not any((folder / name).exists() for name in ("r.html", "p.png", "s.png", "npy"))


def test_a_lost_file_is_named(veery, small):
    (small / "f-00003-of-00004.h5").unlink()
    fails(veery, small, f"f-00003-of-00004.h5: the file is missing: {NAME} names it as one of its set")


def test_a_file_that_is_cut_off_is_named(veery, small):
    name = "f-00004-of-00004.h5"
    length = (small / name).stat().st_size
    os.truncate(small / name, length - 1)
    fails(veery, small, f"{name}: the file is not the one that {NAME} names: expected {length} bytes, found {length - 1}", COMMANDS[:2])


def test_files_of_another_run_are_named(veery, small, made, recordings, tmp_path):
    veery("extract", recordings / "m.csv", "-o", tmp_path / "f.h5", "--files", 4, "--set", "transform.bins=81", "--max-failures", 3)
    other = tmp_path / "f-00003-of-00004.h5"
    shutil.copy(other, small / other.name)
    fails(veery, small, f"{other.name}: the file is not the one that {NAME} names: expected ", COMMANDS[:1])
    # Though the index says that it is.
    text = json.loads((small / NAME).read_text())
    text["files"][2] = json.loads((tmp_path / NAME).read_text())["files"][2]
    (small / NAME).write_text(json.dumps(text))
    fails(veery, small, f"{other.name}: the file is not the one that {NAME} names: it has another configuration", COMMANDS[:1])


def test_damage_is_found_with_the_name_of_its_file(veery, small):
    name = "f-00003-of-00004.h5"
    with h5py.File(small / name) as file:
        offset, identifier = file["features"].id.get_offset(), file["clips/id"][0].decode()
    with open(small / name, "r+b") as file:
        file.seek(offset + 8)
        byte = file.read(1)[0]
        file.seek(offset + 8)
        file.write(bytes([byte ^ 1]))
    result = veery("inspect", NAME, "--verify", folder=small, status=1)
    assert f"clip '{identifier}': {name}: the rows have the checksum" in result.stdout
    report = json.loads(veery("inspect", NAME, "--verify", "--json", folder=small, status=1).stdout)
    validate(report, "inspect")
    assert not report["sound"] and [finding["clip"] for finding in report["findings"]] == [identifier]


def test_other_json_is_not_a_set(veery, small, tmp_path):
    (tmp_path / "c.json").write_text('{"version": 1}')
    result = veery("inspect", tmp_path / "c.json", status=1)
    assert 'expected the index of a set of feature files, which \'veery extract\' writes for several files, found JSON without "format"' in (
        result.stderr)
    (tmp_path / "m.jsonl").write_text('{"path": "a.wav"}\n')
    assert "this is a manifest by its name" in veery("inspect", tmp_path / "m.jsonl", status=1).stderr


def test_the_index_is_suggested(veery, small):
    for command in (["inspect", "f.h5"], ["render", "f.h5", "--clip", "2", "-o", "p.png"], ["render", "f.h5", "--sheet", "-o", "p.png"],
                    ["export", "f.h5", "--to", "npy", "-o", "npy"], ["extract", "m.csv", "-o", "g.h5", "--stats-from", "f.h5"]):
        assert f"f.h5: there is no such file, but the index of a set of feature files: give {NAME}" in veery(
            *command, folder=small, status=(1, 64)).stderr, command
    assert f"'veery inspect {NAME}' summarises it" in veery(NAME, folder=small, status=64).stderr
    shutil.copy(small / NAME, small / "plain")
    assert "is the index of a set" in veery("extract", "m.csv", "-o", "plain", folder=small, status=64).stderr


def test_completion_reads_a_set(veery, small):
    # The words so far, the one that is completed last.
    script = veery("--generate-completion-script", "bash").stdout
    assert "json" in script
