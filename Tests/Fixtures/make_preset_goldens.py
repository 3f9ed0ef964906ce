"""Makes the golden files of the presets that are named after other programs, and of the steps they are made of.

    python make_preset_goldens.py            writes the files
    python make_preset_goldens.py --check    compares them with what it would write, and changes nothing

The values are those of ../Parity/reference.py, in float64. Where a peer (librosa, torchaudio, Kaldi, Whisper) computes
the same, the script stops if its output differs by more than float32 explains: 1e-5 of the range of the values, or
1e-9 where the peer can compute in float64. Packages: ../Parity/requirements.txt.

Every case names the configuration's keys it sets, as `veery extract --set` would, on top of `preset` where there is one.
`rows` and `bins` are the shape of the whole result; where `frames` is there, `values` holds only those rows.
"""

import sys
from pathlib import Path

import kaldi_native_fbank
import librosa
import numpy as np
import scipy.signal
import torch
import torchaudio
import whisper.audio

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "Parity"))

import make_goldens  # noqa: E402
import peers  # noqa: E402
import reference  # noqa: E402
from make_goldens import agree, inputs, int16, results, uniform  # noqa: E402

GENERATOR = {"script": Path(__file__).name, **peers.VERSIONS}
FLOAT32, FLOAT64 = 1e-5, 1e-9


# --------------------------------------------------------------------------------------------------------- recordings


def tone_11k():
    """0.6 s, mono, 11,025 Hz: C3, E4, A5 and a chirp from 30 Hz to 5.5 kHz, noise."""
    time = np.arange(6615) / 11025
    signal = sum(0.15 * np.sin(2 * np.pi * f * time + f) for f in (130.813, 329.628, 880))
    signal += 0.2 * np.sin(2 * np.pi * (30 * time + (5500 - 30) / (2 * 0.6) * time**2))
    return int16(signal + 0.01 * uniform(6615, 51).astype(np.float64))


def tone_44k():
    """0.4 s, mono, 44.1 kHz: a loud tone of 300 Hz, a faint one of 811 Hz, noise; bins from far under to far over 100."""
    time = np.arange(17640) / 44100
    signal = 0.8 * np.sin(2 * np.pi * 300 * time) + 0.005 * np.sin(2 * np.pi * 811 * time)
    return int16(signal + 0.02 * uniform(17640, 52).astype(np.float64))


RECORDINGS = {"tone-11k.wav": (11025, tone_11k), "tone-44k.wav": (44100, tone_44k)}


def unit(name):
    """Rate and samples on the unit scale, [samples, channels]; a recording of this script as it would write it."""
    if name in RECORDINGS:
        rate, make = RECORDINGS[name]
        return rate, make().astype(np.float64)[:, None] / 32768
    rate, samples = make_goldens.recording(name)
    return rate, samples / 32768


def mono32(name):
    """The mix, for the peers: exact in float32, since samples have 16 bits."""
    rate, samples = unit(name)
    return rate, samples.mean(axis=1).astype(np.float32)


# -------------------------------------------------------------------------------------------------------------- cases


def check(name, values, other, limit):
    """Stops where two results differ by more than `limit` of the first one's range."""
    other = np.asarray(other, dtype=np.float64)
    if values.shape != other.shape:
        sys.exit(f"{name}: shapes {values.shape} and {other.shape}")
    difference, span = np.max(np.abs(values - other)), np.ptp(values)
    if difference > limit * span:
        sys.exit(f"{name}: differs by {difference:.3g}, {difference / span:.3g} of the range {span:.3g}")


def case(values, frames=None, **head):
    shape = {"rows": values.shape[0], "bins": values.shape[1]}
    chosen = {} if frames is None else {"frames": list(frames)}
    return {**head, **shape, **chosen, "values": results(values if frames is None else values[list(frames)])}


def preset_case(preset, file, values, peer, settings=None, frames=None, limit=FLOAT32):
    name = f"{preset} {settings or ''} of {file}"
    if peer is not None:
        check(name, values, peer, limit)
    return case(values, frames, file=file, settings={"preset": preset, "set": settings or {}})


# ------------------------------------------------------------------------------------------------------------ presets


def direct_magnitude(frames, bins):
    n = frames.shape[1]
    k, index = np.meshgrid(np.arange(bins), np.arange(n), indexing="ij")
    return np.abs(frames @ np.exp(-2j * np.pi * ((k * index) % n) / n).T)


def preset_musical_spectrum():
    rate, x = unit("tone-11k.wav")
    bins, points = reference.musical_spectrum_bins(x, rate), reference.musical_spectrum(x, rate)
    window = scipy.signal.get_window("hann", 4096)
    frames = librosa.util.frame(x[:, 0], frame_length=4096, hop_length=1102).T * window
    # NumPy's interpolation of the parabola through three bins: fitted at each point on its own.
    hertz = 440 * 2 ** (-45 / 12 - 1 / 24) * 2 ** (np.arange(712) / 96)
    fitted = np.empty_like(points)
    for p, position in enumerate(hertz / (11025 / 4096)):
        b = max(int(position), 1)
        parabola = np.polynomial.polynomial.polyfit([-1, 0, 1], bins[:, b - 1:b + 2].T, 2)
        fitted[:, p] = np.polynomial.polynomial.polyval(position - b, parabola)
    return {"cases": [
        preset_case("musical-spectrum", "tone-11k.wav", points, fitted, limit=FLOAT64),
        preset_case("musical-spectrum", "tone-11k.wav", bins, direct_magnitude(frames, 2048),
                    {"transform.kind": "fft"}, [1], FLOAT64)]}


def preset_live_waveform():
    rate, x = unit("tone-44k.wav")
    values = reference.live_waveform(x, rate)
    frames = x[:16384, 0].reshape(2, 8192)
    assert 20 < np.sum(values == 100) < 300
    return {"cases": [
        preset_case("live-waveform", "tone-44k.wav", values, np.minimum(direct_magnitude(frames, 200), 100), limit=FLOAT64),
        preset_case("live-waveform", "tone-44k.wav", values[:, ::8], None, {"transform.step": 8})]}


BOTH = ("tone-16k.wav", "stereo-8k.wav")


def librosa_mel_db(name):
    rate, x = unit(name)
    return librosa.power_to_db(librosa.feature.melspectrogram(y=x.mean(axis=1), sr=rate, dtype=np.float64))


def preset_librosa_log_mel():
    cases = []
    for name in BOTH:
        rate, x = unit(name)
        values = reference.librosa_log_mel(x, rate)
        check(name, values, peers.librosa_log_mel(mono32(name)[1], rate), FLOAT32)
        cases.append(preset_case("librosa-log-mel", name, values, librosa_mel_db(name).T, limit=FLOAT64))
    return {"cases": cases}


def preset_librosa_mfcc():
    cases = []
    for name in BOTH:
        rate, x = unit(name)
        values = reference.librosa_mfcc(x, rate)
        check(name, values, peers.librosa_mfcc(mono32(name)[1], rate), FLOAT32)
        cases.append(preset_case("librosa-mfcc", name, values, librosa.feature.mfcc(S=librosa_mel_db(name)).T, limit=FLOAT64))
    return {"cases": cases}


def of_both(preset, make, peer, frames=(None, None)):
    """torchaudio in float64: its own float32 triangles are off by 1e-5 where they are but a few Hz wide."""
    cases = []
    for name, chosen in zip(BOTH, frames):
        rate, x = unit(name)
        theirs = peers.in_float64(peer, mono32(name)[1], rate)
        cases.append(preset_case(preset, name, make(x, rate), theirs, frames=chosen, limit=FLOAT64))
    return {"cases": cases}


def preset_torchaudio_log_mel():
    return of_both("torchaudio-log-mel", reference.torchaudio_log_mel, peers.torchaudio_log_mel, ((0, 1, 2, 7, 13, 16, 23, 24), None))


def preset_torchaudio_mfcc():
    return of_both("torchaudio-mfcc", reference.torchaudio_mfcc, peers.torchaudio_mfcc)


def of_kaldi(preset, make, peer):
    rate, x = unit("tone-16k.wav")
    y = mono32("tone-16k.wav")[1]
    return {"cases": [
        preset_case(preset, "tone-16k.wav", make(x, rate), peer(y, rate)),
        preset_case(preset, "tone-16k.wav", make(x, rate, mirror=True), peer(y, rate, mirror=True), {"frame.align": "kaldi"})]}


def preset_kaldi_fbank():
    return of_kaldi("kaldi-fbank", reference.kaldi_fbank, peers.kaldi_fbank)


def preset_kaldi_mfcc():
    return of_kaldi("kaldi-mfcc", reference.kaldi_mfcc, peers.kaldi_mfcc)


def preset_htk_mfcc():
    rate, x = unit("tone-16k.wav")
    values = reference.htk_mfcc(x, rate)
    return {"cases": [preset_case("htk-mfcc", "tone-16k.wav", values, peers.htk_mfcc(mono32("tone-16k.wav")[1], rate))]}


def preset_whisper():
    rate, x = unit("tone-16k.wav")
    y = mono32("tone-16k.wav")[1]
    long = np.pad(x, ((0, 30 * rate - len(x)), (0, 0)))
    padded = whisper.audio.pad_or_trim(torch.from_numpy(y))
    return {"cases": [
        preset_case("whisper", "tone-16k.wav", reference.whisper(x, rate), peers.whisper_log_mel(y, rate),
                    frames=range(0, 30, 2)),
        preset_case("whisper", "tone-16k.wav", reference.whisper(x, rate, 128), peers.whisper_log_mel(y, rate, bands=128),
                    {"transform.bins": 128}, range(0, 30, 5)),
        preset_case("whisper", "tone-16k.wav", reference.whisper(long, rate),
                    peers.whisper_log_mel(padded.numpy(), rate), {"audio.duration": 30}, (0, 1, 28, 29, 30, 31, 32, 2999))]}


# -------------------------------------------------------------------------------------------------------------- steps


def lfcc():
    """torchaudio.transforms.LFCC with all defaults: 128 linear bands, decibels, 40 coefficients."""
    settings = {"kind": "lfcc", "bins": 40, "bands": 128, "low": 0, "high": None, "spectrum": "power", "dct_norm": "ortho",
                "lifter": 0, "c0": "first"}
    frame = {"length": 400, "hop": 200, "fft_length": 400, "window": "hann", "align": "center", "pad": "reflect"}
    scale = {"kind": "db", "floor": 1e-10, "reference": 1, "top_db": 80}
    cases = []
    for name in BOTH:
        rate, x = unit(name)
        values = reference.torchaudio_lfcc(x, rate)
        check(f"LFCC of {name}", values, peers.in_float64(peers.torchaudio_lfcc, mono32(name)[1], rate), FLOAT64)
        cases.append(case(values, file=name, settings={"frame": frame, "transform": settings, "scale": scale}))
    return {"cases": cases}


def pcen():
    """librosa.pcen of 40 Slaney mel bands of the magnitude; `input` is what the magnitude was multiplied by before."""
    rate, x = unit("tone-16k.wav")
    frames = reference.centred_frames(x[:, 0], 2048, 512, 2048, "zero") * reference.hann(2048)
    magnitude = np.abs(reference.spectrum(frames, 2048))
    s = magnitude @ reference.mel_weights(rate, 2048, 40, 0, rate / 2, "slaney", area_norm=True).T
    mel = librosa.feature.melspectrogram(y=x[:, 0], sr=rate, n_mels=40, power=1, dtype=np.float64)
    check("mel magnitude", s, mel.T, FLOAT64)
    cases = []
    for factor, options in [
        (2**31, {}), (2**15, {}), (1, {}),
        (2**31, {"gain": 0.8, "bias": 10.0, "power": 0.25, "time_constant": 0.06, "eps": 1e-3})]:
        values = reference.pcen(s * factor, rate, 512, **options)
        check("PCEN", values, librosa.pcen(mel * factor, sr=rate, hop_length=512, **options).T, FLOAT64)
        parameters = {"gain": 0.98, "bias": 2, "power": 0.5, "time_constant": 0.4, "eps": 1e-6, **options}
        cases.append(case(values, file="tone-16k.wav", input=factor, settings={
            "frame": {"length": 2048, "hop": 512, "fft_length": 2048, "window": "hann", "align": "center", "pad": "zero"},
            "transform": {"kind": "mel", "bins": 40, "low": 0, "high": None, "mel_scale": "slaney", "mel_norm": "slaney",
                          "spectrum": "magnitude"},
            "scale": {"kind": "pcen", **parameters}}))
    return {"cases": cases}


def deltas():
    """Of random rows: `deltas` (first order) and `accelerations` (the same again), by window."""
    cases = []
    for rows in (1, 2, 3, 5, 20):
        c = uniform(3 * rows, 60 + rows).reshape(rows, 3)
        wide = c.astype(np.float64)
        for window in (1, 2, 3):
            once = reference.deltas(wide, window)
            twice = reference.deltas(once, window)
            torch_deltas = torchaudio.functional.compute_deltas(torch.from_numpy(wide.T), 2 * window + 1).numpy().T
            agree("deltas", once, torch_deltas, 1e-12, absolute=1e-15)
            nearest = librosa.feature.delta(wide, width=2 * window + 1, axis=0, mode="nearest")
            agree("deltas", once, nearest, 1e-12, absolute=1e-15)
            again = librosa.feature.delta(nearest, width=2 * window + 1, axis=0, mode="nearest")
            agree("accelerations", twice, again, 1e-12, absolute=1e-15)
            cases.append({"window": window, "rows": rows, "bins": 3, "values": inputs(c), "deltas": results(once),
                          "accelerations": results(twice)})
    return {"cases": cases}


def kaldi_prepared(x, remove_dc, a):
    """Kaldi's own frames, before the transform."""
    options = kaldi_native_fbank.RawAudioSamplesOptions()
    options.frame_opts.samp_freq = 16000
    options.frame_opts.remove_dc_offset, options.frame_opts.preemph_coeff = remove_dc, a
    options.frame_opts.window_type = "hamming"
    return peers.kaldi_rows(kaldi_native_fbank.OnlineRawAudioSamples(options), x / peers.INT16, 16000).astype(np.float64)


def frame_preparation():
    """|X[k]| of frames of tone-16k.wav, 0.1 added to the unit scale: mean off, pre-emphasis, symmetric Hamming window."""
    rate, x = unit("tone-16k.wav")
    shifted = (x[:, 0] + 0.1).astype(np.float32)
    cases = []
    for remove_dc, a in [(True, 0), (False, 0.97), (True, 0.97), (True, 1)]:
        frames = reference.whole_frames(shifted.astype(np.float64), 400, 160)
        if remove_dc:
            frames = reference.without_mean(frames)
        frames = reference.pre_emphasized(frames, a) * reference.hamming(400, symmetric=True)
        magnitude = np.abs(reference.spectrum(frames, 512))
        check("prepared frames", frames, kaldi_prepared(shifted, remove_dc, a), FLOAT32)
        cases.append(case(magnitude, (0, 13, 27), file="tone-16k.wav", added=0.1, settings={
            "frame": {"length": 400, "hop": 160, "fft_length": 512, "window": "hamming", "symmetric": True,
                      "align": "start", "remove_dc": remove_dc, "pre_emphasis": a},
            "transform": {"kind": "fft"}, "scale": {"kind": "magnitude"}}))
    whole = shifted.astype(np.float64) - shifted.astype(np.float64).mean()
    filtered = scipy.signal.lfilter([1, -0.97], [1], whole)
    agree("pre-emphasis of the signal", filtered, np.concatenate([whole[:1], whole[1:] - 0.97 * whole[:-1]]))
    frames = reference.whole_frames(filtered, 400, 160) * reference.hamming(400, symmetric=True)
    cases.append(case(np.abs(reference.spectrum(frames, 512)), (0, 27), file="tone-16k.wav", added=0.1, settings={
        "condition": {"remove_dc": True, "pre_emphasis": 0.97},
        "frame": {"length": 400, "hop": 160, "fft_length": 512, "window": "hamming", "symmetric": True, "align": "start"},
        "transform": {"kind": "fft"}, "scale": {"kind": "magnitude"}}))
    return {"cases": cases}


def complex_spectra():
    """Real parts of all bins, then imaginary parts, as librosa.stft: the window in the middle of the fft_length samples."""
    rate, x = unit("tone-16k.wav")
    cases = []
    for length, hop, fft_length, pad, chosen in [
        (400, 160, 512, "zero", (0, 15)), (50, 40, 64, "zero", (0, 1, 2, 40, 119, 120)), (50, 40, 64, "reflect", (0, 1, 119, 120)),
        (33, 20, 51, "zero", (0, 1, 2, 100, 239)), (32, 20, 51, "reflect", (0, 1, 239)), (64, 16, 64, "zero", (0, 2, 300))]:
        frames = reference.centred_frames(x[:, 0], length, hop, fft_length, pad) * reference.hann(length)
        before = (fft_length - length) // 2
        spectrum = reference.spectrum(np.pad(frames, ((0, 0), (before, fft_length - length - before))), fft_length)
        values = np.concatenate([spectrum.real, spectrum.imag], axis=1)
        stft = librosa.stft(x[:, 0], n_fft=fft_length, hop_length=hop, win_length=length,
                            pad_mode="constant" if pad == "zero" else "reflect").T
        check(f"complex {length} {fft_length} {pad}", values, np.concatenate([stft.real, stft.imag], axis=1), FLOAT64)
        by_torch = torch.stft(torch.from_numpy(x[:, 0]), fft_length, hop, length, torch.hann_window(length, dtype=torch.float64),
                              pad_mode="constant" if pad == "zero" else "reflect", return_complex=True).numpy().T
        check(f"complex {length} {fft_length} {pad}", values, np.concatenate([by_torch.real, by_torch.imag], axis=1), FLOAT64)
        cases.append(case(values, chosen, file="tone-16k.wav", settings={
            "frame": {"length": length, "hop": hop, "fft_length": fft_length, "window": "hann", "align": "center", "pad": pad},
            "transform": {"kind": "fft"}, "scale": {"kind": "complex"}}))
    return {"cases": cases}


FILES = {
    "preset-musical-spectrum.json": preset_musical_spectrum, "preset-live-waveform.json": preset_live_waveform,
    "preset-librosa-log-mel.json": preset_librosa_log_mel, "preset-librosa-mfcc.json": preset_librosa_mfcc,
    "preset-torchaudio-log-mel.json": preset_torchaudio_log_mel, "preset-torchaudio-mfcc.json": preset_torchaudio_mfcc,
    "preset-kaldi-fbank.json": preset_kaldi_fbank, "preset-kaldi-mfcc.json": preset_kaldi_mfcc,
    "preset-htk-mfcc.json": preset_htk_mfcc, "preset-whisper.json": preset_whisper, "lfcc.json": lfcc, "pcen.json": pcen,
    "deltas.json": deltas, "frame-preparation.json": frame_preparation, "complex.json": complex_spectra,
}

if __name__ == "__main__":
    make_goldens.main("Makes the golden files of presets and their steps.", RECORDINGS, FILES, GENERATOR)
