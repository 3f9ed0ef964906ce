import ArgumentParser
import DatasetExtraction
import FeatureModel
import FileIO
import Manifests

/// The manifest of clips that failed, with the columns `failure_stage`, `failure_kind` and `failure_reason`.
struct FailureList {
    let path: String
    private let format: ManifestFormat
    private let overwrite: Bool

    private static let columns = ["failure_stage", "failure_kind", "failure_reason"]

    /// Refuses, before the work, a list that could not be written.
    init(path: String, overwrite: Bool) throws {
        guard let format = ManifestFormat(path: path) else {
            throw ValidationError("--failures-out \(path): expected a name that ends in .csv, .tsv or .jsonl.")
        }
        (self.path, self.format, self.overwrite) = (path, format, overwrite)
        try OutputName.refuseLinkToNothing(path)
        if !overwrite, FileStatus(path: path) != nil { throw ManifestError.outputExists(path: path) }
        guard FileStatus(path: Folder.containing(path))?.isFolder == true else {
            throw ManifestError.notFound(path: Folder.containing(path))
        }
    }

    /// Writes the failed clips, if there are any; returns their number.
    func write(_ source: Manifest, root: String, features: String) throws -> Int {
        let paths = try RelocatedPaths(from: root, to: Folder.containing(path))
        let kept = source.extraColumns.indices.filter { !Self.columns.contains(source.extraColumns[$0]) }
        var failed = try FailedClips(of: source, in: features)
        var clips: [Clip] = []
        while let (clip, failure) = try failed.next() {
            let reason = failure.reason.split(whereSeparator: \.isNewline).joined(separator: " ")
            let values = kept.map { clip.extra[$0] } + [failure.stage.rawValue, failure.kind ?? "", reason]
            clips.append(clip.with(index: clips.count, path: paths.path(clip.path), extra: values))
        }
        guard !clips.isEmpty else { return 0 }
        try ManifestWriter(format: format, extraColumns: kept.map { source.extraColumns[$0] } + Self.columns)
            .write(clips, to: path, overwriting: overwrite)
        return clips.count
    }
}
