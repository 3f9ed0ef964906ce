import FeatureModel

extension UnsafeBufferPointer<Float> {
    /// Hands samples to what takes some at a time, until none is left.
    ///
    /// - Parameter take: Takes samples from an address, of which so many are left; returns how many it took, 1 or more.
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
