import FeatureModel
import Testing

@testable import DatasetFormats
@testable import Manifests

struct LhotseTests {
    private static func recording(_ sources: String) throws -> LhotseRecording {
        let text = #"{"id": "r", "duration": 2, "sources": [\#(sources)]}"#
        return try LhotseRecording(JSONValue(line: Array(text.utf8)))
    }

    private static func found(_ sources: String, _ channel: String?) throws -> String {
        let value = try channel.map { try JSONValue(line: Array(#"{"c": \#($0)}"#.utf8))["c"] ?? .null }
        let (path, channel) = try recording(sources).source(of: value)
        return path + (channel.map { " \($0)" } ?? "")
    }

    private static let mono = #"{"type": "file", "channels": [0], "source": "m"}"#
    private static let stereo = #"{"type": "file", "channels": [0, 1], "source": "s"}"#
    private static let split =
        #"{"type": "file", "channels": [0], "source": "l"}, {"type": "file", "channels": [1], "source": "r"}"#
    private static let unnamed = #"{"type": "file", "source": "u"}"#
    private static let crossed = #"{"type": "file", "channels": [2, 5], "source": "x"}"#

    @Test(arguments: [
        (mono, "0", "m"), (mono, nil, "m"), (mono, "[0]", "m"), (stereo, nil, "s"), (stereo, "[0, 1]", "s"),
        (stereo, "1", "s 1"), (stereo, "[1]", "s 1"), (split, "1", "r"), (split, "[0]", "l"), (crossed, "5", "x 1"),
        (unnamed, "1", "u 1"), (unnamed, nil, "u"),
    ])
    func `a channel is one of a file`(sources: String, channel: String?, expected: String) throws {
        #expect(try Self.found(sources, channel) == expected)
    }

    @Test(arguments: [
        (mono, "1"), (stereo, "2"), (split, "[0, 1]"), (split, nil), (split, "7"),
        (#"{"type": "file", "channels": [0, 1, 2], "source": "t"}"#, "[0, 1]"), (stereo, "[0, 1, 5]"),
        (unnamed, "[0, 1]"), (stereo, "\"1\""), (stereo, "\"B\""), (stereo, "1.5"), (stereo, "true"), (stereo, "-1"),
        (stereo, "[]"), (stereo, "[\"0\"]"), (mono, "\"0\""), (stereo, "{}"),
    ])
    func `channels that are not one file's, or not one, are refused`(sources: String, channel: String?) {
        #expect(throws: LhotseRecording.Refusal.self) { try Self.found(sources, channel) }
    }

    @Test func `times of an alignment that are no finite numbers after they are moved remain as they are`() {
        func item(_ time: String) -> JSONValue { .array([.string("x"), .number(time), .number("1")]) }
        #expect(LhotseManifest.moved(item("5.25"), by: 5) == item("0.25"))
        for time in ["1e308", "-1e301"] { #expect(LhotseManifest.moved(item(time), by: 5) == item(time)) }
    }

    @Test(arguments: [
        #"{"type": "command", "channels": [0], "source": "x"}"#, #"{"type": "url", "channels": [0], "source": "x"}"#,
        #"{"type": "memory", "channels": [0], "source": "x"}"#, #"{"type": "file", "channels": [0]}"#, "",
        #"{"type": "file", "channels": ["0", 1], "source": "x"}"#, #"{"type": "file", "channels": "a", "source": "x"}"#,
    ])
    func `sources that are not files are refused`(sources: String) {
        #expect(throws: LhotseRecording.Refusal.self) { try Self.recording(sources) }
    }
}
