import CHDF5

/// A number that can stand in a dataset: how it lies in the file, and how in memory.
protocol HDF5Number: BitwiseCopyable, Sendable {
    static var zero: Self { get }
    static func fileType() -> hid_t
    static func memoryType() -> hid_t
}

extension Float: HDF5Number {
    static func fileType() -> hid_t { veery_h5_float32_le() }
    static func memoryType() -> hid_t { veery_h5_native_float() }
}

/// The bits of a half-precision number.
struct Half: HDF5Number {
    var bits: UInt16

    static let zero = Half(bits: 0)
    static func fileType() -> hid_t { veery_h5_float16_le() }
    static func memoryType() -> hid_t { veery_h5_float16_le() }
}

extension Double: HDF5Number {
    static func fileType() -> hid_t { veery_h5_float64_le() }
    static func memoryType() -> hid_t { veery_h5_native_double() }
}

extension UInt8: HDF5Number {
    static func fileType() -> hid_t { veery_h5_uint8() }
    static func memoryType() -> hid_t { veery_h5_uint8() }
}

extension Int32: HDF5Number {
    static func fileType() -> hid_t { veery_h5_int32_le() }
    static func memoryType() -> hid_t { veery_h5_native_int32() }
}

extension Int64: HDF5Number {
    static func fileType() -> hid_t { veery_h5_int64_le() }
    static func memoryType() -> hid_t { veery_h5_native_int64() }
}
