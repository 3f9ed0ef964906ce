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
    private static let maximumNamed = 5

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

    /// Compares the recordings of the clips that `--append` keeps; other clips of the manifest are skipped.
    ///
    /// A missing recording cannot contradict the file: its clips are only counted.
    ///
    /// - Throws: `ExtractionError.staleClips` if recordings have changed, `InputFault`, `.cancelled`;
    ///   `ManifestError` or `StorageError`.
    /// - Returns: How many kept clips have no recording to compare with, and the path of the first.
    /// - Complexity: Decodes every recording that exists.
    func checkKept(in file: FeatureReader) throws -> MissingRecordings {
        let clips = try extraction.source.reader()
        var cursor = StoredClipCursor(file)
        var wanted = try cursor.next()
        var missing = MissingRecordings()
        var (stale, names) = (0, [String]())
        while wanted != nil {
            try cancellation.check()
            var (block, known): ([Clip], [KnownRecording]) = ([], [])
            while block.count < Self.blockSize, let stored = wanted, let clip = try clips.next() {
                guard stored.id.utf8.elementsEqual(clip.id.utf8) else { continue }
                wanted = try cursor.next()
                block.append(clip)
                known.append(KnownRecording(stored))
            }
            guard !block.isEmpty else { break }
            for (clip, state) in zip(block, try states(of: block, since: known)) {
                switch state {
                case .same: break
                case .missing: missing.add(clip.path)
                case .changed:
                    stale += 1
                    guard names.count <= Self.maximumNamed,
                        !names.contains(where: { $0.utf8.elementsEqual(clip.path.utf8) })
                    else { continue }
                    names.append(names.count < Self.maximumNamed ? clip.path : "…")
                }
            }
        }
        guard stale == 0 else { throw ExtractionError.staleClips(path: file.path, count: stale, recordings: names) }
        return missing
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

/// Kept clips whose recordings are missing, so that they cannot be compared.
package struct MissingRecordings: Hashable, Sendable {
    /// How many clips.
    package private(set) var count = 0
    /// The path of the first recording; empty: there is none.
    package private(set) var first = ""

    /// Counts a clip.
    mutating func add(_ path: String) {
        if count == 0 { first = path }
        count += 1
    }

    /// What a user is told; nil: no clip is affected.
    var warning: String? {
        guard count > 0 else { return nil }
        return "\(Wording.count(count, "clip")) of the existing file, such as \(first), "
            + "\(count == 1 ? "is" : "are") kept unchecked: the recordings are missing"
    }
}
