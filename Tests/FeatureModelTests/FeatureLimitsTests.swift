import Testing

@testable import FeatureModel

struct FeatureLimitsTests {
    private func remarks(
        _ configuration: FeatureConfiguration, seconds: Double = 1, channels: Int = 1, channel: Int? = nil,
        rate: Int = 32_000
    ) -> RecordingRemarks {
        FeatureLimits(configuration).remarks(
            sampleRate: rate, duration: seconds, channels: channels, channel: channel)
    }

    private func configuration(_ preset: Preset, _ values: [(String, ConfigurationValue)]) throws
        -> FeatureConfiguration
    {
        var tree = try ConfigurationTree(preset)
        for (key, value) in values { try tree.set(key.split(separator: ".").map(String.init), value) }
        return try FeatureConfiguration(tree.root)
    }

    @Test(arguments: Preset.allCases)
    func `clips longer than the window of a preset's model are remarked, and of the others none`(preset: Preset) throws
    {
        let configuration = try preset.configuration()
        #expect(ModelWindow(of: configuration)?.model == (preset.window == nil ? nil : preset.rawValue))
        guard let window = preset.window else {
            #expect(!remarks(configuration, seconds: 1000).contains(.windowsExceeded))
            return
        }
        // Such a preset does not cut, and its text does not advise to: of a longer recording, all but one window would be lost.
        #expect(preset.notes?.contains("audio.duration=") != true)
        #expect(configuration.audio.duration == nil && configuration.rows.count == nil && preset.group == .models)
        #expect(remarks(configuration, seconds: window) == [] && remarks(configuration, seconds: 0) == [])
        #expect(remarks(configuration, seconds: window - 1.0 / 32_000) == (preset == .batDetect2 ? [] : .windowsShort))
        #expect(remarks(configuration, seconds: window + 1.0 / 32_000) == .windowsExceeded)
        let limits = FeatureLimits(configuration)
        #expect(
            limits.isLimited && limits.source(of: .windowsExceeded) == "\(preset.rawValue), windows of \(Int(window)) s"
        )
        #expect(limits.source(of: .clipsShortened) == RecordingRemarks.source)
    }

    @Test func `annotations above the default features are remarked, if the recording has such a band`() throws {
        let limits = try FeatureLimits(Preset.logMel.configuration(), columns: ["site", "high_frequency"])
        func remarks(_ edge: String, rate: Int) -> RecordingRemarks {
            let clip = Clip(index: 0, id: "a", path: "a.wav", extra: ["9000", edge])
            return ClipMeasurement(sampleRate: rate, channels: 1, start: 0, duration: 1).allRemarks(limits, of: clip)
        }
        #expect(remarks("8000", rate: 24_000) == [] && remarks("", rate: 24_000) == [])
        #expect(
            remarks("8000.5", rate: 24_000) == .annotationsAbove && remarks("9e3", rate: 32_000) == .annotationsAbove)
        #expect(remarks("9000", rate: 16_000) == [] && remarks("9000", rate: 44_100) == .bandsAbove)
        #expect(RecordingRemarks.annotationsAbove.kinds == [.annotationsAbove])
        let own = try FeatureLimits(configuration(.logMel, [("audio.sample_rate", .whole(24_000))]))
        #expect(own.remarks(sampleRate: 24_000, duration: 1, channels: 1, channel: nil, edge: 9000) == [])
    }

    @Test func `settings that a model leaves open, or that the preset's text names, keep its window`() throws {
        let cases: [(Preset, [(String, ConfigurationValue)], RecordingRemarks)] = [
            (.openL3, [("transform.bins", .whole(128))], .windowsExceeded),
            (.perch1, [("frame.drop_last", .flag(false))], .windowsExceeded),
            (.perch2, [("audio.channels", .whole(0)), ("store.type", .text("float16"))], .windowsExceeded),
            // Cut to the window, or to less than the clip.
            (.perch2, [("audio.duration", .whole(5))], .clipsShortened),
            (.perch2, [("audio.duration", .whole(8))], [.clipsShortened, .windowsExceeded]),
            // Another input.
            (.perch2, [("frame.hop", .whole(100))], []),
        ]
        for (preset, values, expected) in cases {
            #expect(try remarks(configuration(preset, values), seconds: 12) == expected, "\(preset) \(values)")
        }
    }

    @Test func `clips that are padded to the window of a model are not too short for it`() throws {
        let cases: [([(String, ConfigurationValue)], RecordingRemarks)] = [
            ([], .windowsShort), ([("audio.duration", .whole(5))], []), ([("audio.minimum", .whole(5))], []),
            ([("rows.count", .whole(500))], []), ([("audio.multiple", .whole(160_000))], []),
            ([("audio.minimum", .whole(4))], .windowsShort), ([("audio.duration", .whole(4))], .windowsShort),
            ([("audio.duration", .whole(5)), ("audio.fit", .text("keep"))], .windowsShort),
        ]
        for (values, expected) in cases {
            let configuration = try configuration(.perch2, values)
            #expect(remarks(configuration, seconds: 2.5) == expected, "\(values)")
        }
        let limits = try FeatureLimits(configuration(.perch2, []))
        #expect(limits.seconds(for: .windowsShort) == 5 && limits.seconds(for: .clipsShortened) == nil)
        #expect(try FeatureLimits(Preset.ast.configuration()).seconds(for: .clipsShortened) == 10.24)
    }

    @Test func `a clip of one frame more than rows_count is remarked`() throws {
        // 10 frames of 400 samples every 160 end after 1840 samples, and an 11th one after 2000.
        let settings: [(String, ConfigurationValue)] = [
            ("audio.sample_rate", .whole(16_000)), ("frame.align", .text("start")), ("frame.length", .whole(400)),
            ("frame.hop", .whole(160)), ("rows.count", .whole(10)), ("normalize.scope", .text("none")),
        ]
        let configuration = try configuration(.logMel, settings)
        #expect(remarks(configuration, seconds: 1999.0 / 16_000, rate: 16_000) == [])
        #expect(remarks(configuration, seconds: 2000.0 / 16_000, rate: 16_000) == .clipsShortened)
    }

    @Test func `the first of several channels alone is remarked, unless the clip names one`() throws {
        let first = try Preset.kaldiFBank.configuration()
        #expect(first.audio.channels == .first && FeatureLimits(first).isLimited)
        #expect(remarks(first, channels: 1) == [] && remarks(first, channels: 2) == .channelsLeftOut)
        #expect(remarks(first, channels: 2, channel: 0) == [])
        for channels in [ConfigurationValue.text("mix"), .text("all"), .whole(0)] {
            #expect(try remarks(configuration(.kaldiFBank, [("audio.channels", channels)]), channels: 2) == [])
        }
        #expect(
            RecordingRemarks.channelsLeftOut.kinds == [.channelsLeftOut]
                && RecordingRemarks.channelsLeftOut.stored == [])
    }
}
