"""lhotse: its log-mel extractor Fbank, with whole frames from the first sample; written without its compression."""
import worker

import torch  # noqa: E402
from lhotse.features.kaldi.extractors import Fbank, FbankConfig  # noqa: E402

torch.set_num_threads(1)


def make(arguments):
    torch.set_num_threads(1)
    extractor = Fbank(FbankConfig(sampling_rate=arguments.rate, num_filters=80, snip_edges=True))

    @torch.inference_mode()
    def log_mel(samples, rate):
        return extractor.extract(samples, rate)

    return log_mel


if __name__ == "__main__":
    worker.main(make, ["lhotse", "torch"])
