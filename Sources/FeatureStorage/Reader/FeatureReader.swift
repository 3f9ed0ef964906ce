import FeatureModel
import FileIO

/// Reads a feature file, or a set of them as if it were one: what it says of itself, its clips, their rows.
///
/// Only the small parts stay in memory; clips and rows are read on demand. One thread at a time. What the header says can be
/// named without it: `reader.labels`.
///
/// A set is opened by the path of its index. Clips, failures and rows are those of its files, one after another, and everything
/// that is said of them is what one file with all clips says. Its files are opened as they are needed, compared with the index, and
/// at most 64 are open at a time: any call can find that one is not the one that the index names.
@dynamicMemberLookup
public final class FeatureReader {
    /// Path of the file, or of the index of the set.
    public let path: String
    /// The program that wrote the file, such as `veery 0.1.0`.
    public let generator: String
    /// Version of the format.
    public let formatVersion: String
    /// Checksum of everything that belongs to no stored clip, as 32 hexadecimal digits. For a set, that of one file with all clips.
    public let metadataChecksum: String
    /// Everything in the file except rows, clips and failures; `normalize.fit` is that of the statistics.
    public let header: FeatureFileHeader
    /// Whether the file holds the kinds of failures, as all of format 1.1 by this program do.
    public let storesFailureKind: Bool

    let files: FeatureFiles
    private var clipIndex: ClipIndex?
    /// Where rows are, once that has been determined.
    private var tensor: StoredTensor??

    /// The index of the set; nil: it is one file.
    public var set: FeatureSetIndex? { files.index }
    /// How the tensor lies in the file; of a set, in one file with all clips.
    public var shape: TensorShape { header.shape }
    /// Statistics of the values before normalisation.
    public var statistics: BinStatistics { header.statistics }
    /// Number of rows of `/features`, those that belong to no clip included.
    public var rows: Int { shape.rows }
    /// Number of values in a row.
    public var bins: Int { shape.bins }
    /// Number of stored clips.
    public var clipCount: Int { shape.clips }
    var table: ClipTable { header.table }

    /// Opens a file and checks that it is complete and of a known version; or the index of a set, and checks that its files are
    /// there, of their size, and that the first is the one that the index names.
    ///
    /// - Throws: `StorageError`: `.system` where there is no such file, `.notFeatures` where it is another kind of file
    ///   or incomplete, `.damaged` where parts are missing; of a set also `.notFeatureSet`, `.missingFileOfSet` and `.changedFileOfSet`.
    /// - Complexity: For a set O(files), some microseconds each.
    public init(path: String) throws(StorageError) {
        files = try FeatureFiles(path: path)
        let first = files.first
        self.path = path
        (generator, formatVersion) = (first.generator, first.formatVersion)
        metadataChecksum = files.index?.metadataChecksum ?? first.metadataChecksum
        header = try files.header()
        storesFailureKind = first.storesFailureKind
    }

    /// A value of the header.
    public subscript<Value>(dynamicMember path: KeyPath<FeatureFileHeader, Value>) -> Value { header[keyPath: path] }

    /// The rows of `/clips` in `range`, in the file's order. Their rows lie in the tensor.
    ///
    /// - Throws: `StorageError`, also where the range lies outside; `.damaged` where a clip's rows lie outside the tensor.
    public func clips(_ range: Range<Int>) throws(StorageError) -> [StoredClip] {
        try clips(range, areChecked: false)
    }

    /// The same, with first rows counted through all files, and compared with their checksums if `areChecked`.
    func clips(_ range: Range<Int>, areChecked: Bool) throws(StorageError) -> [StoredClip] {
        try files.joined(.clips, range) { file, part throws(StorageError) in
            var clips = try file.clips(part.range, areChecked: areChecked)
            let before = files.count(.rows, before: part.file)
            if before > 0 { for index in clips.indices { clips[index].frameStart += before } }
            return clips
        }
    }

    /// The values of clips that summaries need, with one text of each.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    public func figures(_ range: Range<Int>) throws(StorageError) -> [ClipFigures] {
        try files.joined(.clips, range) { file, part throws(StorageError) in try file.figures(part.range) }
    }

    /// What remarks on clips follow from, apart from those that are stored.
    ///
    /// - Throws: `StorageError` where the configuration is not understood.
    package func limits() throws(StorageError) -> FeatureLimits { FeatureLimits(try decodedConfiguration()) }

    /// All remarks of each clip; empty: none can have any.
    ///
    /// - Throws: `StorageError`.
    /// - Complexity: O(clips), with four bytes of memory for each, where clips can have remarks.
    package func remarksOfClips() throws(StorageError) -> [RecordingRemarks] {
        let limits = try self.limits()
        guard header.storesRemarks || header.storesTruncated || header.storesZeroedSamples || limits.isLimited else {
            return []
        }
        return try files.joined(.clips, 0..<clipCount) { file, part throws(StorageError) in
            try file.allRemarks(ofClips: part.range, limits)
        }
    }

    /// What was read of the clips' recordings and not used.
    ///
    /// - Throws: `StorageError`.
    /// - Complexity: As `remarksOfClips`.
    package func accountOfRecordings() throws(StorageError) -> Account {
        var account = Account()
        let (remarks, limits) = (try remarksOfClips(), try self.limits())
        for range in remarks.indices.blocks(of: 8192) {
            guard remarks[range].contains(where: { !$0.isEmpty }) else { continue }
            for (index, clip) in zip(range, try clips(range)) {
                account.add(
                    remarks[index], ofClip: clip.id, at: index, limits, rate: clip.measurement.sampleRate)
            }
        }
        return account
    }

    /// The rows of `/failures` in `range`, in the manifest's order.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    public func failures(_ range: Range<Int>) throws(StorageError) -> [StoredFailure] {
        try files.joined(.failures, range) { file, part throws(StorageError) in try file.failures(part.range) }
    }

    /// The clip with an index among the stored ones, from 0.
    ///
    /// - Throws: `StorageError`, also where there is none.
    public func clip(at index: Int) throws(StorageError) -> StoredClip {
        guard index >= 0, index < clipCount, let clip = try clips(index..<index + 1).first else {
            throw .noSuchClip(path: path, id: "number \(index) of \(clipCount), from 0")
        }
        return clip
    }

    /// The clip with an id.
    ///
    /// - Throws: `StorageError.noSuchClip`, or another.
    /// - Complexity: The first time O(clips), with twelve bytes of memory for each; then O(log clips).
    public func clip(id: String) throws(StorageError) -> StoredClip {
        guard let index = try index(ofClip: id) else { throw .noSuchClip(path: path, id: id) }
        return try clip(at: index)
    }

    /// The index of the clip with an id among the stored ones, from 0; nil: there is none.
    ///
    /// - Throws: `StorageError`.
    /// - Complexity: That of `clip(id:)`.
    public func index(ofClip id: String) throws(StorageError) -> Int? {
        let table = if let clipIndex { clipIndex } else { try ClipIndex(self) }
        clipIndex = table
        for index in table.candidates(id) {
            let found = try texts(.id, ofClips: index..<index + 1)
            if found.first.map({ $0.utf8.elementsEqual(id.utf8) }) == true { return index }
        }
        return nil
    }

    /// A clip's rows, as stored.
    ///
    /// - Throws: `StorageError`, `.damaged` where the clip's rows lie outside the tensor.
    public func features(of clip: StoredClip) throws(StorageError) -> FeatureMatrix {
        try rows(rows(of: clip))
    }

    /// The rows of `/features` that a clip has, which may be one of another file.
    ///
    /// - Throws: `StorageError.damaged` where they lie outside the tensor.
    func rows(of clip: StoredClip) throws(StorageError) -> Range<Int> {
        try shape.rows(clip.frameCount, from: clip.frameStart, in: path, clip: "clip '\(clip.id)'")
    }

    /// Statistics of clips before normalisation, for those in `range`; nil where they were not normalised clip by clip.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    /// - Complexity: O(clips in `range`), with 56 bytes of memory for each and each bin.
    public func statistics(ofClips range: Range<Int>) throws(StorageError) -> [BinStatistics]? {
        guard header.normalize.storesClipStatistics else { return nil }
        return try files.joined(.clips, range) { file, part throws(StorageError) in
            try file.statistics(ofClips: part.range) ?? []
        }
    }

    /// Names in the root and in `/clips` that this program does not write.
    ///
    /// - Throws: `StorageError`.
    public func foreignNames() throws(StorageError) -> [String] {
        var names: [String] = []
        for file in files.indices {
            for name in try files[file].foreignNames() where !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Where the rows are, for threads that read them past libhdf5; nil where only libhdf5 can: a file is of another form than this
    /// program writes, or damaged.
    ///
    /// - Complexity: The first time O(files), some milliseconds each.
    package func storedRows() throws(StorageError) -> StoredTensor? {
        if let tensor { return tensor }
        let found = try files.storedTensor(shape)
        tensor = .some(found)
        return found
    }
}
