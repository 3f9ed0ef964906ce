import CHDF5
import ClipSpool

/// An open HDF5 object, closed when the value goes.
struct HDF5Handle: ~Copyable {
    let id: hid_t
    private let close: (hid_t) -> herr_t

    /// Runs `open`, and takes what it returns.
    ///
    /// - Throws: `StorageError.hdf5`.
    init(
        _ operation: String, _ path: String, close: @escaping (hid_t) -> herr_t, open: () -> hid_t
    ) throws(StorageError) {
        id = try HDF5Library.call(operation, path, open)
        self.close = close
    }

    deinit { HDF5Library.quietly { _ = close(id) } }

    /// A data space of these extents; none: a single value.
    static func space(_ extents: [Int], _ path: String) throws(StorageError) -> HDF5Handle {
        let extents = extents.map { hsize_t($0) }
        return try HDF5Handle("making a data space", path, close: H5Sclose) {
            extents.isEmpty ? H5Screate(H5S_SCALAR) : H5Screate_simple(Int32(extents.count), extents, nil)
        }
    }

    /// A property list.
    static func properties(_ list: @escaping () -> hid_t, _ path: String) throws(StorageError) -> HDF5Handle {
        try HDF5Handle("making a property list", path, close: H5Pclose) { H5Pcreate(list()) }
    }

    /// The type of a text of `width` bytes of UTF-8, filled with zero bytes; nil: of any length.
    static func text(width: Int?, _ path: String) throws(StorageError) -> HDF5Handle {
        let type = try HDF5Handle("making a text type", path, close: H5Tclose) { H5Tcopy(veery_h5_c_string()) }
        try HDF5Library.call("making a text type", path) {
            min(
                H5Tset_size(type.id, width ?? veery_h5_variable()), H5Tset_cset(type.id, H5T_CSET_UTF8),
                H5Tset_strpad(type.id, width == nil ? H5T_STR_NULLTERM : H5T_STR_NULLPAD))
        }
        return type
    }
}
