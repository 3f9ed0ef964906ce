import Archives
import FeatureModel
import FileIO
import Manifests

/// The recordings below a dataset's folder, as a table there names them: by their paths, or without some of the folders above them.
///
/// Unlike `clips`, which looks for the recordings of annotations, it takes none that lies in another folder than the table names.
struct RecordingsBelow {
    /// What a path of a table stands for.
    enum Match: Equatable {
        /// Its recording, relative to the dataset's folder, or absolute as in the table.
        case found(String)
        /// Several recordings: their paths.
        case several([String])
        case missing
    }

    /// Relative to the folder, in the order of their bytes.
    let paths: [String]
    private let folder: String
    private let known: [String: Int]
    /// By the number of names at the end of a path, and these in lower case. A number is added when a path of it is looked for.
    private var byEnd: [Int: [String: [Int]]] = [:]

    init(_ folder: String) throws(ManifestError) {
        self.folder = folder
        paths = try DirectoryCrawler(root: folder, looksIntoArchives: false).crawl().clips.map(\.path)
        known = Dictionary(zip(paths, paths.indices)) { first, _ in first }
    }

    /// Finds the recording of a path with slashes. Capitals count only where two names differ in nothing else, and the Unicode form never.
    mutating func find(_ path: String) -> Match {
        if let index = known[path], paths[index].utf8.elementsEqual(path.utf8) { return .found(path) }
        let location = Clip.location(of: path, root: folder)
        if FileStatus(path: MemberPath(location)?.archive ?? location)?.isRegular == true { return .found(path) }
        let names = path.split(separator: "/").filter { $0 != "." }
        guard !path.hasPrefix("/"), !names.isEmpty, !names.contains("..") else { return .missing }
        let end = names.joined(separator: "/")
        let found = indices(endingIn: end, names.count)
        let exact = found.filter { paths[$0] == end || paths[$0].hasSuffix("/" + end) }
        let best = exact.isEmpty ? found : exact
        return best.count > 1 ? .several(best.map { paths[$0] }) : best.first.map { .found(paths[$0]) } ?? .missing
    }

    private mutating func indices(endingIn end: String, _ count: Int) -> [Int] {
        if byEnd[count] == nil {
            var ends: [String: [Int]] = [:]
            for (index, path) in paths.enumerated() {
                let names = path.split(separator: "/")
                guard names.count >= count else { continue }
                ends[names.suffix(count).joined(separator: "/").lowercased(), default: []].append(index)
            }
            byEnd[count] = ends
        }
        return byEnd[count]?[end.lowercased()] ?? []
    }

    /// The extension of the recordings that are named like a path without one; nil: there are none, or they have several.
    func missingExtension(of path: String) -> String? {
        guard !path.isRecording else { return nil }
        let extensions = paths.compactMap { recording -> String? in
            let stem = recording.stem
            guard stem == path || stem.hasSuffix("/" + path) else { return nil }
            return String(recording.utf8.dropFirst(stem.utf8.count + 1))
        }
        return Set(extensions).count == 1 ? extensions.first : nil
    }
}
