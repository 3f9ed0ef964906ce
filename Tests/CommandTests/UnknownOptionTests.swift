import Testing

@testable import veery

struct UnknownOptionTests {
    @Test func `every option of every command is known, and one letter less is taken for it`() throws {
        var count = 0
        for command in VeeryCommand.configuration.subcommands {
            let name = try #require(command.configuration.commandName)
            for word in command.helpMessage(columns: 80).split(whereSeparator: { " /,\n".contains($0) })
            where word.hasPrefix("--") && word.count > 5 && word.allSatisfy({ $0.isLetter || $0 == "-" }) {
                // Help also has options of other commands, in its text.
                guard UnknownOption(in: [name, String(word)]) == nil else { continue }
                count += 1
                let unknown = UnknownOption(in: [name, String(word.dropLast())])
                #expect(unknown == nil || unknown?.meant.contains(String(word)) == true, "\(name) \(word)")
            }
        }
        #expect(count > 100)
    }

    @Test(arguments: [
        ["render", "a.wav", "--end", "--ouput"], ["render", "a.wav", "--start", "-ouput"],
        ["extract", "--", "--ouput"], ["extract", "--set=--ouput"], ["extract", "-5"], ["extract", "-"],
        ["extract", ""],
        ["--ouput"], [], ["xyzzy", "--ouput"],
    ])
    func `no option is suggested for a value, after two dashes, or without a command`(arguments: [String]) {
        #expect(UnknownOption(in: arguments) == nil)
    }

    @Test func `a word that is like no option is named alone, and without control characters`() {
        #expect(UnknownOption(in: ["extract", "--xyzzy"])?.message == "Unknown option '--xyzzy'")
        let message = UnknownOption(in: ["extract", "--\u{1B}[31m" + String(repeating: "x", count: 5000)])?.message
        #expect(message?.contains("\u{1B}") == false && (message ?? "").count < 100)
    }
}
