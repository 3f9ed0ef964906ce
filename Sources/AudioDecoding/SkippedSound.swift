import Synchronization

/// Sound that was decoded only to reach what follows it, by all threads of this process.
package enum SkippedSound {
    private static let milliseconds = Atomic(0)

    /// How much, in seconds.
    package static var seconds: Double { Double(milliseconds.load(ordering: .relaxed)) / 1000 }

    static func add(frames: Int, sampleRate: Int) {
        milliseconds.wrappingAdd(frames * 1000 / max(sampleRate, 1), ordering: .relaxed)
    }
}
