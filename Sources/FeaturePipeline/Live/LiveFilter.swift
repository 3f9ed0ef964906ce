import AudioDecoding
import FeatureModel
import SignalProcessing

/// Filters samples and writes them on, in the format in which they came: one worker's own.
///
/// Every channel by itself, in pages of 1024 samples, as `RecordingFilter` does; a page goes out as soon as it is full.
final class LiveFilter {
    private let input: LiveInput
    private let equalizer: LiveEqualizer
    private let output: LiveDescriptor
    private let cancellation: Cancellation
    private let filters: [DCTFilter]
    private var band: LiveEqualizer.Band
    private var channel: [Float] = []
    private var filtered: [Float] = []
    private var numbers: [Int32] = []
    private var bytes: [UInt8] = []

    /// Samples that had to be cut to full scale.
    private(set) var clippedSamples = 0

    /// - Throws: `SignalError` where memory is not to be had.
    init(
        _ input: LiveInput, equalizer: LiveEqualizer, output: LiveDescriptor, cancellation: Cancellation
    ) throws(SignalError) {
        self.input = input
        self.equalizer = equalizer
        self.output = output
        self.cancellation = cancellation
        let band = equalizer.band
        self.band = band
        var filters: [DCTFilter] = []
        for _ in 0..<input.format.channels {
            filters.append(try DCTFilter(DCTEnvelope(band.mode, bins: band.bins)))
        }
        self.filters = filters
    }

    /// Writes what stands before the samples: the input's own header, or for a recording one that leaves the length open.
    ///
    /// - Returns: False where nobody reads.
    func begin() -> Bool {
        switch input.source {
        case .bytes(_, _, _, let header): bytes = header
        case .recording: bytes = WaveStreamHeader.open(input.format)
        }
        return send()
    }

    /// Takes samples, interleaved, and writes the pages that they complete.
    ///
    /// - Returns: False where nobody reads any more.
    /// - Throws: `LiveError.input` for samples that are too large.
    func push(_ samples: UnsafeBufferPointer<Float>) throws(LiveError) -> Bool {
        let wanted = equalizer.band
        if wanted != band {
            band = wanted
            let envelope = DCTEnvelope(band.mode, bins: band.bins)
            for filter in filters { filter.setEnvelope(envelope) }
        }
        let channels = filters.count
        let frames = samples.count / channels
        return try write { number, filter, receive in
            channel.removeAll(keepingCapacity: true)
            for frame in 0..<frames { channel.append(samples[frame * channels + number]) }
            channel.withUnsafeBufferPointer { filter.push($0, receive: receive) }
            filter.flush(receive: receive)
        }
    }

    /// Writes what is left.
    ///
    /// - Returns: False where nobody reads any more.
    /// - Throws: As `push`.
    func finish() throws(LiveError) -> Bool { try write { _, filter, receive in filter.finish(receive: receive) } }

    /// Lets every filter hand over its samples, and writes them.
    private func write(
        _ run: (Int, DCTFilter, (UnsafeBufferPointer<Float>) -> Void) -> Void
    ) throws(LiveError) -> Bool {
        let channels = filters.count
        var total = 0
        for (number, filter) in filters.enumerated() {
            var place = number
            run(number, filter) { piece in
                // All channels hand over as many, so that the first makes room for all.
                let end = place + (piece.count - 1) * channels + (channels - number)
                if filtered.count < end {
                    filtered.append(contentsOf: repeatElement(0, count: end - filtered.count))
                }
                for sample in piece {
                    filtered[place] = sample
                    place += channels
                }
            }
            total = place - number
        }
        guard total > 0 else { return true }
        guard filtered.withUnsafeBufferPointer({ firstNonFinite(UnsafeBufferPointer(rebasing: $0[..<total])) }) == nil
        else {
            let reason = "the samples are too large for the sums of a filter in single precision"
            throw .input(name: input.name, failure: ClipFailure(.condition, reason))
        }
        if numbers.count < total { numbers.append(contentsOf: repeatElement(0, count: total - numbers.count)) }
        bytes.removeAll(keepingCapacity: true)
        let encoding = input.format.encoding
        clippedSamples += filtered.withUnsafeBufferPointer { filtered in
            numbers.withUnsafeMutableBufferPointer { numbers in
                guard let room = numbers.baseAddress else { return 0 }
                return encoding.encode(UnsafeBufferPointer(rebasing: filtered[..<total]), room: room, into: &bytes)
            }
        }
        return send()
    }

    private func send() -> Bool { bytes.withUnsafeBytes { output.write($0, cancellation) } }
}

extension WaveStreamHeader {
    /// A header for samples of which nobody knows yet how many there will be.
    static func open(_ format: LiveFormat) -> [UInt8] {
        var bytes: [UInt8] = []
        func append(_ text: String) { bytes += Array(text.utf8) }
        func append(_ number: Int, bytes count: Int) {
            for byte in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * byte))) }
        }
        let isFloat = format.encoding == .f32le || format.encoding == .f64le
        append("RIFF")
        append(0xFFFF_FFFF, bytes: 4)
        append("WAVEfmt ")
        append(16, bytes: 4)
        append(isFloat ? 3 : 1, bytes: 2)
        append(format.channels, bytes: 2)
        append(format.sampleRate, bytes: 4)
        append(format.sampleRate * format.frameBytes, bytes: 4)
        append(format.frameBytes, bytes: 2)
        append(8 * format.encoding.bytes, bytes: 2)
        append("data")
        append(0xFFFF_FFFF, bytes: 4)
        return bytes
    }
}
