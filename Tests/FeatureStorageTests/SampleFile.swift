import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import FeatureStorage

/// A small feature file with everything in it; a test changes what it is about, then writes it.
struct SampleFile {
    var bins: Int
    /// All rows, one behind the other.
    var values: [Float]
    var clips: [StoredClip]
    var failures: [StoredFailure] = []
    var labels = ["owl", "wren"]
    var extraColumns: [String] = []
    var fit = "train"
    var store = StoreConfiguration()
    var normalize = NormalizeConfiguration()
    /// Rows of a chunk, where the tensor is compressed.
    var chunkRows = 8
    /// The channels whose values are side by side in a row; nil: the file has no axis for them.
    var channels: Int?
    /// The patches that rows are grouped into.
    var patch: PatchShape?
    /// Frames of a block of the fixed layout; nil: as the clips need.
    var blockFrames: Int?
    /// Statistics of the clips, where they are normalised one by one.
    var clipStatistics: [BinStatistics] = []
    /// Whether clips say that they are truncated, and how many of their samples became 0.
    var storesDefects = false
    /// The remarks on the manifest.
    var manifestRemarks: [Remark] = []
    var root: String?
    /// Whether the file has all labels of each clip.
    var hasLabelMatrix = false
    /// The labels of frames, and their names; nil: frames have none.
    var frameLabelNames: [String]?
    var frameLabels: [Int32] = []
    /// Whether the finished file is compared with what was to be written: not where clips say what is wrong.
    var readsBack = false

    /// A file of clips with so many rows each.
    init(rowCounts: [Int] = [4, 1, 7], bins: Int = 3, seed: Int = 1) {
        self.bins = bins
        values = randomRows(rowCounts.reduce(0, +), bins: bins, seed: seed)
        clips = []
        var start = 0
        for (clip, count) in rowCounts.enumerated() {
            let label = ["owl", "", "wren"][clip % 3]
            clips.append(
                StoredClip(
                    id: "clip-\(clip)", path: "recordings/\(clip).wav", label: label,
                    split: ["train", "test"][clip % 2],
                    labelIndex: labels.firstIndex(of: label) ?? -1,
                    measurement: ClipMeasurement(
                        sampleRate: 16_000, channels: 1 + clip % 2, start: Double(clip) / 8,
                        duration: Double(count) / 100),
                    frameStart: start, frameCount: count, audioChecksum: String(repeating: "\(clip % 10)", count: 32),
                    tensorChecksum: checksum(of: start..<start + count), extra: []))
            start += count
        }
    }

    /// The checksum that a clip of these rows has to carry.
    func checksum(of rows: Range<Int>) -> String {
        values[rows.lowerBound * bins..<rows.upperBound * bins].withUnsafeBytes { XXH3Hash128.checksum(of: $0).hex }
    }

    var statistics: BinStatistics {
        let means = (0..<bins).map { Double($0) + 0.25 }
        return BinStatistics(
            count: 12, mean: means, squaredDistance: means.map { $0 * 12 }, minimum: means.map { Float(-$0) },
            maximum: means.map { Float($0 * 3) })
    }

    var header: FeatureFileHeader {
        FeatureFileHeader(
            configuration: #"{"version":1}"#, shape: shape, failures: failures.count,
            axis: .frequency((0..<bins / (channels ?? 1)).map { Float($0) * 100 + 50 }), units: "zscore of ln",
            longName: "log mel – Größe",
            framePeriod: 0.01, firstFrameTime: 0.0125, labels: labels, statistics: statistics, fit: fit,
            normalize: normalize, manifestChecksum: String(repeating: "ab", count: 32), software: #"{"veery":"0"}"#,
            table: ClipTable(
                manifestColumns: extraColumns, hasLabelMatrix: hasLabelMatrix, hasFrameLabels: frameLabelNames != nil,
                patchRows: patch?.length ?? 1
            ) { $0 == .channel ? false : storesDefects }, frameLabelNames: frameLabelNames,
            annotationsChecksum: frameLabelNames == nil ? "" : String(repeating: "cd", count: 32),
            root: root, remarks: manifestRemarks)
    }

    var widths: TextWidths {
        func width(_ texts: [String]) -> Int { texts.map(\.utf8.count).max() ?? 0 }
        var widths = TextWidths(
            id: width(clips.map(\.id) + failures.map(\.id)), path: width(clips.map(\.path) + failures.map(\.path)),
            label: width(clips.map(\.label) + labels), split: width(clips.map(\.split)),
            extra: extraColumns.indices.map { column in width(clips.map { $0.extra[column] }) })
        widths.reason = width(failures.map(\.failure.reason))
        return widths
    }

    /// Writes all but the end.
    func begin(at path: String) throws -> FeatureFileWriter {
        var writer = try FeatureFileWriter.create(path: path, temporary: path + ".tmp", header: header, widths: widths)
        writer.readsBack = readsBack
        try writeRows(to: writer.tensor)
        if frameLabelNames != nil {
            try frameLabels.withUnsafeBufferPointer { try writer.append(frameLabels: $0) }
        }
        try writer.append(clips, statistics: clipStatistics)
        try writer.append(failures)
        return writer
    }

    /// Writes the rows: all at once, whatever the clips say of them, or clip by clip where chunks need to know.
    private func writeRows(to tensor: TensorWriter) throws {
        let worker = try tensor.worker()
        var values = values
        if store == StoreConfiguration() {
            worker.start(clip: 0, row: 0)
            try values.withUnsafeMutableBufferPointer { try worker.append($0) }
            return
        }
        var start = 0
        for (number, clip) in clips.enumerated() {
            var rows = Array(values[start..<start + clip.frameCount * bins])
            start += rows.count
            worker.start(clip: number, row: clip.frameStart)
            // In pieces, as they come from a spool.
            for first in stride(from: 0, to: clip.frameCount, by: 3) {
                let end = min(first + 3, clip.frameCount)
                try rows.withUnsafeMutableBufferPointer {
                    try worker.append(UnsafeMutableBufferPointer(rebasing: $0[first * bins..<end * bins]))
                }
            }
            #expect(try worker.finish().hex == clip.tensorChecksum)
        }
    }

    /// The tensor's shape, which follows from the clips.
    var shape: TensorShape {
        let chunk = store.compression == .deflate ? chunkRows : nil
        switch store.layout {
        case .packed:
            let rows = store == StoreConfiguration() ? values.count / bins : clips.map(blockRows).reduce(0, +)
            return .packed(
                rows: rows, clips: clips.count, bins: bins, element: store.element, chunkRows: chunk, patch: patch,
                channels: channels)
        case .fixed:
            let frames = frames
            return TensorShape.fixed(
                frames: frames, clips: clips.count, bins: bins, element: store.element,
                chunkRows: chunk.map { min($0, frames) }, patch: patch, channels: channels)
                ?? .packed(rows: 0, clips: 0, bins: bins)
        }
    }

    /// Frames of a block of the fixed layout: two, or two patches, more than the longest clip has.
    private var frames: Int { blockFrames ?? (clips.map(\.frameCount).max() ?? 0) + 2 * (patch?.length ?? 1) }

    private func blockRows(_ clip: StoredClip) -> Int {
        if store.layout == .fixed { return frames }
        return store.compression == .deflate
            ? (clip.frameCount + chunkRows - 1) / chunkRows * chunkRows : clip.frameCount
    }

    /// The checksum of rows as they are stored.
    static func checksum(of values: [Float], _ element: StoreConfiguration.Element) -> String {
        var values = values
        return values.withUnsafeMutableBufferPointer { values in
            XXH3Hash128.checksum(
                of: element == .float16 ? HalfPrecision.encode(values) : UnsafeRawBufferPointer(values)
            ).hex
        }
    }

    /// The same clips, stored otherwise, with the offsets and checksums that follow from that.
    func stored(_ store: StoreConfiguration, chunkRows: Int = 8) -> SampleFile {
        var file = self
        file.store = store
        file.chunkRows = chunkRows
        if store.element == .float16 { file.values = values.map { HalfPrecision.float(HalfPrecision.bits($0)) } }
        var (row, value) = (0, 0)
        for (index, clip) in clips.enumerated() {
            let own = file.values[value..<value + clip.frameCount * bins]
            file.change(index, frameStart: row, tensorChecksum: Self.checksum(of: Array(own), store.element))
            row += file.blockRows(clip)
            value += own.count
        }
        return file
    }

    /// Writes the file.
    func write(to path: String) throws { try begin(at: path).finish() }

    /// Replaces values of clip `index`.
    mutating func change(
        _ index: Int, label: String? = nil, labelIndex: Int? = nil, frameStart: Int? = nil, frameCount: Int? = nil,
        tensorChecksum: String? = nil, extra: [String]? = nil, id: String? = nil, labelIndices: [Int]? = nil
    ) {
        let clip = clips[index]
        clips[index] = StoredClip(
            id: id ?? clip.id, path: clip.path, label: label ?? clip.label, split: clip.split,
            labelIndex: labelIndex ?? clip.labelIndex, measurement: clip.measurement,
            frameStart: frameStart ?? clip.frameStart, frameCount: frameCount ?? clip.frameCount,
            audioChecksum: clip.audioChecksum,
            tensorChecksum: tensorChecksum ?? clip.tensorChecksum, extra: extra ?? clip.extra,
            labelIndices: labelIndices ?? clip.labelIndices, frameLabelChecksum: clip.frameLabelChecksum)
    }
}

extension FeatureReader {
    /// All stored clips.
    func allClips() throws -> [StoredClip] { try clips(0..<clipCount) }

    /// All failures.
    func allFailures() throws -> [StoredFailure] { try failures(0..<header.failureCount) }
}
