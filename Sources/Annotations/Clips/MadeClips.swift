import FeatureModel
import Manifests

/// A clip before it has an id and columns.
struct ClipDraft {
    /// The row of the source.
    let clip: Clip
    let span: TimeSpan
    /// The channel that its annotations name; nil: that of the row.
    let channel: Int?
    let label: String
    var labels: [String] = []
    /// The annotation; nil: a window.
    var row: (table: Int, row: AnnotationRow)?
}

/// The clips that were made, with their account and notes.
package struct MadeClips {
    package private(set) var clips: [Clip] = []
    package private(set) var columns: [String] = []
    /// The column that holds JSON already.
    package private(set) var jsonColumn: String?
    package internal(set) var account: Account
    package internal(set) var notes: [SourceNote]
    /// What is wrong with annotations and recordings, which are left out; nil: nothing.
    package internal(set) var problems: SourceProblems?

    // What is counted on the way.
    var widened = 0
    var tooShort = 0
    var tooLong = 0
    /// Parts of recordings that are shorter than a window, and their length in all.
    var (remainders, remainingLength) = (0, 0)
    var marksOutside = 0
    var unlabelled = 0
    /// The label that windows without one have; nil: none.
    var noLabel: String?
    var droppedWindows = 0
    /// Recordings of which only the readable part has windows.
    var cutRecordings: Set<String> = []
    private var undecided = 0
    /// Labels of windows, of which a clip has several.
    private var labelNames: Set<String> = []

    init(account: Account, notes: [SourceNote]) { (self.account, self.notes) = (account, notes) }

    mutating func finish(_ columns: ClipColumns, _ drafts: [ClipDraft]) {
        self.columns = columns.names
        jsonColumn = columns.jsonColumn
        var ids: Set<String> = []
        clips.reserveCapacity(drafts.count)
        for draft in drafts {
            labelNames.formUnion(draft.labels)
            let segment = Segment(
                start: Nanoseconds.seconds(draft.span.start), end: Nanoseconds.seconds(draft.span.end))
            guard let segment else { continue }
            let base = Self.id(draft, segment)
            var (id, number) = (base, 1)
            while !ids.insert(id).inserted {
                number += 1
                id = "\(base)~\(number)"
            }
            if draft.channel != nil {
                account.add(.channelsChosen, source: "annotations", at: clips.count, id)
            }
            clips.append(
                Clip(
                    index: clips.count, id: id, path: draft.clip.path, label: draft.label, split: draft.clip.split,
                    segment: segment, channel: draft.channel ?? draft.clip.channel,
                    acceptsMono: draft.channel == nil && draft.clip.acceptsMono, declared: draft.clip.declared,
                    extra: columns.values(of: draft)))
        }
        let counted: [(Int, SourceNote)] = [
            (widened, .widened(widened)), (tooShort, .tooShort(tooShort)), (tooLong, .tooLong(tooLong)),
            (cutRecordings.count, .cutRecordings(cutRecordings.count)),
            (remainders, .remainders(remainders, length: remainingLength)), (marksOutside, .inNoWindow(marksOutside)),
            (unlabelled, .unlabelled(unlabelled, label: noLabel)), (droppedWindows, .droppedWindows(droppedWindows)),
        ]
        notes += counted.filter { $0.0 > 0 }.map(\.1)
    }

    /// Takes note of a window that is not made, since it is not known whether it has a label.
    mutating func leaveUndecided(_ draft: ClipDraft, of source: String, because reason: String) {
        let segment = Segment(
            start: Nanoseconds.seconds(draft.span.start), end: Nanoseconds.seconds(draft.span.end))
        account.add(
            .windowsUndecided, source: source, at: undecided,
            "\(segment.map { Self.id(draft, $0) } ?? draft.clip.id) (\(reason))")
        undecided += 1
    }

    /// The id of a clip, unless another has the same.
    private static func id(_ draft: ClipDraft, _ segment: Segment) -> String {
        base(draft.clip) + (draft.channel.map(DefaultIdentifier.suffix(channel:)) ?? "")
            + DefaultIdentifier.suffix(segment)
    }

    /// The source's id, without the times that a default id has.
    private static func base(_ clip: Clip) -> String {
        guard let segment = clip.segment, !segment.isLengthAlone else { return clip.id }
        let suffix = DefaultIdentifier.suffix(segment)
        return clip.id.hasSuffix(suffix) ? String(clip.id.dropLast(suffix.count)) : clip.id
    }

    package var labelCount: Int { labelNames.union(clips.map(\.label)).subtracting([""]).count }

    package var recordingCount: Int { Set(clips.map(\.path)).count }

    /// Refuses a source that no clip is made of.
    ///
    /// - Parameter path: What messages call the source.
    package func refuseNone(of path: String) throws(RecordingSourceError) {
        guard clips.isEmpty else { return }
        let others: RecordingSourceError.Lack =
            droppedWindows + undecided > 0 ? .labels : remainders > 0 ? .windows : .annotations
        throw .noClips(path: path, tooShort + tooLong > 0 ? .lengths : others)
    }
}
