/// Adds the slopes over time of some columns to the rows of a stream; see `DeltaConfiguration` for the formula.
///
/// A row is finished once the `window` rows after it are known. Memory: 2 · window + 1 rows.
final class DeltaStage<Number: BinaryFloatingPoint & BitwiseCopyable> {
    private let width: Int
    private let columns: Range<Int>
    private let window: Int
    private let kept: Int
    private let ring: NumberBuffer<Number>
    private let factor: Number
    private var received = 0
    private var sent = 0

    /// - Parameters:
    ///   - width: Values of an input row.
    ///   - columns: The columns whose slopes are appended.
    ///   - window: Rows to each side.
    /// - Throws: `SignalError.outOfMemory`.
    init(width: Int, columns: Range<Int>, window: Int) throws(SignalError) {
        self.width = width
        self.columns = columns
        self.window = window
        kept = 2 * window + 1
        ring = try NumberBuffer(count: kept * width)
        factor = Number(1 / Double((1...window).reduce(0) { (sum: Int, step: Int) in sum + 2 * step * step }))
    }

    func reset() { (received, sent) = (0, 0) }

    /// Takes a row; returns whether a finished row was written to `output`.
    func push(_ row: UnsafePointer<Number>, into output: UnsafeMutablePointer<Number>) -> Bool {
        slot(received).update(from: row, count: width)
        received += 1
        guard received > sent + window else { return false }
        send(to: output)
        return true
    }

    /// Writes one of the remaining rows at the end; false: none is left.
    func flush(into output: UnsafeMutablePointer<Number>) -> Bool {
        guard sent < received else { return false }
        send(to: output)
        return true
    }

    private func send(to output: UnsafeMutablePointer<Number>) {
        output.update(from: slot(sent), count: width)
        let slopes = output + width
        slopes.update(repeating: 0, count: columns.count)
        for distance in 1...window {
            let later = slot(min(sent + distance, received - 1)) + columns.lowerBound
            let earlier = slot(max(sent - distance, 0)) + columns.lowerBound
            for column in 0..<columns.count { slopes[column] += Number(distance) * (later[column] - earlier[column]) }
        }
        for column in 0..<columns.count { slopes[column] *= factor }
        sent += 1
    }

    private func slot(_ row: Int) -> UnsafeMutablePointer<Number> { ring.pointer + row % kept * width }
}
