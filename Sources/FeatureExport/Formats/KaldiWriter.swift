import FeatureModel
import FeatureStorage

/// A Kaldi data directory: `feats.ark` in the file's order, and tables that are sorted by id as `LC_ALL=C sort` does.
///
/// Memory: the ids, and about 40 bytes for each clip.
final class KaldiWriter: FormatWriter {
    static let copiesRows = true

    private let job: ExportJob
    private let matrices: ExportRegion
    private let tables: SortedTables
    private let columns: SpeechColumns
    private let hasLabels: Bool
    private var speakers: KaldiSpeakers
    private var id: [UInt8] = []
    /// Offset of the current clip's matrix.
    private var offset = 0

    init(_ job: ExportJob) throws {
        self.job = job
        let reader = job.source.reader
        columns = SpeechColumns(reader)
        speakers = KaldiSpeakers(hasGender: columns.gender != nil)
        try job.source.checkMatrices()
        hasLabels = !reader.labels.isEmpty
        guard !job.folder.path.utf8.contains(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "|") }) else {
            throw ExportError.unsupported(
                path: job.folder.path,
                reason: "feats.scp cannot hold a path with a line break or a '|': choose another folder")
        }
        matrices = try job.folder.region("feats.ark")
        let names =
            ["feats.scp", "utt2num_frames", "utt2dur"] + (hasLabels ? ["utt2label"] : [])
            + (columns.text == nil ? [] : ["text"]) + (columns.speaker == nil ? [] : ["utt2spk"])
            + (columns.language == nil ? [] : ["utt2lang"]) + (reader.storesRemarks ? ["utt2remarks"] : [])
        tables = try SortedTables(names, job.folder)
    }

    func start(_ clip: ExportedClip) throws {
        id = EscapedName.escape(clip.stored.id, .kaldi)
        try matrices.write(id + [UInt8(ascii: " ")])
        offset = matrices.offset
        try matrices.write([0] + Array("BFM ".utf8))
        for extent in job.source.reader.shape.extents(rows: clip.stored.frameCount) {
            try matrices.write(UInt8(4))
            try matrices.write(Int32(clamping: extent))
        }
    }

    func write(_ rows: UnsafeRawBufferPointer) throws {
        guard job.source.reader.shape.element == .float16 else { return try matrices.write(rows) }
        // Kaldi has no half precision; every half is a float.
        try HalfPrecision.floats(rows).withUnsafeBufferPointer { values in
            try matrices.write(UnsafeRawBufferPointer(values))
        }
    }

    func end(_ clip: ExportedClip) throws {
        let (stored, reader) = (clip.stored, job.source.reader)
        func line(_ value: [UInt8]) -> [UInt8] { id + [UInt8(ascii: " ")] + value + [UInt8(ascii: "\n")] }
        var lines = [
            line(Array("\(job.folder.path)/feats.ark:\(offset)".utf8)),
            line(Array("\(stored.frameCount / job.source.reader.shape.patchRows)".utf8)),
            line(Array("\(stored.duration)".utf8)),
        ]
        if hasLabels {
            let own = stored.label.isEmpty ? [] : [stored.label]
            let labels = stored.labelIndices.map { ClipRecord.labels($0, reader) } ?? own
            lines.append(
                labels.isEmpty
                    ? [] : line(Array(labels.map { EscapedName.escape($0, .kaldi) }.joined(separator: [0x20]))))
        }
        if let column = columns.text {
            let words = stored.extra[column].split(whereSeparator: \.isWhitespace).joined(separator: " ")
            lines.append(words.isEmpty ? id + [UInt8(ascii: "\n")] : line(Array(words.utf8)))
        }
        if let column = columns.speaker {
            let speaker = stored.extra[column].isEmpty ? id : EscapedName.escape(stored.extra[column], .kaldi)
            lines.append(line(speaker))
            speakers.append(speaker, gender: EscapedName.escape(columns.gender.map { stored.extra[$0] } ?? "", .kaldi))
        }
        if let column = columns.language {
            let language = stored.extra[column]
            lines.append(language.isEmpty ? [] : line(EscapedName.escape(language, .kaldi)))
        }
        if reader.storesRemarks {
            let kinds = stored.remarks.kinds.map(\.rawValue).joined(separator: " ")
            lines.append(kinds.isEmpty ? [] : line(Array(kinds.utf8)))
        }
        try tables.append(id: id, lines)
    }

    func finish() throws {
        try job.folder.finish(matrices)
        let order = try tables.finish()
        if columns.speaker != nil { try speakers.write(to: job.folder, order: order, id: tables.id) }
        let period = try job.folder.region("frame_shift", capacity: 64)
        try period.write(Array("\(job.source.rowPeriod)\n".utf8))
        try job.folder.finish(period)
    }

    /// Tables that are written whether the manifest has such a column or not.
    private static let own = ["utt2num_frames", "utt2dur"]

    var notes: [ExportNote] {
        let used = [columns.text, columns.speaker, columns.language, columns.speaker == nil ? nil : columns.gender]
        let names = job.source.reader.extraColumns
        let others = names.indices.filter { !used.contains($0) }.map { names[$0] }.filter { !Self.own.contains($0) }
        return columns.notes(job.source.reader) + (others.isEmpty ? [] : [.columnsLeftOut(others)]) + speakers.notes
    }
}

/// Tables with a line for each clip, sorted by their ids. Until they are sorted, the lines are in a temporary file.
final class SortedTables {
    private let names: [String]
    private let folder: ExportFolder
    private let records: ExportRegion
    /// The ids, one after another, the end of each, and the offset of each clip's lines.
    private var ids: [UInt8] = []
    private var ends: [Int] = [0]
    private var offsets: [Int] = [0]

    init(_ names: [String], _ folder: ExportFolder) throws {
        self.names = names
        self.folder = folder
        records = try folder.region("tables.unsorted")
    }

    /// Appends a clip's lines, one for each table; an empty one is left out.
    func append(id: [UInt8], _ lines: [[UInt8]]) throws {
        ids += id
        ends.append(ids.count)
        for line in lines {
            try records.write(UInt32(line.count))
            try records.write(line)
        }
        offsets.append(records.offset)
    }

    /// - Returns: The clips in the order of their ids.
    func finish() throws -> [Int] {
        try records.flush()
        var regions: [ExportRegion] = []
        for name in names { regions.append(try folder.region(name, capacity: 1 << 18)) }
        let order = order()
        for clip in order {
            var record = [UInt8](repeating: 0, count: offsets[clip + 1] - offsets[clip])
            try record.withUnsafeMutableBufferPointer { bytes in
                try records.file.descriptor.read(into: UnsafeMutableRawBufferPointer(bytes), at: offsets[clip])
            }
            var start = 0
            for region in regions {
                let count = record[start..<start + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
                try region.write(Array(record[start + 4..<start + 4 + count]))
                start += 4 + count
            }
        }
        for region in regions { try folder.finish(region) }
        try folder.remove(records.file)
        return order
    }

    /// The id of a clip.
    func id(_ clip: Int) -> ArraySlice<UInt8> { ids[ends[clip]..<ends[clip + 1]] }

    /// The clips in the order of the bytes of their ids.
    private func order() -> [Int] {
        ids.withUnsafeBufferPointer { ids in
            func id(_ clip: Int) -> Slice<UnsafeBufferPointer<UInt8>> { ids[ends[clip]..<ends[clip + 1]] }
            return (0..<ends.count - 1).sorted { id($0).lexicographicallyPrecedes(id($1)) }
        }
    }
}
