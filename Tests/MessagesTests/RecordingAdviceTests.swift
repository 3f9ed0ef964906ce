import FeatureModel
import Messages
import TestSupport
import Testing

struct RecordingAdviceTests {
    private let advice = RecordingAdvice(RecordingPolicy(), takesParts: true)

    /// What is said after the reason of a failure.
    private func added(_ failure: ClipFailure, _ advice: RecordingAdvice? = nil) throws -> String {
        let text = (advice ?? self.advice).reason(failure)
        // What ends as a sentence goes on.
        let isContinued = failure.reason.hasSuffix(".") && text != failure.reason
        let reason = isContinued ? failure.reason.dropLast() : failure.reason[...]
        try #require(text.hasPrefix(reason))
        return String(text.dropFirst(reason.count))
    }

    @Test func `every failure of a broken recording says what to do, the others are as they are`() throws {
        let broken: Set<ClipFailure.Kind> = [
            .isEmptyFile, .notDecodable, .gitLFSPointer, .invalidHeader, .headerRepeated, .lengthNotStated,
            .rateContradicted, .lengthContradicted, .cannotSeek, .endsBefore, .missingSamples, .ffmpegFailed, .damaged,
            .cutOff, .nonFiniteSample,
        ]
        #expect(broken == Set(ClipFailure.Kind.allCases.filter { RecordingMend($0) != nil }))
        for row in ClipFailureTable.rows {
            let isAdvised = broken.contains(row.failure.kind)
            #expect(try added(row.failure).hasPrefix("; ") == isAdvised, "\(row.reason)")
            // What has a sentence of its own about that.
            #expect(!isAdvised || !row.reason.contains("convert it into a WAV"), "\(row.reason)")
        }
    }

    @Test func `a stored failure is mended as the failure that it is the record of`() {
        for row in ClipFailureTable.rows {
            #expect(RecordingMend(FailureRecord(row.failure)) == RecordingMend(row.failure.kind), "\(row.reason)")
        }
        // The kind decides, whatever the sentence says.
        func mend(_ kind: String?) -> RecordingMend? {
            RecordingMend(FailureRecord(stage: .open, kind: kind, reason: "convert it into a WAV"))
        }
        #expect(mend("git_lfs_pointer") == .fetch && mend("not_decodable") == .copy && mend("unknown_format") == nil)
        #expect(mend("of_a_later_version") == nil && mend(nil) == nil)
    }

    @Test func `only options that a command has, and that were not given, are named`() throws {
        let cut = ClipFailure.cutOff(CutOff(promised: 2, present: 1))
        let again = "; copy or download the recording again"
        #expect(try added(cut) == again + ", or give --truncated keep, which reads what is there")
        #expect(try added(cut, RecordingAdvice(RecordingPolicy(truncated: .keep), takesParts: true)) == again)
        let damage = ClipFailure.damaged(frame: 9, .decoder("lost sync"))
        #expect(try added(damage) == again + ", or give --start and --end of a part without the damage")
        #expect(try added(damage, RecordingAdvice(RecordingPolicy(), takesParts: false)) == again)
        let plain = RecordingAdvice(nil, takesParts: false)
        #expect(try added(cut, plain) == again && added(damage, plain) == again)
        #expect(try added(.damaged(frame: 9, .decoder("lost sync.")), plain) == again)
        let infinite = ClipFailure.nonFiniteSample(.init(.infinity), frame: 9)
        #expect(try added(infinite).hasSuffix(", or give --non-finite zero, which sets such samples to 0"))
        let zeroed = RecordingAdvice(RecordingPolicy(nonFinite: .zero), takesParts: true)
        #expect(try added(infinite, zeroed) == "; write the recording again")
        #expect(try added(infinite, plain) == "; write the recording again" && added(.noSamples).isEmpty)
    }
}
