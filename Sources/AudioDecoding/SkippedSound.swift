import Synchronization

/// Sound that decoders of several threads have decoded only to reach what follows it.
package final class SkippedSound: Sendable {
    private let counted = Mutex(0.0)

    package init() {}

    /// How much, in seconds.
    package var seconds: Double { counted.withLock { $0 } }

    func add(frames: Int, sampleRate: Int) {
        counted.withLock { $0 += Double(frames) / Double(max(sampleRate, 1)) }
    }
}
