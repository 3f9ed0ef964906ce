import ExtractionSupport
import FeatureModel
import Foundation
import SignalProcessing
import TestSupport
import Testing

@testable import ClipFeatures
@testable import Concurrency
@testable import LiveAnalysis

struct LiveEqualizerTests {
    private typealias Band = LiveEqualizer.Band

    @Test func `a band keeps its width while it moves, stops at the ends, and never gets lost`() {
        let band = Band(mode: .bandPass, bins: 100...300)
        #expect(band.moved(by: 8).bins == 108...308)
        #expect(band.moved(by: -500).bins == 0...200)
        #expect(band.moved(by: 5000).bins == 824...1024)
        #expect(band.widened(by: 8).bins == 92...308)
        #expect(band.widened(by: -8).bins == 108...292)
        #expect(band.widened(by: 5000).bins == 0...1024)
        var narrow = band
        for _ in 0..<100 { narrow = narrow.widened(by: -8) }
        #expect(narrow.bins.count > 4 && narrow.bins.contains(200))
        #expect(band.turned.mode == .bandStop && band.turned.turned == band)
        #expect(Band(mode: .bandStop, bins: -5...2000).bins == 0...1024)
    }

    /// What a filter writes for samples that come in pieces.
    private func filtered(
        _ input: LiveInput, _ samples: [Float], band: LiveEqualizer.Band, pages: DCTFilterPages = .overlapping,
        seed: UInt64, change: (Int, LiveEqualizer) -> Void = { _, _ in }
    ) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let path = folder.path("out")
        let number = open(path, O_WRONLY | O_CREAT, 0o600)
        defer { close(number) }
        let equalizer = LiveEqualizer(band, pages: pages)
        let filter = try LiveFilter(
            input, equalizer: equalizer, output: LiveDescriptor(number: number), cancellation: Cancellation())
        #expect(try filter.start())
        var random = RandomSource(seed: seed)
        let channels = input.format.channels
        var position = 0
        while position < samples.count {
            change(position / channels, equalizer)
            let count = min(Int.random(in: 1...3000, using: &random) * channels, samples.count - position)
            #expect(try samples[position..<position + count].withUnsafeBufferPointer { try filter.push($0) })
            position += count
        }
        #expect(try filter.finish())
        try filter.close()
        return Array(try Data(contentsOf: URL(filePath: path)))
    }

    @Test(arguments: DCTFilterPages.allCases)
    func `the sound passed on equals a filtered file, in the input's own format, header included`(
        pages: DCTFilterPages
    ) throws {
        let fixture = try ExtractionFixture()
        let audio = try fixture.record("in.wav", samples: 40_001, channels: 2, rate: 16_000, gain: 0.9)
        let samples = WaveFile.interleaved(audio)
        let filter = try DCTFilterConfiguration(mode: .bandStop, low: .bin(20), high: .bin(300), pages: pages)
        _ = try RecordingFilter(
            input: fixture.folder.path("in.wav"), output: fixture.folder.path("out.wav"), configuration: filter,
            overwriting: false
        ).run(cancellation: Cancellation())
        let expected = try #require(
            try fixture.bytes("out.wav").range(of: Data("data".utf8)).map {
                try fixture.bytes("out.wav")[($0.upperBound + 4)...]
            })
        let format = LiveFormat(encoding: .s16le, sampleRate: 16_000, channels: 2)
        let header = LiveWave.header(format, dataBytes: samples.count * 2)
        let input = LiveInput(format, header: header)
        for seed in 1...3 as ClosedRange<UInt64> {
            let found = try filtered(
                input, samples, band: Band(mode: .bandStop, bins: 20...300), pages: pages, seed: seed)
            #expect(Array(found[..<header.count]) == header)
            #expect(Array(found[header.count...]) == Array(expected))
        }
    }

    @Test(arguments: [(LiveSampleEncoding.u8, 4001), (.s16le, 4001), (.f32le, 3000)])
    func `in a file, the header says in the end how long the samples have become, and an odd length is padded`(
        encoding: LiveSampleEncoding, count: Int
    ) throws {
        let format = LiveFormat(encoding: encoding, sampleRate: 8000, channels: 1)
        let input = LiveInput(
            name: "test", format: format, source: .recording(path: "none.wav", speed: 1))
        var random = RandomSource(seed: 6)
        let found = try filtered(input, random.samples(count), band: Band(mode: .bandPass, bins: 0...1024), seed: 6)
        let dataBytes = count * encoding.bytes
        #expect(found.count == 44 + dataBytes + dataBytes % 2)
        #expect(LiveWave.number(found.count - 8, 4) == Array(found[4..<8]))
        let header = try #require(try WaveStreamHeader.read(found))
        #expect(header == WaveStreamHeader(format: format, byteCount: 44, dataBytes: dataBytes))
    }

    @Test func `a file that is only added to keeps its header, and a full disk is an error`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("out")
        let number = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(number) }
        #expect(LiveDescriptor(number: number).rewritableOffset == nil)
        #if os(Linux)
            let full = open("/dev/full", O_WRONLY)
            defer { close(full) }
            #expect(throws: LiveError.unwritable(code: ENOSPC)) {
                _ = try [UInt8](repeating: 1, count: 9).withUnsafeBytes { bytes in
                    try LiveDescriptor(number: full).send(bytes, Cancellation())
                }
            }
        #endif
    }

    @Test func `a band that is changed holds from there on: all, then nothing`() throws {
        let format = LiveFormat(encoding: .f32le, sampleRate: 8000, channels: 1)
        var random = RandomSource(seed: 3)
        let samples = random.samples(20_000)
        let found = try filtered(
            LiveInput(format, header: []), samples, band: Band(mode: .bandPass, bins: 0...1024), seed: 5
        ) { frame, equalizer in
            if frame > 9000 { equalizer.band = Band(mode: .bandStop, bins: 0...1024) }
        }
        let values = found.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        #expect(values.count == samples.count)
        #expect(zip(values, samples).prefix(8000).allSatisfy { abs($0 - $1) < 1e-5 })
        #expect(values[14_000...].allSatisfy { abs($0) < 1e-5 })
    }

    @Test(arguments: DCTFilterPages.allCases)
    func `a band that moves while samples come gives those of a filter whose envelope changes between the same pieces`(
        pages: DCTFilterPages
    ) throws {
        let format = LiveFormat(encoding: .f32le, sampleRate: 8000, channels: 1)
        var random = RandomSource(seed: 4)
        let samples = random.samples(30_000)
        var changes: [(frame: Int, band: Band)] = []
        let found = try filtered(
            LiveInput(format, header: []), samples, band: Band(mode: .bandPass, bins: 64...256), pages: pages, seed: 7
        ) { frame, equalizer in
            equalizer.band = changes.count % 5 == 4 ? equalizer.band.turned : equalizer.band.moved(by: 8)
            changes.append((frame, equalizer.band))
        }
        #expect(changes.count > 10)
        let filter = try DCTFilter(DCTEnvelope(.bandPass, bins: 64...256), pages: pages)
        var expected: [Float] = []
        for (change, end) in zip(changes, changes.dropFirst().map(\.frame) + [samples.count]) {
            filter.setEnvelope(DCTEnvelope(change.band.mode, bins: change.band.bins))
            samples[change.frame..<end].withUnsafeBufferPointer { filter.push($0) { expected += $0 } }
        }
        filter.finish { expected += $0 }
        let values = found.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        #expect(values.map(\.bitPattern) == expected.map(\.bitPattern))
    }

    @Test(arguments: DCTFilterPages.allCases)
    func `a sample is passed on before 1024 more have come`(pages: DCTFilterPages) throws {
        let folder = try TemporaryFolder()
        let number = open(folder.path("out"), O_WRONLY | O_CREAT, 0o600)
        defer { close(number) }
        let format = LiveFormat(encoding: .f32le, sampleRate: 8000, channels: 1)
        let filter = try LiveFilter(
            LiveInput(format, header: []),
            equalizer: LiveEqualizer(Band(mode: .bandPass, bins: 64...256), pages: pages),
            output: LiveDescriptor(number: number), cancellation: Cancellation())
        #expect(try filter.start())
        var random = RandomSource(seed: 8)
        for piece in 1...200 {
            #expect(try random.samples(77).withUnsafeBufferPointer { try filter.push($0) })
            let passed = Int(lseek(number, 0, SEEK_CUR)) / 4
            #expect(piece * 77 - passed < 1024)
        }
    }
}

extension LiveInput {
    /// An input of which the format alone is of interest.
    fileprivate init(_ format: LiveFormat, header: [UInt8]) {
        self.init(
            name: "test", format: format,
            source: .bytes(LiveDescriptor(number: -1), pending: [], count: nil, header: header))
    }
}
