/// The folders of a tree that are splits, such as `train` and `test` in one folder.
///
/// A folder is a split if its name and those of all its siblings are names of splits, and if at its depth some siblings are different
/// splits: `train` with the sibling `bus` is a label, and `cat/train`, which has no sibling, is a split if there are `dog/train` and
/// `dog/test`. Folders without recordings do not count.
///
/// The parent of splits, if it has no sibling itself, as the folder of a whole dataset, is a label only if there are none below the splits.
package struct SplitFolders {
    /// Folders of splits alone, without a slash at the end; empty: the top.
    private var parents: Set<String> = []
    /// Folders that hold one folder alone; empty: the top.
    private var single: Set<String> = []
    /// Whether folders below the splits are labels.
    private var hasLabelsBelow = false

    /// - Parameter paths: Those of the recordings.
    package init(_ paths: some Sequence<String>) {
        var children: [String: (depth: Int, names: Set<Substring>)] = [:]
        var last: Substring?
        for path in paths {
            let folder = Self.folder(of: path)
            guard folder != last else { continue }
            last = folder
            Self.forEachFolder(of: folder) { parent, depth, name in
                children[parent, default: (depth: depth, names: [])].names.insert(name)
            }
        }
        let ofSplits = children.filter { $1.names.allSatisfy { SplitName.ofFolder(String($0)) != nil } }
        let depths = Set(
            ofSplits.values.filter { Set($0.names.map { SplitName.ofFolder(String($0)) }).count > 1 }.map(\.depth))
        parents = Set(ofSplits.filter { depths.contains($1.depth) }.keys)
        single = Set(children.filter { $1.names.count == 1 }.keys)
        hasLabelsBelow = parents.contains { parent in
            children[parent]?.names.contains { name in
                let split = Self.path(of: name, in: parent)
                return children[split] != nil && !parents.contains(split)
            } ?? false
        }
    }

    /// The label and the split of a recording, by the names of its folders.
    ///
    /// - Returns: The name of the folder that holds it, leaving splits out, and the split; empty where there is none.
    package func match(_ path: String) -> (label: String, split: String) {
        var (labels, split) = ([(name: Substring, isAlone: Bool)](), "")
        Self.forEachFolder(of: Self.folder(of: path)) { parent, _, name in
            if parents.contains(parent) {
                if split.isEmpty { split = SplitName.ofFolder(String(name)) ?? "" }
                while hasLabelsBelow, labels.last?.isAlone == true { labels.removeLast() }
            } else {
                labels.append((name, single.contains(parent)))
            }
        }
        return (labels.last.map { String($0.name) } ?? "", split)
    }

    private static func folder(of path: String) -> Substring {
        path.utf8.lastIndex(of: Byte.slash).map { path[..<$0] } ?? ""
    }

    /// Calls `body` with every folder above a recording: the path of the one above it, the number of folders above it, and its name.
    private static func forEachFolder(of folder: Substring, _ body: (String, Int, Substring) -> Void) {
        var parent = ""
        for (depth, name) in folder.utf8.split(separator: Byte.slash).enumerated() {
            body(parent, depth, Substring(name))
            parent = depth == 0 ? String(Substring(name)) : path(of: Substring(name), in: parent)
        }
    }

    private static func path(of name: Substring, in parent: String) -> String {
        parent.isEmpty ? String(name) : "\(parent)/\(name)"
    }
}
