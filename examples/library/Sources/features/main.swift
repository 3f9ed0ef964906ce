// The library without the program: samples in, a feature matrix out.
import FeatureModel
import Foundation
import SignalProcessing

// A second of a 440 Hz tone at 16 kHz, full scale ±1.
let samples = (0..<16_000).map { Float(sin(2 * Double.pi * 440 * Double($0) / 16_000)) }

// The five lines.
let configuration = try Preset.logMel.configuration()
let plan = try FeaturePlan(configuration, sampleRate: 16_000)
let features = try plan.features(of: samples)
let loudest = features[row: 0].indices.max { features.values[$0] < features.values[$1] } ?? 0
print("\(features.rows) frames × \(features.bins) bands, loudest at \(Int(plan.frequencies[loudest].rounded())) Hz")

// The same from a stream, in pieces of any size: equal to the last bit, with memory that does not grow.
let stream = try FeatureStream(plan)
var streamed: [Float] = []
for start in stride(from: 0, to: samples.count, by: 700) {
    streamed += stream.push(Array(samples[start..<min(start + 700, samples.count)])).values
}
streamed += stream.finish().values
print("streamed in pieces: \(streamed == features.values ? "equal" : "different")")
