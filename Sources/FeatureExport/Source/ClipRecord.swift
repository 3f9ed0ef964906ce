import FeatureModel
import FeatureStorage

/// The columns of clips as JSON.
package enum ClipRecord {
    /// Appends the columns of a clip as one object.
    ///
    /// - Parameter frameStart: The clip's first row in the export; nil: rows are not numbered there.
    package static func append(
        _ clip: StoredClip, _ reader: FeatureReader, frameStart: Int?, to json: inout JSONBuilder
    ) {
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

    /// The names of the labels with these indices.
    static func labels(_ indices: [Int], _ reader: FeatureReader) -> [String] {
        indices.compactMap { reader.labels.indices.contains($0) ? reader.labels[$0] : nil }
    }
}

/// `export.json`: what the arrays of an export are, and the files that belong to it.
enum ExportDescription {
    static let name = ExportFile.description

    static func bytes(_ source: ExportSource, _ options: ExportOptions, files: [String]) -> [UInt8] {
        let (reader, shape) = (source.reader, source.reader.shape)
        var json = JSONBuilder()
        json.object { json in
            json.member("format", options.format.rawValue)
            json.member("generator", VeeryVersion.generator)
            json.member("source_metadata_xxh3", reader.metadataChecksum)
            if let split = options.split { json.member("split", split) }
            if let label = options.label { json.member("label", label) }
            json.member("clips", source.clipCount)
            json.member("frames", source.frameCount / shape.patchRows)
            json.member("bins", shape.channelBins)
            if let channels = shape.channels { json.member("channels", channels) }
            json.member("layout", shape.layout.rawValue)
            if shape.layout == .fixed { json.member("block_frames", shape.frames / shape.patchRows) }
            json.member("type", shape.element.rawValue)
            json.member("units", reader.units)
            json.member("long_name", reader.longName)
            json.member("frame_period", reader.framePeriod)
            json.member("first_frame_time", reader.firstFrameTime)
            if let patch = shape.patch {
                json.member("patch_length", patch.length)
                json.member("patch_hop", patch.hop)
            }
            json.member(reader.axis.name, reader.axis.values)
            json.member("labels", reader.labels)
            if let names = reader.frameLabelNames { json.member("frame_label_names", names) }
            appendStatistics(reader, to: &json)
            json.member("manifest_sha256", reader.manifestChecksum)
            json.key("configuration")
            json.raw(reader.configuration.isEmpty ? "null" : reader.configuration)
            if !source.remarks.isEmpty {
                json.key("remarks")
                json.array { for remark in source.remarks { $0.raw(remark.json) } }
            }
            json.member("files", files + [name])
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }

    private static func appendStatistics(_ reader: FeatureReader, to json: inout JSONBuilder) {
        json.key("normalize")
        json.object { json in
            json.member("scope", reader.normalize.scope.rawValue)
            json.member("method", reader.normalize.method.rawValue)
            json.member("axis", reader.normalize.axis.rawValue)
            json.member("fit", reader.fit)
            json.member("ddof", reader.normalize.ddof)
            json.member("epsilon", reader.normalize.epsilon)
            json.member("epsilon_in", reader.normalize.epsilonPlacement.rawValue)
            if let minimum = reader.normalize.minimum { json.member("minimum", minimum) }
            if let (mean, std) = reader.normalize.constants {
                json.member("mean", mean)
                json.member("std", std)
            } else if let columns = reader.normalize.constantColumns {
                json.member("mean", reader.normalize.mean?.values(columns) ?? [])
                json.member("std", reader.normalize.std?.values(columns) ?? [])
            }
        }
        json.key("statistics")
        json.object { json in
            json.member("count", reader.statistics.count)
            json.member("mean", reader.statistics.mean)
            json.member("std", reader.statistics.standardDeviation)
            json.member("min", reader.statistics.minimum)
            json.member("max", reader.statistics.maximum)
        }
    }
}
