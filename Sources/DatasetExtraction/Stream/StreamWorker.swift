import ClipFeatures
import ClipSpool
import Concurrency
import FeatureModel
import FileIO
import SignalProcessing

/// Takes the recordings of a stream into a spool, on several threads.
struct StreamWorker: Sendable {
    let plan: FeaturePlan
    let options: ExtractionOptions
    let members: StreamedRecordings
    let spool: Spool
    let spooled: StreamedSpool
    let progress: ExtractionProgress
    let cancellation: Cancellation

    /// Works to the end of the stream, starting with recordings that were read before.
    ///
    /// - Throws: What ends the run.
    func run(_ first: FirstRecordings) throws {
        let spool = spool
        let synchronize = { @Sendable () -> Void in try? spool.synchronize(ifOlderThan: .milliseconds(900)) }
        try PeriodicTask.run(every: .seconds(1), synchronize) {
            let taken = try start(first)
            try WorkerPool.run(options.jobs, memory: ClipFeatureReader.memory(of: plan)) { number in
                do {
                    // The numbers of the files before are those of the first recordings.
                    try work(number + taken)
                } catch {
                    members.stop()
                    throw error
                }
            }
        }
        // Throws earlier errors. Nothing is an hour old, so no more is written.
        try spool.synchronize(ifOlderThan: .seconds(3600))
        spool.endWriting()
    }

    /// Takes the recordings that were read to learn the sample rate; returns the number of files for that.
    private func start(_ first: FirstRecordings) throws -> Int {
        guard first.opened != nil || !first.failed.isEmpty else { return 0 }
        let writer = try spool.writer(0)
        for failed in first.failed {
            spooled.index.grow(to: failed.number + 1)
            writer.start(clip: failed.number, recording: failed.stamp)
            spooled.index[failed.number] = .failed(try writer.fail(failed.failure))
            progress.failedClip()
        }
        if let member = first.opened, try !resumes(member, spooled.reader()) {
            try take(member, extractor(writer))
        }
        return 1
    }

    private func work(_ number: Int) throws {
        let file = try members.file()
        let reader = spooled.reader()
        var extractor: ClipExtractor?
        while let member = try members.next(into: file) {
            try cancellation.check()
            if try resumes(member, reader) { continue }
            let own = try extractor ?? self.extractor(spool.writer(number))
            extractor = own
            try take(member, own)
        }
    }

    private func extractor(_ writer: SpoolWriter) throws(SignalError) -> ClipExtractor {
        try ClipExtractor(
            plan: plan, root: options.root, policy: options.policy, writer: writer, skipped: progress.skipped,
            cancellation: cancellation)
    }

    private func resumes(_ member: StreamedRecording, _ reader: SpoolReader?) throws -> Bool {
        guard let known = try spooled.take(member, reader) else { return false }
        progress.resumeClip(seconds: known.seconds)
        return true
    }

    private func take(_ member: StreamedRecording, _ extractor: ClipExtractor) throws {
        try extractor.extract(member.clip, member.recording)
        // The next member may come late.
        try extractor.flush()
        for written in extractor.takeWritten() {
            spooled.index[written.clip] = written.entry
            progress.written(written)
        }
    }
}
