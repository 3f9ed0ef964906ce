/// The weights of a filter bank as the loops over lanes take them: band after band, from the first bin on that counts.
struct BandWeights: Sendable {
    let weights: [Double]
    /// The first bin of each band, and its number of bins.
    let first: [Int32]
    let counts: [Int32]

    /// - Parameter bands: The first bin and the weights of each band; a band without a bin has none.
    init<Weight: BinaryFloatingPoint>(_ bands: some Sequence<(first: Int, weights: [Weight])>) {
        var (weights, first, counts): ([Double], [Int32], [Int32]) = ([], [], [])
        for band in bands {
            weights += band.weights.map { Double($0) }
            first.append(Int32(band.first))
            counts.append(Int32(band.weights.count))
        }
        (self.weights, self.first, self.counts) = (weights, first, counts)
    }
}
