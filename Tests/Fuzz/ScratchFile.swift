import Foundation

/// Files in memory for parsers that take a path; each is written over by the next input.
enum ScratchFile {
    /// A folder for this process alone: `VEERY_FUZZ_FOLDER`, whoever gives it deletes it, or one of its own.
    static let folder: String = {
        if let given = ProcessInfo.processInfo.environment["VEERY_FUZZ_FOLDER"] { return given }
        let memory = "/dev/shm"
        let parent = access(memory, W_OK) == 0 ? memory : NSTemporaryDirectory()
        let folder = "\(parent)/veery-fuzz-\(getpid())"
        mkdir(folder, 0o700)
        atexit { try? FileManager.default.removeItem(atPath: ScratchFile.folder) }
        return folder
    }()

    /// Writes a file of this name, in place of the one that was there, and returns its path.
    static func write(_ bytes: UnsafeRawBufferPointer, _ name: String) -> String {
        let path = "\(folder)/\(name)"
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard file >= 0, Foundation.write(file, bytes.baseAddress, bytes.count) == bytes.count else {
            fatalError("cannot write \(path)")
        }
        close(file)
        return path
    }

    /// The same for an array.
    static func write(_ bytes: [UInt8], _ name: String) -> String { bytes.withUnsafeBytes { write($0, name) } }
}

extension UnsafeRawBufferPointer {
    /// The first byte, which says how the others are to be taken, and the others.
    var split: (choice: Int, rest: UnsafeRawBufferPointer) {
        guard let first else { return (0, self) }
        return (Int(first), UnsafeRawBufferPointer(rebasing: self[1...]))
    }

    /// The bytes as text, repaired where they are not UTF-8.
    var text: String { String(decoding: self, as: UTF8.self) }
}
