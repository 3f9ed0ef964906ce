import DatasetInspection
import FeatureModel
import FeatureStorage
import FileIO
import Manifests
import Synchronization

/// The clips of a feature file, or of a set.
final class StoredDataset: BrowsedDataset {
    let facts: DatasetFacts
    private let reader: Mutex<FeatureReader>
    private let configuration: FeatureConfiguration?
    private let splitNumbers: [String: Int]
    private let recordings = Mutex<RecordingNumbers?>(nil)

    private static let blockSize = 4096
    /// Clips, and values of them, that the range of colours is taken of.
    private static let (sampledClips, sampledValues) = (64, 1 << 20)
    /// Shares of all values below the least colour, and up to the greatest.
    private static let (lowestShare, highestShare) = (0.02, 0.999)

    /// - Parameter root: The folder that relative paths of recordings start from; nil: the one that the file names.
    /// - Throws: `StorageError`.
    init(path: String, root: String?) throws {
        let reader = try FeatureReader(path: path)
        configuration = try? reader.decodedConfiguration()
        let splits = try ClipCensus.take(reader).splits.filter { !$0.isEmpty }
        facts = DatasetFacts(
            path: path, members: reader.set.map { set in set.files.indices.map { set.path(ofFile: $0, path) } } ?? [],
            fingerprint: reader.metadataChecksum, root: try root ?? reader.recordingsFolder(),
            clipCount: reader.clipCount,
            failureCount: reader.failureCount, labels: reader.labels, splits: splits, columns: reader.extraColumns,
            hasSeveralLabels: reader.storesLabelMatrix, channels: configuration?.audio.channels ?? .mix,
            policy: reader.policy,
            features: FeatureFacts(
                longName: reader.longName, units: reader.units, bins: reader.bins, framePeriod: reader.framePeriod,
                firstFrameTime: reader.firstFrameTime, frequencies: Self.frequencies(reader),
                scale: Self.scale(configuration),
                correctionsChecksum: reader.correctionsChecksum.isEmpty ? nil : reader.correctionsChecksum,
                range: try Self.range(reader)))
        splitNumbers = Dictionary(zip(splits, 0...)) { first, _ in first }
        self.reader = Mutex(reader)
    }

    private static func frequencies(_ reader: FeatureReader) -> [Float]? {
        guard case .frequency(let values) = reader.axis.rising, values.count == reader.bins,
            zip(values, values.dropFirst()).allSatisfy(<)
        else { return nil }
        return values
    }

    private static func scale(_ configuration: FeatureConfiguration?) -> FrequencySpacing? {
        switch configuration?.transform.method {
        case .mel(let bank, _): bank.scale == .linear ? .linear : .mel
        case .fft, .dct: .linear
        case .musical: .log
        case .mfcc, .lfcc, .raw, nil: nil
        }
    }

    /// The range of colours, of some clips.
    private static func range(_ reader: FeatureReader) throws -> ClosedRange<Float> {
        var values: [Float] = []
        let step = max(reader.clipCount / sampledClips, 1)
        for number in stride(from: 0, to: reader.clipCount, by: step) where values.count < sampledValues {
            let rows = try reader.rowRanges(ofClips: number..<number + 1)[0]
            let count = min(rows.count, max(sampledValues / sampledClips / max(reader.bins, 1), 1))
            values += try reader.rows(rows.lowerBound..<rows.lowerBound + count).values.lazy.filter(\.isFinite)
        }
        values.sort()
        guard let first = values.first else { return 0...1 }
        func value(_ share: Double) -> Float { values[Int(Double(values.count - 1) * share)] }
        let (low, high) = (value(lowestShare), value(highestShare))
        return low < high ? low...high : first...(first + 1)
    }

    func clips(_ numbers: Range<Int>) throws -> [BrowsedClip] {
        var clips: [BrowsedClip] = []
        clips.reserveCapacity(numbers.count)
        let stored = numbers.clamped(to: 0..<facts.clipCount)
        // The reader is free for other requests between the blocks.
        for block in stored.blocks(of: Self.blockSize) {
            let found = try reader.withLock { try $0.clips(block) }
            for (number, clip) in zip(block, found) { clips.append(browsed(clip, number)) }
        }
        let failed = numbers.clamped(to: facts.clipCount..<facts.count)
        for block in (failed.lowerBound - facts.clipCount..<failed.upperBound - facts.clipCount)
            .blocks(of: Self.blockSize)
        {
            let found = try reader.withLock { try $0.failures(block) }
            for (index, failure) in zip(block, found) { clips.append(browsed(failure, facts.clipCount + index)) }
        }
        return clips
    }

    private func browsed(_ clip: StoredClip, _ number: Int) -> BrowsedClip {
        let labels = clip.labelIndices ?? [clip.labelIndex]
        return BrowsedClip(
            clip: Clip(
                index: number, id: clip.id, path: clip.path, label: clip.label, split: clip.split,
                segment: Segment(start: clip.start, end: clip.start + clip.duration), channel: clip.channel,
                extra: clip.extra),
            labels: labels.filter(facts.labels.indices.contains), split: splitNumbers[clip.split] ?? -1,
            duration: clip.duration, frames: clip.frameCount, sampleRate: clip.sampleRate, channels: clip.channels,
            part: CorrectedPart(
                path: clip.path, start: clip.start, duration: clip.duration,
                isShortened: clip.measurement.isTruncated || clip.measurement.remarks.contains(.endsCut),
                checksum: clip.audioChecksum))
    }

    /// Of a clip that failed the file has no times.
    private func browsed(_ failure: StoredFailure, _ number: Int) -> BrowsedClip {
        BrowsedClip(
            clip: Clip(index: number, id: failure.id, path: failure.path), labels: [], split: -1, duration: nil,
            failure: failure.failure, part: CorrectedPart(path: failure.path))
    }

    func number(ofID id: String) throws -> Int? {
        if let number = try reader.withLock({ try $0.index(ofClip: id) }) { return number }
        for block in (0..<facts.failureCount).blocks(of: Self.blockSize) {
            let failures = try reader.withLock { try $0.failures(block) }
            if let index = failures.firstIndex(where: { $0.id.utf8.elementsEqual(id.utf8) }) {
                return facts.clipCount + block.lowerBound + index
            }
        }
        return nil
    }

    func numbers(ofRecording path: String) throws -> [Int] {
        try RecordingNumbers.of(path, recordings) { add in
            for block in (0..<facts.clipCount).blocks(of: Self.blockSize) {
                for (number, path) in zip(block, try reader.withLock({ try $0.texts(.path, ofClips: block) })) {
                    add(path, number)
                }
            }
        }
    }

    func frameLabels(of clip: BrowsedClip) throws -> [Annotation] {
        guard clip.number < facts.clipCount else { return [] }
        return try reader.withLock { reader in
            let stored = try reader.clip(at: clip.number)
            return try reader.frameAnnotations(of: stored).map { $0.shifted(by: crop(stored)) }
        }
    }

    func values(
        of clip: BrowsedClip, times: ClosedRange<Double>?, maximumRows: Int, isUndone: Bool
    ) throws -> ClipPicture? {
        guard clip.number < facts.clipCount else { return nil }
        return try reader.withLock { reader in
            let stored = try reader.clip(at: clip.number)
            let rows = stored.rows
            let count = reader.frameCount(ofRows: rows.count)
            let firstFrameTime = reader.firstFrameTime + crop(stored)
            func frame(_ time: Double) -> Double { (time - firstFrameTime) / reader.framePeriod }
            let shown =
                times.map { times in
                    let first = Int(min(max(frame(times.lowerBound).rounded(.down), 0), Double(count)))
                    let past = Int(min(max(frame(times.upperBound).rounded(.up) + 1, 0), Double(count)))
                    return first..<max(first, past)
                } ?? 0..<count
            var reduction = FrameReduction(bins: reader.bins, maximumValues: maximumRows * reader.bins)
            for block in shown.blocks(of: max((1 << 20) / reader.bins, 1)) {
                var frames = try reader.frames(block, ofRows: rows)
                if isUndone { frames = try reader.undoNormalization(of: frames, clip: stored) }
                frames.values.withUnsafeBufferPointer { reduction.add($0) }
            }
            let matrix = reduction.finish().rising(by: reader.axis)
            let step = reduction.framesPerRow
            return ClipPicture(
                matrix: matrix, rowPeriod: reader.framePeriod * Double(step),
                firstTime: firstFrameTime
                    + reader.framePeriod * (Double(shown.lowerBound) + Double(step - 1) / 2))
        }
    }

    /// Seconds from the start of a clip to the part of it that the features are of.
    private func crop(_ clip: StoredClip) -> Double {
        configuration?.cropOffset(duration: clip.duration, sampleRate: clip.sampleRate) ?? 0
    }
}
