import FileIO
import Synchronization

/// The numbers of the clips of each recording. Paths are compared by their hashes: of 2⁶⁴, two are hardly ever equal, and then clips of
/// another recording are drawn as marks.
struct RecordingNumbers: Sendable {
    private var numbers: [UInt64: [Int32]] = [:]

    private mutating func add(_ path: String, _ number: Int) {
        numbers[Self.hash(path), default: []].append(Int32(clamping: number))
    }

    private static func hash(_ path: String) -> UInt64 { Array(path.utf8).withUnsafeBytes { xxh3($0) } }

    /// Those of one recording.
    ///
    /// - Parameter all: Passes on the paths and numbers of all clips, the first time.
    static func of(
        _ path: String, _ known: borrowing Mutex<RecordingNumbers?>,
        all: ((String, Int) -> Void) throws -> Void
    ) throws -> [Int] {
        if known.withLock({ $0 == nil }) {
            var found = RecordingNumbers()
            try all { found.add($0, $1) }
            known.withLock { [found] in $0 = found }
        }
        return known.withLock { $0?.numbers[hash(path)] ?? [] }.map(Int.init)
    }
}
