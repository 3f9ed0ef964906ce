import Foundation
import Plotting

/// The file that a page is to become.
package enum PageFile {
    /// What every page has near its beginning, and by which it is known.
    static let mark = "<meta name=\"generator\" content=\"veery "
    private static let searched = 1024

    /// Whether nothing of worth stands under this name: nothing at all, an empty file, or an older page.
    ///
    /// - Throws: `ReportError.foreignFile`, or `.file` where it cannot be looked at.
    package static func check(_ path: String) throws(ReportError) {
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
            try WholeFile.write(bytes, to: path)
        } catch {
            if case .file(let path, let operation, let reason) = error {
                throw .file(path: path, operation: operation, reason: reason)
            }
            throw .file(path: path, operation: "writing it", reason: "\(error)")
        }
    }
}
