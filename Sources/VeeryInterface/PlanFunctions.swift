import CPlatform
import CVeery
import FeatureModel
import Platform
import SignalProcessing

// The functions of `veery.h` that make and use plans. The header documents them.

package typealias Handle = UnsafeMutableRawPointer

@_cdecl("veery_plan_create")
package func createPlan(
    _ preset: UnsafePointer<CChar>?, _ sampleRate: UInt32, _ plan: UnsafeMutablePointer<Handle?>?,
    _ error: UnsafeMutablePointer<veery_error>?
) -> Int32 {
    settingUp(error, claiming: MemoryNeed.setup) { () throws(InterfaceError) in
        let result = try target("plan", plan)
        guard let preset else { throw .null("preset") }
        let rated = try RatedConfiguration(preset: name(at: preset), rate: rate(sampleRate))
        result.pointee = Unmanaged.passRetained(try PlanHandle.make(rated)).toOpaque()
    }
}

@_cdecl("veery_plan_create_json")
package func createPlanFromJSON(
    _ json: UnsafePointer<CChar>?, _ length: Int, _ sampleRate: UInt32, _ plan: UnsafeMutablePointer<Handle?>?,
    _ error: UnsafeMutablePointer<veery_error>?
) -> Int32 {
    let read = min(UInt(bitPattern: length), UInt(RatedConfiguration.maximumLength))
    return settingUp(error, claiming: MemoryNeed.reading(json: Int(read))) { () throws(InterfaceError) in
        let result = try target("plan", plan)
        let text = UnsafeRawBufferPointer(try numbers("json", json, count: length))
        let rated = try RatedConfiguration(json: text, rate: rate(sampleRate))
        result.pointee = Unmanaged.passRetained(try PlanHandle.make(rated)).toOpaque()
    }
}

@_cdecl("veery_plan_destroy")
package func destroyPlan(_ plan: Handle?) {
    if let plan { Unmanaged<PlanHandle>.fromOpaque(plan).release() }
}

@_cdecl("veery_plan_normalized")
package func normalizedPlan(
    _ plan: UnsafeRawPointer?, _ mean: UnsafePointer<Double>?, _ deviation: UnsafePointer<Double>?,
    _ minimum: UnsafePointer<Double>?, _ maximum: UnsafePointer<Double>?, _ bins: Int, _ frames: UInt64,
    _ normalized: UnsafeMutablePointer<Handle?>?, _ error: UnsafeMutablePointer<veery_error>?
) -> Int32 {
    settingUp(error) { () throws(InterfaceError) in
        let handle = try object("plan", plan, of: PlanHandle.self)
        let result = try target("normalized", normalized)
        let normalize = handle.plan.configuration.normalize
        guard normalize.scope == .dataset else {
            throw InterfaceError(
                .invalidArgument,
                "the plan: expected one whose normalize.scope is dataset, found \(normalize.scope.rawValue)")
        }
        guard bins == handle.plan.bins else {
            throw InterfaceError(
                .invalidArgument,
                "bins: expected \(handle.plan.bins), as many as the plan has, found \(UInt(bitPattern: bins))")
        }
        guard frames > 0 else { throw InterfaceError(.invalidArgument, "frames: expected at least 1, found 0") }
        let limit = Double(Float.greatestFiniteMagnitude)
        func column(_ name: String, _ start: UnsafePointer<Double>?) throws(InterfaceError) -> [Double] {
            let values = Array(try numbers(name, start, count: bins))
            let allowed = (name == "deviation" ? 0 : -limit)...limit
            if let bin = values.firstIndex(where: { !allowed.contains($0) }) {
                throw InterfaceError(
                    .invalidArgument,
                    "\(name)[\(bin)]: expected \(allowed.lowerBound) to \(allowed.upperBound), found \(values[bin])")
            }
            return values
        }
        result.pointee = try claiming(handle.need.plan) { () throws(InterfaceError) in
            // Over all bins together there are as many values as frames times bins.
            let statistics = BinStatistics(
                count: Int(min(frames, UInt64(Int.max / bins))), mean: try column("mean", mean),
                standardDeviation: try column("deviation", deviation),
                exactMinimum: try column("minimum", minimum), exactMaximum: try column("maximum", maximum))
            let normalizer = Normalizer(normalize, statistics: statistics)
            return Unmanaged.passRetained(try PlanHandle(handle, as: handle.plan, .shared(normalizer))).toOpaque()
        }
    }
}

@_cdecl("veery_plan_unnormalized")
package func unnormalizedPlan(
    _ plan: UnsafeRawPointer?, _ unnormalized: UnsafeMutablePointer<Handle?>?,
    _ error: UnsafeMutablePointer<veery_error>?
) -> Int32 {
    settingUp(error) { () throws(InterfaceError) in
        let handle = try object("plan", plan, of: PlanHandle.self)
        let result = try target("unnormalized", unnormalized)
        let own = handle.plan.configuration
        result.pointee = try claiming(handle.need.plan) { () throws(InterfaceError) in
            let made = try converting {
                try FeaturePlan(own.with(normalize: NormalizeConfiguration.none), sampleRate: handle.plan.sampleRate)
            }
            return Unmanaged.passRetained(try PlanHandle(handle, as: made, .none)).toOpaque()
        }
    }
}

@_cdecl("veery_plan_get_info")
package func planInfo(
    _ plan: UnsafeRawPointer?, _ info: UnsafeMutablePointer<veery_plan_info>?,
    _ error: UnsafeMutablePointer<veery_error>?
) -> Int32 {
    reporting(error) { () throws(InterfaceError) in
        let handle = try object("plan", plan, of: PlanHandle.self)
        let result = try target("info", info)
        let size = MemoryLayout<veery_plan_info>.size
        let given = UInt(bitPattern: result.pointee.size)
        guard given >= size else {
            throw InterfaceError(.invalidArgument, "info->size: expected at least \(size) bytes, found \(given)")
        }
        let plan = handle.plan
        let patch = plan.configuration.patches.shape
        let isFrequency = if case .frequency = plan.axis { true } else { false }
        let (normalization, needsStatistics): (Int, Bool) =
            switch handle.rows {
            case .none:
                (plan.configuration.normalizesBeforeResizing ? VEERY_NORMALIZE_CLIP : VEERY_NORMALIZE_NONE, false)
            case .clip: (VEERY_NORMALIZE_CLIP, false)
            case .shared:
                (
                    plan.configuration.normalize.scope == .constant
                        ? VEERY_NORMALIZE_CONSTANT : VEERY_NORMALIZE_DATASET, false
                )
            case .missingStatistics: (VEERY_NORMALIZE_DATASET, true)
            }
        result.pointee = veery_plan_info(
            size: size, sample_rate: UInt32(handle.sampleRate),
            axis: UInt32(isFrequency ? VEERY_AXIS_FREQUENCY : VEERY_AXIS_COEFFICIENT),
            normalization: UInt32(normalization), needs_statistics: needsStatistics ? 1 : 0,
            needs_whole_signal: plan.holdsRows || plan.needsSurvey || handle.rows.needsWholeSignal ? 1 : 0,
            patches_are_stacked: patch?.isStacked == true ? 1 : 0, bins: handle.columns,
            frame_length: plan.geometry.length,
            hop_length: plan.geometry.hop,
            fft_length: plan.geometry.fftLength, minimum_samples: plan.minimumSamples,
            fixed_length: plan.fixedLength ?? 0,
            frame_period: plan.framePeriod * Double(patch?.isStacked == true ? patch?.hop ?? 1 : 1),
            first_frame_time: plan.firstRowTime, patch_length: patch?.length ?? 0, patch_hop: patch?.hop ?? 0)
    }
}

@_cdecl("veery_plan_configuration")
package func planConfiguration(
    _ plan: UnsafeRawPointer?, _ text: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> Int {
    veery_lock_setup()
    defer { veery_unlock_setup() }
    let handle = try? object("plan", plan, of: PlanHandle.self)
    return writing(MemoryNeed.setup, to: text, capacity: capacity) {
        handle.map { RatedConfiguration.text(of: $0.plan.configuration) } ?? ""
    }
}

@_cdecl("veery_plan_units")
package func planUnits(_ plan: UnsafeRawPointer?, _ text: UnsafeMutablePointer<CChar>?, _ capacity: Int) -> Int {
    let handle = try? object("plan", plan, of: PlanHandle.self)
    return write(handle?.units ?? "", to: text, capacity: capacity)
}

@_cdecl("veery_plan_warnings")
package func planWarnings(_ plan: UnsafeRawPointer?, _ text: UnsafeMutablePointer<CChar>?, _ capacity: Int) -> Int {
    let handle = try? object("plan", plan, of: PlanHandle.self)
    return write(handle?.warnings ?? "", to: text, capacity: capacity)
}

@_cdecl("veery_plan_signal_warnings")
package func planSignalWarnings(
    _ plan: UnsafeRawPointer?, _ count: Int, _ sampleRate: UInt32, _ text: UnsafeMutablePointer<CChar>?,
    _ capacity: Int
) -> Int {
    veery_lock_setup()
    defer { veery_unlock_setup() }
    guard let handle = try? object("plan", plan, of: PlanHandle.self),
        sampleRate == 0 || AudioConfiguration.sampleRates.contains(Int(sampleRate))
    else { return write("", to: text, capacity: capacity) }
    return writing(MemoryNeed.setup, to: text, capacity: capacity) {
        handle.plan.warnings(
            ofSignal: count < 0 ? .max : count, at: sampleRate == 0 ? nil : Int(sampleRate), handle.limits,
            model: handle.model
        ).joined(separator: "\n")
    }
}

@_cdecl("veery_plan_axis")
package func planAxis(
    _ plan: UnsafeRawPointer?, _ values: UnsafeMutablePointer<Float>?, _ bins: Int,
    _ error: UnsafeMutablePointer<veery_error>?
) -> Int32 {
    reporting(error) { () throws(InterfaceError) in
        let handle = try object("plan", plan, of: PlanHandle.self)
        let axis = handle.plan.axis.values
        let result = try target("values", values)
        guard bins == handle.columns else {
            throw InterfaceError(
                .invalidArgument,
                "bins: expected \(handle.columns), as many as the plan has, found \(UInt(bitPattern: bins))")
        }
        for bin in 0..<bins { result[bin] = axis[bin % axis.count] }
    }
}

@_cdecl("veery_plan_row_limit")
package func planRowLimit(
    _ plan: UnsafeRawPointer?, _ count: Int, _ sampleRate: UInt32, _ rows: UnsafeMutablePointer<Int>?,
    _ error: UnsafeMutablePointer<veery_error>?
) -> Int32 {
    reporting(error) { () throws(InterfaceError) in
        let handle = try object("plan", plan, of: PlanHandle.self)
        let result = try target("rows", rows)
        try requireSize("count", count)
        result.pointee =
            handle.rowLimit(samples: count, rate: try rate(sampleRate) ?? handle.sampleRate) / handle.rowsInOne
    }
}

@_cdecl("veery_plan_features")
package func planFeatures(
    _ plan: UnsafeRawPointer?, _ samples: UnsafePointer<Float>?, _ count: Int, _ sampleRate: UInt32,
    _ features: UnsafeMutablePointer<Float>?, _ capacity: Int, _ rows: UnsafeMutablePointer<Int>?,
    _ error: UnsafeMutablePointer<veery_error>?
) -> Int32 {
    reporting(error) { () throws(InterfaceError) in
        let handle = try object("plan", plan, of: PlanHandle.self)
        let result = try target("rows", rows)
        let signal = try numbers("samples", samples, count: count)
        try requireSize("capacity", capacity)
        try requireCapacity(capacity, rowsOf: handle.columns)
        let found =
            try handle.features(
                of: signal, rate: try rate(sampleRate) ?? handle.sampleRate, into: features,
                capacity: capacity * handle.rowsInOne) / handle.rowsInOne
        guard found <= capacity else {
            result.pointee = found
            throw InterfaceError(
                .bufferTooSmall, "features: expected space for \(found) rows, found space for \(capacity)")
        }
        if found > 0, features == nil { throw .null("features") }
        result.pointee = found
    }
}

/// A name, cut off where it is longer than any preset's.
private func name(at name: UnsafePointer<CChar>) -> String {
    let length = strnlen(name, 4096)
    return String(decoding: UnsafeRawBufferPointer(start: name, count: length), as: UTF8.self)
}
