import FeatureModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Writes a feature file under a temporary name and gives it its final name once it is complete.
///
/// The rows of `/features` lie in one piece at a place that is fixed at the start, so they are written past libhdf5,
/// by any number of threads at once (`rowWriter`).
package struct FeatureFileWriter: ~Copyable {
    private let header: FeatureFileHeader
    private let finalPath: String
    private let temporaryPath: String
    private let hdf5: HDF5Writer
    private var storedClips = 0
    private var storedFailures = 0

    /// Where rows are written to.
    package let rowWriter: RowWriter

    /// Makes the file and everything in it but rows, clips and failures.
    ///
    /// - Parameters:
    ///   - path: The final name.
    ///   - temporary: The name until it is complete, on the same file system; what stands there is overwritten.
    ///   - header: What the file says of itself.
    /// - Throws: `StorageError`.
    package static func create(
        path: String, temporary: String, header: FeatureFileHeader
    ) throws(StorageError) -> FeatureFileWriter {
        let writer = try FeatureFileWriter(path: path, temporary: temporary, header: header)
        try writer.writeRoot()
        try writer.writeAxes()
        try writer.makeColumns()
        try writer.writeStatistics()
        try writer.writeProvenance()
        return writer
    }

    private init(path: String, temporary: String, header: FeatureFileHeader) throws(StorageError) {
        let bins = header.axis.values.count
        let bytes = header.rows * bins * MemoryLayout<Float>.size
        let aligned = try HDF5Writer(path: temporary, alignedFrom: min(bytes, FeatureFormat.alignedSize))
        let offset = try aligned.reserve("/features", of: Float.self, extents: [header.rows, bins])
        let hdf5 = try aligned.reopened()
        rowWriter = try RowWriter(path: temporary, offset: offset ?? 0, bins: bins, rows: header.rows)
        self.hdf5 = hdf5
        self.header = header
        finalPath = path
        temporaryPath = temporary
    }

    /// Appends rows of `/clips`.
    ///
    /// - Throws: `StorageError.hdf5`.
    package mutating func append(_ clips: [StoredClip]) throws(StorageError) {
        let start = storedClips
        let widths = header.widths
        try hdf5.write(clips.map(\.id), width: widths.id, to: "/clips/id", from: start)
        try hdf5.write(clips.map(\.path), width: widths.path, to: "/clips/path", from: start)
        try hdf5.write(clips.map(\.label), width: widths.label, to: "/clips/label", from: start)
        try hdf5.write(clips.map(\.split), width: widths.split, to: "/clips/split", from: start)
        try hdf5.write(clips.map { Int32($0.labelIndex) }, to: "/clips/label_index", from: start)
        try hdf5.write(clips.map(\.start), to: "/clips/start", from: start)
        try hdf5.write(clips.map(\.duration), to: "/clips/duration", from: start)
        try hdf5.write(clips.map { Int32($0.sampleRate) }, to: "/clips/sample_rate", from: start)
        try hdf5.write(clips.map { Int32($0.channels) }, to: "/clips/channels", from: start)
        try hdf5.write(clips.map { Int64($0.frameStart) }, to: "/clips/frame_start", from: start)
        try hdf5.write(clips.map { Int32($0.frameCount) }, to: "/clips/frame_count", from: start)
        try hdf5.write(clips.map(\.audioChecksum), width: 32, to: "/clips/audio_xxh3", from: start)
        try hdf5.write(clips.map(\.tensorChecksum), width: 32, to: "/clips/tensor_xxh3", from: start)
        for (column, name) in Self.datasetNames(header.extraColumns).enumerated() {
            try hdf5.write(clips.map { $0.extra[column] }, width: widths.extra[column], to: name, from: start)
        }
        storedClips += clips.count
    }

    /// Appends rows of `/failures`.
    ///
    /// - Throws: `StorageError.hdf5`.
    package mutating func append(_ failures: [StoredFailure]) throws(StorageError) {
        let start = storedFailures
        try hdf5.write(failures.map(\.id), width: header.widths.id, to: "/failures/id", from: start)
        try hdf5.write(failures.map(\.path), width: header.widths.path, to: "/failures/path", from: start)
        try hdf5.write(failures.map(\.failure.stage.rawValue), width: 16, to: "/failures/stage", from: start)
        try hdf5.write(
            failures.map(\.failure.reason), width: header.widths.reason, to: "/failures/reason", from: start)
        storedFailures += failures.count
    }

    /// Marks the file complete, brings it to the disk and gives it its final name, in place of an older file.
    ///
    /// - Throws: `StorageError`; the final name is untouched then.
    package consuming func finish() throws(StorageError) {
        guard storedClips == header.clips, storedFailures == header.failures else {
            throw .damaged(
                path: finalPath,
                found:
                    "\(storedClips) clips and \(storedFailures) failures instead of \(header.clips) and \(header.failures)"
            )
        }
        let (path, temporary) = (finalPath, temporaryPath)
        try hdf5.attribute("complete", Int32(1), of: "/")
        try hdf5.close()
        try Self.check(temporary, header)
        try rowWriter.synchronize()
        guard rename(temporary, path) == 0 else {
            throw .system(operation: "giving the finished file its name", path: path, code: errno)
        }
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        FileDescriptor.synchronizeFolder(folder.isEmpty ? "/" : folder)
    }

    /// Opens the file as a reader would, before it may take the place of another.
    private static func check(_ path: String, _ header: FeatureFileHeader) throws(StorageError) {
        let reader = try FeatureReader(path: path)
        guard reader.rows == header.rows, reader.clipCount == header.clips, reader.failureCount == header.failures,
            reader.configuration == header.configuration
        else { throw .damaged(path: path, found: "it does not read back as it was written") }
    }

    private func writeRoot() throws(StorageError) {
        try hdf5.attribute("format", FeatureFormat.name, of: "/")
        try hdf5.attribute("format_version", FeatureFormat.version, of: "/")
        try hdf5.attribute("generator", VeeryVersion.generator, of: "/")
        try hdf5.attribute("layout", "packed", of: "/")
        try hdf5.attribute("units", header.units, of: "/features")
        try hdf5.attribute("long_name", header.longName, of: "/features")
        try hdf5.attribute("frame_period", header.framePeriod, of: "/features")
        try hdf5.attribute("first_frame_time", header.firstFrameTime, of: "/features")
    }

    private func writeAxes() throws(StorageError) {
        let axis = header.axis
        try hdf5.create("/" + axis.name, of: Float.self, extents: [axis.values.count])
        try hdf5.write(axis.values, to: "/" + axis.name)
        try hdf5.attribute("units", axis.units, of: "/" + axis.name)
        try hdf5.attribute("long_name", axis.longName, of: "/" + axis.name)
        try hdf5.makeScale("/" + axis.name, called: axis.name)
        for (name, length) in [("/row", header.rows), ("/clip", header.clips)] {
            try hdf5.create(name, of: Float.self, extents: [length])
            try hdf5.makeScale(name, called: FeatureFormat.dimensionName(length))
        }
        try hdf5.attachScale("/row", to: "/features", dimension: 0)
        try hdf5.attachScale("/" + axis.name, to: "/features", dimension: 1)
    }

    private func makeColumns() throws(StorageError) {
        let widths = header.widths
        try hdf5.group("/clips")
        try hdf5.group("/clips/extra")
        for (name, width) in [
            ("id", widths.id), ("path", widths.path), ("label", widths.label), ("split", widths.split),
            ("audio_xxh3", 32), ("tensor_xxh3", 32),
        ] {
            try hdf5.create("/clips/" + name, textWidth: width, extents: [header.clips])
        }
        for name in ["label_index", "sample_rate", "channels", "frame_count"] {
            try hdf5.create("/clips/" + name, of: Int32.self, extents: [header.clips])
        }
        for name in ["start", "duration"] {
            try hdf5.create("/clips/" + name, of: Double.self, extents: [header.clips])
            try hdf5.attribute("units", "s", of: "/clips/" + name)
        }
        try hdf5.create("/clips/frame_start", of: Int64.self, extents: [header.clips])
        for (name, width) in zip(Self.datasetNames(header.extraColumns), widths.extra) {
            try hdf5.create(name, textWidth: width, extents: [header.clips])
        }
        try hdf5.group("/failures")
        for (name, width) in [
            ("id", widths.id), ("path", widths.path), ("stage", 16), ("reason", widths.reason),
        ] {
            try hdf5.create("/failures/" + name, textWidth: width, extents: [header.failures])
        }
        try hdf5.create("/labels", textWidth: widths.label, extents: [header.labels.count])
        try hdf5.write(header.labels, width: widths.label, to: "/labels")
        try hdf5.makeScale("/labels", called: "labels")
    }

    private func writeStatistics() throws(StorageError) {
        let statistics = header.statistics
        try hdf5.group("/statistics")
        for (name, values) in [
            ("mean", statistics.mean), ("std", statistics.standardDeviation),
            ("min", statistics.minimum.map(Double.init)), ("max", statistics.maximum.map(Double.init)),
        ] {
            try hdf5.create("/statistics/" + name, of: Double.self, extents: [statistics.bins])
            try hdf5.write(values, to: "/statistics/" + name)
        }
        try hdf5.attribute("count", Int64(statistics.count), of: "/statistics")
        try hdf5.attribute("fit", header.fit, of: "/statistics")
    }

    private func writeProvenance() throws(StorageError) {
        try hdf5.group("/provenance")
        try hdf5.scalar("/provenance/configuration", header.configuration)
        try hdf5.scalar("/provenance/manifest_sha256", header.manifestChecksum)
        try hdf5.scalar("/provenance/software", header.software)
    }

    /// The datasets of the manifest's other columns, with a number behind those that would have the same name.
    static func datasetNames(_ columns: [String]) -> [String] {
        var used: Set<String> = []
        return columns.map { column in
            let name = FeatureFormat.datasetName(ofColumn: column)
            var candidate = name
            var number = 2
            while !used.insert(candidate).inserted {
                candidate = "\(name)_\(number)"
                number += 1
            }
            return "/clips/extra/" + candidate
        }
    }
}
