import FeatureModel
import FeatureStorage
import FileIO

/// What a format's writer needs.
struct ExportJob {
    let source: ExportSource
    let folder: ExportFolder
    let options: ExportOptions
}

/// Writes an export in one format.
protocol FormatWriter: ClipWriter {
    /// Whether rows are copied: otherwise `write` is never called.
    static var copiesRows: Bool { get }

    /// Makes the first files.
    init(_ job: ExportJob) throws

    /// Completes all files.
    func finish() throws

    /// What the export lacks.
    var notes: [ExportNote] { get }
}

extension FormatWriter {
    var notes: [ExportNote] { [] }
}

extension StoreConfiguration.Element {
    /// NumPy's name of the type.
    var descr: String { self == .float16 ? "<f2" : "<f4" }
}

/// Writes clips in one format. For each clip in turn `start`, `write` with its rows in one piece or several, and `end` are called.
protocol ClipWriter: AnyObject {
    func start(_ clip: ExportedClip) throws
    /// Rows of the clip as stored, without padding.
    func write(_ rows: UnsafeRawBufferPointer) throws
    func end(_ clip: ExportedClip) throws
}

extension ClipWriter {
    func start(_ clip: ExportedClip) throws {}
    func write(_ rows: UnsafeRawBufferPointer) throws {}
    func end(_ clip: ExportedClip) throws {}
}

/// Reads the rows of all clips, several clips at a time where they follow one another, and compares them with their checksums.
final class RowPass {
    /// Bytes that are read at a time; a single row may be larger.
    private static let pieceBytes = 4 << 20
    /// Maximum gap between two clips, in bytes, that are still read together.
    private static let gapBytes = 1 << 16

    private let source: ExportSource
    private let rowBytes: Int
    /// The number of rows that `bytes` has space for.
    private let capacity: Int
    private let bytes: UnsafeMutableRawBufferPointer
    /// Clips that are read together, and their rows.
    private var window: [ExportedClip] = []
    private var rows = 0..<0

    init(_ source: ExportSource) {
        self.source = source
        rowBytes = source.reader.storedRowBytes
        capacity = max(1, Self.pieceBytes / rowBytes)
        bytes = .allocate(byteCount: capacity * rowBytes, alignment: 64)
    }

    deinit { bytes.deallocate() }

    /// Hands all clips to a writer.
    ///
    /// - Parameter finished: Called with each clip.
    func run(_ writer: some ClipWriter, finished: (StoredClip) -> Void) throws {
        try source.eachBlock { block in
            for clip in block {
                let own = clip.stored.rows
                let gap = own.lowerBound - rows.upperBound
                if !window.isEmpty, gap >= 0, gap * rowBytes <= Self.gapBytes,
                    own.upperBound - rows.lowerBound <= capacity
                {
                    rows = rows.lowerBound..<own.upperBound
                } else {
                    try flush(to: writer, finished: finished)
                    rows = own
                }
                window.append(clip)
            }
            try flush(to: writer, finished: finished)
        }
    }

    private func flush(to writer: some ClipWriter, finished: (StoredClip) -> Void) throws {
        guard let first = window.first else { return }
        guard !source.cancellation.isCancelled else { throw ExportError.cancelled }
        if rows.count > capacity {
            try copyInPieces(first, to: writer)
        } else {
            try read(rows)
            for clip in window {
                let start = (clip.stored.frameStart - rows.lowerBound) * rowBytes
                let own = UnsafeRawBufferPointer(
                    rebasing: bytes[start..<start + clip.stored.frameCount * rowBytes])
                try require(XXH3Hash128.checksum(of: own), of: clip)
                try writer.start(clip)
                try writer.write(own)
                try writer.end(clip)
            }
        }
        for clip in window { finished(clip.stored) }
        window.removeAll(keepingCapacity: true)
    }

    /// Copies a clip that is longer than `bytes`.
    private func copyInPieces(_ clip: ExportedClip, to writer: some ClipWriter) throws {
        var hash = XXH3Hash128()
        try writer.start(clip)
        for piece in rows.blocks(of: capacity) {
            guard !source.cancellation.isCancelled else { throw ExportError.cancelled }
            try read(piece)
            let own = UnsafeRawBufferPointer(rebasing: bytes[..<(piece.count * rowBytes)])
            hash.update(own)
            try writer.write(own)
        }
        try require(hash.finish(), of: clip)
        try writer.end(clip)
    }

    private func read(_ rows: Range<Int>) throws {
        let part = UnsafeMutableRawBufferPointer(rebasing: bytes[..<(rows.count * rowBytes)])
        try source.reader.readStored(rows: rows, into: part)
    }

    private func require(_ found: Checksum128, of clip: ExportedClip) throws {
        guard found.hex == clip.stored.tensorChecksum else {
            throw ExportError.damagedClip(path: source.reader.path, id: clip.stored.id)
        }
    }
}
