import Concurrency
import FeatureModel
import Manifests
import Synchronization

/// Goes through a source's clips block by block: several threads look up what there is of each, one takes it in order,
/// beside the look-up of the next block.
enum ClipBlocks {
    /// - Parameters:
    ///   - source: The clips.
    ///   - size: Clips in a block.
    ///   - jobs: Number of threads.
    ///   - cancellation: Looked at before each block.
    ///   - makeLookUp: Makes a function, for one thread, that says what there is of a clip; nil: nothing.
    ///   - take: Gets every clip of which there is something, in the source's order, on the caller's thread.
    /// - Throws: `ManifestError`, `ExtractionError.cancelled`, or what the functions throw.
    static func run<Found: Sendable>(
        of source: any ClipSource, size: Int, jobs: Int, cancellation: Cancellation,
        lookUp makeLookUp: @escaping @Sendable () throws -> (Clip) throws -> Found?,
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
            // A few at a time: to ask for each by itself, and to hand over each by itself, would take longer than a look.
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
                    let some = try clips[range].map(lookUp)
                    found.withLock { $0.replaceSubrange(range, with: some) }
                }
            }
            before = found.withLock { found in zip(clips, found).compactMap { clip, found in found.map { (clip, $0) } }
            }
        }
    }
}
