#!/usr/bin/env python3
"""Copies source packages of Debian, after comparing the checksums that their descriptions (.dsc) state.

Usage: source_packages.py FROM TO NAME=VERSION...
"""

import hashlib
import re
import shutil
import sys
from pathlib import Path


def main() -> None:
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    for package in sys.argv[3:]:
        name, _, version = package.partition("=")
        description = source / f"{name}_{version.rpartition(':')[2]}.dsc"
        if not description.exists():
            sys.exit(f"source_packages: {description.name} could not be downloaded; see .build/static-libraries/build.log. The "
                     "distribution may have a newer version: update its packages (apt-get upgrade), and link again")
        part = re.search(r"^Checksums-Sha256:\n((?: .*\n)+)", description.read_text(errors="replace"), re.MULTILINE)
        files = [line.split() for line in part[1].splitlines()] if part else []
        if not files:
            sys.exit(f"source_packages: {description}: it states no checksums (Checksums-Sha256)")
        for digest, _, file in files:
            path = source / file
            # Mirrors may lack the signature of an archive. Its checksum is enough.
            if file.endswith(".asc") and not path.exists():
                continue
            if not path.exists() or hashlib.sha256(path.read_bytes()).hexdigest() != digest:
                sys.exit(f"source_packages: {path}: missing, or not the file that {description.name} states: remove it, and try again")
            shutil.copyfile(path, target / file)
        shutil.copyfile(description, target / description.name)


main()
