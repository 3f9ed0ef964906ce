import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import AudioDecoding

/// Plain WAV files read without libsndfile: what libsndfile reads, or left to it.
struct PlainWaveFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func little(_ value: Int, bytes: Int) -> Data { Data((0..<bytes).map { UInt8(value >> (8 * $0) & 255) }) }

    private func chunk(_ name: String, _ payload: Data) -> Data {
        Data(name.utf8) + little(payload.count, bytes: 4) + payload + Data(count: payload.count % 2)
    }

    private func format(_ tag: Int, channels: Int, rate: Int, bits: Int, extra: Data = Data()) -> Data {
        let frame = channels * bits / 8
        return chunk(
            "fmt ",
            little(tag, bytes: 2) + little(channels, bytes: 2) + little(rate, bytes: 4) + little(rate * frame, bytes: 4)
                + little(frame, bytes: 2) + little(bits, bytes: 2) + extra)
    }

    private func riff(_ chunks: Data...) -> Data {
        let body = chunks.reduce(Data("WAVE".utf8), +)
        return Data("RIFF".utf8) + little(body.count, bytes: 4) + body
    }

    /// Random bytes as 16-bit samples, and as floats between −2 and 2.
    private func payload(_ bytes: Int, floats: Bool = false) -> Data {
        var random = RandomSource(seed: 7)
        guard floats else { return Data((0..<bytes).map { _ in UInt8.random(in: 0...255, using: &random) }) }
        return (0..<bytes / 4).reduce(into: Data()) { data, _ in
            let value = Float.random(in: -2...2, using: &random)
            data += little(Int(value.bitPattern), bytes: 4)
        }
    }

    private func samples(_ source: any SampleSource, block: Int) throws -> [UInt32] {
        var all: [UInt32] = []
        var buffer = [Float](repeating: 0, count: block * source.channels)
        while true {
            let count = try buffer.withUnsafeMutableBufferPointer { buffer in
                try buffer.baseAddress.map { try source.read(into: $0, frames: block) } ?? 0
            }
            guard count > 0 else { return all }
            all += buffer[..<(count * source.channels)].map(\.bitPattern)
        }
    }

    private func opened(_ path: String) -> PlainWaveFile? {
        PlainWaveFile(.file(path), FileContent.file(path).status, path: path, buffer: ReadBuffer())
    }

    /// Whether the file is read here; where it is, libsndfile has to read the same.
    private func isPlain(_ data: Data, block: Int = 1000) throws -> Bool {
        let path = folder.path("a.wav")
        try data.write(to: URL(filePath: path))
        guard let plain = opened(path) else { return false }
        let reference = try SoundFile(path: path)
        #expect(plain.sampleRate == reference.sampleRate && plain.channels == reference.channels)
        #expect(plain.frameCount == reference.frameCount && reference.seeksExactly)
        #expect(try samples(plain, block: block) == samples(reference, block: block))
        return true
    }

    @Test func `plain files are read here, bit by bit as libsndfile reads them`() throws {
        let (mono, stereo) = (
            format(1, channels: 1, rate: 16_000, bits: 16), format(1, channels: 2, rate: 44_100, bits: 16)
        )
        let float = format(3, channels: 3, rate: 8000, bits: 32)
        let note = chunk("LIST", Data("INFOISFT\u{4}\0\0\0veer".utf8))
        #expect(try isPlain(riff(mono, chunk("data", payload(2)))))
        #expect(try isPlain(riff(mono, chunk("data", payload(5000)))))
        // Longer than the buffer, in pieces that do not divide it.
        #expect(try isPlain(riff(mono, chunk("data", payload(600_002))), block: 777))
        #expect(try isPlain(riff(stereo, chunk("data", payload(400_000))), block: 70_000))
        #expect(try isPlain(riff(float, chunk("data", payload(300_000, floats: true)))))
        #expect(
            try isPlain(
                riff(
                    format(3, channels: 1, rate: 8000, bits: 32, extra: little(0, bytes: 2)),
                    chunk("data", payload(400, floats: true)))))
        #expect(try isPlain(riff(mono, note, chunk("data", payload(800)))))
        #expect(try isPlain(riff(mono, chunk("JUNK", Data(count: 33)), chunk("data", payload(800)), note)))
    }

    @Test func `whatever is unusual is left to libsndfile`() throws {
        let mono = format(1, channels: 1, rate: 16_000, bits: 16)
        let plain = riff(mono, chunk("data", payload(800)))
        #expect(try isPlain(plain))
        func changed(_ index: Int, _ byte: UInt8) -> Data {
            var data = plain
            data[index] = byte
            return data
        }
        let unusual = [
            Data(), Data(plain[..<20]), Data(plain[..<44]), Data(plain[..<700]), plain + Data(count: 3),
            changed(3, UInt8(ascii: "X")), changed(4, 0), changed(8, 0), changed(20, 6), changed(32, 4), changed(34, 8),
            changed(40, 0xFF), riff(mono), riff(mono, chunk("data", Data())), riff(mono, chunk("data", payload(801))),
            riff(chunk("data", payload(800)), mono),
            riff(mono, chunk("what", Data(count: 4)), chunk("data", payload(80))),
            riff(mono, chunk("data", payload(80)), chunk("data", payload(80))),
            riff(format(1, channels: 1, rate: 16_000, bits: 24), chunk("data", payload(801))),
            riff(
                format(0xFFFE, channels: 1, rate: 16_000, bits: 16, extra: Data(count: 24)), chunk("data", payload(80))),
            riff(format(1, channels: 0, rate: 16_000, bits: 16), chunk("data", payload(80))),
            riff(format(1, channels: 1, rate: 0, bits: 16), chunk("data", payload(80))),
        ]
        for (number, data) in unusual.enumerated() { #expect(try !isPlain(data), "\(number)") }
        #expect(
            opened(folder.path("gone.wav")) == nil)
        #expect(opened(folder.url.path) == nil)
    }

    @Test func `a header with changed bytes is read as libsndfile reads it, or left to it`() throws {
        let whole = riff(
            format(1, channels: 2, rate: 16_000, bits: 16), chunk("LIST", Data("INFOISFT\u{4}\0\0\0veer".utf8)),
            chunk("data", payload(400)),
            chunk("JUNK", Data(count: 9)))
        var random = RandomSource(seed: 11)
        var read = 0
        for _ in 0..<1500 {
            var data = whole
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                // All of the headers, and not much else.
                let index = Int.random(in: 0..<80, using: &random)
                data[index < 68 ? index : whole.count - 20 + (index - 68)] =
                    [0, 1, 2, 3, 255, UInt8.random(in: 0...255, using: &random)]
                    .randomElement(using: &random) ?? 0
            }
            read += try isPlain(data, block: 64) ? 1 : 0
        }
        #expect(read > 50)
    }

    @Test func `chunks of all kinds, well-formed or not, change nothing`() throws {
        var random = RandomSource(seed: 12)
        let mono = format(3, channels: 1, rate: 16_000, bits: 32)
        let names = [
            "LIST", "fact", "PEAK", "cue ", "smpl", "inst", "bext", "iXML", "id3 ", "JUNK", "PAD ", "FLLR", "what",
        ]
        var read = 0
        for _ in 0..<600 {
            var chunks = (0..<Int.random(in: 1...2, using: &random)).map { _ in
                let name = names.randomElement(using: &random) ?? ""
                let size = [0, 2, 4, 8, 12, 16, 24, 36].randomElement(using: &random) ?? 0
                var content = Data((0..<size).map { _ in [0, 1, 4, 255].randomElement(using: &random) ?? 0 })
                if name == "LIST", size >= 12 { content.replaceSubrange(0..<8, with: Data("INFOISFT".utf8)) }
                return chunk(name, content)
            }
            chunks.insert(
                chunk("data", payload(400, floats: true)), at: Int.random(in: 0...chunks.count, using: &random))
            read += try isPlain(riff(mono, chunks.reduce(Data(), +)), block: 64) ? 1 : 0
        }
        #expect(read > 50)
    }

    @Test func `seeking goes to the given frame, within a buffer and beyond`() throws {
        let data = payload(400_000)
        try riff(format(1, channels: 2, rate: 16_000, bits: 16), chunk("data", data)).write(
            to: URL(filePath: folder.path("s.wav")))
        let plain = try #require(
            opened(folder.path("s.wav")))
        let reference = try SoundFile(path: folder.path("s.wav"))
        let whole = try samples(reference, block: 5000)
        for frame in [0, 99_000, 3, 50_000, 49_999, 99_999, 17] {
            try plain.seek(to: frame)
            #expect(try samples(plain, block: 30_000) == Array(whole[(2 * frame)...]))
        }
        try plain.seek(to: 100_000)
        #expect(try samples(plain, block: 8).isEmpty)
    }

    @Test func `a file that is cut off while it is read has fewer samples`() throws {
        let path = folder.path("c.wav")
        try riff(format(1, channels: 1, rate: 16_000, bits: 16), chunk("data", payload(600_000))).write(
            to: URL(filePath: path))
        let plain = try #require(opened(path))
        truncate(path, 300_044)
        #expect(try samples(plain, block: 1000).count == 150_000)
    }
}
