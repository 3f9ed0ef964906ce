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
    /// Most of the recording's band lies above the default features: `/clips/sample_rate`, by `FeatureBand`.
    package static let bandsAbove = RecordingRemarks(rawValue: 1 << 18)

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
        return kinds
    }
}
