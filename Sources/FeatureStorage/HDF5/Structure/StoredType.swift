import ClipSpool

/// The type of values, as far as their size follows from it.
struct StoredType {
    /// Kinds of types, by their numbers in the file.
    private enum Kind: UInt8 {
        case integer, float, time, text, bits, opaque, compound, reference, choice, sequence, array
    }

    /// Maximum size of a number in bytes.
    private static let maximumNumber = 16

    /// Bytes of a value.
    let size: Int
    /// Bytes of an entry of a text or a sequence that lies in a heap, of which only the address stands here; else nil.
    let entrySize: Int?

    /// Reads the message that holds it.
    ///
    /// - Throws: `StorageError.damaged`, also where the size is impossible for the type: libhdf5 allocates values of the
    ///   stored size, up to 4 GiB each.
    init(_ piece: StructurePiece, fileBytes: Int) throws(StorageError) {
        let first = try piece.number(0, UInt8.self)
        let size = Int(try piece.number(4, UInt32.self))
        guard let kind = Kind(rawValue: first & 15), (1...4).contains(first >> 4) else {
            throw piece.damaged("names the unknown type \(first)")
        }
        let maximum =
            switch kind {
            case .integer, .float, .time, .bits, .reference: Self.maximumNumber
            case .text, .opaque, .compound, .choice, .array: fileBytes
            case .sequence: HeapReference.size
            }
        guard size > 0, size <= maximum else {
            throw piece.damaged("promises values of \(size) bytes, more than any has")
        }
        if kind == .integer || kind == .float || kind == .bits {
            let (offset, precision) = (try piece.number(8, UInt16.self), try piece.number(10, UInt16.self))
            guard precision > 0, Int(offset) + Int(precision) <= 8 * size else {
                throw piece.damaged("promises \(precision) bits from bit \(offset) in \(size) bytes")
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
