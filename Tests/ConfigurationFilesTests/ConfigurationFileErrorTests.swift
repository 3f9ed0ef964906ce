import ConfigurationFiles
import FeatureModel
import Foundation
import TestSupport
import Testing

struct ConfigurationFileErrorTests {
    /// The message with which a text, with assignments on top, is refused; nil: it is accepted.
    private func message(_ text: String, _ assignments: [String] = []) -> String? {
        do {
            var source = try ConfigurationSource(text: text, path: "my.yaml")
            for assignment in assignments { try source.set(assignment) }
            _ = try source.configuration()
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func message(file path: String) -> String? {
        do {
            _ = try ConfigurationSource(file: path).configuration()
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [
        ("frame: {hop: 160", "expected YAML or JSON"), ("a: b: c", "expected YAML or JSON"),
        ("\tframe: 1", "expected YAML or JSON"), ("frame: *x", "expected YAML or JSON"),
        ("frame: {hop: 1, hop: 2}", "expected YAML or JSON"), ("a\u{0}b", "expected YAML or JSON"),
        ("frame: {}\n---\nframe: {}\n", "expected YAML or JSON"),
        ("- 1\n- 2\n", "a mapping with the keys version, extends"),
        ("[]", "a mapping with the keys version, extends"),
        ("hello", "a mapping with the keys version, extends"), ("42", "a mapping with the keys version, extends"),
        ("frame: [1, 2]", "configuration frame: expected a mapping"),
        ("frame: 5", "configuration frame: expected a mapping"),
        ("frame: {1: 2}", "unknown configuration key 'frame.1'"), ("frames: {}", "did you mean 'frame'?"),
        ("frame: {hop: [1]}", "configuration frame.hop: expected"),
        ("scale: {floor: .nan}", "configuration scale.floor: expected"),
        ("scale: {reference: .inf}", "configuration scale.reference: expected"),
        ("transform: {low: -.inf}", "configuration transform.low: expected"),
        ("frame: {hop: 1e999}", "configuration frame.hop: expected"),
        ("audio: {sample_rate: 22050.5}", "configuration audio.sample_rate: expected null or a whole number"),
        ("version: 1.5", "configuration version: expected 1"),
    ])
    func `a text that is not a configuration is refused with the file and the reason`(text: String, part: String) throws
    {
        let message = try #require(self.message(text), "\(text) was accepted")
        #expect(message.hasPrefix("my.yaml: "), "\(message)")
        #expect(message.contains(part), "\(message)")
        #expect(!message.contains("DecodingError") && !message.contains("Context("), "\(message)")
    }

    @Test(arguments: ["[1]", "hello", "frame: 5"])
    func `a list or a scalar at the top is refused with assignments on top, too`(text: String) throws {
        let message = try #require(self.message(text, ["frame.hop=80"]), "\(text) was dropped in silence")
        #expect(message.hasPrefix("my.yaml: "), "\(message)")
    }

    @Test(arguments: [100, 20_000, 200_000])
    func `deep nesting is refused, not followed`(depth: Int) {
        for (open, close) in [("[", "]"), ("{a: ", "}"), ("- ", "")] {
            let text = String(repeating: open, count: depth) + String(repeating: close, count: depth)
            #expect(message(text) != nil, "\(open)")
        }
    }

    @Test func `aliases of aliases do not fill the memory`() {
        let lines = (1...60).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]" }
        #expect(message("a0: &a0 [x, x]\n" + lines.joined(separator: "\n")) != nil)
    }

    @Test func `a file that cannot be read is named with the reason`() throws {
        let folder = try TemporaryFolder()
        let latin = folder.path("latin.yaml")
        try Data([0x61, 0x3A, 0x20, 0xE4, 0x0A]).write(to: URL(filePath: latin))
        let missing = folder.path("none.yaml")
        #expect(message(file: missing) == "\(missing): cannot read the configuration: no such file")
        #expect(message(file: latin) == "\(latin): cannot read the configuration: expected text in UTF-8")
        let path = folder.url.path
        #expect(message(file: path)?.hasPrefix("\(path): cannot read the configuration: ") == true)
        #expect(message(file: try folder.write("", to: "empty.yaml")) == nil)
    }

    @Test(arguments: [
        "frame.hop", "", "=", "=5", ".hop=5", "frame.=5", "a.b.c.d=1", "frame..hop=1", "frame:hop=1", " .hop=1",
    ])
    func `an assignment of another form is refused with an example`(text: String) throws {
        let message = try #require(self.message("{}", [text]))
        #expect(message.hasPrefix("--set: expected section.key=value") && message.hasSuffix("found '\(text)'"))
    }

    @Test func `an assignment to something that is not there is refused`() throws {
        #expect(try #require(message("{}", ["frame.hopp=1"])).contains("did you mean 'frame.hop'?"))
        #expect(try #require(message("{}", ["hop=160"])).contains("unknown configuration key 'hop'"))
        #expect(try #require(message("frame: {hop: 80}", ["frame.hop.x=160"])).contains("frame.hop"))
        #expect(try #require(message("{}", ["frame.hop=[1"])).hasPrefix("--set frame.hop=[1: expected YAML"))
        #expect(try #require(message("{}", ["frame=5"])).contains("configuration frame: expected a mapping"))
    }

    @Test(arguments: [
        (
            ["frame.window=kaiser"],
            "configuration frame.window: expected {kind: kaiser, beta: 14} with beta from 0 to 500, "
                + "found 'kaiser' without its parameter"
        ),
        (
            ["frame.window.kind=kaiser"],
            "configuration frame.window.beta: expected {kind: kaiser, beta: 14} with beta from 0 to 500, found nothing"
        ),
        (
            ["frame.window.beta=8"],
            "configuration frame.window.beta: expected only kind for this kind, found it with kind: hann"
        ),
        (
            ["frame.window={kind: kaiser, beta: 501}"],
            "configuration frame.window.beta: expected a number from 0 to 500, found 501.0"
        ),
        (
            ["frame.window=kaiser", "frame.window.beta=501"],
            "configuration frame.window.beta: expected a number from 0 to 500, found 501.0"
        ),
        (
            ["frame.window.kind=[1]"],
            "configuration frame.window.kind: expected one of rectangular, hann, hamming, blackman, blackman_harris, "
                + "nuttall, bartlett, flat_top, povey, kaiser, gaussian, tukey, found something else"
        ),
    ])
    func `a window is refused with what to write instead`(assignments: [String], expected: String) throws {
        var source = ConfigurationSource(preset: .logMel)
        for assignment in assignments { try source.set(assignment) }
        #expect {
            try source.configuration()
        } throws: { error in
            "\(error)" == expected
        }
    }

    @Test func `a filter that is not complete is refused with the key that is missing`() throws {
        let key = "configuration condition.dct_filter."
        #expect(
            try #require(message("{}", ["condition.dct_filter.mode=band_pass"])).contains(key + "low: expected a fre"))
        #expect(
            try #require(message("{}", ["condition.dct_filter.low=300"])).contains(key + "mode: expected one of band"))
        #expect(try #require(message("{}", ["frame.window.beta.x=1"])).hasPrefix("--set: expected section.key=value"))
    }

    @Test func `a preset's error names no file`() throws {
        var source = ConfigurationSource(preset: .logMel)
        try source.set("frame.hop=0")
        #expect {
            try source.configuration()
        } throws: { error in
            "\(error)".hasPrefix("configuration frame.hop: expected")
        }
    }
}
