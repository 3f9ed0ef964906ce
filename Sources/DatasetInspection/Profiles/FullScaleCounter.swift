/// Counts samples at full scale in runs of three or more of one sign, as in clipped recordings.
struct FullScaleCounter {
    /// From this magnitude on a sample is at full scale: the greatest of 16 bits.
    static let fullScale: Float = 32_767 / 32_768
    /// Minimum length of a run.
    static let minimumRun = 3

    /// Samples at full scale that are part of a run, in all channels.
    private(set) var clipped = 0
    /// All samples, in all channels.
    private(set) var samples = 0
    /// The length of each channel's current run, negative for negative samples.
    private var runs: [Int]

    init(channels: Int) { runs = Array(repeating: 0, count: max(channels, 1)) }

    /// Adds interleaved samples; runs may extend over several calls.
    mutating func add(_ piece: UnsafeBufferPointer<Float>) {
        samples += piece.count
        var channel = 0
        for sample in piece {
            if sample.magnitude >= Self.fullScale {
                let run = runs[channel]
                runs[channel] = sample > 0 ? max(run, 0) + 1 : min(run, 0) - 1
                let length = Int(runs[channel].magnitude)
                if length >= Self.minimumRun { clipped += length == Self.minimumRun ? Self.minimumRun : 1 }
            } else {
                runs[channel] = 0
            }
            channel += 1
            if channel == runs.count { channel = 0 }
        }
    }
}
