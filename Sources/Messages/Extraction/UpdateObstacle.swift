import DatasetExtraction
import Presentation

extension UpdateObstacle {
    /// The end of a sentence after "but", about the file at `path`.
    package func words(of path: String) -> String {
        switch self {
        case .differences(let differences): Self.words(of: path, Self.shown(differences))
        case .otherPart(let clip):
            "its clip '\(clip.id)' is \(clip.duration) s of '\(clip.path)' from \(clip.start) s on"
        case .otherChannel(let id, let before, let now):
            "the manifest names \(Self.words(now)) for the clip '\(id)' instead of \(Self.words(before))"
        case .otherAnnotations(let id):
            "the annotations of its clip '\(id)' have changed, or are not among those of --frame-labels"
        case .missingClips(let missing): "\(missing)"
        case .otherManifest: "the manifest has changed since: add --sync to follow it"
        case .otherCorrections: "the corrections have changed since: add --sync to apply them"
        case .missingRecordings(let count, let first):
            "all clips are computed again for its statistics, and the recordings of "
                + "\(Wording.count(count, "clip")), such as \(first), are missing"
        }
    }

    /// Whether the words say all that can be done.
    var areWholeAdvice: Bool {
        switch self {
        case .otherCorrections: true
        case .differences(let differences): differences.contains(.corrections(before: true, now: false))
        default: false
        }
    }

    /// Whether only versions of this program or of libraries differ.
    var isOfSoftware: Bool {
        if case .differences(let differences) = self { Self.shown(differences).areOfSoftware } else { false }
    }

    /// Only differences of the first stage that has any: columns and rates, for example, follow from settings.
    private static func shown(_ differences: [Difference]) -> [Difference] {
        Dictionary(grouping: differences, by: stage).min { $0.key < $1.key }?.value ?? []
    }

    private static func words(_ channel: Int?) -> String { channel.map { "channel \($0)" } ?? "no channel" }

    private static func stage(_ difference: Difference) -> Int {
        switch difference {
        case .labels, .corrections: 0
        case .foreign: 1
        case .statistics: 3
        case .signals: 4
        default: 2
        }
    }

    private static func words(of path: String, _ differences: [Difference]) -> String {
        differences.settings.isEmpty
            ? differences.map(words).joined(separator: "; ") : differences.sentence(ofFile: path)
    }

    private static func words(_ difference: Difference) -> String {
        switch difference {
        case .labels(before: true, now: false): "its frames have labels: give their annotations with --frame-labels"
        case .labels(before: false, now: true):
            "its frames have no labels: leave out --frame-labels, or give --overwrite instead of --append"
        case .corrections(before: true, now: false): "it " + Difference.withoutCorrections
        default: "\(difference)"
        }
    }
}

extension MissingClips: CustomStringConvertible {
    /// The end of a sentence after "but": which clips, how many, why, and what to do.
    package var description: String {
        guard let first = examples.first else {
            return
                "its clip '\(firstOutOfOrder.id)' is not in the file's order: the manifest has all of its clips, in another"
                + " one. Restore the order of its rows, or give --sync instead of --append"
        }
        let others = examples.dropFirst().map { "'\($0.clip.id)' (\(words($0)))" }
        var text = "its clip '\(first.clip.id)' is not in the manifest (\(words(first)))"
        if count > 1 {
            text +=
                ", nor \(count == 2 ? "is" : "are") \(Wording.count(count - 1)) more of its \(Wording.count(total, "clip")): "
                + others.joined(separator: ", ") + (count > examples.count ? ", …" : "")
        }
        return text + ". Restore these rows, or give --sync instead of --append"
    }

    private func words(_ example: Example) -> String {
        switch example.cause {
        case .renamed(let id): "its recording is there as '\(id)'"
        case .changedSegment(let id): "its recording is there with other times, as '\(id)'"
        case .moved(let path): "its recording seems to have moved to '\(path)'"
        case .removed: "no row names its recording '\(example.clip.path)'"
        }
    }
}
