import ClipSpool
import FeatureStorage
import Synchronization

/// Where each clip of the manifest stands in the spool: twelve bytes a clip.
package final class SpoolIndex: Sendable {
    private struct Entries {
        var positions: [SpoolPosition]
        /// Number of rows; −1: failed, or not done yet; −2: rejected.
        var rows: [Int32]
    }

    private let entries: Mutex<Entries>

    /// An index of clips none of which is done.
    package init(clips: Int) {
        entries = Mutex(
            Entries(
                positions: Array(repeating: .none, count: clips), rows: Array(repeating: -1, count: clips)))
    }

    /// Notes a finished clip.
    package func finish(_ clip: Int, at position: SpoolPosition, rows: Int32) {
        entries.withLock {
            $0.positions[clip] = position
            $0.rows[clip] = rows
        }
    }

    /// Notes a clip that stays as it is in an existing feature file.
    package func keep(_ clip: Int, place: Int, rows: Int32) { finish(clip, at: .kept(place), rows: rows) }

    /// Notes a failed clip.
    package func fail(_ clip: Int, at position: SpoolPosition) {
        entries.withLock {
            $0.positions[clip] = position
            $0.rows[clip] = -1
        }
    }

    /// Forgets that a clip is done.
    package func forget(_ clip: Int) {
        entries.withLock {
            $0.positions[clip] = .none
            $0.rows[clip] = -1
        }
    }

    /// Forgets all clips but those that stay as they are in an existing feature file.
    package func forgetSpooled() {
        entries.withLock { entries in
            for clip in entries.positions.indices where entries.positions[clip].keptPlace == nil {
                entries.positions[clip] = .none
                entries.rows[clip] = -1
            }
        }
    }

    /// Notes what an interrupted run has left. Clips that are not of the manifest count for nothing.
    package func note(_ entry: SpoolScan.Entry, clips: Int) {
        switch entry {
        case .finished(let clip, let position, let rows, _) where (0..<clips).contains(clip):
            if let rows = Int32(exactly: rows) { finish(clip, at: position, rows: rows) }
        case .failed(let clip, let position) where (0..<clips).contains(clip):
            // What failed and was tried again has two records, in files that are read in any order.
            if self.entry(clip).rows == nil { fail(clip, at: position) }
        default: break
        }
    }

    /// Whether a clip is done, be it as a failure.
    package func isDone(_ clip: Int) -> Bool { entries.withLock { $0.positions[clip] != .none } }

    /// Notes that a finished clip is not to be stored.
    package func reject(_ clip: Int) { entries.withLock { $0.rows[clip] = -2 } }

    /// Where a clip stands, and its number of rows; nil rows: it has failed or, though it is finished, was rejected.
    package func entry(_ clip: Int) -> (position: SpoolPosition, rows: Int?, isRejected: Bool) {
        entries.withLock {
            ($0.positions[clip], $0.rows[clip] >= 0 ? Int($0.rows[clip]) : nil, $0.rows[clip] == -2)
        }
    }

    /// The number of clips to be stored for each number of rows.
    package var lengths: [Int: Int] {
        entries.withLock { entries in
            var lengths: [Int: Int] = [:]
            for rows in entries.rows where rows >= 0 { lengths[Int(rows), default: 0] += 1 }
            return lengths
        }
    }

    /// Clips that are done, failed ones and those of an existing feature file included.
    package var done: Int { entries.withLock { $0.positions.count { $0 != .none } } }

    /// Clips that stay as they are in an existing feature file.
    package var kept: Int { entries.withLock { $0.positions.count { $0.keptPlace != nil } } }

    /// Clips, rows and failures altogether.
    package var totals: (clips: Int, rows: Int, failures: Int) {
        entries.withLock { entries in
            var totals = (clips: 0, rows: 0, failures: 0)
            for (rows, position) in zip(entries.rows, entries.positions) where position != .none {
                if rows >= 0 {
                    totals.clips += 1
                    totals.rows += Int(rows)
                } else {
                    totals.failures += 1
                }
            }
            return totals
        }
    }
}
