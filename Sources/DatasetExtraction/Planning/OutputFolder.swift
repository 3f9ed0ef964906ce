import Essentials
import FeatureStorage
import FileIO
import Platform

/// The folder that an output lies in.
package enum OutputFolder {
    /// The path from the file system's root on, without links but in its last part.
    package static func absolute(_ path: String) -> String {
        let path = path.hasSuffix("/") && path != "/" ? String(path.dropLast()) : path
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard let parent = RelativeFolder.resolved(folder) else {
            return URL(filePath: path).standardizedFileURL.path
        }
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        return parent == "/" ? "/" + name : parent + "/" + name
    }

    /// The path that a symbolic link leads to, even if nothing is there yet: the file is replaced, not the link, and two runs
    /// that are given different names of one file have one output.
    package static func destination(_ path: String) -> String {
        var path = path
        // As many links as the system itself follows; `check` refuses more, and cycles.
        for _ in 0..<40 {
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
            let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
            path = next.hasPrefix("/") ? next : folder + next
        }
        return path
    }

    /// Makes sure, before hours of work, that the output can be written.
    ///
    /// - Parameter tries: Whether to create and delete a file there, to be sure.
    /// - Throws: `ExtractionError.unwritableFolder`, `.unusableName`.
    package static func check(_ output: String, tries: Bool = true) throws(ExtractionError) {
        guard !output.isEmpty, !output.hasSuffix("/") else {
            throw .unusableName(path: output, reason: "expected the name of a file, found that of a folder")
        }
        // Still a link after as many steps as the system follows.
        if (try? FileManager.default.destinationOfSymbolicLink(atPath: output)) != nil {
            throw .unusableName(path: output, reason: Self.cycle)
        }
        let parent = Folder.containing(output)
        let here = FileManager.default.currentDirectoryPath
        let folder = parent.hasPrefix("/") ? parent : parent == "." ? here : here + "/" + parent
        guard let status = FileStatus(path: folder) else {
            if let link = DeadLink(folder) { throw .unusableName(path: parent, reason: Self.words(link)) }
            throw .unwritableFolder(path: folder, reason: "there is no such folder; create it first")
        }
        guard status.isFolder else { throw .unwritableFolder(path: folder, reason: "it is not a folder") }
        if FileStatus(path: output)?.isFolder == true {
            throw .unusableName(path: output, reason: "expected the name of a file, found a folder")
        }
        try checkFolders(of: output)
        guard tries else {
            guard access(folder, W_OK) == 0 else { throw unwritable(folder, errno) }
            return
        }
        // `access` is not enough: it allows root everything, even on a read-only file system.
        // Always of the same name, so that the next run removes what a killed one has left.
        let probe = output + ".probe"
        let descriptor = open(probe, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        if descriptor >= 0 {
            close(descriptor)
        } else {
            var status = stat()
            guard errno == EEXIST else { throw unwritable(folder, errno) }
            // A file that is not empty may be the user's.
            guard lstat(probe, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 else { return }
        }
        guard unlink(probe) == 0 || errno == ENOENT else { throw unwritable(folder, errno) }
    }

    /// Where finished clips of an output are kept until it is complete.
    package static func spool(of output: String) -> String { output + ".spool" }

    /// Makes sure that what has the names of an output's folders for finished clips is a folder, or a link to one.
    ///
    /// - Throws: `ExtractionError.unusableName`.
    package static func checkFolders(of output: String) throws(ExtractionError) {
        for folder in [spool(of: output), ShardFolders(output: output).path] {
            if let link = DeadLink(folder) { throw .unusableName(path: folder, reason: words(link)) }
            guard let status = FileStatus(path: folder), !status.isFolder else { continue }
            throw .unusableName(
                path: folder,
                reason:
                    "expected a folder for finished clips, or nothing, found a file: move it away, or choose another output"
            )
        }
    }

    private static let cycle = "this symbolic link is part of a cycle"

    private static func words(_ link: DeadLink) -> String {
        switch link {
        case .missing(let target):
            "this symbolic link leads to \(target), which is missing: bring it back (is a disk not mounted?), or delete the link"
        case .cycle: cycle
        }
    }

    private static func unwritable(_ folder: String, _ code: Int32) -> ExtractionError {
        .unwritableFolder(path: folder, reason: "\(SystemError(code: code))", code: code)
    }
}
