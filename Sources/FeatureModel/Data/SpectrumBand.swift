/// The bins of a spectrum that a value is the sum of, each times its weight.
package struct SpectrumBand: Hashable, Sendable {
    /// The frequency of the value, in Hz.
    package let center: Double
    /// The first bin with a weight.
    package let firstBin: Int
    /// The weights from that bin on; none: the band lies between two bins.
    package let weights: [Double]

    package init(center: Double, firstBin: Int, weights: [Double]) {
        (self.center, self.firstBin, self.weights) = (center, firstBin, weights)
    }
}
