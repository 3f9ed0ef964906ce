import Archives
import FeatureModel
import FileIO
import Platform

/// A walk through a folder and all folders below it, or through an archive, which collects the recordings, and what may say
/// something of them.
///
/// It keeps its own stack, so that a deep tree needs no deep recursion.
struct FolderWalk {
    private struct Folder {
        /// Path relative to the top, with a slash at the end; empty at the top.
        let prefix: String
        /// Whether folders in it are walked through, too.
        var isDeep = true
        /// Device and inode of the folder and of those above it.
        let chain: Chain
    }

    /// A folder's identity, and that of the one above it.
    private final class Chain {
        let identity: FileIdentity
        let above: Chain?

        init(_ identity: FileIdentity, above: Chain?) {
            self.identity = identity
            self.above = above
        }

        func contains(_ identity: FileIdentity) -> Bool {
            sequence(first: self, next: \.above).contains { $0.identity == identity }
        }
    }

    /// The recordings, in the order of the bytes of their paths.
    private(set) var recordings: [FoundRecording] = []
    /// Paths of the archives that recordings were found in, relative to the top, and of those that are WebDataset shards.
    private(set) var archives: [String] = []
    private(set) var shards: [String] = []
    /// What was passed over, apart from `unclaimed`.
    private(set) var account = Account()
    /// Tables and texts that may say something of the recordings.
    private(set) var unclaimed: [UnclaimedFile] = []
    /// Texts without a recording of their name in the same folder, and the names of all recordings without their extensions.
    private var loose: [String] = []
    private var stems = HashSet64()
    private let root: String
    /// What the account calls the top.
    private let source: String
    private var stack: [Folder]
    /// Paths of the archives to list.
    private var waiting: [String] = []
    private let looksIntoArchives: Bool
    /// Files that are read already, by their paths relative to the top.
    private let used: UsedFiles

    /// Starts at a folder or an archive, which has to be readable.
    ///
    /// - Parameters:
    ///   - folders: The folders below it that are searched; empty: all.
    ///   - used: Files that are read already.
    init(
        root: String, looksIntoArchives: Bool = true, folders: [SearchedFolder] = [], used: UsedFiles = UsedFiles()
    ) throws(ManifestError) {
        self.looksIntoArchives = looksIntoArchives
        self.used = used
        source = root
        guard let status = FileStatus(path: root) else {
            throw errno == ENOENT ? .notFound(path: root) : .systemError(path: root, operation: "open it", errno)
        }
        guard status.isFolder else {
            guard status.isRegular, looksIntoArchives, MemberPath.isArchive(root) else { throw .notFolder(path: root) }
            (self.root, stack) = ("", [])
            do throws(ArchiveError) {
                add(try ArchiveListing(root, path: "", unpackedFolder: "", source: source), "")
            } catch {
                if let code = error.fault?.code { throw .systemError(path: root, operation: "read it", code) }
                throw .badArchive(path: root, reason: "\(error)")
            }
            return
        }
        do throws(SystemError) { _ = try DirectoryListing(root) } catch {
            throw .systemError(path: root, operation: "open it", error.code)
        }
        self.root = root.hasSuffix("/") ? root : root + "/"
        let top = Chain(status.identity, above: nil)
        stack = []
        guard !folders.isEmpty else {
            stack = [Folder(prefix: "", chain: top)]
            return
        }
        for folder in folders {
            guard let status = FileStatus(path: self.root + folder.path), status.isFolder else { continue }
            stack.append(
                Folder(
                    prefix: folder.path.isEmpty ? "" : folder.path + "/", isDeep: folder.isDeep,
                    chain: folder.path.isEmpty ? top : Chain(status.identity, above: top)))
        }
    }

    /// - Throws: `ManifestError.systemError` for a fault of the system: what a failing disk hides would be missing silently.
    mutating func run() throws(ManifestError) {
        while let folder = stack.popLast() { try read(folder) }
        for path in waiting.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            let folder = (MemberPath.stem(of: path) ?? path) + "/"
            do throws(ArchiveError) {
                add(try ArchiveListing(root + path, path: path, unpackedFolder: folder, source: source), path)
            } catch {
                if let fault = error.fault { try pass(fault, root + path) }
                add(error.cause == .unread ? .recordingsPassedOver : .archivesDamaged, path, error)
            }
        }
        // Transcripts are often in folders of their own.
        for path in loose {
            if stems.contains(xxh3(OtherFile.stem(of: path.lastName))) {
                unclaimed.append(UnclaimedFile(path: shownRoot + path, kind: .metadataUnread, source: source))
            } else {
                account.add(.othersSkipped, source: source, count: 1)
            }
        }
        loose = []
        unclaimed.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        recordings.sort { $0.precedes($1) }
    }

    private func pass(_ error: SystemError, _ path: String) throws(ManifestError) {
        if error.isFault { throw .systemError(path: path, operation: "read it", error.code) }
    }

    private mutating func read(_ folder: Folder) throws(ManifestError) {
        var listing: DirectoryListing
        do throws(SystemError) { listing = try DirectoryListing(root + folder.prefix) } catch {
            try pass(error, root + folder.prefix)
            return add(.foldersUnreadable, folder.prefix.isEmpty ? "." : folder.prefix, error)
        }
        var companions = Companions()
        defer {
            let (beside, others) = companions.divided
            unclaimed += beside.map {
                UnclaimedFile(path: shownRoot + folder.prefix + $0, kind: .metadataUnread, source: source)
            }
            loose += others.map { folder.prefix + $0 }
        }
        while true {
            let next: DirectoryListing.Name?
            do throws(SystemError) { next = try listing.next() } catch {
                try pass(error, root + folder.prefix)
                return add(.foldersUnreadable, folder.prefix.isEmpty ? "." : folder.prefix, error)
            }
            guard let name = next else { return }
            if name.text.utf8.first == Byte.dot { continue }
            if name.isValid {
                try take(name.text, in: folder, &companions)
            } else {
                add(.recordingsPassedOver, folder.prefix + name.text, "its name is not valid UTF-8")
            }
        }
    }

    /// The prefix of a file's path in messages.
    private var shownRoot: String { root == "./" ? "" : root }

    private mutating func take(_ name: String, in folder: Folder, _ companions: inout Companions) throws(ManifestError)
    {
        let path = folder.prefix + name
        let isRecording = FoundRecording.isRecording(name)
        if used.contains(path) {
            if isRecording { add(name, to: &companions) }
            return
        }
        guard let status = FileStatus(path: root + path) else {
            let error = SystemError.last
            try pass(error, root + path)
            // A broken or circular link. Only one named like a recording is worth a remark.
            if isRecording { add(.recordingsPassedOver, path, error) }
            return
        }
        switch status.kind {
        case .regular:
            if isRecording {
                recordings.append(FoundRecording(file: path))
                add(name, to: &companions)
            } else if looksIntoArchives, MemberPath.isArchive(name) {
                waiting.append(path)
            } else {
                let file = OtherFile(path)
                let kind = file.report(
                    named: path, looksIntoArchives: looksIntoArchives, source: source, to: &account)
                switch kind {
                case .tablesUnclaimed where OwnManifest.isOne(root + path):
                    account.add(.othersSkipped, source: source, count: 1)
                case .tablesUnclaimed:
                    unclaimed.append(UnclaimedFile(path: shownRoot + path, kind: .tablesUnclaimed, source: source))
                case .some: companions.add(name)
                case nil: break
                }
            }
        case .folder where isRecording:
            add(.recordingsPassedOver, path, "it is a folder")
        case .folder where !folder.isDeep: break
        case .folder:
            if folder.chain.contains(status.identity) {
                account.add(.linksCircular, source: source, quoted(path))
            } else {
                stack.append(Folder(prefix: path + "/", chain: Chain(status.identity, above: folder.chain)))
            }
        default: if isRecording { add(.recordingsPassedOver, path, "it is not a regular file") }
        }
    }

    private mutating func add(_ recording: String, to companions: inout Companions) {
        companions.add(recording: recording)
        _ = stems.insert(xxh3(OtherFile.stem(of: recording)))
    }

    private mutating func add(_ listing: ArchiveListing, _ path: String) {
        recordings += listing.recordings
        account.merge(listing.account)
        unclaimed += listing.unclaimed
        if !listing.recordings.isEmpty { archives.append(path) }
        if listing.isWebDataset { shards.append(path) }
    }

    private mutating func add(
        _ kind: Remark.Kind, _ path: String, _ reason: @autoclosure () -> some CustomStringConvertible
    ) {
        account.add(kind, source: source, "\(quoted(path)) (\(reason()))")
    }
}

/// A folder of a dataset that is searched for files.
package struct SearchedFolder: Sendable {
    /// Relative to the dataset's folder; empty: the folder itself.
    package let path: String
    /// Whether the folders below it are searched, too.
    package let isDeep: Bool

    package init(_ path: String, isDeep: Bool) { (self.path, self.isDeep) = (path, isDeep) }
}

/// Texts in one folder, which describe only a recording of the same name.
private struct Companions {
    private var texts: [String] = []
    private var recordings: [String] = []

    mutating func add(recording: String) { recordings.append(recording) }

    mutating func add(_ text: String) { texts.append(text) }

    /// Those that lie beside their recording, and the others.
    var divided: (beside: [String], others: [String]) {
        guard !texts.isEmpty else { return ([], []) }
        var named: [String: [String]] = [:]
        for text in texts { named[OtherFile.stem(of: text), default: []].append(text) }
        var beside: [String] = []
        for recording in recordings {
            for name in [recording, OtherFile.stem(of: recording)] { beside += named.removeValue(forKey: name) ?? [] }
        }
        return (beside, named.values.flatMap(\.self))
    }
}
