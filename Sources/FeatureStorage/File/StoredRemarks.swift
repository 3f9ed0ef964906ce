import Essentials
import FeatureModel
import FileIO

/// `/provenance/remarks`: what was read of the manifest and of the recordings and not used, a text for each remark, which is the
/// object that reports in JSON have of it; and its attribute `xxh3`, the checksum of these texts, each with a line feed after it.
///
/// Only where there are remarks. It is not part of `metadata_xxh3`.
enum StoredRemarks {
    static let dataset = "/provenance/remarks"
    static let attribute = "xxh3"
    /// What a text says; nil: nothing that this version knows.
    static func remark(_ text: String) -> Remark? {
        (try? JSONDecoder().decode(RemarkEntry.self, from: Data(text.utf8)))?.remark
    }

    static func checksum(_ texts: [String]) -> String {
        var hash = XXH3Hash128()
        Array(texts.map { $0 + "\n" }.joined().utf8).withUnsafeBytes { hash.update($0) }
        return hash.finish().hex
    }

    static func write(_ texts: [String], to hdf5: borrowing HDF5Writer) throws(StorageError) {
        guard !texts.isEmpty else { return }
        let width = texts.reduce(1) { max($0, $1.utf8.count) }
        try hdf5.create(dataset, textWidth: width, extents: [texts.count])
        try hdf5.write(texts, width: width, to: dataset)
        try hdf5.attribute(attribute, checksum(texts), of: dataset)
    }
}

extension FeatureFile {
    /// What is wrong with the remarks: their checksum, or that they are not the sum of those of the clips.
    ///
    /// - Complexity: O(clips) where clips have remarks.
    func remarkFindings() throws(StorageError) -> [Finding] {
        func finding(_ text: String) -> [Finding] {
            [Finding(clip: nil, description: "\(StoredRemarks.dataset) \(text)")]
        }
        let found = StoredRemarks.checksum(remarkTexts)
        if let expected = remarksChecksum {
            guard found == expected else {
                return finding("has the checksum \(found), but its attribute \(StoredRemarks.attribute) is \(expected)")
            }
        } else if !remarkTexts.isEmpty {
            return finding("has no attribute \(StoredRemarks.attribute)")
        }
        let stored = header.remarks.filter { $0.source == RecordingRemarks.source }
        let own = try clipRemarks()
        return own == stored ? [] : finding("is not the sum of \(ClipColumn.Integer.remarks.dataset)")
    }

    /// The remarks of each clip in `range`; the file has the column.
    func remarks(ofClips range: Range<Int>) throws(StorageError) -> [RecordingRemarks] {
        try file.read(.remarks, range).map { RecordingRemarks(rawValue: UInt32(truncatingIfNeeded: $0)) }
    }

    /// All remarks of each clip in `range`, of features with these limits.
    func allRemarks(ofClips range: Range<Int>, _ limits: FeatureLimits) throws(StorageError) -> [RecordingRemarks] {
        var all: [RecordingRemarks] =
            table.has(.remarks)
            ? try remarks(ofClips: range).map(\.stored) : Array(repeating: [], count: range.count)
        func insert(_ remark: RecordingRemarks, where column: ClipColumn.Integer) throws(StorageError) {
            guard table.has(column) else { return }
            for (index, value) in try file.read(column, range).enumerated() where value != 0 {
                all[index].insert(remark)
            }
        }
        try insert(.recordingsTruncated, where: .truncated)
        try insert(.samplesZeroed, where: .zeroedSamples)
        if limits.isLimited {
            let (durations, channels) = (try file.read(.duration, range), try file.read(.channels, range))
            let name = FeatureLimits.EdgeColumn.high.rawValue
            let edges =
                limits.takesEdges && table.extra.contains(name)
                ? try file.texts("\(ClipTable.extraGroup)/\(name)", range: range) : []
            let chosen = table.has(.channel) ? try file.read(.channel, range) : []
            for (index, rate) in try file.read(.sampleRate, range).enumerated() {
                let channel = chosen.isEmpty || chosen[index] < 0 ? nil : chosen[index]
                all[index].formUnion(
                    limits.remarks(
                        sampleRate: rate, duration: durations[index], channels: channels[index], channel: channel,
                        edge: edges.isEmpty ? nil : Double(edges[index])))
            }
        }
        return all
    }

    /// The remarks of the clips, by the column of them.
    private func clipRemarks() throws(StorageError) -> [Remark] {
        guard table.has(.remarks) else { return [] }
        var account = Account()
        for range in (0..<clipCount).blocks(of: 8192) {
            let remarks = try remarks(ofClips: range)
            guard remarks.contains(where: { !$0.isEmpty }) else { continue }
            let ids = try file.read(.id, range)
            for (index, remarks) in remarks.enumerated() {
                account.add(remarks, ofClip: ids[index], at: range.lowerBound + index)
            }
        }
        return account.remarks
    }
}
