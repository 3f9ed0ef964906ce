import ArgumentParser
import Foundation
import Plotting

struct PictureOutput {
    let path: String
    let format: PictureFormat

    /// Checks the name, and that there is no file of that name, an empty one, or a picture of the same kind: a mistyped name must
    /// not overwrite a recording.
    ///
    /// - Throws: `ValidationError` for the name, `PictureError` for an existing file.
    init(path: String) throws {
        guard let format = PictureFormat(path: path) else {
            throw ValidationError("\(path): pictures are PNG, SVG or PDF: give a name that ends in .png, .svg or .pdf.")
        }
        guard Self.isReplaceable(path, format) else {
            throw PictureError(
                path: path, reason: "the file exists and is no \(format.name) picture, so it is not replaced")
        }
        self.path = path
        self.format = format
    }

    private static func isReplaceable(_ path: String, _ format: PictureFormat) -> Bool {
        guard FileManager.default.fileExists(atPath: path) else { return true }
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        // A folder opens, but cannot be read.
        let begin: Data
        do { begin = try file.read(upToCount: 1024) ?? Data() } catch { return false }
        switch format {
        case .png: return begin.isEmpty || begin.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        case .pdf: return begin.isEmpty || begin.starts(with: Data("%PDF-".utf8))
        case .svg: return begin.isEmpty || String(decoding: begin, as: UTF8.self).contains("<svg")
        }
    }
}
