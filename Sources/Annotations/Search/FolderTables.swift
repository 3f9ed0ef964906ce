import FeatureModel
import FileIO
import Manifests

/// The annotation files of a folder by the names of their recordings.
struct FolderTables {
    private var files: [String: [String]] = [:]
    /// Files whose names have a word more, by their recordings.
    private(set) var loose: [String: String] = [:]
    /// Paths of files that may hold annotations, and are named like no recording there, or like several.
    private(set) var others: [String] = []

    /// - Parameter isTaken: Whether a file of a path is to be read.
    init(
        _ folder: String, of source: String, _ isTaken: (String) -> Bool, _ account: inout Account
    ) throws(RecordingSourceError) {
        let names = try SourceFolder.names(in: folder, of: source, &account).sorted()
        let recordings = names.filter(RecordingName.isRecording)
        let index = RecordingIndex(recordings.map { "/" + $0 })
        func path(_ name: String) -> String { folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)" }
        var tables: [String] = names
        for name in names where AnnotationFileName.isFolder(name) {
            guard FileStatus(path: path(name))?.isFolder == true else { continue }
            let inside = try SourceFolder.names(in: path(name), of: source, &account).sorted()
            if !inside.contains(where: RecordingName.isRecording) { tables += inside.map { "\(name)/\($0)" } }
        }
        for table in tables where isTaken(table) {
            let name = table.lastName
            guard !OtherFile.isHarmlessName(name), !name.hasPrefix(".") else { continue }
            guard AnnotationFileName.isPossible(name) else {
                if ForeignAnnotations.isPossible(name) { others.append(path(table)) }
                continue
            }
            let (match, isLoose) = index.find(forFile: name, folder: "/")
            switch match {
            // Of recordings that differ in capitals or extensions, the rows may name one, or the source may have only one.
            case .none, .ambiguous: others.append(path(table))
            case .found(let found, _):
                for recording in found {
                    files[recordings[recording], default: []].append(path(table))
                    if isLoose { loose[recordings[recording]] = path(table) }
                }
            }
        }
    }

    func tables(of recording: String) -> [String] { files[recording] ?? [] }
}
