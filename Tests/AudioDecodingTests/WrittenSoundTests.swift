import Archives
import CSndfile
import FeatureModel
import FileIO
import Foundation
import Platform
import TestSupport
import Testing

@testable import AudioDecoding

struct WrittenSoundTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let rate = 48_000

    private func format(_ name: String, _ encoding: SoundEncoding) -> SoundFileFormat? {
        let input = SoundFileFormat(code: SoundFileContainer.wav.codes[0] | encoding.rawValue)
        return SoundFileContainer(path: "x.\(name)").flatMap {
            SoundFileFormat.output($0, like: input, sampleRate: Self.rate, channels: 2)
        }
    }

    private static func samples(_ frames: Int) -> [Float] {
        var random = RandomSource(seed: 71)
        return random.samples(2 * frames).map { $0 * 0.9 }
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.url.appending(path: name)))
    }

    private func write(_ samples: [Float], to name: String, _ format: SoundFileFormat) throws {
        var settings = SoundFileWriter.Settings(format: format, sampleRate: Self.rate, channels: 2)
        settings.tags = [.title: "Dawn", .artist: "A robin"]
        let writer = try SoundFileWriter(path: folder.path(name), settings: settings, overwriting: true)
        try samples.withUnsafeBufferPointer { samples in
            try writer.write(#require(samples.baseAddress), frames: samples.count / 2)
        }
        _ = try writer.finish()
    }

    /// The same by libsndfile alone, which writes to a descriptor.
    private func writeByDescriptor(_ samples: [Float], to name: String, _ format: SoundFileFormat) throws {
        let descriptor = open(folder.path(name), O_RDWR | O_CREAT | O_TRUNC, 0o666)
        defer { close(descriptor) }
        var info = SF_INFO()
        (info.format, info.channels, info.samplerate) = (format.code, 2, Int32(Self.rate))
        let file = try #require(sf_open_fd(descriptor, Int32(SFM_WRITE), &info, Int32(SF_FALSE)))
        sf_command(file, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
        sf_set_string(file, SoundFileTag.title.code, "Dawn")
        sf_set_string(file, SoundFileTag.artist.code, "A robin")
        if let bits = format.encoding?.integerBits {
            var integers = [Int32](repeating: 0, count: samples.count)
            _ = quantize(samples, count: samples.count, bits: bits, into: &integers)
            #expect(sf_write_int(file, integers, sf_count_t(samples.count)) == samples.count)
        } else {
            // At once, as the writer: what libvorbis makes depends on how its input is cut.
            #expect(sf_write_float(file, samples, sf_count_t(samples.count)) == samples.count)
        }
        #expect(sf_close(file) == 0)
    }

    /// The bytes of Ogg without the serial number of the stream, which libsndfile draws by lot, and the checksums over it.
    private static func withoutSerials(_ bytes: [UInt8]) -> [UInt8] {
        var (bytes, offset) = (bytes, 0)
        while offset + 27 <= bytes.count, bytes[offset..<offset + 4].elementsEqual("OggS".utf8) {
            for index in Array(14..<18) + Array(22..<26) { bytes[offset + index] = 0 }
            let segments = Int(bytes[offset + 26])
            let lengths = bytes[(offset + 27)..<min(offset + 27 + segments, bytes.count)]
            offset += 27 + segments + lengths.reduce(0) { $0 + Int($1) }
        }
        return bytes
    }

    /// RF64 without the time in its chunk of peak values, which libsndfile writes even if asked not to.
    private static func withoutTimeOfPeaks(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.starts(with: Array("RF64".utf8)),
            let chunk = bytes.indices.dropLast(16).first(where: { bytes[$0..<$0 + 4].elementsEqual("PEAK".utf8) })
        else { return bytes }
        var bytes = bytes
        for index in chunk + 12..<chunk + 16 { bytes[index] = 0 }
        return bytes
    }

    @Test(arguments: [SoundEncoding.float, .double])
    func `RF64 of floating-point samples does not depend on the time`(encoding: SoundEncoding) throws {
        try write(Self.samples(1000), to: "a.rf64", #require(format("rf64", encoding)))
        let own = try bytes("a.rf64")
        #expect(own == Self.withoutTimeOfPeaks(own))
    }

    @Test(arguments: ["wav", "rf64", "w64", "aiff", "au", "caf", "flac", "ogg", "opus", "mp3"])
    func `every byte is the one that libsndfile writes to a file by itself`(name: String) throws {
        var tried: Set<SoundFileFormat> = []
        for encoding: SoundEncoding in [
            .signed8, .unsigned8, .pcm16, .pcm24, .pcm32, .float, .double, .muLaw, .aLaw, .vorbis, .opus, .mpegLayer3,
        ] {
            // libsndfile names MP3 in WAV as a format, but does not write it.
            guard name == "mp3" || encoding != .mpegLayer3, let format = format(name, encoding),
                format.isWritable(sampleRate: Self.rate, channels: 2),
                tried.insert(format).inserted
            else { continue }
            // The last is longer than what is collected before it is written.
            for frames in [1, 4097, 40_001] {
                let samples = Self.samples(frames)
                try write(samples, to: "a.\(name)", format)
                try writeByDescriptor(samples, to: "b.\(name)", format)
                let (own, other) = (try bytes("a.\(name)"), try bytes("b.\(name)"))
                let (mine, theirs) = (Self.withoutSerials(own), Self.withoutSerials(Self.withoutTimeOfPeaks(other)))
                #expect(mine.count == theirs.count, "\(format), \(frames) frames")
                let first = zip(mine, theirs).enumerated().first { $1.0 != $1.1 }?.offset
                #expect(first == nil, "\(format), \(frames) frames: byte \(first ?? 0)")
            }
        }
        // This libsndfile may have been built without a codec.
        #expect(!tried.isEmpty || ["ogg", "opus", "mp3"].contains(name))
    }

    @Test func `ALAC is written through a file of libsndfile's own`() throws {
        for encoding: SoundEncoding in [.alac16, .alac20, .alac24, .alac32] {
            let format = SoundFileFormat(code: SoundFileContainer.caf.codes[0] | encoding.rawValue)
            guard format.isWritable(sampleRate: Self.rate, channels: 2) else { continue }
            let samples = Self.samples(20_001)
            #expect(throws: Never.self, "\(format)") { try write(samples, to: "a.caf", format) }
            try writeByDescriptor(samples, to: "b.caf", format)
            #expect(try bytes("a.caf") == bytes("b.caf"), "\(format)")
        }
    }

    @Test func `the first error of the system is final, and keeps its code`() throws {
        _ = try folder.write("", to: "a")
        let descriptor = open(folder.path("a"), O_RDONLY)
        defer { close(descriptor) }
        let output = VirtualOutput(descriptor: descriptor)
        var info = SF_INFO()
        info.format = SoundFileContainer.au.codes[0] | SoundEncoding.pcm16.rawValue
        (info.channels, info.samplerate) = (1, 8000)
        let file = try #require(output.handle(SFM_WRITE, &info))
        let silence = [Int32](repeating: 0, count: 1 << 18)
        // More than the buffer holds, so the system is called, and fails.
        _ = sf_write_int(file, silence, sf_count_t(silence.count))
        #expect(output.error == SystemError(code: EBADF))
        #expect(sf_write_int(file, silence, sf_count_t(silence.count)) < silence.count)
        sf_close(file)
        #expect(throws: SystemError(code: EBADF)) { try output.finish() }
    }

    @Test func `what a small file has collected is written at its end, and an error of that is thrown`() throws {
        _ = try folder.write("", to: "a")
        let descriptor = open(folder.path("a"), O_RDONLY)
        defer { close(descriptor) }
        let output = VirtualOutput(descriptor: descriptor)
        var info = SF_INFO()
        info.format = SoundFileContainer.flac.codes[0] | SoundEncoding.pcm16.rawValue
        (info.channels, info.samplerate) = (1, 8000)
        let file = try #require(output.handle(SFM_WRITE, &info))
        #expect(sf_write_int(file, [0, 1 << 16], 2) == 2)
        sf_close(file)
        #expect(throws: SystemError(code: EBADF)) { try output.finish() }
    }

    /// What is wrong with a file after some of its bytes were changed; nil: nothing.
    private func difference(
        _ name: String, _ encoding: SoundEncoding, frames: Int = 5000, _ change: (inout [UInt8]) -> Void
    ) throws -> WrittenSound.Difference? {
        let format = try #require(self.format(name, encoding))
        let samples = Self.samples(frames)
        try write(samples, to: "a.\(name)", format)
        var content = try bytes("a.\(name)")
        change(&content)
        try Data(content).write(to: folder.url.appending(path: "a.\(name)"))
        var digest = CRC32()
        if let bits = format.encoding?.integerBits {
            var integers = [Int32](repeating: 0, count: samples.count)
            _ = quantize(samples, count: samples.count, bits: bits, into: &integers)
            integers.withUnsafeBytes { digest.update($0) }
        } else {
            samples.withUnsafeBytes { digest.update($0) }
        }
        let check = WrittenSound(
            path: folder.path("a.\(name)"), format: format, sampleRate: Self.rate, channels: 2, frames: frames,
            digest: format.keepsSamples ? digest : nil)
        do throws(WrittenSound.Difference) {
            _ = try check.run()
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ["wav", "rf64", "w64", "aiff", "au", "caf", "flac"])
    func `sizes of a pipe are not those of a finished file`(name: String) throws {
        #expect(try difference(name, .pcm16) { _ in }?.reason == nil)
        let header = try #require(HeaderBytes(.file(folder.path("a.\(name)"))))
        // In a FLAC, the lower 32 bits of the number of frames.
        let fields = SampleData.find(header)?.fields.map { $0.offset..<$0.offset + $0.width } ?? [22..<26]
        #expect(!fields.isEmpty)
        for byte: UInt8 in [0, 0xFF] {
            for changed in fields.map({ [$0] }) + [fields] {
                let found = try difference(name, .pcm16) { bytes in
                    for index in changed.joined() { bytes[index] = byte }
                }
                #expect(found?.isSystemFault == true, "\(changed) \(byte)")
            }
        }
    }

    @Test(
        arguments: ["wav", "rf64", "w64", "aiff", "au", "caf"],
        [SoundEncoding.pcm16, .pcm24, .pcm32, .float])
    func `a sample that is another one is found`(name: String, encoding: SoundEncoding) throws {
        // The lowest bit of the last sample but some; what follows samples has fewer bytes than this.
        let found = try difference(name, encoding) { bytes in
            let middle = bytes.count / 2
            bytes[middle] ^= 1
        }
        #expect(found?.isSystemFault == true, "\(name)")
    }

    @Test(arguments: ["flac", "ogg", "opus", "mp3"])
    func `of compressed sound, frames are counted to the end`(name: String) throws {
        guard format(name, .pcm16) != nil else { return }
        #expect(try difference(name, .pcm16, frames: 100_000) { _ in }?.reason == nil)
        let found = try difference(name, .pcm16, frames: 100_000) { bytes in bytes.removeLast(bytes.count / 3) }
        #expect(found != nil, "\(name)")
    }
}
