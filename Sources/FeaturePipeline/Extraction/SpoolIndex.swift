import FeatureStorage
import Synchronization

/// Where each clip of the manifest stands in the spool: twelve bytes a clip.
final class SpoolIndex: Sendable {
    private struct Entries {
        var positions: [SpoolPosition]
        /// Number of rows; negative: failed, or not done yet.
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

    /// Where a clip stands, and its number of rows; nil rows: it has failed.
    func entry(_ clip: Int) -> (position: SpoolPosition, rows: Int?) {
        entries.withLock { ($0.positions[clip], $0.rows[clip] >= 0 ? Int($0.rows[clip]) : nil) }
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
