import ClipSpool
import ConfigurationFiles
import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import SignalProcessing
import TestSupport
import Testing

@testable import Concurrency
@testable import DatasetExtraction
@testable import DatasetInspection
@testable import LiveAnalysis

/// A stream that is cut anywhere gives the rows, and the file, of a recording.
struct LiveSessionTests {
    private let fixture: ExtractionFixture

    init() throws { fixture = try ExtractionFixture() }

    /// An input that another thread writes bytes to, in pieces of any size; the pipe is closed behind the last.
    private func pipe(_ bytes: [UInt8], seed: UInt64, given: LiveRequest.Given = .init()) throws -> LiveInput {
        var ends: [Int32] = [0, 0]
        try #require(Foundation.pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        Thread {
            var random = RandomSource(seed: seed)
            var sent = 0
            while sent < bytes.count {
                let most = [1, 7, 700, 9000].randomElement(using: &random) ?? 1
                let count = min(Int.random(in: 1...most, using: &random), bytes.count - sent)
                let written = bytes[sent..<sent + count].withUnsafeBytes { write(writing, $0.baseAddress, $0.count) }
                guard written > 0 else { break }
                sent += written
            }
            close(writing)
        }.start()
        return try LiveInput(LiveDescriptor(number: reading), name: "a.wav", given, Cancellation())
    }

    /// Runs a session to its end; returns all rows of its inputs.
    @discardableResult
    private func run(
        _ inputs: [LiveInput], _ configuration: FeatureConfiguration, record: String? = nil, overwrite: Bool = false
    ) throws -> (rows: [[Float]], summary: LiveSummary) {
        let session = try LiveSession(
            inputs, configuration: configuration, json: try ConfigurationText.json(configuration),
            options: LiveOptions(record: record, overwrite: overwrite, seconds: 3600), cancellation: Cancellation())
        try session.begin()
        let summary = try session.finish()
        let rows = session.tracks.map { track in
            var values: [Float] = []
            _ = track.rows.read(after: 0, into: &values)
            return values
        }
        return (rows, summary)
    }

    private func bytes(_ name: String) throws -> [UInt8] { Array(try fixture.bytes(name)) }

    private func record(_ name: String, samples: Int, channels: Int, rate: Int) throws -> [UInt8] {
        try fixture.record(name, samples: samples, channels: channels, rate: rate, seed: samples)
        return try bytes(name)
    }

    @Test(
        arguments: [Preset.scrollingDCT, .mixerFFT, .musicalSpectrum, .liveWaveform, .kaldiMFCC, .whisper],
        [1, 2, 3] as [UInt64])
    func `however a stream is cut, its rows are those of the recording`(preset: Preset, seed: UInt64) throws {
        let preset = try preset.configuration()
        let rate = preset.audio.sampleRate ?? 16_000
        let wave = try record("a.wav", samples: 30_011, channels: 2, rate: rate)
        let configuration = try FeatureConfiguration(
            audio: preset.audio, condition: preset.condition, frame: preset.frame, transform: preset.transform,
            scale: ScaleConfiguration(kind: preset.scale.kind, floor: preset.scale.floor), normalize: .none)
        let file = try RecordingFeatures(path: fixture.folder.path("a.wav"), configuration: configuration)
        #expect(try run([pipe(wave, seed: seed)], configuration).rows == [file.matrix.values])
        let raw = try pipe(
            Array(wave[44...]), seed: seed, given: .init(sampleRate: rate, encoding: .s16le, channels: 2))
        #expect(try run([raw], configuration).rows == [file.matrix.values])
    }

    @Test(arguments: [
        try ExtractionFixture.configuration(rate: nil),
        try ExtractionFixture.configuration(normalize: NormalizeConfiguration(scope: .dataset)),
        try ExtractionFixture.configuration(normalize: NormalizeConfiguration(scope: .clip, method: .minmax)),
        try Preset.htkMFCC.configuration(),
        // Slopes over slopes, later than a piece of sixteen rows.
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 8000),
            frame: FrameConfiguration(length: .samples(256), hop: .samples(128), fftLength: 256),
            transform: .mel(
                MelConfiguration(bins: 12, high: 4000), deltas: DeltaConfiguration(order: 2, window: 9)),
            scale: ScaleConfiguration()),
        // Rows that wait for the clip's greatest value.
        try Preset.whisper.configuration(), try Preset.librosaMFCC.configuration(),
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 8000),
            frame: FrameConfiguration(length: .samples(256), hop: .samples(128), fftLength: 256),
            transform: .mel(
                MelConfiguration(bins: 12, high: 4000), deltas: DeltaConfiguration(order: 2, window: 9)),
            scale: ScaleConfiguration(topDB: 30)),
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 8000, duration: 0.5),
            frame: FrameConfiguration(length: .samples(64), hop: .samples(50), fftLength: 64, align: .center),
            transform: .dct(bins: nil), scale: ScaleConfiguration(),
            store: StoreConfiguration(layout: .fixed, element: .float16, compression: .deflate)),
    ])
    func `a recorded stream is the file that an extraction makes, byte for byte`(configuration: FeatureConfiguration)
        throws
    {
        let wave = try record("a.wav", samples: 20_011, channels: 2, rate: 11_025)
        // The manifest of a recorded stream.
        let manifest = "path,id,label\na.wav,a,\n"
        var extraction = try fixture.extraction(manifest, configuration)
        // A stream was in no folder.
        extraction.options.storesRoot = false
        let json = extraction.configuration
        _ = try extraction.run()
        let session = try LiveSession(
            [try pipe(wave, seed: 9)], configuration: configuration, json: json,
            options: LiveOptions(record: fixture.folder.path("live.h5")), cancellation: Cancellation())
        try session.begin()
        let summary = try session.finish()
        #expect(summary.file?.clips == 1 && summary.tracks.allSatisfy { $0.failure == nil })
        #expect(try fixture.bytes("live.h5") == fixture.bytes("features.h5"))
        #expect(try fixture.folder.names().filter { $0.hasPrefix("live") } == ["live.h5"])
    }

    @Test(arguments: [0, 1, 16_000])
    func `a stream shorter than its header states is a failure, and is recorded to its end`(bytes: Int) throws {
        let wave = try record("a.wav", samples: 20_000, channels: 1, rate: 8000)
        let input = try pipe(Array(wave.dropLast(20_000 + bytes)), seed: 7)
        let path = fixture.folder.path("live.h5")
        let (_, summary) = try run([input], ExtractionFixture.configuration(), record: path)
        let cut = CutOff(promised: 2.5, present: Double((20_000 - bytes) / 2) / 8000)
        #expect(summary.tracks[0].failure as? LiveError == .cutOff(name: "a.wav", cut))
        #expect(summary.file?.clips == 1 && summary.tracks[0].strayBytes == bytes % 2)
        #expect(summary.tracks[0].seconds == cut.present)
    }

    @Test(arguments: [0, 0xFFFF_FFFF, 0x7FFF_FFFF, 0x7FFF_F000, 0x7FFF_0000, 0x8000_0004, 40_001])
    func `a length that programs write into pipes is not a promise, nor are the bytes of a frame that is not whole`(
        size: Int
    ) throws {
        var wave = try record("a.wav", samples: 20_000, channels: 1, rate: 8000)
        wave.replaceSubrange(40..<44, with: LiveWave.number(size, 4))
        let path = fixture.folder.path("live.h5")
        let (_, summary) = try run([pipe(wave, seed: 7)], ExtractionFixture.configuration(), record: path)
        #expect(summary.tracks[0].failure == nil && summary.tracks[0].seconds == 2.5)
    }

    @Test func `a session that is asked to stop keeps what came before; a file is never half written`() throws {
        let (cancellation, path) = (Cancellation(), fixture.folder.path("live.h5"))
        var ends: [Int32] = [0, 0]
        try #require(Foundation.pipe(&ends) == 0)
        let bytes = [UInt8](repeating: 3, count: 4000)
        try #require(bytes.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) } == 4000)
        let input = try LiveInput(
            LiveDescriptor(number: ends[0]), name: "stdin", .init(sampleRate: 8000), cancellation)
        let configuration = try ExtractionFixture.configuration()
        let session = try LiveSession(
            [input], configuration: configuration, json: try ConfigurationText.json(configuration),
            options: LiveOptions(record: path), cancellation: cancellation)
        try session.begin()
        while session.tracks[0].seconds < 0.25 { usleep(1000) }
        #expect(!session.hasEnded && !FileManager.default.fileExists(atPath: path))
        cancellation.cancel()
        let summary = try session.finish()
        #expect(summary.tracks[0].seconds == 0.25 && summary.file?.rows == 14)
        let file = try FeatureReader(path: path)
        #expect(try file.allClips().map(\.id) == ["stdin"])
        #expect(try file.verify(most: 1).isEmpty)
        for end in ends { close(end) }
    }

    @Test func `two inputs are two clips, and a rate that differs is refused before anything is read`() throws {
        let waves = try [
            record("a.wav", samples: 9000, channels: 1, rate: 8000),
            record("b.wav", samples: 7000, channels: 2, rate: 16_000),
        ]
        let path = fixture.folder.path("live.h5")
        func inputs() throws -> [LiveInput] { try waves.map { try pipe($0, seed: 4) } }
        let found = try run(inputs(), ExtractionFixture.configuration(), record: path)
        let file = try FeatureReader(path: path)
        #expect(try file.allClips().map(\.id) == ["a", "a-2"])
        for (clip, name) in zip(try file.allClips(), ["a.wav", "b.wav"]) {
            let alone = try RecordingFeatures(
                path: fixture.folder.path(name), configuration: ExtractionFixture.configuration())
            #expect(try file.features(of: clip).values == alone.matrix.values)
        }
        #expect(try file.features(of: file.allClips()[0]).values == found.rows[0])
        // The second is resampled: for the display with less delay than for the file, so that its values differ a little.
        let kept = try file.features(of: file.allClips()[1]).values
        #expect(kept.count == found.rows[1].count && kept != found.rows[1])
        #expect(zip(kept, found.rows[1]).allSatisfy { abs($0 - $1) < 1e-3 })
        #expect(throws: LiveError.self) {
            try run(inputs(), ExtractionFixture.configuration(rate: nil), record: fixture.folder.path("other.h5"))
        }
        #expect(!FileManager.default.fileExists(atPath: fixture.folder.path("other.h5.spool")))
    }

    @Test(arguments: [(44_100, 16_000), (48_000, 16_000), (22_050, 16_000)])
    func `resampled sound is shown soon: no row waits for more than 20 ms of sound beyond its own`(
        from inputRate: Int, to rate: Int
    ) throws {
        let configuration = try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: rate), frame: FrameConfiguration(), transform: .fft(bins: nil),
            scale: ScaleConfiguration())
        let format = LiveFormat(encoding: .s16le, sampleRate: inputRate, channels: 1)
        let streams = try LiveStreams(configuration, format, isRecorded: false)
        let plan = try FeaturePlan(configuration, sampleRate: Double(rate))
        var (rows, least) = (0, Int.max)
        let piece = [Float](repeating: 0.1, count: inputRate / 100)
        for turn in 1...200 {
            try piece.withUnsafeBufferPointer { samples in
                try streams.push(samples, show: { rows += $0.count / plan.bins }, keep: { _ in })
            }
            let samples = (Double(turn * piece.count) / Double(inputRate) - 0.02) * Double(rate)
            let due = (Int(samples) - plan.geometry.length) / plan.geometry.hop + 1
            least = min(least, rows - due)
        }
        #expect(least >= 0)
    }

    @Test func `an input that is too short for a frame makes no file`() throws {
        let wave = try record("a.wav", samples: 100, channels: 1, rate: 8000)
        #expect(throws: LiveError.nothingRecorded(output: fixture.folder.path("live.h5"))) {
            try run([pipe(wave, seed: 1)], ExtractionFixture.configuration(), record: fixture.folder.path("live.h5"))
        }
        #expect(try fixture.folder.names() == ["a.wav"])
    }

    @Test func `nothing that exists is lost: a file without --overwrite, another file, an interrupted extraction`()
        throws
    {
        let wave = try record("a.wav", samples: 9000, channels: 1, rate: 8000)
        let (path, configuration) = (fixture.folder.path("live.h5"), try ExtractionFixture.configuration())
        try run([pipe(wave, seed: 1)], configuration, record: path)
        let before = try fixture.bytes("live.h5")
        #expect(throws: ExtractionError.self) { try run([pipe(wave, seed: 1)], configuration, record: path) }
        #expect(try fixture.bytes("live.h5") == before)
        try run([pipe(Array(wave[..<9000]), seed: 1)], configuration, record: path, overwrite: true)
        #expect(try fixture.bytes("live.h5") != before)
        _ = try fixture.folder.write("words", to: "words.h5")
        #expect(throws: ExtractionError.notReplaceable(path: fixture.folder.path("words.h5"))) {
            try run([pipe(wave, seed: 1)], configuration, record: fixture.folder.path("words.h5"), overwrite: true)
        }
        let manifest = "path\n" + (0..<40).map { "\($0).wav\n" }.joined()
        for number in 0..<40 { try fixture.record("\(number).wav", samples: 200_000) }
        #expect(try fixture.interrupt(fixture.extraction(manifest, jobs: 1), after: 2) > 0)
        #expect(throws: LiveError.self) {
            try run([pipe(wave, seed: 1)], configuration, record: fixture.folder.path("features.h5"))
        }
        #expect(try fixture.leftovers() == ["features.h5.spool"])
    }

    @Test func `samples that are not numbers end an input; what came before is kept`() throws {
        var samples = [Float](repeating: 0.25, count: 6000)
        samples[5000] = .nan
        try fixture.folder.writeWave([samples], sampleRate: 8000, encoding: .float32, to: "nan.wav")
        let found = try run(
            [pipe(bytes("nan.wav"), seed: 2)], ExtractionFixture.configuration(), record: fixture.folder.path("live.h5")
        )
        guard case LiveError.input(_, let failure)? = found.summary.tracks[0].failure else {
            Issue.record("\(String(describing: found.summary.tracks[0].failure))")
            return
        }
        #expect(failure == .nonFiniteSample(.init(.nan), frame: 5000))
        #expect(found.summary.tracks[0].seconds == 5000.0 / 8000)
        #expect(found.summary.file?.rows == (5000 - 256) / 128 + 1 && found.rows[0].count == 38 * 12)
    }

    @Test func `an interrupted run's clips in another folder prevent a recording`() throws {
        let wave = try record("a.wav", samples: 9000, channels: 1, rate: 8000)
        let folder = fixture.folder.path("live.h5.spool")
        let spool = try Spool(folder: folder)
        try spool.write("/scratch/live.h5.spool", to: .pointer)
        spool.unlock()
        let error = #expect(throws: LiveError.self) {
            try run([pipe(wave, seed: 1)], ExtractionFixture.configuration(), record: fixture.folder.path("live.h5"))
        }
        #expect(error == .interruptedRun(folder: folder))
        #expect(try SpoolContents(folder: folder)?.pointer == "/scratch/live.h5.spool")
    }

    @Test func `a configuration that needs the clip's mean is refused with the setting to change`() throws {
        let wave = try record("a.wav", samples: 9000, channels: 1, rate: 16_000)
        #expect(throws: LiveError.needsWholeClip(key: "condition.remove_dc", found: "true", instead: "false")) {
            _ = try run(
                [pipe(wave, seed: 1)],
                FeatureConfiguration(
                    audio: AudioConfiguration(sampleRate: 8000), condition: ConditionConfiguration(removeDC: true),
                    frame: FrameConfiguration(), transform: .fft(bins: nil), scale: ScaleConfiguration()))
        }
    }

    @Test func `the format of a stream has to be in its header or in the request`() throws {
        let wave = try record("a.wav", samples: 100, channels: 2, rate: 8000)
        let name = "a.wav"
        let digits = wave[44..<52].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
        let cases: [([UInt8], LiveRequest.Given, LiveError)] = [
            ([], .init(), .empty(name: name)), ([], .init(sampleRate: 8000), .empty(name: name)),
            (Array(wave[44...]), .init(), .unknownFormat(name: name, found: "the bytes \(digits)")),
            (Array("fLaC\0\0\0\0".utf8), .init(), .recording(name: name, kind: "a FLAC file")),
            (
                Array(wave[..<30]), .init(),
                .header(name: name, reason: "the input ends within its WAV header, after 30 bytes")
            ),
            (wave, .init(sampleRate: 16_000), .otherFormat(name: name, .sampleRate, given: "16000", found: "8000")),
            (
                wave, .init(sampleRate: 8000, channels: 1),
                .otherFormat(name: name, .channels, given: "1", found: "2")
            ),
            (
                wave, .init(sampleRate: 8000, encoding: .f32le),
                .otherFormat(name: name, .encoding, given: "f32le", found: "s16le")
            ),
        ]
        for (bytes, given, error) in cases {
            #expect(throws: error) { try pipe(bytes, seed: 1, given: given) }
        }
        _ = try pipe(wave, seed: 1, given: .init(sampleRate: 8000))
    }

    @Test func `a stream may end within a sample: what is left over is counted, and other chunks are not samples`()
        throws
    {
        let wave = try record("a.wav", samples: 3000, channels: 2, rate: 8000)
        let configuration = try ExtractionFixture.configuration()
        let whole = try run([pipe(wave, seed: 1)], configuration)
        let cut = try run([pipe(Array(wave[..<(wave.count - 5)]), seed: 1)], configuration)
        #expect(whole.summary.tracks[0].strayBytes == 0)
        #expect(cut.summary.tracks[0].strayBytes == 3)
        let more = try run([pipe(wave + LiveWave.chunk("LIST", [1, 2, 3, 4]), seed: 1)], configuration)
        #expect(more.rows == whole.rows && more.summary.tracks[0].seconds == 3000.0 / 8000)
    }

    @Test(arguments: [1, 2])
    func `before a display starts it is known which channels and which bands are not in it`(channels: Int) throws {
        let configuration = try Preset.kaldiFBank.configuration()
        for rate in [8000, 16_000] {
            let wave = try record("a.wav", samples: 3000, channels: channels, rate: rate)
            let session = try LiveSession(
                [pipe(wave, seed: 1)], configuration: configuration, json: try ConfigurationText.json(configuration),
                cancellation: Cancellation())
            let expected = Remark(
                kind: .channelsLeftOut, source: RecordingRemarks.source, count: 1, first: ["a.wav"])
            #expect(session.account.remarks == (channels == 1 ? [] : [expected]))
            let plan = try #require(session.tracks.first?.plan)
            let warning = session.lowerRates.warning(of: "input", plan, model: nil)
            let start =
                "1 input has a lower sample rate than the features (16000 Hz), 8000 Hz: its bins above 4000 Hz hold nothing; "
            #expect((warning?.hasPrefix(start) == true) == (rate == 8000) && (warning == nil) == (rate == 16_000))
            try session.begin()
            _ = try session.finish()
        }
    }
}
