import ClipSpool

/// Who sees to it that the chunks of several workers are written in the clips' order: `TensorWriter.worker(order:)`.
package protocol ChunkOrder: AnyObject, Sendable {
    /// Writes chunks of a clip whose turn it is, and waits for that if `mayWait`.
    ///
    /// - Returns: Whether they were written; false where it is not the clip's turn, or nothing is written any more.
    func write(_ chunks: PendingChunks, of clip: Int, mayWait: Bool) throws(StorageError) -> Bool

    /// Takes the last chunks of a clip, and lets the next one have its turn.
    func finish(_ chunks: PendingChunks, of clip: Int) throws(StorageError)

    /// Whether nothing is written any more.
    var isStopped: Bool { get }
}
