import DatasetInspection
import Essentials
import FeatureModel
import FeatureStorage
import Manifests
import Messages
import Presentation

/// The report as one page of HTML that needs no other files.
package enum ReportPage {
    /// The page; equal reports give equal texts.
    package static func html(_ report: DatasetReport) throws(ReportError) -> String {
        try PageTemplates.html("page", fileName: report.fileName, lead: lead(report), context(report))
    }

    /// A clip's name below its picture, without a line break after the ellipsis.
    private static func tileName(of clip: StoredClip) -> String {
        DisplayName.ending(of: clip.id, maximum: 34).replacing("…", with: "…\u{2060}")
    }

    private static func context(_ report: DatasetReport) throws(ReportError) -> [String: Any] {
        let lists = OutlierList.all(report)
        let notices = notices(report, lists)
        let sections = [
            ("overview", "Overview"), ("distributions", "Distributions"), ("sheet", "Contact sheet"),
            ("outliers", "Unusual clips"), ("failures", "Failures"), ("python", "Python"), ("provenance", "Provenance"),
        ].filter { report.summary.clips > 0 || !["distributions", "sheet", "outliers"].contains($0.0) }
        let isClippingUnknown = report.clipping.chosen > 0 && report.clipping.read == 0
        return [
            "title": "dataset report", "kind": "Dataset report", "noticesTitle": "Worth a look",
            "quiet": "No equal, overlapping, silent or unchanging clips, "
                + "\(isClippingUnknown ? "" : "no clipped recordings ")and no failures were found."
                + (isClippingUnknown ? " Recordings were not found, so that clipping is not known." : ""),
            "sections": sections.map { ["href": $0.0, "name": $0.1] }, "cards": cards(report),
            "notices": notices, "hasNotices": !notices.isEmpty,
            "figures": Figure.contexts(report.figures), "hasClips": report.summary.clips > 0,
            "sheet": report.thumbnails.groups.isEmpty ? [] : [sheet(report)],
            "outliers": report.summary.clips == 0 ? [] : lists.map { context($0, report) },
            "origin": [try origin(report)],
        ]
    }

    private static func lead(_ report: DatasetReport) -> String {
        let summary = report.summary
        let content = "\(DisplayName.text(summary.longName)), \(report.storedUnits)"
        guard summary.framePeriod.isFinite else { return content }
        return content + ", a frame every \(Wording.value((summary.framePeriod * 1e6).rounded() / 1e3)) ms"
    }

    private static func cards(_ report: DatasetReport) -> [[String: Any]] {
        let summary = report.summary
        let clips = summary.durations
        func card(_ name: String, _ value: String, _ detail: String) -> [String: Any] {
            ["name": name, "value": value, "detail": detail]
        }
        let labels = (summary.labelMatrix?.labels ?? summary.labels).count { $0.clips > 0 }
        let unlabelled = summary.labelMatrix?.unlabelled ?? summary.unlabelled
        return [
            card("Clips", Wording.count(summary.clips), "\(Wording.duration(clips.total)) of audio"),
            card(
                "Labels", Wording.count(labels),
                summary.clips == 0
                    ? "of the clips here"
                    : unlabelled > 0
                        ? "\(Wording.count(unlabelled, "clip")) without"
                        : summary.labelMatrix == nil ? "every clip has one" : "every clip has one or more"),
            card(
                "Splits", Wording.count(summary.splits.count),
                summary.splits.isEmpty
                    ? summary.clips == 0 ? "of the clips here" : "the manifest names none"
                    : DisplayName.text(summary.splits.map(\.name).joined(separator: ", "), maximum: 40)
                        + (summary.withoutSplit.clips > 0
                            ? "; \(Wording.count(summary.withoutSplit.clips, "clip")) without" : "")),
            card(
                "Length", summary.clips == 0 ? "–" : Wording.duration(clips.median),
                summary.clips == 0
                    ? "there are no clips"
                    : clips.min == clips.max
                        ? "every clip" : "median; \(Wording.duration(clips.min)) to \(Wording.duration(clips.max))"),
            card(
                summary.configuration.patches.length == nil ? "Frames" : "Frames of patches",
                Wording.count(summary.rows),
                "of " + (report.channels.map { "\(Wording.count($0.count, "channel")) × " } ?? "")
                    + "\(Wording.count(summary.bins, "value")), \(summary.layout) \(summary.type)"),
            card(
                "At the floor", report.profiles.floorShare.map(Wording.share) ?? "–",
                report.profiles.floorShare == nil
                    ? summary.clips == 0 ? "there are no values" : "the scale has none" : "of the stored values"),
            card(
                "Failures", Wording.count(summary.failures),
                summary.failures == 0 ? "every clip is here" : "listed below"),
        ]
    }

    private static func notices(_ report: DatasetReport, _ lists: [OutlierList]) -> [[String: Any]] {
        var notices = lists.compactMap { list in
            list.notice.map { ["href": list.id, "text": $0] as [String: Any] }
        }
        if report.summary.failures > 0 {
            notices.append([
                "href": "failures", "text": "\(Wording.count(report.summary.failures, "clip")) could not be extracted",
            ])
        }
        let summary = report.summary
        if let truncated = summary.truncatedClips, truncated > 0 {
            notices.append([
                "href": "provenance",
                "text": "\(Wording.count(truncated, "clip")) ended early, since the recording is cut off",
            ])
        }
        for line in remarks(summary) {
            notices.append(["href": "provenance", "text": line])
        }
        let unlabelled = summary.labelMatrix?.unlabelled ?? summary.unlabelled
        if !summary.labels.isEmpty, unlabelled > 0 {
            let text = "\(Wording.count(unlabelled, "clip")) without a label, where others have one"
            notices.append(["href": summary.labelMatrix == nil ? "labels" : "label-matrix", "text": text])
        }
        if !summary.splits.isEmpty, summary.withoutSplit.clips > 0 {
            let text = "\(Wording.count(summary.withoutSplit.clips, "clip")) without a split, where others have one"
            notices.append(["href": "labels", "text": text])
        }
        return notices
    }

    /// What was left out of recordings, in lines.
    private static func remarks(_ summary: DatasetSummary) -> [String] {
        RemarkWords.lines(
            summary.account, rest: ReportWords.rest, cutting: CuttingAdvice(nil, summary.configuration))
    }

    private static func context(_ list: OutlierList, _ report: DatasetReport) -> [String: Any] {
        let style = report.thumbnails.style
        return [
            "listID": list.id, "title": list.title, "text": list.text,
            "listTable": list.table.map { [$0.context] } ?? [], "hasPairs": !list.pairs.isEmpty,
            "pairs": list.pairs.map { pair in
                [
                    "what": pair.name,
                    "pictures": pair.pictures.map { picture in
                        let name = DisplayName.text(picture.clip.id)
                        return [
                            "data": Data(picture.png).base64EncodedString(), "width": style.width,
                            "height": style.height, "alt": "Features of \(name)", "fullName": name,
                            "name": tileName(of: picture.clip), "player": picture.player.map { [$0.context] } ?? [],
                            "split": picture.clip.split.isEmpty
                                ? "(no split)" : DisplayName.text(picture.clip.split, maximum: 20),
                        ] as [String: Any]
                    },
                ] as [String: Any]
            },
        ]
    }

    private static func sheet(_ report: DatasetReport) -> [String: Any] {
        let thumbnails = report.thumbnails
        let range = thumbnails.style.range
        let ends =
            "\(Wording.value(Double(range.lowerBound))) to \(Wording.value(Double(range.upperBound))) \(report.storedUnits)"
        var text =
            "For each label: the mean of its clips’ frames, the clips nearest to the label’s mean profile, and those furthest "
            + "from it. d is the root of the mean over bins of the squared difference from the label’s mean, in the "
            + "label’s standard deviations. "
            + (thumbnails.style.isOfWaveforms
                ? "Waveforms, from the bottom to the top: \(ends)"
                : "Colours: \(thumbnails.style.colors.rawValue), from \(ends); low bins at the bottom")
            + ", each clip as wide as the others."
        if let limit = thumbnails.averagedLimit {
            text += " Of a label with more than \(limit) clips, the mean is that of at most \(limit), evenly chosen."
        }
        if let channels = report.channels {
            text += " Pictures show the mean of \(Wording.count(channels.count, "channel"))."
        }
        if thumbnails.leftOut > 0 {
            let verb = thumbnails.leftOut == 1 ? "is" : "are"
            text += " The \(Wording.count(thumbnails.leftOut, "label")) with the fewest clips \(verb) left out."
        }
        text += " " + soundText(report)
        return [
            "sheetText": text, "hasFilter": thumbnails.groups.count > 8,
            "density": LabelThumbnails.plan(labels: thumbnails.groups.count).density,
            "groups": thumbnails.groups.enumerated().map { number, group in
                let name = group.selection.labelIndex < 0 ? "(no label)" : DisplayName.text(group.selection.label)
                return [
                    "groupID": "label-\(number)", "label": name, "clips": Wording.count(group.selection.clips, "clip"),
                    "tiles": group.tiles.map { tile($0, group, name: name, report) },
                ] as [String: Any]
            },
        ]
    }

    private static func soundText(_ report: DatasetReport) -> String {
        let sounds = report.sounds
        return ReportWords.sounds(
            sounds.waves.count, shortened: sounds.shortened.count, seconds: Int(ReportSounds.maximumSeconds),
            unreadable: sounds.unreadable, leftOut: sounds.leftOut)
    }

    private static func tile(
        _ tile: LabelThumbnails.Tile, _ group: LabelThumbnails.Group, name: String, _ report: DatasetReport
    ) -> [String: Any] {
        let clip = tile.clipIndex.flatMap { report.clips[$0] }
        let averaged = "of \(Wording.count(group.averaged, "clip"))"
        let length =
            clip.map { ", " + Wording.duration($0.duration).replacing(" ", with: "\u{A0}") } ?? ""
        let kind = tile.kind.rawValue
        let capitalized = kind.prefix(1).uppercased() + kind.dropFirst()
        let player = clip.flatMap { clip in
            tile.clipIndex.flatMap { report.sounds.player(ofClip: $0, named: DisplayName.text(clip.id)) }
        }
        let distance = tile.kind == .mean ? "" : ", d\u{A0}\(tile.distance.fixed(2))"
        return [
            "kind": tile.kind.rawValue, "data": Data(tile.png).base64EncodedString(),
            "width": report.thumbnails.style.width, "height": report.thumbnails.style.height,
            "name": clip.map { tileName(of: $0) } ?? averaged,
            "fullName": clip.map { DisplayName.text($0.id) } ?? averaged, "player": player.map { [$0.context] } ?? [],
            "what": tile.kind.rawValue + distance + length,
            "alt": clip == nil
                ? "Mean of the label \(name)" : "\(capitalized) clip of the label \(name)",
        ]
    }

    private static func origin(_ report: DatasetReport) throws(ReportError) -> [String: Any] {
        let summary = report.summary
        let groups = summary.failuresByReason.prefix(50)
        let table = ReportTable(
            caption: "Failures by kind and reason, the most frequent first",
            header: ["Reason", "Step", "Kind", "Clips", "Examples"],
            rows: groups.map { group in
                [
                    .text(DisplayName.text(group.pattern, maximum: 300)), .text(group.stage.rawValue),
                    .text(DisplayName.text(group.kind ?? "", maximum: 40)), .count(group.clips),
                    .text(group.examples.map { DisplayName.text($0, maximum: 40) }.joined(separator: ", ")),
                ]
            },
            note: summary.failuresByReason.count > groups.count
                ? "\(Wording.count(summary.failuresByReason.count - groups.count)) further reasons are left out." : "")
        return [
            "failureText": summary.failures == 0
                ? "Every clip of the manifest is in the file."
                : "\(Wording.count(summary.failures, "clip")) of the manifest could not be extracted; reasons of one kind "
                    + "that differ in numbers only are taken together.",
            "failureTable": summary.failures == 0 ? [] : [table.context], "python": try PythonSnippet.text(report),
            "isSet": summary.files != nil,
            "facts": facts(report), "configuration": report.configurationText,
        ]
    }

    private static func facts(_ report: DatasetReport) -> [[String: Any]] {
        let summary = report.summary
        func fact(_ name: String, _ value: String) -> [String: Any] { ["name": name, "value": value] }
        func counts(_ counts: [DatasetSummary.Count], _ name: (Int) -> String) -> String {
            if counts.isEmpty { return "none" }
            return counts.prefix(8).map { "\(Wording.count($0.clips)) \(name($0.value))" }.joined(separator: ", ")
                + (counts.count > 8 ? " and \(counts.count - 8) more" : "")
        }
        let extents = summary.extents.map(String.init).joined(separator: " × ")
        let compression = summary.compression == "none" ? "not compressed" : summary.compression
        let software = summary.software.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        var facts = [
            fact("Written by", "\(summary.generator), format \(summary.formatVersion)"),
            fact("Software", software.joined(separator: ", ")),
            fact("Tensor", "/features [\(extents)] \(summary.type), \(summary.layout), \(compression)"),
            fact("Size", "\(Wording.bytes(summary.bytes)) (\(Wording.count(summary.bytes)) bytes)"),
            fact("Manifest", "SHA-256 \(summary.manifestSHA256)"),
            fact("Checksum of the file’s own data", "metadata_xxh3 \(report.metadataChecksum)"),
            fact("Recordings by rate", counts(summary.sampleRates) { "at \($0) Hz" }),
            fact("Recordings by channels", counts(summary.channels, Wording.channels)),
        ]
        if let corrections = summary.correctionsSHA256 {
            facts.insert(fact("Corrections", "SHA-256 \(corrections)"), at: 5)
        }
        for input in summary.configurationFiles ?? [] {
            facts.append(fact("Configuration read from", "\(input.words), XXH3 \(input.xxh3)"))
        }
        if let files = summary.files {
            facts.insert(fact("Set", "\(Wording.count(files, "feature file")), one after another"), at: 2)
        }
        if !summary.statistics.source.isEmpty {
            facts.append(fact("Statistics of another file", "metadata_xxh3 \(summary.statistics.source)"))
        }
        if let truncated = summary.truncatedClips {
            facts.append(fact("Cut off", "\(Wording.count(truncated, "clip")) ended early (/clips/truncated)"))
        }
        if let clips = summary.zeroedClips, let samples = summary.zeroedSamples {
            let text = "\(Wording.count(samples)) in \(Wording.count(clips, "clip")), infinite or not a number"
            facts.append(fact("Zeroed samples", "\(text) (/clips/zeroed_samples)"))
        }
        if let labels = summary.frameLabels {
            facts.append(fact("Annotations of frames", "SHA-256 \(labels.annotationsSHA256)"))
        }
        for line in remarks(summary) {
            facts.append(fact("Account", line))
        }
        if !summary.extraColumns.isEmpty {
            facts.append(
                fact("Other columns", summary.extraColumns.map { DisplayName.text($0) }.joined(separator: ", ")))
        }
        return facts
    }
}
