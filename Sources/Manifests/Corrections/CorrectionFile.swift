import FeatureModel
import FileIO
import Platform

/// A file of corrections that was read: CSV with a header, a line for each correction, as `CorrectionLog` writes it. Programs and people
/// may write one, too: with columns in another order, without those that are not needed, with semicolons or tabs between fields.
package struct CorrectionFile: Sendable {
    package let path: String
    /// The corrections, in the order of their lines.
    package let lines: [NumberedCorrection]
    /// The numbers of the lines that are torn and say nothing.
    package let torn: [Int]
    /// SHA-256 of the file's bytes, hexadecimal.
    package let sha256: String

    /// Reads a file, which another program may be writing.
    ///
    /// - Throws: `CorrectionError`; where lines are wrong, all their problems at once.
    package init(path: String) throws(CorrectionError) {
        let bytes = try CorrectionBytes(path: path).all()
        var hash = SHA256Hash()
        bytes.withUnsafeBytes { hash.update($0) }
        try self.init(path: path, bytes, sha256: hash.finish())
    }

    /// Whether a file is of corrections, by the names of its columns.
    static func isOne(_ path: String) -> Bool {
        guard let columns = try? ManifestStart(ManifestInput(path: path)).columns else { return false }
        return CorrectionColumn.required.allSatisfy { columns.contains($0.rawValue) }
            && columns.allSatisfy { CorrectionColumn(rawValue: $0) != nil }
    }

    private init(path: String, _ bytes: [UInt8], sha256: String) throws(CorrectionError) {
        let text = try CorrectionTable.text(of: bytes, path: path)
        self.path = path
        self.sha256 = sha256
        torn = text.torn
        lines = try CorrectionTable(path: path, text.bytes).lines()
    }
}

/// The lines of a text of corrections, by the reader of manifests' tables.
struct CorrectionTable {
    private let path: String
    private let table: TableReader

    /// The complete lines of a whole file.
    ///
    /// - Throws: `CorrectionError.notCSV`, `.noHeader`.
    static func text(of bytes: [UInt8], path: String) throws(CorrectionError) -> CorrectionText {
        if bytes.starts(with: GzipBytes.signature) { throw .notCSV(path: path, found: "a file that gzip compressed") }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw .notCSV(path: path, found: "text in UTF-16")
        }
        let text = CorrectionText(bytes)
        guard text.bytes.contains(where: { $0 > Byte.space }) else { throw .noHeader(path: path) }
        return text
    }

    /// Reads the header.
    ///
    /// - Throws: `CorrectionError`.
    init(path: String, _ bytes: [UInt8]) throws(CorrectionError) {
        self.path = path
        do throws(ManifestError) {
            let kept = try KeptBytes(name: path)
            try kept.append(bytes)
            table = try TableReader(ManifestInput(name: path, kept: kept), quoting: .csv, isUTF8: true)
        } catch {
            throw .badTable(error)
        }
        guard !table.isJSON else { throw .notCSV(path: path, found: "JSON Lines") }
        for name in table.columns where CorrectionColumn(rawValue: name) == nil {
            throw .unknownColumn(path: path, name: name, nearest: nearestName(to: name, in: CorrectionColumn.names))
        }
        for column in CorrectionColumn.required where !table.columns.contains(column.rawValue) {
            throw .missingColumn(path: path, name: column.rawValue)
        }
    }

    /// The names of the header.
    var columns: [String] { table.columns }

    /// All lines.
    ///
    /// - Parameter shift: What is added to their numbers.
    /// - Throws: `CorrectionError.badLines`.
    func lines(shift: Int = 0) throws(CorrectionError) -> [NumberedCorrection] {
        var lines: [NumberedCorrection] = []
        var problems = ProblemList()
        do throws(ManifestError) {
            while try table.next() {
                let line = table.line + shift
                if let problem = table.problem {
                    problems.add(problem, line: line)
                    continue
                }
                do throws(Correction.Refusal) {
                    let correction = try Correction(hasDecimalComma: table.hasDecimalComma) { table[$0.rawValue] ?? "" }
                    lines.append(NumberedCorrection(line: line, correction))
                } catch {
                    problems.add(Note(error.text), line: line)
                }
            }
        } catch {
            throw .badTable(error)
        }
        guard problems.total == 0 else {
            throw .badLines(path: path, problems: problems.sorted, total: problems.total)
        }
        return lines
    }
}
