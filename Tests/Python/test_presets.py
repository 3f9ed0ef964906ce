"""Every preset through the program, and the file read as its users do: axis, shape, units, pictures."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios
from pathlib import Path

import h5py
import numpy as np
import pytest
import xarray

from conftest import noise, tone, write_manifest, write_wav

# There is a page of each: see test_preset_pages.py.
NAMES = [
    "3d-speaker", "ast", "ast-speech-commands", "audiomae", "avex-effnet", "batdetect2", "beats", "bigvgan-24k", "bigvgan-44k",
    "bird-mae", "birdnet-high", "birdnet-low", "birdset-convnext", "birdset-efficientnet", "clap", "clvp", "cosyvoice", "dasheng",
    "eat", "ecapa", "encodec", "espnet", "f5-tts", "gemma3n", "granite-speech", "hifi-gan-22k", "htk-mfcc", "icefall",
    "kaldi-fbank", "kaldi-mfcc", "lasr", "lhotse-fbank", "librosa-log-mel", "librosa-mfcc", "live-waveform", "log-mel", "m2d",
    "mixer-fft", "moonshine", "ms-clap-2022", "ms-clap-2023", "mt3", "musical-spectrum", "musicfm", "musicnn", "openl3",
    "openwakeword", "panns-cnn14", "paraformer", "parakeet", "passt", "perch-1", "perch-2", "phi4", "qwen3-asr", "redimnet",
    "resemblyzer", "scrolling-dct", "seamless", "spectrogram", "speechbrain-fbank", "speecht5", "styletts2", "torchaudio-log-mel",
    "torchaudio-mfcc", "vggish", "vocos", "voxtral", "wav2vec2", "wespeaker", "whisper", "wide-log-mel", "yamnet"]
GROUPS = ["Defaults of Veery", "Models", "Libraries and toolkits", "Reference systems"]


@pytest.fixture(scope="module")
def clips(tmp_path_factory):
    folder = tmp_path_factory.mktemp("presets")
    rate = 44_100
    sound = tone(rate, 2, [220, 1000, 3000], 0.8) + noise(1, 2 * rate, 0.05)
    write_wav(folder / "a.wav", rate, sound)
    write_wav(folder / "b.wav", rate, np.stack([sound, noise(2, 2 * rate)], axis=1))
    return write_manifest(folder / "m.csv", [{"path": "a.wav"}, {"path": "b.wav"}])


@pytest.fixture(scope="module")
def listed(veery):
    """What the program says of each preset, by name."""
    return {entry["name"]: entry for entry in json.loads(veery("presets", "--json").stdout)}


@pytest.fixture(scope="module")
def seconds(listed, tmp_path_factory):
    """Two clips of a second, at every rate that a preset is meant for and at 44.1 kHz."""
    folder = tmp_path_factory.mktemp("seconds")
    made = {}
    for rate in {44_100, *(int(entry["usual_rate"]) for entry in listed.values() if "sample_rate" not in entry)}:
        sound = tone(rate, 1, [220, 1000, 3000], 0.8) + noise(1, rate, 0.05)
        (folder / str(rate)).mkdir()
        write_wav(folder / str(rate) / "a.wav", rate, sound)
        write_wav(folder / str(rate) / "b.wav", rate, np.stack([sound, noise(2, rate)], axis=1))
        made[rate] = write_manifest(folder / str(rate) / "m.csv", [{"path": "a.wav"}, {"path": "b.wav"}])
    return made


def orders(transform):
    """The orders of cepstral coefficients, in the order of their columns."""
    count = transform["bins"]
    own = {"last": [*range(1, count), 0], "none": [*range(1, count + 1)]}.get(transform["c0"], [*range(count)])
    return own * (1 + transform["deltas"])


def test_the_list_of_presets_is_the_same_as_text_and_as_json(veery, listed):
    found = re.findall(r"^  (\S+) +(\S.*)\n +(.+)$", veery("presets").stdout, re.MULTILINE)
    assert [name for name, *_ in found] == list(listed) and sorted(listed) == NAMES
    for name, summary, line in found:
        entry = listed[name]
        shape = " x ".join(map(str, entry["shape"]))
        words = "" if "sample_rate" in entry else "the recording's rate; "
        assert (summary, line) == (entry["summary"], f"{words}{entry['usual_rate']} Hz, 1 s: {shape}; {entry['source']}")
        text = veery("presets", name).stdout
        assert text.startswith(f"# {summary}\n") and f"\n# Source: {entry['source']}\nversion: 1\n" in text
        assert f"sample_rate: {entry.get('sample_rate', 'null')}," in text
        comments = [line.removeprefix("# ") for line in text.splitlines() if line.startswith("# ")]
        assert comments == [summary, *comments[1:-1], f"Source: {entry['source']}"] and " ".join(comments[1:-1]) == " ".join(
            [*([entry["notes"]] if "notes" in entry else []), *windows(entry)])


def windows(entry):
    """The line of a preset whose model takes windows."""
    if "window" not in entry:
        return []
    return [f"The model takes {entry['window']} s at a time: 'veery clips RECORDINGS --window {entry['window']}s -o windows.csv' cuts such windows."]


def test_the_list_of_presets_has_groups(veery, listed):
    parts = veery("presets").stdout.split("\n\n")
    assert [part.splitlines()[0] for part in parts] == GROUPS
    for part, group in zip(parts, GROUPS):
        lines = part.splitlines()
        # Under a name are its rate and source, and other names of models.
        assert [line.split()[0] for line in lines[1:] if line[2] != " "] == [name for name, entry in listed.items() if entry["group"] == group]
        assert max(map(len, lines)) <= 156


@pytest.mark.parametrize("preset", ["log-mel", "whisper", "kaldi-fbank", "scrolling-dct"])
def test_the_notes_and_the_source_are_comments_and_the_rest_a_configuration(veery, preset):
    lines = veery("presets", preset).stdout.splitlines()
    comments = [line for line in lines if line.startswith("#")]
    assert lines[:len(comments)] == comments and lines[len(comments)] == "version: 1"
    assert len(lines) == len(comments) + 10 and comments[-1].startswith("# Source: ")


@pytest.mark.filterwarnings("ignore:The 'phony_dims' kwarg")
@pytest.mark.parametrize("preset", NAMES)
def test_a_preset_gives_a_file_that_says_what_its_columns_are(veery, seconds, listed, tmp_path, preset):
    path, entry = tmp_path / "f.h5", listed[preset]
    clips = seconds[44_100 if "sample_rate" in entry else int(entry["usual_rate"])]
    veery("extract", clips, "-o", path, "--preset", preset, "--set", "normalize.scope=none")
    printed = json.loads(veery("presets", preset, "--json").stdout)
    transform, (rows, *patch, columns) = printed["transform"], entry["shape"]
    is_raw, is_cepstrum, is_stacked = transform["kind"] == "raw", "c0" in transform, printed["patches"]["stacked"]
    axis, other = ("coefficient", "frequency") if is_raw or is_cepstrum else ("frequency", "coefficient")
    with h5py.File(path) as file:
        features = file["features"]
        assert features.shape == (2 * rows, *patch, columns)
        assert list(file["clips/frame_count"]) == [rows, rows]
        assert np.isfinite(features[:]).all()
        bins = columns // printed["patches"]["length"] if is_stacked else columns
        assert other not in file and file[axis].shape == (bins,)
        last = features.ndim - 1
        assert [scale.name for scale in features.dims[last].values()] == ["/column" if is_stacked else "/" + axis]
        if is_raw:
            assert list(file[axis][:]) == [0] and features.attrs["units"] == "amplitude"
        elif is_cepstrum:
            assert list(file[axis][:]) == orders(transform)
            assert file[axis].attrs["units"] == "1"
            assert features.attrs["units"].startswith("cepstrum of ")
        else:
            rises = np.diff(file[axis][:]) > 0
            is_falling = transform.get("order") == "descending"
            assert file[axis].attrs["units"] == "Hz" and (not rises.any() if is_falling else rises.all())
        stored = json.loads(file["provenance/configuration"][()])
    printed["normalize"] = {**printed["normalize"], "scope": "none", "mean": None, "std": None}
    printed["normalize"].pop("minimum", None)
    assert stored == printed
    with xarray.open_dataset(path, engine="h5netcdf") as opened:
        inner = ("patch_time", axis) if patch else ("column",) if is_stacked else (axis,)
        assert opened["features"].dims == ("row", *inner), opened["features"].dims
        assert axis in opened.coords
    veery("inspect", path, "--verify")
    summary = json.loads(veery("inspect", path, "--json").stdout)
    assert len(summary["statistics"][axis]) == bins and other not in summary["statistics"]
    assert "c0" in veery("inspect", path).stdout if is_cepstrum else True
    for source in [("render", path, "--clip", "a"), ("render", clips.parent / "a.wav", "--preset", preset)]:
        veery(*source, "-o", tmp_path / "p.png")
        assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")


def test_complex_values_are_two_channels(veery, clips, tmp_path):
    path = tmp_path / "f.h5"
    veery(
        "extract", clips, "-o", path, "--set", "transform.kind=fft", "--set", "scale.kind=complex",
        "--set", "audio.sample_rate=null", "--set", "normalize.scope=none", "--set", "frame.length=400",
        "--set", "frame.hop=160", "--set", "frame.fft_length=512")
    with h5py.File(path) as file:
        rows, columns = file["features"].shape
        assert columns == 2 * 257
        channels = file["features"][:].reshape(rows, 2, 257)
        frequency = file["frequency"][:]
        assert np.array_equal(frequency[:257], frequency[257:])
    import scipy.io.wavfile
    rate, samples = scipy.io.wavfile.read(clips.parent / "a.wav")
    frame = samples[160 * 5: 160 * 5 + 400] / 32768 * np.hanning(401)[:400]
    expected = np.fft.rfft(frame, 512)
    found = channels[5, 0] + 1j * channels[5, 1]
    assert np.max(np.abs(found - expected)) <= 1e-6 * np.max(np.abs(expected))


def test_the_second_array_of_the_musical_spectrum_is_its_2048_bins(veery, clips, tmp_path):
    path = tmp_path / "f.h5"
    veery("extract", clips, "-o", path, "--preset", "musical-spectrum", "--set", "transform.kind=fft")
    with h5py.File(path) as file:
        assert file["features"].shape == (34, 2048)
        assert np.allclose(file["frequency"][:], np.arange(2048) * 11025 / 4096)


def test_the_drawn_points_of_the_live_waveform_are_every_eighth(veery, clips, tmp_path):
    everything, drawn = tmp_path / "200.h5", tmp_path / "25.h5"
    veery("extract", clips, "-o", everything, "--preset", "live-waveform")
    veery("extract", clips, "-o", drawn, "--preset", "live-waveform", "--set", "transform.step=8")
    with h5py.File(everything) as all_bins, h5py.File(drawn) as points:
        assert points["features"].shape == (20, 25)
        assert np.array_equal(points["features"][:], all_bins["features"][:, ::8])
        assert np.array_equal(points["frequency"][:], all_bins["frequency"][::8])
        # The tone is far above the limit of the source's picture.
        assert all_bins["features"][:].max() == 100


def test_a_clip_is_brought_to_a_duration(veery, clips, tmp_path):
    short, long = tmp_path / "1.h5", tmp_path / "30.h5"
    veery("extract", clips, "-o", short, "--preset", "whisper", "--set", "audio.duration=1")
    veery("extract", clips, "-o", long, "--preset", "whisper", "--set", "audio.duration=30")
    with h5py.File(short) as file:
        assert list(file["clips/frame_count"]) == [100, 100]
    with h5py.File(long) as file:
        assert list(file["clips/frame_count"]) == [3000, 3000]
        # 8 below the peak, which is where log10 of silence is raised to.
        silence = file["features"][300:3000]
        assert np.ptp(silence) == 0 and np.isclose(file["features"][:3000].max() - silence[0, 0], 2)


# ------------------------------------------------------------------------------------------------------ sample rates

TIMED = ["log-mel", "kaldi-fbank", "kaldi-mfcc", "htk-mfcc", "ast", "beats"]
# To the nearest sample; the others' originals round times down.
NEAREST = ("log-mel",)
# The rows of the clip.
OWN_ROWS = {"ast": ["--set", "rows=null"]}


def stored(path):
    with h5py.File(path) as file:
        return json.loads(file["provenance/configuration"][()])


@pytest.mark.parametrize("rate, length, hop, size", [(8000, 200, 80, 256), (22050, 551, 221, 1024), (48000, 1200, 480, 2048)])
@pytest.mark.parametrize("preset", TIMED)
def test_times_follow_the_rate_and_are_stored_in_samples(veery, clips, tmp_path, preset, rate, length, hop, size):
    followed, given = tmp_path / "followed.h5", tmp_path / "given.h5"
    own = OWN_ROWS.get(preset, [])
    hop = hop if preset in NEAREST else rate // 100
    result = veery("extract", clips, "-o", followed, "--preset", preset, "--set", f"audio.sample_rate={rate}", *own)
    assert "frames of" not in result.stderr
    configuration = stored(followed)
    frame = configuration["frame"]
    assert (frame["length"], frame["hop"], frame["fft_length"]) == (length, hop, size)
    assert configuration["transform"]["high"] == (None if preset.startswith("kaldi") else rate / 2)
    with h5py.File(followed) as file:
        assert np.isclose(file["features"].attrs["frame_period"], hop / rate)
        assert list(file["clips/frame_count"]) == [1 + (2 * rate - length) // hop] * 2
    # The same written out.
    written = [f"audio.sample_rate={rate}", f"frame.length={length}", f"frame.hop={hop}", f"frame.fft_length={size}"]
    if configuration["transform"]["high"]:
        written.append(f"transform.high={rate // 2}")
    veery("extract", clips, "-o", given, "--preset", preset, *own, *(word for text in written for word in ("--set", text)))
    assert followed.read_bytes() == given.read_bytes()


@pytest.mark.parametrize("preset", TIMED)
def test_times_follow_the_rate_of_the_files(veery, clips, tmp_path, preset):
    own, set_rate = tmp_path / "own.h5", tmp_path / "set.h5"
    veery("extract", clips, "-o", own, "--preset", preset, "--set", "audio.sample_rate=null")
    veery("extract", clips, "-o", set_rate, "--preset", preset, "--set", "audio.sample_rate=44100")
    with h5py.File(own) as one, h5py.File(set_rate) as other:
        assert np.array_equal(one["features"][:], other["features"][:])
    assert stored(own)["frame"]["length"] == "25 ms"
    assert stored(set_rate)["frame"]["length"] == (1103 if preset in NEAREST else 1102)


@pytest.mark.sampled(10)
@pytest.mark.parametrize("preset", NAMES)
def test_a_printed_preset_that_is_changed_follows_the_rate_like_the_preset(veery, clips, tmp_path, preset):
    text = veery("presets", preset).stdout
    (tmp_path / "same.yaml").write_text(text)
    (tmp_path / "extends.yaml").write_text(f"extends: {preset}\n")
    rate = re.search(r"sample_rate: \w+", text).group()
    # SpeechBrain's transform of 400 samples is too short for 25 ms above 16 kHz.
    # The bands of the others end above 18 kHz.
    kilohertz = {"speechbrain-fbank": 15, "batdetect2": 300, "bigvgan-44k": 48, "openl3": 50}.get(preset, 36)
    (tmp_path / "changed.yaml").write_text(text.replace(rate, f"sample_rate: {kilohertz} kHz"))
    (tmp_path / "changed-too.yaml").write_text(f"audio: {{sample_rate: {kilohertz}k}}\nextends: {preset}\n")
    files = {}
    for name, options in [
            ("preset", ["--preset", preset]), ("same", ["--config", tmp_path / "same.yaml"]),
            ("extends", ["--config", tmp_path / "extends.yaml"]),
            ("set", ["--preset", preset, "--set", f"audio.sample_rate={kilohertz}000"]),
            ("changed", ["--config", tmp_path / "changed.yaml"]), ("too", ["--config", tmp_path / "changed-too.yaml"])]:
        veery("extract", clips, "-o", tmp_path / f"{name}.h5", *options)
        files[name] = (tmp_path / f"{name}.h5").read_bytes()
    assert files["preset"] == files["same"] == files["extends"]
    assert files["set"] == files["changed"] == files["too"] != files["preset"]


@pytest.mark.parametrize("preset, rate, words", [
    ("torchaudio-log-mel", "20000", ["400 samples last 20 ms", "200 samples 10 ms at 20000 Hz", "not 25 ms and 12.5 ms as at 16000 Hz"]),
    ("espnet", "null", ["at 44100 Hz", "not 32 ms"]),
    ("librosa-log-mel", "8000", ["256 ms", "64 ms", "not 92.88 ms and 23.22 ms as at 22050 Hz"]),
    ("torchaudio-mfcc", "44100", ["9.07 ms", "25 ms"]),
    ("scrolling-dct", "16000", ["64 ms", "23.22 ms"]),
    ("musical-spectrum", "22050", ["185.76 ms", "371.52 ms"]),
])
def test_samples_that_last_longer_or_shorter_are_warned_of_and_the_advice_helps(veery, clips, tmp_path, preset, rate, words):
    command = ["extract", clips, "-o", tmp_path / "f.h5", "--preset", preset, "--set", f"audio.sample_rate={rate}"]
    lines = [line for line in veery(*command, "--dry-run").stderr.splitlines() if f"warning: {preset}: frames of" in line]
    assert len(lines) == 1
    for word in words:
        assert word in lines[0]
    advice = lines[0].split("to keep the times: ")[1].replace("'", "").split("--set ")[1:]
    settings = [word for text in advice for word in ("--set", text.strip())]
    # What it says can be typed in, ends the warning, and gives the frames their length back.
    assert f"{preset}: frames of" not in veery(*command, *settings).stderr
    frame = stored(tmp_path / "f.h5")["frame"]
    usual = {"torchaudio-log-mel": 400 / 16000, "espnet": 512 / 16000, "librosa-log-mel": 2048 / 22050, "torchaudio-mfcc": 400 / 16000,
             "scrolling-dct": 1024 / 44100, "musical-spectrum": 4096 / 11025}[preset]
    if rate == "null":
        assert frame["length"] == f"{1000 * usual:g} ms"
    else:
        assert abs(frame["length"] / int(rate) - usual) < 1 / int(rate)
    picture = veery("render", clips.parent / "a.wav", "-o", tmp_path / "p.png", *command[4:])
    assert f"warning: {preset}: frames of" in picture.stderr


@pytest.mark.parametrize("preset", ["librosa-log-mel", "scrolling-dct", "whisper", "log-mel"])
def test_a_preset_as_it_is_warns_of_no_duration(veery, clips, tmp_path, preset):
    assert "frames of" not in veery("extract", clips, "-o", tmp_path / "f.h5", "--preset", preset, "--dry-run").stderr
    rate = {"librosa-log-mel": 22050, "scrolling-dct": 44100, "whisper": 16000, "log-mel": 8000}[preset]
    result = veery(
        "extract", clips, "-o", tmp_path / "f.h5", "--preset", preset, "--set", f"audio.sample_rate={rate}", "--dry-run")
    assert "frames of" not in result.stderr


def test_kaldis_cepstra_as_mel_bands_are_kaldis_bands(veery, clips, tmp_path):
    veery("extract", clips, "-o", tmp_path / "mfcc.h5", "--preset", "kaldi-mfcc", "--set", "transform.kind=mel")
    veery("extract", clips, "-o", tmp_path / "fbank.h5", "--preset", "kaldi-fbank")
    assert (tmp_path / "mfcc.h5").read_bytes() == (tmp_path / "fbank.h5").read_bytes()


def test_cepstra_of_log_mel_are_the_transform_of_its_bands(veery, clips, tmp_path):
    import scipy.fft
    plain = ["--set", "normalize.scope=none"]
    veery("extract", clips, "-o", tmp_path / "mel.h5", *plain)
    veery("extract", clips, "-o", tmp_path / "mfcc.h5", *plain, "--set", "transform.kind=mfcc")
    with h5py.File(tmp_path / "mel.h5") as mel, h5py.File(tmp_path / "mfcc.h5") as mfcc:
        expected = scipy.fft.dct(mel["features"][:].astype(float), type=2, norm="ortho", axis=1)[:, :13]
        assert np.max(np.abs(mfcc["features"][:] - expected)) <= 2e-6 * np.ptp(expected)


def test_settings_are_not_lost_to_a_kind_that_comes_after_them(veery, clips, tmp_path):
    command = ["extract", clips, "-o", tmp_path / "f.h5", "--overwrite"]
    veery(*command, "--set", "transform.bands=40", "--set", "frame.hop=200", "--set", "transform.kind=mfcc")
    configuration = stored(tmp_path / "f.h5")
    assert configuration["transform"]["bands"] == 40 and configuration["frame"]["hop"] == 200
    veery(*command, "--set", "scale.gain=0.5", "--set", "scale.kind=pcen")
    assert stored(tmp_path / "f.h5")["scale"]["gain"] == 0.5
    veery(*command, "--set", "transform={kind: mel, bins: 40}", "--set", "transform.kind=mfcc")
    assert stored(tmp_path / "f.h5")["transform"]["bands"] == 40
    # Of two kinds the last counts, and what it has not is an error.
    error = veery(
        *command, "--set", "transform.kind=mfcc", "--set", "transform.c0=last", "--set", "transform.kind=mel", status=64).stderr
    assert "transform.c0" in error


# -------------------------------------------------------------------------------------------------------------- keys

def in_terminal(program, columns, *arguments):
    """What the program writes to a terminal of so many columns, without its colours."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8"}
    process = subprocess.Popen([program, *arguments], stdout=slave, stderr=subprocess.STDOUT, env=environment)
    os.close(slave)
    text = b""
    try:
        while part := os.read(master, 65536):
            text += part
    except OSError:
        pass  # Linux says so where the last writer has closed the terminal.
    os.close(master)
    assert process.wait() == 0, text
    return re.sub("\x1b\\[[0-9]+m", "", text.decode()).replace("\r", "")


def schema_keys():
    """The keys of every section of the schema, by the section's name, whatever the kind."""
    schema = json.loads((Path(__file__).resolve().parents[2] / "Schemas/configuration.schema.json").read_text())

    def keys(name):
        definition = schema["$defs"][name]
        found = set(definition.get("properties", {}))
        for choice in definition.get("anyOf", []):
            if "$ref" in choice:
                found |= keys(choice["$ref"].split("/")[-1])
        return found

    tops = {name: keys(name) for name in schema["properties"] if name not in ("version", "extends")}
    return {**tops, "condition.dct_filter": keys("dct_filter"), "condition.gain": keys("gain"), "frame.window": keys("window")}


@pytest.mark.parametrize("columns", [60, 120])
def test_keys_lists_every_key_and_fits_the_terminal(program, columns):
    lines = in_terminal(program, columns, "presets", "--keys").splitlines()
    assert max(map(len, lines)) <= columns
    listed, section = {}, None
    for line in lines:
        if line and not line.startswith(" "):
            section = listed.setdefault(line, set())
        elif re.match("  [a-z]", line) and "  " in line[2:]:
            section.add(line.split()[0])
    assert listed == schema_keys()
    text = " ".join(" ".join(lines).split())
    assert text.count(" Default: ") + text.count(" Required. ") == text.count(" Allowed: ") > 60
    for words in ['Default: "25 ms". Allowed: 1 to 4194304 samples, or a time such as "25 ms"', "Default: 16000 Hz. Allowed: null or 1",
                  "Kind: mel, mfcc, lfcc."]:
        assert words in text


def test_keys_of_a_section(veery):
    everything = json.loads(veery("presets", "--keys", "--json").stdout)
    assert {(row["section"], row["key"]) for row in everything} == {
        (section, key) for section, keys in schema_keys().items() for key in keys}
    frame = json.loads(veery("presets", "--keys", "frame", "--json").stdout)
    assert frame == [row for row in everything if row["section"] in ("frame", "frame.window")]
    hop = next(row for row in frame if row["key"] == "hop")
    assert hop["default"] == "10 ms" and hop["allowed"].startswith("1 to 4194304 samples") and not hop["required"]
    assert veery("presets", "--keys", "window").stdout.startswith("frame.window\n")
    error = veery("presets", "--keys", "frames", status=64).stderr
    assert "Unknown section 'frames'. Did you mean 'frame'? There are: audio, " in error
    assert "veery presets --keys frame" in veery("presets", "--help").stdout
    assert "'veery presets --keys' lists the keys" in " ".join(veery("extract", "--help").stdout.split())


def test_every_default_that_is_listed_may_be_set(veery, clips, tmp_path):
    """A default that is set is as if it were not: the same file except what follows the rate of the recordings."""
    rows = json.loads(veery("presets", "--keys", "--json").stdout)
    settings = []
    for row in rows:
        if row["kinds"] in ([], ["mel"]) or "mel" in row["kinds"]:
            if not row["required"] and row["section"] not in ("condition.dct_filter", "condition.gain", "frame.window"):
                settings += ["--set", f"{row['section']}.{row['key']}={json.dumps(row['default'])}"]
    assert len(settings) > 70
    veery("extract", clips, "-o", tmp_path / "set.h5", *settings)
    veery("extract", clips, "-o", tmp_path / "plain.h5")
    with h5py.File(tmp_path / "set.h5") as found, h5py.File(tmp_path / "plain.h5") as expected:
        assert np.array_equal(found["features"][:], expected["features"][:])


def promises(veery, name):
    """The settings that a preset's notes name, those of one sentence together."""
    printed = veery("presets", name).stdout
    notes = " ".join(line.lstrip("# ") for line in printed.splitlines() if line.startswith("#"))
    setting = r"--set ([\w.]+=(?:'[^']+'|[^\s;:,)]+))"
    found = []
    for run in re.findall(rf"((?:{setting}\s?)+)", notes):
        found.append([given.replace("'", "").rstrip(".") for given in re.findall(setting, run[0])])
    return found


def test_settings_that_notes_name_are_taken_and_change_something(veery, tmp_path):
    rate = 48000
    # As long as a patch of musicnn, 187 rows.
    write_wav(tmp_path / "a.wav", rate, tone(rate, 4, [440, 1300]))
    (tmp_path / "m.csv").write_text("path\na.wav\n")
    parts = (f"<{part}> 560 560\n<LearnRateCoef> 0 [ {' 0.5' * 560} ]\n" for part in ("AddShift", "Rescale"))
    (tmp_path / "am.mvn").write_text("<Nnet>\n" + "".join(parts) + "</Nnet>\n")
    seen = 0
    for name in NAMES:
        standard = json.loads(veery("presets", name, "--json").stdout)
        for settings in promises(veery, name):
            options = [part for setting in settings for part in ("--set", setting)]
            # Of Paraformer's constants the notes name the file.
            veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "--preset", name, *options, "--overwrite", folder=tmp_path)
            with h5py.File(tmp_path / "f.h5") as file:
                changed = json.loads(file["provenance/configuration"][()])
                assert len(file["features"])
            assert changed != standard, (name, settings)
            seen += 1
    assert seen >= 15


# What the model sees at a time has a maximum, a mean or ends of its own.
WINDOWS = {"openl3": 1, "birdnet-low": 3, "birdnet-high": 3, "batdetect2": 3, "perch-1": 5, "perch-2": 5, "birdset-convnext": 5,
           "birdset-efficientnet": 5, "avex-effnet": 10}


def test_the_windows_that_models_take_are_said(veery, listed):
    assert {name: entry["window"] for name, entry in listed.items() if "window" in entry} == WINDOWS


def test_the_command_that_cuts_windows_for_a_model_can_be_typed(veery, tmp_path):
    said = re.search("'veery (clips .*)' cuts such windows", veery("presets", "perch-2").stdout)[1]
    page = (Path(__file__).resolve().parents[2] / "Schemas/presets/perch-2.md").read_text()
    assert f"| the model takes | 5 s at a time: `veery {said}` cuts such windows |\n" in page
    (tmp_path / "sounds").mkdir()
    write_wav(tmp_path / "sounds/long.wav", 32_000, noise(3, 12 * 32_000))
    veery(*said.replace("RECORDINGS", "sounds").split(), folder=tmp_path)
    assert "remark" not in veery("extract", "windows.csv", "-o", "a.h5", "--preset", "perch-2", folder=tmp_path).stderr
    with h5py.File(tmp_path / "a.h5") as file:
        assert file["clips/duration"][:].tolist() == [5, 5]


@pytest.mark.parametrize("preset, settings", [
    *((preset, []) for preset in WINDOWS), ("openl3", ["transform.bins=128"]), ("perch-1", ["frame.drop_last=false"])])
def test_clips_that_are_longer_than_the_window_of_their_model_are_remarked(veery, tmp_path, preset, settings):
    window, rate = WINDOWS[preset], 256_000 if preset == "batdetect2" else 32_000
    for name, samples in (("long", window * rate + 2), ("exact", window * rate), ("short", rate // 2)):
        write_wav(tmp_path / f"{name}.wav", rate, noise(3, samples))
    write_manifest(tmp_path / "m.csv", [{"path": f"{name}.wav", "id": name} for name in ("long", "exact", "short")])
    chosen = ["--preset", preset, *(word for setting in settings for word in ("--set", setting))]
    line = f"{preset}, windows of {window} s: 1 clip is longer than the model takes at a time, and not cut into such windows: 'long'"
    for reported in (["extract", "m.csv", "-o", "a.h5", *chosen], ["inspect", "a.h5"], ["extract", "m.csv", "-o", "b.h5", *chosen, "--dry-run"]):
        run = veery(*reported, folder=tmp_path)
        source = "RECORDINGS" if reported[0] == "inspect" else "m.csv"
        assert f"{line}; 'veery clips {source} --window {window}s --partial keep -o windows.csv' makes a clip of each part" in run.stdout + run.stderr, reported
        found = [one for one in json.loads(veery(*reported, "--json", folder=tmp_path).stdout)["remarks"] if one["kind"] == "windows-exceeded"]
        assert [(one["source"], one["count"], one["first"], one["loss"]) for one in found] == [
            (f"{preset}, windows of {window} s", 1, ["long"], False)]
    # What is cut to the window is another remark.
    cut = [f"audio.duration={window}", *(["audio.minimum=null", "rows.resize_multiple=1"] if preset == "batdetect2" else [])]
    said = veery("extract", "m.csv", "-o", "c.h5", *chosen, *(word for one in cut for word in ("--set", one)), folder=tmp_path).stderr
    assert "at a time" not in said and "1 clip is longer than the features take" in said


def test_the_command_that_cuts_recordings_of_a_picture_names_one_that_the_remark_is_about(veery, tmp_path):
    for name, seconds in (("long", 6), ("longer", 7), ("short", 2)):
        write_wav(tmp_path / f"{name}.wav", 32_000, noise(3, seconds * 32_000))
    said = veery("render", "long.wav", "longer.wav", "short.wav", "-o", "a.png", "--preset", "perch-2", folder=tmp_path).stderr
    assert "'veery clips long.wav --window 5s --partial keep -o windows.csv' makes a clip of each part" in said
    assert "'veery clips short.wav --window 5s --partial drop -o windows.csv' leaves out what is shorter" in said


@pytest.mark.parametrize("preset", WINDOWS)
def test_clips_that_are_shorter_than_the_window_of_their_model_are_remarked(veery, tmp_path, preset):
    window, rate = WINDOWS[preset], 256_000 if preset == "batdetect2" else 32_000
    for name, samples in (("exact", window * rate), ("short", window * rate // 2)):
        write_wav(tmp_path / f"{name}.wav", rate, noise(3, samples))
    write_manifest(tmp_path / "m.csv", [{"path": f"{name}.wav", "id": name} for name in ("exact", "short")])
    words = f"{preset}, windows of {window} s: 1 clip is shorter than the model takes at a time, and has too few rows for it: 'short'"
    # BatDetect2's preset pads short clips as its package does.
    count = 0 if preset == "batdetect2" else 1
    command = ["extract", "m.csv", "--preset", preset, "-o"]
    for reported in ([*command, "b.h5", "--dry-run"], [*command, "a.h5"], ["inspect", "a.h5"]):
        run = veery(*reported, folder=tmp_path)
        assert (run.stdout + run.stderr).count(f"remark: {words}; --set audio.minimum={window} appends zeros, and 'veery clips ") == count, reported
        found = [one for one in json.loads(veery(*reported, "--json", folder=tmp_path).stdout)["remarks"] if one["kind"] == "windows-short"]
        assert [(one["source"], one["count"], one["first"], one["loss"]) for one in found] == [
            (f"{preset}, windows of {window} s", 1, ["short"], False)][:count]
    said = veery("render", "exact.wav", "short.wav", "-o", "a.png", "--preset", preset, folder=tmp_path).stderr
    assert said.count(f"warning: {words[:-1]}.wav'; ") == count
    # What is padded is as long as the window.
    for key in ("audio.duration", "audio.minimum"):
        padded = ["--set", f"{key}={window}", *(["--set", "audio.minimum=null", "--set", "rows.resize_multiple=1"] if (preset, key) == ("batdetect2", "audio.duration") else [])]
        assert "shorter" not in veery(*command, f"{key}.h5", *padded, folder=tmp_path).stderr


@pytest.mark.parametrize("preset", ["hubert", "wav2vec2", "encodec", "moonshine", "whisper"])
def test_recordings_of_a_lower_rate_than_the_models_are_warned_of_everywhere(veery, tmp_path, preset):
    rate = 24_000 if preset == "encodec" else 16_000
    model = {"hubert": "wav2vec2"}.get(preset, preset)
    write_wav(tmp_path / "low.wav", 8000, noise(1, 4000))
    write_wav(tmp_path / "right.wav", rate, noise(1, rate // 2))
    lack = "bins above 4000 Hz hold nothing" if preset == "whisper" else "samples hold nothing above 4000 Hz"
    commands = [("clip", ["extract", "NAME", "-o", "NAME.h5", "--dry-run"]), ("clip", ["extract", "NAME", "-o", "NAME.h5"]), ("recording", ["render", "NAME", "-o", "NAME.png"])]
    if model != "wav2vec2":  # whose samples depend on the whole clip
        commands.append(("clip", ["live", "--file", "NAME", "--speed", 0, "--record", "NAME-live.h5"]))
    for noun, command in commands:
        def said(name):
            return veery(*(str(word).replace("NAME", name) for word in command), "--preset", preset, folder=tmp_path).stderr
        line = f"warning: 1 {noun} has a lower sample rate than the features ({rate} Hz), 8000 Hz: its {lack}; the model of {model} expects {rate} Hz"
        assert said("low.wav").count(line) == 1 and "lower sample rate" not in said("right.wav")


@pytest.mark.parametrize("preset", ["kaldi-fbank", "seamless", "styletts2"])
def test_channels_that_are_left_out_are_remarked(veery, tmp_path, preset):
    for name, channels in (("one", 1), ("two", 2), ("three", 3)):
        write_wav(tmp_path / f"{name}.wav", 24_000, noise(1, 24_000 * channels).reshape(-1, channels))
    write_manifest(tmp_path / "m.csv", [{"path": f"{name}.wav", "id": name} for name in ("one", "two", "three")])
    words = "2 clips are of the first channel alone (audio.channels), and the others of their recordings are left out: "
    advice = "; --set audio.channels=mix takes the mean of all"
    run = veery("extract", "m.csv", "-o", "a.h5", "--preset", preset, "--json", folder=tmp_path)
    assert f"remark: recordings: {words}'two', 'three'{advice}" in run.stderr
    for report in (run, veery("inspect", "a.h5", "--json", folder=tmp_path)):
        found = [one for one in json.loads(report.stdout)["remarks"] if one["kind"] == "channels-left-out"]
        assert [(one["count"], one["first"], one["loss"]) for one in found] == [(2, ["two", "three"], False)]
    said = veery("render", "one.wav", "two.wav", "three.wav", "-o", "a.png", "--preset", preset, folder=tmp_path).stderr
    assert f"warning: recordings: {words}'two.wav', 'three.wav'{advice}" in said
    # Who names a channel, or has one, leaves nothing out.
    write_manifest(tmp_path / "n.csv", [{"path": "two.wav", "channel": 1}, {"path": "one.wav", "channel": ""}])
    said = veery("extract", "n.csv", "-o", "b.h5", "--preset", preset, folder=tmp_path).stderr
    said += veery("inspect", "b.h5", folder=tmp_path).stdout
    said += veery("render", "two.wav", "--channel", 1, "-o", "b.png", "--preset", preset, folder=tmp_path).stderr
    said += veery("extract", "m.csv", "-o", "c.h5", "--preset", preset, "--set", "audio.channels=mix", folder=tmp_path).stderr
    assert "first channel alone" not in said
