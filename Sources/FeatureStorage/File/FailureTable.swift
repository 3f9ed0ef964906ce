import FeatureModel
import FileIO

/// A column of `/failures`, in the order in which `metadata_xxh3` hashes them.
enum FailureColumn: String, CaseIterable, Sendable {
    case id, path, stage
    /// Only since format 1.1.
    case kind
    case reason

    static let group = "/failures"
    var dataset: String { "\(Self.group)/\(rawValue)" }

    /// Nil: the failure is of a file without this column.
    func value(_ failure: StoredFailure) -> String? {
        switch self {
        case .id: failure.id
        case .path: failure.path
        case .stage: failure.failure.stage.rawValue
        case .kind: failure.failure.kind
        case .reason: failure.failure.reason
        }
    }

    /// Bytes of an entry.
    func width(_ widths: TextWidths) -> Int {
        switch self {
        case .id: widths.id
        case .path: widths.path
        case .stage: FeatureFormat.stageWidth
        case .kind: FeatureFormat.kindWidth
        case .reason: widths.reason
        }
    }

    /// Makes all columns, without writing to them.
    static func create(_ failures: Int, _ widths: TextWidths, in hdf5: borrowing HDF5Writer) throws(StorageError) {
        try hdf5.group(group)
        for column in allCases {
            try hdf5.create(column.dataset, textWidth: column.width(widths), extents: [failures])
        }
    }

    /// Writes rows, from `start` on.
    static func write(
        _ failures: [StoredFailure], from start: Int, _ widths: TextWidths, to hdf5: borrowing HDF5Writer
    ) throws(StorageError) {
        for column in allCases {
            try hdf5.write(
                failures.map { column.value($0) ?? "" }, width: column.width(widths), to: column.dataset, from: start)
        }
    }

    /// Reads the rows in `range`.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    static func read(
        _ range: Range<Int>, hasKind: Bool, from file: borrowing HDF5File
    ) throws(StorageError) -> [StoredFailure] {
        let id = try file.column(FailureColumn.id.dataset, range)
        let path = try file.column(FailureColumn.path.dataset, range)
        let stages = try file.column(stage.dataset, range)
        let kinds = hasKind ? try file.column(kind.dataset, range) : []
        let reasons = try file.column(reason.dataset, range)
        var failures: [StoredFailure] = []
        for row in id.indices {
            guard let stage = ClipFailure.Stage(rawValue: stages[row]) else {
                throw .damaged(path: file.path, found: "/failures/stage has the unknown value '\(stages[row])'")
            }
            let failure = FailureRecord(stage: stage, kind: kinds.isEmpty ? nil : kinds[row], reason: reasons[row])
            failures.append(StoredFailure(id: id[row], path: path[row], failure: failure))
        }
        return failures
    }
}

/// A row of `/failures`.
public struct StoredFailure: Hashable, Sendable {
    /// Unique name.
    public let id: String
    /// Path of the recording, as the manifest gives it.
    public let path: String
    /// Step, kind and reason.
    public let failure: FailureRecord

    /// Keeps the values.
    public init(id: String, path: String, failure: FailureRecord) {
        self.id = id
        self.path = path
        self.failure = failure
    }
}

extension StoredFailure: CustomStringConvertible {
    /// `a.wav (a): decode: expected finite samples, found nan at sample 6000`
    public var description: String { "\(path) (\(id)): \(failure)" }
}
