/// Rounds samples on the unit scale to whole numbers of `bits` bits, in the upper bits of 32, as libsndfile takes them.
///
/// Half-way cases go to the even number. Samples beyond the range are cut to its ends, −2^(bits−1) and 2^(bits−1) − 1.
///
/// - Parameters:
///   - samples: Finite numbers.
///   - numbers: Room for as many.
/// - Returns: How many had to be cut.
func quantize(
    _ samples: UnsafePointer<Float>, count: Int, bits: Int, into numbers: UnsafeMutablePointer<Int32>
) -> Int {
    let scale = Double(1 << (bits - 1))
    let shift = Int32(32 - bits)
    var clipped = 0
    for index in 0..<count {
        // In double precision: 32 bits do not fit into a single one.
        let rounded = (Double(samples[index]) * scale).rounded(.toNearestOrEven)
        let number = max(-scale, min(scale - 1, rounded))
        if number != rounded { clipped += 1 }
        numbers[index] = Int32(number) << shift
    }
    return clipped
}
