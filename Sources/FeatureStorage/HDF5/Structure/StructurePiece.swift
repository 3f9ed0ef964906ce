import FileIO

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
