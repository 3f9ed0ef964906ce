import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import AudioDecoding

struct DecodingLibraryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func record(_ name: String, _ container: SoundFileContainer) throws -> String {
        let plain = SoundFileFormat(code: SoundFileContainer.wav.codes[0] | SoundEncoding.pcm16.rawValue)
        let format = try #require(SoundFileFormat.output(container, like: plain, sampleRate: 48_000, channels: 1))
        let settings = SoundFileWriter.Settings(format: format, sampleRate: 48_000, channels: 1)
        let writer = try SoundFileWriter(path: folder.path(name), settings: settings, overwriting: false)
        var random = RandomSource(seed: 1)
        let samples = random.samples(20_000).map { $0 * 0.3 }
        try samples.withUnsafeBufferPointer { try writer.write(try #require($0.baseAddress), frames: $0.count) }
        _ = try writer.finish()
        return folder.path(name)
    }

    private func libraries(of path: String, rate: Int? = nil) throws -> Set<DecodingLibrary> {
        let decoder = try decoder(rate: rate)
        _ = try decoder.read(path, rate: rate ?? 48_000)
        return decoder.libraries
    }

    private static let cases: [(SoundFileContainer, String, Set<DecodingLibrary>)] = [
        (.wav, "wav", []), (.flac, "flac", [.libsndfile]), (.caf, "caf", [.libsndfile]),
        (.ogg, "ogg", [.libsndfile, .vorbis]), (.opus, "opus", [.libsndfile, .opus]),
        (.mp3, "mp3", [.libsndfile, .mpg123]),
    ]

    @Test(arguments: cases)
    func `a decoder tells which libraries read a recording`(
        container: SoundFileContainer, name: String, expected: Set<DecodingLibrary>
    ) throws {
        // By its bytes, whatever its name is.
        let path = folder.path("recording.any")
        try FileManager.default.moveItem(atPath: try record("recording.\(name)", container), toPath: path)
        #expect(try libraries(of: path) == expected)
        #expect(try libraries(of: path, rate: 16_000) == expected.union([.soxr]))
    }

    @Test func `a filter of this program is no library`() throws {
        let path = try record("recording.wav", .wav)
        for method in ResamplingMethod.allCases {
            let audio = try AudioConfiguration(sampleRate: 16_000, resampler: method)
            let decoder = ClipDecoder(audio)
            _ = try decoder.read(path, rate: 16_000)
            #expect(decoder.libraries == (method.isSoxr ? [.soxr] : []))
        }
    }

    @Test func `libraries add up, and one that could not open a recording counts`() throws {
        let decoder = try decoder()
        #expect(decoder.libraries.isEmpty)
        let damaged = try folder.write("no recording", to: "damaged.flac")
        #expect(throws: ClipFailure.self) { try decoder.read(damaged, rate: 48_000) }
        #expect(decoder.libraries == [.libsndfile])
        _ = try decoder.read(try record("a.ogg", .ogg), rate: 48_000)
        _ = try decoder.read(try record("a.wav", .wav), rate: 48_000)
        #expect(decoder.libraries == [.libsndfile, .vorbis])
    }

    @Test func `the decoders that libsndfile was linked with tell what they are`() {
        #expect(LinkedDecoders.mpg123.hasPrefix("mpg123") && LinkedDecoders.mpg123.contains(" for "))
        #expect(LinkedDecoders.mpg123 == LinkedDecoders.mpg123)
        #expect(LinkedDecoders.vorbis.lowercased().contains("vorbis") && LinkedDecoders.opus.contains("opus"))
    }
}
