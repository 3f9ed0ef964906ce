"""librosa: log-mel or FFT spectrograms. The filter bank is made once, which librosa.feature.melspectrogram does not."""
import worker

import librosa  # noqa: E402
import numpy as np  # noqa: E402
import soxr  # noqa: E402


def make(arguments):
    if arguments.kind == "log-mel":
        bank = librosa.filters.mel(sr=arguments.rate, n_fft=512, n_mels=80, fmin=0, fmax=8000)

        def log_mel(samples, rate):
            # librosa centres the window of 400 in 512 samples: 56 zeros put its frames over the same samples.
            spectrum = librosa.stft(np.pad(samples, 56), n_fft=512, win_length=400, hop_length=160, center=False)
            return np.log(np.maximum(bank @ (spectrum.real**2 + spectrum.imag**2), np.float32(1e-10))).T

        return log_mel

    def spectrogram(samples, rate):
        if rate != arguments.rate:
            # What librosa.resample does by default.
            samples = soxr.resample(samples, rate, arguments.rate, quality="HQ")
        spectrum = librosa.stft(samples, n_fft=1024, hop_length=512, center=False)
        return librosa.power_to_db(spectrum.real**2 + spectrum.imag**2, amin=1e-10, top_db=None).T

    return spectrogram


if __name__ == "__main__":
    worker.main(make, ["librosa", "numpy"])
