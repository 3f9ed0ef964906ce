/// A part of a file's structure that was read: numbers are taken out of it at places that are checked.
struct StructurePiece {
    let path: String
    /// What it is, for a sentence: `the header of /clips`.
    let what: String
    /// Where in the file it begins.
    let start: Int
    /// Its bytes; places count from the first.
    let bytes: ArraySlice<UInt8>

    var count: Int { bytes.count }

    func damaged(_ found: String) -> StorageError { .damaged(path: path, found: "\(what) at byte \(start) \(found)") }

    /// The little-endian number at a place.
    ///
    /// - Throws: `StorageError.damaged` where it does not lie inside.
    func number<Number: FixedWidthInteger>(_ place: Int, _ type: Number.Type = Number.self) throws(StorageError)
        -> Number
    {
        let size = MemoryLayout<Number>.size
        guard place >= 0, place <= count - size else { throw damaged("ends within itself, after \(count) bytes") }
        return bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: Number.self)) }
    }

    /// A part of it.
    ///
    /// - Throws: `StorageError.damaged` where it does not lie inside.
    func part(_ what: String? = nil, from place: Int, count length: Int) throws(StorageError) -> StructurePiece {
        guard place >= 0, length >= 0, place <= count, length <= count - place else {
            throw damaged("has \(count) bytes, and \(length) from its byte \(place) on are needed")
        }
        let first = bytes.startIndex + place
        return StructurePiece(
            path: path, what: what ?? self.what, start: start + place, bytes: bytes[first..<first + length])
    }

    /// Everything from a place on.
    func rest(_ what: String? = nil, from place: Int) throws(StorageError) -> StructurePiece {
        try part(what, from: place, count: count - place)
    }

    /// The text at a place, which a zero byte ends.
    ///
    /// - Throws: `StorageError.damaged` where none does.
    func text(_ place: Int) throws(StorageError) -> String {
        let rest = try rest(from: place)
        guard let end = rest.bytes.firstIndex(of: 0) else { throw damaged("has a name without an end") }
        return String(decoding: rest.bytes[..<end], as: UTF8.self)
    }

    /// Whether it begins with these letters.
    func begins(with signature: StaticString) -> Bool {
        signature.withUTF8Buffer { letters in bytes.starts(with: letters) }
    }

    func require(_ signature: StaticString) throws(StorageError) {
        guard begins(with: signature) else { throw damaged("does not begin with '\(signature)'") }
    }
}
