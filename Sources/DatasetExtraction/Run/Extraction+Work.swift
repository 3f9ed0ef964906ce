import ClipFeatures
import ClipSpool
import Concurrency
import Dispatch
import FeatureModel
import FeatureStorage
import Manifests
import SignalProcessing

extension Extraction {
    /// Computes the clips that are not done.
    ///
    /// - Throws: What ends the run.
    func extract(
        into spool: Spool, _ workplace: Workplace, _ runPlan: RunPlan, _ progress: ExtractionProgress,
        _ cancellation: Cancellation
    ) throws {
        let (index, rows, part) = (runPlan.index, workplace.rows, runPlan.part)
        let left = runPlan.clipsLeft
        guard left > 0 else { return }
        let queue = try ClipQueue(
            source, workers: options.jobs, done: source.clipCount - left,
            isDone: { index[$0] != .pending || !part.contains($0) })
        // A file keeps its error, and its writer throws it.
        // Rows at their final offsets must be on the disk before the file has its name. The earlier they are written there, the
        // shorter is the wait at the end; in a long run that wait is a small part of the time.
        let period = rows == nil ? DispatchTimeInterval.seconds(1) : .milliseconds(100)
        let start = ContinuousClock.now
        let synchronize = { @Sendable in
            try? rows?.synchronize(ifOlderThan: .milliseconds(start.duration(to: .now) < .seconds(5) ? 100 : 900))
            try? spool.synchronize(ifOlderThan: .milliseconds(900))
        }
        try PeriodicTask.run(every: period, synchronize) {
            try work(
                queue, spool, rows, index, workplace.log, progress, cancellation, options.workers.limited(to: left))
        }
        // Throws earlier errors. Nothing is an hour old, so no more is written.
        try rows?.synchronize(ifOlderThan: .seconds(3600))
        try spool.synchronize(ifOlderThan: .seconds(3600))
        spool.endWriting()
    }

    private func work(
        _ queue: ClipQueue, _ spool: Spool, _ rows: InPlaceRows?, _ index: SpoolIndex, _ log: MachineLog?,
        _ progress: ExtractionProgress, _ cancellation: Cancellation, _ workers: WorkerRange
    ) throws {
        let (plan, root, policy, longestStay) = (plan, options.root, options.policy, options.longestStay)
        let allocator = rows.map { RowAllocator(maximumRows: $0.maximumRows) }
        try WorkerPool.run(workers, memory: ClipFeatureReader.memory(of: plan)) { number, turns in
            var extractor: ClipExtractor?
            func note() {
                for written in extractor?.takeWritten() ?? [] {
                    index[written.clip] = written.entry
                    progress.written(written)
                }
            }
            do {
                let own = try ClipExtractor(
                    plan: plan, root: root, policy: policy, writer: spool.writer(number, rows: rows),
                    allocator: allocator, log: log, skipped: progress.skipped, longestStay: longestStay,
                    cancellation: cancellation)
                extractor = own
                var pace = BlockPace(rowBytes: plan.rowWidth * MemoryLayout<Float>.size)
                while true {
                    try turns.next(number) {
                        try own.flush()
                        note()
                    }
                    let block = try queue.next(recordings: pace.clips, workers: turns.wanted)
                    guard !block.isEmpty else { break }
                    own.announce(block)
                    pace.start()
                    for (number, clip) in block.enumerated() {
                        try own.extract(clip, before: block[(number + 1)...])
                        note()
                    }
                    pace.end(clips: block.count, rows: try own.endBlock())
                }
                try own.flush()
                note()
            } catch {
                queue.stop()
                allocator?.stop()
                // What is finished is kept, as far as it can be written.
                try? extractor?.flush()
                note()
                throw error
            }
        }
    }
}
