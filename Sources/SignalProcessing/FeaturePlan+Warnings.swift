import FeatureModel
import Platform

extension FeaturePlan {
    /// Likely mistakes in the frequency axis.
    ///
    /// - Parameter model: The model whose input the plan makes; nil: none is known.
    static func warnings(
        _ transform: TransformConfiguration, bank: MelFilterBank?, fftLength: Int, sampleRate: Double,
        model: ModelInput? = nil
    ) -> [String] {
        if case .musical(let musical) = transform.method {
            let axis = MusicalAxis(musical, fftLength: fftLength, sampleRate: sampleRate)
            guard axis.crowdedPoints > 0 else { return [] }
            let highest = (axis.frequencies[axis.crowdedPoints - 1] * 10).rounded() / 10
            let width = (sampleRate / Double(fftLength) * 1000).rounded() / 1000
            return [
                "\(axis.crowdedPoints) of \(musical.points) points of the musical axis, those up to \(highest) Hz, lie less "
                    + "than a bin (\(width) Hz) below the next and are read from the same bins: use a larger "
                    + "frame.fft_length, fewer transform.points_per_note, or a higher transform.lowest"
            ]
        }
        guard let empty = bank?.emptyBands, !empty.isEmpty, let mel = transform.bank else { return [] }
        let found =
            "\(empty.count == 1 ? "band" : "bands") \(list(empty)) (counted from 0) \(empty.count == 1 ? "holds" : "hold") "
            + "no bin of the spectrum and will always be at the floor"
        if let model {
            // Where something is changed, the warning of that says what to do.
            return [
                found
                    + (model.changes.isEmpty
                        ? ", as the model of \(model.name) expects: leave transform.bins as it is" : "")
            ]
        }
        let key = transform.cepstrum == nil ? "transform.bins" : "transform.bands"
        let remedies = remedies(mel, key: key, fftLength: fftLength, sampleRate: sampleRate)
        return ["\(found): use \(remedies.joined(separator: ", or "))"]
    }

    /// Likely mistakes, a sentence each, of the input of a model: changes of that are named, and no other is advised.
    ///
    /// - Parameter model: Nil: the one whose preset has this configuration, if any.
    package func warnings(for model: ModelInput?) -> [String] {
        guard let model = model ?? (warnings.isEmpty ? nil : ModelInput(of: configuration)) else { return warnings }
        let fftLength = geometry.fftLength
        return Self.slowness(configuration.transform, geometry, sampleRate: sampleRate)
            + Self.warnings(
                configuration.transform, bank: filterBank, fftLength: fftLength, sampleRate: sampleRate, model: model)
            + [model.warning].compactMap(\.self)
    }

    /// The longest proposed transform.
    private static let longestProposal = 1 << 18

    /// Settings that each give every band a bin.
    private static func remedies(_ mel: MelConfiguration, key: String, fftLength: Int, sampleRate: Double) -> [String] {
        func isFull(_ bands: Int, _ fftLength: Int) -> Bool {
            let fewer = try? MelConfiguration(
                bins: bands, low: mel.low, high: mel.high, scale: mel.scale, norm: mel.norm, triangles: mel.triangles,
                spectrum: mel.spectrum)
            return fewer.map {
                MelFilterBank($0, fftLength: fftLength, sampleRate: sampleRate).emptyBands.isEmpty
            } ?? false
        }
        var remedies: [String] = []
        // With `lower` bands all hold a bin, with `upper` not all.
        var (lower, upper) = (0, mel.bins)
        while upper - lower > 1 {
            let middle = (lower + upper) / 2
            if isFull(middle, fftLength) { lower = middle } else { upper = middle }
        }
        if lower > 0 { remedies.append("fewer \(key) (\(lower))") }
        var longer = 1
        while longer <= fftLength { longer *= 2 }
        while longer <= longestProposal, !isFull(mel.bins, longer) { longer *= 2 }
        if longer <= longestProposal { remedies.append("a larger frame.fft_length (\(longer))") }
        return remedies.isEmpty
            ? ["fewer \(key), a larger frame.fft_length, or a wider band from transform.low to transform.high"]
            : remedies
    }

    /// Maximum number of runs of bands in a warning.
    private static let maximumRuns = 6

    /// Ascending numbers as a text such as `0, 2-4, 9`, or `0, 2-4, 9, 11, 13, 15 and 112 others`.
    private static func list(_ numbers: [Int]) -> String {
        var runs: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = runs.last, last.upperBound + 1 == number {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
        let named = runs.prefix(maximumRuns)
        let others = numbers.count - named.reduce(0) { $0 + $1.count }
        return named.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ", ") + (others == 0 ? "" : " and \(others) other\(others == 1 ? "" : "s")")
    }

    /// Transforms slower than real time, or slower than necessary.
    ///
    /// A length with a prime factor beyond 13 is transformed by a longer convolution, about six times as slow, measured.
    /// A core of 2020 does about 1e9 of N log2 N a second.
    static func slowness(
        _ transform: TransformConfiguration, _ geometry: FrameGeometry, sampleRate: Double
    ) -> [String] {
        let points =
            if case .dct(_, .one, _) = transform.method { max(geometry.fftLength - 1, 1) } else { geometry.fftLength }
        let factor = largestPrimeFactor(points)
        let isSlow = points >= 1 << 14 && factor > 13
        let work = sampleRate / Double(geometry.hop) * Double(points) * log2(Double(points)) * (isSlow ? 6 : 1)
        let isLong = work > 1e9
        guard isSlow || isLong else { return [] }
        var power = 1
        while power < geometry.fftLength { power *= 2 }
        var sentences: [String] = []
        if isLong {
            sentences.append(
                "transforms of \(geometry.fftLength) points every \(geometry.hop) samples may take longer than the sound lasts: "
                    + "use a smaller frame.fft_length or a larger frame.hop")
        }
        if isSlow {
            sentences.append(
                "frame.fft_length of \(geometry.fftLength) has the prime factor \(factor) and is several times as slow as "
                    + "a length with small factors, such as \(power)")
        }
        return sentences
    }

    private static func largestPrimeFactor(_ number: Int) -> Int {
        var (rest, factor, largest) = (number, 2, 1)
        while factor * factor <= rest {
            while rest % factor == 0 { (rest, largest) = (rest / factor, factor) }
            factor += 1
        }
        return rest > 1 ? rest : largest
    }
}
