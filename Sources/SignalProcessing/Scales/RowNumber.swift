import CKernels

/// The type of the numbers in rows: single precision, or double precision where a plan keeps it (`FeaturePlan.isPrecise`).
///
/// The steps from lanes to scaled rows are the same for both types, and generic. The protocol has what differs: single precision has
/// kernels, and numbers are rounded before they are squared, or are factors. Only this module uses it, so that the compiler makes code
/// for each type.
protocol RowNumber: BinaryFloatingPoint, BitwiseCopyable {
    /// Rounds every `step`th number of lanes, or squares what that gives, into rows.
    ///
    /// - Parameters:
    ///   - lanes: The first number; numbers of one frame are as far apart as `loops` has lanes.
    ///   - columns: Numbers of each frame.
    ///   - rows: Space for `count` rows that are `width` values apart.
    static func store(
        _ lanes: UnsafePointer<Double>, step: Int, columns: Int, squares: Bool, by loops: UnsafePointer<veery_lanes>,
        into rows: UnsafeMutablePointer<Self>, width: Int, count: Int)

    /// Replaces the first `count` numbers of each lane by their square roots, which this type holds exactly.
    static func takeRoots(_ lanes: UnsafeMutablePointer<Double>, count: Int, by loops: UnsafePointer<veery_lanes>)

    /// Scales `count` values in place.
    static func scale(_ values: UnsafeMutablePointer<Self>, count: Int, by scale: PowerScale)

    /// The maximum of `count` values and `least`.
    static func maximum(_ values: UnsafePointer<Self>, count: Int, _ least: Self) -> Self
}

extension Float: RowNumber {
    static func store(
        _ lanes: UnsafePointer<Double>, step: Int, columns: Int, squares: Bool, by loops: UnsafePointer<veery_lanes>,
        into rows: UnsafeMutablePointer<Float>, width: Int, count: Int
    ) {
        loops.pointee.to_rows(lanes, step, columns, squares ? 1 : 0, rows, width, count)
    }

    static func takeRoots(_ lanes: UnsafeMutablePointer<Double>, count: Int, by loops: UnsafePointer<veery_lanes>) {
        loops.pointee.roots(lanes, count)
    }

    static func scale(_ values: UnsafeMutablePointer<Float>, count: Int, by scale: PowerScale) {
        scale.apply(values, count: count)
    }

    static func maximum(_ values: UnsafePointer<Float>, count: Int, _ least: Float) -> Float {
        Kernels.best.pointee.maximum(values, count, least)
    }
}

extension Double: RowNumber {
    static func store(
        _ lanes: UnsafePointer<Double>, step: Int, columns: Int, squares: Bool, by loops: UnsafePointer<veery_lanes>,
        into rows: UnsafeMutablePointer<Double>, width: Int, count: Int
    ) {
        let stride = step * loops.pointee.count
        for lane in 0..<count {
            let row = rows + lane * width
            for column in 0..<columns { row[column] = lanes[column * stride + lane] }
            if squares { for column in 0..<columns { row[column] *= row[column] } }
        }
    }

    static func takeRoots(_ lanes: UnsafeMutablePointer<Double>, count: Int, by loops: UnsafePointer<veery_lanes>) {
        for index in 0..<count * loops.pointee.count { lanes[index] = lanes[index].squareRoot() }
    }

    static func scale(_ values: UnsafeMutablePointer<Double>, count: Int, by scale: PowerScale) {
        scale.apply(values, count: count)
    }

    static func maximum(_ values: UnsafePointer<Double>, count: Int, _ least: Double) -> Double {
        var maximum = least
        for index in 0..<count where values[index] > maximum { maximum = values[index] }
        return maximum
    }
}
