import FeatureModel
import FileIO

/// Checks one file: `FeatureReader.verify`.
extension FeatureFile {
    typealias Finding = FeatureFinding

    /// Checks that the file is complete and consistent.
    func verify(most: Int, jobs: Int) throws(StorageError) -> [Finding] {
        // What cannot be read at all is found, and worded, by libhdf5.
        try verify(most: most, jobs: jobs, try? ClipConfirmation(self))
    }

    /// The same with a confirmation, which saves time only; nil: libhdf5 reads all.
    func verify(most: Int, jobs: Int, _ confirmation: ClipConfirmation?) throws(StorageError) -> [Finding] {
        var findings = try wholeFileFindings() + metadataFindings() + remarkFindings()
        let checker = ClipChecker(self)
        var clip = 0
        while clip < clipCount, findings.count < most {
            let (end, others) =
                confirmation?.unconfirmed(from: clip, most: most, jobs: jobs)
                ?? (min(clip + Self.blockClips, clipCount), Array(clip..<min(clip + Self.blockClips, clipCount)))
            findings += try checker.findings(of: others, most: most - findings.count)
            clip = end
        }
        if clipCount > 0 { try checker.read(clipCount - 1..<clipCount) }
        let nextRow = clipCount > 0 ? checker.end(of: clipCount - 1) : 0
        if findings.count < most, nextRow != rows {
            findings.append(
                Finding(clip: nil, description: "the clips have \(nextRow) rows together, but /features has \(rows)"))
        }
        if let offset = try featuresOffset(), rows > 0, offset % FeatureFormat.alignment != 0 {
            findings.append(
                Finding(clip: nil, description: "/features starts at byte \(offset), not at a multiple of 4096"))
        }
        return findings
    }

    /// Clips that are looked at, at a time, without a confirmation.
    private static let blockClips = 1024

    /// The rows of `/clips` in `range`, in the file's order.
    ///
    /// - Parameter areChecked: Whether each is compared with its checksum.
    /// - Throws: `StorageError`, also where the range lies outside; `.damaged` for the first that is not right, or whose rows
    ///   lie outside the tensor.
    func clips(_ range: Range<Int>, areChecked: Bool = false) throws(StorageError) -> [StoredClip] {
        guard range.lowerBound >= 0, range.upperBound <= clipCount else {
            let (name, needed) = (ClipColumn.Text.id.dataset, range.upperBound - 1)
            throw .damaged(path: path, found: "\(name) has \(clipCount) entries, but entry \(needed) is needed")
        }
        let checker = ClipChecker(self, readsChecksums: areChecked)
        var clips: [StoredClip] = []
        clips.reserveCapacity(range.count)
        for block in range.blocks(of: checker.blockClips) {
            try checker.read(block)
            for index in block {
                let clip = checker.clip(index)
                clips.append(clip)
                guard !areChecked || checker.hasRightRecord(index) else {
                    throw .damaged(path: path, found: "the columns of clip '\(clip.id)' do not match their record_xxh3")
                }
                _ = try shape.rows(clip.frameCount, from: clip.frameStart, in: path, clip: "clip '\(clip.id)'")
            }
        }
        return clips
    }

    /// XXH3-128 of the column `/clips/record_xxh3`, 32 bytes for each clip, as 32 hexadecimal digits: the checksum of everything
    /// that the file holds of its clips.
    ///
    /// - Throws: `StorageError`.
    /// - Complexity: O(clips).
    package func recordsChecksum() throws(StorageError) -> String {
        var hash = XXH3Hash128()
        for range in (0..<clipCount).blocks(of: 8192) {
            for record in try file.column(ClipTable.record, range) {
                // Texts are read without the zero bytes that pad them.
                var bytes = Array(record.utf8)
                bytes += repeatElement(0, count: max(0, FeatureFormat.checksumWidth - bytes.count))
                bytes.withUnsafeBytes { hash.update($0) }
            }
        }
        return hash.finish().hex
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
        var columns: [[Double]] = []
        for name in FeatureFormat.statistics { columns.append(try file.read("/statistics/" + name, as: Double.self)) }
        return MetadataChecksum(
            header, generator: generator, times: times, patchTimes: patchTimes, channels: channels,
            statistics: columns)
    }

    /// What is wrong with the header even if its checksum matches: values that no file of this program has.
    func wholeFileFindings() -> [Finding] {
        var findings: [Finding] = []
        func note(_ text: String) { findings.append(Finding(clip: nil, description: text)) }
        if let rootFinding { note(rootFinding) }
        if let inputsFinding { note(inputsFinding) }
        if !(header.framePeriod.isFinite && header.framePeriod > 0 && header.firstFrameTime.isFinite) {
            note(
                "frame_period \(header.framePeriod) s and first_frame_time \(header.firstFrameTime) s are no times of frames"
            )
        }
        let (name, statistics) = (header.axis.name, header.statistics)
        if !header.axis.values.allSatisfy({ $0.isFinite && $0 >= 0 }) {
            note("/\(name) holds a value that is no \(name)")
        }
        let values =
            statistics.mean + statistics.squaredDistance
            + (statistics.minimum + statistics.maximum).map(Double.init)
        let isOrdered = (0..<bins).allSatisfy {
            let slack = 1e-6 * max(1, abs(statistics.mean[$0]))
            return statistics.exactMinimum[$0] <= statistics.mean[$0] + slack
                && statistics.mean[$0] <= statistics.exactMaximum[$0] + slack
        }
        if !values.allSatisfy(\.isFinite) || !isOrdered {
            note("/statistics are not those of values: not finite, or a mean that does not lie between min and max")
        }
        return findings
    }
}
