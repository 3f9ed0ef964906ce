/// What an export lacks that one may expect of its format.
package enum ExportNote: Hashable, Sendable {
    /// The words of clips: the feature file has none of these columns.
    case textMissing(columns: [String])
    /// Columns of the manifest that the format has no table for.
    case columnsLeftOut([String])
    /// Speakers, in the order of their clips, that have clips of another gender than the one that is exported.
    case gendersDisagree(speakers: [String])
}
