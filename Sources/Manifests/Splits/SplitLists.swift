import FeatureModel

/// Files that list what belongs to a split, such as `validation_list.txt` of Speech Commands: a line for each id, path, name of a
/// recording, or group.
package struct SplitLists: Sendable {
    /// A list and the split of what it names.
    package struct List: Hashable, Sendable {
        package let split: String
        package let path: String

        package init(split: String, path: String) { (self.split, self.path) = (split, path) }
    }

    private struct Entry {
        let split: Int
        let list: Int
        let line: Int
        var isFound = false
    }

    private let lists: [List]
    private var entries: [String: Entry] = [:]
    package let names: [String]

    /// Reads the lists.
    ///
    /// - Throws: `ManifestError`: where a list cannot be read, and all names that are in the lists of two splits.
    package init(_ lists: [List]) throws(ManifestError) {
        self.lists = lists
        var names: [String] = []
        var problems: [(text: String, line: Int, file: String)] = []
        for (number, list) in lists.enumerated() {
            if !names.contains(list.split) { names.append(list.split) }
            let split = names.firstIndex(of: list.split) ?? 0
            let lines = try LineReader(path: list.path)
            while try lines.next() {
                let name = lines.text.trimmingBlanks()
                guard !name.isEmpty else { continue }
                if let problem = lines.problem {
                    problems.append((problem, lines.number, list.path))
                } else if let other = entries[name], other.split != split {
                    let location = "\(lists[other.list].path), line \(other.line)"
                    problems.append(
                        ("\(quoted(name)) is in \(location), already, for another split", lines.number, list.path))
                } else {
                    entries[name] = entries[name] ?? Entry(split: split, list: number, line: lines.number)
                }
            }
        }
        self.names = names
        guard problems.isEmpty else {
            throw .invalidRows(
                path: lists.map(\.path).joined(separator: ", "),
                problems: problems.map { RowProblem(file: $0.file, line: $0.line, text: Note($0.text)) },
                total: problems.count)
        }
    }

    /// The index in `names` of a clip's split; nil: no list names it.
    package mutating func split(of clip: Clip, group: String) -> Int? {
        let name = clip.path.split(separator: "/").last.map(String.init) ?? clip.path
        for text in [clip.id, clip.path, group, name, Self.stem(name)] {
            guard let entry = entries[text] else { continue }
            entries[text]?.isFound = true
            return entry.split
        }
        return nil
    }

    private static func stem(_ name: String) -> String {
        name.lastIndex(of: ".").map { $0 > name.startIndex ? String(name[..<$0]) : name } ?? name
    }

    /// Takes note of the lines that named no clip.
    package func reportUnused(to account: inout Account) {
        for (name, entry) in entries where !entry.isFound {
            account.add(.entriesWithoutRecording, source: lists[entry.list].path, at: entry.line, quoted(name))
        }
    }
}
