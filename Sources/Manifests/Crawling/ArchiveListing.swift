import Archives
import FeatureModel

/// The recordings in an archive, in the order of the archive.
struct ArchiveListing {
    private(set) var recordings: [FoundRecording] = []
    /// What was passed over.
    private(set) var account = Account()
    /// Tables and texts that may say something of the recordings.
    private(set) var unclaimed: [UnclaimedFile] = []
    /// Whether it is a WebDataset shard: a member with a label, text or JSON follows or precedes a recording of the same key.
    private(set) var isShard = false

    /// Lists an archive.
    ///
    /// - Parameters:
    ///   - location: Its path.
    ///   - path: Its path relative to the top.
    ///   - unpackedFolder: The folder that it would be unpacked in, relative to the top, with a slash at its end; empty: the top.
    ///   - source: What the account calls the top.
    /// - Throws: `ArchiveError` where it cannot be opened.
    init(_ location: String, path: String, unpackedFolder: String, source: String) throws(ArchiveError) {
        let archive = try OpenArchives.archive(location)
        let shownPath = path.isEmpty ? location : path
        var samples = ShardSamples()
        var names: [(name: String, key: ShardKey?)] = []
        var sidecars: [(name: String, key: ShardKey?)] = []
        var others: [(name: String, kind: Remark.Kind, key: ShardKey?)] = []
        var account = Account()
        func shown(_ member: String) -> String { quoted(shownPath + MemberPath.separator + member) }
        archive.forEach { name, title, member, refusal in
            guard member.kind != .folder, !Self.isHidden(title) else { return }
            guard FoundRecording.isRecording(title) else {
                let key = refusal == nil ? name.map { samples.add($0, isRecording: false) } : nil
                if ShardSamples.isSidecar(title), !OtherFile.isHarmlessName(title) {
                    sidecars.append((title, key))
                } else if let kind = OtherFile(title).report(
                    named: shownPath + MemberPath.separator + title, source: source, to: &account)
                {
                    others.append((title, kind, key))
                }
                return
            }
            func refuse(_ reason: String) {
                account.add(.recordingsPassedOver, source: source, "\(shown(title)) (\(reason))")
            }
            guard let name else { return refuse("its name is not valid UTF-8") }
            if let refusal { return refuse("\(refusal)") }
            names.append((name, samples.add(name, isRecording: true)))
        }
        isShard = samples.isShard
        for (name, key) in sidecars where !samples.hasRecording(key) {
            account.add(
                isShard ? .entriesWithoutRecording : .othersSkipped, source: source, shown(name))
        }
        for (name, kind, key) in others {
            if kind == .tablesUnclaimed || samples.hasRecording(key) {
                unclaimed.append(
                    UnclaimedFile(path: shownPath + MemberPath.separator + name, kind: kind, source: source))
            } else {
                account.add(.othersSkipped, source: source, count: 1)
            }
        }
        for name in archive.repeatedNames where !Self.isHidden(name) {
            let isRecording = FoundRecording.isRecording(name)
            guard isRecording || isShard && ShardSamples.isSidecar(name) else { continue }
            account.add(
                isRecording ? .recordingsRepeated : .columnsChosen, source: source,
                "\(shown(name)) (the last of several)")
        }
        for (name, key) in names {
            var recording = FoundRecording(
                path: path + MemberPath.separator + name, unpackedPath: unpackedFolder + name)
            if isShard {
                let (sample, problems) = samples.sample(key, in: archive)
                recording.sample = sample
                for problem in problems { account.add(.metadataUnread, source: source, "\(shown(name)) (\(problem))") }
            }
            recordings.append(recording)
        }
        if let problem = archive.problem {
            account.add(.archivesDamaged, source: source, "\(quoted(shownPath)) (\(problem))")
        }
        self.account = account
    }

    /// Whether the name of a member, or of a folder above it, starts with a dot.
    static func isHidden(_ name: String) -> Bool {
        name.utf8.split(separator: Byte.slash).contains {
            $0.first == Byte.dot && !$0.elementsEqual("..".utf8) && !$0.elementsEqual(".".utf8)
        }
    }
}
