import Concurrency
import FeatureModel
import FileIO
import TestSupport
import Testing

@testable import AudioDecoding
@testable import ClipFeatures

struct RecordingSamplesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func samples(
        _ name: String, rate: Int? = nil, channels: ChannelSelection = .mix, segment: Segment? = nil,
        expected: Checksum128? = nil
    ) throws -> RecordingSamples {
        try RecordingSamples(
            path: folder.path(name), segment: segment, AudioConfiguration(sampleRate: rate, channels: channels),
            expected: expected)
    }

    private func all(_ samples: RecordingSamples) throws -> [Float] {
        var found: [Float] = []
        _ = try samples.read(cancellation: Cancellation()) { found += $0 }
        return found
    }

    @Test(arguments: [1, 2, 3], [16_000, 8000, 22_050, nil])
    func `channels side by side are those that are read alone`(count: Int, rate: Int?) throws {
        var random = RandomSource(seed: 5)
        let input = (0..<count).map { _ in random.samples(40_001) }
        try folder.writeWave(input, sampleRate: 16_000, encoding: .float32, to: "a.wav")
        let opened = try samples("a.wav", rate: rate, channels: .all)
        #expect(opened.channels == count && opened.sampleRate == rate ?? 16_000)
        let joined = try all(opened)
        for channel in 0..<count {
            let alone = try all(samples("a.wav", rate: rate, channels: .number(channel)))
            #expect(alone.count == joined.count / count)
            #expect(alone == stride(from: channel, to: joined.count, by: count).map { joined[$0] })
            if rate == nil || rate == 16_000 { #expect(alone == input[channel]) }
        }
    }

    @Test func `samples with another checksum than the expected one are refused after the last`() throws {
        var random = RandomSource(seed: 6)
        let input = [random.samples(30_000), random.samples(30_000)]
        try folder.writeWave(input, sampleRate: 16_000, encoding: .float32, to: "a.wav")
        let interleaved = (0..<60_000).map { input[$0 % 2][$0 / 2] }
        let checksum = interleaved.withUnsafeBytes { XXH3Hash128.checksum(of: $0) }
        // It is that of all channels before they are mixed and resampled.
        #expect(try all(samples("a.wav", rate: 8000, expected: checksum)).count == 15_000)
        let other = Checksum128(high: 0, low: 1)
        let refused = try samples("a.wav", expected: other)
        var count = 0
        #expect(throws: SamplesError.changed(path: folder.path("a.wav"), expected: other, found: checksum)) {
            _ = try refused.read(cancellation: Cancellation()) { count += $0.count }
        }
        #expect(count == 30_000)
    }

    @Test func `a part has the checksum of its own samples`() throws {
        var random = RandomSource(seed: 7)
        let input = random.samples(16_000)
        try folder.writeWave([input], sampleRate: 16_000, encoding: .float32, to: "a.wav")
        let part = Array(input[4000..<8000])
        let checksum = part.withUnsafeBytes { XXH3Hash128.checksum(of: $0) }
        #expect(try all(samples("a.wav", segment: Segment(start: 0.25, end: 0.5), expected: checksum)) == part)
    }

    @Test func `an error of the receiver is passed on, and so is a request to stop`() throws {
        struct Full: Error, Equatable {}
        try folder.writeWave(
            [[Float](repeating: 0.1, count: 40_000)], sampleRate: 16_000, encoding: .float32, to: "a.wav")
        let opened = try samples("a.wav")
        #expect(throws: Full()) { _ = try opened.read(cancellation: Cancellation()) { _ in throw Full() } }
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(throws: SamplesError.cancelled) { _ = try opened.read(cancellation: cancellation) { _ in } }
        #expect(throws: SamplesError.self) { _ = try samples("none.wav") }
        #expect(try all(opened).count == 40_000)
    }
}
