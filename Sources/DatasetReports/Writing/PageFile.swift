import Foundation
import Plotting

/// The file that a page is to become.
package enum PageFile {
    static let mark = "<meta name=\"generator\" content=\"veery "
    private static let searched = 1024

    /// Whether a page can be written under this name, and nothing of worth stands there: nothing at all, an empty file, or
    /// an older page.
    ///
    /// - Throws: `ReportError.foreignFile`, or `.file` where there is no folder for it.
    package static func check(_ path: String) throws(ReportError) {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw .file(
                path: path, operation: "looking for a folder to write it into",
                reason: FileManager.default.fileExists(atPath: folder)
                    ? "Permission denied" : "No such file or directory")
        }
        guard FileManager.default.fileExists(atPath: path) else { return }
        // A folder opens, but cannot be read.
        guard let file = FileHandle(forReadingAtPath: path) else { throw .foreignFile(path: path) }
        defer { try? file.close() }
        let begin: Data
        do {
            begin = try file.read(upToCount: searched) ?? Data()
        } catch {
            throw .foreignFile(path: path)
        }
        guard begin.isEmpty || String(decoding: begin, as: UTF8.self).contains(mark) else {
            throw .foreignFile(path: path)
        }
    }

    /// Writes a page whole or not at all, in place of an older one.
    ///
    /// - Throws: `ReportError`.
    package static func write(_ page: String, to path: String) throws(ReportError) {
        try check(path)
        try replace(path, with: Array(page.utf8))
    }

    static func replace(_ path: String, with bytes: [UInt8]) throws(ReportError) {
        do throws(PlotError) {
            try PictureFile(bytes: bytes).write(to: path)
        } catch {
            if case .file(let path, let operation, let reason) = error {
                throw .file(path: path, operation: operation, reason: reason)
            }
            throw .file(path: path, operation: "writing it", reason: "\(error)")
        }
    }
}
