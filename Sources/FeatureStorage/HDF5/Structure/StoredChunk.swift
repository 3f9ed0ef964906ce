/// A chunk of a dataset as it lies in the file.
package struct StoredChunk: Hashable, Sendable {
    /// Index of its first value in each dimension.
    package let start: [Int]
    /// Offset of its first byte in the file.
    package let offset: Int
    /// Its bytes in the file.
    package let byteCount: Int
    /// A bit for each filter, in their order, that was not applied.
    package let filterMask: UInt32
}
