import DatasetExtraction
import FileIO
import Presentation

extension OutputDifference {
    /// The rest of a sentence whose subject is the file at `path`.
    package func words(of path: String) -> String {
        switch self {
        case .made(let differences, let follows): Self.words(of: path, differences, follows)
        case .numberOfFiles(let count, let wanted): "names \(Wording.count(count, "file")), not \(wanted)"
        case .damaged(let finding): "is damaged: \(finding)"
        case .unreadable(let error): "cannot be read: \(error)"
        case .incomplete: "is not a complete feature file"
        case .changedRecording(let path, let follows):
            "the recording \(path) is not what it was made from" + (follows ? " (--sync computes its clips anew)" : "")
        case .readableRecording(let path, let follows):
            "the recording \(path) could not be read then, and can be read now"
                + (follows ? " (--retry-failed adds its clips)" : "")
        case .missingRecording(let path): "the recording \(path), of which it has clips, is not there"
        case .otherClips: "does not have what the shards have of its clips"
        case .otherRecording: "is not this recording"
        case .unknown: "a stream cannot be compared with it before it is read"
        }
    }

    private static func words(of path: String, _ differences: [Difference], _ follows: Bool) -> String {
        guard let first = differences.first else { return "" }
        func sync(_ effect: String) -> String { follows ? " (--sync \(effect))" : "" }
        switch first {
        case .setting:
            return "was made with another configuration (\(differences.settings.sentence(ofFile: path)))"
        case .manifest: return "was made from another manifest" + sync("brings it to this one")
        case .corrections(before: true, now: false): return Difference.withoutCorrections
        case .corrections(before: false, now: true): return "was made without corrections" + sync("applies them")
        case .corrections: return "was made with other corrections" + sync("applies these")
        case .quoting:
            return "was made from this manifest with another meaning of its quotation marks (see --quoting)"
        case .labels(before: true, now: false): return "has labels of frames, and --frame-labels is not given"
        case .labels(before: false, now: true): return "has no labels of frames" + sync("adds them")
        case .labels: return "was made with other annotations" + sync("renews the labels of frames")
        case .statistics(nil):
            return "is normalised by the statistics of another: "
                + (follows
                    ? "clips were appended to it (see --append), it follows its manifest (see --sync), or --stats-from was given "
                        + "(--sync --new-statistics computes those of its clips)"
                    : "--stats-from was given")
        case .statistics: return "was normalised by other statistics"
        case .truncated, .nonFinite: return "was made with other options: \(first)"
        case .machines(nil, _): return "was made on one kind of machine, and these shards were not"
        case .machines(let found?, _):
            return "has clips of several kinds of machine (\(found)), which cannot be compared with recordings here "
                + "(--allow-mixed leaves it as it is)"
        case .transform, .version, .software:
            // All versions as JSON say less than none.
            let named = differences.filter { if case .software = $0 { false } else { $0.isOfSoftware } }
            return "was made by other versions of the software" + (named.isEmpty ? "" : ": \(named.sentence)")
        case .foreign, .records, .base, .sampleRate, .channels, .signals, .unreadable: return "\(first)"
        }
    }
}

extension SetObstacle: CustomStringConvertible {
    package var description: String {
        switch self {
        case .otherFile(let path, let difference, let number, let count):
            "\(path) \(difference.words(of: path)): unless its task is still to come, give --file \(number)/\(count) "
                + "--overwrite with the options of this file, or write this file again with those of that one"
        case .storage(.changedFileOfSet(let path, _, let found)): "\(path): \(found)"
        case .storage(let error): "\(error)"
        case .clips(let count, let wanted): "the files have \(count) of \(wanted) clips"
        }
    }
}
