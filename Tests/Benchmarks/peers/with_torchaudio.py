"""torchaudio: log-mel or FFT spectrograms, by its transforms, each made once."""
import worker

import torch  # noqa: E402
import torchaudio  # noqa: E402

torch.set_num_threads(1)


def make(arguments):
    torch.set_num_threads(1)
    if arguments.kind == "log-mel":
        # torchaudio centres the window of 400 in 512 samples: 56 zeros put its frames over the same samples.
        mel = torchaudio.transforms.MelSpectrogram(
            arguments.rate, n_fft=512, win_length=400, hop_length=160, pad=56, center=False, n_mels=80, f_min=0,
            f_max=8000, mel_scale="slaney", norm="slaney")

        @torch.inference_mode()
        def log_mel(samples, rate):
            return mel(torch.from_numpy(samples)).clamp_(min=1e-10).log_().T.numpy()

        return log_mel

    resample = torchaudio.transforms.Resample(arguments.source_rate, arguments.rate)
    power = torchaudio.transforms.Spectrogram(n_fft=1024, hop_length=512, center=False)
    decibels = torchaudio.transforms.AmplitudeToDB("power")

    @torch.inference_mode()
    def spectrogram(samples, rate):
        return decibels(power(resample(torch.from_numpy(samples)))).T.numpy()

    return spectrogram


if __name__ == "__main__":
    worker.main(make, ["torchaudio", "torch"])
