import FeatureModel

/// A bank of overlapping triangular filters over the bins of a spectrum.
///
/// Band b rises from the corner b to 1 (before normalisation) at the corner b + 1 and falls to 0 at the corner b + 2,
/// the corners being evenly spaced in mel from `low` to `high`. The sides are straight in Hz as in `librosa.filters.mel`
/// and `torchaudio.functional.melscale_fbanks`, or in mel as in HTK's and Kaldi's banks.
public struct MelFilterBank: Sendable {
    /// Number of bands.
    public let bands: Int
    /// Number of bins of the power spectrum: fft_length/2 + 1.
    public let spectrumBins: Int
    /// The frequency of each band's peak, in Hz.
    public let centers: [Double]
    /// Bands that lie between two bins of the spectrum, so that they are always 0.
    public let emptyBands: [Int]

    /// The weights that are not 0, band after band, each band filled with zeros to a multiple of eight.
    private let weights: [Float]
    private let firstBins: [Int32]
    private let blockCounts: [Int32]
    /// How many values past the spectrum's end the filters read; they are multiplied by 0, so they have to be finite.
    static let readPastEnd = 8

    /// Computes the weights in double precision.
    ///
    /// - Parameters:
    ///   - mel: The bank.
    ///   - fftLength: Length of the transform in samples.
    ///   - sampleRate: In Hz.
    public init(_ mel: MelConfiguration, fftLength: Int, sampleRate: Double) {
        bands = mel.bins
        spectrumBins = fftLength / 2 + 1
        func axis(_ frequency: Double) -> Double {
            mel.triangles == .mel ? mel.scale.mel(fromHertz: frequency) : frequency
        }
        let low = mel.scale.mel(fromHertz: mel.low)
        let high = mel.scale.mel(fromHertz: mel.high ?? sampleRate / 2)
        let step = (high - low) / Double(mel.bins + 1)
        let corners = (0...mel.bins + 1).map { mel.scale.hertz(fromMel: low + Double($0) * step) }
        centers = Array(corners[1...mel.bins])

        var weights: [Float] = []
        var firstBins: [Int32] = []
        var blockCounts: [Int32] = []
        var emptyBands: [Int] = []
        let binWidth = sampleRate / Double(fftLength)
        for band in 0..<mel.bins {
            let (left, center, right) = (corners[band], corners[band + 1], corners[band + 2])
            let (rise, peak, fall) = (axis(left), axis(center), axis(right))
            let norm = mel.norm == .slaney ? 2 / (right - left) : 1
            let first = min(max(Int(left / binWidth), 0), spectrumBins - 1)
            let last = min(Int(right / binWidth) + 1, spectrumBins - 1)
            let triangle = (first...max(first, last)).map { bin in
                let place = axis(Double(bin) * binWidth)
                return max(0, min((place - rise) / (peak - rise), (fall - place) / (fall - peak))) * norm
            }
            let used = triangle.indices.filter { triangle[$0] > 0 }
            guard let start = used.first, let end = used.last else {
                emptyBands.append(band)
                firstBins.append(0)
                blockCounts.append(0)
                continue
            }
            let blocks = (end - start + 8) / 8
            weights += triangle[start...end].map(Float.init)
            weights += Array(repeating: 0, count: blocks * 8 - (end - start + 1))
            firstBins.append(Int32(first + start))
            blockCounts.append(Int32(blocks))
        }
        self.weights = weights
        self.firstBins = firstBins
        self.blockCounts = blockCounts
        self.emptyBands = emptyBands
    }

    /// The weight of a bin of the spectrum in a band.
    public func weight(band: Int, bin: Int) -> Float {
        let start = blockCounts[..<band].reduce(0) { $0 + Int($1) } * 8
        let offset = bin - Int(firstBins[band])
        return (0..<Int(blockCounts[band]) * 8).contains(offset) ? weights[start + offset] : 0
    }

    /// The sum of each band.
    ///
    /// - Parameters:
    ///   - power: A spectrum of `spectrumBins` values, with `readPastEnd` finite values behind it.
    ///   - values: Room for `bands` values, rounded up to a multiple of eight.
    func apply(_ power: UnsafePointer<Float>, into values: UnsafeMutablePointer<Float>) {
        weights.withUnsafeBufferPointer { weights in
            firstBins.withUnsafeBufferPointer { firstBins in
                blockCounts.withUnsafeBufferPointer { blockCounts in
                    // An empty bank of weights has no address, and no band to use it.
                    guard var weight = weights.baseAddress else {
                        values.update(repeating: 0, count: bands)
                        return
                    }
                    func sum(_ band: Int) -> SIMD8<Float> {
                        guard band < bands else { return .zero }
                        let power = power + Int(firstBins[band])
                        var sum = SIMD8<Float>.zero
                        for block in 0..<Int(blockCounts[band]) {
                            sum += power.eight(at: block * 8) * weight.eight(at: 0)
                            weight += 8
                        }
                        return sum
                    }
                    // Eight bands at a time, so that three rounds of pair sums give eight finished values.
                    var band = 0
                    while band < bands {
                        let first = sum(band).pairSums(with: sum(band + 1))
                        let second = sum(band + 2).pairSums(with: sum(band + 3))
                        let third = sum(band + 4).pairSums(with: sum(band + 5))
                        let fourth = sum(band + 6).pairSums(with: sum(band + 7))
                        values.store(
                            first.pairSums(with: second).pairSums(with: third.pairSums(with: fourth)), at: band)
                        band += 8
                    }
                }
            }
        }
    }
}
