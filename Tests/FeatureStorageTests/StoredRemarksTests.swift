import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import FeatureStorage

struct StoredRemarksTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("features.h5")
    }

    private static let misspelt = Remark(
        kind: .columnsMisspelt, source: "manifest", count: 1, first: ["'Label' (not „é“)"])

    /// A file of which clips have remarks.
    private func file(_ remarks: [RecordingRemarks], manifest: [Remark] = []) throws -> SampleFile {
        var file = SampleFile(rowCounts: remarks.map { _ in 2 })
        file.storesDefects = true
        file.manifestRemarks = manifest
        file.readsBack = true
        for (index, remarks) in remarks.enumerated() {
            let clip = file.clips[index]
            var measurement = clip.measurement
            measurement.remarks = remarks
            file.clips[index] = StoredClip(
                id: clip.id, path: clip.path, label: clip.label, split: clip.split, labelIndex: clip.labelIndex,
                measurement: measurement, frameStart: clip.frameStart, frameCount: clip.frameCount,
                audioChecksum: clip.audioChecksum, tensorChecksum: clip.tensorChecksum, extra: clip.extra)
        }
        return file
    }

    private func written(_ file: SampleFile) throws -> FeatureReader {
        try file.write(to: path)
        return try FeatureReader(path: path)
    }

    @Test func `remarks are those of the manifest and the sums of those of clips, in their order`() throws {
        let clips: [RecordingRemarks] = [[], .endsCut, [.lengthsDiffer, .endsCut], [], .endsCut, .endsCut]
        let reader = try written(file(clips, manifest: [Self.misspelt]))
        #expect(
            reader.remarks == [
                Remark(kind: .lengthsDiffer, source: "recordings", count: 1, first: ["clip-2"]),
                Remark(kind: .endsCut, source: "recordings", count: 4, first: ["clip-1", "clip-2", "clip-4"]),
                Self.misspelt,
            ])
        #expect(try reader.allClips().map(\.measurement.remarks) == clips)
        #expect(try reader.remarksOfClips() == clips)
        #expect(try reader.verify().isEmpty)
    }

    @Test func `without remarks there is no dataset`() throws {
        let reader = try written(file([[], []]))
        #expect(reader.remarks.isEmpty)
        #expect(try reader.verify().isEmpty)
        #expect(try Data(contentsOf: URL(filePath: path)).range(of: Data("columns-misspelt".utf8)) == nil)
    }

    @Test func `any changed byte of the remarks is found`() throws {
        try file([.lengthsDiffer, []], manifest: [Self.misspelt]).write(to: path)
        let whole = try Data(contentsOf: URL(filePath: path))
        let texts = [RemarkEntry(Self.misspelt).json, #""kind":"lengths-differ""#]
        for text in texts {
            let range = try #require(whole.range(of: Data(text.utf8)), "\(text)")
            for offset in stride(from: range.lowerBound, to: range.upperBound, by: 3) {
                var damaged = whole
                damaged[offset] ^= 1
                try damaged.write(to: URL(filePath: path))
                let findings = try FeatureReader(path: path).verify()
                #expect(findings.contains { $0.description.hasPrefix("/provenance/remarks") }, "\(offset)")
            }
        }
    }

    @Test func `a clip's remarks are covered by its checksum`() throws {
        try file([.lengthsDiffer, .lengthsDiffer]).write(to: path)
        #expect(try FeatureReader(path: path).verify().isEmpty)
        var other = try file([.lengthsDiffer, .endsCut])
        other.readsBack = false
        try other.write(to: folder.path("other.h5"))
        let records = try [path, folder.path("other.h5")].map { try FeatureFile(path: $0).recordsChecksum() }
        #expect(records[0] != records[1])
    }

    @Test func `in a set remarks of the manifest count once, and others are added up in the order of files`() {
        func lengths(_ names: [String], _ count: Int) -> Remark {
            Remark(kind: .lengthsDiffer, source: RecordingRemarks.source, count: count, first: names)
        }
        var account = Account()
        account.add([lengths(["z", "a"], 2), Self.misspelt], ofFile: 0)
        account.add([lengths(["b", "c", "d"], 7), Self.misspelt], ofFile: 1)
        #expect(account.remarks == [lengths(["z", "a", "b"], 9), Self.misspelt])
    }

    @Test func `a text is JSON with sorted keys, and is read back`() {
        let text = RemarkEntry(Self.misspelt).json
        #expect(
            text
                == #"{"count":1,"first":["'Label' (not „é“)"],"kind":"columns-misspelt","loss":false,"source":"manifest"}"#
        )
        #expect(StoredRemarks.remark(text) == Self.misspelt)
        #expect(StoredRemarks.remark(text.replacing("misspelt", with: "of-tomorrow")) == nil)
    }
}
