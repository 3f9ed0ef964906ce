import Checksums
import FeatureModel
import FileIO

/// Checks one file: `FeatureReader.verify`.
extension FeatureFile {
    /// Checks that the file is complete and consistent.
    func verify(most: Int, jobs: Int) throws(StorageError) -> [Finding] {
        // What cannot be read at all is found, and worded, by libhdf5.
        try verify(most: most, jobs: jobs, try? ClipConfirmation(self))
    }

    /// The same with a confirmation, which saves time only; nil: libhdf5 reads all.
    func verify(most: Int, jobs: Int, _ confirmation: ClipConfirmation?) throws(StorageError) -> [Finding] {
        var findings = try wholeFileFindings() + metadataFindings() + remarkFindings()
        var clip = 0
        while clip < clipCount, findings.count < most {
            guard let confirmation else {
                clip = min(clip + Self.blockClips, clipCount)
                try addFindings(ofClips: Array(max(0, clip - Self.blockClips)..<clip), to: &findings, most: most)
                continue
            }
            let (end, others) = confirmation.unconfirmed(from: clip, most: most, jobs: jobs)
            try addFindings(ofClips: others, to: &findings, most: most)
            clip = end
        }
        let nextRow = try nextRow(beforeClip: clipCount)
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

    /// Clips whose columns are read at a time.
    private static let blockClips = 1024

    /// Adds what is wrong with clips, in their order.
    private func addFindings(
        ofClips indices: [Int], to findings: inout [Finding], most: Int
    ) throws(StorageError) {
        var next = 0
        while next < indices.count, findings.count < most {
            let start = indices[next]
            var end = next
            while end < indices.count, indices[end] < start + Self.blockClips { end += 1 }
            let range = start..<indices[end - 1] + 1
            let block = try clips(range)
            let checksums = try recordChecksums(of: block, range)
            var nextRow = try nextRow(beforeClip: start)
            var index = start
            for wanted in indices[next..<end] where findings.count < most {
                while index < wanted {
                    nextRow = self.nextRow(after: block[index - start])
                    index += 1
                }
                try addFindings(of: block[index - start], index, checksums[index - start], nextRow, to: &findings)
            }
            next = end
        }
    }

    private func addFindings(
        of clip: StoredClip, _ index: Int, _ checksum: (stored: String, found: String), _ nextRow: Int,
        to findings: inout [Finding]
    ) throws(StorageError) {
        if checksum.found != checksum.stored {
            findings.append(
                Finding(
                    clip: clip.id,
                    description: "the columns of clip number \(index) (from 0) have the checksum "
                        + "\(checksum.found), but record_xxh3 is \(checksum.stored)"))
        }
        findings += columnFindings(clip, nextRow: nextRow)
        guard shape.contains(rows: clip.frameCount, from: clip.frameStart) else { return }
        let end = self.nextRow(after: clip)
        findings += tensorFindings(clip, end: end)
        if table.hasFrameLabels { findings += try frameLabelFindings(clip, end: end) }
    }

    /// The row that the clip after this one has to start with.
    private func nextRow(after clip: StoredClip) -> Int {
        nextRow(afterRows: clip.frameCount, from: clip.frameStart)
    }

    private func nextRow(afterRows count: Int, from start: Int) -> Int {
        guard shape.contains(rows: count, from: start) else { return max(0, min(start, rows)) }
        return min(start + shape.blockRows(frameCount: count), rows)
    }

    private func nextRow(beforeClip index: Int) throws(StorageError) -> Int {
        guard index > 0 else { return 0 }
        let range = index - 1..<index
        let (starts, counts) = (
            try table.rows(.frameStart, range, from: file), try table.rows(.frameCount, range, from: file)
        )
        guard let start = starts.first, let count = counts.first else { return 0 }
        return nextRow(afterRows: count, from: start)
    }

    /// The rows of `/clips` in `range`, each compared with its checksum and its rows with the extent of the tensor.
    ///
    /// - Throws: `StorageError`, `.damaged` for the first that is not right.
    func checkedClips(_ range: Range<Int>) throws(StorageError) -> [StoredClip] {
        let block = try clips(range)
        for (clip, checksum) in zip(block, try recordChecksums(of: block, range)) {
            guard checksum.found == checksum.stored else {
                throw .damaged(path: path, found: "the columns of clip '\(clip.id)' do not match their record_xxh3")
            }
            guard shape.contains(rows: clip.frameCount, from: clip.frameStart), clip.frameCount <= Int(Int32.max) else {
                throw .damaged(path: path, found: "the rows of clip '\(clip.id)' lie outside the tensor")
            }
        }
        return block
    }

    /// The checksums of clips' columns, as they stand in the file and as they should; statistics are read in blocks.
    private func recordChecksums(
        of clips: [StoredClip], _ range: Range<Int>
    ) throws(StorageError) -> [(stored: String, found: String)] {
        let stored = try file.column(ClipTable.record, range)
        let labels = header.labels.count
        let record = RecordChecksum(table, labels: labels)
        // What is stored need not be 0 or 1.
        let matrix = try labelMatrix(ofClips: range)
        func labelRow(_ row: Int) -> ArraySlice<UInt8>? {
            matrix.map { labels == 0 ? [] : $0[row * labels..<(row + 1) * labels] }
        }
        guard header.normalize.storesClipStatistics else {
            return clips.indices.map {
                (stored[$0], record.checksum(of: clips[$0], figures: [], labelRow: labelRow($0)))
            }
        }
        var checksums: [(stored: String, found: String)] = []
        for block in StatisticsBlock.blocks(of: range, bins: bins) {
            let figures = try figures(ofClips: block)
            for clip in block {
                let (row, entry) = (clip - block.lowerBound, clip - range.lowerBound)
                let own = figures.map { $0[row * bins..<(row + 1) * bins] }
                checksums.append(
                    (stored[entry], record.checksum(of: clips[entry], figures: own, labelRow: labelRow(entry))))
            }
        }
        return checksums
    }

    /// XXH3-128 of the column `/clips/record_xxh3`, 32 bytes for each clip, as 32 hexadecimal digits: the checksum of everything
    /// that the file holds of its clips.
    ///
    /// - Throws: `StorageError`.
    /// - Complexity: O(clips).
    package func recordsChecksum() throws(StorageError) -> String {
        var hash = XXH3Hash128()
        for start in stride(from: 0, to: clipCount, by: 8192) {
            for record in try file.column(ClipTable.record, start..<min(start + 8192, clipCount)) {
                // Texts are read without the zero bytes that they are filled with.
                var bytes = Array(record.utf8)
                bytes += repeatElement(0, count: max(0, FeatureFormat.checksumWidth - bytes.count))
                bytes.withUnsafeBytes { hash.update($0) }
            }
        }
        return hash.finish().hex
    }
}
