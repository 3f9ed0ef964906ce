import Annotations
import FeatureModel
import Manifests

/// The times of a manifest that are in milliseconds or samples.
struct ManifestTimes {
    let unit: TimeUnit
    /// The folder that relative paths start from.
    let root: String

    /// The same clips with their times in seconds.
    ///
    /// Positions in samples are at the rate of each recording, whose header is read. The clips of a recording that cannot be opened
    /// keep their numbers, and fail.
    ///
    /// - Throws: `ManifestError`; `FileRefusal` if the system is at fault.
    func inSeconds(_ manifest: Manifest) throws -> Manifest {
        let rates = try unit == .samples ? rates(of: manifest) : [:]
        let builder = try ManifestBuilder(name: manifest.path)
        (builder.account, builder.unclaimed) = (manifest.sourceAccount, manifest.unclaimed)
        let clips = try manifest.rows()
        while let clip = try clips.next() {
            let perSecond = unit == .milliseconds ? 1000 : rates[clip.path] ?? 1
            var row = DatasetRow()
            (row.path, row.label, row.split) = (clip.path, clip.label, clip.split)
            if clips.hasID { row.id = clip.id }
            func text(_ time: Double?) -> String { time.map { "\($0 / perSecond)" } ?? "" }
            if let segment = clip.segment {
                if segment.isLengthAlone {
                    row.duration = text(segment.end)
                } else {
                    (row.start, row.end) = (text(segment.start), text(segment.end))
                }
                row.overshoot = segment.overshoot.map { "\($0)" } ?? ""
            }
            row.channel = clip.channel.map { ChannelName.text($0, acceptsMono: clip.acceptsMono) } ?? ""
            row.recordingDuration = clip.declared?.durationText ?? ""
            row.recordingSamples = clip.declared?.sampleCount.map { "\($0)" } ?? ""
            row.recordingRate = clip.declared?.sampleRate.map { "\($0)" } ?? ""
            for (name, value) in zip(manifest.extraColumns, clip.extra) { row.add(name, value) }
            let (file, line) = clips.origin
            try builder.add(row, line: line, of: file)
        }
        return try builder.finish(rowsAccount: manifest.rowsAccount)
    }

    /// The sample rate in Hz of each recording that can be opened, by its path.
    private func rates(of manifest: Manifest) throws -> [String: Double] {
        var (paths, seen): ([String], Set<String>) = ([], [])
        let clips = try manifest.reader()
        while let clip = try clips.next() { if seen.insert(clip.path).inserted { paths.append(clip.path) } }
        let locations = paths.map { Clip.location(of: $0, root: root) }
        let found = try RecordingLengths.read(locations, workers: Jobs.range(nil))
        var rates: [String: Double] = [:]
        for (path, location) in zip(paths, locations) {
            if case .success(let recording)? = found.recordings[location] { rates[path] = Double(recording.sampleRate) }
        }
        return rates
    }
}
