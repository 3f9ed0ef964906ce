"""Libraries that are preloaded into programs by LD_PRELOAD, in which a path ends at a space or a colon. If a library is not
found, the system only warns. So they are built in a folder for temporary files, and are loaded once before they are used."""
import contextlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile


def folder_without_spaces():
    """A folder for temporary files whose path LD_PRELOAD takes as one. Raises RuntimeError where there is none."""
    for folder in (tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm"):
        if not re.search(r"[\s:]", folder) and os.access(folder, os.W_OK | os.X_OK):
            return folder
    raise RuntimeError("no folder for temporary files without spaces and colons in its path: a library cannot be preloaded")


def is_loaded(library):
    """Whether the system loads the library into a program."""
    done = subprocess.run(
        ["cat", "/proc/self/maps"], env=dict(os.environ, LD_PRELOAD=str(library)), capture_output=True, text=True)
    return f" {library}\n" in done.stdout


def compiler():
    found = os.environ.get("CC") or next((name for name in ("cc", "clang", "gcc") if shutil.which(name)), None)
    if not found:
        raise RuntimeError("no compiler (cc, clang, gcc)")
    return shlex.split(found)


@contextlib.contextmanager
def built(source):
    """The path of the library of a source in C, until the end. Raises RuntimeError where it cannot be built or loaded."""
    source = pathlib.Path(source)
    with tempfile.TemporaryDirectory(prefix="veery-preload-", dir=folder_without_spaces()) as folder:
        # Another user may run programs with it.
        os.chmod(folder, 0o755)
        library = pathlib.Path(folder).resolve() / f"{source.stem}.so"
        command = [*compiler(), "-O2", "-Wall", "-shared", "-fPIC", "-pthread", "-o", library, source, "-ldl"]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{source.name} cannot be built: {done.stderr.strip()}")
        if not is_loaded(library):
            raise RuntimeError(f"{library} cannot be preloaded")
        yield library
