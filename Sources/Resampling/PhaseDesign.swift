import FeatureModel

/// A filter from one rate to another as a table: sample m of the output is a sum of samples around its position m · down / up in the
/// input, with weights that only depend on the phase m mod up.
protocol PhaseDesign {
    var ratio: RateRatio { get }
    /// How many samples up to the position, rounded down, and how many after it, have weights at most.
    var reach: (before: Int, after: Int) { get }

    /// Writes the weights of a phase: the first for the sample `reach.before` before the position, rounded down.
    ///
    /// - Parameters:
    ///   - phase: 0 ..< up. `up`, too, where `isLate` may be true: those of phase 0 for a position that was rounded down to just less
    ///     than a whole number, which count from the sample before.
    ///   - row: `reach.before` + 1 + `reach.after` weights.
    func weigh(_ phase: Int, into row: UnsafeMutablePointer<Double>)

    /// Whether the original takes the position of a sample of phase 0 for a little less than the whole number that it is.
    func isLate(_ output: Int) -> Bool

    /// How many samples become of so many.
    func count(of samples: Int) -> Int
}

extension PhaseDesign {
    func isLate(_ output: Int) -> Bool { false }
}

/// Two rates by their lowest terms.
struct RateRatio {
    /// Of the rate of the output.
    let up: Int
    /// Of that of the input.
    let down: Int

    /// - Precondition: Rates are positive.
    init(from input: Int, to output: Int) {
        var (a, b) = (input, output)
        while b != 0 { (a, b) = (b, a % b) }
        (up, down) = (output / a, input / a)
    }

    /// samples · up / down, rounded down or up.
    func scaled(_ samples: Int, roundedUp: Bool) -> Int {
        let (whole, rest) = samples.quotientAndRemainder(dividingBy: down)
        return whole * up + (rest * up + (roundedUp ? down - 1 : 0)) / down
    }

    /// The position of phase `phase`: its whole part, and the numerator of its fraction with denominator `up`.
    func position(_ phase: Int) -> (whole: Int, part: Int) { (phase * down / up, phase * down % up) }
}

/// The design of a method; nil: libsoxr computes it.
func phaseDesign(_ method: ResamplingMethod, from input: Int, to output: Int) -> (any PhaseDesign)? {
    let ratio = RateRatio(from: input, to: output)
    return switch method {
    case .torchaudio: HannSinc(ratio)
    case .polyphase: KaiserSinc(ratio)
    case .kaiserBest: KaiserTable(ratio, .best)
    case .kaiserFast: KaiserTable(ratio, .fast)
    case .soxrHQ, .soxrVHQ, .soxrMQ: nil
    }
}
