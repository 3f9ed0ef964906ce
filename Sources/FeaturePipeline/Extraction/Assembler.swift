import Checksums
import FeatureModel
import FeatureStorage
import Foundation
import Manifests
import SignalProcessing
import Synchronization

/// Puts a feature file together from a spool: statistics, then normalised rows and columns in the manifest's order.
struct Assembler {
    let manifest: Manifest
    let plan: FeaturePlan
    let configuration: String
    let spool: Spool
    let index: SpoolIndex
    let jobs: Int
    let progress: ExtractionProgress
    let cancellation: Cancellation

    private static let blockSize = 1024

    /// What the spool holds, altogether.
    private struct Totals {
        var statistics: BinStatistics
        var fit: String
        var seconds = 0.0
        var reasonWidth = 0
        var firstFailures: [String] = []
        /// Clips whose recording has a lower rate than the features, and the lowest of those rates in Hz.
        var upsampled = 0
        var lowestRate = Int.max
    }

    /// What the caller is told of the file.
    struct Outcome {
        let seconds: Double
        let firstFailures: [String]
        let warnings: [String]
    }

    /// Writes the file under its final name.
    ///
    /// - Parameters:
    ///   - output: The final name.
    ///   - temporary: The name until it is complete.
    /// - Throws: `StorageError`, `ManifestError` or `ExtractionError`; the final name is untouched then.
    func write(to output: String, temporary: String) throws -> Outcome {
        do {
            return try assemble(output, temporary)
        } catch {
            // After a full disk, the room is wanted back; the clips are still in the spool.
            unlink(temporary)
            throw error
        }
    }

    private func assemble(_ output: String, _ temporary: String) throws -> Outcome {
        let totals = try gather()
        let counts = index.totals
        let normalize = plan.configuration.normalize
        if normalize.scope == .dataset, totals.statistics.count == 0, counts.clips > 0 {
            throw ExtractionError.emptySplit(name: totals.fit, manifest: manifest.path, failures: counts.failures)
        }
        var writer = try FeatureFileWriter.create(
            path: output, temporary: temporary, header: header(totals, counts))
        let dataset: Normalizer? =
            normalize.scope == .dataset
            ? Normalizer(normalize.method, axis: normalize.axis, statistics: totals.statistics) : nil

        let clips = try manifest.reader()
        let spooled = spool.reader()
        var nextRow = 0
        while let block = try nextBlock(clips) {
            try cancellation.check()
            let done = block.compactMap { clip -> Placed? in
                let entry = index.entry(clip.index)
                guard let rows = entry.rows else { return nil }
                defer { nextRow += rows }
                return Placed(clip: clip, position: entry.position, firstRow: nextRow, rows: rows)
            }
            let checksums = try writeRows(done, normalizer: dataset, to: writer.rowWriter)
            try writer.append(zip(done, checksums).map { try stored($0, tensorChecksum: $1, spooled) })
            try writer.append(try failures(block, spooled))
            progress.assembled(block.count)
        }
        try writer.finish()
        return Outcome(
            seconds: totals.seconds, firstFailures: totals.firstFailures, warnings: warnings(totals))
    }

    /// Bins above half the rate of a recording hold nothing of it, and normalisation makes much of nothing.
    private func warnings(_ totals: Totals) -> [String] {
        let highest = plan.highestFrequency
        guard totals.upsampled > 0, highest > Double(totals.lowestRate) / 2 else { return [] }
        return [
            "\(totals.upsampled) of the recordings have a lower rate than the features (\(Int(plan.sampleRate)) Hz), the "
                + "lowest \(totals.lowestRate) Hz: bins above \(totals.lowestRate / 2) Hz hold nothing of them; "
                + "set audio.sample_rate to their rate, and transform.high to half of it at most"
        ]
    }

    /// A clip and its place in the tensor.
    private struct Placed: Sendable {
        let clip: Clip
        let position: SpoolPosition
        let firstRow: Int
        let rows: Int
    }

    private func nextBlock(_ reader: ManifestReader) throws(ManifestError) -> [Clip]? {
        var block: [Clip] = []
        while block.count < Self.blockSize, let clip = try reader.next() { block.append(clip) }
        return block.isEmpty ? nil : block
    }

    /// The first pass over the spool: statistics, merged in the manifest's order.
    private func gather() throws -> Totals {
        let fit = plan.configuration.normalize.fit
        let fitsSplit = manifest.hasSplitColumn && manifest.splits.contains { $0.name == fit }
        var totals = Totals(statistics: BinStatistics(bins: plan.bins), fit: fitsSplit ? fit : "")
        let clips = try manifest.reader()
        let spooled = spool.reader()
        while let clip = try clips.next() {
            try cancellation.check()
            let entry = index.entry(clip.index)
            guard entry.rows != nil else {
                let failure = try spooled.failure(at: entry.position)
                totals.reasonWidth = max(totals.reasonWidth, failure.reason.utf8.count)
                if totals.firstFailures.count < 5 { totals.firstFailures.append("\(clip.path): \(failure)") }
                continue
            }
            let finished = try spooled.finished(at: entry.position).clip
            totals.seconds += finished.duration
            if Double(finished.sampleRate) < plan.sampleRate {
                totals.upsampled += 1
                totals.lowestRate = min(totals.lowestRate, finished.sampleRate)
            }
            if !fitsSplit || clip.split.utf8.elementsEqual(fit.utf8) { totals.statistics.merge(finished.statistics) }
        }
        return totals
    }

    /// Normalises the rows of all clips and writes them to their places. Returns the checksum of each clip's rows.
    private func writeRows(
        _ clips: [Placed], normalizer: Normalizer?, to writer: RowWriter
    ) throws -> [String] {
        let checksums = Mutex<[String]>(Array(repeating: "", count: clips.count))
        let next = Atomic(0)
        let (plan, spool, cancellation) = (plan, spool, cancellation)
        let normalize = plan.configuration.normalize
        try WorkerPool.run(min(jobs, max(clips.count, 1))) { _ in
            let reader = spool.reader()
            var hash = XXH3Hash128()
            while true {
                try cancellation.check()
                let place = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard place < clips.count else { return }
                let clip = clips[place]
                let spooled = try reader.finished(at: clip.position)
                let normalizer =
                    normalize.scope == .clip
                    ? Normalizer(normalize.method, axis: normalize.axis, statistics: spooled.clip.statistics)
                    : normalizer
                hash.reset()
                var row = clip.firstRow
                try reader.rows(of: spooled) { rows throws(StorageError) in
                    normalizer?.apply(rows)
                    hash.update(UnsafeRawBufferPointer(rows))
                    try writer.write(UnsafeBufferPointer(rows), at: row)
                    row += rows.count / plan.bins
                }
                guard row == clip.firstRow + clip.rows else {
                    throw StorageError.damaged(
                        path: spool.folder,
                        found: "clip '\(clip.clip.id)' has \(row - clip.firstRow) rows of \(clip.rows)")
                }
                let checksum = hash.finish().hex
                checksums.withLock { $0[place] = checksum }
            }
        }
        return checksums.withLock { $0 }
    }

    private func stored(_ placed: Placed, tensorChecksum: String, _ reader: SpoolReader) throws -> StoredClip {
        let finished = try reader.finished(at: placed.position).clip
        let clip = placed.clip
        return StoredClip(
            id: clip.id, path: clip.path, label: clip.label, split: clip.split,
            labelIndex: manifest.labelIndex(of: clip.label) ?? -1, start: finished.start,
            duration: finished.duration, sampleRate: finished.sampleRate, channels: finished.channels,
            frameStart: placed.firstRow, frameCount: placed.rows, audioChecksum: finished.audioChecksum.hex,
            tensorChecksum: tensorChecksum, extra: clip.extra)
    }

    private func failures(_ block: [Clip], _ reader: SpoolReader) throws -> [StoredFailure] {
        var failures: [StoredFailure] = []
        for clip in block {
            let entry = index.entry(clip.index)
            guard entry.rows == nil else { continue }
            failures.append(
                StoredFailure(id: clip.id, path: clip.path, failure: try reader.failure(at: entry.position)))
        }
        return failures
    }

    private func header(
        _ totals: Totals, _ counts: (clips: Int, rows: Int, failures: Int)
    ) -> FeatureFileHeader {
        let widths = manifest.widths
        return FeatureFileHeader(
            configuration: configuration, rows: counts.rows, clips: counts.clips, failures: counts.failures,
            axis: plan.axis, units: plan.configuration.storedUnits,
            longName: plan.configuration.transform.longName, framePeriod: plan.framePeriod,
            firstFrameTime: plan.firstFrameTime, labels: manifest.labels, statistics: totals.statistics,
            fit: totals.fit, manifestChecksum: manifest.sha256, software: SoftwareVersions.json,
            extraColumns: manifest.extraColumns,
            widths: ColumnWidths(
                id: widths.id, path: widths.path, label: widths.label, split: widths.split, extra: widths.extra,
                reason: totals.reasonWidth))
    }
}
