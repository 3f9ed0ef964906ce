import AudioDecoding
import ClipSpool
import Synchronization

/// The progress of an extraction: written by its workers, read by what displays it.
package final class ExtractionProgress: Sendable {
    /// What is being done.
    package enum Phase: Int, Sendable {
        /// Reading and checking the manifest.
        case preparing
        /// Computing features.
        case extracting
        /// Assembling the file.
        case assembling
        /// Done.
        case finished
    }

    /// The state at one moment.
    package struct Snapshot: Hashable, Sendable {
        /// What is being done.
        package let phase: Phase
        /// Clips of the manifest; 0: unknown.
        package let total: Int
        /// Clips that are done in this phase, failed ones included.
        package let done: Int
        /// Clips that have failed.
        package let failed: Int
        /// Seconds of audio read, in an interrupted run before this one too.
        package let audioSeconds: Double
        /// Clips that were done by an interrupted run before this one; 0 while the file is assembled.
        package let resumed: Int
        /// Seconds of audio read by this run.
        package let newAudioSeconds: Double
    }

    private struct Counts {
        var phase = Phase.preparing
        var (total, done, assembled, failed, resumed) = (0, 0, 0, 0, 0)
        /// Durations of audio.
        var (microseconds, resumedMicroseconds) = (0, 0)
    }

    private let counts = Mutex(Counts())
    /// Sound that was decoded only to reach clips.
    package let skipped = SkippedSound()
    private let whenDone: (@Sendable (Int) -> Void)?

    /// Nothing done yet.
    ///
    /// - Parameter whenDone: Called with the number of clips that are done, after each of them, by the thread that finished it, before
    ///   that thread begins another.
    package init(whenDone: (@Sendable (Int) -> Void)? = nil) { self.whenDone = whenDone }

    /// The state now.
    package var snapshot: Snapshot {
        let counts = counts.withLock { $0 }
        let isAssembling = counts.phase == .assembling
        return Snapshot(
            phase: counts.phase, total: counts.total, done: isAssembling ? counts.assembled : counts.done,
            failed: counts.failed, audioSeconds: Double(counts.microseconds) / 1e6,
            resumed: isAssembling ? 0 : counts.resumed,
            newAudioSeconds: Double(counts.microseconds - counts.resumedMicroseconds) / 1e6)
    }

    package func start(_ phase: Phase) { counts.withLock { $0.phase = phase } }

    package func expect(_ clips: Int) { counts.withLock { $0.total = clips } }

    /// Counts what an interrupted run has done.
    func resume(_ run: ResumedRun) { add(run.done, failed: run.failed, seconds: run.seconds, isResumed: true) }

    /// Counts a clip that an interrupted run has done.
    func resumeClip(seconds: Double?) {
        add(1, failed: seconds == nil ? 1 : 0, seconds: seconds ?? 0, isResumed: true)
    }

    /// Counts a clip that is written.
    func written(_ clip: WrittenClip) {
        if let seconds = clip.seconds { finishedClip(seconds: seconds) } else { failedClip() }
    }

    package func finishedClip(seconds: Double) { add(1, seconds: seconds) }

    package func failedClip() { add(1, failed: 1) }

    private func add(_ clips: Int, failed: Int = 0, seconds: Double = 0, isResumed: Bool = false) {
        let microseconds = Int(min(seconds, 1e12) * 1e6)
        let done = counts.withLock {
            $0.done += clips
            $0.failed += failed
            $0.microseconds += microseconds
            if isResumed {
                $0.resumed += clips
                $0.resumedMicroseconds += microseconds
            }
            return $0.done
        }
        whenDone?(done)
    }

    func rejected(_ clips: Int) { counts.withLock { $0.failed += clips } }

    func assembled(_ clips: Int) { counts.withLock { $0.assembled += clips } }
}
