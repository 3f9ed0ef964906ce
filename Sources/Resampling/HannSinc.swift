import Numerics

/// `torchaudio.functional.resample` with its defaults, `sinc_interp_hann`: a sinc with zeros at 0.99 of the lower rate, six on each
/// side, under a Hann window.
///
/// The original computes the times of the weights in single precision, which moves the samples by 1e-5 of full scale: their rounding
/// is kept, all else is in double precision.
struct HannSinc: PhaseDesign {
    let ratio: RateRatio
    /// The lower of the two rates in lowest terms, times the roll-off.
    private let cutoff: Double

    private static let zeros = 6.0
    private static let rollOff = 0.99

    init(_ ratio: RateRatio) {
        self.ratio = ratio
        cutoff = Double(min(ratio.up, ratio.down)) * Self.rollOff
    }

    var reach: (before: Int, after: Int) {
        let width = Self.zeros * Double(ratio.down) / cutoff
        return (Int(width), Int(width + Double(ratio.up - 1) / Double(ratio.up)))
    }

    func weigh(_ phase: Int, into row: UnsafeMutablePointer<Double>) {
        let (reach, whole) = (reach, ratio.position(phase).whole)
        let start = Float(-phase) / Float(ratio.up)
        let factor = cutoff / Double(ratio.down)
        for index in 0...(reach.before + reach.after) {
            let time = (start + Float(whole - reach.before + index) / Float(ratio.down)) * Float(cutoff)
            let t = max(-Self.zeros, min(Self.zeros, Double(time)))
            let window = UnitCircle.point(turns: t / (4 * Self.zeros)).cosine
            row[index] = factor * window * window * sinc(t)
        }
    }

    func count(of samples: Int) -> Int { ratio.scaled(samples, roundedUp: true) }
}
