import Foundation
import TestSupport
import Testing

@testable import AudioDecoding

/// Ogg files that tests write, whole or page by page.
enum OggFile {
    /// A page as RFC 3533 has it, its checksum summed bit by bit.
    static func page(
        _ body: [UInt8], serial: UInt32 = 7, sequence: UInt32, granule: Int64, isFirst: Bool = false,
        isLast: Bool = false
    ) -> [UInt8] {
        var segments = [UInt8](repeating: 255, count: body.count / 255)
        segments.append(UInt8(body.count % 255))
        var page = Array("OggS".utf8) + [0, (isFirst ? 2 : 0) | (isLast ? 4 : 0)]
        page += bytes(granule) + bytes(serial) + bytes(sequence) + bytes(UInt32(0))
        page += [UInt8(segments.count)] + segments + body
        page.replaceSubrange(22..<26, with: bytes(checksum(page)))
        return page
    }

    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var value: UInt32 = 0
        for byte in bytes {
            value ^= UInt32(byte) << 24
            for _ in 0..<8 { value = value & 0x8000_0000 == 0 ? value << 1 : value << 1 ^ 0x04C1_1DB7 }
        }
        return value
    }

    /// Where the pages of a whole file lie, by their headers alone.
    static func pages(_ file: Data) -> [Range<Int>] {
        var pages: [Range<Int>] = []
        var start = 0
        while start + 27 <= file.count {
            let segments = Int(file[start + 26])
            let end = start + 27 + segments + file[(start + 27)..<(start + 27 + segments)].reduce(0) { $0 + Int($1) }
            pages.append(start..<end)
            start = end
        }
        return pages
    }

    /// A page with other values in its header, and a right checksum.
    static func renumbered(_ page: Data, serial: UInt32? = nil, flags: UInt8? = nil) -> Data {
        var page = Array(page)
        if let serial { page.replaceSubrange(14..<18, with: bytes(serial)) }
        if let flags { page[5] = flags }
        page.replaceSubrange(22..<26, with: bytes(UInt32(0)))
        page.replaceSubrange(22..<26, with: bytes(checksum(page)))
        return Data(page)
    }

    private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}

extension TemporaryFolder {
    /// Writes noise, compressed by libsndfile, and returns the file.
    func ogg(_ container: SoundFileContainer, seconds: Double, rate: Int = 8000, seed: UInt64 = 1) throws -> Data {
        let plain = SoundFileFormat(code: SoundFileContainer.wav.codes[0] | SoundEncoding.pcm16.rawValue)
        let format = try #require(SoundFileFormat.output(container, like: plain, sampleRate: rate, channels: 1))
        let path = path("written-\(seed)-\(seconds).\(container.properties.extensions[0])")
        let settings = SoundFileWriter.Settings(format: format, sampleRate: rate, channels: 1)
        let writer = try SoundFileWriter(path: path, settings: settings, overwriting: true)
        var random = RandomSource(seed: seed)
        let samples = random.samples(Int(seconds * Double(rate))).map { 0.3 * $0 }
        try samples.withUnsafeBufferPointer { samples in
            try writer.write(#require(samples.baseAddress), frames: samples.count)
        }
        _ = try writer.finish()
        return try Data(contentsOf: URL(filePath: path))
    }
}
