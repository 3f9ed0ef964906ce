import Essentials
import FeatureModel
import FileIO
import Platform

/// The index of a set of feature files, each with some of the clips that follow one another in a manifest: which files belong to
/// it, in their order, with what they hold.
///
/// A JSON file: `Schemas/feature-set.schema.json`.
public struct FeatureSetIndex: Hashable, Sendable, Codable {
    /// A file of the set.
    public struct File: Hashable, Sendable, Codable {
        /// Its name, in the folder of the index.
        public let name: String
        /// Number of its clips.
        public let clips: Int
        /// Number of its failed clips.
        public let failures: Int
        /// Number of the rows of its `/features`, those that belong to no clip included.
        public let rows: Int
        /// Its size.
        public let bytes: Int
        /// Its attribute `metadata_xxh3`.
        public let metadataChecksum: String
        /// XXH3-128 of its column `/clips/record_xxh3`, 32 bytes for each clip, as 32 hexadecimal digits.
        public let recordsChecksum: String

        private enum CodingKeys: String, CodingKey {
            case name, clips, failures, rows, bytes
            case metadataChecksum = "metadata_xxh3"
            case recordsChecksum = "records_xxh3"
        }

        /// Keeps the values.
        package init(
            name: String, clips: Int, failures: Int, rows: Int, bytes: Int, metadataChecksum: String,
            recordsChecksum: String
        ) {
            (self.name, self.clips, self.failures, self.rows, self.bytes) = (name, clips, failures, rows, bytes)
            (self.metadataChecksum, self.recordsChecksum) = (metadataChecksum, recordsChecksum)
        }
    }

    private let format: String
    private let formatVersion: String
    /// The program that wrote the index, such as `veery 0.1.0`.
    public let generator: String
    /// SHA-256 of the manifest, hexadecimal.
    public let manifestChecksum: String
    /// `metadata_xxh3` of one file with the clips of all: it identifies the set, however many files it has.
    public let metadataChecksum: String
    /// Number of clips of all files.
    public let clips: Int
    /// Number of failed clips of all files.
    public let failures: Int
    /// Number of rows of all files.
    public let rows: Int
    /// The files, at least one, in the order of their clips.
    public let files: [File]
    /// What was read of the manifest and of all recordings and not used, as it is written; nil: nothing.
    private let entries: [RemarkEntry]?
    /// What was read of the manifest and of all recordings and not used.
    package var remarks: [Remark] { entries?.compactMap(\.remark) ?? [] }

    private static let format = "veery-feature-set"
    private static let version = "1.0"
    /// Bytes that an index may have: a set of the maximum number of files has fewer.
    private static let maximumBytes = 1 << 26
    /// Maximum number of clips, rows or bytes of a file: those of the maximum number of files can be added up.
    private static let maximumCount = 1 << 46

    private enum CodingKeys: String, CodingKey {
        case format, generator, clips, failures, rows, files
        case formatVersion = "format_version"
        case manifestChecksum = "manifest_sha256"
        case metadataChecksum = "metadata_xxh3"
        case entries = "remarks"
    }

    /// The index of some files.
    ///
    /// - Precondition: There is at least one.
    package init(files: [File], manifestChecksum: String, metadataChecksum: String, remarks: [Remark] = []) {
        precondition(!files.isEmpty, "a set has files")
        (format, formatVersion, generator) = (Self.format, Self.version, VeeryVersion.generator)
        (self.manifestChecksum, self.metadataChecksum, self.files) = (manifestChecksum, metadataChecksum, files)
        entries = remarks.isEmpty ? nil : remarks.map { RemarkEntry($0) }
        clips = files.reduce(0) { $0 + $1.clips }
        failures = files.reduce(0) { $0 + $1.failures }
        rows = files.reduce(0) { $0 + $1.rows }
    }

    /// Reads an index.
    ///
    /// - Throws: `StorageError`: `.system` where there is no such file, `.notFeatureSet` where it is not an index, or contradicts itself.
    public init(path: String) throws(StorageError) {
        let file = try StorageFile(path: path, flags: O_RDONLY, operation: "opening the file")
        guard let size = file.regularSize, size <= Self.maximumBytes else {
            throw .notFeatureSet(path: path, found: "something else than a small file")
        }
        var buffer = ByteBuffer(capacity: max(size, 1))
        try buffer.fill(count: size) { bytes throws(StorageError) in try file.read(into: bytes, at: 0) }
        let found: FeatureSetIndex
        do {
            found = try JSONDecoder().decode(FeatureSetIndex.self, from: Data(buffer.bytes))
        } catch {
            throw .notFeatureSet(path: path, found: Self.words(error))
        }
        if let contradiction = found.contradiction { throw .notFeatureSet(path: path, found: contradiction) }
        self = found
    }

    /// What makes the index invalid; nil: nothing.
    private var contradiction: String? {
        guard format == Self.format else { return "another JSON file (without \"format\": \"\(Self.format)\")" }
        guard formatVersion.hasPrefix("1.") else {
            return "format_version \(formatVersion); this program reads 1.x"
        }
        guard !files.isEmpty, files.count <= FeatureSetPaths.maximumCount else { return "\(files.count) files" }
        var (clips, failures, rows) = (0, 0, 0)
        var names: Set<[UInt8]> = []
        for file in files {
            guard !file.name.isEmpty, file.name != ".", file.name != "..", !file.name.utf8.contains(UInt8(ascii: "/")),
                !file.name.utf8.contains(0)
            else { return "the name '\(file.name)', which is not that of a file beside the index" }
            guard names.insert(Array(file.name.utf8)).inserted else { return "the file '\(file.name)' twice" }
            let counts = [file.clips, file.failures, file.rows, file.bytes]
            guard counts.allSatisfy({ (0...Self.maximumCount).contains($0) }) else {
                return "impossible counts of '\(file.name)'"
            }
            (clips, failures, rows) = (clips + file.clips, failures + file.failures, rows + file.rows)
        }
        guard (clips, failures, rows) == (self.clips, self.failures, self.rows) else {
            return "totals that are not the sums of those of the files"
        }
        return nil
    }

    /// The index as JSON: the same bytes for the same values.
    package var json: [UInt8] { (try? sortedJSON(.prettyPrinted)).map { Array("\($0)\n".utf8) } ?? [] }

    /// Writes the index atomically: it is synced to the disk and read back before it is given its name.
    ///
    /// - Parameter temporary: Its name until it is complete, on the same file system; a file of that name is overwritten.
    /// - Throws: `StorageError`: `.system`, or `.lostWrites` where the disk has lost some of it.
    package func write(to path: String, temporary: String) throws(StorageError) {
        let json = json
        let file = try StorageFile(
            path: temporary, flags: O_RDWR | O_CREAT | O_TRUNC, operation: "creating the index of the set")
        var buffer = ByteBuffer(capacity: max(json.count, 1))
        json.withUnsafeBytes { buffer.append($0) }
        try file.write(buffer.bytes, at: 0)
        try file.synchronize()
        let size = file.regularSize ?? 0
        try buffer.fill(count: size) { bytes throws(StorageError) in try file.read(into: bytes, at: 0) }
        guard buffer.bytes.elementsEqual(json) else {
            throw .lostWrites(path: path, found: "the index of the set is not what was written")
        }
        do throws(SystemError) { try AtomicFile.rename(temporary, to: path, durably: true) } catch {
            throw .system(
                operation: "giving the index its name", path: error.isAbsence ? temporary : path, code: error.code)
        }
    }

    /// Bytes of all files.
    public var bytes: Int { files.reduce(0) { $0 + $1.bytes } }

    /// Whether there is an index at a path, rather than another file or nothing.
    package static func exists(at path: String) -> Bool { begins(path) && (try? FeatureSetIndex(path: path)) != nil }

    /// Whether a file can be an index: it is JSON by its first byte.
    public static func begins(_ path: String) -> Bool {
        HDF5Signature.firstBytes(of: path, 1)?.bytes == [UInt8(ascii: "{")]
    }

    private static func words(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "a file that is not JSON" }
        func path(_ context: DecodingError.Context) -> String {
            context.codingPath.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: ".")
        }
        switch error {
        case .keyNotFound(let key, let context):
            let location = path(context)
            return "JSON without \"\(key.stringValue)\"" + (location.isEmpty ? "" : " in \(location)")
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "another value than expected at \(path(context))"
        default: return "a file that is not JSON"
        }
    }
}
