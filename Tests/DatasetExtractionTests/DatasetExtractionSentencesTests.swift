import Testing

@testable import DatasetExtraction

/// The sentences that the module makes itself, each once: of notices, and of machines.
struct DatasetExtractionSentencesTests {
    private static let notices: [(ResumptionNotice, String)] = [
        (
            ResumptionNotice(done: 20, total: 60),
            "resuming an interrupted run: 20 of 60 clips are done, 40 are left"
        ),
        (
            ResumptionNotice(isOfShardsAlone: true, done: 20, total: 60, retried: 3),
            "taking up shards: 20 of 60 clips are done, 40 are left (3 could not be opened and are tried again)"
        ),
    ]

    @Test(arguments: notices) func `the first line of a notice`(notice: ResumptionNotice, sentence: String) {
        #expect("\(notice)" == sentence)
    }

    private static let warnings: [(ResumptionNotice, String)] = [
        (
            ResumptionNotice(done: 1, total: 2, changed: ["a.wav", "b.wav"], changedCount: 2),
            "clips whose recordings have changed since they were read are read again: a.wav, b.wav"
        ),
        (
            ResumptionNotice(done: 1, total: 2, missing: 4),
            "4 of them are kept as they were read: their recordings are missing"
        ),
        (ResumptionNotice(done: 1, total: 2, lost: 5), "the rows of 5 clips are lost: they are read again"),
        (
            ResumptionNotice(done: 1, total: 2, damaged: ["clips-0.spool"]),
            "clips-0.spool is damaged: the clips after the damage are read again"
        ),
    ]

    @Test(arguments: warnings) func `a further line of a notice`(notice: ResumptionNotice, sentence: String) {
        let lines = notice.description.split(separator: "\n")
        #expect(lines.count == 2 && lines.last == "warning: \(sentence)")
    }

    @Test func `of many changed recordings the first are named, and the others counted`() {
        let notice = ResumptionNotice(done: 1, total: 9, changed: ["a.wav"], changedCount: 4)
        #expect(notice.description.hasSuffix("a.wav and 3 more"))
    }

    @Test func `clips whose recordings are missing are counted, and the first recording is named`() {
        var missing = ClipsOfRecordings()
        #expect(missing.warningOfMissing == nil)
        for path in ["3.wav", "4.wav"] { missing.add(path) }
        #expect(
            missing.warningOfMissing
                == "2 clips of the existing file, such as 3.wav, are kept unchecked: the recordings are missing")
    }

    @Test func `shards of the same differences are named together`() {
        let decoded = MachineDifference.other(.mpg123, there: "mpg123 for AVX", here: "mpg123 for SSE")
        let others = (1...8).map { number in
            OtherMachine(folder: "s\(number)", differences: number == 4 ? [.unknown] : [decoded])
        }
        #expect(
            OtherMachine.text(of: others)
                == "s1, s2, s3, s5, s6 and 2 more: MP3 was decoded by mpg123 for AVX there and by mpg123 for SSE here; "
                + "s4: what machine computed it is not known")
    }
}
