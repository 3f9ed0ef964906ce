import FeatureModel
import Messages
import Presentation
import Testing

struct RemarkWordsTests {
    private static let all = {
        var account = Account()
        for kind in Remark.Kind.allCases { account.add(kind, source: "s", "x") }
        return account
    }()
    private static let shown = Remark.Kind.allCases.filter(\.isShown)

    @Test func `there are ten lines at most, losses first, and one that counts the other kinds`() {
        let lines = RemarkWords.lines(Self.all)
        #expect(Self.shown.count > 20 && lines.count == RemarkWords.maximumLines + 1)
        #expect(lines.prefix(10).allSatisfy { $0.hasPrefix("left out: s: ") })
        #expect(lines.last == "remark: \(Self.shown.count - 10) more kinds of remarks: --json has all")
    }

    @Test func `up to ten kinds are all there`() {
        var account = Account()
        for kind in Self.shown.prefix(10) { account.add(kind, source: "s", "x") }
        #expect(RemarkWords.lines(account).count == 10)
        #expect(RemarkWords.losses(Self.all).count == Remark.Kind.allCases.count(where: \.isLoss))
    }

    @Test func `clips that lack values of several tables are counted for each: some lack both`() {
        var account = Account()
        for (table, count) in [("spk2gender", 1), ("text", 2)] {
            for clip in 0..<count { account.add(.valuesMissing, source: table, at: clip, "'\(clip)'") }
        }
        #expect(
            RemarkWords.lines(account) == [
                "remark: spk2gender: no value for 1 clip: '0'; text: no value for 2 clips: '0', '1'"
            ])
        for table in ["utt2dur", "utt2lang"] { account.add(.valuesMissing, source: table, "'0'") }
        #expect(
            RemarkWords.lines(account).first?.hasSuffix("; utt2dur: no value for 1 clip: '0'; and 1 more table") == true
        )
    }

    @Test func `files of annotations are for clips`() {
        var account = Account()
        account.add(.metadataUnread, source: "d", "'d/a.txt'")
        let one = "left out: d: 1 metadata file is not read: 'd/a.txt'"
        #expect(RemarkWords.lines(account) == [one + "; 'veery clips' reads it if it is an annotation file"])
        // It has looked at it.
        #expect(RemarkWords.lines(account, cutting: .ofClips) == [one])
        #expect(RemarkWords.losses(account, cutting: .ofClips) == [one])
        account.add(.metadataUnread, source: "d", "'d/b.parquet' (a Parquet file)")
        let two = "left out: d: 2 metadata files are not read: 'd/a.txt', 'd/b.parquet' (a Parquet file)"
        #expect(RemarkWords.lines(account) == [two + "; 'veery clips' reads those that are annotation files"])
        var table = Account()
        table.add(.metadataUnread, source: "d", "'d/b.parquet' (a Parquet file)")
        #expect(
            RemarkWords.lines(table) == ["left out: d: 1 metadata file is not read: 'd/b.parquet' (a Parquet file)"])
    }

    @Test func `what a preset leaves out of recordings is warned of in the words of the account`() {
        let warnings = RemarkWords.warnings(Self.all)
        #expect(warnings.count == 4)
        let kinds: [Remark.Kind] = [.clipsShortened, .windowsExceeded, .windowsShort, .channelsLeftOut]
        for (warning, kind) in zip(warnings, kinds) {
            var account = Account()
            account.add(kind, source: "s", "x")
            #expect(RemarkWords.lines(account) == ["remark: \(warning)"])
            #expect(kind.words(on: "1 clip", isOne: true).map { warning.hasPrefix("s: \($0): 'x'; ") } == true)
        }
        #expect(RemarkWords.warnings(Account()).isEmpty)
    }

    @Test func `the rate that keeps the band is that of most of these recordings`() {
        func advice(_ rates: [Int?]) -> String? {
            var account = Account()
            for (index, rate) in rates.enumerated() {
                account.add(.bandsAbove, ofClip: "c", at: index, rate: rate)
                account.add(.lengthsDiffer, ofClip: "c", at: index, rate: 8000)
            }
            var parts = Account()
            parts.merge(account)
            return RemarkWords.lines(parts).last?.split(separator: "; ").last.map(String.init)
        }
        let start = "to keep it, give the recordings' own rate, "
        #expect(advice([50_000, 50_000]) == start + "--set audio.sample_rate=50000")
        let most = start + "such as --set audio.sample_rate=48000, the most frequent"
        #expect(advice([96_000, 48_000, 48_000]) == most)
        #expect(advice([44_100, 48_000]) == most, "of equally frequent ones the highest")
        #expect(advice([nil]) == start + "such as --set audio.sample_rate=44100")
    }
}
