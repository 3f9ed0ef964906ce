import FeatureModel

/// Which clips belong in one split, so that no split leaks into another.
package enum GroupKey: Hashable, Sendable {
    /// Clips of one recording.
    case recording
    /// Every clip alone.
    case clip
    /// Clips whose recordings lie in one folder; where the manifest has a column of the name `folder`, clips with the same value in it.
    case folder
    /// Clips with the same value in a column of the manifest.
    case column(String)

    /// The names that are not columns.
    private static let named: [String: GroupKey] = ["recording": .recording, "clip": .clip, "folder": .folder]

    /// What the option `--by` says: `recording`, `clip`, `folder`, or the name of a column.
    package init(option: String) { self = Self.named[option] ?? .column(option) }

    /// What must not be divided among splits where nothing else is asked for: the column `speaker`; nil: there is none.
    package static func usual(of source: any ClipSource) -> GroupKey? {
        source.extraColumn(named: "speaker").map { .column(source.extraColumns[$0]) }
    }
}

/// The name of a recording as a group, on which its split depends.
package enum RecordingGroupName {
    /// The path as a manifest has it, without `.`, `..` and the folders that `..` leaves: `../words/yes/a.wav` and
    /// `words/yes/a.wav` are one name. So it does not matter whether the manifest is next to the folder of recordings or in a folder
    /// next to it.
    package static func name(ofPath path: String) -> String {
        guard !isName(path) else { return path }
        var parts: [Substring.UTF8View] = []
        for part in path.utf8.split(separator: Byte.slash) where !part.elementsEqual(".".utf8) {
            if part.elementsEqual("..".utf8) { _ = parts.popLast() } else { parts.append(part) }
        }
        return (path.utf8.first == Byte.slash ? "/" : "") + parts.map { String(Substring($0)) }.joined(separator: "/")
    }

    /// Whether there is nothing to leave out: no part is empty, or ends with a dot. Most paths are such.
    private static func isName(_ path: String) -> Bool {
        var previous = UInt8(ascii: ".")
        var isFirst = true
        for byte in path.utf8 {
            if byte == Byte.slash, !isFirst, previous == Byte.slash || previous == UInt8(ascii: ".") { return false }
            (previous, isFirst) = (byte, false)
        }
        return previous != Byte.slash && previous != UInt8(ascii: ".")
    }
}

/// Finds the group of each clip of a source.
package struct ClipGrouping: Sendable {
    /// What names the group of a clip.
    private enum Field: Sendable {
        case path, id, label, folder
        case extra(Int)
    }

    /// What the groups are by: the name of a column as the source has it, or `recording`, `clip` or `folder`.
    package let name: String
    private let field: Field
    /// The paths of the manifest that is written; nil: recordings have their paths in the source as names.
    private let written: RelocatedPaths?

    /// - Parameter written: The paths of the manifest that is written, which name recordings and folders (`RecordingGroupName`); nil: they
    ///   are named as the source has them.
    /// - Throws: `noSuchColumn` where the source has no such column.
    package init(
        of source: any ClipSource, by key: GroupKey, written: RelocatedPaths? = nil
    ) throws(ManifestError) {
        self.written = written
        func column(_ name: String) -> Field? { source.extraColumn(named: name).map(Field.extra) }
        switch key {
        case .recording: (name, field) = ("recording", .path)
        case .clip: (name, field) = ("clip", .id)
        case .folder: (name, field) = ("folder", column("folder") ?? .folder)
        case .column(ManifestColumn.label.name): (name, field) = (ManifestColumn.label.name, .label)
        case .column(ManifestColumn.id.name): (name, field) = (ManifestColumn.id.name, .id)
        case .column(let wanted):
            guard let index = source.extraColumn(named: wanted) else {
                throw .noSuchColumn(path: source.path, name: wanted, columns: source.extraColumns)
            }
            (name, field) = (source.extraColumns[index], .extra(index))
        }
    }

    /// The names of a clip's groups: one, several where a column lists them, such as the speakers of a cut, or none where the column
    /// has no value.
    package func groups(of clip: Clip) -> [String] {
        let value = value(of: clip)
        guard case .extra = field, name != LabelList.column, value.first == "[",
            let names = try? LabelList.names(value.utf8), names.count > 1
        else { return value.isEmpty ? [] : [value] }
        return names
    }

    /// The name of a clip's recording as a group.
    func recording(of clip: Clip) -> String {
        written.map { RecordingGroupName.name(ofPath: $0.path(clip.path)) } ?? clip.path
    }

    private func value(of clip: Clip) -> String {
        switch field {
        case .path: recording(of: clip)
        case .id: clip.id
        case .label: clip.label
        case .folder: Self.folder(of: recording(of: clip))
        case .extra(let column): clip.extra[column]
        }
    }

    /// The folder of a recording, or the archive, or the folder in it; `.` for a name alone.
    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
