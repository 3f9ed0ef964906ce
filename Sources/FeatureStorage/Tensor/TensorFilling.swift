import Checksums
import FeatureModel

/// What stands in rows that are no clip's frames.
enum TensorFilling {
    /// The bits of the float32 between packed clips: a quiet NaN without a payload.
    static let notANumber: UInt32 = 0x7FC0_0000
    /// The same in half precision.
    static let quietNaNHalf: UInt16 = 0x7E00

    /// Whether a value, as read, is what has to stand there, to the bit.
    static func isFilling(_ value: Float, _ layout: StoreConfiguration.Layout) -> Bool {
        value.bitPattern == (layout == .packed ? notANumber : 0)
    }

    /// Adds the first `count` values to a checksum, as they are stored. They may be changed.
    static func update(
        _ hash: inout XXH3Hash128, with values: inout [Float], count: Int, as element: StoreConfiguration.Element
    ) {
        values.withUnsafeMutableBufferPointer { values in
            let own = UnsafeMutableBufferPointer(rebasing: values[..<count])
            hash.update(element == .float16 ? HalfPrecision.encode(own) : UnsafeRawBufferPointer(own))
        }
    }
}
