"""Completions as people meet them: the shells themselves, with the scripts that `make install` writes."""

import os
import pty
import select
import shutil
import subprocess
import time
from pathlib import Path

import h5py
import pytest

from conftest import noise, write_manifest, write_wav

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = {"bash": "bash-completion/completions/veery", "zsh": "zsh/site-functions/_veery",
           "fish": "fish/vendor_completions.d/veery.fish"}
# What a shell might execute, divide or take for its own syntax.
ODD = ["a b", "it's", "$(touch hacked)", "`touch hacked`", "x;touch hacked", "shard.tar::dir/one.wav", "back\\slash", "öl/ß",
       '"quoted"', "star*"]
IDS = ["english/one", "english/two", "german/eins", "key=value", *ODD]


def needed(shell):
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")


@pytest.fixture(scope="module")
def folder(tmp_path_factory, program):
    """The shells' current folder: the program in PATH, its scripts, a feature file, a manifest, other files."""
    folder = tmp_path_factory.mktemp("completion")
    for name in ("bin", "home", "sub", "elsewhere"):
        (folder / name).mkdir()
    (folder / "bin" / "veery").symlink_to(program)
    for shell in SCRIPTS:
        script = subprocess.run([program, "--generate-completion-script", shell], capture_output=True, check=True).stdout
        (folder / f"completion.{shell}").write_bytes(script)
    (folder / "site").mkdir()
    shutil.copy(folder / "completion.zsh", folder / "site" / "_veery")
    write_wav(folder / "a.wav", 8000, noise(1, 1600))
    rows = [{"path": "a.wav", "id": name, "label": ["dog", "cat"][index % 2], "split": ["train", "test"][index % 2],
             "speaker": "s"} for index, name in enumerate(IDS)]
    write_manifest(folder / "clips.csv", rows)
    subprocess.run([program, "extract", "clips.csv", "-o", "f.h5", "-q"], cwd=folder, check=True)
    (folder / "broken.h5").write_bytes((folder / "f.h5").read_bytes()[:2000])
    (folder / "my.yaml").write_text("extends: whisper\n")
    return folder


def environment(folder):
    return {"HOME": str(folder / "home"), "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "TERM": "xterm", "LC_ALL": "C.UTF-8",
            "XDG_CONFIG_HOME": str(folder / "home")}


# Writes its arguments into a file.
SHOW = {
    "bash": "show() { printf '%s\\0' \"$@\" > found.new; mv found.new found; }",
    "zsh": "show() { printf '%s\\0' \"$@\" > found.new; mv found.new found; }",
    "fish": "function show; printf '%s\\0' $argv > found.new; mv found.new found; end",
}


def typed(folder, command, setup, line):
    """The words of a line after the tab key, as a program gets them: from a shell on a terminal."""
    found = folder / "found"
    found.unlink(missing_ok=True)
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.execvpe(command[0], command, environment(folder))

    def until(condition, seconds=20):
        end = time.monotonic() + seconds
        while not condition() and time.monotonic() < end:
            if select.select([terminal], [], [], 0.05)[0]:
                try:
                    seen.extend(os.read(terminal, 65536))
                except OSError:
                    break
        assert condition(), seen.decode(errors="replace")

    seen = bytearray()
    try:
        os.write(terminal, f"{setup}; {SHOW[command[0]]}; printf 're%s\\n' ady\n".encode())
        until(lambda: b"ready" in seen)
        # Ctrl-A: the line becomes arguments of 'show'.
        os.write(terminal, line.encode() + b"\t")
        quiet = time.monotonic() + 0.7
        while time.monotonic() < quiet:
            if select.select([terminal], [], [], 0.05)[0]:
                seen.extend(os.read(terminal, 65536))
        os.write(terminal, b"@\x01show \n")
        until(found.exists)
    finally:
        os.write(terminal, b"\x03\x04exit\n")
        os.close(terminal)
        os.waitpid(process, 0)
    return found.read_bytes().decode().split("\0")[:-1]


def completed(shell, folder, line):
    """The words after the tab key; the last ends with @, after a space where the shell has ended the word."""
    needed(shell)
    if shell == "bash":
        return typed(folder, ["bash", "--norc", "--noprofile", "-i"], "PS1='> '; set +o history; . ./completion.bash", line)
    if shell == "fish":
        return typed(folder, ["fish", "--no-config", "-i"], "function fish_prompt; printf '> '; end; source completion.fish", line)
    return typed(folder, ["zsh", "-f", "-i"],
                 "PS1='> '; fpath=($PWD/site $fpath); autoload -Uz compinit; compinit -u -D; unsetopt bad_pattern nomatch", line)


def bash_candidates(folder, line):
    """What bash is given for the words of a line, which its own reader divides."""
    needed("bash")
    capture = ("capture() { __veery_join_words \"$@\"; printf '%s\\0' \"${COMPREPLY[@]}\" > candidates; COMPREPLY=(); }; "
               "complete -F capture veery")
    (folder / "candidates").unlink(missing_ok=True)
    typed(folder, ["bash", "--norc", "--noprofile", "-i"],
          f"PS1='> '; set +o history; . ./completion.bash; {capture}", line)
    return (folder / "candidates").read_bytes().decode().split("\0")[:-1]


TERMINALS = pytest.mark.parametrize("shell", SCRIPTS)


@pytest.mark.parametrize("shell", SCRIPTS)
def test_scripts_are_valid(shell, folder):
    needed(shell)
    subprocess.run([shell, "-n", f"completion.{shell}"], cwd=folder, check=True)


@pytest.mark.sampled(15)
@TERMINALS
@pytest.mark.parametrize("line, words", [
    ("veery ext", ["veery", "extract", "@"]),
    ("veery inspect f", ["veery", "inspect", "f.h5", "@"]),
    ("veery extract clips.csv --pres", ["veery", "extract", "clips.csv", "--preset", "@"]),
    ("veery extract clips.csv --preset whi", ["veery", "extract", "clips.csv", "--preset", "whisper", "@"]),
    ("veery extract clips.csv --set transform.k", ["veery", "extract", "clips.csv", "--set", "transform.kind=@"]),
    ("veery extract clips.csv --set transform.kind=mu",
     ["veery", "extract", "clips.csv", "--set", "transform.kind=musical", "@"]),
    ("veery extract clips.csv --set condition.dct_filter.mode=band_p",
     ["veery", "extract", "clips.csv", "--set", "condition.dct_filter.mode=band_pass", "@"]),
    ("veery extract clips.csv --config m", ["veery", "extract", "clips.csv", "--config", "my.yaml", "@"]),
    ("veery presets kaldi-m", ["veery", "presets", "kaldi-mfcc", "@"]),
    ("veery presets --keys cond", ["veery", "presets", "--keys", "condition@"]),
    ("veery render f.h5 --clip eng", ["veery", "render", "f.h5", "--clip", "english/@"]),
    ("veery render f.h5 --clip ger", ["veery", "render", "f.h5", "--clip", "german/eins", "@"]),
    ("veery render ./f.h5 --clip=ger", ["veery", "render", "./f.h5", "--clip=german/eins", "@"]),
    ("veery render f.h5 -o x.png --sheet --labels dog,c", [*"veery render f.h5 -o x.png --sheet --labels dog,cat".split(), "@"]),
    ("veery render f.h5 -o x.png --sheet --split tr", [*"veery render f.h5 -o x.png --sheet --split train".split(), "@"]),
    ("veery check clips.csv --by spe", ["veery", "check", "clips.csv", "--by", "speaker", "@"]),
    ("veery extract clips.csv --column pa", ["veery", "extract", "clips.csv", "--column", "path=@"]),
    ("veery extract clips.csv --column label=spe", ["veery", "extract", "clips.csv", "--column", "label=speaker", "@"]),
    ("veery render broken.h5 --clip ger", ["veery", "render", "broken.h5", "--clip", "ger@"]),
    ("veery render nothing.h5 --clip ger", ["veery", "render", "nothing.h5", "--clip", "ger@"]),
])
def test_the_tab_key_completes(shell, folder, line, words):
    if shell == "zsh" and "--clip=" in line:
        pytest.skip("the generated script for zsh completes values after a space alone")
    assert completed(shell, folder, line) == words


@pytest.mark.sampled(6)
@TERMINALS
@pytest.mark.parametrize("name", ODD)
def test_ids_reach_the_program_as_they_are_and_are_never_executed(shell, folder, name):
    start = "'" + name[:2]
    assert completed(shell, folder, f"veery render f.h5 --clip {start}") == ["veery", "render", "f.h5", "--clip", name, "@"]
    assert not (folder / "hacked").exists()


def test_bash_offers(folder):
    offered = bash_candidates(folder, "veery ")
    assert {"crawl", "extract", "inspect", "render", "presets"} <= set(offered)
    assert sorted(bash_candidates(folder, "veery inspect ")) == sorted(
        ["broken.h5", "f.h5", *(path.name for path in folder.iterdir() if path.is_dir())])
    assert bash_candidates(folder, "veery render f.h5 --clip ") == IDS
    assert not (folder / "hacked").exists()
    # What bash has already is not repeated.
    assert {"fft", "dct", "mel", "musical"} <= set(bash_candidates(folder, "veery extract m.csv --set transform.kind="))
    assert "frame.hop=" in bash_candidates(folder, "veery extract m.csv --set ")
    assert bash_candidates(folder, "veery extract m.csv --preset=wh") == ["whisper"]


def test_fish_offers_files_by_kind(folder):
    needed("fish")
    result = subprocess.run(
        ["fish", "--no-config", "-c", "source completion.fish; complete -C 'veery inspect '"], cwd=folder, env=environment(folder),
        capture_output=True, text=True, timeout=60, check=True)
    assert not result.stderr
    offered = {line.split("\t")[0] for line in result.stdout.splitlines()}
    assert "f.h5" in offered and "sub/" in offered and "clips.csv" not in offered


def test_many_ids_are_completed_part_by_part(folder, program):
    """Ids are completed in parts, like paths: a shell asks before it shows thousands of words, and is slow to."""
    rows = [{"path": "a.wav", "id": f"{part}/{index:04}"} for part in ("north", "south") for index in range(150)]
    rows += [{"path": "a.wav", "id": f"clip-{index:05}"} for index in range(1500)]
    write_manifest(folder / "many.csv", rows)
    subprocess.run([program, "extract", "many.csv", "-o", "many.h5", "-q", "--preset", "mixer-fft"], cwd=folder, check=True)

    def ids(prefix):
        result = subprocess.run(
            [program, "---completion", "render", "--", "--clip", "4", str(len(prefix)), "veery", "render", "many.h5", "--clip",
             prefix], cwd=folder, capture_output=True, text=True, check=True)
        assert not result.stderr
        return result.stdout.split()

    assert len(ids("")) <= 100
    assert len(ids("north/")) == 150
    assert ids("south/003") == [f"south/003{digit}" for digit in range(10)]
    assert len(ids("clip-")) == 15 and all(word.startswith("clip-0") for word in ids("clip-"))
    assert ids("clip-01499") == ["clip-01499"]
    with h5py.File(folder / "many.h5") as file:
        assert len(file["clips/id"]) == 1800


def test_install_and_uninstall(tmp_path, program):
    """Everything where shells and man look for it, and nothing left afterwards."""
    prefix = tmp_path / "usr"
    folder = tmp_path / "built"
    folder.mkdir()
    (folder / "veery").symlink_to(program)
    subprocess.run([ROOT / ".ci" / "install", folder, prefix], check=True)
    for script in SCRIPTS.values():
        assert "veery" in (prefix / "share" / script).read_text()
    pages = sorted(path.name for path in (prefix / "share/man/man1").iterdir())
    assert "veery.1" in pages and "veery-extract.1" in pages
    assert os.access(prefix / "bin" / "veery", os.X_OK)
    subprocess.run([ROOT / ".ci" / "install", "--remove", prefix], check=True)
    assert not [path for path in prefix.rglob("*") if not path.is_dir()]
