import ArgumentParser
import FeatureModel
import FileIO
import Manifests
import Presentation

/// Names of splits with a list file each: `--list val=validation_list.txt`.
struct SplitList: ExpressibleByArgument {
    let list: SplitLists.List

    init?(argument: String) {
        let sides = argument.split(separator: "=", maxSplits: 1)
        guard sides.count == 2 else { return nil }
        list = SplitLists.List(split: String(sides[0]), path: String(sides[1]))
    }
}

struct SplitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "split", abstract: "Give every clip a split, such as train or test.",
        discussion: """
            Writes a manifest, and prints how many clips of each label are in each split.
            Clips of one group (--by) never get different splits. A group's split depends
            on its name and --seed alone: a dataset that grows keeps the splits that it
            has. The name of a recording is its path in the manifest that is written,
            without '../'; with '-o -', its path from the current folder, as if the
            manifest were written there. The paths in that output are those of the input.

            Examples:
              veery split manifest.csv -o split.csv --ratio train=0.8,val=0.1,test=0.1
              veery split LibriSpeech -o libri.csv --ratio train=0.9,test=0.1 --by speaker
              veery split birds.csv -o folds.csv --folds 5 --by site --stratify
              veery split words -o words.csv --list val=val.txt --rest train
            """)

    @OptionGroup var input: ManifestArguments

    @OptionGroup var output: ManifestOutputOptions

    @Option(
        help: ArgumentHelp(
            "The splits and their shares of the groups, such as train=0.8,val=0.1,test=0.1 or train=80%,test=20%. 80/20 and 4:1 are "
                + "train and test, 80/10/10 is train, val and test.", valueName: "shares"))
    var ratio: String?

    @Option(help: ArgumentHelp("Make k splits of the same size: fold0, fold1 …", valueName: "k"))
    var folds: Int?

    @Option(
        help: ArgumentHelp(
            "A split and the file that lists its clips. Each line is an id, a path, a file name or a group. Repeatable.",
            valueName: "split=file"))
    var list: [SplitList] = []

    @Option(help: ArgumentHelp("The split of clips that no --list names. Default: none.", valueName: "split"))
    var rest: String?

    @Option(
        help: ArgumentHelp(
            "What keeps clips together: recording, clip, folder, or a column such as speaker. Default: recording.",
            valueName: "recording|clip|folder|column"), completion: .columns(besides: "recording", "clip", "folder"))
    var by: String?

    @Flag(help: "Give every split its share of every label. Then adding clips may change the split of a group.")
    var stratify = false

    @Option(help: "A number; another one gives other splits. (default: 0)")
    var seed: Int?

    @Flag(help: "Keep the splits that clips have already, and give only the others one.")
    var keep = false

    @OptionGroup var strict: StrictOption

    @Flag(help: .json)
    var json = false

    @Flag(name: .shortAndLong, help: .quiet)
    var quiet = false

    func validate() throws {
        guard [ratio != nil, folds != nil, !list.isEmpty].count(where: { $0 }) == 1 else {
            throw ValidationError("Give one of --ratio, --folds and --list.")
        }
        if let folds, !(2...1000).contains(folds) { throw ValidationError("--folds is \(folds); expected 2 to 1000.") }
        if rest != nil, list.isEmpty { throw ValidationError("--rest is for --list.") }
        if !list.isEmpty, stratify || seed != nil || keep {
            throw ValidationError("--stratify, --seed and --keep are for --ratio and --folds.")
        }
        if json, output.target.isStandardOutput {
            throw ValidationError("--json and the manifest cannot both be standard output.")
        }
        _ = try shares()
    }

    func run() throws {
        let format = try output.format()
        let (source, root) = try input.dataset(isQuiet: quiet)
        var account = source.account
        // A split by a hash depends on the name of the group; lists name groups as the source does.
        let written = list.isEmpty ? try RelocatedPaths(from: root, to: output.target.groupFolder) : nil
        let groups = try ClipGroups(of: source, by: key, written: written)
        let (names, splitOf) = try list.isEmpty ? byShares(groups, source) : byLists(groups, source, &account)
        try strict.report(account, isQuiet: quiet)
        try write(source, root, format, names, splitOf)
        try report(SplitTable(groups, splits: names, splitOf: splitOf), groups, of: source, account)
        if !quiet, let text = try dividedSpeakers(source, splitOf) { Console.warn(text) }
    }

    private var key: GroupKey { by.map(GroupKey.init(option:)) ?? .recording }

    private func shares() throws -> SplitShares? {
        if let folds { return SplitShares(folds: folds) }
        guard let ratio else { return nil }
        do throws(SplitShares.Refusal) { return try SplitShares(text: ratio) } catch {
            let reason =
                switch error {
                case .malformed(let part):
                    "'\(part)' is not NAME=SHARE; expected such as train=0.8,val=0.1,test=0.1, or 80/20"
                case .repeated(let name): "'\(name)' is given twice"
                case .notPositive(let name): "the share of '\(name)' is not more than 0"
                case .otherSum(let sum): "the shares add up to \(Wording.number(sum)); expected 1"
                }
            throw ValidationError("--ratio: \(reason).")
        }
    }

    // MARK: - Splits

    private func byShares(_ groups: ClipGroups, _ source: Manifest) throws -> (names: [String], splitOf: [Int32]) {
        guard let shares = try shares() else { return ([], []) }
        if keep, let first = groups.divided.first {
            throw FileRefusal(
                path: source.path,
                reason:
                    "\(Wording.count(groups.divided.count, "group")) already \(groups.divided.count == 1 ? "has" : "have") clips in "
                    + "several splits, such as '\(shown(first.group))' in \(first.splits.joined(separator: ", ")); leave out --keep, or group "
                    + "them otherwise with --by")
        }
        let assignment =
            stratify
            ? SplitAssignment(stratifying: groups, shares, seed: seed ?? 0, keepsGiven: keep)
            : SplitAssignment(groups, shares, seed: seed ?? 0, keepsGiven: keep)
        return (assignment.names, groups.groupOf.map { assignment.splitOf[Int($0)] })
    }

    private func byLists(
        _ groups: ClipGroups, _ source: Manifest, _ account: inout Account
    ) throws -> (names: [String], splitOf: [Int32]) {
        var lists = try SplitLists(list.map(\.list))
        var names = lists.names
        var restIndex: Int32 = -1
        if let rest {
            if !names.contains(rest) { names.append(rest) }
            restIndex = Int32(names.firstIndex(of: rest) ?? 0)
        }
        var splitOf: [Int32] = []
        let clips = try source.reader()
        while let clip = try clips.next() {
            let split = lists.split(of: clip, group: groups.names[Int(groups.groupOf[clip.index])])
            if split == nil, rest == nil { account.add(.splitsMissing, source: source.path, at: clip.index, clip.id) }
            splitOf.append(split.map(Int32.init) ?? restIndex)
        }
        lists.reportUnused(to: &account)
        try checkGroups(groups, splitOf, names, source)
        return (names, splitOf)
    }

    /// Refuses lists that divide a group of `--by`; warns if they divide a recording.
    private func checkGroups(_ groups: ClipGroups, _ splitOf: [Int32], _ names: [String], _ source: Manifest) throws {
        var first = Array(repeating: Int32(-2), count: groups.groupCount)
        var divided = 0
        var example = ""
        for (clip, split) in splitOf.enumerated() {
            let group = Int(groups.groupOf[clip])
            if first[group] == -2 { first[group] = split }
            guard first[group] >= 0, first[group] != split else { continue }
            if divided == 0 { example = groups.names[group] }
            divided += 1
            first[group] = -1
        }
        guard divided > 0 else { return }
        let text =
            "the lists divide \(Wording.count(divided, by == nil ? "recording" : "group")), such as '\(shown(example))', among splits"
        guard by == nil else { throw FileRefusal(path: source.path, reason: "\(text); nothing written") }
        if !quiet { Console.warn(text) }
    }

    private func shown(_ group: String) -> String { group.hasPrefix("\0") ? String(group.dropFirst()) : group }

    // MARK: - Results

    /// What `check` would warn of: speakers whose recordings are in several splits; nil: none are.
    private func dividedSpeakers(_ source: Manifest, _ splitOf: [Int32]) throws -> String? {
        guard by == nil, list.isEmpty, !keep, let key = GroupKey.usual(of: source) else { return nil }
        let grouping = try ClipGrouping(of: source, by: key)
        var splits: [String: Set<Int32>] = [:]
        let clips = try source.reader()
        while let clip = try clips.next() {
            guard splitOf[clip.index] >= 0 else { continue }
            for name in grouping.groups(of: clip) { splits[name, default: []].insert(splitOf[clip.index]) }
        }
        let divided = splits.values.count { $0.count > 1 }
        guard divided > 0 else { return nil }
        return "\(Wording.count(divided)) of \(Wording.count(splits.count, "value")) of the column '\(grouping.name)' "
            + "\(divided == 1 ? "has" : "have") clips in several splits; --by \(ShellText.word(grouping.name)) keeps the clips of each together"
    }

    private func write(
        _ source: Manifest, _ root: String, _ format: ManifestFormat, _ names: [String], _ splitOf: [Int32]
    ) throws {
        let paths = try RelocatedPaths(from: root, to: output.target.folder)
        var columns = Set(source.columns)
        columns.insert(.split)
        let clips = try source.reader()
        try ManifestWriter(format: format, extraColumns: source.extraColumns).write(
            columns: columns, to: output.output, overwriting: output.overwrite, shown: output.target.shown
        ) { () throws(ManifestError) in
            guard let clip = try clips.next() else { return nil }
            let split = splitOf[clip.index]
            return clip.with(path: paths.path(clip.path), split: split < 0 ? "" : names[Int(split)])
        }
    }

    /// The splits whose share of the clips is off by more than a tenth of it, and by more than rounding explains, as with few groups;
    /// nil: none is.
    private func missedShares(_ table: SplitTable, _ groups: ClipGroups) throws -> String? {
        // Of all clips in one split, the other warning says enough.
        guard list.isEmpty, !keep, table.clips.count(where: { $0 > 0 }) > 1, let shares = try shares() else {
            return nil
        }
        let all = Double(table.clips.reduce(0, +))
        func miss(_ wanted: Double, _ clips: Int) -> Double { abs(Double(clips) - wanted * all) / (wanted * all) }
        // Of each label, a split has a whole number of clips.
        let rounding = stratify ? max(1, Double(groups.labels.count) / 2) : 1
        let missed = zip(zip(shares.names, shares.shares), table.clips).filter { wanted, clips in
            clips > 0 && miss(wanted.1, clips) > max(0.1, rounding / (wanted.1 * all))
        }
        guard !missed.isEmpty else { return nil }
        func worst(_ clips: [Int]) -> Double { zip(shares.shares, clips).map(miss).max() ?? 0 }
        func percent(_ share: Double) -> String { "\((share * 100).significant(3)) %" }
        let parts = missed.map { "\($0.0) has \(percent(Double($1) / all)) of the clips instead of \(percent($0.1))" }
        return parts.joined(separator: ", ")
            + ": there \(groups.groupCount == 1 ? "is" : "are") \(Wording.count(groups.groupCount, "group"))"
            + (stratifyHelps(groups, shares, than: worst(table.clips)) { worst($0) }
                ? "; --stratify comes nearer" : stratify ? "" : "; another --seed shares them out otherwise")
    }

    /// Whether groups that are shared out by their labels come nearer to the shares.
    private func stratifyHelps(
        _ groups: ClipGroups, _ shares: SplitShares, than miss: Double, _ worst: ([Int]) -> Double
    ) -> Bool {
        guard !stratify else { return false }
        let assignment = SplitAssignment(stratifying: groups, shares, seed: seed ?? 0, keepsGiven: false)
        let splitOf = groups.groupOf.map { assignment.splitOf[Int($0)] }
        return worst(SplitTable(groups, splits: assignment.names, splitOf: splitOf).clips) < 0.9 * miss
    }

    private func report(
        _ table: SplitTable, _ groups: ClipGroups, of source: Manifest, _ account: Account
    ) throws {
        if !quiet {
            if !source.splits.isEmpty, !keep {
                let before = source.splits.map { "\($0.name) \(Wording.count($0.clipCount))" }.joined(separator: ", ")
                Console.note("note: the manifest's own splits are replaced: \(before.printable)")
            }
            if groups.clipsWithoutGroup > 0, let by {
                Console.warn(
                    "\(Wording.count(groups.clipsWithoutGroup, "clip")) without a value in the column '\(by)': each recording of them "
                        + "is a group of its own")
            }
            if stratify {
                Console.note("note: --stratify balances labels; groups may change their split when clips are added")
            }
        }
        let report = SplitReport(
            table: table, groups: groups.groupCount, groupedBy: by ?? "recording", account: account)
        if json {
            try Console.output(json: report)
        } else if !quiet {
            if output.target.isStandardOutput { Console.note(report.text) } else { try Console.output(report.text) }
        }
        // After the table, which shows what they are about.
        if !quiet { try warn(of: table, groups) }
    }

    /// Warns of splits without clips, and of shares that are missed.
    private func warn(of table: SplitTable, _ groups: ClipGroups) throws {
        for (name, count) in zip(table.splits, table.clips) where count == 0 {
            let count = groups.groupCount
            let advice =
                !list.isEmpty || count < table.splits.count
                ? "" : "; --stratify shares them out evenly, and another --seed otherwise"
            Console.warn(
                "no clip is in the split '\(name)': there \(count == 1 ? "is" : "are") "
                    + "\(Wording.count(count, "group"))\(advice)")
        }
        if let missed = try missedShares(table, groups) { Console.warn(missed) }
    }
}
