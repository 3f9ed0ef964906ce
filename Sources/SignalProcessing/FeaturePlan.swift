import FeatureModel

/// Everything that a configuration fixes at one sample rate: frames, window, transform, filter bank, axes.
///
/// Made once, immutable, and shared by any number of `FeatureStream`s. Samples go in on the unit scale (±1 is full
/// scale); `audio.scale` is applied here.
///
///     let plan = try FeaturePlan(Preset.logMel.configuration(), sampleRate: 16_000)
///     let features = try plan.features(of: samples)        // before normalisation; rows × 80
public struct FeaturePlan: Sendable {
    /// What the plan was made from.
    public let configuration: FeatureConfiguration
    /// Rate of the samples in Hz.
    public let sampleRate: Double
    /// The frames in samples.
    public let geometry: FrameGeometry
    /// Values in a row.
    public let bins: Int
    /// The filter bank; nil where the transform is not a mel spectrum.
    public let filterBank: MelFilterBank?
    /// The frequency of each bin's centre, in Hz.
    public let frequencies: [Float]

    let window: [Double]

    /// Computes window and filter bank.
    ///
    /// - Parameters:
    ///   - configuration: What to compute; its `audio.sampleRate` is not looked at.
    ///   - sampleRate: Rate of the samples that will come, in Hz.
    /// - Throws: `ConfigurationError` where the configuration does not fit the sample rate.
    public init(_ configuration: FeatureConfiguration, sampleRate: Double) throws(ConfigurationError) {
        self.configuration = configuration
        self.sampleRate = sampleRate
        (geometry, bins) = try configuration.shape(at: sampleRate)
        let frame = configuration.frame
        window = Window.coefficients(frame.window, length: geometry.length, symmetric: frame.symmetric)
        let fftLength = Double(geometry.fftLength)
        switch configuration.transform {
        case .fft:
            filterBank = nil
            frequencies = (0..<bins).map { Float(Double($0) * sampleRate / fftLength) }
        case .dct:
            filterBank = nil
            frequencies = (0..<bins).map { Float(Double($0) * sampleRate / (2 * fftLength)) }
        case .mel(let mel):
            let bank = MelFilterBank(mel, fftLength: geometry.fftLength, sampleRate: sampleRate)
            filterBank = bank
            frequencies = bank.centers.map { Float($0) }
        }
    }

    /// Seconds from a frame to the next.
    public var framePeriod: Double { Double(geometry.hop) / sampleRate }

    /// Time of the middle of frame 0 in the clip, in seconds.
    public var firstFrameTime: Double {
        configuration.frame.align == .center ? 0 : Double(geometry.length) / 2 / sampleRate
    }

    /// The number of rows that a clip of `samples` samples becomes.
    public func frameCount(samples: Int) -> Int {
        FrameCutter.frameCount(samples: samples, geometry: geometry, align: configuration.frame.align)
    }

    /// What is likely not meant, a sentence each: bands of a filter bank that hold no bin.
    public var warnings: [String] {
        guard let empty = filterBank?.emptyBands, let first = empty.first else { return [] }
        let named = empty.count == 1 ? "band \(first) holds" : "\(empty.count) bands (the first is \(first)) hold"
        return [
            "\(named) no bin of the spectrum and will always be at the floor: "
                + "use fewer transform.bins, a greater frame.fft_length, or a greater transform.low"
        ]
    }

    /// The features of a whole signal, before normalisation.
    ///
    /// - Parameter samples: On the unit scale, at the plan's sample rate.
    /// - Returns: A row for each frame; no row where the signal is too short for one.
    /// - Throws: `SignalError` where memory or a plan is not to be had.
    public func features(of samples: [Float]) throws(SignalError) -> FeatureMatrix {
        let stream = try FeatureStream(self)
        var values: [Float] = []
        values.reserveCapacity(frameCount(samples: samples.count) * bins)
        samples.withUnsafeBufferPointer { stream.push($0) { values.append(contentsOf: $0) } }
        stream.finish { values.append(contentsOf: $0) }
        return FeatureMatrix(bins: bins, values: values)
    }
}
