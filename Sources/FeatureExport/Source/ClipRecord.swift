import FeatureModel
import FeatureStorage

/// What a file knows of its clips, as JSON.
enum ClipRecord {
    /// Appends the columns of a clip as one object.
    ///
    /// - Parameter frameStart: The clip's first row in the export; nil: rows are not numbered there.
    static func append(_ clip: StoredClip, _ reader: FeatureReader, frameStart: Int?, to json: inout JSONBuilder) {
        json.object { json in
            json.member("id", clip.id)
            json.member("path", clip.path)
            json.member("label", clip.label)
            json.member("label_index", clip.labelIndex)
            if let indices = clip.labelIndices { json.member("labels", labels(indices, reader)) }
            json.member("split", clip.split)
            json.member("start", clip.start)
            json.member("duration", clip.duration)
            json.member("sample_rate", clip.sampleRate)
            json.member("channels", clip.channels)
            if let channel = clip.channel { json.member("channel", channel) }
            if reader.storesTruncated { json.member("truncated", clip.isTruncated ? 1 : 0) }
            if reader.storesZeroedSamples { json.member("zeroed_samples", clip.zeroedSamples) }
            if reader.storesRemarks { json.member("remarks", clip.remarks.kinds.map(\.rawValue)) }
            if let frameStart { json.member("frame_start", frameStart) }
            json.member("frame_count", clip.frameCount / reader.shape.patchRows)
            json.key("extra")
            json.object { json in
                for (name, value) in zip(reader.extraColumns, clip.extra) { json.member(name, value) }
            }
        }
    }

    /// The names of labels by their indices.
    static func labels(_ indices: [Int], _ reader: FeatureReader) -> [String] {
        indices.compactMap { reader.labels.indices.contains($0) ? reader.labels[$0] : nil }
    }
}

/// The manifest's columns that formats for speech have a field for.
struct SpeechColumns {
    /// Index of the column with the words.
    let text: Int?
    /// Index of the column with the speaker.
    let speaker: Int?

    /// Finds the columns by their names.
    init(_ reader: FeatureReader) {
        func column(_ names: [String]) -> Int? {
            for name in names {
                if let index = reader.extraColumns.firstIndex(of: name) { return index }
            }
            return nil
        }
        text = column(["text", "transcript", "sentence"])
        speaker = column(["speaker", "speaker_id"])
    }
}
