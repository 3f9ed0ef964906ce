extension RandomAccessCollection where Index == Int {
    /// The first index whose element meets a condition, which all later ones meet too; the end: none does.
    ///
    /// - Complexity: O(log n).
    @inlinable
    package func partitioningIndex(where isMet: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isMet(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Range<Int> {
    /// The range in parts of `size`, 1 or more, in order; the last may be smaller.
    @inlinable
    package func blocks(of size: Int) -> some Sequence<Range<Int>> {
        stride(from: lowerBound, to: upperBound, by: size).lazy.map { $0..<Swift.min($0 + size, upperBound) }
    }
}
