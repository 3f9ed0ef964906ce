import AudioDecoding
import ClipSpool
import Concurrency
import Dispatch
import FeatureModel
import FeatureStorage
import FileIO
import Manifests
import Platform
import Presentation
import SignalProcessing

/// Assembles a feature file from a spool: statistics, then normalised rows and columns in the source's order.
package struct Assembler {
    let extraction: Extraction
    let spool: any ClipStore
    let index: SpoolIndex
    /// The clips that are copied from an existing file; nil: none.
    var kept: AppendBase?
    /// Rows that may be at their final offsets; nil: none are.
    var rows: InPlaceRows?
    /// What the file says of other machines that computed some of its clips; nil: nothing.
    var mixed: String?
    /// The output when the run started.
    let existing: FileStamp
    var progress = ExtractionProgress()
    var cancellation = Cancellation()
    /// Bytes of clips' statistics that are in memory at a time; the file does not depend on it.
    var maximumStatisticsBytes = StatisticsBlock.maximumBytes

    private static let blockSize = 1024
    /// The disk writes while rows are computed, so that there is little left to wait for in the end.
    private static let writebackPeriod = DispatchTimeInterval.milliseconds(50)
    private static let inPlacePeriod = DispatchTimeInterval.milliseconds(2)

    /// The result.
    package struct Outcome {
        let seconds: Double
        let keptSeconds: Double
        package let firstFailures: [StoredFailure]
        /// Whether the existing file has the same bytes and was left as it is.
        let isUnchanged: Bool
        /// Size of the file, or of all files of a set.
        let bytes: Int
        /// What was read of recordings and not used.
        package let account: Account
        package let warnings: [String]
    }

    var source: any ClipSource { extraction.source }
    var plan: FeaturePlan { extraction.plan }
    var options: ExtractionOptions { extraction.options }

    /// Writes the file under its final name.
    ///
    /// - Parameters:
    ///   - output: The final name.
    ///   - temporary: The name until it is complete.
    /// - Throws: `StorageError`, `ManifestError` or `ExtractionError`; the final name is untouched then.
    func write(to output: String, temporary: String) throws -> Outcome {
        do {
            guard let rows else { return try assemble(output, temporary) }
            // Rows at their final offsets are all written: the last of them reach the disk while the rest of the file is made.
            return try PeriodicTask.run(every: Self.inPlacePeriod, { try? rows.synchronize() }) {
                try assemble(output, temporary)
            }
        } catch {
            // Frees space on a full disk; the clips are still in the spool.
            unlink(temporary)
            throw error
        }
    }

    private func assemble(_ output: String, _ temporary: String) throws -> Outcome {
        let sums = try sums()
        let part = AssemblyPart(clips: 0..<source.clipCount, reader: try source.reader(), existing: existing)
        let isReplaced = try assemble(part, sums, output, temporary)
        return outcome(sums, isUnchanged: !isReplaced, bytes: FileStamp(path: output).byteCount)
    }

    /// The outcome once all files are written.
    func outcome(_ sums: AssemblySums, isUnchanged: Bool, bytes: Int64) -> Outcome {
        let totals = sums.totals
        return Outcome(
            seconds: totals.duration.seconds, keptSeconds: totals.keptSeconds, firstFailures: totals.firstFailures,
            isUnchanged: isUnchanged, bytes: Int(max(bytes, 0)), account: totals.account,
            warnings: [totals.lowerRates.warning(of: "clip", plan, model: extraction.options.model)].compactMap(\.self))
    }

    /// Sums everything up before a file is written: all files of a set have the statistics of all clips.
    ///
    /// - Throws: `StorageError`, `ManifestError` or `ExtractionError`.
    func sums() throws -> AssemblySums {
        guard index.done == source.clipCount else {
            throw StorageError.damaged(
                path: spool.folder, found: "\(source.clipCount - index.done) clips are neither done nor failed")
        }
        var totals = try totals()
        if options.isStrict, totals.account.hasLoss { throw ExtractionError.losses(totals.account) }
        let normalize = plan.configuration.rowNormalization
        if let imported = options.statistics, kept == nil {
            totals.statistics = imported.statistics
            totals.fit = imported.fit
        }
        let extracted = index.totals
        if normalize.scope == .dataset, totals.statistics.count == 0, extracted.clips > 0 {
            throw ExtractionError.emptySplit(
                name: totals.fit, manifest: source.path, firstFailure: totals.firstFailures.first?.description)
        }
        let normalization = Normalization(normalize, dataset: totals.statistics, channels: plan.channels)
        try reject(normalization, &totals)
        progress.rejected(index.totals.failures - extracted.failures)
        return AssemblySums(totals: totals, normalization: normalization, chunkRows: chunkRows)
    }

    /// Writes a file with some of the clips.
    ///
    /// - Returns: Whether it was given the output's name: false if the existing file had the same bytes.
    func assemble(
        _ part: AssemblyPart, _ sums: AssemblySums, _ output: String, _ temporary: String
    ) throws -> Bool {
        let (totals, normalization) = (sums.totals, sums.normalization)
        let labeler = options.frameAnnotations.map {
            FrameLabeler($0, plan, known: kept?.frameLabelNames ?? [])
        }
        let header = try header(of: part.clips, sums, frameLabelNames: labeler?.names, output: output)
        let shape = header.shape
        var widths = source.widths
        widths.reason = totals.reasonWidth
        var writer = try FeatureFileWriter.create(path: output, temporary: temporary, header: header, widths: widths)
        // The file of these rows becomes the feature file, and no row is written twice.
        let inPlace = totals.isInPlace && writer.takesInPlaceRows ? self.rows : nil
        let tensor = writer.tensor
        let order = tensor.needsOrder ? ChunkSequencer { chunks throws(StorageError) in try tensor.write(chunks) } : nil
        let before = try kept.map { try FeatureReader(path: $0.path) }
        let spooled = spool.reader()
        let statistics = ClipStatistics(plan, spooled: spooled, before: before)
        try PeriodicTask.run(every: Self.writebackPeriod, { if inPlace == nil { tensor.synchronizeSoFar() } }) {
            try write(
                part.reader, shape, before, normalization, to: inPlace == nil ? tensor : nil, order: order
            ) { block throws in
                var stored = block.stored
                if let labeler { try label(&stored, shape, labeler, &writer) }
                for part in statistics.blocks(of: block.slots, maximumBytes: maximumStatisticsBytes) {
                    try writer.append(
                        Array(stored[part]), statistics: try statistics.statistics(of: block.slots[part]))
                }
                try writer.append(try failures(block.clips, spooled, normalization))
                progress.assembled(block.clips.count)
            }
        }
        return try writer.finish(
            inPlaceOf: part.existing, rows: inPlace, keepingEqual: options.update.kept == .matching, jobs: options.jobs
        ) { [cancellation] in try cancellation.check() }
    }

    /// A block of the source's clips.
    private struct Block {
        let clips: [Clip]
        /// Those of them that are stored.
        var slots: [TensorSlot] = []
        /// What `/clips` says of each of those.
        var stored: [StoredClip] = []

        /// Nil: there are no clips.
        init?(clips: [Clip]) {
            guard !clips.isEmpty else { return nil }
            self.clips = clips
        }
    }

    /// Writes the rows of each block, unless they are at their final offsets, and has `finish` write the rest. `finish` runs
    /// while the rows of the next block are written, unless libhdf5 writes both: their offsets in the file would depend on
    /// which comes first.
    private func write(
        _ reader: any ClipReader, _ shape: TensorShape, _ before: FeatureReader?, _ normalization: Normalization,
        to tensor: TensorWriter?,
        order: ChunkSequencer?, finish: (Block) throws -> Void
    ) throws {
        var (nextRow, nextNumber) = (0, 0)
        var written: Block?
        while var block = try Block(clips: reader.next(Self.blockSize)) {
            try cancellation.check()
            let numbers = block.clips.compactMap { clip -> Int? in
                if case .inFeatureFile(let number, _) = index[clip.index] { number } else { nil }
            }
            let copied = try before?.checkedClips(at: Set(numbers))
            for clip in block.clips {
                let (source, rows, computed): (TensorSlot.Source, Int, Int)
                switch index[clip.index] {
                case .pending, .failed, .rejected: continue
                case .spooled(let position, let count):
                    (source, rows, computed) = (.spool(position), plan.storedRowCount(count), count)
                case .inFeatureFile(let index, let count):
                    guard let kept = copied?[index] else { continue }
                    (source, rows, computed) = (.featureFile(kept, index: index), count, kept.computedRows)
                }
                block.slots.append(
                    TensorSlot(
                        clip: clip, source: source, number: nextNumber, firstRow: nextRow, rows: rows,
                        computedRows: computed))
                nextNumber += 1
                nextRow += shape.blockRows(frameCount: rows)
            }
            let before = written
            if order != nil { try before.map(finish) }
            block.stored = try write(block.slots, normalization, to: tensor, order: order) {
                if order == nil { try before.map(finish) }
            }
            written = block
        }
        try written.map(finish)
    }

    /// Writes the labels of the frames of clips, and notes their checksums.
    private func label(
        _ clips: inout [StoredClip], _ shape: TensorShape, _ labeler: FrameLabeler, _ writer: inout FeatureFileWriter
    ) throws {
        let none = [Int32](repeating: -1, count: 1 << 12)
        for index in clips.indices {
            try cancellation.check()
            let clip = clips[index]
            clips[index].frameLabelChecksum = try labeler.label(
                clip.path, channel: clip.channel, clip.measurement, frames: clip.frameCount, computed: clip.computedRows
            ) { labels throws(StorageError) in try writer.append(frameLabels: labels) }
            var padding = shape.blockRows(frameCount: clip.frameCount) - clip.frameCount
            while padding > 0 {
                let count = min(padding, none.count)
                try none.withUnsafeBufferPointer { none throws(StorageError) in
                    try writer.append(frameLabels: UnsafeBufferPointer(rebasing: none[..<count]))
                }
                padding -= count
            }
        }
    }

    func failures(
        _ block: [Clip], _ reader: SpoolReader, _ normalization: Normalization
    ) throws -> [StoredFailure] {
        let range = ElementRange(plan)
        var failures: [StoredFailure] = []
        for clip in block {
            let failure: FailureRecord
            switch index[clip.index] {
            case .pending, .spooled, .inFeatureFile: continue
            case .failed(let position): failure = try reader.failure(at: position)
            case .rejected(let position):
                // Found before, from the same statistics.
                let statistics = try reader.finished(at: position).clip.statistics
                failure = FailureRecord(range.failure(statistics, normalization) ?? .rejected)
            }
            failures.append(StoredFailure(id: clip.id, path: clip.path, failure: failure))
        }
        return failures
    }
}

extension Extraction {
    /// Makes the output of clips that are all in a spool.
    ///
    /// - Parameter existing: The file that must still have the output's name once the new file is complete; `.absent` for none.
    /// - Throws: `StorageError`, `ManifestError` or `ExtractionError`; the output is untouched then.
    package func assemble(_ spool: Spool, _ index: SpoolIndex, existing: FileStamp) throws -> Assembler.Outcome {
        try Assembler(extraction: self, spool: spool, index: index, existing: existing)
            .write(to: options.output, temporary: spool.fileInProgress)
    }
}
