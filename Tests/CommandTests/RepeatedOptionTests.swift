import Testing

@testable import veery

struct RepeatedOptionTests {
    private static func commands() throws -> [(name: String, known: KnownOptions)] {
        try VeeryCommand.configuration.subcommands.map { command in
            (try #require(command.configuration.commandName), try #require(KnownOptions(of: command)))
        }
    }

    @Test func `every option of every command that takes one value is refused a second, under all of its names`() throws
    {
        var count = 0
        for (command, known) in try Self.commands() {
            for option in known.options.values where !option.isRepeating {
                for (first, second) in option.names.flatMap({ name in option.names.map { (name, $0) } }) {
                    for arguments in [[first, "A", "x", second, "B"], ["\(first)=A", "\(second)=B", "x"]] {
                        let repeated = RepeatedOption(in: [command] + arguments)
                        #expect(repeated?.values == ["A", "B"], "\(command) \(arguments)")
                        #expect(repeated.map { option.names.contains($0.name) } == true)
                        count += 1
                    }
                }
            }
        }
        #expect(count > 200)
    }

    @Test func `the options that may be repeated are known, and no others`() throws {
        var (repeating, single): (Set<String>, Set<String>) = ([], [])
        for option in try Self.commands().flatMap(\.known.options.values) {
            if option.isRepeating { repeating.formUnion(option.names) } else { single.formUnion(option.names) }
        }
        #expect(RepeatedOption.repeatable == Set(repeating.subtracting(single).map { $0[...] }))
    }

    @Test(arguments: [
        ["export", "f.h5", "--label", "A"], ["extract", "--quiet", "--quiet", "-q"],
        ["extract", "--set", "a=1", "--set=b=2"], ["live", "--file", "a", "--file", "b"],
        ["export", "--label", "A", "--", "--label", "B"], ["render", "--end", "--start", "--start", "1"],
        ["clips", "--format", "a", "--output-format", "b"], ["extract", "-o", "-o"], ["extract", "-"], ["xyzzy"],
        [],
    ])
    func `values, flags, what follows two dashes and other options are not repeated options`(arguments: [String]) {
        #expect(RepeatedOption(in: arguments) == nil)
    }

    @Test func `the sentence names the option and both values, as they can be printed`() {
        let message = RepeatedOption(in: ["export", "f.h5", "--label", "A", "--label", "\u{1B}B"])?.message
        #expect(message?.hasPrefix("--label is given twice: 'A' and '") == true && message?.contains("\u{1B}") == false)
        #expect(RepeatedOption(in: ["crawl", "-qo", "A", "--output=B"])?.name == "--output")
        #expect(RepeatedOption(in: ["crawl", "-o", "A", "-o=B"])?.name == "-o")
    }
}
