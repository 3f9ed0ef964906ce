"""Every preset through the program, and the file read as its users do: axis, shape, units, pictures."""

import json

import h5py
import numpy as np
import pytest
import xarray

from conftest import noise, tone, write_manifest, write_wav

CEPSTRA = {
    "librosa-mfcc": list(range(20)), "torchaudio-mfcc": list(range(40)), "kaldi-mfcc": list(range(13)),
    "htk-mfcc": 3 * (list(range(1, 13)) + [0])}
# Columns, and rows of 2 s at 44.1 kHz (or at what the preset resamples to).
SHAPES = {
    "log-mel": (80, 198), "spectrogram": (1025, 400), "scrolling-dct": (1024, 171), "mixer-fft": (256, 172), "musical-spectrum": (712, 17),
    "live-waveform": (200, 10), "librosa-log-mel": (128, 173), "librosa-mfcc": (20, 173),
    "torchaudio-log-mel": (128, 442), "torchaudio-mfcc": (40, 442), "kaldi-fbank": (23, 198), "kaldi-mfcc": (13, 198),
    "htk-mfcc": (39, 198), "whisper": (80, 200)}


@pytest.fixture(scope="module")
def clips(tmp_path_factory):
    folder = tmp_path_factory.mktemp("presets")
    rate = 44_100
    sound = tone(rate, 2, [220, 1000, 3000], 0.8) + noise(1, 2 * rate, 0.05)
    write_wav(folder / "a.wav", rate, sound)
    write_wav(folder / "b.wav", rate, np.stack([sound, noise(2, 2 * rate)], axis=1))
    return write_manifest(folder / "m.csv", [{"path": "a.wav"}, {"path": "b.wav"}])


def test_the_list_of_presets_is_the_one_tested_here(veery):
    names = [line.split()[0] for line in veery("presets").stdout.splitlines()]
    assert names == list(SHAPES)


@pytest.mark.filterwarnings("ignore:The 'phony_dims' kwarg")
@pytest.mark.parametrize("preset", SHAPES)
def test_a_preset_gives_a_file_that_says_what_its_columns_are(veery, clips, tmp_path, preset):
    path = tmp_path / "f.h5"
    veery("extract", clips, "-o", path, "--preset", preset, "--set", "normalize.scope=none")
    columns, rows = SHAPES[preset]
    axis, other = ("coefficient", "frequency") if preset in CEPSTRA else ("frequency", "coefficient")
    with h5py.File(path) as file:
        features = file["features"]
        assert features.shape == (2 * rows, columns)
        assert list(file["clips/frame_count"]) == [rows, rows]
        assert np.isfinite(features[:]).all()
        assert other not in file and file[axis].shape == (columns,)
        assert [scale.name for scale in features.dims[1].values()] == ["/" + axis]
        if preset in CEPSTRA:
            assert list(file[axis][:]) == CEPSTRA[preset]
            assert file[axis].attrs["units"] == "1"
            assert features.attrs["units"].startswith("cepstrum of ")
        else:
            assert file[axis].attrs["units"] == "Hz" and (np.diff(file[axis][:]) > 0).all()
        stored = json.loads(file["provenance/configuration"][()])
    printed = json.loads(veery("presets", preset, "--json").stdout)
    printed["normalize"]["scope"] = "none"
    assert stored == printed
    with xarray.open_dataset(path, engine="h5netcdf") as opened:
        assert opened["features"].dims == ("row", axis) and axis in opened["features"].coords
    veery("inspect", path, "--verify")
    summary = json.loads(veery("inspect", path, "--json").stdout)
    assert len(summary["statistics"][axis]) == columns and other not in summary["statistics"]
    assert "c0" in veery("inspect", path).stdout if preset in CEPSTRA else True
    for source in [("render", path, "--clip", "a"), ("render", clips.parent / "a.wav", "--preset", preset)]:
        veery(*source, "-o", tmp_path / "p.png")
        assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")


def test_complex_values_are_two_channels(veery, clips, tmp_path):
    path = tmp_path / "f.h5"
    veery(
        "extract", clips, "-o", path, "--set", "transform.kind=fft", "--set", "scale.kind=complex",
        "--set", "audio.sample_rate=null", "--set", "normalize.scope=none")
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
