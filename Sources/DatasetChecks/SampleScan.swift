import Checksums
import DatasetInspection
import Platform
import Presentation

/// What the samples of a clip are like: silence, clipping, offset, and a checksum. Pieces may have any length.
struct SampleScan: ~Copyable {
    /// Peaks below this are silence: −80 dBFS.
    static let silence: Float = 1e-4
    /// Means of a channel beyond this are an offset.
    static let offset = 0.01

    private var hash = XXH3Hash128()
    private var channels = 1
    private var minima: [Float] = []
    private var maxima: [Float] = []
    private var sums: [Double] = []
    private var frames = 0
    private var fullScale = FullScaleCounter(channels: 1)

    /// Forgets all samples.
    mutating func reset(channels: Int) {
        self.channels = max(channels, 1)
        minima = Array(repeating: .infinity, count: self.channels)
        maxima = Array(repeating: -.infinity, count: self.channels)
        sums = Array(repeating: 0, count: self.channels)
        frames = 0
        fullScale = FullScaleCounter(channels: self.channels)
        hash.reset()
        withUnsafeBytes(of: self.channels) { hash.update($0) }
    }

    /// Adds interleaved samples of whole frames.
    mutating func add(_ piece: UnsafeBufferPointer<Float>) {
        hash.update(UnsafeRawBufferPointer(piece))
        fullScale.add(piece)
        frames += piece.count / channels
        for channel in 0..<channels {
            var (low, high, sum) = (minima[channel], maxima[channel], 0.0)
            var index = channel
            while index < piece.count {
                let sample = piece[index]
                low = sample < low ? sample : low
                high = sample > high ? sample : high
                sum += Double(sample)
                index += channels
            }
            (minima[channel], maxima[channel]) = (low, high)
            sums[channel] += sum
        }
    }

    /// The checksum of the samples; nil for silence, which is equal to other silence without being a copy.
    var checksum: Checksum128? { peak < Self.silence ? nil : hash.finish() }

    private var peak: Float { zip(minima, maxima).reduce(0) { max($0, -$1.0, $1.1) } }

    /// What is wrong, with what was found.
    var problems: [(kind: ProblemKind, found: String)] {
        guard frames > 0 else { return [] }
        let peak = peak
        guard peak >= Self.silence else {
            let decibels = Wording.value((200 * log10(Double(peak))).rounded() / 10)
            return [(.silent, peak > 0 ? "peak at \(decibels) dBFS" : "every sample is 0")]
        }
        if minima == maxima { return [(.constant, "every sample is \(maxima[0])")] }
        var problems: [(ProblemKind, String)] = []
        if fullScale.clipped > 0 {
            let share = Double(fullScale.clipped) / Double(fullScale.samples)
            let samples = Wording.count(fullScale.clipped, "sample")
            problems.append((.clipped, "\(samples) at full scale in runs, \(Wording.share(share))"))
        }
        let mean = sums.map { $0 / Double(frames) }.max { $0.magnitude < $1.magnitude } ?? 0
        if mean.magnitude > Self.offset {
            let words = "mean of \(mean < 0 ? "−" : "")\(Wording.share(mean.magnitude)) of full scale"
            problems.append((.dcOffset, words))
        }
        return problems
    }
}
