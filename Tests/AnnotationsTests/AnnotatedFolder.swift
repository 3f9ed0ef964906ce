import FeatureModel
import FileIO
import Manifests
import TestSupport

@testable import Annotations

/// Recordings, which are empty files, and annotation files in a folder of their own.
struct AnnotatedFolder {
    private let folder: TemporaryFolder

    init(_ files: [String: String]) throws {
        folder = try TemporaryFolder()
        for name in files.keys.sorted() {
            if let parent = name.split(separator: "/").dropLast().last {
                try? Folder.make(folder.path(String(parent)))
            }
            _ = try folder.write(files[name] ?? "", to: name)
        }
    }

    func path(_ name: String) -> String { folder.path(name) }

    /// The recordings of rows; by default one row for each path, which is a recording as a whole.
    func source(_ clips: [Clip], columns: [String] = []) -> RecordingSource {
        RecordingSource(name: path("m.csv"), clips: clips, extraColumns: columns, root: folder.url.path)
    }

    func source(_ paths: String...) -> RecordingSource {
        source(paths.enumerated().map { Clip(index: $0, id: DefaultIdentifier.stem($1), path: $1) })
    }

    /// Annotation files: those of these names, or else those that are found.
    func tables(
        of source: RecordingSource, _ names: [String] = [], named: String? = nil, isOptional: Bool = false,
        _ change: (inout AnnotationOptions) -> Void = { _ in }
    ) throws -> AnnotationTables {
        var options = AnnotationOptions()
        change(&options)
        return try AnnotationTables(
            names.map(path), of: source, format: nil, named: named.map(NamePattern.init), options: options,
            isOptional: isOptional)
    }
}

extension RecordingLengths {
    /// The same of all recordings.
    init(
        _ recordings: [String], seconds: Double = 10, rate: Int = 1000, channels: Int = 1, cut: String? = nil
    ) {
        let recording = Recording(length: seconds, sampleRate: rate, channels: channels, cut: cut)
        self.init(Dictionary(recordings.map { ($0, .success(recording)) }) { $1 })
    }
}

extension ClipMaker {
    /// The clips of recordings that are all alike.
    func clips(seconds: Double = 10, channels: Int = 1, cut: String? = nil) -> MadeClips {
        clips(RecordingLengths(recordings, seconds: seconds, channels: channels, cut: cut))
    }
}

extension MadeClips {
    /// Times and label of each clip.
    var shown: [String] {
        clips.map { "\($0.segment?.start ?? 0)-\($0.segment?.end ?? 0) \($0.label)" }
    }

    /// The kinds of the problems, by their lines.
    var shownProblems: [String] { (problems?.problems ?? []).map { "\($0.line ?? 0): \($0.kind)" } }
}
