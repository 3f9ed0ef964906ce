import FeatureModel
import Foundation
import TestSupport
import Testing

@Suite("configuration.schema.json")
struct ConfigurationSchemaTests {
    typealias Object = [String: Any]

    private func schema() throws -> Object {
        let url = Fixtures.repository.appending(path: "Schemas/configuration.schema.json")
        return try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? Object)
    }

    /// A definition of the schema, and that it is closed.
    private func definition(_ name: String) throws -> Object {
        let definitions = try #require(try schema()["$defs"] as? Object)
        let found = try #require(definitions[name] as? Object, "\(name)")
        #expect(found["additionalProperties"] as? Bool == false, "\(name)")
        return try #require(found["properties"] as? Object)
    }

    private func names(_ key: String, of section: String) throws -> [String] {
        let property = try #require(try definition(section)[key] as? Object, "\(section).\(key)")
        let values = try #require(property["enum"] as? [Any], "\(section).\(key)")
        return values.compactMap { $0 as? String }
    }

    /// The keys that a section is said to have by the error for an unknown one.
    private func keysRead(_ section: String?) throws -> Set<String> {
        let json = section.map { "{\"\($0)\":{\"?\":0}}" } ?? #"{"?":0}"#
        guard case .unknownKey(_, _, let known) = try #require(refusal(json)) else { return [] }
        return Set(known)
    }

    private func keysWritten(_ configuration: FeatureConfiguration) throws -> Object {
        let json = try JSONEncoder().encode(configuration)
        return try #require(try JSONSerialization.jsonObject(with: json) as? Object)
    }

    @Test("the sections and their keys are those that the code reads and writes")
    func keys() throws {
        let schema = try schema()
        #expect(schema["additionalProperties"] as? Bool == false)
        let sections = try #require(schema["properties"] as? Object)
        let written = try keysWritten(Preset.logMel.configuration())
        #expect(Set(sections.keys) == Set(written.keys))
        #expect(try Set(sections.keys) == keysRead(nil))
        for (name, value) in written where name != "version" {
            let keys = Set(try definition(name == "transform" ? "mel" : name).keys)
            #expect(keys == Set(try #require(value as? Object).keys), "\(name)")
            #expect(try keys == keysRead(name), "\(name)")
        }
        for preset in [Preset.scrollingDCT, .mixerFFT] {
            let transform = try #require(try keysWritten(preset.configuration())["transform"] as? Object)
            #expect(try Set(transform.keys) == Set(definition("bare").keys))
        }
    }

    @Test("the names are those that the code knows")
    func choices() throws {
        func check<Choice: CaseIterable & RawRepresentable>(
            _ key: String, of section: String, _ type: Choice.Type
        ) throws where Choice.RawValue == String {
            #expect(try names(key, of: section) == Choice.allCases.map(\.rawValue), "\(section).\(key)")
        }
        try check("scale", of: "audio", SampleScale.self)
        try check("align", of: "frame", FrameAlignment.self)
        try check("pad", of: "frame", EdgePadding.self)
        try check("mel_scale", of: "mel", MelScale.self)
        try check("mel_norm", of: "mel", MelNormalization.self)
        try check("kind", of: "scale", ScaleConfiguration.Kind.self)
        try check("scope", of: "normalize", NormalizeConfiguration.Scope.self)
        try check("method", of: "normalize", NormalizeConfiguration.Method.self)
        try check("axis", of: "normalize", NormalizeConfiguration.Axis.self)
        try check("layout", of: "store", StoreConfiguration.Layout.self)
        try check("type", of: "store", StoreConfiguration.Element.self)
        try check("compression", of: "store", StoreConfiguration.Compression.self)
        let kinds = try names("kind", of: "bare") + names("kind", of: "mel")
        #expect(Set(kinds) == Set(TransformConfiguration.Kind.allCases.map(\.rawValue)))
    }

    @Test("the ranges are those that the code checks")
    func ranges() throws {
        func range(_ key: String, of section: String) throws -> [Double?] {
            let property = try #require(try definition(section)[key] as? Object)
            return [property["minimum"] as? Double, property["maximum"] as? Double]
        }
        let rates = AudioConfiguration.sampleRates
        #expect(try range("sample_rate", of: "audio") == [Double(rates.lowerBound), Double(rates.upperBound)])
        #expect(try range("fft_length", of: "frame") == [1, Double(FrameConfiguration.longest)])
        #expect(try range("bins", of: "mel") == [1, Double(MelConfiguration.mostBins)])
        let floats = [ScaleConfiguration.leastFloor, Double(Float.greatestFiniteMagnitude)]
        for key in ["floor", "reference"] {
            for (found, expected) in zip(try range(key, of: "scale"), floats) {
                #expect(abs((found ?? 0) / expected - 1) < 1e-15, "\(key)")
            }
        }
        let version = try #require(try schema()["properties"] as? Object)["version"] as? Object
        #expect((version?["enum"] as? [Any])?.first as? Int == FeatureConfiguration.formatVersion)
    }

    @Test("the pattern of a time accepts what the code accepts")
    func spans() throws {
        let length = try #require(try definition("frame")["length"] as? Object)
        let forms = try #require(length["anyOf"] as? [Object])
        let pattern = try #require(forms.compactMap { $0["pattern"] as? String }.first)
        let texts = [
            "400", "+400", "25 ms", "25ms", " 0.5 s", "1e-3 s", ".5 ms", "", "0", "00 ms", "-1 ms", "25 min", "25 m s",
            "2 5 ms", "0x10 ms", "nan ms", "ms", "1.2.3 s", "25 ms ", "5e s", "0e5 s", "400.0", "1e3",
        ]
        for text in texts {
            let matches = text.range(of: pattern, options: .regularExpression) != nil
            #expect(matches == (SampleSpan(text: text) != nil), "'\(text)'")
        }
    }
}
