import Essentials
import FileIO
import Platform
import Plotting
import Presentation

/// Figures and pictures as files: an SVG for each figure, a PNG for each small picture, and a table of all of them.
package enum PlotFolder {
    /// The table, which identifies a folder of figures.
    static let index = "index.csv"
    static let header = "file,figure,label,clip,distance"
    /// The start of the name of the folder that holds new figures until all are written.
    private static let preparation = ".veery-figures"
    /// In that folder, the table to use while older figures are being replaced by newer ones.
    private static let between = "between.csv"

    /// Checks that the folder is new, empty, or contains only what veery wrote.
    ///
    /// - Returns: The names of its files, which may be deleted.
    @discardableResult
    package static func check(_ folder: String) throws(ReportError) -> [String] {
        guard let status = FileStatus(path: folder) else { return [] }
        guard status.isFolder else {
            throw .foreignFolder(path: folder, found: URL(filePath: folder).lastPathComponent)
        }
        let names: [String]
        let table: [UInt8]
        // Left by a run that was killed while writing.
        let partial: [String]
        do throws(SystemError) {
            names = try DirectoryListing.names(in: folder).sorted()
            partial = names.filter { AtomicFile.isLeftover($0) || $0.hasPrefix(preparation) }
            guard names.count > partial.count else { return partial }
            let isThere = FileStatus(path: folder + "/" + index)?.isRegular == true
            table = isThere ? try SharedFile.contents(of: folder + "/" + index) : []
        } catch {
            throw .file(path: folder, operation: "looking whether it holds figures", error: error)
        }
        let lines = String(decoding: table, as: UTF8.self).split(separator: "\n").map(String.init)
        guard lines.first == header else {
            throw .foreignFolder(path: folder, found: names.first { !partial.contains($0) } ?? index)
        }
        let known = Set(lines.dropFirst().map { String($0.prefix { $0 != "," }) } + [index] + partial)
        if let foreign = names.first(where: { !known.contains($0) }) {
            throw .foreignFolder(path: folder, found: foreign)
        }
        return names
    }

    /// Writes all figures, each file whole or not at all. Those of an earlier run are not touched until all are written.
    ///
    /// - Returns: The paths of what was written, the table first, then in its order.
    package static func write(_ report: DatasetReport, to folder: String) throws(ReportError) -> [String] {
        let old = try check(folder)
        do throws(SystemError) {
            try Folder.make(folder)
        } catch {
            throw .file(path: folder, operation: "preparing the folder", error: error)
        }
        let figures = files(report)
        let table = header + "\n" + figures.map(\.row).joined()
        let names = [index] + figures.map(\.name)
        let stale = old.filter { !names.contains($0) }
        // Deleted at the end with what is left in it.
        let new: AtomicFolder
        do throws(AtomicFileError) { new = try AtomicFolder(path: "\(folder)/\(preparation)") } catch {
            throw .unwritten(path: folder, PlotError(error, path: folder, byteCount: 0))
        }
        func write(_ bytes: [UInt8], _ name: String, as final: String) throws(ReportError) {
            let path = "\(folder)/\(final)"
            do throws(AtomicFileError) { try AtomicFile.write(bytes, to: "\(new.temporaryPath)/\(name)") } catch {
                throw .unwritten(path: path, PlotError(error, path: path, byteCount: bytes.count))
            }
        }
        func place(_ name: String, as final: String) throws(ReportError) {
            let path = "\(folder)/\(final)"
            do throws(SystemError) { try AtomicFile.rename("\(new.temporaryPath)/\(name)", to: path) } catch {
                throw .file(path: path, operation: "giving the finished file its name", error: error)
            }
        }
        try write(Array(table.utf8), index, as: index)
        // Names both the old and the new files, so that the folder is recognised whenever the program is killed.
        try write(Array((table + stale.map { $0 + ",,,,\n" }.joined()).utf8), between, as: index)
        for figure in figures { try write(figure.bytes, figure.name, as: figure.name) }
        try place(between, as: index)
        for figure in figures { try place(figure.name, as: figure.name) }
        for name in stale {
            do throws(SystemError) { try delete("\(folder)/\(name)") } catch {
                throw .file(path: "\(folder)/\(name)", operation: "deleting it", error: error)
            }
        }
        try place(index, as: index)
        return names.map { "\(folder)/\($0)" }
    }

    /// Deletes a file, or the folder of a run that was killed before its figures had their names.
    private static func delete(_ path: String) throws(SystemError) {
        // The folder of a run on this machine has been deleted already.
        guard let status = FileStatus(path: path, followingLink: false) else { return }
        guard status.isFolder else {
            guard unlink(path) == 0 else { throw .last }
            return
        }
        for name in try DirectoryListing.names(in: path) { unlink("\(path)/\(name)") }
        guard rmdir(path) == 0 else { throw .last }
    }

    private static func files(_ report: DatasetReport) -> [(name: String, bytes: [UInt8], row: String)] {
        var files = report.figures.map { figure in
            let name = figure.id + ".svg"
            return (name: name, bytes: Array(figure.file.utf8), row: row([name, figure.title, "", "", ""]))
        }
        for (number, group) in report.thumbnails.groups.enumerated() {
            var counts: [LabelThumbnails.Kind: Int] = [:]
            for tile in group.tiles {
                counts[tile.kind, default: 0] += 1
                let suffix = tile.kind == .mean ? "" : "-\(counts[tile.kind] ?? 0)"
                let name = "label-\(number.padded(to: 3))-\(tile.kind.rawValue)\(suffix).png"
                let clip = tile.clipIndex.flatMap { report.clips[$0]?.id } ?? ""
                let distance = tile.clipIndex == nil ? "" : tile.distance.significant(6)
                let row = row([name, tile.kind.rawValue, group.selection.label, clip, distance])
                files.append((name, tile.png, row))
            }
        }
        return files
    }

    /// A row of CSV, with names as on the page: without line breaks.
    private static func row(_ cells: [String]) -> String {
        cells.map { cell in
            let text = cell.visible
            return text.contains { "\",".contains($0) }
                ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
        }.joined(separator: ",") + "\n"
    }
}

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
