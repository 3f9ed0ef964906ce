/// The remarks of one clip, found while its recording is read.
///
/// The bits are those of the spool and of `/clips/remarks`: they never change their meaning.
package struct RecordingRemarks: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The recording is longer or shorter than its metadata or its own header say.
    package static let lengthsDiffer = RecordingRemarks(rawValue: 1 << 0)
    /// The recording has another sample rate than its metadata say.
    package static let ratesDiffer = RecordingRemarks(rawValue: 1 << 1)
    /// The clip's end lay after that of the recording, and was cut there.
    package static let endsCut = RecordingRemarks(rawValue: 1 << 2)
    /// A channel was read where several could be meant.
    package static let channelsChosen = RecordingRemarks(rawValue: 1 << 3)

    /// The source of remarks about clips, in an account.
    package static let source = "recordings"

    /// The kind of each bit, in the order of the bits.
    package static let kinds: [Remark.Kind] = [.lengthsDiffer, .ratesDiffer, .endsCut, .channelsChosen]

    /// What each bit means, from the lowest, as `flag_meanings` of CF has it.
    package static let meanings = kinds.map(\.rawValue).joined(separator: " ")

    /// All bits that have a meaning.
    package static let known = RecordingRemarks(rawValue: 1 << UInt32(kinds.count) - 1)

    package init(_ kind: Remark.Kind) {
        self.init(rawValue: Self.kinds.firstIndex(of: kind).map { 1 << UInt32($0) } ?? 0)
    }

    /// The kinds of the bits that are set.
    package var kinds: [Remark.Kind] {
        Self.kinds.enumerated().filter { contains(RecordingRemarks(rawValue: 1 << UInt32($0.offset))) }.map(\.element)
    }
}
