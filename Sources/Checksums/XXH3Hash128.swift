import CChecksums
import CXXHash

/// XXH3-128 of a sequence of bytes that comes in pieces. It detects accidents, not attacks.
///
/// The result depends on the bytes alone, not on how they were cut into pieces.
package struct XXH3Hash128: ~Copyable {
    private let state: UnsafeMutableRawPointer
    private let functions: UnsafePointer<veery_xxh3>

    /// A hash of no bytes so far.
    package init() { self.init(veery_xxh3_best()) }

    /// A hash by the functions of one set: all of them give the same checksums.
    init(_ functions: UnsafePointer<veery_xxh3>) {
        guard let state = functions.pointee.create() else {
            preconditionFailure("no memory for the 576 bytes of a hash")
        }
        self.state = state
        self.functions = functions
        reset()
    }

    deinit { functions.pointee.release(state) }

    /// Forgets all bytes, so that the memory can be used for another sequence.
    package mutating func reset() { functions.pointee.reset(state) }

    /// Appends bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        // With no bytes the address may be nil, which the C function need not accept.
        guard let address = bytes.baseAddress, !bytes.isEmpty else { return }
        functions.pointee.update(state, address, bytes.count)
    }

    /// The checksum of all bytes so far; more may follow.
    package borrowing func finish() -> Checksum128 {
        let digest = functions.pointee.digest(state)
        return Checksum128(high: digest.high, low: digest.low)
    }

    /// The checksum of bytes that lie in one piece.
    package static func checksum(of bytes: UnsafeRawBufferPointer) -> Checksum128 {
        checksum(of: bytes, veery_xxh3_best())
    }

    /// The same by the functions of one set.
    static func checksum(of bytes: UnsafeRawBufferPointer, _ functions: UnsafePointer<veery_xxh3>) -> Checksum128 {
        let digest = functions.pointee.whole(bytes.baseAddress, bytes.count)
        return Checksum128(high: digest.high, low: digest.low)
    }
}

/// XXH3-64 of bytes that lie in one piece: a hash for tables, which detects accidents, not attacks.
package func xxh3(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    XXH3_64bits(bytes.baseAddress, bytes.count)
}
