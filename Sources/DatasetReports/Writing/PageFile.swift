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
        guard access(Folder.containing(path), W_OK) == 0 else {
            throw .file(path: path, operation: "looking for a folder to write it into", error: .last)
        }
        guard let status = FileStatus(path: path) else { return }
        guard status.isRegular else { throw .foreignFile(path: path) }
        let start: [UInt8]
        do throws(SystemError) { start = try SharedFile.contents(of: path, maximum: searched) } catch {
            throw .file(path: path, operation: "looking whether it is a page", error: error)
        }
        guard start.isEmpty || String(decoding: start, as: UTF8.self).contains(mark) else {
            throw .foreignFile(path: path)
        }
    }

    /// Writes a page whole or not at all; replaces an older one.
    package static func write(_ page: String, to path: String) throws(ReportError) {
        try check(path)
        do throws(PlotError) {
            try PictureFile(bytes: Array(page.utf8)).write(to: path)
        } catch {
            throw .unwritten(path: path, error)
        }
    }
}
