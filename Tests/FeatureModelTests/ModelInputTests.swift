import FeatureModel
import Testing

@Suite("Inputs of models")
struct ModelInputTests {
    private func input(_ preset: Preset, _ values: [(String, ConfigurationValue)] = []) throws -> ModelInput? {
        var tree = try ConfigurationTree(preset)
        for (key, value) in values { try tree.set(key.split(separator: ".").map(String.init), value) }
        return ModelInput(tree, try? FeatureConfiguration(tree.root))
    }

    @Test("a preset as it is has no changes, and only those of models are inputs", arguments: Preset.allCases)
    func unchanged(preset: Preset) throws {
        let input = try input(preset)
        #expect((input != nil) == (preset.group == .models))
        #expect(input?.changes.isEmpty != false && input?.warning == nil)
    }

    @Test("what is changed is named with both values, and what follows it is not")
    func changed() throws {
        let rate = try #require(try input(.ast, [("audio.sample_rate", .whole(8000))]))
        #expect(rate.changes == [.init(key: "audio.sample_rate", expected: "16000", found: "8000")])
        let hop = try #require(try input(.whisper, [("frame.hop", .text("5 ms")), ("transform.bins", .whole(128))]))
        #expect(hop.changes.map(\.key) == ["frame.hop", "transform.bins"])
        #expect(hop.warning?.contains("frame.hop is 80 instead of 160, transform.bins is 128 instead of 80: ") == true)
        let rows = try #require(try input(.ast, [("rows", .null)]))
        #expect(rows.changes.contains { $0.key == "rows.count" && $0.expected == "1024" && $0.found == nil })
    }

    @Test("the same value in other words, and what a model leaves open, are no changes")
    func equal() throws {
        for (key, value): (String, ConfigurationValue) in [
            ("frame.hop", .text("10 ms")), ("frame.length", .text("400")), ("store.type", .text("float16")),
            ("audio.duration", .whole(30)), ("audio.channels", .text("first")), ("audio.resampler", .text("soxr-vhq")),
        ] {
            let input = try #require(try input(.whisper, [(key, value)]))
            #expect(input.changes.isEmpty, "\(key)")
        }
    }

    @Test("where it is refused, the error says what to leave out")
    func refused() throws {
        let input = try #require(try input(.whisper, [("audio.sample_rate", .whole(8000))]))
        let error = ConfigurationError.notBelow(key: "a", found: "2", upperKey: "b", upper: "1")
        #expect(
            input.refusal(error).hasSuffix(
                "audio.sample_rate is 8000 instead of 16000, which the model of whisper expects: leave that change out, since "
                    + "recordings of any rate are resampled"))
        #expect(try #require(try self.input(.whisper)).refusal(error) == "\(error)")
    }
}
