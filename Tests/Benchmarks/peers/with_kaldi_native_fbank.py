"""kaldi-native-fbank: log-mel by OnlineFbank, which takes lists of numbers and gives a frame at a time."""
import worker

import kaldi_native_fbank  # noqa: E402
import numpy as np  # noqa: E402


def make(arguments):
    options = kaldi_native_fbank.FbankOptions()
    options.frame_opts.samp_freq = arguments.rate
    options.frame_opts.dither = 0
    options.mel_opts.num_bins = 80

    def log_mel(samples, rate):
        computer = kaldi_native_fbank.OnlineFbank(options)
        computer.accept_waveform(rate, samples.tolist())
        computer.input_finished()
        rows = np.empty((computer.num_frames_ready, 80), np.float32)
        for frame in range(len(rows)):
            rows[frame] = computer.get_frame(frame)
        return rows

    return log_mel


if __name__ == "__main__":
    worker.main(make, ["kaldi-native-fbank", "numpy"])
