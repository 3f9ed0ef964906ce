import FeatureModel
import Manifests
import Synchronization

/// Hands out the clips of a source in blocks, to any number of threads.
///
/// A block holds consecutive clips of one recording, which is opened once for them, or as many clips of different recordings
/// as a thread asks for. Blocks get smaller towards the end, so that all threads finish at about the same time.
package final class ClipQueue: Sendable {
    private struct State {
        var reader: any ClipReader
        var left: Int
        /// The clip that was read and is not handed out.
        var following: Clip?
        var isStopped = false
    }

    private let state: Mutex<State>
    private let workers: Int
    private let isDone: @Sendable (Int) -> Bool
    private static let largestBlock = 32

    /// Starts to read the clips.
    ///
    /// - Parameters:
    ///   - source: The clips.
    ///   - workers: Number of threads that will ask.
    ///   - done: Number of clips that are done already.
    ///   - isDone: Whether a clip is done already, and so not handed out.
    package init(
        _ source: any ClipSource, workers: Int, done: Int = 0,
        isDone: @escaping @Sendable (Int) -> Bool = { _ in false }
    ) throws(ManifestError) {
        self.workers = workers
        self.isDone = isDone
        state = Mutex(State(reader: try source.reader(), left: source.clipCount - done))
    }

    /// The next clips; none at the end, or after `stop`.
    ///
    /// - Parameters:
    ///   - recordings: The number of clips of different recordings, at most.
    ///   - workers: Number of threads that ask now; nil: as was said at first.
    /// - Throws: `ManifestError` where the source is not what it was.
    package func next(recordings: Int = 1, workers: Int? = nil) throws -> [Clip] {
        try state.withLock { state in
            guard !state.isStopped else { return [] }
            let size = min(Self.largestBlock, max(1, state.left / (4 * (workers ?? self.workers))))
            var block: [Clip] = []
            block.reserveCapacity(size)
            // After an error other threads find the end, so that only the first error is reported.
            var hasFailed = true
            var isOfOne = true
            defer { if hasFailed { state.isStopped = true } }
            while block.count < size, let clip = try state.following ?? following(state.reader) {
                // By bytes, as the decoder compares them.
                let isOfLast = block.last.map { clip.path.utf8.elementsEqual($0.path.utf8) } ?? true
                guard block.count < 2 ? isOfLast || recordings > 1 : isOfLast == isOfOne,
                    isOfLast || block.count < recordings
                else {
                    state.following = clip
                    break
                }
                if block.count == 1 { isOfOne = isOfLast }
                state.following = nil
                block.append(clip)
            }
            hasFailed = false
            state.left -= block.count
            return block
        }
    }

    private func following(_ reader: any ClipReader) throws(ManifestError) -> Clip? {
        while let clip = try reader.next() {
            if !isDone(clip.index) { return clip }
        }
        return nil
    }

    /// Hands out no more clips, after an error of another thread that ends the run.
    package func stop() { state.withLock { $0.isStopped = true } }
}
