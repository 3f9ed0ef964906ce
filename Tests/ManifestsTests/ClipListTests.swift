import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import Manifests

struct ClipListTests {
    private static let clips = [
        Clip(index: 0, id: "a", path: "a b.wav", label: "wren", split: "train"),
        Clip(index: 1, id: "é", path: "é,.wav", label: "e\u{301}", split: "test", segment: Segment(start: 1, end: 2)),
        Clip(index: 2, id: "c", path: "c.wav", label: "\u{E9}", split: "train", channel: 1),
        Clip(index: 3, id: "d", path: "d.wav"),
    ]

    /// Everything that a source says of its clips but its path and warnings.
    private func facts(_ source: any ClipSource) throws -> [String] {
        let reader = try source.reader()
        var clips: [Clip] = []
        while let clip = try reader.next() { clips.append(clip) }
        return [
            "\(source.clipCount)", "\(source.extraColumns)", "\(source.hasSplitColumn)", "\(source.hasChannelColumn)",
            "\(source.labels.map { Array($0.utf8) })", "\(source.splits)", "\(source.widths)", source.sha256,
            "\(clips)",
        ]
    }

    @Test(arguments: [0..<4, 0..<1, 3..<4])
    func `clips in memory are the source that a manifest of them would be`(range: Range<Int>) throws {
        let folder = try TemporaryFolder()
        let clips = Self.clips[range].enumerated().map { index, clip in
            Clip(
                index: index, id: clip.id, path: clip.path, label: clip.label, split: clip.split, segment: clip.segment,
                channel: clip.channel)
        }
        let path = folder.path("m.csv")
        try ManifestWriter(format: .csv).write(clips, to: path)
        #expect(try facts(ClipList("clips", clips)) == facts(Manifest.scan(path: path, format: .csv)))
    }

    @Test func `names that CSV cannot hold are those of JSON Lines`() throws {
        let folder = try TemporaryFolder()
        let clips = [Clip(index: 0, id: "a", path: "a\nb,c,d\ne")]
        #expect(throws: ManifestError.self) { try ManifestWriter(format: .csv).bytes(of: clips) }
        let path = folder.path("m.jsonl")
        try ManifestWriter(format: .jsonLines).write(clips, to: path)
        #expect(try facts(ClipList("clips", clips)) == facts(Manifest.scan(path: path, format: .jsonLines)))
    }

    @Test func `clips are read in order, any number of times, and some at once`() throws {
        let source = try ClipList("clips", Self.clips)
        for _ in 0..<2 {
            let reader = source.reader()
            #expect(try reader.next(3).map(\.id) == ["a", "é", "c"])
            #expect(try reader.next(3).map(\.id) == ["d"])
            #expect(try reader.next(3).isEmpty)
        }
    }
}
