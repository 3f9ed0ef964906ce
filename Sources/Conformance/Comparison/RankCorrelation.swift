/// Spearman's coefficient: how alike two series are in their order, which a few values that are far off hardly change.
enum RankCorrelation {
    /// From -1 to 1; 0 where all values of one are the same.
    ///
    /// - Precondition: Both have equally many values, all of them finite.
    static func of(_ first: [Float], _ second: [Float]) -> Double {
        precondition(first.count == second.count, "ranks are those of pairs")
        let (x, y) = (ranks(first), ranks(second))
        let middle = Double(first.count - 1) / 2
        var (xx, xy, yy) = (0.0, 0.0, 0.0)
        for index in x.indices {
            let (a, b) = (x[index] - middle, y[index] - middle)
            xx += a * a
            xy += a * b
            yy += b * b
        }
        return xx > 0 && yy > 0 ? xy / (xx * yy).squareRoot() : 0
    }

    /// The position of each value in their order; of equal ones, the mean of theirs.
    private static func ranks(_ values: [Float]) -> [Double] {
        let order = values.indices.sorted { values[$0] < values[$1] }
        var ranks = [Double](repeating: 0, count: values.count)
        var start = 0
        while start < order.count {
            var end = start + 1
            while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
            for index in order[start..<end] { ranks[index] = Double(start + end - 1) / 2 }
            start = end
        }
        return ranks
    }
}
