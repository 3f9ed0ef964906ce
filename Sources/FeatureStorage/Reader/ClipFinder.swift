import ClipSpool
import FeatureModel
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
        for range in (0..<count).blocks(of: 8192) {
            for id in try ids(range) {
                entries.append((Self.hash(id), Int32(clamping: entries.count)))
            }
        }
        // Of equal ids, which only a damaged file has, the first counts.
        entries.sort { ($0.hash, $0.index) < ($1.hash, $1.index) }
        hashes = entries.map(\.hash)
        indices = entries.map(\.index)
    }

    /// The indices of clips whose id may be this one.
    func candidates(_ id: String) -> [Int] {
        let hash = Self.hash(id)
        let start = hashes.partitioningIndex { $0 >= hash }
        return zip(hashes[start...], indices[start...]).prefix { $0.0 == hash }.map { Int($0.1) }
    }

    private static func hash(_ id: String) -> UInt64 {
        var id = id
        return id.withUTF8 { xxh3(UnsafeRawBufferPointer($0)) }
    }
}

/// Finds clips and failures of a feature file by their ids, in any order.
///
/// Memory: about 13 bytes for each clip of the file.
package struct ClipFinder {
    /// What the file has under an id.
    package enum Found: Hashable, Sendable {
        /// A stored clip, with its index among these.
        case stored(StoredClip, index: Int)
        /// A failed clip.
        case failed(FailureRecord)
    }

    private let file: FeatureReader
    private let stored: ClipIndex
    private let failed: ClipIndex
    /// Which of the stored clips, and of the failures after them, were found.
    private var areFound: [Bool]

    /// Reads all ids.
    ///
    /// - Throws: `StorageError`.
    package init(_ file: FeatureReader) throws(StorageError) {
        self.file = file
        stored = try ClipIndex(file)
        failed = try ClipIndex(count: file.failureCount) { range throws(StorageError) in
            try file.failureIDs(range)
        }
        areFound = Array(repeating: false, count: file.clipCount + file.failureCount)
    }

    /// What the file has under each of some ids; nil: nothing. Clips are compared with their checksums.
    ///
    /// - Throws: `StorageError`.
    package mutating func find(_ ids: [String]) throws(StorageError) -> [Found?] {
        let candidates = ids.map(stored.candidates)
        let clips = try file.checkedClips(at: Set(candidates.joined()))
        var found: [Found?] = []
        for (id, candidates) in zip(ids, candidates) {
            let index = candidates.first { clips[$0]?.id.utf8.elementsEqual(id.utf8) == true }
            if let index, let clip = clips[index] {
                areFound[index] = true
                found.append(.stored(clip, index: index))
            } else {
                found.append(try failure(id))
            }
        }
        return found
    }

    private mutating func failure(_ id: String) throws(StorageError) -> Found? {
        for index in failed.candidates(id) {
            guard let failure = try file.failures(index..<index + 1).first, failure.id.utf8.elementsEqual(id.utf8)
            else { continue }
            areFound[file.clipCount + index] = true
            return .failed(failure.failure)
        }
        return nil
    }

    /// The ids that were not looked up: their number, and the first few.
    ///
    /// - Throws: `StorageError`.
    package func rest(named most: Int) throws(StorageError) -> (count: Int, ids: [String]) {
        var count = 0
        var ids: [String] = []
        for index in areFound.indices where !areFound[index] {
            count += 1
            guard ids.count < most else { continue }
            if index < file.clipCount {
                ids += try file.texts(.id, ofClips: index..<index + 1)
            } else {
                let failure = index - file.clipCount
                ids += try file.failures(failure..<failure + 1).map(\.id)
            }
        }
        return (count, ids)
    }
}

extension FeatureReader {
    /// Rows of `/clips` by their indices, each compared with its checksum. Rows near to each other are read together.
    ///
    /// - Throws: `StorageError`, `.damaged` for the first that is not right.
    package func checkedClips(at indices: Set<Int>) throws(StorageError) -> [Int: StoredClip] {
        var clips: [Int: StoredClip] = [:]
        for range in Self.ranges(indices.sorted()) {
            for (index, clip) in zip(range, try checkedClips(range)) { clips[index] = clip }
        }
        return clips
    }

    /// Ranges that contain rising indices, with few others.
    private static func ranges(_ indices: [Int]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for index in indices {
            if let last = ranges.last, index - last.upperBound < 8, index - last.lowerBound < 1024 {
                ranges[ranges.count - 1] = last.lowerBound..<index + 1
            } else {
                ranges.append(index..<index + 1)
            }
        }
        return ranges
    }
}
