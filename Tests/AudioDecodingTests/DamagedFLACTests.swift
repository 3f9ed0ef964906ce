import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import AudioDecoding

struct DamagedFLACTests {
    private let folder: TemporaryFolder
    private let whole: Data
    /// The samples of the sound recording: 3 s of noise, in frames of 4,096.
    private let samples: [Float]
    private let path: String

    private static let rate = 8000

    init() throws {
        folder = try TemporaryFolder()
        let sound = folder.path("sound.flac")
        var random = RandomSource(seed: 14)
        // Noise that fades in, so that frames differ in size and predictors.
        let count = 3 * Self.rate
        let noise = random.samples(count).enumerated().map { $1 * Float($0) / Float(count) }
        try Self.write(noise, to: sound)
        whole = try Data(contentsOf: URL(filePath: sound))
        samples = try decoder().read(sound).signal
        path = folder.path("damaged.flac")
        try #require(samples.count == count)
    }

    private static func write(_ samples: [Float], to path: String) throws {
        let format = try #require(
            SoundFileFormat.output(
                .flac, like: SoundFileFormat(code: SoundFileContainer.wav.codes[0] | SoundEncoding.pcm16.rawValue),
                sampleRate: rate, channels: 1))
        let writer = try SoundFileWriter(
            path: path, settings: .init(format: format, sampleRate: rate, channels: 1), overwriting: false)
        try samples.withUnsafeBufferPointer { try writer.write(#require($0.baseAddress), frames: samples.count) }
        _ = try writer.finish()
    }

    private func keeping() throws -> ClipDecoder {
        ClipDecoder(try AudioConfiguration(sampleRate: nil), policy: RecordingPolicy(truncated: .keep))
    }

    @Test func `the frames of few recordings are kept at a time`() throws {
        try whole.write(to: URL(filePath: path))
        let (scans, frames) = (RecordingScans(), try #require(try FLACFrames(.file(path))))
        let parts = (1...100).compactMap { FileContent.file(path).dropping(first: $0) }
        try #require(parts.count == 100)
        for part in parts {
            scans.keep(frames, of: part)
            #expect(scans.frames(of: part) != nil)
        }
        #expect(parts.count { scans.frames(of: $0) != nil } <= RecordingScans.maximumFrames)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a FLAC that ends in nothing but headers of frames takes no longer than another`() throws {
        // The checksum of each header is right, and none is that of a frame. The size of frames is not said.
        var bytes = whole.prefix(firstFrame)
        bytes.replaceSubrange(12..<18, with: Data(count: 6))
        for _ in 0..<50_000 {
            bytes.append(contentsOf: [0xFF, 0xF8, 0x14, 0x08, 0x00, Self.checksum8([0xFF, 0xF8, 0x14, 0x08, 0x00])])
        }
        // No number of these headers has this checksum.
        bytes.append(contentsOf: [1, 0])
        try bytes.write(to: URL(filePath: path))
        let stream = try #require(HeaderBytes(.file(path)).flatMap(FLACStream.init))
        #expect(stream.frameCount == nil)
    }

    @Test(.timeLimit(.minutes(5)), arguments: [(1, 400_000), (2, 1_000_000)])
    func `a FLAC of nothing but headers of frames is searched for another one in time that its length gives`(
        step: Int, count: Int
    ) throws {
        // The greatest size of a frame is said to be the greatest that can be said.
        var bytes = whole.prefix(firstFrame)
        bytes.replaceSubrange(15..<18, with: Data(repeating: 0xFF, count: 3))
        let sums = (0..<256).map { Self.checksum8([UInt8($0)]) }
        for number in stride(from: 0, to: step * count, by: step) {
            let header: [UInt8] = [
                0xFF, 0xF8, 0x14, 0x08, 0xF0 | UInt8(number >> 18), 0x80 | UInt8(number >> 12 & 63),
                0x80 | UInt8(number >> 6 & 63), 0x80 | UInt8(number & 63),
            ]
            bytes.append(contentsOf: header)
            bytes.append(header.reduce(0) { sums[Int($0 ^ $1)] })
        }
        try bytes.write(to: URL(filePath: path))
        let file = try #require(HeaderBytes(.file(path)))
        let stream = try #require(FLACStream(file))
        #expect(!FLACStreamCount.isRepeated(file, stream, frameCount: 1))
        // A number that falls shows another one.
        bytes.append(bytes[firstFrame..<firstFrame + 18])
        try bytes.write(to: URL(filePath: path))
        let longer = try #require(HeaderBytes(.file(path)))
        #expect(FLACStreamCount.isRepeated(longer, stream, frameCount: 1) == (step == 1))
    }

    /// CRC-8 of x⁸ + x² + x + 1.
    private static func checksum8(_ bytes: [UInt8]) -> UInt8 {
        bytes.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ byte) { sum, _ in sum & 0x80 == 0 ? sum << 1 : sum << 1 ^ 0x07 }
        }
    }

    /// The first byte of the first frame.
    private var firstFrame: Int {
        var index = 4
        while index < whole.count {
            let isLast = whole[index] & 0x80 != 0
            index += 4 + Int(whole[index + 1]) << 16 + Int(whole[index + 2]) << 8 + Int(whole[index + 3])
            if isLast { break }
        }
        return index
    }

    @Test func `a flipped bit in a frame leaves the samples as they are, or fails, from whatever sample one reads`()
        throws
    {
        let segments = [
            nil, Segment(start: 0.6, end: 1), Segment(start: 1.024, end: 1.1), Segment(start: 1.6, end: nil),
        ]
        let expected = [samples[...], samples[4800..<8000], samples[8192..<8800], samples[12_800...]]
        var (failed, kept) = (0, 0)
        // Bits all over the frames, and every bit of a frame's header and of its end.
        var bits = Array(stride(from: firstFrame * 8, to: whole.count * 8, by: 577))
        bits += firstFrame * 8..<(firstFrame + 16) * 8
        bits += (whole.count - 4) * 8..<whole.count * 8
        for bit in bits {
            var bytes = whole
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            try RawFile.write(bytes, to: path)
            // Neither may take damage for sound, whatever was read before.
            for decoder in [try decoder(), try keeping()] {
                for (segment, expected) in zip(segments, expected) {
                    do throws(ClipFailure) {
                        let found = try decoder.read(path, segment: segment)
                        if found.found?.isTruncated == true {
                            #expect(found.signal == Array(expected.prefix(found.signal.count)), "bit \(bit)")
                        } else {
                            #expect(found.signal == Array(expected), "bit \(bit)")
                        }
                        kept += 1
                    } catch {
                        #expect(error.stage == .decode || error.stage == .open, "bit \(bit): \(error)")
                        failed += 1
                    }
                }
            }
        }
        // Segments away from the damage are read.
        #expect(failed > bits.count && kept > bits.count)
    }

    @Test func `a flipped bit in the header changes neither samples nor rate, or fails`() throws {
        var failed = 0
        for bit in 0..<firstFrame * 8 {
            var bytes = whole
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            try RawFile.write(bytes, to: path)
            let decoder = try decoder()
            do throws(ClipFailure) {
                let found = try decoder.read(path)
                let same = found.signal == samples && found.found?.sampleRate == Self.rate
                #expect(same, "bit \(bit)")
            } catch {
                failed += 1
            }
        }
        #expect(failed > 50)
    }

    @Test func `segments away from the damage are those of the sound recording`() throws {
        var bytes = whole
        // In the middle of the recording, so in the fourth of the six frames.
        bytes[firstFrame + (whole.count - firstFrame) * 55 / 100] ^= 4
        try RawFile.write(bytes, to: path)
        let decoder = try decoder()
        #expect(decoder.failure(path)?.kind == .damaged)
        #expect(try decoder.read(path, segment: Segment(start: 0, end: 1)).signal == Array(samples[..<8000]))
        #expect(try decoder.read(path, segment: Segment(start: 0.7, end: 0.9)).signal == Array(samples[5600..<7200]))
        #expect(try decoder.read(path, segment: Segment(start: 2.7, end: 3)).signal == Array(samples[21_600...]))
    }

    @Test(arguments: [0.3, 0.55, 0.8, 0.97])
    func `a FLAC that breaks off fails, or is kept up to its last whole frame`(share: Double) throws {
        let cut = firstFrame + Int(Double(whole.count - firstFrame) * share)
        try RawFile.write(whole.prefix(cut), to: path)
        let failure = try #require(try decoder().failure(path))
        #expect(failure.cut?.promised == 3, "\(failure)")
        let found = try keeping().read(path)
        #expect(found.found?.isTruncated == true)
        let count = found.signal.count
        #expect(count > 0 && count % 4096 == 0 && count < samples.count)
        #expect(found.signal == Array(samples[..<count]))
        let seconds = Double(count) / Double(Self.rate)
        let before = try #require(Segment(start: seconds / 2, end: seconds))
        let whole = try decoder().read(path, segment: before)
        #expect(whole.signal == Array(samples[count / 2..<count]) && whole.found?.isTruncated == false)
        let across = try #require(Segment(start: seconds / 2, end: 3))
        #expect(try decoder().failure(path, segment: across) == failure)
        #expect(try keeping().read(path, segment: across).signal == Array(samples[count / 2..<count]))
        let behind = try #require(Segment(start: seconds + 0.01, end: 3))
        #expect(try decoder().failure(path, segment: behind)?.kind == .cutOff)
        #expect(try keeping().failure(path, segment: behind)?.kind == .cutOff)
    }

    @Test func `a cut between two frames is a cut, too`() throws {
        // A frame starts with FF F8 and the same bytes as the first one's header, except for its number.
        let start = whole[firstFrame..<firstFrame + 3]
        let frames = whole.indices.dropLast(3).filter { whole[$0..<$0 + 3].elementsEqual(start) }
        try #require(frames.count >= 5)
        for (number, index) in frames.enumerated() where number > 0 {
            try RawFile.write(whole.prefix(index), to: path)
            #expect(try decoder().failure(path)?.cut?.promised == 3)
            #expect(try keeping().read(path).signal == Array(samples[..<(4096 * number)]))
        }
    }

    @Test(arguments: [false, true]) func `frames that are cut out are damage, not silence`(statesShortest: Bool) throws
    {
        let start = whole[firstFrame..<firstFrame + 3]
        let frames = whole.indices.dropLast(3).filter { whole[$0..<$0 + 3].elementsEqual(start) }
        try #require(frames.count >= 5)
        // The second and third of six. Some programs state the length of the last frame as the shortest.
        var bytes = whole[..<frames[1]] + whole[frames[3]...]
        if statesShortest { bytes.replaceSubrange(8..<10, with: [0x0D, 0xC0]) }
        try RawFile.write(bytes, to: path)
        for decoder in [try decoder(), try keeping()] {
            #expect(decoder.failure(path)?.kind == .damaged)
            // Before, across the start of the gap, in it, across its end, after it.
            let rate = Double(Self.rate)
            let segments = [
                (0, 4096), (4000, 4104), (5000, 6000), (12_200, 12_400), (12_288, 12_400), (12_288, 24_000),
            ]
            for (first, last) in segments {
                let segment = try #require(Segment(start: Double(first) / rate, end: Double(last) / rate))
                guard first >= 12_288 || last <= 4096 else {
                    #expect(decoder.failure(path, segment: segment)?.kind == .damaged, "\(first)")
                    continue
                }
                #expect(try decoder.read(path, segment: segment).signal == Array(samples[first..<last]), "\(first)")
            }
        }
    }

    @Test func `the headers around some samples show that no frame is missing there`() throws {
        let start = whole[firstFrame..<firstFrame + 3]
        let frames = whole.indices.dropLast(3).filter { whole[$0..<$0 + 3].elementsEqual(start) }
        try #require(frames.count >= 5)
        try RawFile.write(whole[..<frames[1]] + whole[frames[3]...], to: path)
        let continuity = try #require(try FLACContinuity(.file(path)))
        // The gap is from 4096 to 12288. Parts are asked for in any order.
        let parts: [(Int, Int, Bool)] = [(0, 4096, true), (4000, 4100, false), (100, 200, true), (0, 24_000, false)]
        for (first, last, isWhole) in parts { #expect(try continuity.isShown(first..<last) == isWhole, "\(first)") }
    }

    @Test func `frames of a long recording are found anywhere in it`() throws {
        let long = folder.path("long.flac")
        let count = 120 * Self.rate
        var random = RandomSource(seed: 5)
        try Self.write(random.samples(count), to: long)
        let size = try #require(FileStatus(path: long)).byteCount
        try #require(size > 20 << 16)
        for first in [count - 5000, 0, count / 2, count / 3, count / 3 + 70_000, count / 3 + 80_000] {
            let continuity = try #require(try FLACContinuity(.file(long)))
            #expect(try continuity.isShown(first..<min(first + 5000, count)), "\(first)")
            #expect(try continuity.isShown(0..<100))
            #expect(try !continuity.isShown(0..<count + 1))
        }
    }

    @Test func `frames that are in another order are damage, not silence`() throws {
        let start = whole[firstFrame..<firstFrame + 3]
        let frames = whole.indices.dropLast(3).filter { whole[$0..<$0 + 3].elementsEqual(start) }
        try #require(frames.count >= 5)
        // The third and the second.
        let (second, third) = (whole[frames[1]..<frames[2]], whole[frames[2]..<frames[3]])
        try RawFile.write(whole[..<frames[1]] + third + second + whole[frames[3]...], to: path)
        for decoder in [try decoder(), try keeping()] {
            #expect(decoder.failure(path)?.kind == .damaged)
            let rate = Double(Self.rate)
            for (first, last) in [(0, 4096), (4096, 8192), (5000, 5100), (8192, 12_288), (12_288, 24_000)] {
                let segment = try #require(Segment(start: Double(first) / rate, end: Double(last) / rate))
                guard let failure = decoder.failure(path, segment: segment) else {
                    let found = try decoder.read(path, segment: segment).signal
                    #expect(found == Array(samples[first..<last]), "\(first)")
                    continue
                }
                #expect(failure.kind == .damaged && first != 0, "\(first)")
            }
        }
    }

    /// Files whose shortest and longest frames differ by their headers, and whose frame headers do not say what they count.
    @Test func `what headers count is found in the second frame`() throws {
        let start = whole[firstFrame..<firstFrame + 3]
        let frames = whole.indices.dropLast(3).filter { whole[$0..<$0 + 3].elementsEqual(start) }
        var bytes = whole
        bytes.replaceSubrange(8..<10, with: [0x0D, 0xC0])
        try RawFile.write(bytes, to: path)
        let stream = try #require(HeaderBytes(.file(path)).flatMap { FLACStream($0) })
        #expect(stream.fixedBlock == 4096 && stream.frameCount == samples.count)
        // The second frame has number 4096, in three bytes, as old files count.
        let header: [UInt8] = Array(whole[frames[1]..<frames[1] + 4]) + [0xE1, 0x80, 0x80]
        let sum = header.reduce(UInt8(0)) { sum, byte in
            (0..<8).reduce(sum ^ byte) { sum, _ in sum & 0x80 == 0 ? sum << 1 : sum << 1 ^ 0x07 }
        }
        bytes.replaceSubrange(frames[1]..<frames[1] + 6, with: header + [sum])
        try RawFile.write(bytes, to: path)
        let old = try #require(HeaderBytes(.file(path)).flatMap { FLACStream($0) })
        #expect(old.fixedBlock == 1)
    }

    @Test func `a frame between two whose headers are damaged is read`() throws {
        let start = whole[firstFrame..<firstFrame + 3]
        let frames = whole.indices.dropLast(3).filter { whole[$0..<$0 + 3].elementsEqual(start) }
        try #require(frames.count >= 5)
        var bytes = whole
        for frame in [frames[1], frames[3]] { bytes.replaceSubrange(frame..<frame + 4, with: Data(count: 4)) }
        try RawFile.write(bytes, to: path)
        let rate = Double(Self.rate)
        for (first, last) in [(8192, 12_288), (9000, 9100), (16_384, 24_000)] {
            let segment = try #require(Segment(start: Double(first) / rate, end: Double(last) / rate))
            #expect(try decoder().read(path, segment: segment).signal == Array(samples[first..<last]), "\(first)")
        }
        let across = try #require(Segment(start: 8000 / rate, end: 8300 / rate))
        #expect(try decoder().failure(path, segment: across)?.kind == .damaged)
    }

    @Test func `silence in a FLAC is no damage`() throws {
        let silent = samples[..<8192] + [Float](repeating: 0, count: 8192) + samples[16_384...]
        try Self.write(Array(silent), to: path)
        let found = try decoder().read(path).signal
        #expect(found.count == silent.count && found[8192..<16_384].allSatisfy { $0 == 0 })
    }

    /// Damage in the middle of a recording.
    enum Wound: CaseIterable {
        case flippedBit, zeros, removed, inserted, swapped

        func apply(to bytes: inout Data, at offset: Int) {
            let range = offset..<offset + 3000
            switch self {
            case .flippedBit: bytes[offset] ^= 4
            case .zeros: bytes.replaceSubrange(range, with: Data(count: 3000))
            case .removed: bytes.removeSubrange(range)
            case .inserted: bytes.insert(contentsOf: Data(repeating: 7, count: 3000), at: offset)
            case .swapped:
                let first = Data(bytes[range])
                bytes.replaceSubrange(range, with: Data(bytes[(offset + 20_000)..<(offset + 23_000)]))
                bytes.replaceSubrange((offset + 20_000)..<(offset + 23_000), with: first)
            }
        }
    }

    private enum Outcome: Equatable {
        case samples([Float])
        case failure(ClipFailure)
    }

    private func outcome(_ decoder: ClipDecoder, _ segment: Segment) -> Outcome {
        do throws(ClipFailure) { return .samples(try decoder.read(path, segment: segment).signal) } catch {
            return .failure(error)
        }
    }

    @Test(arguments: Wound.allCases)
    func `whether a window fails depends on nothing that was read before it`(_ wound: Wound) throws {
        let sound = folder.path("long.flac")
        let (count, rate) = (40 * Self.rate, Self.rate)
        var source = RandomSource(seed: 3)
        try Self.write(source.samples(count), to: sound)
        let intact = try decoder().read(sound).signal
        let bytes = try Data(contentsOf: URL(filePath: sound))
        let windows = try (0..<80).map { try #require(Segment(start: Double($0) / 2, end: Double($0 + 1) / 2)) }
        for share in stride(from: 30, to: 80, by: 7) {
            var damaged = bytes
            wound.apply(to: &damaged, at: bytes.count * share / 100)
            try RawFile.write(damaged, to: path)
            let alone = try windows.map { outcome(try decoder(), $0) }
            for (number, outcome) in alone.enumerated() {
                guard case .samples(let samples) = outcome else { continue }
                #expect(
                    samples == Array(intact[(number * rate / 2)..<((number + 1) * rate / 2)]), "\(share): \(number)")
            }
            // Frames of half a second: what is damaged of two of them, and of two others, is in so many windows at most.
            let failed = alone.count { if case .failure = $0 { true } else { false } }
            #expect((1...(wound == .swapped ? 8 : 4)).contains(failed), "\(share): \(failed)")
            var random = RandomSource(seed: UInt64(share))
            let rising = Array(windows.indices)
            let orders = [rising, rising.reversed(), rising.shuffled(using: &random)]
            for order in orders {
                let decoder = try decoder()
                for number in order {
                    #expect(
                        outcome(decoder, windows[number]) == alone[number], "\(share): \(number) in \(order.prefix(3))")
                }
            }
        }
    }
}
