import Manifests

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
    /// By the file's name, and by it without its extension; as they are, and in lower case.
    private var byName: [Substring: [Int]] = [:]
    private var byStem: [Substring: [Int]] = [:]
    private var byLowerName: [String: [Int]] = [:]
    private var byLowerStem: [String: [Int]] = [:]

    /// - Parameter locations: Absolute paths of the recordings of all clips.
    package init(_ locations: [String]) {
        self.locations = locations.map(Self.components)
        for (index, parts) in self.locations.enumerated() {
            guard let name = parts.last else { continue }
            byName[name, default: []].append(index)
            byLowerName[name.lowercased(), default: []].append(index)
            byStem[Self.stem(name), default: []].append(index)
            byLowerStem[Self.stem(name).lowercased(), default: []].append(index)
        }
    }

    /// The distinct recordings.
    package var recordingCount: Int { Set(locations).count }

    /// The absolute path of a clip's recording.
    package func location(_ clip: Int) -> String { "/" + locations[clip].joined(separator: "/") }

    /// Finds the recording of a name with or without folders.
    ///
    /// The same path, from one of the folders, comes first; then the recording of the same file name with which most folders
    /// agree. Capitals count only where two names differ in nothing else; another extension is one of a recording that was
    /// converted.
    ///
    /// - Parameters:
    ///   - folders: Absolute folders that a relative name may start from.
    ///   - preferred: Clips of the recording beside the file, which decides between equals.
    package func find(_ name: String, folders: [String], preferred: [Int] = []) -> Match {
        let name = name.replacing("\\", with: "/")
        let wanted = Self.components(name)
        guard let last = wanted.last else { return .none }
        let converted = RecordingName.isRecording(String(last)) ? byLowerStem[Self.stem(last).lowercased()] : nil
        let named = byName[last] ?? byLowerName[last.lowercased()]
        guard let candidates = named ?? converted else { return .none }
        let paths = name.hasPrefix("/") ? [wanted] : folders.map { Self.components($0 + "/" + name) }
        for path in paths {
            let exact = candidates.filter { locations[$0] == path }
            if !exact.isEmpty { return .found(exact, score: .max) }
        }
        let scores = candidates.map { index in
            zip(locations[index].dropLast().reversed(), wanted.dropLast().reversed()).prefix { $0 == $1 }.count + 1
        }
        let score = scores.max() ?? 0
        return unique(
            zip(candidates, scores).filter { $1 == score }.map(\.0), score: named == nil ? 0 : score,
            preferred: preferred)
    }

    /// Whether the recording of a clip has another extension than a name.
    package func isConverted(_ clip: Int, _ name: String) -> Bool {
        guard let last = Self.components(name.replacing("\\", with: "/")).last, let own = locations[clip].last else {
            return false
        }
        return own.lowercased() != last.lowercased()
    }

    /// Finds the recording that an annotation file without names of recordings belongs to, by its own name.
    ///
    /// - Parameter folder: The absolute folder of the file; a recording in it comes first, or beside it if it is one of
    ///   annotations.
    /// - Returns: `isLoose`: the file's name has a word more.
    package func find(besides name: String, folder: String) -> (match: Match, isLoose: Bool) {
        let folder = Self.components(folder)
        let above = folder.last.map { AnnotationFileName.isFolder(String($0)) } == true ? folder.dropLast() : nil
        for candidate in AnnotationFileName.candidates(of: name) {
            let candidates =
                candidate.ignoresCase
                ? (byLowerStem[candidate.name] ?? []) + (byLowerName[candidate.name] ?? [])
                : (byStem[candidate.name[...]] ?? []) + (byName[candidate.name[...]] ?? [])
            let inIt = candidates.filter { locations[$0].dropLast().elementsEqual(folder) }
            let near =
                inIt.isEmpty
                ? candidates.filter { index in
                    above.map { locations[index].dropLast().elementsEqual($0) } ?? false
                } : inIt
            guard candidate.isLoose ? !near.isEmpty : !candidates.isEmpty else { continue }
            let match =
                near.isEmpty
                ? unique(candidates, score: 0, preferred: []) : unique(near, score: 1, preferred: [])
            return (match, candidate.isLoose)
        }
        return (.none, false)
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
