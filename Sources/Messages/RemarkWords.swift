import FeatureModel
import Manifests
import Presentation

/// The sentences of an account, one for each kind of remark: what happened, and what can be done.
package enum RemarkWords {
    /// Maximum number of lines of a report, not counting the one that says how many more there are.
    package static let maximumLines = 10

    /// The lines of a report, losses first.
    ///
    /// - Parameters:
    ///   - rest: Where the others are, such as `--json has all`.
    ///   - cutting: The command that cuts clips to the length that the features take.
    package static func lines(
        _ account: Account, rest: String = "--json has all", cutting: CuttingAdvice = CuttingAdvice()
    ) -> [String] {
        let lines = allLines(account, cutting)
        guard lines.count > maximumLines else { return lines }
        let more = Wording.count(lines.count - maximumLines, "more kind")
        return lines.prefix(maximumLines) + ["remark: \(more) of remarks: \(rest)"]
    }

    /// The lines of the losses alone, all of them.
    package static func losses(_ account: Account, cutting: CuttingAdvice = CuttingAdvice()) -> [String] {
        allLines(account, cutting) { $0.isLoss }
    }

    /// What commands warn of that have no account: what a preset leaves out of recordings, a sentence for each kind.
    package static func warnings(_ account: Account, cutting: CuttingAdvice = CuttingAdvice()) -> [String] {
        let kinds: [Remark.Kind] = [.clipsShortened, .windowsExceeded, .windowsShort, .channelsLeftOut]
        return groups(account) { kinds.contains($0) }.map { sentence($0, cutting) }
    }

    private static func allLines(
        _ account: Account, _ cutting: CuttingAdvice, where isWanted: (Remark.Kind) -> Bool = { $0.isShown }
    ) -> [String] {
        groups(account, where: isWanted).map { remarks in
            line(remarks, cutting, remarks.first.flatMap { account.rateAbove(of: $0.kind) })
        }
    }

    /// The remarks of an account by their kinds.
    private static func groups(_ account: Account, where isWanted: (Remark.Kind) -> Bool) -> [[Remark]] {
        var groups: [[Remark]] = []
        for remark in account.inWords.remarks where isWanted(remark.kind) {
            if groups.last?.first?.kind == remark.kind {
                groups[groups.count - 1].append(remark)
            } else {
                groups.append([remark])
            }
        }
        return groups
    }

    /// The line of the remarks of one kind.
    private static func line(_ remarks: [Remark], _ cutting: CuttingAdvice, _ rate: RateAbove?) -> String {
        guard let kind = remarks.first?.kind else { return "" }
        return (kind.isLoss ? kind.isDifference ? "loss: " : "left out: " : "remark: ")
            + sentence(remarks, cutting, rate)
    }

    /// The same without its first word.
    private static func sentence(
        _ remarks: [Remark], _ cutting: CuttingAdvice, _ rate: RateAbove? = nil
    ) -> String {
        guard let first = remarks.first else { return "" }
        if first.kind.isOfSameThings, remarks.count > 1 { return separate(remarks, cutting) }
        let count = remarks.reduce(0) { $0 + $1.count }
        let sources = remarks.map(\.source).filter { !$0.isEmpty }
        var line = ""
        if let source = sources.first {
            line += source + (sources.count > 1 ? " and \(Wording.count(sources.count - 1)) more" : "") + ": "
        }
        line += first.kind.text(count)
        // Several sources may have the same names, such as those of columns.
        var known: Set<String> = []
        let all = remarks.flatMap(\.first).filter { known.insert($0).inserted }
        let names = all.prefix(Remark.maximumNames)
        if !names.isEmpty {
            let isComplete = names.count == all.count && remarks.allSatisfy { $0.first.count == $0.count }
            line += ": " + names.map { first.kind.shown($0) }.joined(separator: ", ") + (isComplete ? "" : ", …")
        }
        if first.kind == .metadataUnread, cutting.isOfClips || !all.contains(where: isNameAlone) { return line }
        return line + ((cutting.advice(on: first.kind) ?? first.kind.advice(count, rate)).map { "; \($0)" } ?? "")
    }

    /// Whether a quoted name is not followed by what the file is, such as Parquet: it may be one of annotations.
    private static func isNameAlone(_ name: String) -> Bool { !name.hasSuffix(")") }

    /// The sentences of several sources, one after the other.
    private static func separate(_ remarks: [Remark], _ cutting: CuttingAdvice) -> String {
        let shown = remarks.prefix(Remark.maximumNames).map { sentence([$0], cutting) }
        let others = remarks.count - shown.count
        return (shown + (others > 0 ? ["and \(Wording.count(others, "more table"))"] : []))
            .joined(separator: "; ")
    }
}

/// A sample rate in Hz, and whether it is the only one.
private typealias RateAbove = (rate: Int, isOnly: Bool)

extension Remark.Kind {
    /// Whether remarks of several sources may be about the same things, whose numbers cannot be added.
    fileprivate var isOfSameThings: Bool { self == .valuesMissing }

    /// A name of an account as a sentence has it. Of clips, accounts have the bare ids, which may be numbers.
    fileprivate func shown(_ name: String) -> String { Self.ofClips.contains(self) ? quoted(name) : name }

    private static let ofClips = Set(RecordingRemarks(rawValue: .max).kinds)

    /// Whether clips differ from what the manifest says of them, and nothing is left out.
    fileprivate var isDifference: Bool { self == .lengthsDiffer }

    /// What happened to `count` things.
    fileprivate func text(_ count: Int) -> String {
        /// A number of things, and a word that depends on whether there are several.
        func things(
            _ noun: String, _ one: String = "is", _ several: String = "are", plural: String? = nil
        ) -> String {
            guard count != 1, let plural else { return "\(Wording.count(count, noun)) \(count == 1 ? one : several)" }
            return "\(Wording.count(count)) \(plural) \(several)"
        }
        return switch self {
        case .recordingsPassedOver:
            "\(things("file")) passed over that may be \(count == 1 ? "a recording" : "recordings")"
        case .recordingsNotListed: "\(things("recording")) not in the metadata"
        case .recordingsUnmatched: "--label-from does not match \(Wording.count(count, "recording"))"
        case .recordingsWithoutAnnotations: things("recording", "has no annotations", "have no annotations")
        case .foldersUnreadable:
            "\(Wording.count(count, "folder")) cannot be read, or not to \(count == 1 ? "its" : "their") end"
        case .archivesDamaged: "\(things("archive")) damaged, and members may be missing"
        case .tablesUnclaimed: "\(things("table")) not read"
        case .columnsUnused: "\(things("column")) not read"
        case .annotationsUnused: "\(things("annotation")) not used"
        case .supervisionsLeftOut: things("supervision", "gives no clip", "give no clips")
        case .splitsLeftOut: "\(things("part of the dataset", "is", "are", plural: "parts of the dataset")) not read"
        case .metadataUnread: "\(things("metadata file")) not read"
        case .valuesUnread: "\(things("value")) not understood, and \(count == 1 ? "counts" : "count") as not given"
        case .linesTorn: things("line", "was not written to its end", "were not written to their ends")
        case .entriesWithoutRecording: "\(things("entry", "names", "name")) no recording that is there"
        case .lengthsDiffer:
            "\(things("clip", "has", "have")) another length than the metadata or the header of the recording say"
        case .endsCut:
            "\(things("clip", "ends", "end")) after \(count == 1 ? "its recording" : "their recordings"), and \(count == 1 ? "is" : "are") cut there"
        case .recordingsTruncated:
            "\(Wording.count(count, "clip")) ended early because the recording is cut off: see /clips/truncated"
        case .recordingsCutLater:
            "\(things("clip")) complete, but \(count == 1 ? "its recording is" : "their recordings are") cut off later"
        case .samplesZeroed:
            "\(things("clip", "has", "have")) samples that were infinite or not a number and became 0: see /clips/zeroed_samples"
        case .bandsAbove:
            "\(things("clip", "has", "have")) most of \(count == 1 ? "its recording's" : "their recordings'") band above 8 kHz, where the default features end"
        case .annotationsAbove:
            "\(things("clip")) annotated up to above 8 kHz (high_frequency), where the default features end"
        case .clipsShortened, .windowsExceeded, .windowsShort, .channelsLeftOut:
            words(on: Wording.count(count, "clip"), isOne: count == 1) ?? ""
        case .channelsChosen:
            "\(things("clip")) of the one channel that \(count == 1 ? "its annotation names" : "their annotations name")"
        case .columnsChosen: "\(things("column")) read where several could be meant"
        case .valuesMissing: "no value for \(Wording.count(count, "clip"))"
        case .valuesDisagree:
            things("value", "differs from that of another table", "differ from those of another table")
        case .splitsChosen:
            "\(things("part of the dataset", "is", "are", plural: "parts of the dataset")) in none of its splits, and not read"
        case .splitsMissing: "\(things("clip")) in no list, and \(count == 1 ? "has" : "have") no split"
        case .columnsMisspelt:
            "\(things("column")) kept as \(count == 1 ? "it is" : "they are"), and named almost like one that is read"
        case .timesUnread:
            "whole recordings are taken, and \(things("column", "that is not read may say", "that are not read may say")) where in them the clips are"
        case .timesDisagree:
            "\(things("time", "is given twice, and the two disagree", "are given twice, and the two disagree")): seconds are taken before "
                + "samples, and a duration before an end"
        case .timesMissing: "\(things("row", "has", "have")) no times, and \(count == 1 ? "marks" : "mark") nothing"
        case .quotesKept:
            "\(things("field", "looks", "look")) quoted as in CSV, and \(count == 1 ? "is" : "are") kept with the quotation marks"
        case .pathsUnexpanded:
            "\(things("path", "starts", "start")) with '~' or a variable such as '$data_root', which veery does not expand"
        case .pathsRemote:
            "\(things("path", "is an address", "are addresses")) of the network: recordings are read from files"
        case .windowsPaths: "\(things("path", "has", "have")) backslashes between folders, which are read as '/'"
        case .labelsUnread: "no label is read, and \(things("column", "may hold labels", "may hold labels"))"
        case .splitsUnread: "no split is read, and \(things("column", "may hold splits", "may hold splits"))"
        case .labelsUnlisted:
            "\(things("row", "has a 'label' that its 'labels' do", "have a 'label' that their 'labels' do")) not list, and the label matrix lacks it"
        case .labelsJoined:
            "\(things("name", "in the column 'labels' has commas or semicolons, and is", "in the column 'labels' have commas or semicolons, and are")) not split there"
        case .encodingsAssumed: "\(things("table")) not in UTF-8, and read as Windows-1252 (Latin-1)"
        case .tablesMatched:
            "\(things("table", "is read for a recording whose name is", "are read for recordings whose names are")) only part of \(count == 1 ? "its own" : "their own")"
        case .recordingsConverted:
            "\(things("recording", "has another extension than its annotations say", "have other extensions than their annotations say"))"
        case .annotationsUncertain:
            "\(things("annotation")) uncertain of a class, and \(count == 1 ? "does" : "do") not have its label"
        case .annotatorsAgree:
            "\(things("annotation", "repeats one", "repeat those")) of another annotator or tier, and each is a clip"
        case .annotationsAfterCut:
            "\(things("annotation", "lies", "lie")) after the readable part of a recording that is cut off, and \(count == 1 ? "is" : "are") left out"
        case .labelsNotFound: "no column with labels found" + (count > 1 ? " among these" : "")
        case .labelsMissing: "\(things("annotation", "has", "have")) no label"
        case .recordingsRepeated:
            "\(things("recording", "occurs", "occur")) several times, and \(count == 1 ? "is" : "are") taken once"
        case .linksCircular:
            "\(things("link", "leads", "lead")) to a folder above, and \(count == 1 ? "is" : "are") not followed"
        case .manifestsSkipped: "\(things("manifest")) not read as annotations"
        case .problemsSkipped: "what has \(Wording.count(count, "problem"))"
        case .windowsUndecided: "\(Wording.count(count, "window")) where not all annotations are known"
        case .tablesOfOthers: "\(things("table")) of other recordings, and not read"
        case .clipsExcluded: "\(things("clip")) excluded by these corrections"
        case .labelsCorrected: things("clip", "has other labels", "have other labels") + " by these corrections"
        case .recordingsExcluded: "\(things("recording")) left out by --include and --exclude"
        case .othersSkipped: "\(things("other file")) skipped"
        }
    }

    /// What can be done about `count` things; nil: nothing, or the names say it.
    ///
    /// - Parameter rate: The usual sample rate of the recordings whose band is mostly above the features; nil: unknown.
    fileprivate func advice(_ count: Int, _ rate: RateAbove?) -> String? {
        switch self {
        case .recordingsPassedOver: "unpack archives, and convert other recordings to WAV or FLAC"
        case .recordingsNotListed: "--format folder takes all recordings"
        case .foldersUnreadable: "check their permissions"
        case .archivesDamaged: "fetch them again"
        case .tablesUnclaimed:
            "give a manifest instead of the folder, and annotations to 'veery clips' as --annotations; or move it elsewhere"
        case .metadataUnread:
            count == 1
                ? "'veery clips' reads it if it is an annotation file"
                : "'veery clips' reads those that are annotation files"
        case .valuesUnread: "correct them, or leave their fields empty"
        case .linesTorn:
            "delete \(count == 1 ? "it, or complete it if it is yours" : "them, or complete those that are yours")"
        case .entriesWithoutRecording: "check the names, and the folder that they start from"
        case .splitsMissing: "--rest gives them one"
        case .columnsMisspelt: "rename what is meant to be read"
        case .timesUnread:
            "if \(count == 1 ? "it does, give this option" : "they do, give these options"), with --time-unit if they are not in seconds"
        case .quotesKept:
            "the fields of a TSV are literal: give --quoting csv if the marks are not part of the text"
        case .pathsUnexpanded: "write the folder out, or remove it and give --root"
        case .pathsRemote: "fetch them first"
        case .channelsChosen: "--channel mix takes the mean of all"
        case .bandsAbove, .annotationsAbove:
            "to keep it, give the recordings' own rate, \(rate?.isOnly == true ? "" : "such as ")--set "
                + "audio.sample_rate=\(rate?.rate ?? 44_100)\(rate?.isOnly == false ? ", the most frequent" : "")"
        case .channelsLeftOut: "--set audio.channels=mix takes the mean of all"
        case .labelsJoined: "to split them, give this option"
        case .labelsUnread, .splitsUnread:
            count == 1 ? "if it does, give this option" : "give the option of the one that does"
        case .encodingsAssumed: "save as UTF-8 what is in another encoding"
        case .tablesMatched: "if one is of another recording, rename it, or give the right files with --annotations"
        case .annotatorsAgree: "--annotator takes those of one annotator, --tier those of one tier"
        case .labelsNotFound: "name one with --label-column, or give all the same with --label"
        case .labelsMissing: "--label NAME gives \(count == 1 ? "it" : "them") one"
        case .manifestsSkipped: "to read one, give the file itself with --annotations"
        default: nil
        }
    }
}
