"""A real browser on the page of `veery browse`: Debian's chromium, without a screen and without sound."""

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from page import Page
from selenium import webdriver

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Python"))
import recordings  # noqa: E402

VEERY = str(Path(os.environ.get("VEERY", ROOT / ".build/debug/veery")).resolve())


def pytest_configure(config):
    config.addinivalue_line("markers", "long: repeats with another theme or width: `make test-all` runs it, `make test` does not")


class Server:
    """A server of one dataset. It prints the address of the page as its first line."""

    def __init__(self, path, *options):
        self.path = path
        self.options = options
        self.notes = tempfile.TemporaryFile("w+")
        self.start()

    def start(self, port=None):
        command = [VEERY, "browse", "--no-open", str(self.path), *self.options, *(["--port", str(port)] if port else [])]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.notes, text=True)
        self.address = self.process.stdout.readline().strip()
        if not self.address.startswith("http://"):
            self.kill()
            self.notes.seek(0)
            pytest.fail(f"no address in the first line: {self.address!r}\n{self.notes.read()}")
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    @property
    def port(self):
        return int(self.address.split(":")[2].split("/")[0])

    def kill(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture
def serve():
    servers = []

    def start(path, *options):
        servers.append(Server(path, *options))
        return servers[-1]

    yield start
    for server in servers:
        server.kill()


def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--force-color-profile=srgb"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))


@pytest.fixture(scope="session")
def driver():
    if not shutil.which("chromedriver"):
        pytest.fail("there is no chromedriver: on Debian, install chromium and chromium-driver", pytrace=False)
    yield from running()


@pytest.fixture
def second_driver():
    """A browser of another user: it has its own memory."""
    yield from running()


def running():
    driver = browser()
    try:
        yield driver
    finally:
        driver.quit()


@pytest.fixture
def open_page(driver, serve):
    """Opens a dataset: its page, once everything is loaded. A test fails if the browser's console has an error that it does not expect."""
    pages = []

    def open_one(path, fragment="", driver=driver, **settings):
        server = path if isinstance(path, Server) else serve(path)
        pages.append(Page(driver, server, fragment, **settings))
        return pages[-1]

    driver.get_log("browser")
    yield open_one
    expected = [text for page in pages for text in page.expected]
    errors = [entry["message"] for entry in driver.get_log("browser") if not any(text in entry["message"] for text in expected)]
    driver.get("about:blank")
    assert errors == []


LABELS = {"low": 500, "middle": 1200, "high": 2600}


def clips(folder, number=24):
    """Tones with three labels. One has a wrong label, one is a copy of another in the other split, one recording is damaged."""
    rows = []
    for number in range(number):
        label = list(LABELS)[number % 3]
        seconds = 1.2 if number % 4 == 0 else 0.6
        noise = recordings.noise(number, round(8000 * seconds), 0.02)
        name = f"clip{number:02}"
        recordings.write_wav(folder / f"{name}.wav", 8000, recordings.tone(8000, seconds, [LABELS[label] * (1 + number % 24 / 300)]) + noise)
        rows.append({"path": f"{name}.wav", "id": name, "label": label, "split": "test" if number % 6 == 5 else "train", "site": f"site {number % 2}"})
    rows[7]["label"] = "low" if rows[7]["label"] != "low" else "high"
    shutil.copy(folder / "clip00.wav", folder / "copy.wav")
    rows.append({"path": "copy.wav", "id": "copy", "label": "low", "split": "test", "site": "site 0"})
    (folder / "damaged.wav").write_bytes(b"no sound")
    rows.append({"path": "damaged.wav", "id": "damaged", "label": "low", "split": "train", "site": "site 1"})
    return rows


def extract(folder, rows, *options):
    recordings.write_manifest(folder / "manifest.csv", rows)
    command = [VEERY, "extract", str(folder / "manifest.csv"), "-o", str(folder / "features.h5"), "--max-failures", "100%", "--quiet", *options]
    subprocess.run(command, check=True)
    return folder / "features.h5"


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tones")
    extract(folder, clips(folder), "--set", "audio.sample_rate=8k", "--set", "scale.kind=db")
    return folder


@pytest.fixture(scope="session")
def many(tmp_path_factory):
    """With 24 clips of a label, enough to learn from. No test corrects it."""
    folder = tmp_path_factory.mktemp("many")
    return extract(folder, clips(folder, 72), "--set", "audio.sample_rate=8k", "--set", "scale.kind=db")


@pytest.fixture
def dataset(made, tmp_path):
    """A feature file of its own for each test: its corrections are in the same folder."""
    folder = tmp_path / "Töne 'a' & #1 100%25"
    shutil.copytree(made, folder)
    return folder / "features.h5"


@pytest.fixture
def manifest(dataset):
    """The manifest without features."""
    dataset.unlink()
    return dataset.parent / "manifest.csv"


HOSTILE = ["<img src=x onerror=\"window.hacked=1\">", "</script><script>window.hacked=1</script>", "javascript:window.hacked=1",
           "\"><svg onload=window.hacked=1>", "مرحبا \u202eabc", "%00&#x3c;b&#x3e;", "'; DROP TABLE clips; --", "n" * 300]


@pytest.fixture
def hostile(tmp_path):
    rows = []
    for number, text in enumerate(HOSTILE):
        recordings.write_wav(tmp_path / f"{number}.wav", 8000, recordings.tone(8000, 0.5, [400 + 100 * number]))
        rows.append({"path": f"{number}.wav", "id": text, "label": HOSTILE[number - 1], "<b>site</b>": text})
    return extract(tmp_path, rows)


@pytest.fixture
def parts(tmp_path):
    """Clips that are parts of one recording of 6 s, one tone after another."""
    signal = recordings.tone(8000, 2, [500]), recordings.tone(8000, 2, [1200]), recordings.tone(8000, 2, [2600])
    recordings.write_wav(tmp_path / "long.wav", 8000, recordings.np.concatenate(signal) + recordings.noise(1, 48000, 0.01))
    rows = [{"path": "long.wav", "id": f"part{start}", "label": str(start), "start": start, "end": start + 1} for start in (0, 2, 4)]
    return extract(tmp_path, rows)
