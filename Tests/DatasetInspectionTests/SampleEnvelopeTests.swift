import FeatureModel
import TestSupport
import Testing

@testable import DatasetInspection

struct SampleEnvelopeTests {
    @Test(arguments: [2, 64, 1 << 20])
    func `stretches hold the least and the greatest of their samples`(most: Int) {
        var random = RandomSource(seed: 5)
        let samples = random.samples(10_001)
        var accumulator = EnvelopeAccumulator(maximumStretches: most)
        for start in stride(from: 0, to: samples.count, by: 777) {
            samples[start..<min(start + 777, samples.count)].withUnsafeBufferPointer { accumulator.add($0) }
        }
        let envelope = accumulator.finish(start: 2, rate: 1000)
        let length = Int((envelope.step * 1000).rounded())
        #expect(envelope.minima.count <= most && envelope.minima.count == (samples.count + length - 1) / length)
        for index in envelope.minima.indices {
            let block = samples[index * length..<min((index + 1) * length, samples.count)]
            #expect(envelope.minima[index] == block.min() && envelope.maxima[index] == block.max())
        }
        #expect(envelope.extremes(from: 1.9, to: 30) == samples.min().flatMap { low in samples.max().map { low...$0 } })
        #expect(envelope.extremes(from: 0, to: 2) == nil && envelope.extremes(from: 40, to: 50) == nil)
    }

    @Test func `times between stretches take in those that they touch, and no neighbour`() {
        let envelope = SampleEnvelope(start: 0, step: 0.1, minima: [0, 1, 2, 3], maxima: [0, 1, 2, 3])
        #expect(envelope.extremes(from: 0.1, to: 0.3) == 1...2)
        #expect(envelope.extremes(from: 0.15, to: 0.16) == 1...1)
        #expect(envelope.extremes(from: 0.3, to: 9) == 3...3)
        #expect(envelope.shifted(by: 1).extremes(from: 1.15, to: 1.25) == 1...2)
        #expect(envelope.peak == 3)
    }

    @Test func `a recording's envelope is that of its samples`() throws {
        var random = RandomSource(seed: 6)
        let left = WaveFile.quantized(random.samples(4000).map { $0 / 2 })
        let right = WaveFile.quantized(random.samples(4000).map { $0 / 2 })
        let folder = try TemporaryFolder()
        let path = try folder.writeWave([left, right], sampleRate: 8000, to: "a.wav")
        let second = try SampleEnvelope.read(path: path, segment: Segment(start: 0.1, end: 0.3), channel: 1)
        #expect(second.start == 0.1 && second.minima == Array(right[800..<2400]))
        #expect(try SampleEnvelope.read(path: path, channels: .first).maxima == left)
        #expect(throws: ClipFailure.self) { try SampleEnvelope.read(path: folder.path("b.wav")) }
    }

    @Test func `a long recording's features are means of those of its frames`() throws {
        var random = RandomSource(seed: 8)
        let folder = try TemporaryFolder()
        let path = try folder.writeWave([random.samples(16_000)], sampleRate: 16_000, to: "a.wav")
        let configuration = try Preset.mixerFFT.configuration()
        let whole = try RecordingFeatures(path: path, configuration: configuration)
        let reduced = try RecordingFeatures(path: path, configuration: configuration, maximumValues: 256 * 8)
        #expect(whole.framesPerRow == 1 && reduced.framesPerRow == 4 && reduced.matrix.rows == 8)
        #expect(reduced.framePeriod == 4 * whole.framePeriod)
        #expect(abs(reduced.firstFrameTime - (whole.firstFrameTime + 1.5 * whole.framePeriod)) < 1e-12)
        for bin in [0, 100, 255] {
            let mean = (4..<8).map { Double(whole.matrix[$0, bin]) }.reduce(0, +) / 4
            #expect(abs(Double(reduced.matrix[1, bin]) - mean) < 1e-6)
        }
    }

    @Test func `the newest frames of a recording are its own, and have their times`() throws {
        var random = RandomSource(seed: 9)
        let folder = try TemporaryFolder()
        let path = try folder.writeWave([random.samples(16_000)], sampleRate: 16_000, to: "a.wav")
        let configuration = try Preset.mixerFFT.configuration()
        let whole = try RecordingFeatures(path: path, configuration: configuration)
        for (most, newest, rows) in [(1 << 25, 5, 5), (256 * 3, 5, 3), (1 << 25, 1000, whole.matrix.rows)] {
            let last = try RecordingFeatures(
                path: path, configuration: configuration, maximumValues: most, newest: newest)
            #expect(last.matrix.values == Array(whole.matrix.values.suffix(rows * 256)))
            #expect(last.framesPerRow == 1 && last.frameCount == whole.matrix.rows)
            let first = whole.firstFrameTime + Double(whole.matrix.rows - rows) * whole.framePeriod
            #expect(abs(last.firstFrameTime - first) < 1e-12)
        }
    }
}
