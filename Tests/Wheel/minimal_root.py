"""Installs the wheel in a minimal Debian, and runs it there: no Swift, no fonts, no development packages.

Usage: minimal_root.py WHEEL TREE PROGRAM     (as root)

The system is made by debootstrap, once, in .build/minimal-root. TREE is the folder that becomes the tarball. PROGRAM
is the ordinary build, which computes and draws the same outside; equal bytes are expected. Prints a line for each
check, and the counts.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Callable

import numpy as np
import soundfile
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
# debootstrap refuses folders with spaces in their names.
FOLDER = ROOT / ".build/minimal-root" if re.fullmatch(r"[\w./+-]+", str(ROOT), re.ASCII) else (
    Path("/var/tmp") / f"veery-minimal-root-{hashlib.sha256(str(ROOT).encode()).hexdigest()[:8]}")
SYSTEM = FOLDER / "root"
WORK = "/work"
FORMATS: dict[str, dict[str, str]] = {
    "flac": {}, "mp3": {}, "ogg": {}, "opus": {"format": "OGG", "subtype": "OPUS"}}
ENVIRONMENT = {"PATH": f"{WORK}/venv/bin:/usr/bin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8"}
MOUNTED = 'mount -t proc proc "$1/proc" && cd / && exec chroot "$@"'


class Failed(Exception):
    """A check does not hold; the text says what was found."""


def expect(holds: bool, found: object) -> None:
    if not holds:
        raise Failed(f"found {found}")


def inside(*command: str) -> subprocess.CompletedProcess[str]:
    """Runs a command in the system, with /proc, in the folder of the recordings."""
    chroot = ["unshare", "--mount", "sh", "-euc", MOUNTED, "sh", str(SYSTEM)]
    variables = [f"{name}={value}" for name, value in ENVIRONMENT.items()]
    return subprocess.run(
        [*chroot, "env", "-i", *variables, "sh", "-c", f'cd {WORK} && exec "$@"', "sh", *command],
        capture_output=True, text=True, check=False)


def run(*command: str) -> str:
    """The output of a command that has to succeed without a warning."""
    done = inside(*command)
    if done.returncode or done.stderr:
        raise Failed(f"{' '.join(command)}: status {done.returncode}: {(done.stderr or done.stdout)[-600:]}")
    return done.stdout


def mirror() -> tuple[str, str]:
    """Name of this system's release, and where its packages come from."""
    lines = Path("/etc/os-release").read_text().splitlines()
    release = next(line.partition("=")[2] for line in lines if line.startswith("VERSION_CODENAME="))
    for file in [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]:
        if file.suffix not in (".list", ".sources") or not file.exists():
            continue
        text = "\n".join(line for line in file.read_text().splitlines() if not line.startswith("#"))
        # A source is a line of a list, or a paragraph of the newer form.
        for source in text.splitlines() if file.suffix == ".list" else text.split("\n\n"):
            words = source.split()
            address = next((word for word in words if "://" in word), None)
            if release in words and address:
                return release, address
    sys.exit(f"minimal_root: apt's lists name no source of {release}")


def make_system() -> None:
    """The packages of a minimal system, and Python with what makes virtual environments."""
    if (FOLDER / "complete").exists():
        return
    if os.geteuid() != 0:
        sys.exit("minimal_root: run this as root: it makes a system by debootstrap")
    shutil.rmtree(SYSTEM, ignore_errors=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    release, source = mirror()
    print(f"minimal_root: making {SYSTEM} with debootstrap", flush=True)
    with (FOLDER / "debootstrap.log").open("w") as log:
        subprocess.run(
            ["debootstrap", "--variant=minbase", "--include=python3,python3-venv", release, str(SYSTEM), source],
            stdout=log, stderr=log, check=True)
    (FOLDER / "complete").touch()


def lay_out(wheel: Path) -> None:
    """The wheel, those it needs, and recordings, in a new folder of the system."""
    work = SYSTEM / WORK[1:]
    shutil.rmtree(work, ignore_errors=True)
    (work / "wheels").mkdir(parents=True)
    shutil.copy(wheel, work / "wheels")
    needed = FOLDER / "wheels"
    version = subprocess.run(
        ["chroot", str(SYSTEM), "python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
        capture_output=True, text=True, check=True).stdout.strip()
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--only-binary", ":all:", "--python-version", version,
         "--dest", str(needed), "numpy", "h5py"], check=True)
    for file in needed.glob("*.whl"):
        shutil.copy(file, work / "wheels")
    for name in ("tone-16k.wav", "tone-44k.wav", "stereo-8k.wav"):
        shutil.copy(ROOT / "Tests/Fixtures" / name, work)
    # Formats with decoders of their own: the tone, and recordings of people where there are any.
    samples, rate = soundfile.read(ROOT / "Tests/Fixtures/tone-44k.wav")
    for kind, options in FORMATS.items():
        soundfile.write(work / f"{kind}-tone.{kind}", samples, rate if kind != "opus" else 48_000, **options)
    for kind in FORMATS:
        found = sorted((ROOT.parent / "shared/data/formats").rglob(f"*.{kind}"))
        if found:
            shutil.copyfile(found[0], work / f"{kind}-sample.{kind}")
    names = sorted(path.name for path in work.iterdir() if path.suffix in (".wav", ".flac", ".mp3", ".ogg", ".opus"))
    (work / "manifest.csv").write_text("path,label\n" + "".join(f"{name},{Path(name).stem}\n" for name in names))
    (work / "tone.csv").write_text("path\ntone-16k.wav\n")
    shutil.copy(Path(__file__).with_name("session.py"), work)


def outside(program: str, *arguments: str) -> None:
    """The ordinary program, in the same folder, with the fonts of this system."""
    work = SYSTEM / WORK[1:]
    done = subprocess.run([program, *arguments], cwd=work, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"outside: {done.stderr[-600:]}")


def digest(name: str) -> str:
    return hashlib.sha256((SYSTEM / WORK[1:] / name).read_bytes()).hexdigest()[:16]


def picture(name: str) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO((SYSTEM / WORK[1:] / name).read_bytes())).convert("L")).astype(int)


def is_empty() -> str:
    found = run("sh", "-c", "find / -xdev -path /work -prune -o '(' -name '*.ttf' -o -name '*.otf' -o -name 'libhdf5*' "
                "-o -name 'libcairo*' -o -name 'libswift*' -o -name 'libsndfile*' ')' -print; "
                "ls -d /etc/fonts /usr/bin/gcc 2>&1 || :")
    expect(all("No such file" in line for line in found.splitlines()), found)
    return f"{int(run('sh', '-c', 'ls /var/lib/dpkg/info/*.list | wc -l'))} packages"


def install() -> str:
    run("python3", "-m", "venv", "venv")
    run("venv/bin/pip", "install", "--quiet", "--no-index", "--find-links", "wheels", "veery")
    listed = run("venv/bin/pip", "list", "--format=freeze")
    expect("veery==" in listed, listed)
    return ", ".join(line for line in listed.split() if not line.startswith(("pip", "setuptools")))


def libraries() -> str:
    needed = {line.split()[0].rsplit("/", 1)[-1] for line in run("ldd", "venv/bin/veery").splitlines()}
    needed -= {"linux-vdso.so.1"}
    expect(needed <= {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}, needed)
    return ", ".join(sorted(needed))


def versions(program: str) -> str:
    found = run("veery", "--version")
    expected = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    expect(found == expected, f"{found!r}, expected {expected!r}")
    expect(found == run("python3", "-m", "veery", "--version"), "another version by python -m veery")
    return found.splitlines()[0]


def extraction(program: str) -> str:
    for rate in (11_025, 16_000):
        arguments = ["extract", "manifest.csv", "--set", f"audio.sample_rate={rate}", "--overwrite", "-q", "-o"]
        run("veery", *arguments, "features.h5")
        outside(program, *arguments, "outside.h5")
        expect(digest("features.h5") == digest("outside.h5"), "other bytes than the ordinary build writes")
    count = len((SYSTEM / WORK[1:] / "manifest.csv").read_text().splitlines()) - 1
    return f"{count} recordings in WAV, {', '.join(kind.upper() for kind in FORMATS)} at two rates: equal bytes"


def rendering(program: str) -> str:
    arguments = ["render", "tone-16k.wav", "--waveform", "-o"]
    run("veery", *arguments, "inside.png")
    run("veery", *arguments, "inside.svg")
    outside(program, *arguments, "outside.png")
    found, expected = picture("inside.png"), picture("outside.png")
    expect(found.shape == expected.shape, f"{found.shape}, expected {expected.shape}")
    # Text lies left of the first panel: there, dark pixels as outside, except for how edges of letters are smoothed.
    margin = found[:, :60]
    ink, reference = (margin < 128).sum(), (expected[:, :60] < 128).sum()
    close = ink > 100 and abs(int(ink) - int(reference)) < 0.2 * reference
    expect(close, f"{ink} dark pixels of text, outside {reference}")
    differing = (np.abs(found - expected) > 64).mean()
    return f"{ink} dark pixels of text (outside {reference}); {differing:.2%} of all pixels differ"


def page() -> str:
    run("veery", "inspect", "features.h5", "--html", "page.html")
    text = (SYSTEM / WORK[1:] / "page.html").read_text()
    expect(text.lower().startswith("<!doctype html") and "</html>" in text and "<svg" in text, text[:200])
    return f"{len(text.encode()):,} bytes"


def session() -> str:
    run("veery", "extract", "tone.csv", "--preset", "whisper", "-o", "session-features.h5", "--quiet")
    found = run("python3", "session.py", "session-features.h5", "tone-16k.wav", "tone.csv")
    expect("equal True" in found and "clips 1" in found and "extract 1" in found, found)
    return " · ".join(found.split("\n")[:-1])


def tarball(tree: Path) -> str:
    """The tarball in another folder: its program with its own fonts, and a C program with its library."""
    work = SYSTEM / WORK[1:]
    shutil.copytree(tree, work / "tarball", symlinks=True)
    run("tarball/bin/veery", "render", "tone-16k.wav", "--waveform", "-o", "tarball.png")
    expect(digest("tarball.png") == digest("inside.png"), "another picture than that of the wheel")
    flags = shlex.split(subprocess.run(
        ["pkg-config", "--cflags", "--libs", "veery"], capture_output=True, text=True, check=True,
        env={**os.environ, "PKG_CONFIG_PATH": str(work / "tarball/lib/pkgconfig")}).stdout)
    subprocess.run(["gcc", "-o", work / "features", ROOT / "examples/c/features.c", *flags], check=True)
    np.zeros(16_000, "<f4").tofile(work / "silence.raw")
    found = run("sh", "-c", "LD_LIBRARY_PATH=tarball/lib ./features whisper 16000 <silence.raw")
    return found.splitlines()[0]


def removal() -> str:
    run("venv/bin/pip", "uninstall", "--quiet", "--yes", "veery")
    left = run("sh", "-c", "find venv -type f -iname '*veery*'")
    expect(not left, left)
    return "nothing left"


def main() -> None:
    wheel, tree, program = Path(sys.argv[1]), Path(sys.argv[2]).resolve(), os.path.abspath(sys.argv[3])
    make_system()
    lay_out(wheel)
    checks: list[tuple[str, Callable[[], str]]] = [
        ("the system is minimal", is_empty), ("install", install), ("shared libraries", libraries),
        ("veery --version", lambda: versions(program)), ("veery extract", lambda: extraction(program)),
        ("veery render", lambda: rendering(program)), ("veery inspect --html", page), ("Python session", session),
        ("tarball", lambda: tarball(tree)), ("uninstall", removal),
    ]
    rows, failed = [], 0
    for name, check in checks:
        start = time.monotonic()
        try:
            outcome, text = "passed", check()
        except (Failed, subprocess.CalledProcessError, OSError) as error:
            outcome, text, failed = "FAILED", str(error), failed + 1
        rows.append(f"{name:22} {outcome}  {time.monotonic() - start:5.1f} s  {text}")
        print(rows[-1], flush=True)
    print(f"{len(checks) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
