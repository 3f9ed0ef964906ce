"""Manifests as spreadsheets and pipelines write them: compressed, in UTF-16, with semicolons, on standard input."""

import gzip
import hashlib
import subprocess

import h5py
import numpy as np
import pytest
from conftest import noise, write_wav

ROWS = [("a", "sub/a.wav", "Zaunkönig 🐦", "0.0", "0.5"), ("b", "sub/b.wav", "café", "0.25", "0.75"), ("c", "sub/c.wav", "", "", "")]


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    folder = tmp_path_factory.mktemp("forms")
    for number, name in enumerate("abc"):
        write_wav(folder / f"sub/{name}.wav", 16_000, noise(number, 16_000))
    return folder


def table(delimiter=",", decimal=".", slash="/", header=("id", "path", "label", "start", "end"), line_end="\n"):
    rows = [(i, p.replace("/", slash), label, s.replace(".", decimal), e.replace(".", decimal)) for i, p, label, s, e in ROWS]
    return "".join(delimiter.join(row) + line_end for row in [header, *rows])


def extract(veery, folder, name, data, *options):
    (folder / name).write_bytes(data)
    result = veery("extract", folder / name, "-o", folder / f"{name}.h5", *options)
    return read(folder / f"{name}.h5"), result


def read(path):
    """Every dataset but provenance."""
    found = {}
    with h5py.File(path) as file:
        def visit(name, item):
            if isinstance(item, h5py.Dataset) and not name.startswith("provenance"):
                found[name] = item[()].tolist() if item.dtype.kind in "SO" else item[()].tobytes()
        file.visititems(visit)
        found["manifest"] = file["provenance/manifest_sha256"][()].decode()
    return found


def equal(one, other):
    return all(one[name] == other[name] for name in one if name != "manifest") and one.keys() == other.keys()


@pytest.fixture(scope="module")
def plain(veery, recordings):
    found, result = extract(veery, recordings, "plain.csv", table().encode())
    assert "warning" not in result.stderr
    return found


FORMS = {
    "crlf.csv": table(line_end="\r\n").encode("utf-8-sig"),
    "packed.csv.gz": gzip.compress(table().encode()),
    "members.csv.gz": gzip.compress(table().encode()[:40]) + gzip.compress(b"") + gzip.compress(table().encode()[40:]),
    "padded.CSV.GZ": gzip.compress(table().encode()) + bytes(512),
    "packed.tsv.gz": gzip.compress(table("\t").encode()),
    "semicolons.csv": table(";", ",").encode("utf-8-sig"),
    "points.csv": table(";", ".").encode(),
    "little.csv": table(";", ",", line_end="\r\n").encode("utf-16"),
    "big.csv": b"\xfe\xff" + table().encode("utf-16-be"),
    "bare.csv": table().encode("utf-16-le"),
    "bare-big.csv": table().encode("utf-16-be"),
    "packed-little.csv.gz": gzip.compress(table().encode("utf-16")),
    "unicode.txt": table("\t").encode("utf-16"),
    "capitals.csv": table(header=("ID", "Path", " Label ", "START", "End")).encode(),
    "no-extension": table().encode(),
    "tabs": table("\t").encode(),
    "windows.csv": table(slash="\\").encode(),
}


@pytest.mark.parametrize("name", FORMS)
def test_each_form_is_the_plain_one(veery, recordings, plain, name):
    found, result = extract(veery, recordings, name, FORMS[name])
    assert equal(found, plain)
    assert found["manifest"] == hashlib.sha256(FORMS[name]).hexdigest(), "the file as it is stored"
    warning = "3 paths have backslashes between folders, which are read as '/'"
    assert (warning in result.stderr) == (name == "windows.csv")
    again = veery("extract", recordings / name, "-o", recordings / f"{name}.h5")
    assert "up to date" in again.stdout + again.stderr


@pytest.mark.parametrize("form", ["plain", "gzip", "lines"])
def test_standard_input_is_a_manifest(program, recordings, plain, form, tmp_path):
    text = table()
    if form == "lines":
        keys = ("id", "path", "label", "start", "end")
        text = "\n".join(
            "{" + ", ".join(f'"{k}": {v if k in ("start", "end") else chr(34) + v + chr(34)}' for k, v in zip(keys, row) if v) + "}"
            for row in ROWS)
    data = gzip.compress(text.encode()) if form == "gzip" else text.encode()
    output = tmp_path / "f.h5"
    temporary = tmp_path / "temporary"
    temporary.mkdir()

    def run(folder, *options):
        return subprocess.run(
            [program, "extract", "-", "-o", output, *options], cwd=folder, input=data, capture_output=True, timeout=120,
            env={"TMPDIR": str(temporary), "PATH": "/usr/bin:/bin"})

    # Without --root, paths start from the current folder.
    result = run(recordings)
    assert result.returncode == 0, result.stderr
    assert equal(read(output), plain)
    assert list(temporary.iterdir()) == [], "nothing is left"
    assert b"up to date" in (again := run(tmp_path, "--root", recordings)).stdout + again.stderr
    check = subprocess.run([program, "check", "-", "--root", recordings], input=data, capture_output=True, timeout=120)
    assert check.returncode == 0 and b"3" in check.stdout, check.stderr


def test_standard_input_that_is_nothing_known_is_refused(program, recordings):
    for data, words in [(b"", "is empty"), (b"hello\nworld\n", "cannot tell the format by the first line: expected names of columns"), (b"PAR1\0\0", "a Parquet file")]:
        result = subprocess.run([program, "check", "-"], input=data, capture_output=True, text=False, timeout=60)
        assert result.returncode in (1, 64) and words in result.stderr.decode(), result.stderr
        assert b"standard input" in result.stderr
    result = subprocess.run(
        [program, "check", "-", "--format", "csv"], input=b"path,label\na.wav\n", capture_output=True, timeout=60)
    assert result.returncode == 1 and b"standard input: 1 problem" in result.stderr and b"line 2: has 1 field" in result.stderr


@pytest.mark.parametrize("limit, temporary, status, words", [
    ("true", "/no/such/folder", 1, "could not keep it in /no/such/folder: No such file or directory"),
    ("trap '' XFSZ; ulimit -f 1", "", 75, "could not keep it in "),
], ids=["no folder", "a full one"])
def test_standard_input_that_cannot_be_kept_is_an_error(program, tmp_path, limit, temporary, status, words):
    data = b"path\n" + b"".join(b"%d.wav\n" % i for i in range(100_000))
    result = subprocess.run(
        ["bash", "-c", limit + '; exec "$0" check -', program], input=data, capture_output=True, timeout=60,
        env={"TMPDIR": temporary or str(tmp_path), "PATH": "/usr/bin:/bin"})
    assert result.returncode == status and words in result.stderr.decode(), (result.returncode, result.stderr)
    assert list(tmp_path.iterdir()) == []


def damaged_gzip():
    data = gzip.compress(table().encode() * 200)
    return {
        "cut": (data[: len(data) // 2], "cut off"), "no-end": (data[:-4], "cut off"),
        "checksum": (data[:-6] + bytes([data[-6] ^ 1]) + data[-5:], "incorrect data check"),
        "length": (data[:-1] + bytes([data[-1] ^ 1]), "incorrect length check"),
        "middle": (data[:60] + bytes([data[60] ^ 0x55]) + data[61:], ""),
        "header": (data[:2] + b"\x07" + data[3:], "unknown compression method"),
        "behind": (data + b"path\n", "follows its compressed data"),
        "twice": (gzip.compress(data), "compressed by gzip twice"),
        "only": (data[:2], "cut off"),
    }


@pytest.mark.parametrize("name", damaged_gzip())
def test_damaged_compression_is_refused(veery, recordings, name):
    data, words = damaged_gzip()[name]
    path = recordings / f"damaged-{name}.csv.gz"
    path.write_bytes(data)
    result = veery("check", path, status=(1, 3))
    assert str(path) in result.stderr and words in result.stderr, result.stderr
    if name != "middle":
        assert result.returncode == 1


@pytest.mark.parametrize("end", [b"\x3d\xd8", b"\x26\xdc", b"x", b"\x3d\xd8x\0"])
def test_broken_utf_16_is_named_with_its_line(veery, recordings, end):
    path = recordings / "broken.csv"
    path.write_bytes("path,label\nsub/a.wav,".encode("utf-16") + end)
    error = veery("check", path, status=1).stderr
    assert "line 2: field 2 has half of a character in UTF-16" in error, error


def test_problems_of_a_packed_manifest_have_their_lines(veery, recordings):
    path = recordings / "problems.csv.gz"
    path.write_bytes(gzip.compress(b"path,start,end\nsub/a.wav,0.5,0.1\n" + b"sub/b.wav,,\n" + b"sub/c.wav,x,1\n"))
    error = veery("check", path, status=1).stderr
    assert "2 problems" in error and "line 2: end 0.1 is not after start 0.5" in error and "line 4: start is 'x'" in error
    path = recordings / "decimals.csv"
    path.write_text("path;start;end\nsub/a.wav;1,5;0,1\nsub/b.wav;1,000,5;2\n")
    error = veery("check", path, status=1).stderr
    assert "line 2: end 0.1 is not after start 1.5" in error and error.rstrip().endswith("line 3: start is '1,000,5'; expected a finite number of seconds"), error


def test_an_exact_name_wins_over_another_spelling(veery, recordings):
    path = recordings / "both.csv"
    path.write_text("Path,path,label,Label\nx.wav,sub/a.wav,one,two\n")
    veery("extract", path, "-o", recordings / "both.h5")
    with h5py.File(recordings / "both.h5") as file:
        assert file["clips/path"][0] == b"sub/a.wav" and file["clips/label"][0] == b"one"
        assert file["clips/extra/Path"][0] == b"x.wav" and file["clips/extra/Label"][0] == b"two"


def test_a_backslash_that_is_part_of_a_name_is_kept(veery, recordings):
    write_wav(recordings / "sub/odd\\name.wav", 16_000, noise(9, 8000))
    path = recordings / "odd.csv"
    path.write_text("path\nsub/a.wav\nsub/odd\\name.wav\n")
    result = veery("extract", path, "-o", recordings / "odd.h5")
    with h5py.File(recordings / "odd.h5") as file:
        assert file["clips/path"][1] == b"sub/odd\\name.wav" and np.all(file["clips/frame_count"][:] > 0)
    assert "backslash" not in result.stderr
