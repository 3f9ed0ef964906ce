"""The examples that run shards: a shell loop and Kubernetes; Slurm is in Tests/Slurm, Ray in Tests/Ray."""

import os
import runpy
import subprocess
import sys
import types
from pathlib import Path

import kubernetes_validate
import pytest
import yaml
from recordings import noise, write_manifest, write_wav

pytestmark = pytest.mark.shipped

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LOOP = EXAMPLES / "shell/shards.sh"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("engines")
    rows = []
    for number in range(30):
        write_wav(folder / f"r{number}.wav", 8000, 0.1 * noise(number, 6000 + 300 * (number % 7)))
        rows.append({"path": f"r{number}.wav", "label": f"l{number % 4}"})
    write_manifest(folder / "m.csv", rows)
    return folder


@pytest.fixture(scope="module")
def expected(veery, folder, tmp_path_factory):
    output = tmp_path_factory.mktemp("one") / "f.h5"
    veery("extract", folder / "m.csv", "-o", output, *OPTIONS)
    return output.read_bytes()


OPTIONS = ["--set", "audio.sample_rate=8000", "--set", "transform.high=4000"]


@pytest.fixture
def shell(program, folder, tmp_path):
    """Starts the loop, with a program of that name in front of the path."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/veery").symlink_to(program)

    def start(shards, *options, manifest=folder / "m.csv"):
        command = [LOOP, shards, manifest, tmp_path / "f.h5", *OPTIONS, *options]
        return subprocess.Popen(
            [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=dict(os.environ, PATH=f"{tmp_path / 'bin'}:{os.environ['PATH']}"))
    return start


def replace(path, script):
    path.unlink()
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


@pytest.mark.parametrize("shards, processes", [(1, 1), (7, 1), (7, 4), (40, 3)])
def test_loops_in_several_terminals(shell, expected, tmp_path, shards, processes):
    running = [shell(shards, "--jobs", 1) for _ in range(processes)]
    for process in running:
        out, error = process.communicate(timeout=120)
        assert process.returncode == 0 or process.returncode == 75 and "another process is writing" in error, out + error
    assert 0 in [process.returncode for process in running]
    assert (tmp_path / "f.h5").read_bytes() == expected
    assert sorted(os.listdir(tmp_path)) == ["bin", "f.h5"]
    again = shell(shards)
    assert again.communicate(timeout=60)[1].count("up to date") == 1 and again.returncode == 0


def test_a_loop_stops_at_what_would_fail_again(shell, tmp_path):
    process = shell(5, "--set", "frame.hop=-1")
    error = process.communicate(timeout=60)[1]
    assert process.returncode == 64 and error.count("Error:") == 1 and "frame.hop" in error, error
    assert not (tmp_path / "f.h5").exists()


def test_a_loop_goes_on_beside_a_shard_whose_machine_fails(shell, program, expected, tmp_path):
    replace(tmp_path / "bin/veery", f'case "$*" in *" 3/5 "*) exit 75 ;; esac\nexec "{program}" "$@"')
    process = shell(5)
    error = process.communicate(timeout=60)[1]
    assert process.returncode == 75 and "1 shards failed" in error and not (tmp_path / "f.h5").exists(), error
    assert len(os.listdir(tmp_path / "f.h5.shards")) == 4
    replace(tmp_path / "bin/veery", f'exec "{program}" "$@"')
    process = shell(5)
    assert process.wait(60) == 0 and (tmp_path / "f.h5").read_bytes() == expected


def test_a_loop_does_not_count_on_another_process_that_may_be_gone(shell, expected, tmp_path):
    (tmp_path / "f.h5.writing").mkdir()
    process = shell(2)
    error = process.communicate(timeout=60)[1]
    assert process.returncode == 75 and f"delete the folder {tmp_path / 'f.h5.writing'} and start" in error, error
    (tmp_path / "f.h5.writing").rmdir()
    assert shell(2).wait(60) == 0 and (tmp_path / "f.h5").read_bytes() == expected


FOR_ALL = [["--max-failures", "1", "--failures-out", "failed.csv"], ["--max-failures=1", "--failures-out=failed.csv"]]


@pytest.fixture
def failing(folder, tmp_path):
    """A manifest with a recording that cannot be read."""
    manifest = tmp_path / "failing.csv"
    rows = [{"path": folder / f"r{number}.wav"} for number in range(3)]
    write_manifest(manifest, [*rows, {"path": tmp_path / "nowhere.wav"}])
    return manifest


@pytest.mark.parametrize("options", FOR_ALL)
def test_the_scripts_keep_for_the_last_command_what_is_for_all_clips(shell, failing, tmp_path, monkeypatch, options):
    """--shard refuses --max-failures and --failures-out."""
    monkeypatch.chdir(tmp_path)
    process = shell(2, *options, manifest=failing)
    assert process.wait(60) == 0 and "nowhere.wav" in (tmp_path / "failed.csv").read_text(), process.stderr.read()

    (tmp_path / "failed.csv").unlink()
    environment = dict(os.environ, PATH=f"{tmp_path / 'bin'}:{os.environ['PATH']}", VEERY_ROUND="1", VEERY_ROUNDS="1")
    words = ["2", failing, "slurm.h5", *OPTIONS, *options]
    for task in "12":
        subprocess.run([EXAMPLES / "slurm/shards.sbatch", "2", *words], env={**environment, "SLURM_ARRAY_TASK_ID": task}, check=True)
    assert len(os.listdir("slurm.h5.shards")) == 2
    subprocess.run([EXAMPLES / "slurm/merge.sbatch", *words], env=environment, check=True)
    assert "nowhere.wav" in (tmp_path / "failed.csv").read_text()

    # Ray itself is in Tests/Ray.
    ray = types.SimpleNamespace(remote=lambda **_: lambda function: function)
    monkeypatch.setitem(sys.modules, "ray", ray)
    script = runpy.run_path(str(EXAMPLES / "ray/extract.py"))
    assert script["of_shards"]([*OPTIONS, *options, "--strict"]) == [*OPTIONS, "--strict"]


def test_a_loop_says_how_it_is_called():
    done = subprocess.run([LOOP, "3"], capture_output=True, text=True)
    assert done.returncode == 64 and done.stderr.startswith("usage: shards.sh SHARDS MANIFEST OUTPUT.h5")


def jobs():
    return list(yaml.safe_load_all((EXAMPLES / "kubernetes/extract.yaml").read_text()))


def test_the_jobs_are_what_kubernetes_takes():
    for job in jobs():
        kubernetes_validate.validate(job, "1.33", strict=True)
        broken = dict(job, spec=dict(job["spec"], completionMode=3))
        with pytest.raises(kubernetes_validate.ValidationError):
            kubernetes_validate.validate(broken, "1.33", strict=True)


def test_the_commands_of_the_jobs_make_the_file(program, folder, expected, tmp_path):
    shards, write = jobs()
    count = shards["spec"]["completions"]
    assert shards["spec"]["completionMode"] == "Indexed" and write["spec"]["suspend"]

    def run(job, **variables):
        words = job["spec"]["template"]["spec"]["containers"][0]["command"]
        words = [word.replace("/data/manifest.csv", str(folder / "m.csv")).replace("/data", str(tmp_path)) for word in words]
        assert words[0] == "veery"
        return subprocess.run(
            [program, *words[1:], *OPTIONS], env=dict(os.environ, **variables), capture_output=True, text=True)

    for index in range(count):
        done = run(shards, JOB_COMPLETION_INDEX=str(index))
        assert done.returncode == 0, done.stderr
    assert len(os.listdir(tmp_path / "features.h5.shards")) == count
    assert run(write).returncode == 0
    assert (tmp_path / "features.h5").read_bytes() == expected
    # What fails for good stops the job; all else is tried again.
    rule = next(rule for rule in shards["spec"]["podFailurePolicy"]["rules"] if rule["action"] == "FailJob")
    assert rule["onExitCodes"]["values"] == [1, 64]
