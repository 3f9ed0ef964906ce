"""The package of examples/library depends on Veery's library as any other package would: it is built and run here."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = [pytest.mark.long, pytest.mark.promised]

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(shutil.which("swift") is None, reason="no swift in PATH, so the library cannot be built")
def test_the_example_of_the_library_builds_and_prints_what_its_comments_say():
    command = [
        "swift", "run", "--package-path", str(ROOT / "examples" / "library"),
        "--scratch-path", str(ROOT / ".build" / "example")]
    # It needs no system library: pkg-config finds none.
    environment = {**os.environ, "PKG_CONFIG_LIBDIR": str(ROOT / "nowhere"), "PKG_CONFIG_PATH": ""}
    run = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=1200)
    assert run.returncode == 0, run.stdout + run.stderr
    lines = run.stdout.splitlines()[-2:]
    # 1 + (16000 - 400) / 160 whole frames; the band that 440 Hz lies in is the one centred at 447 Hz.
    assert lines == ["98 frames × 80 bands, loudest at 447 Hz", "streamed in pieces: equal"]
    if shutil.which("readelf"):
        program = ROOT / ".build" / "example" / "debug" / "features"
        found = subprocess.run(["readelf", "-d", str(program)], capture_output=True, text=True, check=True).stdout
        assert "libswiftCore" in found and "fftw" not in found and "sndfile" not in found
