import FileIO
import Platform

/// A file of an export, written in one region or several at the same time.
final class ExportFile {
    /// Its path in the finished folder.
    let path: String
    let descriptor: StorageFile

    /// - Parameters:
    ///   - temporaryPath: Its name until the folder is complete.
    ///   - path: Its path in the finished folder.
    init(_ temporaryPath: String, path: String) throws {
        self.path = path
        let number = open(temporaryPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard number >= 0 else { throw StorageError.system(operation: "creating the file", path: path, code: errno) }
        descriptor = StorageFile(number: number, path: path)
    }

    /// The bytes from an offset on.
    ///
    /// - Parameter capacity: Bytes that are collected before they are written.
    func region(at offset: Int = 0, capacity: Int = 1 << 20) -> ExportRegion {
        ExportRegion(self, at: offset, capacity: capacity)
    }
}

/// The bytes of a file from an offset on, appended one after another.
final class ExportRegion {
    /// The offset in the file at which the next bytes are appended.
    var offset: Int { written + buffer.count }

    let file: ExportFile
    private let capacity: Int
    private var written: Int
    private var buffer: ByteBuffer

    fileprivate init(_ file: ExportFile, at offset: Int, capacity: Int) {
        self.file = file
        self.capacity = capacity
        written = offset
        buffer = ByteBuffer(capacity: capacity)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        if buffer.count + bytes.count > capacity { try flush() }
        if bytes.count < capacity {
            buffer.append(bytes)
        } else {
            try file.descriptor.write(bytes, at: written)
            written += bytes.count
        }
    }

    func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBufferPointer { bytes in try write(UnsafeRawBufferPointer(bytes)) }
    }

    /// Appends a number, little-endian.
    func write<Number: FixedWidthInteger>(_ number: Number) throws {
        if buffer.count + MemoryLayout<Number>.size > capacity { try flush() }
        buffer.append(number)
    }

    /// Appends a number in IEEE format, little-endian.
    func write(_ number: Double) throws { try write(number.bitPattern) }

    /// Appends zero bytes.
    func writeZeros(_ count: Int) throws {
        let zeros = [UInt8](repeating: 0, count: min(count, 1 << 16))
        var rest = count
        while rest > 0 {
            try write(Array(zeros.prefix(rest)))
            rest -= min(rest, zeros.count)
        }
    }

    /// Writes what was collected.
    func flush() throws {
        guard buffer.count > 0 else { return }
        try file.descriptor.write(buffer.bytes, at: written)
        written += buffer.count
        buffer.truncate(to: 0)
    }
}
