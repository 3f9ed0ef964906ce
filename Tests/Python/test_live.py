"""`veery live`: what a terminal shows of known sounds (by tmux), what is recorded and passed on, and how it ends."""

import contextlib
import fcntl
import json
import os
import pty
import re
import resource
import select
import shlex
import shutil
import signal
import struct
import subprocess
import termios
import time

import h5py
import numpy as np
import pytest
import soundfile

from conftest import noise, tone, write_manifest, write_wav

import veery as package

needs_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed: live screens are not tested")

COLUMNS, ROWS = 80, 24
PATIENCE = 30


class Pane:
    """A shell in a tmux window of a known size."""

    def __init__(self, socket, folder, environment):
        self.socket = str(socket)
        variables = {"LC_ALL": "C.UTF-8", "PS1": "ready> ", "HOME": str(folder), "ENV": "", **environment}
        settings = [f"{name}={value}" for name, value in variables.items()]
        self.tmux("-f", os.devnull, "new-session", "-d", "-x", COLUMNS, "-y", ROWS, "-c", folder,
                  shlex.join(["env", "-u", "NO_COLOR", "-u", "COLORTERM", *settings, "sh", "-i"]))
        self.tmux("set-option", "-g", "window-size", "manual")
        self.wait(lambda text: "ready>" in text)

    def tmux(self, *arguments):
        return subprocess.run(["tmux", "-u", "-S", self.socket, *map(str, arguments)],
                              check=True, capture_output=True, text=True, encoding="utf-8").stdout

    def type(self, text):
        self.tmux("send-keys", "-l", text)
        self.tmux("send-keys", "Enter")

    def press(self, key):
        self.tmux("send-keys", key)

    def text(self, colours=False):
        return self.tmux("capture-pane", "-p", *(["-e"] if colours else []))

    def rows(self):
        return self.text().split("\n")

    def wait(self, condition, what="the screen"):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if condition(self.text()):
                return self.text()
            time.sleep(0.05)
        pytest.fail(f"waited for {what} in vain:\n{self.text()}", pytrace=False)

    def wait_for_live(self, seconds=1):
        def is_live(text):
            found = re.search(r"(?:live|paused|stopped)\s+(\d+):(\d\d)", text.split("\n")[0])
            return found and 60 * int(found[1]) + int(found[2]) >= seconds
        return self.wait(is_live, f"{seconds} s of sound")

    def check_usable(self):
        """Checks that the shell has a prompt, the terminal echoes and edits lines, and the screen and the cursor are the usual ones."""
        self.wait(lambda text: text.rstrip().endswith("ready>"), "a prompt")
        self.type("stty -a | tr ' ;' '\\n\\n' | grep -x -e echo -e icanon -e -echo -e -icanon | sort | xargs echo modes:")
        text = self.wait(lambda text: re.search(r"^modes: ", text, re.M), "the answer of stty")
        assert re.search(r"^modes: echo icanon$", text, re.M), text
        assert self.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}").split() == ["0", "1"]

    def close(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], capture_output=True)


@pytest.fixture
def pane(tmp_path):
    opened = []

    def open_pane(**environment):
        opened.append(Pane(tmp_path / f"tmux-{len(opened)}", tmp_path, environment))
        return opened[-1]

    yield open_pane
    for each in opened:
        each.close()


@pytest.fixture
def sine(tmp_path):
    def write(hertz, seconds=60, rate=44100, name="tone.wav", amplitude=0.5):
        write_wav(tmp_path / name, rate, tone(rate, seconds, [hertz], amplitude))
        return tmp_path / name

    return write


def until(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"waited for {what} in vain"
        time.sleep(0.05)


def live(program, *arguments):
    return shlex.join([str(program), "live", *map(str, arguments)])


def without_terminal(program, *arguments, data=None, status=0, **more):
    result = subprocess.run([program, "live", *map(str, arguments)], input=data, capture_output=True, timeout=120,
                            start_new_session=True, **more)
    assert result.returncode == status, result.stderr.decode()
    return result


# ----------------------------------------------------------------------------------------------------------- pictures


@pytest.mark.sampled(1)
@needs_tmux
@pytest.mark.parametrize("hertz", [1000, 8000, 15000])
def test_a_tone_lights_its_row(program, pane, sine, hertz):
    window = pane()
    window.type(live(program, "--file", sine(hertz), "--preset", "scrolling-dct", "--depth", "ascii", "--span", 2))
    window.wait_for_live(3)
    rows = window.rows()
    # The heading, the keys and the time have a row each. The 1024 bins share the other rows, the lowest at the bottom.
    height = ROWS - 3
    line = round(hertz / 22050 * 1024) * height // 1024
    for row in range(height):
        picture = rows[1 + height - 1 - row][6:COLUMNS]
        if row == line:
            assert picture.count("@") + picture.count("%") > 60, "\n".join(rows)
        elif abs(row - line) > 1:
            assert "@" not in picture and "%" not in picture, "\n".join(rows)
    assert rows[ROWS - 2].rstrip().endswith("now")
    assert "pause" in rows[ROWS - 1] and "quit" in rows[ROWS - 1]
    window.press("q")
    window.check_usable()


@needs_tmux
def test_all_frequencies_are_shown_by_default(program, pane, sine):
    window = pane()
    window.type(live(program, "--file", sine(15_000), "--depth", "ascii", "--span", 2))
    window.wait_for_live(3)
    rows = window.rows()
    height = ROWS - 3
    # The axis goes from 0 Hz to half the rate; 15 kHz is far above the bands of log-mel.
    line = int(15_000 / 22_050 * height)
    assert rows[1 + height - 1 - line][6:].count("@") > 60, "\n".join(rows)
    assert "spectrogram" in rows[0] and any(re.match(r" *20k", row) for row in rows), "\n".join(rows)
    assert any(re.match(r" *0\b", row) for row in rows), "\n".join(rows)
    window.press("q")
    window.check_usable()


@pytest.mark.sampled(2)
@needs_tmux
@pytest.mark.parametrize("environment, pattern, symbol", [
    ({"TERM": "tmux-256color", "COLORTERM": "truecolor"}, r"\x1b\[[0-9;]*[34]8;2;\d+;\d+;\d+", "▀"),
    ({"TERM": "tmux-256color"}, r"\x1b\[[0-9;]*[34]8;5;\d+", "▀"),
    ({"TERM": "tmux-256color", "NO_COLOR": "1"}, None, "@"),
    ({"TERM": "tmux-256color", "LC_ALL": "C"}, None, "@"),
], ids=["24-bit", "256", "NO_COLOR", "no UTF-8"])
def test_colours_are_those_that_the_terminal_has(program, pane, sine, environment, pattern, symbol):
    window = pane(**environment)
    window.type(live(program, "--file", sine(3000), "--preset", "scrolling-dct"))
    window.wait_for_live(2)
    picture = "\n".join(window.text(colours=True).split("\n")[1:ROWS - 2])
    assert symbol in picture, picture
    if pattern:
        assert len(set(re.findall(pattern, picture))) > 5
    else:
        assert "38;" not in picture and "48;" not in picture
        assert picture.isascii()
    window.press("q")
    window.check_usable()


@needs_tmux
def test_the_strongest_note_is_named(program, pane, sine):
    window = pane()
    window.type(live(program, "--file", sine(440), "--preset", "musical-spectrum"))
    window.wait(lambda text: "A4" in text, "the note")
    window.press("q")
    window.check_usable()


@needs_tmux
def test_two_inputs_are_side_by_side(program, pane, sine):
    window = pane()
    low, high = sine(2000, name="low.wav"), sine(18000, name="high.wav")
    window.type(live(program, "--file", low, "--file", high, "--preset", "mixer-fft"))
    window.wait_for_live(1)
    rows = window.rows()
    assert "low.wav" in rows[1][:40] and "high.wav" in rows[1][40:]
    # In each half of the screen, the highest bar is at the frequency of that half's tone.
    heights = [sum(row[column:column + 1] not in ("", " ", "─") for row in rows[2:ROWS - 2]) for column in range(COLUMNS)]
    left, right = heights[6:39], heights[47:COLUMNS]
    assert abs(np.argmax(left) / len(left) - 2000 / 22050) < 0.08, heights
    assert abs(np.argmax(right) / len(right) - 18000 / 22050) < 0.08, heights
    window.press("q")
    window.check_usable()


@needs_tmux
def test_the_curve_rises_where_the_sound_is_and_falls_to_zero_when_stopped(program, pane, sine):
    window = pane()
    # Bin 96 of 8192 is the thirteenth of 25 points.
    window.type(live(program, "--file", sine(44100 / 8192 * 96), "--preset", "live-waveform"))
    window.wait_for_live(1)
    top = window.wait(lambda text: any("⠀" < c <= "⣿" for c in text.split("\n")[1]), "the curve").split("\n")[1]
    columns = [column for column, c in enumerate(top) if "⠀" < c <= "⣿"]
    assert abs(np.mean(columns) - (6 + 74 / 2)) < 4, top
    window.press("s")
    window.wait(lambda text: "stopped" in text and not any("⠀" < c <= "⣿" for c in "".join(text.split("\n")[1:ROWS - 4])),
                "a line at zero")
    window.press("s")
    window.wait(lambda text: any("⠀" < c <= "⣿" for c in text.split("\n")[1]), "the curve again")
    window.press("q")
    window.check_usable()


@needs_tmux
def test_a_pause_holds_the_picture_while_the_analysis_goes_on(program, pane, tmp_path):
    path = tmp_path / "noise.wav"
    write_wav(path, 16000, noise(3, 16000 * 60) * np.linspace(0.1, 1, 16000 * 60))
    window = pane()
    window.type(live(program, "--file", path))
    window.wait_for_live(2)
    window.press("Space")
    window.wait(lambda text: "paused" in text)

    def picture():
        return window.text(colours=True).split("\n")[1:ROWS - 1]

    held, clock = picture(), window.rows()[0]
    time.sleep(1.5)
    assert picture() == held and window.rows()[0] != clock
    window.press("Space")
    window.wait(lambda text: "live" in text.split("\n")[0] and picture() != held, "the picture to go on")
    window.press("q")
    window.check_usable()


@needs_tmux
def test_a_window_of_a_new_size_is_drawn_anew(program, pane, sine):
    window = pane()
    window.type(live(program, "--file", sine(3000), "--preset", "scrolling-dct"))
    window.wait_for_live(1)
    for columns, rows in [(120, 40), (60, 12), (15, 5), (200, 50)]:
        window.tmux("resize-window", "-x", columns, "-y", rows)
        if rows < 6:
            window.wait(lambda text: text.startswith("too small"))
            continue

        def is_new(text):
            lines = text.split("\n")
            return len(lines) >= rows and "pause" in lines[rows - 1] and len(lines[rows - 2].rstrip()) == columns \
                and lines[rows - 2].rstrip().endswith("now")

        window.wait(is_new, f"{columns} × {rows}")
    window.press("q")
    window.check_usable()


# ---------------------------------------------------------------------------------------------------------------- ends


@needs_tmux
@pytest.mark.parametrize("end, status", [("q", 0), ("C-c", 130), ("TERM", 143)])
def test_the_terminal_is_restored_at_the_end(program, pane, sine, tmp_path, end, status):
    window = pane()
    command = live(program, "--file", sine(3000))
    window.type(f"echo before; sh -c {shlex.quote('echo $$ > number; exec ' + command)}; echo status $?")
    window.wait_for_live(1)
    if end == "TERM":
        os.kill(int((tmp_path / "number").read_text()), signal.SIGTERM)
    else:
        window.press(end)
    text = window.wait(lambda text: re.search(r"^status \d+$", text, re.M), "the status")
    assert f"status {status}" in text and "before" in text
    # The terminal wraps the line if the folder's name is long.
    assert "of audio" in text.replace("\n", "")
    window.check_usable()


class Line:
    """A program on a terminal that reads a limited number of bytes a second."""

    def __init__(self, command, columns=COLUMNS, rows=ROWS, bytes_per_second=10_000_000):
        self.ours, self.theirs = pty.openpty()
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.piece = bytes_per_second // 100
        self.output = b""
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}
        environment.pop("NO_COLOR", None)
        self.process = subprocess.Popen(
            list(map(str, command)), stdin=self.theirs, stdout=self.theirs, stderr=self.theirs, env=environment,
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))

    def read(self, condition, what):
        """Reads until the condition holds."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, f"waited for {what} in vain"
            if select.select([self.ours], [], [], 0.05)[0]:
                self.output += os.read(self.ours, self.piece)
                time.sleep(0.01)

    def type(self, keys):
        os.write(self.ours, keys)

    def end(self):
        self.read(lambda: self.process.poll() is not None, "the end")
        while select.select([self.ours], [], [], 0)[0]:
            self.output += os.read(self.ours, 65536)
        return self.process.returncode

    def check_usable(self):
        modes = termios.tcgetattr(self.theirs)[3]
        assert modes & termios.ECHO and modes & termios.ICANON
        assert b"\x1b[?1049h" in self.output
        assert b"\x1b[?1049l" in self.output and b"\x1b[?25h" in self.output

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.ours)
        os.close(self.theirs)


@pytest.mark.parametrize("key, status", [(b"\x1c", 131), (b"\x03", 130), (b"\x1a\x03", 130)],
                         ids=["quit", "interrupt", "suspend and interrupt"])
def test_the_terminal_is_restored_after_keys_that_send_signals(program, sine, key, status):
    with contextlib.closing(Line([program, "live", "--file", sine(3000)])) as line:
        line.read(lambda: b"quit" in line.output, "the picture")
        line.type(key)
        assert line.end() == status
        line.check_usable()


class Slow(Line):
    """A large terminal that has read a picture only when the next one is due already. Pictures differ in every cell."""

    def __init__(self, program, folder, **more):
        write_wav(folder / "noise.wav", 44100, noise(4, 44100 * 60))
        super().__init__([program, "live", *more.pop("source", ["--file", folder / "noise.wav"]), "--preset", "scrolling-dct",
                          "--colors", "magma", "--span", 0, "--fps", 120], columns=200, rows=50, **more)

    def pictures(self):
        # Each begins by resetting the colours and moving the cursor to the first cell that has changed.
        return len(re.findall(rb"\x1b\[0m\x1b\[(?:2J\x1b\[)?\d+;\d+H", self.output))

    def read_pictures(self, count):
        """Reads `count` more pictures, unless the program ends, and waits 0.1 s after each, in which 12 more are due."""
        wanted = self.pictures() + count
        while self.pictures() < wanted:
            if not select.select([self.ours], [], [], PATIENCE)[0]:
                pytest.fail("a picture did not come", pytrace=False)
            try:
                data = os.read(self.ours, 1 << 16)
            except OSError:
                return
            if b"\x1b[?1049l" in data:
                self.output += data
                return
            before = self.pictures()
            self.output += data
            if self.pictures() > before:
                time.sleep(0.1)


def test_keys_work_on_a_slow_terminal(program, tmp_path):
    with contextlib.closing(Slow(program, tmp_path)) as line:
        line.read_pictures(3)
        # As if a key were held down: more than the program reads at once.
        line.type(b"x" * 200 + b"q")
        before = line.pictures()
        line.read_pictures(12)
        # The picture that was being written, those in the system's buffers, and the one that was being drawn.
        assert line.pictures() <= before + 4
        assert line.end() == 0
        line.check_usable()


def test_a_terminal_that_was_not_read_shows_the_newest_picture_next(program, tmp_path):
    os.mkfifo(tmp_path / "sound")
    source = ["--input", tmp_path / "sound", "--rate", 44100]
    with contextlib.closing(Slow(program, tmp_path, source=source)) as line:
        samples = (noise(5, 44100 * 8) * 32767).astype("<i2").tobytes()
        with open(tmp_path / "sound", "wb") as sound:
            # A busy machine might analyse both parts together and draw one picture: this waits for the picture of each.
            for part in (samples[:44100], samples[44100:88200]):
                sound.write(part)
                sound.flush()
                line.read_pictures(1)
            before = line.pictures()
            # The program analyses all of this, except what stays in the pipe, while nobody reads its output.
            sound.write(samples[88200:])
            sound.flush()
            # Without new sound nothing is drawn: the pictures end.
            while select.select([line.ours], [], [], 1)[0] and line.pictures() < before + 20:
                line.output += os.read(line.ours, 1 << 16)
            # One picture was being written, and some were in the system's buffers.
            assert before < line.pictures() <= before + 4
        assert line.end() == 0
        assert b"8.00 s of audio" in line.output


def test_a_low_frame_rate_does_not_delay_the_end(program, sine):
    # The next picture is due long after the test's time limit.
    with contextlib.closing(Line([program, "live", "--file", sine(3000), "--fps", 0.01])) as line:
        line.read(lambda: b"quit" in line.output, "the picture")
        line.type(b"\x03")
        assert line.end() == 130


@needs_tmux
def test_the_program_ends_at_the_end_of_a_pipe(program, pane, tmp_path):
    (tmp_path / "raw").write_bytes((noise(1, 44100) * 32767).astype("<i2").tobytes())
    window = pane()
    window.type(f"(cat raw; sleep 1) | {live(program, '--rate', 44100)}; echo status $?")
    text = window.wait(lambda text: re.search(r"^status \d+$", text, re.M), "the end")
    assert "status 0" in text and "stdin: 1.00 s of audio, 200 frames" in text
    window.check_usable()


@needs_tmux
def test_keys_come_from_the_terminal_while_sound_comes_through_a_pipe(program, pane, tmp_path):
    window = pane()
    window.type(f"cat /dev/zero | {live(program, '--rate', 8000, '--format', 'f32le')}; echo status $?")
    window.wait(lambda text: "quit" in text)
    window.press("q")
    text = window.wait(lambda text: re.search(r"^status \d+$", text, re.M), "the end")
    assert "status 0" in text
    window.check_usable()


@needs_tmux
def test_a_terminal_is_not_taken_as_the_input(program, pane):
    window = pane()
    window.type(live(program) + "; echo status $?")
    text = window.wait(lambda text: re.search(r"^status \d+$", text, re.M))
    assert "status 64" in text and "arecord" in text and "--file" in text


def test_without_a_terminal_it_says_what_to_do_and_sends_no_escapes(program, sine):
    result = without_terminal(program, "--file", sine(1000, seconds=1), status=64)
    assert b"\x1b" not in result.stdout + result.stderr and result.stdout == b""
    assert b"--record" in result.stderr


# -------------------------------------------------------------------------------------------------------------- record


def stored(path):
    with h5py.File(path) as file:
        found = {}
        file.visititems(lambda name, item: found.update({name: item[()]}) if isinstance(item, h5py.Dataset) else None)
        return found, dict(file["features"].attrs)


@pytest.mark.parametrize("arguments", [
    ["--preset", "scrolling-dct"], ["--preset", "log-mel"], ["--preset", "musical-spectrum"],
    ["--preset", "kaldi-mfcc", "--set", "store.type=float16", "--set", "store.compression=deflate"],
    ["--preset", "htk-mfcc", "--set", "normalize.scope=dataset"], ["--preset", "whisper"], ["--preset", "spectrogram"],
    # Without a preset both compute log-mel.
    [], ["--set", "frame.hop=200"],
], ids=lambda arguments: arguments[1] if arguments else "default")
@pytest.mark.parametrize("way", ["pipe", "input", "file"])
def test_a_recording_is_what_extract_makes(program, veery, tmp_path, arguments, way):
    sound = np.stack([noise(1, 44100 * 2 + 77), np.pad(tone(44100, 2, [440, 3000]), (0, 77))], 1)
    write_wav(tmp_path / "song.wav", 44100, sound)
    data = (tmp_path / "song.wav").read_bytes()
    given = {"pipe": [], "input": ["--input", "song.wav"], "file": ["--file", "song.wav", "--speed", "0"]}[way]
    result = without_terminal(program, *given, *arguments, "--record", "live.h5", data=data if way == "pipe" else b"",
                              cwd=tmp_path)
    assert b"wrote live.h5" in result.stderr
    name = "stdin" if way == "pipe" else "song"
    rows = [{"path": "song.wav", "id": name, "label": ""}]
    write_manifest(tmp_path / "manifest.csv", rows)
    veery("extract", "manifest.csv", "-o", "extract.h5", *arguments, "--quiet", folder=tmp_path)
    (ours, attributes), (expected, wanted) = stored(tmp_path / "live.h5"), stored(tmp_path / "extract.h5")
    assert ours.keys() == expected.keys()
    for key, value in expected.items():
        if key in ("provenance/manifest_sha256",) or (key in ("clips/path", "clips/record_xxh3") and way == "pipe"):
            continue
        assert np.array_equal(ours[key], value, equal_nan=value.dtype.kind == "f"), key
    assert {k: str(v) for k, v in attributes.items() if "REF" not in k and "DIM" not in k} == {
        k: str(v) for k, v in wanted.items() if "REF" not in k and "DIM" not in k}
    veery("inspect", tmp_path / "live.h5", "--verify")


def with_length(data, size):
    """A WAV with a header of 44 bytes, in which the length of the samples is changed."""
    return data[:40] + size.to_bytes(4, "little") + data[44:]


@pytest.mark.parametrize("way", ["pipe", "input"])
def test_a_stream_shorter_than_its_header_states_is_an_error(program, veery, tmp_path, way):
    write_wav(tmp_path / "whole.wav", 8000, noise(1, 24000))
    data = (tmp_path / "whole.wav").read_bytes()[:44 + 2 * 16000]
    (tmp_path / "a.wav").write_bytes(data)
    given, name = ([], "stdin") if way == "pipe" else (["--input", "a.wav"], "a.wav")
    for more in [], ["--quiet", "--overwrite"]:
        result = without_terminal(program, *given, "--record", "live.h5", *more, data=data if way == "pipe" else b"",
                                  cwd=tmp_path, status=1)
        assert (f"error: {name}: cut off: the header promises 3.00 s, 2.00 s are there: let the program that writes it run "
                f"to its end. What came is in live.h5\n").encode() in result.stderr
    veery("inspect", tmp_path / "live.h5", "--verify")
    with h5py.File(tmp_path / "live.h5") as file:
        assert file["clips/duration"][0] == 2 and file["clips/truncated"][0] == 1
    # The same for filtered sound on standard output.
    filtered = [*given, "--band-pass", "300-3400"]
    without_terminal(program, *filtered, data=data, cwd=tmp_path, status=1)
    result = without_terminal(program, *filtered, "--truncated", "keep", data=data, cwd=tmp_path)
    assert f"warning: {name}: cut off: the header promises 3.00 s, 2.00 s are there\n".encode() in result.stderr


@pytest.mark.parametrize("size", [0, 0xFFFFFFFF, 0x7FFFFFFF, 0x7FFFF000, 0x7FFFFFDB, 0x80000000])
def test_placeholders_for_an_unknown_length_are_not_taken_as_lengths(program, tmp_path, size):
    write_wav(tmp_path / "a.wav", 8000, noise(1, 16000))
    result = without_terminal(program, "--record", "live.h5", data=with_length((tmp_path / "a.wav").read_bytes(), size), cwd=tmp_path)
    assert b"error" not in result.stderr and b"stdin: 2.00 s of audio" in result.stderr


def started(program, folder, *arguments):
    return subprocess.Popen([program, "live", *map(str, arguments)], cwd=folder, start_new_session=True,
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_recording_that_is_stopped_is_complete(program, veery, tmp_path, number):
    process = started(program, tmp_path, "--rate", 16000, "--record", "live.h5")
    process.stdin.write((noise(1, 32000) * 32767).astype("<i2").tobytes())
    process.stdin.flush()
    time.sleep(1)
    assert not (tmp_path / "live.h5").exists()
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert b"1 clip, 198 frames" in errors
    veery("inspect", tmp_path / "live.h5", "--verify")
    assert sorted(os.listdir(tmp_path)) == ["live.h5"]


def test_a_recording_that_is_killed_at_its_beginning_leaves_nothing_under_its_name(program, tmp_path):
    process = started(program, tmp_path, "--rate", 16000, "--record", "live.h5")
    process.stdin.write((noise(1, 3200) * 32767).astype("<i2").tobytes())
    process.stdin.flush()
    deadline = time.monotonic() + PATIENCE
    while not (tmp_path / "live.h5.spool").exists():
        assert process.poll() is None and time.monotonic() < deadline
    process.kill()
    process.wait()
    assert os.listdir(tmp_path) == ["live.h5.spool"]
    data = (noise(2, 16000) * 32767).astype("<i2").tobytes()
    without_terminal(program, "--rate", 16000, "--record", "live.h5", data=data, cwd=tmp_path)
    assert os.listdir(tmp_path) == ["live.h5"]
    without_terminal(program, "--rate", 16000, "--record", "live.h5", data=data, cwd=tmp_path, status=1)
    without_terminal(program, "--rate", 16000, "--record", "live.h5", "--overwrite", data=data, cwd=tmp_path)


# -------------------------------------------------------------------------------------------------- killed recordings


def progress_records(folder):
    """The number of progress records (kind 5) in the spool of a recording."""
    count = 0
    for path in sorted(folder.glob("clips-*.spool")):
        data, offset = path.read_bytes(), 0
        while offset + 32 <= len(data):
            kind, size = struct.unpack_from("<4xI", data, offset + 8)[0], struct.unpack_from("<Q", data, offset + 24)[0]
            if offset + 32 + size > len(data):
                break
            count += kind == 5
            offset += 32 + size
    return count


def killed(program, folder, samples, *arguments):
    """Writes samples in pieces, with pauses, and kills the program when the spool on the disk has a progress record."""
    process = started(program, folder, "--rate", 16000, "--record", "live.h5", *arguments)
    for piece in np.array_split(samples, 8):
        process.stdin.write(piece.tobytes())
        process.stdin.flush()
        time.sleep(0.35)
    until(lambda: progress_records(folder / "live.h5.spool"), "a progress record")
    process.kill()
    process.communicate()
    assert os.listdir(folder) == ["live.h5.spool"]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("arguments", [
    ["--preset", "log-mel", "--set", "normalize.scope=none"], ["--preset", "scrolling-dct"],
    ["--preset", "librosa-log-mel", "--set", "audio.sample_rate=null"],
    ["--preset", "htk-mfcc", "--set", "normalize.scope=none"],
], ids=lambda arguments: arguments[1])
def test_a_recording_that_is_killed_can_be_completed(program, veery, tmp_path, arguments):
    samples = (noise(1, 16000 * 6) * 32767).astype("<i2")
    samples[:3000] //= 4
    samples[3000:8000] *= 3  # the greatest value comes early
    killed(program, tmp_path, samples, *arguments)
    result = without_terminal(program, "--recover", "live.h5", cwd=tmp_path)
    assert b"wrote live.h5: 1 clip" in result.stderr
    assert os.listdir(tmp_path) == ["live.h5"]
    veery("inspect", tmp_path / "live.h5", "--verify")
    with h5py.File(tmp_path / "live.h5") as file:
        count = round(file["clips/duration"][0] * 16000)
        rows, checksum = file["features"][:], file["clips/audio_xxh3"][0]
        mean = file["statistics/mean"][:]
    assert 16000 <= count <= len(samples)
    # The rows are those that extract makes of just these samples, without the last ones, which need the end of the signal.
    soundfile.write(tmp_path / "part.wav", samples[:count], 16000, "PCM_16")
    write_manifest(tmp_path / "manifest.csv", [{"path": "part.wav"}])
    veery("extract", "manifest.csv", "-o", "extract.h5", *arguments, "--quiet", folder=tmp_path)
    with h5py.File(tmp_path / "extract.h5") as file:
        wanted = file["features"][:]
        assert file["clips/audio_xxh3"][0] == checksum
    missing = len(wanted) - len(rows)
    assert 0 <= missing <= 40 and len(rows) > 20
    said = f", {len(rows)} frames" + (f" without the last {missing}" if missing else "")
    assert said.encode() in result.stderr.splitlines()[0], result.stderr
    # The slopes (deltas) of the last frames depend on frames after them: these rows are left out, not made up.
    assert np.array_equal(rows, wanted[:len(rows)])
    assert np.allclose(mean, rows.astype(np.float64).mean(0), atol=1e-4)


@pytest.mark.parametrize("scope", ["none", "clip"])
def test_rows_that_are_added_to_a_recording_that_was_killed_hold_its_least_value(program, veery, tmp_path, scope):
    arguments = [word for setting in ("rows.count=2000", "rows.fill=min", "rows.fill_order=before", f"normalize.scope={scope}")
                 for word in ("--set", setting)]
    samples = (noise(1, 16000 * 6) * 32767).astype("<i2")
    killed(program, tmp_path, samples, *arguments)
    without_terminal(program, "--recover", "live.h5", cwd=tmp_path)
    with h5py.File(tmp_path / "live.h5") as file:
        count, rows = round(file["clips/duration"][0] * 16000), file["features"][:]
    soundfile.write(tmp_path / "part.wav", samples[:count], 16000, "PCM_16")
    write_manifest(tmp_path / "manifest.csv", [{"path": "part.wav"}])
    veery("extract", "manifest.csv", "-o", "extract.h5", *arguments, "--quiet", folder=tmp_path)
    with h5py.File(tmp_path / "extract.h5") as file:
        wanted = file["features"][:]
    assert rows.shape == wanted.shape == (2000, 80)
    if scope == "none":
        # The last rows, up to a batch of them, need more samples than there were.
        assert np.array_equal(rows[:count // 160 - 40], wanted[:count // 160 - 40])
    raw = package.open(tmp_path / "live.h5").raw()[0].features
    assert np.allclose(raw[-500:], raw[:count // 160].min(), rtol=1e-5)


def test_a_killed_recording_is_deleted_only_on_request(program, veery, tmp_path):
    samples = (noise(1, 16000 * 4) * 32767).astype("<i2")
    killed(program, tmp_path, samples)
    before = {name: (tmp_path / "live.h5.spool" / name).read_bytes() for name in ("live.json", "clips-0.spool")}
    result = without_terminal(program, "--rate", 16000, "--record", "live.h5", data=samples.tobytes(), cwd=tmp_path,
                              status=1)
    assert b"--recover " in result.stderr and re.search(rb"a recording of \d\.\d+ s was", result.stderr)
    write_wav(tmp_path / "a.wav", 16000, noise(2, 16000))
    write_manifest(tmp_path / "manifest.csv", [{"path": "a.wav"}])
    for more in ([], ["--dry-run"]):
        result = veery("extract", "manifest.csv", "-o", "live.h5", *more, folder=tmp_path, status=1)
        # The run says it as an error, the dry run in its report.
        assert "veery live --recover " in (result.stdout if more else result.stderr)
    assert before == {name: (tmp_path / "live.h5.spool" / name).read_bytes() for name in before}
    without_terminal(program, "--recover", "live.h5", cwd=tmp_path)
    # Nothing is left to recover, and the recording is a feature file like any other.
    result = without_terminal(program, "--recover", "live.h5", "--overwrite", cwd=tmp_path, status=1)
    assert b"expected what an interrupted recording has left" in result.stderr
    assert (tmp_path / "live.h5").exists()


def test_an_input_that_had_not_begun_is_a_failure_in_the_file(program, veery, tmp_path):
    os.mkfifo(tmp_path / "silent")
    holder = os.open(tmp_path / "silent", os.O_RDWR)
    write_wav(tmp_path / "a.wav", 16000, noise(1, 16000 * 60))
    os.write(holder, (tmp_path / "a.wav").read_bytes()[:44])
    process = started(program, tmp_path, "--file", "a.wav", "--input", "silent", "--record", "live.h5")
    until(lambda: progress_records(tmp_path / "live.h5.spool"), "a progress record")
    process.kill()
    process.communicate()
    os.close(holder)
    result = without_terminal(program, "--recover", "live.h5", cwd=tmp_path, status=1)
    assert b"interrupted before its first sample" in result.stderr and b"1 clip" in result.stderr
    veery("inspect", tmp_path / "live.h5", "--verify")
    with h5py.File(tmp_path / "live.h5") as file:
        assert list(file["clips/id"].asstr()) == ["a"] and list(file["failures/id"].asstr()) == ["silent"]


def test_recovery_keeps_what_precedes_the_damage(program, veery, tmp_path):
    samples = (noise(1, 16000 * 6) * 32767).astype("<i2")
    killed(program, tmp_path, samples)
    path = tmp_path / "live.h5.spool/clips-0.spool"
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 1
    path.write_bytes(data)
    result = without_terminal(program, "--recover", "live.h5", cwd=tmp_path, status=1)
    assert re.search(rb"error: stdin: what follows frame \d+ of the interrupted recording is damaged", result.stderr)
    # The damaged spool is not deleted: what follows the damage may still be useful.
    assert path.read_bytes() == data
    veery("inspect", tmp_path / "live.h5", "--verify")
    with h5py.File(tmp_path / "live.h5") as file:
        assert 20 < len(file["features"]) < 300


@pytest.mark.parametrize("limit", [400_000, 1_000_000, 1_930_000])
def test_nothing_that_was_recorded_is_lost_on_a_full_disk(program, tmp_path, limit):
    """The limit on the size of files is reached while rows are recorded (1.92 MB of them), or while the file is assembled."""
    data = (noise(1, 16000 * 60 + 240) * 32767).astype("<i2").tobytes()
    for folder in ("full", "whole"):
        (tmp_path / folder).mkdir()
    without_terminal(program, "--rate", 16000, "--record", "live.h5", data=data, cwd=tmp_path / "whole")
    folder = tmp_path / "full"
    result = without_terminal(
        program, "--rate", 16000, "--record", "live.h5", data=data, cwd=folder, status=75,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    assert b"File too large" in result.stderr and b"veery live --recover " in result.stderr, result.stderr
    assert os.listdir(folder) == ["live.h5.spool"]
    without_terminal(program, "--recover", "live.h5", cwd=folder)
    assert os.listdir(folder) == ["live.h5"]
    if limit > 6000 * 80 * 4:
        assert (folder / "live.h5").read_bytes() == (tmp_path / "whole/live.h5").read_bytes()
    else:
        with h5py.File(folder / "live.h5") as file:
            assert 0.6 * limit < 320 * len(file["features"]) <= limit


def test_rows_on_a_disk_that_is_soon_full_can_be_recovered(program, veery, tmp_path):
    folder = tmp_path / "small"
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], capture_output=True).returncode != 0:
        pytest.skip("NOT ROOT: a recording on a small disk is not tested")
    try:
        data = (noise(1, 16000 * 120) * 32767).astype("<i2").tobytes()
        result = without_terminal(program, "--rate", 16000, "--record", "live.h5", data=data, cwd=folder, status=75)
        assert b"No space left on device" in result.stderr and b"veery live --recover " in result.stderr
        result = without_terminal(program, "--recover", "live.h5", cwd=folder, status=75)
        assert b"No space left on device" in result.stderr
        subprocess.run(["mount", "-o", "remount,size=64m", folder], check=True)
        without_terminal(program, "--recover", "live.h5", cwd=folder)
        assert os.listdir(folder) == ["live.h5"]
        veery("inspect", folder / "live.h5", "--verify")
        with h5py.File(folder / "live.h5") as file:
            assert 0.6 * 2**20 < 320 * len(file["features"]) <= 2**20
    finally:
        subprocess.run(["umount", folder], check=True)


@pytest.mark.long
def test_a_spool_left_next_to_its_complete_file_is_harmless_and_one_of_another_recording_is_kept(program, tmp_path):
    samples = (noise(1, 16000 * 3) * 32767).astype("<i2")
    killed(program, tmp_path, samples)
    shutil.copytree(tmp_path / "live.h5.spool", tmp_path / "copy")
    without_terminal(program, "--recover", "live.h5", cwd=tmp_path)
    complete = (tmp_path / "live.h5").read_bytes()
    # As if the program had been killed after it gave the file its name, before it deleted the spool.
    for _ in range(2):
        shutil.copytree(tmp_path / "copy", tmp_path / "live.h5.spool")
        result = without_terminal(program, "--recover", "live.h5", cwd=tmp_path)
        assert b"wrote live.h5: 1 clip" in result.stderr and (tmp_path / "live.h5").read_bytes() == complete
        assert not (tmp_path / "live.h5.spool").exists()
    shutil.copytree(tmp_path / "copy", tmp_path / "live.h5.spool")
    without_terminal(program, "--rate", 16000, "--record", "live.h5", "--overwrite", data=samples.tobytes(), cwd=tmp_path)
    # The spool of another recording is an obstacle to both, even where the output exists and may be overwritten.
    shutil.copytree(tmp_path / "copy", tmp_path / "live.h5.spool")
    without_terminal(program, "--rate", 16000, "--record", "live.h5", "--overwrite", data=samples.tobytes(), cwd=tmp_path,
                     status=1)
    result = without_terminal(program, "--recover", "live.h5", cwd=tmp_path, status=1)
    assert b"--overwrite" in result.stderr
    without_terminal(program, "--recover", "live.h5", "--overwrite", cwd=tmp_path)
    assert (tmp_path / "live.h5").read_bytes() == complete


@pytest.mark.long
def test_a_recovery_may_be_killed_too(program, tmp_path):
    samples = (noise(1, 16000 * 3) * 32767).astype("<i2")
    killed(program, tmp_path, samples)
    shutil.copytree(tmp_path / "live.h5.spool", tmp_path / "copy")
    without_terminal(program, "--recover", "live.h5", cwd=tmp_path)
    wanted = (tmp_path / "live.h5").read_bytes()
    for milliseconds in [0, 2, 5, 8, 12, 16, 20, 25, 30, 40, 60]:
        (tmp_path / "live.h5").unlink()
        shutil.copytree(tmp_path / "copy", tmp_path / "live.h5.spool", dirs_exist_ok=True)
        process = subprocess.Popen([program, "live", "--recover", "live.h5"], cwd=tmp_path, stderr=subprocess.PIPE)
        time.sleep(milliseconds / 1000)
        process.kill()
        process.communicate()
        if (tmp_path / "live.h5.spool/live.json").exists():
            without_terminal(program, "--recover", "live.h5", cwd=tmp_path)
        assert (tmp_path / "live.h5").read_bytes() == wanted
        shutil.rmtree(tmp_path / "live.h5.spool", ignore_errors=True)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("change", [
    lambda note: "", lambda note: "{}", lambda note: note[:-40], lambda note: json.dumps({**json.loads(note), "inputs": []}),
    lambda note: note.replace("16000,", "-5,"), lambda note: note.replace('"sampleRate" : 16000', '"sampleRate" : 1e300'),
    lambda note: json.dumps({**json.loads(note), "configuration": "[]"}),
])
def test_a_damaged_description_of_a_recording_is_an_error(program, tmp_path, change):
    samples = (noise(1, 16000 * 3) * 32767).astype("<i2")
    killed(program, tmp_path, samples)
    path = tmp_path / "live.h5.spool/live.json"
    path.write_text(change(path.read_text()))
    rows = (tmp_path / "live.h5.spool/clips-0.spool").read_bytes()
    for arguments in (["--recover", "live.h5"], ["--rate", 16000, "--record", "live.h5"]):
        result = without_terminal(program, *arguments, data=samples.tobytes(), cwd=tmp_path, status=1)
        assert b"live.h5" in result.stderr and b"Fatal" not in result.stderr
    assert (tmp_path / "live.h5.spool/clips-0.spool").read_bytes() == rows


@pytest.mark.parametrize("arguments", [["--record", "b.h5"], ["--file", "a.wav"], ["--preset", "log-mel"], ["--rate", "8000"]])
def test_recovery_takes_no_other_options(program, tmp_path, arguments):
    result = without_terminal(program, "--recover", "live.h5", *arguments, cwd=tmp_path, status=64)
    assert b"give it alone" in result.stderr
    result = without_terminal(program, "--recover", "live.h5", cwd=tmp_path, status=1)
    assert b"live.h5.spool, found none" in result.stderr and os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["live.csv", "notes.txt", "clips-0.spool"])
def test_a_file_of_the_user_in_the_spool_is_not_deleted(program, tmp_path, name):
    theirs = tmp_path / "live.h5.spool" / name
    theirs.parent.mkdir()
    theirs.write_text("precious")
    # If the file has a name that Veery uses, the folder may be Veery's or not: the run is refused. Any other file is ignored.
    is_refused = name == "clips-0.spool"
    data = (noise(2, 16000) * 32767).astype("<i2").tobytes()
    result = without_terminal(program, "--rate", 16000, "--record", "live.h5", data=data, cwd=tmp_path,
                              status=1 if is_refused else 0)
    assert theirs.read_text() == "precious"
    assert os.listdir(theirs.parent) == [name]
    assert (tmp_path / "live.h5").exists() != is_refused, result.stderr


def play(process, seed=1, seconds=2, rate=16000):
    """Writes noise to the program's standard input, and waits until the program has read all of it."""
    data = (noise(seed, rate * seconds) * 32767).astype("<i2").tobytes()
    process.stdin.write(data)
    process.stdin.flush()
    left = struct.pack("i", 1)
    while struct.unpack("i", left)[0]:
        time.sleep(0.01)
        left = fcntl.ioctl(process.stdin, termios.FIONREAD, left)
    return data


@pytest.mark.long
@pytest.mark.parametrize("gap", [0, 0.01, 0.03, 0.1])
@pytest.mark.parametrize("numbers", [
    (signal.SIGTERM, signal.SIGINT), (signal.SIGHUP, signal.SIGTERM), (signal.SIGINT, signal.SIGINT),
    (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGHUP),
], ids=lambda numbers: "+".join(signal.Signals(number).name[3:] for number in numbers))
def test_several_signals_do_not_lose_a_recording(program, veery, tmp_path, numbers, gap):
    process = started(program, tmp_path, "--rate", 16000, "--record", "live.h5")
    data = play(process)
    for number in numbers:
        process.send_signal(number)
        time.sleep(gap)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert sorted(os.listdir(tmp_path)) == ["live.h5"]
    soundfile.write(tmp_path / "stdin.wav", np.frombuffer(data, "<i2"), 16000, subtype="PCM_16")
    write_manifest(tmp_path / "manifest.csv", [{"path": "stdin.wav", "label": ""}])
    veery("extract", "manifest.csv", "-o", "extract.h5", "--quiet", folder=tmp_path)
    ours, expected = stored(tmp_path / "live.h5")[0], stored(tmp_path / "extract.h5")[0]
    assert np.array_equal(ours["features"], expected["features"])
    assert np.array_equal(ours["clips/tensor_xxh3"], expected["clips/tensor_xxh3"])


@pytest.mark.long
def test_a_second_signal_long_after_the_first_is_answered_and_loses_no_recording(program, veery, tmp_path):
    process = started(program, tmp_path, "--rate", 16000, "--record", "live.h5", "--set", "store.compression=deflate",
                      "--preset", "scrolling-dct")
    play(process, seconds=600)
    process.send_signal(signal.SIGINT)
    # The first signal has been handled when the file is being assembled. The pause is so long that the second one is not taken for
    # the same request.
    until(lambda: (tmp_path / "live.h5.spool/features.h5").exists(), "the file")
    process.send_signal(signal.SIGSTOP)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGCONT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert b"live.h5 is being completed: wait a moment" in errors
    veery("inspect", tmp_path / "live.h5", "--verify")
    assert os.listdir(tmp_path) == ["live.h5"]


@pytest.mark.parametrize("held", [False, True], ids=["not read", "held by Ctrl-S"])
def test_a_terminal_that_is_not_read_loses_no_recording(program, veery, tmp_path, held):
    write_wav(tmp_path / "noise.wav", 44100, noise(4, 44100 * 60))
    command = [program, "live", "--file", tmp_path / "noise.wav", "--preset", "scrolling-dct", "--colors", "magma",
               "--span", 0, "--record", tmp_path / "live.h5"]
    with contextlib.closing(Line(command, columns=200, rows=50)) as line:
        line.read(lambda: b"quit" in line.output, "the picture")
        if held:
            line.type(b"\x13")
        time.sleep(1)
        line.process.send_signal(signal.SIGTERM)
        if held:
            assert line.end() == 0
            line.check_usable()
        else:
            # Nobody reads the program's last lines either: one more signal ends it.
            until(lambda: (tmp_path / "live.h5").exists() and not (tmp_path / "live.h5.spool").exists(), "the recording")

            def is_over():
                line.process.send_signal(signal.SIGTERM)
                return line.process.poll() is not None

            until(is_over, "the end")
    veery("inspect", tmp_path / "live.h5", "--verify")


def test_a_minute_of_sound_that_arrives_at_once_is_recorded_at_once(program, tmp_path):
    process = started(program, tmp_path, "--rate", 16000, "--record", "live.h5")
    play(process, seconds=60)
    until(lambda: progress_records(tmp_path / "live.h5.spool") >= 58, "a progress record for each second")
    process.kill()
    process.wait()
    without_terminal(program, "--recover", "live.h5", cwd=tmp_path)
    with h5py.File(tmp_path / "live.h5") as file:
        assert file["clips/duration"][0] >= 58


def test_waiting_for_sound_is_reported(program, tmp_path):
    process = started(program, tmp_path, "--rate", 16000, "--record", "live.h5")
    assert b"waiting for sound on standard input" in process.stderr.readline()
    _, errors = process.communicate(input=(noise(1, 16000) * 32767).astype("<i2").tobytes(), timeout=60)
    assert process.returncode == 0 and b"wrote live.h5" in errors


def test_a_run_that_ignores_hangups_goes_on(program, tmp_path):
    process = subprocess.Popen(
        ["nohup", program, "live", "--rate", "16000", "--record", "live.h5"], cwd=tmp_path, start_new_session=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdin.write((noise(1, 16000) * 32767).astype("<i2").tobytes())
    process.stdin.flush()
    until(lambda: (tmp_path / "live.h5.spool").exists(), "the recording")
    process.send_signal(signal.SIGHUP)
    time.sleep(0.3)
    assert process.poll() is None
    _, errors = process.communicate(input=(noise(1, 16000) * 32767).astype("<i2").tobytes(), timeout=60)
    assert process.returncode == 0 and b"2.00 s of audio" in errors, errors


def test_without_a_recording_a_signal_ends_it_with_the_status_of_the_signal(program, tmp_path):
    process = started(program, tmp_path, "--rate", 16000, "--band-pass", "300-3400")
    process.stdin.write(bytes(65536))
    process.stdin.flush()
    assert select.select([process.stdout], [], [], PATIENCE)[0] and process.stdout.read(1) == b"\0"
    process.send_signal(signal.SIGINT)
    # Its input is open: the end of that is no reason to end.
    assert process.wait(timeout=60) == 130
    process.communicate()


# ----------------------------------------------------------------------------------------------------------- equalizer


@pytest.mark.parametrize("subtype, form", [("PCM_16", "s16le"), ("PCM_24", "s24le"), ("PCM_32", "s32le"),
                                           ("FLOAT", "f32le"), ("PCM_U8", "u8"), ("DOUBLE", "f64le")])
@pytest.mark.parametrize("band", [["--band-pass", "300-3400"], ["--band-stop", "20-300bins"],
                                  ["--band-pass", "300-3400", "--pages", "separate"]])
def test_sound_passed_on_is_what_filter_writes(program, veery, tmp_path, subtype, form, band):
    samples = np.stack([noise(seed, 40001, 0.4) for seed in (1, 2)], 1)
    soundfile.write(tmp_path / "in.wav", samples, 16000, subtype=subtype)
    veery("filter", tmp_path / "in.wav", tmp_path / "out.wav", *band, "--quiet")
    expected = soundfile.read(tmp_path / "out.wav", always_2d=True)[0]
    data = (tmp_path / "in.wav").read_bytes()
    wave = without_terminal(program, *band, data=data)
    (tmp_path / "live.wav").write_bytes(wave.stdout)
    found, rate = soundfile.read(tmp_path / "live.wav", always_2d=True)
    assert rate == 16000 and np.array_equal(found, expected)
    begin = data.index(b"data") + 8
    size = {"u8": 1, "s16le": 2, "s24le": 3, "s32le": 4, "f32le": 4, "f64le": 8}[form]
    raw = without_terminal(program, *band, "--rate", 16000, "--channels", 2, "--format", form,
                           data=data[begin:begin + 40001 * 2 * size])
    assert raw.stdout == wave.stdout[begin:]


@pytest.mark.parametrize("end", ["the end", signal.SIGINT, signal.SIGTERM])
def test_a_wav_that_is_written_to_a_file_has_its_length_in_the_header(program, tmp_path, end):
    write_wav(tmp_path / "in.wav", 16000, noise(1, 16000 * 60))
    speed = ["--speed", 0] if end == "the end" else []
    with open(tmp_path / "out.wav", "wb") as out:
        process = subprocess.Popen([program, "live", "--file", "in.wav", *map(str, speed), "--band-pass", "300-3400"],
                                   cwd=tmp_path, start_new_session=True, stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=subprocess.PIPE)
        if end != "the end":
            while (tmp_path / "out.wav").stat().st_size < 20000:
                time.sleep(0.01)
            process.send_signal(end)
        process.communicate(timeout=60)
    data = (tmp_path / "out.wav").read_bytes()
    assert struct.unpack("<I", data[4:8])[0] == len(data) - 8 and struct.unpack("<I", data[40:44])[0] == len(data) - 44
    found = soundfile.info(tmp_path / "out.wav")
    assert found.frames == (len(data) - 44) // 2 and (end != "the end" or found.frames == 16000 * 60)


@pytest.mark.parametrize("way", ["pipe", "file"])
@pytest.mark.parametrize("size", ["real", "unknown", "RF64"])
def test_chunks_after_the_samples_are_not_read_as_sound(program, tmp_path, way, size):
    samples = (noise(1, 16000) * 32767).astype("<i2").tobytes()
    tail = b"LIST" + struct.pack("<I", 4000) + bytes(4000)
    form = b"fmt " + struct.pack("<IHHIIHH", 16, 1, 1, 16000, 32000, 2, 16)
    long = b"ds64" + struct.pack("<IQQQI", 28, 4 + 36 + 24 + 8 + len(samples) + len(tail), len(samples), 16000, 0)
    head, length = {"real": (form, len(samples)), "unknown": (form, 0x7FFFF000), "RF64": (long + form, 0xFFFFFFFF)}[size]
    body = b"WAVE" + head + b"data" + struct.pack("<I", length) + samples + tail
    data = (b"RF64\xff\xff\xff\xff" if size == "RF64" else b"RIFF" + struct.pack("<I", len(body))) + body
    (tmp_path / "in.wav").write_bytes(data)
    arguments = [program, "live", "--record", "x.h5"]
    with open(tmp_path / "in.wav", "rb") as file:
        given = {"stdin": file} if way == "file" else {"input": data}
        result = subprocess.run(arguments, cwd=tmp_path, capture_output=True, start_new_session=True, **given)
    assert result.returncode == 0, result.stderr
    # With an unknown length, the chunk after the samples is read as sound.
    assert (b"stdin: 1.00 s of audio" in result.stderr) == (size != "unknown"), result.stderr


def test_it_ends_silently_when_the_reader_of_its_output_ends(program, sine):
    arguments = ["--file", sine(1000, seconds=20), "--speed", "0", "--band-pass", "300-3400"]
    process = subprocess.Popen([program, "live", *arguments], start_new_session=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.read(100)
    process.stdout.close()
    errors = process.stderr.read()
    process.wait(timeout=60)
    assert process.returncode == 0 and b"Broken pipe" not in errors, errors


@needs_tmux
def test_arrows_change_the_band_while_it_plays(program, pane, sine, tmp_path):
    window = pane()
    window.type(live(program, "--file", sine(3000), "--band-pass", "64-256bins") + " > out.wav; echo status $?")
    window.wait(lambda text: "band-pass" in text and "bins 64 to 256" in text, "the band")
    # The samples that are compared below have been written before any key is pressed, however late the sound is.
    until(lambda: (tmp_path / "out.wav").stat().st_size > 4 * 8192, "some sound")
    for key, words in [("Right", "bins 72 to 264"), ("Left", "bins 64 to 256"), ("Up", "bins 56 to 264"),
                       ("Down", "bins 64 to 256"), ("Tab", "band-stop")]:
        window.press(key)
        window.wait(lambda text: words in text, words)
    time.sleep(1)
    window.press("q")
    window.wait(lambda text: re.search(r"^status 0$", text, re.M), "the end")
    window.check_usable()
    found = soundfile.read(tmp_path / "out.wav")[0]
    # The tone, in bin 139, passes while its bin is in the band, and is removed by the band-stop.
    assert np.std(found[2048:8192]) > 0.3 and np.std(found[-20480:-4096]) < 0.06


# ----------------------------------------------------------------------------------------------------------- messages


@pytest.mark.parametrize("arguments, data, status, words", [
    (["--record", "x.h5"], b"", 1, "the input has ended"),
    (["--record", "x.h5"], bytes(100), 1, "give --rate"),
    (["--record", "x.h5", "--file", "none.wav"], b"", 1, "none.wav"),
    (["--record", "x.h5", "--format", "s16le"], b"", 64, "--rate"),
    (["--record", "x.h5", "--rate", "0"], b"", 64, "--rate"),
    (["--record", "x.h5", "--rate", "8000", "--set", "condition.remove_dc=true"], bytes(100), 1, "condition.remove_dc=false"),
    (["--record", "x.h5", "--rate", "8000"], bytes(100), 1, "too short"),
    (["--band-pass", "300-3400", "--band-stop", "300-3400"], b"", 64, "either"),
    (["--band-pass", "300-3400", "--rate", "4000"], bytes(10), 1, "2000 Hz"),
    (["--record", "x.h5", "--rate", "8000", "--pages", "separate"], bytes(100), 64, "--pages is for --band-pass"),
    (["--overwrite"], b"", 64, "--record"),
    (["--record", "x.h5", "--rate", "8000", "--speed", "2"], bytes(100), 64, "--speed is for --file"),
    (["--record", "x.h5", "--input", "a", "--input", "b", "--file", "c"], b"", 64, "twice"),
])
def test_an_error_says_what_is_wrong_and_leaves_no_files(program, tmp_path, arguments, data, status, words):
    result = without_terminal(program, *arguments, data=data, status=status, cwd=tmp_path)
    assert words in result.stderr.decode() and b"\x1b" not in result.stderr
    assert os.listdir(tmp_path) == []
