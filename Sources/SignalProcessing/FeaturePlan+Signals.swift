import FeatureModel

/// What the features of signals of a length and a rate lack, which is known before anything is computed.
extension FeaturePlan {
    /// What of a signal is not in its features, or is missing in it, a sentence each: the rest of one that is longer than they take
    /// (`audio.duration`, `rows.count`), or than the windows of the model; rows, in one that is shorter than such a window; bands above
    /// half of a lower rate.
    ///
    /// Not for a loop over pieces: it makes texts.
    ///
    /// - Parameters:
    ///   - samples: The length of the signal, at its own rate.
    ///   - rate: Its rate in Hz; nil: the plan's.
    public func warnings(ofSignal samples: Int, at rate: Int? = nil) -> [String] {
        warnings(ofSignal: samples, at: rate, FeatureLimits(configuration), model: nil)
    }

    /// The same.
    ///
    /// - Parameters:
    ///   - limits: Those of the configuration.
    ///   - model: The model whose input the features are; nil: the one whose preset has this configuration, if any.
    package func warnings(
        ofSignal samples: Int, at rate: Int?, _ limits: FeatureLimits, model: ModelInput?
    ) -> [String] {
        let rate = rate ?? Int(sampleRate)
        guard rate > 0 else { return [] }
        let remarks = limits.remarks(
            sampleRate: rate, duration: Double(samples) / Double(rate), channels: 1, channel: nil)
        var warnings: [String] = []
        for kind in remarks.kinds {
            guard let words = kind.words(on: "the signal", isOne: true) else { continue }
            let source = limits.source(of: kind)
            warnings.append(
                (source == RecordingRemarks.source ? "" : "\(source): ") + words
                    + (kind == .windowsShort
                        ? "; audio.minimum: \((limits.seconds(for: kind) ?? 0).shortText) appends zeros"
                        : "; give each part as a signal of its own"))
        }
        if samples > 0, exceeds(rate) {
            warnings.append(warning(ofLowerRate: rate, on: "the signal", isOne: true, model: model))
        }
        return warnings
    }

    /// Whether features reach above half of a lower rate in Hz, where recordings of that rate have nothing.
    package func exceeds(_ rate: Int) -> Bool {
        let highest = configuration.transform == .raw ? sampleRate / 2 : highestFrequency
        return Double(rate) < sampleRate && highest > Double(rate) / 2
    }

    /// What features of recordings of a lower rate lack, and what can be done. What is above half of the rate holds only noise, which
    /// normalisation amplifies.
    ///
    /// - Parameters:
    ///   - rate: The rate in Hz, the lowest of several.
    ///   - things: What has it, with its number: `2 clips`.
    ///   - isOne: Whether that is one thing.
    ///   - model: The model whose input the features are; nil: the one whose preset has this configuration, if any.
    package func warning(ofLowerRate rate: Int, on things: String, isOne: Bool, model: ModelInput?) -> String {
        let isRaw = configuration.transform == .raw
        let (has, its) = isOne ? ("has", "its") : ("have", "their")
        let advice =
            (model ?? ModelInput(of: configuration)).flatMap { model in
                model.usualRate.map { usual in
                    "the model of \(model.name) expects \(Int(usual)) Hz: "
                        + (usual == sampleRate ? "" : "leave that change out, and ")
                        + "use originals of that rate if there are any"
                }
            }
            ?? lowerRateAdvice
        return "\(things) \(has) a lower sample rate than the features (\(Int(sampleRate)) Hz), "
            + "\(isOne ? "" : "the lowest ")\(rate) Hz: \(its) \(isRaw ? "samples hold nothing above" : "bins above") \(rate / 2) Hz"
            + "\(isRaw ? "" : " hold nothing"); \(advice)"
    }

    /// How features end where recordings of a lower rate do.
    private var lowerRateAdvice: String {
        switch configuration.transform.method {
        case .raw, .dct: "set audio.sample_rate to that rate"
        case .musical: "set audio.sample_rate to that rate, and make transform.notes as few as are below half of it"
        case .fft, .mel, .mfcc, .lfcc:
            "set audio.sample_rate to that rate, and transform.high to half of it at most"
        }
    }
}
