import FileIO

/// A heap of texts ("global heap"): how long each is.
struct TextHeap {
    private let lengths: [Int: UInt64]
    private let piece: StructurePiece

    /// - Throws: `StorageError.damaged` where it, or something in it, does not end where it should.
    init(_ bytes: StructureBytes, at address: UInt64) throws(StorageError) {
        let head = try bytes.piece("a heap of texts", at: address, count: 16)
        try head.require("GCOL")
        let count: UInt64 = try head.number(8)
        guard count >= 16 else { throw head.damaged("has \(count) bytes") }
        piece = try bytes.piece("a heap of texts", at: address, count: count)
        var lengths: [Int: UInt64] = [:]
        var offset = 16
        // Less than an object's head is free space, and so is object 0, whose length includes its head. libhdf5 continues
        // after it, and loops forever where the length is 0.
        while piece.count - offset >= 16 {
            let (index, length) = (try piece.number(offset, UInt16.self), try piece.number(offset + 8, UInt64.self))
            let room = UInt64(piece.count - offset)
            guard index != 0 else {
                guard length >= 16, length <= room else { throw piece.damaged("has \(length) bytes left of \(room)") }
                offset += Int(length)
                continue
            }
            guard length <= room - 16 else {
                throw piece.damaged("holds a text of \(length) bytes in the last \(room)")
            }
            guard lengths.updateValue(length, forKey: Int(index)) == nil else {
                throw piece.damaged("has two texts of number \(index)")
            }
            offset += 16 + Int((length + 7) / 8 * 8)
        }
        self.lengths = lengths
    }

    /// - Throws: `StorageError.damaged` where what a reference names is not there, or is of another length: libhdf5 makes room
    ///   by one of the two, and fills it by the other.
    func check(_ reference: HeapReference, entrySize: Int, of what: String) throws(StorageError) {
        guard let index = UInt16(exactly: reference.index), index > 0, let length = lengths[Int(index)] else {
            throw piece.damaged("has no text of number \(reference.index), which \(what) names")
        }
        guard UInt64(reference.length) * UInt64(entrySize) == length else {
            throw piece.damaged(
                "holds \(length) bytes as number \(reference.index), of which \(what) promises "
                    + "\(UInt64(reference.length) * UInt64(entrySize))")
        }
    }
}

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
