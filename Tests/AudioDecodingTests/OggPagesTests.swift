import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import AudioDecoding

struct OggPagesTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("file.ogg")
    }

    private func pages(_ file: Data, endsOnly: Bool = false) throws -> OggPages {
        try RawFile.write(file, to: path)
        return try OggPages(.file(path), endsOnly: endsOnly)
    }

    private func isWhole(_ pages: OggPages) -> Bool { pages.damage.isEmpty && !pages.isCutOff && !pages.isChained }

    /// Two header pages, then `count` pages of 1000 samples each, the first of them at `start`.
    private func stream(
        _ count: Int, serial: UInt32 = 7, start: Int64 = 0, isEnded: Bool = true, bytes: Int = 300
    ) -> [Data] {
        var random = RandomSource(seed: UInt64(serial))
        func body(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) } }
        var pages = [
            Data(OggFile.page(body(30), serial: serial, sequence: 0, granule: 0, isFirst: true)),
            Data(OggFile.page(body(600), serial: serial, sequence: 1, granule: 0)),
        ]
        for number in 0..<count {
            pages.append(
                Data(
                    OggFile.page(
                        body(bytes), serial: serial, sequence: UInt32(number + 2),
                        granule: start + 1000 * Int64(number + 1),
                        isLast: isEnded && number == count - 1)))
        }
        return pages
    }

    @Test func `the checksum is that of RFC 3533, whatever the length`() {
        var random = RandomSource(seed: 3)
        for count in 0..<300 {
            let page = OggFile.page(
                (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }, sequence: UInt32(count), granule: 5)
            page.withUnsafeBytes { bytes in
                #expect(OggPage.size(bytes) == page.count)
                let parsed = OggPage(bytes, offset: 9)
                #expect(parsed?.sequence == UInt32(count) && parsed?.granule == 5 && parsed?.serial == 7)
            }
        }
    }

    @Test(arguments: [SoundFileContainer.ogg, .opus])
    func `files of libsndfile are whole, and their last page says how long they are`(_ container: SoundFileContainer)
        throws
    {
        let file = try folder.ogg(container, seconds: 5)
        let found = try pages(file)
        #expect(isWhole(found) && found.isWhole && OggFile.pages(file).count > 3)
        let frames = try #require(try SoundFile(path: path).frameCount)
        #expect(frames == 40_000)
        // Opus counts at 48 kHz, from before what the encoder adds.
        let last = try #require(found.lastGranule)
        if container == .ogg {
            #expect(last == frames)
        } else {
            #expect((6 * frames..<6 * frames + 6000).contains(last))
        }
    }

    @Test(arguments: [SoundFileContainer.ogg, .opus])
    func `a flipped bit of any byte is found`(_ container: SoundFileContainer) throws {
        var file = try folder.ogg(container, seconds: container == .ogg ? 0.3 : 0.9)
        let ranges = OggFile.pages(file)
        #expect(ranges.count >= 3 && ranges.last?.upperBound == file.count)
        // One of each byte, at all positions in turn.
        for bit in (0..<file.count).map({ 8 * $0 + ($0 ^ $0 >> 3) % 8 }) {
            file[bit / 8] ^= 1 << UInt8(bit % 8)
            let found = try pages(file)
            if isWhole(found) { Issue.record("bit \(bit) of \(8 * file.count)") }
            file[bit / 8] ^= 1 << UInt8(bit % 8)
        }
    }

    @Test(arguments: [SoundFileContainer.ogg, .opus])
    func `every cut is found, from the last pages alone, too`(_ container: SoundFileContainer) throws {
        let file = try folder.ogg(container, seconds: 2.2)
        let ranges = OggFile.pages(file)
        for length in 1..<file.count {
            let found = try pages(file.prefix(length))
            #expect(found.isCutOff && found.damage.isEmpty && !found.isChained, "cut to \(length)")
            let granule = ranges.last { $0.upperBound <= length }.map {
                Int(file[$0.lowerBound + 6]) + 256 * Int(file[$0.lowerBound + 7])
            }
            #expect((found.lastGranule ?? 0) % 65_536 == granule ?? 0, "cut to \(length)")
        }
    }

    @Test func `a long recording's ends alone tell that it is cut off, or that another one follows`() throws {
        let long = stream(400, bytes: 2000)
        let file = Data(long.joined())
        let whole = try pages(file, endsOnly: true)
        #expect(isWhole(whole) && !whole.isWhole && whole.lastGranule == 400_000)
        #expect(try pages(file).isWhole)
        for lost in [1, 26, 27, 100, 2029, 2030, 2035, 2036, 2100, 5000, 70_000] {
            let found = try pages(file.dropLast(lost), endsOnly: true)
            #expect(found.isCutOff && found.lastGranule == 1000 * (399 - (lost - 1) / long[402 - 1].count), "\(lost)")
        }
        // As long as pages can be, and cut within one.
        let wide = stream(6, bytes: 65_000)
        let cut = try pages(Data(wide.joined()).dropLast(64_000), endsOnly: true)
        #expect(cut.isCutOff && !cut.isWhole && cut.lastGranule == 5000)
        // What follows does not matter, however much it is.
        for count in [1, 26, 5000, 500_000] {
            #expect(try isWhole(pages(file + Data(count: count), endsOnly: true)), "\(count)")
            #expect(try isWhole(pages(file + Data(count: count))), "\(count)")
        }
        #expect(try pages(file + Data(stream(400, serial: 8, bytes: 2000).joined()), endsOnly: true).isChained)
    }

    @Test
    func `pages that are missing, repeated or in another order are damage, from the page before to the page behind`()
        throws
    {
        let whole = stream(20)
        func found(_ change: (inout [Data]) -> Void) throws -> OggPages {
            var changed = whole
            change(&changed)
            return try pages(Data(changed.joined()))
        }
        #expect(try isWhole(found { _ in }))
        let missing = try found { $0.remove(at: 10) }
        #expect(missing.damage == [.init(start: 8000, end: 10_000, cause: .oggSequence(expected: 10, found: 11))])
        #expect(try found { $0.insert($0[10], at: 11) }.damage.count == 1)
        #expect(try found { $0.swapAt(10, 15) }.damage.isEmpty == false)
        #expect(
            try found { $0[10][100] ^= 4 }.damage == [.init(start: 8000, end: 10_000, cause: .oggPage(10))]
        )
        // A header concerns everything, and so does what may be one.
        #expect(try found { $0.remove(at: 1) }.damage.first?.start == nil)
        #expect(try found { $0[2][100] ^= 4 }.damage.first?.start == nil)
        // Without a page behind it, the damage has no end.
        let last = try found { $0[21][100] ^= 4 }
        #expect(last.damage == [.init(start: 19_000, end: nil, cause: .oggPage(21))] && !last.isCutOff)
        // Pages behind the end.
        #expect(try pages(Data((whole + [whole[5]]).joined())).damage.count == 1)
        // Each by itself, and not too many of them.
        let every = try found { pages in for number in stride(from: 3, to: 21, by: 4) { pages[number][100] ^= 1 } }
        #expect(every.damage.map(\.start) == [1000, 5000, 9000, 13_000, 17_000])
        var many = stream(2000)
        for number in stride(from: 3, to: 2000, by: 2) { many[number][100] ^= 1 }
        let found = try pages(Data(many.joined()))
        #expect(found.damage.count == 256 && found.damage.last?.end == nil)
    }

    @Test func `a last page that holds nothing ends the stream`() throws {
        let open = stream(5, isEnded: false)
        var end = OggFile.page([], sequence: 7, granule: 5000, isLast: true)
        end.removeLast()
        end[26] = 0
        let file = Data((open + [OggFile.renumbered(Data(end))]).joined())
        #expect(try isWhole(pages(file)) && pages(file).lastGranule == 5000)
        #expect(try pages(file.dropLast(1)).isCutOff)
    }

    @Test func `whatever a page says, nothing overflows`() throws {
        for granule in [Int64.max, Int64.max - 1, 1 << 62, -1, -2, .min] {
            var pages = stream(5)
            pages[4] = Data(OggFile.page([1, 2, 3], sequence: 4, granule: granule))
            pages[5] = Data(OggFile.page([1, 2, 3], sequence: .max, granule: granule))
            #expect(try !self.pages(Data(pages.joined())).damage.isEmpty)
            let written = OggFile.pages(try folder.ogg(.ogg, seconds: 3))
            var file = try folder.ogg(.ogg, seconds: 3)
            for number in [written.count - 1, written.count - 2, 2] {
                var page = file[written[number]]
                let field = page.startIndex + 6..<page.startIndex + 14
                page.replaceSubrange(field, with: withUnsafeBytes(of: granule.littleEndian) { Data($0) })
                file.replaceSubrange(written[number], with: OggFile.renumbered(page))
                // Of damage in the page before it.
                var damaged = file
                damaged[written[number - 1].lowerBound + 30] ^= 1
                try RawFile.write(damaged, to: path)
                _ = try decoder().failure(path)
                _ = try decoder().failure(path, segment: Segment(start: 1, end: 2))
            }
        }
    }

    @Test func `bytes between pages do not matter; a recording that follows in the same file does`() throws {
        let whole = stream(20)
        #expect(try isWhole(pages(Data(whole[..<7].joined()) + Data("OggS, or so".utf8) + Data(whole[7...].joined()))))
        #expect(try isWhole(pages(Data(count: 1000) + Data(whole.joined()))))
        #expect(try pages(Data((whole + stream(3, serial: 8)).joined())).isChained)
        #expect(try pages(Data((whole + stream(3)).joined())).isChained)
        #expect(try pages(Data((stream(3, isEnded: false) + stream(3, serial: 8)).joined())).isChained)
    }

    @Test func `of streams that are mixed page by page, the one that starts first counts`() throws {
        let (first, other) = (stream(20), stream(30, serial: 9))
        func mixed(_ first: [Data], _ other: [Data]) -> Data {
            var pages = [first[0], other[0]]
            for number in 1..<max(first.count, other.count) {
                if number < first.count { pages.append(first[number]) }
                if number < other.count { pages.append(other[number]) }
            }
            return Data(pages.joined())
        }
        #expect(try isWhole(pages(mixed(first, other))) && isWhole(pages(mixed(first, other), endsOnly: true)))
        #expect(try pages(mixed(first, other)).lastGranule == 20_000)
        var damaged = other
        damaged.remove(at: 10)
        #expect(try isWhole(pages(mixed(first, damaged))))
        damaged = first
        damaged.remove(at: 10)
        #expect(try pages(mixed(damaged, other)).damage.count == 1)
        #expect(try pages(mixed(Array(first.dropLast()), other)).isCutOff)
    }

    @Test func `a broadcast that was joined late counts from its first page`() throws {
        let found = try pages(Data(stream(20, start: 1 << 40).joined()))
        #expect(found.firstGranule == 1 << 40 + 1000 && isWhole(found))
        #expect(try pages(Data(stream(20, start: 1000).joined())).firstGranule == 0)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a file of nothing but beginnings of pages takes no longer than it is long`() throws {
        var page = OggFile.page([UInt8](repeating: 0, count: 64_000), sequence: 0, granule: 0)
        page.removeLast(page.count - 27)
        let start = OggFile.page([1], sequence: 0, granule: 0, isFirst: true)
        let file = Data(
            start + (0..<40_000).flatMap { _ in page[..<26] + [255] } + [UInt8](repeating: 255, count: 65_536))
        #expect(try isWhole(pages(file)) == false)
    }

    @Test(.needsCollection)
    func `no recording of the collection is called damaged`() throws {
        let data = try Fixtures.collection()
        let files = try #require(FileManager.default.enumerator(at: data, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files where ["ogg", "oga", "opus"].contains(file.pathExtension) {
            // Both folders have recordings that are damaged or joined on purpose.
            guard Set(file.pathComponents).isDisjoint(with: ["broken", "field"]) else { continue }
            #expect(
                try isWhole(OggPages(.file(file.path))) && isWhole(OggPages(.file(file.path), endsOnly: true)),
                "\(file.path)")
            count += 1
        }
        #expect(count > 200)
    }
}
