"""What .ci/presets writes of presets: the pages of Schemas/presets, and the tables of other pages. Up to date, and true."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "Schemas" / "presets"
PARITY = (ROOT / "Tests/Parity/README.md").read_text()


def test_pages_are_those_that_make_schema_writes(program):
    result = subprocess.run([sys.executable, ROOT / ".ci" / "presets", program, "--check"], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


TABLES = ("README.md", "Schemas/guide/configuration.md", "Schemas/conventions.md")


@pytest.mark.long
def test_tables_of_presets_are_checked_written_and_nothing_else_is(program, tmp_path):
    for copied in (".ci/presets", "Tests/Parity/README.md", *TABLES):
        (tmp_path / copied).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / copied, tmp_path / copied)
    shutil.copytree(PAGES, tmp_path / "Schemas" / "presets")

    def run(*options):
        return subprocess.run([sys.executable, tmp_path / ".ci" / "presets", program, *options], capture_output=True, text=True)

    texts, without = {}, {}
    for name in TABLES:
        texts[name] = text = (tmp_path / name).read_text()
        before, rest = text.split("<!-- presets: ")
        table, after = rest.split("<!-- end of presets -->")
        without[name] = before + after
        assert all(f"[`{path.stem}`](" in table for path in PAGES.glob("*.md") if path.stem != "README"), name
        (tmp_path / name).write_text(text.replace(table, table.replace("whisper", "whispers")))
    result = run("--check")
    assert result.returncode == 1 and result.stderr == f"out of date: {', '.join(sorted(TABLES))}; run 'make schema'\n"
    assert run().returncode == 0 and {name: (tmp_path / name).read_text() for name in TABLES} == texts
    for name in TABLES:
        (tmp_path / name).write_text(without[name])
        assert f"{name}: expected one table" in run().stderr and (tmp_path / name).read_text() == without[name]
        (tmp_path / name).write_text(texts[name])


def test_every_preset_has_a_page_with_its_parts(veery):
    listed = [entry["name"] for entry in json.loads(veery("presets", "--json").stdout)]
    assert sorted(path.stem for path in PAGES.glob("*.md")) == sorted([*listed, "README"])
    for name in listed:
        text = (PAGES / f"{name}.md").read_text()
        printed = veery("presets", name).stdout
        assert "\n".join(line for line in printed.splitlines() if not line.startswith("#")).strip() in text
        assert printed.split("# Source: ")[1].splitlines()[0] in text
        for part in ("## Formula", "## Parameters", "## Measured against the original"):
            assert part in text
        assert f"({name}.md)" in (PAGES / "README.md").read_text()


def test_rows_are_those_of_the_tables_of_parity():
    for name in ("whisper", "parakeet", "ast", "kaldi-fbank", "panns-cnn14"):
        rows = [line for line in PARITY.splitlines() if re.match(rf"\| {re.escape(name)}( \||,| at )", line)]
        text = (PAGES / f"{name}.md").read_text()
        assert rows and all(row in text for row in rows)


@pytest.mark.parametrize("name, lines", [
    ("whisper", ["w[n] = 0.5 − 0.5 cos(2πn/400), n = 0 … 399", "k = 0 … 200: bins of 40 Hz", "82 corners c from 0 to 8000 Hz",
                 "v = log10(max(p, 1e-10))", "0.25 (v + 4)"]),
    ("kaldi-fbank", ["x[n] − 0.97 x[n − 1], of each frame", "(0.5 − 0.5 cos(2πn/399))^0.85", "v = ln(max(p, 2^-23))"]),
    ("ast", ["(v + 4.2677393) / 9.1379948"]),
    ("parakeet", ["v = ln((p + 2^-24) / 2^-24)", "(n − 1)"]),
])
def test_formulas_have_the_numbers_of_the_configuration(name, lines):
    text = (PAGES / f"{name}.md").read_text()
    for line in lines:
        assert line in text, line


def formula(name):
    """The lines of the formula."""
    text = (PAGES / f"{name}.md").read_text().split("## Formula")[1].split("## Parameters")[0]
    return [line.strip() for line in text.splitlines() if line.startswith("    ")]


@pytest.mark.parametrize("name, lines", [
    ("parakeet", ["v = ln((p + 2^-24) / 2^-24)", "x[n] − 0.97 x[n − 1], of the whole signal",
                  "(v − m) / s, s = √(Σ(v − m)² / (n − 1)) + 1e-5; m is the mean of the n values of each column of the clip"]),
    ("wav2vec2", ["frame t: sample t, at 16,000 Hz", "(x[n] − mean x) / √(the variance of x + 1e-7)", "v = x[n]"]),
    ("whisper", ["v = log10(max(p, 1e-10))", "max(v, (the maximum of v over the clip) − 8): 80 dB", "0.25 (v + 4)"]),
    ("musical-spectrum", ["v = the interpolated magnitude"]),
    ("vggish", ["v = ln(p + 0.01)", "p[b] = Σ h[b, k] |X[k]|, b = 0 … 63"]),
    ("birdnet-low", ["p[b] = a[b]²", "v = p^0.2261814257"]),
    ("perch-1", ["s = p / 102,400, m[t] = (1 − b) m[t − 1] + b s[t], b = 0.1, m[−1] = s[0]", "v = (s / (1e-6 + m)^0.5 + 2)^0.5 − 2^0.5",
                 "x[n] − (the mean of the clip)", "x[n] · 0.25 / max |x|"]),
    ("gemma3n", ["the first 30 s of the clip; a shorter clip keeps its length", "zeros after the clip up to a multiple of 128 samples",
                 "frame t: samples 160t … 160t + 511 (32 ms every 10 ms at 16,000 Hz), if 1 more follows", "v = ln(max(p, 1e-5))"]),
    ("qwen3-asr", ["zeros after a clip of less than 0.5 s, up to that length"]),
    ("clap", ["the first 10 s of the clip; a shorter clip is repeated as often as it fits, and zeros follow", "v = 10 log10(max(p, 1e-10))"]),
])
def test_lines_of_the_formula_are_whole(name, lines):
    found = formula(name)
    for line in lines:
        assert line in found, (line, found)


def test_every_preset_is_measured_and_no_goal_is_missed():
    for path in PAGES.glob("*.md"):
        text = path.read_text()
        assert "Not measured" not in text, path.stem
        assert "missed" not in text.split("## Measured")[-1], path.stem


@pytest.mark.long
def test_docc_gets_articles_and_pictures(program, tmp_path):
    subprocess.run([sys.executable, ROOT / ".ci" / "presets", program, "--docc", tmp_path], check=True)
    articles = sorted(path.stem.removeprefix("preset-") for path in tmp_path.glob("preset-*.md"))
    assert articles == sorted(path.stem for path in PAGES.glob("*.md") if path.stem != "README")
    for name in articles:
        text = (tmp_path / f"preset-{name}.md").read_text()
        assert f"(bank-{name})" in text and (tmp_path / f"bank-{name}@2x.png").exists() and "](../" not in text
        assert f"<doc:preset-{name}>" in (tmp_path / "PresetPages.md").read_text()


@pytest.mark.parametrize("name, rows", [
    ("whisper", ["| values | `0.25 * (log10(power) + 4)` |",
                 "| how near | 1.1e-7 of the clip's range from the formula in double precision; 2.9e-5 from openai-whisper 20250625, "
                 "which is 2.9e-5 from the formula itself |"]),
    ("log-mel", ["| values | `ln(power)`, before normalisation |"]),
    ("birdnet-low", ["| how near | 8.2e-08 of the clip's range from the formula in double precision |"]),
    ("encodec", ["| how near | the same values as EncodecFeatureExtractor |"]),
])
def test_the_table_at_the_top_says_what_values_are_and_how_near(name, rows):
    top = (PAGES / f"{name}.md").read_text().split("\n## ")[0]
    for row in rows:
        assert row in top, row


@pytest.mark.parametrize("name, earlier, later", [
    ("ast", "1024 rows: later ones are dropped, rows of 0 are added", "(v + 4.2677393) / 9.1379948"),
    ("qwen3-asr", "0.25 (v + 4)", "rows of 0 are added, up to a multiple of 100"),
    ("batdetect2", "max(v, 0)", "the n rows are resized to ⌊0.5 n⌋ and the columns to 128"),
])
def test_steps_are_in_the_order_in_which_they_act(name, earlier, later):
    text = (PAGES / f"{name}.md").read_text()
    assert text.index(f"    {earlier}") < text.index(f"    {later}")
