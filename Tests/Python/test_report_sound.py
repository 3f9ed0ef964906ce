"""The players of `inspect --html`: what they hold is the samples of the clips."""

import base64
import io
import re

import numpy as np
import pytest
import soundfile
from recordings import noise, tone, write_manifest, write_wav
from test_report import Page

PRESET = ["--preset", "log-mel", "--set", "audio.sample_rate=8000", "--set", "transform.high=4000", "--quiet"]


def players(path):
    """The samples and the rate of every player, by the name of its clip."""
    page, found = Page(path.read_text(encoding="utf-8")), {}
    for tag, attributes in page.elements:
        if tag == "audio":
            name = attributes["aria-label"].removeprefix("Sound of ")
            data = base64.b64decode(attributes["src"].removeprefix("data:audio/wav;base64,"), validate=True)
            samples, rate = soundfile.read(io.BytesIO(data), dtype="float32")
            if name in found:
                assert np.array_equal(found[name][0], samples)
            found[name] = samples, rate, soundfile.info(io.BytesIO(data)).subtype
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sounds")
    write_wav(folder / "a.wav", 8000, tone(8000, 2, [440]))
    write_wav(folder / "s.wav", 16_000, np.stack([tone(16_000, 1, [300]), noise(2, 16_000)], axis=1))
    soundfile.write(folder / "f.flac", noise(3, 44_100), 44_100, subtype="PCM_24")
    write_wav(folder / "long.wav", 8000, noise(4, 12 * 8000))
    write_wav(folder / "loud.wav", 8000, 1.5 * noise(5, 8000, 1), "<f4")
    write_manifest(folder / "m.csv", [
        {"path": "a.wav", "id": "whole", "label": "x"}, {"path": "a.wav", "id": "part", "label": "x", "start": 0.5, "end": 1.25},
        {"path": "s.wav", "id": "left", "label": "x", "channel": 0}, {"path": "s.wav", "id": "mix", "label": "y"},
        {"path": "f.flac", "id": "flac", "label": "y"}, {"path": "long.wav", "id": "long", "label": "y"}, {"path": "loud.wav", "id": "loud", "label": "y"}])
    return folder


def test_players_hold_the_samples_of_the_clips_at_the_rate_of_the_recording(veery, folder):
    veery("extract", folder / "m.csv", "-o", folder / "f.h5", *PRESET)
    veery("inspect", folder / "f.h5", "--html", folder / "report.html")
    found = players(folder / "report.html")

    def samples(name):
        return soundfile.read(folder / name, dtype="float32", always_2d=True)[0]

    expected = {
        "whole": (samples("a.wav")[:, 0], 8000, "PCM_16"), "part": (samples("a.wav")[4000:10_000, 0], 8000, "PCM_16"),
        "left": (samples("s.wav")[:, 0], 16_000, "PCM_16"), "mix": (samples("s.wav").mean(axis=1), 16_000, "FLOAT"),
        "flac": (samples("f.flac")[:, 0], 44_100, "FLOAT"), "long, first 10 s": (samples("long.wav")[:80_000, 0], 8000, "PCM_16"),
        "loud": (samples("loud.wav")[:, 0], 8000, "FLOAT")}
    assert found.keys() == expected.keys()
    for name, (wanted, rate, kind) in expected.items():
        assert found[name][1:] == (rate, kind) and np.array_equal(found[name][0], wanted), name
    text = (folder / "report.html").read_text("utf-8")
    assert "Players have the sound of the clips, of longer ones the first 10 s." in text
    for jobs in (1, 3):
        veery("inspect", folder / "f.h5", "--html", folder / "again.html", "--jobs", jobs)
        assert (folder / "again.html").read_text("utf-8") == text
    # Figures alone read no sound.
    veery("inspect", folder / "f.h5", "--plots", folder / "plots")


def test_without_recordings_there_are_no_players(veery, folder, tmp_path):
    veery("extract", folder / "m.csv", "-o", tmp_path / "f.h5", *PRESET)
    veery("inspect", tmp_path / "f.h5", "--html", tmp_path / "report.html", "--root", tmp_path)
    assert players(tmp_path / "report.html") == {}
    assert "No clip has a player: the recordings were not found." in (tmp_path / "report.html").read_text("utf-8")
    veery("inspect", tmp_path / "f.h5", "--html", tmp_path / "report.html", "--root", folder)
    assert len(players(tmp_path / "report.html")) == 7


@pytest.mark.long
def test_a_page_of_long_clips_has_a_limit(veery, tmp_path, peak_memory, program):
    write_wav(tmp_path / "day.wav", 48_000, noise(1, 48_000 * 60))
    write_manifest(tmp_path / "m.csv", [
        {"path": "day.wav", "label": f"l{clip % 10}", "start": clip % 48, "end": clip % 48 + 11, "id": clip} for clip in range(100)])
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", *PRESET)
    held = peak_memory(program, "inspect", tmp_path / "f.h5", "--html", tmp_path / "report.html")
    size = (tmp_path / "report.html").stat().st_size
    assert 15e6 < size < 34e6 and held < 500e6, (size, held)
    text = (tmp_path / "report.html").read_text("utf-8")
    said = re.search(r"(\d+) clips have none, so that the page does not become too large; .{0,10}veery browse.{0,10} plays every clip", text)
    assert said and int(said[1]) > 20
    found = players(tmp_path / "report.html")
    assert 5 < len(found) < 30 and all(len(samples) == 480_000 for samples, *_ in found.values())
