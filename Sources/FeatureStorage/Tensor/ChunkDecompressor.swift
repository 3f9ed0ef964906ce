import CDeflate
import FileIO
import Platform

/// Makes of a stored chunk what `ChunkCompressor` was given: every thread has one of its own.
final class ChunkDecompressor {
    private let decompressor: OpaquePointer

    /// - Throws: `StorageError.system` where memory is not to be had.
    init(path: String) throws(StorageError) {
        guard let decompressor = libdeflate_alloc_decompressor() else {
            throw .system(operation: "making room for decompression", path: path, code: ENOMEM)
        }
        self.decompressor = decompressor
    }

    deinit { libdeflate_free_decompressor(decompressor) }

    /// Unpacks a chunk to as many bytes as `chunk` has room for.
    ///
    /// - Parameters:
    ///   - scratch: As large as `chunk`.
    ///   - shuffledSize: Bytes of a number that shuffle took apart; 1: there is no such filter.
    ///   - mask: A bit for each filter, of shuffle and deflate in this order, that was left out.
    /// - Returns: Whether these bytes are such a chunk.
    func unpack(
        _ stored: UnsafeRawBufferPointer, _ scratch: UnsafeMutableRawBufferPointer, shuffledSize: Int, mask: UInt8,
        into chunk: UnsafeMutableRawBufferPointer
    ) -> Bool {
        let isShuffled = shuffledSize > 1 && mask & 1 == 0
        let isDeflated = mask & (shuffledSize > 1 ? 2 : 1) == 0
        let plain = isShuffled ? scratch : chunk
        if isDeflated {
            // Without a place for the count, it has to be exact.
            guard
                libdeflate_zlib_decompress(
                    decompressor, stored.baseAddress, stored.count, plain.baseAddress, plain.count, nil)
                    == LIBDEFLATE_SUCCESS
            else { return false }
        } else {
            guard stored.count == plain.count else { return false }
            plain.copyMemory(from: stored)
        }
        if isShuffled {
            switch shuffledSize {
            case 4: join(plain, UInt32.self, SIMD8<UInt32>.self, into: chunk) { SIMD8(truncatingIfNeeded: $0) }
            case 2: join(plain, UInt16.self, SIMD8<UInt16>.self, into: chunk) { SIMD8(truncatingIfNeeded: $0) }
            default: return false
            }
        }
        return true
    }

    /// The inverse of shuffle.
    @inline(__always)
    private func join<Number: FixedWidthInteger>(
        _ bytes: UnsafeMutableRawBufferPointer, _ number: Number.Type, _ eight: SIMD8<Number>.Type,
        into chunk: UnsafeMutableRawBufferPointer, _ wide: (SIMD8<UInt8>) -> SIMD8<Number>
    ) {
        let size = MemoryLayout<Number>.size
        let count = chunk.count / size
        var index = 0
        while index + 8 <= count {
            var numbers = SIMD8<Number>.zero
            for byte in 0..<size {
                let own = bytes.loadUnaligned(fromByteOffset: byte * count + index, as: SIMD8<UInt8>.self)
                numbers |= wide(own) &<< SIMD8(repeating: Number(8 * byte))
            }
            chunk.storeBytes(of: numbers, toByteOffset: index * size, as: SIMD8<Number>.self)
            index += 8
        }
        while index < count {
            for byte in 0..<size { chunk[index * size + byte] = bytes[byte * count + index] }
            index += 1
        }
    }
}
