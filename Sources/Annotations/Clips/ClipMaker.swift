import FeatureModel
import Manifests

/// From recordings and annotations to the rows of a manifest.
package struct ClipMaker {
    /// What clips are made of.
    package enum Cut: Sendable {
        case annotations(ClipRules)
        case windows(WindowRules, UnlabelledWindows)
    }

    /// What becomes of windows without a label.
    package enum UnlabelledWindows: Sendable {
        /// They have this label; nil: none.
        case kept(label: String?)
        case dropped
    }

    private let source: RecordingSource
    private let tables: AnnotationTables
    private let cut: Cut
    /// Annotations below this confidence are left out; nil: none.
    private let minimumConfidence: Double?
    /// By how much clips of the source may end after their recordings, in seconds; nil: as the source says.
    private let overshoot: Double?
    /// What becomes of annotations and windows after the readable part of a recording.
    private let truncated: RecordingPolicy.Truncated
    private let format: ManifestFormat

    private let locations: [String]
    private let index: RecordingIndex
    private let binding: AnnotationBinding
    private let bindingProblems: [SourceProblem]
    /// The rows of the source that clips are made of.
    private let needed: [Int]
    private let isWindowed: Bool

    package init(
        _ source: RecordingSource, _ tables: AnnotationTables, cut: Cut, minimumConfidence: Double? = nil,
        overshoot: Double? = nil, truncated: RecordingPolicy.Truncated = .fail, format: ManifestFormat = .csv
    ) {
        (self.source, self.tables, self.cut, self.minimumConfidence) = (source, tables, cut, minimumConfidence)
        (self.overshoot, self.truncated, self.format) = (overshoot, truncated, format)
        isWindowed = if case .windows = cut { true } else { false }
        locations = source.clips.map(source.location)
        index = RecordingIndex(locations.map(AnnotationTables.absolute))
        let (binding, problems) = tables.bound(to: index, of: source)
        (self.binding, bindingProblems) = (binding, problems)
        needed = source.clips.indices.filter { [isWindowed] in isWindowed || !binding.rows[$0].isEmpty }
    }

    /// The recordings whose lengths are needed, each once.
    package var recordings: [String] {
        var seen: Set<String> = []
        return needed.map { locations[$0] }.filter { seen.insert($0).inserted }
    }

    /// Makes the clips.
    ///
    /// - Parameter lengths: Those of `recordings`.
    package func clips(_ lengths: RecordingLengths) -> MadeClips {
        var problems = bindingProblems
        var made = MadeClips(
            account: source.account.merging(tables.account).merging(binding.account), notes: tables.notes)
        made.account.add(source.unclaimed.filter { !tables.hasSeen($0) })
        if tables.areGiven { reportUnannotated(&made.account) }
        var columns = ClipColumns(source: source, tables: tables.tables, isWindowed: isWindowed, format: format)
        var check = AnnotationCheck(
            tables: tables.tables, minimumConfidence: minimumConfidence, truncated: truncated)
        var drafts: [ClipDraft] = []
        var unreadable: Set<String> = []
        for number in needed {
            let location = locations[number]
            switch lengths.recordings[location] {
            case .success(let recording):
                let clip = source.clips[number]
                let (found, unread) = check.take(binding.rows[number], of: recording, clip: clip)
                let (part, remarks): (TimeSpan, RecordingRemarks)
                do throws(ClipFailure) { (part, remarks) = try self.part(clip, recording) } catch {
                    problems.append(SourceProblem(source.name, .stated("the clip '\(clip.id)': \(error.reason)")))
                    continue
                }
                made.account.add(remarks, ofClip: clip.id, at: number)
                check.compare(found, with: part)
                switch cut {
                case .annotations(let rules): drafts += check.clips(found, in: part, of: clip, rules: rules, &made)
                case .windows(let rules, let unlabelled):
                    if Self.reachesCut(clip, recording) {
                        if truncated == .keep {
                            made.cutRecordings.insert(location)
                        } else {
                            problems.append(SourceProblem(location, .cutOff(reason: recording.cut ?? "")))
                        }
                    }
                    let hidden = unread + binding.unread.spans(ofClip: number, in: recording)
                    for channel in check.channels(found, of: recording, clip: clip) {
                        let own = found.filter { channel == nil || $0.channel == nil || $0.channel == channel }
                        drafts += windows(of: part, own, hidden, rules, unlabelled, clip, channel, &made)
                    }
                }
            case .failure(let failure):
                guard unreadable.insert(location).inserted else { continue }
                problems.append(SourceProblem(location, .stated(Note(failure.reason))))
            case nil: continue
            }
        }
        problems += check.problems + check.confidenceProblems
        columns.choose(for: drafts)
        if columns.hasLabels { problems += columns.separatorProblems(check.labels) }
        made.account.merge(check.account(isOfClips: !isWindowed))
        if !problems.isEmpty {
            made.problems = SourceProblems(problems, hints: check.hints, of: source.name, canSkip: true)
            made.notes += check.hints
        }
        made.notes += check.notes
        made.finish(columns, drafts)
        return made
    }

    /// Takes note of the recordings without annotations and without an empty annotation file, if others have annotations.
    private func reportUnannotated(_ account: inout Account) {
        var annotated = Set(locations.indices.lazy.filter { !binding.rows[$0].isEmpty }.map { locations[$0] })
        guard !annotated.isEmpty else { return }
        // A file without rows says that its recording has nothing to annotate.
        for file in tables.tables where file.table.count == 0 {
            if case .found(let clips, _) = index.find(forFile: file.table.path.lastName, folder: file.folder).match {
                annotated.formUnion(clips.map { locations[$0] })
            }
        }
        for (position, location) in locations.enumerated() where annotated.insert(location).inserted {
            account.add(.recordingsWithoutAnnotations, source: source.name, at: position, location)
        }
    }

    /// The part of a recording that a row of the source names, with its remarks.
    ///
    /// - Throws: `ClipFailure` where the recording is not what the row says of it.
    private func part(
        _ clip: Clip, _ recording: RecordingLengths.Recording
    ) throws(ClipFailure) -> (TimeSpan, RecordingRemarks) {
        let (seconds, length) = (Nanoseconds.seconds(recording.length), recording.length)
        let rate = recording.sampleRate
        var remarks = recording.remarks
        if !recording.isCut {
            let frames = Int((seconds * Double(rate)).rounded())
            remarks = remarks.union(try clip.checkDeclared(rate: rate, frames: frames))
        }
        if let channel = clip.channel(ofChannels: recording.channels), channel >= recording.channels {
            throw .noSuchChannel(channel: channel, channels: recording.channels)
        }
        guard let segment = clip.segment?.part(ofLength: seconds) else {
            return (TimeSpan(start: 0, end: length), remarks)
        }
        if !recording.isCut || segment.start >= seconds {
            try segment.check(length: seconds, rate: rate, configured: overshoot)
        }
        let start = min(Nanoseconds.of(segment.start), length)
        let end = segment.end.map { min(Nanoseconds.of($0), length) } ?? length
        let part = TimeSpan(start: start, end: max(start, end))
        if recording.isCut, part.end >= length { return (part, remarks) }
        return (part, remarks.union(clip.remarks(lasting: Nanoseconds.seconds(part.length))))
    }

    /// Whether a row of the source ends after the readable part of its recording.
    private static func reachesCut(_ clip: Clip, _ recording: RecordingLengths.Recording) -> Bool {
        guard recording.isCut else { return false }
        guard let end = clip.segment?.part(ofLength: Nanoseconds.seconds(recording.length))?.end else { return true }
        return Nanoseconds.of(end) > recording.length
    }

    /// The windows of a part of a recording. One without a label is an example of no call, and so is made only where all annotations
    /// are known: where none is without a label, and none is hidden.
    ///
    /// - Parameter hidden: Where annotations are not read.
    private func windows(
        of part: TimeSpan, _ found: [AnnotationCheck.Found], _ hidden: [TimeSpan], _ rules: WindowRules,
        _ unlabelled: UnlabelledWindows, _ clip: Clip, _ channel: Int?, _ made: inout MadeClips
    ) -> [ClipDraft] {
        let windows = rules.windows(in: part)
        let covered = min(max((windows.last?.end ?? part.start) - part.start, 0), part.length)
        if covered < part.length {
            made.remainders += 1
            made.remainingLength += part.length - covered
        }
        guard tables.hasAnnotations else {
            return windows.map { ClipDraft(clip: clip, span: $0, channel: channel, label: clip.label) }
        }
        var used: [Bool] = []
        let labels = rules.labels(of: windows, found.map(\.mark) + found.flatMap(\.otherMarks), used: &used)
        made.marksOutside += zip(found, used).count { found, used in
            !used && part.overlap(with: found.mark.span) > 0
        }
        let isHidden = rules.covered(windows, by: hidden)
        let isNameless = rules.covered(windows, by: found.filter(\.row.labels.isEmpty).map(\.mark.span))
        return windows.indices.compactMap { index in
            let (window, labels) = (windows[index], labels[index])
            guard labels.isEmpty else {
                return ClipDraft(clip: clip, span: window, channel: channel, label: labels[0], labels: labels)
            }
            guard !isHidden[index], !isNameless[index] else {
                let draft = ClipDraft(clip: clip, span: window, channel: channel, label: "")
                made.leaveUndecided(
                    draft, of: source.name,
                    because: isHidden[index] ? "annotations are not read" : "an annotation has no label")
                return nil
            }
            guard case .kept(let label) = unlabelled else {
                made.droppedWindows += 1
                return nil
            }
            made.unlabelled += 1
            made.noLabel = label
            return ClipDraft(clip: clip, span: window, channel: channel, label: label ?? "")
        }
    }
}
