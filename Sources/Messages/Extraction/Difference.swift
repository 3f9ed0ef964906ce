import DatasetExtraction
import Manifests
import Presentation

extension Difference: CustomStringConvertible {
    /// The difference of a run's or a shard's clips, or of an older file whose clips are kept, as a clause.
    package var description: String {
        switch self {
        case .foreign(let name): "it holds '\(name)', which the new file would not"
        case .setting(let key, let before, let now): Self.change(key, before ?? "missing", now ?? "missing")
        case .records: "another version of veery made it, which read some recordings otherwise"
        case .base(before: true, now: false): "it kept the clips of an older file, and this does not"
        case .base(before: false, now: true): "it was not an --append or --sync, and this is one"
        case .base: "the file whose clips are kept is another"
        case .manifest(let before?, let now?) where before != now:
            "the manifest has changed (it had \(before) clips and has \(now) now)"
        case .manifest: "the manifest has changed"
        case .corrections(before: true, now: false): "it was made with --corrections, and this is not"
        case .corrections(before: false, now: true): "it was made without --corrections, and this is made with them"
        case .corrections: "the corrections have changed"
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

    private static func change(_ name: String, _ before: String, _ now: String) -> String {
        "\(name) was \(before) and is \(now) now"
    }

    /// A rate in Hz, without `.0`. A spool may hold any number.
    private static func text(_ rate: Double) -> String { Int(exactly: rate).map { "\($0)" } ?? "\(rate)" }

    private static func transform(_ name: String?) -> String { name.map { "'\($0)'" } ?? "that of FFTW" }
}

extension Difference {
    /// What an output has that was made with corrections, where none are given, and what to do.
    static let withoutCorrections =
        "has corrections (give them with --corrections, or a file of corrections with a header alone to take them back)"
}

extension Difference {
    /// How many settings a sentence names, unless there is only one more.
    fileprivate static let namedSettings = 3

    fileprivate var isSetting: Bool { if case .setting = self { true } else { false } }

    fileprivate var isOfManifest: Bool { if case .manifest = self { true } else { false } }

    /// Whether it is one of versions of this program or of libraries, which no option and no file of the user's undoes.
    var isOfSoftware: Bool {
        switch self {
        case .records, .version, .transform, .software: true
        default: false
        }
    }
}

extension Sequence<Difference> {
    /// All differences as one clause. Of more than a few settings, such as those of two presets, it has the number and the first by
    /// their keys.
    var sentence: String { sentence(ofFile: nil) }

    /// The same.
    ///
    /// - Parameter path: The feature file whose settings these are, which a command shows; nil: they are of clips alone.
    func sentence(ofFile path: String?) -> String {
        let (settings, others) = (settings, filter { !$0.isSetting })
        let named = settings.prefix(Difference.namedSettings).map(\.description)
        guard settings.count > Difference.namedSettings + 1 else { return map(\.description).joined(separator: "; ") }
        let advice = path.map { " from those that veery inspect \(ShellText.file($0)) --json shows" } ?? ""
        let rest = ["and \(settings.count - named.count) more"] + others.map(\.description)
        return "\(settings.count) settings differ\(advice): " + (named + rest).joined(separator: "; ")
    }

    /// Those of settings, in the order of their keys.
    var settings: [Difference] { filter(\.isSetting) }

    /// Whether no setting, option or file differs. Where one does, the software's differences may follow from it.
    var areOfSoftware: Bool { allSatisfy(\.isOfSoftware) }

    /// What to do about clips of an interrupted run.
    var resumption: String {
        if contains(.unreadable) { return "give --fresh to delete its clips" }
        if allSatisfy(\.isOfManifest) {
            return
                "finish the run with the manifest as it was, then give --sync with the new one, which keeps the clips that are "
                + "the same; or give --fresh to delete its clips"
        }
        return areOfSoftware
            ? "complete the run with the version that began it, or give --fresh to delete its clips"
            : "undo that to resume the run, or give --fresh to delete its clips"
    }

    /// What to do about a shard that does not go with the others.
    var shardAgreement: String {
        if contains(.unreadable) { return "give --fresh to this shard to compute it again" }
        return areOfSoftware
            ? "run all shards with one version, or give --fresh to each to compute them again"
            : "give all shards the same manifest and settings, or give --fresh to each to compute them again"
    }
}
