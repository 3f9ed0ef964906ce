import Presentation

extension Suspicion.Reason {
    /// The reason in words, after the name of a clip.
    ///
    /// - Parameters:
    ///   - labels: The names of the file's labels.
    ///   - id: The id of a clip.
    package func words<Failure>(labels: [String], id: (Int) throws(Failure) -> String) throws(Failure) -> String {
        func name(_ label: Int) -> String { labels.indices.contains(label) ? "'\(labels[label])'" : "none" }
        switch self {
        case .equal(let clip, let isAudio):
            return "has the \(isAudio ? "samples" : "values") of '\(try id(clip))', which has another label"
        case .silent: return "is silent: all of its values are at the floor of the scale, or do not change"
        case .otherLabel(let given, let fitting, _):
            return "has the label \(name(given)); clips like it have \(name(fitting))"
        case .surplusLabel(let label, _): return "has the label \(name(label)); clips like it do not"
        case .lackingLabel(let label, _): return "does not have the label \(name(label)); clips like it do"
        case .unlike(let label, let factor):
            return "is \(Double(factor).significant(2)) times as far from the mean of \(name(label)) as its clips are"
        case .clipped(let share): return "is clipped: \(Wording.share(share)) of its samples are at full scale in runs"
        case .cutOff: return "is cut off: its recording ends before its header says"
        }
    }

    /// The kind in one word, for programs.
    package var kind: String {
        switch self {
        case .equal: "equal"
        case .silent: "silent"
        case .otherLabel: "other_label"
        case .surplusLabel: "surplus_label"
        case .lackingLabel: "lacking_label"
        case .unlike: "unlike"
        case .clipped: "clipped"
        case .cutOff: "cut_off"
        }
    }
}

extension Suspicion.Note {
    /// The note as a sentence without its full stop.
    package var words: String {
        switch self {
        case .noLabels: "no clip has a label, so no label can be judged"
        case .fewClips(let least):
            "most clips are of labels with fewer than \(least) clips, too few to learn from: each clip is compared with the nearest three "
                + "of its label and of others, which finds about half of the wrong labels"
        case .smallLabels(let count, let least):
            "\(Wording.count(count, "label")) \(count == 1 ? "has" : "have") fewer than \(least) clips: what is said of \(count == 1 ? "it" : "them") is "
                + "uncertain"
        case .notComparable(let clips):
            "\(Wording.count(clips, "clip")) \(clips == 1 ? "is" : "are") not judged: no clip of another group has the same label"
        case .oneGroup: "all clips are of one group, so each is compared with the others of it"
        }
    }
}

extension SuspicionError: CustomStringConvertible {
    /// The error as one sentence for a person.
    package var description: String {
        switch self {
        case .noColumn(let path, let name, let columns):
            let known =
                columns.isEmpty
                ? "it has none of the manifest's"
                : "its columns are: \(columns.map { "'\($0)'" }.joined(separator: ", "))"
            return "\(path): there is no column '\(name)'; \(known)"
        case .cancelled: return "stopped"
        }
    }
}
