"""The package and files that are replaced, moved or cut off while they are read; the end of Python."""

import multiprocessing
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest

import veery as package
from conftest import noise, write_manifest, write_wav
from veery import _identity

SETTINGS = {"f": {}, "z": {"store.compression": "deflate"}, "x": {"store.layout": "fixed", "audio.duration": 1}}


def recordings(folder, seed):
    rows = []
    for number in range(6):
        write_wav(folder / f"{number}.wav", 16000, 0.1 * noise(seed + number, 8000 + 900 * number))
        rows.append({"path": f"{number}.wav", "label": "ab"[number % 2], "split": ("train", "test")[number % 2],
                     "labels": "a|b", "speaker": f"s{number}"})
    (folder / "0.txt").write_text("0.1\t0.3\tsong\n")
    write_manifest(folder / "m.csv", rows)


@pytest.fixture(scope="module")
def made(program, tmp_path_factory):
    """Two folders with the same names, lengths and labels, of other sounds: files of equal size."""
    folders = [tmp_path_factory.mktemp(name) for name in ("one", "other")]
    for seed, folder in enumerate(folders):
        recordings(folder, 100 * seed)
        for name, settings in SETTINGS.items():
            package.extract(folder / "m.csv", folder / f"{name}.h5", settings={**settings, "normalize.scope": "none"},
                            frame_labels=folder / "0.txt")
        package.extract(folder / "m.csv", folder / "set.h5", files=2, settings={"normalize.scope": "none"})
    return folders


def replace(path, by, moved):
    """Replaces the contents of a file by others of its size and times; `moved`: in another file, else in the same inode."""
    status = path.stat()
    if moved:
        shutil.copy(by, path.with_suffix(".new"))
        os.utime(path.with_suffix(".new"), ns=(status.st_atime_ns, status.st_mtime_ns))
        path.with_suffix(".new").replace(path)
    else:
        path.write_bytes(by.read_bytes())
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        # Kernels before 6.13 count the time of a change in steps of up to 10 ms.
        while path.stat().st_ctime_ns == status.st_ctime_ns:
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (status.st_size, status.st_mtime_ns)
    assert (path.stat().st_ino != status.st_ino) == moved


READS = {
    "features": lambda file: file[0].features, "id": lambda file: file[0].id, "select": lambda file: file.select("train"),
    "statistics": lambda file: file.statistics, "frame labels": lambda file: file[0].frame_labels,
    "batches": lambda file: next(package.batches(file, 2)), "failures": lambda file: file.failures,
}


@pytest.mark.parametrize("moved", [True, False], ids=["another inode", "the same inode"])
@pytest.mark.parametrize("name", ["f.h5", "x.h5"])
def test_a_file_of_equal_size_and_time_in_its_place_is_refused(made, tmp_path, name, moved):
    path, other = tmp_path / name, made[1] / name
    for read in READS.values():
        shutil.copy(made[0] / name, path)
        opened = package.open(path)
        replace(path, other, moved)
        with pytest.raises(package.FeatureFileError, match="was replaced after it was opened: open it again"):
            read(opened)
        assert not np.array_equal(package.open(path)[0].features, package.open(made[0] / name)[0].features)


@pytest.mark.parametrize("moved", [True, False], ids=["another inode", "the same inode"])
def test_a_copy_of_a_reader_refuses_another_file_too(made, tmp_path, moved):
    path = tmp_path / "f.h5"
    shutil.copy(made[0] / "f.h5", path)
    opened = package.open(path)
    packed = [pickle.dumps(value) for value in (opened, opened.select("train"), opened[0])]
    forked = multiprocessing.get_context("fork").Pool(1, initializer=keep, initargs=(opened,))
    replace(path, made[1] / "f.h5", moved)
    for value in packed:
        with pytest.raises(package.FeatureFileError, match="replaced after it was opened"):
            pickle.loads(value)
    with forked:
        assert "replaced after it was opened" in forked.apply(read_kept)


KEPT = None


def keep(opened):
    global KEPT
    KEPT = opened


def read_kept():
    try:
        return str(KEPT[0].features.shape)
    except package.FeatureFileError as error:
        return str(error)


@pytest.mark.parametrize("part", ["set.index.json", "set-00002-of-00002.h5"])
def test_a_set_of_which_one_file_is_replaced_is_refused(made, tmp_path, part):
    for path in made[0].glob("set*"):
        shutil.copy2(path, tmp_path)
    opened = package.open(tmp_path / "set.index.json")
    packed = pickle.dumps(opened)
    assert len(pickle.loads(packed)) == 6
    replace(tmp_path / part, tmp_path / part, moved=True)  # the same bytes in another file
    with pytest.raises(package.FeatureFileError, match="replaced"):
        pickle.loads(packed)
    if part.endswith(".h5"):
        with pytest.raises(package.FeatureFileError, match="replaced"):
            opened.ids


def test_rows_that_are_changed_in_place_are_noticed_by_the_time(made, tmp_path):
    """The checksum of the metadata does not contain them."""
    path = tmp_path / "f.h5"
    shutil.copy(made[0] / "f.h5", path)
    opened = package.open(path)
    with h5py.File(path) as stored:
        start = stored["features"].id.get_offset()
    with path.open("r+b") as file:
        file.seek(start)
        file.write(b"\1\2\3\4")
    os.utime(path, ns=(0, path.stat().st_mtime_ns + 1_000_000))
    with pytest.raises(package.FeatureFileError, match="replaced after it was opened"):
        opened[0].features


def test_an_index_that_is_rewritten_in_place_is_refused(made, tmp_path):
    for path in made[0].glob("set*"):
        shutil.copy2(path, tmp_path)
    packed = pickle.dumps(package.open(tmp_path / "set.index.json"))
    replace(tmp_path / "set.index.json", made[1] / "set.index.json", moved=False)
    with pytest.raises(package.FeatureFileError, match="set was replaced after it was opened"):
        pickle.loads(packed)


def test_a_change_that_leaves_the_content_alone_is_not_a_replacement(made, tmp_path):
    path = tmp_path / "f.h5"
    shutil.copy(made[0] / "f.h5", path)
    opened = package.open(path)
    packed = pickle.dumps(opened)
    path.chmod(0o600)
    os.link(path, tmp_path / "second.h5")
    path.rename(tmp_path / "away.h5")
    (tmp_path / "away.h5").rename(path)
    wanted = package.open(made[0] / "f.h5")[2].features
    assert np.array_equal(opened[2].features, wanted) and np.array_equal(pickle.loads(packed)[2].features, wanted)


def test_a_reader_may_be_unpickled_where_inodes_have_other_numbers(made, tmp_path, monkeypatch):
    """On another machine of a cluster, size, time and checksum tell; so they do on file systems that number files anew."""
    path = tmp_path / "f.h5"
    shutil.copy(made[0] / "f.h5", path)
    opened = package.open(path)
    packed = pickle.dumps(opened)
    replace(path, path, moved=True)
    wanted = package.open(path)[0].features
    monkeypatch.setattr(_identity, "view", lambda: "another machine")
    assert np.array_equal(pickle.loads(packed)[0].features, wanted)
    monkeypatch.undo()
    monkeypatch.setattr(_identity, "is_numbered_anew", lambda device: True)
    assert np.array_equal(opened[0].features, wanted)
    replace(path, made[1] / "f.h5", moved=True)
    for read in (lambda: opened.ids, lambda: pickle.loads(packed)):
        with pytest.raises(package.FeatureFileError, match="replaced after it was opened"):
            read()


def test_file_systems_that_number_files_anew_are_known(tmp_path, monkeypatch):
    if not Path("/proc/self/mountinfo").exists():
        pytest.skip("no /proc/self/mountinfo, so no file system is known")
    assert not _identity.is_numbered_anew(os.stat("/proc").st_dev) and not _identity.is_numbered_anew(os.makedev(4000, 1))
    lines = "36 35 98:0 / /a rw shared:1 - ext4 /dev/sda rw\n37 35 0:61 / /b rw - fuse.sshfs host: rw\n" \
        "38 35 0:62 / /c rw - cifs x rw\n"
    (tmp_path / "mountinfo").write_text(lines)
    real = open
    monkeypatch.setattr("builtins.open", lambda path, *rest, **options: real(
        tmp_path / "mountinfo" if path == "/proc/self/mountinfo" else path, *rest, **options))
    assert [_identity.is_numbered_anew(os.makedev(*device)) for device in [(98, 0), (0, 61), (0, 62)]] == [False, True, True]


# ------------------------------------------------------------------------------------------------------------ cut off


def outcome(read):
    """The file that the error names; "read": there is none."""
    try:
        read()
        return "read"
    except package.FeatureFileError as error:
        return "cut.h5" if "cut.h5" in str(error) else str(error)


def every_way(path):
    """All that reads a file, each by itself."""
    def all_of(file):
        for clip in file:
            clip.features.sum(), clip.raw().features, clip.id, clip.labels, clip.extra, clip.frame_labels, clip.statistics

    return [
        lambda: package.open(path), lambda: package.open(path).select(split="train", label="a"),
        lambda: all_of(package.open(path)),
        lambda: list(package.batches(path, 3, all_labels=True)), lambda: package.open(path).failures,
        lambda: package.open(path).to_xarray().load(), lambda: package.open(path).to_pandas(),
        lambda: package.open(path)._repr_html_(), lambda: package.open(path).software, lambda: package.open(path).plan()]


@pytest.mark.parametrize("name", SETTINGS)
def test_a_file_that_is_cut_off_is_a_feature_file_error_however_it_is_read(made, tmp_path, name):
    pytest.importorskip("xarray")
    pytest.importorskip("pandas")
    whole = (made[0] / f"{name}.h5").read_bytes()
    lengths = {0, 1, 8, 50, 96, 2000, 2048, 4096, len(whole) // 2, len(whole) - 1}
    lengths |= set(range(len(whole) - 30_000, len(whole), 7_001))
    for length in sorted(lengths):
        for end in {len(whole), length}:  # what the superblock says is the end
            cut = bytearray(whole[:length])
            cut[40:48] = end.to_bytes(8, "little")[:max(min(8, length - 40), 0)]
            # HDF5 takes another file of the same name for the one that is open.
            path = tmp_path / f"{length}-{end}/cut.h5"
            path.parent.mkdir()
            path.write_bytes(cut)
            outcomes = [outcome(read) for read in every_way(path)]
            # If the superblock does not show the cut, what needs none of the lost bytes is read.
            expected = {"cut.h5", "read"} if end == length else {"cut.h5"}
            assert "cut.h5" in outcomes and set(outcomes) <= expected, (length, end, outcomes)
    path.write_bytes(b"")
    with pytest.raises(package.FeatureFileError, match="cut.h5: expected a feature file of Veery, found an empty file"):
        package.open(path)


CUT = """
import os, sys, veery
path, length, touch = sys.argv[1], int(sys.argv[2]), sys.argv[3]
file = veery.open(path)
if touch == "map":
    file[0].features, file.ids, file[0].frame_labels
os.truncate(path, length)
for read in (lambda: file[5].features.sum(), lambda: file[5].frame_labels.sum(), lambda: file[3].raw().features.sum(),
             lambda: file.column("speaker"), lambda: list(file.batches(2)), lambda: veery.open(path)):
    try:
        read()
        print("read")
    except veery.FeatureFileError as error:
        assert path in str(error)
        print("refused")
"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("touch", ["map", "open"])
@pytest.mark.parametrize("name", SETTINGS)
def test_a_file_that_is_cut_off_while_it_is_open_kills_no_process(made, tmp_path, name, touch):
    whole, path = (made[0] / f"{name}.h5").read_bytes(), tmp_path / "cut.h5"
    with h5py.File(made[0] / f"{name}.h5") as stored:
        start = stored["features"].id.get_offset() or 3000
    for length in (0, 96, start + 5000, len(whole) // 2):
        path.write_bytes(whole)
        result = subprocess.run(
            [sys.executable, "-c", CUT, path, str(length), touch], capture_output=True, text=True)
        assert result.returncode == 0 and not result.stderr, (length, result)
        assert "refused" in result.stdout and result.stdout.split()[-1] == "refused"
        if touch == "open":
            assert "read" not in result.stdout.split()


def test_errors_of_the_system_are_passed_on(made, tmp_path, monkeypatch):
    path = tmp_path / "f.h5"
    shutil.copy(made[0] / "f.h5", path)
    opened = package.open(path)

    def fails(*arguments, **options):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(h5py, "File", fails)
    with pytest.raises(OSError, match="f.h5") as error:
        opened.ids
    assert error.value.errno == 5 and not isinstance(error.value, ValueError)


# ------------------------------------------------------------------------------------------------- the end of Python

END = """
import ctypes, sys
import numpy as np
import veery

if {kept}:
    # A module that something outside Python refers to, as an extension may, outlives those that it uses.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(sys.modules["__main__"]))
plan = veery.FeaturePlan("whisper")
other = veery.FeaturePlan("log-mel", normalize=False)
stream = plan.stream()
stream.push(np.zeros(999, np.float32))
files = [veery.open(path) for path in sys.argv[1:]]
clips = [file[0] for file in files]
rows = [clip.features for clip in clips]
batches = [veery.batches(file, 2) for file in files]
first = [next(batch) for batch in batches]
own = files[0].plan()
print("done")
"""


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("first", ["", "import multiprocessing", "import torch"])
def test_python_ends_silently(made, library, kept, first):
    """Plans, streams, files, clips and batches that are there at the end."""
    if "torch" in first:
        pytest.importorskip("torch")
    paths = [made[0] / name for name in ("f.h5", "z.h5", "x.h5", "set.index.json")]
    code = f"{first}\n{END.format(kept=kept)}"
    result = subprocess.run([sys.executable, "-X", "dev", "-W", "ignore", "-c", code, *paths], capture_output=True, text=True)
    assert (result.returncode, result.stdout, result.stderr) == (0, "done\n", "")


def test_plans_and_streams_are_freed_when_nothing_refers_to_them(library, monkeypatch):
    from veery import _library, plan

    freed = []
    found = _library.library()
    for kind in ("plan", "stream"):
        real = getattr(found, f"{kind}_destroy")
        monkeypatch.setattr(found, f"{kind}_destroy", lambda handle, real=real, kind=kind: (freed.append(kind), real(handle)))
    made = plan.FeaturePlan("whisper")
    stream = made.stream()
    del made
    assert freed == []
    del stream
    assert sorted(freed) == ["plan", "stream"]
    with pytest.raises(plan.FeatureError, match="statistics"):
        plan.FeaturePlan("log-mel")  # made, and then refused
    plan.FeaturePlan("log-mel", normalize=False)  # in place of another one
    assert sorted(freed) == ["plan"] * 4 + ["stream"]


def test_the_end_of_python_frees_no_plan_that_a_thread_may_compute_with(library):
    code = """
from veery import _library
from veery.plan import FeaturePlan
found = _library.library()
found.plan_destroy = found.stream_destroy = lambda handle: print("freed")
plan = FeaturePlan("whisper")
stream = plan.stream()
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_a_text_that_memory_runs_out_for_between_two_calls_is_a_memory_error(library, monkeypatch):
    """The first call gives the length, the second one the text."""
    from veery import _library

    found = _library.library()
    for name in ("library_versions", "plan_warnings"):
        monkeypatch.setitem(found._texts, name, lambda text, capacity: 0 if text else 9)
        with pytest.raises(MemoryError, match="memory runs out"):
            found.text(name)


def test_no_class_has_a_finalizer_of_its_own():
    """`__del__` runs at the end of Python, too, when the modules that it uses may be emptied."""
    sources = Path(package.__file__).parent.glob("*.py")
    assert not [path.name for path in sources if "def __del__" in path.read_text()]
