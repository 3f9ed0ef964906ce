import CZlib
import CZstd
import Foundation
import TestSupport

@testable import Archives

/// Archives that tests write byte by byte.
enum SmallTar {
    /// A header and its data, in whole blocks.
    static func member(
        _ name: String, _ data: [UInt8] = [], type: Character = "0", magic: String = "ustar\0" + "00",
        prefix: String = ""
    ) -> [UInt8] {
        header(name, size: data.count, type: type, magic: magic, prefix: prefix) + padded(data)
    }

    static func header(
        _ name: String, size: Int, type: Character = "0", magic: String = "ustar\0" + "00", prefix: String = ""
    ) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 512)
        func put(_ bytes: some Sequence<UInt8>, at offset: Int) {
            for (index, byte) in bytes.enumerated() { header[offset + index] = byte }
        }
        put(name.utf8.prefix(100), at: 0)
        put("0000644\0".utf8, at: 100)
        put(octal(size, 11).utf8, at: 124)
        put(String(type).utf8, at: 156)
        put(magic.utf8, at: 257)
        put(prefix.utf8, at: 345)
        return summed(header)
    }

    /// The header with its checksum.
    static func summed(_ header: [UInt8]) -> [UInt8] {
        var header = header
        header.replaceSubrange(148..<156, with: Array("        ".utf8))
        let sum = header.reduce(0) { $0 + Int($1) }
        header.replaceSubrange(148..<156, with: Array((octal(sum, 6) + "\0 ").utf8))
        return header
    }

    static func padded(_ data: [UInt8]) -> [UInt8] {
        data + [UInt8](repeating: 0, count: (512 - data.count % 512) % 512)
    }

    static let end = [UInt8](repeating: 0, count: 1024)

    /// A pax header of records.
    static func pax(_ records: [(String, String)], type: Character = "x") -> [UInt8] {
        let data = records.flatMap { key, value -> [UInt8] in
            let rest = " \(key)=\(value)\n".utf8.count
            var length = rest + 1
            while "\(length)".utf8.count + rest != length { length += 1 }
            return Array("\(length) \(key)=\(value)\n".utf8)
        }
        return member("pax", data, type: type)
    }

    private static func octal(_ number: Int, _ width: Int) -> String {
        let digits = String(number, radix: 8)
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }
}

enum Packed {
    static func gzip(_ data: [UInt8], bits: Int32 = 31) -> [UInt8] {
        var stream = z_stream()
        deflateInit2_(
            &stream, 6, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var (input, output) = (data, [UInt8](repeating: 0, count: data.count + 1000))
        return input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                (stream.next_in, stream.avail_in) = (input.baseAddress, uInt(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, uInt(output.count))
                deflate(&stream, Z_FINISH)
                return Array(output[..<Int(stream.total_out)])
            }
        }
    }

    /// A frame with a checksum.
    static func zstd(_ data: [UInt8]) -> [UInt8] {
        let context = ZSTD_createCCtx()
        defer { ZSTD_freeCCtx(context) }
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
        var output = [UInt8](repeating: 0, count: ZSTD_compressBound(data.count))
        let count = ZSTD_compress2(context, &output, output.count, data, data.count)
        return Array(output[..<count])
    }

    static func deflated(_ data: [UInt8]) -> [UInt8] { gzip(data, bits: -15) }
}

/// A zip of given members.
struct SmallZip {
    private(set) var bytes: [UInt8] = []
    private var directory: [UInt8] = []
    private var count = 0

    mutating func add(
        _ name: String, _ data: [UInt8], isDeflated: Bool = false, mode: Int = 0, flags: Int = 0, method: Int? = nil
    ) {
        let packed = isDeflated ? Packed.deflated(data) : data
        var sum = CRC32()
        data.withUnsafeBytes { sum.update($0) }
        let fields =
            Self.number(20, 2) + Self.number(flags, 2) + Self.number(method ?? (isDeflated ? 8 : 0), 2)
            + Self.number(0, 4) + Self.number(Int(sum.value), 4) + Self.number(packed.count, 4)
            + Self.number(data.count, 4) + Self.number(name.utf8.count, 2)
        directory += Self.number(0x0201_4B50, 4) + Self.number(3 << 8 | 20, 2) + fields + Self.number(0, 8)
        directory += Self.number(mode << 16, 4) + Self.number(bytes.count, 4) + Array(name.utf8)
        bytes += Self.number(0x0403_4B50, 4) + fields + Self.number(0, 2) + Array(name.utf8) + packed
        count += 1
    }

    /// The whole file.
    func finished(comment: String = "") -> [UInt8] {
        bytes + directory + Self.number(0x0605_4B50, 4) + Self.number(0, 4) + Self.number(count, 2)
            + Self.number(count, 2) + Self.number(directory.count, 4) + Self.number(bytes.count, 4)
            + Self.number(comment.utf8.count, 2) + Array(comment.utf8)
    }

    static func number(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}

extension TemporaryFolder {
    /// Writes a file and opens it as an archive.
    func archive(
        _ name: String, _ bytes: [UInt8], unpacking: Unpacking.Settings = Unpacking.Settings()
    ) throws -> Archive {
        try Data(bytes).write(to: url.appending(path: name))
        return try Archive(path: path(name), unpacking: unpacking)
    }
}

extension Archive {
    /// The bytes of a member.
    func bytes(_ name: String) throws -> [UInt8] {
        let part = try part(name)
        return try part.file.bytes(at: part.offset, part.count)
    }

    /// The names of all members.
    var names: [String] {
        var names: [String] = []
        forEach { _, shown, _, _ in names.append(shown) }
        return names
    }

    /// Why a member is refused; nil: it is read.
    func reason(_ name: String) -> String? {
        do throws(ArchiveError) {
            _ = try part(name)
            return nil
        } catch {
            return error.words
        }
    }
}
