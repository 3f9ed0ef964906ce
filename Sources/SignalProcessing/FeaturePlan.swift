import FeatureModel
import Numerics
import Platform

/// A configuration at one sample rate: frames, window, transform, filter bank, axes.
///
/// Immutable, and shared by any number of `FeatureStream`s. Samples go in on the unit scale (±1 is full
/// scale); `audio.scale` is applied here.
///
///     let plan = try FeaturePlan(Preset.logMel.configuration(), sampleRate: 16_000)
///     let features = try plan.features(of: samples)        // before normalisation; rows × 80
public struct FeaturePlan: Sendable {
    /// The configuration.
    public let configuration: FeatureConfiguration
    /// Rate of the samples in Hz.
    public let sampleRate: Double
    /// The frames in samples.
    public let geometry: FrameGeometry
    /// The channels whose features are side by side in a row of a clip (`audio.channels: all`); 1: there is one signal.
    public let channels: Int
    /// Values in a row of one channel.
    public let bins: Int
    /// The same before columns are resized (`rows.resize_bins`).
    let computedBins: Int
    /// The filter bank; nil where the transform has none.
    public let filterBank: MelFilterBank?
    /// The meaning of the columns.
    public let axis: FeatureAxis
    /// Likely mistakes, a sentence each: bands without a bin, points closer than a bin, transforms slower than real time.
    public let warnings: [String]

    /// Samples by which every frame starts later than it should; negative: earlier.
    package let frameShift: Int
    let window: [Double]
    /// The envelope of `condition.dct_filter`; nil: no filter.
    let envelope: DCTEnvelope?
    /// Values of a row before cepstra and deltas: bins of a spectrum, bands, points.
    let spectrumBins: Int
    /// Whether rows are computed in double precision up to their last step; see `hasRests`.
    let isPrecise: Bool

    /// Computes window and filter bank.
    ///
    /// - Parameters:
    ///   - configuration: Its `audio.sampleRate` is ignored.
    ///   - sampleRate: Rate of the samples in Hz.
    ///   - channels: The channels that clips have, with `audio.channels: all`; otherwise 1.
    /// - Throws: `ConfigurationError` where the configuration does not fit the sample rate, the rate is outside
    ///   `AudioConfiguration.sampleRates`, or this build lacks the transform's engine.
    public init(
        _ configuration: FeatureConfiguration, sampleRate: Double, channels: Int = 1
    ) throws(ConfigurationError) {
        try self.init(configuration, sampleRate: sampleRate, channels: channels, frameShift: 0)
    }

    /// The same with frames that start `frameShift` samples late, as no configuration has them; negative: early. Less than half a frame.
    ///
    /// - Throws: As the public initialiser.
    package init(
        _ configuration: FeatureConfiguration, sampleRate: Double, channels: Int = 1, frameShift: Int
    ) throws(ConfigurationError) {
        let rates = AudioConfiguration.sampleRates
        guard sampleRate >= Double(rates.lowerBound), sampleRate <= Double(rates.upperBound) else {
            throw .invalidValue(
                key: "audio.sample_rate", found: "\(sampleRate)",
                expected: "\(rates.lowerBound) to \(rates.upperBound) Hz")
        }
        guard configuration.transform.engine == .lanes || transformLibraryVersion() != nil else {
            throw .invalidValue(
                key: "transform.engine", found: "fftw",
                expected:
                    "lanes, or no such key, since this build is without FFTW, which is under the GPL ('make build' in "
                    + "Veery's sources makes one with it)")
        }
        self.configuration = configuration
        self.sampleRate = sampleRate
        self.channels = max(channels, 1)
        self.frameShift = frameShift
        (geometry, bins) = try configuration.shape(at: sampleRate)
        let frame = configuration.frame
        let transform = configuration.transform
        let computed = try configuration.computedColumns(geometry, at: sampleRate)
        computedBins = computed
        envelope =
            if let filter = configuration.condition.dctFilter {
                try DCTEnvelope(filter, sampleRate: sampleRate)
            } else {
                nil
            }
        window = Window.coefficients(frame.window, length: geometry.length, symmetric: frame.symmetric)
        let fftLength = geometry.fftLength
        let parts = transform.deltas.order + 1
        isPrecise = Self.isPrecise(configuration)
        let isExact = isPrecise
        filterBank = transform.bank.map {
            MelFilterBank($0, fftLength: fftLength, sampleRate: sampleRate, isExact: isExact)
        }
        spectrumBins = filterBank?.bands ?? computed
        if transform == .raw {
            axis = .coefficient((0..<bins).map { Float($0) })
        } else if let cepstrum = transform.cepstrum {
            let orders = cepstrum.orders.map { Float($0) }
            axis = .coefficient((0..<parts).flatMap { _ in orders })
        } else {
            let centers = Self.frequencies(transform, bank: filterBank, fftLength: fftLength, sampleRate: sampleRate)
            let count = configuration.scale.kind == .complex ? computed / 2 : computed / parts
            let shown = Self.resized(Array(centers.prefix(count)), configuration.rows).map { Float($0) }
            axis = .frequency((0..<bins / max(shown.count, 1)).flatMap { _ in shown })
        }
        warnings =
            Self.slowness(transform, geometry, sampleRate: sampleRate)
            + Self.warnings(transform, bank: filterBank, fftLength: fftLength, sampleRate: sampleRate)
        let repeats = fit == .repeat || fit == .repeatPad
        if repeats, let length = fixedLength, length > Self.maximumRepeatedLength {
            throw .invalidValue(
                key: "audio.duration", found: "\(length) samples with audio.fit: \(fit?.rawValue ?? "")",
                expected:
                    "at most \(Self.maximumRepeatedLength) samples, since clips that are repeated are kept in memory")
        }
        if let duration = configuration.audio.duration, storedRowCount(frameCount(samples: .max)) == 0 {
            throw .invalidValue(
                key: "audio.duration", found: "\(duration)",
                expected:
                    "null or at least \(configuration.patches.length == nil ? "one frame" : "one patch"): \(minimumSamples) samples at \(sampleRate) Hz, "
                    + "\(Double(minimumSamples) / sampleRate) s")
        }
    }

    /// Values in a row of a clip: those of all channels.
    public var columns: Int { channels * bins }

    /// The channels of a clip where its features have an axis for them; nil: there is one signal.
    public var channelAxis: Int? { configuration.audio.channels == .all ? channels : nil }

    /// The centre frequency of each column in Hz, part after part; empty for cepstra.
    public var frequencies: [Float] {
        if case .frequency(let frequencies) = axis { frequencies } else { [] }
    }

    /// The frequency in Hz of the highest bin, band or point; for cepstra, of their highest band.
    public var highestFrequency: Double { filterBank?.centers.max() ?? Double(frequencies.max() ?? 0) }

    /// Rows by which slopes over time come later than their frames.
    package var deltaLag: Int { configuration.transform.deltas.order * configuration.transform.deltas.window }

    /// Seconds from one row to the next: from one frame to the next, or, where rows are resized, that divided by `rows.resize`.
    public var framePeriod: Double { configuration.rows.resize.map { hopPeriod / $0 } ?? hopPeriod }

    /// Seconds from one frame to the next.
    var hopPeriod: Double { Double(geometry.hop) / sampleRate }

    /// Time of the middle of row 0 in the clip, in seconds: that of frame 0, or of what it is resized with.
    public var firstFrameTime: Double {
        guard let factor = configuration.rows.resize, configuration.rows.resizeMethod == .bilinear else {
            return firstMiddle
        }
        return firstMiddle + hopPeriod * (1 / factor - 1) / 2
    }

    /// Time of the middle of frame 0 in the clip, in seconds.
    private var firstMiddle: Double {
        let middle =
            switch configuration.frame.align {
            case .center: 0.0
            // Of the whole frame, wherever its window is.
            case .half: (Double(geometry.fftLength) / 2 - Double((geometry.fftLength - geometry.hop) / 2)) / sampleRate
            case .start, .kaldi, .lhotse:
                Double(geometry.length) / 2 / sampleRate - Double(placement.offset(geometry)) / sampleRate
            }
        let lead = configuration.audio.lead
        return lead == 0 ? middle : middle - Double(lead) / sampleRate
    }

    /// Time of the middle of the first stored row in the clip, in seconds: that of frame 0, or earlier by the rows of `patches.lead`.
    public var firstRowTime: Double {
        let lead = configuration.patches.lead
        return lead == 0 ? firstFrameTime : firstFrameTime - Double(lead) * framePeriod
    }

    /// Whether statistics of the whole clip are needed before its first sample (`condition.remove_dc`, most kinds of
    /// `condition.gain`, `audio.crop: center`): pass the level that a `SignalSurvey` finds to `FeatureStream.start`.
    public var needsSurvey: Bool { needsLevel || isCropCentred }

    /// Whether statistics of the part of a clip that is kept are needed.
    var needsLevel: Bool { configuration.condition.removeDC || configuration.condition.gain.needsWholeClip }

    /// Whether the length of a clip is needed before its first sample.
    var isCropCentred: Bool { fixedLength != nil && configuration.audio.crop == .center }

    /// Whether rows wait in memory, or are computed twice, until the clip's end is known.
    package var holdsRows: Bool { needsWholeClip || resizesWholeClip }

    /// Whether all rows of a clip have to be known before the first one that is resized: their number, or their statistics.
    var resizesWholeClip: Bool { configuration.rows.resize != nil || configuration.normalizesBeforeResizing }

    /// Whether the clip's peak is needed before its rows are final (`scale.top_db`, `scale.reference: max`). A `ClipStream` handles that; rows of a
    /// `FeatureStream` without the peak have to pass through a `RowCompletion`.
    public var needsWholeClip: Bool { configuration.scale.topDB != nil || configuration.scale.isRelativeToMaximum }

    /// Values in a row of a stream without the peak.
    public var streamedBins: Int { spectrumBins + (configuration.transform.cepstrum?.zeroth == .energy ? 1 : 0) }

    var placement: FramePlacement { FramePlacement(configuration.frame, shift: frameShift) }

    /// How far below the peak of a clip its values may lie; nil: no limit.
    var topRange: Double? {
        let scale = configuration.scale
        return scale.topDB.map { decibels in
            let units =
                switch scale.kind {
                case .ln: decibels * PortableMath.ln10 / 10
                case .log10: decibels / 10
                default: decibels
                }
            return units * scale.factor
        }
    }

    /// What a clip's values are lowered by, once its peak is known; nil: by nothing. The peak itself becomes the value of power 1.
    var peakReference: Double? {
        let scale = configuration.scale
        return scale.isRelativeToMaximum ? scale.offset * scale.factor : nil
    }

    /// The features of a whole signal, before normalisation. What is longer than they take is cut: see `warnings(ofSignal:at:)`.
    ///
    /// - Parameter samples: On the unit scale, at the plan's sample rate.
    /// - Returns: A row for each frame; none where the signal is shorter than a frame.
    /// - Throws: `SignalError` where memory runs out, or FFTW, where it is asked for, has no plan.
    public func features(of samples: [Float]) throws(SignalError) -> FeatureMatrix {
        FeatureMatrix(bins: bins, values: try rows(of: samples, keepsRests: false))
    }

    /// The same as numbers, row after row; where the plan `hasRests` and rests are kept, each value is followed by its rest.
    package func rows(of samples: [Float], keepsRests: Bool) throws(SignalError) -> [Float] {
        let stream = try ClipStream(self, keepsRests: keepsRests)
        var values: [Float] = []
        // Not by `audio.duration`, which may exceed the memory.
        values.reserveCapacity(
            configuration.rows.kept(placement.frameCount(samples: samples.count, geometry: geometry)) * bins
                * (keepsRests && hasRests ? 2 : 1))
        samples.withUnsafeBufferPointer { samples in
            var survey = SignalSurvey(self)
            while survey.needsPass {
                survey.push(samples)
                survey.endPass()
            }
            stream.start(survey.level)
            stream.push(samples) { values.append(contentsOf: $0) }
        }
        // All rows are buffered: no second pass.
        _ = stream.finish { values.append(contentsOf: $0) }
        return values
    }
}

extension FeaturePlan {
    /// The frequency of each bin, band or point in Hz.
    private static func frequencies(
        _ transform: TransformConfiguration, bank: MelFilterBank?, fftLength: Int, sampleRate: Double
    ) -> [Double] {
        let length = Double(fftLength)
        switch transform.method {
        case .fft(let spectrum):
            let first = spectrum.first(fftLength: fftLength, sampleRate: sampleRate)
            return stride(from: first, through: fftLength / 2, by: spectrum.step).map {
                Double($0) * sampleRate / length
            }
        case .dct(_, let type, _):
            let (shift, intervals) =
                switch type {
                case .one: (0.0, length - 1)
                case .two: (0.0, length)
                case .three, .four: (0.5, length)
                }
            return (0..<fftLength).map { (Double($0) + shift) * sampleRate / (2 * intervals) }
        case .mel, .mfcc, .lfcc: return bank?.centers ?? []
        case .musical(let musical): return musical.frequencies
        case .raw: return []
        }
    }
}
