import FeatureModel
import SignalProcessing
import TestSupport
import Testing

/// A file of `make_preset_goldens.py`: what a configuration makes of a recording.
struct PeerGolden: Decodable {
    struct Case: Decodable {
        let file: String
        let settings: [String: SettingValue]
        let rows: Int
        let bins: Int
        /// The rows that `values` holds; nil: all.
        let frames: [Int]?
        let values: [Double]
        /// Added to every sample of the unit scale, in double precision.
        let added: Double?
        /// The input of `pcen`: this multiple of the band.
        let input: Double?

        /// The configuration that the settings name: a preset with changes, or whole sections.
        func configuration() throws -> FeatureConfiguration {
            guard case .text(let name) = settings["preset"] else {
                var sections = settings
                // The scale divides by its reference before PCEN.
                if let input, case .section(var scale) = sections["scale"] {
                    scale["reference"] = .number(1 / input)
                    sections["scale"] = .section(scale)
                }
                return try ConfigurationCase(.librosaLogMel, sections).configuration
            }
            var changes: [String: SettingValue] = [:]
            if case .section(let set) = settings["set"] { changes = set }
            return try ConfigurationCase(#require(Preset(rawValue: name)), changes).configuration
        }

        /// The rows that the golden file has, as `FeaturePlan` computes them, each with its expected values.
        func computed() throws -> [(frame: Int, found: [Float], expected: [Double])] {
            let recording = try RecordingFixture(file)
            let configuration = try configuration()
            var samples = configuration.audio.channels == .first ? recording.first : recording.mix
            if let added { samples = samples.map { Float(Double($0) + added) } }
            let plan = try FeaturePlan(configuration, sampleRate: recording.sampleRate)
            let features = try plan.features(of: samples)
            try #require(features.rows == rows && features.bins == bins, "\(features.rows) × \(features.bins)")
            let frames = frames ?? Array(0..<rows)
            try #require(values.count == frames.count * bins)
            return frames.enumerated().map { index, frame in
                (frame, Array(features[row: frame]), Array(values[index * bins..<(index + 1) * bins]))
            }
        }

        /// Range of all expected values.
        var range: Double { (values.max() ?? 0) - (values.min() ?? 0) }
    }

    let cases: [Case]

    /// The cases of a file, at least `minimum` of them.
    static func cases(_ file: String, minimum: Int = 1) throws -> [Case] {
        let cases = try Fixtures.golden(file, as: PeerGolden.self).cases
        try #require(cases.count >= minimum)
        return cases
    }
}
