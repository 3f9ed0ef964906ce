"""Every command of the README, the guide and the examples' pages runs, or is in the one list of those that no test can run.

A command of a session comes after those before it; any other one has a folder of its own, as page_folders.py prepares it.
The README's first session is in test_readme.py.
"""

import os
import re
import shutil
import sys
from pathlib import Path

import pytest
from page_folders import FOLDERS, STAND_INS, Folder, write_stand_ins
from sessions import FENCE, ROOT, bare, blocks, run, run_a_server, run_in_a_terminal

pytestmark = [pytest.mark.long, pytest.mark.promised]

PAGES = [ROOT / "README.md", *sorted((ROOT / "examples").rglob("README.md")), *sorted((ROOT / "Schemas/guide").glob("*.md"))]
BLOCKS = {str(page.relative_to(ROOT)): blocks(page.read_text()) for page in PAGES}

RECURSES = "make test builds before its tests, and runs them"
DOWNLOADS = "downloads 99 MB or more; make demo, test-wheel and parity run it"
CLUSTER = "takes the tasks of a cluster; Tests/Slurm runs it"
CHANGES = "changes the machine"
ANOTHER = "needs another machine"
ELSEWHERE = "another test runs it: "
NOT_RUN = {
    "make wheel && pip install dist/veery-*.whl": f"{ELSEWHERE}.ci/first-session, in continuous integration",
    "make test": RECURSES,
    "PATH=$PWD/.build/release:$PATH": f"{ELSEWHERE}test_readme.py",
    "examples/fetch-recordings.sh speech": DOWNLOADS,
    "cd .demo": f"{ELSEWHERE}test_readme.py",
    'make wheel && pip install "$(ls dist/veery-*.whl)[all]"': DOWNLOADS,
    "make wheel && pip install dist/veery-*.whl torch pandas matplotlib soundfile jupyterlab": DOWNLOADS,
    "cd examples/notebook && jupyter lab speech-classification.ipynb": DOWNLOADS,
    "python torch_dataset.py FEATURES.h5 --split train --workers 2": DOWNLOADS,
    "make parity": DOWNLOADS,
    "make demo": DOWNLOADS,
    "make demo AUDIO=folder": RECURSES,
    "make build": RECURSES,
    "make library": RECURSES,
    "swift run --package-path examples/library": f"{ELSEWHERE}test_library.py",
    "veery extract speech.csv -o speech.h5 --shard auto/1000": CLUSTER,
    "veery extract speech.csv -o speech.h5 --file auto/64": CLUSTER,
    'sbatch --array=1-64 --requeue --wrap "veery extract speech.csv -o /shared/speech.h5 --file auto/64"': CLUSTER,
    "rsync -P speech.h5 server:features/": ANOTHER,
    "scp speech.h5 server:features/": ANOTHER,
    "ssh -N -L 8765:127.0.0.1:8765 HOST": ANOTHER,
    "aws s3 cp speech.h5 s3://my-bucket/features/speech.h5": ANOTHER,
    "rclone copy speech.h5 remote:features": ANOTHER,
    "apt-get install ffmpeg": CHANGES,
    "brew install ffmpeg": CHANGES,
    "sudo make install PREFIX=/usr/local": CHANGES,
    "sudo make uninstall PREFIX=/usr/local": CHANGES,
}
# Those that end otherwise than with 0, by page.
STATUSES = {
    ("Schemas/guide/annotations.md", "veery clips recordings --annotations labels.csv -o clips.csv"): 1,
    ("Schemas/guide/checking.md", "veery check calls.csv"): 3,
    ("Schemas/guide/checking.md", "veery check calls.csv --mend usable.csv"): 3,
    ("Schemas/guide/conform.md", "veery conform theirs.npy call.wav --preset kaldi-fbank"): 1,
    ("Schemas/guide/damaged-recordings.md", "veery extract cut.csv -o cut.h5 --set audio.sample_rate=32k"): 3,
    ("Schemas/guide/datasets.md", "veery check data/train"): 1,
    ("Schemas/guide/manifests.md", "veery check bad.csv"): 1,
    ("Schemas/guide/mixed-machines.md", "veery extract speech.csv -o speech.h5"): 1,
}


@pytest.fixture(scope="module")
def environment(program, library, tmp_path_factory):
    """The program, Python and the package as if they were installed; stand-ins for programs that are not here."""
    stand_ins = tmp_path_factory.mktemp("programs") / "stand-ins"
    write_stand_ins(stand_ins)
    folders = [str(program.parent), str(Path(sys.executable).parent), str(stand_ins), os.environ["PATH"]]
    return {**os.environ, "VEERY": str(program), "VEERY_LIBRARY": str(library), "PATH": os.pathsep.join(folders)}


def pages_with_commands():
    return [page for page, found in BLOCKS.items() if page != "README.md" and any(block.commands for block in found)]


def test_no_block_of_commands_has_a_language_that_hides_it():
    """Commands are in blocks without a language, or in sessions; a block of `bash` would never run."""
    languages = {language for page in PAGES for _, language, _ in FENCE.findall(page.read_text())}
    assert languages <= {"", "c", "console", "csv", "json", "matlab", "python", "r", "swift", "text", "yaml"}
    # And none is missed.
    for page in PAGES:
        fences = re.findall(r"^.*(?:```|~~~).*$", page.read_text(), re.MULTILINE)
        assert len(fences) == 2 * len(FENCE.findall(page.read_text())), page


def test_every_page_with_commands_has_a_folder_for_them():
    assert len(pages_with_commands()) > 25
    without = [page for page in pages_with_commands() if page not in FOLDERS and any(
        bare(command) not in NOT_RUN for block in BLOCKS[page] for command in block.commands)]
    assert not without
    assert {page if isinstance(page, str) else page[0] for page in FOLDERS} <= set(BLOCKS)


def test_the_list_has_no_command_that_no_page_names():
    named = {(page, bare(command)) for page, found in BLOCKS.items() for block in found for command in block.commands}
    assert not set(NOT_RUN) - {command for _, command in named}
    assert not set(STATUSES) - named


def test_the_readme_has_no_other_commands_than_those_of_its_sessions():
    """The commands of its second and third block are in test_readme.py."""
    assert [block.is_session for block in BLOCKS["README.md"]] == [False, False, True, False]
    for block in BLOCKS["README.md"][::3]:
        assert [bare(command) for command in block.commands if bare(command) not in NOT_RUN] == []


def units(page):
    """The commands of a page that run in one folder, in their order, with the number of their block."""
    for number, block in enumerate(BLOCKS[page]):
        commands = [command for command in block.commands if bare(command) not in NOT_RUN]
        for unit in [commands] if block.is_session and commands else [[command] for command in commands]:
            yield number, unit


@pytest.mark.parametrize("page", [page for page in pages_with_commands() if page in FOLDERS])
def test_the_commands_of_a_page_run(page, environment, tmp_path):
    if page.endswith("c-interface.md") and shutil.which("cc") is None:
        pytest.skip("SKIPPED: no C compiler, so the example in C was not run")
    prepared = {}
    for number, (block, commands) in enumerate(units(page)):
        make = FOLDERS.get((page, block), FOLDERS[page])
        if make not in prepared:
            prepared[make] = tmp_path / f"prepared-{len(prepared)}"
            make(Folder(prepared[make], environment))
        folder = tmp_path / f"folder {number}"  # A user's may have blanks in its name, too.
        shutil.copytree(prepared[make], folder, symlinks=True)
        # What its commands make is not there yet.
        for command in commands:
            words = command.split()
            if "-o" in words and not {"--append", "--sync", "--retry-failed", "--dry-run"} & set(words):
                (folder / words[words.index("-o") + 1]).unlink(missing_ok=True)
        if "veery live" in commands[0] and "--speed 0" not in commands[0]:
            results = [run_in_a_terminal(commands[0], folder, environment)]
        elif "veery browse" in commands[0]:
            results = [run_a_server(commands[0], folder, environment)]
        else:
            results = run(commands, folder, environment, tmp_path / f"{number}-outputs")
        assert len(results) == len(commands)
        for command, result in zip(commands, results):
            assert result.status == STATUSES.get((page, bare(command)), 0), f"{page}: {command}\n{result.output}"
            assert "Traceback" not in result.output and "Fatal error" not in result.output, f"{page}: {command}\n{result.output}"


def test_no_page_installs_a_package_from_an_index_that_does_not_have_it():
    """The wheel is not on PyPI."""
    for page in [*PAGES, *(ROOT / "examples").rglob("*.ipynb"), *(ROOT / "Sources/Python").rglob("*.py")]:
        assert "install veery" not in page.read_text() and "install 'veery" not in page.read_text(), page


def test_the_stand_ins_are_for_programs_that_pages_name():
    text = "\n".join(command for found in BLOCKS.values() for block in found for command in block.commands)
    assert all(name in text for name in STAND_INS)
