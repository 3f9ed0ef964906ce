import FeatureExport
import FeatureModel
import FeatureStorage
import Manifests

/// The clips of a feature file, or the ones that failed, one after another: some thousands at a time are in memory.
struct ClipListing {
    /// What is listed.
    enum Source {
        /// Stored clips, by their indices; nil: all.
        case clips([Int]?)
        case failures
    }

    let reader: FeatureReader
    let source: Source
    /// How many there are.
    let count: Int
    /// How many are listed.
    let shown: Int

    /// Clips that are read at once.
    private static let blockSize = 4096

    init(_ reader: FeatureReader, _ source: Source, maximum: Int) {
        (self.reader, self.source) = (reader, source)
        count =
            switch source {
            case .clips(let indices): indices?.count ?? reader.clipCount
            case .failures: reader.failureCount
            }
        shown = min(count, maximum)
    }

    /// Passes on the clips in the file's order, or the failures in the manifest's.
    func each(
        clips: ([StoredClip]) throws -> Void = { _ in }, failures: ([StoredFailure]) throws -> Void = { _ in }
    ) throws {
        switch source {
        case .failures:
            for range in (0..<shown).blocks(of: Self.blockSize) { try failures(reader.failures(range)) }
        case .clips(nil):
            for range in (0..<shown).blocks(of: Self.blockSize) { try clips(reader.clips(range)) }
        case .clips(let indices?):
            var next = 0
            while next < shown {
                let first = indices[next]
                var end = next + 1
                while end < shown, indices[end] - first < Self.blockSize { end += 1 }
                let found = try reader.clips(first..<indices[end - 1] + 1)
                try clips(indices[next..<end].map { found[$0 - first] })
                next = end
            }
        }
    }

    // MARK: - For other programs

    /// The columns of a manifest, so that `veery extract` can read it: of clips with their times in their recordings; of failures
    /// as `--failures-out` names them. Without any label or split, there is no such column: an empty one would say that the splits are
    /// known.
    func csv(_ write: (String) throws -> Void) throws {
        let (hasLabels, hasSplits) = (!reader.labels.isEmpty, try reader.hasSplits)
        var names =
            ["path", "id"] + (hasLabels ? ["label"] : []) + (hasSplits ? ["split"] : []) + ["start", "duration"]
        if reader.storesChannel { names.append("channel") }
        names += reader.extraColumns
        if case .failures = source { names = ["path", "id", "failure_stage", "failure_kind", "failure_reason"] }
        try write(Self.text([names]))
        try each { clips in
            try write(
                Self.text(
                    clips.map { clip in
                        var values = [clip.path, clip.id]
                        if hasLabels { values.append(clip.label) }
                        if hasSplits { values.append(clip.split) }
                        values += ["\(clip.start)", "\(clip.duration)"]
                        if reader.storesChannel { values.append(clip.channel.map { "\($0)" } ?? "") }
                        return values + clip.extra
                    }))
        } failures: { failures in
            try write(
                Self.text(
                    failures.map { clip in
                        let failure = clip.failure
                        return [clip.path, clip.id, failure.stage.rawValue, failure.kind ?? "", failure.reason]
                    }))
        }
    }

    private static func text(_ rows: [[String]]) -> String {
        String(decoding: rows.flatMap(ManifestWriter.csv), as: UTF8.self)
    }

    /// An object with the file and an array of objects, whose members are those of `clips.jsonl` in an export.
    func json(_ write: (String) throws -> Void) throws {
        var json = JSONBuilder()
        json.open("{")
        json.member("file", reader.path)
        if case .failures = source { json.key("failures") } else { json.key("clips") }
        json.open("[")
        func flush() throws { try write(String(decoding: json.take(), as: UTF8.self)) }
        try each { clips in
            for clip in clips { ClipRecord.append(clip, reader, frameStart: nil, to: &json) }
            try flush()
        } failures: { failures in
            for clip in failures {
                json.object { json in
                    json.member("id", clip.id)
                    json.member("path", clip.path)
                    json.member("stage", clip.failure.stage.rawValue)
                    if let kind = clip.failure.kind { json.member("kind", kind) }
                    json.member("reason", clip.failure.reason)
                }
            }
            try flush()
        }
        json.close("]")
        json.close("}")
        json.endLine()
        try flush()
    }
}

extension FeatureReader {
    /// Whether any clip has a split.
    fileprivate var hasSplits: Bool {
        get throws {
            for range in (0..<clipCount).blocks(of: 65_536) {
                if try texts(.split, ofClips: range).contains(where: { !$0.isEmpty }) { return true }
            }
            return false
        }
    }
}
