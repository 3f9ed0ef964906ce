"""`make release`: the tarball of sources and the checksums; the libraries that a wheel is linked with again; and which skipped tests the
continuous integration lets pass."""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tarfile

import pytest
from sessions import ROOT
from test_wheel_size import write_program

PACKAGING = ROOT / "Sources/Python/packaging"
linux_only = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("apt-get") is None, reason="the wheel is made on Debian and Ubuntu")


def ran(*command, **options):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=60, **options)


@linux_only
def test_a_release_has_the_sources_of_all_that_is_under_the_LGPL(tmp_path):
    copy = tmp_path / "a copy"
    machine = os.uname().machine
    tree = f"veery-1.2.3-linux-{machine}"
    wheel = f"veery-1.2.3-py3-none-{machine}.whl"
    write_program(copy / ".ci/wheel", f"mkdir -p dist && echo wheel >dist/{wheel} && echo \"$PWD/dist/{wheel}\"\n")
    # The download is made of one package.
    write_program(copy / ".ci/static-libraries", "printf '%s\\n' \"$@\" >asked\n")
    for name in (".ci/release", "Sources/Python/packaging/source_packages.py", "Schemas/guide/licences.md"):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    write_program(copy / f".build/portable/{tree}/bin/veery", "")
    (copy / ".build/portable/lesser").write_text("soxr=0.1-2\n")
    sources = copy / ".build/static-libraries/sources"
    sources.mkdir(parents=True)
    (sources / "soxr_0.1.orig.tar.xz").write_bytes(b"sources")
    (sources / "soxr_0.1-2.dsc").write_text(
        f"Checksums-Sha256:\n {hashlib.sha256(b'sources').hexdigest()} 7 soxr_0.1.orig.tar.xz\nFiles:\n")
    (copy / "Package.swift").write_text("// a package\n")
    (copy / ".gitignore").write_text(".build/\ndist/\nasked\n")
    subprocess.run(["git", "init", "-q", copy], check=True)
    (copy / "dist").mkdir()

    result = ran(copy / ".ci/release")
    assert result.returncode == 0, result
    assert (copy / "asked").read_text().split() == ["--sources", "soxr=0.1-2"]
    lines = dict(reversed(line.split("  ")) for line in (copy / "dist/SHA256SUMS").read_text().splitlines())
    assert set(lines) == {f"{tree}.tar.gz", "veery-1.2.3-sources.tar.gz", wheel}
    for name, digest in lines.items():
        assert hashlib.sha256((copy / "dist" / name).read_bytes()).hexdigest() == digest, name
    with tarfile.open(copy / "dist/veery-1.2.3-sources.tar.gz") as archive:
        names = {member.name for member in archive if member.isfile()}
    top = "veery-1.2.3-sources"
    assert {f"{top}/README.md", f"{top}/veery/Package.swift", f"{top}/veery/.ci/release", f"{top}/libraries/soxr_0.1.orig.tar.xz",
            f"{top}/libraries/soxr_0.1-2.dsc"} <= names
    assert not any("/.build/" in name or "/dist/" in name or "/.git/" in name for name in names)
    first = lines
    assert ran(copy / ".ci/release").returncode == 0
    again = dict(reversed(line.split("  ")) for line in (copy / "dist/SHA256SUMS").read_text().splitlines())
    assert first == again, "equal sources give an equal release"

    # A package that is not the one that its description states ends the release.
    (sources / "soxr_0.1.orig.tar.xz").write_bytes(b"others!")
    result = ran(copy / ".ci/release")
    assert result.returncode == 1 and "soxr_0.1.orig.tar.xz: missing, or not the file" in result.stderr, result


@linux_only
def test_an_archive_of_ones_own_is_linked_instead_of_the_distributions(tmp_path):
    copy, own = tmp_path / "copy", tmp_path / "own archives"
    shutil.copytree(ROOT / ".ci", copy / ".ci")
    shutil.copytree(PACKAGING, copy / "Sources/Python/packaging")
    # As if they were built.
    built = copy / ".build/static-libraries/built"
    built.mkdir(parents=True)
    for name in ("sndfile", "soxr", "mpg123"):
        (built / f"lib{name}.a").write_bytes(b"!<arch>\n")
    made_from = [PACKAGING / "sources.tsv", PACKAGING / "libsndfile-without-lame.patch", ROOT / ".ci/static-libraries"]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in made_from)).hexdigest()
    (built.parent / "stamp").write_text(f"{digest}  -\n")
    own.mkdir()
    (own / "libsoxr.a").write_bytes(b"!<arch>\n")

    def linked(**environment):
        return ran(copy / ".ci/static-libraries", env={**os.environ, **environment})

    result = linked()
    assert result.returncode == 0, result
    folder = copy / ".build/static-libraries/lib"
    assert (folder / "libsoxr.a").resolve() == (built / "libsoxr.a").resolve()
    result = linked(ARCHIVES=str(own))
    assert result.returncode == 0 and (folder / "libsoxr.a").resolve() == (own / "libsoxr.a").resolve(), result
    (own / "libsocks.a").write_bytes(b"!<arch>\n")
    result = linked(ARCHIVES=str(own))
    assert result.returncode == 1 and "libsocks.a is none of those that are linked" in result.stderr and "libsoxr.a" in result.stderr


def test_the_source_packages_of_a_release_are_those_under_the_LGPL(monkeypatch, capsys):
    specification = importlib.util.spec_from_file_location("bill_of_materials", PACKAGING / "bill_of_materials.py")
    module = importlib.util.module_from_spec(specification)
    monkeypatch.setitem(sys.modules, "bill_of_materials", module)
    specification.loader.exec_module(module)
    kind = module.os_release("ID")

    def part(name, licence, version="1:2.0+ds-1"):
        return module.debian((name, licence, "https://example.org"), name.lower(), version, ROOT / "LICENSE")

    parts = [part("Soxr", "LGPL-2.1-or-later"), part("Cairo", "LGPL-2.1-only OR MPL-1.1"), part("Zlib", "Zlib"),
             part("Runtime", "LGPL-2.1-or-later WITH GCC-exception-2.0-note"), part("Changed", "LGPL-2.1-only", module.CHANGED)]
    monkeypatch.setattr(module, "components", lambda trace: parts)
    monkeypatch.setattr(sys, "argv", ["bill_of_materials.py", "lesser", "veery.trace"])
    module.main()
    assert kind and capsys.readouterr().out.splitlines() == ["cairo=1:2.0+ds-1", "soxr=1:2.0+ds-1"]


def test_a_skip_for_lack_of_recordings_is_unknown_where_there_are_some(tmp_path):
    case = "<testsuite><testcase classname='a' name='b'><skipped message='{}'/></testcase></testsuite>"
    without, other = "needs the collection of recordings", "it rained"
    for name, reason in (("python.xml", without), ("collection-python.xml", without), ("swift.xml", other)):
        (tmp_path / name).write_text(case.format(reason))

    def unlisted(name):
        result = ran(sys.executable, ROOT / ".ci/count-tests", "--unlisted", ROOT / ".ci/allowed-skips", tmp_path / name, input="")
        assert result.returncode == 0, result
        return result.stdout.strip()

    assert unlisted("python.xml") == ""
    assert unlisted("collection-python.xml") == f"a b: there is one: {without}"
    assert unlisted("swift.xml") == f"a b: {other}"
