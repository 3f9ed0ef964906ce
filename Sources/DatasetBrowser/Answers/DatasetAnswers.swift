import Essentials
import FeatureModel
import PageRequests
import Plotting

/// What is true of the whole dataset, and its table.
enum DatasetAnswers {
    static func dataset(
        _ facts: DatasetFacts, command: String, corrections: String, generation: String, version: String
    ) -> PageResponse {
        .json { json in
            json.member("name", facts.name)
            json.member("kind", facts.features == nil ? "manifest" : "features")
            json.member("command", command)
            json.member("clips", facts.clipCount)
            json.member("failures", facts.failureCount)
            json.member("labels", facts.labels)
            json.member("splits", facts.splits)
            json.member("columns", shownColumns(facts))
            json.member("multilabel", facts.hasSeveralLabels)
            let features = facts.features
            json.member("units", features?.units ?? "")
            json.member("bins", features?.bins ?? 0)
            json.member("framePeriod", optional: features?.framePeriod)
            json.member("firstFrameTime", optional: features?.firstFrameTime)
            json.member("longName", features?.longName ?? "")
            json.member("frequency", optional: features?.frequencies)
            json.member("frequencyScale", optional: features?.scale?.rawValue)
            json.member("range", optional: features.map { [$0.range.lowerBound, $0.range.upperBound] })
            json.member("colours", colours)
            json.member("corrections", corrections)
            json.member("generation", generation)
            json.member("version", version)
        }
    }

    /// 256 colours of three bytes each, in Base64.
    private static let colours = Data(ColorTable.magma.entries.flatMap { [$0.red, $0.green, $0.blue] })
        .base64EncodedString()

    /// The manifest's columns without the labels, which the page shows by themselves.
    private static func shownColumns(_ facts: DatasetFacts) -> [String] {
        facts.columns.filter { $0 != "labels" }
    }

    /// Some of the clips, column by column.
    ///
    /// - Parameter level: That of a clip whose samples have been read; nil: not known.
    static func clips(
        _ clips: [BrowsedClip], from first: Int, _ facts: DatasetFacts, level: (Int) -> SoundLevel?,
        duration: (Int) -> Double?
    ) -> PageResponse {
        .json { json in
            json.member("from", first)
            json.member("n", clips.count)
            json.member("id", clips.map(\.clip.id))
            json.member("path", clips.map(\.clip.path))
            json.member("labels", clips.map(\.labels))
            json.member("split", clips.map(\.split))
            json.member("start", clips.map(\.start))
            json.member("duration", of: clips) { $0.element($1.duration ?? duration($1.number)) }
            json.member("frames", of: clips) { $0.element($1.frames) }
            json.member("peak", of: clips) { $0.element(level($1.number)?.peak) }
            json.member("rms", of: clips) { $0.element(level($1.number)?.rms) }
            json.member("failure", of: clips) { json, clip in
                if let failure = clip.failure { json.failure(failure) } else { json.raw("null") }
            }
            json.key("columns")
            json.object { json in
                for (index, name) in facts.columns.enumerated() where name != "labels" {
                    json.member(
                        name, clips.map { $0.clip.extra.indices.contains(index) ? $0.clip.extra[index] : "" })
                }
            }
        }
    }
}

extension JSONBuilder {
    mutating func failure(_ failure: FailureRecord) {
        object { json in
            json.member("stage", failure.stage.rawValue)
            json.member("kind", failure.kind ?? "")
            json.member("reason", failure.reason)
        }
    }
}
