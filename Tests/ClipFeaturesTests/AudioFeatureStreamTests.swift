import ExtractionSupport
import FeatureModel
import SignalProcessing
import TestSupport
import Testing

@testable import ClipFeatures
@testable import DatasetInspection

struct AudioFeatureStreamTests {
    private let fixture: ExtractionFixture

    init() throws { fixture = try ExtractionFixture() }

    /// A preset with its peak known, as rows of a stream.
    private func rows(
        _ stream: AudioFeatureStream, _ interleaved: [Float], pieces: [Int], peak: Float?, flush: Bool = false
    ) throws -> [Float] {
        stream.start(peak: peak)
        var values: [Float] = []
        var (start, turn) = (0, 0)
        while start < interleaved.count {
            let count = min(pieces[turn % pieces.count] * stream.channels, interleaved.count - start)
            values += try stream.push(Array(interleaved[start..<start + count])).values
            if flush { try stream.flush { rows throws(ClipFailure) in values.append(contentsOf: rows) } }
            start += count
            turn += 1
        }
        return values + (try stream.finish().values)
    }

    /// All but those that need the level of a signal before its first row, that are resized, and whose maximum is known in double
    /// precision while a clip is read alone (`PreciseRowsTests`).
    private static let streamed = Preset.allCases.filter {
        ![.perch1, .perch2, .wav2vec2, .birdnetLow, .birdnetHigh, .batDetect2, .openL3].contains($0)
    }

    @Test(arguments: streamed)
    func `rows of a stream equal those of a file, channels and resampling included, however it is cut`(
        preset: Preset
    ) throws {
        // Rows are compared as they are before the clip normalises them, which changes the precision that they are computed in.
        let configuration = try preset.configuration().with(normalize: NormalizeConfiguration.none)
        let frames = 30_000
        for (rate, channels) in [(16_000, 1), (44_100, 2), (8000, 3)] {
            let audio = try fixture.record(
                "a.wav", samples: frames, channels: channels, rate: rate, encoding: .float32, seed: rate)
            let interleaved = WaveFile.interleaved(audio)
            let file = try RecordingFeatures(
                path: fixture.folder.path("a.wav"),
                configuration: configuration)
            let stream = try AudioFeatureStream(configuration, inputRate: rate, channels: channels)
            // The peak is known once the clip has gone through.
            _ = try rows(stream, interleaved, pieces: [5000], peak: nil)
            let peak: Float? = stream.plan.needsWholeClip ? stream.features.peak : nil
            // Channels and resampling add their own boundaries; all of the frames' are tried at the features' own rate.
            let cuts = rate == 16_000 ? [[1], [7], [160], [4096], [30_000]] : [[4096]]
            for pieces in cuts + [[3, 11_025, 1, 999]] {
                let found = try rows(stream, interleaved, pieces: pieces, peak: peak)
                let isSame = found == file.matrix.values
                #expect(isSame, "\(rate) Hz, \(channels) channels, pieces of \(pieces)")
            }
            let flushed = try rows(stream, interleaved, pieces: [700], peak: peak, flush: true)
            #expect(flushed == file.matrix.values, "\(rate) Hz, flushed")
        }
    }

    /// Mean, filter and pre-emphasis ahead of the frames, at 8 kHz.
    private func conditioned(
        _ channels: ChannelSelection, removeDC: Bool = true, duration: Double? = nil
    ) throws -> FeatureConfiguration {
        let filter = try DCTFilterConfiguration(mode: .bandStop, low: .hertz(45), high: .hertz(1000))
        return try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 8000, channels: channels, duration: duration),
            condition: ConditionConfiguration(removeDC: removeDC, dctFilter: filter, preEmphasis: 0.9),
            frame: FrameConfiguration(length: .samples(64), hop: .samples(50), fftLength: 64, align: .center),
            transform: .fft(bins: nil), scale: ScaleConfiguration(kind: .power), normalize: .none)
    }

    /// A recording that does not lie around zero, interleaved.
    private func record(rate: Int, channels: Int) throws -> [Float] {
        var noise = try fixture.record(
            "a.wav", samples: 30_000, channels: channels, rate: rate, encoding: .float32, seed: rate)
        noise = noise.enumerated().map { channel, samples in samples.map { $0 + 0.1 * Float(channel + 1) } }
        try fixture.folder.writeWave(noise, sampleRate: rate, encoding: .float32, to: "a.wav")
        return WaveFile.interleaved(noise)
    }

    /// The stream's own level of a signal that comes in pieces of whole frames.
    private func level(_ stream: AudioFeatureStream, _ interleaved: [Float], piece: Int) throws -> SignalLevel {
        let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: interleaved.count)
        defer { samples.deallocate() }
        _ = samples.initialize(from: interleaved)
        return try stream.level { receive throws(ClipFailure) in
            for start in stride(from: 0, to: samples.count, by: piece * stream.channels) {
                let end = min(start + piece * stream.channels, samples.count)
                try receive(UnsafeBufferPointer(rebasing: samples[start..<end]))
            }
        }
    }

    @Test(arguments: [(8000, 1), (44_100, 2), (16_000, 3), (11_025, 1)])
    func `mean and filter behind channels and resampling give the rows of the file, also after a broken-off clip`(
        rate: Int, channels: Int
    ) throws {
        let interleaved = try record(rate: rate, channels: channels)
        for (selection, removeDC, duration) in [
            (.mix, true, nil), (.number(channels - 1), true, 0.5), (.mix, false, nil), (.first, true, 4),
        ] as [(ChannelSelection, Bool, Double?)] {
            let configuration = try conditioned(selection, removeDC: removeDC, duration: duration)
            let expected = try RecordingFeatures(path: fixture.folder.path("a.wav"), configuration: configuration)
            let stream = try AudioFeatureStream(configuration, inputRate: rate, channels: channels)
            // A clip that is broken off, before the mean is taken and again after it.
            let other = Array(interleaved[..<(3333 * channels)])
            _ = try stream.push(other)
            let found = removeDC ? try level(stream, interleaved, piece: 700) : .none
            if removeDC { #expect(try found == level(stream, interleaved, piece: 30_000)) }
            _ = try stream.push(other)
            for piece in [333, 9000] {
                stream.start(found)
                var values: [Float] = []
                for start in stride(from: 0, to: interleaved.count, by: piece * channels) {
                    let end = min(start + piece * channels, interleaved.count)
                    values += try stream.push(Array(interleaved[start..<end])).values
                }
                values += try stream.finish().values
                // The difference of so many rows, which a failure would show, takes minutes.
                let isEqual = values.map(\.bitPattern) == expected.matrix.values.map(\.bitPattern)
                #expect(
                    isEqual, "\(selection), mean \(removeDC), \(duration ?? 0) s, pieces of \(piece)")
            }
        }
    }

    @Test func `after a flush every complete frame has come out`() throws {
        let stream = try AudioFeatureStream(Preset.mixerFFT.configuration(), inputRate: 44_100, channels: 2)
        var rows = 0
        for piece in 1...20 {
            rows += try stream.push([Float](repeating: 0.5, count: 2 * 300)).rows
            try stream.flush { values throws(ClipFailure) in rows += values.count / 256 }
            #expect(rows == piece * 300 / 512)
        }
    }

    @Test func `a stream that cannot be is refused with what was found`() throws {
        let configuration = try Preset.logMel.configuration()
        let third = try FeatureConfiguration(
            audio: AudioConfiguration(channels: .number(2)), frame: configuration.frame,
            transform: configuration.transform, scale: configuration.scale)
        let refused: [(FeatureConfiguration, Int, Int, ClipFailure)] = [
            (configuration, 0, 1, .rateOutOfRange(0, allowed: 1...10_000_000)),
            (configuration, 16_000, 0, .noChannels(0)),
            (third, 16_000, 2, .noSuchChannel(channel: 2, channels: 2)),
            (configuration, 10, 1, .ratesTooFarApart(input: 10, output: 16_000)),
        ]
        for (settings, rate, channels, expected) in refused {
            #expect(throws: expected) { try AudioFeatureStream(settings, inputRate: rate, channels: channels) }
        }
    }
}
