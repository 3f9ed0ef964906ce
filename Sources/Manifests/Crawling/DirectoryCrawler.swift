import Archives
import FeatureModel
import FileIO
import Platform

/// Makes clips of the recordings below a folder, in archives there too, or in an archive.
package struct DirectoryCrawler: Sendable {
    /// A folder or an archive.
    package let root: String
    /// The folder of the manifest; nil: `root`. Paths become relative to it if `root` is it or lies below it, and absolute
    /// otherwise.
    package let manifestFolder: String?
    /// A regular expression with a group `label`, searched in the path relative to `root`; nil: the label is the parent
    /// folder's name. Groups `split` and `id` give these; groups of any other name become columns.
    package let labelPattern: String?
    /// Whether recordings in archives are found.
    package let looksIntoArchives: Bool

    /// The folder whose name is the label, where there is no pattern: 1 is the first below `root`, −1 that which holds the
    /// recording. Nil: the last that is not a split (`SplitFolders`).
    package let labelLevel: Int?
    /// Which recordings are taken.
    package let patterns: RecordingNamePatterns
    /// The prefix of every id; may be empty.
    package let idPrefix: String
    /// Files that the caller reads, by their paths relative to `root`.
    package let used: UsedFiles

    package init(
        root: String, manifestFolder: String? = nil, labelPattern: String? = nil,
        looksIntoArchives: Bool = true, labelLevel: Int? = nil,
        patterns: RecordingNamePatterns = RecordingNamePatterns(), idPrefix: String = "", used: UsedFiles = UsedFiles()
    ) {
        self.used = used
        (self.labelLevel, self.patterns, self.idPrefix) = (labelLevel, patterns, idPrefix)
        self.looksIntoArchives = looksIntoArchives
        self.root = root
        self.manifestFolder = manifestFolder
        self.labelPattern = labelPattern
    }

    /// Searches the folder or archive. Links are followed, except in cycles; names that start with a dot are skipped.
    package func crawl() throws(ManifestError) -> CrawlResult {
        var walk = try FolderWalk(root: root, looksIntoArchives: looksIntoArchives, used: used)
        try walk.run()
        let recordings = walk.recordings.filter { patterns.takes($0.unpackedPath, in: MemberPath($0.path)?.archive) }
        let prefix = try pathPrefix()
        let pattern: LabelPattern? = if let labelPattern { try LabelPattern(labelPattern) } else { nil }
        var clips: [Clip] = []
        var unmatched: [String] = []
        let splits = SplitFolders(recordings.lazy.filter { pattern == nil && $0.sample == nil }.map(\.unpackedPath))
        let ids = UniqueStems(recordings.map(\.unpackedPath))
        let columns = WebDatasetColumns(recordings, except: pattern?.extraColumns ?? [])
        for recording in recordings {
            let found: LabelPattern.Match? =
                if let pattern {
                    pattern.match(recording.unpackedPath)
                } else {
                    recording.match(level: labelLevel, splits)
                }
            guard let found else {
                if unmatched.count < ProblemList.limit { unmatched.append(recording.path) }
                continue
            }
            clips.append(
                Clip(
                    index: clips.count, id: idPrefix + (found.id.isEmpty ? ids.id(of: recording) : found.id),
                    path: prefix + recording.path, label: found.label, split: found.split,
                    extra: found.extra + columns.values(recording)))
        }
        let unmatchedCount = recordings.count - clips.count
        var account = walk.account
        account.add(.recordingsExcluded, source: root, count: walk.recordings.count - recordings.count)
        for path in unmatched { account.add(.recordingsUnmatched, source: root, quoted(path)) }
        account.add(.recordingsUnmatched, source: root, count: unmatchedCount - unmatched.count)
        if let pattern {
            if unmatchedCount > 0, clips.isEmpty {
                throw .patternDoesNotMatch(pattern: pattern.text, paths: unmatched, total: unmatchedCount)
            }
            if pattern.givesID { try requireUniqueIDs(clips, pattern.text) }
        }
        return CrawlResult(
            root: root, clips: clips, extraColumns: (pattern?.extraColumns ?? []) + columns.names,
            archives: walk.archives.map { $0.isEmpty ? root : $0 }, shards: walk.shards.map { $0.isEmpty ? root : $0 },
            passedOver: account, unclaimed: walk.unclaimed)
    }

    private func requireUniqueIDs(_ clips: [Clip], _ pattern: String) throws(ManifestError) {
        var owners: [[UInt8]: Int] = [:]
        for clip in clips {
            if let other = owners.updateValue(clip.index, forKey: Array(clip.id.utf8)) {
                throw .duplicateIdentifier(pattern: pattern, id: clip.id, paths: [clips[other].path, clip.path])
            }
        }
    }

    // MARK: - Paths

    /// The prefix, in the manifest, of a path relative to `root`.
    private func pathPrefix() throws(ManifestError) -> String {
        if FileStatus(path: root)?.isFolder == false {
            // The top is the archive; its listing has paths that start with the separator.
            return try RelocatedPaths(from: Folder.containing(root), to: manifestFolder).prefix + root.lastName
        }
        return try RelocatedPaths(from: root, to: manifestFolder).prefix
    }
}

/// The recordings below a folder.
package struct CrawlResult: Sendable {
    /// The folder or archive.
    package let root: String
    /// A clip for every recording, in the order of the paths' bytes.
    package let clips: [Clip]
    /// Names of the clips' `extra` values: the pattern's groups except `label`, `split` and `id`.
    package let extraColumns: [String]
    /// Archives with recordings, and those of them that are WebDataset shards.
    package let archives: [String]
    package let shards: [String]
    /// What was passed over, apart from `unclaimed`.
    package let passedOver: Account
    /// Tables and texts that may say something of the recordings.
    package var unclaimed: [UnclaimedFile]
    /// What was passed over.
    package var account: Account {
        var account = passedOver
        account.add(unclaimed)
        return account
    }

    /// The recordings of several folders, in their order; one that several of them hold is taken once.
    package static func joined(_ results: [CrawlResult]) -> CrawlResult {
        var columns: [String] = []
        for name in results.flatMap(\.extraColumns) where !columns.contains(name) { columns.append(name) }
        var seen = HashSet64()
        var clips: [Clip] = []
        var account = Account()
        for result in results {
            account.merge(result.passedOver)
            for clip in result.clips {
                guard seen.insert(xxh3(clip.path)) else {
                    account.add(.recordingsRepeated, source: result.root, quoted(clip.path))
                    continue
                }
                let values = columns.map { name in
                    result.extraColumns.firstIndex(of: name).map { clip.extra[$0] } ?? ""
                }
                clips.append(clip.with(index: clips.count, extra: values))
            }
        }
        return CrawlResult(
            root: results.map(\.root).joined(separator: ", "), clips: clips, extraColumns: columns,
            archives: results.flatMap(\.archives), shards: results.flatMap(\.shards), passedOver: account,
            unclaimed: results.flatMap(\.unclaimed))
    }
}

/// Ids for files: the path without its extension, or the whole path where that is not unique.
struct UniqueStems {
    private var taken = HashSet64()

    /// Looks for stems that several files share, or that are the whole path of another.
    ///
    /// A collision of hashes only makes an id longer than necessary.
    init(_ files: [String]) {
        var once = HashSet64()
        for file in files {
            _ = taken.insert(xxh3(file))
            let stem = xxh3(DefaultIdentifier.stem(file))
            if !once.insert(stem) { _ = taken.insert(stem) }
        }
    }

    func id(of file: String) -> String { id(of: FoundRecording(file: file)) }

    func id(of recording: FoundRecording) -> String {
        let stem = DefaultIdentifier.stem(recording.unpackedPath)
        guard taken.contains(xxh3(stem)) else { return stem }
        // The path in an archive that is the top starts with the separator.
        return recording.path.utf8.starts(with: MemberPath.separator.utf8) ? recording.unpackedPath : recording.path
    }
}
