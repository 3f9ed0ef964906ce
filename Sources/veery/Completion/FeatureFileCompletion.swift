import FeatureModel
import FeatureStorage

/// Completions from the feature file on the command line. If the file cannot be read, there are none: an error would spoil the
/// command line.
enum FeatureFileCompletion {
    /// Ids of clips; many are completed part by part, as paths are.
    static func ids(_ line: CommandLineWords) -> [Completion] {
        guard let file = file(line) else { return [] }
        var found: [String] = []
        each(.id, of: file) { if $0.utf8.starts(with: line.prefix.utf8) { found.append($0) } }
        return NameStems.stems(of: found, after: line.prefix).map { Completion(word: $0) }
    }

    static func labels(_ line: CommandLineWords) -> [Completion] {
        guard let file = file(line) else { return [] }
        let chosen = line.prefix.lastIndex(of: ",").map { line.prefix[...$0] } ?? ""
        // A name that contains a comma needs an option of its own.
        return file.labels.filter { chosen.isEmpty || !$0.contains(",") }.map { Completion(word: chosen + $0) }
    }

    static func splits(_ line: CommandLineWords) -> [Completion] {
        guard let file = file(line) else { return [] }
        var names: [String] = []
        each(.split, of: file) { if !$0.isEmpty, names.last != $0, !names.contains($0) { names.append($0) } }
        return names.map { Completion(word: $0) }
    }

    private static func file(_ line: CommandLineWords) -> FeatureReader? {
        line.file { HDF5Signature.begins($0) || FeatureSetIndex.exists(at: $0) }
            .flatMap { try? FeatureReader(path: $0) }
    }

    private static func each(_ column: ClipColumn.Text, of file: FeatureReader, _ body: (String) -> Void) {
        for range in (0..<file.clipCount).blocks(of: 65_536) {
            for text in (try? file.texts(column, ofClips: range)) ?? [] { body(text) }
        }
    }
}

/// Few words that lead to many names, so that a shell need not show them all.
enum NameStems {
    /// Up to this number, all names are shown.
    static let fewNames = 100
    /// Maximum number of stems.
    static let maximum = 1000

    /// The names; or, if there are many, their stems up to the next slash; or, if these are many, too, shorter ones.
    ///
    /// At least two stems: a shell that finds only one takes it for the whole name, and ends the word.
    /// - Parameter prefix: What all names start with.
    static func stems(of names: [String], after prefix: String) -> [String] {
        guard names.count > fewNames else { return names }
        var start = prefix.utf8.count
        while true {
            let stems = distinct(names, maximum: maximum) { name in
                name.dropFirst(start).firstIndex(of: UInt8(ascii: "/")).map { name.index(after: $0) } ?? name.endIndex
            }
            guard let stems else { break }
            guard stems.count == 1, stems[0].utf8.count > start else { return stems }
            start = stems[0].utf8.count
        }
        var shorter: [String] = []
        var length = start + 1
        while let stems = distinct(names, maximum: fewNames, end: { Self.end(of: $0, at: length) }) {
            (shorter, length) = (stems, length + 1)
        }
        return shorter.count > 1
            ? shorter : distinct(names, maximum: .max) { end(of: $0, at: length) } ?? []
    }

    /// The distinct starts of names, in order; nil: they are more than `maximum`.
    private static func distinct(
        _ names: [String], maximum: Int, end: (String.UTF8View) -> String.Index
    ) -> [String]? {
        var (known, stems): (Set<Substring>, [String]) = ([], [])
        for name in names {
            let stem = name[..<end(name.utf8)]
            guard known.insert(stem).inserted else { continue }
            stems.append(String(stem))
            if stems.count > maximum { return nil }
        }
        return stems
    }

    /// The end of the character that contains a byte, or the end of the name.
    private static func end(of name: String.UTF8View, at length: Int) -> String.Index {
        guard var end = name.index(name.startIndex, offsetBy: length, limitedBy: name.endIndex) else {
            return name.endIndex
        }
        while end < name.endIndex, name[end] & 0xC0 == 0x80 { end = name.index(after: end) }
        return end
    }
}
