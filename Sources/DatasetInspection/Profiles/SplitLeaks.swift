import ClipSpool
import FeatureModel
import FeatureStorage
import FileIO
import Manifests
import Presentation

/// Recordings with clips in several splits: a model that is tested on its training data looks better than it is.
///
/// Clips that overlap in time are leaks, also in different channels. Others are worth a warning, since they share speaker,
/// location and noise. Clips without a split are ignored.
package struct SplitLeaks: Sendable {
    package struct Part: Hashable, Sendable, Codable {
        /// Index of the clip in the manifest or the file.
        package let clip: Int
        package var id = ""
        package let split: String
        /// Seconds from the start of the recording.
        package let start: Double
        /// Seconds from the start of the recording; nil: at its end.
        package let end: Double?
    }

    package struct Finding: Hashable, Sendable, Codable {
        /// Path of the recording, as the first of the two clips has it.
        package var path = ""
        /// Clips that overlap in time with one of another split; in `shared`, all clips of the recording that have a split.
        package let clips: Int
        package var parts: [Part]
    }

    /// The first recordings with clips of different splits that overlap in time, in the order of their examples.
    package private(set) var overlapping: [Finding] = []
    package private(set) var overlappingRecordings = 0
    package private(set) var overlappingClips = 0
    /// The first recordings with clips in different splits that do not overlap, in the order of their examples.
    package private(set) var shared: [Finding] = []
    package private(set) var sharedRecordings = 0
    /// Clips of these recordings that have a split.
    package private(set) var sharedClips = 0

    /// Maximum number of findings of either kind that are stored; others are counted.
    package static let keptFindings = 50
    /// Overlaps up to this, in seconds, are not leaks: times are rounded.
    package static let tolerance = 1e-3
    /// Clips that are sorted at a time, at 32 bytes each; more clips take several passes.
    static let clipsPerPass = 1 << 22

    /// A clip and its recording, in 32 bytes.
    package struct Entry: Sendable {
        /// A hash of the recording's file.
        package let recording: UInt64
        package let start: Double
        /// Infinite: at the end of the recording.
        package let end: Double
        package let clip: Int32
        /// Index of the split; negative: none.
        package let split: Int32

        package init(recording: UInt64, start: Double, end: Double, clip: Int32, split: Int32) {
            (self.recording, self.start, self.end) = (recording, start, end)
            (self.clip, self.split) = (clip, split)
        }

        /// The order in which clips of one recording follow one another by their start.
        package static func precedes(_ one: Entry, _ other: Entry) -> Bool {
            (one.recording, one.start, one.clip) < (other.recording, other.start, other.clip)
        }
    }

    package init() {}

    /// Searches the clips of a feature file. Recordings are identified by file if they exist.
    ///
    /// - Parameter root: Folder that relative paths start from.
    /// - Complexity: Reads two columns once for every four million clips. O(n log n).
    package static func find(
        in reader: FeatureReader, _ census: ClipCensus, root: String
    ) throws(StorageError) -> SplitLeaks {
        guard census.splits.count(where: { !$0.isEmpty }) > 1 else { return SplitLeaks() }
        var leaks = SplitLeaks()
        let blockSize = 16_384
        try leaks.search(
            reader.clipCount, splits: census.splits, root: root, clipsPerPass: Self.clipsPerPass
        ) { take throws(StorageError) in
            for range in (0..<reader.clipCount).blocks(of: blockSize) {
                let (paths, starts) = (
                    try reader.texts(.path, ofClips: range), try reader.seconds(.start, ofClips: range)
                )
                for (clip, (path, start)) in zip(range, zip(paths, starts)) {
                    let duration = census.durations[clip]
                    guard start.isFinite, duration.isFinite, !census.splits[Int(census.splitOf[clip])].isEmpty else {
                        continue
                    }
                    take(path, start, start + duration, clip, census.splitOf[clip])
                }
            }
        }
        try leaks.name { clip throws(StorageError) in
            let range = clip..<clip + 1
            let (ids, paths) = (try reader.texts(.id, ofClips: range), try reader.texts(.path, ofClips: range))
            return (ids.first ?? "", paths.first ?? "")
        }
        return leaks
    }

    // MARK: - Search

    /// Searches clips in passes, each with the recordings of some hashes.
    ///
    /// - Parameter each: Passes on every clip that has a split, with its recording's path, start, end, index and split.
    mutating func search<Failure>(
        _ clipCount: Int, splits: [String], root: String, clipsPerPass: Int,
        each: ((String, Double, Double, Int, Int32) -> Void) throws(Failure) -> Void
    ) throws(Failure) {
        let passes = UInt64((clipCount + clipsPerPass - 1) / clipsPerPass)
        for pass in 0..<passes {
            var entries: [Entry] = []
            var identity = RecordingIdentity(root: root)
            try each { path, start, end, clip, split in
                let recording = identity.hash(of: path)
                guard recording % passes == pass else { return }
                entries.append(
                    Entry(recording: recording, start: start, end: end, clip: Int32(clamping: clip), split: split))
            }
            take(&entries, splits: splits)
        }
        keepFirst()
    }

    /// Adds the findings among all clips of some recordings.
    mutating func take(_ entries: inout [Entry], splits: [String]) {
        entries.sort(by: Entry.precedes)
        var first = 0
        while first < entries.count {
            var last = first + 1
            while last < entries.count, entries[last].recording == entries[first].recording { last += 1 }
            take(recording: entries[first..<last], splits: splits)
            first = last
        }
    }

    /// Adds the findings among the clips of one recording, sorted by `Entry.precedes`, all with a split. Call `finish` after the
    /// last.
    package mutating func take(recording group: ArraySlice<Entry>, splits: [String]) {
        guard let first = group.first, let other = group.first(where: { $0.split != first.split }) else { return }
        take(group, other, splits)
    }

    /// Keeps the first findings.
    package mutating func finish() { keepFirst() }

    private mutating func take(_ group: ArraySlice<Entry>, _ other: Entry, _ splits: [String]) {
        func part(_ entry: Entry) -> Part {
            Part(
                clip: Int(entry.clip), split: splits[Int(entry.split)], start: entry.start,
                end: entry.end.isFinite ? entry.end : nil)
        }
        func finding(_ clips: Int, _ one: Entry, _ other: Entry) -> Finding {
            Finding(clips: clips, parts: [one, other].sorted { $0.clip < $1.clip }.map(part))
        }
        if let (clips, one, other) = Self.overlaps(in: group) {
            overlappingRecordings += 1
            overlappingClips += clips
            overlapping.append(finding(clips, one, other))
        } else {
            sharedRecordings += 1
            sharedClips += group.count
            shared.append(finding(group.count, group[group.startIndex], other))
        }
        if overlapping.count + shared.count > 100 * Self.keptFindings { keepFirst() }
    }

    /// The number of clips of a recording that overlap with one of another split, and the first two of them; nil: none do. The
    /// clips are sorted by their start.
    private static func overlaps(in group: ArraySlice<Entry>) -> (clips: Int, one: Entry, other: Entry)? {
        var marks = Array(repeating: false, count: group.count)
        var example: (one: Entry, other: Entry)?
        // Forwards: of the earlier clips, the one that ends last, and the one of any other split that ends last.
        var (longest, second): (Entry?, Entry?) = (nil, nil)
        for (offset, entry) in group.enumerated() {
            if let before = longest?.split == entry.split ? second : longest,
                min(before.end, entry.end) - entry.start > tolerance
            {
                marks[offset] = true
                if example == nil { example = (before, entry) }
            }
            if entry.split == longest?.split {
                if entry.end > longest?.end ?? 0 { longest = entry }
            } else if entry.end > longest?.end ?? -1 {
                (second, longest) = (longest, entry)
            } else if entry.end > second?.end ?? -1 {
                second = entry
            }
        }
        guard let example else { return nil }
        // Backwards: of the later clips that are long enough, the nearest, and the nearest of any other split.
        var (nearest, next): (Entry?, Entry?) = (nil, nil)
        for (offset, entry) in group.enumerated().reversed() {
            if let after = nearest?.split == entry.split ? next : nearest,
                min(after.end, entry.end) - after.start > tolerance
            {
                marks[offset] = true
            }
            guard entry.end - entry.start > tolerance else { continue }
            if entry.split != nearest?.split { next = nearest }
            nearest = entry
        }
        return (marks.count { $0 }, example.one, example.other)
    }

    private mutating func keepFirst() {
        func first(_ findings: [Finding]) -> [Finding] {
            Array(findings.sorted { $0.parts[0].clip < $1.parts[0].clip }.prefix(Self.keptFindings))
        }
        (overlapping, shared) = (first(overlapping), first(shared))
    }

    /// Names the clips and recordings of the findings.
    package mutating func name<Failure>(_ name: (Int) throws(Failure) -> (id: String, path: String)) throws(Failure) {
        func named(_ finding: Finding) throws(Failure) -> Finding {
            var finding = finding
            for index in finding.parts.indices {
                let (id, path) = try name(finding.parts[index].clip)
                finding.parts[index].id = id
                if index == 0 { finding.path = path }
            }
            return finding
        }
        (overlapping, shared) = (try overlapping.map(named), try shared.map(named))
    }
}

extension SplitLeaks.Finding {
    /// The two clips with their splits and times.
    package var words: String {
        func text(_ seconds: Double) -> String { Wording.thousandths(seconds) }
        func text(_ part: SplitLeaks.Part) -> String {
            "'\(part.id)' (\(part.split), "
                + (part.end.map { "\(text(part.start))–\(text($0)) s)" } ?? "from \(text(part.start)) s to the end)")
        }
        return parts.map(text).joined(separator: " and ")
    }
}
