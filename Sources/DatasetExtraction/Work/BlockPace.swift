import ClipSpool

/// How many clips of different recordings a worker takes at a time.
///
/// Small clips are taken several at a time, so that their rows are adjacent and one call writes them. Other clips are taken one by
/// one, so that no worker waits long for its turn to write to the file.
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
        end(clips: count, rows: rows, after: started.duration(to: .now))
    }

    /// The same, given the time that the block took.
    mutating func end(clips count: Int, rows: Int, after time: Duration) {
        let bytes = rows * rowBytes / max(count, 1)
        guard bytes <= SpoolWriter.gatheredClipSize else {
            clips = 1
            return
        }
        let inTime = Int(min(Self.longest * max(count, 1) / max(time, .nanoseconds(1)), Double(Self.maximumClips)))
        clips = max(1, min(SpoolWriter.gatheredSize / max(bytes, 1), inTime, Self.maximumClips))
    }
}
