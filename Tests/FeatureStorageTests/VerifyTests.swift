import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import FeatureStorage

struct VerifyTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("features.h5")
    }

    private func findings(_ file: SampleFile, most: Int = 100) throws -> [FeatureReader.Finding] {
        try file.write(to: path)
        return try FeatureReader(path: path).verify(most: most)
    }

    /// Overwrites a value of the tensor within the file.
    private func patch(row: Int, bin: Int, bins: Int, with value: Float) throws {
        let offset = try #require(try FeatureReader(path: path).featuresOffset())
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: UInt64(offset + (row * bins + bin) * 4))
        try file.write(contentsOf: withUnsafeBytes(of: value) { Data($0) })
        try file.close()
    }

    @Test func `a sound file has no findings`() throws {
        #expect(try findings(SampleFile()).isEmpty)
        #expect(try findings(SampleFile(rowCounts: Array(repeating: 2, count: 1100), bins: 2)).isEmpty)
    }

    @Test(arguments: [(0, 0, "clip-0"), (4, 2, "clip-1"), (11, 2, "clip-2")])
    func `a changed value is found by its clip's checksum`(row: Int, bin: Int, id: String) throws {
        let file = SampleFile()
        try file.write(to: path)
        let value = file.values[row * 3 + bin]
        try patch(row: row, bin: bin, bins: 3, with: Float(bitPattern: value.bitPattern ^ 1))
        let findings = try FeatureReader(path: path).verify()
        #expect(findings.map(\.clip) == [id])
        #expect(findings.first?.description.contains("tensor_xxh3") == true)
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity])
    func `a value that is not finite is found even where the checksum is right`(value: Float) throws {
        var file = SampleFile()
        file.values[5 * 3 + 1] = value
        file.change(2, tensorChecksum: file.checksum(of: 5..<12))
        let findings = try findings(file)
        #expect(findings == [.init(clip: "clip-2", description: "row 0, bin 1 holds \(value)")])
    }

    @Test func `a wrong first row is found`() throws {
        var file = SampleFile()
        file.change(1, frameStart: 3, tensorChecksum: file.checksum(of: 3..<4))
        let found = try findings(file)
        for (clip, start) in [("clip-1", 3), ("clip-2", 5)] {
            #expect(
                found.contains(.init(clip: clip, description: "expected the first row 4, found frame_start \(start)")))
        }
    }

    @Test func `clips that overlap, and a gap between clips, are found`() throws {
        var file = SampleFile()
        file.change(1, frameCount: 2, tensorChecksum: file.checksum(of: 4..<6))
        #expect(try findings(file).map(\.clip) == ["clip-2"])
        file = SampleFile()
        file.change(0, frameCount: 3, tensorChecksum: file.checksum(of: 0..<3))
        #expect(try findings(file).map(\.clip) == ["clip-1"])
    }

    @Test func `rows that no clip has are found`() throws {
        var file = SampleFile()
        file.change(2, frameCount: 6, tensorChecksum: file.checksum(of: 5..<11))
        let findings = try findings(file)
        #expect(findings == [.init(clip: nil, description: "the clips have 11 rows together, but /features has 12")])
    }

    @Test(arguments: [(5, 8), (5, Int(Int32.max)), (13, 0), (-1, 2), (5, -1), (Int.max, 1), (Int.min, 1)])
    func `rows outside the tensor are found, not read`(start: Int, count: Int) throws {
        var file = SampleFile()
        file.change(2, frameStart: start, frameCount: count)
        let findings = try findings(file)
        #expect(findings.contains { $0.clip == "clip-2" && $0.description.contains("outside the tensor of 12") })
        let reader = try FeatureReader(path: path)
        let foundInstead = "rows from \(start), \(Int32(clamping: count)) of them, of 12"
        let refusal = StorageError.damaged(path: path, found: "clip 'clip-2' has \(foundInstead)")
        #expect(throws: refusal) { try reader.clips(0..<3) }
        #expect(throws: refusal) { try reader.clip(id: "clip-2") }
        #expect(throws: refusal) { try reader.features(of: file.clips[2]) }
        #expect(throws: StorageError.damaged(path: path, found: "clip number 2 has \(foundInstead)")) {
            try reader.rowRanges(ofClips: 0..<3)
        }
        #expect(try reader.clips(0..<2) == Array(file.clips[..<2]))
    }

    @Test(arguments: [
        (0, "owl", 1), (0, "owl", -1), (1, "", 0), (2, "wren", 2), (2, "wren", Int(Int32.max)), (2, "tit", 1),
    ])
    func `a label that is not that of its index is found`(clip: Int, label: String, index: Int) throws {
        var file = SampleFile()
        file.change(clip, label: label, labelIndex: index)
        let findings = try findings(file)
        #expect(
            findings == [
                .init(clip: "clip-\(clip)", description: "label_index \(index) is not that of the label '\(label)'")
            ])
    }

    @Test func `a wrong checksum is found, with both`() throws {
        var file = SampleFile()
        let wrong = String(repeating: "0", count: 32)
        file.change(0, tensorChecksum: wrong)
        let text = try findings(file).first?.description
        #expect(text == "the rows have the checksum \(file.checksum(of: 0..<4)), but tensor_xxh3 is \(wrong)")
    }

    @Test func `findings end where they are enough`() throws {
        var file = SampleFile(rowCounts: Array(repeating: 1, count: 50))
        for clip in 0..<50 { file.change(clip, tensorChecksum: "") }
        #expect(try findings(file).count == 50)
        #expect(try findings(file, most: 7).count == 7)
    }
}
