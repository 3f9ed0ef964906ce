import FeatureModel

/// The id of a clip that has none in its manifest.
package enum DefaultIdentifier {
    /// The number of bytes of `path` before the extension of its last component, after Python's `os.path.splitext`:
    /// leading dots of the component do not start an extension.
    static func stemLength(_ path: UnsafeRawBufferPointer) -> Int {
        let name = (path.lastIndex(of: Byte.slash) ?? -1) + 1
        guard let dot = path.lastIndex(of: Byte.dot), dot > name else { return path.count }
        return path[name..<dot].contains { $0 != Byte.dot } ? dot : path.count
    }

    package static func stem(_ path: String) -> String {
        let bytes = Array(path.utf8)
        return String(decoding: bytes[..<bytes.withUnsafeBytes(stemLength)], as: UTF8.self)
    }

    /// `#ch1` for the channel 1.
    package static func suffix(channel: Int) -> String { "#ch\(channel)" }

    /// The id of a clip that has none.
    package static func id(of clip: Clip) -> String {
        stem(clip.path) + (clip.channel.map(suffix(channel:)) ?? "") + (clip.segment.map(suffix) ?? "")
    }

    /// `#1.5-3` for a segment, `#1.5-` for one to the end of the recording; nothing for a length without a start, which may be that
    /// of the whole recording.
    package static func suffix(_ segment: Segment) -> String {
        segment.isLengthAlone
            ? "" : "#\(text(segment.start))-\(segment.end.map(text) ?? "")"
    }

    /// The shortest text that reads back as the number, without `.0`.
    private static func text(_ seconds: Double) -> String {
        let text = seconds.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
