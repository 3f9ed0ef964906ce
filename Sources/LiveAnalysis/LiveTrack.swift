import AudioDecoding
import FeatureModel
import SignalProcessing
import Synchronization

/// An input that is being analysed, as a display sees it.
package final class LiveTrack: Sendable {
    /// What the input is called.
    package let name: String
    /// What its samples are like.
    package let format: LiveFormat
    /// What is computed of it.
    package let plan: FeaturePlan
    /// Its last rows, before normalisation.
    package let rows: LiveRows
    /// What filters it on its way to standard output; nil: nothing does.
    package let equalizer: LiveEqualizer?

    private let frames = Atomic(0)
    private let ended = Atomic(false)
    private let found = Mutex(End())

    /// How an input has ended.
    package struct End: Sendable {
        /// Why it has ended before its input; nil: it has not.
        package var failure: (any Error)?
        /// Bytes that were not a whole sample of every channel.
        package var strayBytes = 0
        /// Samples that were clipped to full scale for standard output.
        package var clippedSamples = 0
        /// What the recording lacked; nil: nothing.
        package var cutOff: CutOff?
        /// Samples that were infinite or not a number and became 0.
        package var zeroedSamples = 0
    }

    init(_ input: LiveInput, plan: FeaturePlan, seconds: Double, equalizer: LiveEqualizer?) {
        name = input.name
        format = input.format
        self.plan = plan
        self.equalizer = equalizer
        let bins = plan.needsWholeClip ? plan.streamedBins : plan.bins
        let wanted = Int(min(max(seconds, 1) / plan.framePeriod, 1e9)) + Self.minimumRows
        rows = LiveRows(bins: bins, capacity: max(min(wanted, Self.maximumValues / bins), Self.minimumRows))
    }

    private static let minimumRows = 64
    /// 16 MB.
    private static let maximumValues = 1 << 22

    /// Seconds of audio that were analysed.
    package var seconds: Double { Double(frames.load(ordering: .relaxed)) / Double(format.sampleRate) }

    /// Whether nothing more comes.
    package var hasEnded: Bool { ended.load(ordering: .acquiring) }

    /// What was found at its end.
    var end: End { found.withLock { $0 } }

    func advance(by frames: Int) { self.frames.add(frames, ordering: .relaxed) }

    var frameCount: Int { frames.load(ordering: .relaxed) }

    func close(_ end: End) {
        found.withLock { $0 = end }
        ended.store(true, ordering: .releasing)
    }
}

/// The result of a live analysis.
package struct LiveSummary: Sendable {
    /// An input. What was found at its end can be named without it: `track.failure`.
    @dynamicMemberLookup
    package struct Track: Sendable {
        /// What it is called.
        package let name: String
        /// Seconds of audio that were analysed.
        package let seconds: Double
        /// Rows that were computed.
        package let rows: Int
        /// What was found at its end.
        let end: LiveTrack.End
        /// Rows at the end that the audio would have and that were not computed before an interruption.
        package var missingRows = 0

        package subscript<Value>(dynamicMember path: KeyPath<LiveTrack.End, Value>) -> Value { end[keyPath: path] }
    }

    /// The feature file.
    package struct File: Sendable {
        /// Where it is.
        package let path: String
        /// Clips in it.
        package let clips: Int
        /// Rows in it.
        package let rows: Int
        /// Values in a row.
        package let bins: Int
        /// Its length.
        package let bytes: Int
        /// Inputs that are not in it, a sentence each.
        package let failures: [String]
        /// What is likely not meant, a sentence each.
        package let warnings: [String]
        /// The patches that rows are grouped into; nil: they are not.
        package let patch: PatchShape?
        /// What was read of the inputs and not used.
        package var account = Account()
    }

    /// The inputs.
    package let tracks: [Track]
    /// The feature file; nil: none was asked for.
    package let file: File?
}
