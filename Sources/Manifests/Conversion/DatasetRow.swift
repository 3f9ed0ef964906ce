/// A clip as a dataset in another format describes it: the values of a manifest's columns, as text; empty: not given.
package struct DatasetRow: Sendable {
    package var path = ""
    package var id = ""
    package var label = ""
    package var split = ""
    /// Seconds.
    package var start = ""
    /// Seconds.
    package var end = ""
    /// Seconds.
    package var duration = ""
    package var channel = ""
    /// Seconds.
    package var overshoot = ""
    /// Seconds, as `DeclaredRecording.durationText`.
    package var recordingDuration = ""
    package var recordingSamples = ""
    /// Hz.
    package var recordingRate = ""
    /// Other columns. One of the name of a known column stands for that column.
    package var extra: [(name: String, value: String)] = []

    /// Whether numbers may have a decimal comma.
    package var hasDecimalComma = false
    /// Whether the names of `extra` are those of a header, in which capitals and blanks do not count.
    package var isOfHeader = false

    package init() {}

    /// Adds a value, also of a known column.
    package mutating func add(_ name: String, _ value: String) { extra.append((name, value)) }

    /// All values that are given, those of known columns first. Another column of a known name that is given keeps its value as
    /// `original_NAME`.
    var values: [(name: String, value: String)] {
        // In the order of the columns.
        let texts = [
            path, id, label, split, start, end, duration, channel, overshoot, recordingDuration, recordingSamples,
            recordingRate,
        ]
        let values = zip(ManifestColumn.allCases, texts).filter { !$1.isEmpty }.map { (name: $0.name, value: $1) }
        let known = values.map(\.name)
        return values + extra.map { known.contains($0.name) ? ("original_" + $0.name, $0.value) : $0 }
    }
}
