import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import AudioDecoding

struct OggRecordingTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("file.ogg")
    }

    private func outcome(_ file: Data, _ segment: Segment? = nil) throws -> Result<[Float], ClipFailure> {
        try RawFile.write(file, to: path)
        let decoder = try decoder()
        do throws(ClipFailure) {
            return .success(try decoder.read(path, segment: segment).decoded)
        } catch {
            return .failure(error)
        }
    }

    private func samples(_ file: Data, _ segment: Segment? = nil) throws -> [Float] { try outcome(file, segment).get() }

    private func failure(_ file: Data, _ segment: Segment? = nil) throws -> ClipFailure? {
        guard case .failure(let failure) = try outcome(file, segment) else { return nil }
        return failure
    }

    @Test(arguments: [SoundFileContainer.ogg, .opus])
    func `a flipped bit is a failure, never other samples`(_ container: SoundFileContainer) throws {
        var file = try folder.ogg(container, seconds: 2.2)
        let whole = try samples(file)
        #expect(whole.count == 17_600)
        for bit in stride(from: 3, to: 8 * file.count, by: 197) {
            file[bit / 8] ^= 1 << UInt8(bit % 8)
            if case .success(let found) = try outcome(file) {
                Issue.record("bit \(bit): \(found.count) samples, \(found == whole ? "equal" : "others")")
            }
            file[bit / 8] ^= 1 << UInt8(bit % 8)
        }
    }

    @Test(arguments: [SoundFileContainer.ogg, .opus])
    func `a cut is a failure, wherever it is`(_ container: SoundFileContainer) throws {
        let file = try folder.ogg(container, seconds: 5)
        let ranges = OggFile.pages(file)
        var lengths = Array(stride(from: 1, to: file.count, by: 701))
        for range in ranges {
            lengths += [-1, 0, 1, 4, 5, 26, 27, 28].map { range.lowerBound + $0 }.filter { $0 > 0 }
        }
        for length in lengths + [file.count - 1] {
            #expect(try failure(file.prefix(length)) != nil, "cut to \(length)")
        }
        let last = try #require(ranges.last).lowerBound
        for length in [last, last + 1, file.count - 1] {
            #expect(try failure(file.prefix(length))?.kind == .cutOff, "cut to \(length)")
        }
    }

    @Test(arguments: [SoundFileContainer.ogg, .opus])
    func `of a cut recording, segments before the cut are read, and the rest as far as it goes where that is wanted`(
        _ container: SoundFileContainer
    ) throws {
        let file = try folder.ogg(container, seconds: 20)
        let whole = try samples(file)
        let early = Segment(start: 3, end: 5.5)
        let segment = try samples(file, early)
        let ranges = OggFile.pages(file)
        // Between two pages libsndfile knows the length, within one it does not.
        for length in [ranges[ranges.count / 2].lowerBound, ranges[ranges.count / 2].lowerBound + 300] {
            let cut = file.prefix(length)
            #expect(try samples(cut, early) == segment)
            #expect(try failure(cut, Segment(start: 15, end: 19))?.kind == .cutOff)
            #expect(try failure(cut)?.kind == .cutOff)
            let kept = try ClipDecoder(AudioConfiguration(sampleRate: nil), policy: RecordingPolicy(truncated: .keep))
                .read(path)
            #expect(kept.found?.isTruncated == true && kept.decoded.count > 50_000 && kept.decoded.count < 120_000)
            #expect(kept.decoded == Array(whole.prefix(kept.decoded.count)))
        }
    }

    @Test(arguments: [SoundFileContainer.ogg, .opus])
    func `bytes after the last page make no difference`(_ container: SoundFileContainer) throws {
        let file = try folder.ogg(container, seconds: 3)
        let whole = try samples(file)
        var random = RandomSource(seed: 4)
        for count in [1, 27, 100, 5000, 300_000] {
            let junk = Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
            #expect(try samples(file + junk) == whole)
            #expect(try samples(file + Data(count: count)) == whole)
            #expect(try samples(file + Data("TAG".utf8) + junk) == whole)
        }
    }

    @Test(arguments: [SoundFileContainer.ogg, .opus])
    func `of several recordings in one file, none is read`(_ container: SoundFileContainer) throws {
        let (first, second) = (
            try folder.ogg(container, seconds: 3), try folder.ogg(container, seconds: 2, seed: 2)
        )
        for file in [first + second, first + first, first + second + first] {
            #expect(try failure(file) == .chainedOgg)
            #expect(try failure(file, Segment(start: 0, end: 1)) != nil)
            let decoder = try decoder()
            #expect(throws: ClipFailure.self) {
                try decoder.survey(Clip(index: 0, id: "", path: path), path: path)
            }
        }
    }

    @Test(arguments: [SoundFileContainer.ogg, .opus])
    func `other tracks than the sound make no difference`(_ container: SoundFileContainer) throws {
        let file = try folder.ogg(container, seconds: 3)
        let whole = try samples(file)
        var pages = OggFile.pages(file).map { file[$0] }
        for number in pages.indices.reversed() {
            let flags: UInt8 = number == 0 ? 2 : number == pages.count - 1 ? 4 : 0
            pages.insert(OggFile.renumbered(pages[number], serial: 0x5EED, flags: flags), at: number + 1)
        }
        #expect(try samples(Data(pages.joined())) == whole)
        pages.remove(at: pages.count - 2)
        #expect(try failure(Data(pages.joined())) != nil)
    }

    @Test(arguments: [SoundFileContainer.ogg, .opus])
    func `a missing, repeated or moved page is a failure`(_ container: SoundFileContainer) throws {
        let file = try folder.ogg(container, seconds: 6)
        let pages = OggFile.pages(file).map { file[$0] }
        #expect(pages.count >= 6)
        for number in pages.indices {
            var changed = pages
            changed.remove(at: number)
            #expect(try failure(Data(changed.joined())) != nil, "without page \(number)")
            changed = pages
            // A repeated last page is after the end of the recording, where nothing counts.
            if number < pages.count - 1 {
                changed.insert(pages[number], at: number)
                #expect(try failure(Data(changed.joined())) != nil, "page \(number) twice")
            }
            changed = pages
            changed.swapAt(number, (number + 2) % pages.count)
            #expect(try failure(Data(changed.joined())) != nil, "page \(number) elsewhere")
        }
    }

    @Test(arguments: [SoundFileContainer.ogg, .opus])
    func `segments away from damage are read, bit for bit, and those at it are not`(_ container: SoundFileContainer)
        throws
    {
        var file = try folder.ogg(container, seconds: 60)
        let pages = OggFile.pages(file)
        let damaged = pages.count / 2
        let before = file[pages[damaged - 1]]
        // Where the page before ends, in seconds.
        let clock = container == .ogg ? 8000.0 : 48_000
        let edge = (0..<8).reduce(0) { $0 + Double(before[before.startIndex + 6 + $1]) * pow(256, Double($1)) } / clock
        var segments = stride(from: 0.05, to: 57, by: 3).compactMap { Segment(start: $0, end: $0 + 2.9) }
        segments += stride(from: -0.1, to: 0.1, by: 0.003).compactMap { Segment(start: edge - 1, end: edge + $0) }
        let whole = try segments.map { try samples(file, $0) }
        file[pages[damaged].lowerBound + 100] ^= 1
        var refused = 0
        for (segment, expected) in zip(segments, whole) {
            switch try outcome(file, segment) {
            case .success(let found): #expect(found == expected, "\(segment)")
            case .failure(let failure):
                guard case .damaged(_, .oggPage(let page)) = failure else {
                    Issue.record("\(failure)")
                    continue
                }
                #expect(page.map(Int.init) == damaged)
                #expect(abs(segment.start - edge) < 8, "\(segment)")
                refused += 1
            }
        }
        #expect((30..<segments.count - 40).contains(refused))
    }

    @Test func `one walk serves all segments of a long recording, until another file has its name`() throws {
        let file = try folder.ogg(.ogg, seconds: 3)
        try RawFile.write(file, to: path)
        let (scans, identity) = (RecordingScans(), try #require(FileContent.file(path).status))
        let found = try scans.pages(of: identity, .file(path))
        #expect(found.damage.isEmpty && !found.isCutOff)
        try FileManager.default.removeItem(atPath: path)
        #expect(try scans.pages(of: identity, .file(path)) == found)
        try RawFile.write(file.dropLast(10), to: path)
        #expect(try scans.pages(of: FileContent.file(path).status, .file(path)).isCutOff)
    }

    @Test func `damage between the ends of a long recording is found when it is read, not before`() throws {
        var file = try folder.ogg(.ogg, seconds: 40, rate: 48_000)
        #expect(file.count > 300_000)
        let whole = try samples(file)
        #expect(whole.count == 1_920_000)
        file[file.count / 2] ^= 1
        #expect(try failure(file)?.kind == .damaged)
        let clip = Clip(index: 0, id: "", path: path)
        #expect(try decoder().survey(clip, path: path).duration == 40)
        try RawFile.write(file.dropLast(1), to: path)
        #expect(throws: ClipFailure.self) { try decoder().survey(clip, path: path) }
    }
}
