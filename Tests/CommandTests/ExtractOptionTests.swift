import ArgumentParser
import Foundation
import Testing

@testable import veery

/// Every option of `veery extract` with every kind of run: it is refused by name where the table says so, and otherwise taken.
struct ExtractOptionTests {
    /// The kinds of run, by the options that choose them; `dry` and `sync --retry-failed` are combinations that the table allows.
    static let kinds: [[String]] = [
        [], ["--files", "2"], ["--shard", "1/2"], ["--file", "1/2"], ["--files", "2", "--file", "1/2"], ["--tar"],
        ["--append"], ["--sync"], ["--retry-failed"], ["--sync", "--retry-failed"], ["--dry-run"],
        ["--files", "2", "--dry-run"], ["--sync", "--dry-run"],
    ]

    /// A value of each option that takes one.
    static let values = [
        "format": "kaldi", "quoting": "csv", "column": "label=species", "label-separator": ";", "one-hot": "sp_*",
        "extension": "flac", "time-unit": "ms", "root": "folder", "corrections": "c.csv", "output": "f.h5",
        "preset": "whisper",
        "config": "c.yaml",
        "set": "frame.hop=160", "jobs": "2", "max-failures": "0", "shard": "1/2", "files": "2", "file": "1/2",
        "frame-labels": "marks.csv", "label-column": "x", "path-column": "x", "label": "x", "annotator": "x",
        "tier": "x",
        "channel": "mix", "truncated": "fail", "non-finite": "fail", "overshoot": "0.001", "scratch": "folder",
        "stats-from": "g.h5", "failures-out": "x.csv", "progress": "auto",
    ]

    /// What ArgumentParser knows, except what ends it.
    static let names: [String] = {
        let data = Data(ExtractCommand._dumpHelp().utf8)
        let tool = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any]
        let arguments = (tool?["command"] as? [String: Any])?["arguments"] as? [[String: Any]] ?? []
        let named = arguments.flatMap { argument -> [[String: String]] in argument["names"] as? [[String: String]] ?? []
        }
        let long = named.filter { $0["kind"] == "long" }.compactMap { $0["name"] }
        return long.filter { $0 != "help" && $0 != "version" }
    }()

    static func words(_ name: String) -> [String] { ["--\(name)"] + (values[name].map { [$0] } ?? []) }

    @Test func `every option has a row, and every row is an option`() {
        #expect(Self.names.count > 40)
        #expect(ExtractOption.all.map(\.name).sorted() == Self.names.sorted())
        #expect(Set(Self.values.keys).isSubset(of: Self.names))
    }

    @Test func `every option that another is refused with can be asked for`() {
        for partner in ExtractOption.Partner.allCases {
            #expect(ExtractOption.all.contains { $0.name == partner.rawValue && $0.isGiven != nil }, "\(partner)")
            #expect(
                ExtractOption.all.contains { $0.refusals[partner] != nil || $0.needs.contains(partner) }, "\(partner)")
        }
        for option in ExtractOption.all where !option.refusals.isEmpty || !option.needs.isEmpty {
            #expect(option.isGiven != nil, "\(option.name)")
        }
    }

    @Test(arguments: kinds)
    func `each option is refused exactly where the table says so`(kind: [String]) {
        var refused = 0
        // Options that this kind of run takes, in command lines of as many as go together: parsing takes long.
        var taken: [[ExtractOption]] = []
        // --no-ffmpeg would turn it off for all tests of this process.
        for option in ExtractOption.all where !kind.contains("--\(option.name)") && option.name != "no-ffmpeg" {
            let words = kind + Self.words(option.name)
            let isLacking = !option.needs.isEmpty && Set(option.needs).isDisjoint(with: Self.partners(words))
            if isLacking || Self.conflicts(words) {
                refused += 1
                #expect(Self.refusal(words)?.contains("--\(option.name)") == true, "\(words)")
            }
            let needed = isLacking ? option.needs.prefix(1).map(\.rawValue) : []
            let all = words + needed.flatMap(Self.words)
            guard !Self.conflicts(all) else { continue }
            let fitting = taken.firstIndex { others in
                !Self.conflicts(all + others.flatMap { Self.words($0.name) })
            }
            let options = ExtractOption.all.filter { ([option.name] + needed).contains($0.name) }
            if let fitting {
                taken[fitting] += options.filter { new in !taken[fitting].contains { $0.name == new.name } }
            } else {
                taken.append(options)
            }
        }
        #expect(refused > 5)
        for options in taken {
            let words = kind + options.flatMap { Self.words($0.name) }
            #expect(Self.refusal(words) == nil, "\(words)")
        }
    }

    /// Whether the table has a word of a command line that does not go with another one. Two configurations go together in no
    /// command.
    static func conflicts(_ words: [String]) -> Bool {
        if words.contains("--preset"), words.contains("--config") { return true }
        let partners = partners(words)
        return ExtractOption.all.contains {
            words.contains("--\($0.name)") && !partners.isDisjoint(with: $0.refusals.keys)
        }
    }

    static func partners(_ words: [String]) -> Set<ExtractOption.Partner> {
        Set(words.compactMap { ExtractOption.Partner(rawValue: String($0.dropFirst(2))) })
    }

    /// An error that holds what is said of a command line; nil: it is taken. The library would make the help for its message: slow.
    static func refusal(_ options: [String]) -> String? {
        let output = options.contains("-o") || options.contains("--output") ? [] : ["-o", "o.h5"]
        do {
            _ = try ExtractCommand.parse(["m.csv"] + output + options)
            return nil
        } catch { return "\(error)" }
    }

    @Test(arguments: [["--max-failures", "0", "--shard", "1/2"], ["--max-failures", "0", "--file", "1/2"]])
    func `a value that is the default counts as given`(options: [String]) {
        #expect(Self.refusal(options)?.contains("--max-failures is for all clips") == true)
    }

    @Test(arguments: [
        (["--new-statistics", "--sync", "--stats-from", "g.h5"], "--new-statistics computes statistics"),
        (["--fresh", "--verify-inputs"], "--fresh discards the clips that --verify-inputs would compare"),
        (["--append", "--overwrite"], "--append keeps the clips of the output, and --overwrite replaces it"),
        (["--append", "--retry-failed"], "--append keeps all clips and tries failed ones again"),
        (["--new-statistics"], "--new-statistics is for --sync or --retry-failed."),
        (["--label", "x"], "--label is for --frame-labels."),
        (["--channel", "mix"], "--channel is for --frame-labels."),
        (["--files", "3", "--file", "1/2"], "--file is one of 2 files, but --files says 3."),
    ])
    func `options that are for the same thing, or for opposite ones, are not taken together`(
        options: [String], words: String
    ) { #expect(Self.refusal(options)?.contains(words) == true) }

    @Test func `the list of failures may be replaced while clips are appended`() {
        #expect(Self.refusal(["--append", "--overwrite", "--failures-out", "x.csv"]) == nil)
    }
}
