import FeatureModel
import Manifests

/// Which clips of a manifest belong to a shard.
///
/// Recordings are taken in the order of their first clip, each as a whole. With c of all C clips before it, a recording belongs to
/// shard ⌊c·n/C⌋ + 1. So shards have about as many clips each; those of large recordings have more, and some may have none.
/// Memory: a bit for each clip, and 12 to 24 bytes for each recording while they are found.
struct ShardClips: Sendable {
    private var bits: [UInt64]
    /// Number of clips.
    private(set) var count = 0

    /// Reads the manifest once.
    ///
    /// - Throws: `ManifestError`.
    init(_ shard: Shard, of source: any ClipSource) throws(ManifestError) {
        bits = Array(repeating: 0, count: (source.clipCount + 63) / 64)
        let (total, shards) = (source.clipCount, shard.count)
        // By the hash of their paths: two recordings of one hash would be in one shard, which is right, too.
        var known = RecordingTable()
        var before = 0
        // The recording of the clip before: most clips of a recording follow one another.
        var (path, isOwn) = ("", false)
        let clips = try source.reader()
        while let clip = try clips.next() {
            if before == 0 || !clip.path.utf8.elementsEqual(path.utf8) {
                path = clip.path
                let (quotient, _) = total.dividingFullWidth(before.multipliedFullWidth(by: shards))
                isOwn = known.note(path, isOwn: quotient + 1 == shard.number)
            }
            before += 1
            guard isOwn, clip.index < total else { continue }
            bits[clip.index / 64] |= 1 << UInt64(clip.index % 64)
            count += 1
        }
    }

    /// Whether a clip, by its index in the manifest, belongs to the shard.
    func contains(_ clip: Int) -> Bool { bits[clip / 64] >> UInt64(clip % 64) & 1 == 1 }
}

/// A table of recordings by the hash of their paths, with a bit of each: an entry of 8 bytes, at most half of them free.
private struct RecordingTable {
    /// 0: free. The lowest bit is that of the recording.
    private var entries = [UInt64](repeating: 0, count: 1 << 10)
    private var count = 0

    /// Adds a recording with a bit, and returns the bit that it had when it was first added.
    mutating func note(_ path: String, isOwn: Bool) -> Bool {
        if 2 * count >= entries.count { grow() }
        // FNV-1a, mixed so that its upper bits choose the slot.
        var hash = path.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        hash = (hash ^ (hash >> 32)) &* 0x9E37_79B9_7F4A_7C15
        let key = max(hash & ~1, 2)
        let slot = slot(of: key)
        guard entries[slot] == 0 else { return entries[slot] & 1 == 1 }
        entries[slot] = key | (isOwn ? 1 : 0)
        count += 1
        return isOwn
    }

    private func slot(of key: UInt64) -> Int {
        let mask = entries.count - 1
        var slot = Int(truncatingIfNeeded: key >> 20) & mask
        while entries[slot] != 0, entries[slot] & ~1 != key { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        let old = entries
        entries = Array(repeating: 0, count: 2 * old.count)
        for entry in old where entry != 0 { entries[slot(of: entry & ~1)] = entry }
    }
}
