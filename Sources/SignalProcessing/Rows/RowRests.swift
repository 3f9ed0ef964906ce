/// Rows of numbers in double precision, in buffers of single precision.
///
/// Until a clip is normalised by its own statistics, its rows have more digits than a `Float`: a value in single precision is
/// followed by its **rest**, what rounding took from it, so that the two sum up to 48 binary digits. Streams, buffers and spools
/// carry such rows as they carry others, twice as wide.
package enum RowRests {
    /// Splits values into pairs.
    ///
    /// - Parameters:
    ///   - values: `count` values.
    ///   - pairs: Space for twice as many numbers.
    static func split(_ values: UnsafePointer<Double>, count: Int, into pairs: UnsafeMutablePointer<Float>) {
        for index in 0..<count { split(values[index], into: pairs + 2 * index) }
    }

    /// Splits a value into a pair.
    static func split(_ exact: Double, into pair: UnsafeMutablePointer<Float>) {
        let value = Float(exact)
        pair[0] = value
        // What is too large for single precision has no rest, and fails the clip.
        pair[1] = value.isFinite ? Float(exact - Double(value)) : 0
    }

    /// Rounds values to single precision.
    ///
    /// - Parameters:
    ///   - values: `count` values.
    ///   - numbers: Space for as many numbers, or twice as many with rests.
    ///   - keepsRests: Whether each number is followed by its rest.
    static func round(
        _ values: UnsafePointer<Double>, count: Int, into numbers: UnsafeMutablePointer<Float>, keepsRests: Bool
    ) {
        if keepsRests { return split(values, count: count, into: numbers) }
        for index in 0..<count { numbers[index] = Float(values[index]) }
    }

    /// The same of `count` times one value.
    static func round(
        repeating value: Double, count: Int, into numbers: UnsafeMutablePointer<Float>, keepsRests: Bool
    ) {
        guard keepsRests else { return numbers.update(repeating: Float(value), count: count) }
        for index in 0..<count { split(value, into: numbers + 2 * index) }
    }

    /// Joins `count` pairs to values.
    static func join(_ pairs: UnsafePointer<Float>, count: Int, into values: UnsafeMutablePointer<Double>) {
        for index in 0..<count { values[index] = Double(pairs[2 * index]) + Double(pairs[2 * index + 1]) }
    }

    /// Moves the values of pairs together, in their own memory.
    ///
    /// - Returns: The part of it that has the values.
    package static func drop(_ pairs: UnsafeMutableBufferPointer<Float>) -> UnsafeMutableBufferPointer<Float> {
        for index in 0..<pairs.count / 2 { pairs[index] = pairs[2 * index] }
        return UnsafeMutableBufferPointer(rebasing: pairs[..<(pairs.count / 2)])
    }

    /// Appends the values of pairs in single precision, without their rests.
    package static func append(_ pairs: UnsafeBufferPointer<Float>, to values: inout [Float]) {
        for index in stride(from: 0, to: pairs.count, by: 2) { values.append(pairs[index]) }
    }
}
