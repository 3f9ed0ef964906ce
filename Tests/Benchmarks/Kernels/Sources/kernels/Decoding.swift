import CBare
import FeatureModel

@testable import AudioDecoding

/// Whole recordings to samples, with the checks that Veery makes, against libsndfile alone.
enum Decoding {
    /// - Parameter paths: Recordings of one channel, up to a minute long.
    static func comparison(_ name: String, _ paths: [String]) throws -> Comparison {
        let capacity = 60 * 48_000
        let buffer = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
        let decoder = ClipDecoder(try AudioConfiguration(sampleRate: nil))
        let rate = try decoder.signalRate(path: paths[0])
        func decodeBare() throws -> Int {
            try paths.reduce(0) { sum, path in
                let count = bare_decode(path, buffer, capacity)
                guard count >= 0 else { throw KernelError("libsndfile cannot decode \(path)") }
                return sum + count
            }
        }
        let amount = try decodeBare()
        return Comparison(
            name: "decoding \(name) against libsndfile", unit: "samples", amounts: (amount, amount),
            veery: {
                for (index, path) in paths.enumerated() {
                    let clip = Clip(index: index, id: path, path: path)
                    _ = try decoder.read(clip, path: path, rate: rate, decoded: { _ in }, receive: { _, _ in })
                }
            },
            bare: { _ = try decodeBare() })
    }
}
