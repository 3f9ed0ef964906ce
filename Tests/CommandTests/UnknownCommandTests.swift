import Testing

@testable import veery

struct UnknownCommandTests {
    private static let names = VeeryCommand.configuration.subcommands.compactMap { $0.configuration.commandName }

    @Test(arguments: [
        ("extrct", "extract"), ("info", "inspect"), ("plot", "render"), ("extract-features", "extract"),
        ("Extract", "extract"), ("inspct", "inspect"), ("rendr", "render"), ("craw", "crawl"), ("scan", "crawl"),
        ("validate", "check"), ("preset", "presets"), ("list-presets", "presets"), ("plot_spectrogram", "render"),
        ("listen", "live"), ("band-pass", "filter"), ("version", "--version"), ("visualise", "render"),
        ("chekc", "check"), ("convert", "export"), ("licences", "--licences"), ("play", "live"), ("ls", "list"),
        ("listen", "live"), ("render-clips", "render"),
    ])
    func `the command that was meant is suggested`(word: String, command: String) {
        #expect(UnknownCommand.command(for: word, among: Self.names) == command)
    }

    @Test(arguments: ["xyzzy", "q", "", "--", "🐦", "dogs/a7.flac", "love", "spirit", "fold", "card"])
    func `no command is suggested for a word that is near none`(word: String) {
        #expect(UnknownCommand.command(for: word, among: Self.names) == nil)
    }

    @Test func `every synonym leads to a command, and every command has a name of its own`() throws {
        for name in Self.names { #expect(UnknownCommand.command(for: name, among: Self.names) == name) }
        #expect(throws: Never.self) {
            for name in Self.names { try UnknownCommand.check([name]) }
            try UnknownCommand.check([])
            try UnknownCommand.check(["--help"])
            try UnknownCommand.check(["help", "extract"])
        }
    }
}
