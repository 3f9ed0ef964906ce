import Checksums
import FeatureModel

/// What stands in rows that are no clip's frames.
enum TensorFilling {
    /// The bits of the float32 between packed clips: a quiet NaN without a payload.
    static let notANumber: UInt32 = 0x7FC0_0000
    /// The same in half precision.
    static let notAHalf: UInt16 = 0x7E00

    /// Whether a value, as read, is what has to stand there, to the bit.
    static func isFilling(_ value: Float, _ layout: StoreConfiguration.Layout) -> Bool {
        value.bitPattern == (layout == .packed ? notANumber : 0)
    }

    /// The checksum of values as they are stored.
    static func checksum(of values: ArraySlice<Float>, as element: StoreConfiguration.Element) -> String {
        guard element == .float16 else {
            return values.withUnsafeBytes { XXH3Hash128.checksum(of: $0).hex }
        }
        var values = Array(values)
        return values.withUnsafeMutableBufferPointer { XXH3Hash128.checksum(of: HalfPrecision.encode($0)).hex }
    }
}
