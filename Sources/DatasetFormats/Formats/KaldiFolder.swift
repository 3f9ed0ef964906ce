import FileIO
import Manifests

/// One directory of Kaldi, and the lines of its files.
struct KaldiFolder {
    let folder: String
    /// The path in the folder, with a slash at the end; empty: the folder itself.
    let prefix: String

    var path: String { "\(folder)/\(prefix)" }

    /// What messages call a file.
    func file(_ name: String) -> String { prefix + name }

    func has(_ name: String) -> Bool { FileStatus(path: path + name) != nil }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    static func words(_ text: String) -> [String] {
        text.utf8.split(whereSeparator: isBlank).map { String(Substring($0)) }
    }

    /// Calls `take` with the first word of every line, and what follows it. What it returns is a problem of the line.
    func lines(
        of name: String, _ clips: ManifestBuilder, take: (String, String, Int) throws(ManifestError) -> String?
    ) throws(ManifestError) {
        let input = ManifestInput(path: path + name)
        try clips.forEachLine(of: input, named: file(name)) { lines throws(ManifestError) in
            // As bytes: a dataset has millions of lines, and characters take ten times as long to find.
            let line = lines.bytes[...].trimmingBlanks
            let end = line.firstIndex(where: Self.isBlank) ?? line.endIndex
            return try take(
                String(decoding: line[..<end], as: UTF8.self),
                String(decoding: line[end...].trimmingBlanks, as: UTF8.self), lines.number)
        }
    }

    /// Adds a value to a table.
    ///
    /// - Returns: What is wrong with it; nil: nothing.
    static func add(_ value: String, of id: String, to table: inout [String: String]) -> String? {
        table.updateValue(value, forKey: id).map { _ in "there is a line for \(quoted(id)) already" }
    }
}
