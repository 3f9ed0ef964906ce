import Annotations
import Concurrency
import Essentials
import FeatureModel
import Manifests
import Presentation

/// Columns of a list of recordings that are probably the times of parts of them.
enum UnreadTimes {
    /// How many recordings are looked at.
    private static let looked = 20
    /// By how much a part may end after its recording, in seconds.
    private static let tolerance = 0.5

    /// Refuses a list with labels and two columns that hold, in every row, a time in the recording and a later one: the labels are
    /// of those parts, and not of what other files mark.
    ///
    /// - Parameters:
    ///   - path: The list.
    ///   - columns: Those that are not read, whose values the clips have.
    ///   - root: The folder that relative paths start from.
    /// - Throws: `FileRefusal`.
    static func refuse(
        _ path: String, _ clips: [Clip], _ columns: [String], root: String, workers: WorkerRange
    ) throws {
        let mayBeLabels = columns.contains { UnitName($0).isWhollyOne(of: ColumnNames.labels) }
        guard !clips.isEmpty, clips.allSatisfy({ $0.segment == nil }),
            mayBeLabels || clips.contains(where: { !$0.label.isEmpty }), let (start, end) = pair(clips, columns)
        else { return }
        let tried = clips.prefix(looked)
        let locations = tried.map { Clip.location(of: $0.path, root: root) }
        let lengths = try RecordingLengths.read(Array(Set(locations)), workers: workers).recordings
        for (clip, location) in zip(tried, locations) {
            guard let recording = try? lengths[location]?.get(), let last = seconds(clip.extra[end]),
                last <= Nanoseconds.seconds(recording.length) + tolerance
            else { return }
        }
        let format = ManifestFormat(path: path)
        let options = [("--start-column", start), ("--end-column", end)]
        let way =
            format == .jsonLines
            ? "name them 'start' and 'end'"
            : "give " + options.map { "\($0) \(ShellText.word(columns[$1]))" }.joined(separator: " ")
        throw FileRefusal(
            path: path,
            reason:
                "its columns \(quoted(columns[start])) and \(quoted(columns[end])) may be the starts and ends of parts of the "
                + "recordings, and are not read: \(way); if it is a list of whole recordings, give --format "
                + (format?.option ?? "csv"))
    }

    /// The first two columns, one after the other but for those without numbers, of which the second has the larger value in every
    /// row.
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

extension ManifestFormat {
    /// The value of `--format`.
    fileprivate var option: String { self == .quotedTSV ? ManifestFormat.tsv.rawValue : rawValue }
}
