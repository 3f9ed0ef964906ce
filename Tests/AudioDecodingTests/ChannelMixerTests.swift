import FeatureModel
import TestSupport
import Testing

@testable import AudioDecoding

struct ChannelMixerTests {
    private func mixed(_ selection: ChannelSelection, _ samples: [Float], channels: Int) throws -> [Float] {
        let mixer = try ChannelMixer(selection, channels: channels)
        let frames = samples.count / channels
        return try samples.withUnsafeBufferPointer { samples in
            let source = try #require(samples.baseAddress)
            return try [Float](unsafeUninitializedCapacity: frames) { buffer, count in
                mixer.apply(source, frames: frames, into: try #require(buffer.baseAddress))
                count = frames
            }
        }
    }

    @Test(arguments: [1, 2, 3, 6, 8])
    func `the mean of any number of channels is right to the last digit`(channels: Int) throws {
        var random = RandomSource(seed: UInt64(channels))
        let samples = random.samples(channels * 33)
        let expected = stride(from: 0, to: samples.count, by: channels).map { start in
            Float(samples[start..<start + channels].reduce(0.0) { $0 + Double($1) } / Double(channels))
        }
        #expect(try mixed(.mix, samples, channels: channels) == expected)
    }

    @Test(arguments: [1, 2, 5])
    func `one channel is taken as it is`(channels: Int) throws {
        var random = RandomSource(seed: 9)
        let samples = random.samples(channels * 17)
        for channel in 0..<channels {
            let expected = stride(from: channel, to: samples.count, by: channels).map { samples[$0] }
            #expect(try mixed(.number(channel), samples, channels: channels) == expected)
        }
        #expect(try mixed(.first, samples, channels: channels) == mixed(.number(0), samples, channels: channels))
        #expect(throws: ClipFailure.self) { try ChannelMixer(.number(channels), channels: channels) }
    }

    @Test func `only a recording of one channel is the signal already`() throws {
        #expect(try ChannelMixer(.mix, channels: 1).isIdentity)
        #expect(try !ChannelMixer(.mix, channels: 2).isIdentity && !ChannelMixer(.first, channels: 2).isIdentity)
    }

    @Test(arguments: [1, 7, 8, 9, 64, 100])
    func `the first number that is not finite is found at every index`(count: Int) {
        for index in 0..<count {
            for bad in [Float.nan, .infinity, -.infinity] {
                var samples = Array(repeating: Float.greatestFiniteMagnitude, count: count)
                samples[index] = bad
                samples[count - 1] = index < count - 1 ? .nan : bad
                #expect(samples.withUnsafeBufferPointer(firstNonFinite) == index)
            }
        }
        let finite: [Float] = Array(repeating: -.greatestFiniteMagnitude, count: count)
        #expect(finite.withUnsafeBufferPointer(firstNonFinite) == nil)
        #expect([Float]().withUnsafeBufferPointer(firstNonFinite) == nil)
    }
}
