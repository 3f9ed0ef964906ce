import ArgumentParser
import Manifests

/// What the values of a table's columns mean.
struct ColumnValueOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What separates the names in the column labels. Default: |, unless they are lists as in JSON or Python.",
            valueName: "text"))
    var labelSeparator: String?

    @Option(
        help: ArgumentHelp(
            """
            The columns of 0 and 1 that are labels, as a pattern such as 'sp_*'; what * stands for is the label. Repeatable.
            """, valueName: "pattern"))
    var oneHot: [String] = []

    @Option(
        name: .customLong("extension"),
        help: ArgumentHelp(
            "The extension of recordings, such as flac, if the table names them without one.", valueName: "name"))
    var recordingExtension: String?

    func validate() throws {
        if labelSeparator?.isEmpty == true { throw ValidationError("--label-separator is empty.") }
        if oneHot.contains("") { throw ValidationError("--one-hot is empty.") }
        if let recordingExtension, plain(recordingExtension).isEmpty || recordingExtension.contains("/") {
            throw ValidationError("--extension is '\(recordingExtension)'; expected an extension such as flac.")
        }
    }

    /// The names of the options that are given.
    var given: [String] {
        (labelSeparator == nil ? [] : ["label-separator"]) + (oneHot.isEmpty ? [] : ["one-hot"])
            + (recordingExtension == nil ? [] : ["extension"])
    }

    /// The columns that are read as others, with these options.
    func map(_ entries: [ColumnMap.Entry]) -> ColumnMap {
        ColumnMap(
            entries, labelSeparator: labelSeparator, oneHot: oneHot, recordingExtension: recordingExtension.map(plain))
    }

    private func plain(_ name: String) -> String { name.hasPrefix(".") ? String(name.dropFirst()) : name }
}
