import Foundation
import Testing

@testable import FeatureModel

struct ConfigurationKeysTests {
    private static let variants = ConfigurationKeys.sections.flatMap(\.variants)

    private func keys(_ section: SchemaSection) throws -> [KeyDescription] {
        try #require(Self.variants.first { $0.definition == section.definition }).keys
    }

    @Test func `every section of every kind is looked at here`() {
        // A window or a gain without a parameter has no key but its kind, nor have samples themselves.
        let known = SchemaSection.all.map(\.definition) + ["plain_window", "plain_gain", "raw"]
        #expect(Set(Self.variants.map(\.definition)) == Set(known))
    }

    /// A section with a key of its first version, and one that was added after a release.
    private struct Grown: ConfigurationSection {
        var (old, new) = (1, 2)

        static let table = SectionTable(
            "grown", "A section.", standard: Self(),
            [
                ConfigurationKey("old", { $1(&$0.old) }, .whole(0...9), "A key."),
                ConfigurationKey("new", { $1(&$0.new) }, .whole(0...9), isAlwaysWritten: false, "A key."),
            ])
    }

    @Test func `a key that was added after a release is written only where it differs from its default`() throws {
        func written(_ section: Grown) -> ConfigurationValue { Grown.table.write(section) }
        #expect(written(Grown()) == .mapping([.init(key: "old", value: .whole(1))]))
        let changed = Grown(old: 1, new: 3)
        #expect(
            written(changed) == .mapping([.init(key: "old", value: .whole(1)), .init(key: "new", value: .whole(3))]))
        for section in [Grown(), changed] { #expect(try Grown.table.read(written(section)) == section) }
    }

    @Test func `the paths of the sections at the top are those of the descriptions`() {
        #expect(ConfigurationKeys.topPaths == ConfigurationKeys.sections.filter(\.isTop).map(\.path))
    }

    @Test func `every key says what it is for, once and in a sentence`() {
        for key in Self.variants.flatMap(\.keys) {
            #expect(key.sentence.hasSuffix(".") && key.sentence.count > 15, "\(key.name): \(key.sentence)")
            #expect(!key.allowed.isEmpty && !key.sentence.contains("Default"), "\(key.name)")
        }
    }

    /// Values of a form, as JSON.
    private func candidates(_ form: ValueForm) -> [String] {
        switch form {
        case .flag: ["true", "false"]
        case .text: [#""other""#]
        case .names(let names): names.map { "\"\($0)\"" }
        case .whole(let range): [range.lowerBound, range.lowerBound + 1, min(range.upperBound, 20)].map { "\($0)" }
        case .number(let range, _): [0, 0.5, 1, 50, 440.5, 3000].filter(range.contains).map { "\($0)" }
        case .quantity(let quantity):
            switch quantity {
            case .frequency: [#""3.5 kHz""#]
            case .time, .span: [#""30 ms""#]
            case .edge: [#""20 bins""#]
            case .note: [#""F#3""#]
            }
        case .section(let path):
            path == "frame.window"
                ? [#""hamming""#]
                : path == "condition.gain"
                    ? [#""rms""#, #"{"kind":"peak","level":0.25}"#]
                    : [#"{"mode":"band_pass","low":0,"high":4000,"pages":"separate"}"#]
        case .list: ["[0.5]", "[2, 3]"]
        case .either(let forms): forms.flatMap(candidates)
        }
    }

    private func json(_ section: SchemaSection, _ key: String, _ value: String) -> String {
        section.json("\"\(key)\":\(value)", probing: key)
    }

    @Test(arguments: SchemaSection.all)
    func `every key is read and written again with values that are not its default`(section: SchemaSection) throws {
        // A scale that is not a logarithm has no top_db.
        for key in try keys(section) where key.name != "kind" && (section.definition, key.name) != ("pcen", "top_db") {
            var count = 0
            for candidate in candidates(key.form) {
                guard let found = try? configuration(json(section, key.name, candidate)) else { continue }
                let value = section.path.reduce(found.value) { $0[$1] ?? .null }[key.name]
                #expect(value != nil || !key.isAlwaysWritten, "\(section.definition).\(key.name): not written")
                if value == nil || value == key.standard { continue }
                count += 1
                let again = try JSONDecoder().decode(FeatureConfiguration.self, from: JSONEncoder().encode(found))
                #expect(again == found, "\(section.definition).\(key.name): \(candidate)")
            }
            #expect(count > 0, "\(section.definition).\(key.name): no value but the default is accepted")
        }
    }

    @Test(arguments: SchemaSection.all)
    func `every key refuses other values, and says what was expected and found`(section: SchemaSection) throws {
        for key in try keys(section) {
            let path = (section.path + [key.name]).joined(separator: ".")
            for (value, found) in [("[1]", "something else"), (#"{"?":[]}"#, "something else")] {
                if case .section = key.form, value != "[1]" { continue }
                // A list of one number is refused for its length.
                if key.takesList, value == "[1]" { continue }
                let json = json(section, key.name, value)
                guard case .invalidValue(let name, found, let expected)? = refusal(json) else {
                    Issue.record("\(json): \(refusal(json).map { "\($0)" } ?? "accepted")")
                    continue
                }
                #expect(name == path && !expected.isEmpty, "\(json)")
            }
        }
    }

    @Test(arguments: SchemaSection.all)
    func `a number out of range is refused with the range that is documented`(section: SchemaSection) throws {
        // Fewer coefficients than none are refused with what their bands allow.
        for key in try keys(section) where !(key.name == "bins" && section.definition.hasSuffix("fcc")) {
            guard let value = beyond(key.form) else { continue }
            let error = try #require(
                refusal(json(section, key.name, value)), "\(section.definition).\(key.name): \(value)")
            guard case .invalidValue(_, _, let expected) = error else {
                Issue.record("\(error)")
                continue
            }
            #expect(key.allowed.hasPrefix(expected) || expected == key.allowed, "\(key.name): \(expected)")
        }
    }

    /// A number below all of a form, as JSON; nil: there is none.
    private func beyond(_ form: ValueForm) -> String? {
        switch form {
        case .whole(let range): "\(range.lowerBound - 1)"
        case .number(let range, _): "\(range.lowerBound - abs(range.lowerBound / 2) - 1)"
        case .either(let forms):
            forms.contains { if case .quantity(.edge) = $0 { true } else { false } }
                ? nil : forms.lazy.compactMap(beyond).first
        default: nil
        }
    }
}

extension KeyDescription {
    /// Whether a list of numbers is among its values.
    fileprivate var takesList: Bool {
        guard case .either(let forms) = form else { return false }
        return forms.contains { if case .list = $0 { true } else { false } }
    }
}
