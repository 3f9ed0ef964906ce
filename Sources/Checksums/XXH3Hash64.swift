import CXXHash

/// XXH3-64 of bytes that lie in one piece: a hash for tables, which detects accidents, not attacks.
package func xxh3(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    XXH3_64bits(bytes.baseAddress, bytes.count)
}
