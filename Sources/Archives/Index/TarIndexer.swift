import FileIO

/// Reads the headers of a tar: POSIX (ustar and pax), GNU and older ones.
struct TarIndexer {
    private var bytes: ArchiveBytes
    private var index = MemberIndex()
    /// Of the member's header: set by headers before it.
    private var extended = Extended()
    /// Of all further members, by a global header.
    private var global = Extended()

    private struct Extended {
        var name: [UInt8]?
        var size: Int?
        var isSparse = false
    }

    private static let block = 512
    /// Maximum bytes of a header that extends another one: names are shorter.
    private static let maximumExtension = 1 << 20

    /// Reads all headers, or those before the first damage, which becomes the index's `problem`.
    ///
    /// - Throws: `ArchiveError` where the bytes are not a tar, or cannot be read.
    static func index(_ file: SharedFile, size: Int) throws(ArchiveError) -> MemberIndex {
        var indexer = TarIndexer(bytes: ArchiveBytes(file, size: size))
        try indexer.run()
        return indexer.index
    }

    private mutating func run() throws(ArchiveError) {
        var offset = 0
        while offset < bytes.size {
            let header = try bytes.bytes(at: offset, Self.block)
            guard header.count == Self.block else { return stop("it is cut off at byte \(bytes.size)") }
            // A block of zeros is the end.
            if header.allSatisfy({ $0 == 0 }) { return }
            guard Self.hasValidChecksum(header), let next = try take(header, at: offset) else {
                guard offset > 0 else { throw ArchiveError("it is not a tar archive") }
                return stop("its header at byte \(offset) is damaged")
            }
            offset = next
        }
        if offset > bytes.size { stop("it is cut off at byte \(bytes.size)") }
    }

    private mutating func stop(_ words: String) { index.problem = ArchiveError(words) }

    /// Takes a header; returns the offset of the next one, or nil where this one is damaged.
    private mutating func take(_ header: ArraySlice<UInt8>, at offset: Int) throws(ArchiveError) -> Int? {
        guard let stated = Self.number(header.field(124, 12)), stated >= 0 else { return nil }
        let type = header[header.startIndex + 156]
        var start = offset + Self.block
        switch type {
        case UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "g"):
            guard let content = try content(start, stated) else { return nil }
            var fields = type == UInt8(ascii: "g") ? global : extended
            guard Self.read(content, into: &fields) else { return nil }
            if type == UInt8(ascii: "g") { global = fields } else { extended = fields }
            return Self.end(of: start, stated)
        case UInt8(ascii: "L"):
            guard let content = try content(start, stated) else { return nil }
            extended.name = Array(content.untilZero)
            return Self.end(of: start, stated)
        case UInt8(ascii: "K"), UInt8(ascii: "V"): return Self.end(of: start, stated)
        default: break
        }
        let name = extended.name ?? Self.name(header)
        let size = extended.size ?? global.size ?? stated
        let isSparse = extended.isSparse || global.isSparse || type == UInt8(ascii: "S")
        extended = Extended()
        let kind = isSparse ? .sparse : Self.kind(type, name)
        // GNU's older sparse files have further blocks of their map.
        if type == UInt8(ascii: "S"), header[header.startIndex + 482] != 0 {
            while let map = try Optional(bytes.bytes(at: start, Self.block)), map.count == Self.block {
                start += Self.block
                if map[map.startIndex + 504] == 0 { break }
            }
        }
        switch kind {
        case .regular, .sparse, .other:
            try index.add(name, ArchiveMember(kind: kind, size: size, storage: .plain(offset: start)))
            return Self.end(of: start, size)
        case .folder, .symbolicLink, .hardLink, .device, .pipe:
            try index.add(name, ArchiveMember(kind: kind, size: 0, storage: .plain(offset: start)))
            return start
        }
    }

    private mutating func content(_ start: Int, _ size: Int) throws(ArchiveError) -> ArraySlice<UInt8>? {
        guard size <= Self.maximumExtension else { return nil }
        let content = try bytes.bytes(at: start, size)
        return content.count == size ? content : nil
    }

    /// The offset after the whole blocks of a member; nil: past any file.
    private static func end(of start: Int, _ size: Int) -> Int? {
        size < 1 << 60 ? start + (size + block - 1) / block * block : nil
    }

    private static func kind(_ type: UInt8, _ name: [UInt8]) -> ArchiveMember.Kind {
        switch type {
        // Before 1988 a folder was a file whose name ends in a slash.
        case 0: name.last == UInt8(ascii: "/") ? .folder : .regular
        case UInt8(ascii: "0"), UInt8(ascii: "7"): .regular
        case UInt8(ascii: "1"): .hardLink
        case UInt8(ascii: "2"): .symbolicLink
        case UInt8(ascii: "3"), UInt8(ascii: "4"): .device
        case UInt8(ascii: "5"): .folder
        case UInt8(ascii: "6"): .pipe
        default: .other
        }
    }

    /// The name in the header itself; POSIX divides one of more than 100 bytes in two.
    private static func name(_ header: ArraySlice<UInt8>) -> [UInt8] {
        let name = header.field(0, 100).untilZero
        let prefix = header.field(345, 155).untilZero
        guard header.field(257, 6).elementsEqual("ustar\0".utf8), !prefix.isEmpty else { return Array(name) }
        return prefix + [UInt8(ascii: "/")] + name
    }

    /// Sums of signed bytes are those of some old programs.
    private static func hasValidChecksum(_ header: ArraySlice<UInt8>) -> Bool {
        guard let stated = number(header.field(148, 8)) else { return false }
        var (unsigned, signed) = (8 * 32, 8 * 32)
        for (offset, byte) in header.enumerated() where !(148..<156).contains(offset) {
            unsigned += Int(byte)
            signed += Int(Int8(bitPattern: byte))
        }
        return stated == unsigned || stated == signed
    }

    /// A number in octal digits, or in binary where the first bit is set; nil: neither.
    private static func number(_ field: ArraySlice<UInt8>) -> Int? {
        if let first = field.first, first & 0x80 != 0 {
            // 0x80: positive. 0xFF would be a negative number.
            guard first == 0x80, field.dropFirst().dropLast(8).allSatisfy({ $0 == 0 }) else { return nil }
            let number = field.dropFirst().suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return Int(exactly: number)
        }
        let digits = field.drop { $0 == UInt8(ascii: " ") }.prefix { $0 != UInt8(ascii: " ") && $0 != 0 }
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 << 3 | Int($1 - UInt8(ascii: "0")) }
    }

    /// Reads the records of a pax header: `28 path=name\n`; false where they are damaged.
    private static func read(_ content: ArraySlice<UInt8>, into fields: inout Extended) -> Bool {
        var rest = content
        while !rest.isEmpty, rest.first != 0 {
            let digits = rest.prefix { $0 != UInt8(ascii: " ") }
            guard digits.count <= 8, let length = Int(String(decoding: digits, as: UTF8.self)),
                length > digits.count + 1, length <= rest.count
            else { return false }
            let record = rest.prefix(length).dropFirst(digits.count + 1).dropLast()
            rest = rest.dropFirst(length)
            guard let equals = record.firstIndex(of: UInt8(ascii: "=")) else { return false }
            let value = record[(equals + 1)...]
            switch String(decoding: record[..<equals], as: UTF8.self) {
            case "path": if !fields.isSparse { fields.name = Array(value) }
            case "size":
                guard let size = Int(String(decoding: value, as: UTF8.self)), size >= 0 else { return false }
                fields.size = size
            case "GNU.sparse.name": (fields.name, fields.isSparse) = (Array(value), true)
            case let key where key.hasPrefix("GNU.sparse."): fields.isSparse = true
            default: break
            }
        }
        return true
    }
}
