import FeatureModel
import FeatureStorage
import Manifests

/// Makes the rows of `/clips`: what the source of clips says of a clip now, and what was found when it was read.
struct ClipRecords: Sendable {
    /// The source of clips, for their labels.
    let source: any ClipSource

    /// The row of a clip.
    ///
    /// - Parameters:
    ///   - slot: The clip and its rows.
    ///   - measurement: Of its recording.
    ///   - audioChecksum: Of its samples.
    ///   - tensorChecksum: Of its rows as stored.
    func record(
        _ slot: TensorSlot, _ measurement: ClipMeasurement, audioChecksum: String, tensorChecksum: String
    ) -> StoredClip {
        let clip = slot.clip
        return StoredClip(
            id: clip.id, path: clip.path, label: clip.label, split: clip.split,
            labelIndex: source.labelIndex(of: clip.label) ?? -1, measurement: measurement, channel: clip.channel,
            frameStart: slot.firstRow, frameCount: slot.rows, audioChecksum: audioChecksum,
            tensorChecksum: tensorChecksum, extra: clip.extra)
    }
}
