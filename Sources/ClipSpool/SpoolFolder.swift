import FileIO
import Platform

/// The names of the files in a spool's folder, and what is read of them by name.
enum SpoolFolder {
    static let fileInProgressName = "features.h5"
    static let rowsName = "rows"
    static let lockName = "lock"

    /// Path of the file of `InPlaceRows`.
    static func rowsPath(_ folder: String) -> String { "\(folder)/\(rowsName)" }

    /// Path of a file of clips.
    static func filePath(_ folder: String, number: Int) -> String { "\(folder)/clips-\(number).spool" }

    /// Path of the summary of a file of clips.
    static func summaryPath(_ folder: String, number: Int) -> String { "\(folder)/clips-\(number).summary" }

    /// Whether a run gives files this name, apart from the lock.
    static func isOwn(_ name: String) -> Bool {
        SpoolNote(rawValue: name) != nil || [fileInProgressName, rowsName].contains(name)
            || number(of: name) != nil || summaryNumber(of: name) != nil || AtomicFile.isLeftover(name)
    }

    /// The number in the name of a file of clips; nil: it is no such file.
    static func number(of name: String) -> Int? { fileNumber(name, ".spool") }

    /// The number in the name of the summary of a file of clips; nil: it is no such file.
    static func summaryNumber(of name: String) -> Int? { fileNumber(name, ".summary") }

    private static func fileNumber(_ name: String, _ suffix: String) -> Int? {
        guard name.hasPrefix("clips-"), name.hasSuffix(suffix) else { return nil }
        // A name that a run would not give is not ours, even if it holds a number: `clips--1.spool`, `clips-007.spool`.
        guard let number = Int(name.dropFirst(6).dropLast(suffix.utf8.count)), SpoolPosition.ownFiles.contains(number),
            name == "clips-\(number)\(suffix)"
        else { return nil }
        return number
    }

    /// The names of all files in a folder.
    ///
    /// - Throws: `StorageError.system`.
    static func names(_ folder: String) throws(StorageError) -> [String] {
        do throws(SystemError) { return try DirectoryListing.names(in: folder) } catch {
            throw .system(operation: "listing the folder of finished clips", path: folder, code: error.code)
        }
    }

    /// Whether one of some files in a folder has clips, or parts of clips.
    static func hasClips(_ folder: String, _ names: [String]) -> Bool {
        names.contains { name in
            number(of: name) != nil && FileStatus(path: "\(folder)/\(name)").map { $0.byteCount > 0 } ?? false
        }
    }

    /// A folder of files with a spool's names but without a lock is not Veery's: a spool has a lock for as long as it has files.
    ///
    /// - Throws: `StorageError.foreignFolder`.
    static func checkOwnership(_ folder: String) throws(StorageError) {
        func isLocked() -> Bool {
            FileStatus(path: "\(folder)/\(lockName)", followingLink: false) != nil || errno != ENOENT
        }
        guard !isLocked(), let names = try? names(folder), let found = names.first(where: isOwn) else { return }
        // Another run may have made the lock and the file meanwhile.
        guard !isLocked() else { return }
        throw .foreignFolder(path: folder, found: found)
    }

    /// The text of a small file in a folder; nil: there is none.
    ///
    /// - Throws: `StorageError.system`.
    static func text(_ folder: String, _ name: String) throws(StorageError) -> String? {
        let path = "\(folder)/\(name)"
        guard FileStatus(path: path) != nil || errno != ENOENT else { return nil }
        let file = try StorageFile(path: path, flags: O_RDONLY, operation: "opening the file")
        var buffer = ByteBuffer(capacity: 4096)
        try buffer.fill(count: file.regularSize ?? 0) { bytes throws(StorageError) in
            try file.read(into: bytes, at: 0)
        }
        return String(decoding: buffer.bytes, as: UTF8.self)
    }
}
