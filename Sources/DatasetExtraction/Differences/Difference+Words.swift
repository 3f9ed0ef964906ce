import Presentation

extension Difference {
    /// The difference of a run's or a shard's clips, or of an older file whose clips are kept, as a clause.
    var words: String {
        switch self {
        case .foreign(let name): "it holds '\(name)', which the new file would not"
        case .setting(let key, let before, let now): Self.change(key, before ?? "missing", now ?? "missing")
        case .records: "another version of veery made it, which read some recordings otherwise"
        case .base(before: true, now: false): "it was an --append or --sync, and this is not"
        case .base(before: false, now: true): "it was not an --append or --sync, and this is one"
        case .base: "the file whose clips are kept is another"
        case .manifest(let before?, let now?) where before != now:
            "the manifest has changed (it had \(before) clips and has \(now) now)"
        case .manifest: "the manifest has changed"
        case .quoting(let before, let now):
            "the manifest was read with --quoting \(before) and is read with --quoting \(now) now"
        case .labels(before: true, now: false): "it was made with --frame-labels, and this is not"
        case .labels(before: false, now: true): "it was made without --frame-labels, and this is made with it"
        case .labels: "the annotations of --frame-labels have changed"
        case .statistics(let given?): "it was not normalised by the statistics of \(given)"
        case .statistics(nil): "it was normalised by the statistics of another file"
        case .truncated(let before, let now): Self.change("--truncated", before, now)
        case .nonFinite(let before, let now): Self.change("--non-finite", before, now)
        case .sampleRate(let before, let now):
            "the sample rate was \(Self.text(before)) Hz and is \(Self.text(now)) Hz now"
        case .channels(let before, let now):
            "the clips had \(Wording.count(before, "channel")) and have \(now) now"
        case .signals(let rate, let channels):
            "its recordings have another sample rate than \(rate) Hz"
                + (channels.map { ", or not \(Wording.count($0, "channel"))" } ?? "")
        case .machines: "other kinds of machine computed some of its clips"
        case .version(let name, let before, let now): "\(name) was version \(before) and is \(now) now"
        case .transform(let before, let now): Self.change("the transform", Self.transform(before), Self.transform(now))
        case .software(let before, let now): Self.change("the software", before, now)
        case .unreadable: "its description cannot be read"
        }
    }

    /// The differences of a file that clips are added to, those of the first kind that there are: columns and rates, for example,
    /// follow from settings.
    static func wordsOfUpdate(_ differences: [Difference]) -> String {
        let first = differences.map(\.stage).min()
        return differences.filter { $0.stage == first }.map(\.wordsOfUpdate).joined(separator: "; ")
    }

    private var stage: Int {
        switch self {
        case .labels: 0
        case .foreign: 1
        case .statistics: 3
        case .signals: 4
        default: 2
        }
    }

    private var wordsOfUpdate: String {
        switch self {
        case .labels(before: true, now: false): "its frames have labels: give their annotations with --frame-labels"
        case .labels(before: false, now: true):
            "its frames have no labels: leave out --frame-labels, or give --overwrite instead of --append"
        default: words
        }
    }

    /// The differences of a finished file as the rest of a sentence whose subject is the file; nil: there are none.
    ///
    /// - Parameter follows: Whether it may be brought to its manifest; a set may not.
    static func wordsOfOutput(_ differences: [Difference], follows: Bool) -> String? {
        guard let first = differences.first else { return nil }
        func sync(_ effect: String) -> String { follows ? " (--sync \(effect))" : "" }
        switch first {
        case .setting:
            let settings = differences.filter { if case .setting = $0 { true } else { false } }
            // Of two presets, nearly every setting differs.
            let found = settings.count > 3 ? "see 'veery inspect'" : settings.map(\.words).joined(separator: "; ")
            return "was made with another configuration (\(found))"
        case .manifest: return "was made from another manifest" + sync("brings it to this one")
        case .quoting:
            return "was made from this manifest with another meaning of its quotation marks (see --quoting)"
        case .labels(before: true, now: false): return "has labels of frames, and --frame-labels is not given"
        case .labels(before: false, now: true): return "has no labels of frames" + sync("adds them")
        case .labels: return "was made with other annotations" + sync("renews the labels of frames")
        case .statistics(nil):
            return "is normalised by the statistics of another: "
                + (follows
                    ? "clips were appended to it (see --append), it follows its manifest (see --sync), or --stats-from was given"
                    : "--stats-from was given")
        case .statistics: return "was normalised by other statistics"
        case .truncated, .nonFinite: return "was made with other options: \(first.words)"
        case .machines(nil, _): return "was made on one kind of machine, and these shards were not"
        case .machines(let found?, _):
            return "has clips of several kinds of machine (\(found)), which cannot be compared with recordings here "
                + "(--allow-mixed leaves it as it is)"
        case .transform, .version, .software:
            let transform = differences.first { if case .transform = $0 { true } else { false } }
            return "was made by other versions of the software" + (transform.map { ": \($0.words)" } ?? "")
        case .foreign, .records, .base, .sampleRate, .channels, .signals, .unreadable: return first.words
        }
    }

    private static func change(_ name: String, _ before: String, _ now: String) -> String {
        "\(name) was \(before) and is \(now) now"
    }

    /// A rate in Hz, without `.0`. A spool may hold any number.
    private static func text(_ rate: Double) -> String { Int(exactly: rate).map { "\($0)" } ?? "\(rate)" }

    private static func transform(_ name: String?) -> String { name.map { "'\($0)'" } ?? "that of FFTW" }
}
