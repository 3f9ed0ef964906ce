"""No name acts on a terminal: escape sequences through every command's every message, under a pipe and under a terminal."""

import json
import os
import pty
import re
import shutil
import subprocess
import termios
import tty

import h5py
import numpy
import pytest
import soundfile

from conftest import write_manifest

# Colours, a title, a clear screen by C1, a bell, DEL, and turned writing. It is a file's name, too.
HOSTILE = "x\x1b[31mEVIL\x1b[0m\x1b]0;title\x07\x9b2J\x7f\u202ey\u2066"
# With what no name in a manifest's row or a folder keeps apart from a line of its own.
LINES = HOSTILE + "\r\n\tforged\x0b\x0c\u2028"
OWN = re.compile("\x1b\\[(?:0|1|2|31|33|36)m")
BAR = re.compile("\r(?=\x1b\\[K|\u2595|[a-z])|\x1b\\[K")


@pytest.fixture(scope="module")
def folder(tmp_path_factory, program):
    """A folder of recordings, manifests, a configuration and feature files, all with such names in them."""
    folder = tmp_path_factory.mktemp("terminal")
    samples = numpy.random.default_rng(3).normal(0, 0.1, 8000)
    (folder / HOSTILE).mkdir()
    for path in folder / f"{HOSTILE}.wav", folder / HOSTILE / f"{HOSTILE}2.wav", folder / "plain.wav":
        soundfile.write(path, samples, 16000)
    with open(os.fsencode(folder / HOSTILE) + b"/bad\xff\x1b[31m.wav", "wb") as file:
        file.write(b"no recording")
    (folder / "empty folder").mkdir()
    (folder / f"{HOSTILE}.png").write_text("no picture")
    (folder / f"{HOSTILE}.txt").write_text("no table")
    with soundfile.SoundFile(folder / "tags.wav", "w", 16000, 1) as file:
        file.title = HOSTILE
        file.write(samples)

    rows = [{"path": f"{HOSTILE}.wav", "id": HOSTILE, "label": LINES, "split": HOSTILE, HOSTILE: HOSTILE},
            {"path": "plain.wav", "id": "plain" + LINES, "label": HOSTILE, "split": "train", HOSTILE: LINES},
            {"path": f"gone{LINES}.wav", "id": f"gone{LINES}", "label": HOSTILE, "split": "train"},
            {"path": f"{HOSTILE}.wav", "id": "whole " + HOSTILE, "split": "train", "start": 0.1}]
    (folder / "m.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / f"{HOSTILE}.jsonl").write_text('{"path": 1,\n{"path": "a", "x\\u001b[31m": 2}\n')
    write_manifest(folder / "m.csv", [{**row, "path": row["path"].replace("\r\n", "")} for row in rows[:2]])
    write_manifest(folder / "twice.csv", [{"path": "plain.wav", "id": HOSTILE}] * 2)
    write_manifest(folder / "header.csv", [{HOSTILE: "a", LINES: "b"}])
    write_manifest(folder / "wrong.csv", [{"path": "plain.wav", "start": HOSTILE, "channel": LINES}])
    write_manifest(folder / "columns.csv", [{"path": "plain.wav", "PATH": HOSTILE, "Label\x1b": "x"}])
    (folder / "quoted.tsv").write_text(f'path\tlabel\nplain.wav\t"{HOSTILE} ""x"""\n')
    (folder / f"{HOSTILE}.yaml").write_text(f"frame: {{{json.dumps(HOSTILE)}: 1}}\n")
    (folder / "value.yaml").write_text(f"transform: {{kind: {json.dumps(LINES)}}}\n")
    (folder / "broken.yaml").write_text(f"frame: [{HOSTILE}\n")
    (folder / "labels.txt").write_text(f"0.1\t0.2\t{HOSTILE}\n0.3\tx{HOSTILE}\ty\n")
    (folder / "others.csv").write_text(f"path,start,end,label\n{HOSTILE}3.wav,0,1,{HOSTILE}\n")

    subprocess.run([program, "extract", "m.jsonl", "-o", "f.h5", "--quiet", "--max-failures", "9"], cwd=folder, check=True)
    shutil.copy(folder / "f.h5", folder / f"{HOSTILE}.h5")
    with h5py.File(folder / f"{HOSTILE}.h5", "a") as file:
        file.attrs["generator"] = HOSTILE
        file["features"].attrs["units"] = HOSTILE
        file["features"].attrs["long_name"] = LINES
        file["clips"].create_dataset(HOSTILE, data=[1])
        for name in "id", "label", "split", "path":
            texts = file["clips/" + name].asstr()[:]
            file["clips/" + name][:] = [text.replace("plain", "p\x9b\x1b").encode() for text in texts]
        reasons = file["failures/reason"]
        reasons[0] = b"\x1b[31mEVIL reason"
    damaged = bytearray((folder / "f.h5").read_bytes())
    damaged[len(damaged) // 2] ^= 255
    (folder / f"damaged{HOSTILE}.h5").write_bytes(damaged)
    return folder


def shown(program, folder, arguments, terminal):
    """What a command writes to both outputs, and its exit status."""
    environment = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
    environment.pop("NO_COLOR", None)
    command = [program, *map(str, arguments)]
    if not terminal:
        result = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                                timeout=120)
        return result.stdout + result.stderr, result.returncode
    ours, theirs = pty.openpty()
    tty.setraw(theirs, termios.TCSANOW)
    process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs)
    os.close(theirs)
    output = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        output += piece
    os.close(ours)
    return output, process.wait(timeout=120)


def complaint(output, terminal, tabs=False):
    """What is wrong with an output; nothing where a terminal only shows it."""
    text = output.decode("utf-8")
    if "\x1b[31mEVIL" in text:
        return "a colour of the data's"
    if terminal:
        text = OWN.sub("", BAR.sub("", text))
    acting = [c for c in text if (c < " " and c != "\n" and not (tabs and c == "\t")) or "\x7f" <= c <= "\x9f"
              or c in "\u2028\u2029" or "\u202a" <= c <= "\u202e" or "\u2066" <= c <= "\u2069"]
    return f"{acting[0]!r} in {text!r}" if acting else None


COMMANDS = [
    ["check", "m.jsonl"], ["check", "m.jsonl", "--json"], ["check", "m.csv"], ["check", "twice.csv"], ["check", "header.csv"],
    ["check", "wrong.csv"], ["check", "columns.csv"], ["check", "quoted.tsv"], ["check", f"{HOSTILE}.jsonl"],
    ["check", f"{HOSTILE}.wav"], ["check", HOSTILE], ["check", f"gone{LINES}.csv"], ["check", f"{HOSTILE}.txt"],
    ["check", "m.jsonl", "--format", HOSTILE], ["check", "m.jsonl", "--root", HOSTILE], ["check", "m.jsonl", "--quoting", LINES],
    ["extract", "m.jsonl", "-o", f"new{HOSTILE}.h5"], ["extract", "m.jsonl", "-o", "f.h5"],
    ["extract", "m.jsonl", "-o", f"j{HOSTILE}.h5", "--json", "--progress", "json"],
    ["extract", "m.jsonl", "-o", f"p{HOSTILE}.h5", "--progress", "plain"],
    ["extract", "m.jsonl", "-o", f"b{HOSTILE}.h5", "--progress", "bar"],
    ["extract", "m.jsonl", "-o", f"d{HOSTILE}.h5", "--dry-run"], ["extract", "m.jsonl", "-o", "d.h5", "--dry-run", "--json"],
    ["extract", "m.jsonl", "-o", f"{HOSTILE}.h5"], ["extract", "m.csv", "-o", "f.h5", "--append"],
    ["extract", "m.jsonl", "-o", f"{HOSTILE}.png"], ["extract", "m.jsonl", "-o", f"none{LINES}/f.h5"],
    ["extract", "m.jsonl", "-o", "c.h5", "--config", f"{HOSTILE}.yaml"], ["extract", "m.jsonl", "-o", "c.h5", "--config", "value.yaml"],
    ["extract", "m.jsonl", "-o", "c.h5", "--config", "broken.yaml"], ["extract", "m.jsonl", "-o", "c.h5", "--config", LINES],
    ["extract", "m.jsonl", "-o", "c.h5", "--set", f"{HOSTILE}=1"], ["extract", "m.jsonl", "-o", "c.h5", "--set", f"frame.hop={LINES}"],
    ["extract", "m.jsonl", "-o", "c.h5", "--set", f"frame.{LINES}=1"], ["extract", "m.jsonl", "-o", "c.h5", "--set", LINES],
    ["extract", "m.jsonl", "-o", "c.h5", "--set", f"normalize.fit={json.dumps(HOSTILE + 'no')}"],
    ["extract", "m.jsonl", "-o", "c.h5", "--preset", HOSTILE], ["extract", "m.jsonl", "-o", "c.h5", "--stats-from", LINES],
    ["extract", "m.jsonl", "-o", "c.h5", "--scratch", LINES], ["extract", "m.jsonl", "-o", "c.h5", "--jobs", LINES],
    ["extract", "m.jsonl", "-o", "c.h5", f"--{HOSTILE}"], ["extract", "m.jsonl", HOSTILE, "-o", "c.h5"],
    ["extract", "m.jsonl", "-o", "c.h5", "--max-failures", HOSTILE], [HOSTILE], [LINES, "x"], ["help", HOSTILE], [f"--{HOSTILE}"],
    ["inspect", "f.h5"], ["inspect", "f.h5", "--json"], ["inspect", f"{HOSTILE}.h5"], ["inspect", f"{HOSTILE}.h5", "--json"],
    ["inspect", f"{HOSTILE}.h5", "--verify"], ["inspect", f"{HOSTILE}.h5", "--verify", "--json"], ["inspect", f"gone{LINES}.h5"],
    ["inspect", f"damaged{HOSTILE}.h5", "--verify"], ["inspect", f"damaged{HOSTILE}.h5"], ["inspect", f"{HOSTILE}.wav"],
    ["list", "f.h5"], ["list", "f.h5", "--failures"], ["list", "f.h5", "--json"], ["list", f"{HOSTILE}.h5"],
    ["list", f"{HOSTILE}.h5", "--failures", "--json"], ["list", "f.h5", "--split", LINES], ["list", f"damaged{HOSTILE}.h5"],
    ["inspect", "f.h5", "--html", f"none{LINES}/p.html"], ["inspect", HOSTILE],
    ["render", "f.h5", "-o", "p.png"], ["render", f"{HOSTILE}.h5", "-o", "p.png"], ["render", "f.h5", "--clip", LINES, "-o", "p.png"],
    ["render", "f.h5", "--clip", f"{HOSTILE}z", "-o", "p.png"], ["render", "f.h5", "--clip", HOSTILE, "-o", f"{HOSTILE}.png"],
    ["render", "f.h5", "--clip", HOSTILE, "-o", f"{HOSTILE}.gif"], ["render", "f.h5", "--sheet", "--labels", HOSTILE + "z", "-o", "s.png"],
    ["render", "f.h5", "--sheet", "--split", LINES, "-o", "s.png"], ["render", f"gone{LINES}.wav", "-o", "p.png"],
    ["render", "f.h5", "--clip", HOSTILE, "--waveform", "--root", LINES, "-o", "p.png"],
    ["render", f"{HOSTILE}.wav", "-o", "ok.png", "--annotations", "labels.txt"],
    ["render", f"{HOSTILE}.wav", "-o", "ok.png", "--annotations", "others.csv"],
    ["render", f"{HOSTILE}.wav", "-o", "ok.png", "--annotations", f"{HOSTILE}.txt"],
    ["render", f"{HOSTILE}.wav", "-o", "ok.png", "--colors", LINES], ["render", f"{HOSTILE}.wav", "-o", "ok.png", "--band", HOSTILE],
    ["render", f"{HOSTILE}.wav", "-o", f"none{LINES}/ok.png"],
    ["crawl", HOSTILE, "-o", "crawled.csv"], ["crawl", HOSTILE, "-o", f"{HOSTILE}.tsv"], ["crawl", HOSTILE, "-o", f"{LINES}"],
    ["crawl", ".", "-o", "labels.csv", "--label-from", "(?<label>plain)"],
    ["crawl", ".", "-o", "labels2.csv", "--label-from", "(?<label>plain)", "--strict"],
    ["crawl", ".", "-o", "labels3.csv", "--label-from", f"({HOSTILE}"], ["crawl", ".", "-o", "labels4.csv", "--label-from", HOSTILE],
    ["crawl", "empty folder", "-o", "none.csv"], ["crawl", f"gone{LINES}", "-o", "none.csv"], ["crawl", f"{HOSTILE}.wav", "-o", "n.csv"],
    ["filter", f"{HOSTILE}.wav", f"out{HOSTILE}.wav", "--band-pass", "300-3400"], ["filter", "tags.wav", f"t{HOSTILE}.au", "--band-pass", "300-3400"],
    ["filter", f"gone{LINES}.wav", "out.wav", "--band-pass", "300-3400"], ["filter", f"{HOSTILE}.wav", "out.wav", "--band-pass", LINES],
    ["filter", f"{HOSTILE}.wav", f"out.{HOSTILE}", "--band-pass", "300-3400"],
    ["decode", f"gone{LINES}.wav", "-o", "d.wav"], ["decode", f"{HOSTILE}.wav", "-o", f"d{HOSTILE}.wav"],
    ["decode", f"{HOSTILE}.wav", "-o", f"d.{HOSTILE}"], ["decode", f"{HOSTILE}.wav", "--channels", LINES],
    ["decode", f"{HOSTILE}.wav", "--audio-xxh3", "0" * 32, "-o", "d.wav"],
    ["live", "--recover", f"gone{LINES}.h5"], ["live", "--file", f"gone{LINES}.wav", "--record", "l.h5"],
    ["live", "--file", f"{HOSTILE}.wav", "--record", f"none{LINES}/l.h5"], ["live", "--display", HOSTILE],
    ["presets", HOSTILE], ["presets", LINES, "--json"], ["presets"],
]


@pytest.mark.sampled(60)
@pytest.mark.parametrize("terminal", [False, True], ids=["pipe", "terminal"])
@pytest.mark.parametrize("number", range(len(COMMANDS)))
def test_no_message_acts_on_a_terminal(program, folder, number, terminal):
    output, status = shown(program, folder, COMMANDS[number], terminal)
    assert status in (0, 1, 3, 64), (COMMANDS[number], status, output)
    # A bar that was asked for is drawn wherever standard error leads.
    assert complaint(output, terminal or "bar" in COMMANDS[number]) is None, COMMANDS[number]


def test_the_names_are_in_the_messages(program, folder):
    """Else the test above would find nothing to complain of."""
    said = [shown(program, folder, command, False)[0].decode() for command in COMMANDS]
    assert sum("EVIL" in text for text in said) > 0.7 * len(said)
    # A row's line end forges no line of its own.
    assert not any(line.startswith("forged") for line in said[0].splitlines())


@pytest.mark.parametrize("arguments", [["crawl", HOSTILE, "-o", "-", "--quiet"],
                                       ["crawl", HOSTILE, "-o", "-", "--quiet", "--format", "jsonl"],
                                       ["render", "f.h5", "--sheet", "--list"]], ids=lambda value: " ".join(value[:1] + value[-1:]))
def test_data_is_faithful_in_a_pipe_and_clean_on_a_terminal(program, folder, arguments):
    piped, _ = shown(program, folder, arguments, False)
    assert (HOSTILE in piped.decode()) or (json.dumps(HOSTILE, ensure_ascii=False)[1:-1].replace("\\u007f", "\x7f") in piped.decode())
    output, status = shown(program, folder, arguments, True)
    assert status == 0 and b"EVIL" in output and complaint(output, True, tabs=True) is None


def test_json_has_the_values_to_the_last_character(program, folder):
    for arguments in ["check", "m.jsonl", "--json"], ["inspect", "f.h5", "--json"]:
        output, _ = shown(program, folder, arguments, False)
        text = output.decode()
        report = json.loads(text[:text.rindex("}") + 1])
        def texts(value):
            if isinstance(value, dict):
                return [text for pair in value.items() for part in pair for text in texts(part)]
            return [text for part in value for text in texts(part)] if isinstance(value, list) else [str(value)]

        assert any(HOSTILE in text for text in texts(report)), arguments


@pytest.mark.parametrize("arguments", [["--file", f"{HOSTILE}.wav", "--speed", "0", "--fps", "5"]])
def test_a_live_display_draws_its_title_without_acting(program, folder, arguments):
    output, status = shown(program, folder, ["live", *arguments], True)
    text = output.decode("utf-8", "replace")
    assert "\x1b]0;title" not in text and "\x9b2J" not in text and "\x1b[31mEVIL" not in text and "\u202e" not in text
    assert status in (0, 1, 64)
