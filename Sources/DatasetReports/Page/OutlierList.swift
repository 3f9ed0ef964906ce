import DatasetInspection
import FeatureModel
import FeatureStorage
import Messages
import Platform
import Presentation

/// Unusual clips of one kind.
struct OutlierList: Sendable {
    let id: String
    let title: String
    /// What was found, how, and of what.
    let text: String
    /// The clips; nil: none were found.
    var table: ReportTable?
    /// Pictures of pairs of similar clips, or of single ones, with what is said of them.
    var pairs: [(name: String, pictures: [Picture])] = []
    /// A line at the top of the page; nil: this is not a sign of a fault.
    var notice: String?

    struct Picture: Sendable {
        let clip: StoredClip
        let png: [UInt8]
        /// Nil: it is not heard.
        let player: SoundPlayer?
    }

    static func all(_ report: DatasetReport) -> [OutlierList] {
        [
            invalid(report), suspicious(report), duplicates(report), overlapping(report), shared(report),
            nearest(report), silent(report),
            floor(report), clipped(report), lengths(report, longest: true), lengths(report, longest: false),
        ].compactMap(\.self)
    }

    /// The columns that describe a clip; with splits if there are any.
    private static func columns(_ report: DatasetReport) -> [String] {
        ["Clip", "Label"] + (hasSplits(report) ? ["Split"] : []) + ["Length"]
    }

    private static func hasSplits(_ report: DatasetReport) -> Bool { report.census.splits.contains { !$0.isEmpty } }

    private static func cells(_ report: DatasetReport, _ clipIndex: Int, isHeard: Bool = true) -> [ReportTable.Cell] {
        let clip = report.clips[clipIndex]
        var first = clip.map { ReportTable.Cell.name($0.id) } ?? .count(clipIndex)
        if isHeard { first.player = report.sounds.player(ofClip: clipIndex, named: first.text) }
        return [first, .name(clip?.label ?? "")]
            + (hasSplits(report) ? [.name(clip?.split ?? "")] : []) + [.duration(clip?.duration ?? 0)]
    }

    private static func more(_ count: Int, than shown: Int) -> String {
        count > shown ? "\(Wording.count(count - shown)) more are not listed." : ""
    }

    /// A table of clips with further columns; nil: no clip is listed.
    ///
    /// - Parameter count: Number of all such clips.
    private static func table(
        _ report: DatasetReport, _ caption: String, _ names: [String], _ shown: some Collection<Int>, of count: Int = 0,
        further: (Int) -> [ReportTable.Cell]
    ) -> ReportTable? {
        guard !shown.isEmpty else { return nil }
        return ReportTable(
            caption: caption, header: columns(report) + names, rows: shown.map { cells(report, $0) + further($0) },
            note: more(count, than: shown.count))
    }

    /// Nil: there are none, as in every file that this program wrote.
    private static func invalid(_ report: DatasetReport) -> OutlierList? {
        let clipIndices = DatasetReport.invalid(report.profiles)
        guard !clipIndices.isEmpty else { return nil }
        let shown = clipIndices.prefix(DatasetReport.listed)
        let number = Wording.count(report.profiles.invalidValues, "value")
        return OutlierList(
            id: "invalid", title: "Values that are no numbers",
            text: ReportWords.invalid(
                report.profiles.invalidValues, clips: clipIndices.count, among: report.profiledClips),
            table: table(
                report, "Clips with the most values that are no numbers", ["Values"], shown, of: clipIndices.count
            ) { [.count(report.profiles.profile(ofClip: $0)?.invalidValues ?? 0)] },
            notice: "\(number) infinite or not a number")
    }

    /// Nil: they were not searched for.
    private static func suspicious(_ report: DatasetReport) -> OutlierList? {
        guard let suspicion = report.suspicion else { return nil }
        let count = suspicion.suspects.count
        let shown = suspicion.suspects.prefix(DatasetReport.listed)
        let found =
            count == 0
            ? "None of \(Wording.count(suspicion.clipCount, "clip"))."
            : "\(Wording.count(count)) of \(Wording.count(suspicion.clipCount, "clip")) may be wrong. Each is "
                + "compared with the clips of other recordings that are like it."
        let reasons = Dictionary(
            uniqueKeysWithValues: shown.map { suspect in
                let words = suspect.reasons.map { reason in
                    reason.words(labels: report.census.labels) { report.clips[$0]?.id ?? "\($0)" }
                }
                return (suspect.clipIndex, words.joined(separator: "; "))
            })
        var list = OutlierList(
            id: "suspicious", title: "Suspicious clips",
            text: ([found] + suspicion.notes.map { "Note: \($0.words)." }).joined(separator: " "),
            table: table(
                report, "Clips that may be wrong, the most suspicious first", ["Score", "Reasons"],
                shown.map(\.clipIndex), of: count
            ) { clipIndex in
                let score = suspicion.scores[clipIndex].map { Double($0) }
                return [
                    score.map { ReportTable.Cell(text: $0.fixed(2), number: $0) } ?? .text("–"),
                    .text(DisplayName.text(reasons[clipIndex] ?? "", maximum: 300)),
                ]
            })
        list.pairs = shown.prefix(DatasetReport.shownSuspects).compactMap { suspect in
            guard let clip = report.clips[suspect.clipIndex], let png = report.pictures[suspect.clipIndex] else {
                return nil
            }
            let label = clip.label.isEmpty ? "no label" : "'\(DisplayName.text(clip.label, maximum: 20))'"
            let other = suspicion.suggestedLabel(of: suspect.clipIndex).map {
                ", like '\(DisplayName.text(report.census.labels[$0], maximum: 20))'"
            }
            return (name: label + (other ?? ""), pictures: [Picture(clip: clip, png: png, player: nil)])
        }
        return list
    }

    private static func duplicates(_ report: DatasetReport) -> OutlierList {
        let groups = report.duplicates.groups
        let (leaks, contradictions) = (groups.filter(\.isLeak).count, groups.filter(\.isContradiction).count)
        let compared = "\(Wording.count(report.duplicates.compared, "clip")) compared by the checksums in the file."
        var list = OutlierList(
            id: "duplicates", title: "Equal clips",
            text: groups.isEmpty
                ? "None: no two clips have equal samples or equal values. \(compared)"
                : "\(Wording.count(groups.count, "group")) of clips with equal samples, or equal values; "
                    + "\(Wording.count(leaks)) with clips in different splits, \(Wording.count(contradictions)) with "
                    + "different labels. \(compared)")
        guard !groups.isEmpty else { return list }
        let rows = groups.prefix(DatasetReport.listedGroups).map { group in
            let named = group.clipIndices.prefix(DatasetReport.listedMembers).compactMap { report.clips[$0] }
            func joined(_ part: (StoredClip) -> String) -> ReportTable.Cell {
                let seen = named.map(part).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
                return .text(
                    seen.map { $0.isEmpty ? "(none)" : DisplayName.text($0, maximum: 40) }.joined(separator: ", "))
            }
            let rest = group.clipIndices.count - named.count
            let names = named.map { DisplayName.text($0.id, maximum: 40) }.joined(separator: ", ")
            let signs = (group.isLeak ? ["leak"] : []) + (group.isContradiction ? ["different labels"] : [])
            var first = ReportTable.Cell.text(names + (rest > 0 ? " and \(Wording.count(rest)) more" : ""))
            if let heard = group.clipIndices.first, let clip = named.first {
                first.player = report.sounds.player(ofClip: heard, named: DisplayName.text(clip.id))
            }
            return [
                first, joined(\.split), joined(\.label),
                .text(group.isAudio ? "samples" : "values"), .text(signs.joined(separator: ", ")),
            ]
        }
        list.table = ReportTable(
            caption: "Groups of equal clips", header: ["Clips", "Splits", "Labels", "Equal are", "Sign"],
            rows: Array(rows), note: more(groups.count, than: rows.count))
        let verb = contradictions == 1 ? "has" : "have"
        if leaks > 0 {
            list.notice =
                "\(Wording.count(leaks, "group")) of equal clips lie\(leaks == 1 ? "s" : "") in different splits"
                + (contradictions > 0 ? ", and \(Wording.count(contradictions)) \(verb) different labels" : "")
        } else if contradictions > 0 {
            list.notice = "\(Wording.count(contradictions, "group")) of equal clips \(verb) different labels"
        } else {
            list.notice = "\(Wording.count(groups.count, "group")) of equal clips"
        }
        return list
    }

    private static func overlapping(_ report: DatasetReport) -> OutlierList {
        let leaks = report.leaks
        let recordings = leaks.overlappingRecordings
        let none = hasSeveralSplits(report) ? "None: no" : "Not looked for: all clips are of one split. No"
        return OutlierList(
            id: "overlapping", title: "Parts of a recording in several splits that overlap in time",
            text: recordings == 0
                ? "\(none) two clips of different splits are of the same time of one recording."
                : "\(Wording.count(leaks.overlappingClips, "clip")) of \(Wording.count(recordings, "recording")) overlap in time "
                    + "with a clip of another split: a leak, of whichever channels they are.",
            table: table(
                leaks.overlapping, of: recordings, caption: "Recordings with overlapping clips in different splits",
                sign: "leak"),
            notice: recordings == 0
                ? nil
                : "Leaks: clips of different splits overlap in time in \(Wording.count(recordings, "recording"))")
    }

    private static func shared(_ report: DatasetReport) -> OutlierList? {
        let leaks = report.leaks
        let recordings = leaks.sharedRecordings
        guard recordings > 0 else { return nil }
        let verb = recordings == 1 ? "has" : "have"
        return OutlierList(
            id: "shared", title: "Recordings in several splits",
            text:
                "\(Wording.count(recordings, "recording")) \(verb) clips in several splits that do not overlap in time. They "
                + "may share speaker, place and noise: a split by recordings would keep them apart.",
            table: table(
                leaks.shared, of: recordings, caption: "Recordings with clips in several splits", sign: "no overlap"),
            notice: "\(Wording.count(recordings, "recording")) \(verb) clips in several splits, without overlap in time"
        )
    }

    private static func hasSeveralSplits(_ report: DatasetReport) -> Bool {
        report.census.splits.count { !$0.isEmpty } > 1
    }

    private static func table(
        _ findings: [SplitLeaks.Finding], of count: Int, caption: String, sign: String
    ) -> ReportTable? {
        guard !findings.isEmpty else { return nil }
        return ReportTable(
            caption: caption, header: ["Recording", "Clip", "Split", "Other clip", "Its split", "Clips", "Sign"],
            rows: findings.map { finding in
                [.name(finding.path)] + finding.parts.flatMap { [ReportTable.Cell.name($0.id), .name($0.split)] }
                    + [.count(finding.clips), .text(sign)]
            }, note: more(count, than: findings.count))
    }

    private static func nearest(_ report: DatasetReport) -> OutlierList {
        let near = report.near
        let audible = report.profiles.profiles.count { !$0.isSilent }
        let rest = near.compared < audible ? " of \(Wording.count(audible)), chosen by seed," : ""
        var list = OutlierList(
            id: "nearest", title: "Nearest clips across splits",
            text: near.compared == 0
                ? "Not looked for: all clips are of one split."
                : "\(Wording.count(near.compared, "clip")) compared\(rest) "
                    + "by the mean of each bin; the distance is the root of the mean over bins of the squared "
                    + "difference, in standard deviations over clips. Equal and silent clips are left out.")
        guard !near.pairs.isEmpty else { return list }
        list.table = ReportTable(
            caption: "Pairs of clips of different splits, the nearest first",
            header: ["Clip", "Label", "Split", "Other clip", "Its label", "Its split", "Distance"],
            rows: near.pairs.enumerated().map { number, pair in
                // Otherwise their pictures have players.
                let isHeard = number >= DatasetReport.shownPairs
                let clips = [pair.first, pair.second].flatMap { cells(report, $0, isHeard: isHeard).dropLast() }
                return clips + [ReportTable.Cell(text: pair.distance.fixed(4), number: pair.distance)]
            })
        list.pairs = near.pairs.prefix(DatasetReport.shownPairs).map { pair in
            let pictures = [pair.first, pair.second].compactMap { clipIndex -> Picture? in
                guard let clip = report.clips[clipIndex], let png = report.pictures[clipIndex] else { return nil }
                let player = report.sounds.player(ofClip: clipIndex, named: DisplayName.text(clip.id))
                return Picture(clip: clip, png: png, player: player)
            }
            return (name: "distance \(pair.distance.fixed(4))", pictures: pictures)
        }
        return list
    }

    private static func silent(_ report: DatasetReport) -> OutlierList {
        let clipIndices = DatasetReport.silent(report.profiles)
        let shown = clipIndices.prefix(DatasetReport.listed)
        return OutlierList(
            id: "silent", title: "Silent and unchanging clips",
            text: clipIndices.isEmpty
                ? "None among \(report.profiledClips): every clip has values that change and lie above the floor."
                : "\(Wording.count(clipIndices.count, "clip")) among \(report.profiledClips): all values lie at the floor of the "
                    + "scale, or no bin changes from the first frame to the last.",
            table: table(report, "Silent and unchanging clips", ["Sign"], shown, of: clipIndices.count) {
                [.text(report.profiles.profile(ofClip: $0)?.isSilent == true ? "silent" : "unchanging")]
            },
            notice: clipIndices.isEmpty ? nil : Wording.count(clipIndices.count, "silent or unchanging clip"))
    }

    private static func floor(_ report: DatasetReport) -> OutlierList {
        let profiles = report.profiles
        let clipIndices = DatasetReport.atFloor(profiles)
        let shown = clipIndices.prefix(DatasetReport.listed)
        let text =
            profiles.floorShare == nil
            ? "Not looked for: the scale has no floor that values could lie at."
            : "\(clipIndices.isEmpty ? "No clip" : Wording.count(clipIndices.count, "clip")) among \(report.profiledClips) "
                + (clipIndices.count > 1 ? "have " : "has ")
                + "values at the floor of the scale, silent ones left out."
        return OutlierList(
            id: "floor", title: "Most at the floor", text: text,
            table: table(report, "Clips with the greatest share of values at the floor", ["At the floor"], shown) {
                [.share(profiles.profile(ofClip: $0)?.floorShare ?? 0)]
            })
    }

    private static func clipped(_ report: DatasetReport) -> OutlierList {
        let search = report.clipping
        let shown = search.findings.prefix(DatasetReport.listed)
        let chosen =
            search.chosen < report.summary.clips ? " (of \(Wording.count(report.summary.clips)), chosen by seed)" : ""
        var text =
            "\(search.findings.isEmpty ? "None" : Wording.count(search.findings.count)) of "
            + "\(Wording.count(search.read, "recording")) that were read\(chosen) \(search.findings.count > 1 ? "have" : "has") "
            + "three or more consecutive samples at full scale."
        if search.read == 0 {
            text = ReportWords.noRecordings
        } else if search.missing > 0 {
            text += " " + ReportWords.unreadable(recordings: search.missing)
        }
        return OutlierList(
            id: "clipped", title: "Clipped recordings", text: report.summary.clips == 0 ? "There are no clips." : text,
            table: table(
                report, "Clips with the greatest share of clipped samples", ["Clipped samples", "Share"],
                shown.map(\.clipIndex), of: search.findings.count
            ) { clipIndex in
                shown.filter { $0.clipIndex == clipIndex }.flatMap {
                    [.count($0.clipped), .share(Double($0.clipped) / Double(max($0.samples, 1)))]
                }
            },
            notice: shown.isEmpty ? nil : Wording.count(search.findings.count, "clipped recording"))
    }

    private static func lengths(_ report: DatasetReport, longest: Bool) -> OutlierList {
        let times = report.summary.durations
        let isOneLength = times.min == times.max
        let clipIndices = isOneLength ? [] : report.census.extreme(DatasetReport.listed / 2, longest: longest)
        let word = longest ? "longest" : "shortest"
        return OutlierList(
            id: word, title: longest ? "Longest clips" : "Shortest clips",
            text: report.summary.clips == 0
                ? "There are no clips."
                : isOneLength
                    ? "Not looked for: every clip has \(Wording.duration(times.median))."
                    : "Half of all clips are below \(Wording.duration(times.median)).",
            table: table(report, "The \(word) clips", ["Frames"], clipIndices) {
                [.count(report.clips[$0]?.frameCount ?? 0)]
            })
    }
}
