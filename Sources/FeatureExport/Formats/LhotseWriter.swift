import Archives
import Essentials
import FeatureModel
import FeatureStorage
import Platform

/// `cuts.jsonl.gz`: a cut for each clip. The features are not copied: `veery.lhotse` reads them from the feature file.
final class LhotseWriter: FormatWriter {
    static let copiesRows = false

    private let job: ExportJob
    private let region: ExportRegion
    private let gzip: GzipCompressor
    private let columns: SpeechColumns
    private let values: JSONColumns
    private let path: String
    private let rate: Int?
    private var rates: [Int: Int] = [:]
    private var json = JSONBuilder()

    private struct Configuration: Decodable {
        struct Audio: Decodable {
            let sampleRate: Int?

            private enum CodingKeys: String, CodingKey { case sampleRate = "sample_rate" }
        }
        let audio: Audio
    }

    init(_ job: ExportJob) throws {
        self.job = job
        let reader = job.source.reader
        try job.source.checkMatrices()
        do throws(CompressionError) {
            gzip = try GzipCompressor()
        } catch {
            throw StorageError.system(
                operation: "allocating memory for compression", path: job.folder.path, code: ENOMEM)
        }
        columns = SpeechColumns(reader)
        values = try JSONColumns(job.source)
        path = AbsolutePath.of(reader.path)
        let configuration = Data(reader.configuration.utf8)
        rate = (try? JSONDecoder().decode(Configuration.self, from: configuration))?.audio.sampleRate
        region = try job.folder.region("cuts.jsonl.gz")
    }

    func end(_ clip: ExportedClip) throws {
        append(clip.stored, index: clip.index)
        if json.bytes.count >= 1 << 18 { try pack(isLast: false) }
    }

    func finish() throws {
        try pack(isLast: true)
        try job.folder.finish(region)
    }

    private func pack(isLast: Bool) throws {
        try gzip.pack(json.take(), isLast: isLast) { bytes in try region.write(bytes) }
    }

    private func append(_ clip: StoredClip, index: Int) {
        let (reader, group) = (job.source.reader, job.source.reader.shape.patchRows)
        let (rows, period) = (clip.frameCount / group, job.source.rowPeriod)
        // lhotse counts frames from durations: that of the recording need not be a whole number of frames.
        let duration = (Double(rows) * period * 1e10).rounded() / 1e10
        let text = columns.text.map { clip.extra[$0] } ?? clip.label
        json.object { json in
            json.member("id", clip.id)
            json.member("start", 0)
            json.member("duration", duration)
            json.member("channel", 0)
            json.key("supervisions")
            json.array { json in
                json.object { json in
                    json.member("id", clip.id)
                    json.member("recording_id", clip.id)
                    json.member("start", 0)
                    json.member("duration", duration)
                    json.member("channel", 0)
                    json.member("text", text)
                    appendFields(clip, to: &json)
                    json.key("custom")
                    json.object { appendCustom(clip, to: &$0) }
                }
            }
            json.key("features")
            json.object { json in
                json.member("type", "veery")
                json.member("num_frames", rows)
                json.member("num_features", reader.bins * group)
                json.member("frame_shift", period)
                json.member("sampling_rate", wholeRate(near: rate ?? clip.sampleRate))
                json.member("start", 0)
                json.member("duration", duration)
                json.member("storage_type", "veery")
                json.member("storage_path", path)
                // The reader refuses rows that are no longer those of the clip.
                let (checksum, own) = (reader.metadataChecksum.prefix(16), clip.tensorChecksum.prefix(16))
                json.member("storage_key", "\(clip.frameStart / group),\(rows),\(checksum),\(index),\(own)")
                json.member("recording_id", clip.id)
                json.member("channels", 0)
            }
            json.member("type", "MonoCut")
        }
        json.endLine()
    }

    /// The columns that have fields of a supervision.
    private var fields: [(name: String, column: Int)] {
        let fields = [("speaker", columns.speaker), ("gender", columns.gender), ("language", columns.language)]
        return fields.compactMap { name, column in column.map { (name, $0) } }
    }

    private func appendFields(_ clip: StoredClip, to json: inout JSONBuilder) {
        for (name, column) in fields where !clip.extra[column].isEmpty { json.member(name, clip.extra[column]) }
        if let column = columns.alignment, Self.isAlignment(clip.extra[column]) {
            json.key("alignment")
            json.raw(JSONValue(json: clip.extra[column].utf8)?.text ?? "null")
        }
    }

    /// Whether a value is an alignment of lhotse: lists of items by their kind, such as `word`.
    private static func isAlignment(_ text: String) -> Bool {
        guard case .object(let kinds) = JSONValue(json: text.utf8) else { return false }
        return kinds.allSatisfy { kind in kind.value.elements?.allSatisfy(isItem) == true }
    }

    /// Whether a value is `[symbol, start, duration]`, with or without a score.
    private static func isItem(_ value: JSONValue) -> Bool {
        guard let fields = value.elements, (3...4).contains(fields.count), fields[0].string != nil else { return false }
        return fields[1].number != nil && fields[2].number != nil
    }

    private func appendCustom(_ clip: StoredClip, to json: inout JSONBuilder) {
        let reader = job.source.reader
        json.member("label", clip.label)
        json.member("label_index", clip.labelIndex)
        if let indices = clip.labelIndices { json.member("labels", ClipRecord.labels(indices, reader)) }
        json.member("split", clip.split)
        json.member("path", clip.path)
        if reader.storesRemarks {
            let name = reader.extraColumns.contains("remarks") ? "clip_remarks" : "remarks"
            json.member(name, clip.remarks.kinds.map(\.rawValue))
        }
        for (index, name) in reader.extraColumns.enumerated()
        where index != columns.text && !fields.contains(where: { $0.column == index })
            && !["label", "label_index", "labels", "split", "path"].contains(name)
            && !(index == columns.alignment && Self.isAlignment(clip.extra[index]))
        {
            let value = clip.extra[index]
            guard values.contains(index) else {
                json.member(name, value)
                continue
            }
            json.key(name)
            // Without the line breaks that it may have.
            json.raw(JSONValue(json: value.utf8)?.text ?? "null")
        }
    }

    var notes: [ExportNote] { columns.notes(job.source.reader) }

    /// A sample rate at which the frame period is a whole number of samples: lhotse counts frames by it. The sample rate of the
    /// features may not be one, where a front end resamples.
    private func wholeRate(near rate: Int) -> Int {
        if let known = rates[rate] { return known }
        let period = job.source.rowPeriod
        func isWhole(_ rate: Int) -> Bool {
            let hop = period * Double(rate)
            return hop >= 0.5 && abs(hop - hop.rounded()) < 4e-13
        }
        let found = isWhole(rate) ? rate : (8000...384_000).first(where: isWhole) ?? rate
        rates[rate] = found
        return found
    }
}

/// Paths that mean the same from any folder.
enum AbsolutePath {
    /// The path from the root; symbolic links are not resolved.
    static func of(_ path: String) -> String {
        guard !path.hasPrefix("/") else { return path }
        var rest = path[...]
        while rest.hasPrefix("./") { rest = rest.dropFirst(2).drop { $0 == "/" } }
        return FileManager.default.currentDirectoryPath + "/" + rest
    }
}
