import Archives
import FeatureModel
import FileIO

/// What the author of a correction looked at: the part of a recording. What is not given is not compared.
package struct CorrectedPart: Hashable, Sendable {
    /// Path of the recording as the manifest gives it; empty: not given.
    package var path: String
    /// Seconds from the start of the recording; nil: not given.
    package var start, end: Double?
    /// The sound; nil: not given.
    package var audio: CorrectedAudio?

    package init(path: String = "", start: Double? = nil, end: Double? = nil, audio: CorrectedAudio? = nil) {
        (self.path, self.start, self.end, self.audio) = (path, start, end, audio)
    }

    /// A clip of a manifest whose samples are not decoded.
    ///
    /// - Parameter root: The folder that relative paths start from.
    package init(_ clip: Clip, root: String) {
        let stamp = FileStamp(recording: Clip.location(of: clip.path, root: root))
        self.init(
            path: clip.path, start: clip.segment?.start ?? 0, end: clip.segment?.end,
            audio: stamp == .absent ? nil : .recording(stamp))
    }

    /// A clip of a feature file.
    ///
    /// - Parameters:
    ///   - start, duration: Seconds, as the file has them.
    ///   - isShortened: Whether it ends before the end that its manifest says, at that of the recording or of what can be read of it.
    ///   - checksum: `audio_xxh3`.
    package init(path: String, start: Double, duration: Double, isShortened: Bool, checksum: String) {
        self.init(path: path, start: start, end: isShortened ? nil : start + duration, audio: .samples(checksum))
    }

    /// How a clip of a manifest differs from what was corrected.
    package enum Difference: Hashable, Sendable {
        /// The path of another recording.
        case path(corrected: String, now: String)
        /// Seconds.
        case start(corrected: Double, now: Double)
        /// Seconds.
        case end(corrected: Double, now: Double)
        /// The recording has another size or time.
        case recording(path: String)
    }

    /// How a clip of a manifest differs, as far as can be said without its samples; nil: it does not.
    ///
    /// - Parameter root: The folder that relative paths start from.
    func difference(from clip: Clip, root: String) -> Difference? {
        guard path.isEmpty || Self.agree(path, clip.path) else { return .path(corrected: path, now: clip.path) }
        let now = clip.segment?.start ?? 0
        if let start, abs(start - now) > Segment.decimalRounding { return .start(corrected: start, now: now) }
        if let end, let segment = clip.segment, let other = segment.end,
            !segment.mayLast(end - segment.start, configured: nil, isCut: true)
        {
            return .end(corrected: end, now: other)
        }
        guard case .recording(let stamp) = audio else { return nil }
        let found = FileStamp(recording: Clip.location(of: clip.path, root: root))
        // Of a recording that is missing, the command itself says so.
        return found == .absent || found == stamp ? nil : .recording(path: clip.path)
    }

    /// Whether two paths may be of one recording: a manifest in another folder gives its recordings other paths, with the same last
    /// names.
    static func agree(_ one: String, _ other: String) -> Bool {
        func names(_ path: String) -> [Substring.UTF8View] {
            path.utf8.split(separator: Byte.slash).map { Substring($0).utf8 }
                .filter { !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
        }
        return zip(names(one).reversed(), names(other).reversed()).allSatisfy { $0.elementsEqual($1) }
    }
}

/// The sound of a clip when it was corrected.
package enum CorrectedAudio: Hashable, Sendable {
    /// The checksum of its samples, as `/clips/audio_xxh3` of a feature file has it.
    case samples(String)
    /// Size and time of its recording, where the samples were not decoded.
    case recording(FileStamp)

    private static let (size, time) = ("size:", "mtime:")

    /// Reads 32 hexadecimal digits, or `size:BYTES;mtime:NANOSECONDS`; nil: it is neither.
    package init?(text: String) {
        let isDigit = { (byte: UInt8) in byte < 0x80 && Character(Unicode.Scalar(byte)).isHexDigit }
        if text.utf8.count == 32, text.utf8.allSatisfy(isDigit) {
            self = .samples(text.lowercased())
            return
        }
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].hasPrefix(Self.size), parts[1].hasPrefix(Self.time),
            let size = Int64(parts[0].dropFirst(Self.size.count)), size >= 0,
            let time = Int64(parts[1].dropFirst(Self.time.count))
        else { return nil }
        self = .recording(FileStamp(byteCount: size, modified: time))
    }

    /// The value of the column `audio_xxh3`.
    package var text: String {
        switch self {
        case .samples(let checksum): checksum
        case .recording(let stamp): "\(Self.size)\(stamp.byteCount);\(Self.time)\(stamp.modified)"
        }
    }
}
