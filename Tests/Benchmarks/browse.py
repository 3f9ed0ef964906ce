#!/usr/bin/env python3
"""What `veery browse` takes on large datasets: `make bench CASE=browse`. Prints a table in Markdown.

A feature file of 100,000 clips, their manifest, and a manifest of ten times as many. The recordings need not be there: none is played.
Of each: the time from the start of the program until its address is printed, and until the whole table has been fetched as the page
does it; the size of the table; the time to values of a clip; the memory of the server in the end. With chromium and selenium, the
page itself: until it is ready, and how long it takes to show a filter of text and another order, the median of nine.
"""
import http.client
import json
import os
import pathlib
import random
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import urllib.parse

CLIPS = int(os.environ.get("CLIPS") or 100_000)
LABELS, PIECE = 120, 50_000
# How often a filter is set.
REPEATS = 9
READY = "return document.body.dataset.state"
# Until the number of clips that are shown has changed, and the browser has drawn it.
FILTER = """
const [selector, value, done] = arguments;
const field = document.querySelector(selector), start = performance.now(), before = document.querySelector('#shown').textContent;
field.value = value;
field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }));
const look = () => document.querySelector('#shown').textContent !== before
  ? requestAnimationFrame(() => done(performance.now() - start)) : setTimeout(look, 1);
look();
"""


def wave(path, seed):
    """A second of noise at 8 kHz."""
    samples = random.Random(seed).randbytes(16_000)
    path.write_bytes(b"RIFF" + struct.pack("<I", 36 + len(samples)) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 16000, 2, 16)
                     + b"data" + struct.pack("<I", len(samples)) + samples)


def write_manifest(path, count):
    with open(path, "w", encoding="utf-8") as file:
        file.write("id,path,label,split,start,end,site\n")
        for clip in range(count):
            start = clip // 500 % 8 / 10
            file.write(f"site{clip % 17:02d}/clip-{clip:07d},{clip % 500}.wav,species {clip * 7919 % LABELS:03d},"
                       f"{['train', 'train', 'test'][clip % 3]},{start},{start + 0.1:.1f},site{clip % 17:02d}\n")


class Server:
    def __init__(self, program, path):
        begin = time.monotonic()
        self.process = subprocess.Popen(
            [program, "browse", path, "--no-open"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.address = self.process.stdout.readline().strip()
        if not self.address:
            sys.exit(f"{path}: no address was printed")
        self.started = time.monotonic() - begin
        parts = urllib.parse.urlsplit(self.address)
        self.connection = http.client.HTTPConnection(parts.netloc)
        self.cookie = f"veery_{parts.port}={urllib.parse.parse_qs(parts.query)['token'][0]}"
        # As the page has it: the facts, then the table in pieces.
        facts = json.loads(self.get("/api/dataset"))
        self.clips, self.table = facts["clips"] + facts["failures"], 0
        loaded = 0
        while loaded < self.clips:
            text = self.get(f"/api/clips?from={loaded}&count={PIECE}")
            self.table += len(text)
            loaded += json.loads(text)["n"]
        self.loaded = time.monotonic() - begin

    def get(self, target):
        self.connection.request("GET", target, headers={"Cookie": self.cookie})
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            sys.exit(f"{target}: {answer.status} {text[:200]}")
        return text

    def values(self):
        """The median time to the values of a clip."""
        times = []
        for number in range(0, self.clips, max(self.clips // 20, 1)):
            begin = time.monotonic()
            self.get(f"/api/clips/{number}/values")
            times.append(time.monotonic() - begin)
        return statistics.median(times)

    def peak(self):
        """The memory that it has had at most, in MB; nil where the system does not say."""
        try:
            status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return None
        return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM"))

    def end(self):
        self.process.terminate()
        self.process.wait()


def page(server):
    """Seconds until the page is ready, and until a filter and an order are shown; None: there is no browser."""
    driver = shutil.which("chromedriver")
    try:
        from selenium import webdriver
    except ImportError:
        driver = None
    if not driver:
        return None
    options = webdriver.ChromeOptions()
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]:
        options.add_argument(argument)
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    try:
        browser.set_script_timeout(120)
        begin = time.monotonic()
        browser.get(server.address)
        while browser.execute_script(READY) != "ready":
            time.sleep(0.01)
        ready = time.monotonic() - begin
        times = []
        for number in range(REPEATS):
            times.append(browser.execute_async_script(FILTER, "#filter-q", f"clip-00{number}"))
            browser.execute_async_script(FILTER, "#filter-q", "")
        return ready, statistics.median(times) / 1000
    finally:
        browser.quit()


def main():
    program = os.path.abspath(sys.argv[1])
    print("| dataset | address, s | table fetched, s | table, MB | values of a clip, ms | server, MB | page ready, s | filter, s |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory(prefix="veery-browse-", dir=sys.argv[2] if len(sys.argv) > 2 else None) as folder:
        folder = pathlib.Path(folder)
        for number in range(500):
            wave(folder / f"{number}.wav", number)
        few, many = folder / "few.csv", folder / "many.csv"
        write_manifest(few, CLIPS)
        write_manifest(many, 10 * CLIPS)
        features = folder / "few.h5"
        subprocess.run(
            [program, "extract", few, "-o", features, "--quiet", "--set", "audio.sample_rate=8000", "--set", "frame.length=200", "--set",
             "frame.hop=80", "--set", "frame.fft_length=256", "--set", "transform.bins=40", "--set", "transform.high=4000"], check=True)
        for name, path in [("features", features), ("manifest", few), ("manifest", many)]:
            server = Server(program, path)
            values = f"{1000 * server.values():.1f}" if path == features else ""
            shown = page(server) if path != many else None
            peak = server.peak()
            cells = [
                f"{name}, {server.clips:,} clips", f"{server.started:.2f}", f"{server.loaded:.2f}", f"{server.table / 1e6:.1f}", values,
                f"{peak:.0f}" if peak else "", *([f"{value:.2f}" for value in shown] if shown else ["", ""])]
            print("| " + " | ".join(cells) + " |", flush=True)
            server.end()
    if not shutil.which("chromedriver"):
        print("\n**Missing: chromedriver, so the page is not opened.**")


if __name__ == "__main__":
    main()
