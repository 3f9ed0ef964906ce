import AudioDecoding
import FeatureModel
import SignalProcessing

/// A filter for each channel of interleaved samples, for a single thread.
package final class ChannelFilters {
    private let filters: [DCTFilter]
    private var channel: [Float] = []
    private var filtered: [Float] = []

    /// - Parameters:
    ///   - envelope: What each filter multiplies the spectrum by.
    ///   - pages: How each channel is cut into pages.
    ///   - channels: At least one.
    /// - Throws: `SignalError` where memory runs out.
    package init(_ envelope: DCTEnvelope, pages: DCTFilterPages, channels: Int) throws(SignalError) {
        var filters: [DCTFilter] = []
        for _ in 0..<channels { filters.append(try DCTFilter(envelope, pages: pages)) }
        self.filters = filters
    }

    /// Filters by another envelope from the next page on.
    package func setEnvelope(_ envelope: DCTEnvelope) { for filter in filters { filter.setEnvelope(envelope) } }

    /// Takes samples of all channels, and hands over those that are complete, interleaved too.
    ///
    /// - Parameters:
    ///   - samples: Whole frames.
    ///   - lowLatency: Whether a page is handed over as soon as it is full, and not only in a batch.
    ///   - receive: Called with whole frames, valid during the call; not called where there are none.
    /// - Throws: `ClipFailure` for samples that are too large, or what `receive` throws.
    package func push(
        _ samples: UnsafeBufferPointer<Float>, lowLatency: Bool, receive: (UnsafeBufferPointer<Float>) throws -> Void
    ) throws {
        let frames = samples.count / filters.count
        try handOver(to: receive) { number, filter, take in
            grow(&channel, to: frames)
            channel.withUnsafeMutableBufferPointer { channel in
                for frame in 0..<frames { channel[frame] = samples[frame * filters.count + number] }
                filter.push(UnsafeBufferPointer(rebasing: channel[..<frames]), receive: take)
            }
            if lowLatency { filter.flush(receive: take) }
        }
    }

    /// Hands over what is left.
    ///
    /// - Throws: As `push`.
    package func finish(receive: (UnsafeBufferPointer<Float>) throws -> Void) throws {
        try handOver(to: receive) { _, filter, take in filter.finish(receive: take) }
    }

    /// Runs every filter, and interleaves the samples that they hand over.
    private func handOver(
        to receive: (UnsafeBufferPointer<Float>) throws -> Void,
        _ run: (Int, DCTFilter, (UnsafeBufferPointer<Float>) -> Void) -> Void
    ) throws {
        let channels = filters.count
        var total = 0
        for (number, filter) in filters.enumerated() {
            var index = number
            run(number, filter) { piece in
                // All channels hand over the same number of samples, so that the array grows only for the first.
                grow(&filtered, to: index - number + piece.count * channels)
                filtered.withUnsafeMutableBufferPointer { filtered in
                    for sample in piece {
                        filtered[index] = sample
                        index += channels
                    }
                }
            }
            total = index - number
        }
        guard total > 0 else { return }
        try filtered.withUnsafeBufferPointer { filtered in
            let whole = UnsafeBufferPointer(rebasing: filtered[..<total])
            guard firstNonFinite(whole) == nil else { throw ClipFailure.filterOverflow }
            try receive(whole)
        }
    }

    private func grow(_ samples: inout [Float], to count: Int) {
        if samples.count < count { samples.append(contentsOf: repeatElement(0, count: count - samples.count)) }
    }
}
