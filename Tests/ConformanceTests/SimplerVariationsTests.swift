import FeatureModel
import Testing

@testable import Conformance

struct SimplerVariationsTests {
    /// The keys of what is tried for changes of Whisper's configuration.
    private func simpler(_ variations: Variation..., duration: Double? = nil) throws -> [[String]] {
        let changes: [(String, ConfigurationValue)] = duration.map { [("audio.duration", .number($0))] } ?? []
        let configuration = try SampleRecording.configuration(.whisper, changes)
        return variations.simpler(than: configuration).map { list in
            list.flatMap { $0.effective(on: configuration) }.map(\.text)
        }
    }

    private let clamp = Variation("condition.gain=int16", note: "steps")
    private let zeros = Variation("frame.align=center frame.pad=zero frame.drop_last=false")
    private let rows = Variation("rows.count=100", note: "later rows are dropped")

    @Test func `a change is left out, or a key of one that is no single idea`() throws {
        #expect(try simpler(clamp).isEmpty)
        #expect(try simpler(zeros) == [["frame.drop_last=false"], ["frame.pad=zero"]])
        #expect(
            try simpler(zeros, clamp) == [
                ["condition.gain=int16"], ["frame.drop_last=false", "condition.gain=int16"],
                ["frame.pad=zero", "condition.gain=int16"], ["frame.pad=zero", "frame.drop_last=false"],
            ])
        let natural = Variation("scale.kind=ln scale.top_db=30", note: "natural logarithms")
        #expect(try simpler(natural).isEmpty)
        #expect(try simpler(Variation("normalize.scope=clip normalize.axis=all normalize.ddof=1")).isEmpty)
    }

    @Test func `a clip of its own length is tried for a number of rows, where a duration is expected`() throws {
        #expect(try simpler(rows).isEmpty)
        #expect(try simpler(rows, duration: 3) == [["audio.duration=null"]])
        #expect(
            try simpler(rows, Variation("audio.duration=2"), duration: 3) == [["audio.duration=2"], ["rows.count=100"]])
    }
}
