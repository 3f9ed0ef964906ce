import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import Plotting
@testable import veery

/// What `veery render` makes of its options.
struct RenderingTests {
    private func command(_ arguments: [String]) throws -> RenderCommand {
        try RenderCommand.parse(arguments)
    }

    @Test(arguments: [4000, 96_000])
    func `other frames for a picture change their lengths alone`(rate: Int) throws {
        let given = try FrameConfiguration(
            hop: .seconds(0.00312), rounding: .down, window: .hamming, symmetric: true, removeDC: true,
            preEmphasis: 0.5, lookahead: 7)
        let found = try PictureFrames.configuration(
            Preset.spectrogram.configuration().with(frame: given),
            for: ClipMeasurement(sampleRate: rate, channels: 1, start: 0, duration: 10), keepsHop: true
        ).frame
        #expect(found.length != given.length)
        #expect(try found == given.with(length: found.length, hop: given.hop, fftLength: nil))
        #expect(found.lookahead == 7 && found.rounding == .down && found.window == .hamming)
    }

    @Test(arguments: [("C4", 261.6256), ("C5", 523.2511), ("C6", 1046.502)])
    func `on a musical axis the loudest row of a note's sine is at the tick of its name`(name: String, hertz: Double)
        throws
    {
        let folder = try TemporaryFolder()
        let rate = 11_025.0
        let samples = (0..<Int(2 * rate)).map { Float(0.5 * sin(2 * .pi * hertz * Double($0) / rate)) }
        let path = try folder.writeWave([samples], sampleRate: Int(rate), to: "note.wav")
        for options in [["--preset", "musical-spectrum"], ["--axis", "musical", "--set", "frame.fft_length=4096"]] {
            let command = try command(
                [path, "-o", folder.path("p.png"), "--colors", "grey", "--height", "900"] + options)
            let content = try RecordingPanels(command: command, table: nil).content()
            let (canvas, layout, _) = try SpectrogramPicture(
                panels: content.panels, valueLabel: content.units, span: .percentiles(0, 100),
                frequencies: command.axes.display(musical: content.notes), style: command.appearance.style()
            ).draw(.png)
            let pixels = try #require(canvas.raster())
            let body = layout.panels[0].body
            let tick = try #require(layout.panels[0].bins.ticks.first { $0.label == name })
            let expected = (1 - tick.position) * Double(body.height)
            let column = (body.y..<body.bottom).map { Int(pixels[body.x + body.width / 2, $0] & 0xFF) }
            let loudest = try #require(column.max())
            let rows = column.indices.filter { column[$0] == loudest }
            // Rows of one bin are equal; a bin of 512 mel bands or 712 points is narrower than half a semitone here.
            let middle: Double = Double(rows.reduce(0, +)) / Double(rows.count) + 0.5
            let semitone: Double = Double(body.height) / (12 * log2(rate / 2 / 30))
            #expect(
                (middle - expected).magnitude < max(semitone, Double(rows.count)), "\(options), \(rows), \(expected)")
        }
    }

    @Test func `several clips share the values that are kept, a plain picture has its own bound`() throws {
        let one = try command(["a.wav", "-o", "p.png"]).panels
        #expect(one.maximumValues(panels: 1) == 1 << 25 && one.maximumValues(panels: 0) == 1 << 25)
        for panels in [2, 6, 400] {
            let share = one.maximumValues(panels: panels)
            #expect(share * panels <= 1 << 25 && (share + 1) * panels > 1 << 25)
        }
        #expect(try command(["a.wav", "-o", "p.png", "--plain"]).panels.maximumValues(panels: 1) == 1 << 28)
    }

    @Test func `a plain picture of too many frames advises what draws them`() throws {
        let panels = try command(["a.wav", "-o", "p.png", "--plain"]).panels
        // As many as --columns may say, of any number of frames.
        let many = #expect(throws: FileRefusal.self) {
            try panels.checkComplete(
                path: "a.wav", kept: 8191, frames: 40_000, bins: 9, drawn: 9, hasFrequencies: true, remedy: "FEWER")
        }
        #expect(many.map { "\($0)".contains("expected at most 8,191 frames, found 40,000 frames") } == true)
        func reason(bins: Int, drawn: Int, hasFrequencies: Bool = true) -> String {
            let error = #expect(throws: FileRefusal.self) {
                try panels.checkComplete(
                    path: "a.wav", kept: 8191, frames: 9001, bins: bins, drawn: drawn, hasFrequencies: hasFrequencies,
                    remedy: "FEWER")
            }
            return error.map { "\($0)" } ?? ""
        }
        #expect(reason(bins: 32_000, drawn: 32_000).hasSuffix("found 9,001 frames of 32,000 values: FEWER"))
        #expect(reason(bins: 32_769, drawn: 100).hasSuffix(": FEWER"))
        let band = ": FEWER, of a band of at most 32,000 values (--band)"
        #expect(reason(bins: 32_769, drawn: 32_769).hasSuffix(band))
        let without = ": leave out --plain, which draws at most 32,000 values of a frame"
        #expect(reason(bins: 40_000, drawn: 40_000, hasFrequencies: false).hasSuffix(without))
        let axis = BinAxis.frequencies((0..<100).map { Float($0) })
        let axes = try command(["a.wav", "-o", "p.png", "--plain", "--band", "10-20"]).axes
        #expect(axes.drawn(axis, bins: 100) == 11 && axes.drawn(.samples, bins: 100) == 100)
    }

    private func content(_ path: String, _ arguments: String...) throws -> PictureContent {
        try RecordingPanels(command: command([path, "-o", "p.png"] + arguments), table: nil).content()
    }

    @Test(arguments: [8000, 44_100, 250_000])
    func `the default picture reaches half the recording's rate, and 0 dB is its greatest value`(rate: Int) throws {
        let folder = try TemporaryFolder()
        var random = RandomSource(seed: 3)
        let path = try folder.writeWave([random.samples(rate / 2)], sampleRate: rate, to: "a.wav")
        let content = try content(path)
        let panel = try #require(content.panels.first)
        guard case .frequencies(let frequencies) = panel.axis else {
            Issue.record("expected frequencies")
            return
        }
        #expect(frequencies.first == 0 && frequencies.last == Float(rate) / 2)
        #expect(panel.matrix.values.max() == 0 && content.units == "dB re peak" && content.usualSpan == .levels)
        // Frames for the columns of pixels, bins for the rows, and 0 s on the axis.
        #expect(panel.matrix.rows >= 900 && panel.matrix.bins >= 400)
        #expect(panel.start <= 0 && panel.subtitle?.contains("shown up to") == false)
        // The sound is not cut into other frames where these are asked for.
        let hop = try self.content(path, "--set", "frame.hop=5 ms", "--set", "frame.fft_length=8192")
        let frames = 1 + rate / 2 / Int((0.005 * Double(rate)).rounded())
        #expect(hop.panels[0].matrix.rows == frames && hop.panels[0].matrix.bins == 4097)
        // Values alone are those of the preset.
        #expect(try self.content(path, "--plain").panels[0].matrix.rows == frames)
    }

    @Test func `silence has no peak: its values are as they are, and dark`() throws {
        let folder = try TemporaryFolder()
        let silence = [Float](repeating: 0, count: 8000)
        let path = try folder.writeWave([silence], sampleRate: 8000, to: "a.wav")
        let content = try content(path)
        let values = try #require(content.panels.first).matrix.values
        #expect(Set(values).count == 1 && values[0] < -50)
        #expect(content.units == "dB" && content.usualSpan == .levels)
        // Next to a sound, it has the peak of that.
        var random = RandomSource(seed: 4)
        let sound = try folder.writeWave([random.samples(8000)], sampleRate: 8000, to: "b.wav")
        let both = try self.content(path, sound)
        #expect(both.units == "dB re peak" && both.panels[0].matrix.values.allSatisfy { $0 < -50 })
        #expect(both.panels[1].matrix.values.max() == 0)
    }

    @Test func `a long recording is drawn from frames of 5 ms, whose number is bounded`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.writeWave([[Float](repeating: 0.1, count: 60 * 8000)], sampleRate: 8000, to: "a.wav")
        let panel = try content(path).panels[0]
        #expect(panel.matrix.rows == 12_001 && panel.matrix.values.count <= 1 << 25)
    }

    @Test func `a picture that ends below what was recorded says so`() throws {
        let configuration = try Preset.logMel.configuration()
        let cut = PictureEnd(configuration, highest: 7700, sampleRate: 44_100)
        #expect(cut.hertz == 8000 && cut.words == ", shown up to 8000 Hz")
        #expect(cut.note?.contains("up to 22050 Hz, the picture ends at 8000 Hz") == true)
        #expect(PictureEnd(configuration, highest: 7700, sampleRate: 16_000).hertz == nil)
        #expect(PictureEnd(configuration, highest: 7700, sampleRate: 16_000).words.isEmpty)
        #expect(PictureEnd(nil, highest: 22_050, sampleRate: 44_100).note == nil)
        let waveform = try Preset.liveWaveform.configuration()
        #expect(PictureEnd(waveform, highest: 1071, sampleRate: 44_100).words == ", shown up to 1071 Hz")
        let cepstrum = PictureEnd(try Preset.htkMFCC.configuration(), highest: nil, sampleRate: 44_100)
        #expect(cepstrum.words == ", analysed at 16000 Hz" && cepstrum.note == nil)
    }

    @Test func `several long recordings are drawn from no more values than one`() throws {
        let folder = try TemporaryFolder()
        var random = RandomSource(seed: 5)
        // 3000 frames of 4097 bins are 12 million values, four times as many are more than are kept.
        let path = try folder.writeWave([random.samples(8192 + 2999 * 16)], sampleRate: 8000, to: "long.wav")
        let settings =
            [
                "audio.sample_rate=null", "frame.length=8192", "frame.hop=16", "frame.fft_length=8192",
                "transform.kind=fft", "normalize.scope=none",
            ].flatMap { ["--set", $0] } + ["--preset", "log-mel"]
        let alone = try RecordingPanels(command: command([path, "-o", "p.png"] + settings), table: nil).content()
        #expect(alone.panels.map(\.matrix.rows) == [3000])
        let four = Array(repeating: path, count: 4)
        let panels = try RecordingPanels(command: command(four + ["-o", "p.png"] + settings), table: nil).content()
            .panels
        #expect(panels.reduce(0) { $0 + $1.matrix.values.count } <= 1 << 25)
        // The time that they span is the same.
        for panel in panels { #expect((panel.duration - alone.panels[0].duration).magnitude < 0.01) }
    }

    @Test(arguments: ["--range", "--percentiles", "--band", "--tuning", "--below-peak", "--width", "--height", "--dpi"])
    func `negative numbers and what is not a number are read as the option's value`(option: String) throws {
        let error = #expect(throws: (any Error).self) {
            try RenderCommand.parse(["a.wav", "-o", "p.png", option, "-7"])
        }
        let message = RenderCommand.message(for: try #require(error))
        #expect(message.contains("expected") && !message.contains("Missing value"), "\(message)")
    }

    @Test func `a picture names what it was drawn by`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.writeWave([[Float](repeating: 0.1, count: 16_000)], sampleRate: 16_000, to: "a.wav")
        try FileManager.default.createDirectory(atPath: folder.path("tiny"), withIntermediateDirectories: true)
        try Data(#"{"feature_extractor_type": "WhisperFeatureExtractor"}"#.utf8)
            .write(to: folder.url.appending(path: "tiny/preprocessor_config.json"))
        try Data("extends: log-mel".utf8).write(to: folder.url.appending(path: "my.yaml"))
        let own = "\(folder.url.lastPathComponent)/my.yaml"
        let cases: [([String], String)] = [
            (["--preset", "whisper"], "whisper: mel"),
            (["--preset", "openai/whisper-tiny"], "openai/whisper-tiny: mel"),
            (["--preset", folder.path("tiny")], "tiny/preprocessor_config.json: mel"),
            (["--preset", folder.path("tiny/preprocessor_config.json")], "tiny/preprocessor_config.json: mel"),
            (["--config", folder.path("my.yaml")], "\(own): mel"),
            (["--preset", "log-mel", "--set", "transform.bins=40"], "log-mel with transform.bins=40: mel"),
            (["--set", "frame.hop=100"], "spectrogram with frame.hop=100: "),
            (
                [
                    "--preset", "log-mel", "--set", "transform.bins=40", "--set", "frame.hop=100", "--set",
                    "transform.low=9",
                ],
                "log-mel with transform.bins=40, frame.hop=100 and 1 more: mel"
            ),
        ]
        for (arguments, title) in cases {
            let panel = try RecordingPanels(command: command([path, "-o", "p.png"] + arguments), table: nil).content()
                .panels[0]
            #expect(panel.subtitle?.hasPrefix(title) == true, "\(panel.subtitle ?? "") \(title)")
        }
        // Nothing was asked for.
        #expect(try content(path).panels[0].subtitle?.contains(":") == false)
    }

    @Test func `recordings of one name are told apart by their folders`() {
        #expect(RecordingTitles.titles(of: ["/a/b/c.wav"]) == ["c.wav"])
        #expect(RecordingTitles.titles(of: ["/a/x/c.wav", "/a/y/c.wav", "d.wav"]) == ["x/c.wav", "y/c.wav", "d.wav"])
        #expect(RecordingTitles.titles(of: ["x/b/c.wav", "y/b/c.wav"]) == ["x/b/c.wav", "y/b/c.wav"])
        #expect(RecordingTitles.titles(of: ["c.wav", "y/c.wav", "c.wav"]) == ["c.wav", "y/c.wav", "c.wav"])
    }

    @Test func `a range may start below zero, with or without an equals sign`() throws {
        for arguments in [["--range", "-80:0"], ["--range=-80:0"]] {
            #expect(try command(["a.wav", "-o", "p.png"] + arguments).appearance.range?.range == -80...0)
        }
    }
}
