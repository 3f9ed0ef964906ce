import ArgumentParser

/// The table of the options of `veery extract`: with which others each is refused, and why. All other combinations are allowed.
///
/// A test compares it with the options of the command.
struct ExtractOption: Sendable {
    /// Without dashes.
    let name: String
    /// The options that it is refused with: those that choose another kind of run, above all.
    let refusals: [Partner: Refusal]
    /// The options of which it needs one; empty: none.
    let needs: [Partner]
    /// Whether it is given; nil: not needed, since it can be combined with all options.
    let isGiven: (@Sendable (ExtractCommand) -> Bool)?

    /// The option of another row.
    enum Partner: String, CaseIterable {
        case tar, shard, files, file, append, sync
        case retryFailed = "retry-failed"
        case fresh
        case statsFrom = "stats-from"
        case frameLabels = "frame-labels"
    }

    /// Why an option is refused with another, and what to do instead.
    enum Refusal {
        case unknownClips, noShards, part, newSet, fromShards, whole, wholeSet
        case keepsAll, comparesAll, replacesNothing, discarded, twoStatistics

        func sentence(_ option: String, _ partner: String) -> String {
            switch self {
            case .unknownClips:
                "\(option) is not for --tar, whose clips are known only at the end of the stream. "
                    + "Give the tar as a file without --tar."
            case .noShards: "\(option) is for clips of shards, and --tar has none: leave it out."
            case .part: "--shard computes a part of a new file: give it without \(option)."
            case .newSet: "\(partner) writes a new set of files: give it without \(option)."
            case .fromShards: "--file writes a file from shards that are done: give it without \(option)."
            case .whole: "\(option) is for all clips: give it to the command without --shard, which writes the file."
            case .wholeSet:
                "\(option) is for all clips: give it with --files instead of --file, once the set is complete."
            case .keepsAll:
                "--append keeps all clips and tries failed ones again: give it without --sync and --retry-failed."
            case .comparesAll:
                "--verify-inputs is for interrupted runs; --append always compares the clips that it keeps."
            case .replacesNothing:
                "--append keeps the clips of the output, and --overwrite replaces it: give one of them."
            case .discarded: "--fresh discards the clips that \(option) would compare: give one of them."
            case .twoStatistics:
                "--new-statistics computes statistics, and --stats-from takes those of another file."
            }
        }
    }

    private init(
        _ name: String, _ refusals: [Partner: Refusal] = [:], needs: [Partner] = [],
        isGiven: (@Sendable (ExtractCommand) -> Bool)? = nil
    ) {
        (self.name, self.refusals, self.needs, self.isGiven) = (name, refusals, needs, isGiven)
    }

    /// The refusals of options that need an output or an older run, which only the run of one file has.
    private static func ofOneFile(and others: [Partner: Refusal] = [:]) -> [Partner: Refusal] {
        [.tar: .unknownClips, .shard: .part, .files: .newSet, .file: .fromShards].merging(others) { $1 }
    }

    /// Options that can be combined with all others.
    private static let free = [
        "output", "preset", "config", "set", "jobs", "truncated", "non-finite", "overshoot", "no-ffmpeg",
        "progress", "quiet", "strict", "json",
    ].map { Self($0) }

    private static let ofColumns = ["label-separator", "one-hot", "extension"].map { name in
        Self(name, [.tar: .unknownClips]) { $0.input.reading.values.given.contains(name) }
    }

    private static let ofAnnotations = ["label-column", "path-column", "label", "annotator", "tier"].map { name in
        Self(name, [.tar: .unknownClips], needs: [.frameLabels]) { $0.frameLabels.rows.given.contains(name) }
    }

    static let all: [ExtractOption] =
        free + ofColumns + ofAnnotations + [
            Self("channel", [.tar: .unknownClips], needs: [.frameLabels]) { $0.frameLabels.channels.channel != nil },
            Self("frame-labels", [.tar: .unknownClips]) { !$0.frameLabels.frameLabels.isEmpty },
            Self("format", [.tar: .unknownClips]) { $0.input.reading.format != nil },
            Self("column", [.tar: .unknownClips]) { !$0.input.reading.column.isEmpty },
            Self("quoting", [.tar: .unknownClips]) { $0.input.reading.quoting.quoting != nil },
            Self("root", [.tar: .unknownClips]) { $0.input.reading.root != nil },
            Self("corrections", [.tar: .unknownClips]) { $0.input.corrections != nil },
            Self("time-unit", [.tar: .unknownClips]) { $0.input.reading.unit.timeUnit != nil },
            Self("tar", [.shard: .part, .files: .newSet, .file: .fromShards]) { $0.tar },
            Self("shard", [.files: .newSet, .file: .fromShards]) { $0.shard != nil },
            Self("files") { $0.files != nil },
            Self("file") { $0.file != nil },
            Self("append", ofOneFile(and: [.sync: .keepsAll, .retryFailed: .keepsAll])) { $0.append },
            Self("sync", ofOneFile()) { $0.sync },
            Self("retry-failed", ofOneFile()) { $0.retryFailed },
            Self("new-statistics", ofOneFile(and: [.statsFrom: .twoStatistics]), needs: [.sync, .retryFailed]) {
                $0.newStatistics
            },
            Self("stats-from") { $0.statsFrom != nil },
            Self("allow-mixed", [.tar: .noShards]) { $0.allowMixed },
            Self("fresh", [.file: .fromShards]) { $0.fresh },
            Self(
                "verify-inputs",
                [.tar: .unknownClips, .file: .fromShards, .append: .comparesAll, .fresh: .discarded]
            ) { $0.verifyInputs },
            Self("keep-missing", [.tar: .unknownClips]) { $0.keepMissing },
            Self("scratch", [.file: .fromShards]) { $0.scratch != nil },
            Self("max-failures", [.shard: .whole, .file: .wholeSet]) { $0.maxFailures != nil },
            Self("failures-out", [.shard: .whole, .file: .wholeSet]) { $0.failuresOut != nil },
            // With --failures-out it may be meant for the list of failures.
            Self("overwrite", [.append: .replacesNothing]) { $0.overwrite && $0.failuresOut == nil },
            Self("dry-run", [.tar: .unknownClips]) { $0.dryRun },
        ]

    /// - Throws: `ValidationError` for the first option that does not go with others that are given.
    static func check(_ command: ExtractCommand) throws {
        let given = all.filter { $0.isGiven?(command) ?? false }
        let names = Set(given.map(\.name))
        for option in given {
            for partner in Partner.allCases where names.contains(partner.rawValue) {
                guard let refusal = option.refusals[partner] else { continue }
                throw ValidationError(refusal.sentence("--\(option.name)", "--\(partner.rawValue)"))
            }
            guard option.needs.isEmpty || option.needs.contains(where: { names.contains($0.rawValue) }) else {
                let needed = option.needs.map { "--\($0.rawValue)" }.joined(separator: " or ")
                throw ValidationError("--\(option.name) is for \(needed).")
            }
        }
    }
}
