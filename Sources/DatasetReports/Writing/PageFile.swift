import Essentials
import FileIO
import Platform
import Plotting

package enum PageFile {
    static let mark = "<meta name=\"generator\" content=\"veery "
    private static let searched = 1024

    /// Checks that a page can be written: there is no file of that name, an empty one, or an older page.
    ///
    /// - Throws: `ReportError.foreignFile`, or `.file` if the folder is missing.
    package static func check(_ path: String) throws(ReportError) {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw .file(
                path: path, operation: "looking for a folder to write it into",
                error: SystemError(code: FileManager.default.fileExists(atPath: folder) ? EACCES : ENOENT))
        }
        guard FileManager.default.fileExists(atPath: path) else { return }
        // A folder opens, but cannot be read.
        guard let start = try? SharedFile(path: path).bytes(at: 0, searched),
            start.isEmpty || String(decoding: start, as: UTF8.self).contains(mark)
        else { throw .foreignFile(path: path) }
    }

    /// Writes a page whole or not at all; replaces an older one.
    package static func write(_ page: String, to path: String) throws(ReportError) {
        try check(path)
        try replace(path, with: Array(page.utf8))
    }

    static func replace(_ path: String, with bytes: [UInt8]) throws(ReportError) {
        do throws(PlotError) {
            try PictureFile(bytes: bytes).write(to: path)
        } catch {
            throw .unwritten(path: path, error)
        }
    }
}
