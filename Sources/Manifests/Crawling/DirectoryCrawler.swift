import Archives
import Checksums
import FeatureModel
import FileIO
import Platform

/// Makes clips of the recordings below a folder, in archives there too, or in an archive.
package struct DirectoryCrawler: Sendable {
    /// Extensions, in lower case, of the files that libsndfile reads; those that ffmpeg reads are in `MediaFile`.
    package static let extensions: Set<String> = [
        "wav", "wave", "wavex", "w64", "rf64", "aif", "aiff", "aifc", "au", "snd", "caf", "flac", "ogg", "oga", "opus",
        "mp3", "sf", "nist", "sph", "voc",
    ]

    /// How many recordings that the pattern does not match are listed.
    private static let listedUnmatched = 3

    /// A folder or an archive.
    package let root: String
    /// The folder of the manifest; nil: `root`. Paths become relative to it if `root` is it or lies below it, and absolute
    /// otherwise.
    package let manifestFolder: String?
    /// A regular expression with a group `label`, searched in the path relative to `root`; nil: the label is the parent
    /// folder's name. Groups `split` and `id` give these; groups of any other name become columns.
    package let labelPattern: String?
    /// Whether a recording that the pattern does not match is an error; otherwise it is left out.
    package let isStrict: Bool
    /// Whether recordings in archives are found.
    package let looksIntoArchives: Bool

    package init(
        root: String, manifestFolder: String? = nil, labelPattern: String? = nil, isStrict: Bool = false,
        looksIntoArchives: Bool = true
    ) {
        self.looksIntoArchives = looksIntoArchives
        self.root = root
        self.manifestFolder = manifestFolder
        self.labelPattern = labelPattern
        self.isStrict = isStrict
    }

    /// Searches the folder or archive. Links are followed, but never in a circle; names that start with a dot are skipped.
    package func crawl() throws(ManifestError) -> CrawlResult {
        var walk = try FolderWalk(root: root, looksIntoArchives: looksIntoArchives)
        walk.run()
        let prefix = try pathPrefix()
        let pattern: LabelPattern? = if let labelPattern { try LabelPattern(labelPattern) } else { nil }
        var clips: [Clip] = []
        var unmatched: [String] = []
        let ids = UniqueStems(walk.recordings.map(\.place))
        let columns = ShardColumns(walk.recordings, except: pattern?.extraColumns ?? [])
        for recording in walk.recordings {
            let found: LabelPattern.Match? =
                if let pattern { pattern.match(recording.place) } else { Self.match(recording) }
            guard let found else {
                if unmatched.count < ProblemList.limit { unmatched.append(recording.path) }
                continue
            }
            clips.append(
                Clip(
                    index: clips.count, id: found.id.isEmpty ? ids.id(of: recording) : found.id,
                    path: prefix + recording.path, label: found.label, split: found.split,
                    extra: found.extra + columns.values(recording)))
        }
        let unmatchedCount = walk.recordings.count - clips.count
        if let pattern {
            if unmatchedCount > 0, isStrict || clips.isEmpty {
                throw .patternDoesNotMatch(pattern: pattern.text, paths: unmatched, total: unmatchedCount)
            }
            if pattern.givesID { try requireUniqueIDs(clips, pattern.text) }
        }
        return CrawlResult(
            clips: clips, extraColumns: (pattern?.extraColumns ?? []) + columns.names, warnings: walk.warnings,
            archives: walk.archives.map { $0.isEmpty ? root : $0 }, shards: walk.shards.map { $0.isEmpty ? root : $0 },
            skippedFiles: walk.skipped, mediaFiles: walk.media,
            unmatched: Array(unmatched.prefix(Self.listedUnmatched)),
            unmatchedCount: unmatchedCount)
    }

    private func requireUniqueIDs(_ clips: [Clip], _ pattern: String) throws(ManifestError) {
        var owners: [[UInt8]: Int] = [:]
        for clip in clips {
            if let other = owners.updateValue(clip.index, forKey: Array(clip.id.utf8)) {
                throw .duplicateIdentifier(pattern: pattern, id: clip.id, paths: [clips[other].path, clip.path])
            }
        }
    }

    /// What is known without a pattern: the folder's name is the label, except in a WebDataset shard.
    private static func match(_ recording: FoundRecording) -> LabelPattern.Match {
        guard let sample = recording.sample else { return LabelPattern.Match(label: parentName(recording.place)) }
        return LabelPattern.Match(label: sample.label ?? "", split: sample.split ?? "")
    }

    /// The name of the folder that holds the file; empty for a file at the top.
    private static func parentName(_ file: String) -> String {
        let components = file.utf8.split(separator: Byte.slash)
        return components.count < 2 ? "" : String(Substring(components[components.count - 2]))
    }

    // MARK: - Paths

    /// The prefix, in the manifest, of a path relative to `root`.
    private func pathPrefix() throws(ManifestError) -> String {
        if FileStatus(path: root)?.isFolder == false {
            // The top is the archive; its listing has paths that start with the separator.
            let name = root.utf8.split(separator: Byte.slash).last.map { String(Substring($0)) } ?? root
            return try folderPrefix(Folder.containing(root)) + name
        }
        return try folderPrefix(root)
    }

    private func folderPrefix(_ root: String) throws(ManifestError) -> String {
        guard let manifestFolder else { return "" }
        let top = try Self.realPath(root)
        let folder = try Self.realPath(manifestFolder)
        if top == folder { return "" }
        let above = folder == "/" ? "/" : folder + "/"
        let prefix = top.utf8.starts(with: above.utf8) ? String(top.utf8.dropFirst(above.utf8.count)) ?? top : top
        return prefix == "/" ? "/" : prefix + "/"
    }

    private static func realPath(_ path: String) throws(ManifestError) -> String {
        guard let resolved = realpath(path, nil) else {
            throw errno == ENOENT ? .notFound(path: path) : .systemError(path: path, operation: "resolve it", errno)
        }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

/// The recordings below a folder.
package struct CrawlResult: Sendable {
    /// A clip for every recording, in the order of the paths' bytes.
    package let clips: [Clip]
    /// Names of the clips' `extra` values: the pattern's groups except `label`, `split` and `id`.
    package let extraColumns: [String]
    /// Skipped files that may be recordings, and folders that could not be read, in words.
    package let warnings: [String]
    /// Archives with recordings, and those of them that are WebDataset shards.
    package let archives: [String]
    package let shards: [String]
    /// Number of regular files without a recording's extension.
    package let skippedFiles: Int
    /// How many of them ffmpeg would read.
    package let mediaFiles: Int
    /// The first recordings that were left out because the pattern for labels does not match their path.
    package let unmatched: [String]
    /// Their number.
    package let unmatchedCount: Int
}

extension CrawlResult {
    /// How many files only ffmpeg would read, in words; nil: none.
    package var mediaNote: String? {
        guard mediaFiles > 0 else { return nil }
        let subject = mediaFiles == 1 ? "1 file" : "\(mediaFiles) files"
        let reason =
            FFmpegPrograms.isOff ? "--no-ffmpeg was given" : "ffmpeg, which reads them, is not installed: install it"
        return "passed over \(subject) such as .m4a, .wma or .mp4: \(reason)"
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
            _ = taken.insert(Self.hash(file))
            let stem = DefaultIdentifier.stem(file)
            if !once.insert(Self.hash(stem)) { _ = taken.insert(Self.hash(stem)) }
        }
    }

    func id(of file: String) -> String { id(of: FoundRecording(file: file)) }

    func id(of recording: FoundRecording) -> String {
        let stem = DefaultIdentifier.stem(recording.place)
        return taken.contains(Self.hash(stem)) ? recording.path : stem
    }

    private static func hash(_ text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { xxh3(UnsafeRawBufferPointer($0)) }
    }
}
