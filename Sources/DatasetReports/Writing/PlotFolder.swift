import FileIO
import Foundation
import Presentation

/// Figures and pictures as files: an SVG for each figure, a PNG for each small picture, and a table of all of them.
package enum PlotFolder {
    /// The table, which identifies a folder of figures.
    static let index = "index.csv"
    static let header = "file,figure,label,clip,distance"
    /// How the name of the folder starts that new figures are in until all are written.
    private static let preparation = ".veery-figures"

    /// Checks that the folder is new, empty, or contains only what veery wrote.
    ///
    /// - Returns: The names of its files, which may be deleted.
    @discardableResult
    package static func check(_ folder: String) throws(ReportError) -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else { return [] }
        guard isFolder.boolValue, let names = try? FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        else {
            throw .foreignFolder(path: folder, found: URL(filePath: folder).lastPathComponent)
        }
        // Left by a run that was killed while writing.
        let partial = names.filter { AtomicFile.isLeftover($0) || $0.hasPrefix(preparation) }
        guard names.count > partial.count else { return partial }
        let table = (try? String(contentsOfFile: folder + "/" + index, encoding: .utf8)) ?? ""
        let lines = table.split(separator: "\n").map(String.init)
        guard lines.first == header else {
            throw .foreignFolder(path: folder, found: names.first { !partial.contains($0) } ?? index)
        }
        let known = Set(lines.dropFirst().map { String($0.prefix { $0 != "," }) } + [index] + partial)
        if let foreign = names.first(where: { !known.contains($0) }) {
            throw .foreignFolder(path: folder, found: foreign)
        }
        return names
    }

    /// Writes all figures, each file whole or not at all. Those of an earlier run stay as they are until all are written.
    ///
    /// - Returns: The paths of what was written, the table first, then in its order.
    package static func write(_ report: DatasetReport, to folder: String) throws(ReportError) -> [String] {
        let old = try check(folder)
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            throw .file(
                path: folder, operation: "preparing the folder",
                error: SystemError(code: Int32(cause?.code ?? Int(EIO))))
        }
        let figures = files(report)
        let table = header + "\n" + figures.map(\.row).joined()
        let files = [(name: index, bytes: Array(table.utf8))] + figures.map { (name: $0.name, bytes: $0.bytes) }
        // Deleted with what is left in it, unless a file is not taken out of it.
        let new: AtomicFolder
        do throws(AtomicFileError) { new = try AtomicFolder(path: "\(folder)/\(preparation)") } catch {
            throw .unwritten(path: folder, PlotError(error, path: folder, byteCount: 0))
        }
        for file in files { try PageFile.replace("\(new.temporaryPath)/\(file.name)", with: file.bytes) }
        // What the new table does not name goes before that table comes, so that every table names all files: by that, a folder
        // of figures is recognised, whenever the program is killed.
        let names = Set(files.map(\.name))
        for name in old where !names.contains(name) { try delete("\(folder)/\(name)") }
        for file in files {
            do throws(SystemError) {
                try AtomicFile.rename("\(new.temporaryPath)/\(file.name)", to: "\(folder)/\(file.name)")
            } catch {
                throw .file(path: "\(folder)/\(file.name)", operation: "giving the finished file its name", error: error)
            }
        }
        return files.map { "\(folder)/\($0.name)" }
    }

    /// Deletes a file, or a folder that a run was killed in while it wrote new figures.
    private static func delete(_ path: String) throws(ReportError) {
        do { try FileManager.default.removeItem(atPath: path) } catch {
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            throw .file(
                path: path, operation: "deleting it", error: SystemError(code: Int32(cause?.code ?? Int(EIO))))
        }
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
                ? "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\"" : text
        }.joined(separator: ",") + "\n"
    }
}
