import CXXHash

/// XXH3-128 of a sequence of bytes that comes in pieces. It detects accidents, not attacks.
///
/// The result depends on the bytes alone, not on how they were cut into pieces.
package struct XXH3Hash128: ~Copyable {
    private let state: OpaquePointer

    /// A hash of no bytes so far.
    package init() {
        guard let state = XXH3_createState() else { preconditionFailure("no memory for the 576 bytes of a hash") }
        self.state = state
        reset()
    }

    deinit { XXH3_freeState(state) }

    /// Forgets all bytes, so that the memory can be used for another sequence.
    package mutating func reset() {
        _ = XXH3_128bits_reset(state)
    }

    /// Appends bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        // With no bytes the address may be nil, which the C function need not accept.
        guard let address = bytes.baseAddress, !bytes.isEmpty else { return }
        _ = XXH3_128bits_update(state, address, bytes.count)
    }

    /// The checksum of all bytes so far; more may follow.
    package borrowing func finish() -> Checksum128 {
        let digest = XXH3_128bits_digest(state)
        return Checksum128(high: digest.high64, low: digest.low64)
    }

    /// The checksum of bytes that lie in one piece.
    package static func checksum(of bytes: UnsafeRawBufferPointer) -> Checksum128 {
        let digest = XXH3_128bits(bytes.baseAddress, bytes.count)
        return Checksum128(high: digest.high64, low: digest.low64)
    }
}
