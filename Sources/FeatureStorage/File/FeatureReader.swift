import FeatureModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reads a feature file: what it says of itself, its clips, their rows.
///
/// Nothing is kept in memory but the small parts; clips and rows are read when they are asked for. One thread at a time.
public final class FeatureReader {
    /// Path of the file.
    public let path: String
    /// The program that wrote the file, such as `veery 0.1.0`.
    public let generator: String
    /// Version of the format.
    public let formatVersion: String
    /// How clips share the tensor: `packed`.
    public let layout: String
    /// Number of rows of `/features`.
    public let rows: Int
    /// Number of values in a row.
    public let bins: Int
    /// Number of stored clips.
    public let clipCount: Int
    /// Number of failed clips.
    public let failureCount: Int
    /// What the columns of a row stand for.
    public let axis: FeatureAxis
    /// Unit of the stored values.
    public let units: String
    /// What the stored values are, in words.
    public let longName: String
    /// Seconds from a row to the next.
    public let framePeriod: Double
    /// Time of the middle of a clip's first frame, in seconds.
    public let firstFrameTime: Double
    /// The distinct labels, sorted.
    public let labels: [String]
    /// Statistics of the values before normalisation.
    public let statistics: BinStatistics
    /// The split that the statistics were taken from; empty: all clips.
    public let fit: String
    /// The configuration, as JSON.
    public let configuration: String
    /// SHA-256 of the manifest, hexadecimal.
    public let manifestChecksum: String
    /// Versions of the software that made the file, as JSON.
    public let software: String
    /// The manifest's other columns that the file holds, sorted.
    public let extraColumns: [String]

    private let file: HDF5File

    /// Opens a file and checks that it is complete and of a known version.
    ///
    /// - Throws: `StorageError`: `.system` where there is no such file, `.notFeatures` where it is another kind of file
    ///   or incomplete, `.damaged` where parts are missing.
    public init(path: String) throws(StorageError) {
        let file = try FeatureReader.open(path)
        self.path = path
        generator = try file.text(attribute: "generator", of: "/") ?? ""
        formatVersion = FeatureFormat.version
        layout = try file.text(attribute: "layout", of: "/") ?? ""
        guard layout == "packed" else { throw .notFeatures(path: path, found: "the layout '\(layout)'") }

        let extents = try file.extents(of: "/features")
        guard extents.count == 2, extents[1] > 0 else {
            throw .damaged(path: path, found: "/features has the shape \(extents) instead of [rows, bins]")
        }
        (rows, bins) = (extents[0], extents[1])
        clipCount = try file.extents(of: "/clips/id").first ?? 0
        failureCount = try file.extents(of: "/failures/id").first ?? 0
        units = try file.text(attribute: "units", of: "/features") ?? ""
        longName = try file.text(attribute: "long_name", of: "/features") ?? ""
        framePeriod = try file.number(attribute: "frame_period", of: "/features", as: Double.self) ?? 0
        firstFrameTime = try file.number(attribute: "first_frame_time", of: "/features", as: Double.self) ?? 0
        axis =
            file.exists("/coefficient")
            ? .coefficient(try FeatureReader.perBin("/coefficient", of: Float.self, bins, file))
            : .frequency(try FeatureReader.perBin("/frequency", of: Float.self, bins, file))
        labels = try file.texts("/labels")
        statistics = try FeatureReader.statistics(file, bins: bins)
        fit = try file.text(attribute: "fit", of: "/statistics") ?? ""
        configuration = try file.texts("/provenance/configuration").first ?? ""
        manifestChecksum = try file.texts("/provenance/manifest_sha256").first ?? ""
        software = try file.texts("/provenance/software").first ?? ""
        extraColumns = file.exists("/clips/extra") ? try file.names(in: "/clips/extra") : []
        self.file = file
    }

    /// The rows of `/clips` in `range`, in the file's order.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    public func clips(_ range: Range<Int>) throws(StorageError) -> [StoredClip] {
        let id = try file.texts("/clips/id", range: range)
        let path = try file.texts("/clips/path", range: range)
        let label = try file.texts("/clips/label", range: range)
        let split = try file.texts("/clips/split", range: range)
        let labelIndex = try file.read("/clips/label_index", as: Int32.self, range: range)
        let start = try file.read("/clips/start", as: Double.self, range: range)
        let duration = try file.read("/clips/duration", as: Double.self, range: range)
        let sampleRate = try file.read("/clips/sample_rate", as: Int32.self, range: range)
        let channels = try file.read("/clips/channels", as: Int32.self, range: range)
        let frameStart = try file.read("/clips/frame_start", as: Int64.self, range: range)
        let frameCount = try file.read("/clips/frame_count", as: Int32.self, range: range)
        let audio = try file.texts("/clips/audio_xxh3", range: range)
        let tensor = try file.texts("/clips/tensor_xxh3", range: range)
        var extra: [[String]] = []
        for column in extraColumns { extra.append(try file.texts("/clips/extra/" + column, range: range)) }
        return range.indices.map { index in
            let row = index - range.lowerBound
            return StoredClip(
                id: id[row], path: path[row], label: label[row], split: split[row], labelIndex: Int(labelIndex[row]),
                start: start[row], duration: duration[row], sampleRate: Int(sampleRate[row]),
                channels: Int(channels[row]), frameStart: Int(frameStart[row]), frameCount: Int(frameCount[row]),
                audioChecksum: audio[row], tensorChecksum: tensor[row], extra: extra.map { $0[row] })
        }
    }

    /// What is asked of clips most often, without their texts: for a survey of many.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    public func figures(_ range: Range<Int>) throws(StorageError) -> [ClipFigures] {
        let labelIndex = try file.read("/clips/label_index", as: Int32.self, range: range)
        let duration = try file.read("/clips/duration", as: Double.self, range: range)
        let sampleRate = try file.read("/clips/sample_rate", as: Int32.self, range: range)
        let channels = try file.read("/clips/channels", as: Int32.self, range: range)
        let frameCount = try file.read("/clips/frame_count", as: Int32.self, range: range)
        let split = try file.texts("/clips/split", range: range)
        return split.indices.map { row in
            ClipFigures(
                labelIndex: Int(labelIndex[row]), split: split[row], duration: duration[row],
                sampleRate: Int(sampleRate[row]), channels: Int(channels[row]), frameCount: Int(frameCount[row]))
        }
    }

    /// The rows of `/failures` in `range`, in the manifest's order.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    public func failures(_ range: Range<Int>) throws(StorageError) -> [StoredFailure] {
        let id = try file.texts("/failures/id", range: range)
        let path = try file.texts("/failures/path", range: range)
        let stage = try file.texts("/failures/stage", range: range)
        let reason = try file.texts("/failures/reason", range: range)
        var failures: [StoredFailure] = []
        for row in id.indices {
            guard let stage = ClipFailure.Stage(rawValue: stage[row]) else {
                throw .damaged(path: self.path, found: "/failures/stage has the unknown value '\(stage[row])'")
            }
            failures.append(StoredFailure(id: id[row], path: path[row], failure: ClipFailure(stage, reason[row])))
        }
        return failures
    }

    /// The clip of a name.
    ///
    /// - Throws: `StorageError.noSuchClip`, or another.
    /// - Complexity: O(clips); memory does not depend on their number.
    public func clip(id: String) throws(StorageError) -> StoredClip {
        let block = 8192
        var start = 0
        while start < clipCount {
            let end = min(start + block, clipCount)
            if let place = try file.texts("/clips/id", range: start..<end).firstIndex(where: {
                $0.utf8.elementsEqual(id.utf8)
            }) {
                let found = try clips(start + place..<start + place + 1)
                if let clip = found.first { return clip }
            }
            start = end
        }
        throw .noSuchClip(path: path, id: id)
    }

    /// Rows of `/features`, as stored.
    ///
    /// - Throws: `StorageError`, `.damaged` where the range lies outside.
    public func rows(_ range: Range<Int>) throws(StorageError) -> FeatureMatrix {
        FeatureMatrix(bins: bins, values: try file.read("/features", as: Float.self, range: range))
    }

    /// A clip's rows, as stored.
    ///
    /// - Throws: `StorageError`, `.damaged` where the clip's rows lie outside the tensor.
    public func features(of clip: StoredClip) throws(StorageError) -> FeatureMatrix {
        guard clip.frameStart >= 0, clip.frameCount >= 0, clip.frameStart <= rows,
            clip.frameCount <= rows - clip.frameStart
        else {
            throw .damaged(
                path: path,
                found: "clip '\(clip.id)' has rows from \(clip.frameStart), \(clip.frameCount) of them, of \(rows)")
        }
        return try rows(clip.frameStart..<clip.frameStart + clip.frameCount)
    }

    /// Where the tensor's bytes begin in the file, for mapping it into memory; nil where it has none.
    ///
    /// - Throws: `StorageError`.
    public func featuresOffset() throws(StorageError) -> Int? { try file.offset(of: "/features") }

    private static func open(_ path: String) throws(StorageError) -> HDF5File {
        // The operating system's words are clearer than HDF5's for a file that is not there.
        // Without blocking: a pipe nobody writes to would never open.
        let descriptor = try FileDescriptor(path: path, flags: O_RDONLY | O_NONBLOCK, operation: "opening the file")
        guard let byteCount = descriptor.regularSize else {
            throw .notFeatures(path: path, found: "something that is not a regular file")
        }
        let file: HDF5File
        do {
            file = try HDF5File(path: path, byteCount: byteCount)
        } catch .hdf5(_, _, let detail) {
            throw .notFeatures(path: path, found: "a file that HDF5 cannot open (\(detail))")
        }
        guard try file.text(attribute: "format", of: "/") == FeatureFormat.name else {
            throw .notFeatures(
                path: path, found: "another HDF5 file (without the attribute format=\(FeatureFormat.name))")
        }
        let version = try file.text(attribute: "format_version", of: "/") ?? "none"
        guard version.hasPrefix("1.") else {
            throw .notFeatures(path: path, found: "format version \(version); this program reads 1.x")
        }
        guard try file.number(attribute: "complete", of: "/", as: Int32.self) == 1 else {
            throw .notFeatures(path: path, found: "a file that was never completed")
        }
        return file
    }

    private static func perBin<Number: HDF5Number>(
        _ name: String, of type: Number.Type, _ bins: Int, _ file: borrowing HDF5File
    ) throws(StorageError) -> [Number] {
        let values = try file.read(name, as: Number.self)
        guard values.count == bins else {
            throw .damaged(path: file.path, found: "\(name) has \(values.count) entries for \(bins) bins")
        }
        return values
    }

    private static func statistics(_ file: borrowing HDF5File, bins: Int) throws(StorageError) -> BinStatistics {
        let count = Int(try file.number(attribute: "count", of: "/statistics", as: Int64.self) ?? 0)
        let deviation = try perBin("/statistics/std", of: Double.self, bins, file)
        return BinStatistics(
            count: count, mean: try perBin("/statistics/mean", of: Double.self, bins, file),
            squaredDistance: deviation.map { $0 * $0 * Double(count) },
            minimum: try perBin("/statistics/min", of: Double.self, bins, file).map { Float($0) },
            maximum: try perBin("/statistics/max", of: Double.self, bins, file).map { Float($0) })
    }
}
