#!/usr/bin/env python3
"""Writes what a binary distribution has to say about the libraries that are linked into it.

Usage: bill_of_materials.py documents FOLDER TRACE...
           FOLDER receives sbom.cdx.json (CycloneDX 1.6), THIRD-PARTY.md (the same to read), and third-party, a folder of licence texts
       bill_of_materials.py expression TRACE...      prints the licence of the whole, an SPDX expression
       bill_of_materials.py lesser TRACE...          prints the source packages under the LGPL, a line each: NAME=VERSION
       bill_of_materials.py source TRACE             prints veery_components in C

A TRACE is a linker's list of its input files (--trace), so the list of components is that of the link, not of intentions. Its name is
that of the linked file.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[2]
STATIC = ROOT / ".build/static-libraries"
# The trace of the program; all others are of libraries.
PROGRAM = "veery"
OWN = "Apache-2.0"
# The version of a library that ARCHIVES replaces.
CHANGED = "changed"
# What was changed in a component before it was linked, since its licence asks for that to be said.
CHANGES = {"libsndfile": "Built without LAME, which encodes MP3."}
# Packages that others name for products which are not used here, and a module of each: nothing of them is compiled.
NOT_COMPILED = {"swift-system": "SystemPackage"}
REASON = (
    "Veery's own source is under Apache-2.0. What is linked into its program and its library is under licences of its own. Where one of them "
    "is a choice (OR), this distribution has the first.")


@dataclass(frozen=True)
class Component:
    name: str
    version: str
    licence: str
    website: str
    source: str
    purl: str
    text: Path

    @property
    def chosen(self) -> str:
        """The licence under which it is distributed here."""
        return self.licence.split(" OR ")[0]


def output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def os_release(key: str) -> str:
    lines = Path("/etc/os-release").read_text().splitlines()
    return next((line.partition("=")[2].strip('"') for line in lines if line.startswith(f"{key}=")), "")


def table() -> dict[str, tuple[str, str, str]]:
    """Component, licence and website of each file of components.tsv."""
    lines = (line.split("\t") for line in (ROOT / "Sources/veery/Resources/components.tsv").read_text().splitlines() if line[:1] != "#")
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
    package = {"mpg123": "mpg123"}.get(stem, f"lib{stem}")
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
    state = json.loads((ROOT / ".build/shipped/workspace-state.json").read_text())
    found = []
    for dependency in state["object"]["dependencies"]:
        identity, pin = dependency["packageRef"]["identity"], dependency["state"]["checkoutState"]
        unused = NOT_COMPILED.get(identity)
        if unused and not any((ROOT / f".build/shipped/release/{unused}.build").glob("*.o")):
            continue
        if identity not in names:
            sys.exit(f"bill_of_materials: the package {identity} is not in components.tsv")
        name, licence, website = names[identity]
        checkout = ROOT / ".build/shipped/checkouts" / dependency["subpath"]
        text = next(checkout.glob("LICENSE*"))
        found.append(Component(
            name, pin["version"], licence, website, f"{website}/tree/{pin['revision']}",
            f"pkg:swift/{website.removeprefix('https://')}@{pin['version']}", text))
    return found


def linked(trace: Path) -> list[Path]:
    """The archives whose members are in the link, as files."""
    files = set()
    for line in trace.read_text(errors="replace").splitlines():
        found = re.match(r"(/.+?\.a)(\(|$)", line)
        if found and not Path(found[1]).is_relative_to(ROOT / ".build/shipped"):
            files.add(Path(found[1]))
    if not any(file.name == "libsoxr.a" for file in files):
        sys.exit(f"bill_of_materials: no libsoxr.a in {trace}: not the trace of a static link")
    return sorted(files)


def components(trace: Path) -> list[Component]:
    known = table()
    licence_of_swift = Path(shutil.which("swiftc") or "").resolve().parent.parent / "share/swift/LICENSE.txt"
    found = []
    fonts: list[Path] = []
    # The program also has the packages, and its distribution the fonts.
    if trace.stem == PROGRAM:
        found = packages(known)
        fonts = [Path("/usr/share/fonts/truetype/dejavu") / name for name in known if name.endswith(".ttf")]
    for file in [*linked(trace), *fonts]:
        path = file.resolve()
        if "swift_static" in path.parts:
            icu = file.name == "lib_FoundationICU.a"
            found.append(swift(known[file.name if icu else "swift"], FOLDER / "ICU.txt" if icu else licence_of_swift))
        elif file.name not in known:
            sys.exit(f"bill_of_materials: {file} is linked, but not in components.tsv")
        elif STATIC in path.parents:
            found.append(built(known[file.name], path))
        elif os.environ.get("ARCHIVES") and Path(os.environ["ARCHIVES"]).resolve() in path.parents:
            name, licence, website = known[file.name]
            found.append(Component(name, CHANGED, licence, website, website, f"pkg:generic/{file.stem}@{CHANGED}",
                                   Path("/usr/share/common-licenses/LGPL-" + ("3" if "LGPL-3" in licence else "2.1"))))
        else:
            found.append(installed(known[file.name], path))
    for part in found:
        if part.chosen.startswith("GPL") and " WITH " not in part.chosen:
            sys.exit(f"bill_of_materials: {part.name} is linked, which is under {part.licence}: what is passed on has nothing under the GPL")
    # One entry for the archives of one source package.
    single = {(part.name, part.version): part for part in found}
    return sorted(single.values(), key=lambda part: part.name.lower())


def together(traces: list[Path]) -> dict[Component, list[str]]:
    """The components of all traces, each with the names of the files that it is in."""
    found: dict[Component, list[str]] = {}
    for trace in traces:
        for part in components(trace):
            found.setdefault(part, []).append(trace.stem)
    return dict(sorted(found.items(), key=lambda item: item[0].name.lower()))


def expression(parts: Iterable[Component]) -> str:
    """The licence of the whole: all of them apply, each to its part."""
    terms = {term for part in parts for term in part.chosen.split(" AND ")} - {OWN}
    return " AND ".join([OWN, *sorted(terms)])


def cyclonedx(parts: list[Component], version: str) -> dict[str, object]:
    identity = hashlib.sha256(repr(parts).encode() + version.encode()).hexdigest()[:32]
    return {
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "serialNumber": f"urn:uuid:{uuid.UUID(identity)}",
        "metadata": {"component": {
            "type": "application", "bom-ref": "veery", "name": "veery", "version": version,
            "licenses": [{"expression": expression(parts)}], "description": REASON}},
        "components": [{
            "type": "library", "bom-ref": part.purl, "name": part.name, "version": part.version,
            "licenses": [{"expression": part.licence}], "purl": part.purl,
            **({"pedigree": {"notes": CHANGES[part.name]}} if part.name in CHANGES else {}),
            "externalReferences": [
                {"type": "website", "url": part.website}, {"type": "source-distribution", "url": part.source}],
        } for part in parts],
        "dependencies": [{"ref": "veery", "dependsOn": [part.purl for part in parts]}],
    }


def readable(parts: dict[Component, list[str]], version: str) -> str:
    changes = " ".join(f"{part.name} was changed: {CHANGES[part.name]}" for part in parts if part.name in CHANGES)
    lines = [f"| {part.name} | {part.version} | {part.licence} | {', '.join(files)} | {part.source} |" for part, files in parts.items()]
    return "\n".join([
        f"# What veery {version} contains", "", REASON, "", f"The licence of the whole: `{expression(parts)}`.", "",
        "A row has the main licence of a component; single files of it may have others. The texts of all are in the folder `third-party`. "
        f"{changes} Whoever gives you this also gives you `veery-{version}-sources.tar.gz`, with the sources of Veery and of what is under the LGPL; it says how to link with versions of your own.",
        "",
        "| component | version | licence | linked into | source |", "|---|---|---|---|---|", *lines, ""])


def documents(folder: Path, parts: dict[Component, list[str]], version: str) -> None:
    texts = folder / "third-party"
    shutil.rmtree(texts, ignore_errors=True)
    texts.mkdir(parents=True)
    sections = (FOLDER / "notices.txt").read_text().split("\n== ")[1:]
    notices = {name: f"\n{'-' * 80}\n\n{text}" for name, _, text in (section.partition("\n") for section in sections)}
    for part in parts:
        # Who passes on what is under Apache-2.0 passes on its notices.
        own = [file.read_bytes() for file in (part.text, part.text.with_name("NOTICE.txt")) if file.exists()]
        text = b"\n".join(own) + notices.get(part.name, "").encode()
        (texts / (re.sub(r"[^A-Za-z0-9.+-]+", "-", part.name).strip("-") + ".txt")).write_bytes(text)
    # The texts of Debian refer to these for the licences that many packages share.
    for name in ("GPL-2", "GPL-3", "LGPL-2", "LGPL-2.1", "LGPL-3", "MPL-1.1", "Apache-2.0"):
        shutil.copyfile(Path("/usr/share/common-licenses") / name, texts / f"{name}.txt")
    (folder / "sbom.cdx.json").write_text(json.dumps(cyclonedx(list(parts), version), indent=1, ensure_ascii=False) + "\n")
    (folder / "THIRD-PARTY.md").write_text(readable(parts, version))


def source(parts: Iterable[Component]) -> str:
    lines = ["\t".join([part.name, part.version, part.licence]) for part in parts]
    text = "\n".join(f"    {json.dumps(line + chr(10), ensure_ascii=False)}" for line in lines)
    return f"const char *veery_components(void);\n\nconst char *veery_components(void) {{\n    return\n{text};\n}}\n"


def main() -> None:
    task, *rest = sys.argv[1:]
    folder = Path(rest.pop(0)) if task == "documents" else None
    parts = together([Path(name) for name in rest])
    if folder:
        documents(folder, parts, veery_version())
    elif task == "expression":
        print(expression(parts))
    elif task == "lesser":
        for part in parts:
            # The one who changed a library has its source.
            if part.chosen.startswith("LGPL") and " WITH " not in part.chosen and part.version != CHANGED:
                print(part.purl.removeprefix(f"pkg:deb/{os_release('ID')}/").partition("?")[0].replace("@", "=", 1).replace("%2B", "+").replace("%3A", ":"))
    elif task == "source":
        print(source(parts), end="")
    else:
        sys.exit(f"bill_of_materials: unknown task {task}")


if __name__ == "__main__":
    main()
