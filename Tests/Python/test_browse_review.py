"""What must not happen to corrections that `veery browse` takes: that they reach another clip, another sound or somebody else's line."""

import csv
import os
import shlex
import shutil
import signal
import subprocess
import threading
import time

import h5py
import numpy as np
import pytest
from browsing import Server, starting
from recordings import noise, tone, write_wav

RATE = 8000
MEL = ["--preset", "log-mel", "--set", f"audio.sample_rate={RATE}", "--set", "transform.high=4000", "--set", "transform.bins=8"]


@pytest.fixture
def folder(tmp_path):
    for number, name in enumerate("abcd"):
        write_wav(tmp_path / f"{name}.wav", RATE, noise(number, RATE))
    (tmp_path / "m.csv").write_text("path,id,label\n" + "".join(f"{name}.wav,{name},x\n" for name in "abcd"))
    return tmp_path


@pytest.fixture
def serve(program, folder):
    with starting(program, cwd=folder) as start:
        yield start


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def labels(path):
    with h5py.File(path) as file:
        return dict(zip(file["clips/id"].asstr()[:], file["clips/label"].asstr()[:]))


def test_a_page_of_another_dataset_corrects_nothing(folder, serve):
    first = serve("m.csv")
    (folder / "other.csv").write_text("path,id,label\nd.wav,d,x\na.wav,a,x\n")
    other = serve("other.csv")
    answer = other.request("POST", "/api/corrections", '{"generation": "%s", "by": "t", "corrections": [{"clip": 0, "action": "exclude"}]}' % first.generation)
    assert answer.status == 410 and not (folder / "other.corrections.csv").exists()
    without = other.request("POST", "/api/corrections", '{"by": "t", "corrections": [{"clip": 0, "action": "exclude"}]}')
    assert without.status == 400
    assert other.post((0, "exclude")).status == 200
    assert [row["id"] for row in rows(folder / "other.corrections.csv")] == ["d"]


def test_the_same_clips_in_another_order_are_another_dataset(folder, serve):
    (folder / "sounds").mkdir()
    for name in "ab":
        shutil.move(folder / f"{name}.wav", folder / f"sounds/{name}.wav")
    server = serve("sounds")
    before = server.generation
    assert server.end()[0] == 0
    shutil.copy(folder / "sounds/a.wav", folder / "sounds/0.wav")
    assert serve("sounds").generation != before


def test_an_undo_does_not_take_back_what_somebody_else_said(folder, serve):
    server = serve("m.csv")
    assert server.post((0, "exclude"), by="A", after=0).status == 200
    assert server.post({"clip": 0, "action": "note", "note": "listen"}, by="B").status == 200
    answer = server.post((0, "undo"), by="A", after=1)
    assert answer.status == 409 and "look at it again, then undo" in answer.error
    assert server.post((0, "undo"), by="A", after=2).status == 200
    assert [row["action"] for row in rows(folder / "m.corrections.csv")] == ["exclude", "note", "undo"]


def test_features_find_the_corrections_that_they_were_made_with(folder, serve, veery):
    server = serve("m.csv")
    assert server.post({"clip": 0, "action": "relabel", "label": "wren", "new": True}).status == 200
    extract = ["extract", folder / "m.csv", "-o", folder / "f.h5", *MEL, "--corrections", folder / "m.corrections.csv"]
    veery(*extract)
    assert labels(folder / "f.h5")["a"] == "wren"
    server = serve("f.h5")
    assert server.json("/api/dataset")["corrections"] == "m.corrections.csv"
    # What the clip was before is not in the features.
    answer = server.post((0, "undo"))
    assert answer.status == 409 and "give the right label instead" in answer.error
    assert server.post((0, "relabel", "x"), {"clip": 1, "action": "relabel", "label": "owl", "new": True}).status == 200
    assert server.post((1, "undo")).status == 200
    veery(*extract, "--sync")
    assert labels(folder / "f.h5") == {"a": "x", "b": "x", "c": "x", "d": "x"}


def test_other_corrections_than_the_features_were_made_with(folder, serve, veery, program):
    (folder / "c.csv").write_text("id,action,label\na,relabel,wren\n")
    extract = ["extract", folder / "m.csv", "-o", folder / "f.h5", *MEL]
    veery(*extract, "--corrections", folder / "c.csv")
    for arguments in ["f.h5"], ["f.h5", "--labels", "new.csv"]:
        said = subprocess.run([program, "browse", *arguments, "--no-open"], cwd=folder, capture_output=True, text=True, timeout=60)
        assert said.returncode == 1 and said.stdout == "" and "give the file that has them by --labels" in said.stderr
    assert serve("f.h5", "--labels", "c.csv").json("/api/dataset")["clips"] == 4
    # Or the features are brought up to date with those that there are.
    (folder / "f.corrections.csv").write_text("id,action,label\nb,relabel,owl\n")
    veery(*extract, "--sync", "--corrections", folder / "f.corrections.csv")
    assert serve("f.h5").json("/api/dataset")["corrections"] == "f.corrections.csv"


def test_a_remark_on_another_sound_does_not_vouch_for_the_label(folder, serve, veery):
    server = serve("m.csv")
    assert server.post({"clip": 0, "action": "relabel", "label": "wren", "new": True}).status == 200
    write_wav(folder / "a.wav", RATE, noise(9, RATE // 2))
    os.utime(folder / "a.wav", ns=(1, 1))
    server.clip(0)
    split = ["split", folder / "m.csv", "-o", folder / "s.csv", "--ratio", "50/50", "--overwrite", "--corrections", folder / "m.corrections.csv"]
    assert "'a'" in veery(*split, status=1).stderr
    assert server.post({"clip": 0, "action": "note", "note": "what is this?"}).status == 200
    assert "'a'" in veery(*split, status=1).stderr
    # Who has heard the new sound may say that the label is right.
    assert server.post((0, "checked")).status == 200
    veery(*split)
    assert rows(folder / "s.csv")[0]["label"] == "wren"


@pytest.mark.long
def test_a_file_that_an_editor_replaces_has_each_line_once(folder, serve):
    server = serve("m.csv")
    path, ended = folder / "m.corrections.csv", threading.Event()
    assert server.post((0, "exclude")).status == 200

    def edit():
        while not ended.is_set():
            time.sleep(0.03)
            shutil.copy(path, folder / "edited")
            os.rename(folder / "edited", path)

    editor = threading.Thread(target=edit)
    editor.start()
    try:
        answered = [server.post({"clip": number % 4, "action": "note", "note": f"n{number}"}).status for number in range(200)]
    finally:
        ended.set()
        editor.join()
    notes = [row["note"] for row in rows(path) if row["action"] == "note"]
    assert len(notes) == len(set(notes))
    # A copy that was begun before a line and renamed after it lacks that line, whoever wrote it.
    assert answered.count(200) >= 190 and len(notes) >= 150


def test_a_deleted_file_of_corrections_is_not_made_anew_by_a_look(folder, serve):
    server = serve("m.csv")
    assert server.post((0, "exclude")).status == 200
    before = server.json("/api/state")["generation"]
    (folder / "m.corrections.csv").unlink()
    state = server.json("/api/state")
    assert state["corrections"] == 0 and state["generation"] != before
    assert not (folder / "m.corrections.csv").exists()
    assert server.post((1, "exclude")).status == 200
    assert [row["id"] for row in rows(folder / "m.corrections.csv")] == ["b"]


def test_a_table_of_another_form_is_shown_and_not_written(folder, serve):
    (folder / "m.corrections.csv").write_text("id;action;label\na;relabel;wren\n")
    before = (folder / "m.corrections.csv").read_bytes()
    server = serve("m.csv")
    assert [line["label"] for line in server.json("/api/corrections")["lines"]] == ["wren"]
    assert server.post((0, "exclude")).status == 500
    assert (folder / "m.corrections.csv").read_bytes() == before


def test_cropped_features_are_where_the_sound_is(folder, serve, veery):
    sound = np.zeros(2 * RATE)
    sound[RATE: RATE + 400] = tone(RATE, 0.05, [1000])
    write_wav(folder / "a.wav", RATE, sound + 1e-4 * noise(3, 2 * RATE))
    (folder / "m.csv").write_text("path,id,label\na.wav,a,x\n")
    veery("extract", folder / "m.csv", "-o", folder / "f.h5", *MEL, "--set", "audio.crop=center", "--set", "audio.duration=1")
    server = serve("f.h5")
    values = server.clip(0, "values")
    loudest = values.number("X-First-Time") + values.number("X-Row-Period") * int(values.picture.sum(axis=1).argmax())
    samples, rate = server.clip(0, "sound.wav").sound
    assert abs(loudest - np.abs(samples).argmax() / rate) < 0.05
    part = server.clip(0, "values", **{"from": 0.9, "to": 1.1})
    assert part.picture.shape[0] < 30 and 0.85 < part.number("X-First-Time") < 0.95


def test_a_file_of_a_set_that_is_replaced_is_noticed(folder, serve, veery):
    veery("extract", folder / "m.csv", "-o", folder / "s.h5", *MEL, "--files", 2)
    server = serve("s.index.json")
    before = server.json("/api/state")["generation"]
    member = sorted(folder.glob("s-*.h5"))[-1]
    shutil.copy(member, folder / "copy")
    os.rename(folder / "copy", member)
    assert server.json("/api/state")["generation"] != before
    assert server.get("/api/clips/0").status == 410


def test_a_mark_of_features_whose_recording_is_gone(folder, serve, veery):
    veery("extract", folder / "m.csv", "-o", folder / "f.h5", *MEL)
    (folder / "marks.csv").write_text("path,start,end,label\na.wav,0.25,0.5,call\n")
    (folder / "a.wav").unlink()
    marks = serve("f.h5", "--annotations", "marks.csv").json("/api/clips/0")["annotations"]
    assert [(mark["label"], mark["start"], mark["end"]) for mark in marks] == [("call", 0.25, 0.5)]


# ------------------------------------------------------------------------------------------------------------ the command


@pytest.mark.parametrize("closed", [0, 1, 2])
def test_without_a_standard_stream_nothing_is_printed_into_a_file(folder, program, closed):
    (folder / "m.corrections.csv").write_text("id,path,start,end,audio_xxh3,action,label,note,given,by\n")
    before = (folder / "m.corrections.csv").read_bytes()
    server = subprocess.Popen(["bash", "-c", f"exec \"$0\" browse m.csv --no-open {closed}>&-", str(program)], cwd=folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
    if closed == 1:
        # There is nowhere that the address could be read.
        assert server.wait(30) != 0
    else:
        assert server.stdout.readline().startswith(b"http://127.0.0.1:")
        server.terminate()
        assert server.wait(30) == 0
    server.stdout.close()
    server.stderr.close()
    assert (folder / "m.corrections.csv").read_bytes() == before


@pytest.mark.long
def test_a_signal_ends_it_while_a_dataset_is_read(folder, program):
    with open(folder / "large.csv", "w") as file:
        file.write("path,id\n" + "".join(f"a.wav,{number}\n" for number in range(1_500_000)))
    server = subprocess.Popen([program, "browse", "large.csv", "--no-open"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    time.sleep(0.5)
    server.send_signal(signal.SIGINT)
    assert server.wait(20) == 130
    assert server.stdout.read() == b""
    server.stdout.close()


def test_a_look_at_an_address_does_not_use_it_up(folder, serve):
    server = serve("m.csv")
    assert server.request("HEAD", f"/?token={server.token}", Cookie=None).status == 303


def test_the_copied_command_reads_the_manifest_in_the_same_way(folder, serve, veery, program):
    (folder / "n.tsv").write_text("aaa\tname\tbird\na.wav\tfirst\towl\n")
    options = ["--column", "path=aaa", "--column", "id=name", "--column", "label=bird", "--quoting", "csv", "--format", "tsv"]
    server = serve("n.tsv", *options)
    command = server.json("/api/dataset")["command"]
    assert server.end()[0] == 0
    again = Server(["bash", "-c", f"exec {command.replace('veery', shlex.quote(str(program)), 1)} \"$@\"", "bash"], cwd=folder)
    with again:
        assert again.json("/api/dataset")["labels"] == ["owl"]


def test_a_dataset_has_its_port_again(folder, serve):
    port = (first := serve("m.csv")).port
    other = serve("m.csv")
    assert other.port != port
    assert first.end()[0] == 0 and other.end()[0] == 0
    assert serve("m.csv").port == port


def test_the_address_is_one_line(folder, serve):
    server = serve("m.csv", "--view", "q=a b\nc<\u00e9")
    assert server.fragment == "q=a%20b%0Ac%3C%C3%A9"
    assert "#" not in serve("m.csv", "--view", "").address


def test_a_folder_that_corrections_cannot_be_written_to(folder, program, serve):
    for given, says in ("nowhere/c.csv", "there is no such folder; check --labels"), ("", "--labels is empty"):
        said = subprocess.run([program, "browse", "m.csv", "--labels", given, "--no-open"], cwd=folder, capture_output=True, text=True, timeout=60)
        assert said.returncode != 0 and says in said.stderr and said.stdout == ""
    (folder / "nowhere").mkdir()
    assert serve("m.csv", "--labels", "nowhere/c.csv").post((0, "exclude")).status == 200


def test_a_recording_that_changed_since_its_features_were_computed(folder, serve, veery):
    veery("extract", folder / "m.csv", "-o", folder / "f.h5", *MEL)
    write_wav(folder / "a.wav", RATE, noise(9, RATE))
    server = serve("f.h5")
    assert "not what they show" in server.json("/api/clips/0")["recording"]["message"]
    assert server.json("/api/clips/1")["recording"] == {"found": True, "duration": 1, "message": ""}
    answer = server.post((0, "exclude"))
    assert answer.status == 409 and "bring the feature file up to date first" in answer.error
    veery("extract", folder / "m.csv", "-o", folder / "f.h5", *MEL, "--sync", "--verify-inputs")
    server = serve("f.h5")
    assert server.json("/api/clips/0")["recording"]["message"] == "" and server.post((0, "exclude")).status == 200
