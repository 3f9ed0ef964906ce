"""audioFlux: log-mel by its BFT, made once. Its frames are as long as the transform, 512 samples; it has no other length."""
import worker

import audioflux  # noqa: E402
import numpy as np  # noqa: E402
from audioflux.type import (  # noqa: E402
    SpectralDataType, SpectralFilterBankNormalType, SpectralFilterBankScaleType, SpectralFilterBankStyleType, WindowType)


def make(arguments):
    mel = audioflux.BFT(
        num=80, radix2_exp=9, samplate=arguments.rate, low_fre=0.0, high_fre=8000.0, window_type=WindowType.HANN,
        slide_length=160, scale_type=SpectralFilterBankScaleType.MEL, style_type=SpectralFilterBankStyleType.SLANEY,
        normal_type=SpectralFilterBankNormalType.AREA, data_type=SpectralDataType.POWER)

    def log_mel(samples, rate):
        return np.log(np.maximum(mel.bft(samples, result_type=1), np.float32(1e-10))).T

    return log_mel


if __name__ == "__main__":
    worker.main(make, ["audioflux", "numpy"])
