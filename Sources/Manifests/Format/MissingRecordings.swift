import Archives
import FeatureModel
import FileIO

/// Why none of a table's recordings is found, where that can be seen.
package enum MissingRecordings {
    /// The table names recordings without their extension: the name of the first with it, and the extension.
    case withoutExtension(String, String)
    /// The table is one of NeMo whose recordings are in archives. The path of the table.
    case inShards(String)
    /// The folder that paths start from is an archive.
    case archiveAsRoot(String)

    /// - Parameters:
    ///   - source: The table.
    ///   - root: The folder that relative paths start from.
    /// - Returns: Nil where the first recording exists, or the reason cannot be seen.
    /// - Complexity: Lists the folder of the first recording.
    package init?(_ source: any ClipSource, root: String) {
        guard let clips = try? source.reader(), let first = try? clips.next() else { return nil }
        let location = Clip.location(of: first.path, root: root)
        guard !RecordingPath.exists(location) else { return nil }
        if MemberPath.isArchive(root), FileStatus(path: root)?.isRegular == true {
            self = .archiveAsRoot(root)
        } else if let column = source.extraColumn(named: "shard_id"), !first.extra[column].isEmpty {
            self = .inShards(source.path)
        } else if let name = Self.completed(location) {
            self = .withoutExtension(name.name, name.ending)
        } else {
            return nil
        }
    }

    /// The only recording that has a name but for its extension.
    private static func completed(_ location: String) -> (name: String, ending: String)? {
        guard !RecordingName.isRecording(location) else { return nil }
        let slash = location.utf8.lastIndex(of: Byte.slash)
        let folder = slash.map { String(location[..<$0]) } ?? "."
        let stem = (slash.map { String(location[location.utf8.index(after: $0)...]) } ?? location) + "."
        guard stem != ".", let names = try? DirectoryListing.foundNames(in: folder.isEmpty ? "/" : folder) else {
            return nil
        }
        let found = names.filter {
            $0.hasPrefix(stem) && RecordingName.isRecording($0) && !$0.dropFirst(stem.count).contains(".")
        }
        guard found.count == 1 else { return nil }
        return (found[0], String(found[0].dropFirst(stem.count)))
    }

    /// What it is, and what to do.
    package var advice: String {
        switch self {
        case .withoutExtension(let name, let ending): return "\(quoted(name)) exists: give --extension \(ending)"
        case .inShards(let path):
            let command =
                #"jq -c '.audio_filepath = "audio_\(.shard_id).tar::" + .audio_filepath' "#
                + ShellText.file(path, to: "manifest.jsonl")
            return
                "the column shard_id says that they are in tar archives, as NeMo writes them: name them as ARCHIVE::member, "
                + "such as by: \(command)"
        case .archiveAsRoot(let root):
            return "\(quoted(root)) is an archive, and no folder: name recordings in the table as '\(root)::MEMBER' "
                + "(veery crawl \(ShellText.word(root)) -o members.csv lists them)"
        }
    }
}
