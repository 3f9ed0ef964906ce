import FeatureModel
import FileIO
import Foundation
import Messages
import TestSupport
import Testing

@testable import AudioDecoding

struct SoundFileWriterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let plain = SoundFileFormat(code: SoundFileContainer.wav.codes[0] | SoundEncoding.pcm16.rawValue)

    /// The format of a container for sound in an encoding.
    private func format(
        _ container: SoundFileContainer, _ encoding: SoundEncoding = .pcm16, rate: Int = 48_000, channels: Int = 1
    ) throws -> SoundFileFormat {
        let input = SoundFileFormat(code: SoundFileContainer.wav.codes[0] | encoding.rawValue)
        return try #require(SoundFileFormat.output(container, like: input, sampleRate: rate, channels: channels))
    }

    /// Writes interleaved samples in pieces.
    @discardableResult
    private func write(
        _ samples: [Float], to name: String, _ format: SoundFileFormat, channels: Int = 1, rate: Int = 48_000,
        tags: [SoundFileTag: String] = [:], overwriting: Bool = false, piece: Int = 1000
    ) throws -> (clipped: Int, lost: [SoundFileTag]) {
        var settings = SoundFileWriter.Settings(format: format, sampleRate: rate, channels: channels)
        settings.tags = tags
        let writer = try SoundFileWriter(path: folder.path(name), settings: settings, overwriting: overwriting)
        try samples.withUnsafeBufferPointer { samples in
            for start in stride(from: 0, to: samples.count, by: piece * channels) {
                let count = min(piece * channels, samples.count - start)
                let rest = try #require(samples.baseAddress) + start
                try writer.write(rest, frames: count / channels)
            }
        }
        #expect(writer.frames == samples.count / channels)
        return (writer.clippedSamples, try writer.finish())
    }

    private func read(_ name: String) throws -> (samples: [Float], file: SoundFile) {
        let file = try SoundFile(path: folder.path(name))
        var samples = [Float](repeating: .nan, count: (try #require(file.frameCount) + 1) * file.channels)
        let frames = try samples.withUnsafeMutableBufferPointer { buffer in
            try file.read(into: #require(buffer.baseAddress), frames: buffer.count / file.channels)
        }
        return (Array(samples[..<(frames * file.channels)]), file)
    }

    private func failure(_ body: () throws -> Void) -> SoundFileError? {
        do {
            try body()
            return nil
        } catch {
            return error as? SoundFileError
        }
    }

    @Test(arguments: ["wav", "rf64", "w64", "aiff", "au", "caf", "flac"])
    func `every 16-bit number comes back, in every lossless container`(name: String) throws {
        let samples = (-32_768...32_767).map { Float($0) / 32_768 }
        let container = try #require(SoundFileContainer(path: "x.\(name)"))
        for channels in [1, 2, 4, 8] {
            let file = "all-\(channels).\(name)"
            let result = try write(samples, to: file, format(container, channels: channels), channels: channels)
            #expect(result.clipped == 0)
            let found = try read(file)
            #expect(found.samples == samples && found.file.channels == channels)
            #expect(found.file.format.encoding == .pcm16 && container.codes.contains(found.file.format.container))
        }
        #expect(try folder.names().allSatisfy { $0.hasPrefix("all-") })
    }

    @Test(arguments: [3, 5, 6, 7])
    func `numbers of channels that do not divide a block are written whole`(channels: Int) throws {
        var random = RandomSource(seed: 61)
        let samples = random.samples(channels * 30_001).map { ($0 * 32_768).rounded() / 32_768 }
        try write(samples, to: "a.flac", format(.flac, channels: channels), channels: channels, piece: 20_000)
        #expect(try read("a.flac").samples == samples.map { min($0, 32_767 / 32_768) })
    }

    @Test(
        arguments: [(SoundEncoding.unsigned8, 8), (.pcm16, 16), (.pcm24, 24), (.float, nil), (.double, nil)]
            as [(SoundEncoding, Int?)])
    func `samples are rounded to the width of the encoding`(encoding: SoundEncoding, bits: Int?) throws {
        var random = RandomSource(seed: 62)
        let samples = random.samples(5000).map { $0 * 0.99 }
        #expect(try write(samples, to: "a.wav", format(.wav, encoding)).clipped == 0)
        let found = try read("a.wav")
        #expect(found.file.format.encoding == encoding)
        guard let bits else {
            #expect(found.samples == samples)
            return
        }
        let scale = Float(1 << (bits - 1))
        #expect(found.samples == samples.map { min(($0 * scale).rounded(.toNearestOrEven), scale - 1) / scale })
    }

    @Test func `samples beyond full scale are clipped and counted; floating-point samples are kept`() throws {
        let samples: [Float] = [0, 1, -1, 1.5, -1.5, 32_767.4 / 32_768, -32_768.4 / 32_768, 1e30, -1e30]
        #expect(try write(samples, to: "a.wav", format(.wav)).clipped == 5)
        let full: Float = 32_767 / 32_768
        #expect(try read("a.wav").samples == [0, full, -1, full, -1, full, -1, full, -1])
        #expect(try write(samples, to: "b.wav", format(.wav, .float)).clipped == 0)
        #expect(try read("b.wav").samples == samples)
    }

    @Test(arguments: [SoundEncoding.aLaw, .muLaw])
    func `A-law and µ-law come back as they were read`(encoding: SoundEncoding) throws {
        var random = RandomSource(seed: 63)
        try write(random.samples(20_000), to: "a.au", format(.au, encoding))
        let first = try read("a.au").samples
        try write(first, to: "b.au", format(.au, encoding))
        #expect(try read("b.au").samples == first)
    }

    @Test(arguments: ["ogg", "opus", "mp3"])
    func `compressed files have the written number of frames`(name: String) throws {
        let container = try #require(SoundFileContainer(path: "x.\(name)"))
        for length in [1, 700, 5000, 48_000] {
            let tone = (0..<length).map { 0.3 * Float(sin(Double($0) * 0.05)) }
            try write(tone, to: "\(length).\(name)", format(container))
            #expect(try read("\(length).\(name)").samples.count == length)
        }
    }

    @Test(arguments: ["wav", "aiff", "caf", "flac"])
    func `the same samples give the same bytes`(name: String) throws {
        var random = RandomSource(seed: 64)
        let samples = random.samples(3000)
        let container = try #require(SoundFileContainer(path: "x.\(name)"))
        for (file, piece) in [("a", 1000), ("b", 7)] {
            try write(samples, to: "\(file).\(name)", format(container, .float), piece: piece)
        }
        #expect(
            try Data(contentsOf: folder.url.appending(path: "a.\(name)"))
                == Data(contentsOf: folder.url.appending(path: "b.\(name)")))
    }

    @Test func `tags are kept where the container has room for them, else named`() throws {
        let tags: [SoundFileTag: String] = [.title: "Dawn – утро", .artist: "A robin", .comment: "Ångström"]
        for name in ["a.wav", "a.flac", "a.ogg"] {
            let container = try #require(SoundFileContainer(path: name))
            #expect(try write([0, 0.5], to: name, format(container), tags: tags).lost.isEmpty, "\(name)")
            #expect(try read(name).file.tags == tags, "\(name)")
        }
        #expect(try write([0, 0.5], to: "a.au", format(.au), tags: tags).lost == [.title, .artist, .comment])
    }

    @Test func `an input's own format is kept, and the nearest one taken elsewhere`() throws {
        func code(_ container: SoundFileContainer, _ encoding: SoundEncoding, _ index: Int = 0) -> SoundFileFormat {
            SoundFileFormat(code: container.codes[index] | encoding.rawValue)
        }
        func output(_ container: SoundFileContainer, like input: SoundFileFormat) -> SoundFileFormat? {
            SoundFileFormat.output(container, like: input, sampleRate: 48_000, channels: 2)
        }
        for own in [code(.wav, .pcm24), code(.wav, .muLaw), code(.wav, .float, 1), code(.wav, .pcm16, 2)] {
            #expect(output(.wav, like: own) == own)
        }
        let swapped = SoundFileFormat(code: code(.aiff, .pcm16).code | 0x1000_0000)
        #expect(output(.aiff, like: swapped) == swapped && output(.wav, like: swapped) == code(.wav, .pcm16))
        #expect(output(.ogg, like: code(.ogg, .opus)) == code(.ogg, .opus))
        #expect(output(.opus, like: code(.ogg, .vorbis)) == code(.ogg, .opus))
        #expect(output(.flac, like: code(.wav, .float)) == code(.flac, .pcm24))
        #expect(output(.flac, like: code(.wav, .unsigned8)) == code(.flac, .signed8))
        #expect(output(.wav, like: code(.ogg, .vorbis)) == code(.wav, .pcm16))
        #expect(output(.wav, like: code(.caf, .alac24)) == code(.wav, .pcm24))
        #expect(output(.caf, like: code(.caf, .alac24)) == code(.caf, .alac24))
        // IMA ADPCM, whose files consist of whole blocks.
        #expect(output(.wav, like: SoundFileFormat(code: 0x1_0012)) == code(.wav, .pcm16))
        #expect("\(code(.wav, .pcm16))" == "WAV, signed 16 bit PCM" && "\(code(.ogg, .opus))" == "OGG, Opus")
    }

    @Test func `names stand for containers by their extension`() {
        for (name, container) in [
            ("a.wav", .wav), ("b/a.FLAC", .flac), ("a.b.aif", .aiff), ("a.oga", .ogg), ("a.snd", .au),
            ("/x.y/a.Opus", .opus),
        ] as [(String, SoundFileContainer)] {
            #expect(SoundFileContainer(path: name) == container)
        }
        for name in ["", "a", "wav", ".wav", "a.wav/b", "a.txt", "a.", "x.wav/"] {
            #expect(SoundFileContainer(path: name) == nil, "\(name)")
        }
        #expect(SoundFileContainer.writableExtensions.starts(with: [".wav", ".rf64", ".w64", ".aiff", ".au", ".caf"]))
    }

    @Test func `errors name the file, and leave nothing behind`() throws {
        let unknown = failure { try write([0], to: "a.xyz", Self.plain) }
        let extensions = SoundFileContainer.writableExtensions
        #expect(unknown == .unknownExtension(path: folder.path("a.xyz"), writable: extensions))
        #expect(
            SoundFileFormat.output(.opus, like: Self.plain, sampleRate: 44_100, channels: 1).map { format in
                failure { try write([0], to: "a.opus", format, rate: 44_100) }
                    == .unsupported(path: folder.path("a.opus"), .opus, sampleRate: 44_100, channels: 1)
            } ?? true)
        #expect(SoundFileFormat.output(.flac, like: Self.plain, sampleRate: 48_000, channels: 9) == nil)
        let nowhere = failure { try write([0], to: "nowhere/a.wav", Self.plain) }
        guard case .failed(_, _, SystemError(code: ENOENT))? = nowhere else {
            Issue.record("\(String(describing: nowhere))")
            return
        }
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "b.wav"), withIntermediateDirectories: false)
        #expect(failure { try write([0], to: "b.wav", Self.plain) } == .notReplaceable(path: folder.path("b.wav")))
        #expect(try folder.names() == ["b.wav"])
    }

    @Test func `an existing file is replaced only where that is asked for, and only by a whole one`() throws {
        try write([0.5], to: "a.wav", Self.plain)
        #expect(failure { try write([0.25], to: "a.wav", Self.plain) } == .exists(path: folder.path("a.wav")))
        #expect(try read("a.wav").samples == [0.5])
        do {
            let settings = SoundFileWriter.Settings(format: Self.plain, sampleRate: 48_000, channels: 1)
            let writer = try SoundFileWriter(path: folder.path("a.wav"), settings: settings, overwriting: true)
            try writer.write([0.25], frames: 1)
            #expect(try folder.names().count == 2)
        }
        #expect(try folder.names() == ["a.wav"] && read("a.wav").samples == [0.5])
        try write([0.25, 0.125], to: "a.wav", Self.plain, overwriting: true)
        #expect(try folder.names() == ["a.wav"] && read("a.wav").samples == [0.25, 0.125])
    }

    @Test func `a file that appears meanwhile is not replaced`() throws {
        let settings = SoundFileWriter.Settings(format: Self.plain, sampleRate: 48_000, channels: 1)
        let writer = try SoundFileWriter(path: folder.path("a.wav"), settings: settings, overwriting: false)
        try writer.write([0.25], frames: 1)
        _ = try folder.write("somebody else's", to: "a.wav")
        #expect(failure { _ = try writer.finish() } == .exists(path: folder.path("a.wav")))
        #expect(try String(contentsOf: folder.url.appending(path: "a.wav"), encoding: .utf8) == "somebody else's")
    }

    @Test func `more samples than a container's 32-bit size can tell are refused`() throws {
        for (name, container, bytes) in [
            ("a.wav", SoundFileContainer.wav, 2), ("a.aiff", .aiff, 2), ("a.w64", .w64, 0),
        ] {
            let settings = SoundFileWriter.Settings(format: try format(container), sampleRate: 48_000, channels: 1)
            let writer = try SoundFileWriter(path: folder.path(name), settings: settings, overwriting: false)
            try writer.checkSize(frames: 1 << 30)
            let error = failure { try writer.checkSize(frames: 1 << 31) }
            #expect((error == nil) == (bytes == 0), "\(name)")
            #expect(
                error.map { $0.description.contains("4294967296 bytes") && $0.description.contains(".w64") } ?? true)
        }
    }
}

struct QuantizationTests {
    private func quantized(_ samples: [Float], bits: Int) -> (numbers: [Int32], clipped: Int) {
        var numbers = [Int32](repeating: 1, count: samples.count)
        let clipped = quantize(samples, count: samples.count, bits: bits, into: &numbers)
        return (numbers, clipped)
    }

    @Test(arguments: [8, 16, 20, 24, 32])
    func `numbers are rounded half to even, cut to the range, and stored in the upper bits`(bits: Int) {
        var random = RandomSource(seed: 65)
        let scale = Double(1 << (bits - 1))
        var samples: [Float] = random.samples(5000).map { $0 * 1.2 }
        samples += [0, 1, -1, 1e38, -1e38, .leastNonzeroMagnitude]
        for halves in -300...300 {
            let step = Float(Double(halves) / 2 / scale)
            samples += [step, 1 + step, -1 + step]
        }
        let expected = samples.map { (Double($0) * scale).rounded(.toNearestOrEven) }
        let found = quantized(samples, bits: bits)
        #expect(found.numbers == expected.map { Int32(max(-scale, min(scale - 1, $0))) << Int32(32 - bits) })
        #expect(found.clipped == expected.count { $0 < -scale || $0 > scale - 1 })
    }
}
