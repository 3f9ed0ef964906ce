import FeatureModel
import Testing

struct ModelInputTests {
    private func input(_ preset: Preset, _ values: [(String, ConfigurationValue)] = []) throws -> ModelInput? {
        var tree = try ConfigurationTree(preset)
        for (key, value) in values { try tree.set(key.split(separator: ".").map(String.init), value) }
        return ModelInput(tree, try? FeatureConfiguration(tree.root))
    }

    @Test(arguments: Preset.allCases)
    func `a preset as it is has no changes, and only those of models are inputs`(preset: Preset) throws {
        let input = try input(preset)
        #expect((input != nil) == (preset.group == .models))
        #expect(input?.changes.isEmpty != false && input?.warning == nil)
    }

    @Test func `a changed key is named with both values, and keys that follow it are not`() throws {
        let rate = try #require(try input(.ast, [("audio.sample_rate", .whole(8000))]))
        let change = try #require(rate.changes.first)
        #expect(rate.changes.count == 1 && change.key == "audio.sample_rate")
        #expect(change.expected == "16000" && change.found == "8000")
        let hop = try #require(try input(.whisper, [("frame.hop", .text("5 ms")), ("transform.bins", .whole(12))]))
        #expect(hop.changes.map(\.key) == ["frame.hop", "transform.bins"])
        #expect(hop.warning?.contains("frame.hop is 80 instead of 160, transform.bins is 12 instead of 80: ") == true)
        let rows = try #require(try input(.audioMAE, [("rows", .null)]))
        #expect(rows.changes.contains { $0.key == "rows.count" && $0.expected == "1024" && $0.found == "null" })
    }

    @Test func `a value of another kind is one change, without the keys that follow from its kind`() throws {
        for (key, value, found, expected) in [
            ("condition.gain", "peak", "peak", "none"), ("frame.window", "blackman", "blackman", "hann"),
            ("scale.kind", "power", "power", "log10"),
        ] {
            let input = try #require(try input(.whisper, [(key, .text(value)), ("scale.top_db", .null)]))
            let change = try #require(input.changes.first { $0.key != "scale.top_db" })
            #expect(change.key == key && change.found == found && change.expected == expected)
            #expect(input.changes.count == 2, "\(input.changes)")
        }
    }

    @Test func `of a configuration that is refused, keys that follow from a change are not named`() throws {
        let two = ConfigurationValue.numbers([1, 2])
        let values = [("normalize.scope", .text("constant")), ("normalize.mean", two), ("normalize.std", two)]
        let input = try #require(try input(.whisper, values))
        #expect(input.changes.contains { $0.key == "normalize.mean" } && input.changes.allSatisfy { $0.found != nil })
    }

    @Test func `the same value in other words, and what a model leaves open, are not changes`() throws {
        for (key, value): (String, ConfigurationValue) in [
            ("frame.hop", .text("10 ms")), ("frame.length", .text("400")), ("store.type", .text("float16")),
            ("audio.duration", .whole(30)), ("audio.channels", .text("first")), ("audio.resampler", .text("soxr-vhq")),
        ] {
            let input = try #require(try input(.whisper, [(key, value)]))
            #expect(input.changes.isEmpty, "\(key)")
        }
    }

    @Test func `settings that the preset's text names are those of other models`() throws {
        let cases: [(Preset, [(String, ConfigurationValue)])] = [
            (.whisper, [("transform.bins", .whole(128))]), (.parakeet, [("transform.bins", .text("128"))]),
            (.ast, [("rows", .null)]), (.encodec, [("audio.sample_rate", .whole(48_000))]),
            (.seamless, [("rows.fill", .whole(1))]), (.wav2vec2, [("condition.gain", .text("none"))]),
            (
                .ast,
                [
                    ("rows.count", .whole(512)), ("normalize.mean", .number(-6.6268077)),
                    ("normalize.std", .number(10.716932)),
                ]
            ),
        ]
        for (preset, values) in cases { #expect(try #require(try input(preset, values)).changes.isEmpty, "\(preset)") }
    }

    @Test(arguments: Preset.allCases)
    func `a configuration with a preset's values is the input of that model`(preset: Preset) throws {
        let found = ModelInput(of: try preset.configuration())?.preset
        // AudioMAE's input is that of AST.
        #expect(found == (preset.group == .models ? preset == .audioMAE ? .ast : preset : nil))
    }

    @Test func `where it is refused, the error says what to leave out`() throws {
        let input = try #require(try input(.whisper, [("audio.sample_rate", .whole(8000))]))
        let error = ConfigurationError.notBelow(key: "a", found: "2", upperKey: "b", upper: "1")
        #expect(
            input.refusal(error).hasSuffix(
                "audio.sample_rate is 8000 instead of 16000, which the model of whisper expects: leave that change out, since "
                    + "recordings of any rate are resampled"))
        #expect(try #require(try self.input(.whisper)).refusal(error) == "\(error)")
        let unknown = ConfigurationError.unknownKey(key: "frame.hopp", nearest: "frame.hop", known: [])
        #expect(input.refusal(unknown) == "\(unknown)")
    }
}
