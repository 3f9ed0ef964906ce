/// The slopes over time of rows, and those of the slopes: stages, each of which takes the rows of the one before.
///
/// Nothing is allocated after `init`. Not safe to use from two threads at once.
final class DeltaStages<Number: BinaryFloatingPoint & BitwiseCopyable> {
    /// Whether there are no slopes.
    var isEmpty: Bool { stages.isEmpty }

    private let stages: [DeltaStage<Number>]
    /// A row after each stage but the last.
    private let between: [NumberBuffer<Number>]
    /// The first stage that may have rows left at the end.
    private var flushed = 0

    /// - Parameters:
    ///   - order: Number of stages.
    ///   - window: As in `DeltaStage.init`.
    ///   - columns: Values of an input row, and slopes of each order.
    /// - Throws: `SignalError.outOfMemory`.
    init(order: Int, window: Int, columns: Int) throws(SignalError) {
        var stages: [DeltaStage<Number>] = []
        var between: [NumberBuffer<Number>] = []
        for index in 0..<order {
            let own = index * columns..<(index + 1) * columns
            stages.append(try DeltaStage(width: own.upperBound, columns: own, window: window))
            if index + 1 < order { between.append(try NumberBuffer(count: own.upperBound + columns)) }
        }
        (self.stages, self.between) = (stages, between)
    }

    func reset() {
        flushed = 0
        for stage in stages { stage.reset() }
    }

    /// Takes a row; returns whether a finished row was written to `output`.
    func push(_ row: UnsafePointer<Number>, into output: UnsafeMutablePointer<Number>) -> Bool {
        pass(row, from: 0, into: output)
    }

    /// Writes one of the remaining rows at the end; false: none is left.
    func flush(into output: UnsafeMutablePointer<Number>) -> Bool {
        while flushed < stages.count {
            let row = target(of: flushed, output)
            if stages[flushed].flush(into: row) {
                if pass(row, from: flushed + 1, into: output) { return true }
            } else {
                flushed += 1
            }
        }
        return false
    }

    /// Passes the row before stage `index` through that stage and the later ones; returns whether it is finished.
    private func pass(
        _ row: UnsafePointer<Number>, from index: Int, into output: UnsafeMutablePointer<Number>
    ) -> Bool {
        var row = row
        for stage in index..<stages.count {
            let target = target(of: stage, output)
            guard stages[stage].push(row, into: target) else { return false }
            row = UnsafePointer(target)
        }
        return true
    }

    /// Where stage `index` writes its rows: those of the last one are finished.
    private func target(of index: Int, _ output: UnsafeMutablePointer<Number>) -> UnsafeMutablePointer<Number> {
        index + 1 < stages.count ? between[index].pointer : output
    }
}
