import Archives
import FeatureModel

/// The recordings of a tar that is read as a stream, member by member: the same clips as those of the archive in a file.
package struct StreamListing: Sendable {
    /// What is to be done with a member.
    package enum Role: Hashable, Sendable {
        /// It is the recording of this number, counted from 0 in the order of the stream.
        case recording(Int)
        /// Its bytes are to be given to `addText`.
        case text
        case skipped
    }

    /// A recording, and its number.
    private struct Entry {
        var number: Int
        let name: String
        var sample: WebDatasetSample?
    }

    /// The last recording of every name, in the order of the first ones.
    private var entries: [Entry] = []
    private var indices: [[UInt8]: Int] = [:]
    /// The current key of the stream, and its members so far: indices of recordings, and texts that describe them.
    private var key: [UInt8] = []
    private var recordings: [Int] = []
    private var texts: [(name: String, bytes: [UInt8]?)] = []
    /// Other members of the key that may say something of its recordings.
    private var companions: [String] = []
    private var isWebDataset = false
    /// Labels, texts and JSON of no recording.
    private var orphans = Account()

    /// Number of recordings so far.
    package private(set) var count = 0
    /// What was passed over.
    package private(set) var account = Account()
    /// What the account calls the stream.
    private let source: String

    package init(source: String) { self.source = source }

    /// Takes the next member.
    package mutating func add(_ member: TarStream.Member) -> Role {
        let shown = member.shown
        guard member.kind != .folder, !ArchiveListing.isHidden(shown) else { return .skipped }
        let name = String(validating: member.name, as: UTF8.self)
        guard FoundRecording.isRecording(shown) else {
            let isSidecar = WebDatasetSamples.isSidecar(shown) && !OtherFile.isHarmlessName(shown)
            let kind = isSidecar ? nil : OtherFile(shown).report(named: shown, source: source, to: &account)
            if kind == .tablesUnclaimed { account.add(.tablesUnclaimed, source: source, quoted(shown)) }
            guard let name, member.refusal == nil else {
                if isSidecar { account.add(.othersSkipped, source: source, count: 1) }
                return .skipped
            }
            start(name)
            if kind == .metadataUnread { companions.append(shown) }
            guard isSidecar else { return .skipped }
            guard member.size <= WebDatasetSamples.maximumBytes else {
                texts.append((name, nil))
                return .skipped
            }
            return .text
        }
        guard let name else {
            account.add(.recordingsPassedOver, source: source, "\(quoted(shown)) (its name is not valid UTF-8)")
            return .skipped
        }
        if let refusal = member.refusal {
            account.add(.recordingsPassedOver, source: source, "\(quoted(shown)) (\(refusal))")
            return .skipped
        }
        start(name)
        recordings.append(add(name, member.name))
        count += 1
        return .recording(count - 1)
    }

    private mutating func add(_ name: String, _ bytes: [UInt8]) -> Int {
        if let index = indices[bytes] {
            account.add(.recordingsRepeated, source: source, at: count, quoted(name))
            // The labels and texts of the older one count unless this one has some, too.
            entries[index].number = count
            return index
        }
        indices[bytes] = entries.count
        entries.append(Entry(number: count, name: name))
        return entries.count - 1
    }

    /// Takes the bytes of a member that is text.
    package mutating func addText(_ member: TarStream.Member, _ bytes: [UInt8]) { texts.append((member.shown, bytes)) }

    /// Takes note of a member's key; one that differs ends the sample before.
    private mutating func start(_ name: String) {
        let (key, _) = WebDatasetSamples.divide(name)
        if key != self.key { endSample() }
        self.key = key
    }

    private mutating func endSample() {
        defer { (recordings, texts, companions) = ([], [], []) }
        for name in companions {
            account.add(recordings.isEmpty ? .othersSkipped : .metadataUnread, source: source, quoted(name))
        }
        guard !recordings.isEmpty else {
            for (name, _) in texts { orphans.add(.entriesWithoutRecording, source: source, quoted(name)) }
            return
        }
        guard !texts.isEmpty else { return }
        isWebDataset = true
        for (index, text) in texts.enumerated() where texts[..<index].contains(where: { $0.name == text.name }) {
            account.add(.columnsChosen, source: source, "\(quoted(text.name)) (the last of several)")
        }
        var (sample, problems) = (WebDatasetSample(), [String]())
        for (name, bytes) in texts {
            if let problem = sample.read(name, bytes) { problems.append(problem) }
        }
        for index in recordings {
            entries[index].sample = sample
            for problem in problems {
                account.add(.metadataUnread, source: source, "\(quoted(entries[index].name)) (\(problem))")
            }
        }
    }

    /// The clips, in the order of their paths, and the number of each in the stream. To be called once, at the end.
    package mutating func finish() -> StreamedClips {
        endSample()
        let isWebDataset = isWebDataset
        if isWebDataset {
            account.merge(orphans)
        } else {
            account.add(.othersSkipped, source: source, count: orphans.count(of: .entriesWithoutRecording))
        }
        let found = entries.map { entry in
            (
                FoundRecording(
                    path: entry.name, unpackedPath: entry.name,
                    sample: entry.sample ?? (isWebDataset ? WebDatasetSample() : nil)), entry.number
            )
        }.sorted { $0.0.precedes($1.0) }
        (entries, indices) = ([], [:])
        let columns = WebDatasetColumns(found.map(\.0), except: [])
        let ids = UniqueStems(found.map(\.0.unpackedPath))
        let splits = SplitFolders(found.lazy.filter { $0.0.sample == nil }.map(\.0.unpackedPath))
        let clips = found.enumerated().map { index, entry in
            let match = entry.0.match(level: nil, splits)
            return Clip(
                index: index, id: ids.id(of: entry.0), path: entry.0.path, label: match.label, split: match.split,
                extra: columns.values(entry.0))
        }
        return StreamedClips(clips: clips, extraColumns: columns.names, numbers: found.map(\.1))
    }
}

/// The clips of a tar that was read as a stream.
package struct StreamedClips: Sendable {
    package let clips: [Clip]
    /// Names of the clips' `extra` values.
    package let extraColumns: [String]
    /// For every clip, which recording of the stream it is, counted from 0.
    package let numbers: [Int]

    /// The same as a manifest, with paths as in the tar.
    ///
    /// - Parameter name: What messages call it.
    /// - Throws: `ManifestError`.
    package func manifest(named name: String) throws(ManifestError) -> Manifest {
        let builder = try ManifestBuilder(name: name)
        for clip in clips {
            var row = DatasetRow()
            row.path = clip.path
            row.id = clip.id
            row.label = clip.label
            row.split = clip.split
            for (name, value) in zip(extraColumns, clip.extra) { row.add(name, value) }
            try builder.add(row, line: 0, of: "")
        }
        return try builder.finish()
    }
}
