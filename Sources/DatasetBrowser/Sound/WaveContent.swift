import AudioDecoding
import PageRequests

/// Sound as a WAV file of 32-bit floating point with one channel.
struct WaveContent: PageContent {
    private let header: [UInt8]
    private let samples: [Float]

    init(_ samples: [Float], sampleRate: Int) {
        self.samples = samples
        header = WaveHeaderBytes.header(
            isFloat: true, sampleBytes: 4, sampleRate: sampleRate, channels: 1, dataBytes: 4 * samples.count)
    }

    var count: Int { header.count + 4 * samples.count }

    func read(_ range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        bytes += header[range.clamped(to: 0..<header.count)]
        let rest = range.clamped(to: header.count..<count)
        guard !rest.isEmpty else { return bytes }
        samples.withUnsafeBytes {
            bytes += UnsafeRawBufferPointer(
                rebasing: $0[rest.lowerBound - header.count..<rest.upperBound - header.count])
        }
        return bytes
    }
}
