import FeatureStorage
import Synchronization

/// Where each clip of the manifest stands in the spool: twelve bytes a clip.
final class SpoolIndex: Sendable {
    private struct Entries {
        var positions: [SpoolPosition]
        /// Number of rows; −1: failed, or not done yet; −2: rejected.
        var rows: [Int32]
    }

    private let entries: Mutex<Entries>

    /// An index of clips none of which is done.
    init(clips: Int) {
        entries = Mutex(
            Entries(
                positions: Array(repeating: .none, count: clips), rows: Array(repeating: -1, count: clips)))
    }

    /// Notes a finished clip.
    func finish(_ clip: Int, at position: SpoolPosition, rows: Int32) {
        entries.withLock {
            $0.positions[clip] = position
            $0.rows[clip] = rows
        }
    }

    /// Notes a failed clip.
    func fail(_ clip: Int, at position: SpoolPosition) { entries.withLock { $0.positions[clip] = position } }

    /// Notes that a finished clip is not to be stored.
    func reject(_ clip: Int) { entries.withLock { $0.rows[clip] = -2 } }

    /// Where a clip stands, and its number of rows; nil rows: it has failed or, though it is finished, was rejected.
    func entry(_ clip: Int) -> (position: SpoolPosition, rows: Int?, isRejected: Bool) {
        entries.withLock {
            ($0.positions[clip], $0.rows[clip] >= 0 ? Int($0.rows[clip]) : nil, $0.rows[clip] == -2)
        }
    }

    /// The number of clips to be stored for each number of rows.
    var lengths: [Int: Int] {
        entries.withLock { entries in
            var lengths: [Int: Int] = [:]
            for rows in entries.rows where rows >= 0 { lengths[Int(rows), default: 0] += 1 }
            return lengths
        }
    }

    /// Clips, rows and failures altogether.
    var totals: (clips: Int, rows: Int, failures: Int) {
        entries.withLock { entries in
            var totals = (clips: 0, rows: 0, failures: 0)
            for rows in entries.rows {
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
