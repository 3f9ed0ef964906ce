import Annotations
import ArgumentParser
import Concurrency
import DatasetFormats
import FeatureModel
import FileIO
import Manifests

extension RecordingSource {
    /// - Parameter given: Annotation files of `--annotations`.
    static func read(
        _ input: ManifestArguments, tables: ClipsTableOptions, given: [String], isWindowed: Bool, isQuiet: Bool,
        workers: WorkerRange
    ) throws -> RecordingSource {
        let path = input.manifest
        if let found = RecordingSource(recording: path) {
            try refuse(input.columnOptions, path, "is a recording")
            return found
        }
        let isGiven = given.contains { AnnotationTables.identity($0) == AnnotationTables.identity(path) }
        if given.isEmpty || isGiven && given.count == 1, input.reading.format == nil {
            var options = tables.options(input.reading.unit.timeUnit)
            options.quoting = input.reading.quoting.quoting
            if let found = try RecordingSource(
                annotations: path, root: input.reading.root, options, format: tables.annotationsFormat)
            {
                try refuse(
                    input.columnOptions, path,
                    "is read as annotations (\(found.table?.kind.name ?? "")), whose columns --path-column, --label-column, "
                        + "--start-column and --end-column name; to read it as a manifest, give --format")
                return found
            }
        }
        var input = input
        let isDetected = input.reading.format == nil
        if isDetected, path != "-", let table = try Dataset.table(of: ManifestInput(path: path)),
            MarkedParts.isTable(table, tables.options(nil))
        {
            // The rows are annotations of the recordings in the folder.
            input.reading.format = .folder
        }
        // The unit is that of annotations.
        let (manifest, root) = try input.dataset(isQuiet: isQuiet, hasUnit: false)
        let source = try RecordingSource(manifest, root: root, areAnnotations: isGiven)
        if given.isEmpty, isDetected, FileStatus(path: path)?.isFolder != true {
            if !isWindowed { try source.refuseClips() }
            if let times = UnreadTimes(source) {
                try times.refuse(RecordingLengths.read(times.recordings, workers: workers))
            }
        }
        return source
    }

    /// Refuses options that say what a manifest's columns mean, for another source.
    private static func refuse(_ options: [String], _ path: String, _ what: String) throws {
        guard let option = options.first else { return }
        throw ValidationError("--\(option) is for a manifest, and \(quoted(path)) \(what).")
    }
}
