/// A text as it is stored, for the commands that make a new file of it.
package struct StoredText: Hashable, Sendable {
    /// The path of the file; nil: it is standard input.
    private let path: String?
    /// The programs that make plain UTF-8 of it, in their order; each reads standard input.
    private var steps: [String] = []

    package init(path: String?) { self.path = path }

    /// The encodings of a text that is converted while it is read.
    enum Encoding {
        case gzip
        /// UTF-8 with a byte order mark.
        case marked
        /// UTF-16; nil: a byte order mark says which.
        case utf16(isBigEndian: Bool?)
        case windows1252
    }

    /// Takes note of an encoding, the outer ones first.
    mutating func add(_ encoding: Encoding) {
        switch encoding {
        case .gzip: steps.append("gunzip -c")
        case .marked: steps.append("tail -c +4")
        case .windows1252: steps.append("iconv -f WINDOWS-1252 -t UTF-8")
        case .utf16(let isBigEndian):
            let order = isBigEndian.map { $0 ? "BE" : "LE" } ?? ""
            steps.append("iconv -f UTF-16\(order) -t UTF-8")
        }
    }

    /// Whether another program can read the file as it is.
    package var isPlainFile: Bool { path != nil && steps.isEmpty }

    /// The path of the file, or what stands for it.
    package var shownPath: String { path ?? "" }

    /// `such as by:` and a command that writes a new file beside this one; of standard input, one to put into the pipe before veery.
    ///
    /// - Parameters:
    ///   - program: Reads a file or standard input; nil: the text is written as it is.
    ///   - header: A line that is written before.
    ///   - name: The name of the new file.
    package func advice(_ program: String? = nil, header: String? = nil, to name: String) -> String {
        var stages = steps + [program].compactMap(\.self)
        if stages.isEmpty { stages = ["cat"] }
        if let path { stages[0] += (steps.isEmpty ? " " : " < ") + ShellText.file(path) }
        var command = stages.joined(separator: " | ")
        if let header { command = "(printf '\(header)\\n' && \(command))" }
        guard let path else { return "such as by a filter before veery: " + command }
        return "such as by: \(command) > " + ShellText.file(ShellText.newFile(beside: path, name))
    }
}
