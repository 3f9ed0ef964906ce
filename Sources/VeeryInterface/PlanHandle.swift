import CPlatform
import FeatureModel
import Platform
import Resampling
import SignalProcessing
import Synchronization

/// What a `veery_plan` points to: a plan, what normalises its rows, and workspaces for it.
final class PlanHandle: Sendable {
    let plan: FeaturePlan
    let rows: RowNormalization
    let need: MemoryNeed
    /// The model whose input the plan makes; nil: the one whose preset has this configuration, if any.
    let model: ModelInput?
    /// What of a model's own file is not part of the features, a sentence each.
    let remarks: [String]
    /// Which signals are longer than the features take.
    let limits: FeatureLimits
    // Made in advance, so that returning the texts needs no memory.
    let units: String
    let warnings: String
    private let idle = IdleWorkspaces()

    /// Takes `MemoryNeed.plan`.
    init(
        _ plan: FeaturePlan, _ rows: RowNormalization, model: ModelInput?, remarks: [String]
    ) throws(InterfaceError) {
        (self.plan, self.rows, self.model, self.remarks) = (plan, rows, model, remarks)
        need = MemoryNeed(plan)
        limits = FeatureLimits(plan.configuration)
        units = plan.configuration.storedUnits
        warnings = (remarks + plan.warnings(for: model)).joined(separator: "\n")
        try warmUp()
    }

    /// That of another plan, whose rows are normalised otherwise: what is said of its signals and of its configuration remains.
    ///
    /// - Parameter plan: The same up to normalisation.
    init(_ other: PlanHandle, as plan: FeaturePlan, _ rows: RowNormalization) throws(InterfaceError) {
        (self.plan, self.rows, remarks) = (plan, rows, other.remarks)
        // Without normalisation, the configuration is no longer that of a preset.
        model = other.model ?? ModelInput(of: other.plan.configuration)
        need = MemoryNeed(plan)
        (limits, warnings) = (other.limits, other.warnings)
        units = plan.configuration.storedUnits
        try warmUp()
    }

    static func make(_ rated: RatedConfiguration) throws(InterfaceError) -> PlanHandle {
        let (configuration, sampleRate) = (rated.configuration, Double(rated.sampleRate))
        let (geometry, bins) = try converting { try configuration.shape(at: sampleRate) }
        let need = MemoryNeed(configuration, geometry: geometry, bins: bins, sampleRate: rated.sampleRate)
        return try claiming(need.plan) { () throws(InterfaceError) in
            let plan = try converting { try FeaturePlan(configuration, sampleRate: sampleRate) }
            return try PlanHandle(plan, RowNormalization(plan), model: rated.model, remarks: rated.remarks)
        }
    }

    /// Does once what later calls do, while the lock of the setup is held, so that later calls initialise nothing.
    private func warmUp() throws(InterfaceError) {
        let signal = [Float](repeating: 0.1, count: min(plan.minimumSamples + 2, 1 << 16))
        let workspace = try Workspace(plan)
        let other = min(sampleRate * 2, AudioConfiguration.sampleRates.upperBound)
        for rate in [sampleRate, other] where plan.fixedLength == nil {
            try signal.withUnsafeBufferPointer { samples throws(InterfaceError) in
                _ = try workspace.features(of: samples, rate: rate, into: nil, capacity: 0)
            }
        }
        idle.give(workspace)
        var row = [Float](repeating: 0, count: plan.rowWidth)
        try row.withUnsafeMutableBufferPointer { row throws(InterfaceError) in _ = try rows.finish(row, plan) }
        _ =
            InterfaceError.notFinite(.nan, index: 0).text + InterfaceError.notUnitScale(256, index: 0).text
            + InterfaceError(ClipFailure.stopped).text
    }

    var sampleRate: Int { Int(plan.sampleRate) }

    /// Rows of the plan in one that is handed over: those of a patch, where patches are stacked.
    var rowsInOne: Int { plan.configuration.patches.shape.map { $0.isStacked ? $0.length : 1 } ?? 1 }
    /// Values of a row that is handed over.
    var columns: Int { rowsInOne * plan.bins }

    /// What brings samples at another rate to that of the plan.
    ///
    /// - Throws: `ClipFailure` where the two are too far apart.
    func resampler(from rate: Int) throws(ClipFailure) -> Resampler {
        try Resampler(from: rate, to: sampleRate, by: plan.configuration.audio.resampler)
    }

    /// The number of rows of a signal of `count` samples at a rate; where they are resampled, perhaps one or two fewer.
    func rowLimit(samples count: Int, rate: Int) -> Int {
        func rows(samples: Int) -> Int { plan.storedRowCount(plan.frameCount(samples: samples)) }
        guard rate != sampleRate else { return rows(samples: count) }
        guard count > 0 else { return rows(samples: 0) }
        let (scaled, overflow) = count.multipliedReportingOverflow(by: sampleRate)
        let samples =
            overflow ? Int(min(Double(count) / Double(rate) * Double(sampleRate), 0x1p60)) : scaled / rate
        return rows(samples: samples + 2)
    }

    /// Computes the features of a signal into `target`, if all fit.
    ///
    /// - Returns: The number of rows.
    func features(
        of samples: UnsafeBufferPointer<Float>, rate: Int, into target: UnsafeMutablePointer<Float>?, capacity: Int
    ) throws(InterfaceError) -> Int {
        try rows.check()
        try SignalCheck.require(samples)
        // Checked before anything is computed: audio.duration alone may ask for more rows than a computer can ever compute.
        if rate == sampleRate, rowLimit(samples: samples.count, rate: rate) > capacity {
            return rowLimit(samples: samples.count, rate: rate)
        }
        // Rows with rests do not fit into the memory of those without.
        guard !plan.storesOtherRowCount, !plan.hasRests else {
            return try arranged(samples, rate: rate, into: target, capacity: capacity)
        }
        return try withWorkspace(rate: rate) { workspace throws(InterfaceError) in
            let count = try workspace.features(of: samples, rate: rate, into: target, capacity: capacity)
            guard count <= capacity, let target else { return count }
            _ = try rows.finish(UnsafeMutableBufferPointer(start: target, count: count * plan.bins), plan)
            return count
        }
    }

    /// Runs `body` with a workspace that no other thread uses, where there is memory for it and for `others` bytes.
    private func withWorkspace(
        rate: Int, others: Int = 0, _ body: (Workspace) throws(InterfaceError) -> Int
    ) throws(InterfaceError) -> Int {
        let used = idle.take()
        let bytes = smallMemory + need.call(isResampled: rate != sampleRate) + (used == nil ? need.workspace : 0)
        let (all, overflow) = bytes.addingReportingOverflow(others)
        guard !overflow, veery_claim_memory(all) != 0 else {
            if let used { idle.give(used) }
            throw .outOfMemory
        }
        defer { veery_end_claim(all) }
        let workspace = if let used { used } else { try Workspace(plan) }
        let result = try body(workspace)
        idle.give(workspace)
        return result
    }

    /// Computes the features of a plan that adds rows after normalisation or groups them, or whose rows have rests before it, in
    /// memory of its own first.
    private func arranged(
        _ samples: UnsafeBufferPointer<Float>, rate: Int, into target: UnsafeMutablePointer<Float>?, capacity: Int
    ) throws(InterfaceError) -> Int {
        // Two samples more than there can be after resampling.
        let scaled = min(Double(samples.count) / Double(rate) * plan.sampleRate + 2, 0x1p60)
        let limit = max(
            plan.frameCount(samples: Int(scaled)), plan.frameCount(samples: samples.count), 1)
        let (bytes, overflow) = limit.multipliedReportingOverflow(by: plan.rowWidth * MemoryLayout<Float>.stride)
        guard !overflow else { throw .outOfMemory }
        // The memory for patches is part of the need of a workspace.
        let others = bytes.addingReportingOverflow(need.workspace)
        guard !others.overflow else { throw .outOfMemory }
        return try withWorkspace(rate: rate, others: others.partialValue) { workspace throws(InterfaceError) in
            guard let memory = malloc(bytes) else { throw .outOfMemory }
            defer { free(memory) }
            let computed = memory.bindMemory(to: Float.self, capacity: limit * plan.rowWidth)
            let count = try workspace.features(of: samples, rate: rate, into: computed, capacity: limit)
            let stored = plan.storedRowCount(count)
            guard count <= limit, stored <= capacity, let target else { return stored }
            let own = UnsafeMutableBufferPointer(start: computed, count: count * plan.rowWidth)
            try arrange(try rows.finish(own, plan), into: target)
            return stored
        }
    }

    private func arrange(
        _ own: UnsafeMutableBufferPointer<Float>, into target: UnsafeMutablePointer<Float>
    ) throws(InterfaceError) {
        let arrangement = try converting { try RowArrangement(plan) }
        var next = target
        func store(_ rows: UnsafeMutableBufferPointer<Float>) {
            guard let source = rows.baseAddress else { return }
            next.update(from: source, count: rows.count)
            next += rows.count
        }
        arrangement.start()
        arrangement.push(own, receive: store)
        arrangement.finish(receive: store)
    }
}

/// The workspaces that no thread is using.
///
/// There is no lock: in the child of a process that forked, it might be held by a thread that does not exist there.
private final class IdleWorkspaces: Sendable {
    /// Addresses of retained workspaces, which only the thread that takes one out uses; 0: none.
    private let addresses: [Slot] = (0..<16).map { _ in Slot() }

    private final class Slot: Sendable {
        let address = Atomic<UInt>(0)
    }

    /// Nil: there is none.
    func take() -> Workspace? {
        for slot in addresses {
            let address = slot.address.exchange(0, ordering: .acquiring)
            guard let pointer = UnsafeRawPointer(bitPattern: address) else { continue }
            return Unmanaged<Workspace>.fromOpaque(pointer).takeRetainedValue()
        }
        return nil
    }

    func give(_ workspace: Workspace) {
        let retained = Unmanaged.passRetained(workspace)
        let address = UInt(bitPattern: retained.toOpaque())
        for slot in addresses
        where slot.address.compareExchange(expected: 0, desired: address, ordering: .releasing).exchanged {
            return
        }
        retained.release()
    }

    deinit { while take() != nil {} }
}

/// What normalises the rows of a plan: `NormalizeConfiguration`, and the statistics that were given.
enum RowNormalization: Sendable {
    case none
    case clip(NormalizeConfiguration)
    case shared(Normalizer)
    case missingStatistics

    /// Without statistics.
    init(_ plan: FeaturePlan) {
        let normalize = plan.configuration.rowNormalization
        self =
            switch normalize.scope {
            case .none: .none
            case .clip: .clip(normalize)
            case .dataset: .missingStatistics
            case .constant: .shared(Normalizer(normalize, statistics: BinStatistics(bins: plan.bins)))
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

    /// Normalises all rows of a signal; throws if a value exceeds single precision.
    ///
    /// - Returns: The part of the memory that has them then, without rests.
    func finish(
        _ values: UnsafeMutableBufferPointer<Float>, _ plan: FeaturePlan
    ) throws(InterfaceError) -> UnsafeMutableBufferPointer<Float> {
        let rows = UnsafeBufferPointer(values)
        switch self {
        case .clip(let configuration):
            // An extraction buffers rows that wait for the peak only up to a limit, and adds up longer clips in other pieces.
            let count = values.count / plan.rowWidth
            let isWhole = plan.needsWholeClip && count * plan.streamedBins <= ClipStream.usualMaximumKept
            let statistics = try converting {
                try RegroupedStatistics.ofClip(plan, count: count, isWhole: isWhole, hasRests: plan.hasRests) {
                    $0(rows)
                }
            }
            guard let statistics else { throw .overflow }
            return Normalizer(configuration, statistics: statistics).apply(values, hasRests: plan.hasRests)
        case .shared(let normalizer):
            guard firstNonFinite(rows) == nil else { throw .overflow }
            normalizer.apply(values)
        case .none, .missingStatistics:
            guard firstNonFinite(rows) == nil else { throw .overflow }
        }
        return values
    }
}

/// What one thread needs to compute the features of whole signals: buffers, transforms, a resampler.
final class Workspace {
    private let plan: FeaturePlan
    private let stream: ClipStream
    /// The resampler of the latest call; nil: its signal had the plan's rate.
    private var resampler: Resampler?

    init(_ plan: FeaturePlan) throws(InterfaceError) {
        self.plan = plan
        stream = try converting {
            try ClipStream(plan, keepsRests: true, maximumKept: ClipStream.usualMaximumKept)
        }
    }

    /// Computes rows, before normalisation by a signal's or dataset's statistics, into `target`, as far as they fit: of
    /// `FeaturePlan.rowWidth` numbers each.
    ///
    /// - Returns: The number of rows.
    func features(
        of samples: UnsafeBufferPointer<Float>, rate: Int, into target: UnsafeMutablePointer<Float>?, capacity: Int
    ) throws(InterfaceError) -> Int {
        let rateOfPlan = Int(plan.sampleRate)
        let (stream, width) = (stream, plan.rowWidth)
        do {
            if rate == rateOfPlan {
                resampler = nil
            } else if resampler?.inputRate != rate {
                resampler = try Resampler(from: rate, to: rateOfPlan, by: plan.configuration.audio.resampler)
            }
            let resampler = resampler
            resampler?.reset()
            /// A pass over the signal.
            func pass(_ receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void) throws(ClipFailure) {
                guard let resampler else { return try receive(samples) }
                try resampler.push(samples, receive: receive)
                try resampler.finish(receive: receive)
            }
            var values = 0
            let limit = target == nil ? 0 : capacity * width
            func store(_ rows: UnsafeBufferPointer<Float>) {
                if values + rows.count <= limit, let source = rows.baseAddress {
                    target.map { ($0 + values).update(from: source, count: rows.count) }
                }
                values += rows.count
            }
            var survey = SignalSurvey(plan)
            while survey.needsPass {
                try pass { survey.push($0) }
                survey.endPass()
            }
            stream.start(survey.level)
            try pass { stream.push($0, to: store) }
            if !stream.finish(to: store) {
                stream.startSecondPass()
                try pass { stream.push($0, to: store) }
                _ = stream.finish(to: store)
            }
            return values / width
        } catch {
            throw InterfaceError(error)
        }
    }
}
