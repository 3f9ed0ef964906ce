"""The folder of the recordings in a feature file: where it is written, what it says, and who finds recordings by it."""

import os
import shutil
import subprocess
import sys

import h5py
import numpy as np
import pytest
import soundfile
import xxhash

RATE = 16000
PLAIN = ("--set", "normalize.scope=none")


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    """Three recordings in `project/audio`, their manifest in `project/lists`, and a folder `project/out`."""
    project = tmp_path_factory.mktemp("root") / "project"
    for name in ("audio/deep", "lists", "out"):
        (project / name).mkdir(parents=True)
    for number, name in enumerate(("a", "b", "deep/c")):
        noise = np.random.default_rng(number).uniform(-0.5, 0.5, RATE).astype(np.float32)
        soundfile.write(project / f"audio/{name}.wav", noise, RATE)
    (project / "lists/m.csv").write_text("path,label\na.wav,x\nb.wav,y\ndeep/c.wav,x\n")
    return project


@pytest.fixture
def project(dataset, tmp_path):
    shutil.copytree(dataset, tmp_path / "project")
    return tmp_path / "project"


def root(path):
    """The attribute, compared with its checksum by `inspect --verify` elsewhere; None: there is none."""
    with h5py.File(path) as file:
        found = file["provenance"].attrs.get("root")
        assert (found is None) == ("root_xxh3" not in file["provenance"].attrs)
        return found


def extract(veery, folder, output, *options, manifest="lists/m.csv", audio="audio"):
    veery("extract", manifest, "-o", output, "--root", audio, "--quiet", *options, folder=folder)


# ------------------------------------------------------------------------------------------------------------- what it says


@pytest.mark.parametrize("output, expected", [
    ("out/f.h5", "../audio"), ("f.h5", "audio"), ("audio/f.h5", "."), ("audio/deep/f.h5", ".."), ("lists/f.h5", "../audio")])
def test_it_is_the_way_from_the_files_folder_to_that_of_the_recordings(veery, project, output, expected):
    extract(veery, project, output)
    assert root(project / output) == expected
    # Wherever the command is started, and however the folders are named.
    first = (project / output).read_bytes()
    (project / output).unlink()
    extract(veery, project / "out", project / output, manifest="../lists/../lists/m.csv", audio=project / "audio/deep/..")
    assert (project / output).read_bytes() == first


def test_by_default_it_is_the_manifests_folder(veery, project):
    shutil.copy(project / "lists/m.csv", project / "audio/m.csv")
    veery("extract", "audio/m.csv", "-o", "out/f.h5", "--quiet", folder=project)
    assert root(project / "out/f.h5") == "../audio"
    veery("extract", "audio", "-o", "out/folder.h5", "--quiet", folder=project)
    assert root(project / "out/folder.h5") == "../audio"


def test_links_count_as_what_they_lead_to(veery, project):
    (project / "linked").symlink_to("audio/deep")
    (project / "elsewhere").mkdir()
    (project / "results").symlink_to("elsewhere")
    (project / "lists/c.csv").write_text("path\nc.wav\n")
    extract(veery, project, "results/f.h5", manifest="lists/c.csv", audio="linked")
    assert root(project / "elsewhere/f.h5") == "../audio/deep"
    # The file itself is a link: its recordings are seen from where it is.
    (project / "out/link.h5").symlink_to("../elsewhere/f.h5")
    veery("render", project / "out/link.h5", "--clip", "c", "--waveform", "-o", project / "p.png")


def test_a_stream_and_a_live_recording_have_none(veery, program, project):
    subprocess.run(["tar", "-C", project / "audio", "-cf", project / "a.tar", "a.wav", "b.wav"], check=True)
    veery("extract", "--tar", "a.tar", "-o", "out/tar.h5", "--quiet", folder=project)
    assert root(project / "out/tar.h5") is None
    sound = (np.random.default_rng(1).uniform(-0.5, 0.5, RATE) * 32767).astype("<i2").tobytes()
    subprocess.run([program, "live", "--rate", str(RATE), "--record", "out/live.h5"], cwd=project, input=sound,
                   stdout=subprocess.DEVNULL, check=True, timeout=60)
    assert root(project / "out/live.h5") is None


# -------------------------------------------------------------------------------------------------- every way to write a file


def test_equal_inputs_at_equal_relative_places_give_equal_bytes(veery, project, tmp_path):
    other = tmp_path / "another place/of another depth"
    shutil.copytree(project, other)
    for folder in (project, other):
        extract(veery, folder, "out/f.h5")
    first = (project / "out/f.h5").read_bytes()
    assert first == (other / "out/f.h5").read_bytes()
    extract(veery, project, "f.h5")
    with h5py.File(project / "f.h5") as near, h5py.File(project / "out/f.h5") as far:
        # The metadata are the same, wherever the recordings are.
        assert near.attrs["metadata_xxh3"] == far.attrs["metadata_xxh3"] and root(project / "f.h5") != root(project / "out/f.h5")


def test_shards_and_sets_have_that_of_the_command_that_writes_the_file(veery, project):
    extract(veery, project, "out/one.h5", *PLAIN)
    for part in (1, 2):
        extract(veery, project, "out/f.h5", *PLAIN, "--shard", f"{part}/2")
    extract(veery, project, "out/f.h5", *PLAIN)
    assert (project / "out/f.h5").read_bytes() == (project / "out/one.h5").read_bytes()
    extract(veery, project, "out/set.h5", *PLAIN, "--files", 2)
    names = sorted((project / "out").glob("set-*.h5"))
    assert len(names) == 2 and {root(name) for name in names} == {"../audio"}
    veery("render", "set.index.json", "--clip", "deep/c", "--waveform", "-o", "p.png", folder=project / "out")


@pytest.mark.parametrize("way", ["--append", "--sync"])
def test_an_update_has_that_of_the_new_run(veery, project, way):
    (project / "lists/two.csv").write_text("path,label\na.wav,x\nb.wav,y\n")
    extract(veery, project, "out/f.h5", *PLAIN, manifest="lists/two.csv")
    (project / "audio").rename(project / "moved")
    extract(veery, project, "out/f.h5", *PLAIN, way, audio="moved")
    assert root(project / "out/f.h5") == "../moved"
    extract(veery, project, "out/fresh.h5", *PLAIN, audio="moved")
    assert (project / "out/f.h5").read_bytes() == (project / "out/fresh.h5").read_bytes()


def test_it_does_not_decide_what_is_up_to_date(veery, project):
    extract(veery, project, "out/f.h5")
    first = (project / "out/f.h5").read_bytes()
    (project / "audio").rename(project / "moved")
    result = veery("extract", "lists/m.csv", "-o", "out/f.h5", "--root", "moved", folder=project)
    assert "up to date" in result.stdout + result.stderr and (project / "out/f.h5").read_bytes() == first


# -------------------------------------------------------------------------------------------------------- who finds by it


def test_recordings_are_found_from_any_folder_and_after_moving_both(veery, project, tmp_path):
    extract(veery, project, "out/f.h5")
    veery("render", project / "out/f.h5", "--clip", "a", "--waveform", "-o", "p.png", folder=tmp_path)
    project.rename(tmp_path / "moved project")
    file = tmp_path / "moved project/out/f.h5"
    veery("render", file, "--clip", "deep/c", "--waveform", "-o", "q.png", folder=tmp_path)
    page = tmp_path / "p.html"
    veery("inspect", file, "--html", page, folder=tmp_path)
    assert "could not be read" not in page.read_text()
    assert veery("inspect", file).stdout.count("start from ../audio") == 1
    assert '"root" : "../audio"' in veery("inspect", file, "--json").stdout

    # The file alone was moved: it says so, and --root overrides it.
    shutil.move(file, tmp_path / "f.h5")
    result = veery("render", "f.h5", "--clip", "a", "--waveform", "-o", "r.png", status=1, folder=tmp_path)
    assert "--root" in result.stderr and "a.wav" in result.stderr
    veery("render", "f.h5", "--clip", "a", "--waveform", "--root", "moved project/audio", "-o", "r.png", folder=tmp_path)
    assert (tmp_path / "r.png").exists()


def test_a_file_without_it_is_read_as_before(veery, project):
    extract(veery, project, "audio/f.h5")
    with h5py.File(project / "audio/f.h5", "r+") as file:
        del file["provenance"].attrs["root"], file["provenance"].attrs["root_xxh3"]
    assert "complete and consistent" in veery("inspect", "f.h5", "--verify", folder=project / "audio").stdout
    veery("render", "audio/f.h5", "--clip", "a", "--waveform", "-o", "p.png", folder=project)
    assert "start from" not in veery("inspect", "audio/f.h5", folder=project).stdout


@pytest.mark.parametrize("change", ["another", "no checksum", "no root"])
def test_one_that_is_not_what_was_written_is_found_and_not_used(veery, project, change):
    extract(veery, project, "out/f.h5")
    os.symlink(project / "audio", project / "audjo")
    with h5py.File(project / "out/f.h5", "r+") as file:
        attributes = file["provenance"].attrs
        if change == "another":
            attributes.modify("root", "../audjo")
        else:
            del attributes["root_xxh3" if change == "no checksum" else "root"]
    assert "root" in veery("inspect", "out/f.h5", "--verify", status=1, folder=project).stdout
    result = veery("render", "out/f.h5", "--clip", "a", "--waveform", "-o", "p.png", status=1, folder=project)
    assert "/provenance" in result.stderr and not (project / "p.png").exists()
    # The features are as they were.
    veery("render", "out/f.h5", "--clip", "a", "-o", "p.png", folder=project)
    veery("render", "out/f.h5", "--clip", "a", "--waveform", "--root", "audio", "-o", "p.png", folder=project)


# ------------------------------------------------------------------------------------------------ where it is hard to say


def test_a_folder_that_is_not_there_is_where_its_path_leads(veery, project):
    """A disk that is not mounted, when clips are dropped: the file goes on naming the folder that the run named."""
    extract(veery, project, "out/f.h5", *PLAIN)
    (project / "lists/two.csv").write_text("path,label\na.wav,x\nb.wav,y\n")
    (project / "audio").rename(project / "elsewhere")
    veery("extract", "lists/two.csv", "-o", "out/f.h5", "--root", "audio", "--sync", folder=project)
    assert root(project / "out/f.h5") == "../audio"
    veery("extract", "lists/two.csv", "-o", "out/f.h5", "--root", project / "not/there", "--sync", folder=project)
    (project / "elsewhere").rename(project / "audio")
    veery("render", "out/f.h5", "--clip", "a", "--waveform", "-o", "p.png", folder=project)


def test_older_clips_whose_recordings_are_elsewhere_are_announced(veery, project):
    (project / "more").mkdir()
    shutil.copy(project / "audio/a.wav", project / "more/d.wav")
    (project / "lists/more.csv").write_text("path,label\na.wav,x\nb.wav,y\ndeep/c.wav,x\nd.wav,x\n")
    extract(veery, project, "f.h5", *PLAIN)
    text = veery(
        "extract", "lists/more.csv", "-o", "f.h5", "--root", "more", "--append", *PLAIN, folder=project).stderr
    assert "kept unchecked" in text and "in the folder more, and not in audio, as before" in text, text
    # Where they are found, there is nothing to say.
    extract(veery, project, "g.h5", *PLAIN)
    shutil.copy(project / "audio/a.wav", project / "audio/d.wav")
    text = veery(
        "extract", "lists/more.csv", "-o", "g.h5", "--root", "audio", "--append", *PLAIN, folder=project).stderr
    assert "as before" not in text, text


@pytest.mark.skipif(sys.platform == "darwin", reason="names of files are UTF-8 there")
def test_a_folder_whose_name_is_not_utf8_is_named_in_no_file(veery, project):
    inside = os.fsencode(project) + b"/bad\xff"
    shutil.copytree(project / "audio", os.fsdecode(inside + b"/audio"))
    shutil.copy(project / "lists/m.csv", os.fsdecode(inside + b"/audio/m.csv"))
    (project / "x").mkdir()
    text = veery("extract", "audio/m.csv", "-o", project / "x/out.h5", *PLAIN, folder=os.fsdecode(inside)).stderr
    assert root(project / "x/out.h5") is None and "is not UTF-8" in text, text


def test_paths_of_recordings_mean_what_they_mean_to_the_system(veery, project):
    """`link/../x.wav` is next to what the link leads to, and `~` is a name."""
    (project / "audio/link").symlink_to("deep", target_is_directory=True)
    (project / "audio/~").mkdir()
    shutil.copy(project / "audio/b.wav", project / "audio/~/t.wav")
    (project / "real/sub").mkdir(parents=True)
    (project / "audio/way").symlink_to(project / "real/sub", target_is_directory=True)
    shutil.copy(project / "audio/b.wav", project / "real/x.wav")
    (project / "lists/odd.csv").write_text("id,path\none,~/t.wav\ntwo,way/../x.wav\n")
    extract(veery, project, "out/f.h5", *PLAIN, manifest="lists/odd.csv")
    for clip in ("one", "two"):
        result = veery("render", "out/f.h5", "--clip", clip, "--waveform", "-o", f"{clip}.png", folder=project)
        assert "samples are not those" not in result.stderr


def test_a_waveform_of_another_recording_is_announced(veery, project):
    extract(veery, project, "out/f.h5", *PLAIN)
    for clip in ("a", "b", "deep/c"):
        result = veery("render", "out/f.h5", "--clip", clip, "--waveform", "-o", "p.png", folder=project)
        assert result.stderr == "" or "samples" not in result.stderr
    shutil.copy(project / "audio/b.wav", project / "audio/a.wav")
    text = veery("render", "out/f.h5", "--clip", "a", "--waveform", "-o", "p.png", folder=project).stderr
    assert "its samples are not those that the features of 'a' were computed of" in text


def test_a_waveform_of_a_part_is_of_the_samples_that_were_extracted(veery, project):
    rows = "".join(f"a.wav,part{n},{n * 0.0123457:.7f},{n * 0.0123457 + 0.3333333:.7f}\n" for n in range(20))
    (project / "lists/parts.csv").write_text("path,id,start,end\n" + rows)
    extract(veery, project, "out/f.h5", *PLAIN, manifest="lists/parts.csv")
    for n in range(20):
        result = veery("render", "out/f.h5", "--clip", f"part{n}", "--waveform", "-o", "p.png", folder=project)
        assert "samples" not in result.stderr, n


def test_one_that_is_absolute_is_damage_even_with_its_checksum(veery, project):
    extract(veery, project, "out/f.h5")
    with h5py.File(project / "out/f.h5", "r+") as file:
        attributes = file["provenance"].attrs
        attributes.modify("root", "/etc")
        attributes.modify("root_xxh3", xxhash.xxh3_128_hexdigest(b"/etc"))
    result = veery("inspect", "out/f.h5", "--verify", folder=project, status=1)
    assert "no relative path" in result.stdout, result.stdout + result.stderr
    assert "no relative path" in veery(
        "render", "out/f.h5", "--clip", "a", "--waveform", "-o", "p.png", folder=project, status=1).stderr


def test_a_recording_with_an_absolute_path_is_not_sought_in_other_folders(veery, project):
    (project / "lists/abs.csv").write_text(f"id,path\none,{project}/audio/a.wav\n")
    extract(veery, project, "out/f.h5", *PLAIN, manifest="lists/abs.csv")
    (project / "audio/a.wav").rename(project / "a.wav")
    drawing = ("render", "out/f.h5", "--clip", "one", "--waveform", "-o", "p.png")
    for more in ((), ("--root", "audio")):
        text = veery(*drawing, *more, folder=project, status=1).stderr
        assert "its path is absolute, so --root cannot find it: put it back there" in text, text
    (project / "a.wav").rename(project / "audio/a.wav")
    veery(*drawing, folder=project)
