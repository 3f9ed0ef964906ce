import ArgumentParser
import Presentation
import Testing

@testable import veery

struct HelpTests {
    private static let names = VeeryCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
    private static let pages = [""] + names

    private static func page(_ name: String, width: Int = 80) throws -> HelpPage {
        try #require(VeeryCommand.page(of: name, width: width))
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The names of the options that a help has a text for, in its order, without dashes.
    private static func options(_ help: String) -> [String] {
        lines(help).compactMap { line in
            line.prefixMatch(of: /\ {2}(?:-\w, )?(?:--[\w-]+, )*--([\w-]+)/).map { String($0.1) }
        }
    }

    @Test(arguments: pages)
    func `the short help fits a screen, with three examples and the way to the rest`(name: String) throws {
        let page = try Self.page(name)
        let lines = Self.lines(page.short)
        #expect(lines.count <= 30, "\(lines.count) lines")
        #expect(lines.allSatisfy { $0.columns <= 80 }, "\(lines.filter { $0.columns > 80 })")
        let words = name.isEmpty ? "veery" : "veery \(name)"
        #expect(lines.last?.contains("'\(words) --help'") == true || lines.suffix(2).joined().contains("veery --help"))
        let start = try #require(lines.firstIndex(of: "Examples:"))
        let examples = lines[(start + 1)...].prefix { !$0.isEmpty }
        #expect(examples.count == (name.isEmpty ? 4 : 3))
        #expect(examples.allSatisfy { $0.hasPrefix("  ") && $0.contains("veery ") })
        #expect(lines[0] == VeeryCommand.page(of: name, width: 80).map { Self.lines($0.whole)[0] })
    }

    @Test(arguments: pages)
    func `every example has options that its command has`(name: String) throws {
        let examples = try Self.page(name).examples
        #expect(examples.count >= 3)
        for example in examples {
            for part in example.split(whereSeparator: { "|>".contains($0) }) {
                let words = part.split(separator: " ").map(String.init)
                guard words.first == "veery" else { continue }
                let command = try #require(KnownOptions.command(of: Array(words.dropFirst())), "\(example)")
                let known = try #require(KnownOptions(of: command))
                for word in words where word.hasPrefix("-") && word != "-" {
                    #expect(known.all.contains(word), "\(example): \(word)")
                }
            }
        }
    }

    @Test(arguments: names)
    func `the whole help has every option once, and the output first`(name: String) throws {
        let command = try #require(KnownOptions.command(of: [name]))
        let shown = try #require(CommandDescription(of: command)).shown.compactMap(\.name)
        let options = Self.options(try Self.page(name).whole)
        let own = try #require(KnownOptions(of: command)).shown
        // Of an option with several names, the last.
        let found = options.filter { !["version", "help"].contains($0) }
        #expect(found.count == shown.count, "\(Set(shown).symmetricDifference(found))")
        #expect(found.allSatisfy(own.contains) && Set(found).count == found.count)
        if shown.contains("output") { #expect(found.first == "output") }
        if shown.contains("preset"), shown.contains("output") {
            let rest = found.drop { $0 != "preset" }
            #expect(Array(rest.prefix(3)) == ["preset", "config", "set"])
        }
        guard let layout = HelpLayout.of(name) else { return }
        #expect(layout.groups.flatMap(\.options).sorted() == shown.sorted())
    }

    @Test(arguments: [60, 80, 120])
    func `lines are as full as they can be, and none is too wide but examples`(width: Int) throws {
        for name in Self.pages {
            let page = try Self.page(name, width: width)
            for text in [page.whole, page.short] {
                let lines = Self.lines(text)
                let examples = Set(page.examples)
                for (line, next) in zip(lines, lines.dropFirst()) {
                    if !examples.contains(line) { #expect(line.columns <= width, "\(name): \(line)") }
                    // A paragraph, or the text of an option.
                    let indent = next.prefix { $0 == " " }.count
                    guard !examples.contains(line), !next.isEmpty, !line.isEmpty, indent == 0 || indent >= 20,
                        line.prefix(while: { $0 == " " }).count == indent
                    else { continue }
                    let first = next.split(separator: " ").first.map(String.init) ?? ""
                    #expect(line.columns + 1 + first.columns > width, "\(name): '\(line)' '\(next)'")
                }
            }
        }
    }

    @Test func `a description that was wrapped for another width is wrapped anew, and commands are not`() throws {
        let narrow = try Self.page("extract", width: 60).whole
        #expect(narrow.contains("\n  curl -s https://example.org/speech.tar | veery extract --tar - -o speech.h5"))
        #expect(!narrow.contains("complete.\nIts"))
        let formats = Self.lines(try Self.page("export", width: 60).whole)
        let row = try #require(formats.firstIndex { $0.hasPrefix("  npy          features.npy") })
        #expect(formats[row + 1].hasPrefix("               "))
    }
}
