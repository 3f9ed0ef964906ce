import FeatureModel
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

    /// Reads the manifest once. Memory meanwhile: 4 bytes for each clip, and 15 to 26 for each recording; then a bit for each clip.
    ///
    /// - Throws: `ManifestError`.
    init(_ shard: Shard, of source: any ClipSource) throws(ManifestError) {
        let total = source.clipCount
        bits = Array(repeating: 0, count: (total + 63) / 64)
        var recordings = RecordingNumbers()
        var numbers: [UInt32] = []
        numbers.reserveCapacity(total)
        // Of the clip before: most clips of a recording follow one another.
        var (path, number) = ("", UInt32(0))
        let clips = try source.reader()
        while let clip = try clips.next() {
            if numbers.isEmpty || !clip.path.utf8.elementsEqual(path.utf8) {
                path = clip.path
                number = recordings.number(of: path)
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

/// Numbers recordings in the order of their first appearance, in 8 bytes and a third for each, and as much again while it grows.
///
/// Paths are known by 33 bits of a hash. Two recordings that agree in them get one number, and so are in one shard: that is as
/// good.
private struct RecordingNumbers {
    /// 33 bits of a hash, then a number and 1 in 31 bits; 0: free.
    private var entries = [UInt64](repeating: 0, count: 1 << 10)
    private(set) var count = 0

    private static let numberBits: UInt64 = 31
    private static let numberMask = (UInt64(1) << numberBits) - 1

    mutating func number(of path: String) -> UInt32 {
        if 4 * count >= 3 * entries.count { grow() }
        let hash = Self.hash(path)
        let slot = slot(of: hash)
        if entries[slot] == 0 {
            count += 1
            entries[slot] = hash | UInt64(count)
        }
        return UInt32(entries[slot] & Self.numberMask) - 1
    }

    /// FNV-1a, mixed so that its upper 33 bits depend on all; the others are 0.
    private static func hash(_ path: String) -> UInt64 {
        let hash = path.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return ((hash ^ (hash >> 32)) &* 0x9E37_79B9_7F4A_7C15) & ~numberMask
    }

    /// The slot of a hash, or the free one that it takes.
    private func slot(of hash: UInt64) -> Int {
        let mask = entries.count - 1
        var slot = Int(truncatingIfNeeded: hash >> Self.numberBits) & mask
        while entries[slot] != 0, entries[slot] & ~Self.numberMask != hash { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        let old = entries
        entries = Array(repeating: 0, count: 2 * old.count)
        for entry in old where entry != 0 { entries[slot(of: entry & ~Self.numberMask)] = entry }
    }
}
