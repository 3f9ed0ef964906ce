/// What a run knows of a clip of its manifest.
package enum SpoolEntry: Hashable, Sendable {
    /// It is not done.
    case pending
    /// It is done: its rows are in the spool.
    case spooled(SpoolPosition, rows: Int)
    /// It is kept unchanged from an existing feature file, where it has this index.
    case inFeatureFile(index: Int, rows: Int)
    /// It has failed.
    case failed(SpoolPosition)
    /// Its rows are in the spool, but the stored type cannot hold them.
    case rejected(SpoolPosition)

    /// Number of its rows in the spool or in the feature file; nil: it has none.
    package var rows: Int? { storedRows { $0 } }

    /// Number of rows in the feature file; nil: none.
    func storedRows(_ stored: (Int) -> Int) -> Int? {
        switch self {
        case .spooled(_, let rows): stored(rows)
        case .inFeatureFile(_, let rows): rows
        case .pending, .failed, .rejected: nil
        }
    }

    /// Where it is in the spool; nil: it is not there.
    package var position: SpoolPosition? {
        switch self {
        case .spooled(let position, _), .failed(let position), .rejected(let position): position
        case .pending, .inFeatureFile: nil
        }
    }

    /// Whether it is kept unchanged from an existing feature file.
    package var isInFeatureFile: Bool {
        if case .inFeatureFile = self { true } else { false }
    }
}

/// The twelve bytes of an entry in an index. Only here, cases are encoded as numbers.
extension SpoolEntry {
    private static let offsetBits: UInt64 = 44
    private static let pendingLocation = UInt64.max
    /// Means the feature file where the number of a file is expected; `SpoolPosition.files` ends before it.
    private static let featureFile = UInt64(SpoolPosition.files.upperBound)
    private static let (failedRows, rejectedRows): (Int32, Int32) = (-1, -2)

    /// A file's number in the upper 20 bits, an offset or index in the lower 44; and a number of rows.
    var packed: (location: UInt64, rows: Int32) {
        func location(_ position: SpoolPosition) -> UInt64 {
            UInt64(position.file) << Self.offsetBits | UInt64(position.offset)
        }
        return switch self {
        case .pending: (Self.pendingLocation, Self.failedRows)
        case .spooled(let position, let rows): (location(position), Int32(clamping: rows))
        case .inFeatureFile(let index, let rows):
            (Self.featureFile << Self.offsetBits | UInt64(index), Int32(clamping: rows))
        case .failed(let position): (location(position), Self.failedRows)
        case .rejected(let position): (location(position), Self.rejectedRows)
        }
    }

    init(location: UInt64, rows: Int32) {
        guard location != Self.pendingLocation else {
            self = .pending
            return
        }
        let (file, offset) = (location >> Self.offsetBits, Int(location & (1 << Self.offsetBits - 1)))
        let position = SpoolPosition(file: Int(file), offset: offset)
        self =
            switch rows {
            case Self.failedRows: .failed(position)
            case Self.rejectedRows: .rejected(position)
            default:
                file == Self.featureFile
                    ? .inFeatureFile(index: offset, rows: Int(rows)) : .spooled(position, rows: Int(rows))
            }
    }
}

/// Where the last record of a clip is: in which of a spool's files, and at which byte.
package struct SpoolPosition: Hashable, Sendable {
    /// Number of the file, within `files`.
    let file: Int
    /// Byte at which the record starts, less than 2⁴⁴.
    let offset: Int

    /// Bytes that a file may have.
    static let maximumOffset = 1 << 44
    /// The numbers that files may have: those of a run's own folder, then those of shards.
    static let files = 0..<(1 << 20) - 2
    /// The numbers of files in a run's own folder.
    static let ownFiles = 0..<65_534
    /// Those of files of shards.
    static let shardFiles = ownFiles.upperBound..<files.upperBound
}
