import Foundation

/// A walk through a folder and all folders below it, which collects the recordings.
///
/// It keeps its own stack, so that a deep tree needs no deep recursion.
struct FolderWalk {
    /// A folder to be read.
    private struct Folder {
        /// Path relative to the top, with a slash at the end; empty at the top.
        let prefix: String
        /// Device and inode of the folder and of those above it.
        let chain: Chain
    }

    /// A folder's identity, and that of the one above it.
    private final class Chain {
        let device: UInt64
        let inode: UInt64
        let above: Chain?

        init(_ status: stat, above: Chain?) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            inode = UInt64(truncatingIfNeeded: status.st_ino)
            self.above = above
        }

        func contains(_ status: stat) -> Bool {
            var link: Chain? = self
            while let folder = link {
                let sameDevice = folder.device == UInt64(truncatingIfNeeded: status.st_dev)
                if sameDevice, folder.inode == UInt64(truncatingIfNeeded: status.st_ino) { return true }
                link = folder.above
            }
            return false
        }
    }

    /// The recordings' paths relative to the top, in the order of their bytes.
    private(set) var files: [String] = []
    /// What was passed over, in words, in the order of the paths.
    private(set) var warnings: [String] = []
    /// Regular files that are no recordings by their extension.
    private(set) var skipped = 0
    private let root: String
    private var stack: [Folder]

    /// Starts at a folder, which has to be readable.
    init(root: String) throws(ManifestError) {
        var status = stat()
        guard stat(root, &status) == 0 else {
            throw errno == ENOENT ? .notFound(path: root) : .systemError(path: root, operation: "open it", errno)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .notFolder(path: root) }
        guard let handle = opendir(root) else { throw .systemError(path: root, operation: "open it", errno) }
        closedir(handle)
        self.root = root.hasSuffix("/") ? root : root + "/"
        stack = [Folder(prefix: "", chain: Chain(status, above: nil))]
    }

    /// Walks.
    mutating func run() {
        while let folder = stack.popLast() { read(folder) }
        files.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        warnings.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private mutating func read(_ folder: Folder) {
        guard let handle = opendir(root + folder.prefix) else {
            warn(folder.prefix, "the folder cannot be read: \(String(cString: strerror(errno)))")
            return
        }
        defer { closedir(handle) }
        while true {
            errno = 0
            guard let entry = readdir(handle) else {
                if errno != 0 {
                    warn(folder.prefix, "the folder was not read to its end: \(String(cString: strerror(errno)))")
                }
                return
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: Int(entry.pointee.d_reclen)) {
                    (valid: String(validatingCString: $0), repaired: String(cString: $0))
                }
            }
            guard name.repaired.utf8.first != Byte.dot else { continue }
            guard let valid = name.valid else {
                warn(folder.prefix + name.repaired, "passed over: its name is not valid UTF-8")
                continue
            }
            take(valid, in: folder)
        }
    }

    private mutating func take(_ name: String, in folder: Folder) {
        let path = folder.prefix + name
        let isRecording = Self.isRecording(name)
        var status = stat()
        guard stat(root + path, &status) == 0 else {
            // A link that leads nowhere or to itself; of other names, nobody misses it.
            if isRecording { warn(path, "passed over: \(String(cString: strerror(errno)))") }
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            if isRecording { files.append(path) } else { skipped += 1 }
        case S_IFDIR where isRecording:
            warn(path, "passed over: it is named like a recording and is a folder")
        case S_IFDIR:
            if folder.chain.contains(status) {
                warn(path, "passed over: the link leads to a folder above it")
            } else {
                stack.append(Folder(prefix: path + "/", chain: Chain(status, above: folder.chain)))
            }
        default:
            if isRecording { warn(path, "passed over: it is not a regular file") }
        }
    }

    private static func isRecording(_ name: String) -> Bool {
        guard let dot = name.utf8.lastIndex(of: Byte.dot) else { return false }
        return DirectoryCrawler.extensions.contains(name[name.utf8.index(after: dot)...].lowercased())
    }

    private mutating func warn(_ path: String, _ text: String) { warnings.append("\(quoted(path)): \(text)") }
}
