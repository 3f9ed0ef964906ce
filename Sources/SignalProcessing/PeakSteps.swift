/// What the maximum of a clip's rows decides: how far below it values may be, and whether they are relative to it.
struct PeakSteps<Number: BinaryFloatingPoint> {
    /// What lower values are raised to; −∞: none are.
    private(set) var threshold = -Number.infinity
    /// What is subtracted from every value after that.
    private(set) var lowering: Number = 0
    /// Whether anything is subtracted.
    var isRelative: Bool { reference != nil }

    private let range: Number?
    /// The value of the peak once all are relative to it.
    private let reference: Number?

    init(_ plan: FeaturePlan) {
        range = plan.topRange.map { Number($0) }
        reference = plan.peakReference.map { Number($0) }
    }

    /// Starts a clip with the maximum of all its streamed rows, in units of the scale.
    mutating func start(peak: Double) {
        let peak = Number(peak)
        threshold = range.map { peak - $0 } ?? -.infinity
        lowering = reference.map { peak - $0 } ?? 0
    }
}
