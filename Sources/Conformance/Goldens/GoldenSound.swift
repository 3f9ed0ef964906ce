import Platform

/// A short sound for golden files: 0.6 s of a chirp, three tones, noise and a mean, from faint to loud, with a twelfth of silence,
/// and at its end samples of full scale.
///
/// It is that of `Tests/Fixtures/make_model_goldens.py`, sample by sample: the noise is that of Python's `random.Random(rate)`.
package struct GoldenSound: Sendable {
    /// In Hz.
    package let rate: Int
    package let samples: [Int16]

    private static let seconds = 0.6
    private static let tones = [220.0, 1000, 3000]

    /// - Parameters:
    ///   - rate: In Hz, 50 or more.
    ///   - minimum: Samples that are needed; the sound is as many times longer as it takes.
    package init(rate: Int, minimum: Int = 0) {
        self.rate = rate
        let rate = Double(rate)
        func index(_ seconds: Double) -> Int { Int((seconds * rate).rounded(.toNearestOrEven)) }
        let seconds = Self.seconds * max((Double(minimum) / Double(index(Self.seconds))).rounded(.up), 1)
        let count = index(seconds)
        var random = PythonRandom(seed: UInt32(self.rate))
        let noise = (0..<count).map { _ in 2 * random.next() - 1 }
        let silence = count / 2..<Int((Double(count) * 0.35 / 0.6).rounded(.toNearestOrEven))
        let fullScale = count + Int((-rate / 50).rounded(.down))
        samples = (0..<count).map { n in
            let time = Double(n) / rate
            var value =
                0.3 * sin(2 * Double.pi * (60 * time + (0.45 * rate - 60) / (2 * seconds) * (time * time)))
                + 0.05 * noise[n] + 0.01
            value += Self.tones.reduce(0) { $0 + 0.15 * sin(2 * Double.pi * $1 * time + $1) }
            value *= 0.01 + (time / seconds) * (time / seconds)
            if silence.contains(n) { value = 0 }
            if n >= fullScale { value = noise[n] < 0 ? -1 : 1 }
            return Int16(min(max((value * 32_768).rounded(.toNearestOrEven), -32_768), 32_767))
        }
    }

    /// The samples on the unit scale.
    package var waveform: [Float] { samples.map { Float($0) / 32_768 } }

    /// A WAV file of 16 bits.
    package var wav: [UInt8] {
        func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
            (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        let size = UInt32(2 * samples.count)
        var bytes = Array("RIFF".utf8) + little(36 + size) + Array("WAVEfmt ".utf8) + little(UInt32(16))
        // PCM of one channel, bytes a second, bytes and bits of a sample.
        bytes += little(UInt16(1)) + little(UInt16(1)) + little(UInt32(rate)) + little(UInt32(2 * rate))
        bytes += little(UInt16(2)) + little(UInt16(16)) + Array("data".utf8) + little(size)
        return bytes + samples.flatMap(little)
    }
}

/// The numbers of Python's `random.Random(seed).random()`: the Mersenne Twister MT19937 (Matsumoto and Nishimura 1998).
struct PythonRandom {
    private static let size = 624
    private static let shift = 397
    private var state: [UInt32]
    private var next32 = size

    init(seed: UInt32) {
        let size = Self.size
        var state = [UInt32](repeating: 0, count: size)
        state[0] = 19_650_218
        for i in 1..<size { state[i] = 1_812_433_253 &* (state[i - 1] ^ state[i - 1] >> 30) &+ UInt32(i) }
        // The seed as an array of one number.
        var i = 1
        func advanced(_ state: inout [UInt32]) {
            i += 1
            if i >= size {
                state[0] = state[size - 1]
                i = 1
            }
        }
        for _ in 0..<size {
            state[i] = (state[i] ^ (state[i - 1] ^ state[i - 1] >> 30) &* 1_664_525) &+ seed
            advanced(&state)
        }
        for _ in 0..<size - 1 {
            state[i] = (state[i] ^ (state[i - 1] ^ state[i - 1] >> 30) &* 1_566_083_941) &- UInt32(i)
            advanced(&state)
        }
        state[0] = 0x8000_0000
        self.state = state
    }

    /// A number in 0 ≤ u < 1.
    mutating func next() -> Double {
        let (high, low) = (word() >> 5, word() >> 6)
        return (Double(high) * 67_108_864 + Double(low)) / 9_007_199_254_740_992
    }

    private mutating func word() -> UInt32 {
        if next32 == Self.size { turn() }
        var word = state[next32]
        next32 += 1
        word ^= word >> 11
        word ^= word << 7 & 0x9D2C_5680
        word ^= word << 15 & 0xEFC6_0000
        return word ^ word >> 18
    }

    private mutating func turn() {
        for i in 0..<Self.size {
            let mixed = state[i] & 0x8000_0000 | state[(i + 1) % Self.size] & 0x7FFF_FFFF
            state[i] = state[(i + Self.shift) % Self.size] ^ mixed >> 1 ^ (mixed & 1 == 0 ? 0 : 0x9908_B0DF)
        }
        next32 = 0
    }
}
