import FeatureModel
import SignalProcessing

/// Looks for the changes to a configuration that explain given values: first single ones, then others on top of the best.
struct ConformanceSearch {
    /// Changes on top of one another.
    private static let maximumDepth = 6
    /// The best of each depth that others are tried on.
    private static let width = 4
    /// Rows that the given array may start earlier or later.
    static let shifts = -2...2
    /// What another change has to improve the score by, to be reported where it does not explain all: it leaves a quarter less.
    private static let minimumGain = 0.3
    /// Samples that are analysed in all: some 20 s of work on two processors.
    static let usualWork = 800_000_000
    /// Changes that do not help alone, but are tried on top of others nevertheless: those that fit best.
    private static let triedAgain = 40
    /// Listed alternatives.
    private static let maximumAlternatives = 5
    /// The residue above which noise is not looked for, as a share of the range; changes that help a little, above half of it.
    private static let maximumNoise = 0.25

    private let configuration: FeatureConfiguration
    private let signals: RecordingSignals
    private let target: Target
    private let trials: Trials
    /// Whether changes that help a little are followed, too: several may help only together.
    private let isThorough: Bool
    private let variations: @Sendable (VariationContext) -> [Variation]
    private var seen: Set<Seen> = []
    /// Changes that did not help alone. They are tried on top of the best candidate only.
    private var useless: Set<Variation> = []

    private struct Seen: Hashable {
        let configuration: FeatureConfiguration
        let signal: RecordingSignals.Kind
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
        var decoded = signals
        let channels = signals.recording.channels
        let selections: [ChannelSelection] =
            channels > 1
            ? [configuration.audio.channels, .mix, .first, .number(1)] : [configuration.audio.channels]
        var kinds = Set(selections.map { RecordingSignals.Kind(channels: $0, isOwnRate: false) })
        if signals.recording.sampleRate != signals.rate {
            kinds.insert(.init(channels: configuration.audio.channels, isOwnRate: true))
        }
        trials = Trials(
            decoded.signals(kinds), rate: Double(signals.rate), target, work: work, jobs: jobs)
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
        guard var best = beam.first else {
            return SearchOutcome(
                explanation: nil, alternatives: [], base: configuration, tried: trials.count, isCut: trials.isCut)
        }
        // What is reported where nothing is explained: changes that leave clearly less.
        var clear = best
        // Noise explains what no change does; a change might fit a part of it by chance.
        var noisy: (candidate: Candidate, fit: ValueFit, random: RandomPart)?
        var singles: [Candidate] = []
        for depth in 1...Self.maximumDepth where !isDone(best) {
            let found = try extended(beam).sorted { $0.score < $1.score }
            if depth == 1 {
                singles = found
                useless = Set(
                    found.dropFirst(Self.triedAgain).filter { [score = best.score] in $0.score >= score }
                        .compactMap(\.variations.last))
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
        }
        if best.isExplained { noisy = nil } else { best = noisy?.candidate ?? clear }
        let chosen = best.variations
        let isComplete = best.fit.rows.isComplete
        let alternatives = singles.filter { $0.variations != chosen && (!isComplete || $0.fit.rows.isComplete) }
            .prefix(Self.maximumAlternatives).map { Alternative(variations: $0.variations, residue: $0.fit.residue) }
        return SearchOutcome(
            explanation: trials.features(best.plan, best.signal).map {
                Explanation(best, noisy?.fit ?? best.fit, $0, target, random: noisy?.random)
            }, alternatives: Array(alternatives),
            base: configuration, tried: trials.count, isCut: trials.isCut)
    }

    /// How well the configuration fits before any change; nil: it cannot have rows of the given bins.
    mutating func startScore() throws -> Double? { try start().first?.score }

    /// The expected configuration; where it has another number of bins, those that have the given one.
    private mutating func start() throws -> [Candidate] {
        let rate = Double(signals.rate)
        let plan = try FeaturePlan(configuration, sampleRate: rate)
        let changes = context(plan).binChanges
        let starts = plan.bins == target.matrix.bins ? [[]] : changes.map { [$0] }
        let list = starts.compactMap { trial($0, of: configuration) }
        return try trials.candidates(list, shifts: Self.shifts).sorted { $0.score < $1.score }
    }

    private func context(_ plan: FeaturePlan) -> VariationContext {
        let filled = target.layout.filling?.count ?? 0
        return VariationContext(
            configuration: plan.configuration, plan: plan, sampleCount: signals.samples.count,
            recordingRate: signals.recording.sampleRate, channels: signals.recording.channels,
            rows: target.matrix.rows + filled, bins: target.matrix.bins, endValue: target.endValue)
    }

    /// Each candidate with each further change.
    private mutating func extended(_ beam: [Candidate]) throws -> [Candidate] {
        var list: [Trials.Trial] = []
        for (rank, candidate) in beam.enumerated() {
            let context = context(candidate.plan)
            for variation in variations(context)
            where (rank == 0 || !useless.contains(variation)) && candidate.variations.allSatisfy(variation.isApart) {
                guard let trial = trial(candidate.variations + [variation], of: configuration) else { continue }
                list.append(trial)
            }
        }
        return try trials.candidates(list, shifts: Self.shifts)
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
            channels: changed.audio.channels, isOwnRate: variations.contains { $0.ignoresRate })
        guard seen.insert(Seen(configuration: changed, signal: signal)).inserted else { return nil }
        let changes = variations.reduce(0) { $0 + max($1.effective(on: configuration).count, 1) }
        return Trials.Trial(variations: variations, configuration: changed, signal: signal, changes: changes)
    }

    /// Whether nothing is left to explain.
    private func isDone(_ candidate: Candidate) -> Bool {
        candidate.fit.model == .exact && candidate.fit.rows.isComplete && candidate.isExplained
    }

    /// The noise that explains what a candidate leaves, without factor and offset; nil: none does.
    private func noise(_ candidate: Candidate) -> (ValueFit, RandomPart)? {
        guard let features = trials.features(candidate.plan, candidate.signal),
            let fit = target.exact(features, candidate.fit.rows), fit.residue < Self.maximumNoise
        else { return nil }
        return RandomPart.find(candidate, fit, target, trials).map { (fit, $0) }
    }
}
