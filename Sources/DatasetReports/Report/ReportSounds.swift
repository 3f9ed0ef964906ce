import AudioDecoding
import Concurrency
import FeatureModel
import FeatureStorage

/// The sounds of clips that the page shows, cut from their recordings, each at its own rate.
struct ReportSounds: Sendable {
    /// WAV files, by the index of the clip.
    private(set) var waves: [Int: [UInt8]] = [:]
    /// The clips of which only the start is heard.
    private(set) var shortened: Set<Int> = []
    /// Number of clips without a sound: their recordings cannot be read, or the page would become too large.
    private(set) var unreadable = 0, leftOut = 0

    /// What is heard of a longer clip.
    static let maximumSeconds = 10.0
    /// Bytes of all players' WAV files. In Base64, they are a third more.
    static let maximumBytes = 24 << 20
    /// A damaged file may state any rate.
    private static let maximumRate = 1 << 24

    /// A clip with as many players as the page has for it.
    private struct Candidate: Sendable {
        let index: Int
        let clip: StoredClip
        let players: Int

        var seconds: Double { min(clip.duration, ReportSounds.maximumSeconds) }
        /// Bytes of its WAV file, or more.
        var bytes: Int { 4 * Int((seconds * Double(clip.sampleRate)).rounded(.up)) + 64 }
    }

    /// Decodes clips, those first that come first, as long as they fit.
    ///
    /// - Parameters:
    ///   - players: The indices of the clips, each as often as the page has a player for it.
    ///   - root: Folder that relative paths of recordings start from.
    ///   - jobs: Number of threads; the result does not depend on it.
    static func make(
        _ players: [Int], of clips: [Int: StoredClip], _ reader: FeatureReader, root: String, jobs: Int,
        maximumBytes: Int = Self.maximumBytes
    ) throws -> ReportSounds {
        let selection = (try? reader.decodedConfiguration())?.audio.channels ?? .mix
        let audio = try AudioConfiguration(sampleRate: nil, channels: selection == .all ? .mix : selection)
        let policy = reader.policy
        var sounds = ReportSounds()
        var waiting = candidates(players, clips)
        sounds.unreadable = Set(players).count - waiting.count
        var left = maximumBytes
        while true {
            var (chosen, rest, planned) = ([Candidate](), [Candidate](), 0)
            for candidate in waiting {
                let bytes = candidate.players * candidate.bytes
                if bytes <= left - planned {
                    planned += bytes
                    chosen.append(candidate)
                } else {
                    rest.append(candidate)
                }
            }
            if chosen.isEmpty { break }
            let waves = try WorkerPool.map(chosen.count, jobs: jobs) {
                ClipDecoder(audio, policy: policy)
            } _: { [chosen] in
                wave(of: chosen[$1], root: root, $0)
            }
            for (candidate, wave) in zip(chosen, waves) {
                guard let wave else {
                    sounds.unreadable += 1
                    continue
                }
                left -= candidate.players * wave.count
                sounds.waves[candidate.index] = wave
                if candidate.clip.duration > maximumSeconds { sounds.shortened.insert(candidate.index) }
            }
            // Sounds of 16 bits take half of what was planned.
            waiting = rest
        }
        sounds.leftOut = waiting.count
        return sounds
    }

    private static func candidates(_ players: [Int], _ clips: [Int: StoredClip]) -> [Candidate] {
        var counts: [Int: Int] = [:]
        var order: [Int] = []
        for index in players {
            if counts[index] == nil { order.append(index) }
            counts[index, default: 0] += 1
        }
        return order.compactMap { index in
            guard let clip = clips[index], clip.duration >= 0, 1...maximumRate ~= clip.sampleRate else { return nil }
            return Candidate(index: index, clip: clip, players: counts[index] ?? 1)
        }
    }

    /// Nil: the recording cannot be read.
    private static func wave(of candidate: Candidate, root: String, _ decoder: ClipDecoder) -> [UInt8]? {
        let clip = candidate.clip
        let part = Clip(
            index: 0, id: "", path: clip.path, segment: Segment(start: clip.start, end: clip.start + candidate.seconds),
            channel: clip.channel)
        var samples: [Float] = []
        do throws(ClipFailure) {
            _ = try decoder.read(
                part, path: Clip.location(of: clip.path, root: root), rate: clip.sampleRate, decoded: { _ in },
                receive: { _, piece in samples.append(contentsOf: piece) })
        } catch {
            return nil
        }
        return wave(samples, sampleRate: clip.sampleRate)
    }

    /// A WAV file of one channel with exactly these samples: integers of 16 bits where they are such, otherwise floating point.
    private static func wave(_ samples: [Float], sampleRate: Int) -> [UInt8] {
        let isShort = samples.allSatisfy { sample in
            let value = sample * 32_768
            return value == value.rounded() && -32_768...32_767 ~= value
        }
        let sampleBytes = isShort ? 2 : 4
        var bytes = WaveHeaderBytes.header(
            isFloat: !isShort, sampleBytes: sampleBytes, sampleRate: sampleRate, channels: 1,
            dataBytes: sampleBytes * samples.count)
        bytes.reserveCapacity(bytes.count + sampleBytes * samples.count)
        for sample in samples {
            bytes += WaveHeaderBytes.bytes(
                isShort ? Int(sample * 32_768) : Int(sample.bitPattern), sampleBytes)
        }
        return bytes
    }

    /// The player of a clip; nil: there is no sound of it.
    ///
    /// - Parameter name: The clip's name.
    func player(ofClip index: Int, named name: String) -> SoundPlayer? {
        waves[index].map {
            SoundPlayer(name: name, wave: $0, seconds: shortened.contains(index) ? Int(Self.maximumSeconds) : nil)
        }
    }
}
