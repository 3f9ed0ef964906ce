import FeatureModel
import SignalProcessing
import Synchronization

/// An input that is being analysed, as whoever shows it sees it.
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
    private let end = Mutex(End())

    private struct End {
        var failure: (any Error)?
        var strayBytes = 0
        var clippedSamples = 0
    }

    init(_ input: LiveInput, plan: FeaturePlan, seconds: Double, equalizer: LiveEqualizer?) {
        name = input.name
        format = input.format
        self.plan = plan
        self.equalizer = equalizer
        let bins = plan.needsWholeClip ? plan.streamedBins : plan.bins
        let wanted = Int(min(max(seconds, 1) / plan.framePeriod, 1e9)) + Self.leastRows
        rows = LiveRows(bins: bins, capacity: max(min(wanted, Self.mostValues / bins), Self.leastRows))
    }

    private static let leastRows = 64
    /// 16 MB.
    private static let mostValues = 1 << 22

    /// Seconds of audio that were analysed.
    package var seconds: Double { Double(frames.load(ordering: .relaxed)) / Double(format.sampleRate) }

    /// Whether nothing more comes.
    package var hasEnded: Bool { ended.load(ordering: .acquiring) }

    /// Why it has ended before its input; nil: it has not.
    package var failure: (any Error)? { end.withLock { $0.failure } }

    /// Bytes at the input's end that were no whole sample of every channel.
    package var strayBytes: Int { end.withLock { $0.strayBytes } }

    /// Samples that had to be cut to full scale on their way to standard output.
    package var clippedSamples: Int { end.withLock { $0.clippedSamples } }

    func advance(by frames: Int) { self.frames.add(frames, ordering: .relaxed) }

    var frameCount: Int { frames.load(ordering: .relaxed) }

    func close(failure: (any Error)?, strayBytes: Int, clippedSamples: Int) {
        end.withLock {
            $0.failure = failure
            $0.strayBytes = strayBytes
            $0.clippedSamples = clippedSamples
        }
        ended.store(true, ordering: .releasing)
    }
}
