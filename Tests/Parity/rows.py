"""The rows of the table: what Veery is asked for, on clips of which rates, and what that is compared with."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import peers
import reference
from clips import COUNTS


@dataclass(frozen=True)
class Row:
    name: str
    arguments: tuple[str, ...]
    rates: tuple[int, ...]
    reference: Callable
    peer: Callable | None = None
    peer_name: str = ""
    first_channel: bool = False
    # Veery resamples; the reference starts from what soxr (the Python package) makes of the clip.
    resampled_to: int | None = None
    # The peer's definition where it is not the one that Veery follows; the note says what differs.
    quirk: Callable | None = None


def preset(name, *settings):
    return ("--preset", name, *(part for setting in settings for part in ("--set", setting)))


ALL = tuple(COUNTS)
EVEN = tuple(rate for rate in ALL if rate % 2 == 0)
AT_16K, AT_11K = (16000,), (11025,)
KALDI_8K = ("audio.sample_rate=8000", "frame.length=200", "frame.hop=80", "frame.fft_length=256")
PCEN = ("transform.bins=40", "transform.spectrum=magnitude", "scale.kind=pcen", "scale.top_db=null")
LFCC = ("transform.kind=lfcc", "transform.bins=40", "transform.bands=128")
COMPLEX = ("transform.kind=fft", "scale.kind=complex", "scale.top_db=null")

LIBROSA = f"librosa {peers.VERSIONS['librosa']}"
TORCHAUDIO = f"torchaudio {peers.VERSIONS['torchaudio'].split('+')[0]}"
TORCHAUDIO_64 = TORCHAUDIO + " in float64"
KALDI = f"kaldi-native-fbank {peers.VERSIONS['kaldi-native-fbank']}"
WHISPER = f"openai-whisper {peers.VERSIONS['whisper']}"


def torchaudio_rows(name, definition, peer):
    return [
        Row(name, preset(name), EVEN, definition, peer, TORCHAUDIO),
        Row(name, preset(name), EVEN, definition, partial(peers.in_float64, peer), TORCHAUDIO_64),
        Row(f"{name} at 11,025 Hz", preset(name), AT_11K, definition, partial(peers.in_float64, peer), TORCHAUDIO_64,
            quirk=partial(definition, nyquist=11025 // 2)),
    ]


def kaldi_rows(name, definition, peer):
    return [
        Row(name, preset(name), AT_16K, definition, peer, KALDI, first_channel=True),
        Row(f"{name}, snip-edges=false", preset(name, "frame.align=kaldi"), AT_16K, partial(definition, mirror=True),
            partial(peer, mirror=True), KALDI, first_channel=True),
        Row(f"{name} at 8 kHz", preset(name, *KALDI_8K), (8000,), definition, peer, KALDI, first_channel=True),
    ]


ROWS = [
    Row("log-mel", preset("log-mel"), AT_16K, reference.log_mel, peers.log_mel, LIBROSA),
    Row("log-mel, resampled by Veery", preset("log-mel"), tuple(rate for rate in ALL if rate != 16000), reference.log_mel,
        resampled_to=16000),
    Row("spectrogram", preset("spectrogram"), ALL, reference.spectrogram),
    Row("scrolling-dct", preset("scrolling-dct"), ALL, reference.scrolling_dct, first_channel=True),
    Row("mixer-fft", preset("mixer-fft"), ALL, reference.mixer_fft),
    Row("musical-spectrum", preset("musical-spectrum"), AT_11K, reference.musical_spectrum),
    Row("musical-spectrum, 2048 bins", preset("musical-spectrum", "transform.kind=fft"), AT_11K,
        reference.musical_spectrum_bins),
    Row("live-waveform", preset("live-waveform"), ALL, reference.live_waveform, first_channel=True),
    Row("librosa-log-mel", preset("librosa-log-mel"), ALL, reference.librosa_log_mel, peers.librosa_log_mel, LIBROSA),
    Row("librosa-mfcc", preset("librosa-mfcc"), ALL, reference.librosa_mfcc, peers.librosa_mfcc, LIBROSA),
    Row("librosa.pcen", preset("librosa-log-mel", *PCEN), ALL, reference.librosa_pcen, peers.librosa_pcen, LIBROSA),
    Row("librosa.stft, complex", preset("librosa-log-mel", *COMPLEX), ALL, reference.librosa_stft, peers.librosa_stft, LIBROSA),
    *torchaudio_rows("torchaudio-log-mel", reference.torchaudio_log_mel, peers.torchaudio_log_mel),
    *torchaudio_rows("torchaudio-mfcc", reference.torchaudio_mfcc, peers.torchaudio_mfcc),
    Row("torchaudio LFCC", preset("torchaudio-mfcc", *LFCC), EVEN, reference.torchaudio_lfcc,
        peers.torchaudio_lfcc, TORCHAUDIO),
    *kaldi_rows("kaldi-fbank", reference.kaldi_fbank, peers.kaldi_fbank),
    *kaldi_rows("kaldi-mfcc", reference.kaldi_mfcc, peers.kaldi_mfcc),
    Row("htk-mfcc", preset("htk-mfcc"), AT_16K, reference.htk_mfcc, peers.htk_mfcc, KALDI + " set up as HTK",
        first_channel=True),
    Row("whisper", preset("whisper"), AT_16K, reference.whisper, peers.whisper_log_mel, WHISPER),
    Row("whisper, 128 bands", preset("whisper", "transform.bins=128"), AT_16K, partial(reference.whisper, bands=128),
        partial(peers.whisper_log_mel, bands=128), WHISPER),
]
