import FeatureModel
import Foundation
import TestSupport
import Testing

struct ConfigurationSchemaTests {
    typealias Object = [String: Any]

    private let schema: ConfigurationSchema

    init() throws { schema = try ConfigurationSchema() }

    /// The keys that a section is said to have by the error for an unknown one.
    private func keysRead(_ json: String) throws -> Set<String> {
        let error = try #require(refusal(json), "\(json)")
        guard case .unknownKey(_, _, let known) = error else {
            Issue.record("\(json): \(error)")
            return []
        }
        return Set(known)
    }

    private func written(_ configuration: FeatureConfiguration) throws -> Object {
        let json = try JSONEncoder().encode(configuration)
        return try #require(try JSONSerialization.jsonObject(with: json) as? Object)
    }

    /// What is written of the section at a path, keys of the path first.
    private func written(_ json: String, _ path: [String]) throws -> Object {
        let whole = try written(try configuration(json))
        return try #require(path.reduce(whole) { ($0[$1] as? Object) ?? [:] })
    }

    @Test func `the sections equal those of the code`() throws {
        let written = try written(Preset.logMel.configuration())
        // What a file extends is not written.
        #expect(Set(schema.sections.keys) == Set(written.keys).union(["extends"]))
        #expect(try Set(schema.sections.keys) == keysRead(#"{"?":0}"#))
    }

    @Test(arguments: SchemaSection.all)
    func `every section, of every kind, has the keys that the code reads and writes`(section: SchemaSection) throws {
        let keys = try Set(schema.properties(section.definition).keys)
        #expect(try keys == keysRead(section.json(#""?":0"#)))
        // A key that was added after a release is not written where it has its default.
        let later = ConfigurationKeys.sections.flatMap(\.variants).first { $0.definition == section.definition }?.keys
            .filter { !$0.isAlwaysWritten }.map(\.name)
        #expect(try keys.subtracting(later ?? []) == Set(written(section.json(""), section.path).keys))
    }

    @Test(arguments: SchemaSection.all)
    func `the defaults are those of the code, and only a key that has one may be left out`(section: SchemaSection)
        throws
    {
        // At the files' own rate, times are written as they are read.
        let rate = section.path == ["audio"] ? "" : #""audio":{"sample_rate":null},"#
        let values = try written("{\(rate)\(section.json("").dropFirst())", section.path)
        let definition = try #require(schema.definitions[section.definition] as? Object)
        let required = definition["required"] as? [String] ?? []
        for key in try schema.properties(section.definition).keys {
            let stated = try schema.property(key, of: section.definition)["default"]
            #expect((stated == nil) == required.contains(key), "\(section.definition).\(key)")
            guard let stated, let value = values[key] as? NSObject else { continue }
            #expect(stated as? NSObject == value, "\(section.definition).\(key): \(stated), not \(value)")
        }
    }

    @Test(arguments: SchemaSection.all)
    func `the limits of every range are accepted, and numbers just outside are refused`(section: SchemaSection) throws {
        for key in try schema.properties(section.definition).keys.sorted() {
            let name = "\(section.definition).\(key)"
            // Only null is allowed with a scale that is not a logarithm.
            guard let range = try schema.range(key, of: section.definition), name != "pcen.top_db" else { continue }
            // An upper edge at 0 Hz has no lower edge below it.
            for (value, isAllowed) in range.probes where name != "dct_filter.high" || value != "0.0" {
                let json = section.json("\"\(key)\":\(value)", probing: key)
                let error = refusal(json)
                #expect((error == nil) == isAllowed, "\(name): \(json): \(error.map { "\($0)" } ?? "accepted")")
            }
        }
    }

    @Test func `ranges are found in the schema`() throws {
        var count = 0
        for name in Set(SchemaSection.all.map(\.definition)) {
            for key in try schema.properties(name).keys where try schema.range(key, of: name) != nil { count += 1 }
        }
        // 76 when this was written: with none, the test of ranges would look at nothing.
        #expect(count > 60)
    }

    @Test func `the kinds equal those of the code, each in one definition`() throws {
        func kinds(_ definitions: [String]) throws -> [String] {
            try definitions.flatMap { try schema.names("kind", of: $0) }
        }
        #expect(
            try kinds(["fft", "dct", "mel", "mfcc", "lfcc", "musical", "raw"])
                == TransformConfiguration.Kind.allCases.map(\.rawValue))
        #expect(try kinds(["plain_scale", "pcen"]) == ScaleConfiguration.Kind.allCases.map(\.rawValue))
        #expect(
            try kinds(["plain_window", "kaiser", "gaussian", "tukey"]) == WindowFunction.Kind.allCases.map(\.rawValue))
    }

    @Test func `the version is that of the code`() throws {
        let version = schema.sections["version"] as? Object
        #expect((version?["enum"] as? [Any])?.first as? Int == FeatureConfiguration.formatVersion)
    }

    private func check(_ texts: [String], _ pattern: String?, _ isRead: (String) -> Bool) throws {
        let pattern = try #require(pattern)
        for text in texts {
            #expect((text.range(of: pattern, options: .regularExpression) != nil) == isRead(text), "'\(text)'")
        }
    }

    @Test func `the pattern of a time accepts what the code accepts`() throws {
        let texts = [
            "400", "+400", "25 ms", "25ms", " 0.5 s", "1e-3 s", ".5 ms", "", "0", "00 ms", "-1 ms", "25 min", "25 m s",
            "2 5 ms", "0x10 ms", "nan ms", "ms", "1.2.3 s", "25 ms ", "5e s", "0e5 s", "400.0", "1e3",
        ]
        try check(texts, schema.pattern("length", of: "frame")) { SampleSpan(text: $0) != nil }
    }

    @Test func `the pattern of an edge accepts what the code accepts`() throws {
        let texts = [
            "300", "300 Hz", "300hz", "3.4 kHz", "0.3KHZ", "20 bins", "1 bin", "0bins", " 5 Hz ", "1e3", "1e1 kHz",
            "+5",
            ".5 kHz", "5. Hz", "", "Hz", "bins", "-1", "-1 Hz", "1.5 bins", "-2 bins", "1e2 bins", "inf", "nan Hz",
            "3.4k", "3 K", "k", "3 kk", "0x10", "3,4 kHz", "300 400", "300 Hz Hz", "3 MHz", "twenty bins", "5e Hz",
        ]
        try check(texts, schema.pattern("low", of: "dct_filter")) { FrequencyEdge(text: $0) != nil }
    }

    @Test func `the patterns of a frequency and of a time accept what the code accepts`() throws {
        let frequencies = [
            "300", "300 Hz", "7.6 kHz", "16k", "16 K", "16KHZ", "44.1k", " 5 Hz ", "1e3", "+5", ".5 kHz", "", "k", "Hz",
            "-1",
            "20 bins", "1 bin", "16 kk", "16 kHzz", "inf", "0x10", "3,4 kHz", "16 000",
        ]
        try check(frequencies, schema.pattern("low", of: "mel")) { text in
            refusal(#"{"transform":{"low":"\#(text)"},"audio":{"sample_rate":null}}"#) == nil
        }
        let times = [
            "3 s", "3s", "500 ms", " 0.5 s", "1e-3 s", "3", "", "s", "0 s", "-1 s", "3 min", "3 S", "three s", "3 s ",
            "inf s",
        ]
        try check(times, schema.pattern("duration", of: "audio")) { text in
            refusal(#"{"audio":{"duration":"\#(text)"}}"#) == nil
        }
    }

    @Test func `the pattern of a note accepts what the code accepts`() throws {
        let texts = [
            "C1", "a4", "F#3", "Bb-1", "bb3", "B10", "G9", "C01", "C-01", "C-0", "", "C", "4", "H4", "C##4", "C4 ",
            " C4",
            "C+4", "C-2", "C11", "C-10", "C 4", "C4.5", "C100", "440",
        ]
        try check(texts, schema.pattern("lowest", of: "musical")) { MusicalPitch(note: $0) != nil }
    }
}
