"""SciPy and soxr: DCT-II spectrograms, a clip's frames at once, as none of the audio libraries has them."""
import worker

import numpy as np  # noqa: E402
import scipy.fft  # noqa: E402
import scipy.signal  # noqa: E402
import soxr  # noqa: E402


def make(arguments):
    window = scipy.signal.get_window("hann", 1024).astype(np.float32)

    def spectrogram(samples, rate):
        if rate != arguments.rate:
            samples = soxr.resample(samples, rate, arguments.rate, quality="HQ")
        frames = np.lib.stride_tricks.sliding_window_view(samples, 1024)[::512] * window
        values = scipy.fft.dct(frames, type=2, overwrite_x=True)
        np.square(values, out=values)
        np.maximum(values, np.float32(1e-10), out=values)
        np.log10(values, out=values)
        values *= 10
        return values

    return spectrogram


if __name__ == "__main__":
    worker.main(make, ["scipy", "soxr"])
