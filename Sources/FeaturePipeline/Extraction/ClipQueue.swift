import FeatureModel
import Manifests
import Synchronization

/// Hands out a manifest's clips in blocks, to any number of threads.
///
/// Blocks of neighbours, since those often lie in one recording; smaller towards the end, so that all threads finish
/// at about the same time.
final class ClipQueue: Sendable {
    private struct State {
        var reader: ManifestReader
        var left: Int
        var isStopped = false
    }

    private let state: Mutex<State>
    private let workers: Int
    private let isDone: @Sendable (Int) -> Bool
    private static let largestBlock = 32

    /// Opens the manifest for reading.
    ///
    /// - Parameters:
    ///   - manifest: The clips.
    ///   - workers: Number of threads that will ask.
    ///   - done: Number of clips that are done already.
    ///   - isDone: Whether a clip is done already: such are not handed out.
    init(
        _ manifest: Manifest, workers: Int, done: Int = 0, isDone: @escaping @Sendable (Int) -> Bool = { _ in false }
    ) throws(ManifestError) {
        self.workers = workers
        self.isDone = isDone
        state = Mutex(State(reader: try manifest.reader(), left: manifest.clipCount - done))
    }

    /// The next clips; none at the end, or after `stop`.
    ///
    /// - Throws: `ManifestError` where the manifest is not what it was.
    func next() throws -> [Clip] {
        try state.withLock { state in
            guard !state.isStopped else { return [] }
            let size = min(Self.largestBlock, max(1, state.left / (4 * workers)))
            var block: [Clip] = []
            block.reserveCapacity(size)
            while block.count < size, let clip = try state.reader.next() {
                if !isDone(clip.index) { block.append(clip) }
            }
            state.left -= block.count
            return block
        }
    }

    /// Hands out no more clips: another thread has failed for good.
    func stop() { state.withLock { $0.isStopped = true } }
}
