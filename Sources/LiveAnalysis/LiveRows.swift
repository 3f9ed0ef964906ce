import Synchronization

/// The last rows of a stream: written by the analysis, read by the display. Neither waits for the other for longer
/// than it takes to copy rows.
package final class LiveRows: Sendable {
    /// Values in a row.
    package let bins: Int
    /// Rows that are kept.
    package let capacity: Int

    private let ring: Mutex<Ring>

    private struct Ring {
        var values: [Float]
        /// Rows that have come since the start.
        var count = 0
    }

    /// Space for `capacity` rows of `bins` values, at least one each.
    init(bins: Int, capacity: Int) {
        self.bins = bins
        self.capacity = max(capacity, 1)
        ring = Mutex(Ring(values: Array(repeating: 0, count: bins * self.capacity)))
    }

    /// Rows that have come since the start.
    package var count: Int { ring.withLock { $0.count } }

    /// Appends whole rows; the oldest go.
    func append(_ rows: UnsafeBufferPointer<Float>) {
        guard let source = rows.baseAddress else { return }
        let (bins, capacity) = (bins, capacity)
        let total = rows.count / bins
        // Rows beyond the capacity would only be overwritten.
        let skipped = max(total - capacity, 0)
        ring.withLock { ring in
            ring.count += skipped
            var done = skipped
            while done < total {
                let index = ring.count % capacity
                let count = min(total - done, capacity - index)
                ring.values.withUnsafeMutableBufferPointer { values in
                    guard let target = values.baseAddress else { return }
                    (target + index * bins).update(from: source + done * bins, count: count * bins)
                }
                ring.count += count
                done += count
            }
        }
    }

    /// Copies the rows that have come after the first `seen`, as far as they are still there.
    ///
    /// - Parameters:
    ///   - seen: How many rows were read, or passed over, before.
    ///   - values: Is made to hold the rows; its memory is used again.
    /// - Returns: How many rows have come since the start, those in `values` being the last.
    package func read(after seen: Int, into values: inout [Float]) -> Int {
        values.removeAll(keepingCapacity: true)
        return ring.withLock { ring in
            let first = max(seen, ring.count - capacity)
            guard first < ring.count else { return ring.count }
            let (start, end) = (first % capacity, (ring.count - 1) % capacity + 1)
            if start < end {
                values.append(contentsOf: ring.values[start * bins..<end * bins])
            } else {
                values.append(contentsOf: ring.values[(start * bins)...])
                values.append(contentsOf: ring.values[..<(end * bins)])
            }
            return ring.count
        }
    }
}
