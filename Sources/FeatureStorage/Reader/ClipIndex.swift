import Checksums
import FileIO

/// Clip indices by id: a hash and an index for each, so that memory does not grow with the lengths of ids.
struct ClipIndex {
    private let hashes: [UInt64]
    private let indices: [Int32]

    /// Reads all ids of a file's clips.
    init(_ reader: FeatureReader) throws(StorageError) {
        try self.init(count: reader.clipCount) { range throws(StorageError) in try reader.texts(.id, ofClips: range) }
    }

    /// Reads all of a number of ids.
    init(
        count: Int, ids: (Range<Int>) throws(StorageError) -> [String]
    ) throws(StorageError) {
        var entries: [(hash: UInt64, index: Int32)] = []
        var start = 0
        while start < count {
            let end = min(start + 8192, count)
            for id in try ids(start..<end) {
                entries.append((Self.hash(id), Int32(clamping: entries.count)))
            }
            start = end
        }
        // Of equal ids, which only a damaged file has, the first counts.
        entries.sort { ($0.hash, $0.index) < ($1.hash, $1.index) }
        hashes = entries.map(\.hash)
        indices = entries.map(\.index)
    }

    /// The indices of clips whose id may be this one.
    func candidates(_ id: String) -> [Int] {
        let hash = Self.hash(id)
        var (low, high) = (0, hashes.count)
        while low < high {
            let middle = (low + high) / 2
            if hashes[middle] < hash { low = middle + 1 } else { high = middle }
        }
        var found: [Int] = []
        while low < hashes.count, hashes[low] == hash {
            found.append(Int(indices[low]))
            low += 1
        }
        return found
    }

    private static func hash(_ id: String) -> UInt64 {
        var id = id
        return id.withUTF8 { xxh3(UnsafeRawBufferPointer($0)) }
    }
}
