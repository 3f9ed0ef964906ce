import ConfigurationFiles
import FeatureModel
import Foundation
import TestSupport
import Testing

struct ConfigurationFileErrorTests {
    /// Why a text, with assignments on top, is refused; nil: it is accepted.
    private func refusal(_ text: String, _ assignments: [String] = []) -> ConfigurationFileError? {
        do {
            var source = try ConfigurationSource(text: text, path: "my.yaml")
            for assignment in assignments { try source.set(assignment) }
            _ = try source.configuration()
            return nil
        } catch {
            return error as? ConfigurationFileError
        }
    }

    private func refusal(file path: String) -> ConfigurationFileError? {
        do {
            _ = try ConfigurationSource(file: path).configuration()
            return nil
        } catch {
            return error as? ConfigurationFileError
        }
    }

    /// What is wrong with a text.
    enum Fault: Hashable, Sendable {
        case notYAML
        /// The value of a key.
        case value(String)
        /// A name, and the key that may be meant.
        case unknownKey(String, nearest: String?)
    }

    private static func fault(_ error: ConfigurationFileError?) -> Fault? {
        switch error {
        case .notYAML("my.yaml", _): .notYAML
        case .invalid("my.yaml", .invalidValue(let key, _, _), _): .value(key)
        case .invalid("my.yaml", .unknownKey(let key, let nearest, _), _): .unknownKey(key, nearest: nearest)
        default: nil
        }
    }

    @Test(
        arguments: [
            ("frame: {hop: 160", .notYAML), ("a: b: c", .notYAML), ("\tframe: 1", .notYAML), ("frame: *x", .notYAML),
            ("frame: {hop: 1, hop: 2}", .notYAML), ("a\u{0}b", .notYAML), ("frame: {}\n---\nframe: {}\n", .notYAML),
            ("frame: !!python/object:os.system {hop: 80}", .notYAML), ("frame: {hop: !bits 80}", .notYAML),
            ("!!set {frame: null}", .notYAML),
            ("- 1\n- 2\n", .value("(top level)")), ("[]", .value("(top level)")), ("hello", .value("(top level)")),
            ("42", .value("(top level)")), ("frame: [1, 2]", .value("frame")), ("frame: 5", .value("frame")),
            ("frame: {1: 2}", .unknownKey("frame.1", nearest: nil)),
            ("frames: {}", .unknownKey("frames", nearest: "frame")),
            ("frame: {hop: [1]}", .value("frame.hop")), ("scale: {floor: .nan}", .value("scale.floor")),
            ("scale: {reference: .inf}", .value("scale.reference")),
            ("transform: {low: -.inf}", .value("transform.low")),
            ("frame: {hop: 1e999}", .value("frame.hop")),
            ("audio: {sample_rate: 22050.5}", .value("audio.sample_rate")),
            ("version: 1.5", .value("version")),
        ] as [(String, Fault)])
    func `a text that is no configuration is refused with the file and the reason`(text: String, fault: Fault) throws {
        let error = try #require(refusal(text), "\(text) was accepted")
        #expect(Self.fault(error) == fault, "\(error)")
        #expect(!"\(error)".contains("DecodingError") && !"\(error)".contains("Context("), "\(error)")
    }

    @Test(arguments: ["[1]", "hello", "frame: 5"])
    func `a list or a scalar at the top is refused with assignments on top, too`(text: String) throws {
        let error = try #require(refusal(text, ["frame.hop=80"]), "\(text) was dropped in silence")
        guard case .invalid("my.yaml", .invalidValue, _) = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test(arguments: [100, 20_000, 200_000])
    func `deep nesting is refused, not followed`(depth: Int) {
        for (open, close) in [("[", "]"), ("{a: ", "}"), ("- ", "")] {
            let text = String(repeating: open, count: depth) + String(repeating: close, count: depth)
            #expect(refusal(text) != nil, "\(open)")
        }
    }

    @Test func `aliases of aliases do not fill the memory`() {
        let lines = (1...60).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]" }
        #expect(refusal("a0: &a0 [x, x]\n" + lines.joined(separator: "\n")) != nil)
    }

    @Test func `a file that cannot be read is named with the reason`() throws {
        let folder = try TemporaryFolder()
        let latin = folder.path("latin.yaml")
        try Data([0x61, 0x3A, 0x20, 0xE4, 0x0A]).write(to: URL(filePath: latin))
        let missing = folder.path("none.yaml")
        #expect(refusal(file: missing) == .system(path: missing, code: ENOENT))
        #expect(refusal(file: latin) == .unreadable(path: latin, reason: "expected text in UTF-8"))
        #expect(refusal(file: try folder.write("", to: "empty.yaml")) == nil)
    }

    @Test(arguments: [
        "frame.hop", "", "=", "=5", ".hop=5", "frame.=5", "a.b.c.d=1", "frame..hop=1", "frame:hop=1", " .hop=1",
    ])
    func `an assignment of another form is refused with an example`(text: String) throws {
        #expect(refusal("{}", [text]) == .notAnAssignment(text))
    }

    @Test func `an assignment to something that is not there is refused`() throws {
        #expect(Self.fault(refusal("{}", ["frame.hopp=1"])) == .unknownKey("frame.hopp", nearest: "frame.hop"))
        guard case .invalid("my.yaml", .foreignKey("hop", _, _), _)? = refusal("{}", ["hop=160"]) else {
            Issue.record("another error")
            return
        }
        #expect(Self.fault(refusal("frame: {hop: 80}", ["frame.hop.x=160"])) == .value("frame.hop"))
        guard case .badAssignment("frame.hop=[1", _)? = refusal("{}", ["frame.hop=[1"]) else {
            Issue.record("another error")
            return
        }
        #expect(Self.fault(refusal("{}", ["frame=5"])) == .value("frame"))
    }

    @Test(arguments: [
        (["frame.window=kaiser"], "frame: {window: kaiser}"),
        (["frame.window.kind=kaiser"], "frame: {window: {kind: kaiser}}"),
        (["frame.window.beta=8"], "frame: {window: {kind: hann, beta: 8}}"),
        (["frame.window={kind: kaiser, beta: 501}"], "frame: {window: {kind: kaiser, beta: 501}}"),
        (["frame.window=kaiser", "frame.window.beta=501"], "frame: {window: {kind: kaiser, beta: 501}}"),
        (["frame.window.kind=[1]"], "frame: {window: {kind: [1]}}"),
    ])
    func `a window is refused as it would be in a file`(assignments: [String], text: String) throws {
        var source = ConfigurationSource(preset: .logMel)
        for assignment in assignments { try source.set(assignment) }
        let error = #expect(throws: ConfigurationError.self) { try source.configuration() }
        #expect(try refusal(text) == .invalid(path: "my.yaml", #require(error), nil))
    }

    @Test func `a filter that is not complete is refused with the key that is missing`() throws {
        let key = "condition.dct_filter."
        #expect(Self.fault(refusal("{}", ["\(key)mode=band_pass"])) == .value(key + "low"))
        #expect(Self.fault(refusal("{}", ["\(key)low=300"])) == .value(key + "mode"))
        #expect(refusal("{}", ["frame.window.beta.x=1"]) == .notAnAssignment("frame.window.beta.x=1"))
    }

    @Test func `a preset's error names no file`() throws {
        var source = ConfigurationSource(preset: .logMel)
        try source.set("frame.hop=0")
        guard
            case .invalidValue("frame.hop", _, _)? = #expect(
                throws: ConfigurationError.self, performing: { try source.configuration() })
        else {
            Issue.record("another error")
            return
        }
    }
}
