import FeatureModel
import FeatureStorage

/// One file of tensors: the rows of all clips, and what belongs to them. Ids and labels are JSON in its metadata.
final class SafetensorsWriter: FormatWriter {
    static let copiesRows = true

    /// The safetensors library refuses longer headers.
    static let maximumHeader = 100_000_000

    /// The tensors, in the order of the file: those with larger elements first, so that all are aligned.
    private enum Tensor: String, CaseIterable {
        case frameStart = "frame_start"
        case start, duration
        case statistics
        case clipStatistics = "clip_statistics"
        case frameCount = "frame_count"
        case labelIndex = "label_index"
        case splitIndex = "split_index"
        case remarks
        case frameLabel = "frame_label"
        case axis
        case features
        case labelMatrix = "label_matrix"
    }

    private let job: ExportJob
    private let file: ExportFile
    private var regions: [Tensor: ExportRegion] = [:]
    private let splitIndex: [String: Int32]

    init(_ job: ExportJob) throws {
        self.job = job
        let source = job.source
        splitIndex = Dictionary(uniqueKeysWithValues: zip(source.splits, 0..<Int32(source.splits.count)))
        file = try job.folder.file("features.safetensors")
        let header = file.region(at: 8)
        try Self.writeHeader(source, to: header)
        // The values start at a multiple of 64.
        let padding = (64 - header.offset % 64) % 64
        try header.write([UInt8](repeating: UInt8(ascii: " "), count: padding))
        try header.flush()
        guard header.offset - 8 <= Self.maximumHeader else {
            throw ExportError.headerTooLong(path: file.path, bytes: header.offset - 8, maximum: Self.maximumHeader)
        }
        let length = file.region(at: 0, capacity: 8)
        try length.write(UInt64(header.offset - 8))
        try length.flush()
        var offset = header.offset
        for tensor in Tensor.allCases {
            guard let (_, extents, size) = Self.shape(of: tensor, source) else { continue }
            regions[tensor] = file.region(at: offset, capacity: tensor == .features ? 1 << 20 : 1 << 16)
            offset += extents.reduce(size, *)
        }
        try writeFixed(source)
    }

    /// A tensor's type, its extents and the bytes of an element; nil: the feature file has no such values.
    private static func shape(of tensor: Tensor, _ source: ExportSource) -> (type: String, extents: [Int], size: Int)? {
        let (reader, clips) = (source.reader, source.clipCount)
        switch tensor {
        case .frameStart: return ("I64", [clips], 8)
        case .start, .duration: return ("F64", [clips], 8)
        case .statistics: return ("F64", [4] + reader.shape.columnExtents, 8)
        case .clipStatistics:
            return reader.normalize.storesClipStatistics ? ("F64", [clips, 4] + reader.shape.columnExtents, 8) : nil
        case .frameCount, .labelIndex, .splitIndex: return ("I32", [clips], 4)
        case .remarks: return reader.storesRemarks ? ("I32", [clips], 4) : nil
        case .frameLabel: return reader.frameLabelNames == nil ? nil : ("I32", source.rowExtents, 4)
        case .axis: return ("F32", [reader.shape.channelBins], 4)
        case .features:
            let element = reader.shape.element
            return (element == .float16 ? "F16" : "F32", source.extents, element.size)
        case .labelMatrix: return reader.storesLabelMatrix ? ("U8", [clips, reader.labels.count], 1) : nil
        }
    }

    /// Writes the JSON of the header, whose ids may be long.
    private static func writeHeader(_ source: ExportSource, to region: ExportRegion) throws {
        let reader = source.reader
        var json = JSONBuilder()
        json.open("{")
        json.key("__metadata__")
        json.open("{")
        json.member("generator", VeeryVersion.generator)
        json.member("source_metadata_xxh3", reader.metadataChecksum)
        json.member("layout", reader.shape.layout.rawValue)
        json.member("units", reader.units)
        json.member("frame_period", "\(reader.framePeriod)")
        json.member("first_frame_time", "\(reader.firstFrameTime)")
        if let patch = reader.shape.patch {
            json.member("patch_length", "\(patch.length)")
            json.member("patch_hop", "\(patch.hop)")
        }
        if let channels = reader.shape.channels { json.member("channels", "\(channels)") }
        json.member("configuration", reader.configuration)
        json.member("normalize_scope", reader.normalize.scope.rawValue)
        json.member("normalize_method", reader.normalize.method.rawValue)
        json.member("normalize_axis", reader.normalize.axis.rawValue)
        json.member("labels", list(reader.labels))
        json.member("splits", list(source.splits))
        if let names = reader.frameLabelNames { json.member("frame_label_names", list(names)) }
        if reader.storesRemarks { json.member("remark_meanings", RecordingRemarks.meanings) }
        json.key("ids")
        try region.write(json.take())
        try region.write(Array("\"[".utf8))
        var isFirst = true
        try source.eachID { id in
            // JSON in a JSON string: quotation marks are escaped twice.
            var inner = JSONBuilder()
            inner.value(id)
            var outer = JSONBuilder()
            outer.inside(inner.bytes)
            try region.write((isFirst ? [] : [UInt8(ascii: ",")]) + outer.bytes)
            isFirst = false
        }
        try region.write(Array("]\"".utf8))
        json.close("}")
        var offset = 0
        for tensor in Tensor.allCases {
            guard let (type, extents, size) = shape(of: tensor, source) else { continue }
            let end = offset + extents.reduce(size, *)
            json.key(tensor == .axis ? reader.axis.name : tensor.rawValue)
            json.object { json in
                json.member("dtype", type)
                json.member("shape", extents)
                json.member("data_offsets", [offset, end])
            }
            offset = end
        }
        json.close("}")
        try region.write(json.bytes)
    }

    private static func list(_ texts: [String]) -> String {
        var json = JSONBuilder()
        json.value(texts)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// Writes the values of the whole file, which belong to no clip.
    private func writeFixed(_ source: ExportSource) throws {
        let columns = FeatureFormat.columns(of: [source.reader.statistics])
        for number in columns.flatMap(\.values) { try regions[.statistics]?.write(number) }
        for value in source.reader.axis.values { try regions[.axis]?.write(value.bitPattern) }
    }

    func write(_ rows: UnsafeRawBufferPointer) throws { try regions[.features]?.write(rows) }

    func end(_ clip: ExportedClip) throws {
        let (source, reader, stored) = (job.source, job.source.reader, clip.stored)
        let paddingRows = source.rows(of: clip) - stored.frameCount
        try regions[.features]?.writeZeros(paddingRows * reader.storedRowBytes)
        try regions[.frameStart]?.write(Int64(clip.firstRow / reader.shape.patchRows))
        try regions[.start]?.write(stored.start)
        try regions[.duration]?.write(stored.duration)
        try regions[.frameCount]?.write(Int32(clamping: stored.frameCount / reader.shape.patchRows))
        try regions[.labelIndex]?.write(Int32(clamping: stored.labelIndex))
        try regions[.splitIndex]?.write(splitIndex[stored.split] ?? -1)
        try regions[.remarks]?.write(Int32(bitPattern: stored.remarks.rawValue))
        try ClipArrays.write(
            clip, source, labelMatrix: regions[.labelMatrix], frameLabels: regions[.frameLabel],
            statistics: regions[.clipStatistics])
    }

    func finish() throws {
        for region in regions.values { try region.flush() }
        try job.folder.finish(file)
    }
}
