import CHDF5
import ClipSpool
import FileIO

/// An open HDF5 object.
///
/// An object that was opened for writing has to be closed by `close`, since libhdf5 writes small datasets only then; any other is
/// closed when the value goes.
struct HDF5Handle: ~Copyable {
    enum Kind {
        case file, dataset, group, attribute, space, type, properties

        fileprivate func close(_ id: hid_t) -> herr_t {
            switch self {
            case .file: H5Fclose(id)
            case .dataset: H5Dclose(id)
            case .group: H5Gclose(id)
            case .attribute: H5Aclose(id)
            case .space: H5Sclose(id)
            case .type: H5Tclose(id)
            case .properties: H5Pclose(id)
            }
        }
    }

    let id: hid_t
    private let kind: Kind

    /// Runs `open`, and takes what it returns.
    ///
    /// - Throws: `StorageError.hdf5`.
    init(_ kind: Kind, _ operation: String, _ path: String, open: () -> hid_t) throws(StorageError) {
        id = try HDF5Library.call(operation, path, open)
        self.kind = kind
    }

    deinit { HDF5Library.quietly { _ = kind.close(id) } }

    /// Closes the object.
    ///
    /// Where that fails, the library may have released some of the object, but keeps its identifier: to close it again could
    /// crash, so it stays open until the process ends.
    ///
    /// - Throws: `StorageError.hdf5`, for example if the disk is full.
    consuming func close(_ operation: String, _ path: String) throws(StorageError) {
        let (id, kind) = (id, kind)
        discard self
        try HDF5Library.call(operation, path) { kind.close(id) }
    }

    /// A data space of these extents; none: a single value.
    static func space(_ extents: [Int], _ path: String) throws(StorageError) -> HDF5Handle {
        let extents = extents.map { hsize_t($0) }
        return try HDF5Handle(.space, "making a data space", path) {
            extents.isEmpty ? H5Screate(H5S_SCALAR) : H5Screate_simple(Int32(extents.count), extents, nil)
        }
    }

    /// Runs `body` with the data spaces of a block of this dataset: that of the block in memory, and its selection in the file.
    ///
    /// - Throws: `StorageError.hdf5`.
    func withBlock(
        _ operation: String, _ path: String, start: [Int], count: [Int], _ body: (hid_t, hid_t) -> herr_t
    ) throws(StorageError) {
        let id = id
        let selection = try HDF5Handle(.space, operation, path) { H5Dget_space(id) }
        // The memory has the shape of the block: between two shapes, libhdf5 copies chunked data value by value.
        let memory = try HDF5Handle.space(count, path)
        let (start, block) = (start.map { hsize_t($0) }, count.map { hsize_t($0) })
        try HDF5Library.call(operation, path) {
            let selected = H5Sselect_hyperslab(selection.id, H5S_SELECT_SET, start, nil, block, nil)
            return selected < 0 ? selected : body(memory.id, selection.id)
        }
    }

    /// A property list.
    static func properties(_ list: @escaping () -> hid_t, _ path: String) throws(StorageError) -> HDF5Handle {
        try HDF5Handle(.properties, "making a property list", path) { H5Pcreate(list()) }
    }

    /// The type of a text of `width` bytes of UTF-8, padded with zero bytes; nil: of any length.
    static func text(width: Int?, _ path: String) throws(StorageError) -> HDF5Handle {
        let type = try HDF5Handle(.type, "making a text type", path) { H5Tcopy(veery_h5_c_string()) }
        try HDF5Library.call("making a text type", path) {
            min(
                H5Tset_size(type.id, width ?? veery_h5_variable()), H5Tset_cset(type.id, H5T_CSET_UTF8),
                H5Tset_strpad(type.id, width == nil ? H5T_STR_NULLTERM : H5T_STR_NULLPAD))
        }
        return type
    }
}

/// A number that a dataset can hold, with its types in the file and in memory.
protocol HDF5Number: BitwiseCopyable, Sendable {
    static var zero: Self { get }
    static func fileType() -> hid_t
    static func memoryType() -> hid_t
}

extension HDF5Number {
    /// Its bytes.
    static var size: Int { MemoryLayout<Self>.size }
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
