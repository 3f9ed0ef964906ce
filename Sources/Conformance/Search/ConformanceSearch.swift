import FeatureModel
import SignalProcessing

/// Looks for the changes to a configuration that explain given values: first single ones, then others on top of the best.
struct ConformanceSearch {
    /// Changes on top of one another.
    private static let maximumDepth = 6
    /// The best of each depth that others are tried on.
    private static let width = 4
    /// Of each depth, also the best without factors of bins, and without any: these hide what other changes explain exactly.
    private static let narrowWidth = 2
    /// Rows that the given array may start earlier or later than where it fits best before any change.
    private static let shifts = 2
    /// How many times smaller a change has to make the difference, to be reported although the array is equal within the tolerance.
    static let clearGain = 10.0
    /// What values in single precision are off at least, as a share of the range.
    private static let valueRounding = 1e-7
    /// How many times as much a simpler explanation may leave, to be the same.
    private static let sameResidue = 1.01
    /// By how much another change has to improve the score, to be reported where it does not explain all: by a quarter less difference.
    private static let minimumGain = 0.3
    /// Samples that are analysed in all: about 20 s of work on two processors.
    static let usualWork = 800_000_000
    /// Changes that do not help alone, but are tried on top of others nevertheless: those that fit best.
    private static let triedAgain = 40
    /// How many times as far off as an excerpt a whole array may be by the same noise: quiet parts show more of it.
    private static let noiseOfOthers = 2.0
    /// Edges of the bands, whose values between those of the variations are tried.
    private static let edges = ["transform.low", "transform.high"]
    /// Pairs of usual edges that are tried together: those whose two edges fit best alone.
    private static let edgePairs = 100
    /// The steps that a range of edges is divided into, again and again.
    private static let edgeSteps = 8.0
    /// By how much an edge between the usual ones has to improve the score: by two thirds less difference.
    private static let edgeGain = 1.0
    /// Listed alternatives.
    private static let maximumAlternatives = 5
    /// Changes that explain one recording as well as the first does, and are tried on others.
    private static let maximumOthers = 24
    /// The residue, as a share of the range, from which on noise is not looked for, since noise hardly ever makes so large a difference.
    /// It does in digital silence: where there is some, noise is always looked for. From half of this residue on, changes that help
    /// only a little are not followed.
    private static let maximumNoise = 0.25

    private let configuration: FeatureConfiguration
    private let signals: RecordingSignals
    private let target: Target
    private let trials: Trials
    /// Whether changes that help a little are followed, too: several may help only together.
    private let isThorough: Bool
    private let variations: @Sendable (VariationContext) -> [Variation]
    private let limits: (least: Double, greatest: Double)?
    private var seen: Set<Seen> = []
    /// What the search starts with.
    private var startTrials: [Trials.Trial] = []
    private var shifts = -Excerpt.reach...Excerpt.reach
    /// Changes that did not help alone. They are tried on top of the best candidate only.
    private var useless: Set<Variation> = []

    private struct Seen: Hashable {
        let configuration: FeatureConfiguration
        let signal: RecordingSignals.Kind
        let frameShift: Int
    }

    /// - Parameters:
    ///   - configuration: The expected one, comparable (`ExpectedFeatures.comparable`).
    ///   - work: Samples that are analysed in all.
    ///   - variations: What is tried.
    init(
        _ configuration: FeatureConfiguration, _ signals: RecordingSignals, _ target: Target, jobs: Int,
        isThorough: Bool = true, work: Int = usualWork,
        variations: @escaping @Sendable (VariationContext) -> [Variation] = Self.all
    ) {
        (self.configuration, self.target, self.isThorough) = (configuration, target, isThorough)
        self.variations = variations
        limits = target.limits
        var decoded = signals
        let (own, channels) = (configuration.audio.channels, signals.recording.channels)
        let selections: [ChannelSelection] = channels > 1 ? [own, .mix, .first, .number(1), .all] : [own]
        let resampler = configuration.audio.resampler
        var kinds = Set(selections.map { RecordingSignals.Kind($0, resampler, isOwnRate: false) })
        if signals.recording.sampleRate != signals.rate {
            kinds.insert(.init(own, resampler, isOwnRate: true))
            for selection in Set(selections).intersection([own, .mix, .first]) {
                kinds.formUnion(ResamplingMethod.allCases.map { .init(selection, $0, isOwnRate: false) })
            }
        }
        trials = Trials(
            configuration, decoded.signals(kinds), rate: Double(signals.rate), target, work: work, jobs: jobs)
        self.signals = decoded
    }

    /// All variations. Of equally good ones, the first wins.
    static func all(_ context: VariationContext) -> [Variation] {
        let rows = RowVariations.all(context)
        let others = SignalVariations.all(context) + ValueVariations.all(context)
        // A round duration is likelier than a number of rows.
        let tenths = context.duration * 10
        return abs(tenths - tenths.rounded()) < 1e-9 ? others + rows : rows + others
    }

    mutating func run() throws -> SearchOutcome {
        var beam = try start()
        guard let first = beam.first else {
            var nothing = outcome(nil, [])
            nothing.lack = trials.lack(startTrials)
            return nothing
        }
        var best = first
        // What is reported where nothing is explained: changes that leave clearly less.
        var clear = best
        // Noise explains what no change does; a change might fit a part of it by chance.
        var noisy: (candidate: Candidate, fit: ValueFit, random: RandomPart)?
        var (singles, explained): ([Candidate], [Candidate]) = ([], [])
        for depth in 1...Self.maximumDepth where !isDone(best) {
            let tried = try extended(beam)
            var found = try (tried + between(tried, over: best.exactScore)).ranked(by: \.score)
            explained += found.filter(\.isExplained)
            let others = [found.ranked(by: \.plainScore), found.ranked(by: \.exactScore)]
            if depth == 1 {
                singles = found
                found = try (found + bothEdges(found)).ranked(by: \.score)
                let helpful = Set(others.flatMap { $0.prefix(Self.triedAgain) }.map(\.variations))
                useless = Set(
                    found.dropFirst(Self.triedAgain).filter { [first] in
                        $0.score >= first.score && !helpful.contains($0.variations)
                    }.compactMap(\.variations.last))
            }
            guard let next = found.first else { break }
            let gain = best.score - next.score
            if next.isExplained || best.isExplained {
                guard next.isExplained, gain > 0 || !best.isExplained else { break }
            } else {
                if noisy == nil, let (fit, random) = noise(best) { noisy = (best, fit, random) }
                let isPatient = isThorough && noisy == nil && best.fit.residue < Self.maximumNoise / 2
                guard gain > (isPatient ? 0.02 : Self.minimumGain) else { break }
            }
            best = next
            if next.isExplained || clear.score - next.score > Self.minimumGain { clear = next }
            beam = Array(found.prefix(Self.width))
            for candidate in others.flatMap({ $0.prefix(Self.narrowWidth) })
            where !beam.contains(where: { $0.variations == candidate.variations }) {
                beam.append(candidate)
            }
        }
        if best.isExplained {
            noisy = nil
            if isThorough { best = try refined(best, explained) }
        } else {
            best = noisy?.candidate ?? clear
        }
        if noisy == nil { best = try simplified(best) }
        var found = outcome(
            explanation(best, noisy?.fit ?? best.fit, random: noisy?.random),
            alternatives(singles, to: best, first: first.fit.residue))
        if found.explanation?.isComplete == false, let features = trials.features(best.plan, best.signal),
            target.isUnrelated(to: features, best.fit.rows)
        {
            found.leaveOut(because: .unrelated)
        }
        if best.isExplained {
            found.others = singles.filter {
                $0.isExplained && $0.fit.model == best.fit.model && $0.fit.rows.isComplete == best.fit.rows.isComplete
                    && $0.variations != best.variations
            }.prefix(Self.maximumOthers).compactMap { explanation($0, $0.fit, random: nil) }.filter(\.isComplete)
        }
        return found
    }

    /// Where what an explanation leaves is more than rounding of values, the one that leaves least, and ten times less: with another change,
    /// such as an epsilon.
    ///
    /// - Parameter known: Explanations that were found before.
    private mutating func refined(_ best: Candidate, _ known: [Candidate]) throws -> Candidate {
        guard isDone(best), best.fit.residue > Self.valueRounding else { return best }
        let better = try (known + extended([best])).filter {
            isDone($0) && $0.fit.residue * Self.clearGain <= best.fit.residue
        }
        guard let least = better.map(\.fit.residue).min() else { return best }
        return better.filter { $0.fit.residue <= max(2 * least, Self.valueRounding) }.ranked(by: \.score).first ?? best
    }

    /// A candidate without the changes that it does not need, and with the likelier ones of two that do the same.
    private mutating func simplified(_ best: Candidate) throws -> Candidate {
        // Configurations that were tried are tried again.
        let known = seen
        defer { seen = known }
        var best = best
        while true {
            seen = []
            let simpler = best.variations.simpler(than: configuration).compactMap { trial($0, of: configuration) }
            let found = try trials.candidates(simpler, shifts: shifts)
            guard let next = found.first(where: { isAsGood($0, as: best) }) else { return best }
            best = next
        }
    }

    /// Whether a candidate leaves no more than another, but for rounding, and with no more of a fit.
    private func isAsGood(_ candidate: Candidate, as other: Candidate) -> Bool {
        let bins = target.matrix.bins
        return (candidate.isExplained || !other.isExplained) && candidate.fit.rows == other.fit.rows
            && candidate.fit.model.parameters(bins: bins) <= other.fit.model.parameters(bins: bins)
            && candidate.fit.residue <= max(Self.sameResidue * other.fit.residue, Self.valueRounding)
    }

    /// The single change that leaves ten times less than an array that is equal within the tolerance is off; nil: none does.
    ///
    /// - Parameter typical: What it is off.
    mutating func surpassing(_ typical: Double) throws -> SearchOutcome? {
        let found = try extended(start()).ranked(by: \.score)
        for candidate in found where candidate.fit.model == .exact && candidate.fit.rows.isComplete {
            guard candidate.fit.residue * Self.clearGain <= typical else { continue }
            guard candidate.variations.contains(where: { $0.isEffective(on: configuration) }) else { continue }
            let simple = try simplified(candidate)
            guard let explanation = explanation(simple, simple.fit, random: nil), explanation.isComplete,
                explanation.difference.typical * Self.clearGain <= typical
            else { continue }
            var outcome = outcome(explanation, [])
            outcome.gain = typical / max(explanation.difference.typical, 1e-9)
            return outcome
        }
        return nil
    }

    private func outcome(_ explanation: Explanation?, _ alternatives: [Alternative]) -> SearchOutcome {
        SearchOutcome(
            explanation: explanation, alternatives: alternatives, base: configuration, tried: trials.count,
            isCut: trials.isCut)
    }

    /// A candidate as an explanation, confirmed by all rows where it was found by an excerpt.
    private func explanation(_ candidate: Candidate, _ fit: ValueFit, random: RandomPart?) -> Explanation? {
        guard let features = trials.features(candidate.plan, candidate.signal) else { return nil }
        let found = Explanation(candidate, fit, features, target, random: random)
        guard target.excerpt != nil else { return found }
        guard let whole = trials.whole(candidate.plan, candidate.signal) else { return nil }
        let all = target.within(target.tolerance)
        let rows = RowAlignment(
            shift: fit.rows.shift, expectedRows: whole.rows, givenRows: all.matrix.rows)
        guard let again = all.fits(whole, rows).first(where: { $0.model == fit.model }) else { return nil }
        let isRandom = all.difference(whole, again).typical <= Self.noiseOfOthers * found.difference.typical
        return Explanation(candidate, again, whole, all, random: isRandom ? random : nil)
    }

    /// The next best single changes: those that leave less than no change, each by its effect once.
    private func alternatives(_ singles: [Candidate], to best: Candidate, first: Double) -> [Alternative] {
        var residues: Set<Double> = [best.fit.residue]
        let isComplete = best.fit.rows.isComplete
        // What is rounding needs no change.
        guard first > target.tolerance else { return [] }
        return singles.filter {
            $0.variations != best.variations && $0.fit.residue < 0.9 * first
                && (!isComplete || $0.fit.rows.isComplete) && residues.insert($0.fit.residue).inserted
        }.prefix(Self.maximumAlternatives).map {
            Alternative(variations: $0.variations, model: $0.fit.model, residue: $0.fit.residue)
        }
    }

    /// How well the configuration fits before any change; nil: it cannot have rows of the given bins.
    mutating func startScore() throws -> Double? { try start().first?.score }

    /// The expected configuration; where it has another number of bins, those that have the given one.
    private mutating func start() throws -> [Candidate] {
        let rate = Double(signals.rate)
        let plan = try FeaturePlan(configuration, sampleRate: rate)
        let context = context(plan)
        let isComparable = plan.bins * signals.signals.count == target.matrix.bins
        let starts = isComparable ? [[]] : (context.binChanges + context.channelChanges).map { [$0] }
        startTrials = starts.compactMap { trial($0, of: configuration) }
        let found = try trials.candidates(startTrials, shifts: shifts).ranked(by: \.score)
        let shift = found.first?.fit.rows.shift ?? 0
        shifts = min(shift - Self.shifts, -Self.shifts)...max(shift + Self.shifts, Self.shifts)
        return found
    }

    private func context(_ plan: FeaturePlan) -> VariationContext {
        let padded = target.layout.padding?.count ?? 0
        let (bins, count) = (target.matrix.bins, signals.signals.count)
        return VariationContext(
            configuration: plan.configuration, plan: plan, sampleCount: signals.sampleCount,
            recordingRate: signals.recording.sampleRate, channels: signals.recording.channels,
            rows: target.matrix.rows + padded, bins: bins % count == 0 ? bins / count : bins,
            endValue: target.endValue, limits: limits)
    }

    /// Each candidate with each further change, which replaces earlier changes of the same keys.
    private mutating func extended(_ beam: [Candidate]) throws -> [Candidate] {
        var list: [Trials.Trial] = []
        for (rank, candidate) in beam.enumerated() {
            let context = context(candidate.plan)
            for variation in variations(context)
            where rank == 0 || !useless.contains(variation) {
                let kept = candidate.variations.filter(variation.isApart)
                guard let trial = trial(kept + [variation], of: configuration) else { continue }
                list.append(trial)
            }
        }
        return try trials.candidates(list, shifts: shifts)
    }

    /// Candidates with edges of the bands between those of the variations, which are usual ones.
    ///
    /// - Parameters:
    ///   - tried: Candidates with further changes, some of which are edges.
    ///   - score: That of what they extend, without factors.
    private mutating func between(_ tried: [Candidate], over score: Double) throws -> [Candidate] {
        guard !tried.contains(where: isDone) else { return [] }
        var found: [Candidate] = []
        for key in Self.edges {
            if let candidate = try edge(key, among: tried), score - candidate.exactScore > Self.minimumGain {
                found.append(candidate)
            }
        }
        return found
    }

    /// Candidates that both edges of the bands explain, where no single change explains anything: with one of them wrong, the other hardly
    /// shows in cepstra, and noise seems likelier.
    ///
    /// - Parameter singles: Candidates with one further change.
    private mutating func bothEdges(_ singles: [Candidate]) throws -> [Candidate] {
        guard !singles.contains(where: \.isExplained) else { return [] }
        let edges = Self.edges.map { key in singles.filter { $0.variations.last?.number(of: key) != nil } }
        var pairs: [(low: Candidate, high: Candidate)] = []
        for low in edges[0] {
            pairs += edges[1].filter { $0.variations.dropLast() == low.variations.dropLast() }.map { (low, $0) }
        }
        pairs.sort { $0.low.exactScore + $0.high.exactScore < $1.low.exactScore + $1.high.exactScore }
        // What does not explain all may do so with a third change, later.
        let known = seen
        defer { seen = known }
        let list = pairs.prefix(Self.edgePairs).compactMap { low, high in
            trial(low.variations + high.variations.suffix(1), of: configuration)
        }
        return try trials.candidates(list, shifts: shifts).filter(isDone)
    }

    /// The best candidate with an edge in whole hertz around the best that was tried; nil: it does not leave clearly less.
    private mutating func edge(_ key: String, among tried: [Candidate]) throws -> Candidate? {
        func hertz(_ candidate: Candidate) -> Double? { candidate.variations.compactMap { $0.number(of: key) }.first }
        let tried = tried.filter { hertz($0) != nil }
        guard var best = tried.min(by: { $0.exactScore < $1.exactScore }), let start = hertz(best) else { return nil }
        let (others, first) = (best.variations.filter { $0.number(of: key) == nil }, best.exactScore)
        let usual = variations(context(best.plan)).compactMap { $0.number(of: key) }
        var below = usual.filter { $0 < start }.max() ?? 0
        var above = usual.filter { $0 > start }.min() ?? min(2 * start, Double(signals.rate) / 2)
        var step = above - below
        while step > 1 {
            step = max(((above - below) / Self.edgeSteps).rounded(.down), 1)
            let list = stride(from: below.rounded(.up), through: above, by: step).compactMap {
                trial(others + [Variation("\(key)=\($0.word)")], of: configuration)
            }
            for candidate in try trials.candidates(list, shifts: shifts) where candidate.exactScore < best.exactScore {
                best = candidate
            }
            let middle = hertz(best) ?? start
            (below, above) = (max(middle - step, below), min(middle + step, above))
        }
        return first - best.exactScore > Self.edgeGain ? best : nil
    }

    /// A configuration to try; nil: it is not valid, or was tried.
    private mutating func trial(
        _ variations: [Variation], of configuration: FeatureConfiguration
    ) -> Trials.Trial? {
        var changed = configuration
        for variation in variations {
            guard let next = variation.applied(to: changed) else { return nil }
            changed = next
        }
        let signal = RecordingSignals.Kind(
            changed.audio.channels, changed.audio.resampler,
            isOwnRate: variations.contains { $0.ignoresRate })
        let known = Seen(configuration: changed, signal: signal, frameShift: variations.frameShift)
        guard seen.insert(known).inserted else { return nil }
        let changes = variations.reduce(0) { $0 + $1.cost(on: configuration) }
        return Trials.Trial(variations: variations, configuration: changed, signal: signal, changes: changes)
    }

    /// Whether nothing is left to explain.
    private func isDone(_ candidate: Candidate) -> Bool {
        candidate.fit.model == .exact && candidate.fit.rows.isComplete && candidate.isExplained
    }

    /// The noise that explains what a candidate leaves, without factor and offset; nil: none does.
    private func noise(_ candidate: Candidate) -> (ValueFit, RandomPart)? {
        let hasSilence = trials.hasSilence(candidate.plan, candidate.signal)
        guard let features = trials.features(candidate.plan, candidate.signal),
            let fit = target.fits(features, candidate.fit.rows).first(where: { $0.model == .exact }),
            fit.residue < Self.maximumNoise || hasSilence, target.difference(features, fit).nonFinite == 0
        else { return nil }
        return RandomPart.find(candidate, fit, target, trials, hasSilence: hasSilence).map { (fit, $0) }
    }
}

extension ConformanceSearch {
    /// Looks for an explanation: of a long array by an excerpt around its greatest value and, where that explains no other part, by
    /// one around the value that is farthest off.
    static func explanation(
        _ configuration: FeatureConfiguration, _ signals: RecordingSignals, _ target: Target, jobs: Int
    ) throws -> SearchOutcome {
        let samples = signals.sampleCount * signals.signals.count
        guard let excerpt = Excerpt(of: target.matrix, samples: samples) else {
            var search = ConformanceSearch(configuration, signals, target, jobs: jobs)
            return try search.run()
        }
        var search = ConformanceSearch(configuration, signals, target.by(excerpt), jobs: jobs)
        let outcome = try search.run()
        guard let found = outcome.explanation, !found.isComplete, let row = found.difference.worstValue?.row,
            let other = Excerpt(around: row, of: target.matrix, samples: samples), !excerpt.rows.contains(row),
            other.isLocal(configuration)
        else { return outcome }
        var again = ConformanceSearch(configuration, signals, target.by(other), jobs: jobs)
        var second = try again.run()
        let tried = outcome.tried + second.tried
        if outcome.residue <= second.residue { second = outcome }
        second.tried = tried
        return second
    }
}
