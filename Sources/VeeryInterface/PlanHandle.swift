import FeatureModel
import SignalProcessing
import Synchronization

/// What a `veery_plan` points to: a plan, what normalises its rows, and workspaces for it.
final class PlanHandle: Sendable {
    let plan: FeaturePlan
    let rows: RowNormalization
    private let idle = IdleWorkspaces()

    init(_ plan: FeaturePlan, _ rows: RowNormalization) { (self.plan, self.rows) = (plan, rows) }

    convenience init(_ rated: RatedConfiguration) throws(InterfaceError) {
        let plan: FeaturePlan
        do {
            plan = try FeaturePlan(rated.configuration, sampleRate: Double(rated.sampleRate))
        } catch {
            throw InterfaceError(error)
        }
        self.init(plan, RowNormalization(plan))
    }

    var sampleRate: Int { Int(plan.sampleRate) }

    /// The number of rows of a signal of `count` samples at a rate; where they are resampled, perhaps one or two fewer.
    func rowLimit(samples count: Int, rate: Int) -> Int {
        guard rate != sampleRate else { return plan.frameCount(samples: count) }
        let (scaled, remainder) = (count / rate, count % rate)
        return plan.frameCount(samples: scaled * sampleRate + remainder * sampleRate / rate + 2)
    }

    /// Computes the features of a signal into `target`, as far as there is room.
    ///
    /// - Returns: The number of rows.
    func features(
        of samples: UnsafeBufferPointer<Float>, rate: Int, into target: UnsafeMutablePointer<Float>?, capacity: Int
    ) throws(InterfaceError) -> Int {
        try rows.check()
        if let index = firstNonFinite(samples) { throw .notFinite(samples[index], index: index) }
        let workspace = if let kept = idle.take() { kept } else { try Workspace(plan) }
        let count = try workspace.features(of: samples, rate: rate, into: target, capacity: capacity)
        idle.give(workspace)
        guard count <= capacity, let target else { return count }
        try rows.finish(UnsafeMutableBufferPointer(start: target, count: count * plan.bins), plan)
        return count
    }
}

/// The workspaces of threads that are done.
private final class IdleWorkspaces: Sendable {
    /// Addresses of retained workspaces, which only the thread that takes one out uses.
    private let addresses = Mutex<[UInt]>([])
    private static let maximumCount = 16

    /// Nil: there is none. Without waiting: in the child of a process that forked, the lock may be held by a thread that is not
    /// there.
    func take() -> Workspace? {
        guard let address = addresses.withLockIfAvailable({ $0.popLast() }).flatMap(\.self),
            let pointer = UnsafeRawPointer(bitPattern: address)
        else { return nil }
        return Unmanaged<Workspace>.fromOpaque(pointer).takeRetainedValue()
    }

    func give(_ workspace: Workspace) {
        let retained = Unmanaged.passRetained(workspace)
        let address = UInt(bitPattern: retained.toOpaque())
        let isKept = addresses.withLockIfAvailable { addresses in
            guard addresses.count < Self.maximumCount else { return false }
            addresses.append(address)
            return true
        }
        if isKept != true { retained.release() }
    }

    deinit { while take() != nil {} }
}

/// What normalises the rows of a plan: `NormalizeConfiguration`, and the statistics that were given.
enum RowNormalization: Sendable {
    case none
    case clip(NormalizeConfiguration)
    case dataset(Normalizer)
    case missingStatistics

    /// Without statistics.
    init(_ plan: FeaturePlan) {
        let normalize = plan.configuration.normalize
        self =
            switch normalize.scope {
            case .none: .none
            case .clip: .clip(normalize)
            case .dataset: .missingStatistics
            }
    }

    /// Refuses to compute without the statistics that are needed.
    func check() throws(InterfaceError) {
        guard case .missingStatistics = self else { return }
        throw InterfaceError(
            .needsStatistics,
            "the plan normalises by the statistics of a dataset (normalize.scope is dataset), and none were given: "
                + "give those of a feature file, or ask for the rows before normalisation")
    }

    /// Whether no row is final before the end of its signal.
    var needsWholeSignal: Bool { if case .clip = self { true } else { false } }

    /// Normalises all rows of a signal; refuses those that exceed single precision.
    func finish(_ values: UnsafeMutableBufferPointer<Float>, _ plan: FeaturePlan) throws(InterfaceError) {
        let rows = UnsafeBufferPointer(values)
        switch self {
        case .clip(let configuration):
            // An extraction buffers rows that wait for the peak only up to a limit, and adds up others in other pieces.
            let count = values.count / plan.bins
            let isWhole = plan.needsWholeClip && count * plan.streamedBins <= ClipStream.usualMaximumKept
            let statistics: BinStatistics?
            do {
                statistics = try RegroupedStatistics.ofClip(plan, count: count, isWhole: isWhole) { $0(rows) }
            } catch let error as SignalError {
                throw InterfaceError(error)
            } catch {
                throw InterfaceError(.libraryFailed, "\(error)")
            }
            guard let statistics else { throw .overflow }
            Normalizer(configuration.method, axis: configuration.axis, statistics: statistics).apply(values)
        case .dataset(let normalizer):
            guard firstNonFinite(rows) == nil else { throw .overflow }
            normalizer.apply(values)
        case .none, .missingStatistics:
            guard firstNonFinite(rows) == nil else { throw .overflow }
        }
    }
}

extension InterfaceError {
    static func notFinite(_ sample: Float, index: Int) -> Self {
        Self(.notFinite, "sample \(index): expected a finite number, found \(sample)")
    }
}
