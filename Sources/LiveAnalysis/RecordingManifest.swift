import Essentials
import FeatureModel

/// What a recording is: what it takes, besides rows and marks, to complete it after the program was killed.
struct RecordingManifest: Codable, Equatable, Sendable {
    /// An input.
    struct Input: Codable, Equatable, Sendable {
        /// What it is called.
        let name: String
        /// Rate of its samples in Hz.
        let sampleRate: Int
        /// Its channels.
        let channels: Int
    }

    /// The configuration, as JSON.
    let configuration: String
    /// The inputs, at least one.
    let inputs: [Input]
}

extension RecordingManifest {
    /// What stands in the spool.
    ///
    /// - Throws: `DecodingError`, also for values that no recording has.
    init(json: String) throws {
        self = try JSONDecoder().decode(RecordingManifest.self, from: Data(json.utf8))
        let isUsual = inputs.allSatisfy {
            AudioConfiguration.sampleRates.contains($0.sampleRate) && (1...1024).contains($0.channels)
        }
        guard isUsual, !inputs.isEmpty else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "inputs that cannot be"))
        }
    }
}
