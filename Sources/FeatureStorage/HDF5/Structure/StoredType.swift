import ClipSpool

/// The type of values, as far as their size follows from it.
struct StoredType {
    /// Kinds of types, by their numbers in the file.
    private enum Kind: UInt8 {
        case integer, float, time, text, bits, opaque, compound, reference, choice, sequence, array
    }

    /// The largest number there is, in bytes.
    private static let largestNumber = 16

    /// Bytes of a value.
    let size: Int
    /// Bytes of an entry of a text or a sequence that lies in a heap, of which only the address stands here; else nil.
    let entrySize: Int?

    /// Reads the message that holds it.
    ///
    /// - Throws: `StorageError.damaged`, also where the size is none that such a type has: libhdf5 makes room for values of
    ///   the size that stands there, up to 4 GiB each.
    init(_ piece: StructurePiece, fileBytes: Int) throws(StorageError) {
        let first = try piece.number(0, UInt8.self)
        let size = Int(try piece.number(4, UInt32.self))
        guard let kind = Kind(rawValue: first & 15), (1...4).contains(first >> 4) else {
            throw piece.damaged("names the unknown type \(first)")
        }
        let most =
            switch kind {
            case .integer, .float, .time, .bits, .reference: Self.largestNumber
            case .text, .opaque, .compound, .choice, .array: fileBytes
            case .sequence: HeapReference.size
            }
        guard size > 0, size <= most else { throw piece.damaged("promises values of \(size) bytes, which none has") }
        if kind == .integer || kind == .float || kind == .bits {
            let (offset, precision) = (try piece.number(8, UInt16.self), try piece.number(10, UInt16.self))
            guard precision > 0, Int(offset) + Int(precision) <= 8 * size else {
                throw piece.damaged("promises \(precision) bits from bit \(offset) on in \(size) bytes")
            }
        }
        self.size = size
        guard kind == .sequence else {
            entrySize = nil
            return
        }
        guard size == HeapReference.size else { throw piece.damaged("promises a sequence of \(size) bytes") }
        entrySize = try StoredType(try piece.rest(from: 8), fileBytes: fileBytes).size
    }
}
