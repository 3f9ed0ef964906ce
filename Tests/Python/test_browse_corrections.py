"""Corrections that pages send to the server of `veery browse`: the file that they become, other writers of it, failures."""

import csv
import datetime
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import h5py
import pytest
from browsing import Server, starting
from recordings import noise, write_manifest, write_wav

sys.path.insert(0, str(Path(__file__).parents[1] / "Benchmarks"))
import preload  # noqa: E402

RATE = 8000
MEL = ["--preset", "log-mel", "--set", f"audio.sample_rate={RATE}", "--set", "transform.high=4000", "--set", "transform.bins=8"]
COLUMNS = ["id", "path", "start", "end", "audio_xxh3", "action", "label", "note", "given", "by"]
HOSTILE = "<b>\"a\"</b>, 'b'; =1+2\t\N{BIRD}\u2028"


@pytest.fixture(scope="module")
def made(tmp_path_factory, veery):
    folder = tmp_path_factory.mktemp("made")
    for number, name in enumerate("abcd"):
        write_wav(folder / f"{name}.wav", RATE, noise(number, RATE))
    (folder / "m.csv").write_text(
        "path,id,label,split,start,end\n" + "".join(f"{name}.wav,{name},{label},{split},{part}\n" for name, label, split, part in zip(
            "abcd", "xxyy", ("train", "test") * 2, (",", "0.25,0.75", "0.5,", ","))) + "gone.wav,gone,x,,,\n")
    veery("extract", folder / "m.csv", "-o", folder / "f.h5", *MEL, status=3)
    return folder


@pytest.fixture
def folder(made, tmp_path):
    return Path(shutil.copytree(made, tmp_path / "data"))


@pytest.fixture
def serve(program):
    with starting(program) as start:
        yield start


def lines(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def said(server, after=0):
    """The lines from a number on, as a page sees them."""
    found = server.json(f"/api/corrections?after={after}")
    return [(line["clip"], line["action"], line["label"], line["note"]) for line in found["lines"]]


EVERY = [
    (0, "relabel", "y"), (1, "exclude"), (1, "include"), (2, "add", "x"), (2, "remove", "x"), (3, "checked"),
    {"clip": 3, "action": "note", "note": HOSTILE}, {"clip": 0, "action": "relabel", "label": HOSTILE, "new": True}, (0, "undo"),
    (0, "relabel", ""), (0, "undo"), (4, "note"), (4, "undo")]


@pytest.mark.parametrize("name", ["f.h5", "m.csv"])
def test_every_action_is_a_line_with_what_was_looked_at(folder, serve, name):
    server = serve(folder / name)
    path = folder / f"{name.split('.')[0]}.corrections.csv"
    assert not path.exists() and server.json("/api/corrections") == {"next": 0, "lines": []}
    before = datetime.datetime.now(datetime.timezone.utc)
    for number, item in enumerate(EVERY):
        answer = server.post(item, by="me & you", after=number)
        assert answer.status == 200 and [line["line"] for line in answer.json["lines"]] == [number], answer.body
    found = lines(path)
    assert list(found[0]) == COLUMNS and len(found) == len(EVERY)
    sums, ids = {}, server.clips()["id"]
    if name == "f.h5":
        with h5py.File(folder / "f.h5") as file:
            sums = dict(zip(file["clips/id"].asstr()[:], file["clips/audio_xxh3"].asstr()[:]))
    for item, line in zip(EVERY, found):
        clip, action, label, note = (
            [item.get(key, "") for key in ("clip", "action", "label", "note")] if isinstance(item, dict) else [*item, "", ""][:4])
        id = ids[clip]
        assert (line["id"], line["path"], line["action"], line["label"], line["note"]) == (id, f"{id}.wav", action, label, note)
        assert line["by"] == "me & you"
        given = datetime.datetime.fromisoformat(line["given"].replace("Z", "+00:00"))
        assert before - datetime.timedelta(seconds=1) <= given <= datetime.datetime.now(datetime.timezone.utc)
        times = {"a": (0, 1), "b": (0.25, 0.75), "c": (0.5, 1), "d": (0, 1)}.get(id)
        if name == "m.csv":
            times = {"b": (0.25, 0.75), "c": (0.5, None)}.get(id, (0, None))
        elif times is None:
            times = (None, None)
        assert tuple(float(line[key]) if line[key] else None for key in ("start", "end")) == times, id
        if id in sums:
            assert line["audio_xxh3"] == sums[id]
        elif id == "gone":
            assert line["audio_xxh3"] == ""
        else:
            stamp = (folder / f"{id}.wav").stat()
            assert line["audio_xxh3"] == f"size:{stamp.st_size};mtime:{stamp.st_mtime_ns}"
    seen = server.json("/api/corrections")
    assert seen["next"] == len(EVERY) and server.json("/api/state")["corrections"] == len(EVERY)
    assert [(line["action"], line["label"], line["note"], line["given"]) for line in seen["lines"]] == [
        (line["action"], line["label"], line["note"], line["given"]) for line in found]
    assert [line["line"] for line in server.json("/api/corrections?after=5")["lines"]] == list(range(5, len(EVERY)))
    for after, count in [(99, 0), (-3, len(EVERY)), ("x", len(EVERY))]:
        assert len(server.json(f"/api/corrections?after={after}")["lines"]) == count
    # A server that is started anew knows them.
    server.end()
    assert serve(folder / name).json("/api/corrections") == seen


def test_other_commands_take_the_file(folder, serve, veery):
    server = serve(folder / "f.h5")
    assert server.post((0, "relabel", "y"), (1, "exclude"), {"clip": 2, "action": "relabel", "label": HOSTILE, "new": True}).status == 200
    given = ["--corrections", folder / "f.corrections.csv"]
    veery("extract", folder / "m.csv", "-o", folder / "g.h5", *MEL, *given, status=3)
    with h5py.File(folder / "g.h5") as file:
        assert list(zip(file["clips/id"].asstr()[:], file["clips/label"].asstr()[:])) == [("a", "y"), ("c", HOSTILE), ("d", "y")]
    veery("split", folder / "m.csv", "-o", folder / "s.csv", "--ratio", "50/50", *given)
    assert {row["id"]: row["label"] for row in lines(folder / "s.csv")} == {"a": "y", "c": HOSTILE, "d": "y", "gone": "x"}
    veery("check", folder / "m.csv", *given, "--mend", folder / "mended.csv", status=(0, 1, 3))
    assert "b" not in [row["id"] for row in lines(folder / "mended.csv")]
    veery("clips", folder / "m.csv", "-o", folder / "w.csv", "--window", "0.25", *given, status=(0, 1, 3))
    # The page that shows the corrected file: there the corrections are as they were.
    assert said(serve(folder / "g.h5", "--labels", folder / "f.corrections.csv"))[0] == (0, "relabel", "y", "")


REFUSED = {
    "unknown clip": ([(0, "checked"), (5, "checked")], "no such clip"), "clip below 0": ([(-1, "checked")], "no such clip"),
    "unknown action": ([(0, "checked"), (0, "burn")], "no correction 'burn'"), "no label": ([(0, "add")], "needs a label"),
    "label that is new": ([(0, "checked"), (0, "relabel", "zebra")], "no label 'zebra'"),
    "label that is new to add": ([(0, "add", "zebra")], "no label 'zebra'"),
    "line end in a label": ([{"clip": 0, "action": "relabel", "label": "a\nb", "new": True}], "line"),
    "carriage return in a note": ([{"clip": 0, "action": "note", "note": "a\rb"}], "line"),
    "zero in a note": ([{"clip": 0, "action": "note", "note": "a\0b"}], "line"),
    "mark of torn lines": ([{"clip": 0, "action": "note", "note": "#torn"}], "line"),
    "too many": ([(0, "checked")] * 2001, "too many"), "none": ([], "too many"),
    "long note": ([{"clip": 0, "action": "note", "note": "a" * 10_001}], "too long"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_all_or_none(folder, serve, name):
    server, (items, words) = serve(folder / "f.h5"), REFUSED[name]
    answer = server.post((1, "checked"), *items) if items else server.post()
    assert answer.status == 400 and words in answer.error, answer.body
    assert not (folder / "f.corrections.csv").exists() or lines(folder / "f.corrections.csv") == []
    assert server.json("/api/corrections")["next"] == 0


def test_bodies_that_are_no_corrections(folder, serve):
    server = serve(folder / "f.h5")
    for body in [
            b"", b"{", b"[]", b"null", b'{"by": "a"}', b'{"by": 1, "corrections": []}', b'{"by": "a", "corrections": [{"clip": "0"}]}',
            b'{"by": "a", "corrections": [{"clip": 1.5, "action": "checked"}]}', b"\xff\xfe", b'{"by": "\xff"}', b"[" * 100_000,
            b'{"by": "a", "corrections": [{"clip": 99999999999999999999, "action": "checked"}]}',
            json.dumps({"by": "a" * 101, "corrections": [{"clip": 0, "action": "checked"}]}).encode()]:
        answer = server.request("POST", "/api/corrections", body)
        assert answer.status == 400 and answer.error.endswith("."), body[:50]
    for target in ("/", "/api/clips", "/api/corrections/1", "/page.js"):
        assert server.request("POST", target, "{}").status in (404, 405), target
    assert not (folder / "f.corrections.csv").exists()
    assert server.post(*[(0, "checked")] * 2000).status == 200


def test_labels_become_known_when_they_are_given(folder, serve):
    server = serve(folder / "f.h5")
    assert server.post((0, "relabel", "zebra")).status == 400
    assert server.post({"clip": 0, "action": "relabel", "label": "zebra", "new": True}).status == 200
    assert server.post((1, "add", "zebra"), (1, "remove", "never")).status == 200
    # Composed and decomposed letters are two labels, as in manifests.
    assert server.post({"clip": 0, "action": "relabel", "label": "\u00e9", "new": True}).status == 200
    assert server.post((0, "relabel", "e\u0301")).status == 400
    for label in (" en ", "en\t", "\u00a0en"):
        assert server.post({"clip": 0, "action": "relabel", "label": label, "new": True}).status == 400


def test_two_pages_see_the_lines_of_each_other(folder, serve):
    server = serve(folder / "f.h5")
    assert server.post((0, "checked"), by="one").json["next"] == 1
    answer = server.post((1, "checked"), by="two", after=0).json
    assert (answer["next"], [(line["line"], line["by"]) for line in answer["lines"]]) == (2, [(0, "one"), (1, "two")])
    answer = server.post((2, "checked"), by="one", after=1).json
    assert (answer["next"], [(line["line"], line["by"]) for line in answer["lines"]]) == (3, [(1, "two"), (2, "one")])
    # Without `after`, and with one that is to come: its own.
    assert [line["line"] for line in server.post((3, "checked")).json["lines"]] == [3]
    assert [line["line"] for line in server.post((3, "checked"), after=99).json["lines"]] == [4]


def test_writers_at_the_same_time_lose_nothing(folder, serve):
    """Two servers of one file, each with two pages."""
    servers = [serve(folder / "f.h5", "--labels", folder / "c.csv") for _ in range(2)]
    statuses = []

    def page(server, by):
        for number in range(15):
            statuses.append(server.post(*[{"clip": number % 5, "action": "note", "note": f"{by} {number} {item}"} for item in range(3)], by=by).status)

    threads = [threading.Thread(target=page, args=(servers[number % 2], str(number))) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [200] * 60
    notes = [line["note"] for line in lines(folder / "c.csv")]
    assert sorted(notes) == sorted(f"{by} {number} {item}" for by in range(4) for number in range(15) for item in range(3))
    # Lines of one request follow one another.
    assert all(notes[first].rsplit(" ", 1)[0] == notes[first + 1].rsplit(" ", 1)[0] for first in range(0, len(notes), 3))
    assert said(servers[0]) == said(servers[1]) and len(said(servers[0])) == 180


def test_an_editor_replaces_the_file(folder, serve):
    server, path = serve(folder / "f.h5"), folder / "f.corrections.csv"
    assert server.post((0, "checked"), (1, "exclude")).status == 200
    before = server.json("/api/state")
    kept = path.read_text("utf-8").splitlines(keepends=True)
    (folder / "new").write_text(kept[0] + kept[2] + kept[2].replace("exclude", "include") + "nobody,,,,,checked,,,,\n", "utf-8")
    (folder / "new").rename(path)
    assert server.json("/api/state")["generation"] != before["generation"]
    assert said(server) == [(1, "exclude", "", ""), (1, "include", "", "")]
    assert server.post((2, "checked"), after=0).json["next"] == 3
    assert [line["id"] for line in lines(path)] == ["b", "b", "nobody", "c"]
    # In place, another text of the same length.
    text = path.read_text("utf-8")
    path.write_text(text.replace("checked", "include"), "utf-8")
    assert said(server)[-1] == (2, "include", "", "")
    # What cannot be read is said, and ends nothing.
    path.write_text("id,action\na,burn\n")
    answer = server.get("/api/corrections")
    assert answer.status == 500 and "f.corrections.csv" in answer.error
    assert server.post((0, "checked")).status == 500 and server.get("/api/clips/0").status == 200
    path.write_text(text, "utf-8")
    assert server.post((0, "checked")).status == 200 and path.read_text("utf-8").startswith(text)
    path.unlink()
    assert server.post((0, "checked")).status == 200 and len(lines(path)) == 1


def test_a_torn_line_is_ended_and_says_nothing(folder, serve, veery):
    path = folder / "f.corrections.csv"
    server = serve(folder / "f.h5")
    assert server.post((0, "checked")).status == 200
    with path.open("a") as file:
        file.write('b,b.wav,0.25,0.75,,relabel,"x')
    assert said(server) == [(0, "checked", "", "")]
    assert server.post((2, "exclude")).status == 200
    assert said(server) == said(serve(folder / "f.h5")) == [(0, "checked", "", ""), (2, "exclude", "", "")]
    assert "#torn" in path.read_text("utf-8").splitlines()[2]
    veery("check", folder / "m.csv", "--corrections", path, status=(0, 1, 3))


def test_a_recording_that_changed_since_it_was_looked_at(folder, serve):
    server = serve(folder / "m.csv")
    assert server.get("/api/clips/0").status == 200
    write_wav(folder / "a.wav", RATE, noise(77, RATE + 5))
    answer = server.post((1, "checked"), (0, "checked"))
    assert answer.status == 409 and "recording of 'a' changed" in answer.error
    assert not (folder / "m.corrections.csv").exists()
    # Of one that was not looked at, nothing is known.
    write_wav(folder / "b.wav", RATE, noise(78, RATE + 5))
    assert server.post((1, "checked")).status == 200
    stamp = (folder / "b.wav").stat()
    assert lines(folder / "m.corrections.csv")[0]["audio_xxh3"] == f"size:{stamp.st_size};mtime:{stamp.st_mtime_ns}"


def test_a_manifest_of_which_a_recording_was_looked_at_again(folder, serve):
    """The advice of the refusal."""
    server = serve(folder / "m.csv")
    server.json("/api/clips/0")
    write_wav(folder / "a.wav", RATE, noise(77, RATE + 5))
    assert server.post((0, "checked")).status == 409
    server.json("/api/clips/0")
    assert server.post((0, "checked")).status == 200


# ------------------------------------------------------------------------------------------------------- failing disks


@pytest.fixture
def nobody(program):
    """A copy of the program that every user may run, and the options by which another user runs it."""
    folder = Path(tempfile.mkdtemp(prefix="veery-browse-"))
    folder.chmod(0o777)
    shutil.copy(program, folder / "program")
    more = {"user": 65534} if os.geteuid() == 0 else {}
    if subprocess.run([folder / "program", "--version"], capture_output=True, **more).returncode != 0:
        pytest.skip("ANOTHER USER CANNOT RUN THE PROGRAM: folders that may not be written to are not tested")
    yield folder, more
    for path in [folder, *folder.iterdir()]:
        path.chmod(0o777)
    shutil.rmtree(folder)


@pytest.mark.parametrize("is_there", [False, True])
def test_where_nothing_may_be_written_one_may_look(made, nobody, serve, is_there):
    base, more = nobody
    folder = Path(shutil.copytree(made, base / "data"))
    if is_there:
        (folder / "f.corrections.csv").write_text(",".join(COLUMNS) + "\na,,,,,checked,,,,\n")
    for path in [*folder.iterdir(), folder]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    server = Server([base / "program", "browse"], folder / "f.h5", **more)
    with server:
        assert server.get("/api/clips/0/sound.wav").status == 200
        assert len(said(server)) == is_there
        answer = server.post((0, "checked"))
        assert answer.status == 500 and "f.corrections.csv" in answer.error and "Permission denied" in answer.error, answer.body
        assert len(said(server)) == is_there and server.end() == (0, "")
    folder.chmod(0o755)


def test_a_write_that_breaks_off_is_taken_back(folder, program, veery):
    """By a limit of the size of files: the first bytes of a line are written, and the rest is refused."""
    path = folder / "f.corrections.csv"
    with Server([program, "browse"], folder / "f.h5") as server:
        assert server.post((0, "checked")).status == 200
    text = path.read_bytes()

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(text) + 150, len(text) + 150))

    with Server([program, "browse"], folder / "f.h5", preexec_fn=limit, restore_signals=False) as server:
        for _ in range(2):
            answer = server.post((1, "checked"), (2, "checked"))
            assert answer.status == 500 and "f.corrections.csv" in answer.error and "File too large" in answer.error, answer.body
            assert path.read_bytes() == text and len(said(server)) == 1
        # What there is space for is written.
        assert server.post((1, "checked")).status == 200
        assert path.read_bytes().startswith(text) and len(lines(path)) == 2 and server.end()[0] == 0
    veery("check", folder / "m.csv", "--corrections", path, status=(0, 1, 3))


@pytest.mark.skipif(
    not sys.platform.startswith("linux") or shutil.which("cc") is None,
    reason="NO LINUX, OR NO cc: what a failing disk leads to is not tested")
@pytest.mark.parametrize("call, words", [("fsync", "Input/output error"), ("write", "Input/output error")])
def test_a_line_that_may_not_be_on_the_disk_is_taken_back(folder, program, call, words):
    path = folder / "f.corrections.csv"
    path.write_text(",".join(COLUMNS) + "\na,,,,,checked,,,,\n")
    text = path.read_bytes()
    with preload.built(Path(__file__).with_name("durability.c")) as shim:
        environment = dict(os.environ, LD_PRELOAD=str(shim), LC_ALL="C", DURABILITY_FAIL=f"1:{call} f.corrections.csv", DURABILITY_ERROR="5")
        with Server([program, "browse"], folder / "f.h5", env=environment) as server:
            answer = server.post((1, "checked"))
            assert answer.status == 500 and words in answer.error, answer.body
            assert path.read_bytes() == text and len(said(server)) == 1
            assert server.post((1, "checked")).status == 200 and len(lines(path)) == 2
