/// Headers of a tar in the form of POSIX (ustar); a name or a size that does not fit is in a pax header before it.
enum TarHeader {
    /// Contents are padded to a multiple of it.
    static let block = 512
    /// The end of a tar.
    static let end = [UInt8](repeating: 0, count: 2 * block)

    /// The number of zero bytes after a content of `size` bytes.
    static func padding(_ size: Int) -> Int { (block - size % block) % block }

    /// Bytes of the header of a regular file, without owner and time.
    static func bytes(name: [UInt8], size: Int) -> [UInt8] {
        let isLong = name.count > 100
        let isLarge = size > 0o77777777777
        guard isLong || isLarge else { return header(name, size: size, type: "0") }
        var records: [UInt8] = []
        if isLong { records += record("path", name) }
        if isLarge { records += record("size", Array("\(size)".utf8)) }
        let short = isLong ? Array(name.prefix(100)) : name
        return header(Array("pax-header".utf8), size: records.count, type: "x")
            + records + [UInt8](repeating: 0, count: padding(records.count))
            + header(short, size: isLarge ? 0 : size, type: "0")
    }

    /// `28 path=name\n`: the length includes its own digits.
    private static func record(_ key: String, _ value: [UInt8]) -> [UInt8] {
        let rest = key.utf8.count + value.count + 3
        var length = rest + 1
        while "\(length)".utf8.count + rest != length { length += 1 }
        return Array("\(length) \(key)=".utf8) + value + [UInt8(ascii: "\n")]
    }

    private static func header(_ name: [UInt8], size: Int, type: Unicode.Scalar) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: block)
        func set(_ bytes: some Collection<UInt8>, at offset: Int) {
            for (index, byte) in bytes.enumerated() { header[offset + index] = byte }
        }
        set(name, at: 0)
        set(0o644.padded(to: 7, radix: 8).utf8, at: 100)
        set(0.padded(to: 7, radix: 8).utf8, at: 108)
        set(0.padded(to: 7, radix: 8).utf8, at: 116)
        set(size.padded(to: 11, radix: 8).utf8, at: 124)
        set(0.padded(to: 11, radix: 8).utf8, at: 136)
        set(Array("        ".utf8), at: 148)
        header[156] = UInt8(ascii: type)
        set(Array("ustar".utf8), at: 257)
        set(Array("00".utf8), at: 263)
        let sum = header.reduce(0) { $0 + Int($1) }
        set(sum.padded(to: 6, radix: 8).utf8 + [0], at: 148)
        return header
    }
}
