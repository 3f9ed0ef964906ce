import Essentials
import FeatureModel
import FeatureStorage
import FileIO
import Platform

/// `features.json`: a Kerchunk reference, by which Zarr reads the feature file itself, `/features` in chunks of rows.
final class ZarrWriter: FormatWriter {
    static let copiesRows = false

    /// Bytes of a chunk of an uncompressed `/features`; a single row, or the block of a clip, may be larger.
    static let chunkBytes = 1 << 20

    private let job: ExportJob
    private let reader: FeatureReader
    /// The feature file that is referred to.
    private let source: FeatureFile
    private let region: ExportRegion
    private var json = JSONBuilder()
    private var names: Set<String> = []

    init(_ job: ExportJob) throws {
        self.job = job
        reader = job.source.reader
        guard let source = reader.onlyFile else {
            throw ExportError.unsupported(
                path: reader.path,
                reason: "a reference is to one file; expected one feature file, found a set: "
                    + "export its files one at a time"
            )
        }
        self.source = source
        region = try job.folder.region("features.json")
        let path = AbsolutePath.of(reader.path)
        if let mark = ["::", "{{"].first(where: { path.contains($0) }) {
            throw ExportError.unsupported(
                path: path,
                reason: "a reference cannot hold a path with '\(mark)', which its readers do not read as a path")
        }
        guard job.source.indices == nil else {
            throw ExportError.referenceOfPart(path: region.file.path)
        }
    }

    func finish() throws {
        json.open("{")
        json.member("version", 1)
        json.key("templates")
        json.object { $0.member("u", AbsolutePath.of(reader.path)) }
        json.key("refs")
        json.open("{")
        json.member(".zgroup", #"{"zarr_format":2}"#)
        json.member(".zattrs", attributes())
        try writeFeatures()
        for array in try source.storedArrays() {
            let name = name(of: array.dataset)
            let isRemarks = array.dataset == ClipColumn.Integer.remarks.dataset
            appendArray(
                name, array, chunk: array.extents.map { max(1, $0) }, dimensions: dimensions(of: array),
                attributes: isRemarks ? [("flag_meanings", RecordingRemarks.meanings)] : [])
            if let offset = array.offset, let count = array.byteCount, count > 0 {
                reference(name, array.extents.map { _ in 0 }, offset, count)
            }
            try flush()
        }
        if let (array, chunk, chunks) = try source.storedLabelMatrix() {
            appendArray("label_matrix", array, chunk: chunk, dimensions: ["clip", "labels"], isDeflated: true)
            try writeChunks("label_matrix", chunk, chunks, filters: 1)
        }
        json.close("}")
        json.close("}")
        json.endLine()
        try flush(all: true)
        try job.folder.finish(region)
    }

    // MARK: - Features

    private func writeFeatures() throws {
        let array = try source.storedFeatures()
        let attributes = [
            ("units", reader.units), ("long_name", reader.longName),
        ]
        names.insert("features")
        guard let chunk = source.chunkExtents else {
            let rows = chunkRows(array)
            let extents = [rows] + array.extents.dropFirst()
            appendArray("features", array, chunk: extents, dimensions: featureDimensions, attributes: attributes)
            return try writeContiguous(array, rows: rows)
        }
        appendArray(
            "features", array, chunk: chunk, dimensions: featureDimensions, isDeflated: true,
            shuffled: array.element.size, attributes: attributes)
        let chunks = try source.storedChunks()
        let expected = zip(array.extents, chunk).reduce(1) { $0 * (($1.0 + $1.1 - 1) / $1.1) }
        guard chunks.count == expected else {
            throw StorageError.damaged(path: reader.path, found: "/features has \(chunks.count) chunks of \(expected)")
        }
        try writeChunks("features", chunk, chunks, filters: 2)
    }

    /// The number of entries of the first dimension in a chunk: a power of two, or all.
    private func chunkRows(_ array: StoredArray) -> Int {
        let count = array.extents.first ?? 0
        let bytes = array.extents.dropFirst().reduce(array.element.size, *)
        var rows = 1
        while rows < count, 2 * rows * bytes <= Self.chunkBytes { rows *= 2 }
        return max(1, min(rows, count))
    }

    /// References to whole chunks; a short one at the end is written into the reference itself, padded with zeros.
    private func writeContiguous(_ array: StoredArray, rows: Int) throws {
        let count = array.extents.first ?? 0
        let bytes = array.extents.dropFirst().reduce(array.element.size, *)
        guard count > 0, let offset = array.offset else { return }
        let zeros = array.extents.dropFirst().map { _ in 0 }
        for chunk in 0..<count / rows {
            reference("features", [chunk] + zeros, offset + chunk * rows * bytes, rows * bytes)
            try flush()
        }
        let last = count / rows * rows
        guard last < count else { return }
        var content = [UInt8](repeating: 0, count: rows * bytes)
        try content.withUnsafeMutableBufferPointer { content in
            let own = UnsafeMutableRawBufferPointer(
                UnsafeMutableBufferPointer(rebasing: content[..<((count - last) * bytes)]))
            let blockRows = bytes / reader.storedRowBytes
            try reader.readStored(rows: last * blockRows..<count * blockRows, into: own)
        }
        inline("features", [last / rows] + zeros, content)
    }

    /// References to chunks that are compressed; those on which deflate was not used are written into the
    /// reference itself, as a zlib stream of stored bytes.
    ///
    /// - Parameter filters: The number of filters, of which deflate is the last.
    private func writeChunks(
        _ name: String, _ extents: [Int], _ chunks: [StoredChunk], filters: Int
    ) throws {
        guard !chunks.isEmpty else { return }
        let bytes = try StorageFile(path: reader.path, flags: O_RDONLY, operation: "opening the file")
        let withoutDeflate: UInt32 = 1 << UInt32(filters - 1)
        for chunk in chunks {
            let index = zip(chunk.start, extents).map { $0 / $1 }
            switch chunk.filterMask {
            case 0: reference(name, index, chunk.offset, chunk.byteCount)
            case withoutDeflate:
                var content = [UInt8](repeating: 0, count: chunk.byteCount)
                try content.withUnsafeMutableBufferPointer { content in
                    try bytes.read(into: UnsafeMutableRawBufferPointer(content), at: chunk.offset)
                }
                inline(name, index, content.withUnsafeBytes { StoredZlib.bytes(of: $0) })
            default:
                throw ExportError.mixedFilters(path: reader.path, array: name)
            }
            try flush()
        }
    }

    // MARK: - Parts of the reference

    private var axis: String { reader.axis.name }

    private var columns: [String] { (reader.shape.channels == nil ? [] : ["channel"]) + [axis] }

    private var featureDimensions: [String] {
        if reader.shape.channels != nil {
            return reader.shape.layout == .packed ? ["row", "channel", axis] : ["clip", "channel", "time", axis]
        }
        guard let patch = reader.shape.patch else { return rowDimensions + [axis] }
        return patch.isStacked ? rowDimensions.dropLast() + ["column"] : rowDimensions + [axis]
    }

    /// Dimensions of an array with a number for each row.
    private var rowDimensions: [String] {
        (reader.shape.layout == .packed ? ["row"] : ["clip", "time"])
            + (reader.shape.patch == nil ? [] : ["patch_time"])
    }

    private func dimensions(of array: StoredArray) -> [String] {
        switch array.dataset {
        case reader.axisDataset: [axis]
        case "/time": ["time"]
        case "/patch_time": ["patch_time"]
        case "/channel": ["channel"]
        case "/labels": ["labels"]
        case "/frame_label": rowDimensions
        case "/frame_label_names": ["frame_label_names"]
        case let name where name.hasPrefix("/statistics/"): columns
        case let name where name.hasPrefix("/clips/statistics/"): ["clip"] + columns
        default: ["clip"]
        }
    }

    /// A unique name for each array: xarray reads a single group, so all are in one.
    private func name(of dataset: String) -> String {
        let parts = dataset.split(separator: "/").map(String.init)
        let last = parts.last ?? ""
        var name =
            switch parts.dropLast() {
            case ["statistics"]: "statistics_\(last)"
            case ["clips", "statistics"]: "clip_\(last)"
            case ["clips", "extra"] where names.contains(last) || last.hasPrefix(".") || last == "labels":
                "extra_\(last)"
            default: last
            }
        while !names.insert(name).inserted { name += "_" }
        return name
    }

    private func attributes() -> String {
        var json = JSONBuilder()
        json.object { json in
            json.member("format", "veery-features")
            json.member("format_version", reader.formatVersion)
            json.member("generator", reader.generator)
            json.member("layout", reader.shape.layout.rawValue)
            json.member("metadata_xxh3", reader.metadataChecksum)
            json.member("frame_period", reader.framePeriod)
            json.member("first_frame_time", reader.firstFrameTime)
            if let patch = reader.shape.patch {
                json.member("patch_length", patch.length)
                json.member("patch_hop", patch.hop)
            }
            json.member("normalize_scope", reader.normalize.scope.rawValue)
            json.member("normalize_method", reader.normalize.method.rawValue)
            json.member("normalize_axis", reader.normalize.axis.rawValue)
            json.member("configuration", reader.configuration)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func appendArray(
        _ name: String, _ array: StoredArray, chunk: [Int], dimensions: [String], isDeflated: Bool = false,
        shuffled: Int? = nil, attributes: [(name: String, value: String)] = []
    ) {
        let type =
            switch array.element {
            case .float16: "<f2"
            case .float32: "<f4"
            case .float64: "<f8"
            case .int32: "<i4"
            case .int64: "<i8"
            case .uint8: "|u1"
            case .text(let width): "|S\(width)"
            }
        var zarray = JSONBuilder()
        zarray.object { json in
            json.member("zarr_format", 2)
            json.member("shape", array.extents)
            json.member("chunks", chunk)
            json.member("dtype", type)
            json.member("order", "C")
            json.key("fill_value")
            json.raw("null")
            json.key("compressor")
            json.raw(isDeflated ? #"{"id":"zlib","level":1}"# : "null")
            json.key("filters")
            json.raw(shuffled.map { #"[{"id":"shuffle","elementsize":\#($0)}]"# } ?? "null")
        }
        json.member("\(name)/.zarray", String(decoding: zarray.bytes, as: UTF8.self))
        var zattrs = JSONBuilder()
        zattrs.object { json in
            json.member("_ARRAY_DIMENSIONS", dimensions)
            if case .text = array.element { json.member("_Encoding", "utf-8") }
            for (name, value) in attributes { json.member(name, value) }
        }
        json.member("\(name)/.zattrs", String(decoding: zattrs.bytes, as: UTF8.self))
    }

    private func key(_ name: String, _ index: [Int]) -> String {
        "\(name)/" + index.map { "\($0)" }.joined(separator: ".")
    }

    private func reference(_ name: String, _ index: [Int], _ offset: Int, _ count: Int) {
        json.key(key(name, index))
        json.array { json in
            json.value("{{u}}")
            json.value(offset)
            json.value(count)
        }
    }

    private func inline(_ name: String, _ index: [Int], _ content: [UInt8]) {
        json.key(key(name, index))
        json.value("base64:" + Data(content).base64EncodedString())
    }

    /// Writes the text so far, once it has the length of a block.
    private func flush(all: Bool = false) throws {
        if all || json.bytes.count >= 1 << 18 { try region.write(json.take()) }
    }
}
