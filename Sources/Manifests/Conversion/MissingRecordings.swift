import Archives
import FeatureModel
import FileIO

/// Why none of a table's recordings is found, where that can be seen.
package enum MissingRecordings: Hashable, Sendable {
    /// The table names recordings without their extension: the name of the first with it, and the extension.
    case withoutExtension(String, String)
    /// The table is one of NeMo whose recordings are in archives. The command that names them so; nil: none is known.
    case inShards(String?)
    /// The folder that paths start from is an archive.
    case archiveAsRoot(String)
    /// Paths are addresses of the network. The column that names recordings; nil: there is none.
    case remote(column: String?)
    /// Paths do not start from any folder.
    case absolute

    /// - Parameters:
    ///   - source: The table.
    ///   - root: The folder that relative paths start from.
    /// - Returns: Nil where the first recording exists, or the reason cannot be seen.
    /// - Complexity: Lists the folder of the first recording.
    package init?(_ source: any ClipSource, root: String) {
        guard let clips = try? source.reader(), let first = try? clips.next() else { return nil }
        let location = Clip.location(of: first.path, root: root)
        guard !RecordingPath.exists(location) else { return nil }
        if RemotePath.isOne(first.path.utf8) {
            let column = source.extraColumns.indices.first {
                RecordingName.isRecording(first.extra[$0]) && !RemotePath.isOne(first.extra[$0].utf8)
            }
            self = .remote(column: column.map { source.extraColumns[$0] })
        } else if MemberPath.isArchive(root), FileStatus(path: root)?.isRegular == true {
            self = .archiveAsRoot(root)
        } else if let column = source.extraColumn(named: "shard_id"), !first.extra[column].isEmpty {
            self = .inShards(Self.shardCommand(source, column, shard: first.extra[column], root: root))
        } else if let name = Self.completed(location) {
            self = .withoutExtension(name.name, name.ending)
        } else if first.path.hasPrefix("/") {
            self = .absolute
        } else {
            return nil
        }
    }

    /// The command that names the recordings of JSON Lines as members of archives that are there; nil: one cannot be given.
    private static func shardCommand(_ source: any ClipSource, _ column: Int, shard: String, root: String) -> String? {
        guard let start = try? ManifestStart(ManifestInput(path: source.path)), start.firstObject != nil,
            let text = try? BlockReader(ManifestInput(path: source.path)).text,
            let path = start.has(ManifestColumn.path.name)
                ? ManifestColumn.path.name : ColumnNames.path(among: start.columns),
            let names = try? DirectoryListing.foundNames(in: root.isEmpty ? "." : root)
        else { return nil }
        let ending = "\(shard).tar"
        let prefixes = names.filter { $0.hasSuffix(ending) }.map { $0.dropLast(ending.count) }
            .filter { $0.last?.isNumber != true }
        guard prefixes.count == 1 else { return nil }
        func member(_ name: String) -> String { ".[\(JSONText.quoted(name))]" }
        let program =
            "\(member(path)) = \(JSONText.quoted(String(prefixes[0]))) + (\(member(source.extraColumns[column])) | tostring) "
            + "+ \".tar::\" + \(member(path))"
        return text.advice("jq -c \(ShellText.word(program))", to: "manifest.jsonl")
    }

    /// The only recording that has a name except for its extension.
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

}
