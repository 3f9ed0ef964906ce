import FileIO
import Manifests

/// Completions from the manifest on the command line: the names in its header.
enum ManifestCompletion {
    static func columns(_ line: CommandLineWords, besides known: [String]) -> [Completion] {
        (known + names(of: line)).map { Completion(word: $0) }
    }

    static func names(_ line: CommandLineWords) -> [Completion] {
        guard let equals = line.prefix.firstIndex(of: "=") else {
            return (ManifestColumn.allCases.map(\.name) + [LabelList.column]).map { Completion(word: "\($0)=") }
        }
        return names(of: line).map { Completion(word: line.prefix[...equals] + $0) }
    }

    /// The columns of a table, or the keys of the first line of JSON Lines, sorted.
    private static func names(of line: CommandLineWords) -> [String] {
        guard let path = line.file(where: isManifest), let start = try? ManifestStart(ManifestInput(path: path)) else {
            return []
        }
        return (start.firstObject == nil ? start.columns : start.columns.sorted()).filter { !$0.isEmpty }
    }

    /// A regular file: a pipe would block.
    private static func isManifest(_ path: String) -> Bool {
        ManifestFormat(path: path) != nil && FileStatus(path: path, followingLink: false)?.isRegular == true
    }
}
