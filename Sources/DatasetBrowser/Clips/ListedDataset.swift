import FeatureModel
import FileIO
import Manifests
import Synchronization

/// The clips of a manifest without features.
final class ListedDataset: BrowsedDataset {
    let facts: DatasetFacts
    private let clips: [Clip]
    /// Indices of the labels of all clips, one clip after another, and where those of each clip end.
    private let labelList: [Int32]
    private let labelEnds: [Int]
    private let splitNumbers: [String: Int]
    private let recordings = Mutex<RecordingNumbers?>(nil)
    private let identities = Mutex<[UInt64: Int32]?>(nil)

    /// Reads all clips: about 200 bytes of memory each.
    ///
    /// - Throws: `ManifestError`.
    init(_ manifest: Manifest, root: String) throws {
        var labelNumbers: [[UInt8]: Int32] = [:]
        for (number, label) in manifest.labels.enumerated() { labelNumbers[Array(label.utf8)] = Int32(number) }
        var (clips, labelList, labelEnds) = ([Clip](), [Int32](), [Int]())
        var hasSeveral = false
        let reader = try manifest.reader()
        while let clip = try reader.next() {
            let names = try manifest.labelNames(of: clip)
            let own = names.compactMap { labelNumbers[Array($0.utf8)] }.sorted()
            hasSeveral = hasSeveral || own.count > 1
            labelList += own
            labelEnds.append(labelList.count)
            clips.append(clip)
        }
        (self.clips, self.labelList, self.labelEnds) = (clips, labelList, labelEnds)
        let splits = manifest.splits.map(\.name)
        splitNumbers = Dictionary(zip(splits, 0...)) { first, _ in first }
        facts = DatasetFacts(
            path: manifest.path, members: [], fingerprint: Self.fingerprint(clips), root: root, clipCount: clips.count,
            failureCount: 0, labels: manifest.labels,
            splits: splits, columns: manifest.extraColumns,
            hasSeveralLabels: hasSeveral || manifest.extraColumns.contains(LabelList.column), channels: .mix,
            policy: RecordingPolicy(truncated: .keep, nonFinite: .zero))
    }

    private static func fingerprint(_ clips: [Clip]) -> String {
        var hash = XXH3Hash128()
        for clip in clips { Array("\(clip.id)\0\(clip.path)\0".utf8).withUnsafeBytes { hash.update($0) } }
        return hash.finish().hex
    }

    func clips(_ numbers: Range<Int>) throws -> [BrowsedClip] {
        clips[numbers.clamped(to: clips.indices)].map { clip in
            let first = clip.index > 0 ? labelEnds[clip.index - 1] : 0
            let segment = clip.segment
            return BrowsedClip(
                clip: clip, labels: labelList[first..<labelEnds[clip.index]].map(Int.init),
                split: splitNumbers[clip.split] ?? -1,
                duration: segment.flatMap { segment in segment.end.map { $0 - segment.start } },
                part: CorrectedPart(path: clip.path, start: segment?.start ?? 0, end: segment?.end))
        }
    }

    func number(ofID id: String) throws -> Int? {
        func hash(_ id: String) -> UInt64 { Array(id.utf8).withUnsafeBytes { xxh3($0) } }
        let number = identities.withLock { known in
            let numbers =
                known ?? Dictionary(clips.map { (hash($0.id), Int32($0.index)) }) { first, _ in first }
            known = numbers
            return numbers[hash(id)].map(Int.init)
        }
        return number.flatMap { clips[$0].id.utf8.elementsEqual(id.utf8) ? $0 : nil }
    }

    func numbers(ofRecording path: String) throws -> [Int] {
        try RecordingNumbers.of(path, recordings) { add in
            for clip in clips { add(clip.path, clip.index) }
        }
    }

    func frameLabels(of clip: BrowsedClip) throws -> [Annotation] { [] }

    func values(
        of clip: BrowsedClip, times: ClosedRange<Double>?, maximumRows: Int, isUndone: Bool
    ) throws -> ClipPicture? { nil }
}
