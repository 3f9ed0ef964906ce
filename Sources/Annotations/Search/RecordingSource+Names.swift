import FeatureModel
import Manifests

/// The names that formats of speech give recordings: ids of the dataset, names of files without an extension, or ids of clips.
extension RecordingSource {
    /// Where a name leads.
    private struct Place {
        let path: String
        var channel = NamedRecordings.Channel.given
        /// What times count from, in seconds.
        var start = 0.0
    }

    /// A table whose rows name recordings by their paths; names that are not known remain as they are.
    ///
    /// - Throws: `ManifestError` where the dataset cannot be read again.
    func located(_ table: AnnotationTable) throws(ManifestError) -> AnnotationTable {
        guard table.content.namesStems else { return table }
        var paths: [String: Set<String>] = [:]
        for clip in clips { paths[DefaultIdentifier.stem(clip.path.lastName), default: []].insert(clip.path) }
        func place(_ row: AnnotationRow) -> Place? {
            guard let name = row.recording else { return nil }
            if let known = names.find(name, side: row.channel) {
                return Place(path: known.path, channel: known.channel)
            }
            guard let found = paths[name], let path = found.first else { return nil }
            return Place(path: found.count == 1 ? path : name + ".wav")
        }
        let known = table.content.rows.map(place)
        let unknown = Set(zip(table.content.rows, known).compactMap { $1 == nil ? $0.recording : nil })
        let ofClips = try places(ofClips: unknown)
        var located = table
        located.content.rows = zip(table.content.rows, known).map { row, place in
            guard let place = place ?? row.recording.flatMap({ ofClips[$0] }) else { return row }
            return Self.moved(row, to: place)
        }
        return located
    }

    /// The parts of recordings that clips with these ids are.
    private func places(ofClips ids: Set<String>) throws(ManifestError) -> [String: Place] {
        guard !ids.isEmpty, let manifest else { return [:] }
        var places: [String: Place] = [:]
        let reader = try manifest.reader()
        while let clip = try reader.next() {
            guard ids.contains(clip.id) else { continue }
            let channel = clip.channel.flatMap { clip.acceptsMono ? nil : NamedRecordings.Channel.one($0) } ?? .all
            places[clip.id] = Place(path: clip.path, channel: channel, start: clip.segment?.start ?? 0)
        }
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
