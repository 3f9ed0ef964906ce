"""What surprised new users: recordings that are nowhere, configurations that have to be repeated, rates, shares, names of models, rows
that forget their folder."""

import json
import pickle
import shutil

import h5py
import pytest
from conftest import noise, write_manifest, write_wav

import veery as package

PLAIN = ("--set", "normalize.scope=none")


@pytest.fixture
def audio(tmp_path):
    """Four recordings in `audio`, and a manifest of them in `lists`."""
    for number in range(4):
        write_wav(tmp_path / f"audio/{number}.wav", 16_000, noise(number, 8000))
    (tmp_path / "lists").mkdir()
    write_manifest(tmp_path / "lists/m.csv", [dict(path=f"{number}.wav", label="ab"[number % 2]) for number in range(4)])
    return tmp_path


# ------------------------------------------------------------------------------------------------ every recording is missing


@pytest.mark.parametrize("options", [
    (), PLAIN, ("--set", "audio.sample_rate=null"), ("--max-failures", "100%", *PLAIN), ("--files", "2", *PLAIN),
    ("--failures-out", "bad.csv", *PLAIN)], ids=" ".join)
def test_a_run_that_finds_no_recording_writes_no_file(veery, audio, options):
    for more in ((), ("--dry-run",)):
        result = veery("extract", "lists/m.csv", "-o", "f.h5", *options, *more, status=1, folder=audio)
        text = result.stderr + result.stdout
        assert "none of the 4 recordings exists" in text and "'0.wav'" in text and "--root" in text, text
    assert sorted(path.name for path in audio.iterdir()) == ["audio", "lists"]
    veery("extract", "lists/m.csv", "-o", "f.h5", "--root", "audio", *options, folder=audio)


def test_one_recording_is_enough_and_a_file_of_failures_is_then_written(veery, audio):
    for number in (0, 1, 3):
        (audio / f"audio/{number}.wav").unlink()
    veery("extract", "lists/m.csv", "-o", "f.h5", "--root", "audio", *PLAIN, status=3, folder=audio)
    with h5py.File(audio / "f.h5") as file:
        assert len(file["clips/id"]) == 1 and len(file["failures/id"]) == 3


def test_a_shard_says_so_too_and_leaves_nothing(veery, audio):
    for part in (1, 2):
        for more in ((), ("--dry-run",)):
            result = veery(
                "extract", "lists/m.csv", "-o", "f.h5", *PLAIN, "--shard", f"{part}/2", *more, status=1, folder=audio)
            assert "none of the 4 recordings exists" in result.stderr + result.stdout
    left = audio / "f.h5.shards"
    assert not left.exists() or not any(left.iterdir())
    # One recording of another shard is enough.
    shutil.copy(audio / "audio/0.wav", audio / "lists/0.wav")
    for part in (1, 2):
        veery("extract", "lists/m.csv", "-o", "f.h5", *PLAIN, "--shard", f"{part}/2", folder=audio)
    veery("extract", "lists/m.csv", "-o", "f.h5", *PLAIN, status=3, folder=audio)


def test_recordings_that_cannot_be_read_are_failures(veery, audio):
    for number in range(4):
        (audio / f"audio/{number}.wav").write_bytes(b"noise")
    veery("extract", "lists/m.csv", "-o", "f.h5", "--root", "audio", *PLAIN, status=3, folder=audio)
    with h5py.File(audio / "f.h5") as file:
        assert len(file["failures/id"]) == 4


# ------------------------------------------------------------------------------------------- the configuration of a file


@pytest.mark.parametrize("way", ["--append", "--sync", "--retry-failed"])
def test_an_update_takes_the_configuration_of_the_file(veery, audio, way):
    settings = ("--preset", "kaldi-fbank", "--set", "transform.bins=30")
    write_manifest(audio / "lists/two.csv", [dict(path=f"{number}.wav", label="ab"[number % 2]) for number in range(2)])
    veery("extract", "lists/two.csv", "-o", "f.h5", "--root", "audio", *settings, folder=audio)
    manifest = "lists/two.csv" if way == "--retry-failed" else "lists/m.csv"
    veery("extract", manifest, "-o", "f.h5", "--root", "audio", way, folder=audio)
    veery("extract", manifest, "-o", "g.h5", "--root", "audio", *settings, folder=audio)
    assert (audio / "f.h5").read_bytes() == (audio / "g.h5").read_bytes()

    # What is given has to agree.
    veery("extract", manifest, "-o", "f.h5", "--root", "audio", way, "--set", "transform.bins=30", folder=audio)
    veery("extract", manifest, "-o", "f.h5", "--root", "audio", way, *settings, folder=audio)
    for other, words in ((("--set", "transform.bins=31"), "transform.bins was 30 and is 31"), (("--preset", "kaldi-fbank"), "transform.bins was 30 and is 23"),
                         (("--preset", "log-mel"), "settings differ")):
        result = veery("extract", manifest, "-o", "f.h5", "--root", "audio", way, *other, status=1, folder=audio)
        assert words in result.stderr, result.stderr
    assert (audio / "f.h5").read_bytes() == (audio / "g.h5").read_bytes()


def test_without_a_file_an_update_has_the_default(veery, audio):
    veery("extract", "lists/m.csv", "-o", "f.h5", "--root", "audio", "--sync", folder=audio)
    veery("extract", "lists/m.csv", "-o", "g.h5", "--root", "audio", folder=audio)
    assert (audio / "f.h5").read_bytes() == (audio / "g.h5").read_bytes()


@pytest.mark.parametrize("files", [1, 2])
def test_a_feature_file_or_a_set_is_a_configuration(veery, audio, files):
    settings = ("--preset", "librosa-log-mel", "--set", "transform.order=descending", "--set", "audio.sample_rate=16000")
    more = ("--files", "2") if files > 1 else ()
    veery("extract", "lists/m.csv", "-o", "f.h5", "--root", "audio", *settings, *more, folder=audio)
    source = "f.h5" if files == 1 else "f.index.json"
    veery("extract", "lists/m.csv", "-o", "g.h5", "--root", "audio", "--config", source, folder=audio)
    veery("extract", "lists/m.csv", "-o", "h.h5", "--root", "audio", *settings, folder=audio)
    assert (audio / "g.h5").read_bytes() == (audio / "h.h5").read_bytes()
    veery("extract", "lists/m.csv", "-o", "i.h5", "--root", "audio", "--config", source, "--set", "frame.hop=128", folder=audio)
    with h5py.File(audio / "i.h5") as file:
        configuration = json.loads(file["provenance/configuration"][()])
        assert configuration["frame"]["hop"] == 128 and configuration["transform"]["order"] == "descending"
    veery("render", "audio/0.wav", "--config", source, "-o", "p.png", folder=audio)
    if files == 1:
        (audio / "cut.h5").write_bytes((audio / "f.h5").read_bytes()[:3000])
        result = veery("extract", "lists/m.csv", "-o", "j.h5", "--root", "audio", "--config", "cut.h5", status=1, folder=audio)
        assert "cut.h5" in result.stderr


def test_two_presets_are_an_error(veery, audio):
    result = veery("extract", "lists/m.csv", "-o", "f.h5", "--preset", "whisper", "--preset", "log-mel", status=64, folder=audio)
    assert "--preset is given twice" in result.stderr and not (audio / "f.h5").exists()


# ----------------------------------------------------------------------------------------------------- the first one's rate


def test_most_recordings_with_another_rate_than_the_first_are_announced(veery, tmp_path):
    for number, rate in enumerate([44_100, *[16_000] * 4, 8000]):
        write_wav(tmp_path / f"{number}.wav", rate, noise(number, rate))
    manifest = write_manifest(tmp_path / "m.csv", [dict(path=f"{number}.wav") for number in range(6)])
    null = ("--set", "audio.sample_rate=null", *PLAIN)
    for options, status in ((("--dry-run",), 0), (("--max-failures", 9), 0)):
        text = veery("extract", manifest, "-o", tmp_path / "f.h5", *null, *options, status=status).stderr
        line = next(line for line in text.splitlines() if "44100 Hz" in line)
        assert line.startswith("warning:") and "5 of 5" in line and "--set audio.sample_rate=16000" in line, text
        assert "audio.sample_rate" not in veery("extract", manifest, "-o", tmp_path / "g.h5", "--dry-run", *null, "--quiet").stderr
    # The advice leads to success.
    veery("extract", manifest, "-o", tmp_path / "g.h5", *null, "--set", "audio.sample_rate=16000")
    # Where the first is one of most, or a rate is set, nothing is said.
    write_manifest(tmp_path / "n.csv", [dict(path=f"{number}.wav") for number in (1, 2, 3, 0)])
    for options in (("n.csv", *null), ("m.csv", "--set", "audio.sample_rate=8000")):
        text = veery("extract", options[0], "-o", "h.h5", "--dry-run", *options[1:], folder=tmp_path).stderr
        assert "sets the rate" not in text, text


# -------------------------------------------------------------------------------------------------------------------- split


@pytest.mark.parametrize("ratio, shares", [
    ("80/20", {"train": 0.8, "test": 0.2}), ("4:1", {"train": 0.8, "test": 0.2}), ("80/10/10", {"train": 0.8, "val": 0.1, "test": 0.1}),
    ("8:1:1", {"train": 0.8, "val": 0.1, "test": 0.1}), ("80%/20%", {"train": 0.8, "test": 0.2})])
def test_shares_are_read_as_people_write_them(veery, tmp_path, ratio, shares):
    manifest = write_manifest(tmp_path / "m.csv", [dict(path=f"{number}.wav") for number in range(200)])
    veery("split", manifest, "-o", tmp_path / "a.csv", "--ratio", ratio)
    veery("split", manifest, "-o", tmp_path / "b.csv", "--ratio", ",".join(f"{name}={share}" for name, share in shares.items()))
    assert (tmp_path / "a.csv").read_text() == (tmp_path / "b.csv").read_text()


@pytest.mark.parametrize("ratio", ["80/20/10/5", "80/", "4:1/2", "a/b", "0/1", "80", "1:-1", "nan/1", "80/30", "80/15", "70/20/20", "0.8/0.3",
    "80%/30%", "1e308/1e308"])
def test_shares_that_mean_nothing_are_an_error(veery, tmp_path, ratio):
    manifest = write_manifest(tmp_path / "m.csv", [dict(path="a.wav")])
    veery("split", manifest, "-o", tmp_path / "a.csv", f"--ratio={ratio}", status=64)


def test_few_groups_that_miss_a_share_are_announced(veery, tmp_path):
    rows = [dict(path=f"{number}.wav", site="abc"[min(number // 10, 2)]) for number in range(100)]
    manifest = write_manifest(tmp_path / "m.csv", rows)
    text = veery("split", manifest, "-o", tmp_path / "a.csv", "--ratio", "50/50", "--by", "site", "--seed", 1).stderr
    assert "instead of 50 %" in text and "there are 3 groups" in text and "another --seed" in text, text
    text = veery("split", manifest, "-o", tmp_path / "b.csv", "--ratio", "50/50", "--by", "clip", "--stratify").stderr
    assert "instead of" not in text, text
    assert not veery("split", manifest, "-o", tmp_path / "c.csv", "--ratio", "50/50", "--by", "site", "--seed", 1, "--quiet").stderr


def test_a_column_that_is_not_there_comes_with_ways_to_one(veery, tmp_path):
    for name in ("north/owl/a.wav", "north/wren/b.wav", "south/owl/c.wav"):
        write_wav(tmp_path / "data" / name, 16_000, noise(1, 1600))
    veery("crawl", "data", "-o", "m.csv", folder=tmp_path)
    text = veery("split", "m.csv", "-o", "s.csv", "--ratio", "50/50", "--by", "site", status=1, folder=tmp_path).stderr
    pattern = text[text.index("--label-from '") + len("--label-from '"):text.index("')")]
    assert pattern.startswith("^(?<site>") and "recording, folder" in text
    veery("crawl", "data", "-o", "m.csv", "--label-from", pattern, "--overwrite", folder=tmp_path)
    veery("split", "m.csv", "-o", "s.csv", "--ratio", "50/50", "--by", "site", folder=tmp_path)
    veery("split", "m.csv", "-o", "t.csv", "--ratio", "50/50", "--by", "folder", folder=tmp_path)


# ----------------------------------------------------------------------------------------------------------- names of models


@pytest.mark.parametrize("name, presets, reason", [
    ("conformer", ["espnet", "icefall", "parakeet"], "toolkit"), ("perch-v2", ["perch-1", "perch-2"], ""), ("birdnet", ["birdnet-low", "birdnet-high"], ""), ("stft", ["spectrogram"], ""),
    ("cqt", ["musical-spectrum"], ""), ("wisper", ["whisper"], ""), ("vgish", ["vggish"], "")])
def test_a_name_of_a_model_leads_to_the_preset_of_its_input(veery, name, presets, reason):
    text = veery("presets", name, status=64).stderr
    question = text[text.index("Did you mean"):text.index("?")]
    assert [word for word in question.split("'")[1::2]] == presets and reason in question, text
    with pytest.raises(ValueError, match=presets[0]):
        package.FeaturePlan(name)


@pytest.mark.parametrize("name, preset, settings", [
    ("hubert", "wav2vec2", {}), ("facebook/hubert-base-ls960", "wav2vec2", {}), ("WavLM_Large", "wav2vec2", {}),
    ("wav2vec2-bert-2.0", "seamless", {"rows.fill": 1}), ("openai/whisper-large-v3-turbo", "whisper", {"transform.bins": 128}),
    ("distil-whisper/distil-large-v3", "whisper", {"transform.bins": 128}), ("fixie-ai/ultravox", "whisper", {"transform.bins": 128}),
    ("k2-fsa/zipformer", "icefall", {}),
    ("whisper-tiny", "whisper", {}), ("canary-1b", "parakeet", {"transform.bins": 128}), ("mert", "wav2vec2", {"audio.sample_rate": 24000})])
def test_a_name_of_a_model_stands_for_the_preset_with_what_it_needs(veery, name, preset, settings):
    found = json.loads(veery("presets", name, "--json").stdout)
    for key, value in settings.items():
        section, inner = key.split(".")
        assert found[section][inner] == value
        found[section][inner] = None
    plain = json.loads(veery("presets", preset, "--json").stdout)
    for key in settings:
        section, inner = key.split(".")
        plain[section][inner] = None
    assert {k: v for k, v in found.items() if k not in ("audio", "frame")} == {
        k: v for k, v in plain.items() if k not in ("audio", "frame")}
    assert package.FeaturePlan(name).bins == package.FeaturePlan(preset, settings=settings).bins


@pytest.mark.parametrize("name", ["clip", "resnet", "zzz", "bird"])
def test_letters_alone_lead_nowhere(veery, name):
    text = veery("presets", name, status=64).stderr
    found = text[text.index("Did you mean"):text.index("?")].split("'")[1::2] if "Did you mean" in text else []
    assert all(name in preset for preset in found), text


# -------------------------------------------------------------------------------------------------------------------- Python


@pytest.fixture
def command(program, monkeypatch):
    monkeypatch.setenv("VEERY", str(program))


def test_rows_remember_their_folder(command, audio, monkeypatch, tmp_path_factory):
    monkeypatch.chdir(audio)
    rows = package.crawl("audio")
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert {row.root for row in rows} == {str(audio / "audio")}
    package.extract(rows, audio / "a.h5")
    assert package.check(rows)["clips"] == 4
    kept = pickle.loads(pickle.dumps([row for row in rows if row["id"] != "0"]))
    parts = package.split(kept, ratio={"train": 0.5, "test": 0.5})
    package.extract(parts, audio / "b.h5", settings={"normalize.fit": ""})
    assert len(package.open(audio / "b.h5")) == 3
    # Copies of rows do not remember; what is given counts.
    copies = [{**row} for row in rows]
    with pytest.raises(package.CommandError, match="none of the 4 recordings exists"):
        package.extract(copies, audio / "c.h5")
    package.extract(copies, audio / "c.h5", root=audio / "audio")
    with pytest.raises(package.CommandError, match="exists"):
        package.extract(rows, audio / "d.h5", root=audio)


def test_rows_of_several_folders_and_archives(command, audio, monkeypatch):
    shutil.copytree(audio / "audio", audio / "more")
    shutil.make_archive(str(audio / "packed"), "tar", audio / "audio")
    monkeypatch.chdir(audio)
    package.extract(package.crawl(["audio", "more"]), "a.h5")
    assert len(package.open("a.h5")) == 8
    # Folders may come from an iterator, which is read once.
    for folders in (["audio"], ["audio", "more"]):
        of_iterator, rows = package.crawl(iter(folders)), package.crawl(folders)
        assert of_iterator == rows and {row.root for row in of_iterator} == {row.root for row in rows}
    rows = package.crawl("packed.tar")
    monkeypatch.chdir("/")
    package.extract(rows, audio / "b.h5")
    assert len(package.open(audio / "b.h5")) == 4
    mixed = package.crawl(audio / "audio") + package.crawl(audio / "more")
    with pytest.raises(ValueError, match="root=FOLDER"):
        package.extract(mixed, audio / "c.h5")


def test_rows_with_absolute_paths_start_from_no_folder(command, audio, monkeypatch):
    shutil.copytree(audio / "audio", audio / "more")
    monkeypatch.chdir(audio)
    for number, path in enumerate([audio / "more/0.wav", str(audio / "more/0.wav"), bytes(audio / "more/0.wav")]):
        package.extract([*package.crawl("audio"), dict(path=path, id="more")], f"{number}.h5")
        file = package.open(f"{number}.h5")
        assert len(file) == 5 and file.root == audio / "audio" and all(clip.recording.exists() for clip in file)
    # All of them are absolute: nothing starts from the folders that they remember.
    rows = package.crawl("audio") + package.crawl("more")
    whole = [type(row)({**row, "path": f"{row.root}/{row['path']}", "id": str(number)}, row.root) for number, row in enumerate(rows)]
    package.extract(whole, "all.h5")
    assert len(package.open("all.h5")) == 8
    # A relative path of a row that remembers no folder starts from the current one.
    with pytest.raises(ValueError, match="root=FOLDER"):
        package.extract([*package.crawl("audio"), dict(path="more/0.wav", id="more")], "c.h5")


def test_a_folder_through_a_link_is_the_same_folder(command, audio, monkeypatch):
    (audio / "link").symlink_to("audio")
    monkeypatch.chdir(audio)
    rows = package.crawl("audio")[:2] + package.crawl("link")[2:]
    assert len({row.root for row in rows}) == 2
    package.extract(rows, "a.h5")
    assert len(package.open("a.h5")) == 4
    monkeypatch.chdir("link")
    package.extract([*package.crawl(".")[:2], dict(path="2.wav")], audio / "b.h5")
    assert len(package.open(audio / "b.h5")) == 3


def test_a_split_of_a_manifest_remembers_the_manifests_folder(command, audio, monkeypatch):
    shutil.copy(audio / "lists/m.csv", audio / "audio/m.csv")
    monkeypatch.chdir(audio)
    rows = package.split("audio/m.csv", ratio="50/50", by="clip", stratify=True)
    monkeypatch.chdir("/")
    package.extract(rows, audio / "a.h5", settings={"normalize.fit": ""})
    assert len(package.open(audio / "a.h5")) == 4


@pytest.fixture
def five(command, audio):
    """A file of labels a to e, two clips each; the column `labels` adds c to all of a."""
    rows = [dict(path=f"audio/{number % 4}.wav", id=str(number), label="abcde"[number % 5], labels="abcde"[number % 5]) for number in range(10)]
    for row in rows:
        if row["label"] == "a":
            row["labels"] = "a|c"
    package.extract(rows, audio / "f.h5", root=audio)
    return package.open(audio / "f.h5")


def test_a_selection_can_number_its_labels_from_0(five):
    plain = five.select(label=["d", "b"])
    assert plain.labels == list("abcde") and sorted(set(plain.label_index.tolist())) == [1, 3]
    chosen = five.select(label=["d", "b"], renumber=True)
    assert chosen.labels == ["b", "d"] and list(chosen.ids) == list(plain.ids)
    assert [chosen.labels[number] for number in chosen.label_index] == [clip.label for clip in chosen]
    assert [clip.label_index for clip in chosen] == chosen.label_index.tolist() == chosen.column("label_index").tolist()
    assert chosen.label_matrix.shape == (4, 2) and (chosen.label_matrix.argmax(1) == chosen.label_index).all()
    # It stays so in what is chosen of it, and in other forms.
    for part in (chosen[:2], chosen[[0, 3]], chosen.raw(), chosen.select(label="d"), pickle.loads(pickle.dumps(chosen))):
        assert part.labels == ["b", "d"] and [part.labels[clip.label_index] for clip in part] == [clip.label for clip in part]
    assert next(iter(chosen.raw())).raw().label_index == chosen.label_index[0]
    # A clip that has a label only as one of several.
    several = five.select(label="c", renumber=True)
    assert several.labels == ["c"] and sorted(several.label_index.tolist()) == [-1, -1, 0, 0] and several.label_matrix.all()
    # Without labels, those that the clips have.
    assert five[[0, 1]].select(renumber=True).labels == ["a", "b", "c"]
    # The labels may be an iterator, which is read once.
    of_iterator = five.select(label=iter(["d", "b"]), renumber=True)
    assert of_iterator.labels == ["b", "d"] and of_iterator.label_index.tolist() == chosen.label_index.tolist()
    with pytest.raises(TypeError):
        five.select(label="a", renumber="yes")


def test_datasets_of_a_selection_have_its_numbers(five):
    torch = pytest.importorskip("torch")
    import veery.torch

    clips = five.select(label=["d", "b"], renumber=True)
    data = veery.torch.Dataset(clips)
    assert data.labels == ["b", "d"] and [data[item][1] for item in range(4)] == clips.label_index.tolist()
    both = veery.torch.Dataset(clips, all_labels=True)
    assert torch.equal(torch.stack([both[item][1] for item in range(4)]), torch.from_numpy(clips.label_matrix).float())


def test_a_plan_of_another_rate_than_its_models_says_how_signals_of_that_rate_are_used():
    with pytest.raises(package.FeatureError) as error:
        package.FeaturePlan("whisper", sample_rate=8000)
    advice = str(error.value).split("8000 Hz, ")[-1]
    assert advice == "veery.FeaturePlan('whisper').features(signal, sample_rate=8000)"
    assert eval(advice, {"veery": package, "signal": noise(1, 8000)}).shape == (100, 80)
    # There is no such advice where the name is wrong, or the preset has no rate of its own.
    for name, rate, words in (("whisper-x", 8000, "unknown preset"), ("spectrogram", 10_000_001, "sample_rate")):
        with pytest.raises(package.FeatureError, match=words) as error:
            package.FeaturePlan(name, sample_rate=rate)
        assert "for signals of" not in str(error.value)


def test_a_changed_input_of_a_model_is_a_warning_of_its_plan(recwarn):
    """As it is one of the command; a plan that is right, or is that of a file or of another process, has none."""
    for name in ("whisper", "ast", "log-mel", "kaldi-fbank"):
        package.FeaturePlan(name, normalize=False)
        package.FeaturePlan(name, 16_000, normalize=False)
    package.FeaturePlan("kaldi-fbank", 8000)
    package.FeaturePlan("torchaudio-log-mel", 44_100)
    package.FeaturePlan("whisper", settings={"transform.bins": 128})
    assert not recwarn.list
    with pytest.warns(UserWarning, match="whisper: audio.sample_rate is 44100 instead of 16000: a model gives wrong results") as found:
        plan = package.FeaturePlan("whisper", sample_rate=44_100)
    warning, = found
    assert warning.filename == __file__
    advice = str(warning.message).split("44100 Hz: ")[-1]
    assert eval(advice, {"veery": package, "signal": noise(1, 44_100)}).shape == (100, 80)
    for configuration in ({"extends": "whisper"}, '{"extends": "whisper"}'):
        with pytest.warns(UserWarning, match="audio.sample_rate is 8000 instead of 16000") as found:
            package.FeaturePlan(configuration, 8000, settings={"transform.high": 4000})
        assert len(found) == 1
    with pytest.warns(UserWarning, match="frame.hop is 100 instead of 160"):
        package.FeaturePlan("whisper", settings={"frame.hop": 100})
    recwarn.clear()
    pickle.loads(pickle.dumps(plan))
    package.FeaturePlan(plan.configuration)
    assert not recwarn.list


# --------------------------------------------------------------------------------------------------- the second look at these


def test_advice_about_shares_helps_or_is_not_given(veery, tmp_path):
    rows = [dict(path="a.wav", id=f"{speaker}{n}", label="x", speaker=speaker) for speaker in "abcd" for n in range(50)]
    manifest = write_manifest(tmp_path / "m.csv", rows)
    plain = veery("split", manifest, "-o", tmp_path / "a.csv", "--ratio", "80/20", "--by", "speaker").stderr
    assert "25 % of the clips instead of 20 %" in plain and "--stratify" not in plain, plain
    stratified = veery(
        "split", manifest, "-o", tmp_path / "b.csv", "--ratio", "80/20", "--by", "speaker", "--stratify").stderr
    assert "25 % of the clips instead of 20 %" in stratified, stratified
    # An empty split does not hide another that is missed.
    empty = veery("split", manifest, "-o", tmp_path / "c.csv", "--ratio", "80/10/10", "--by", "speaker").stderr
    assert "no clip is in the split" in empty and "instead of 10 %" in empty, empty
    # Where it does help, it is advised: one group has most clips.
    sizes = dict(a=60, b=10, c=10, d=10, e=10, f=10, g=10, h=40, i=40)
    rows = [dict(path="a.wav", id=f"{site}{n}", label="xy"[n % 2], site=site) for site, count in sizes.items() for n in range(count)]
    manifest = write_manifest(tmp_path / "n.csv", rows)
    for seed in range(40):
        text = veery("split", manifest, "-o", tmp_path / f"{seed}.csv", "--ratio", "50/50", "--by", "site", "--seed", seed).stderr
        if "--stratify comes nearer" in text:
            break
    after = veery(
        "split", manifest, "-o", tmp_path / "s.csv", "--ratio", "50/50", "--by", "site", "--seed", seed, "--stratify").stderr
    assert "instead of" not in after, after


def test_a_split_of_a_dataset_whose_paths_start_elsewhere_has_rows_that_are_found(command, tmp_path, monkeypatch):
    """Kaldi's paths start from the folder of the experiment, not from that of the table."""
    (tmp_path / "data/train").mkdir(parents=True)
    for number in range(4):
        write_wav(tmp_path / f"wav/{number}.wav", 16_000, noise(number, 8000))
    (tmp_path / "data/train/wav.scp").write_text("".join(f"u{n} wav/{n}.wav\n" for n in range(4)))
    (tmp_path / "data/train/text").write_text("".join(f"u{n} word\n" for n in range(4)))
    monkeypatch.chdir(tmp_path)
    rows = package.split("data/train", ratio="50/50", by="clip", stratify=True)
    package.extract(rows, "f.h5", settings={"normalize.scope": "none"})
    assert len(package.open("f.h5")) == 4
    monkeypatch.chdir(tmp_path / "wav")
    package.extract(rows, tmp_path / "g.h5", settings={"normalize.scope": "none"})


def test_a_recording_whose_name_has_a_backslash_is_one(veery, tmp_path):
    write_wav(tmp_path / "C:\\a.wav", 16_000, noise(1, 8000))
    veery("extract", "C:\\a.wav", "-o", "f.h5", *PLAIN, folder=tmp_path)


def test_advice_about_a_models_rate_agrees_with_itself(veery, audio):
    write_wav(audio / "audio/0.wav", 8000, noise(1, 8000))
    text = veery(
        "extract", "lists/m.csv", "-o", "f.h5", "--root", "audio", "--preset", "whisper", "--set", "audio.sample_rate=44100",
        folder=audio).stderr
    assert "expects 16000 Hz: leave that change out" in text, text


def test_an_update_of_clips_of_another_rate_does_not_advise_what_it_refuses(veery, tmp_path):
    for number, rate in enumerate((8000, 16_000, 16_000, 16_000)):
        write_wav(tmp_path / f"{number}.wav", rate, noise(number, 16_000))
    options = ("--preset", "librosa-log-mel")
    write_manifest(tmp_path / "m.csv", [dict(path="0.wav")])
    veery("extract", "m.csv", "-o", "f.h5", *options, folder=tmp_path)
    write_manifest(tmp_path / "m.csv", [dict(path=f"{n}.wav") for n in range(4)])
    text = veery("extract", "m.csv", "-o", "f.h5", "--append", status=3, folder=tmp_path).stderr
    assert "A new file with audio.sample_rate=16000" in text and "--set" not in text.split("A new file")[0], text


def test_a_column_of_splits_under_another_name_is_remarked(veery, audio):
    """Otherwise the clips that a model is tested with count for the normalisation."""
    for name in ("set", "Subset", "partition"):
        rows = [dict(path=f"{n}.wav", label="ab"[n % 2], **{name: ["train", "test"][n % 2]}) for n in range(4)]
        write_manifest(audio / "lists/s.csv", rows)
        for command in (("check",), ("extract", "-o", "f.h5", "--overwrite")):
            text = veery(command[0], "lists/s.csv", *command[1:], "--root", "audio", folder=audio)
            assert f"--column split={name}" in text.stderr + text.stdout, text.stderr
        veery("extract", "lists/s.csv", "-o", "f.h5", "--overwrite", "--root", "audio", "--column", f"split={name}", folder=audio)
        with h5py.File(audio / "f.h5") as file:
            assert file["statistics"].attrs["fit"] == "train"
    # A column of that name with other values is one like any other.
    write_manifest(audio / "lists/s.csv", [dict(path=f"{n}.wav", label="a", set="red") for n in range(4)])
    assert "split=" not in veery("extract", "lists/s.csv", "-o", "g.h5", "--root", "audio", folder=audio).stderr


def test_a_crawl_next_to_the_recordings_can_be_moved_with_them(veery, audio, tmp_path):
    (audio / "project/work").mkdir(parents=True)
    (audio / "audio").rename(audio / "project/audio")
    work = audio / "project/work"
    veery("crawl", "../audio", "-o", "m.csv", folder=work)
    assert "../audio/0.wav" in (work / "m.csv").read_text() and str(audio) not in (work / "m.csv").read_text()
    veery("extract", "m.csv", "-o", "f.h5", *PLAIN, folder=work)
    (audio / "project").rename(audio / "moved")
    veery("render", "f.h5", "--clip", package.open(audio / "moved/work/f.h5")[0].id, "--waveform", "-o", "p.png",
          folder=audio / "moved/work")
    veery("extract", "m.csv", "-o", "f.h5", *PLAIN, folder=audio / "moved/work")
