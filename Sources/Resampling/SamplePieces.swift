import FeatureModel

extension UnsafeBufferPointer<Float> {
    /// Hands samples to what takes some at a time, until none is left.
    ///
    /// - Parameter take: Is given the address of the next samples and how many remain; returns how many it took, at least 1.
    func forEachPiece(
        _ take: (UnsafePointer<Float>, Int) throws(ClipFailure) -> Int
    ) throws(ClipFailure) {
        guard var source = baseAddress else { return }
        var left = count
        while left > 0 {
            let taken = try take(source, left)
            (source, left) = (source + taken, left - taken)
        }
    }
}
