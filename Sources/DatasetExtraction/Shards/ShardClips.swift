import FeatureModel
import FileIO
import Manifests

/// Which clips of a manifest belong to a shard.
///
/// Recordings are taken in the order of their first clip, each with all of its clips. With c of all C clips in the recordings
/// before it, a recording belongs to shard ⌊c·n/C⌋ + 1. So shards have about as many clips each; those of recordings with many
/// clips have more, and some may have none.
struct ShardClips: Sendable {
    private var bits: [UInt64]
    /// Number of clips.
    private(set) var count = 0

    /// Reads the manifest once. Memory: meanwhile 4 bytes for each clip and 32 for each recording; then a bit a clip.
    ///
    /// - Throws: `ManifestError`.
    init(_ shard: Shard, of source: any ClipSource) throws(ManifestError) {
        let total = source.clipCount
        bits = Array(repeating: 0, count: (total + 63) / 64)
        // Numbers of recordings in the order of their first clips. Two whose paths have one hash get one number, and so are in one shard,
        // which is as good.
        var recordings: [UInt64: UInt32] = [:]
        var numbers: [UInt32] = []
        numbers.reserveCapacity(total)
        // The path and number of the clip before: most clips of a recording follow one another.
        var (path, number) = ("", UInt32(0))
        let clips = try source.reader()
        while let clip = try clips.next() {
            if numbers.isEmpty || !clip.path.utf8.elementsEqual(path.utf8) {
                path = clip.path
                let next = UInt32(recordings.count)
                number = recordings[xxh3(path), default: next]
                if number == next { recordings[xxh3(path)] = next }
            }
            numbers.append(number)
        }
        let own = Self.recordings(of: shard, numbers, count: recordings.count)
        for (clip, number) in numbers.enumerated() where clip < total && own.contains(Int(number)) {
            bits[clip / 64] |= 1 << UInt64(clip % 64)
            count += 1
        }
    }

    /// The numbers of a shard's recordings: neighbours.
    ///
    /// - Parameter numbers: The number of each clip's recording, less than `count`.
    private static func recordings(of shard: Shard, _ numbers: [UInt32], count: Int) -> Range<Int> {
        var clips = [UInt32](repeating: 0, count: count)
        for number in numbers { clips[Int(number)] += 1 }
        var (before, first, end) = (0, count, count)
        for recording in 0..<count {
            let (quotient, _) = numbers.count.dividingFullWidth(before.multipliedFullWidth(by: shard.count))
            if quotient + 1 == shard.number, first == count { first = recording }
            if quotient + 1 > shard.number {
                end = recording
                break
            }
            before += Int(clips[recording])
        }
        return min(first, end)..<end
    }

    /// Whether a clip, by its index in the manifest, belongs to the shard.
    func contains(_ clip: Int) -> Bool { bits[clip / 64] >> UInt64(clip % 64) & 1 == 1 }
}
