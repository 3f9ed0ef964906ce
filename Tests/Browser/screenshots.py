#!/usr/bin/env python3
"""Makes the pictures of the guide's page about `veery browse` from calls that it synthesises: VEERY=PROGRAM python screenshots.py [FOLDER]"""

import io
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from conftest import ROOT, VEERY, Server, browser, recordings
from page import Page
from PIL import Image
from selenium.webdriver.common.keys import Keys

RATE = 16000


def call(random, species):
    """A call: syllables of falling, rising, trilled or steady tones with overtones, and wind."""
    first, last, syllables, length, trill = SPECIES[species]
    first, last = first * random.normal(1, 0.03), last * random.normal(1, 0.03)
    parts = [np.zeros(round(RATE * random.uniform(0.1, 0.25)))]
    for _ in range(syllables):
        time = np.arange(round(RATE * length * random.normal(1, 0.06))) / RATE
        share = time / time[-1]
        pitch = first + (last - first) * share + trill * np.sin(2 * np.pi * 28 * time)
        phase = 2 * np.pi * np.cumsum(pitch) / RATE
        tone = sum(0.4 ** number * np.sin((number + 1) * phase) for number in range(3) if (number + 1) * max(first, last) < 7600)
        parts += [0.25 * random.uniform(0.6, 1) * tone * np.sin(np.pi * share) ** 0.6, np.zeros(round(RATE * length * random.uniform(0.35, 0.5)))]
    parts.append(np.zeros(round(RATE * random.uniform(0.1, 0.3))))
    signal = np.concatenate(parts)
    # The reverberation of a wood, and wind.
    echo = random.normal(0, 1, RATE // 5) * np.exp(-np.arange(RATE // 5) / (RATE * 0.03)) * 0.05
    echo[0] = 1
    signal = np.convolve(signal, echo)[:len(signal)]
    wind = np.cumsum(random.normal(0, 0.001, len(signal)))
    return signal + 0.5 * (wind - np.convolve(wind, np.ones(400) / 400, "same")) + random.normal(0, 0.0015, len(signal))


# First and last frequency in Hz, syllables, seconds of each, depth of a trill in Hz.
SPECIES = {
    "blackcap": (2300, 3100, 5, 0.12, 250), "chaffinch": (4800, 2400, 7, 0.09, 0), "chiffchaff": (5200, 3600, 4, 0.14, 0),
    "goldcrest": (6800, 7300, 6, 0.08, 120), "great tit": (4300, 4300, 3, 0.22, 0), "nuthatch": (1800, 2700, 6, 0.11, 0),
    "robin": (3400, 5600, 4, 0.13, 420), "wren": (5600, 4400, 9, 0.06, 300),
}


def dataset(folder):
    random = np.random.default_rng(37)
    rows = []
    for number in range(160):
        species = list(SPECIES)[number % len(SPECIES)]
        site = f"{['beech', 'brook', 'meadow'][number % 3]} {number % 5 + 1}"
        name = f"{site.replace(' ', '-')}/{species.replace(' ', '-')}-{number:03}.wav"
        (folder / name).parent.mkdir(exist_ok=True)
        recordings.write_wav(folder / name, RATE, call(random, species))
        rows.append({"path": name, "label": species, "split": "test" if number % 5 == 4 else "train", "site": site})
    for number, wrong in [(33, "robin"), (70, "wren"), (124, "blackcap")]:
        rows[number]["label"] = wrong
    copied = rows[14]["path"].replace("-014", "-014-copy")
    shutil.copy(folder / rows[14]["path"], folder / copied)
    rows.append({**rows[14], "path": copied, "split": "train"})
    (folder / "meadow-3/cut.wav").write_bytes((folder / rows[2]["path"]).read_bytes()[:30])
    rows.append({"path": "meadow-3/cut.wav", "label": "wren", "split": "train", "site": "meadow 3"})
    recordings.write_manifest(folder / "calls.csv", rows)
    command = [VEERY, "extract", folder / "calls.csv", "-o", folder / "calls.h5", "--max-failures", "1", "--quiet"]
    subprocess.run(command, check=True)
    return folder / "calls.h5"


def save(page, path):
    """A picture in few colours: a third of the bytes."""
    page.wait(lambda: page.run("return document.getAnimations().length === 0 && !document.getElementById('status').classList.contains('shown')"))
    picture = Image.open(io.BytesIO(page.driver.get_screenshot_as_png())).convert("RGB")
    picture.quantize(128, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(path, optimize=True)


def suspicious(page):
    page.keys("S", "v", "v")
    page.drawn()


def two(page):
    page.open("sort=-suspicion&clip=beech-4/chaffinch-033&other=beech-1/robin-030")
    page.wait(lambda: page.state("suspicion") == "done", 60)
    page.drawn()
    page.keys("y", "j", "e", "k")
    page.wait(lambda: page.text("#saved").startswith("Saved"))
    page.drawn()


def selection(page):
    page.keys("/", "robin")
    page.wait(lambda: "of 162" in page.shown)
    page.keys(Keys.ENTER, Keys.HOME, "v", "v")
    page.drawn()
    page.drag((0.35, 0.3), (0.6, 0.62))
    page.wait(lambda: "time=" in page.fragment)


def relabel(page):
    page.keys("S", "r", "ch")
    page.drawn()


# Widths at which no reason is cut.
PICTURES = {
    "browse": (1280, False, suspicious), "browse-selection": (1280, False, selection), "browse-relabel": (1280, True, relabel),
    "browse-two": (1400, True, two),  # the last: it corrects
}


def main(folder):
    driver = browser()
    servers = []
    try:
        with tempfile.TemporaryDirectory() as made:
            server = Server(dataset(Path(made)), "--labels", f"{made}/corrections.csv")
            servers.append(server)
            for name, (width, dark, show) in PICTURES.items():
                driver.delete_all_cookies()
                page = Page(driver, server, width=width, height=800, dark=dark)
                page.run("localStorage.clear()")
                page.open()
                page.wait(lambda page=page: page.state("suspicion") == "done", 60)
                show(page)
                save(page, folder / f"{name}.png")
                print(f"{folder / name}.png: {(folder / name).with_suffix('.png').stat().st_size:,} bytes")
    finally:
        driver.quit()
        for server in servers:
            server.kill()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "examples/pictures")
