import ClipSpool
import FeatureModel
import FeatureStorage
import Manifests

/// Makes the rows of `/clips`: what the manifest says of a clip now, and what was found when it was read.
struct ClipRecords: Sendable {
    /// The clips' labels.
    let manifest: Manifest

    /// The row of a clip that is in the spool.
    ///
    /// - Parameters:
    ///   - placed: The clip and its place.
    ///   - spooled: What is known of it.
    ///   - checksum: Of its rows as stored.
    func record(_ placed: TensorSlot, _ spooled: SpooledClip, checksum: String) -> StoredClip {
        let found = spooled.clip
        return record(
            placed, start: found.start, duration: found.duration, sampleRate: found.sampleRate,
            channels: found.channels, audioChecksum: found.audioChecksum.hex, tensorChecksum: checksum,
            isTruncated: found.defects.isTruncated, zeroedSamples: found.defects.zeroedSamples)
    }

    /// The row of a clip that stays as it is in the file that others are appended to.
    func record(_ placed: TensorSlot, kept: StoredClip) -> StoredClip {
        record(
            placed, start: kept.start, duration: kept.duration, sampleRate: kept.sampleRate, channels: kept.channels,
            audioChecksum: kept.audioChecksum, tensorChecksum: kept.tensorChecksum, isTruncated: kept.isTruncated,
            zeroedSamples: kept.zeroedSamples)
    }

    private func record(
        _ placed: TensorSlot, start: Double, duration: Double, sampleRate: Int, channels: Int,
        audioChecksum: String, tensorChecksum: String, isTruncated: Bool, zeroedSamples: Int
    ) -> StoredClip {
        let clip = placed.clip
        return StoredClip(
            id: clip.id, path: clip.path, label: clip.label, split: clip.split,
            labelIndex: manifest.labelIndex(of: clip.label) ?? -1, start: start, duration: duration,
            sampleRate: sampleRate, channels: channels, channel: clip.channel, frameStart: placed.firstRow,
            frameCount: placed.rows, audioChecksum: audioChecksum, tensorChecksum: tensorChecksum, extra: clip.extra,
            isTruncated: isTruncated, zeroedSamples: zeroedSamples)
    }
}
