import Essentials

/// The words of a command line that a shell completes.
struct CommandLineWords {
    /// All words, without quotation marks; the program first.
    let words: [String]
    /// The word at the cursor, up to the cursor.
    let prefix: String
    /// The words that are not completed.
    let others: [String]

    /// - Parameters:
    ///   - index: The index of the word at the cursor.
    ///   - prefix: The last word up to the cursor.
    ///   - isQuoted: Whether words are as typed, with their quotation marks, as bash and zsh pass them.
    init(_ words: [String], index: Int, prefix: String, isQuoted: Bool) {
        let plain = isQuoted ? Self.unquoted : { $0 }
        let isInside = words.indices.contains(index)
        self.words = words.map(plain)
        let word = plain(isInside && index < words.count - 1 ? words[index] : prefix)
        // Of --option=value, the value is completed.
        let value = word.hasPrefix("--") ? word.firstIndex(of: "=").map { word[word.index(after: $0)...] } : nil
        self.prefix = value.map(String.init) ?? word
        var others = self.words
        if isInside { others.remove(at: index) }
        self.others = others
    }

    /// A word as the shell would pass it to a program: without quotation marks and backslashes. Quotation marks may be open.
    static func unquoted(_ word: String) -> String {
        var plain = ""
        var quote: Character?
        var isEscaped = false
        for character in word {
            if isEscaped {
                if quote != nil, !"\"\\$`".contains(character) { plain.append("\\") }
                plain.append(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            } else {
                plain.append(character)
            }
        }
        return plain
    }

    /// The first word that names a file for which `isWanted` is true.
    func file(where isWanted: (String) -> Bool) -> String? {
        others.dropFirst(2).lazy.map(Self.path).first(where: isWanted)
    }

    private static func path(_ word: String) -> String {
        guard word.hasPrefix("~/"), let home = ProcessInfo.processInfo.environment["HOME"] else { return word }
        return home + word.dropFirst()
    }
}
