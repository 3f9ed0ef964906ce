"""Shards of machines of several kinds: other processors by qemu-user, other libraries by what a shard says of its machine."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import time

import h5py
import pytest
import soundfile
from recordings import noise, write_manifest, write_wav

# The one of four that mpg123 decodes otherwise without AVX.
MP3 = "formats/stereo_mp3_joint.mp3"
NAMES = ["r0.wav", "r1.flac", "r2.wav", "r3.flac"]


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture(scope="module")
def emulator():
    """A function that gives the words before a command for another processor."""
    program = shutil.which("qemu-x86_64-static") or shutil.which("qemu-x86_64")
    if program is None:
        pytest.skip("SKIPPED: qemu-user is not installed, so no other processor was tried")
    return lambda processor: [program, "-cpu", processor]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two WAVs and two FLACs, a pair for each of two shards. By the fixture `mp3`, `first.csv` and `second.csv` have an MP3 in that
    shard, too."""
    folder = tmp_path_factory.mktemp("mixed")
    for number in range(4):
        rate = 22050 if number == 3 else 16000
        samples = 0.1 * noise(number, 9_000 + 700 * number)
        if number % 2:
            soundfile.write(folder / f"r{number}.flac", samples, rate)
        else:
            write_wav(folder / f"r{number}.wav", rate, samples)
    write_manifest(folder / "plain.csv", [{"path": name, "label": "a"} for name in NAMES])
    write_manifest(folder / "wav.csv", [{"path": name, "label": "a"} for name in ("r0.wav", "r2.wav")])
    return folder


@pytest.fixture(scope="module")
def mp3(folder, collection):
    shutil.copy(collection / MP3, folder / "speech.mp3")
    write_manifest(folder / "first.csv", [{"path": name, "label": "a"} for name in ["speech.mp3", *NAMES]])
    write_manifest(folder / "second.csv", [{"path": name, "label": "a"} for name in [*NAMES, "speech.mp3"]])


def extract(program, folder, output, manifest, *options, status=0, before=()):
    result = subprocess.run(
        [*before, program, "extract", folder / f"{manifest}.csv", "-o", output, "--set", "audio.sample_rate=16000",
         *map(str, options)], capture_output=True, text=True, timeout=300)
    assert result.returncode == status, result.stderr
    return result


def software(path):
    with h5py.File(path) as file:
        return json.loads(file["provenance/software"][()])


def machines(shard):
    return json.loads((shard / "machine.json").read_text())["machines"]


def halves(program, folder, into, manifest, before, *options):
    """One machine's file, and two shards, the first by another processor; returns the three paths."""
    one, output = into / "one.h5", into / "f.h5"
    extract(program, folder, one, manifest, *options)
    extract(program, folder, output, manifest, *options, "--shard", "1/2", before=before)
    extract(program, folder, output, manifest, *options, "--shard", "2/2")
    return one, output, into / "f.h5.shards" / "00001-of-00002"


def chooses_otherwise(shard):
    """Whether mpg123 chose another decoder for a shard than it does here."""
    other = shard.parent / "00002-of-00002"
    return machines(shard)[0]["traits"]["texts"]["mpg123"] != machines(other)[0]["traits"]["texts"]["mpg123"]


PCEN = ["--set", "scale={kind: pcen}"]
FFTW = ["--set", "transform.engine=fftw"]


@pytest.mark.parametrize("processor, manifest, options", [
    ("Nehalem", "plain", []), ("Haswell", "plain", []), pytest.param("Haswell", "first", [], marks=pytest.mark.collection),
    ("Haswell", "plain", PCEN), ("Haswell", "plain", FFTW), pytest.param("Nehalem", "second", [], marks=pytest.mark.collection),
])
def test_libraries_that_no_clip_needs_may_differ(program, folder, emulator, tmp_path, request, processor, manifest, options):
    """Also if the other shard has an MP3, which this machine decoded."""
    if manifest != "plain":
        request.getfixturevalue("mp3")
    one, output, shard = halves(program, folder, tmp_path, manifest, emulator(processor), *options)
    assert ("mpg123" in machines(shard)[0]["libraries"]) == (manifest == "first")
    result = extract(program, folder, output, manifest, *options)
    assert "warning" not in result.stderr
    assert digest(output) == digest(one)
    assert "mixed" not in software(output)
    assert not shard.parent.exists()


def test_an_MP3_of_another_processor_is_refused_by_name(program, folder, emulator, mp3, tmp_path):
    one, output, shard = halves(program, folder, tmp_path, "first", emulator("Nehalem"))
    if not chooses_otherwise(shard):
        pytest.skip("SKIPPED: mpg123 chooses here as on a Nehalem")
    here, there = (machines(path)[0]["traits"]["texts"]["mpg123"] for path in (shard.parent / "00002-of-00002", shard))
    assert "for AVX" in here and "for x86-64" in there
    before = {path: path.read_bytes() for path in shard.parent.rglob("*") if path.is_file()}
    refusal = (
        f"{shard}: MP3 was decoded by {there} there and by {here} here: values may differ in last digits: run these shards again on "
        "one kind of machine, the same as this one, or give --allow-mixed\n")
    result = extract(program, folder, output, "first", status=1)
    assert result.stderr == f"Error: {refusal}"
    assert refusal.strip() in extract(program, folder, output, "first", "--dry-run", status=1).stdout
    assert not output.exists() and not (tmp_path / "f.h5.spool").exists()
    assert {path: path.read_bytes() for path in shard.parent.rglob("*") if path.is_file()} == before

    result = extract(program, folder, output, "first", "--allow-mixed")
    assert f"warning: {shard}: MP3 was decoded by" in result.stderr
    assert software(output) == software(one) | {"mixed": f"{there} beside {here}"}
    with h5py.File(output) as file, h5py.File(one) as single:
        same = [a == b for a, b in zip(file["clips/audio_xxh3"], single["clips/audio_xxh3"])]
        assert same == [False, True, True, True, True]
    subprocess.run([program, "inspect", output, "--verify"], check=True, capture_output=True)

    # This machine decodes its recordings to other samples, so it is left as it is or replaced; the difference is not a change of them.
    found = digest(output)
    assert "has clips of several kinds of machine" in extract(program, folder, output, "first", status=1).stderr
    assert "up to date" in extract(program, folder, output, "first", "--allow-mixed").stderr
    assert digest(output) == found
    extract(program, folder, output, "first", "--overwrite")
    assert digest(output) == digest(one)


@pytest.mark.parametrize("options, words", [(PCEN, "powers of PCEN were computed by"), (FFTW, "transforms were computed by FFTW")])
def test_shards_whose_values_this_machine_computes_differently_are_refused(program, folder, emulator, tmp_path, options, words):
    _, output, shard = halves(program, folder, tmp_path, "wav", emulator("Nehalem"), *options)
    texts = [machines(path)[0]["traits"]["texts"] for path in (shard, shard.parent / "00002-of-00002")]
    if texts[0] == texts[1]:
        pytest.skip("SKIPPED: this processor has no more instructions than a Nehalem")
    result = extract(program, folder, output, "wav", *options, status=1)
    assert f"{shard}: {words}" in result.stderr and result.stderr.count(" there and by ") == 1
    extract(program, folder, output, "wav", *options, "--allow-mixed")
    assert "mixed" in software(output)


def test_clips_of_an_attempt_by_another_processor(program, folder, emulator, mp3, tmp_path):
    """A shard that takes them up says that two machines computed it."""
    one, output, shard = halves(program, folder, tmp_path, "first", emulator("Nehalem"))
    if not chooses_otherwise(shard):
        pytest.skip("SKIPPED: mpg123 chooses here as on a Nehalem")
    attempt = shard.parent / "00001-of-00002.elsewhere-1-a"
    shard.rename(attempt)
    result = extract(program, folder, output, "first", "--shard", "1/2", status=1)
    assert f"{attempt}: MP3 was decoded by" in result.stderr and attempt.exists() and not shard.exists()
    result = extract(program, folder, output, "first", "--shard", "1/2", "--allow-mixed", "--json")
    assert json.loads(result.stdout)["resumed_clips"] == json.loads(result.stdout)["clips"] == 3
    here, there = machines(shard)
    assert "mpg123" in there["libraries"] and here["libraries"] == []
    assert here["traits"] == machines(shard.parent / "00002-of-00002")[0]["traits"]
    assert f"{shard}: MP3 was" in extract(program, folder, output, "first", status=1).stderr
    # Anew, it is this machine's.
    shutil.rmtree(shard)
    extract(program, folder, output, "first", "--shard", "1/2")
    extract(program, folder, output, "first")
    assert digest(output) == digest(one)


def test_clips_of_a_run_that_took_up_shards_elsewhere(program, folder, emulator, mp3, tmp_path):
    """The clips that it had computed itself are compared, too."""
    slow = ["--set", "frame.hop=8", "--set", "transform.bins=2", "--jobs", 1]
    rows = [{"path": "speech.mp3", "label": "a"}]
    rows += [{"path": name, "label": "a", "id": f"{name}{number}"} for number in range(40) for name in ("r0.wav", "r2.wav")]
    rows += [{"path": "r3.flac", "label": "a"}]
    write_manifest(folder / "long.csv", rows)
    output, own = tmp_path / "f.h5", tmp_path / "f.h5.spool"
    extract(program, folder, output, "long", *slow, "--shard", "3/3")
    process = subprocess.Popen(
        [*emulator("Nehalem"), program, "extract", folder / "long.csv", "-o", output, "--set", "audio.sample_rate=16000",
         *map(str, slow)], stderr=subprocess.DEVNULL)
    while process.poll() is None and not any(path.stat().st_size for path in own.glob("clips-*.spool")):
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    assert process.wait() != 0 and own.exists()
    assert machines(own)[0]["libraries"] == ["libsndfile", "mpg123", "soxr"]
    if machines(own)[0]["traits"]["texts"] == machines(tmp_path / "f.h5.shards" / "00003-of-00003")[0]["traits"]["texts"]:
        pytest.skip("SKIPPED: mpg123 chooses here as on a Nehalem")
    assert f"{own}: MP3 was decoded" in extract(program, folder, output, "long", *slow, status=1).stderr
    extract(program, folder, output, "long", *slow, "--allow-mixed")
    assert "mixed" in software(output) and os.listdir(tmp_path) == ["f.h5"]


# ------------------------------------------------------------------------------------------------------ other libraries


def say(shard, name, old, new):
    path = shard / name
    text = path.read_text()
    assert old in text, text
    path.write_text(text.replace(old, new))


@pytest.fixture
def elsewhere(program, folder, tmp_path):
    """A function that computes two shards of a manifest and has the first say that another libsndfile and libhdf5 were there."""
    def make(manifest, *options):
        one, output, shard = halves(program, folder, tmp_path, manifest, (), *options)
        version = software(one)["libsndfile"]
        say(shard, "machine.json", f"libsndfile {version}", "libsndfile 0.9.9")
        say(shard, "run.json", f'\\"libsndfile\\":\\"{version}\\"', '\\"libsndfile\\":\\"0.9.9\\"')
        say(shard, "run.json", '\\"hdf5\\":\\"', '\\"hdf5\\":\\"0.')
        return one, output, shard
    return make


def test_a_library_that_read_nothing_may_have_any_version(program, folder, elsewhere):
    one, output, _ = elsewhere("wav")
    extract(program, folder, output, "wav")
    assert digest(output) == digest(one)


def test_another_version_that_read_recordings_is_refused(program, folder, elsewhere):
    one, output, shard = elsewhere("plain")
    result = extract(program, folder, output, "plain", status=1)
    version = software(one)["libsndfile"]
    assert f"{shard}: recordings were read by libsndfile 0.9.9 there and by libsndfile {version} here: values" in result.stderr
    extract(program, folder, output, "plain", "--allow-mixed")
    assert software(output)["mixed"] == f"libsndfile 0.9.9 beside libsndfile {version}"


@pytest.mark.parametrize("text", [None, "", "{}", '{"machines": [{"libraries": ["abacus"], "traits": {}}]}'])
def test_a_shard_of_an_unknown_machine_is_refused(program, folder, tmp_path, text):
    _, output, shard = halves(program, folder, tmp_path, "wav", ())
    (shard / "machine.json").unlink() if text is None else (shard / "machine.json").write_text(text)
    result = extract(program, folder, output, "wav", status=1)
    assert f"{shard}: what machine computed it is not known: values" in result.stderr
    extract(program, folder, output, "wav", "--allow-mixed")
    assert software(output)["mixed"] == "an unknown machine"


def test_many_shards_are_named_together(program, folder, tmp_path):
    output = tmp_path / "f.h5"
    for number in range(1, 10):
        extract(program, folder, output, "wav", "--shard", f"{number}/9")
    for path in sorted((tmp_path / "f.h5.shards").iterdir())[:7]:
        say(path, "machine.json", "x86-64", "another")
    result = extract(program, folder, output, "wav", status=1)
    assert "00005-of-00009 and 2 more: features were computed on another there and on x86-64 here: " in result.stderr
    assert result.stderr.count(" there ") == 1


def test_an_update_keeps_what_a_file_says_of_its_machines(program, folder, elsewhere):
    one, output, _ = elsewhere("plain")
    extract(program, folder, output, "plain", "--allow-mixed")
    mixed = software(output)["mixed"]
    write_wav(folder / "r4.wav", 16000, 0.1 * noise(4, 9_000))
    (folder / "more.csv").write_text((folder / "plain.csv").read_text() + "r4.wav,b\n")
    for option in ("--append", "--sync"):
        copy = output.with_name(f"copy{option}.h5")
        shutil.copy(output, copy)
        extract(program, folder, copy, "more", option)
        assert software(copy)["mixed"] == mixed
    extract(program, folder, output, "plain", "--sync", "--overwrite")
    assert software(output)["mixed"] == mixed


def test_an_ordinary_run_notes_no_machine(program, folder, tmp_path):
    """The bytes of its file are unchanged."""
    extract(program, folder, tmp_path / "f.h5", "plain", "--allow-mixed")
    assert "mixed" not in software(tmp_path / "f.h5")


def test_files_of_a_set_from_shards_of_two_machines(program, folder, tmp_path):
    """Each task names the same shard, compared with the first and not with the machine that it runs on, and says the same of both."""
    output, shards = tmp_path / "f.h5", [tmp_path / f"f.h5.shards/0000{number}-of-00002" for number in (1, 2)]
    for number in (1, 2):
        extract(program, folder, output, "plain", "--shard", f"{number}/2")
    for shard, version in zip(shards, ("8.8.8", "9.9.9")):
        text = json.loads((shard / "machine.json").read_text())
        for machine in text["machines"]:
            machine["traits"]["texts"]["libsndfile"] = f"libsndfile {version}"
        (shard / "machine.json").write_text(json.dumps(text))
    for number in (1, 2):
        said = extract(program, folder, output, "plain", "--file", f"{number}/2", status=1).stderr
        assert f"{shards[1]}: recordings were read by libsndfile 9.9.9 there and by libsndfile 8.8.8 in {shards[0]}" in said
        assert "--allow-mixed" in said and said.startswith(f"Error: {shards[1]}: ")
    for number in (1, 2):
        extract(program, folder, output, "plain", "--file", f"{number}/2", "--allow-mixed")
    files = [tmp_path / f"f-0000{number}-of-00002.h5" for number in (1, 2)]
    assert [software(file)["mixed"] for file in files] == ["libsndfile 9.9.9 beside libsndfile 8.8.8"] * 2
    assert json.loads((tmp_path / "f.index.json").read_text())["clips"] == 4
