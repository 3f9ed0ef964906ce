import Manifests

/// Names of annotation files, and of the recordings that they are of.
package enum AnnotationFileName {
    private static let extensions = [".txt", ".csv", ".tsv", ".tab", ".jsonl", ".textgrid", ".ctm", ".rttm"]
    /// Names that Kaldi's directories have.
    private static let wholeNames: Set = ["ctm", "rttm"]
    /// What programs and people add to the name of a recording, in lower case.
    private static let words: Set = [
        "selections", "selection", "table", "tables", "labels", "label", "annotations", "annotation", "annot", "raven",
        "audacity", "birdnet", "results", "kaleidoscope",
    ]
    /// Of these, those of Raven's tables, to whose names people add their own.
    private static let ravenWords: Set = ["selections", "selection", "table"]
    private static let separators: Set<Character> = [".", "_", "-", " "]
    /// Names of folders beside recordings that hold their annotations, in lower case.
    private static let folders: Set = [
        "selections", "selection tables", "selection_tables", "selectiontables", "annotations", "labels", "tables",
        "raven", "birdnet", "audacity", "textgrid", "textgrids",
    ]

    /// Whether a file may hold annotations.
    package static func isPossible(_ name: String) -> Bool {
        let name = name.lowercased()
        return wholeNames.contains(name) || name.hasSuffix(".xml")
            || extensions.contains { name.hasSuffix($0) && name.utf8.count > $0.utf8.count }
    }

    /// Whether a folder of this name may hold the annotations of the recordings beside it.
    package static func isFolder(_ name: String) -> Bool { folders.contains(name.lowercased()) }

    /// Whether a table of this name may be of all recordings of its folder, although it looks like a manifest.
    package static func isOfAll(_ name: String) -> Bool { name.lowercased().contains("annotation") }

    /// A name that its recording may have.
    package struct Candidate: Sendable {
        /// With or without an extension.
        package let name: String
        /// Whether capitals do not count.
        package let ignoresCase: Bool
        /// Whether the file's name has a word more that may be that of a person.
        package let isLoose: Bool
    }

    /// What the name of its recording may be, likelier ones first.
    package static func candidates(of name: String) -> [Candidate] {
        let (stems, loose) = names(name)
        return stems.map { Candidate(name: $0, ignoresCase: false, isLoose: false) }
            + stems.map { Candidate(name: $0.lowercased(), ignoresCase: true, isLoose: false) }
            + loose.map { Candidate(name: $0.lowercased(), ignoresCase: true, isLoose: true) }
    }

    /// The name of its recording without an extension, as messages call it.
    package static func stem(of name: String) -> String { names(name).stems.last ?? name }

    /// That a table may be of several recordings by its name, and what to do.
    ///
    /// - Parameters:
    ///   - name: The table's, without its folders.
    ///   - locations: Paths of the recordings.
    package static func ambiguity(of name: String, _ locations: [String]) -> String {
        let files = locations.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
        let folders = Set(zip(locations, files).map { $0.dropLast($1.count) })
        let shown = folders.count == 1 ? files : locations
        let list = shown.prefix(3).map(quoted).joined(separator: " or ") + (shown.count > 3 ? " …" : "")
        guard Set(files).count == files.count, let file = files.first else {
            return "its name may stand for \(list): move it into the folder of its recording"
        }
        let rest = name.dropFirst(stem(of: name).count)
        return "its name may stand for \(list): rename it after one of them, such as to \(quoted(file + rest))"
    }

    /// The file's name without more and more of its end.
    private static func names(_ name: String) -> (stems: [String], loose: [String]) {
        let lower = name.lowercased()
        guard let ending = extensions.first(where: lower.hasSuffix) else { return ([], []) }
        var stem = name.dropLast(ending.count)
        var (stems, isRaven) = (stem.isEmpty ? [] : [String(stem)], false)
        while let (rest, word) = split(stem), !rest.isEmpty {
            if isNumber(word), let (before, table) = split(rest), table == "table", !before.isEmpty {
                // Raven numbers its tables: day.Table.1.selections.txt.
                (stem, isRaven) = (before, true)
            } else if words.contains(word) || word.hasPrefix("table") && isNumber(word.dropFirst(5)) {
                isRaven = isRaven || ravenWords.contains(word) || word.hasPrefix("table")
                stem = rest
            } else if word == "r", split(rest)?.word == "results" {
                stem = rest
            } else {
                break
            }
            stems.append(String(stem))
        }
        guard isRaven, let (rest, word) = split(stem), !rest.isEmpty, word.allSatisfy(\.isLetter) else {
            return (stems, [])
        }
        return (stems, [String(rest)])
    }

    /// What is before the last separator, and the word after it in lower case.
    private static func split(_ text: Substring) -> (rest: Substring, word: String)? {
        guard let index = text.lastIndex(where: separators.contains) else { return nil }
        let word = text[text.index(after: index)...].lowercased()
        return word.isEmpty ? nil : (text[..<index], word)
    }

    private static func isNumber(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
