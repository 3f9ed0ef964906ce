import DatasetInspection
import FeatureModel

extension ClipSound {
    /// Values that a spectrogram has at most.
    private static let maximumValues = 1 << 24
    /// Frames overlap by seven eighths, where there are not too many.
    private static let overlap = 8

    /// The spectrogram: power in decibels, at the bins of a transform of `size` samples of a Hann window.
    ///
    /// - Parameters:
    ///   - size: A power of two from 16 to 65,536.
    ///   - maximumRows: Of more frames, fewer are computed.
    /// - Throws: `Refusal`.
    func spectrogram(size: Int, maximumRows: Int) throws(Refusal) -> ClipPicture {
        do {
            let preset = try Preset.spectrogram.configuration()
            let hop = max(size / Self.overlap, (frames + maximumRows - 1) / max(maximumRows, 1), 1)
            let configuration = try FeatureConfiguration(
                audio: audio,
                frame: FrameConfiguration(
                    length: .samples(size), hop: .samples(hop), fftLength: size, align: .center, pad: .zero),
                transform: preset.transform, scale: preset.scale, normalize: preset.normalize)
            let features = try RecordingFeatures(
                path: path, segment: part.segment, channel: part.channel, configuration: configuration, policy: policy,
                maximumValues: Self.maximumValues)
            let start = part.segment?.start ?? 0
            return ClipPicture(
                matrix: features.matrix, rowPeriod: features.framePeriod,
                firstTime: features.firstFrameTime - start + firstTime)
        } catch {
            throw Refusal(reading: error)
        }
    }

    /// The least and the greatest sample of each of some stretches of equal length, one pair after another, and that length in seconds.
    ///
    /// - Parameter columns: How many stretches, at least 1; fewer where there are fewer samples.
    /// - Throws: `Refusal`.
    func waveform(columns: Int) throws(Refusal) -> (pairs: [Float], period: Double) {
        let envelope: SampleEnvelope
        do {
            envelope = try SampleEnvelope.read(
                path: path, segment: part.segment, channel: part.channel, channels: audio.channels, policy: policy)
        } catch {
            throw Refusal(reading: error)
        }
        let length = Double(frames) / Double(sampleRate)
        let count = max(min(columns, frames), 1)
        var pairs: [Float] = []
        pairs.reserveCapacity(2 * count)
        for column in 0..<count {
            let (from, to) = (Double(column) / Double(count), Double(column + 1) / Double(count))
            let found = envelope.extremes(from: envelope.start + from * length, to: envelope.start + to * length)
            pairs += [found?.lowerBound ?? 0, found?.upperBound ?? 0]
        }
        return (pairs, length / Double(count))
    }
}
