import FeatureModel
import Manifests

/// Columns of a list of recordings that are probably the times of parts of them.
package struct UnreadTimes {
    /// How many recordings are looked at.
    private static let looked = 20
    /// By how much a part may end after its recording, in seconds.
    private static let tolerance = 0.5

    private let source: RecordingSource
    private let start, end: Int
    /// The recording of each of the first rows.
    private let locations: [String]

    /// The recordings whose lengths decide, each once.
    package var recordings: [String] { Array(Set(locations)) }

    /// The columns of a list with labels that hold, in every row, a time and a later one: the labels are of those parts, and not of
    /// what other files mark. Nil: there are none.
    package init?(_ source: RecordingSource) {
        let (clips, columns) = (source.clips, source.extraColumns)
        let mayBeLabels = columns.contains { UnitName($0).isWhollyOne(of: ColumnNames.labels) }
        guard !clips.isEmpty, clips.allSatisfy({ $0.segment == nil }),
            mayBeLabels || clips.contains(where: { !$0.label.isEmpty }), let (start, end) = Self.pair(clips, columns)
        else { return nil }
        (self.source, self.start, self.end) = (source, start, end)
        locations = clips.prefix(Self.looked).map(source.location)
    }

    /// Refuses the list where all parts lie in their recordings.
    package func refuse(_ lengths: RecordingLengths) throws(RecordingSourceError) {
        for (clip, location) in zip(source.clips, locations) {
            guard let recording = try? lengths.recordings[location]?.get(), let last = Self.seconds(clip.extra[end]),
                last <= Nanoseconds.seconds(recording.length) + Self.tolerance
            else { return }
        }
        throw .unreadTimes(
            path: source.name, start: source.extraColumns[start], end: source.extraColumns[end],
            ManifestFormat(path: source.name))
    }

    /// The first two columns of numbers, consecutive except for other columns, of which the second is greater in every row.
    private static func pair(_ clips: [Clip], _ columns: [String]) -> (start: Int, end: Int)? {
        let numeric = columns.indices.filter { column in clips.allSatisfy { seconds($0.extra[column]) != nil } }
        return zip(numeric, numeric.dropFirst()).first { start, end in
            clips.allSatisfy { clip in
                guard let first = seconds(clip.extra[start]), let last = seconds(clip.extra[end]) else { return false }
                return first >= 0 && first < last
            }
        }.map { ($0, $1) }
    }

    private static func seconds(_ text: String) -> Double? { FieldValue.number(text, decimalComma: true) }
}
