/// Which bins of the real Fourier transform are kept.
public struct SpectrumConfiguration: Hashable, Sendable {
    /// The number of bins that are looked at, from the lowest one up; nil: all up to `high`.
    public private(set) var bins: Int?
    /// Of those, every step-th is kept, from the first on.
    public private(set) var step = 1
    /// The lowest bin, or the frequency whose nearest bin it is; nil: bin 0.
    public private(set) var low: FrequencyEdge?
    /// The highest bin, or the frequency whose nearest bin it is; nil: that of half the sample rate.
    public private(set) var high: FrequencyEdge?

    /// The upper bound of `step`.
    public static let maximumStep = FrameConfiguration.maximumLength
    /// All bins: fft_length/2 + 1.
    public static let standard = SpectrumConfiguration()

    private init() {}

    /// Checks the values; `count(fftLength:sampleRate:)` checks what depends on the transform.
    ///
    /// - Throws: `ConfigurationError` for a value out of range.
    public init(
        bins: Int? = standard.bins, step: Int = standard.step, low: FrequencyEdge? = standard.low,
        high: FrequencyEdge? = standard.high
    ) throws(ConfigurationError) {
        (self.bins, self.step, self.low, self.high) = (bins, step, low, high)
        try validate()
    }

    /// Keeps numbers that are checked later.
    init(unchecked bins: Int?, step: Int) { (self.bins, self.step) = (bins, step) }

    /// Whether each bin of the transform is kept.
    public var isWhole: Bool { self == Self.standard }

    /// The lowest bin that is kept, for transforms of `fftLength` samples at a sample rate in Hz.
    package func first(fftLength: Int, sampleRate: Double) -> Int {
        low.map { Self.bin($0, fftLength: fftLength, sampleRate: sampleRate) } ?? 0
    }

    /// The number of bins that are kept, for transforms of `fftLength` samples at a sample rate in Hz.
    ///
    /// - Throws: `ConfigurationError` for an edge above half the sample rate, edges in the wrong order, and more bins than there are.
    public func count(fftLength: Int, sampleRate: Double) throws(ConfigurationError) -> Int {
        try validate()
        let highest = fftLength / 2
        func bin(_ edge: FrequencyEdge?, _ key: String, or standard: Int) throws(ConfigurationError) -> Int {
            guard let edge else { return standard }
            let bin = Self.bin(edge, fftLength: fftLength, sampleRate: sampleRate)
            guard bin <= highest else {
                throw .invalidValue(
                    key: key, found: "\(edge)",
                    expected: "null or at most half the sample rate, \((sampleRate / 2).shortText) Hz (\(highest) bins)"
                )
            }
            return bin
        }
        let first = try bin(low, "transform.low", or: 0)
        let last = try bin(high, "transform.high", or: highest)
        try require(
            first <= last, "transform.high", found: "\(high.map { "\($0)" } ?? "null"), bin \(last)",
            expected: "at least transform.low, bin \(first)")
        let limit = last - first + 1
        let looked = bins ?? limit
        try require(
            (1...limit).contains(looked), "transform.bins", found: "\(looked)",
            expected: limit == highest + 1
                ? "null or 1 to \(limit), what a transform of \(fftLength) samples has"
                : "null or 1 to \(limit), what there are from transform.low to transform.high")
        return (looked + step - 1) / step
    }

    private static func bin(_ edge: FrequencyEdge, fftLength: Int, sampleRate: Double) -> Int {
        switch edge {
        case .bin(let bin): bin
        case .hertz(let hertz): Int(min((hertz * Double(fftLength) / sampleRate).rounded(), 0x1p40))
        }
    }
}

extension SpectrumConfiguration {
    private static let edge = ValueFormat.edge(upTo: FrameConfiguration.maximumLength).orNull

    static let keys = [
        ConfigurationKey<Self>(
            "bins", { $1(&$0.bins) }, ValueFormat.whole(1...(.max), "null or a whole number from 1").orNull,
            "Number of bins that are taken, from the lowest up, at most fft_length/2 + 1; null: all."),
        ConfigurationKey(
            "step", { $1(&$0.step) }, .whole(1...maximumStep), "Of those, every step-th is kept, from the first on."),
        ConfigurationKey(
            "low", { $1(&$0.low) }, edge, isAlwaysWritten: false,
            "The lowest bin: the nearest one to a frequency, or a number such as '20 bins'; null: bin 0."),
        ConfigurationKey(
            "high", { $1(&$0.high) }, edge, isAlwaysWritten: false,
            "The highest bin: the nearest one to a frequency, or a number such as '239 bins'; null: that of half the "
                + "sample rate."
        ),
    ]

    func validate() throws(ConfigurationError) { try Self.keys.check(self, in: TransformConfiguration.path) }
}
