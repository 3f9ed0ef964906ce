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
    private static let largestBlock = 32

    /// Opens the manifest for reading.
    init(_ manifest: Manifest, workers: Int) throws(ManifestError) {
        self.workers = workers
        state = Mutex(State(reader: try manifest.reader(), left: manifest.clipCount))
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
            while block.count < size, let clip = try state.reader.next() { block.append(clip) }
            state.left -= block.count
            return block
        }
    }

    /// Hands out no more clips: another thread has failed for good.
    func stop() { state.withLock { $0.isStopped = true } }
}
