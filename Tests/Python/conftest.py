"""Running the program."""

import collections
import os
import subprocess
import sys
from pathlib import Path

import pytest
from recordings import noise as noise
from recordings import tone as tone
from recordings import write_manifest as write_manifest
from recordings import write_wav as write_wav

ROOT = Path(__file__).resolve().parents[2]
# The package as it is in the sources; also for programs that a test starts.
PACKAGE = str(ROOT / "Sources/Python")
sys.path.insert(0, PACKAGE)
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [PACKAGE, os.environ.get("PYTHONPATH")]))


# The only thing outside the clone that tests look for: a collection of real recordings, in ../shared/data or where the
# environment variable VEERY_COLLECTION says. `-m collection` runs the tests that look for it.
COLLECTION = Path(os.environ.get("VEERY_COLLECTION") or ROOT.parent / "shared/data")
NO_COLLECTION = f"SKIPPED: needs the collection of recordings, and {COLLECTION} is not there"


def pytest_configure(config):
    config.addinivalue_line("markers", "collection: looks for the collection of recordings")
    config.addinivalue_line("markers", "long: takes long, or repeats much: `make test-all` runs it, `make test` does not")
    config.addinivalue_line("markers", "sampled(number): of its cases, `make test` runs so many, evenly drawn; `make test-all` runs all")
    config.addinivalue_line("markers", "promised: what README, guide and examples promise: CI runs it, long or not")
    config.addinivalue_line("markers", "shipped: compares bytes or values: runs a second time with the program as it is shipped")
    if os.environ.get("VEERY_COLLECTION") and not COLLECTION.is_dir():
        raise pytest.UsageError(f"VEERY_COLLECTION: {COLLECTION} is not a folder")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    cases = collections.defaultdict(list)
    for item in items:
        if item.get_closest_marker("sampled"):
            cases[item.path, item.cls, item.originalname].append(item)
        if not {"collection", "collection_if_any"}.isdisjoint(item.fixturenames):
            item.add_marker("collection")
    for same in cases.values():
        number = same[0].get_closest_marker("sampled").args[0]
        drawn = {index * len(same) // number for index in range(number)}
        for index, item in enumerate(same):
            if index not in drawn:
                item.add_marker("long")
    # First files of few tests, which are the longest ones, then those of many: the last files are short, so that all processes end at
    # about the same time.
    number = collections.Counter(item.path for item in items)
    if folder := os.environ.get("VEERY_MARKED"):
        for mark in ("collection", "shipped"):
            files = {os.path.relpath(item.path, ROOT) for item in items if item.get_closest_marker(mark)}
            Path(folder, f"{mark}.files").write_text("".join(f"{file}\n" for file in sorted(files)))
    items.sort(key=lambda item: (number[item.path] if number[item.path] < 12 else 1e6 - number[item.path], item.path))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """Fails a test that asks for the collection while it runs, but is not marked: `-m collection` would not run it."""
    report = yield
    if report.skipped and NO_COLLECTION in str(report.longrepr) and not item.get_closest_marker("collection"):
        report.outcome, report.longrepr = "failed", "it needs the collection: mark it with pytest.mark.collection"
    return report


@pytest.fixture(scope="session")
def collection_if_any():
    """The folder of the collection, or None."""
    return COLLECTION if COLLECTION.is_dir() else None


@pytest.fixture(scope="session")
def collection(collection_if_any):
    """The folder of the collection. A test that asks for it is skipped where there is none; no other test is."""
    if collection_if_any is None:
        pytest.skip(NO_COLLECTION)
    return collection_if_any


@pytest.fixture(scope="session")
def library():
    """The path in the environment variable VEERY_LIBRARY, which the package loads the library from."""
    path = os.environ.get("VEERY_LIBRARY")
    if not path:
        pytest.fail("set the environment variable VEERY_LIBRARY to the path of libveery ('make library')", pytrace=False)
    return Path(path).resolve()


@pytest.fixture(scope="session")
def program():
    """The path in the environment variable VEERY."""
    path = os.environ.get("VEERY")
    if not path:
        pytest.fail("set the environment variable VEERY to the path of the built program", pytrace=False)
    path = Path(path).resolve()
    if not os.access(path, os.X_OK):
        pytest.fail(f"VEERY: {path} is not a program", pytrace=False)
    return path


@pytest.fixture(scope="session")
def veery(program):
    """Runs the program; checks the exit status, and that it neither crashed nor printed internals."""

    def run(*arguments, status=0, folder=None):
        result = subprocess.run(
            [program, *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=300)
        shown = f"veery {' '.join(map(str, arguments))}\n--- stdout\n{result.stdout}\n--- stderr\n{result.stderr}"
        allowed = status if isinstance(status, tuple) else (status,)
        assert result.returncode in allowed, f"exit status {result.returncode}, expected {allowed}: {shown}"
        for sign in ("Fatal error", "Backtrace", "Thread 0", "NSError", "Error Domain"):
            assert sign not in result.stderr, shown
        return result

    return run


WATCH = """
import resource, subprocess, sys
status = subprocess.run(sys.argv[2:]).returncode
open(sys.argv[1], "w").write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.exit(status)
"""


@pytest.fixture
def peak_memory(tmp_path):
    """Runs a command; the greatest number of bytes that it held at any time.

    A small program in between starts the command: the system counts what the starting process holds, too, and this process
    holds memory of all earlier tests."""

    def run(*command, status=0, **options):
        peak = tmp_path / "peak-memory.txt"
        result = subprocess.run([sys.executable, "-S", "-c", WATCH, peak, *map(str, command)], **options)
        assert result.returncode == status, command
        held = int(peak.read_text()) * (1 if sys.platform == "darwin" else 1024)
        peak.unlink()
        return held

    return run
