import FeatureModel
import Manifests

/// Where the names lead that formats of speech give recordings: ids of the dataset, names of files without an extension, or ids of
/// clips. What the source says of them is looked at once for all tables.
final class NamedPlaces {
    private struct Place {
        let path: String
        var channel = NamedRecordings.Channel.given
        /// What times count from, in seconds.
        var start = 0.0
    }

    private let names: NamedRecordings
    private let manifest: Manifest?
    /// The paths of the recordings.
    private let paths: [String]
    /// By the names of their files without an extension.
    private lazy var byStem = Dictionary(grouping: Set(paths)) { DefaultIdentifier.stem($0.lastName) }
    /// By the ids of clips; nil: not asked for yet.
    private var byID: [String: Place]?

    init(_ source: RecordingSource) {
        (names, manifest, paths) = (source.names, source.manifest, source.clips.map(\.path))
    }

    /// A table whose rows name recordings by their paths; names that are not known remain as they are.
    ///
    /// - Throws: `ManifestError` where the dataset cannot be read again.
    func located(_ table: AnnotationTable) throws(ManifestError) -> AnnotationTable {
        guard table.content.namesStems else { return table }
        var located = table
        for (index, row) in table.content.rows.enumerated() {
            guard let name = row.recording, let place = try place(of: name, side: row.channel) else { continue }
            located.content.rows[index] = Self.moved(row, to: place)
        }
        return located
    }

    private func place(of name: String, side: Int?) throws(ManifestError) -> Place? {
        if let known = names.find(name, side: side) { return Place(path: known.path, channel: known.channel) }
        guard let found = byStem[name], let path = found.first else { return try clips()[name] }
        return Place(path: found.count == 1 ? path : name + ".wav")
    }

    /// The parts of recordings that clips are.
    private func clips() throws(ManifestError) -> [String: Place] {
        if let byID { return byID }
        var places: [String: Place] = [:]
        if let reader = try manifest?.reader() {
            while let clip = try reader.next() {
                let channel = clip.channel.flatMap { clip.acceptsMono ? nil : NamedRecordings.Channel.one($0) } ?? .all
                places[clip.id] = Place(path: clip.path, channel: channel, start: clip.segment?.start ?? 0)
            }
        }
        byID = places
        return places
    }

    private static func moved(_ row: AnnotationRow, to place: Place) -> AnnotationRow {
        var row = row
        row.recording = place.path
        switch place.channel {
        case .given: break
        case .one(let channel): row.channel = channel
        case .all: row.channel = nil
        }
        if place.start != 0, let times = row.times.seconds {
            row.times = AnnotationTimes(
                seconds: AnnotationTimes.Range(
                    start: FieldNumber.end(of: place.start, times.start),
                    end: FieldNumber.end(of: place.start, times.end)))
        }
        return row
    }
}
