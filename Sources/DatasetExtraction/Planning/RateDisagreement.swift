import Archives
import AudioDecoding
import ClipFeatures
import FeatureModel

/// The first recording sets the sample rate of all, and most others have another one: their clips would fail.
package struct RateDisagreement: Sendable {
    /// That of the first recording, in Hz.
    package let rate: Int
    /// The most frequent one of the recordings that were opened, in Hz.
    package let usual: Int
    /// How many of them have another rate than the first, and how many there are.
    package let others: Int, opened: Int

    /// Whether clips are added to a file, whose configuration does not change.
    package let isUpdate: Bool

    /// How many recordings are opened.
    static let sampleSize = 24
}

/// What most clips have, such as their rate, which others may be brought to.
package enum MostFrequent {
    /// Of two that are equally frequent, the lower one; nil: there are none.
    ///
    /// - Parameter counts: The number of clips for each value.
    package static func value(_ counts: [Int: Int]) -> Int? {
        counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }
}

extension Extraction {
    /// Opens the headers of a few recordings, evenly spread over the manifest; nil: most have the rate of the first, one is configured,
    /// or they are in an archive.
    ///
    /// - Complexity: Reads the manifest once, and at most 48 headers.
    package func rateDisagreement() throws -> RateDisagreement? {
        guard !statesRate, source.clipCount > 1 else { return nil }
        let (rate, stride) = (Int(plan.sampleRate), max(source.clipCount / RateDisagreement.sampleSize, 1))
        let decoder = ClipDecoder(plan.configuration.audio, policy: options.policy)
        var rates: [Int: Int] = [:]
        let clips = try source.reader()
        while let clip = try clips.next() {
            guard clip.index % stride == 0, clip.index > 0 else { continue }
            let path = Clip.location(of: clip.path, root: options.root)
            guard RecordingPath.member(path) == nil else { return nil }
            if let signals = try? decoder.signals(of: clip, path: path) { rates[signals.rate, default: 0] += 1 }
        }
        let opened = rates.values.reduce(0, +)
        let others = opened - rates[rate, default: 0]
        guard 2 * others > opened, let usual = MostFrequent.value(rates) else { return nil }
        return RateDisagreement(
            rate: rate, usual: usual, others: others, opened: opened, isUpdate: options.update.kept != .none)
    }
}
