import Foundation

/// `condition.dct_filter` as its definition has it, in double precision: pages of 1024 samples, the last one filled up
/// with zeros, DCT-II, straight slopes of two bins beside the band, and back. Sums over the band's own bins alone, since a
/// band-stop is the signal less what a band-pass keeps; nothing in common with the code it checks.
struct DirectPageFilter {
    /// Edges in Hz.
    let low: Double
    let high: Double
    let stops: Bool

    private static let length = 1024

    /// The gains of a band-pass that are not 0.
    private func gains(rate: Double) -> [(bin: Int, gain: Double)] {
        let (low, high) = ((low * 2048 / rate).rounded(), (high * 2048 / rate).rounded())
        return (0..<Self.length).compactMap { bin in
            let gain = min(1, (Double(bin) - low + 2) / 2, (high + 2 - Double(bin)) / 2)
            return gain > 0 ? (bin, gain) : nil
        }
    }

    /// The filtered signal, as long as the signal.
    func apply(_ signal: [Double], rate: Double) -> [Double] {
        let length = Self.length
        // cos(πm/2048) for every m that k · (2n + 1) comes to, turns left out.
        let cosines = (0..<4 * length).map { cos(.pi * Double($0) / Double(2 * length)) }
        let gains = gains(rate: rate)
        var filtered = signal
        for start in stride(from: 0, to: signal.count, by: length) {
            let count = min(length, signal.count - start)
            var kept = [Double](repeating: 0, count: count)
            signal.withUnsafeBufferPointer { signal in
                cosines.withUnsafeBufferPointer { cosines in
                    for (k, gain) in gains {
                        var sum = 0.0
                        var place = k
                        for n in 0..<count {
                            sum += signal[start + n] * cosines[place & (4 * length - 1)]
                            place += 2 * k
                        }
                        let amplitude = gain * sum * (k == 0 ? 1 : 2) / Double(length)
                        place = k
                        for n in 0..<count {
                            kept[n] += amplitude * cosines[place & (4 * length - 1)]
                            place += 2 * k
                        }
                    }
                }
            }
            for n in 0..<count { filtered[start + n] = stops ? signal[start + n] - kept[n] : kept[n] }
        }
        return filtered
    }
}
