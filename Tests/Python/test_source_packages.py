"""The source packages that `make release` packs: compared with the checksums of their descriptions."""

import hashlib
import subprocess
import sys

import pytest
from sessions import ROOT

SCRIPT = ROOT / "Sources/Python/packaging/source_packages.py"


@pytest.fixture
def copy(tmp_path):
    """A function: copies the package, whose archive is `content` while its description is of b"sources"."""
    source, target = tmp_path / "a source", tmp_path / "a target"
    source.mkdir()
    target.mkdir()
    digest = hashlib.sha256(b"sources").hexdigest()
    (source / "soxr_1.0-2.dsc").write_text(
        f"Source: soxr\nChecksums-Sha256:\n {digest} 7 soxr_1.0.orig.tar.xz\n {digest} 7 soxr_1.0.orig.tar.xz.asc\nFiles:\n x 7 y\n")

    def copy(content, package="soxr=1:1.0-2"):
        if content is not None:
            (source / "soxr_1.0.orig.tar.xz").write_bytes(content)
        result = subprocess.run([sys.executable, SCRIPT, source, target, package], capture_output=True, text=True, timeout=60)
        return result.returncode, result.stderr, sorted(path.name for path in target.iterdir())

    return copy


def test_a_package_is_copied_also_without_the_signature_of_its_archive(copy):
    assert copy(b"sources") == (0, "", ["soxr_1.0-2.dsc", "soxr_1.0.orig.tar.xz"])


@pytest.mark.parametrize("content, package, words", [
    (b"sourcex", "soxr=1.0-2", "not the file that soxr_1.0-2.dsc states"), (None, "soxr=1.0-2", "missing"),
    (b"sources", "soxr=1.0-3", "soxr_1.0-3.dsc could not be downloaded")])
def test_a_package_that_is_not_the_one_described_is_refused(copy, content, package, words):
    status, error, found = copy(content, package)
    assert status == 1 and words in error and not found
