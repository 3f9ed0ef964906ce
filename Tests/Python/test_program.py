"""What is linked into the program, and that it works without what is left out."""

import re

import pytest
from recordings import noise, write_manifest, write_wav

pytestmark = pytest.mark.shipped


def test_the_tables_of_icu_are_not_in_the_program(program):
    # The table of contents of the package has an entry such as icudt76l/root.res for each.
    names = re.findall(rb"icudt\d+[bl]/\w+", program.read_bytes())
    assert not names, f"{len(names)} tables of languages, 34 MB: see Sources/CProgram/tables.c and .ci/build"


def test_labels_that_differ_in_their_unicode_form_are_found(veery, tmp_path):
    rows = []
    for number, label in enumerate(["ﬁnch", "finch", "ＯＷＬ", "owl", "caf\u00e9", "cafe\u0301", "dog"]):
        write_wav(tmp_path / f"{number}.wav", 16000, noise(number, 8000))
        rows.append({"path": f"{number}.wav", "label": label})
    found = veery("check", write_manifest(tmp_path / "m.csv", rows)).stdout
    assert "6 clips: Labels differ only in case, blanks or Unicode form." in found, found


def test_a_folder_that_cannot_be_made_is_refused_in_the_words_of_the_system(veery, tmp_path):
    # Of Foundation's errors, only the essentials are in the program.
    write_wav(tmp_path / "a.wav", 16000, noise(1, 8000))
    features = tmp_path / "a.h5"
    veery("extract", write_manifest(tmp_path / "m.csv", [{"path": "a.wav"}]), "-o", features)
    folder = tmp_path / "a.wav" / "folder"
    assert "Not a directory" in veery("inspect", features, "--plots", folder, status=1).stderr
    assert "Not a directory" in veery("presets", "whisper", "--golden", folder, status=1).stderr
