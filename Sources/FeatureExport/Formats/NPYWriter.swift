import FeatureModel
import FeatureStorage

/// `features.npy` with the rows of all clips, `clips.jsonl` with a line for each clip, and arrays for what some files have.
final class NPYWriter: FormatWriter {
    static let copiesRows = true

    private let job: ExportJob
    private let rows: ExportRegion
    private let lines: ExportRegion
    private var json = JSONBuilder()
    /// Further arrays; nil: the feature file has no such values.
    private let labelMatrix: ExportRegion?
    private let frameLabels: ExportRegion?
    private let statistics: ExportRegion?

    init(_ job: ExportJob) throws {
        self.job = job
        let (source, reader) = (job.source, job.source.reader)
        /// Makes an array in a file of its own.
        func array(_ name: String, _ descr: String, _ extents: [Int], room: Int = 1 << 16) throws
            -> ExportRegion
        {
            let region = try job.folder.region(name, room: room)
            try region.write(ArrayHeader.bytes(descr: descr, extents: extents))
            return region
        }
        rows = try array("features.npy", reader.shape.element.descr, source.extents, room: 1 << 20)
        lines = try job.folder.region("clips.jsonl", room: 1 << 16)
        labelMatrix =
            reader.storesLabelMatrix
            ? try array("label_matrix.npy", "|u1", [source.clipCount, reader.labels.count]) : nil
        frameLabels =
            reader.frameLabelNames == nil
            ? nil : try array("frame_label.npy", "<i4", source.rowExtents)
        statistics =
            reader.normalize.storesClipStatistics
            ? try array("clip_statistics.npy", "<f8", [source.clipCount, 4] + reader.shape.columnExtents) : nil
    }

    func write(_ rows: UnsafeRawBufferPointer) throws { try self.rows.write(rows) }

    func end(_ clip: ExportedClip) throws {
        let (source, reader) = (job.source, job.source.reader)
        let filling = source.rows(of: clip) - clip.stored.frameCount
        try rows.writeZeros(filling * reader.storedRowBytes)
        ClipRecord.append(clip.stored, reader, frameStart: clip.firstRow / reader.shape.patchRows, to: &json)
        json.endLine()
        try lines.write(json.take())
        try ClipArrays.write(clip, source, labelMatrix: labelMatrix, frameLabels: frameLabels, statistics: statistics)
    }

    func finish() throws {
        for region in [rows, lines, labelMatrix, frameLabels, statistics] {
            if let region { try job.folder.finish(region) }
        }
    }
}

/// Values of a clip besides its rows, as arrays hold them.
enum ClipArrays {
    /// Appends the clip's row of the label matrix, the labels of its frames, and its mean, standard deviation, minimum and maximum,
    /// each to the array that there is of them.
    static func write(
        _ clip: ExportedClip, _ source: ExportSource, labelMatrix: ExportRegion?, frameLabels: ExportRegion?,
        statistics: ExportRegion?
    ) throws {
        if let labelMatrix {
            var row = [UInt8](repeating: 0, count: source.reader.labels.count)
            for index in clip.stored.labelIndices ?? [] where row.indices.contains(index) { row[index] = 1 }
            try labelMatrix.write(row)
        }
        if let frameLabels {
            for label in try Self.frameLabels(of: clip, source) { try frameLabels.write(label) }
        }
        guard let statistics else { return }
        let figures = try source.reader.storedStatistics(ofClip: clip.index)
        for number in (figures ?? []).joined() { try statistics.write(number) }
    }

    /// The labels of the clip's frames; in the fixed layout of all frames of its block, −1 after its last.
    static func frameLabels(of clip: ExportedClip, _ source: ExportSource) throws -> [Int32] {
        let labels = try source.reader.frameLabels(of: clip.stored) ?? []
        return labels + Array(repeating: -1, count: max(0, source.rows(of: clip) - labels.count))
    }
}
