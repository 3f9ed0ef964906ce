/// Finds the recordings of a dataset by the names that annotation files give them.
package struct RecordingIndex: Sendable {
    /// What a name stands for.
    package enum Match: Equatable, Sendable {
        case none
        /// Indices of the clips of one recording; `score` grows with the folders that agree.
        case found([Int], score: Int)
        /// Several recordings may be meant: their locations.
        case ambiguous([String])
    }

    private let locations: [[Substring]]
    private var byName: [Substring: [Int]] = [:]
    private var byStem: [Substring: [Int]] = [:]

    /// - Parameter locations: Absolute paths of the recordings of all clips.
    package init(_ locations: [String]) {
        self.locations = locations.map(Self.components)
        for (index, parts) in self.locations.enumerated() {
            guard let name = parts.last else { continue }
            byName[name, default: []].append(index)
            byStem[Self.stem(name), default: []].append(index)
        }
    }

    /// The distinct recordings.
    package var recordingCount: Int { Set(locations).count }

    /// Finds the recording of a name with or without folders.
    ///
    /// The same path, from one of the folders, comes first; then the recording of the same file name with which most folders
    /// agree.
    ///
    /// - Parameters:
    ///   - folders: Absolute folders that a relative name may start from.
    ///   - preferred: Clips of the recording beside the file, which decides between equals.
    package func find(_ name: String, folders: [String], preferred: [Int] = []) -> Match {
        let name = name.replacing("\\", with: "/")
        let wanted = Self.components(name)
        guard let last = wanted.last, let candidates = byName[last] else { return .none }
        let paths = name.hasPrefix("/") ? [wanted] : folders.map { Self.components($0 + "/" + name) }
        for path in paths {
            let exact = candidates.filter { locations[$0] == path }
            if !exact.isEmpty { return .found(exact, score: .max) }
        }
        let scores = candidates.map { index in
            zip(locations[index].reversed(), wanted.reversed()).prefix { $0 == $1 }.count
        }
        let score = scores.max() ?? 0
        return unique(zip(candidates, scores).filter { $1 == score }.map(\.0), score: score, preferred: preferred)
    }

    /// Finds the recording that an annotation file without names of recordings belongs to, by its own name.
    ///
    /// - Parameter folder: The absolute folder of the file; a recording in it comes first.
    package func find(besides name: String, folder: String) -> Match {
        let folder = Self.components(folder)
        for stem in AnnotationFileName.stems(of: name) {
            let candidates = (byStem[stem[...]] ?? []) + (byName[stem[...]] ?? [])
            let near = candidates.filter { locations[$0].dropLast().elementsEqual(folder) }
            if !near.isEmpty { return unique(near, score: 1, preferred: []) }
            if !candidates.isEmpty { return unique(candidates, score: 0, preferred: []) }
        }
        return .none
    }

    private func unique(_ indices: [Int], score: Int, preferred: [Int]) -> Match {
        let distinct = Set(indices.map { locations[$0] })
        if distinct.count == 1 { return .found(indices, score: score) }
        let near = indices.filter(preferred.contains)
        if !near.isEmpty { return .found(near, score: score) }
        return .ambiguous(distinct.map { "/" + $0.joined(separator: "/") }.sorted())
    }

    /// The names along a path, without `.` and `..`; the members of an archive are in it as in a folder.
    private static func components(_ path: String) -> [Substring] {
        var parts: [Substring] = []
        for part in path.replacing("::", with: "/").split(separator: "/") where part != "." {
            if part == "..", parts.last != nil, parts.last != ".." { parts.removeLast() } else { parts.append(part) }
        }
        return parts
    }

    private static func stem(_ name: Substring) -> Substring {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return name[..<dot]
    }
}
