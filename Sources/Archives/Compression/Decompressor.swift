/// Unpacks compressed bytes, piece by piece, and checks the checksums that the format has.
package protocol Decompressor: AnyObject {
    /// Whether the compressed data may end here: all that was started is complete, and its checksum is right.
    var mayEnd: Bool { get }
    /// The number of bytes that were written when `mayEnd` was last true: later damage cannot have changed them.
    var verifiedCount: Int { get }

    /// Unpacks from one buffer into another, until the first is used up or the second is full.
    ///
    /// - Returns: Bytes taken and written; both may be 0 only for an empty buffer.
    /// - Throws: `CompressionError` where the compressed data is damaged, once all bytes before the damage were written.
    func unpack(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CompressionError) -> (taken: Int, written: Int)
}

/// Why compressed data cannot be unpacked.
package enum CompressionError: Error, Hashable, Sendable {
    /// The data or a checksum is wrong: the library's words.
    case damaged(words: String)
    /// Something that is not compressed follows.
    case followed
    case noMemory
    /// The data needs a larger window than is allowed.
    case windowTooLarge
}

extension CompressionError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .damaged(let words): "its compressed data is damaged (\(words))"
        case .followed: "something that is not compressed follows its compressed data"
        case .noMemory: "there is no memory to unpack it with"
        case .windowTooLarge: "it was compressed with a window of more than 128 MiB: compress it without --long"
        }
    }
}
