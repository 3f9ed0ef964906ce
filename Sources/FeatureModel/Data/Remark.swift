/// Something that was read and not used, or used otherwise than one might expect, of one source.
package struct Remark: Sendable, Hashable {
    package let kind: Kind
    /// The file, folder or table that it is about, as messages call it.
    package let source: String
    /// How many recordings, rows, columns or files.
    package let count: Int
    /// The names of the first of these, at most `maximumNames`, in the order of the source. A name may have a reason in
    /// parentheses, such as `a.wav (Permission denied)`.
    package let first: [String]

    /// How many names are kept.
    package static let maximumNames = 3

    package init(kind: Kind, source: String, count: Int, first: [String]) {
        (self.kind, self.source, self.count, self.first) = (kind, source, count, first)
    }

    /// What happened. The raw values are those of JSON; the order is that of reports, and all losses come before `endsCut`.
    package enum Kind: String, CaseIterable, Sendable {
        // Losses of the source.
        /// Files that may be recordings and cannot be read as such, by their extension or by an error.
        case recordingsPassedOver = "recordings-passed-over"
        /// Recordings that the metadata of their folder do not name.
        case recordingsNotListed = "recordings-not-listed"
        /// Recordings that a pattern for labels does not match.
        case recordingsUnmatched = "recordings-unmatched"
        /// Recordings without annotations among others that have some.
        case recordingsWithoutAnnotations = "recordings-without-annotations"
        /// Folders that could not be read, or not to their end.
        case foldersUnreadable = "folders-unreadable"
        /// Archives that are damaged, whose members may be missing.
        case archivesDamaged = "archives-damaged"
        /// Tables in which nothing that is read was found.
        case tablesUnclaimed = "tables-unclaimed"
        /// Columns of the format that are not kept.
        case columnsUnused = "columns-unused"
        /// Columns that seem to be the times of clips and are not read as such: whole recordings are taken.
        case timesUnread = "times-unread"
        /// Annotations of nothing that is read.
        case annotationsUnused = "annotations-unused"
        /// Supervisions that are not clips.
        case supervisionsLeftOut = "supervisions-left-out"
        /// Parts of a dataset that were not read.
        case splitsLeftOut = "splits-left-out"
        /// Metadata that a format has and Veery does not read.
        case metadataUnread = "metadata-unread"
        /// Values that are not understood, such as a confidence that is not a number.
        case valuesUnread = "values-unread"
        /// Lines of corrections that were not written to their end.
        case linesTorn = "lines-torn"
        /// Entries of lists and tables whose recording or clip is not there.
        case entriesWithoutRecording = "entries-without-recording"
        /// Annotations and recordings with problems, which an option leaves out.
        case problemsSkipped = "problems-skipped"
        /// Windows without a label in which not all annotations are known: they are no examples of silence.
        case windowsUndecided = "windows-undecided"

        // Losses of recordings.
        /// Recordings that are longer or shorter than their metadata or their own headers say.
        case lengthsDiffer = "lengths-differ"

        // No losses, of recordings.
        /// Ends after the end of a recording that were cut there, as an option or the format allows.
        case endsCut = "ends-cut"
        /// Clips that are shorter than they would be, had their recording not been cut off (`--truncated keep`).
        case recordingsTruncated = "recordings-truncated"
        /// Complete clips whose recording is cut off after them.
        case recordingsCutLater = "recordings-cut-later"
        /// Clips with samples that were not finite and became 0 (`--non-finite zero`).
        case samplesZeroed = "samples-zeroed"
        /// Clips of recordings most of whose band lies above the default features.
        case bandsAbove = "bands-above"
        /// Clips whose annotations reach above the default features.
        case annotationsAbove = "annotations-above"
        /// Clips that are longer than the features take, and of which a part of that length is used.
        case clipsShortened = "clips-shortened"
        /// Clips that are longer than what the model takes at a time, and are not cut into such windows.
        case windowsExceeded = "windows-exceeded"
        /// Clips that are shorter than what the model takes at a time, and are not padded to it.
        case windowsShort = "windows-short"
        /// Clips of the first channel alone (`audio.channels: first`), of recordings that have several.
        case channelsLeftOut = "channels-left-out"

        // No losses, of the source.
        /// Clips of the one channel that their annotations name, where a recording has several.
        case channelsChosen = "channels-chosen"
        /// The column or file that was read where several could be meant.
        case columnsChosen = "columns-chosen"
        /// Clips of which a table that has values of others has none.
        case valuesMissing = "values-missing"
        /// Values that two tables give, where these do not agree.
        case valuesDisagree = "values-disagree"
        /// Clips that no list of splits names.
        case splitsMissing = "splits-missing"
        /// Parts of a dataset that by design are in no split, such as `other.tsv` of Common Voice.
        case splitsChosen = "splits-chosen"
        /// Columns whose name differs from a known one in case or blanks alone, which are kept as they are.
        case columnsMisspelt = "columns-misspelt"
        /// Positions in samples that do not agree with the seconds given with them.
        case timesDisagree = "times-disagree"
        /// Annotations without times.
        case timesMissing = "times-missing"
        /// Fields of a TSV that look quoted and are literal.
        case quotesKept = "quotes-kept"
        /// Paths that start with `~`, or with a variable such as `$data_root`.
        case pathsUnexpanded = "paths-unexpanded"
        /// Paths that are addresses of the network.
        case pathsRemote = "paths-remote"
        /// Paths with backslashes between folders.
        case windowsPaths = "windows-paths"
        /// Columns that may be labels, where none is read as such.
        case labelsUnread = "labels-unread"
        /// Columns that may be splits, where none is read as such.
        case splitsUnread = "splits-unread"
        /// Rows whose label is not one of their labels.
        case labelsUnlisted = "labels-unlisted"
        /// Names of labels with commas where no list has a separator.
        case labelsJoined = "labels-joined"
        /// Tables that are not in UTF-8 and were read as Windows-1252.
        case encodingsAssumed = "encodings-assumed"
        /// Tables that were read for a recording whose name is only a part of theirs.
        case tablesMatched = "tables-matched"
        /// Recordings that annotations name with another extension.
        case recordingsConverted = "recordings-converted"
        /// Annotations that are marked as uncertain, and have no label of what they may be.
        case annotationsUncertain = "annotations-uncertain"
        /// Annotations that several annotators or tiers agree on, which are several clips.
        case annotatorsAgree = "annotators-agree"
        /// Annotations after the readable part of a recording that is cut off (`--truncated keep`).
        case annotationsAfterCut = "annotations-after-cut"
        /// Annotation tables in which no column of labels was found.
        case labelsNotFound = "labels-not-found"
        /// Annotations without a label in tables that have labels.
        case labelsMissing = "labels-missing"
        /// Recordings that occur several times and are taken once.
        case recordingsRepeated = "recordings-repeated"
        /// Links to a folder above them.
        case linksCircular = "links-circular"
        /// Manifests among annotation tables.
        case manifestsSkipped = "manifests-skipped"
        /// Tables of annotations whose rows name only recordings that the source, which is no folder, does not have.
        case tablesOfOthers = "tables-of-others"
        /// Clips that corrections leave out.
        case clipsExcluded = "clips-excluded"
        /// Clips that corrections give other labels.
        case labelsCorrected = "labels-corrected"
        /// Recordings that an option leaves out. Never printed.
        case recordingsExcluded = "recordings-excluded"
        /// Files that nothing is lost with, such as a README or a picture. Never printed.
        case othersSkipped = "others-skipped"
    }
}

extension Remark.Kind {
    /// Whether data of the user are not in the result, and no option or format asked for that.
    package var isLoss: Bool { position < Self.endsCut.position }

    /// Whether reports for people show it; otherwise it is in JSON alone.
    package var isShown: Bool { self != .othersSkipped && self != .recordingsExcluded }

    /// Its position in a report: losses come first.
    fileprivate var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension Remark: Comparable {
    /// Losses come first, then the order of the kinds, then that of the sources' bytes.
    package static func < (one: Remark, other: Remark) -> Bool {
        one.kind == other.kind
            ? one.source.utf8.lexicographicallyPrecedes(other.source.utf8) : one.kind.position < other.kind.position
    }
}

/// The remarks of one clip, found while its recording is read.
///
/// The bits of `stored` are those of the spool and of `/clips/remarks`: they never change their meaning. The others are derived
/// from columns of their own.
package struct RecordingRemarks: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The recording is longer or shorter than its metadata or its own header say.
    package static let lengthsDiffer = RecordingRemarks(rawValue: 1 << 0)
    /// The clip is complete, but its recording is cut off after it.
    package static let recordingsCutLater = RecordingRemarks(rawValue: 1 << 1)
    /// The clip's end lay after that of the recording, and was cut there.
    package static let endsCut = RecordingRemarks(rawValue: 1 << 2)

    /// The clip is shorter than it would be, had its recording not been cut off: `/clips/truncated`.
    package static let recordingsTruncated = RecordingRemarks(rawValue: 1 << 16)
    /// Samples that were not finite became 0: `/clips/zeroed_samples`.
    package static let samplesZeroed = RecordingRemarks(rawValue: 1 << 17)
    /// Most of the recording's band lies above the default features: `/clips/sample_rate`, by `FeatureLimits`.
    package static let bandsAbove = RecordingRemarks(rawValue: 1 << 18)
    /// The clip's annotation reaches above the default features: `/clips/extra/high_frequency`, by `FeatureLimits`.
    package static let annotationsAbove = RecordingRemarks(rawValue: 1 << 23)
    /// The clip is longer than the features take: `/clips/duration`, by `FeatureLimits`.
    package static let clipsShortened = RecordingRemarks(rawValue: 1 << 19)
    /// The clip is longer than the window of its model: `/clips/duration`, by `FeatureLimits`.
    package static let windowsExceeded = RecordingRemarks(rawValue: 1 << 20)
    /// The clip is shorter than the window of its model: `/clips/duration`, by `FeatureLimits`.
    package static let windowsShort = RecordingRemarks(rawValue: 1 << 22)
    /// Only the first of several channels is used: `/clips/channels`, by `FeatureLimits`.
    package static let channelsLeftOut = RecordingRemarks(rawValue: 1 << 21)

    /// The source of remarks about clips, in an account.
    package static let source = "recordings"

    /// The kind of each stored bit, in the order of the bits.
    package static let kinds: [Remark.Kind] = [.lengthsDiffer, .recordingsCutLater, .endsCut]

    /// What each bit means, from the lowest, as `flag_meanings` of CF has it.
    package static let meanings = kinds.map(\.rawValue).joined(separator: " ")

    /// The bit of each meaning, as `flag_masks` of CF has it.
    package static let masks = kinds.map { Int32(bitPattern: RecordingRemarks($0).rawValue) }

    /// All bits that are stored and have a meaning.
    package static let known = RecordingRemarks(rawValue: 1 << UInt32(kinds.count) - 1)

    package init(_ kind: Remark.Kind) {
        self.init(rawValue: Self.kinds.firstIndex(of: kind).map { 1 << UInt32($0) } ?? 0)
    }

    /// Those of the spool and of `/clips/remarks`.
    package var stored: RecordingRemarks { intersection(Self.known) }

    /// The kinds of the bits that are set.
    package var kinds: [Remark.Kind] {
        var kinds = Self.kinds.enumerated().filter { contains(RecordingRemarks(rawValue: 1 << UInt32($0.offset))) }
            .map(\.element)
        if contains(.recordingsTruncated) { kinds.append(.recordingsTruncated) }
        if contains(.samplesZeroed) { kinds.append(.samplesZeroed) }
        if contains(.bandsAbove) { kinds.append(.bandsAbove) }
        if contains(.annotationsAbove) { kinds.append(.annotationsAbove) }
        if contains(.clipsShortened) { kinds.append(.clipsShortened) }
        if contains(.windowsExceeded) { kinds.append(.windowsExceeded) }
        if contains(.windowsShort) { kinds.append(.windowsShort) }
        if contains(.channelsLeftOut) { kinds.append(.channelsLeftOut) }
        return kinds
    }
}
