import ArgumentParser
import ConfigurationFiles
import Essentials
import FeatureModel
import Plotting
import Presentation
import SignalProcessing

/// `veery render --filter-bank`: the bands and the window of a configuration.
struct FilterBankRendering {
    let command: RenderCommand
    /// A preset or a file.
    let name: String

    private static let defaultHeight = 560
    private static let windowHeight = 300

    static func validate(_ command: RenderCommand) throws {
        let isEmpty =
            command.inputs.isEmpty && command.clip.isEmpty && command.recording.isEmpty && command.overlays.isEmpty
            && command.settings.preset == nil && command.settings.config == nil && !command.sheet.sheet
            && !command.panels.plain && command.panels.across == 1 && command.axes.begins == nil
            && command.axes.time == .automatic
        guard isEmpty else {
            throw ValidationError(
                "--filter-bank draws no values: it takes --set, --sample-rate, --json, --axis, --band and the options of "
                    + "appearance, but no recording or feature file.")
        }
        guard command.output != nil || command.bank.json else {
            throw ValidationError(
                "Missing expected argument '-o <output>': the picture to write, such as -o bank.png, or --json.")
        }
    }

    func run(_ target: PictureOutput?) throws {
        let chosen = try chosen()
        let plan: FeaturePlan
        do throws(ConfigurationError) {
            plan = try FeaturePlan(chosen.configuration, sampleRate: rate(chosen))
        } catch {
            throw ValidationError("\(name.excerpt): \(error)")
        }
        let highest = plan.sampleRate / 2
        if let band = command.axes.frequencies, band.lowerBound >= highest {
            throw ValidationError(
                "--band: expected a band below \(Wording.number(highest)) Hz, half the rate of \(name.excerpt); found one "
                    + "that starts at \(Wording.number(band.lowerBound)) Hz.")
        }
        if let origin = chosen.origin { Console.note(origin) }
        if let namesake = chosen.namesake { Console.warn(namesake) }
        // No warnings about the lowest notes of the preset itself.
        if chosen.preset != .musicalSpectrum {
            for warning in plan.warnings(for: chosen.model) { Console.warn(warning) }
        }
        let words = FilterBankWords(plan: plan)
        if command.bank.json {
            try Console.output(json: FilterBankReport(name: name, plan: plan))
        }
        guard let target else { return }
        let file = try FileRefusal.naming(target.path) { try picture(plan, words).file(as: target.format) }
        try file.write(to: target.path)
        if let warning = PictureFonts.warning { Console.warn(warning) }
    }

    /// The configuration, by the name of a preset or of a file.
    private func chosen() throws -> ChosenConfiguration {
        var settings = command.settings
        let isFile: Bool
        do throws(UnknownPresetError) {
            isFile = if case .path = try NamedConfiguration(name) { true } else { false }
        } catch {
            // One that is missing, whose error names it.
            isFile = error.isPath
        }
        guard isFile else {
            _ = try NamedConfiguration.given(name)
            settings.preset = name
            return try settings.chosen()
        }
        do {
            settings.config = name
            return try settings.chosen()
        } catch ConfigurationFileError.modelFile {
            (settings.config, settings.preset) = (nil, name)
            return try settings.chosen()
        } catch ConfigurationFileError.unreadable where FileManager.default.fileExists(atPath: name) {
            // A folder, an archive, or a longer file than a configuration.
            (settings.config, settings.preset) = (nil, name)
            return try settings.chosen()
        }
    }

    private func rate(_ chosen: ChosenConfiguration) throws(ConfigurationError) -> Double {
        let given = command.bank.sampleRate
        if let own = chosen.configuration.audio.sampleRate.map(Double.init) {
            guard given == nil || given == own else {
                throw .invalidValue(
                    key: "--sample-rate", found: Wording.number(given ?? own),
                    expected: "none with audio.sample_rate, which is \(Wording.number(own)) Hz: --set changes that")
            }
            return own
        }
        guard let rate = given ?? chosen.preset?.usualRate else {
            throw .invalidValue(
                key: "audio.sample_rate", found: "null",
                expected: "a rate to draw the bands at: give one with --sample-rate")
        }
        return rate
    }

    private func picture(_ plan: FeaturePlan, _ words: FilterBankWords) throws -> FilterBankPicture {
        let bank = try bank(plan, words)
        let axes = command.axes
        let style = try command.appearance.style(
            defaultHeight: bank == nil ? Self.windowHeight : Self.defaultHeight)
        let notes = plan.configuration.transform.notes
        let isPlain = axes.axis == nil && axes.tuning == nil && notes == nil
        let display = isPlain ? .linear : axes.display(musical: notes)
        // Only the range of the notes: bins far below the lowest one would take most of an axis of octaves.
        let points = notes?.frequencies ?? []
        let pointSpan = points.first.flatMap { low in
            points.last.map { low / 1.2...min($0 * 1.05, plan.sampleRate / 2) }
        }
        // Only the range of the bands: those of an eighth of the spectrum would otherwise share an eighth of the width.
        let bankSpan = plan.configuration.transform.bank.map { $0.low...($0.high ?? plan.sampleRate / 2) }
        let span = pointSpan ?? bankSpan
        return FilterBankPicture(
            title: NamedPreset(name) == nil ? URL(filePath: name).lastPathComponent : name, subtitle: words.frames,
            bank: bank,
            window: WindowPanel(
                title: words.window, values: plan.windowCoefficients, sampleRate: plan.sampleRate,
                hop: plan.geometry.hop),
            frequencies: display, band: axes.frequencies ?? span, style: style)
    }

    /// Nil: samples are not transformed.
    private func bank(_ plan: FeaturePlan, _ words: FilterBankWords) throws(PlotError) -> BankPanel? {
        let transform = plan.configuration.transform
        guard transform != .raw else { return nil }
        guard let bands = plan.bands else {
            // Real and imaginary parts have the same bins.
            let columns = plan.configuration.scale.kind == .complex ? plan.bins / 2 : plan.bins
            let kept = plan.frequencies.prefix(columns)
            let bins = transform.kind == .fft ? plan.spectrumFrequencies : Array(kept)
            return try BankPanel(
                title: words.bank, bins: bins,
                curves: kept.enumerated().map { SpectrumBand(center: Double($1), firstBin: $0, weights: [1]) },
                isPlain: true, numbering: transform.kind == .fft ? "Bin" : "No.", edges: [])
        }
        let edges = transform.bank.map { [$0.low, $0.high ?? plan.sampleRate / 2] } ?? []
        return try BankPanel(
            title: words.bank, bins: plan.spectrumFrequencies,
            curves: bands, isPlain: false, numbering: transform.bank == nil ? "Point" : "Band", edges: edges)
    }
}

extension FeaturePlan {
    /// The distance from a coefficient of the transform to the next in Hz; those of a DCT cover half the rate.
    var binWidth: Double {
        if case .dct = configuration.transform.method {
            sampleRate / Double(2 * geometry.fftLength)
        } else {
            sampleRate / Double(geometry.fftLength)
        }
    }

    /// The frequency of each bin of the spectrum in Hz.
    var spectrumFrequencies: [Float] {
        (0...geometry.fftLength / 2).map { Float(Double($0) * sampleRate / Double(geometry.fftLength)) }
    }
}

/// The texts of the picture about a plan.
struct FilterBankWords {
    let plan: FeaturePlan

    private static func number(_ value: Double) -> String { Wording.thousandths(value) }

    private func time(_ samples: Int) -> String { "\(Self.number(Double(samples) / plan.sampleRate * 1000)) ms" }

    /// `16000 Hz, frames of 400 samples (25 ms) every 160 (10 ms), 201 bins of 40 Hz`
    var frames: String {
        let geometry = plan.geometry
        let rate = "\(Self.number(plan.sampleRate)) Hz"
        let frames =
            "frames of \(Wording.count(geometry.length, "sample")) (\(time(geometry.length))) "
            + "every \(geometry.hop) (\(time(geometry.hop)))"
        let width = Self.number(plan.binWidth)
        switch plan.configuration.transform.method {
        case .raw: return "\(rate), \(frames), no bands: the samples themselves"
        case .dct:
            return "\(rate), \(frames), DCT: \(Wording.count(geometry.fftLength, "coefficient")) every \(width) Hz"
        default:
            return "\(rate), \(frames), transform of \(geometry.fftLength): "
                + "\(geometry.fftLength / 2 + 1) bins of \(width) Hz"
        }
    }

    var bank: String {
        let transform = plan.configuration.transform
        switch transform.method {
        case .fft: return "No filter bank: \(Wording.count(plan.frequencies.count, "bin"))"
        case .dct(_, let type, _):
            return "No filter bank: \(Wording.count(plan.bins, "coefficient")) of the DCT-"
                + ["I", "II", "III", "IV"][type.rawValue - 1]
        case .musical(let musical):
            return
                "\(Wording.count(musical.points, "point")), \(musical.pointsPerNote) for each semitone, each from three bins"
        case .mel(let mel, _): return bands(mel)
        case .mfcc(let cepstrum), .lfcc(let cepstrum):
            return bands(cepstrum.bank) + ", under \(Wording.count(cepstrum.bins, "coefficient"))"
        case .raw: return ""
        }
    }

    private func bands(_ mel: MelConfiguration) -> String {
        let empty = plan.filterBank?.emptyBands.count ?? 0
        let kind =
            switch mel.spectrum {
            case .power: "of the power"
            case .magnitude: "of the magnitude"
            case .real: "of the real part"
            }
        let shape =
            switch mel.triangles {
            case .hertz: ""
            case .mel: ", straight in mel"
            case .symmetric: ", symmetric"
            }
        return "\(Wording.count(mel.bins, "band")) \(kind), "
            + (mel.scale == .linear ? "even in Hz" : "\(mel.scale.rawValue) mel scale")
            + ", \(mel.norm == .slaney ? "area 1" : "peak 1")\(shape)"
            + (mel.order == .descending ? ", highest first" : "")
            + (empty == 0 ? "" : ", \(empty) without a bin")
    }

    /// `Window: hann, periodic, 400 samples (25 ms)`
    var window: String {
        let frame = plan.configuration.frame
        let isSame = frame.window == .rectangular
        return "Window: \(frame.window.name)"
            + (isSame ? "" : frame.symmetric ? ", symmetric" : ", periodic")
            + ", \(Wording.count(plan.geometry.length, "sample")) (\(time(plan.geometry.length)))"
    }
}

/// The weights and the window as numbers.
struct FilterBankReport: Encodable {
    let name: String
    let plan: FeaturePlan

    func encode(to encoder: any Encoder) throws {
        let frame = plan.configuration.frame
        let bands: [JSONObject]? = plan.bands.map { bands in
            bands.enumerated().map { number, band in
                JSONObject(entries: [
                    "band": number, "center": band.center, "firstBin": band.firstBin, "weights": band.weights,
                ])
            }
        }
        let bank = plan.configuration.transform.bank
        try JSONObject(entries: [
            "name": name, "sampleRate": plan.sampleRate, "frequencyUnit": "Hz",
            "transform": plan.configuration.transform.kind.rawValue,
            "fftLength": plan.geometry.fftLength, "binWidth": plan.binWidth,
            "low": bank?.low, "high": bank.map { $0.high ?? plan.sampleRate / 2 }, "bands": bands,
            "frequencies": plan.bands == nil && plan.configuration.transform != .raw ? plan.frequencies : nil,
            "hop": plan.geometry.hop,
            "window": JSONObject(entries: [
                "kind": frame.window.kind.rawValue, "symmetric": frame.symmetric, "length": plan.geometry.length,
                "milliseconds": Double(plan.geometry.length) / plan.sampleRate * 1000,
                "values": plan.windowCoefficients,
            ]),
        ]).encode(to: encoder)
    }
}
