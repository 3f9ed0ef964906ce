/// What is wrong with an annotation, an annotation file or a recording.
struct ClipsProblem {
    let path: String
    /// From 1; nil: that of the file as a whole.
    var line: Int?
    let text: String

    init(path: String, line: Int? = nil, text: String) { (self.path, self.line, self.text) = (path, line, text) }

    var description: String { "\(path)\(line.map { ", line \($0)" } ?? ""): \(text)" }
}

/// All problems of the annotations of a source.
struct ClipsProblems: Error, CustomStringConvertible {
    let problems: [ClipsProblem]
    /// What to do about them, sentences.
    let hints: [String]
    /// Whether the command has --skip-problems.
    let canSkip: Bool

    /// How many are listed in words.
    private static let listed = 20

    /// The problems of each file stand together, by their lines; files are in the order in which they appear first.
    init(_ problems: [ClipsProblem], hints: [String], canSkip: Bool = true) {
        var files: [String: Int] = [:]
        for problem in problems where files[problem.path] == nil { files[problem.path] = files.count }
        self.problems = problems.sorted {
            (files[$0.path] ?? 0, $0.line ?? 0) < (files[$1.path] ?? 0, $1.line ?? 0)
        }
        (self.hints, self.canSkip) = (hints, canSkip)
    }

    var description: String {
        let shown = problems.prefix(Self.listed).map { "  " + $0.description }
        let rest = problems.count > shown.count ? ["  … and \(problems.count - shown.count) more"] : []
        let heading =
            "\(problems.count) \(problems.count == 1 ? "problem" : "problems"); nothing was written"
            + (canSkip ? " (--skip-problems leaves out what has problems):" : ":")
        return ([heading] + shown + rest + hints).joined(separator: "\n")
    }
}
