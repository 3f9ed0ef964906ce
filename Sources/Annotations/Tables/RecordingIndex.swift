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
    /// By the file's name, with and without its extension; unchanged, and in lower case.
    private var byName: [Substring: [Int]] = [:]
    private var byStem: [Substring: [Int]] = [:]
    private var byLowerName: [String: [Int]] = [:]
    private var byLowerStem: [String: [Int]] = [:]
    /// The number of each folder, and what is in it.
    private var folders: [ArraySlice<Substring>: Int] = [:]
    private var inFolder: [StemInFolder: [Int]] = [:]

    /// Recordings of a folder whose names differ in capitals and extensions alone.
    private struct StemInFolder: Hashable {
        let folder: Int
        /// In lower case.
        let stem: String
    }

    /// - Parameter locations: Absolute paths of the recordings of all clips.
    package init(_ locations: [String]) {
        self.locations = locations.map(Self.components)
        var recordings: Set<[Substring]> = []
        for (index, parts) in self.locations.enumerated() {
            recordings.insert(parts)
            guard let name = parts.last else { continue }
            let stem = Self.stem(name)
            byName[name, default: []].append(index)
            byLowerName[name.lowercased(), default: []].append(index)
            byStem[stem, default: []].append(index)
            byLowerStem[stem.lowercased(), default: []].append(index)
            let folder = folders[parts.dropLast()] ?? folders.count
            folders[parts.dropLast()] = folder
            inFolder[StemInFolder(folder: folder, stem: stem.lowercased()), default: []].append(index)
        }
        recordingCount = recordings.count
    }

    /// The distinct recordings.
    package let recordingCount: Int

    /// The clips of recordings in a folder that are named so, except for capitals and the extension.
    private func clips(in folder: ArraySlice<Substring>, stem: some StringProtocol) -> [Int] {
        folders[folder].flatMap { inFolder[StemInFolder(folder: $0, stem: stem.lowercased())] } ?? []
    }

    /// The clips of recordings at these absolute paths, which `find` calls ambiguous.
    func clips(at paths: [String]) -> [Int] {
        let wanted = Set(paths)
        return Set(paths.map(\.lastName)).flatMap { byName[$0[...]] ?? [] }.filter { wanted.contains(location($0)) }
    }

    /// The absolute path of a clip's recording.
    package func location(_ clip: Int) -> String { "/" + locations[clip].joined(separator: "/") }

    /// Finds the recording of a name with or without folders.
    ///
    /// The same path, from one of the folders, comes first; then the recording of the same file name with which most folders
    /// agree, and of several such recordings that in the first folder, or in that above it, if it is one of annotations. Capitals count only where two names differ in nothing else; another extension is one of a recording that was
    /// converted.
    ///
    /// - Parameters:
    ///   - folders: Absolute folders that a relative name may start from; the first is that of the file.
    ///   - preferred: Clips of the recording next to the file; it is preferred to other recordings that match equally well.
    package func find(_ name: String, folders: [String], preferred: [Int] = []) -> Match {
        let name = name.replacing("\\", with: "/")
        let wanted = Self.components(name)
        guard let last = wanted.last else { return .none }
        let converted = RecordingName.isRecording(String(last)) ? byLowerStem[Self.stem(last).lowercased()] : nil
        let named = byName[last] ?? byLowerName[last.lowercased()]
        guard let candidates = named ?? converted else { return .none }
        let paths = name.hasPrefix("/") ? [wanted] : folders.map { Self.components($0 + "/" + name) }
        var nearby: [Int] = []
        for path in paths {
            guard let file = path.last else { continue }
            let near = clips(in: path.dropLast(), stem: Self.stem(file))
            let exact = near.filter { locations[$0].last == file }
            if !exact.isEmpty { return .found(exact, score: .max) }
            if nearby.isEmpty { nearby = near }
        }
        // What is named with another extension lies where it is named, or elsewhere.
        if named == nil, !nearby.isEmpty { return unique(nearby, score: 0, preferred: preferred) }
        let scores = candidates.map { index in
            zip(locations[index].dropLast().reversed(), wanted.dropLast().reversed()).prefix { $0 == $1 }.count + 1
        }
        let score = scores.max() ?? 0
        let best = zip(candidates, scores).filter { $1 == score }.map(\.0)
        return unique(
            best, score: named == nil ? 0 : score,
            preferred: preferred.isEmpty ? clips(best, beside: folders.first) : preferred)
    }

    /// Those of some clips whose recordings are in the folder of an annotation file; where none is, those in the folder above, if this
    /// folder is one of annotations.
    private func clips(_ clips: [Int], beside folder: String?) -> [Int] {
        guard let own = folder.map(Self.components), let name = own.last else { return [] }
        let folders = [own[...]] + (AnnotationFileName.isFolder(String(name)) ? [own.dropLast()] : [])
        return folders.lazy.map { folder in clips.filter { locations[$0].dropLast() == folder } }.first { !$0.isEmpty }
            ?? []
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
    /// - Parameter folder: The absolute folder of the file. A recording in it comes first, then one in the folder above, if this
    ///   folder is one of annotations.
    /// - Returns: `isLoose`: the file's name has one more word than the recording's.
    package func find(forFile name: String, folder: String) -> (match: Match, isLoose: Bool) {
        let folder = Self.components(folder)
        let above = folder.last.map { AnnotationFileName.isFolder(String($0)) } == true ? folder.dropLast() : nil
        for candidate in AnnotationFileName.candidates(of: name) {
            let inIt = clips(named: candidate, in: folder[...])
            let near = inIt.isEmpty ? above.map { clips(named: candidate, in: $0) } ?? [] : inIt
            if !near.isEmpty { return (unique(near, score: 1, preferred: []), candidate.isLoose) }
            guard !candidate.isLoose else { continue }
            let elsewhere =
                candidate.ignoresCase
                ? (byLowerStem[candidate.name] ?? []) + (byLowerName[candidate.name] ?? [])
                : (byStem[candidate.name[...]] ?? []) + (byName[candidate.name[...]] ?? [])
            if !elsewhere.isEmpty { return (unique(elsewhere, score: 0, preferred: []), false) }
        }
        return (.none, false)
    }

    /// The clips that a file of unknown content may be of: those of its recording, or else all.
    ///
    /// - Parameter beside: Those of the recording that it lies beside.
    func clips(ofFile path: String, folder: String, beside: [Int]) -> [Int] {
        guard beside.isEmpty else { return beside }
        return switch find(forFile: path.lastName, folder: folder).match {
        case .found(let clips, _): clips
        case .ambiguous(let locations): clips(at: locations)
        case .none: Array(locations.indices)
        }
    }

    /// The clips of recordings in a folder whose name, with or without its extension, is that of a candidate.
    private func clips(named candidate: AnnotationFileName.Candidate, in folder: ArraySlice<Substring>) -> [Int] {
        let name = candidate.name[...]
        func isIt(_ found: Substring) -> Bool {
            candidate.ignoresCase ? found.lowercased() == candidate.name : found == name
        }
        let stem = Self.stem(name)
        let named = clips(in: folder, stem: name) + (stem == name ? [] : clips(in: folder, stem: stem))
        return named.filter { clip in
            guard let file = locations[clip].last else { return false }
            return isIt(file) || isIt(Self.stem(file))
        }
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
