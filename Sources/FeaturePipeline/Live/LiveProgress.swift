import FeatureModel
import Foundation

/// How far a recording has come: what it takes, besides the rows, to complete it after the program was killed.
struct LiveProgress: Codable, Equatable, Sendable {
    /// An input at a moment at which its rows were handed over.
    struct Input: Codable, Equatable, Sendable {
        /// Rate of its samples in Hz.
        let sampleRate: Int
        /// Its channels.
        let channels: Int
        /// Samples of each channel that were heard.
        var frames = 0
        /// Values of the rows that had come of them.
        var values = 0
        /// XXH3-128 of the samples, hexadecimal; nil: none has come.
        var checksum: String?
        /// The greatest value of all rows, where the last steps need it; nil: there is none.
        var peak: Float?
    }

    /// The configuration, as JSON.
    let configuration: String
    /// What the inputs are called.
    let names: [String]
    /// The inputs; nil: nothing has come.
    var inputs: [Input?]

    init(configuration: String, names: [String]) {
        self.configuration = configuration
        self.names = names
        inputs = names.map { _ in nil }
    }

    /// What stands in the spool.
    init(json: String) throws { self = try JSONDecoder().decode(LiveProgress.self, from: Data(json.utf8)) }

    /// For the spool.
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Whether there is anything to complete.
    var hasRows: Bool { inputs.contains { ($0?.values ?? 0) > 0 } }

    /// Seconds of the longest input.
    var seconds: Double {
        inputs.compactMap { $0 }.map { Double($0.frames) / Double(max($0.sampleRate, 1)) }.max() ?? 0
    }
}
