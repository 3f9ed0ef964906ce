import CNettle

/// SHA-256 of bytes that arrive in pieces, as `sha256sum` prints it.
package struct SHA256Hash: Sendable {
    private var context = sha256_ctx()

    package init() { nettle_sha256_init(&context) }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let address = bytes.baseAddress, !bytes.isEmpty else { return }
        nettle_sha256_update(&context, bytes.count, address.assumingMemoryBound(to: UInt8.self))
    }

    /// The 64 lower-case hexadecimal digits of the hash of all bytes so far; more may follow.
    package func finish() -> String {
        // Nettle resets the context with the digest, so a copy is used.
        var copy = context
        let size = Int(SHA256_DIGEST_SIZE)
        var digest = [UInt8](repeating: 0, count: size)
        nettle_sha256_digest(&copy, size, &digest)
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
