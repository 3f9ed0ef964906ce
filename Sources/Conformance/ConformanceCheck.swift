import ArrayFiles
import AudioDecoding
import FeatureModel
import SignalProcessing

/// Compares arrays with the features of recordings, and explains differences.
package struct ConformanceCheck {
    /// A recording, and the name of its array.
    package struct Pair: Sendable {
        package let clip: Clip
        /// Where the recording lies.
        package let path: String
        /// Nil: the only array of the file.
        package let arrayName: String?

        package init(clip: Clip, path: String, arrayName: String?) {
            (self.clip, self.path, self.arrayName) = (clip, path, arrayName)
        }
    }

    /// The usual bound of the root of the mean square of differences, as a share of the range.
    ///
    /// Programs in single precision are up to 3e-5 of the range from double precision; what a wrong detail changes is mostly
    /// above 1e-3.
    package static let usualTolerance = 5e-5
    /// Up to this share of the tolerance, differences are rounding, and no change is looked for that leaves less.
    private static let rounding = 0.1
    /// Samples that are analysed to look for one.
    private static let surpassingWork = ConformanceSearch.usualWork / 2
    /// If several recordings differ, the search uses one of at most this length, in s.
    private static let searchedSeconds = 30.0

    /// Changes up to which no other preset is looked for.
    private static let fewChanges = 3
    /// Presets that changes are tried on, where none of the expected configuration explain an array: those that fit best.
    private static let searchedPresets = 3
    /// Samples that are analysed for each of them.
    private static let presetWork = ConformanceSearch.usualWork / 5
    /// Samples of a recording up to which that is done.
    private static let longestForPresets = 4_000_000

    /// Recordings that equally good explanations are tried on.
    private static let triedRecordings = 4

    private let arrays: ArrayCollection
    private let configuration: FeatureConfiguration
    private let policy: RecordingPolicy
    private let tolerance: Double
    private let jobs: Int
    /// Whether arrays of one value have single precision, since others have it.
    private var isSingle = false

    /// - Throws: `ConfigurationError`; never in practice.
    package init(
        _ arrays: ArrayCollection, _ configuration: FeatureConfiguration, policy: RecordingPolicy = RecordingPolicy(),
        tolerance: Double = usualTolerance, jobs: Int = 1
    ) throws(ConfigurationError) {
        self.arrays = arrays
        self.configuration = try ExpectedFeatures.comparable(configuration)
        (self.policy, self.tolerance, self.jobs) = (policy, tolerance, jobs)
    }

    /// Compares all pairs; if one differs, looks for an explanation with one of them, and tries it on the others. If all are equal,
    /// looks whether another configuration fits much better.
    ///
    /// - Throws: `ArrayFileError` or `ClipFailure` where the system is at fault, or there is one pair and it cannot be compared;
    ///   `ConfigurationError` where the configuration does not fit a recording's rate.
    package func run(_ pairs: [Pair]) throws -> ConformanceResult {
        var result = ConformanceResult(configuration: configuration, tolerance: tolerance)
        for pair in pairs { result.recordings.append(try compare(pair, isOnly: pairs.count == 1)) }
        // An array of one value, such as of silence, may have the digits of half precision by chance.
        let isSingle = result.recordings.contains { $0.difference != nil && !$0.isConstant && $0.precision == nil }
        guard isSingle else { return try explained(result, pairs) }
        var check = self
        check.isSingle = true
        for (index, found) in result.recordings.enumerated() where found.isConstant && found.precision != nil {
            result.recordings[index] = try check.compare(pairs[index], isOnly: false)
        }
        return try check.explained(result, pairs)
    }

    /// The result of comparisons, with what explains differences.
    private func explained(_ compared: ConformanceResult, _ pairs: [Pair]) throws -> ConformanceResult {
        var result = compared
        if pairs.contains(where: { $0.arrayName != nil }) {
            let known = Set(pairs.compactMap(\.arrayName))
            result.unusedArrays = pairs.count == 1 ? [] : arrays.names.filter { !known.contains($0) }
        }
        guard let index = searched(result.recordings), let subject = try subject(pairs[index], configuration) else {
            try surpass(&result, pairs)
            return result
        }
        if result.recordings[index].isPadded {
            guard let outcome = try byRows(subject) else { return result }
            (result.searched, result.outcome) = (index, outcome)
            try explainOthers(&result, pairs)
            return result
        }
        if let (outcome, target) = try byColumn(subject), let explanation = outcome.explanation {
            (result.searched, result.outcome) = (index, outcome)
            result.recordings[index].layout = target.layout
            result.recordings[index].isEnergyLeftOut = subject.isEnergyLeftOut(of: target, explanation)
            try explainOthers(&result, pairs)
            return result
        }
        // Rows of one value may be padding of the rows, or the features of silence.
        let part = subject.part
        let isLater = part.map { $0.rows.lowerBound > Excerpt.reach } ?? false
        let outcomes = try subject.targets.map { target in
            guard isLater else {
                return try ConformanceSearch.explanation(configuration, subject.signals, target, jobs: jobs)
            }
            // Single keys may say that a part is meant, such as `audio.crop`; others would fit rows of another part.
            var search = ConformanceSearch(
                configuration, subject.signals, target, jobs: jobs, isThorough: false, work: Self.presetWork)
            return try search.run()
        }
        let best = outcomes.indices.min { outcomes[$0].residue < outcomes[$1].residue } ?? 0
        var outcome = outcomes[best]
        result.recordings[index].layout = subject.targets[best].layout
        if isLater, outcome.explanation?.isComplete != true {
            outcome.leaveOut(because: nil)
            (result.searched, result.outcome, result.recordings[index].part) = (index, outcome, part)
            return result
        }
        if best == 0, let lack = lack(outcome, result.recordings[index], subject) {
            outcome.leaveOut(because: lack)
            (result.searched, result.outcome) = (index, outcome)
            try explainOthers(&result, pairs)
            return result
        }
        let changes = outcome.explanation?.isComplete == true ? outcome.explanation?.variations.count ?? 0 : .max
        // Another preset would change the rows that are equal.
        let equalRows = changes > Self.fewChanges ? EqualRows(expected: subject.features, subject.target) : nil
        if changes > Self.fewChanges, equalRows == nil, subject.signals.sampleCount <= Self.longestForPresets {
            let other = try byPreset(pairs[index], &outcome.tried)
            if var other, other.outcome.explanation?.variations.count ?? .max < changes {
                other.outcome.tried = outcome.tried
                outcome = other.outcome
                result.recordings[index].layout = other.layout
            }
        }
        if outcome.explanation?.isComplete != true {
            (result.recordings[index].part, result.recordings[index].equalRows) = (part, equalRows)
            let isOfKeys = outcome.explanation.map { !$0.variations.isEmpty && $0.fit.model == .exact } ?? false
            if equalRows != nil, !isOfKeys { outcome.leaveOut(because: .someRows) }
        }
        (result.searched, result.outcome) = (index, outcome)
        try explainOthers(&result, pairs)
        return result
    }

    /// Why an explanation is none, though it is the best: it leaves more than half of the difference, or most of the difference is
    /// noise in digital silence; nil: it is one, or it says itself that it is not complete.
    private func lack(_ outcome: SearchOutcome, _ found: RecordingResult, _ subject: Subject) -> SearchOutcome.Lack? {
        // What makes that difference smaller is chance.
        if outcome.explanation?.isComplete == false, subject.isOffInSilence { return .silence }
        guard let explanation = outcome.explanation, explanation.random == nil, found.rows?.isComplete == true,
            let difference = found.difference, !found.hasEqualValues,
            !explanation.difference.isClearlyLess(than: difference, tolerance: tolerance)
        else { return nil }
        if subject.isOfSinglePrecision(difference) { return .singlePrecision }
        return explanation.isComplete ? .little : nil
    }

    /// Where all values are equal within the tolerance, looks with the one that is farthest off for a change that leaves ten times
    /// less, and tries it on the others: a wrong detail may change little.
    private func surpass(_ result: inout ConformanceResult, _ pairs: [Pair]) throws {
        func typical(_ index: Int) -> Double { result.recordings[index].difference?.typical ?? 0 }
        guard let index = nearlyEqual(result).max(by: { typical($0) < typical($1) }),
            let subject = try subject(pairs[index], configuration)
        else { return }
        let samples = subject.signals.sampleCount * subject.signals.signals.count
        let all = subject.target.within(typical(index) / ConformanceSearch.clearGain)
        let target = Excerpt(of: all.matrix, samples: samples).map(all.by) ?? all
        var search = ConformanceSearch(configuration, subject.signals, target, jobs: jobs, work: Self.surpassingWork)
        guard let outcome = try search.surpassing(typical(index)), let explanation = outcome.explanation else { return }
        (result.searched, result.outcome) = (index, outcome)
        try surpass(&result, pairs, by: explanation, of: configuration)
    }

    /// The recordings whose arrays are equal within the tolerance, but off by more than rounding.
    private func nearlyEqual(_ result: ConformanceResult) -> [Int] {
        result.recordings.indices.filter { index in
            let found = result.recordings[index]
            return found.hasEqualValues && found.rows?.isComplete == true
                && found.difference?.typical ?? 0 > Self.rounding * tolerance
        }
    }

    /// Arrays that are equal within the tolerance are not equal where an explanation leaves ten times less of them.
    ///
    /// - Parameter base: The configuration that the changes of the explanation are on top of.
    private func surpass(
        _ result: inout ConformanceResult, _ pairs: [Pair], by explanation: Explanation, of base: FeatureConfiguration
    ) throws {
        for index in nearlyEqual(result) where result.recordings[index].isExplained == nil {
            let typical = result.recordings[index].difference?.typical ?? 0
            let differences = try subject(pairs[index], base)?.difference(explanation) ?? []
            guard differences.contains(where: { $0.typical * ConformanceSearch.clearGain <= typical }) else {
                continue
            }
            result.recordings[index].isSurpassed = true
            result.recordings[index].isEqual = false
            result.recordings[index].isExplained = true
        }
    }

    /// The explanation was found with one recording: tries it on the others. If it fails for any of them, tries the other explanations
    /// of that recording, too, and keeps the one that holds for most recordings.
    private func explainOthers(_ result: inout ConformanceResult, _ pairs: [Pair]) throws {
        guard let index = result.searched, let outcome = result.outcome, let explanation = outcome.explanation else {
            return
        }
        result.recordings[index].isExplained = explanation.isComplete
        let others = pairs.indices.filter { $0 != index && needsExplanation(result.recordings[$0]) }
        let subjects = try others.prefix(Self.triedRecordings).compactMap { try subject(pairs[$0], outcome.base) }
        var (best, most) = (explanation, -1)
        for candidate in [explanation] + outcome.others {
            let count = try subjects.count { try holds(candidate, for: $0) }
            if count > most { (best, most) = (candidate, count) }
            guard most < subjects.count else { break }
        }
        result.outcome?.explanation = best
        for other in others {
            let subject = try subject(pairs[other], outcome.base)
            result.recordings[other].isExplained = try subject.map { try holds(best, for: $0) } ?? false
        }
        // What another array shows clearly may change this one little.
        try surpass(&result, pairs, by: best, of: outcome.base)
    }

    /// Whether an explanation that was found with one recording leaves rounding alone, or noise of its strength, of another.
    private func holds(_ explanation: Explanation, for subject: Subject) throws -> Bool {
        try subject.difference(explanation).contains {
            $0.isEqual(tolerance: tolerance)
                || explanation.random != nil && $0.nonFinite == 0
                    && $0.typical <= 3 * explanation.difference.typical
        }
    }

    /// What explains rows of one value after the expected ones, by the keys of `rows`; nil: nothing does.
    private func byRows(_ subject: Subject) throws -> SearchOutcome? {
        guard let whole = subject.targets.last else { return nil }
        var search = ConformanceSearch(
            configuration, subject.signals, whole, jobs: jobs, isThorough: false, variations: RowVariations.all)
        let outcome = try search.run()
        guard let found = outcome.explanation, found.isComplete, found.fit.rows.isComplete else { return nil }
        return outcome
    }

    /// What explains an array without its first or its last column, completely; nil: nothing does.
    private func byColumn(_ subject: Subject) throws -> (outcome: SearchOutcome, target: Target)? {
        for target in subject.narrow {
            let outcome = try ConformanceSearch.explanation(configuration, subject.signals, target, jobs: jobs)
            if outcome.explanation?.isComplete == true { return (outcome, target) }
        }
        return nil
    }

    /// What explains an array by another preset, completely; nil: none does.
    ///
    /// - Parameter tried: Grows by the number of configurations that were tried.
    private func byPreset(_ pair: Pair, _ tried: inout Int) throws -> (outcome: SearchOutcome, layout: ArrayLayout)? {
        var starts: [(preset: Preset, search: ConformanceSearch, layout: ArrayLayout, score: Double)] = []
        for preset in Preset.allCases {
            guard let other = try? ExpectedFeatures.comparable(preset.configuration()), other != configuration,
                let subject = try? subject(pair, other)
            else { continue }
            for target in subject.targets {
                let search = ConformanceSearch(
                    other, subject.signals, target, jobs: jobs, isThorough: false, work: Self.presetWork)
                var first = search
                guard let score = try first.startScore() else { continue }
                tried += 1
                starts.append((preset, search, target.layout, score))
            }
        }
        var best: (outcome: SearchOutcome, layout: ArrayLayout)?
        for start in starts.sorted(by: { $0.score < $1.score }).prefix(Self.searchedPresets) {
            var search = start.search
            var outcome = try search.run()
            tried += outcome.tried
            outcome.preset = start.preset
            guard outcome.explanation?.isComplete == true else { continue }
            if outcome.residue < best?.outcome.residue ?? .infinity { best = (outcome, start.layout) }
        }
        return best
    }

    /// The array of a pair.
    private func array(_ pair: Pair) throws(ArrayFileError) -> NumericArray {
        if let name = pair.arrayName { return try arrays.array(named: name) }
        return try arrays.onlyArray()
    }

    private func subject(_ pair: Pair, _ configuration: FeatureConfiguration) throws -> Subject? {
        try Subject(pair, array(pair), configuration, policy: policy, tolerance: tolerance, isSingle: isSingle)
    }

    private func compare(_ pair: Pair, isOnly: Bool) throws -> RecordingResult {
        var result = RecordingResult(clip: pair.clip, arrayName: pair.arrayName ?? arrays.names.first ?? "")
        let subject: Subject?
        do {
            subject = try self.subject(pair, configuration)
        } catch let error where !isOnly && !error.isSystemFault {
            switch error {
            case let error as ClipFailure: result.obstacle = .recording(error)
            case let error as ArrayFileError: result.obstacle = .array(error)
            default: throw error
            }
            return result
        }
        guard let subject else {
            result.givenShape = (try? array(pair))?.shape ?? []
            result.obstacle = .shape
            return result
        }
        subject.compare(&result, tolerance: tolerance)
        return result
    }

    /// Whether a difference of values, or rows that are missing, are to be explained.
    private func needsExplanation(_ result: RecordingResult) -> Bool {
        result.obstacle == nil && !result.isEqual
            && (!(result.hasEqualValues && result.rows?.isComplete == true) || result.isPadded)
    }

    /// The recording to search with: the longest up to a limit, or else the shortest.
    private func searched(_ results: [RecordingResult]) -> Int? {
        let differing = results.indices.filter { needsExplanation(results[$0]) }
        let wrong = differing.filter { !results[$0].isPadded }
        let indices = wrong.isEmpty ? differing : wrong
        func rows(_ index: Int) -> Int { results[index].expectedRows }
        let period = configuration.frame
        let rate = Double(configuration.audio.sampleRate ?? 16_000)
        let hop = (try? period.geometry(at: rate).hop).map { Double($0) / rate } ?? 0.01
        let short = indices.filter { Double(rows($0)) * hop <= Self.searchedSeconds }
        return short.max { rows($0) < rows($1) } ?? indices.min { rows($0) < rows($1) }
    }
}
