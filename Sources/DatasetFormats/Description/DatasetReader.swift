import Manifests

/// Something whose clips become a manifest.
protocol ClipDescribing {
    /// The folders whose files are all accounted for after `read`; nil: a file was given, and no folder is looked into.
    var folders: DatasetFolders? { get }
    /// Whether the rows are those of a table as the user gave it, whose columns are read by their names.
    var isTable: Bool { get }
    /// Adds all clips, and the problems of all entries that are not clips.
    func read(into clips: ManifestBuilder) throws(ManifestError)
}

extension ClipDescribing {
    var folders: DatasetFolders? { nil }
    var isTable: Bool { false }
}

extension ManifestBuilder {
    /// Calls `take` for every line of a text that is not blank. What it returns is a problem of the line.
    func forEachLine(
        of input: ManifestInput, named name: String, take: (LineReader) throws(ManifestError) -> String?
    ) throws(ManifestError) {
        let lines = try LineReader(input)
        while try lines.next() {
            guard !lines.isBlank else { continue }
            let problem = if let problem = lines.problem { problem } else { try take(lines) }
            if let problem { addProblem(problem, line: lines.number, of: name) }
        }
    }
}

/// The folders of a dataset: a file in them that is not used gets a remark.
struct DatasetFolders {
    /// The dataset's folder, which the paths of its rows start from.
    let root: String
    let searched: [SearchedFolder]
    /// Whether its recordings are there.
    var hasRecordings = true
}

/// A dataset in a format of its own.
///
/// A format is one file: how a dataset is recognised, and how its clips are described. `DatasetFormat` lists them.
protocol DatasetReader: ClipDescribing {
    static var format: DatasetFormat { get }
    /// Recognises a dataset by its names and the start of its file; nil: it is not in this format.
    ///
    /// - Throws: `ManifestError` where a file that decides cannot be read.
    init?(_ location: DatasetLocation) throws(ManifestError)
    /// The files that are read, for a message; empty: only recordings.
    var files: [String] { get }
    /// Folders that relative paths may start from, likelier ones first.
    var roots: [String] { get }
}

extension DatasetReader {
    var files: [String] { [] }
}
