import Concurrency
import Platform

/// Lets samples through in real time.
struct LivePace {
    /// In Hz.
    private let rate: Double
    private var start = ContinuousClock.now
    /// Frames that were let through since then.
    private var done = 0

    /// Seconds of samples that are let through at a time.
    private static let step = 0.01
    private static let turnMicroseconds: UInt32 = 20_000

    /// - Parameters:
    ///   - sampleRate: In Hz.
    ///   - speed: Seconds of samples in a second, more than 0.
    init(sampleRate: Int, speed: Double) { rate = Double(sampleRate) * speed }

    /// Restarts, now.
    mutating func restart() {
        start = .now
        done = 0
    }

    /// Says how many frames were read.
    mutating func advance(by frames: Int) { done += frames }

    /// Waits until frames are due, unless it is asked to stop.
    ///
    /// - Returns: How many there are; at least 1.
    func wait(_ cancellation: Cancellation) -> Int {
        let frames = max(Int(min(rate * Self.step, 1e9)), 1)
        let due = Double(done + frames) / rate
        while !cancellation.isCancelled {
            let missing = due - elapsed
            guard missing > 0 else { break }
            usleep(min(UInt32(max(min(missing, 1) * 1e6, 1)), Self.turnMicroseconds))
        }
        return max(frames, Int(min(elapsed * rate, 0x1p60)) - done)
    }

    /// Waits for a short while.
    static func rest() { usleep(turnMicroseconds) }

    private var elapsed: Double { start.duration(to: .now) / .seconds(1) }
}
