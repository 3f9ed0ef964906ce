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
    ///   - makeLookUp: Makes a function, for one thread, that looks clips up that follow one another, a result for each; nil: there
    ///     is none.
    ///   - take: Gets every clip with a result, in the source's order, on the caller's thread.
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
            let next = Atomic(0)
            // A few at a time: synchronising for each one would take longer than the look-up.
            let few = 16
            try WorkerPool.run(max(1, min(jobs, clips.count / few))) {
                for (clip, found) in taken { try take(clip, found) }
            } _: { _ in
                guard !clips.isEmpty else { return }
                let lookUp = try makeLookUp()
                while true {
                    let first = next.wrappingAdd(few, ordering: .relaxed).oldValue
                    guard first < clips.count else { return }
                    let range = first..<min(first + few, clips.count)
                    let some = try lookUp(clips[range])
                    found.withLock { $0.replaceSubrange(range, with: some) }
                }
            }
            before = found.withLock { zip(clips, $0).compactMap { clip, found in found.map { (clip, $0) } } }
        }
    }
}
