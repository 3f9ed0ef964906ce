import FeatureModel
import Platform
import SignalProcessing

/// Lays the rows of channels side by side: row r of a clip is row r of channel 0, of channel 1 …
///
/// Channels hand over rows in the same pieces, one channel after another; the pieces are not divided or joined, so that sums over
/// them are those of each channel alone. Not safe to use from two threads at once.
final class ChannelRows {
    private let bins: Int
    private let waiting: [GrowingBuffer]
    /// Rows of each piece of the first channel.
    private var pieces: [Int] = []
    private var joined: [Float] = []
    private var hasMemory = true

    init(channels: Int, bins: Int) {
        self.bins = bins
        waiting = (0..<channels).map { _ in GrowingBuffer() }
    }

    /// Discards all rows.
    func reset() {
        for buffer in waiting { buffer.removeAll() }
        pieces.removeAll()
        hasMemory = true
    }

    /// Takes a piece of a channel.
    func add(_ rows: UnsafeBufferPointer<Float>, of channel: Int) {
        if channel == 0 { pieces.append(rows.count / bins) }
        if !waiting[channel].append(rows) { hasMemory = false }
    }

    /// Passes on the pieces that all channels have, each with the channels' values side by side.
    ///
    /// - Throws: What `receive` throws; `ClipFailure` where memory ran out.
    func pass(_ receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void) throws(ClipFailure) {
        guard hasMemory else {
            throw .cannotRead(
                SystemCallError(code: ENOMEM, message: "no memory for the rows of all channels", isFault: true))
        }
        let available = (waiting.map(\.count).min() ?? 0) / bins
        var done = 0
        var taken = 0
        for piece in pieces {
            guard done + piece <= available else { break }
            joined.removeAll(keepingCapacity: true)
            for row in done..<done + piece {
                for buffer in waiting { joined += buffer.values[row * bins..<(row + 1) * bins] }
            }
            done += piece
            taken += 1
            try joined.withUnsafeBufferPointer { rows throws(ClipFailure) in try receive(rows) }
        }
        guard done > 0 else { return }
        pieces.removeFirst(taken)
        for buffer in waiting { buffer.removeFirst(done * bins) }
    }
}
