import Annotations
import FeatureModel

/// A recording from its start, in pieces that each have one label: no two overlap.
///
/// Where annotations overlap, the one that starts last counts; of those that start at the same time, the last in the order of
/// their files and rows. A piece has its start and not its end.
struct FrameTrack {
    /// Nanoseconds, rising.
    private(set) var starts: [Int] = []
    private(set) var ends: [Int] = []
    private(set) var names: [Int32] = []

    /// - Parameters:
    ///   - entries: The annotations of the recording.
    ///   - rate: Its sample rate in Hz, for positions in samples.
    init(_ entries: some Sequence<FrameAnnotations.Entry>, rate: Int) {
        var spans: [(start: Int, end: Int, name: Int32)] = []
        for entry in entries {
            guard let range = entry.times.resolved(rate: rate)?.range else { continue }
            let (start, end) = (Nanoseconds.of(range.start), Nanoseconds.of(range.end))
            if start < end { spans.append((start, end, entry.name)) }
        }
        let order = spans.indices.sorted { (spans[$0].start, $0) < (spans[$1].start, $1) }
        // Those that have started and not ended; the last one counts.
        var open: [Int] = []
        var time = Int.min
        /// Makes pieces of the open spans up to a time.
        func advance(to end: Int) {
            while let last = open.last {
                let span = spans[last]
                if span.end > time {
                    append(max(span.start, time), min(span.end, end), span.name)
                    time = min(span.end, end)
                    guard span.end <= end else { return }
                }
                open.removeLast()
            }
        }
        for index in order {
            advance(to: spans[index].start)
            time = spans[index].start
            open.append(index)
        }
        advance(to: .max)
    }

    private mutating func append(_ start: Int, _ end: Int, _ name: Int32) {
        guard start < end else { return }
        if let last = ends.last, last == start, names.last == name {
            ends[ends.count - 1] = end
            return
        }
        starts.append(start)
        ends.append(end)
        names.append(name)
    }

    /// The index of the first piece that ends after a time.
    func firstPiece(after time: Int) -> Int { ends.partitioningIndex { $0 > time } }
}
