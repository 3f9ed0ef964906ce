import Archives
import AudioDecoding
import FeatureModel
import FileIO
import Messages
import Platform

/// What is played and drawn of a clip: a part of its recording, at the recording's own rate, as one signal.
struct ClipSound: Sendable {
    /// The path of the recording.
    let path: String
    /// Those of the recording: rate in Hz, number of channels, length in seconds.
    let sampleRate, channels: Int
    let recordingDuration: Double
    /// Length of the clip in seconds, by its samples.
    let duration: Double
    /// The part that is read, as a clip.
    let part: Clip
    /// Number of samples of the part, as far as the recording's header says.
    let frames: Int
    /// Seconds from the start of the clip to the first sample; negative with context.
    let firstTime: Double

    let audio: AudioConfiguration
    let policy: RecordingPolicy

    /// Looks up the recording of a clip; nothing is decoded.
    ///
    /// - Parameters:
    ///   - before, after: Seconds of context; negative ones leave out as much of the clip.
    /// - Throws: `Refusal` where there is no such recording, or it does not have the clip.
    init(of clip: BrowsedClip, in facts: DatasetFacts, before: Double = 0, after: Double = 0) throws(Refusal) {
        let path = Clip.location(of: clip.clip.path, root: facts.root)
        guard RecordingPath.exists(path) else {
            throw Refusal(.notFound, BrowserWords.missing(recording: path))
        }
        do {
            let audio = try AudioConfiguration(
                sampleRate: nil, channels: facts.channels == .all ? .mix : facts.channels)
            let decoder = ClipDecoder(audio, policy: facts.policy)
            let whole = try decoder.survey(Clip(index: 0, id: clip.clip.id, path: path), path: path)
            let own = try decoder.survey(clip.clip, path: path)
            let rate = Double(whole.sampleRate)
            func count(_ seconds: Double) -> Int { Int(min(max((seconds * rate).rounded(), -0x1p60), 0x1p60)) }
            let (all, start) = (count(whole.duration), count(own.start))
            let end = start + count(own.duration)
            let first = min(max(start - count(before), 0), all)
            let past = min(max(end + count(after), first), all)
            guard past > first else { throw Refusal(.badRequest, "This part of the recording has no samples.") }
            (self.path, self.audio, policy) = (path, audio, facts.policy)
            (sampleRate, channels) = (whole.sampleRate, whole.channels)
            (recordingDuration, duration) = (whole.duration, own.duration)
            frames = past - first
            firstTime = Double(first - start) / rate
            let isOwn = first == start && past == end
            part = Clip(
                index: 0, id: clip.clip.id, path: path,
                segment: isOwn ? clip.clip.segment : Segment(start: Double(first) / rate, end: Double(past) / rate),
                channel: clip.clip.channel)
        } catch {
            throw Refusal(reading: error)
        }
    }

    /// The samples.
    ///
    /// - Throws: `Refusal`.
    func samples() throws(Refusal) -> [Float] {
        var samples: [Float] = []
        samples.reserveCapacity(frames)
        try each { samples.append(contentsOf: $0) }
        return samples
    }

    /// Passes on all samples, piece by piece, in bounded memory.
    ///
    /// - Parameter decoded: Takes the samples of all channels in turn, as they are decoded.
    func each(
        decoded: (UnsafeBufferPointer<Float>) -> Void = { _ in }, _ receive: (UnsafeBufferPointer<Float>) -> Void
    ) throws(Refusal) {
        do throws(ClipFailure) {
            _ = try ClipDecoder(audio, policy: policy).read(
                part, path: path, rate: sampleRate, decoded: decoded, receive: { _, piece in receive(piece) })
        } catch {
            throw Refusal(reading: error)
        }
    }

    /// Its levels, and the checksum that feature files have of decoded samples.
    ///
    /// - Complexity: Decodes all of it.
    func level() throws(Refusal) -> (level: SoundLevel, checksum: String) {
        var (peak, sum, count) = (Float(0), 0.0, 0)
        var hash = XXH3Hash128()
        try each(decoded: { hash.update(UnsafeRawBufferPointer($0)) }) { piece in
            for sample in piece {
                peak = max(peak, abs(sample))
                sum += Double(sample) * Double(sample)
            }
            count += piece.count
        }
        return (
            SoundLevel(peak: Double(peak), meanSquare: count > 0 ? sum / Double(count) : 0), hash.finish().hex
        )
    }
}

/// The levels of a signal in decibels, 0 for the greatest sample that there can be; no less than −120.
struct SoundLevel: Hashable, Sendable {
    /// 20 · log₁₀ of the greatest magnitude.
    let peak: Double
    /// 10 · log₁₀ of the mean square: a sine of full scale has −3.01.
    let rms: Double

    private static let least = -120.0

    /// - Parameters:
    ///   - peak: The greatest magnitude.
    ///   - meanSquare: The mean of the squared samples.
    init(peak: Double, meanSquare: Double) {
        self.peak = max(20 * log10(peak), Self.least)
        rms = max(10 * log10(meanSquare), Self.least)
    }
}
