/// Counts samples at full scale that come in runs, as they do where a recording was driven too far: three or more of one
/// sign one behind the other.
struct FullScaleCounter {
    /// From this magnitude on a sample is at full scale: the greatest of 16 bits.
    static let fullScale: Float = 32_767 / 32_768
    /// So many samples are a run.
    static let minimumRun = 3

    /// Samples at full scale that are part of a run, in all channels.
    private(set) var clipped = 0
    /// All samples, in all channels.
    private(set) var samples = 0
    /// The run that each channel is in, negative for negative samples.
    private var runs: [Int]

    init(channels: Int) { runs = Array(repeating: 0, count: max(channels, 1)) }

    /// Adds interleaved samples; runs go on from one piece to the next.
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
