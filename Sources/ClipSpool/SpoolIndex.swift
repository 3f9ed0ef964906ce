import Synchronization

/// The entry of each clip of a manifest, in twelve bytes a clip. Safe to use from any number of threads.
package final class SpoolIndex: Sendable {
    private struct Entries {
        var locations: [UInt64]
        var rows: [Int32]

        /// Adds clips that are not done, so that there are `count` or more.
        mutating func grow(to count: Int) {
            let (location, none) = SpoolEntry.pending.packed
            while locations.count < count {
                locations.append(location)
                rows.append(none)
            }
        }

        subscript(clip: Int) -> SpoolEntry {
            get { SpoolEntry(location: locations[clip], rows: rows[clip]) }
            set { (locations[clip], rows[clip]) = newValue.packed }
        }

        func reduce<Result>(
            _ clips: Range<Int>? = nil, into result: Result, _ add: (inout Result, SpoolEntry) -> Void
        ) -> Result {
            var result = result
            for clip in clips ?? locations.indices { add(&result, self[clip]) }
            return result
        }
    }

    private let entries: Mutex<Entries>

    /// An index of clips of another one.
    ///
    /// - Parameter clips: For each clip its number in `other`; no number twice.
    package init(_ clips: [Int], of other: SpoolIndex) {
        entries = Mutex(
            other.entries.withLock { entries in
                Entries(locations: clips.map { entries.locations[$0] }, rows: clips.map { entries.rows[$0] })
            })
    }

    /// Adds clips that are not done, so that there are `count` or more.
    package func grow(to count: Int) { entries.withLock { $0.grow(to: count) } }

    /// Number of clips.
    package var count: Int { entries.withLock { $0.locations.count } }

    /// An index of clips none of which is done.
    package init(clips: Int) {
        let (location, rows) = SpoolEntry.pending.packed
        entries = Mutex(
            Entries(locations: Array(repeating: location, count: clips), rows: Array(repeating: rows, count: clips)))
    }

    /// The entry of a clip of the manifest, counted from 0.
    package subscript(clip: Int) -> SpoolEntry {
        get { entries.withLock { $0[clip] } }
        set { entries.withLock { $0[clip] = newValue } }
    }

    /// Forgets all clips but those kept unchanged from an existing feature file.
    package func forgetSpooled() {
        entries.withLock { entries in
            for clip in entries.locations.indices where !entries[clip].isInFeatureFile { entries[clip] = .pending }
        }
    }

    /// Notes what an interrupted run left. Clips that are not of the manifest are ignored.
    package func note(_ found: SpoolScan.Entry) {
        entries.withLock { entries in
            switch found {
            case .finished(let clip, let position, let rows, _) where entries.locations.indices.contains(clip):
                if rows <= Int(Int32.max) { entries[clip] = .spooled(position, rows: rows) }
            case .failed(let clip, let position) where entries.locations.indices.contains(clip):
                // What failed and was tried again has two records, in files that are read in any order.
                if entries[clip].rows == nil { entries[clip] = .failed(position) }
            default: break
            }
        }
    }

    /// The number of clips to be stored for each number of rows in the file.
    ///
    /// - Parameters:
    ///   - clips: Those that are counted; nil: all.
    ///   - stored: That number, of a clip with a number of rows in the spool.
    package func lengths(of clips: Range<Int>? = nil, _ stored: (Int) -> Int) -> [Int: Int] {
        entries.withLock { entries in
            entries.reduce(clips, into: [:]) { lengths, entry in
                if let rows = entry.storedRows(stored) { lengths[rows, default: 0] += 1 }
            }
        }
    }

    /// Clips that are done, failed ones and those of an existing feature file included.
    package var done: Int { count { $0 != .pending } }

    /// Clips that are kept unchanged from an existing feature file.
    package var kept: Int { count(\.isInFeatureFile) }

    private func count(_ isCounted: (SpoolEntry) -> Bool) -> Int {
        entries.withLock { $0.reduce(into: 0) { count, entry in if isCounted(entry) { count += 1 } } }
    }

    /// Where the spool has clips, failed ones included.
    var positions: [SpoolPosition] {
        entries.withLock { $0.reduce(into: []) { positions, entry in entry.position.map { positions.append($0) } } }
    }

    /// Clips, rows and failures altogether, with the rows that clips have in the spool.
    package var totals: (clips: Int, rows: Int, failures: Int) { totals { $0 } }

    /// Clips, rows in the file and failures altogether.
    ///
    /// - Parameters:
    ///   - clips: Those that are counted; nil: all.
    ///   - stored: The number of rows in the file of a clip with a number of rows in the spool.
    package func totals(
        of clips: Range<Int>? = nil, _ stored: (Int) -> Int
    ) -> (clips: Int, rows: Int, failures: Int) {
        entries.withLock { entries in
            entries.reduce(clips, into: (clips: 0, rows: 0, failures: 0)) { totals, entry in
                if let rows = entry.storedRows(stored) {
                    totals.clips += 1
                    totals.rows += rows
                } else if entry != .pending {
                    totals.failures += 1
                }
            }
        }
    }
}
