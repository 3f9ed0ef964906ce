import ClipSpool
import FeatureModel
import FeatureStorage
import FileIO
import Manifests

/// Why a clip of a manifest is not the clip of this name in a feature file, as far as can be said without its recording.
enum ClipMismatch {
    /// It is another recording, or another part of it.
    case part
    /// It is another channel.
    case channel
}

extension StoredClip {
    /// How a clip of a manifest differs from this one; nil: it may be the same.
    ///
    /// - Parameter overshoot: `audio.overshoot`.
    func mismatch(with clip: Clip, overshoot: Double?) -> ClipMismatch? {
        guard path.utf8.elementsEqual(clip.path.utf8), isPart(clip.segment, overshoot: overshoot) else { return .part }
        return channel == clip.channel ? nil : .channel
    }

    /// Whether the clip may be this part of its recording, or all of it.
    func isPart(_ segment: Segment?, overshoot: Double?) -> Bool {
        self.start == segment?.start ?? 0
            && segment?.mayLast(
                measurement.duration, configured: overshoot, isTruncated: measurement.isTruncated,
                isCut: measurement.remarks.contains(.endsCut))
                ?? true
    }
}

extension UpdateObstacle {
    /// That of a clip of the file which is another one in the manifest.
    init(_ known: StoredClip, as clip: Clip, _ mismatch: ClipMismatch) {
        self =
            switch mismatch {
            case .part: .otherPart(known)
            case .channel: .otherChannel(id: clip.id, before: known.channel, now: clip.channel)
            }
    }
}

extension FeatureFileCursor.Found {
    /// Whether a file has the same of a clip as the spool. If a run is killed after it gave the file its name, and before it
    /// deleted the spool, both have the clips.
    ///
    /// - Parameters:
    ///   - clip: What the manifest says of it.
    ///   - entry: Where it is in the spool.
    ///   - failsAgain: Whether the clip, which the spool does not have, still fails as the file says.
    /// - Throws: `StorageError`, or what `failsAgain` throws.
    func isSame(
        _ clip: Clip, as entry: SpoolEntry, _ reader: SpoolReader, failsAgain: (FailureRecord) throws -> Bool
    ) throws -> Bool {
        switch (self, entry) {
        case (.stored(let known), .spooled(let position, _)):
            let own = try reader.finished(at: position).clip
            return own.audioChecksum.hex == known.audioChecksum && own.sampleRate == known.sampleRate
                && own.remarks == known.remarks && known.label.utf8.elementsEqual(clip.label.utf8)
                && known.split.utf8.elementsEqual(clip.split.utf8)
        // What could not be opened is not resumed from the spool.
        case (.failed(let failure), .pending): return try failure.isTransient && failsAgain(failure)
        // Clips that the stored type cannot hold are failures of the file and finished in the spool.
        case (.failed(let failure), .spooled), (.failed(let failure), .inFeatureFile),
            (.failed(let failure), .rejected):
            return failure.stage == .store
        case (.failed(let failure), .failed(let position)):
            return try reader.failure(at: position).isSame(as: failure)
        case (.stored, _): return false
        }
    }
}
