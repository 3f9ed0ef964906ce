extension Preset {
    /// A warning where a changed sample rate changes the duration of frames that are defined in samples: both durations, and
    /// how to keep the first; nil: rate or frames are unchanged, or the preset is that of a model, whose numbers must stay.
    ///
    /// - Parameters:
    ///   - configuration: The preset, changed.
    ///   - sampleRate: Of the samples that are analysed, in Hz.
    package func rateWarning(for configuration: FeatureConfiguration, sampleRate: Double) throws -> Note? {
        let own = try definition()
        let frame = configuration.frame
        guard group != .models, configuration.audio.sampleRate != own.audio.sampleRate, sampleRate != usualRate,
            sampleRate > 0,
            case .samples(let length) = own.frame.length, case .samples(let hop) = own.frame.hop,
            frame.length == own.frame.length || frame.hop == own.frame.hop
        else { return nil }
        func time(_ samples: Int, _ rate: Double) -> String {
            "\(((Double(samples) / rate * 1e5).rounded() / 100).shortText) ms"
        }
        var now: [String] = []
        var then: [String] = []
        var settings: Note = ""
        for (key, words, samples, isKept) in [
            ("length", "frames of \(length) samples last", length, frame.length == own.frame.length),
            ("hop", "hops of \(hop) samples last", hop, frame.hop == own.frame.hop),
        ] where isKept {
            now.append("\(now.isEmpty ? words : words.replacing(" last", with: "")) \(time(samples, sampleRate))")
            then.append(time(samples, usualRate))
            settings += " \(setting: .key, "frame.\(key)='\(time(samples, usualRate))'")"
        }
        if frame.length == own.frame.length, frame.fftLength == own.frame.fftLength {
            settings += " \(setting: .key, "frame.fft_length=next_power_of_two")"
        }
        return
            "\(rawValue): \(now.joined(separator: ", ")) at \(sampleRate.shortText) Hz, not \(then.joined(separator: " and ")) "
            + "as at \(usualRate.shortText) Hz; to keep the times:\(settings)"
    }
}
