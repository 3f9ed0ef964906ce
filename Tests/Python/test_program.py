"""What is linked into the program, and that it works without what is left out."""

import re

from recordings import noise, write_manifest, write_wav


def test_the_tables_of_icu_are_not_in_the_program(program):
    # The table of contents of the package has an entry such as icudt76l/root.res for each.
    names = re.findall(rb"icudt\d+[bl]/\w+", program.read_bytes())
    assert not names, f"{len(names)} tables of languages, 34 MB: see Sources/CTables and .ci/build"


def test_labels_that_differ_in_their_unicode_form_are_found(veery, tmp_path):
    rows = []
    for number, label in enumerate(["ﬁnch", "finch", "ＯＷＬ", "owl", "caf\u00e9", "cafe\u0301", "dog"]):
        write_wav(tmp_path / f"{number}.wav", 16000, noise(number, 8000))
        rows.append({"path": f"{number}.wav", "label": label})
    found = veery("check", write_manifest(tmp_path / "m.csv", rows)).stdout
    assert "6 clips: Labels differ only in case, blanks or Unicode form." in found, found
