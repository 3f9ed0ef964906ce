import FileIO

/// The bytes of a file by address and length. Both are checked before anything is read.
struct StructureBytes {
    /// Fills all of a buffer with the file's bytes from an offset on, or throws.
    typealias Source = (_ bytes: UnsafeMutableRawBufferPointer, _ offset: Int) throws(StorageError) -> Void

    /// The address that means "none".
    static let undefined = UInt64.max
    /// Maximum length of a header, a node or a heap: files of this program stay far below it. In a damaged file of 10 GB
    /// a length may be that of the file.
    static let maximumPiece: UInt64 = 16 << 20

    /// The file's path, for what is thrown.
    let path: String
    /// The file's length.
    let byteCount: Int
    /// The offset in the file that its addresses are relative to.
    let base: Int
    private let source: Source

    init(path: String, byteCount: Int, base: Int = 0, source: @escaping Source) {
        self.path = path
        self.byteCount = byteCount
        self.base = base
        self.source = source
    }

    /// The same bytes, with addresses counted from another offset.
    func counted(from base: Int) -> StructureBytes {
        StructureBytes(path: path, byteCount: byteCount, base: base, source: source)
    }

    /// The number of bytes that addresses can name.
    var addressableCount: UInt64 { UInt64(max(0, byteCount - base)) }

    func damaged(_ found: String) -> StorageError { .damaged(path: path, found: found) }

    /// The offset in the file of an address that `count` bytes follow.
    ///
    /// - Throws: `StorageError.damaged`.
    @discardableResult
    func offset(of what: @autoclosure () -> String, at address: UInt64, count: UInt64) throws(StorageError) -> Int {
        guard address < addressableCount else {
            throw damaged("\(what()) starts at byte \(address), but the file has \(byteCount)")
        }
        guard count <= addressableCount - address else {
            throw damaged("\(what()) at byte \(address) promises \(count) bytes, and the file has \(byteCount)")
        }
        return base + Int(address)
    }

    /// Reads as many bytes of the file as `bytes` can hold, from `offset` on.
    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(StorageError) {
        try source(bytes, offset)
    }

    /// Reads a part of the structure.
    ///
    /// - Throws: `StorageError.damaged` where it lies outside the file, or is too long.
    func piece(_ what: @autoclosure () -> String, at address: UInt64, count: UInt64) throws(StorageError)
        -> StructurePiece
    {
        let offset = try offset(of: what(), at: address, count: count)
        guard count <= Self.maximumPiece else {
            throw damaged("\(what()) at byte \(address) promises \(count) bytes, more than any has")
        }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        try bytes.withUnsafeMutableBufferPointer { bytes throws(StorageError) in
            try read(into: UnsafeMutableRawBufferPointer(bytes), at: offset)
        }
        return StructurePiece(path: path, what: what(), start: offset, bytes: bytes[...])
    }
}

/// A part of a file's structure, in memory. Every offset into it is checked before it is read.
struct StructurePiece {
    let path: String
    /// What it is, for a sentence: `the header of /data`.
    let what: String
    /// Its offset in the file.
    let start: Int
    /// Its bytes; offsets count from the first.
    let bytes: ArraySlice<UInt8>

    var count: Int { bytes.count }

    func damaged(_ found: String) -> StorageError { .damaged(path: path, found: "\(what) at byte \(start) \(found)") }

    /// The little-endian number at an offset.
    ///
    /// - Throws: `StorageError.damaged` where it does not lie inside.
    func number<Number: FixedWidthInteger>(_ offset: Int, _ type: Number.Type = Number.self) throws(StorageError)
        -> Number
    {
        let size = MemoryLayout<Number>.size
        guard offset >= 0, offset <= count - size else { throw damaged("ends within itself, after \(count) bytes") }
        return bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self)) }
    }

    /// A part of it.
    ///
    /// - Throws: `StorageError.damaged` where it does not lie inside.
    func part(_ what: String? = nil, from offset: Int, count length: Int) throws(StorageError) -> StructurePiece {
        guard offset >= 0, length >= 0, offset <= count, length <= count - offset else {
            throw damaged("has \(count) bytes; \(length) are needed from byte \(offset)")
        }
        let first = bytes.startIndex + offset
        return StructurePiece(
            path: path, what: what ?? self.what, start: start + offset, bytes: bytes[first..<first + length])
    }

    /// Everything from an offset on.
    func rest(_ what: String? = nil, from offset: Int) throws(StorageError) -> StructurePiece {
        try part(what, from: offset, count: count - offset)
    }

    /// The text at an offset, which a zero byte ends.
    ///
    /// - Throws: `StorageError.damaged` where none does.
    func text(_ offset: Int) throws(StorageError) -> String {
        let rest = try rest(from: offset)
        guard let end = rest.bytes.firstIndex(of: 0) else { throw damaged("has a name without an end") }
        return String(decoding: rest.bytes[..<end], as: UTF8.self)
    }

    /// Whether it starts with a signature.
    func starts(with signature: StaticString) -> Bool {
        signature.withUTF8Buffer { letters in bytes.starts(with: letters) }
    }

    func require(_ signature: StaticString) throws(StorageError) {
        guard starts(with: signature) else { throw damaged("does not start with '\(signature)'") }
    }
}
