import Concurrency
import FeatureModel
import FeatureStorage
import Manifests
import Presentation
import Synchronization

/// Compares recordings with what a feature file says of them, by the checksums of their samples, on several threads.
struct InputComparison {
    let extraction: Extraction
    let cancellation: Cancellation

    private static let blockSize = 4096

    /// The path of the first recording that has changed; nil: none has.
    ///
    /// - Parameter part: The clips whose recordings are compared.
    /// - Throws: `ManifestError` or `StorageError`.
    func firstDifference(from file: FeatureReader, of part: RunPart = .all) throws -> String? {
        let clips = try extraction.source.reader()
        var cursor = FeatureFileCursor(file)
        var left = part.count(of: extraction.source.clipCount)
        while true {
            let block = try clips.next(Self.blockSize)
            guard !block.isEmpty else { return nil }
            var (asked, known): ([Clip], [KnownRecording]) = ([], [])
            for clip in block {
                let found = try cursor.find(clip)
                guard part.contains(clip.index) else { continue }
                asked.append(clip)
                switch found {
                case .stored(let clip): known.append(KnownRecording(clip))
                case .failed(let failure): known.append(KnownRecording(failure))
                case nil: return clip.path
                }
            }
            let states = try states(of: asked, since: known, stopsAtFirst: true, decodesMissing: true)
            if let index = states.firstIndex(where: { $0 != .same }) { return asked[index].path }
            left -= asked.count
            if left == 0 { return nil }
        }
    }

    /// What has become of the recordings of clips.
    ///
    /// - Parameters:
    ///   - stopsAtFirst: Whether those after the first that is not the same are not looked at.
    ///   - decodesMissing: As of `RecordingCheck`.
    /// - Throws: `InputFault`, `ExtractionError.cancelled`.
    func states(
        of clips: [Clip], since known: [KnownRecording], stopsAtFirst: Bool = false, decodesMissing: Bool = false
    ) throws -> [RecordingCheck.State] {
        let found = Mutex(
            (
                states: [RecordingCheck.State](repeating: .same, count: clips.count),
                first: stopsAtFirst ? clips.count : .max
            ))
        let (extraction, cancellation) = (extraction, cancellation)
        try WorkerPool.each(clips.count, extraction.options.workers) {
            RecordingCheck(extraction, samples: true, decodesMissing: decodesMissing)
        } _: { check, index in
            try cancellation.check()
            guard found.withLock({ index < $0.first }) else { return }
            let state = try check.state(of: clips[index], since: known[index])
            guard state != .same else { return }
            found.withLock {
                $0.states[index] = state
                if stopsAtFirst { $0.first = min($0.first, index) }
            }
        }
        return found.withLock { $0.states }
    }
}

/// Clips of which something is said, by their recordings.
package struct ClipsOfRecordings: Hashable, Sendable {
    /// How many clips.
    package private(set) var count = 0
    /// The paths of the first recordings, each once; "…" is the last one if there are more.
    package private(set) var paths: [String] = []

    private static let maximumNamed = 5

    /// The path of the first recording; empty: there is none.
    package var first: String { paths.first ?? "" }

    /// Counts a clip.
    mutating func add(_ path: String) {
        count += 1
        guard paths.count <= Self.maximumNamed, !paths.contains(where: { $0.utf8.elementsEqual(path.utf8) }) else {
            return
        }
        paths.append(paths.count < Self.maximumNamed ? path : "…")
    }

    /// A warning that the recordings of kept clips are missing; nil: no clip is affected.
    var warningOfMissing: String? {
        guard count > 0 else { return nil }
        return "\(Wording.count(count, "clip")) of the existing file, such as \(first), "
            + "\(count == 1 ? "is" : "are") kept unchecked: the recordings are missing"
    }
}
