import Archives
import FeatureModel
import FileIO
import Platform

/// A walk through a folder and all folders below it, or through an archive, which collects the recordings.
///
/// It keeps its own stack, so that a deep tree needs no deep recursion.
struct FolderWalk {
    private struct Folder {
        /// Path relative to the top, with a slash at the end; empty at the top.
        let prefix: String
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

    /// The recordings, in the order of the bytes of their places.
    private(set) var recordings: [FoundRecording] = []
    /// Paths of the archives that recordings were found in, relative to the top, and of those that are WebDataset shards.
    private(set) var archives: [String] = []
    private(set) var shards: [String] = []
    /// What was passed over.
    private(set) var account = Account()
    private let root: String
    /// What the account calls the top.
    private let source: String
    private var stack: [Folder]
    /// Paths of the archives to list.
    private var waiting: [String] = []
    private let looksIntoArchives: Bool

    /// Starts at a folder or an archive, which has to be readable.
    init(root: String, looksIntoArchives: Bool = true) throws(ManifestError) {
        self.looksIntoArchives = looksIntoArchives
        source = root
        guard let status = FileStatus(path: root) else {
            throw errno == ENOENT ? .notFound(path: root) : .systemError(path: root, operation: "open it", errno)
        }
        guard status.isFolder else {
            guard status.isRegular, looksIntoArchives, MemberPath.isArchive(root) else { throw .notFolder(path: root) }
            (self.root, stack) = ("", [])
            do throws(ArchiveError) {
                add(try ArchiveListing(root, path: "", place: "", source: source), "")
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
        stack = [Folder(prefix: "", chain: Chain(status.identity, above: nil))]
    }

    /// - Throws: `ManifestError.systemError` for a fault of the system: what a failing disk hides would be missing without a word.
    mutating func run() throws(ManifestError) {
        while let folder = stack.popLast() { try read(folder) }
        for path in waiting.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            let place = (MemberPath.stem(of: path) ?? path) + "/"
            do throws(ArchiveError) {
                add(try ArchiveListing(root + path, path: path, place: place, source: source), path)
            } catch {
                if let fault = error.fault { try pass(fault, root + path) }
                add(.archivesDamaged, path, error)
            }
        }
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
        while true {
            let next: DirectoryListing.Name?
            do throws(SystemError) { next = try listing.next() } catch {
                try pass(error, root + folder.prefix)
                return add(.foldersUnreadable, folder.prefix.isEmpty ? "." : folder.prefix, error)
            }
            guard let name = next else { return }
            if name.text.utf8.first == Byte.dot { continue }
            if name.isValid {
                try take(name.text, in: folder)
            } else {
                add(.recordingsPassedOver, folder.prefix + name.text, "its name is not valid UTF-8")
            }
        }
    }

    private mutating func take(_ name: String, in folder: Folder) throws(ManifestError) {
        let path = folder.prefix + name
        let isRecording = FoundRecording.isRecording(name)
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
            } else if looksIntoArchives, MemberPath.isArchive(name) {
                waiting.append(path)
            } else {
                OtherFile.report(path, named: path, source: source, to: &account)
            }
        case .folder where isRecording:
            add(.recordingsPassedOver, path, "it is a folder")
        case .folder:
            if folder.chain.contains(status.identity) {
                account.add(.linksCircular, source: source, quoted(path))
            } else {
                stack.append(Folder(prefix: path + "/", chain: Chain(status.identity, above: folder.chain)))
            }
        default: if isRecording { add(.recordingsPassedOver, path, "it is not a regular file") }
        }
    }

    private mutating func add(_ listing: ArchiveListing, _ path: String) {
        recordings += listing.recordings
        account.merge(listing.account)
        if !listing.recordings.isEmpty { archives.append(path) }
        if listing.isShard { shards.append(path) }
    }

    private mutating func add(
        _ kind: Remark.Kind, _ path: String, _ reason: @autoclosure () -> some CustomStringConvertible
    ) {
        account.add(kind, source: source, "\(quoted(path)) (\(reason()))")
    }
}
