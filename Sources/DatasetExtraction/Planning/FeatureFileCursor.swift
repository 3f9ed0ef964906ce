import FeatureModel
import FeatureStorage
import Manifests

/// Finds the clips of a source in a feature file that has them in the same order, each in one of two lists.
struct FeatureFileCursor {
    /// What the file has of a clip.
    enum Found {
        case stored(StoredClip)
        case failed(FailureRecord)
    }

    private static let blockSize = 1024

    private let file: FeatureReader
    private let findsFailures: Bool
    private var stored: ArraySlice<StoredClip> = []
    private var failed: ArraySlice<StoredFailure> = []
    private var (storedRow, failedRow) = (0, 0)

    /// - Parameter findsFailures: Whether failed clips are looked up, too.
    init(_ file: FeatureReader, findsFailures: Bool = true) {
        (self.file, self.findsFailures) = (file, findsFailures)
    }

    /// Whether all stored clips were found.
    var hasFoundAll: Bool { stored.isEmpty && storedRow == file.clipCount }

    /// What the file has of the source's next clip; nil: nothing.
    ///
    /// - Throws: `StorageError`.
    mutating func find(_ clip: Clip) throws(StorageError) -> Found? {
        if stored.isEmpty {
            stored = try file.clips(storedRow..<min(storedRow + Self.blockSize, file.clipCount))[...]
            storedRow += stored.count
        }
        if let known = stored.first, known.id.utf8.elementsEqual(clip.id.utf8) {
            stored.removeFirst()
            return .stored(known)
        }
        guard findsFailures else { return nil }
        if failed.isEmpty {
            failed = try file.failures(failedRow..<min(failedRow + Self.blockSize, file.failureCount))[...]
            failedRow += failed.count
        }
        guard let known = failed.first, known.id.utf8.elementsEqual(clip.id.utf8) else { return nil }
        failed.removeFirst()
        return .failed(known.failure)
    }
}
