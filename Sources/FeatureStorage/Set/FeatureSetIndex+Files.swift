import FeatureModel
import FileIO
import Platform

extension FeatureSetIndex {
    /// Makes the index of the files of a set, all of which are there.
    ///
    /// - Parameters:
    ///   - count: Number of files.
    ///   - paths: Where they are.
    /// - Throws: `StorageError`, `.changedFileOfSet` where a file does not belong to those before it.
    /// - Complexity: Reads the failures, and a checksum of each clip.
    package init(files count: Int, _ paths: FeatureSetPaths) throws(StorageError) {
        var files: [File] = []
        var first: FeatureFile?
        var (clips, rows, failures) = (0, 0, 0)
        var account = Account()
        var chunkRows: Int?
        for number in 1...count {
            let path = paths.file(number, of: count)
            let file = try FeatureFile(path: path)
            if let first, let difference = file.difference(inSetOf: first) {
                throw .changedFileOfSet(path: path, index: paths.index, found: difference)
            }
            account.add(file.header.remarks, ofFile: number - 1)
            first = first ?? file
            clips += file.clipCount
            rows += file.rows
            failures += file.header.failureCount
            chunkRows = chunkRows ?? file.shape.chunkRows
            files.append(
                File(
                    name: path.split(separator: "/").last.map(String.init) ?? path, clips: file.clipCount,
                    failures: file.header.failureCount, rows: file.rows, bytes: Int(FileStamp(path: path).byteCount),
                    metadataChecksum: file.metadataChecksum, recordsChecksum: try file.recordsChecksum()))
        }
        guard let first = first?.header else { throw .notFeatureSet(path: paths.index, found: "no files") }
        guard let whole = first.joined(clips: clips, rows: rows, failures: failures, chunkRows: chunkRows) else {
            throw .notFeatureSet(path: paths.index, found: "more rows than can be counted")
        }
        var checksum = MetadataChecksum(whole)
        for number in 1...count {
            let file = try FeatureFile(path: paths.file(number, of: count))
            try checksum.add(file.header.failureCount) { range throws(StorageError) in try file.failures(range) }
        }
        self.init(
            files: files, manifestChecksum: first.manifestChecksum, metadataChecksum: checksum.hex,
            remarks: account.remarks)
    }
}

extension Account {
    /// Adds the remarks of a file of a set. Those of the manifest are in each file, and count once.
    mutating func add(_ remarks: [Remark], ofFile number: Int) {
        for remark in remarks where number == 0 || remark.source == RecordingRemarks.source {
            add(remark, ofPart: number)
        }
    }
}

extension FeatureFile {
    /// How a file differs from another of its set in what all files of a set have in common, in words; nil: it does not.
    func difference(inSetOf other: FeatureFile) -> String? {
        if let difference = header.difference(inSetOf: other.header) { return difference }
        // A tensor without rows has no chunks.
        if rows > 0, other.rows > 0, shape.chunkRows != other.shape.chunkRows {
            return FeatureFileHeader.difference("size of chunks")
        }
        let isSame =
            (generator, formatVersion, storesFailureKind)
            == (other.generator, other.formatVersion, other.storesFailureKind)
        return isSame ? nil : FeatureFileHeader.difference("version of the format")
    }
}

extension FeatureFileHeader {
    /// How a file differs from another of its set in what all files of a set have in common, in words; nil: it does not.
    func difference(inSetOf other: FeatureFileHeader) -> String? {
        func differs<Value: Equatable>(_ value: KeyPath<FeatureFileHeader, Value>) -> Bool {
            self[keyPath: value] != other[keyPath: value]
        }
        let (own, theirs) = (shape, other.shape)
        let differences: [(Bool, String)] = [
            (differs(\.manifestChecksum), "manifest"), (differs(\.correctionsChecksum), "file of corrections"),
            (differs(\.configuration), "configuration"),
            (differs(\.software), "software"), (differs(\.labels), "labels"), (differs(\.axis), "axis"),
            (differs(\.statistics) || differs(\.fit) || differs(\.statisticsSource), "statistics"),
            (
                (own.layout, own.element, own.bins, own.frames) != (
                    theirs.layout, theirs.element, theirs.bins, theirs.frames
                )
                    || (own.patch, own.channels) != (theirs.patch, theirs.channels), "shape of clips"
            ),
            (differs(\.frameLabelNames) || differs(\.annotationsChecksum), "labels of frames"),
            (differs(\.extraColumns), "columns of the manifest"), (differs(\.table), "table of clips"),
            (differs(\.normalize), "normalisation"), (differs(\.units) || differs(\.longName), "kind of values"),
            (manifestRemarks != other.manifestRemarks, "remark on the manifest"),
            (differs(\.framePeriod) || differs(\.firstFrameTime), "time of frames"),
        ]
        return differences.first(where: \.0).map { Self.difference($0.1) }
    }

    private var manifestRemarks: [Remark] { remarks.filter { $0.source != RecordingRemarks.source } }

    fileprivate static func difference(_ part: String) -> String { "it has another \(part) than the files before it" }

    /// The header of one file with the clips of all files of a set that this file belongs to; nil: it would have too many rows.
    func joined(clips: Int, rows: Int, failures: Int, chunkRows: Int?) -> FeatureFileHeader? {
        guard let whole = shape.with(clips: clips, rows: rows, chunkRows: chunkRows) else { return nil }
        var header = self
        (header.shape, header.failureCount) = (whole, failures)
        return header
    }
}

/// Opens the files of a set, and compares them with what the index says of them.
extension FeatureSetIndex {
    /// The path of a file.
    ///
    /// - Parameters:
    ///   - number: Its number, from 0.
    ///   - path: That of the index.
    package func path(ofFile number: Int, _ path: String) -> String {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        return folder + files[number].name
    }

    /// Looks whether a file is there and of its size, without opening it.
    ///
    /// - Throws: `StorageError`: `.missingFileOfSet`, `.changedFileOfSet`, `.system`.
    func checkSize(ofFile number: Int, _ index: String) throws(StorageError) {
        let (path, expected) = (path(ofFile: number, index), files[number].bytes)
        guard let status = FileStatus(path: path) else {
            guard errno != ENOENT, errno != ENOTDIR else { throw .missingFileOfSet(path: path, index: index) }
            throw .system(operation: "looking for the file", path: path, code: errno)
        }
        guard status.isRegular else {
            throw .changedFileOfSet(path: path, index: index, found: "expected a file, found something else")
        }
        guard status.byteCount == expected else {
            throw .changedFileOfSet(
                path: path, index: index, found: "expected \(expected) bytes, found \(status.byteCount)")
        }
    }

    /// Opens a file, and compares it with what the index says of it.
    ///
    /// - Throws: `StorageError`: `.missingFileOfSet` and `.changedFileOfSet`, or why it cannot be read.
    func open(_ number: Int, _ index: String) throws(StorageError) -> FeatureFile {
        try checkSize(ofFile: number, index)
        let path = path(ofFile: number, index)
        let file: FeatureFile
        do {
            file = try FeatureFile(path: path)
        } catch .notFeatures(_, let found) {
            throw .changedFileOfSet(path: path, index: index, found: "expected a feature file, found \(found)")
        }
        if let difference = files[number].difference(from: file) {
            throw .changedFileOfSet(path: path, index: index, found: difference)
        }
        guard manifestChecksum == file.header.manifestChecksum else {
            throw .changedFileOfSet(
                path: path, index: index,
                found: "expected manifest_sha256 \(manifestChecksum), found \(file.header.manifestChecksum)")
        }
        return file
    }
}

extension FeatureSetIndex.File {
    /// How a file differs from what the index says of it, in words; nil: its header shows no difference.
    fileprivate func difference(from file: FeatureFile) -> String? {
        if metadataChecksum != file.metadataChecksum {
            return "expected metadata_xxh3 \(metadataChecksum), found \(file.metadataChecksum)"
        }
        for (expected, found, name) in [
            (clips, file.clipCount, "clips"), (failures, file.header.failureCount, "failures"),
            (rows, file.rows, "rows"),
        ] where expected != found {
            return "expected \(expected) \(name), found \(found)"
        }
        return nil
    }
}
