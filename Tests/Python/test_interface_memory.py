"""libveery where memory runs out: a code, and never the end of the process."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sessions import ROOT
from test_interface import HEADER, build, compilers

pytestmark = pytest.mark.long

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the address space of a process")
CONFIGURATIONS = {
    "mel": "log-mel",
    "cepstra": '{"extends":"librosa-mfcc","set":{"audio.sample_rate":22050}}',
    "peak of the clip": "whisper",
    "cosine transform": '{"extends":"scrolling-dct","set":{"audio.sample_rate":48000}}',
    "musical": "musical-spectrum",
    "waveform": "wav2vec2",
    "energies": '{"scale":{"kind":"pcen"},"normalize":{"scope":"none"}}',
    "fixed length": "ast",
    "patches": "vggish",
    "normalised by clip": "parakeet",
    "slopes by clip": '{"transform":{"kind":"mfcc","deltas":2},"normalize":{"scope":"clip"}}',
    "a prime": '{"frame":{"length":400,"fft_length":4099,"hop":4000},"normalize":{"scope":"none"}}',
    "a long prime": '{"frame":{"length":5000,"fft_length":16411,"hop":5000},"normalize":{"scope":"none"}}',
    "cosines of a prime": '{"transform":{"kind":"dct","type":1},"scale":{"kind":"linear"},"normalize":{"scope":"none"},'
                          '"frame":{"length":500,"fft_length":509,"hop":400}}',
    "equaliser": '{"condition":{"dct_filter":{"mode":"band_pass","low":300,"high":3400}},"normalize":{"scope":"none"}}',
    "bands without a bin": '{"transform":{"bins":256},"normalize":{"scope":"none"}}',
    "resampled as resampy does it": '{"audio":{"resampler":"kaiser_best"},"normalize":{"scope":"none"}}',
    "resampled as torchaudio does it": '{"audio":{"resampler":"torchaudio"},"normalize":{"scope":"none"}}',
    "resampled by libsoxr's best": '{"audio":{"resampler":"soxr-vhq"},"normalize":{"scope":"none"}}',
    "columns that are resized": '{"transform":{"kind":"fft"},"frame":{"length":400,"fft_length":4096,"hop":5000},"rows":{"resize_bins":1},'
                                '"normalize":{"scope":"clip"}}',
    "level": '{"condition":{"gain":"peak","remove_dc":true},"normalize":{"scope":"none"}}',
}


@pytest.fixture(scope="module")
def squeezed(library, tmp_path_factory):
    """The program of memory.c."""
    return build(
        "cc", Path(__file__).with_name("memory.c"), tmp_path_factory.mktemp("memory") / "memory", library, "-std=gnu99", "-pthread")


def attempt(program, *arguments):
    # Without MALLOC_ARENA_MAX, each thread reserves 64 MiB of addresses when it first allocates.
    return subprocess.run([str(word) for word in (program, *arguments)], capture_output=True, text=True, timeout=600,
                          env={**os.environ, "MALLOC_ARENA_MAX": "2"})


def run(program, *arguments):
    result = attempt(program, *arguments)
    assert result.returncode == 0 and result.stdout.endswith("done\n"), result.stdout[-3000:] + result.stderr[-500:]
    return dict(line.rsplit(": ", 1) for line in result.stdout.splitlines()[:-1])


@linux
@compilers
@pytest.mark.parametrize("kind", CONFIGURATIONS)
def test_no_lack_of_memory_ends_the_process(squeezed, kind):
    lacks = run(squeezed, CONFIGURATIONS[kind])
    # The limits did hinder something, and what needs no memory works without any.
    for name in ("plan_create", "plan_features, resampled", "stream_create", "stream_push, resampled"):
        assert int(lacks[name].split()[0]) > 10, lacks
    for name in ("plan_get_info", "plan_units", "plan_axis", "stream_read", "version"):
        assert int(lacks[name].split()[0]) == 0, lacks


# What veery.h and the page say that a plan or a stream of a preset asks for, one with bands that may lie between two bins, features at
# another rate, and other features.
BOUNDS = [
    (HEADER, r"up to (\d+) MB for a plan or a stream of a preset \((\d+) MB for a plan with a band that may lie between two bins, .*?\), "
             r"(\d+) MB for features of samples at another rate, (\d+) MB for other features"),
    (ROOT / "Schemas/guide/c-interface.md",
     r"up to (\d+) MB for a plan or a stream of a preset, (\d+) MB for a plan with a band that may lie between two bins, .*?, (\d+) MB for "
     r"features of samples at another rate, (\d+) MB for other features")]


def bounds(path, pattern):
    """The limits that the text states, in bytes."""
    text = re.sub(r"\s+(\* +)?", " ", path.read_text())
    return [int(number) * 1_000_000 for number in re.search(pattern, text).groups()]


def test_the_page_has_the_bounds_of_the_header():
    header, page = (bounds(*text) for text in BOUNDS)
    assert header == page


@linux
@compilers
def test_the_memory_that_the_header_names_is_enough_for_every_preset(squeezed, library):
    """Also in a forked child, which does not have the memory that threads of its parent have reserved."""
    from veery.plan import FeatureError, FeaturePlan, presets

    plan, between_bins, resampled, features = bounds(*BOUNDS[0])
    failed, tried = [], 0
    for preset in presets():
        try:
            made, configuration = FeaturePlan(preset.name, normalize=False), preset.name
        except FeatureError:  # it has the rate of the recordings
            made = FeaturePlan(preset.name, 48_000, normalize=False)
            configuration = f'{{"extends":"{preset.name}","set":{{"audio.sample_rate":48000}}}}'
        # What adds to the bounds, as the header says.
        audio, rows = made.configuration["audio"], made.configuration["rows"]
        if made.patch_length or made.frame_length > 2048 or "repeat" in str(audio["fit"]) or rows["multiple"] > 1:
            continue
        of_plan = between_bins if "no bin of the spectrum" in " ".join(made.warnings) else plan
        of_resampling = 4 * resampled if audio.get("resampler") in ("kaiser_best", "soxr-vhq") else resampled
        for mode in (("bounds", of_plan, of_resampling, features), ("forks", of_resampling, features)):
            result = attempt(squeezed, configuration, *mode)
            if (result.returncode, result.stdout) != (0, "done\n"):
                failed.append(f"{preset.name}, {mode[0]}: {result.stdout}{result.stderr}")
        tried += 1
    assert not failed, "\n".join(failed)
    assert tried > 25


@linux
@compilers
def test_threads_of_the_library_do_not_count_on_the_same_memory(squeezed):
    run(squeezed, "log-mel", "threads", "8")


@linux
@compilers
def test_claims_add_up_and_end(tmp_path):
    sources = ROOT / "Sources/CPlatform"
    command = ["cc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-pthread", "-I", sources / "include", "-o", tmp_path / "claims",
               Path(__file__).with_name("claims.c"), sources / "memory.c"]
    subprocess.run(command, check=True)
    result = subprocess.run([tmp_path / "claims"], capture_output=True, text=True, timeout=60, env={**os.environ, "MALLOC_ARENA_MAX": "1"})
    assert (result.returncode, result.stdout) == (0, "done\n"), result.stdout


@linux
def test_python_raises_memory_errors(library):
    code = """
import ctypes, resource
import numpy as np
from veery.plan import FeaturePlan
plan = FeaturePlan("log-mel", normalize=False)
signal = np.zeros(16000, "f4")
rows = plan.features(signal, 44100)
stream = plan.stream(44100)
size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
malloc = ctypes.CDLL(None).malloc
malloc.argtypes, malloc.restype = [ctypes.c_size_t], ctypes.c_void_p
hard = resource.getrlimit(resource.RLIMIT_AS)[1]
resource.setrlimit(resource.RLIMIT_AS, (size, hard))
while malloc(1 << 18): pass
# Enough for Python itself.
resource.setrlimit(resource.RLIMIT_AS, (size + (1 << 18), hard))
for attempt in (lambda: plan.features(signal, 44100), lambda: FeaturePlan("whisper"), lambda: plan.stream(),
                lambda: stream.push(signal), lambda: plan.configuration):
    try:
        attempt()
        print("no error")
    except MemoryError as error:
        assert "memory runs out" in str(error), error
resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
assert np.array_equal(plan.features(signal, 44100), rows)
print("done")
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stdout) == (0, "done\n"), result.stdout + result.stderr
