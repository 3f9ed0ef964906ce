import CDeflate
import FeatureModel
import FileIO
import Platform

/// Compresses chunks as HDF5's filters shuffle and deflate would. Every worker has one of its own.
final class ChunkCompressor {
    /// A chunk as it is stored.
    struct Chunk {
        /// Its bytes, valid until the next chunk, and as long as what was compressed.
        let bytes: UnsafeRawBufferPointer
        /// The filters that were left out, as a bit each.
        let filterMask: UInt32
    }

    /// The index of the filter deflate in the list of filters, as a bit of the filter mask.
    private var withoutDeflate: UInt32 { elementSize > 1 ? 2 : 1 }

    private let compressor: OpaquePointer
    private let elementSize: Int
    private let shuffled: UnsafeMutableRawBufferPointer
    private let deflated: UnsafeMutableRawBufferPointer

    /// The best level: higher ones gain nothing for float32, whose last bits are noise.
    static func level(_ element: StoreConfiguration.Element) -> Int32 { element == .float32 ? 1 : 4 }

    /// - Parameters:
    ///   - elementSize: Bytes of a number, which are shuffled; 1: there is no such filter.
    ///   - level: The level of deflate.
    ///   - chunkBytes: Bytes of every chunk.
    /// - Throws: `StorageError.system` if memory runs out.
    init(elementSize: Int, level: Int32, chunkBytes: Int, path: String) throws(StorageError) {
        guard let compressor = libdeflate_alloc_compressor(level) else {
            throw .system(operation: "allocating memory for compression", path: path, code: ENOMEM)
        }
        self.compressor = compressor
        self.elementSize = elementSize
        shuffled = .allocate(byteCount: elementSize > 1 ? chunkBytes : 0, alignment: 64)
        deflated = .allocate(byteCount: chunkBytes, alignment: 64)
    }

    deinit {
        libdeflate_free_compressor(compressor)
        shuffled.deallocate()
        deflated.deallocate()
    }

    /// Compresses a chunk; one that does not become smaller is only shuffled, or stored unchanged.
    ///
    /// - Precondition: It has as many bytes as every chunk.
    func compress(_ chunk: UnsafeRawBufferPointer) -> Chunk {
        precondition(chunk.count == deflated.count, "a whole chunk")
        if elementSize > 1 { shuffle(chunk) }
        let plain = elementSize > 1 ? UnsafeRawBufferPointer(shuffled) : chunk
        let count = libdeflate_zlib_compress(
            compressor, plain.baseAddress, plain.count, deflated.baseAddress, deflated.count - 1)
        guard count > 0 else { return Chunk(bytes: plain, filterMask: withoutDeflate) }
        return Chunk(bytes: UnsafeRawBufferPointer(rebasing: deflated[..<count]), filterMask: 0)
    }

    /// All first bytes of the numbers, then all second ones, and so on.
    private func shuffle(_ chunk: UnsafeRawBufferPointer) {
        let count = chunk.count / elementSize
        if elementSize == 4 {
            shuffle(chunk, count, UInt32.self, SIMD8<UInt32>.self) { SIMD8(truncatingIfNeeded: $0 &>> UInt32($1)) }
        } else {
            shuffle(chunk, count, UInt16.self, SIMD8<UInt16>.self) { SIMD8(truncatingIfNeeded: $0 &>> UInt16($1)) }
        }
    }

    @inline(__always)
    private func shuffle<Number: FixedWidthInteger, Eight>(
        _ chunk: UnsafeRawBufferPointer, _ count: Int, _ number: Number.Type, _ eight: Eight.Type,
        _ byte: (Eight, Int) -> SIMD8<UInt8>
    ) {
        for byteIndex in 0..<elementSize {
            let target = byteIndex * count
            var index = 0
            while index + 8 <= count {
                let eight = chunk.loadUnaligned(fromByteOffset: index * elementSize, as: Eight.self)
                shuffled.storeBytes(of: byte(eight, 8 * byteIndex), toByteOffset: target + index, as: SIMD8<UInt8>.self)
                index += 8
            }
            while index < count {
                shuffled[target + index] = chunk[index * elementSize + byteIndex]
                index += 1
            }
        }
    }
}

/// The version of libdeflate, such as `1.14`, that the program was built with.
public func compressionLibraryVersion() -> String { LIBDEFLATE_VERSION_STRING }

/// Decompresses chunks that `ChunkCompressor` has made. Every thread has one of its own.
final class ChunkDecompressor {
    private let decompressor: OpaquePointer

    /// - Throws: `StorageError.system` if memory runs out.
    init(path: String) throws(StorageError) {
        guard let decompressor = libdeflate_alloc_decompressor() else {
            throw .system(operation: "allocating memory for decompression", path: path, code: ENOMEM)
        }
        self.decompressor = decompressor
    }

    deinit { libdeflate_free_decompressor(decompressor) }

    /// Unpacks a chunk, which has to become as many bytes as `chunk` has.
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
            // Without a pointer for the count, the count has to be exact.
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
