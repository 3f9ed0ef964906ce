import ClipFeatures
import Concurrency
import FeatureModel
import SignalProcessing

/// Filters samples and writes them on, in the format in which they came: one worker's own.
///
/// Every channel by itself, in pages of 1024 samples, as `RecordingFilter` does. A sample goes out as soon as its last page is
/// full, at most a page after it came.
final class LiveFilter {
    private let input: LiveInput
    private let equalizer: LiveEqualizer
    private let output: LiveDescriptor
    private let cancellation: Cancellation
    private let filters: ChannelFilters
    private var band: LiveEqualizer.Band
    private var numbers: [Int32] = []
    private var bytes: [UInt8] = []
    private var header: [UInt8] = []
    /// Offset of the header in a file; nil: it cannot be rewritten.
    private var headerOffset: Int?
    /// Bytes of samples that were written.
    private var writtenBytes = 0

    /// Samples that exceeded full scale and were clipped.
    private(set) var clippedSamples = 0

    /// - Throws: `SignalError` where memory is not to be had.
    init(
        _ input: LiveInput, equalizer: LiveEqualizer, output: LiveDescriptor, cancellation: Cancellation
    ) throws(SignalError) {
        self.input = input
        self.equalizer = equalizer
        self.output = output
        self.cancellation = cancellation
        band = equalizer.band
        filters = try ChannelFilters(
            DCTEnvelope(band.mode, bins: band.bins), pages: equalizer.pages, channels: input.format.channels)
    }

    /// Writes the header before the samples: the input's own, or for a recording one that leaves the length open.
    ///
    /// - Returns: False where the reader has closed its end.
    /// - Throws: `LiveError.unwritable`.
    func start() throws(LiveError) -> Bool {
        switch input.source {
        case .bytes(_, _, _, let given): header = given
        case .recording: header = WaveStreamHeader.open(input.format)
        }
        headerOffset = output.rewritableOffset
        return try send(header)
    }

    /// Takes samples, interleaved, and writes the pages that they complete.
    ///
    /// - Returns: False where the reader has closed its end.
    /// - Throws: `LiveError.input` for samples that are too large, `.unwritable`.
    func push(_ samples: UnsafeBufferPointer<Float>) throws -> Bool {
        let wanted = equalizer.band
        if wanted != band {
            band = wanted
            filters.setEnvelope(DCTEnvelope(band.mode, bins: band.bins))
        }
        return try write { receive in try filters.push(samples, lowLatency: true, receive: receive) }
    }

    /// Writes what is left.
    ///
    /// - Returns: False where the reader has closed its end.
    /// - Throws: As `push`.
    func finish() throws -> Bool { try write { receive in try filters.finish(receive: receive) } }

    /// Writes the final length into the header, where it can be rewritten, and syncs a file to the disk.
    ///
    /// - Throws: `LiveError.unwritable`.
    func close() throws(LiveError) {
        try closeHeader()
        try output.synchronize()
    }

    private func closeHeader() throws(LiveError) {
        guard let headerOffset, let closed = WaveStreamHeader.closed(header, input.format, dataBytes: writtenBytes)
        else { return }
        // A chunk is padded to an even length.
        if writtenBytes % 2 == 1 { _ = try send([0]) }
        try closed.withUnsafeBufferPointer { bytes throws(LiveError) in
            try output.replace(UnsafeRawBufferPointer(bytes), at: headerOffset)
        }
    }

    private func write(_ run: ((UnsafeBufferPointer<Float>) throws -> Void) throws -> Void) throws -> Bool {
        var isRead = true
        do {
            try run { filtered in
                encode(filtered)
                isRead = try send(bytes)
                writtenBytes += bytes.count
            }
        } catch let failure as ClipFailure {
            throw LiveError.input(name: input.name, failure: failure)
        }
        return isRead
    }

    private func encode(_ samples: UnsafeBufferPointer<Float>) {
        if numbers.count < samples.count {
            numbers.append(contentsOf: repeatElement(0, count: samples.count - numbers.count))
        }
        bytes.removeAll(keepingCapacity: true)
        let encoding = input.format.encoding
        clippedSamples += numbers.withUnsafeMutableBufferPointer { numbers in
            guard let scratch = numbers.baseAddress else { return 0 }
            return encoding.encode(samples, scratch: scratch, into: &bytes)
        }
    }

    private func send(_ bytes: [UInt8]) throws(LiveError) -> Bool {
        try bytes.withUnsafeBufferPointer { bytes throws(LiveError) in
            try output.send(UnsafeRawBufferPointer(bytes), cancellation)
        }
    }
}
