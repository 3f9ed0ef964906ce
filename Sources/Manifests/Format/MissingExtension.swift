import FeatureModel
import FileIO

/// A recording that a table names without its extension.
package struct MissingExtension {
    private let name: String
    private let ending: String

    /// - Parameters:
    ///   - path: The path of a recording that does not exist.
    ///   - root: The folder that relative paths start from.
    /// - Returns: Nil where the path has the extension of a recording, or not just one recording has that name otherwise.
    /// - Complexity: Lists the recording's folder.
    package init?(_ path: String, root: String) {
        guard !RecordingName.isRecording(path) else { return nil }
        let location = Clip.location(of: path, root: root)
        let slash = location.utf8.lastIndex(of: Byte.slash)
        let folder = slash.map { String(location[..<$0]) } ?? "."
        let stem = slash.map { String(location[location.utf8.index(after: $0)...]) } ?? location
        guard !stem.isEmpty, let names = try? DirectoryListing.foundNames(in: folder.isEmpty ? "/" : folder) else {
            return nil
        }
        let found = names.filter { $0.hasPrefix(stem + ".") && RecordingName.isRecording($0) }
            .filter { !$0.dropFirst(stem.count + 1).contains(".") }
        guard found.count == 1 else { return nil }
        (name, ending) = (found[0], String(found[0].dropFirst(stem.count + 1)))
    }

    /// What exists, and the option that reads it.
    package var advice: String { "\(quoted(name)) exists: give --extension \(ending)" }
}
