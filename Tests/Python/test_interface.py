"""libveery and veery.h: what is visible, what a C and a C++ program do with it, and that no input ends the process."""

import ctypes
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from conftest import ROOT, noise, tone

pytestmark = pytest.mark.shipped

HEADER = ROOT / "Sources" / "CVeery" / "include" / "veery.h"
compilers = pytest.mark.skipif(
    shutil.which("cc") is None or shutil.which("c++") is None, reason="no cc or no c++, so C programs cannot be built")


def build(compiler, source, target, library, *options):
    """Builds a program of libveery, under warnings that are errors."""
    command = [
        compiler, *options, "-Wall", "-Wextra", "-pedantic", "-Werror", "-I", HEADER.parent, "-o", target, source,
        library, "-Xlinker", "-rpath", "-Xlinker", library.parent]
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return target


def declared():
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.DOTALL)
    return set(re.findall(r"\b(veery_\w+)\(", text))


@pytest.mark.skipif(shutil.which("nm") is None, reason="no nm")
def test_the_symbols_of_the_library_are_in_the_header(library):
    command = ["nm", "-gU" if sys.platform == "darwin" else "-D", str(library)]
    lines = [line.split() for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()]
    # The version's own name is an absolute symbol.
    visible = {line[-1].split("@")[0] for line in lines if len(line) == 3 and line[1].isupper() and line[1] not in "UA"}
    assert {name.lstrip("_") if sys.platform == "darwin" else name for name in visible} == declared()
    assert len(declared()) > 20


@pytest.mark.skipif(shutil.which("readelf") is None or sys.platform == "darwin", reason="no readelf")
def test_the_library_carries_swift_and_no_large_library(library):
    text = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True).stdout
    needed = set(re.findall(r"NEEDED.*\[(.*?)\.so", text))
    # FFTW, which is under the GPL, is in what the tests are built with, and in nothing that is passed on.
    fftw = {"libfftw3"} if ".build/testing" in str(library) else set()
    assert needed <= {"libc", "libm", "libgcc_s", "libstdc++", "ld-linux-x86-64", "ld-linux-aarch64", "libsoxr"} | fftw
    assert library.stat().st_size < 25e6


@compilers
def test_a_c_program_gives_the_bits_of_python(library, tmp_path):
    program = build("cc", ROOT / "examples" / "c" / "features.c", tmp_path / "features", library, "-std=c99")
    from veery.plan import FeaturePlan
    signal = noise(1, 30_000).astype(np.float32)
    for preset, rate in [("log-mel", 16_000), ("whisper", 44_100), ("librosa-mfcc", 22_050), ("htk-mfcc", 8000)]:
        run = subprocess.run([program, preset, str(rate)], input=signal.tobytes(), capture_output=True)
        assert run.returncode == 0, run.stderr
        own = preset in ("log-mel", "whisper", "htk-mfcc")
        rows = FeaturePlan(preset, None if own else rate, normalize=False).features(signal, rate)
        lines = run.stdout.decode().splitlines()
        assert lines[0].startswith(f"{rows.shape[0]} rows of {rows.shape[1]} values") and lines[2] == "in pieces: the same bits"
        assert lines[1] == " ".join(f"{value:g}" for value in rows[0, :4]) + " ..."
    run = subprocess.run([program, "wisper", "16000"], input=b"", capture_output=True)
    assert run.returncode == 1 and b"did you mean 'whisper'" in run.stderr


@compilers
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize("compiler, source, standard, arguments", [
    ("cc", "features.c", "c99", ["whisper", "16000"]), ("c++", "live.cpp", "c++17", [])])
def test_the_programs_fail_where_samples_or_rows_are_lost(library, tmp_path, compiler, source, standard, arguments):
    program = build(compiler, ROOT / "examples" / "c" / source, tmp_path / "program", library, f"-std={standard}")
    signal = noise(1, 4000).astype(np.float32).tobytes()
    with open("/dev/full", "wb") as full:
        run = subprocess.run([program, *arguments], input=signal, stdout=full, stderr=subprocess.PIPE)
    assert run.returncode == 1 and b"standard output" in run.stderr
    folder = os.open(tmp_path, os.O_RDONLY)
    run = subprocess.run([program, *arguments], stdin=folder, capture_output=True)
    os.close(folder)
    assert run.returncode == 1 and b"standard input" in run.stderr


@compilers
def test_a_cpp_program_prints_rows_as_they_come(library, tmp_path):
    program = build("c++", ROOT / "examples" / "c" / "live.cpp", tmp_path / "live", library, "-std=c++17")
    signal = tone(16_000, 1, [2000]).astype(np.float32)
    with subprocess.Popen(["stdbuf", "-oL", program] if shutil.which("stdbuf") else [program],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdin.write(signal[:8000].tobytes())
        process.stdin.flush()
        first = process.stdout.readline().decode() if shutil.which("stdbuf") else None
        process.stdin.write(signal[8000:].tobytes())
        process.stdin.close()
        lines = [first] * (first is not None) + process.stdout.read().decode().splitlines()
        assert process.wait() == 0
    assert len(lines) == 98 and lines[0].startswith("0.013 s")
    assert all(1950 < float(line.split()[2]) < 2050 for line in lines)


ABUSE = r"""
#include "veery.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static veery_error error;
#define REFUSED(code, call) do { memset(&error, 7, sizeof error); veery_status got = (call); \
    if (got != (code) || error.status != (code) || memchr(error.text, 0, sizeof error.text) == NULL || strlen(error.text) < 10) \
        { printf("line %d: %d, expected %d: %.200s\n", __LINE__, (int)got, (int)(code), error.text); return 1; } } while (0)
#define FINE(call) do { error.text[0] = 0; veery_status got = (call); \
    if (got != VEERY_OK) { printf("line %d: %d: %.200s\n", __LINE__, (int)got, error.text); return 1; } } while (0)

static float samples[100000];
static float rows[400 * 80];

int main(void) {
    veery_plan *plan = NULL, *other = NULL;
    veery_stream *stream = NULL;
    size_t count = 99;
    const size_t huge[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 2 + 1, (size_t)1 << 62, (size_t)1 << 46};

    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_create(NULL, 0, &plan, &error));
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_create("log-mel", 0, NULL, &error));
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_create("log-mel", UINT32_MAX, &plan, &error));
    REFUSED(VEERY_INVALID_CONFIGURATION, veery_plan_create("log-mel", 1, &plan, &error));
    REFUSED(VEERY_UNKNOWN_PRESET, veery_plan_create("", 0, &plan, &error));
    REFUSED(VEERY_UNKNOWN_PRESET, veery_plan_create("\xff\xfe\x80", 0, &plan, &error));
    char *longest = malloc(1000001);
    memset(longest, 'x', 1000000);
    longest[1000000] = 0;
    REFUSED(VEERY_UNKNOWN_PRESET, veery_plan_create(longest, 0, &plan, &error));
    REFUSED(VEERY_INVALID_CONFIGURATION, veery_plan_create_json(longest, 1000000, 0, &plan, &error));
    memset(longest, '[', 60000);
    REFUSED(VEERY_INVALID_CONFIGURATION, veery_plan_create_json(longest, 60000, 0, &plan, &error));
    for (int i = 0; i < 60000; i += 5) memcpy(longest + i, "{\"a\":", 5);
    REFUSED(VEERY_INVALID_CONFIGURATION, veery_plan_create_json(longest, 60000, 0, &plan, &error));
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_create_json(NULL, 5, 0, &plan, &error));
    REFUSED(VEERY_INVALID_CONFIGURATION, veery_plan_create_json(NULL, 0, 0, &plan, &error));
    for (int i = 0; i < 5; i++) REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_create_json("{}", huge[i], 0, &plan, &error));
    const char *texts[] = {"null", "[]", "3", "\"x\"", "{\"frame\":[]}", "{\"extends\":3}", "{\"extends\":\"x\"}", "{\"set\":3}",
        "{\"set\":{\"\":1}}", "{\"set\":{\"a.b.c.d.e\":1}}", "{\"set\":{\".\":{}}}", "{\"frame\":{\"length\":1e400}}",
        "{\"frame\":{\"length\":-1}}", "{\"transform\":{\"bins\":99999999}}", "{\"version\":2}", "\xff", "{\"audio\":{\"sample_rate\":0.5}}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        REFUSED(VEERY_INVALID_CONFIGURATION, veery_plan_create_json(texts[i], strlen(texts[i]), 0, &plan, &error));
    char *parts = malloc(65536);
    int written = sprintf(parts, "{\"set\":{\"");
    while (written < 65000) written += sprintf(parts + written, "a.");
    written += sprintf(parts + written, "a\":1}}");
    REFUSED(VEERY_INVALID_CONFIGURATION, veery_plan_create_json(parts, (size_t)written, 0, &plan, &error));
    free(parts);
    assert(plan == NULL);
    veery_plan_destroy(NULL);
    veery_stream_destroy(NULL);

    FINE(veery_plan_create("log-mel", 0, &plan, NULL));
    REFUSED(VEERY_NEEDS_STATISTICS, veery_plan_features(plan, samples, 1000, 0, rows, 400, &count, &error));
    REFUSED(VEERY_NEEDS_STATISTICS, veery_stream_create(plan, 0, &stream, &error));
    assert(count == 99 && stream == NULL);
    double statistics[80] = {0};
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_normalized(plan, statistics, statistics, statistics, statistics, 79, 1, &other, &error));
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_normalized(plan, NULL, statistics, statistics, statistics, 80, 1, &other, &error));
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_normalized(plan, statistics, statistics, statistics, statistics, 80, 0, &other, &error));
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_normalized(plan, statistics, statistics, statistics, statistics, 80, 1, NULL, &error));
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_normalized(NULL, statistics, statistics, statistics, statistics, 80, 1, &other, &error));
    statistics[3] = HUGE_VAL;
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_normalized(plan, statistics, statistics, statistics, statistics, 80, 1, &other, &error));
    statistics[3] = DBL_MAX;
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_normalized(plan, statistics, statistics, statistics, statistics, 80, 1, &other, &error));
    statistics[3] = FLT_MAX;
    FINE(veery_plan_normalized(plan, statistics, statistics, statistics, statistics, 80, INT64_MAX, &other, &error));
    FINE(veery_plan_features(other, samples, 32000, 0, rows, 400, &count, &error));
    for (size_t i = 0; i < count * 80; i++) assert(isfinite(rows[i]));
    veery_plan_destroy(other);
    other = NULL;

    /* Any number of frames, also where it is multiplied by the number of bins: the more, the less it matters. */
    const uint64_t frames[] = {UINT64_MAX, (uint64_t)1 << 63, INT64_MAX, INT64_MAX / 80, INT64_MAX / 80 + 1, (uint64_t)1 << 32, 100000000};
    const char *formulas[] = {
        "{}", "{\"normalize\":{\"axis\":\"all\"}}", "{\"normalize\":{\"ddof\":1}}", "{\"normalize\":{\"method\":\"minmax\",\"axis\":\"all\"}}",
        "{\"normalize\":{\"axis\":\"all\",\"ddof\":1,\"epsilon\":1e-5,\"epsilon_in\":\"variance\"}}"};
    double mean[80], deviation[80], low[80], high[80];
    for (int i = 0; i < 80; i++) mean[i] = i, deviation[i] = 1 + 0.1 * i, low[i] = -30, high[i] = 30 + i;
    for (size_t formula = 0; formula < sizeof formulas / sizeof *formulas; formula++) {
        FINE(veery_plan_create_json(formulas[formula], strlen(formulas[formula]), 0, &other, &error));
        float usual[80];
        for (int i = sizeof frames / sizeof *frames; i-- > 0;) {
            veery_plan *normalized;
            FINE(veery_plan_normalized(other, mean, deviation, low, high, 80, frames[i], &normalized, &error));
            FINE(veery_plan_features(normalized, samples, 400, 0, rows, 400, &count, &error));
            assert(count == 1);
            if (i == sizeof frames / sizeof *frames - 1) memcpy(usual, rows, sizeof usual);
            for (int bin = 0; bin < 80; bin++) assert(fabsf(rows[bin] - usual[bin]) <= 1e-6f * fabsf(usual[bin]));
            veery_plan_destroy(normalized);
        }
        veery_plan_destroy(other);
        other = NULL;
    }

    veery_plan *raw = NULL;
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_unnormalized(NULL, &raw, &error));
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_unnormalized(plan, NULL, &error));
    FINE(veery_plan_unnormalized(plan, &raw, &error));
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_normalized(raw, statistics, statistics, statistics, statistics, 80, 1, &other, &error));
    veery_plan_info info = {0};
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_get_info(raw, &info, &error));
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_get_info(raw, NULL, &error));
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_get_info(NULL, &info, &error));
    info.size = sizeof info;
    FINE(veery_plan_get_info(raw, &info, &error));
    /* A later version's structure is larger. */
    info.size = SIZE_MAX;
    FINE(veery_plan_get_info(raw, &info, &error));
    assert(info.size == sizeof info);
    for (info.size = 0; info.size < sizeof info; info.size += 8) REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_get_info(raw, &info, &error));
    assert(info.bins == 80 && info.sample_rate == 16000 && info.hop_length == 160 && info.frame_period == 0.01);
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_axis(raw, NULL, 80, &error));
    for (int i = 0; i < 5; i++) {
        REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_axis(raw, rows, huge[i], &error));
        REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_normalized(plan, mean, deviation, low, high, huge[i], 1, &other, &error));
    }
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_axis(raw, rows, 0, &error));
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_normalized(plan, mean, deviation, low, high, 0, 1, &other, &error));
    assert(other == NULL);
    for (int i = 0; i < 5; i++) {
        REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_row_limit(raw, huge[i], 0, &count, &error));
        REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_features(raw, samples, huge[i], 0, rows, 400, &count, &error));
        REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_features(raw, samples, 1000, 0, rows, huge[i], &count, &error));
    }
    FINE(veery_plan_row_limit(raw, (size_t)1 << 45, 1, &count, &error));
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_row_limit(raw, 1, 0, NULL, &error));
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_row_limit(raw, 1, 10000001, &count, &error));
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_features(raw, NULL, 1, 0, rows, 400, &count, &error));
    count = 99;
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_features(raw, samples, 1000, 0, NULL, 400, &count, &error));
    assert(count == 99);
    REFUSED(VEERY_BUFFER_TOO_SMALL, veery_plan_features(raw, samples, 1000, 0, NULL, 0, &count, &error));
    assert(count == 4);
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_features(raw, samples, 1000, 0, rows, 400, NULL, &error));
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_features(raw, samples, 1000, 10, rows, 400, &count, &error));
    REFUSED(VEERY_BUFFER_TOO_SMALL, veery_plan_features(raw, samples, 32000, 0, rows, 10, &count, &error));
    assert(count == 198);
    REFUSED(VEERY_BUFFER_TOO_SMALL, veery_plan_features(raw, samples, 32000, 0, rows, 0, &count, &error));
    FINE(veery_plan_features(raw, NULL, 0, 0, NULL, 0, &count, &error));
    assert(count == 0);
    samples[77] = -NAN;
    REFUSED(VEERY_NOT_FINITE, veery_plan_features(raw, samples, 32000, 0, rows, 400, &count, &error));
    assert(strstr(error.text, "77") != NULL);
    samples[77] = 256;
    REFUSED(VEERY_NOT_UNIT_SCALE, veery_plan_features(raw, samples, 32000, 0, rows, 400, &count, &error));
    assert(strstr(error.text, "77") != NULL && strstr(error.text, "32768") != NULL);
    samples[77] = 255;
    FINE(veery_plan_features(raw, samples, 32000, 0, rows, 400, &count, &error));
    samples[77] = 0;
    /* Powers above 34 exceed single precision. */
    const char *steep = "{\"scale\":{\"kind\":\"power\",\"reference\":1e-37},\"normalize\":{\"scope\":\"none\"}}";
    veery_plan_destroy(raw);
    FINE(veery_plan_create_json(steep, strlen(steep), 0, &raw, &error));
    FINE(veery_plan_features(raw, samples, 32000, 0, rows, 400, &count, &error));
    samples[77] = 200;
    REFUSED(VEERY_OVERFLOW, veery_plan_features(raw, samples, 32000, 0, rows, 400, &count, &error));
    samples[77] = 0;

    REFUSED(VEERY_INVALID_ARGUMENT, veery_stream_create(NULL, 0, &stream, &error));
    REFUSED(VEERY_INVALID_ARGUMENT, veery_stream_create(raw, 0, NULL, &error));
    REFUSED(VEERY_INVALID_ARGUMENT, veery_stream_create(raw, 1, &stream, &error));
    FINE(veery_stream_create(raw, 0, &stream, &error));
    veery_plan_destroy(raw);
    veery_plan_destroy(plan);
    REFUSED(VEERY_INVALID_ARGUMENT, veery_stream_push(NULL, samples, 5, &count, &error));
    REFUSED(VEERY_INVALID_ARGUMENT, veery_stream_push(stream, NULL, 5, &count, &error));
    for (int i = 0; i < 5; i++) REFUSED(VEERY_INVALID_ARGUMENT, veery_stream_push(stream, samples, huge[i], &count, &error));
    for (int i = 0; i < 5; i++) REFUSED(VEERY_INVALID_ARGUMENT, veery_stream_read(stream, rows, huge[i], &count, &error));
    REFUSED(VEERY_INVALID_ARGUMENT, veery_stream_read(stream, rows, 5, NULL, &error));
    FINE(veery_stream_finish(stream, NULL, &error));
    FINE(veery_stream_finish(stream, &count, NULL));
    assert(count == 0);
    FINE(veery_stream_push(stream, NULL, 0, &count, &error));
    FINE(veery_stream_push(stream, samples, 32000, NULL, &error));
    FINE(veery_stream_finish(stream, &count, &error));
    assert(count == 198);
    REFUSED(VEERY_INVALID_ARGUMENT, veery_stream_read(stream, NULL, 5, &count, &error));
    FINE(veery_stream_read(stream, NULL, 0, &count, &error));
    assert(count == 0);
    size_t total = 0;
    for (size_t size = 1; size < 100; size += 7) {
        FINE(veery_stream_read(stream, rows, size, &count, &error));
        total += count;
    }
    assert(total == 198);
    samples[9] = -256;
    REFUSED(VEERY_NOT_UNIT_SCALE, veery_stream_push(stream, samples, 32000, &count, &error));
    FINE(veery_stream_push(stream, samples + 10, 5, &count, &error));
    samples[9] = 0;
    samples[300] = 200;
    REFUSED(VEERY_OVERFLOW, veery_stream_push(stream, samples, 32000, &count, &error));
    samples[300] = 0;
    REFUSED(VEERY_STREAM_FAILED, veery_stream_push(stream, samples, 5, &count, &error));
    REFUSED(VEERY_STREAM_FAILED, veery_stream_flush(stream, &count, &error));
    REFUSED(VEERY_STREAM_FAILED, veery_stream_finish(stream, &count, &error));
    FINE(veery_stream_reset(stream, &error));
    FINE(veery_stream_push(stream, samples + 10, 32000, &count, &error));
    REFUSED(VEERY_INVALID_ARGUMENT, veery_stream_reset(NULL, &error));
    veery_stream_destroy(stream);

    /* Rates and sizes whose product no integer holds, and more rows than a computer ever makes. */
    const char *fast = "{\"audio\":{\"sample_rate\":10000000},\"normalize\":{\"scope\":\"none\"}}";
    FINE(veery_plan_create_json(fast, strlen(fast), 0, &plan, &error));
    FINE(veery_plan_row_limit(plan, (size_t)1 << 45, 10000, &count, &error));
    assert(count > (size_t)1 << 38);
    FINE(veery_plan_row_limit(plan, (size_t)1 << 45, 1, &count, &error));
    veery_plan_destroy(plan);
    const char *wide = "{\"transform\":{\"kind\":\"dct\"},\"scale\":{\"kind\":\"linear\"},\"frame\":{\"length\":4096,\"hop\":160,"
        "\"fft_length\":1048576},\"normalize\":{\"scope\":\"none\"}}";
    FINE(veery_plan_create_json(wide, strlen(wide), 0, &plan, &error));
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_features(plan, samples, 1000, 0, rows, (size_t)1 << 45, &count, &error));
    REFUSED(VEERY_INVALID_ARGUMENT, veery_plan_features(plan, samples, 1000, 0, rows, (size_t)1 << 42, &count, &error));
    veery_plan_destroy(plan);
    const char *endless = "{\"audio\":{\"duration\":86400000},\"normalize\":{\"scope\":\"none\"}}";
    FINE(veery_plan_create_json(endless, strlen(endless), 0, &plan, &error));
    REFUSED(VEERY_BUFFER_TOO_SMALL, veery_plan_features(plan, samples, 1, 0, rows, 1, &count, &error));
    assert(count == 8639999998);
    veery_plan_destroy(plan);

    /* Only rows that are final can be read, also after a failure. */
    double zeros[80] = {0}, ones[80];
    for (int i = 0; i < 80; i++) ones[i] = 1;
    const char *power = "{\"scale\":{\"kind\":\"power\",\"reference\":1e-37}}";
    FINE(veery_plan_create_json(power, strlen(power), 0, &plan, &error));
    FINE(veery_plan_normalized(plan, zeros, ones, zeros, ones, 80, 1, &other, &error));
    FINE(veery_stream_create(other, 0, &stream, &error));
    samples[9000] = 200;
    REFUSED(VEERY_OVERFLOW, veery_stream_push(stream, samples, 32000, &count, &error));
    FINE(veery_stream_read(stream, rows, 400, &count, &error));
    for (size_t i = 0; i < count * 80; i++) assert(isfinite(rows[i]));
    samples[9000] = 0;
    FINE(veery_stream_reset(stream, &error));
    REFUSED(VEERY_INVALID_ARGUMENT, veery_stream_push(stream, NULL, 5, &count, &error));
    FINE(veery_stream_push(stream, samples, 0, &count, &error));
    veery_stream_destroy(stream);
    veery_plan_destroy(other);
    veery_plan_destroy(plan);

    /* Texts: whole characters, and always a 0 at the end. */
    char text[64];
    size_t length = veery_preset_summary(0, NULL, 0);
    assert(length == veery_preset_summary(0, text, 0) && length > 60);
    for (size_t size = 1; size < sizeof text; size++) {
        memset(text, 'z', sizeof text);
        assert(veery_preset_summary(0, text, size) == length && strlen(text) < size);
    }
    /* A capacity that no memory has is more than enough. */
    char whole[40000];
    FINE(veery_plan_create("log-mel", 0, &plan, &error));
    for (int i = 0; i < 5; i++) {
        memset(whole, 'z', sizeof whole);
        assert(veery_preset_summary(0, whole, huge[i]) == length && strlen(whole) == length);
        assert(veery_preset_name(0, whole, huge[i]) == strlen(whole) && strlen(whole) > 2);
        assert(veery_version(whole, huge[i]) == strlen(whole) && veery_library_versions(whole, huge[i]) == strlen(whole));
        assert(veery_plan_configuration(plan, whole, huge[i]) == strlen(whole) && whole[0] == '{');
        assert(veery_plan_units(plan, whole, huge[i]) == strlen(whole) && veery_plan_warnings(plan, whole, huge[i]) == strlen(whole));
        assert(veery_preset_name(huge[i], whole, sizeof whole) == 0 && whole[0] == 0);
        assert(veery_preset_summary(huge[i], whole, huge[i]) == 0 && whole[0] == 0);
        assert(veery_plan_units(NULL, whole, huge[i]) == 0 && veery_preset_summary(0, NULL, huge[i]) == length);
    }
    veery_plan_destroy(plan);
    /* What of a signal is not in its features. */
    FINE(veery_plan_create("whisper", 0, &plan, &error));
    assert(veery_plan_signal_warnings(plan, SIZE_MAX, 0, whole, sizeof whole) == 0 && whole[0] == 0);
    assert(veery_plan_signal_warnings(plan, 8000, 8000, whole, sizeof whole) == strlen(whole));
    assert(strstr(whole, "its bins above 4000 Hz hold nothing") && !strchr(whole, '\n'));
    assert(veery_plan_signal_warnings(plan, 8000, 8000, text, 5) == strlen(whole) && strlen(text) == 4);
    assert(veery_plan_signal_warnings(plan, 8000, 99000000, whole, sizeof whole) == 0);
    assert(veery_plan_signal_warnings(NULL, 8000, 8000, whole, sizeof whole) == 0);
    veery_plan_destroy(plan);
    FINE(veery_plan_create("clap", 0, &plan, &error));
    assert(veery_plan_signal_warnings(plan, 480000, 0, whole, sizeof whole) == 0 && whole[0] == 0);
    const size_t longer[] = {480001, SIZE_MAX / 2, SIZE_MAX};
    for (int i = 0; i < 3; i++) {
        assert(veery_plan_signal_warnings(plan, longer[i], 0, whole, sizeof whole) == strlen(whole));
        assert(strstr(whole, "the signal is longer than the features take (audio.duration or rows.count)") == whole);
    }
    veery_plan_destroy(plan);
    assert(veery_preset_name(SIZE_MAX, text, sizeof text) == 0 && text[0] == 0);
    assert(veery_preset_name(veery_preset_count(), text, sizeof text) == 0);
    assert(veery_plan_units(NULL, text, sizeof text) == 0 && veery_plan_configuration(NULL, NULL, 5) == 0);
    assert(veery_interface_version() == VEERY_INTERFACE_VERSION && veery_version(text, sizeof text) >= 5);
    puts("done");
    return 0;
}
"""


FORKS = r"""
#define _DEFAULT_SOURCE
#include "veery.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static float samples[2000];
static veery_plan *shared;

/* Everything from a plan to its rows. */
static int first_use(void) {
    veery_plan *plan, *raw;
    veery_stream *stream;
    float rows[80 * 20];
    size_t count;
    if (veery_plan_create("log-mel", 0, &plan, NULL) || veery_plan_unnormalized(plan, &raw, NULL)) return 1;
    if (veery_plan_features(raw, samples, 2000, 0, rows, 20, &count, NULL) || count != 11) return 2;
    if (veery_stream_create(raw, 44100, &stream, NULL) || veery_stream_push(stream, samples, 2000, NULL, NULL)) return 3;
    if (veery_stream_finish(stream, &count, NULL)) return 4;
    veery_stream_destroy(stream);
    veery_plan_destroy(raw);
    veery_plan_destroy(plan);
    return 0;
}

static void *in_thread(void *unused) { (void)unused; return (void *)(long)first_use(); }

static void *many(void *unused) {
    (void)unused;
    float rows[80 * 20];
    size_t count;
    for (int i = 0; i < 300; i++) if (veery_plan_features(shared, samples, 2000, 0, rows, 20, &count, NULL)) return (void *)1L;
    return NULL;
}

static int threads(void *(*work)(void *)) {
    pthread_t others[3];
    void *result, *bad = NULL;
    for (int i = 0; i < 3; i++) pthread_create(&others[i], NULL, work, NULL);
    bad = work(NULL);
    for (int i = 0; i < 3; i++) { pthread_join(others[i], &result); if (result) bad = result; }
    return bad != NULL;
}

/* One fork: `cold` some microseconds after a thread began its first use, `first` before several first uses, `shared` with a plan. */
int main(int count, char **arguments) {
    (void)count;
    const char *kind = arguments[1];
    pthread_t thread;
    void *result = NULL;
    if (strcmp(kind, "cold") == 0) {
        struct timespec pause = {0, atoi(arguments[2]) * 1000};
        pthread_create(&thread, NULL, in_thread, NULL);
        nanosleep(&pause, NULL);
    } else if (strcmp(kind, "shared") == 0) {
        veery_plan *plan;
        if (veery_plan_create("log-mel", 0, &plan, NULL) || veery_plan_unnormalized(plan, &shared, NULL)) return 9;
        many(NULL);
    }
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        _exit(strcmp(kind, "cold") == 0 ? first_use() : threads(strcmp(kind, "first") == 0 ? in_thread : many));
    }
    int status;
    waitpid(child, &status, 0);
    if (strcmp(kind, "cold") == 0) pthread_join(thread, &result);
    return status != 0 || result != NULL;
}
"""


@compilers
def test_a_process_may_fork_at_any_time(library, tmp_path):
    source = tmp_path / "forks.c"
    source.write_text(FORKS)
    program = build("cc", source, tmp_path / "forks", library, "-std=gnu99", "-pthread")
    runs = [["cold", str(time)] for time in (0, 20, 40, 60, 80, 100, 120, 150, 180, 250, 400, 800, 1500, 3000, 6000)]
    for arguments in runs * 3 + [["first"]] * 25 + [["shared"]] * 10:
        run = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=120)
        assert run.returncode == 0, (arguments, run.returncode, run.stderr[-500:])


@compilers
def test_no_input_ends_the_process(library, tmp_path):
    source = tmp_path / "abuse.c"
    source.write_text(ABUSE)
    program = build("cc", source, tmp_path / "abuse", library, "-std=c99")
    run = subprocess.run([program], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stdout) == (0, "done\n"), run.stdout + run.stderr


@pytest.mark.long
def test_random_configurations_and_calls_end_in_rows_or_errors(library):
    """Configurations of random numbers, and calls of streams in random order, in a process of its own."""
    code = """
import random, sys
import numpy as np
from veery.plan import FeaturePlan, presets
random.seed(int(sys.argv[1]))
names = [preset.name for preset in presets()]
values = [0, 1, 2, 3, 7, 64, 400, 512, 1e-30, 0.5, -1, 1e9, None, True, "hann", "5 ms", "kaldi", "center", "mfcc", "fft", "dct", "lfcc", "clip",
          "dataset", "db", "pcen", "linear", [], {}, "zero", "reflect"]
keys = ["audio.sample_rate", "audio.duration", "frame.length", "frame.hop", "frame.fft_length", "frame.align", "frame.pad", "frame.window",
        "transform.kind", "transform.bins", "transform.low", "transform.high", "transform.deltas", "transform.delta_window", "scale.kind",
        "scale.floor", "scale.top_db", "normalize.scope", "normalize.axis", "condition.remove_dc", "condition.pre_emphasis", "store.layout"]
made = 0
for _ in range(3000):
    settings = {random.choice(keys): random.choice(values) for _ in range(random.randint(0, 4))}
    try:
        plan = FeaturePlan(random.choice(names), random.choice([None, 8000, 16000, 44100]), settings=settings, normalize=random.random() < 0.8)
    except ValueError:
        continue
    made += 1
    x = np.random.default_rng(made).uniform(-1, 1, random.choice([0, 1, 2, 399, 400, 5000])).astype("f4")
    try:
        if plan.frame_count(len(x)) * np.prod(plan.row_shape) > 2e7: continue
        rows = plan.features(x)
        assert rows.shape == (plan.frame_count(len(x)), *plan.row_shape) and np.isfinite(rows).all()
        stream = plan.stream()
        parts = []
        for piece in np.array_split(x, 3):
            parts.append(stream.push(piece, flush=random.random() < 0.5))
        parts.append(stream.finish())
        assert np.array_equal(np.concatenate(parts), rows), (settings, plan)
    except (ValueError, MemoryError):
        pass
assert made > 300, made
print("done")
"""
    for seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", code, seed], capture_output=True, text=True, timeout=280,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
        assert (run.returncode, run.stdout) == (0, "done\n"), run.stdout + run.stderr[-2000:]


def library_path(package):
    """Where the package in this folder looks for libveery, without the environment variable."""
    environment = {name: value for name, value in os.environ.items() if name != "VEERY_LIBRARY"}
    code = "import importlib.util as u, sys; s = u.spec_from_file_location('l', sys.argv[1]); m = u.module_from_spec(s); " \
        "s.loader.exec_module(m); print(m.path())"
    return Path(subprocess.run(
        [sys.executable, "-c", code, package / "_library.py"], env=environment, capture_output=True, text=True, check=True).stdout.strip())


def test_the_package_of_a_checkout_loads_what_make_library_builds(tmp_path):
    name = "libveery.dylib" if sys.platform == "darwin" else "libveery.so"
    package = tmp_path / "a clone" / "Sources/Python/veery"
    package.mkdir(parents=True)
    shutil.copy(ROOT / "Sources/Python/veery/_library.py", package)
    # Folders of these names are no checkout.
    assert library_path(package) == package / "_bundle" / name
    (tmp_path / "a clone/Package.swift").touch()
    assert library_path(package) == tmp_path / "a clone/.build/library" / name
    # The one in the package, as in a wheel, comes first.
    (package / "_bundle").mkdir()
    (package / "_bundle" / name).touch()
    assert library_path(package) == package / "_bundle" / name
