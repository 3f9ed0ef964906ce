import FeatureModel
import FeatureStorage
import Manifests
import TestSupport
import Testing

@testable import DatasetExtraction

struct SetFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [1, 2, 3, 7, 40, 97, 98, 500])
    func `each clip is in one file, by the rule, in order, and files differ by one clip at most`(count: Int) {
        let total = 97
        let parts = SetFile.all(count).map { $0.clips(of: total) }
        #expect(parts.flatMap(Array.init) == Array(0..<total))
        for (number, clips) in parts.enumerated() { #expect(clips.allSatisfy { $0 * count / total == number }) }
        let sizes = parts.map(\.count)
        #expect(parts.count == count && sizes.max()! - sizes.min()! <= 1)
    }

    @Test func `large numbers do not overflow`() throws {
        let last = try #require(SetFile(number: 99_999, count: 99_999))
        #expect(last.clips(of: .max).upperBound == .max)
        #expect(SetFile(number: 0, count: 3) == nil && SetFile(number: 4, count: 3) == nil)
        #expect(SetFile(number: 1, count: 100_000) == nil && SetFile(number: .min, count: .max) == nil)
    }

    @Test func `ranges of clips are read in one pass`() throws {
        let rows = (0..<50).map { "r\($0).wav,\($0)\n" }.joined()
        let source = try Manifest.scan(path: folder.write("path,id\n" + rows, to: "manifest.csv"), format: .csv)
        let clips = try ForwardClips(source)
        func ids(_ range: Range<Int>) throws -> [String] { try clips.clips(range).next(.max).map(\.id) }
        #expect(try ids(0..<3) == ["0", "1", "2"])
        #expect(try ids(3..<3) == [])
        #expect(try ids(10..<12) == ["10", "11"])
        let range = try clips.clips(12..<14)
        #expect(try range.next()?.index == 12)
        #expect(try ids(40..<50).count == 10)
        try clips.finish()
    }

    @Test func `a manifest that changes is noticed at its end`() throws {
        let rows = (0..<50).map { "r\($0).wav,\($0)\n" }.joined()
        let path = try folder.write("path,id\n" + rows, to: "manifest.csv")
        let source = try Manifest.scan(path: path, format: .csv)
        _ = try folder.write("path,id\n" + rows.replacing("r49", with: "x49"), to: "manifest.csv")
        let clips = try ForwardClips(source)
        _ = try clips.clips(0..<50).next(.max)
        #expect(throws: ManifestError.self) { try clips.finish() }
    }
}
