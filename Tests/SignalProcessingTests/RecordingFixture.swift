import Foundation
import TestSupport
import Testing

/// A WAV file of the fixtures: 44 bytes of header, then 16-bit PCM.
struct RecordingFixture {
    let sampleRate: Double
    /// Samples on the unit scale, one array for each channel.
    let channels: [[Float]]

    init(_ name: String) throws {
        let bytes = [UInt8](try Data(contentsOf: Fixtures.folder.appending(path: name)))
        func number(at index: Int, bytes count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(bytes[index + $1]) << (8 * $1) }
        }
        try #require(bytes.count > 44 && bytes[..<4] == Array("RIFF".utf8)[...])
        try #require(bytes[36..<40] == Array("data".utf8)[...], "a chunk precedes the samples")
        try #require(number(at: 20, bytes: 2) == 1 && number(at: 34, bytes: 2) == 16, "not 16-bit PCM")
        try #require(number(at: 40, bytes: 4) == bytes.count - 44)
        sampleRate = Double(number(at: 24, bytes: 4))
        let channelCount = number(at: 22, bytes: 2)
        channels = (0..<channelCount).map { channel in
            stride(from: 44 + 2 * channel, to: bytes.count, by: 2 * channelCount).map { index in
                Float(Int16(truncatingIfNeeded: number(at: index, bytes: 2))) / 32_768
            }
        }
    }

    var first: [Float] { channels[0] }

    /// The mean of all channels.
    var mix: [Float] {
        first.indices.map { sample in channels.reduce(0) { $0 + $1[sample] } / Float(channels.count) }
    }
}
