import Archives
import FeatureModel

/// The recordings in an archive, in the order of the archive.
struct ArchiveListing {
    private(set) var recordings: [FoundRecording] = []
    /// What was skipped and why, in words.
    private(set) var warnings: [String] = []
    /// Number of members without a recording's extension.
    private(set) var skipped = 0
    /// How many of them ffmpeg would read.
    private(set) var media = 0
    /// The first of them that describes a dataset; nil: none does.
    private(set) var datasetSign: DatasetSign?
    /// Whether it is a WebDataset shard: a member with a label, text or JSON follows or precedes a recording of the same key.
    private(set) var isShard = false

    /// Lists an archive.
    ///
    /// - Parameters:
    ///   - location: Its path.
    ///   - path: Its path relative to the top.
    ///   - place: The folder that it would be unpacked in, relative to the top, with a slash at its end; empty: the top.
    /// - Throws: `ArchiveError` where it cannot be opened.
    init(_ location: String, path: String, place: String) throws(ArchiveError) {
        let archive = try OpenArchives.archive(location)
        let shownPath = path.isEmpty ? location : path
        var samples = ShardSamples()
        var names: [(name: String, key: ShardKey?)] = []
        var refused: [String] = []
        archive.forEach { name, shown, member, refusal in
            guard member.kind != .folder, !Self.isHidden(shown) else { return }
            guard FoundRecording.isRecording(shown) else {
                skipped += 1
                datasetSign = datasetSign ?? DatasetSign(shown, isInArchive: true)
                if MediaFile.isNamed(shown) { media += 1 }
                if let name, refusal == nil { samples.add(name, isRecording: false) }
                return
            }
            func refuse(_ reason: String) {
                refused.append("\(quoted(shownPath + MemberPath.separator + shown)): passed over: \(reason)")
            }
            guard let name else { return refuse("its name is not valid UTF-8") }
            if let refusal { return refuse("\(refusal)") }
            names.append((name, samples.add(name, isRecording: true)))
        }
        isShard = samples.isShard
        if isShard { skipped -= samples.sidecarCount }
        for (name, key) in names {
            var recording = FoundRecording(path: path + MemberPath.separator + name, place: place + name)
            if isShard {
                let (sample, problems) = samples.sample(key, in: archive)
                recording.sample = sample
                refused += problems.map { "\(quoted(shownPath + MemberPath.separator + name)): \($0)" }
            }
            recordings.append(recording)
        }
        warnings = refused
        if let problem = archive.problem {
            warnings.append("\(quoted(shownPath)): members may be missing: \(problem)")
        }
    }

    /// Whether the name of a member, or of a folder above it, starts with a dot.
    static func isHidden(_ name: String) -> Bool {
        name.utf8.split(separator: Byte.slash).contains {
            $0.first == Byte.dot && !$0.elementsEqual("..".utf8) && !$0.elementsEqual(".".utf8)
        }
    }
}
