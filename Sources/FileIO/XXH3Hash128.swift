import CChecksums
import CXXHash

/// XXH3-128 of bytes that arrive in pieces. It detects accidents, not attacks.
///
/// The result does not depend on the pieces.
package struct XXH3Hash128: ~Copyable {
    private let state: UnsafeMutableRawPointer
    private let functions: UnsafePointer<veery_xxh3>

    package init() { self.init(veery_xxh3_best()) }

    /// A hash by one set of functions; all sets give the same checksums.
    init(_ functions: UnsafePointer<veery_xxh3>) {
        guard let state = functions.pointee.create() else {
            preconditionFailure("no memory for the 576 bytes of a hash")
        }
        self.state = state
        self.functions = functions
        reset()
    }

    deinit { functions.pointee.release(state) }

    /// Forgets all bytes, for reuse.
    package mutating func reset() { functions.pointee.reset(state) }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        // Without bytes the address may be nil, which the C function need not accept.
        guard let address = bytes.baseAddress, !bytes.isEmpty else { return }
        functions.pointee.update(state, address, bytes.count)
    }

    /// The checksum of all bytes so far; more may follow.
    package borrowing func finish() -> Checksum128 {
        let digest = functions.pointee.digest(state)
        return Checksum128(high: digest.high, low: digest.low)
    }

    package static func checksum(of bytes: UnsafeRawBufferPointer) -> Checksum128 {
        checksum(of: bytes, veery_xxh3_best())
    }

    /// The same by one set of functions.
    static func checksum(of bytes: UnsafeRawBufferPointer, _ functions: UnsafePointer<veery_xxh3>) -> Checksum128 {
        let digest = functions.pointee.whole(bytes.baseAddress, bytes.count)
        return Checksum128(high: digest.high, low: digest.low)
    }
}

/// XXH3-64 of contiguous bytes: a hash for tables, which detects accidents, not attacks.
package func xxh3(_ bytes: UnsafeRawBufferPointer) -> UInt64 { XXH3_64bits(bytes.baseAddress, bytes.count) }

/// The same of the bytes of a text in UTF-8.
package func xxh3(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { xxh3(UnsafeRawBufferPointer($0)) }
}
