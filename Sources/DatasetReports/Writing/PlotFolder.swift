import Essentials
import FileIO
import Platform
import Presentation

/// Figures and pictures as files: an SVG for each figure, a PNG for each small picture, and a table of all of them.
package enum PlotFolder {
    /// The table, which identifies a folder of figures.
    static let index = "index.csv"
    static let header = "file,figure,label,clip,distance"

    /// Checks that the folder is new, empty, or contains only what veery wrote.
    ///
    /// - Returns: The names of its files, which may be deleted.
    @discardableResult
    package static func check(_ folder: String) throws(ReportError) -> [String] {
        guard let status = FileStatus(path: folder) else { return [] }
        guard status.isFolder, let names = try? FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        else {
            throw .foreignFolder(path: folder, found: URL(filePath: folder).lastPathComponent)
        }
        // Left by a run that was killed while writing.
        let partial = names.filter(AtomicFile.isLeftover)
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

    /// Writes all figures, each file whole or not at all, after deleting those of an earlier run.
    ///
    /// - Returns: The paths of what was written, the table first, then in its order.
    package static func write(_ report: DatasetReport, to folder: String) throws(ReportError) -> [String] {
        let old = try check(folder)
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for name in old where name != index { try FileManager.default.removeItem(atPath: folder + "/" + name) }
        } catch {
            throw .file(
                path: folder, operation: "preparing the folder", error: SystemError(code: error.systemCode ?? EIO))
        }
        let files = files(report)
        let table = header + "\n" + files.map(\.row).joined()
        // First, so that an incomplete folder is recognised.
        try PageFile.replace(folder + "/" + index, with: Array(table.utf8))
        for file in files { try PageFile.replace(folder + "/" + file.name, with: file.bytes) }
        return ([index] + files.map(\.name)).map { folder + "/" + $0 }
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
