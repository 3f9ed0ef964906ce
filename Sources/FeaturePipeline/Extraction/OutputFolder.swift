import FeatureStorage
import Foundation

/// The folder that an output lies in.
enum OutputFolder {
    /// The path from the file system's root on.
    static func absolute(_ path: String) -> String { URL(filePath: path).standardizedFileURL.path }

    /// Where a file really lies whose name is a symbolic link, be it one to nothing yet: the file is to be replaced, not the
    /// link, and two runs by different names are on one output.
    static func destination(_ path: String) -> String {
        var path = path
        // As many as the system itself follows; it refuses more, and a circle, when the file is written.
        for _ in 0..<40 {
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
            let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
            path = next.hasPrefix("/") ? next : folder + next
        }
        return path
    }

    /// Makes sure, before hours of work, that the output can be written.
    ///
    /// - Throws: `ExtractionError.unwritableFolder`.
    static func check(_ output: String) throws(ExtractionError) {
        guard !output.isEmpty, !output.hasSuffix("/") else {
            throw .unusableName(path: output, reason: "expected the name of a file, found that of a folder")
        }
        // What is still a link after so many steps.
        if (try? FileManager.default.destinationOfSymbolicLink(atPath: output)) != nil {
            throw .unusableName(path: output, reason: "this symbolic link leads in a circle")
        }
        let folder = URL(filePath: output).deletingLastPathComponent().path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else {
            throw .unwritableFolder(path: folder, reason: "there is no such folder; make it first")
        }
        guard isFolder.boolValue else { throw .unwritableFolder(path: folder, reason: "it is not a folder") }
        if FileManager.default.fileExists(atPath: output, isDirectory: &isFolder), isFolder.boolValue {
            throw .unusableName(path: output, reason: "expected the name of a file, found a folder")
        }
        // Asking for permission is not enough: root may do anything, even on a file system that is read-only.
        let probe = output + ".probe-\(ProcessInfo.processInfo.processIdentifier)"
        let descriptor = open(probe, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else { throw .unwritableFolder(path: folder, reason: String(cString: strerror(errno))) }
        close(descriptor)
        unlink(probe)
    }
}
