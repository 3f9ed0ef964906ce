import ClipSpool
import FeatureModel
import FeatureStorage
import FileIO
import Platform
import SignalProcessing

/// What a file says of itself, and how its tensor lies in it.
extension Assembler {
    /// What a file with some of the clips says of itself.
    func header(
        of clips: Range<Int>, _ sums: AssemblySums, frameLabelNames: [String]?, output: String
    ) throws(StorageError) -> FeatureFileHeader {
        let (totals, counts) = (sums.totals, index.totals(of: clips, plan.storedRowCount))
        let grows = index.totals.clips > index.kept
        let shape = try shape(of: clips, count: counts.clips, chunkRows: sums.chunkRows, output: output)
        return FeatureFileHeader(
            configuration: extraction.configuration, shape: shape, failures: counts.failures, axis: plan.axis,
            units: plan.configuration.storedUnits, longName: plan.configuration.transform.longName,
            framePeriod: plan.framePeriod, firstFrameTime: plan.firstRowTime, labels: source.labels,
            statistics: totals.statistics, fit: totals.fit, normalize: plan.configuration.rowNormalization,
            statisticsSource: kept?.source(plan, grows: grows) ?? options.statistics?.source ?? "",
            manifestChecksum: source.sha256,
            correctionsChecksum: source.correctionsSHA256 ?? "",
            software: SoftwareVersions.json(plan, ffmpeg: options.ffmpegVersion, mixed: mixed),
            table: ClipTable(
                manifestColumns: source.extraColumns, hasLabelMatrix: source.labelsColumn != nil,
                hasFrameLabels: frameLabelNames != nil, patchRows: shape.patchRows
            ) {
                switch $0 {
                case .channel: source.hasChannelColumn
                case .truncated: options.policy.truncated == .keep
                case .zeroedSamples: options.policy.nonFinite == .zero
                case .computedRows: plan.storesOtherRowCount
                case .remarks: totals.hasRemarks
                case .labelIndex, .sampleRate, .channels, .frameStart, .frameCount: true
                }
            }, frameLabelNames: frameLabelNames, annotationsChecksum: options.frameAnnotations?.sha256 ?? "",
            root: options.storedRoot, remarks: source.rowsAccount.naming(options.naming).remarks,
            inputs: options.inputs)
    }

    /// Rows of a chunk of the tensor, one number for all files of a set; nil: it is not compressed.
    var chunkRows: Int? {
        let store = plan.configuration.store
        guard store.compression == .deflate else { return nil }
        let lengths = plan.fixedFrameCount.map { [$0: 1] } ?? index.lengths(plan.storedRowCount)
        return ChunkSize.rows(
            rowBytes: plan.columns * store.element.size, lengths: lengths,
            patchRows: plan.configuration.patches.shape?.length ?? 1)
    }

    /// The layout of a tensor of some clips, of which `count` are stored.
    private func shape(
        of clips: Range<Int>, count: Int, chunkRows chunk: Int?, output: String
    ) throws(StorageError) -> TensorShape {
        let store = plan.configuration.store
        let patch = plan.configuration.patches.shape
        if let frames = plan.fixedFrameCount {
            guard
                let shape = TensorShape.fixed(
                    frames: frames, clips: count, bins: plan.columns, element: store.element,
                    chunkRows: chunk.map { min($0, frames) }, patch: patch,
                    channels: plan.channelAxis)
            else {
                throw .system(operation: "making a tensor of \(count) × \(frames) rows", path: output, code: EOVERFLOW)
            }
            return shape
        }
        let rows = index.lengths(of: clips, plan.storedRowCount).reduce(0) { sum, entry in
            sum + (chunk.map { (entry.key + $0 - 1) / $0 * $0 } ?? entry.key) * entry.value
        }
        return .packed(
            rows: rows, clips: count, bins: plan.columns, element: store.element, chunkRows: chunk, patch: patch,
            channels: plan.channelAxis)
    }
}
