import ClipSpool
import FileIO

/// A message of a header.
struct HeaderMessage {
    /// Kinds of messages that are looked into, by their numbers in the file.
    enum Kind: UInt16 {
        case extents = 0x01
        case type = 0x03
        case oldFillValue = 0x04
        case fillValue = 0x05
        case layout = 0x08
        case filters = 0x0B
        case attribute = 0x0C
        case continuation = 0x10
        case names = 0x11
    }

    /// nil: one that is not looked into.
    let kind: Kind?
    /// Whether the message is in another header, and this one holds only the address of that.
    let isShared: Bool
    let piece: StructurePiece
}

extension HeaderMessage {
    /// The head of each: its kind, the length of what follows, flags.
    private static let headSize = 8

    /// Takes a block of messages apart.
    ///
    /// - Throws: `StorageError.damaged` where one ends past the block.
    static func all(in block: StructurePiece) throws(StorageError) -> [HeaderMessage] {
        var messages: [HeaderMessage] = []
        var offset = 0
        while block.count - offset >= headSize {
            let length = Int(try block.number(offset + 2, UInt16.self))
            messages.append(
                HeaderMessage(
                    kind: Kind(rawValue: try block.number(offset)),
                    isShared: try block.number(offset + 4, UInt8.self) & 2 != 0,
                    piece: try block.part(from: offset + headSize, count: length)))
            offset += headSize + length
        }
        return messages
    }

    /// The address of the header that holds a shared message, or part of one.
    static func sharedAddress(_ piece: StructurePiece) throws(StorageError) -> UInt64 {
        switch try piece.number(0, UInt8.self) {
        case 1: return try piece.number(8)
        case 2, 3: return try piece.number(2)
        case let version: throw piece.damaged("is shared in the unknown version \(version)")
        }
    }

    /// Checks the lengths in a list of filters.
    func checkFilters() throws(StorageError) {
        let (version, count) = (try piece.number(0, UInt8.self), Int(try piece.number(1, UInt8.self)))
        guard version == 1 || version == 2, (1...32).contains(count) else {
            throw piece.damaged("has version \(version) and \(count) filters")
        }
        var offset = version == 1 ? 8 : 2
        for _ in 0..<count {
            let id: UInt16 = try piece.number(offset)
            let hasName = version == 1 || id >= 256
            let name = hasName ? Int(try piece.number(offset + 2, UInt16.self)) : 0
            offset += hasName ? 4 : 2
            let values = Int(try piece.number(offset + 2, UInt16.self))
            offset += 4
            if version == 1 {
                offset += (name + 7) / 8 * 8 + 4 * (values + values % 2)
            } else {
                offset += name + 4 * values
            }
            _ = try piece.rest(from: offset)
        }
    }

    /// Checks the length of the fill value, which stands for values that were never written.
    func checkFillValue() throws(StorageError) {
        let offset: Int
        if kind == .oldFillValue {
            offset = 0
        } else {
            let version: UInt8 = try piece.number(0)
            switch version {
            case 1: offset = 4
            case 2:
                guard try piece.number(3, UInt8.self) != 0 else { return }
                offset = 4
            case 3:
                guard try piece.number(1, UInt8.self) & 0x20 != 0 else { return }
                offset = 2
            default: throw piece.damaged("has the unknown version \(version)")
            }
        }
        // Below 0: there is none.
        let count = try piece.number(offset, Int32.self)
        if count > 0 { _ = try piece.part(from: offset + 4, count: Int(count)) }
    }
}

/// What the header of an object says, as far as libhdf5 allocates memory by it.
struct ObjectHeader {
    var extents: StoredExtents?
    var type: StoredType?
    var layout: StoredLayout?
    /// Whether values pass through filters, such as deflate's.
    var isFiltered = false
    /// Tree and heap of a group's names.
    var names: (tree: UInt64, heap: UInt64)?
    /// A header of the newer form, which has checksums that libhdf5 looks at; nothing else is known of it then.
    var isNewer = false
}

/// Where a dataset's values are.
enum StoredLayout {
    /// In its header.
    case compact(byteCount: UInt64)
    /// In one piece; without an address nothing was ever written.
    case contiguous(address: UInt64, byteCount: UInt64)
    /// In chunks of these extents, the bytes of a value the last of them.
    case chunked(tree: UInt64, extents: [UInt64])
    /// In a way that only newer versions of HDF5 know, with checksums of their own.
    case newer

    /// Reads the message that holds it.
    ///
    /// - Throws: `StorageError.damaged`.
    init(_ piece: StructurePiece) throws(StorageError) {
        let version = try piece.number(0, UInt8.self)
        guard version != 4, version != 5 else {
            self = .newer
            return
        }
        // Those before were written until 2004.
        guard version == 3 else { throw piece.damaged("has the unknown version \(version)") }
        switch try piece.number(1, UInt8.self) {
        case 0:
            let count = try piece.number(2, UInt16.self)
            _ = try piece.part(from: 4, count: Int(count))
            self = .compact(byteCount: UInt64(count))
        case 1: self = .contiguous(address: try piece.number(2), byteCount: try piece.number(10))
        case 2:
            let rank = Int(try piece.number(2, UInt8.self))
            var extents: [UInt64] = []
            for index in 0..<rank { extents.append(UInt64(try piece.number(11 + 4 * index, UInt32.self))) }
            self = .chunked(tree: try piece.number(3), extents: extents)
        case let kind: throw piece.damaged("names the unknown kind \(kind)")
        }
    }
}

/// The extents of a dataset or an attribute; none: a single value.
struct StoredExtents {
    let extents: [UInt64]
    /// The maximum of each.
    let limits: [UInt64]
    /// The number of values.
    let count: UInt64

    /// Reads the message that holds them.
    ///
    /// - Throws: `StorageError.damaged`, also where the values are too many to be counted.
    init(_ piece: StructurePiece) throws(StorageError) {
        let version = try piece.number(0, UInt8.self)
        let (rank, flags) = (Int(try piece.number(1, UInt8.self)), try piece.number(2, UInt8.self))
        guard version == 1 || version == 2, rank <= 32 else {
            throw piece.damaged("has version \(version) and \(rank) dimensions")
        }
        // Version 2 knows a kind that has no values at all.
        let isNull = version == 2 ? try piece.number(3, UInt8.self) == 2 : false
        var offset = version == 1 ? 8 : 4
        var read: [[UInt64]] = []
        for _ in 0..<(flags & 1 == 0 ? 1 : 2) {
            var values: [UInt64] = []
            for _ in 0..<rank {
                values.append(try piece.number(offset))
                offset += 8
            }
            read.append(values)
        }
        extents = read[0]
        limits = read[read.count - 1]
        var count: UInt64 = isNull ? 0 : 1
        for (extent, limit) in zip(extents, limits) {
            let (product, overflow) = count.multipliedReportingOverflow(by: extent)
            guard !overflow, extent <= limit else {
                throw piece.damaged("claims the extents \(extents) of at most \(limits)")
            }
            count = product
        }
        self.count = count
    }
}

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
    /// Bytes of an entry of a text or a sequence that is in a heap, and of which the value holds only the address; else nil.
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
            let left = UInt64(piece.count - offset)
            guard index != 0 else {
                guard length >= 16, length <= left else { throw piece.damaged("has \(length) bytes left of \(left)") }
                offset += Int(length)
                continue
            }
            guard length <= left - 16 else {
                throw piece.damaged("holds a text of \(length) bytes in the last \(left)")
            }
            guard lengths.updateValue(length, forKey: Int(index)) == nil else {
                throw piece.damaged("has two texts of number \(index)")
            }
            offset += 16 + Int((length + 7) / 8 * 8)
        }
        self.lengths = lengths
    }

    /// - Throws: `StorageError.damaged` where what a reference names is missing or has another length than the reference says:
    ///   libhdf5 allocates memory by one of the two lengths, and writes by the other.
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

/// Where in a heap of texts a text is, and how long. An attribute holds this instead of the text.
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
