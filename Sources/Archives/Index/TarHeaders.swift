/// What the headers of a tar say, one after another: POSIX (ustar and pax), GNU and older ones.
struct TarHeaders {
    /// A header.
    enum Header {
        /// It says something of the next member, or of all that follow; `size` bytes of content come after it.
        case `extension`(size: Int)
        /// A member; `size` bytes follow. Further blocks come before these if `hasMap` is true, up to one that
        /// `isLastOfMap`.
        case member(name: [UInt8], ArchiveMember.Kind, size: Int, hasMap: Bool)

        fileprivate var isExtension: Bool {
            if case .extension = self { true } else { false }
        }
    }

    /// What is found where a header may be.
    enum Step {
        case header(Header)
        /// Zeros at the end of a tar, which another one may follow, as `cat` makes it; or other bytes after them.
        case padding
        /// No more members follow, or none can be found because of an error.
        case end(ArchiveError?)
    }

    /// Whether there was a header.
    private var hasHeaders = false
    /// Whether the last header says something of a member that follows.
    private var isOpen = false
    /// Zeros since the last member.
    private var zeros = 0
    /// Where other bytes follow the zeros that end a tar; nil: nowhere yet.
    private var trailer: Int?

    /// What headers before a member's own say of the member.
    private var extended = Extended()
    /// What a global header says of all members after it.
    private var global = Extended()

    private struct Extended {
        var name: [UInt8]?
        var size: Int?
        var isSparse = false
    }

    /// The bytes of a header; contents are padded to a multiple of it.
    static let block = 512
    /// Maximum bytes of a header that extends another one: names are shorter.
    private static let maximumExtension = 1 << 20

    /// The size of a content with its padding.
    static func padded(_ size: Int) -> Int { (size + block - 1) / block * block }

    /// Whether a block is the last one of a sparse file's map.
    static func isLastOfMap(_ map: ArraySlice<UInt8>) -> Bool { map[map.startIndex + 504] == 0 }

    /// It ends at this byte, within a member or a header.
    static func cutOff(at offset: Int) -> ArchiveError { ArchiveError("it is cut off at byte \(offset)") }

    private static func damaged(at offset: Int) -> ArchiveError {
        ArchiveError("its header at byte \(offset) is damaged")
    }

    /// Zeros that end a tar before other bytes; fewer were written over a header.
    private static let end = 2 * block

    /// After more zeros no other tar is looked for.
    private static let maximumGap = 1 << 30

    /// Takes the block where a header may be.
    ///
    /// As for other programs, zeros end a tar, and what follows them is not damage: unless it looks like the first header of another
    /// tar, or like one that is compressed, or a header comes later, which shows that the zeros were written over members.
    ///
    /// - Parameters:
    ///   - block: Fewer bytes than a block, or none, at the end of the file.
    ///   - content: Gives the bytes that follow the header; fewer where there are no more.
    /// - Throws: `.notTar` where the first bytes are no header; what `content` throws.
    mutating func take(
        _ block: ArraySlice<UInt8>, at offset: Int, content: (Int) throws(ArchiveError) -> ArraySlice<UInt8>
    ) throws(ArchiveError) -> Step {
        guard !block.isEmpty else { return try .end(ending(at: offset)) }
        if let trailer { return Self.isHeader(block) ? .end(Self.damaged(at: trailer)) : .padding }
        if block.allSatisfy({ $0 == 0 }) {
            zeros += block.count
            return zeros > Self.maximumGap ? .end(nil) : .padding
        }
        if block.count == Self.block, let header = try header(block, content: content) {
            (hasHeaders, isOpen, zeros) = (true, header.isExtension, 0)
            return .header(header)
        }
        guard hasHeaders else { throw .notTar }
        guard zeros < Self.end || Self.isLikeTar(block) else {
            trailer = offset
            return .padding
        }
        return .end(block.count < Self.block ? Self.cutOff(at: offset + block.count) : Self.damaged(at: offset))
    }

    /// What is wrong where the file ends; nil: nothing.
    private func ending(at offset: Int) throws(ArchiveError) -> ArchiveError? {
        guard zeros == 0 else { return nil }
        guard hasHeaders else { throw .notTar }
        // The last member may be whole: other programs read such a tar without a word.
        return isOpen
            ? Self.cutOff(at: offset)
            : ArchiveError("it may be cut off: the zeros that end a tar are missing at byte \(offset)")
    }

    /// Whether bytes after the end of a tar are probably the start of another one.
    private static func isLikeTar(_ block: ArraySlice<UInt8>) -> Bool {
        if hasMagic(block) { return true }
        let start = Array(block.prefix(6))
        return start.starts(with: GzipDecompressor.signature) || ZstdDecompressor.starts(start)
    }

    /// Whether a block is a header of a tar since 1988, damaged or not.
    static func hasMagic(_ block: ArraySlice<UInt8>) -> Bool {
        block.count >= 262 && block.field(257, 5).elementsEqual("ustar".utf8)
    }

    /// Whether a block between other bytes is such a header, and sound.
    private static func isHeader(_ block: ArraySlice<UInt8>) -> Bool {
        block.count == Self.block && hasMagic(block) && hasValidChecksum(block)
    }

    /// Takes a header of one block; nil where it is damaged.
    private mutating func header(
        _ header: ArraySlice<UInt8>, content: (Int) throws(ArchiveError) -> ArraySlice<UInt8>
    ) throws(ArchiveError) -> Header? {
        guard Self.hasValidChecksum(header), let stated = Self.number(header.field(124, 12)),
            (0..<Self.maximumSize).contains(stated)
        else { return nil }
        let type = header[header.startIndex + 156]
        switch type {
        case UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "g"), UInt8(ascii: "L"):
            guard stated <= Self.maximumExtension else { return nil }
            let bytes = try content(stated)
            guard bytes.count == stated else { return nil }
            return read(bytes, of: type) ? .extension(size: stated) : nil
        case UInt8(ascii: "K"), UInt8(ascii: "V"): return .extension(size: stated)
        default: break
        }
        let name = extended.name ?? Self.name(header)
        let size = extended.size ?? global.size ?? stated
        guard size < Self.maximumSize else { return nil }
        let isSparse = extended.isSparse || global.isSparse || type == UInt8(ascii: "S")
        extended = Extended()
        let kind = isSparse ? .sparse : Self.kind(type, name)
        let hasMap = type == UInt8(ascii: "S") && header[header.startIndex + 482] != 0
        switch kind {
        case .regular, .sparse, .other: return .member(name: name, kind, size: size, hasMap: hasMap)
        case .folder, .symbolicLink, .hardLink, .device, .pipe:
            return .member(name: name, kind, size: 0, hasMap: hasMap)
        }
    }

    private static let maximumSize = 1 << 60

    /// Reads the content of a header; false where it is damaged.
    private mutating func read(_ content: ArraySlice<UInt8>, of type: UInt8) -> Bool {
        switch type {
        case UInt8(ascii: "L"):
            extended.name = Array(content.untilZero)
            return true
        case UInt8(ascii: "g"): return Self.read(content, into: &global)
        default: return Self.read(content, into: &extended)
        }
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
