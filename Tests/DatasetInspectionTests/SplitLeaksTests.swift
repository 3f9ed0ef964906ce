import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import Manifests
import TestSupport
import Testing

@testable import DatasetInspection

struct SplitLeaksTests {
    private let fixture: ExtractionFixture

    init() throws { fixture = try ExtractionFixture() }

    private func find(_ manifest: String, clipsPerPass: Int = 1000) throws -> SplitLeaks {
        let path = try fixture.folder.write(manifest, to: "m.csv")
        return try SplitLeaks.find(
            in: Manifest.scan(path: path, format: .csv), root: fixture.folder.url.path, clipsPerPass: clipsPerPass)
    }

    private func ids(_ findings: [SplitLeaks.Finding]) -> [[String]] { findings.map { $0.parts.map(\.id) } }

    @Test func `windows that overlap in time across splits are leaks, neighbours are shared recordings`() throws {
        let leaks = try find(
            """
            path,id,split,start,end
            a.wav,a1,train,0,3
            a.wav,a2,test,2,5
            a.wav,a3,train,5,8
            b.wav,b1,train,0,3
            b.wav,b2,test,3,6
            c.wav,c1,train,0,3
            c.wav,c2,train,1,4
            d.wav,d1,,0,3
            d.wav,d2,test,1,4
            e.wav,e1,train,,
            f.wav,f1,test,,
            """)
        #expect(ids(leaks.overlapping) == [["a1", "a2"]] && ids(leaks.shared) == [["b1", "b2"]])
        #expect(leaks.overlappingRecordings == 1 && leaks.overlappingClips == 2 && leaks.sharedRecordings == 1)
        #expect(leaks.overlapping.first?.words == "'a1' (train, 0–3 s) and 'a2' (test, 2–5 s)")
        #expect(leaks.overlapping.first?.path == "a.wav")
    }

    @Test func `whole recordings, open ends and other channels of the same time are leaks`() throws {
        let leaks = try find(
            """
            path,id,split,start,end,channel
            a.wav,a1,train,,,
            a.wav,a2,test,,,
            b.wav,b1,train,,,
            b.wav,b2,test,100,101,
            c.wav,c1,train,5,,0
            c.wav,c2,test,1000,1001,1
            d.wav,d1,train,5,,
            d.wav,d2,test,0,5.0009,
            """)
        #expect(ids(leaks.overlapping) == [["a1", "a2"], ["b1", "b2"], ["c1", "c2"]])
        // Times are rounded: a millisecond is not a leak.
        #expect(ids(leaks.shared) == [["d1", "d2"]])
    }

    @Test func `a recording is known under all its names`() throws {
        try fixture.record("real.wav")
        let folder = fixture.folder.url
        try FileManager.default.createDirectory(at: folder.appending(path: "test"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: "test/link.wav"), withDestinationURL: folder.appending(path: "real.wav"))
        try FileManager.default.linkItem(
            at: folder.appending(path: "real.wav"), to: folder.appending(path: "hard.wav"))
        for name in ["./real.wav", "test/../real.wav", "test//link.wav", "hard.wav", folder.path + "/real.wav"] {
            let leaks = try find("path,id,split\nreal.wav,1,train\n\(name),2,test\n")
            #expect(ids(leaks.overlapping) == [["1", "2"]], "\(name)")
        }
        // Recordings that are not there are compared by their paths as text.
        for name in ["./gone.wav", "x/../gone.wav", ".//gone.wav"] {
            let leaks = try find("path,id,split\ngone.wav,1,train\n\(name),2,test\n")
            #expect(ids(leaks.overlapping) == [["1", "2"]], "\(name)")
        }
        #expect(try find("path,id,split\ngone.wav,1,train\n../gone.wav,2,test\n").overlapping.isEmpty)
    }

    /// Every pair, one after another.
    private func reference(_ clips: [(recording: Int, split: Int, start: Double, end: Double)]) -> Set<Int> {
        var found: Set<Int> = []
        for (one, a) in clips.enumerated() {
            for (other, b) in clips.enumerated() where a.recording == b.recording && a.split != b.split {
                if min(a.end, b.end) - max(a.start, b.start) > SplitLeaks.tolerance { found.formUnion([one, other]) }
            }
        }
        return found
    }

    @Test(arguments: 1...30) func `as many clips are found as by comparing all pairs, in any number of passes`(
        seed: UInt64
    ) throws {
        var random = RandomSource(seed: seed)
        let recordings = Int.random(in: 1...6, using: &random)
        let clips = (0..<Int.random(in: 2...60, using: &random)).map { _ in
            let start = Double(Int.random(in: 0...40, using: &random)) / 2
            return (
                recording: Int.random(in: 0..<recordings, using: &random), split: Int.random(in: 0...3, using: &random),
                start: start, end: start + Double(Int.random(in: 1...8, using: &random)) / 4
            )
        }
        let rows = clips.enumerated().map { "\($0).x,\($1.recording).wav,s\($1.split),\($1.start),\($1.end)\n" }
        let manifest = "id,path,split,start,end\n" + rows.joined()
        let expected = reference(clips)
        let leaks = try find(manifest)
        #expect(leaks.overlappingClips == expected.count)
        #expect(leaks.overlappingRecordings == Set(expected.map { clips[$0].recording }).count)
        for finding in leaks.overlapping {
            let parts = finding.parts.map { clips[$0.clip] }
            #expect(parts[0].split != parts[1].split && parts[0].recording == parts[1].recording)
            let overlap = min(parts[0].end, parts[1].end) - max(parts[0].start, parts[1].start)
            #expect(overlap > 0 && finding.clips >= 2)
        }
        let cut = try find(manifest, clipsPerPass: 7)
        #expect(cut.overlapping == leaks.overlapping && cut.shared == leaks.shared)
        #expect(cut.overlappingClips == leaks.overlappingClips && cut.sharedRecordings == leaks.sharedRecordings)
    }

    @Test func `a feature file tells the same as its manifest`() throws {
        for name in ["a.wav", "b.wav"] { try fixture.record(name, samples: 16_000) }
        let manifest = """
            id,path,split,start,end
            1,a.wav,train,0,1
            2,./a.wav,test,0.5,1.5
            3,b.wav,train,0,1
            4,b.wav,test,1,2

            """
        let reader = try fixture.extract(manifest)
        let leaks = try SplitLeaks.find(in: reader, ClipCensus.take(reader), root: fixture.folder.url.path)
        #expect(ids(leaks.overlapping) == [["1", "2"]] && ids(leaks.shared) == [["3", "4"]])
        #expect(leaks.overlapping.first?.words == "'1' (train, 0–1 s) and '2' (test, 0.5–1.5 s)")
        // Without the recordings, their paths are compared.
        let elsewhere = try SplitLeaks.find(in: reader, ClipCensus.take(reader), root: "/nowhere")
        #expect(elsewhere.overlapping == leaks.overlapping && elsewhere.shared == leaks.shared)
    }

    @Test func `of many findings the first are kept and all are counted`() throws {
        let rows = (0..<6000).map { "\($0 % 3000).wav,\($0),\($0 < 3000 ? "train" : "test")\n" }.joined()
        let leaks = try find("path,id,split\n" + rows, clipsPerPass: 2500)
        #expect(leaks.overlappingRecordings == 3000 && leaks.overlappingClips == 6000)
        #expect(ids(leaks.overlapping) == (0..<SplitLeaks.keptFindings).map { ["\($0)", "\($0 + 3000)"] })
    }
}

extension SplitLeaks {
    /// Searches the clips of a manifest. Recordings are identified by file if they exist.
    ///
    /// - Complexity: Reads the manifest once for every four million clips, and once more for the names of findings. O(n log n).
    fileprivate static func find(
        in manifest: Manifest, root: String, clipsPerPass: Int
    ) throws -> SplitLeaks {
        guard manifest.splits.count > 1 else { return SplitLeaks() }
        var splits: [[UInt8]: Int32] = [:]
        for (index, split) in manifest.splits.enumerated() { splits[Array(split.name.utf8)] = Int32(index) }
        var leaks = SplitLeaks()
        try leaks.search(
            manifest.clipCount, splits: manifest.splits.map(\.name), root: root, clipsPerPass: clipsPerPass
        ) { take throws(ManifestError) in
            let clips = try manifest.reader()
            while let clip = try clips.next() {
                guard let split = splits[Array(clip.split.utf8)] else { continue }
                take(clip.path, clip.segment?.start ?? 0, clip.segment?.end ?? .infinity, clip.index, split)
            }
        }
        let wanted = Set((leaks.overlapping + leaks.shared).flatMap(\.parts).map(\.clip))
        guard let last = wanted.max() else { return leaks }
        var names: [Int: (id: String, path: String)] = [:]
        let clips = try manifest.reader()
        while let clip = try clips.next(), clip.index <= last {
            if wanted.contains(clip.index) { names[clip.index] = (clip.id, clip.path) }
        }
        leaks.name { names[$0] ?? ("", "") }
        return leaks
    }
}
