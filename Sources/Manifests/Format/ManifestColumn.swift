import FeatureModel

/// The columns with a meaning. Every other column is kept as it is.
///
/// The raw value is the column's slot in a `ManifestRow`; the slots of other columns follow.
package enum ManifestColumn: Int, CaseIterable, Sendable {
    /// Path of the recording; required.
    case path
    case id
    /// Label; empty: none.
    case label
    /// Split, such as `train`; empty: none.
    case split
    /// Start of the clip in seconds.
    case start
    /// End of the clip in seconds.
    case end
    /// Length of the clip in seconds.
    case duration
    /// Channel, from 0, or as a letter.
    case channel
    /// How late the clip may end after its recording, in seconds.
    case overshoot
    /// Length of the recording in seconds, its number of samples and its sample rate in Hz, which it has to have. Names and
    /// meaning are lhotse's.
    case recordingDuration, recordingSamples, recordingRate

    /// Columns of numbers.
    static let numbers: [ManifestColumn] = [
        .start, .end, .duration, .channel, .overshoot, .recordingDuration, .recordingSamples, .recordingRate,
    ]

    /// The column that a name of a header stands for: it has it, or has it except for case and blanks, as spreadsheets may write
    /// it, and no other name of the header is likelier.
    package init?(name: String, among names: [String]) {
        if let column = Self(name: name) {
            self = column
            return
        }
        guard let column = Self(spelled: name), !names.contains(column.name),
            name == names.first(where: { Self(spelled: $0) == column })
        else { return nil }
        self = column
    }

    /// The column of that name except for case and blanks at its ends.
    package init?(spelled name: String) { self.init(name: name.lowercased().trimmingBlanks()) }

    /// Maximum number of other columns.
    static let extraLimit = 1000

    /// The name in a header. Not by `String(describing:)`, which takes a million instructions at the first call.
    package var name: String { Self.names[rawValue] }

    private static let names = [
        "path", "id", "label", "split", "start", "end", "duration", "channel", "max_overshoot", "recording.duration",
        "recording.num_samples", "recording.sampling_rate",
    ]

    /// The column of that name, which is matched exactly.
    package init?(name: some StringProtocol) {
        guard let column = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = column
    }
}
