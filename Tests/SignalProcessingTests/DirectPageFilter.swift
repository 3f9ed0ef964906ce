import FeatureModel
import Foundation

/// `condition.dct_filter` as its definition has it, in double precision: pages of 1024 samples, zeros beyond the ends of the
/// signal, DCT-II, straight slopes of two bins next to the band, and back. Sums over the band's own bins alone, since a
/// band-stop is the signal less what a band-pass keeps; nothing in common with the code it checks.
struct DirectPageFilter {
    /// Edges in Hz.
    let low: Double
    let high: Double
    let stops: Bool
    var pages = DCTFilterPages.separate

    private static let length = 1024

    /// The gains of a band-pass that are not 0.
    private func gains(rate: Double) -> [(bin: Int, gain: Double)] {
        let (low, high) = ((low * 2048 / rate).rounded(), (high * 2048 / rate).rounded())
        return (0..<Self.length).compactMap { bin in
            let gain = min(1, (Double(bin) - low + 2) / 2, (high + 2 - Double(bin)) / 2)
            return gain > 0 ? (bin, gain) : nil
        }
    }

    /// What a page is multiplied by before and after; the squares add up to 1.
    private var window: [Double] {
        var window = [Double](repeating: 1, count: Self.length)
        guard pages == .overlapping else { return window }
        let root = (2.0 / 3).squareRoot()
        for n in 0..<Self.length {
            let angle: Double = 2 * .pi * (Double(n) + 0.5) / 1024
            window[n] = (0.5 - 0.5 * cos(angle)) * root
        }
        return window
    }

    /// The filtered signal, as long as the signal.
    func apply(_ signal: [Double], rate: Double) -> [Double] {
        let length = Self.length
        // cos(πm/2048) for every m = k · (2n + 1), without full turns.
        let cosines = (0..<4 * length).map { cos(.pi * Double($0) / Double(2 * length)) }
        let gains = gains(rate: rate)
        let window = window
        let hop = pages == .separate ? length : length / 4
        var kept = [Double](repeating: 0, count: signal.count)
        for start in stride(from: hop - length, to: signal.count, by: hop) {
            // The part of the page that lies in the signal.
            let part = max(-start, 0)..<min(length, signal.count - start)
            let page = part.map { signal[start + $0] * window[$0] }
            var result = [Double](repeating: 0, count: page.count)
            page.withUnsafeBufferPointer { page in
                cosines.withUnsafeBufferPointer { cosines in
                    for (k, gain) in gains {
                        let first = k * (2 * part.lowerBound + 1)
                        var sum = 0.0
                        var index = first
                        for n in 0..<page.count {
                            sum += page[n] * cosines[index & (4 * length - 1)]
                            index += 2 * k
                        }
                        let amplitude = gain * sum * (k == 0 ? 1 : 2) / Double(length)
                        index = first
                        for n in 0..<page.count {
                            result[n] += amplitude * cosines[index & (4 * length - 1)]
                            index += 2 * k
                        }
                    }
                }
            }
            for (n, value) in zip(part, result) { kept[start + n] += value * window[n] }
        }
        return stops ? zip(signal, kept).map { $0 - $1 } : kept
    }
}
