"""The wheel itself: names and tags, contents, metadata, licences, and what its programs need of a system."""

from __future__ import annotations

import email
import email.message
import json
import os
import platform
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from packaging.tags import parse_tag
from packaging.utils import parse_wheel_filename

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel() -> Path:
    """The wheel that .ci/test-wheel has built and installed."""
    return Path(os.environ["VEERY_WHEEL"])


@pytest.fixture(scope="module")
def archive(wheel: Path) -> zipfile.ZipFile:
    return zipfile.ZipFile(wheel)


@pytest.fixture(scope="module")
def folder(archive: zipfile.ZipFile, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    archive.extractall(folder)
    return folder


@pytest.fixture(scope="module")
def metadata(archive: zipfile.ZipFile) -> email.message.Message:
    name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    return email.message_from_bytes(archive.read(name))


def programs(folder: Path) -> list[Path]:
    return [*folder.glob("*.data/scripts/veery"), folder / "veery/_bundle/libveery.so"]


def readelf(option: str, file: Path) -> str:
    return subprocess.run(["readelf", "-W", option, str(file)], capture_output=True, text=True, check=True).stdout


def swift_version() -> str:
    found = re.search(r'number = "([^"]+)"', (ROOT / "Sources/FeatureModel/Data/VeeryVersion.swift").read_text())
    assert found
    return found[1]


def test_name_has_the_version_of_the_source_and_one_platform(wheel: Path) -> None:
    name, version, _, tags = parse_wheel_filename(wheel.name)
    assert (name, str(version)) == ("veery", swift_version())
    assert tags == parse_tag(f"py3-none-manylinux_2_34_{platform.machine()}")


def test_wheel_is_smaller_than_40_megabytes(wheel: Path) -> None:
    assert wheel.stat().st_size < 40_000_000


def test_another_tool_finds_the_stated_tag(wheel: Path) -> None:
    """auditwheel knows which symbols each manylinux tag allows."""
    done = subprocess.run(
        [sys.executable, "-m", "auditwheel", "show", str(wheel)], capture_output=True, text=True, check=True)
    text = " ".join(done.stdout.split())
    assert f'consistent with the following platform tag: "manylinux_2_34_{platform.machine()}"' in text, done.stdout


def test_contents(archive: zipfile.ZipFile) -> None:
    names = archive.namelist()
    data = f"veery-{swift_version()}.data"
    for name in (
        "veery/__init__.py", "veery/py.typed", "veery/_bundle/libveery.so", f"{data}/scripts/veery",
        f"{data}/data/share/veery/fonts/DejaVuSans.ttf", f"{data}/data/share/veery/fonts/DejaVuSans-Bold.ttf",
        f"{data}/data/share/bash-completion/completions/veery", f"{data}/data/share/zsh/site-functions/_veery",
        f"{data}/data/share/fish/vendor_completions.d/veery.fish", f"{data}/data/share/man/man1/veery.1",
    ):
        assert name in names, name
    assert not [name for name in names if "__pycache__" in name or name.endswith((".pyc", ".map", ".trace"))]
    modules = {path.name for path in (ROOT / "Sources/Python/veery").glob("*.py")}
    assert modules <= {Path(name).name for name in names}


def test_the_command_is_an_executable_not_a_python_script(folder: Path, archive: zipfile.ZipFile) -> None:
    program = programs(folder)[0]
    assert program.read_bytes()[:4] == b"\x7fELF"
    entry = archive.getinfo(str(program.relative_to(folder)))
    assert entry.external_attr >> 16 & 0o111 == 0o111


def test_programs_need_only_the_c_library_and_its_like(folder: Path) -> None:
    for file in programs(folder):
        needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", readelf("--dynamic", file)))
        assert needed <= {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}, (file.name, needed)
        assert "RPATH" not in readelf("--dynamic", file), file.name


def test_no_symbol_is_newer_than_glibc_2_34(folder: Path) -> None:
    for file in programs(folder):
        versions = re.findall(r"GLIBC_([0-9]+)\.([0-9]+)", readelf("--version-info", file))
        assert versions and max((int(major), int(minor)) for major, minor in versions) <= (2, 34), file.name


def test_library_defines_only_names_of_its_header(folder: Path) -> None:
    header = (ROOT / "Sources/CVeery/include/veery.h").read_text()
    defined = set()
    for line in readelf("--dyn-syms", programs(folder)[1]).splitlines():
        fields = line.split()
        if len(fields) == 8 and fields[4] in ("GLOBAL", "WEAK") and fields[6] not in ("UND", "ABS"):
            defined.add(fields[7].split("@")[0])
    assert defined and all(name.startswith("veery_") and re.search(rf"\b{name}\(", header) for name in defined)


def test_metadata_names_the_licences_of_the_wheel_and_what_it_needs(metadata: email.message.Message) -> None:
    # test_licences.py compares them with the components.
    assert "LGPL-2.1-or-later" in metadata["License-Expression"].split(" AND ")
    assert metadata["Requires-Python"] == ">=3.9"
    assert {requirement.split(">")[0] for requirement in metadata.get_all("Requires-Dist", [])
            if "extra ==" not in requirement} == {"numpy", "h5py"}


def test_licences_of_all_components_are_in_the_wheel(archive: zipfile.ZipFile, metadata: email.message.Message) -> None:
    info = f"veery-{swift_version()}.dist-info"
    bill = json.loads(archive.read(f"{info}/sboms/sbom.cdx.json"))
    listed = set(metadata.get_all("License-File", []))
    assert {"LICENSE", "THIRD-PARTY.md"} <= listed
    for file in listed:
        assert archive.read(f"{info}/licenses/{file}").strip(), file
    for component in bill["components"]:
        text = "third-party/" + re.sub(r"[^A-Za-z0-9.+-]+", "-", component["name"]).strip("-") + ".txt"
        assert text in listed, component["name"]


def test_bill_of_materials_is_valid_and_names_version_licence_and_source(archive: zipfile.ZipFile) -> None:
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    text = archive.read(f"veery-{swift_version()}.dist-info/sboms/sbom.cdx.json").decode()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    bill = json.loads(text)
    names = {component["name"] for component in bill["components"]}
    for name in ("HDF5", "libsndfile", "libsoxr", "mpg123", "Cairo", "Fontconfig", "FreeType", "zlib",
                 "DejaVu fonts", "Swift runtime and Foundation", "swift-argument-parser", "GCC runtime"):
        assert name in names, name
    for component in bill["components"]:
        assert component["version"] and component["licenses"][0]["expression"], component
        sources = [link["url"] for link in component["externalReferences"] if link["type"] == "source-distribution"]
        assert sources and sources[0].startswith("https://"), component


def test_versions_of_the_bill_are_those_the_program_reports(archive: zipfile.ZipFile, tmp_path: Path) -> None:
    """The versions that a feature file stores come from the libraries themselves."""
    import h5py
    import veery

    veery.extract([{"path": str(ROOT / "Tests/Fixtures/tone-16k.wav")}], tmp_path / "features.h5")
    with h5py.File(tmp_path / "features.h5") as file:
        software = json.loads(file["provenance/software"].asstr()[()])
    bill = json.loads(archive.read(f"veery-{swift_version()}.dist-info/sboms/sbom.cdx.json"))
    versions = {component["name"]: component["version"] for component in bill["components"]}
    for name, component in (("libsndfile", "libsndfile"), ("hdf5", "HDF5"),
                            ("libdeflate", "libdeflate"), ("soxr", "libsoxr")):
        number = re.match(r"[0-9.]+", software[name])
        assert number and versions[component].startswith(number[0]), (software[name], versions[component])


def test_the_installed_command_is_the_one_of_the_wheel(folder: Path) -> None:
    import veery

    program = Path(veery.find_program())
    assert program.parent == Path(sys.executable).parent
    assert program.read_bytes() == programs(folder)[0].read_bytes()
