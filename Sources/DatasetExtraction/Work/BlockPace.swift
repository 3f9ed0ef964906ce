import ClipSpool

/// How many clips of different recordings a worker takes at a time: of small ones several, so that their rows follow one
/// another and are written together; of others one, for whose place in the file nobody waits long.
struct BlockPace {
    /// The number for the next block.
    private(set) var clips = 1
    private let rowBytes: Int
    private var started = ContinuousClock.now

    private static let maximumClips = 16
    private static let longest = Duration.milliseconds(10)

    /// - Parameter rowBytes: Bytes of a row.
    init(rowBytes: Int) { self.rowBytes = rowBytes }

    /// Starts a block.
    mutating func start() { started = .now }

    /// Ends it.
    ///
    /// - Parameters:
    ///   - count: Its clips.
    ///   - rows: Their rows.
    mutating func end(clips count: Int, rows: Int) {
        let bytes = rows * rowBytes / max(count, 1)
        guard bytes <= SpoolWriter.gatheredClipSize else {
            clips = 1
            return
        }
        let time = started.duration(to: .now) / max(count, 1)
        let inTime = Int(min(Self.longest / max(time, .nanoseconds(1)), Double(Self.maximumClips)))
        clips = max(1, min(SpoolWriter.gatheredSize / max(bytes, 1), inTime, Self.maximumClips))
    }
}
