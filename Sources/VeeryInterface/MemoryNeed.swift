import FeatureModel
import SignalProcessing

/// How much memory the parts of a plan take at most, in bytes.
///
/// Upper bounds, measured over random configurations. A call checks that so much memory is left before it begins, since an
/// allocation that fails in Swift, FFTW or libsoxr ends the process.
struct MemoryNeed {
    /// Presets, what is initialised once, a configuration as text.
    static let setup = 512 << 10
    /// The filters and queues of a resampler, between any two rates.
    static func resampling(_ method: ResamplingMethod) -> Int {
        switch method {
        case .soxrHQ, .soxrMQ: 2 << 20
        case .soxrVHQ: 8 << 20
        // A table of phases, and what the input waits in.
        case .torchaudio, .polyphase, .kaiserFast: 4 << 20
        // The stored filter, too.
        case .kaiserBest: 8 << 20
        }
    }

    /// A configuration that is read from JSON of so many bytes.
    static func reading(json length: Int) -> Int { setup + 128 * length }

    /// Window, filter bank, axis; the signal that a new plan computes first.
    let tables: Int
    /// What a thread needs to compute: transforms and buffers.
    let workspace: Int
    /// What FFTW allocates, and frees again, while it computes frames.
    let frames: Int
    /// The statistics of a signal, where they normalise it.
    let statistics: Int
    /// What changes the rate of a signal.
    let resampling: Int

    init(_ configuration: FeatureConfiguration, geometry: FrameGeometry, bins columns: Int, sampleRate: Int) {
        let (transform, condition) = (configuration.transform, configuration.condition)
        // Rows may have more columns before they are resized than after.
        let computed = try? configuration.computedColumns(geometry, at: Double(sampleRate))
        let bins = max(columns, computed ?? columns)
        resampling = Self.resampling(configuration.audio.resampler)
        let (length, fftLength) = (geometry.length, geometry.fftLength)
        let bands = max(transform.bank?.bins ?? 0, bins)
        let matrix = transform.cepstrum.map { $0.bins * ($0.bank.bins + 8) } ?? 0
        let points = FeaturePlan.transformPoints(configuration, fftLength: fftLength)

        // A warning proposes longer transforms.
        let proposed = transform.bank.map { Self.mayBeEmpty($0, geometry, sampleRate) } == true ? 1 << 18 : 0
        tables = 128 * (fftLength + length + bands + proposed) + (256 << 10)

        let slopes = (2 * transform.deltas.window + 1) * transform.deltas.order * bins
        let patch = (configuration.patches.length ?? 1) * bins
        let repeated = Self.repeatedLength(configuration.audio, sampleRate)
        workspace =
            (256 << 10) + (condition.dctFilter == nil ? 0 : 2 << 20) + 48 * points.lanes * points.samples
            + (40 * points.lanes + 64) * points.convolved
            + 256 * length + 16 * geometry.hop + (FeaturePlan.isPrecise(configuration) ? 1536 : 512) * bands + 24
            * matrix + 16 * slopes + 8 * patch + 8 * repeated
        // FFTW allocates, and frees again, while it computes.
        frames = transform.engine == .fftw ? (1 << 20) + 64 * points.samples : 0
        // Rows wait until there are as many as an extraction adds up at a time, or until the slopes over time are complete.
        let waiting = 2 * FeatureStream.pieceRows + transform.deltas.order * transform.deltas.window
        statistics = configuration.normalize.scope == .clip ? (32 * waiting + 512) * bins : 0
    }

    init(_ plan: FeaturePlan) {
        self.init(plan.configuration, geometry: plan.geometry, bins: plan.bins, sampleRate: Int(plan.sampleRate))
    }

    /// A new plan with its first workspace, which has computed something.
    var plan: Int { tables + workspace + call(isResampled: true) }

    /// The features of a signal, or of a piece, by a workspace.
    func call(isResampled: Bool) -> Int {
        frames + statistics + (isResampled ? resampling : 0)
    }

    /// Whether the lowest band, which is the narrowest, may lie between two bins.
    private static func mayBeEmpty(_ mel: MelConfiguration, _ geometry: FrameGeometry, _ sampleRate: Int) -> Bool {
        let low = mel.scale.mel(fromHertz: mel.low)
        let high = mel.scale.mel(fromHertz: mel.high ?? Double(sampleRate) / 2)
        let step = (high - low) / Double(mel.bins + 1)
        let (left, center) = (mel.scale.hertz(fromMel: low), mel.scale.hertz(fromMel: low + step))
        let right = mel.triangles == .symmetric ? 2 * center - left : mel.scale.hertz(fromMel: low + 2 * step)
        return right - left < 1.01 * Double(sampleRate) / Double(geometry.fftLength)
    }

    /// Samples that are kept in memory to be repeated; 0: none.
    private static func repeatedLength(_ audio: AudioConfiguration, _ sampleRate: Int) -> Int {
        guard audio.fit == .repeat || audio.fit == .repeatPad, let duration = audio.duration else { return 0 }
        // Longer ones are refused.
        return Int(min(duration * Double(sampleRate), Double(FeaturePlan.maximumRepeatedLength)))
    }
}
