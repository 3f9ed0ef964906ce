import FeatureModel

/// The formats that are lines of words: Kaldi's options and HTK's parameters.
enum ModelText {
    /// The options of a file of Kaldi's, `--name=value` a line; nil: it is none.
    static func kaldi(_ text: String) -> [JSONValue.Member]? {
        let lines = lines(of: text)
        // A line of hyphens alone starts a document of YAML.
        guard let first = lines.first, first.hasPrefix("--"), first.contains(where: { $0 != "-" }),
            lines.allSatisfy({ $0.hasPrefix("--") })
        else {
            return nil
        }
        return lines.map { line in
            let parts = line.drop { $0 == "-" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = parts[0].trimmed
            // An option without a value is true.
            return .init(name: name, value: .string(parts.count == 2 ? parts[1].trimmed : "true"))
        }
    }

    /// The first line of a file of Kaldi's that has no two hyphens in front, and the name of its option; nil: it is no such file.
    ///
    /// - Parameter known: The names of options, with hyphens between their words.
    static func bareOption(_ text: String, among known: Set<String>) -> (name: String, line: String)? {
        func name(_ line: String) -> String {
            String(line.drop { $0 == "-" }.prefix { $0 != "=" }.map { $0 == "_" ? "-" : $0 }).trimmed
        }
        let lines = lines(of: text)
        let isOption = { (line: String) in
            let name = name(line)
            return !name.isEmpty && name.allSatisfy { $0 == "-" || $0.isLetter && $0.isLowercase || $0.isNumber }
        }
        guard lines.allSatisfy(isOption),
            let bare = lines.first(where: { !$0.hasPrefix("--") && known.contains(name($0)) })
        else { return nil }
        return (name(bare), bare)
    }

    /// The parameters of a file of HTK's, `NAME = value` a line, in capitals, after a module's name and a colon; nil: it is none.
    static func htk(_ text: String) -> [JSONValue.Member]? {
        let members = lines(of: text).map { line -> JSONValue.Member? in
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = parts[0].split(separator: ":").last?.trimmed, !name.isEmpty,
                name.utf8.allSatisfy({ byte in
                    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                })
            else { return nil }
            return .init(name: name, value: .string(parts[1].trimmed.filter { $0 != "\"" && $0 != "'" }))
        }
        let found = members.compactMap { $0 }
        return found.isEmpty || found.count != members.count ? nil : found
    }

    /// Whether all lines of a text are comments, or empty.
    static func isComments(_ text: String) -> Bool { lines(of: text).isEmpty }

    /// The lines without comments and blanks.
    private static func lines(of text: String) -> [String] {
        text.split { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }.map { line in line.prefix { $0 != "#" }.trimmed }
            .filter { !$0.isEmpty }
    }
}

extension StringProtocol {
    /// The text without blanks at its ends.
    fileprivate var trimmed: String {
        let start = drop { $0 == " " || $0 == "\t" }
        return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
