import DatasetExtraction
import DatasetInspection
import FeatureModel
import FileIO
import Foundation
import Manifests
import Presentation

/// Finds the groups of problems in what was read of every clip.
struct CheckAnalysis {
    /// What an example says, before the names of clips are known.
    enum Text {
        case words(String)
        /// Words and the id of another clip.
        case partner(String, Int)
    }

    private let source: any ClipSource
    private let options: DatasetCheck.Options
    private let survey: ClipSurvey
    private let tallies: ManifestTallies
    private let findings: [CheckPass.Finding]
    private let sounding: ChannelSet
    private var records: ClipRecords
    private var leaks = SplitLeaks()
    private var recordings = 0
    private var counts: [ProblemKind: Int] = [:]
    private var examples: [ProblemKind: [(clip: Int, text: Text)]] = [:]
    private var suspects: SuspectSearch?

    /// Minimum number of clips or labels for a comparison with their median.
    private static let minimumClips = 5
    /// How far a duration or a label's clips may be from the others, as a factor.
    private static let factor = 10

    init(_ pass: consuming CheckPass) {
        (source, options, survey) = (pass.source, pass.options, pass.survey)
        (tallies, findings, records) = (pass.tallies, pass.findings, pass.records)
        sounding = pass.sounding
        suspects = options.suspicious.map(SuspectSearch.init)
    }

    mutating func result() throws(ManifestError) -> DatasetCheck {
        searchRecordings()
        searchCopies()
        searchShapes()
        searchDurations()
        searchUnlabelled()
        countClips()
        searchLabels()
        searchGroups()
        addFindings()
        let groups = try namedGroups()
        return DatasetCheck(
            survey: survey, leaks: leaks, recordings: recordings, groups: groups, rejections: rejections,
            isDeep: options.isDeep, suspects: suspects?.account)
    }

    private func isUsable(_ clip: Int) -> Bool { records.kinds[clip] & ProblemKind.unusableBits == 0 }

    private mutating func mark(_ clip: Int, _ kind: ProblemKind) { records.kinds[clip] |= kind.bit }

    // MARK: - Recordings

    /// Leaks, overlaps and several paths, recording by recording.
    private mutating func searchRecordings() {
        records.entries.sort(by: SplitLeaks.Entry.precedes)
        let splits = source.splits.map(\.name)
        var first = 0
        while first < records.entries.count {
            var last = first + 1
            while last < records.entries.count, records.entries[last].recording == records.entries[first].recording {
                last += 1
            }
            let range = first..<last
            if range.contains(where: { isUsable(Int(records.entries[$0].clip)) }) { recordings += 1 }
            if range.count > 1 {
                if splits.count > 1 {
                    leaks.take(recording: records.entries[range].filter { $0.split >= 0 }[...], splits: splits)
                }
                searchPaths(range)
                searchOverlaps(range)
            }
            first = last
        }
        leaks.finish()
        // Later searches look up the split of a clip by its index.
        records.entries.sort { $0.clip < $1.clip }
    }

    private mutating func searchPaths(_ range: Range<Int>) {
        let clips = range.map { Int(records.entries[$0].clip) }.filter(isUsable).sorted()
        guard let first = clips.first else { return }
        for clip in clips where records.paths[clip] != records.paths[first] {
            mark(clip, .duplicateRecording)
            add(clip, copyOf: first, .duplicateRecording)
        }
    }

    /// Clips of one path, channel and split that overlap in time.
    private mutating func searchOverlaps(_ range: Range<Int>) {
        struct Track: Hashable {
            let path: UInt32
            let channel: UInt16
            let split: Int32
        }
        var longest: [Track: (end: Double, clip: Int)] = [:]
        for index in range {
            let entry = records.entries[index]
            let clip = Int(entry.clip)
            guard isUsable(clip) else { continue }
            let track = Track(
                path: records.paths[clip], channel: records.channels.isEmpty ? 0 : records.channels[clip],
                split: entry.split)
            if let before = longest[track], min(before.end, entry.end) - entry.start > SplitLeaks.tolerance {
                markOverlap(before.clip, clip)
                markOverlap(clip, before.clip)
            }
            if entry.end > longest[track]?.end ?? -1 { longest[track] = (entry.end, clip) }
        }
    }

    private mutating func markOverlap(_ clip: Int, _ other: Int) {
        guard records.kinds[clip] & ProblemKind.overlappingSegments.bit == 0 else { return }
        mark(clip, .overlappingSegments)
        add(clip, copyOf: other, .overlappingSegments)
    }

    // MARK: - Samples

    /// Clips of equal samples, of one split or of several.
    private mutating func searchCopies() {
        records.paths = []
        var order: [Int32] = []
        for clip in records.checksums.indices where records.checksums[clip] != Checksum128(high: 0, low: 0) {
            order.append(Int32(clamping: clip))
        }
        let checksums = records.checksums
        order.sort { one, other in
            let (a, b) = (checksums[Int(one)], checksums[Int(other)])
            return (a.high, a.low, one) < (b.high, b.low, other)
        }
        var first = 0
        while first < order.count {
            var last = first + 1
            while last < order.count, checksums[Int(order[last])] == checksums[Int(order[first])] { last += 1 }
            if last - first > 1 { take(copies: order[first..<last].map(Int.init)) }
            first = last
        }
        records.checksums = []
    }

    private mutating func take(copies: [Int]) {
        func split(_ clip: Int) -> Int32 { records.entries[clip].split }
        var firstOfSplit: [Int32: Int] = [:]
        for clip in copies where firstOfSplit[split(clip)] == nil { firstOfSplit[split(clip)] = clip }
        let isDivided = firstOfSplit.keys.count { $0 >= 0 } > 1
        for clip in copies {
            let isLeak = isDivided && split(clip) >= 0
            let kind: ProblemKind = isLeak ? .duplicateAcrossSplits : .duplicateSamples
            let others = firstOfSplit.filter { $0.key >= 0 && $0.key != split(clip) }
            let partner = isLeak ? others.values.min() : copies.first { $0 != clip }
            mark(clip, kind)
            if let partner { add(clip, copyOf: partner, kind) }
        }
    }

    private mutating func searchShapes() {
        let rate = MostFrequent.value(survey.sampleRates)
        let channels = MostFrequent.value(survey.channels)
        for clip in records.shape.indices where records.shape[clip] > 0 {
            let shape = records.shapes[Int(records.shape[clip]) - 1]
            if shape.sampleRate != rate { mark(clip, .mixedRates) }
            if shape.channels != channels { mark(clip, .mixedChannels) }
        }
    }

    private mutating func searchDurations() {
        var known = records.durations.filter { $0.isFinite }
        guard known.count >= Self.minimumClips else { return }
        known.sort()
        let median = known[known.count / 2]
        for clip in records.durations.indices where records.durations[clip].isFinite {
            let duration = records.durations[clip]
            if duration * Float(Self.factor) < median { mark(clip, .veryShort) }
            if duration > median * Float(Self.factor) { mark(clip, .veryLong) }
        }
    }

    private mutating func searchUnlabelled() {
        // Which clips these are, the manifest tells when examples are named.
        if !source.labels.isEmpty, tallies.unlabelled > 0 { counts[.unlabelled] = tallies.unlabelled }
    }

    // MARK: - Labels and groups

    private mutating func searchLabels() {
        let clips = source.labels.indices.map(tallies.clips(ofLabel:))
        func add(_ kind: ProblemKind, _ label: Int, _ text: String) {
            counts[kind, default: 0] += clips[label]
            addExample(kind, Int(tallies.firstClips[label]), .words(text))
        }
        let largest = clips.indices.max { (clips[$0], $1) < (clips[$1], $0) } ?? 0
        for (label, name) in source.labels.enumerated() {
            if clips[label] == 1 {
                add(.rareLabel, label, "label '\(name)' has 1 clip")
                continue
            }
            if clips[label] * Self.factor <= clips[largest] {
                add(
                    .labelImbalance, label,
                    "label '\(name)' has \(Wording.count(clips[label], "clip")), '\(source.labels[largest])' has "
                        + Wording.count(clips[largest]))
            }
            let absent = source.splits.count > 1 ? tallies.absentSplits(ofLabel: label) : (count: 0, names: [])
            if absent.count > 0 {
                let rest = absent.count - absent.names.count
                let others = rest > 0 ? " and \(Wording.count(rest)) more" : ""
                add(
                    .labelAbsentFromSplit, label,
                    "label '\(name)' has no clip in \(absent.names.joined(separator: ", "))\(others)")
            }
        }
        var spellings: [String: [Int]] = [:]
        for (label, name) in source.labels.enumerated() {
            // A spelling without what is easily mistyped.
            let folded = name.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
            spellings[folded.precomposedStringWithCompatibilityMapping, default: []].append(label)
        }
        for labels in spellings.values where labels.count > 1 {
            let names = labels.map { "'\(source.labels[$0])' (\(Wording.count(clips[$0], "clip")))" }
            for label in labels { counts[.labelSpelling, default: 0] += clips[label] }
            let first = labels.map { Int(tallies.firstClips[$0]) }.min() ?? 0
            addExample(.labelSpelling, first, .words("labels " + names.joined(separator: ", ")))
        }
    }

    private mutating func searchGroups() {
        let column = tallies.groupName ?? ""
        for (name, group) in tallies.groups where group.splits.count > 1 {
            counts[.groupAcrossSplits, default: 0] += group.clips
            let splits = group.splits.map { source.splits[Int($0)].name }.joined(separator: ", ")
            addExample(.groupAcrossSplits, group.firstClip, .words("\(column) '\(name)' is in \(splits)"))
        }
    }

    // MARK: - Examples

    private mutating func addExample(_ kind: ProblemKind, _ clip: Int, _ text: Text) {
        examples[kind, default: []].append((clip, text))
        guard examples[kind, default: []].count > 4 * ProblemGroup.keptExamples else { return }
        keepFirst(kind)
    }

    private mutating func keepFirst(_ kind: ProblemKind) {
        let first = examples[kind, default: []].sorted { $0.clip < $1.clip }
        examples[kind] = Array(first.prefix(ProblemGroup.keptExamples))
    }

    private mutating func add(_ clip: Int, copyOf partner: Int, _ kind: ProblemKind) {
        let words =
            switch kind {
            case .duplicateRecording: "the same file as that of"
            case .overlappingSegments: "overlaps with"
            default: "the same samples as"
            }
        addExample(kind, clip, .partner(words, partner))
    }

    /// What is marked clip by clip.
    private mutating func countClips() {
        for bits in records.kinds where bits != 0 {
            for kind in ProblemKind.allCases where bits & kind.bit != 0 { counts[kind, default: 0] += 1 }
        }
        if counts[.missing] == source.clipCount {
            counts[.allMissing] = counts.removeValue(forKey: .missing)
        }
        if leaks.overlappingClips > 0 { counts[.overlapAcrossSplits] = leaks.overlappingClips }
        if leaks.sharedClips > 0 { counts[.recordingAcrossSplits] = leaks.sharedClips }
    }

    /// Adds the sentences of the pass, and those made of a clip's values.
    private mutating func addFindings() {
        let all = counts[.allMissing] != nil
        for finding in findings {
            let kind = all && finding.kind == .missing ? .allMissing : finding.kind
            guard examples[kind, default: []].count < ProblemGroup.keptExamples else { continue }
            addExample(kind, finding.clip, .words(finding.text))
        }
        for kind in [ProblemKind.mixedRates, .mixedChannels, .veryShort, .veryLong] where counts[kind] != nil {
            var left = ProblemGroup.keptExamples
            for clip in records.kinds.indices where records.kinds[clip] & kind.bit != 0 && left > 0 {
                addExample(kind, clip, .words(text(kind, clip)))
                left -= 1
            }
        }
        for kind in examples.keys { keepFirst(kind) }
    }

    private func text(_ kind: ProblemKind, _ clip: Int) -> String {
        let index = Int(records.shape[clip]) - 1
        switch kind {
        case .mixedRates where index >= 0: return "\(Wording.count(records.shapes[index].sampleRate)) Hz"
        case .mixedChannels where index >= 0: return Wording.channels(records.shapes[index].channels)
        default: return Wording.duration(Double(records.durations[clip]))
        }
    }

    private var rejections: [Int: DatasetCheck.Rejection] {
        guard options.keepsReasons else { return [:] }
        var rejections: [Int: DatasetCheck.Rejection] = [:]
        for finding in findings where finding.kind.isUnusable {
            rejections[finding.clip] = DatasetCheck.Rejection(kind: finding.kind, reason: finding.text)
        }
        return rejections
    }

    /// The groups, the worst first, after the ids and paths of their clips were looked up.
    private mutating func namedGroups() throws(ManifestError) -> [ProblemGroup] {
        guard !counts.isEmpty || suspects?.isDone == false else { return [] }
        var wanted: Set<Int> = []
        for (clip, text) in examples.values.joined() {
            wanted.insert(clip)
            if case .partner(_, let other) = text { wanted.insert(other) }
        }
        wanted.formUnion((leaks.overlapping + leaks.shared).flatMap(\.parts).map(\.clip))
        var names: [Int: (id: String, path: String)] = [:]
        var unlabelled = min(counts[.unlabelled] ?? 0, ProblemGroup.keptExamples)
        let last = wanted.max() ?? -1
        let clips = try source.reader()
        while let clip = try clips.next(), clip.index <= last || unlabelled > 0 || suspects?.isDone == false {
            var isSuspicious = false
            if suspects?.has(clip.id) == true {
                let labels = tallies.labels(of: clip).map { source.labels[$0] }
                isSuspicious = suspects?.take(clip.index, clip.id, labels) ?? false
            }
            let isUnlabelled = unlabelled > 0 && tallies.labels(of: clip).isEmpty
            if isUnlabelled {
                addExample(.unlabelled, clip.index, .words("no label"))
                unlabelled -= 1
            }
            if isSuspicious || isUnlabelled || wanted.contains(clip.index) { names[clip.index] = (clip.id, clip.path) }
        }
        leaks.name { names[$0] ?? ("", "") }
        if let suspects, suspects.count > 0 {
            counts[.suspiciousLabel] = suspects.count
            examples[.suspiciousLabel] = suspects.examples(ProblemGroup.keptExamples).map {
                ($0.clip, .words($0.reason))
            }
        }
        return counts.map { kind, count in
            ProblemGroup(kind: kind, clips: count, subject: subject(of: kind), examples: named(kind, names))
        }.sorted { one, other in
            if one.kind.severity != other.kind.severity { return one.kind.severity < other.kind.severity }
            return (other.clips, one.kind.rawValue) < (one.clips, other.kind.rawValue)
        }
    }

    private func subject(of kind: ProblemKind) -> ProblemGroup.Subject {
        switch kind {
        case .allMissing: .folder(options.root, MissingRecordings(source, root: options.root))
        case .groupAcrossSplits: tallies.groupName.map { .column($0) } ?? .clips
        case .silentChannel: sounding.first.map { .channel($0) } ?? .clips
        case .mixedRates: MostFrequent.value(survey.sampleRates).map { .rate($0) } ?? .clips
        case .mixedChannels: options.isDeep ? .heard(isFirstSilent: sounding.first != 0) : .clips
        default: .clips
        }
    }

    private func named(_ kind: ProblemKind, _ names: [Int: (id: String, path: String)]) -> [ProblemGroup.Example] {
        func example(_ clip: Int, _ text: String) -> ProblemGroup.Example {
            ProblemGroup.Example(clip: clip, id: names[clip]?.id ?? "", path: names[clip]?.path ?? "", text: text)
        }
        switch kind {
        case .overlapAcrossSplits: return leaks.overlapping.map { example($0.parts[0].clip, $0.words) }
        case .recordingAcrossSplits: return leaks.shared.map { example($0.parts[0].clip, $0.words) }
        default: break
        }
        return examples[kind, default: []].map { clip, text in
            switch text {
            case .words(let words): example(clip, words)
            case .partner(let words, let other): example(clip, "\(words) '\(names[other]?.id ?? "")'")
            }
        }
    }
}
