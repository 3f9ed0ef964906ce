"""The first session of a user of the wheel, run in a system that has nothing else: one line per fact."""

import sys

import numpy as np

import veery

file = veery.open(sys.argv[1])
clip = file[0]
print("clips", len(file))
print("shape", clip.features.shape)

# The same bits in serving: the samples of the recording, through the plan, are the stored rows.
samples = np.frombuffer(open(sys.argv[2], "rb").read()[44:], "<i2").astype(np.float32) / 32768
plan = veery.FeaturePlan("whisper", sample_rate=16_000)
rows = plan.features(samples)
print("equal", np.array_equal(rows, clip.features))

output = sys.argv[1].replace("features", "again")
veery.extract(sys.argv[3], output, preset="whisper")
print("extract", len(veery.open(output)))
