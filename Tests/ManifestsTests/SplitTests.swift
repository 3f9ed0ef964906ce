import FeatureModel
import TestSupport
import Testing

@testable import Manifests

struct SplitTests {
    /// A manifest whose file lives as long as the test.
    private func with<Result>(_ text: String, _ body: (Manifest) throws -> Result) throws -> Result {
        let folder = try TemporaryFolder()
        return try body(Manifest.scan(path: folder.write(text, to: "m.csv"), format: .csv))
    }

    /// Clips of speakers, each with some recordings of some labels.
    private static func text(speakers: Int) -> String {
        var text = "path,label,speaker,start,end\n"
        for speaker in 0..<speakers {
            for clip in 0..<(1 + speaker * 7 % 5) {
                text += "\(speaker)/\(clip).wav,l\((speaker + clip * clip) % 4),s\(speaker),0,1\n"
                if clip == 0 { text += "\(speaker)/\(clip).wav,l\(speaker % 3),s\(speaker),1,2\n" }
            }
        }
        return text
    }

    private static let thirds = "train=0.6,val=0.2,test=0.2"

    /// hashlib.sha256(b"0:s0").digest()[:8] as a big-endian number >> 11, / 2 ** 53; likewise the others.
    @Test(arguments: [
        (0, "s0", GoldenHashes.zero), (7, "s0", GoldenHashes.seven), (0, "Zaunkönig", GoldenHashes.german),
    ])
    func `the fraction of a group is that of Python's hashlib`(seed: Int, group: String, expected: Double) {
        #expect(GroupHash(seed: seed).fraction(of: group) == expected)
    }

    @Test(arguments: [
        ("a.wav", "a.wav"), ("b/a.wav", "b/a.wav"), ("/b/a.wav", "/b/a.wav"), ("../a.wav", "a.wav"),
        ("../../b/a.wav", "b/a.wav"), ("./b//a.wav", "b/a.wav"), ("b/../c/a.wav", "c/a.wav"),
        ("/../b/./a.wav", "/b/a.wav"),
        ("b/../../c/a.wav", "c/a.wav"), ("b./a.wav", "b./a.wav"), (".b/..a.wav", ".b/..a.wav"), ("b/a.", "b/a."),
        ("b/e\u{301}.wav", "b/e\u{301}.wav"), ("../e\u{301}/.\u{301}/a.wav", "e\u{301}/.\u{301}/a.wav"), ("", ""),
        ("/", "/"),
        ("..", ""),
    ])
    func `a recording has one name from all folders next to it`(path: String, name: String) {
        #expect(RecordingGroupName.name(ofPath: path).utf8.elementsEqual(name.utf8))
    }

    @Test(arguments: [GroupKey.recording, .clip, .folder, .column("speaker"), .column("label")], [false, true])
    func `no group is in two splits`(key: GroupKey, stratified: Bool) throws {
        try with(Self.text(speakers: 60)) { source in
            let groups = try ClipGroups(of: source, by: key)
            let shares = try SplitShares(text: Self.thirds)
            let assignment =
                stratified
                ? SplitAssignment(stratifying: groups, shares, seed: 0) : SplitAssignment(groups, shares, seed: 0)
            #expect(assignment.splitOf.allSatisfy { (0..<3).contains($0) })
            var owners: [String: Int32] = [:]
            let clips = try source.reader()
            while let clip = try clips.next() {
                let name =
                    switch key {
                    case .recording: clip.path
                    case .clip: clip.id
                    case .folder: String(clip.path.prefix { $0 != "/" })
                    case .column("label"): clip.label
                    case .column: clip.extra[0]
                    }
                let split = assignment.splitOf[Int(groups.groupOf[clip.index])]
                #expect(owners.updateValue(split, forKey: name).map { $0 == split } ?? true)
            }
            #expect(owners.count == groups.groupCount)
        }
    }

    @Test func `a dataset that grows keeps its splits`() throws {
        func splits(_ speakers: Int) throws -> [String: String] {
            try with(Self.text(speakers: speakers)) { source in
                let groups = try ClipGroups(of: source, by: .column("speaker"))
                let assignment = SplitAssignment(groups, try SplitShares(text: Self.thirds), seed: 3)
                return Dictionary(
                    uniqueKeysWithValues: groups.names.indices.map { (groups.names[$0], assignment.name(ofGroup: $0)) })
            }
        }
        let (small, large) = (try splits(20), try splits(200))
        #expect(small.count == 20 && small.allSatisfy { large[$0.key] == $0.value })
        #expect(Set(large.values).count == 3)
    }

    @Test func `shares are met by many groups`() throws {
        try with(Self.text(speakers: 3000)) { source in
            let groups = try ClipGroups(of: source, by: .column("speaker"))
            let counts = SplitAssignment(groups, try SplitShares(text: Self.thirds), seed: 0).splitOf
            for (split, share) in [0.6, 0.2, 0.2].enumerated() {
                let found = Double(counts.count { $0 == Int32(split) }) / 3000
                // Four standard deviations of a binomial distribution.
                #expect(abs(found - share) < 4 * (share * (1 - share) / 3000).squareRoot(), "\(found)")
            }
        }
    }

    @Test func `stratified splits have their share of every label`() throws {
        var text = "path,label\n"
        for clip in 0..<1000 { text += "\(clip).wav,\(clip < 10 ? "rare" : clip < 300 ? "some" : "common")\n" }
        try with(text) { source in
            let groups = try ClipGroups(of: source, by: .clip)
            let shares = try SplitShares(text: "a=0.8,b=0.1,c=0.1")
            let assignment = SplitAssignment(stratifying: groups, shares, seed: 0)
            let table = SplitTable(
                groups, splits: assignment.names, splitOf: groups.groupOf.map { assignment.splitOf[Int($0)] })
            #expect(table.labels.map(\.name) == ["common", "rare", "some"])
            #expect(table.labels.map(\.clips) == [[560, 70, 70], [8, 1, 1], [232, 29, 29]])
            #expect(table.clips == [800, 100, 100] && table.groups == [800, 100, 100])
            // Another seed gives other splits of the same sizes.
            let other = SplitAssignment(stratifying: groups, shares, seed: 1)
            #expect(other.splitOf != assignment.splitOf)
        }
    }

    @Test func `splits that are there are kept`() throws {
        try with("path,label,speaker,split\na.wav,x,s1,test\nb.wav,x,s1,\nc.wav,x,s2,\nd.wav,y,s3,old\n") { source in
            let groups = try ClipGroups(of: source, by: .column("speaker"))
            let assignment = SplitAssignment(
                groups, try SplitShares(text: "train=0.5,test=0.5"), seed: 0, keepsGiven: true)
            #expect(assignment.names == ["train", "test", "old"])
            #expect(assignment.name(ofGroup: 0) == "test" && assignment.name(ofGroup: 2) == "old")
            #expect(["train", "test"].contains(assignment.name(ofGroup: 1)))
        }
        try with("path,speaker,split\na.wav,s1,test\nb.wav,s1,train\nc.wav,s1,train\n") { source in
            let divided = try ClipGroups(of: source, by: .column("speaker")).divided
            #expect(divided.map(\.group) == ["s1"] && divided.map(\.splits) == [["test", "train"]])
        }
    }

    @Test func `clips without a value stay with their recording`() throws {
        try with("path,speaker,start,end\na.wav,,0,1\na.wav,,1,2\nb.wav,,0,1\nc.wav,b.wav,0,1\n") { source in
            let groups = try ClipGroups(of: source, by: .column("speaker"))
            #expect(groups.groupOf == [0, 0, 1, 2] && groups.clipsWithoutGroup == 3)
        }
    }

    @Test func `a column that is not there is named`() throws {
        try with("path,speaker\na.wav,x\n") { source in
            #expect(throws: ManifestError.noSuchColumn(path: source.path, name: "site", columns: ["speaker"])) {
                try ClipGroups(of: source, by: .column("site"))
            }
        }
    }

    @Test(arguments: [
        ("a=0.5", SplitShares.Refusal.otherSum(0.5)), ("a=1,a=0", .repeated("a")), ("a", .malformed("a")),
        ("a=x", .malformed("a=x")), ("=1", .malformed("=1")), ("a=1,", .malformed("")),
        ("a=1,b=0", .notPositive(name: "b")),
        ("a=nan", .malformed("a=nan")), ("a=1.5,b=-0.5", .notPositive(name: "b")),
    ])
    func `texts that are not shares are refused`(text: String, refusal: SplitShares.Refusal) {
        #expect(throws: refusal) { try SplitShares(text: text) }
    }

    @Test func `shares are fractions or percentages, and a bit of rounding is allowed`() throws {
        #expect(try SplitShares(text: "a=80%,b=20%").shares == [0.8, 0.2])
        let thirds = try SplitShares(text: "a=0.333,b=0.333,c=0.333")
        #expect(thirds.shares.allSatisfy { abs($0 - 1.0 / 3) < 1e-12 })
        #expect(thirds.index(at: 0) == 0 && thirds.index(at: 0.34) == 1 && thirds.index(at: 1 - 0x1p-53) == 2)
    }
}
