"""Writes what a binary distribution has to say about the libraries that are linked into it.

Usage: bill_of_materials.py OUTPUT TRACE...

A TRACE is a linker's list of its input files (--trace), so the list of components is that of the link, not of
intentions. The folder OUTPUT receives `sbom.cdx.json` (CycloneDX 1.6), `THIRD-PARTY.md` (the same to read), and
`third-party`, a folder of licence texts.
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import uuid
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[2]
STATIC = ROOT / ".build/static-libraries"
LICENCE = "GPL-3.0-or-later"
REASON = (
    "Veery's own source is under Apache-2.0. The program and the library contain FFTW, which is under "
    "GPL-2.0-or-later, and version 3 of the GPL is the one that is compatible with Apache-2.0: as a whole they are under GPL-3.0-or-later.")


@dataclass(frozen=True)
class Component:
    name: str
    version: str
    licence: str
    website: str
    source: str
    purl: str
    text: Path


def output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def os_release(key: str) -> str:
    lines = Path("/etc/os-release").read_text().splitlines()
    return next((line.partition("=")[2].strip('"') for line in lines if line.startswith(f"{key}=")), "")


def table() -> dict[str, tuple[str, str, str]]:
    """Component, licence and website of each file of components.tsv."""
    lines = (line.split("\t") for line in (FOLDER / "components.tsv").read_text().splitlines() if line[:1] != "#")
    return {file: (name, licence, website) for file, name, licence, website in lines}


def veery_version() -> str:
    text = (ROOT / "Sources/FeatureModel/Data/VeeryVersion.swift").read_text()
    found = re.search(r'number = "([^"]+)"', text)
    if not found:
        sys.exit("bill_of_materials: no version in VeeryVersion.swift")
    return found[1]


def debian(row: tuple[str, str, str], package: str, version: str, text: Path) -> Component:
    """A component from a source package of the distribution."""
    name, licence, website = row
    kind = os_release("ID")
    pages = {"ubuntu": "https://launchpad.net/ubuntu/+source/{}/{}"}
    source = pages.get(kind, "https://sources.debian.org/src/{}/{}/").format(package, version)
    purl = f"pkg:deb/{kind}/{package}@{quote(version, safe='')}?arch=source&distro={os_release('VERSION_CODENAME')}"
    return Component(name, version, licence, website, source, purl, text)


def built(row: tuple[str, str, str], archive: Path) -> Component:
    """A component that .ci/static-libraries has built, with the address and version of its source package."""
    stem = archive.name.removeprefix("lib").removesuffix(".a")
    package = {"mp3lame": "lame", "mpg123": "mpg123"}.get(stem, f"lib{stem}")
    folder = STATIC / "built" / package
    version = re.match(r"\S+ \(([^)]+)\)", (folder / "changelog").read_text())
    if not version:
        sys.exit(f"bill_of_materials: no version in {folder / 'changelog'}")
    return debian(row, package, version[1], folder / "copyright")


def installed(row: tuple[str, str, str], file: Path) -> Component:
    """A component from an installed package of the distribution."""
    binary = output("dpkg", "-S", str(file)).split(": ")[0]
    package, version = output("dpkg-query", "-W", "-f", "${source:Package} ${source:Version}", binary).split()
    return debian(row, package, version, Path("/usr/share/doc") / binary.split(":")[0] / "copyright")


def swift(row: tuple[str, str, str], text: Path) -> Component:
    name, licence, website = row
    version = re.search(r"Swift version (\S+)", output("swiftc", "--version"))
    if not version:
        sys.exit("bill_of_materials: cannot tell the version of swiftc")
    tag = f"swift-{version[1]}-RELEASE"
    repository = website.removeprefix("https://")
    return Component(name, version[1], licence, website, f"{website}/tree/{tag}", f"pkg:swift/{repository}@{tag}", text)


def packages(names: dict[str, tuple[str, str, str]]) -> list[Component]:
    """The Swift packages of this checkout."""
    state = json.loads((ROOT / ".build/workspace-state.json").read_text())
    found = []
    for dependency in state["object"]["dependencies"]:
        identity, pin = dependency["packageRef"]["identity"], dependency["state"]["checkoutState"]
        if identity not in names:
            sys.exit(f"bill_of_materials: the package {identity} is not in components.tsv")
        name, licence, website = names[identity]
        checkout = ROOT / ".build/checkouts" / dependency["subpath"]
        text = next(checkout.glob("LICENSE*"))
        found.append(Component(
            name, pin["version"], licence, website, f"{website}/tree/{pin['revision']}",
            f"pkg:swift/{website.removeprefix('https://')}@{pin['version']}", text))
    return found


def linked(traces: list[Path]) -> list[Path]:
    """The archives whose members are in the link, as files."""
    files = set()
    for line in (line for trace in traces for line in trace.read_text(errors="replace").splitlines()):
        found = re.match(r"(/.+?\.a)(\(|$)", line)
        if found and ".build/x86_64" not in line and "/release/" not in line:
            files.add(Path(found[1]))
    if not any(file.name == "libfftw3.a" for file in files):
        sys.exit(f"bill_of_materials: no libfftw3.a in {', '.join(map(str, traces))}: not the traces of a static link")
    return sorted(files)


def components(traces: list[Path]) -> list[Component]:
    known = table()
    licence_of_swift = Path(shutil.which("swiftc") or "").resolve().parent.parent / "share/swift/LICENSE.txt"
    fonts = [Path("/usr/share/fonts/truetype/dejavu") / name for name in known if name.endswith(".ttf")]
    found = packages(known)
    for file in [*linked(traces), *fonts]:
        path = file.resolve()
        if "swift_static" in path.parts:
            icu = file.name == "lib_FoundationICU.a"
            found.append(swift(known[file.name if icu else "swift"], FOLDER / "ICU.txt" if icu else licence_of_swift))
        elif file.name not in known:
            sys.exit(f"bill_of_materials: {file} is linked, but not in components.tsv")
        elif STATIC in path.parents:
            found.append(built(known[file.name], path))
        else:
            found.append(installed(known[file.name], path))
    # One entry for the archives of one source package.
    single = {(part.name, part.version): part for part in found}
    return sorted(single.values(), key=lambda part: part.name.lower())


def cyclonedx(parts: list[Component], version: str) -> dict[str, object]:
    identity = hashlib.sha256(repr(parts).encode() + version.encode()).hexdigest()[:32]
    return {
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "serialNumber": f"urn:uuid:{uuid.UUID(identity)}",
        "metadata": {"component": {
            "type": "application", "bom-ref": "veery", "name": "veery", "version": version,
            "licenses": [{"expression": LICENCE}], "description": REASON}},
        "components": [{
            "type": "library", "bom-ref": part.purl, "name": part.name, "version": part.version,
            "licenses": [{"expression": part.licence}], "purl": part.purl,
            "externalReferences": [
                {"type": "website", "url": part.website}, {"type": "source-distribution", "url": part.source}],
        } for part in parts],
        "dependencies": [{"ref": "veery", "dependsOn": [part.purl for part in parts]}],
    }


def readable(parts: list[Component], version: str) -> str:
    lines = [f"| {part.name} | {part.version} | {part.licence} | {part.source} |" for part in parts]
    return "\n".join([
        f"# What veery {version} contains", "", REASON, "",
        "The texts of the licences are in the folder `third-party`. The corresponding sources of everything linked:",
        "",
        "| component | version | licence | source |", "|---|---|---|---|", *lines, ""])


def main() -> None:
    folder, traces = Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]]
    parts, version = components(traces), veery_version()
    texts = folder / "third-party"
    shutil.rmtree(texts, ignore_errors=True)
    texts.mkdir(parents=True)
    for part in parts:
        shutil.copyfile(part.text, texts / (re.sub(r"[^A-Za-z0-9.+-]+", "-", part.name).strip("-") + ".txt"))
    # The texts of Debian refer to these for the licences that many packages share.
    for name in ("GPL-2", "GPL-3", "LGPL-2", "LGPL-2.1", "LGPL-3", "MPL-1.1", "Apache-2.0"):
        shutil.copyfile(Path("/usr/share/common-licenses") / name, texts / f"{name}.txt")
    (folder / "sbom.cdx.json").write_text(json.dumps(cyclonedx(parts, version), indent=1, ensure_ascii=False) + "\n")
    (folder / "THIRD-PARTY.md").write_text(readable(parts, version))


main()
