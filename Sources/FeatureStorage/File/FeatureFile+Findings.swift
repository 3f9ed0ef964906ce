import Checksums
import FeatureModel
import FileIO

/// What `verify` looks for, through libhdf5, and how it words what it finds.
extension FeatureFile {
    typealias Finding = FeatureFinding

    /// Values that are read at a time.
    private static let pieceValues = 1 << 18

    /// What is wrong with a clip by its columns alone.
    func columnFindings(_ clip: StoredClip, nextRow: Int) -> [Finding] {
        var findings: [Finding] = []
        func note(_ text: String) { findings.append(Finding(clip: clip.id, description: text)) }
        if clip.frameStart != nextRow {
            note("expected the first row \(nextRow), found frame_start \(clip.frameStart)")
        }
        if !(clip.start.isFinite && clip.start >= 0 && clip.duration.isFinite && clip.duration >= 0) {
            note("start \(clip.start) s and duration \(clip.duration) s are not those of a clip")
        }
        if clip.sampleRate < 1 || clip.channels < 1 {
            note("expected a recording, found \(clip.channels) channels at \(clip.sampleRate) Hz")
        }
        guard shape.contains(rows: clip.frameCount, from: clip.frameStart) else {
            let whole = shape.layout == .packed ? "the tensor of \(rows)" : "its block of \(shape.frames)"
            note("rows \(clip.frameStart) and on, \(clip.frameCount) of them, lie outside \(whole)")
            return findings
        }
        if clip.labelIndex < 0 ? !clip.label.isEmpty : label(clip.labelIndex) != clip.label {
            note("label_index \(clip.labelIndex) is not that of the label '\(clip.label)'")
        }
        return findings
    }

    /// What is wrong with a clip's rows, and those after it up to `end`.
    func tensorFindings(_ clip: StoredClip, end: Int) -> [Finding] {
        var findings: [Finding] = []
        func note(_ text: String) { findings.append(Finding(clip: clip.id, description: text)) }
        var hash = XXH3Hash128()
        var (hasInfinite, hasForeign) = (false, false)
        // In pieces: a clip may be a day long.
        let piece = max(1, Self.pieceValues / bins)
        for start in stride(from: clip.frameStart, to: end, by: piece) {
            var values: [Float]
            do throws(StorageError) {
                values = try rows(start..<min(start + piece, end)).values
            } catch {
                note("its rows cannot be read: \(error)")
                return findings
            }
            let first = start - clip.frameStart
            let own = max(0, min(values.count, (clip.frameCount - first) * bins))
            if !hasInfinite, let index = values[..<own].firstIndex(where: { !$0.isFinite }) {
                note("row \(first + index / bins), bin \(index % bins) holds \(values[index])")
                hasInfinite = true
            }
            if !hasForeign, let index = values[own...].firstIndex(where: { !TensorFilling.isFilling($0, shape.layout) })
            {
                note(
                    "row \(first + index / bins), bin \(index % bins), after the clip, holds \(values[index]) instead of "
                        + (shape.layout == .packed ? "nan" : "0"))
                hasForeign = true
            }
            TensorFilling.update(&hash, with: &values, count: own, as: shape.element)
        }
        let checksum = hash.finish().hex
        if checksum != clip.tensorChecksum {
            note("the rows have the checksum \(checksum), but tensor_xxh3 is \(clip.tensorChecksum)")
        }
        return findings
    }

    /// What is wrong with the labels of a clip's frames, and those after it up to `end`.
    func frameLabelFindings(_ clip: StoredClip, end: Int) throws(StorageError) -> [Finding] {
        var findings: [Finding] = []
        func note(_ text: String) { findings.append(Finding(clip: clip.id, description: text)) }
        let names = header.frameLabelNames?.count ?? 0
        var hash = XXH3Hash128()
        var hasUnknown = false
        for start in stride(from: clip.frameStart, to: end, by: Self.pieceValues) {
            let labels = try frameLabels(ofRows: start..<min(start + Self.pieceValues, end))
            let first = start - clip.frameStart
            let own = max(0, min(labels.count, clip.frameCount - first))
            labels.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<(own * 4)])) }
            guard !hasUnknown else { continue }
            for (index, label) in labels.enumerated() where label >= (index < own ? names : 0) || label < -1 {
                hasUnknown = true
                note(
                    "\(FrameLabels.dataset) holds \(label) at row \(first + index)"
                        + (index < own ? ", of \(names) names" : ", after the clip, instead of -1"))
                break
            }
        }
        let checksum = hash.finish().hex
        if checksum != clip.frameLabelChecksum {
            note(
                "the labels of its frames have the checksum \(checksum), but frame_label_xxh3 is \(clip.frameLabelChecksum)"
            )
        }
        return findings
    }

    /// What is wrong with what belongs to no clip, by its checksum.
    func metadataFindings() throws(StorageError) -> [Finding] {
        var checksum = try checksum(ofMetadata: header)
        try checksum.add(header.failureCount) { range throws(StorageError) in try failures(range) }
        return checksum.findings(expected: metadataChecksum)
    }

    /// The checksum of what belongs to no clip, without the failures, as it lies in the file.
    ///
    /// - Parameter header: That of the file, or of the set that it belongs to.
    func checksum(ofMetadata header: FeatureFileHeader) throws(StorageError) -> MetadataChecksum {
        let times = shape.layout == .fixed ? try file.read("/time", as: Double.self) : []
        let patchTimes = shape.patch == nil ? nil : try file.read(PatchTime.dataset, as: Double.self)
        let channels = shape.channels == nil ? nil : try file.read(ChannelAxis.dataset, as: Int32.self)
        var figures: [[Double]] = []
        for name in FeatureFormat.statistics { figures.append(try file.read("/statistics/" + name, as: Double.self)) }
        return MetadataChecksum(
            header, generator: generator, times: times, patchTimes: patchTimes, channels: channels,
            statistics: figures)
    }

    /// What is wrong with it whatever its checksum says: figures that no file has.
    func wholeFileFindings() -> [Finding] {
        var findings: [Finding] = []
        func note(_ text: String) { findings.append(Finding(clip: nil, description: text)) }
        if !(header.framePeriod.isFinite && header.framePeriod > 0 && header.firstFrameTime.isFinite) {
            note(
                "frame_period \(header.framePeriod) s and first_frame_time \(header.firstFrameTime) s are no times of frames"
            )
        }
        let (name, statistics) = (header.axis.name, header.statistics)
        if !header.axis.values.allSatisfy({ $0.isFinite && $0 >= 0 }) {
            note("/\(name) holds a value that is no \(name)")
        }
        let figures =
            statistics.mean + statistics.squaredDistance + (statistics.minimum + statistics.maximum).map(Double.init)
        let isOrdered = (0..<bins).allSatisfy {
            let slack = 1e-6 * max(1, abs(statistics.mean[$0]))
            return Double(statistics.minimum[$0]) <= statistics.mean[$0] + slack
                && statistics.mean[$0] <= Double(statistics.maximum[$0]) + slack
        }
        if !figures.allSatisfy(\.isFinite) || !isOrdered {
            note("/statistics are not those of values: not finite, or a mean that does not lie between min and max")
        }
        return findings
    }

    private func label(_ index: Int) -> String? { header.labels.indices.contains(index) ? header.labels[index] : nil }
}
