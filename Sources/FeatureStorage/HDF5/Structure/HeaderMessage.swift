import ClipSpool

/// A message of a header.
struct HeaderMessage {
    /// Kinds of messages that are looked into, by their numbers in the file.
    enum Kind: UInt16 {
        case extents = 0x01
        case type = 0x03
        case oldFilling = 0x04
        case filling = 0x05
        case layout = 0x08
        case filters = 0x0B
        case attribute = 0x0C
        case continuation = 0x10
        case names = 0x11
    }

    /// nil: one that is not looked into.
    let kind: Kind?
    /// Whether the message only says in which other header it stands.
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

    /// The address of the header that a shared message, or part of one, stands in.
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
    func checkFilling() throws(StorageError) {
        let offset: Int
        if kind == .oldFilling {
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
