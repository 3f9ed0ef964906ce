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

    private let phase = Atomic(Phase.preparing.rawValue)
    private let total = Atomic(0)
    private let extracted = Atomic(0)
    private let assembled = Atomic(0)
    private let failed = Atomic(0)
    private let audioMicroseconds = Atomic(0)
    private let resumed = Atomic(0)
    private let resumedMicroseconds = Atomic(0)

    /// Nothing done yet.
    package init() {}

    /// The state now.
    package var snapshot: Snapshot {
        let phase = Phase(rawValue: phase.load(ordering: .relaxed)) ?? .preparing
        let counter = phase == .assembling ? assembled.load(ordering: .relaxed) : extracted.load(ordering: .relaxed)
        let audio = audioMicroseconds.load(ordering: .relaxed)
        return Snapshot(
            phase: phase, total: total.load(ordering: .relaxed), done: counter,
            failed: failed.load(ordering: .relaxed), audioSeconds: Double(audio) / 1e6,
            resumed: phase == .assembling ? 0 : resumed.load(ordering: .relaxed),
            newAudioSeconds: Double(audio - resumedMicroseconds.load(ordering: .relaxed)) / 1e6)
    }

    package func start(_ phase: Phase) { self.phase.store(phase.rawValue, ordering: .relaxed) }

    package func expect(_ clips: Int) { total.store(clips, ordering: .relaxed) }

    /// Counts what an interrupted run has done.
    func resume(_ run: ResumedRun) {
        let microseconds = Int(min(run.seconds, 1e12) * 1e6)
        extracted.add(run.done, ordering: .relaxed)
        failed.add(run.failed, ordering: .relaxed)
        audioMicroseconds.add(microseconds, ordering: .relaxed)
        resumed.add(run.done, ordering: .relaxed)
        resumedMicroseconds.add(microseconds, ordering: .relaxed)
    }

    /// Counts a clip that an interrupted run has done.
    func resumeClip(seconds: Double?) {
        let microseconds = Int(min(seconds ?? 0, 1e12) * 1e6)
        extracted.add(1, ordering: .relaxed)
        if seconds == nil { failed.add(1, ordering: .relaxed) }
        audioMicroseconds.add(microseconds, ordering: .relaxed)
        resumed.add(1, ordering: .relaxed)
        resumedMicroseconds.add(microseconds, ordering: .relaxed)
    }

    /// Counts a clip that is written.
    func written(_ clip: WrittenClip) {
        if let seconds = clip.seconds { finishedClip(seconds: seconds) } else { failedClip() }
    }

    package func finishedClip(seconds: Double) {
        extracted.add(1, ordering: .relaxed)
        audioMicroseconds.add(Int(min(seconds, 1e12) * 1e6), ordering: .relaxed)
    }

    package func failedClip() {
        extracted.add(1, ordering: .relaxed)
        failed.add(1, ordering: .relaxed)
    }

    func rejected(_ clips: Int) { failed.add(clips, ordering: .relaxed) }

    func assembled(_ clips: Int) { assembled.add(clips, ordering: .relaxed) }
}
