import Concurrency
import FeatureModel
import Foundation
import Manifests
import Messages
import TestSupport
import Testing

@testable import AudioDecoding
@testable import DatasetChecks

/// A dataset in which a kind of problem is found, and nothing else, unless it says so.
struct Fault: Sendable, CustomTestStringConvertible {
    let kind: ProblemKind
    /// Indices of the clips that examples name.
    let clips: [Int]
    var count: Int?
    let manifest: String
    /// Words of the first example.
    let words: String
    /// Corrections of the manifest; nil: none.
    var corrections: String?

    var testDescription: String { kind.rawValue }

    private static let sameSamples = "the same samples as 'copy'"

    static let all: [Fault] = [
        Fault(kind: .allMissing, clips: [0, 1], manifest: "path\ngone.wav\nx/gone.wav", words: "No such file"),
        Fault(kind: .missing, clips: [1], manifest: "path\na.wav\ngone.wav", words: "No such file"),
        Fault(kind: .gitLFSPointer, clips: [1], manifest: "path\na.wav\nlfs.wav", words: "Git LFS pointer"),
        Fault(kind: .textPage, clips: [0, 2], manifest: "path\npage.wav\na.wav\nnote.wav", words: "'<!DOCTYPE html>'"),
        Fault(kind: .unreadable, clips: [1, 2], manifest: "path\na.wav\nempty.wav\nnoise.wav", words: "empty file"),
        Fault(kind: .cutOff, clips: [1], manifest: "path\na.wav\ncut.wav", words: "cut off: the header promises"),
        Fault(
            kind: .segmentOutOfRange, clips: [1, 2, 3],
            manifest: "path,id,start,end,channel\na.wav,0,0,0.2,\na.wav,1,5,6,\na.wav,2,0.5,2,\na.wav,3,0.2,0.3,1",
            words: "starts at 5.0 s"),
        Fault(
            kind: .overlapAcrossSplits, clips: [0], count: 2,
            manifest: "path,split,start,end\na.wav,train,0,0.4\na.wav,test,0.3,0.7\na.wav,,0.5,0.6",
            words: "'a#0-0.4' (train, 0–0.4 s)"),
        Fault(
            kind: .recordingAcrossSplits, clips: [0], count: 2,
            manifest: "path,split,start,end\na.wav,train,0,0.4\na.wav,test,0.4,0.7\nb.wav,test,,", words: "and 'a#0.4"),
        Fault(
            kind: .groupAcrossSplits, clips: [1], count: 2,
            manifest: "path,split,speaker\na.wav,train,ann\nb.wav,train,bob\nc.wav,test,bob\nd.wav,,ann\ne.wav,test,",
            words: "speaker 'bob' is in train, test"),
        Fault(
            kind: .duplicateRecording, clips: [1, 2], manifest: "path,id\na.wav,0\nlink.wav,1\n./a.wav,2\nb.wav,3",
            words: "the same file as that of '0'"),
        Fault(kind: .mixedRates, clips: [1], manifest: "path\na.wav\nfast.wav\nb.wav", words: "16,000 Hz"),
        Fault(kind: .mixedChannels, clips: [0], manifest: "path\nstereo.wav\na.wav\nb.wav", words: "stereo"),
        Fault(
            kind: .labelSpelling, clips: [0], count: 4,
            manifest: "path,label\na.wav,Wren\nb.wav,Wren\nc.wav,\"wren \"\nd.wav,\"wren \"\ne.wav,owl\nf.wav,owl",
            words: "labels 'Wren' (2 clips), 'wren ' (2 clips)"),
        Fault(
            kind: .rareLabel, clips: [2], manifest: "path,label\na.wav,owl\nb.wav,owl\nc.wav,wren",
            words: "'wren' has 1 clip"),
        Fault(
            kind: .labelAbsentFromSplit, clips: [0], count: 2,
            manifest: "path,label,split\na.wav,owl,train\nb.wav,owl,train\nc.wav,wren,train\nd.wav,wren,test",
            words: "'owl' has no clip in test"),
        Fault(
            kind: .unlabelled, clips: [1], manifest: "path,label\na.wav,owl\nb.wav,\nc.wav,owl", words: "no label"),
        Fault(
            kind: .labelImbalance, clips: [0], count: 2,
            manifest: "path,label,start,end\na.wav,owl,0,0.01\nb.wav,owl,0,0.01\n"
                + (10..<30).map { "c.wav,wren,0.\($0),0.\($0 + 1)\n" }.joined(),
            words: "'owl' has 2 clips, 'wren' has 20"),
        Fault(
            kind: .overlappingSegments, clips: [0, 1],
            manifest: "path,start,end\na.wav,0,0.5\na.wav,0.4,0.6\na.wav,0.6,0.8\nb.wav,0,0.5",
            words: "overlaps with 'a#0.4-0.6'"),
        Fault(
            kind: .veryShort, clips: [2], manifest: "path,start,end\na.wav,,\nb.wav,,\nc.wav,0,0.05\nd.wav,,\ne.wav,,",
            words: "0.050 s"),
        Fault(
            kind: .veryLong, clips: [5],
            manifest: "path,start,end\na.wav,0,0.05\nb.wav,0,0.05\nc.wav,0,0.05\nd.wav,0,0.05\ne.wav,0,0.05\nf.wav,,",
            words: "1.00 s"),
    ]

    /// Found by decoding alone.
    static let deep: [Fault] = [
        Fault(kind: .nonFinite, clips: [1], manifest: "path\na.wav\nnan.wav\nb.wav", words: "found nan at sample 100"),
        Fault(kind: .damaged, clips: [1], manifest: "path\na.wav\ndamaged.flac", words: "damaged near sample"),
        Fault(
            kind: .silent, clips: [0, 1],
            manifest: "path\nzero.wav\nquiet.wav\na.wav",
            words: "every sample is 0"),
        Fault(
            kind: .silentChannel, clips: [1, 2], manifest: "path\nstereo.wav\ndead.wav\nlow.wav",
            words: "channel 0 of 2: every sample is 0"),
        Fault(kind: .constant, clips: [1], manifest: "path\na.wav\nconstant.wav", words: "every sample is 0.25"),
        Fault(kind: .clipped, clips: [1], manifest: "path\na.wav\nclipped.wav", words: "at full scale in runs"),
        Fault(kind: .dcOffset, clips: [1], manifest: "path\na.wav\noffset.wav", words: "mean of −5.0 % of full scale"),
        Fault(
            kind: .duplicateSamples, clips: [0, 2], manifest: "path,split\na.wav,train\nb.wav,train\ncopy.wav,train",
            words: Self.sameSamples),
        Fault(
            kind: .duplicateAcrossSplits, clips: [0, 2],
            manifest: "path,split\na.wav,train\nb.wav,train\ncopy.wav,test", words: Self.sameSamples),
        Fault(
            kind: .otherSamples, clips: [1], manifest: "path\na.wav\nb.wav",
            words: "expected the samples that were corrected",
            corrections: "id,audio_xxh3,action\nb,\(String(repeating: "0", count: 32)),checked\n"),
    ]
}

struct DatasetCheckTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        func noise(_ seed: UInt64, _ count: Int = 8000) -> [Float] {
            var random = RandomSource(seed: seed)
            let half = (0..<count / 2).map { _ in Float.random(in: -0.4...0.4, using: &random) }
            // The mean is 0.
            return half + half.map { -$0 }
        }
        func write(_ name: String, _ channels: [[Float]], _ rate: Int = 8000, float: Bool = false) throws {
            try folder.writeWave(channels, sampleRate: rate, encoding: float ? .float32 : .pcm16, to: name)
        }
        for (seed, name) in ["a", "b", "c", "d", "e", "f", "short"].enumerated() {
            try write("\(name).wav", [noise(UInt64(seed))])
        }
        try write("copy.wav", [noise(0)])
        try write("fast.wav", [noise(20)], 16_000)
        try write("stereo.wav", [noise(21), noise(22)])
        let silence = Array(repeating: Float(0), count: 8000)
        try write("dead.wav", [silence, noise(29)])
        try write("low.wav", [noise(30), noise(23).map { $0 / 8000 }], float: true)
        try write("right.wav", [noise(31), silence])
        try write("four.wav", [silence, noise(32), noise(33), silence])
        try write("zero.wav", [Array(repeating: 0, count: 8000)])
        try write("quiet.wav", [noise(23).map { $0 / 8000 }], float: true)
        try write("constant.wav", [Array(repeating: 0.25, count: 8000)])
        try write("clipped.wav", [noise(24).map { $0 * 6 }])
        try write("offset.wav", [noise(25).map { $0 - 0.05 }])
        var samples = noise(26)
        samples[100] = .nan
        try write("nan.wav", [samples], float: true)
        let whole = WaveFile.bytes([noise(27)], sampleRate: 8000)
        try whole.prefix(whole.count / 2).write(to: folder.url.appending(path: "cut.wav"))
        try Data().write(to: folder.url.appending(path: "empty.wav"))
        try Data((0..<500).map { UInt8(truncatingIfNeeded: $0 * 37 + 128) }).write(
            to: folder.url.appending(path: "noise.wav"))
        _ = try folder.write(
            "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", to: "lfs.wav")
        _ = try folder.write("<!DOCTYPE html>\n<html><body>404</body></html>\n", to: "page.wav")
        _ = try folder.write("not yet recorded – ask Zoë\n", to: "note.wav")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link.wav"), withDestinationPath: folder.path("a.wav"))
        let flacCode = try #require(SoundFileContainer(path: "x.flac")?.codes.first)
        let settings = SoundFileWriter.Settings(
            format: SoundFileFormat(code: flacCode | SoundEncoding.pcm16.rawValue), sampleRate: 8000, channels: 1)
        let writer = try SoundFileWriter(path: folder.path("damaged.flac"), settings: settings, overwriting: false)
        let sound = noise(28)
        try sound.withUnsafeBufferPointer { try writer.write(#require($0.baseAddress), frames: sound.count) }
        _ = try writer.finish()
        var flac = try Data(contentsOf: folder.url.appending(path: "damaged.flac"))
        flac[flac.count / 2] ^= 0x10
        try flac.write(to: folder.url.appending(path: "damaged.flac"))
    }

    private func manifest(_ text: String) throws -> Manifest {
        try Manifest.scan(path: folder.write(text, to: "m.csv"), format: .csv)
    }

    private func check(
        _ text: String, deep: Bool = false, jobs: Int = 2, _ change: (inout DatasetCheck.Options) -> Void = { _ in }
    ) throws -> DatasetCheck {
        var options = try DatasetCheck.Options(root: folder.url.path)
        (options.isDeep, options.workers) = (deep, WorkerRange(usual: jobs))
        change(&options)
        return try DatasetCheck.run(manifest(text), options)
    }

    /// Of the corrected dataset.
    private func check(_ fault: Fault, deep: Bool = false) throws -> DatasetCheck {
        guard let corrections = fault.corrections else { return try check(fault.manifest, deep: deep) }
        let (root, file) = (folder.url.path, try CorrectionFile(path: folder.write(corrections, to: "corrections.csv")))
        var options = try DatasetCheck.Options(root: root)
        options.isDeep = deep
        return try DatasetCheck.run(CorrectedManifest(manifest(fault.manifest), file, root: root).made(), options)
    }

    private func expect(_ fault: Fault, in check: DatasetCheck) throws {
        #expect(check.groups.map(\.kind) == [fault.kind], "\(check.groups)")
        let group = try #require(check.group(fault.kind))
        #expect(group.examples.map(\.clip) == fault.clips, "\(group)")
        #expect(group.clips == fault.count ?? fault.clips.count)
        #expect(group.examples.first?.text.contains(fault.words) == true, "\(group)")
        #expect(group.examples.allSatisfy { !$0.id.isEmpty && !$0.path.isEmpty })
        #expect(check.hasErrors == (fault.kind.severity == .error))
    }

    @Test(arguments: Fault.all) func `a kind is found in a dataset that has it, and no other`(fault: Fault) throws {
        try expect(fault, in: check(fault))
    }

    @Test(arguments: Fault.deep) func `faults that only samples show are found by decoding, and no others`(fault: Fault)
        throws
    {
        #expect(try check(fault).groups.isEmpty)
        try expect(fault, in: check(fault, deep: true))
    }

    @Test func `every kind has its dataset`() {
        let known = Set((Fault.all + Fault.deep).map(\.kind))
        // What header and samples contradict needs a decoder that says so: see the test of failures. A suspicious label needs features.
        #expect(Set(ProblemKind.allCases).subtracting(known) == [.wrongLength, .suspiciousLabel])
    }

    @Test func `suspicious labels are those of the manifest's clips, by their rank`() throws {
        var options = try DatasetCheck.Options(root: folder.url.path)
        options.suspicious = SuspiciousLabels([
            .init(id: "c", labels: ["owl"], reason: "first"), .init(id: "gone", labels: ["owl"], reason: "unknown"),
            .init(id: "b", labels: ["owl"], reason: "corrected since"), .init(id: "a", labels: ["owl"], reason: "last"),
        ])
        let text = "path,id,label\na.wav,a,owl\nb.wav,b,wren\nc.wav,c,owl\nd.wav,d,wren"
        let check = try DatasetCheck.run(manifest(text), options)
        let group = try #require(check.group(.suspiciousLabel))
        #expect(check.groups.count == 1 && group.clips == 2 && !check.hasErrors)
        #expect(group.examples.map(\.id) == ["c", "a"] && group.examples.map(\.text) == ["first", "last"])
        let account = try #require(check.suspects)
        #expect(account.unknown == 1 && account.firstUnknown == "gone" && account.relabelled == 1)
    }

    @Test(arguments: [false, true]) func `nothing is found in a sound dataset`(deep: Bool) throws {
        let text = """
            path,id,label,split,speaker,start,end,channel
            a.wav,0,owl,train,ann,0,0.5,
            a.wav,1,owl,train,ann,0.5,1.0005,
            b.wav,2,wren,train,bob,,,
            stereo.wav,3,owl,test,cid,0,0.5,0
            stereo.wav,4,wren,test,cid,0,0.5,1
            c.wav,5,owl,test,dan,0,0.2,
            d.wav,6,wren,test,dan,0,0.2,
            """
        let check = try check(text, deep: deep)
        #expect(check.groups.map(\.kind) == [.mixedChannels], "\(check.groups)")
        let mend = check.groups.first?.mend
        #expect(mend?.contains("--deep") == !deep && mend?.contains("or first") == true)
        #expect(check.recordings == 5 && check.survey.clips == 7 && !check.hasErrors)
    }

    @Test func `a failure is of the kind that its case says`() {
        #expect(ProblemKind(.missingSamples(promised: 9, found: 4)) == .wrongLength)
        #expect(ProblemKind(.endsBefore(frame: 9, end: 4)) == .wrongLength)
        #expect(ProblemKind(.chainedOgg) == .unreadable && ProblemKind(.noSamples) == .unreadable)
        #expect(ProblemKind(.noSuchChannel(channel: 1, channels: 1)) == .segmentOutOfRange)
    }

    @Test func `another column of groups is as good as speaker, and has to exist`() throws {
        let text = "path,split,site\na.wav,train,x\nb.wav,test,x\nc.wav,test,y"
        #expect(try check(text).groups.isEmpty)
        let group = try #require(try check(text) { $0.group = .column("site") }.group(.groupAcrossSplits))
        #expect(group.clips == 2 && group.examples.map(\.text) == ["site 'x' is in train, test"])
        #expect(group.mend.contains("--by site"))
        #expect(throws: ManifestError.self) { try check(text) { $0.group = .column("place") } }
    }

    @Test func `the same samples in another channel or behind silence are not copies`() throws {
        let text = """
            path,id,start,end,channel
            a.wav,0,,,
            copy.wav,1,0,0.9,
            zero.wav,2,,,
            zero.wav,3,0,0.5,
            stereo.wav,4,,,0
            stereo.wav,5,,,1
            """
        #expect(try check(text, deep: true).group(.duplicateSamples) == nil)
        let parts = "path,id,start,end,channel\na.wav,0,0.25,0.5,\ncopy.wav,1,0.25,0.5,0\nb.wav,2,0.25,0.5,"
        #expect(try check(parts, deep: true).group(.duplicateSamples)?.examples.map(\.clip) == [0, 1])
    }

    @Test(
        arguments: [
            ("dead.wav", 1), ("right.wav", 0), ("four.wav", 1), ("dead.wav\nfour.wav", 1), ("right.wav\nfour.wav", nil),
        ] as [(String, Int?)])
    func `of silent channels, the first that has sound in all clips is named`(paths: String, sounding: Int?) throws {
        let group = try #require(try check("path\n" + paths, deep: true).group(.silentChannel))
        if case .channel(let found) = group.subject {
            #expect(found == sounding)
        } else {
            #expect(sounding == nil)
        }
        // Of several numbers of channels, the first is not advised where it is silent.
        let mixed = try check("path\n" + paths + "\na.wav\nb.wav\nc.wav", deep: true).group(.mixedChannels)
        #expect(try #require(mixed).mend.contains("or first") == (sounding == 0))
        // A clip of one channel has no other.
        #expect(try check("path,channel\ndead.wav,1\nright.wav,0", deep: true).groups.isEmpty)
    }

    @Test func `clips of one channel alone are scanned`() throws {
        let silent = [Float](repeating: 0, count: 800)
        try folder.writeWave([silent, (0..<800).map { Float(sin(Double($0))) / 2 }], sampleRate: 8000, to: "half.wav")
        let check = try check("path,id,channel\nhalf.wav,0,0\nhalf.wav,1,1\nhalf.wav,2,", deep: true)
        #expect(check.group(.silent)?.examples.map(\.clip) == [0])
    }

    @Test func `nothing depends on the number of threads`() throws {
        var text = "path,id,label,split,speaker\n"
        let names = ["a", "b", "copy", "link", "cut", "gone", "page", "nan", "zero", "fast", "stereo", "clipped"]
        for clip in 0..<2500 {
            text +=
                "\(names[clip * 7 % 12]).wav,\(clip),l\(clip % 40),\(["train", "test", ""][clip % 3]),s\(clip % 11)\n"
        }
        let alone = try check(text, deep: true, jobs: 1) { $0.keepsReasons = true }
        for jobs in [2, 5] {
            let other = try check(text, deep: true, jobs: jobs) { $0.keepsReasons = true }
            #expect(alone.groups.map(\.kind) == other.groups.map(\.kind))
            #expect(alone.groups.map(\.clips) == other.groups.map(\.clips))
            #expect(alone.groups.map(\.examples) == other.groups.map(\.examples))
            #expect(alone.rejections == other.rejections && alone.survey.problems == other.survey.problems)
        }
        #expect(alone.rejections.count == alone.survey.problemCount && alone.rejections.count > 800)
        #expect(alone.groups.map(\.kind.severity) == alone.groups.map(\.kind.severity).sorted())
    }

    @Test func `a clip's record is of at most 68 bytes`() throws {
        let records = ClipRecords(try manifest("path,channel\na.wav,0"), isDeep: true)
        func bytes<Element>(_ array: [Element]) -> Int { array.count * MemoryLayout<Element>.stride }
        let all =
            bytes(records.entries) + bytes(records.paths) + bytes(records.durations) + bytes(records.shape)
            + bytes(records.kinds) + bytes(records.channels) + bytes(records.checksums)
        #expect(all == 68)
    }
}
