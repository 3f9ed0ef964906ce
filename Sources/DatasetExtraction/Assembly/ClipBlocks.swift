import Concurrency
import FeatureModel
import Manifests
import Synchronization

/// Reads a source's clips in blocks: several threads look each clip up, and one takes the results in order during the look-up of
/// the next block.
enum ClipBlocks {
    /// - Parameters:
    ///   - source: The clips.
    ///   - size: Clips in a block.
    ///   - jobs: Number of threads.
    ///   - cancellation: Looked at before each block.
    ///   - makeLookUp: Makes a function, for one thread, that looks up consecutive clips and returns a result for each; nil:
    ///     there is none.
    ///   - take: Called with every clip that has a result, in the source's order, on the caller's thread.
    /// - Throws: `ManifestError`, `ExtractionError.cancelled`, or what the functions throw.
    static func run<Found: Sendable>(
        of source: any ClipSource, size: Int, jobs: Int, cancellation: Cancellation,
        lookUp makeLookUp: @escaping @Sendable () throws -> (ArraySlice<Clip>) throws -> [Found?],
        take: (Clip, Found) throws -> Void
    ) throws {
        let reader = try source.reader()
        var before: [(clip: Clip, found: Found)] = []
        var isEnd = false
        while !isEnd || !before.isEmpty {
            try cancellation.check()
            let (clips, taken) = (isEnd ? [] : try reader.next(size), before)
            isEnd = clips.isEmpty
            let found = Mutex<[Found?]>(Array(repeating: nil, count: clips.count))
            // A few at a time: synchronising for each one would take longer than the look-up.
            try WorkerPool.each(clips.count, few: 16, jobs: jobs) {
                for (clip, found) in taken { try take(clip, found) }
            } worker: {
                try makeLookUp()
            } _: { lookUp, range in
                let some = try lookUp(clips[range])
                found.withLock { $0.replaceSubrange(range, with: some) }
            }
            before = found.withLock { zip(clips, $0).compactMap { clip, found in found.map { (clip, $0) } } }
        }
    }
}
