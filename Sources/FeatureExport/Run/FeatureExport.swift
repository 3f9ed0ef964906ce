import Concurrency
import FeatureModel
import FeatureStorage

/// Exports the clips of a feature file into a folder, in the format of another program.
package enum FeatureExport {
    /// Writes the folder.
    ///
    /// The rows of clips are streamed: memory does not grow with them.
    ///
    /// - Parameters:
    ///   - reader: The feature file.
    ///   - options: What is exported, and how.
    ///   - cancellation: A request to stop; then no folder is left.
    ///   - counted: Called with the number of clips, before the work.
    ///   - finished: Called with each clip when it is written.
    /// - Throws: `ExportError` or `StorageError`; an existing folder of that name is then untouched.
    package static func run(
        _ reader: FeatureReader, _ options: ExportOptions, cancellation: Cancellation = Cancellation(),
        counted: (Int) -> Void = { _ in }, finished: (StoredClip) -> Void = { _ in }
    ) throws -> ExportSummary {
        try reader.checkMetadata()
        let folder = try ExportFolder(options.output, overwrite: options.overwrite)
        let source = try ExportSource(reader, options, cancellation)
        counted(source.clipCount)
        let job = ExportJob(source: source, folder: folder, options: options)
        let notes =
            switch options.format {
            case .npy: try write(NPYWriter.self, job, finished)
            case .safetensors: try write(SafetensorsWriter.self, job, finished)
            case .kaldi: try write(KaldiWriter.self, job, finished)
            case .webdataset: try write(WebDatasetWriter.self, job, finished)
            case .lhotse: try write(LhotseWriter.self, job, finished)
            case .zarr: try write(ZarrWriter.self, job, finished)
            }
        let description = try folder.region(ExportDescription.name)
        try description.write(ExportDescription.bytes(source, options, files: folder.files))
        try folder.finish(description)
        guard !cancellation.isCancelled else { throw ExportError.cancelled }
        try folder.commit()
        return ExportSummary(
            path: folder.path, clips: source.clipCount, frames: source.frameCount / source.reader.shape.patchRows,
            files: folder.files, bytes: folder.bytes, notes: notes)
    }

    private static func write<Writer: FormatWriter>(
        _ type: Writer.Type, _ job: ExportJob, _ finished: (StoredClip) -> Void
    ) throws -> [ExportNote] {
        let writer = try Writer(job)
        if Writer.copiesRows {
            try RowPass(job.source).run(writer, finished: finished)
        } else {
            try job.source.eachBlock { block in
                for clip in block {
                    try writer.start(clip)
                    try writer.end(clip)
                    finished(clip.stored)
                }
            }
        }
        try writer.finish()
        return writer.notes
    }
}
