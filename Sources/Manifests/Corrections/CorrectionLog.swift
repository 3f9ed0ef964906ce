import FileIO
import Platform

/// A file of corrections that lines are appended to, by any number of programs at once.
///
/// What `append` returns from is on the disk. A call that fails takes back what it has written; if the program is killed meanwhile, the
/// last line may be torn, and is ended, as one that says nothing, before the next is written. Used by one thread at a time.
package struct CorrectionLog: ~Copyable, Sendable {
    /// Lines that were read since the last time.
    package struct News: Sendable {
        /// The lines in their order.
        package let lines: [NumberedCorrection]
        /// Whether they are all lines of the file: it was read for the first time, or is another one now. Otherwise they follow those
        /// that were read before.
        package let areAll: Bool
        /// The numbers of lines among them that are torn and say nothing.
        package let torn: [Int]
    }

    package let path: String
    private var file: CorrectionBytes
    private var header: CorrectionHeader
    /// How many bytes have been read, which are whole lines, and the number of the line after them.
    private var (offset, nextLine) = (0, 1)
    /// The last of the bytes that have been read, which show whether the file is still the one that they were read of.
    private var tail: [UInt8] = []
    private static let tailSize = 4096
    /// How often lines are written again where the file was replaced meanwhile.
    private static let attempts = 20

    /// Opens a file, or makes one with a header and no lines.
    ///
    /// - Throws: `CorrectionError`; `.otherForm` if the file cannot be continued.
    package init(path: String) throws(CorrectionError) {
        let file = try Self.open(path)
        let header = try CorrectionHeader(of: file)
        (self.path, self.file, self.header) = (path, file, header)
    }

    /// Appends corrections by one write, and waits until they are on the disk.
    ///
    /// - Throws: `CorrectionError`: `.unwritable` for a value with a line end, or one that marks torn lines; `.system` where the system
    ///   refuses. Then the file is as it was before.
    package mutating func append(_ corrections: [Correction]) throws(CorrectionError) {
        guard !corrections.isEmpty else { return }
        if let correction = corrections.first(where: { !Self.isWritable($0) }) { throw .unwritable(id: correction.id) }
        for _ in 0..<Self.attempts {
            if !file.isInPlace { try reopen() }
            let lines = corrections.flatMap { header.line($0) }
            let isWritten = try file.locked(LOCK_EX) { () throws(CorrectionError) in
                guard let last = try unread() else { return false }
                try file.append(CorrectionText.ending(of: last) + lines)
                return true
            }
            if isWritten, file.isInPlace { return }
            // An editor has written another text, or given the name to another file: a copy that has the lines, or one without them.
            let count = isWritten ? try file.all().occurrences(of: lines) : 0
            try reopen()
            if isWritten, try file.all().occurrences(of: lines) >= count { return }
        }
        throw .system(path: path, operation: "write it", SystemError(code: ESTALE))
    }

    /// Reads the lines that were written since the last time, by this program or another.
    ///
    /// - Throws: `CorrectionError`; the next call reads the same lines then.
    package mutating func news() throws(CorrectionError) -> News {
        if !file.isInPlace { try reopen() }
        var found = try file.locked(LOCK_SH) { () throws(CorrectionError) in try unread() }
        if found == nil {
            try reopen()
            found = try file.locked(LOCK_SH) { () throws(CorrectionError) in try unread() }
        }
        let areAll = offset == 0
        let text = CorrectionText(found ?? [], firstLine: nextLine)
        let table = try CorrectionTable(path: path, areAll ? text.bytes : header.bytes + text.bytes)
        let lines = try table.lines(shift: areAll ? 0 : nextLine - 1 - header.lineCount)
        tail = Array((tail + (found ?? []).prefix(text.byteCount)).suffix(Self.tailSize))
        (offset, nextLine) = (offset + text.byteCount, text.nextLine)
        return News(lines: lines, areAll: areAll, torn: text.torn)
    }

    /// The bytes that have not been read; nil: the file is not the one that the others were read of.
    private func unread() throws(CorrectionError) -> [UInt8]? {
        let found = try file.bytes(from: offset - tail.count)
        if offset == 0 { return found.starts(with: header.bytes) ? found : nil }
        return found.starts(with: tail) ? Array(found.dropFirst(tail.count)) : nil
    }

    /// Fields of one line each can be told from those of a torn line.
    private static func isWritable(_ correction: Correction) -> Bool {
        !correction.id.isEmpty
            && CorrectionColumn.allCases.allSatisfy { column in
                let value = column.value(correction).utf8
                return !value.elementsEqual(CorrectionText.mark.utf8)
                    && value.allSatisfy { $0 != Byte.lineFeed && $0 != Byte.carriageReturn && $0 != 0 }
            }
    }

    // MARK: - The file

    private mutating func reopen() throws(CorrectionError) {
        file = try Self.open(path)
        header = try CorrectionHeader(of: file)
        (offset, nextLine, tail) = (0, 1, [])
    }

    private static func open(_ path: String) throws(CorrectionError) -> CorrectionBytes {
        if FileStatus(path: path, followingLink: false) == nil {
            do throws(AtomicFileError) {
                let file = try AtomicFile(path: path, replacing: .nothing)
                try file.write(ManifestWriter.csv(CorrectionColumn.names))
                try file.synchronize()
                try file.commit()
                try synchronize(Folder.containing(path))
            } catch {
                // Another program may have made it.
                switch error {
                case .exists, .notRegular: break
                default: throw .system(path: path, operation: "create it", error.system ?? SystemError(code: EIO))
                }
            }
        }
        return try CorrectionBytes(path: path, isWritten: true)
    }

    private static func synchronize(_ folder: String) throws(AtomicFileError) {
        do throws(SystemError) { try Folder.synchronize(folder) } catch { throw .synchronizing(error) }
    }
}

/// The header of a file that lines are appended to.
private struct CorrectionHeader {
    /// Its lines: comments, and the names of the columns.
    let bytes: [UInt8]
    let lineCount: Int
    /// The columns in the file's order.
    private let columns: [CorrectionColumn]

    /// - Throws: `CorrectionError`; `.otherForm` unless it has all columns that the program writes, between commas.
    init(of file: CorrectionBytes) throws(CorrectionError) {
        let path = file.file.path
        let text = try CorrectionTable.text(of: file.all(), path: path)
        var (end, count) = (0, 0)
        for line in text.bytes.split(separator: Byte.lineFeed, omittingEmptySubsequences: false) {
            (end, count) = (end + line.count + 1, count + 1)
            if line.contains(where: { $0 > Byte.space }), line.first != UInt8(ascii: "#") { break }
        }
        let bytes = Array(text.bytes.prefix(end))
        let columns = try CorrectionTable(path: path, bytes).columns.compactMap(CorrectionColumn.init)
        guard columns.count == CorrectionColumn.allCases.count, bytes.contains(Byte.comma) else {
            throw .otherForm(path: path)
        }
        (self.bytes, lineCount, self.columns) = (bytes, count, columns)
    }

    /// The line of a correction.
    func line(_ correction: Correction) -> [UInt8] { ManifestWriter.csv(columns.map { $0.value(correction) }) }
}

extension [UInt8] {
    /// How often some bytes are among these, from line to line.
    fileprivate func occurrences(of part: [UInt8]) -> Int {
        guard let first = part.first, count >= part.count else { return 0 }
        var (found, start) = (0, 0)
        while start + part.count <= count {
            if self[start] == first, self[start..<start + part.count].elementsEqual(part) {
                found += 1
                start += part.count
            } else {
                start = self[start...].firstIndex(of: Byte.lineFeed).map { $0 + 1 } ?? count
            }
        }
        return found
    }
}
