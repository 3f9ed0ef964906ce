import Testing

@testable import veery

struct UnknownOptionTests {
    private static func words(_ unknown: UnknownOption?) -> [String]? {
        guard case .words(let words)? = unknown?.advice else { return nil }
        return words
    }

    @Test func `every option of every command is known, and one letter less is taken for it or for an option's start`()
        throws
    {
        var count = 0
        for command in VeeryCommand.configuration.subcommands {
            let name = try #require(command.configuration.commandName)
            let known = try #require(KnownOptions(of: command))
            for option in known.shown {
                #expect(UnknownOption(in: [name, "--\(option)"]) == nil)
                guard option.count > 3, !known.shown.contains(String(option.dropLast())),
                    !OtherNames.options.contains(where: { $0.names.contains(String(option.dropLast())) })
                else { continue }
                count += 1
                let unknown = UnknownOption(in: [name, "--\(option.dropLast())"])
                #expect(Self.words(unknown)?.contains("--\(option)") == true, "\(name) \(option)")
            }
        }
        #expect(count > 100)
    }

    @Test(arguments: [
        ["render", "a.wav", "--end", "--ouput"], ["render", "a.wav", "--start", "-ouput"],
        ["extract", "--", "--ouput"], ["extract", "--set=--ouput"], ["extract", "-5"], ["extract", "-"],
        ["extract", ""], ["extract", "-z"],
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

    @Test(arguments: [
        ("extract --sample-rate", "--set audio.sample_rate=VALUE"), ("extract --sr", "--set audio.sample_rate=VALUE"),
        ("extract -ar", "--set audio.sample_rate=VALUE"), ("extract --resample", "--set audio.sample_rate=VALUE"),
        ("extract --sample-frequency", "--set audio.sample_rate=VALUE"), ("live --sample-rate", "--rate"),
        ("extract --num-mel-bins", "--set transform.bins=VALUE"), ("extract --n-mels", "--set transform.bins=VALUE"),
        ("extract --n_fft", "--set frame.fft_length=VALUE"), ("extract --hop-length", "--set frame.hop=VALUE"),
        ("extract --frame-shift", "--set frame.hop=VALUE"), ("extract --win-length", "--set frame.length=VALUE"),
        ("extract --frame-length", "--set frame.length=VALUE"), ("extract --fmin", "--set transform.low=VALUE"),
        ("extract --fmax", "--set transform.high=VALUE"), ("extract --mono", "--set audio.channels=mix"),
        ("extract -ac", "--set audio.channels=mix"), ("live -ac", "--set audio.channels=mix"),
        ("extract --stride", "--set frame.hop=VALUE"), ("extract --out", "--output"), ("extract --workers", "--jobs"),
        ("extract -j", "--jobs"), ("extract --force", "--overwrite"), ("extract --verbose", "--progress plain"),
        ("extract --list", "veery presets"), ("inspect --list", "veery list FILE"),
        ("export --list", "veery list FILE"),
        ("extract --licences", "veery --licences"), ("extract --labels", "--column label=NAME"),
        ("crawl --labels", "--label-from"), ("export --labels", "--label"), ("render --size", "--width"),
        ("export --size", "--shard-size"), ("render --cmap", "--colors"), ("live --output", "--record"),
        ("check --out", "--html"), ("presets -o", "--golden"), ("split --test-size", "--ratio"),
        ("split --n-splits", "--folds"), ("split --random-state", "--seed"), ("extract --split", "veery split FILE"),
        ("crawl --pattern", "--include"), ("list --limit", "--first"), ("live --input-file", "--file FILE"),
        ("extract --sampel-rate", "--set audio.sample_rate=VALUE"), ("extract --verbos", "--progress plain"),
        ("decode --sr", "--sample-rate"), ("decode -r", "--sample-rate"), ("list --format", "--csv"),
        ("extract --update", "--sync"), ("render --vmin", "--range"), ("extract --silent", "--quiet"),
        ("clips --hop", "--step"), ("clips --stride", "--step"),
    ])
    func `options of other programs lead to what they are called here`(typed: String, meant: String) {
        let unknown = UnknownOption(in: typed.split(separator: " ").map(String.init))
        #expect(Self.words(unknown) == [meant], "\(String(describing: unknown?.message))")
    }

    @Test(arguments: [
        ("extract --input", "Give it without an option: veery extract <manifest>"),
        ("render -i", "Give it without an option: veery render <inputs>"),
        ("filter --input", "Give it without an option: veery filter <input>"),
        ("filter -o", "Give it without an option: veery filter <input> <output>"),
        ("crawl --recursive", "Leave it out: folders are searched with all folders in them"),
        ("extract --resume", "Leave it out: an interrupted run is resumed anyway"),
        ("clips --overlap", "--step is the length of a window minus the overlap"),
        ("check -q", "Leave it out: '> /dev/null' after the command drops the report, with the same status"),
        ("inspect --quiet", "Leave it out: '> /dev/null' after the command drops the report, with the same status"),
        ("list -q", "Leave it out: the list is all that is printed"),
        ("list -o", "Leave it out: '> FILE' after the command writes the list into a file"),
    ])
    func `what needs no option is said in a sentence`(typed: String, sentence: String) {
        let unknown = UnknownOption(in: typed.split(separator: " ").map(String.init))
        #expect(unknown?.message.hasSuffix("'. \(sentence).") == true, "\(String(describing: unknown?.message))")
    }

    /// Words that are near the letters of an option, and mean something else.
    @Test(arguments: [
        "extract --size", "render --mono", "extract --tone", "extract --strike", "live --spam", "extract --time",
        "export --snip", "split --fold-in", "inspect --plain", "crawl --input-x", "clips --stack",
        "render --sleep", "render --chip-seq", "conform --torrent", "extract --patch", "check --dear",
    ])
    func `no option is suggested by letters alone where they are few or far`(typed: String) {
        let words = Self.words(UnknownOption(in: typed.split(separator: " ").map(String.init)))
        #expect(
            words?.filter { $0.hasPrefix("--") && !$0.hasPrefix("--set ") && !isStart($0, typed) } == [],
            "\(words ?? [])")
    }

    private func isStart(_ option: String, _ typed: String) -> Bool {
        typed.split(separator: " ").last.map { option.hasPrefix($0) } == true
    }

    @Test(arguments: [
        ("ouput", "output"), ("outptu", "output"), ("outpu", "output"), ("outputt", "output"),
        ("overwirte", "overwrite"),
        ("max-falures", "max-failures"), ("prset", "preset"), ("bandpas", nil), ("size", nil), ("tiem", nil),
        ("jbos", "jobs"), ("jobb", nil),
        ("stride", nil), ("ab", nil),
    ])
    func `a slip of the fingers is one letter, or two in a long word`(typed: String, meant: String?) {
        let names = [
            "output", "overwrite", "max-failures", "preset", "side-by", "strict-ly", "band-pass", "mtime", "jobs",
        ]
        #expect(closeName(to: typed, in: names) == meant)
    }

    @Test func `whatever the table names exists in a command, and no name is an option's own there`() throws {
        let commands = try VeeryCommand.configuration.subcommands.map { try #require(KnownOptions(of: $0)) }
        let keys = ["audio.sample_rate", "audio.channels=mix"]
        for (names, meanings) in OtherNames.options {
            #expect(Set(names).count == names.count && !meanings.isEmpty)
            for meaning in meanings {
                switch meaning {
                case .option(let words):
                    let name = String(words.prefix { $0 != " " })
                    #expect(name == "help" || commands.contains { $0.shown.contains(name) }, "\(words)")
                case .key(let path): #expect(keys.contains(path))
                case .argument(let name):
                    #expect(name.isEmpty || commands.contains { $0.arguments.contains(name) }, "\(name)")
                case .command(let words, let option, let argument):
                    let word = words.split(separator: " ").first.map(String.init) ?? ""
                    #expect(word == "--licences" || KnownOptions.command(of: [word]) != nil)
                    #expect(option.map { name in commands.contains { $0.shown.contains(name) } } ?? true)
                    #expect(argument.map { name in commands.contains { $0.arguments.contains(name) } } ?? true)
                case .needless(_, let option), .related(_, let option):
                    #expect(commands.contains { $0.shown.contains(option) })
                }
            }
        }
        for (ours, names) in OtherNames.commands {
            #expect(ours.hasPrefix("--") || KnownOptions.command(of: [ours]) != nil, "\(ours)")
            for name in names { #expect(KnownOptions.command(of: [name]) == nil, "\(name)") }
        }
    }
}

struct DividedAssignmentTests {
    @Test func `a key and its value as two words are joined`() {
        let found = DividedAssignment(in: ["extract", "m.csv", "-o", "f.h5", "--set", "frame.length", "25 ms"])
        #expect(
            found?.message
                == "--set frame.length 25 ms: write key and value as one word: --set 'frame.length=25 ms'")
        #expect(DividedAssignment(in: ["extract", "m.csv", "--set", "transform.low", "-5"]) != nil)
        for arguments in [
            ["extract", "--set", "frame.hop=160", "x"], ["extract", "--set", "frame.hop", "--quiet"],
            ["extract", "--", "--set", "frame.hop", "160"], ["extract", "--set", "frame.hop"],
            ["xyzzy", "--set", "a.b", "c"], ["extract", "m.csv", "--set", "frame.hop", "-o", "x.h5"],
        ] {
            #expect(DividedAssignment(in: arguments) == nil)
        }
    }
}
