import ClipSpool

/// Where in a heap of texts a text is, and how long: what stands in an attribute instead of it.
struct HeapReference {
    /// Bytes of it in the file.
    static let size = 16

    /// The number of the text's entries: of its bytes.
    let length: UInt32
    /// The heap's address.
    let heap: UInt64
    /// The number of the text in the heap.
    let index: UInt32

    init(_ piece: StructurePiece, at offset: Int) throws(StorageError) {
        length = try piece.number(offset)
        heap = try piece.number(offset + 4)
        index = try piece.number(offset + 12)
    }
}
