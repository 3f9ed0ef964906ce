import FeatureModel
import FeatureStorage

/// Tars of a given size, with the members `KEY.npy`, `KEY.cls` and `KEY.json` of each clip one after another.
final class WebDatasetWriter: FormatWriter {
    static let copiesRows = true

    private let job: ExportJob
    /// The tar that is being written.
    private var shard: ExportRegion?
    private var shards = 0
    /// Members of the current clip after its rows.
    private var rest: [(name: [UInt8], content: [UInt8])] = []
    private var padding = 0
    private var json = JSONBuilder()

    init(_ job: ExportJob) throws { self.job = job }

    func start(_ clip: ExportedClip) throws {
        let (stored, reader) = (clip.stored, job.source.reader)
        let key = EscapedName.escape(stored.id, .webDataset)
        let header = ArrayHeader.bytes(
            descr: reader.shape.element.descr, extents: reader.shape.extents(rows: stored.frameCount))
        let size = header.count + stored.frameCount * reader.storedRowBytes
        let name = key + Array(".npy".utf8)
        rest = []
        if reader.frameLabelNames != nil { rest.append((key + Array(".frame_label.npy".utf8), try frameLabels(clip))) }
        if stored.labelIndex >= 0 { rest.append((key + Array(".cls".utf8), Array("\(stored.labelIndex)".utf8))) }
        ClipRecord.append(stored, reader, frameStart: nil, to: &json)
        rest.append((key + Array(".json".utf8), json.bytes))
        json.removeAll()
        let bytes = rest.reduce(Self.bytes(name, size)) { $0 + Self.bytes($1.name, $1.content.count) }
        if let shard, shard.offset + bytes + TarHeader.end.count > job.options.shardBytes { try close(shard) }
        let region = try current()
        try region.write(TarHeader.bytes(name: name, size: size))
        try region.write(header)
        padding = TarHeader.padding(size)
    }

    /// Bytes of a member in a tar.
    private static func bytes(_ name: [UInt8], _ size: Int) -> Int {
        TarHeader.bytes(name: name, size: size).count + size + TarHeader.padding(size)
    }

    private func frameLabels(_ clip: ExportedClip) throws -> [UInt8] {
        let labels = try ClipArrays.frameLabels(of: clip, job.source).prefix(clip.stored.frameCount)
        var bytes = ArrayHeader.bytes(descr: "<i4", extents: job.source.reader.shape.rowExtents(rows: labels.count))
        for label in labels { withUnsafeBytes(of: label.littleEndian) { bytes.append(contentsOf: $0) } }
        return bytes
    }

    func write(_ rows: UnsafeRawBufferPointer) throws { try shard?.write(rows) }

    func end(_ clip: ExportedClip) throws {
        guard let region = shard else { return }
        try region.writeZeros(padding)
        for (name, content) in rest {
            try region.write(TarHeader.bytes(name: name, size: content.count))
            try region.write(content)
            try region.writeZeros(TarHeader.padding(content.count))
        }
    }

    func finish() throws {
        // Without clips, an empty tar.
        if shards == 0 || shard != nil { try close(try current()) }
    }

    /// The tar that is being written, or a new one.
    private func current() throws -> ExportRegion {
        if let shard { return shard }
        let new = try job.folder.region("features-\(shards.padded(to: 6)).tar")
        shard = new
        shards += 1
        return new
    }

    private func close(_ shard: ExportRegion) throws {
        try shard.write(TarHeader.end)
        try job.folder.finish(shard)
        self.shard = nil
    }
}
