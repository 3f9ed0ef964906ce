import Archives
import FeatureModel
import Manifests
import Platform

/// How much a problem matters.
package enum Severity: String, CaseIterable, Codable, Comparable, Sendable {
    /// `extract` fails for these clips, or a test of a model is worthless.
    case error
    /// Probably a mistake.
    case warning
    /// Worth knowing.
    case note

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The worse one comes first.
    package static func < (one: Severity, other: Severity) -> Bool { one.rank < other.rank }
}

/// What can be wrong with a dataset. The names are those of the report and never change their meaning.
package enum ProblemKind: String, CaseIterable, Codable, Sendable {
    case allMissing = "all_missing"
    case missing
    case gitLFSPointer = "git_lfs_pointer"
    case textPage = "text_page"
    case unreadable
    case cutOff = "cut_off"
    case segmentOutOfRange = "segment_out_of_range"
    case damaged
    case wrongLength = "wrong_length"
    case nonFinite = "non_finite"
    case otherSamples = "other_samples"
    case overlapAcrossSplits = "overlap_across_splits"
    case duplicateAcrossSplits = "duplicate_across_splits"

    case recordingAcrossSplits = "recording_across_splits"
    case groupAcrossSplits = "group_across_splits"
    case duplicateRecording = "duplicate_recording"
    case duplicateSamples = "duplicate_samples"
    case mixedRates = "mixed_rates"
    case silent
    case silentChannel = "silent_channel"
    case constant
    case clipped
    case dcOffset = "dc_offset"
    case labelSpelling = "label_spelling"
    case rareLabel = "rare_label"
    case labelAbsentFromSplit = "label_absent_from_split"
    case unlabelled

    case labelImbalance = "label_imbalance"
    case suspiciousLabel = "suspicious_label"
    case mixedChannels = "mixed_channels"
    case overlappingSegments = "overlapping_segments"
    case veryShort = "very_short"
    case veryLong = "very_long"

    package var severity: Severity {
        switch self {
        case .allMissing, .missing, .gitLFSPointer, .textPage, .unreadable, .cutOff, .segmentOutOfRange, .damaged,
            .wrongLength, .nonFinite, .otherSamples, .overlapAcrossSplits, .duplicateAcrossSplits:
            .error
        case .recordingAcrossSplits, .groupAcrossSplits, .duplicateRecording, .duplicateSamples, .mixedRates, .silent,
            .silentChannel, .constant, .clipped, .dcOffset, .labelSpelling, .rareLabel, .labelAbsentFromSplit,
            .unlabelled:
            .warning
        case .labelImbalance, .suspiciousLabel, .mixedChannels, .overlappingSegments, .veryShort, .veryLong: .note
        }
    }

    /// Whether the clip cannot be extracted.
    package var isUnusable: Bool {
        switch self {
        case .allMissing, .missing, .gitLFSPointer, .textPage, .unreadable, .cutOff, .segmentOutOfRange, .damaged,
            .wrongLength, .nonFinite, .otherSamples:
            true
        default: false
        }
    }

    /// Whether clips of different splits have in common what they should not.
    package var isLeak: Bool { self == .overlapAcrossSplits || self == .duplicateAcrossSplits }

    /// What it means, in a sentence.
    package var meaning: String {
        switch self {
        case .allMissing: "None of the recordings exists."
        case .missing: "The recording does not exist."
        case .gitLFSPointer: "The file is a Git LFS pointer, not the recording."
        case .textPage: "The file is text, such as a web page, with the name of a recording."
        case .unreadable: "The recording cannot be opened."
        case .cutOff: "The recording is cut off before the clip ends."
        case .segmentOutOfRange: "The recording does not have the clip's times or channel."
        case .damaged: "The recording is damaged inside."
        case .wrongLength: "The recording has fewer samples than its header declares."
        case .nonFinite: "The recording has samples that are infinite or NaN."
        case .otherSamples: "The recording has other samples than when the clip was corrected."
        case .overlapAcrossSplits: "Clips of different splits overlap in time in one recording."
        case .duplicateAcrossSplits: "Clips of different splits have the same samples."
        case .recordingAcrossSplits: "A recording has clips in several splits, without overlap in time."
        case .groupAcrossSplits: "A group, such as a speaker, has clips in several splits."
        case .duplicateRecording: "One file is in the dataset under several paths."
        case .duplicateSamples: "Clips have the same samples."
        case .mixedRates: "The sample rate differs from that of most clips."
        case .silent: "The clip is silent: its peak is below −80 dBFS."
        case .silentChannel: "A channel of the clip is silent, and another one is not."
        case .constant: "Every sample of the clip has the same value."
        case .clipped: "The clip has runs of three or more samples at full scale."
        case .dcOffset: "The mean of the samples is more than 1 % of full scale."
        case .labelSpelling: "Labels differ only in case, blanks or Unicode form."
        case .rareLabel: "The label has only one clip."
        case .labelAbsentFromSplit: "A split has no clip of the label."
        case .unlabelled: "The clip has no label, and others have one."
        case .labelImbalance: "The label has at most a tenth of the clips of the most frequent one."
        case .suspiciousLabel: "Clips that are like this one have another label."
        case .mixedChannels: "The number of channels differs from that of most clips."
        case .overlappingSegments: "Clips of one split overlap in time in one recording."
        case .veryShort: "The clip is shorter than a tenth of the median."
        case .veryLong: "The clip is longer than ten times the median."
        }
    }

    /// Its bit in a set of kinds.
    var bit: UInt64 { 1 << UInt64(Self.allCases.firstIndex(of: self) ?? 0) }

    /// The bits of all kinds that make a clip unusable.
    static let unusableBits = allCases.filter(\.isUnusable).reduce(UInt64(0)) { $0 | $1.bit }
}

extension ProblemKind {
    /// The kind of a failure, after a look whether there is a recording of that path.
    init(_ failure: ClipFailure, path: String) {
        switch failure {
        case .cannotOpen(let error) where error.code == ENOENT || error.code == ENOTDIR: self = .missing
        case .cannotOpenMember where !RecordingPath.exists(path): self = .missing
        default: self.init(failure)
        }
    }

    /// The kind of a failure, from the failure alone.
    init(_ failure: ClipFailure) {
        self =
            switch failure {
            case .foreign(.gitLFSPointer): .gitLFSPointer
            case .foreign(.text): .textPage
            case .cutOff: .cutOff
            case .segmentStartsLate, .segmentEndsLate, .segmentWithoutSamples, .noSuchChannel: .segmentOutOfRange
            case .missingSamples, .endsBefore: .wrongLength
            case .nonFiniteSample: .nonFinite
            case .otherSamples: .otherSamples
            case .damaged, .cannotRead, .cannotSeek, .replaced: .damaged
            default: .unreadable
            }
    }
}

/// A kind of problem with the clips that have it.
package struct ProblemGroup: Sendable {
    /// A clip that has the problem, or one of a label, recording or group that has it.
    package struct Example: Hashable, Sendable, Codable {
        /// Index in the manifest, from 0.
        package let clip: Int
        package let id: String
        package let path: String
        /// What was found.
        package let text: String
    }

    /// What a problem is about.
    package enum Subject: Sendable {
        case clips
        /// The folder that the paths of all recordings start from, and why no recording is there; nil: the reason is not known.
        case folder(String, MissingRecordings?)
        /// The column that clips are grouped by.
        case column(String)
        /// The sample rate of most clips, in Hz.
        case rate(Int)
        /// The first channel, from 0, that has sound in all clips.
        case channel(Int)
        /// Clips that were looked at for silent channels: whether the first is silent in some.
        case heard(isFirstSilent: Bool)
    }

    package let kind: ProblemKind
    /// Number of clips that have it.
    package let clips: Int
    /// What the advice depends on, in addition to the kind.
    package let subject: Subject
    /// The first of them; for labels, recordings and groups, one clip of each of the first.
    package let examples: [Example]

    /// Maximum number of examples of a kind.
    package static let keptExamples = 1000
}
