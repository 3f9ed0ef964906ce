import Checksums
import FeatureModel

extension FeatureReader {
    /// A contradiction that `verify` has found.
    public struct Finding: Hashable, Sendable, CustomStringConvertible {
        /// The id of the clip it is about; nil: the file as a whole.
        public let clip: String?
        /// What was expected and what was found.
        public let description: String
    }

    /// Checks that the file is complete and consistent: rows of clips one behind the other, without gaps and within the
    /// tensor, as many as there are; every value finite; every clip's checksum that of its rows; labels within the list.
    ///
    /// - Parameter most: After so many findings the check ends.
    /// - Returns: What was found; nothing: the file is sound.
    /// - Throws: `StorageError` where something cannot be read at all.
    /// - Complexity: Reads the whole tensor; memory for one clip at a time.
    public func verify(most: Int = 100) throws(StorageError) -> [Finding] {
        var findings = wholeFileFindings
        var nextRow = 0
        var start = 0
        while start < clipCount, findings.count < most {
            let block = try clips(start..<min(start + 1024, clipCount))
            for clip in block where findings.count < most {
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
                guard clip.frameStart >= 0, clip.frameCount >= 0, clip.frameStart <= rows,
                    clip.frameCount <= rows - clip.frameStart
                else {
                    note(
                        "rows \(clip.frameStart) and on, \(clip.frameCount) of them, lie outside the tensor of \(rows)")
                    nextRow = max(0, min(clip.frameStart, rows))
                    continue
                }
                nextRow = clip.frameStart + clip.frameCount
                if clip.labelIndex < 0 ? !clip.label.isEmpty : label(clip.labelIndex) != clip.label {
                    note("label_index \(clip.labelIndex) is not that of the label '\(clip.label)'")
                }
                let matrix = try features(of: clip)
                if let place = matrix.values.firstIndex(where: { !$0.isFinite }) {
                    note("row \(place / bins), bin \(place % bins) holds \(matrix.values[place])")
                }
                let checksum = matrix.values.withUnsafeBytes { XXH3Hash128.checksum(of: $0).hex }
                if checksum != clip.tensorChecksum {
                    note("the rows have the checksum \(checksum), but tensor_xxh3 is \(clip.tensorChecksum)")
                }
            }
            start += block.count
        }
        if findings.count < most, nextRow != rows {
            findings.append(
                Finding(clip: nil, description: "the clips have \(nextRow) rows together, but /features has \(rows)"))
        }
        if let offset = try featuresOffset(), rows > 0, offset % FeatureFormat.alignment != 0 {
            findings.append(
                Finding(clip: nil, description: "/features begins at byte \(offset), not at a multiple of 4096"))
        }
        return findings
    }

    private var wholeFileFindings: [Finding] {
        var findings: [Finding] = []
        func note(_ text: String) { findings.append(Finding(clip: nil, description: text)) }
        if !(framePeriod.isFinite && framePeriod > 0 && firstFrameTime.isFinite) {
            note("frame_period \(framePeriod) s and first_frame_time \(firstFrameTime) s are no times of frames")
        }
        if !axis.values.allSatisfy({ $0.isFinite && $0 >= 0 }) {
            note("/\(axis.name) holds a value that is no \(axis.name)")
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

    private func label(_ index: Int) -> String? { labels.indices.contains(index) ? labels[index] : nil }
}
