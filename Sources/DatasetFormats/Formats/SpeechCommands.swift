import FeatureModel
import Manifests

/// Speech Commands (Warden 2018): WORD/SPEAKER_nohash_N.wav; validation_list.txt and testing_list.txt name those that are not for
/// training.
struct SpeechCommands: DatasetReader {
    static let format = DatasetFormat.speechCommands
    private static let lists = [("validation_list.txt", "validation"), ("testing_list.txt", "test")]
    private static let noise = "_background_noise_"
    private let folder: String

    init?(_ location: DatasetLocation) throws(ManifestError) {
        guard location.isFolder, Self.lists.allSatisfy({ location.hasFile($0.0) }) else { return nil }
        folder = location.folder
    }

    var files: [String] { Self.lists.map(\.0) }
    var roots: [String] { [folder] }

    func read(into clips: ManifestBuilder) throws(ManifestError) {
        var splits: [String: String] = [:]
        for (list, split) in Self.lists {
            let lines = try LineReader(path: "\(folder)/\(list)")
            while try lines.next() {
                guard !lines.isBlank else { continue }
                if let problem = lines.problem { clips.addProblem(problem, line: lines.number, of: list) }
                if let other = splits.updateValue(split, forKey: lines.text), other != split {
                    clips.addProblem("\(quoted(lines.text)) is in the other list already", line: lines.number, of: list)
                }
            }
        }
        let recordings = try FolderRecordings(folder, used: Self.lists.map(\.0))
        let noises = recordings.found.clips.count { $0.label == Self.noise }
        try recordings.add(to: clips, where: { $0.label != Self.noise }) { clip, row in
            row.id = clip.id
            row.label = clip.label
            row.split = splits.removeValue(forKey: clip.path) ?? "train"
            let name = clip.path.lastName
            if let mark = name.firstRange(of: "_nohash_") { row.add("speaker", String(name[..<mark.lowerBound])) }
        }
        // They are not commands, and in every copy of the dataset.
        clips.account.add(.othersSkipped, source: Self.noise, count: noises)
        for (path, split) in splits {
            let list = Self.lists.first { $0.1 == split }?.0 ?? ""
            clips.account.add(.entriesWithoutRecording, source: list, quoted(path))
        }
    }
}
