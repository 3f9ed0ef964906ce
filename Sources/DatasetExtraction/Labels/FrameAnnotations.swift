import Annotations
import FeatureModel
import FileIO
import Manifests

/// The annotations of recordings that frames get their labels from: `veery extract --frame-labels`.
///
/// Memory: about 50 bytes for each annotation.
package struct FrameAnnotations: Sendable {
    /// An annotation of a recording.
    package struct Mark: Sendable {
        let times: AnnotationTimes
        /// The only channel that it belongs to, from 0; nil: all.
        let channel: Int?
        let label: String

        package init(times: AnnotationTimes, channel: Int? = nil, label: String) {
            (self.times, self.channel, self.label) = (times, channel, label)
        }
    }

    /// An annotation with the index of its label.
    struct Entry: Sendable {
        let times: AnnotationTimes
        let channel: Int?
        let name: Int32
    }

    /// The distinct labels, sorted by their UTF-8 bytes; an annotation without a label has an empty one.
    package let names: [String]
    /// SHA-256 of the annotations, hexadecimal: of each recording's path, and the times, channel and label of each of its
    /// annotations.
    package let sha256: String
    /// Number of annotations.
    package var count: Int { entries.count }

    private var paths = NameTable()
    /// The annotations of each of `paths`.
    private var ranges: [Range<Int>] = []
    private var entries: [Entry] = []

    /// - Parameter recordings: The annotations of each recording, whose path is that of its clips; paths are distinct.
    package init(_ recordings: [(path: String, marks: [Mark])]) {
        var table = NameTable()
        var hash = SHA256Hash()
        var bytes = ByteBuffer(capacity: 4096)
        for (path, marks) in recordings where !marks.isEmpty {
            _ = paths.insert(path)
            bytes.truncate(to: 0)
            bytes.append(path)
            bytes.append(UInt32(clamping: marks.count))
            let first = entries.count
            for mark in marks {
                entries.append(
                    Entry(
                        times: mark.times, channel: mark.channel, name: Int32(clamping: table.insert(mark.label))))
                for range in [mark.times.seconds, mark.times.samples] {
                    bytes.append(range?.start ?? .nan)
                    bytes.append(range?.end ?? .nan)
                }
                // Without a channel, the digest is what it was before there were channels.
                if let channel = mark.channel { bytes.append(UInt32(clamping: channel)) }
                bytes.append(mark.label)
            }
            ranges.append(first..<entries.count)
            hash.update(bytes.bytes)
        }
        sha256 = hash.finish()
        let found = (0..<table.count).map { table[$0] }
        let order = found.indices.sorted { found[$0].utf8.lexicographicallyPrecedes(found[$1].utf8) }
        names = order.map { found[$0] }
        var rank = [Int32](repeating: 0, count: order.count)
        for (position, name) in order.enumerated() { rank[name] = Int32(position) }
        for index in entries.indices {
            entries[index] = Entry(
                times: entries[index].times, channel: entries[index].channel, name: rank[Int(entries[index].name)])
        }
    }

    /// The index of a recording among those with annotations; nil: it has none.
    func recording(_ path: String) -> Int? { paths.index(of: path) }

    /// The annotations of a recording.
    func entries(of recording: Int) -> ArraySlice<Entry> { entries[ranges[recording]] }
}
