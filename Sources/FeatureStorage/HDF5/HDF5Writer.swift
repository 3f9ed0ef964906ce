import CHDF5
import FileIO

/// Makes an HDF5 file without a time stamp in it, so that equal contents are equal bytes.
struct HDF5Writer: ~Copyable {
    let path: String
    private let file: HDF5Handle
    private let datasets: HDF5Handle
    private let groups: HDF5Handle

    /// Makes an empty file.
    ///
    /// - Parameters:
    ///   - path: An existing file is overwritten.
    ///   - alignment: Offsets of large objects are multiples of this many bytes, until `reopened`.
    ///   - threshold: Bytes from which an object is large.
    /// - Throws: `StorageError.hdf5`.
    init(path: String, alignment: Int, from threshold: Int) throws(StorageError) {
        let creation = try HDF5Handle.properties(veery_h5_file_create_class, path)
        let access = try HDF5Handle.properties(veery_h5_file_access_class, path)
        try HDF5Library.call("setting up the file", path) {
            min(
                H5Pset_obj_track_times(creation.id, false),
                H5Pset_alignment(access.id, hsize_t(max(threshold, 1)), hsize_t(alignment)))
        }
        let file = try HDF5Handle(.file, "creating the file", path) {
            H5Fcreate(path, veery_h5_truncate(), creation.id, access.id)
        }
        try self.init(path: path, file: file)
    }

    private init(path: String, file: consuming HDF5Handle) throws(StorageError) {
        let datasets = try HDF5Handle.properties(veery_h5_dataset_create_class, path)
        let groups = try HDF5Handle.properties(veery_h5_group_create_class, path)
        try HDF5Library.call("setting up the file", path) {
            min(H5Pset_obj_track_times(datasets.id, false), H5Pset_obj_track_times(groups.id, false))
        }
        self.file = file
        self.datasets = datasets
        self.groups = groups
        self.path = path
    }

    /// The same file, in which further objects are packed, not aligned.
    ///
    /// - Throws: `StorageError.hdf5`.
    consuming func reopened() throws(StorageError) -> HDF5Writer {
        let path = path
        try close()
        let file: HDF5Handle
        do throws(StorageError) {
            file = try HDF5Handle(.file, "opening the file", path) {
                H5Fopen(path, veery_h5_read_write(), veery_h5_default())
            }
        } catch {
            // It was written a moment ago.
            throw error.systemCode == nil ? .lostWrites(path: path, found: "it cannot be opened again") : error
        }
        return try HDF5Writer(path: path, file: file)
    }

    /// Makes a group.
    func group(_ name: String) throws(StorageError) {
        let file = file.id
        let groups = groups.id
        let group = try HDF5Handle(.group, "making the group \(name)", path) {
            H5Gcreate2(file, name, veery_h5_default(), groups, veery_h5_default())
        }
        try group.close("making the group \(name)", path)
    }

    /// Makes a contiguous dataset of a type.
    private func dataset(
        _ name: String, type: () -> hid_t, extents: [Int], early: Bool = false
    ) throws(StorageError) -> HDF5Handle {
        let space = try HDF5Handle.space(extents, path)
        let (file, list) = (file.id, datasets.id)
        // Early: the address in the file is fixed now, and the bytes are written without the library.
        try HDF5Library.call("making \(name)", path) {
            min(
                H5Pset_alloc_time(list, early ? H5D_ALLOC_TIME_EARLY : H5D_ALLOC_TIME_LATE),
                H5Pset_fill_time(list, H5D_FILL_TIME_IFSET))
        }
        return try HDF5Handle(.dataset, "making \(name)", path) {
            H5Dcreate2(file, name, type(), space.id, veery_h5_default(), list, veery_h5_default())
        }
    }

    /// Makes a dataset of numbers whose address in the file is fixed at once.
    ///
    /// - Returns: The offset of its first byte in the file; nil where it has no bytes.
    func reserve(_ name: String, of type: any HDF5Number.Type, extents: [Int]) throws(StorageError) -> Int? {
        let dataset = try dataset(name, type: type.fileType, extents: extents, early: true)
        var offset: Int?
        if extents.allSatisfy({ $0 > 0 }) {
            let id = dataset.id
            offset = Int(
                try HDF5Library.call("locating \(name)", path) { Int64(truncatingIfNeeded: H5Dget_offset(id)) })
        }
        try dataset.close("making \(name)", path)
        return offset
    }

    /// Makes a dataset in chunks that are deflated, and shuffled unless they hold bytes; in a chunk that is never written, numbers
    /// are not a number, and bytes 0.
    func createCompressed(
        _ name: String, of type: any HDF5Number.Type, extents: [Int], chunk: [Int], level: Int32
    ) throws(StorageError) {
        let space = try HDF5Handle.space(extents, path)
        let list = try HDF5Handle.properties(veery_h5_dataset_create_class, path)
        let (file, hasBytes) = (file.id, type == UInt8.self)
        let chunk = chunk.map { hsize_t($0) }
        var fillValue = Float.nan
        try HDF5Library.call("making \(name)", path) {
            [
                H5Pset_obj_track_times(list.id, false), H5Pset_chunk(list.id, Int32(chunk.count), chunk),
                hasBytes ? 0 : H5Pset_shuffle(list.id), H5Pset_deflate(list.id, UInt32(level)),
                hasBytes ? 0 : H5Pset_fill_value(list.id, veery_h5_native_float(), &fillValue),
            ].min() ?? -1
        }
        let dataset = try HDF5Handle(.dataset, "making \(name)", path) {
            H5Dcreate2(file, name, type.fileType(), space.id, veery_h5_default(), list.id, veery_h5_default())
        }
        try dataset.close("making \(name)", path)
    }

    /// A dataset, for chunks that are compressed already.
    func chunks(of name: String) throws(StorageError) -> HDF5Chunks {
        try HDF5Chunks(of: name, file: file.id, path: path)
    }

    /// Makes a dataset of numbers without writing to it.
    func create<Number: HDF5Number>(_ name: String, of type: Number.Type, extents: [Int]) throws(StorageError) {
        try dataset(name, type: Number.fileType, extents: extents).close("making \(name)", path)
    }

    /// Makes a dataset of texts of fixed width without writing to it.
    func create(_ name: String, textWidth: Int, extents: [Int]) throws(StorageError) {
        let type = try HDF5Handle.text(width: max(textWidth, 1), path)
        try dataset(name, type: { type.id }, extents: extents).close("making \(name)", path)
    }

    /// Writes numbers to a dataset of one dimension, from index `start`.
    func write<Number: HDF5Number>(_ values: [Number], to name: String, from start: Int = 0) throws(StorageError) {
        try values.withUnsafeBufferPointer { values throws(StorageError) in
            try write(values, to: name, start: [start], count: [values.count])
        }
    }

    /// Writes a block of numbers to a dataset.
    ///
    /// - Precondition: There is a number for each index of the block.
    func write<Number: HDF5Number>(
        _ values: UnsafeBufferPointer<Number>, to name: String, start: [Int], count: [Int]
    ) throws(StorageError) {
        precondition(values.count == count.reduce(1, *), "a number for each index")
        try write(UnsafeRawBufferPointer(values), as: Number.memoryType, to: name, start: start, count: count)
    }

    /// Writes texts to a one-dimensional dataset of texts of fixed width, from index `start`.
    func write(_ texts: [String], width: Int, to name: String, from start: Int = 0) throws(StorageError) {
        let type = try HDF5Handle.text(width: max(width, 1), path)
        try FixedText.bytes(texts, width: max(width, 1)).withUnsafeBufferPointer { bytes throws(StorageError) in
            try write(
                UnsafeRawBufferPointer(bytes), as: { type.id }, to: name, start: [start], count: [texts.count])
        }
    }

    private func write(
        _ bytes: UnsafeRawBufferPointer, as type: () -> hid_t, to name: String, start: [Int], count: [Int]
    ) throws(StorageError) {
        guard !bytes.isEmpty else { return }
        let dataset = try open(name)
        let id = dataset.id
        try dataset.withBlock("writing \(name)", path, start: start, count: count) { memory, selection in
            H5Dwrite(id, type(), memory, selection, veery_h5_default(), bytes.baseAddress)
        }
        try dataset.close("writing \(name)", path)
    }

    /// Makes a dataset that holds one text.
    func scalar(_ name: String, _ text: String) throws(StorageError) {
        let type = try HDF5Handle.text(width: max(text.utf8.count, 1), path)
        let dataset = try dataset(name, type: { type.id }, extents: [])
        let bytes = FixedText.bytes([text], width: max(text.utf8.count, 1))
        let id = dataset.id
        try HDF5Library.call("writing \(name)", path) {
            bytes.withUnsafeBytes {
                H5Dwrite(id, type.id, veery_h5_all(), veery_h5_all(), veery_h5_default(), $0.baseAddress)
            }
        }
        try dataset.close("writing \(name)", path)
    }

    /// Attaches a text to an object; `/` is the file itself.
    func attribute(_ name: String, _ text: String, of object: String) throws(StorageError) {
        let type = try HDF5Handle.text(width: nil, path)
        try attribute(name, type: { type.id }, of: object) { attribute in
            text.withCString { pointer in
                withUnsafePointer(to: pointer) { H5Awrite(attribute, type.id, $0) }
            }
        }
    }

    /// Attaches a number to an object.
    func attribute<Number: HDF5Number>(_ name: String, _ number: Number, of object: String) throws(StorageError) {
        try attribute(name, type: Number.fileType, of: object) { attribute in
            withUnsafePointer(to: number) { H5Awrite(attribute, Number.memoryType(), $0) }
        }
    }

    /// Attaches a list of numbers to an object.
    func attribute<Number: HDF5Number>(_ name: String, _ numbers: [Number], of object: String) throws(StorageError) {
        try attribute(name, type: Number.fileType, extents: [numbers.count], of: object) { attribute in
            numbers.withUnsafeBytes { H5Awrite(attribute, Number.memoryType(), $0.baseAddress) }
        }
    }

    private func attribute(
        _ name: String, type: () -> hid_t, extents: [Int] = [], of object: String, write: (hid_t) -> herr_t
    ) throws(StorageError) {
        let space = try HDF5Handle.space(extents, path)
        let file = file.id
        let attribute = try HDF5Handle(.attribute, "making the attribute \(name) of \(object)", path) {
            H5Acreate_by_name(
                file, object, name, type(), space.id, veery_h5_default(), veery_h5_default(), veery_h5_default())
        }
        let id = attribute.id
        try HDF5Library.call("writing the attribute \(name) of \(object)", path) { write(id) }
        try attribute.close("writing the attribute \(name) of \(object)", path)
    }

    /// Makes a dataset the scale of dimensions of others, under the name that netCDF-4 expects.
    func makeScale(_ name: String, called scaleName: String) throws(StorageError) {
        let dataset = try open(name)
        let id = dataset.id
        try HDF5Library.call("making \(name) a scale", path) { H5DSset_scale(id, scaleName) }
        try dataset.close("making \(name) a scale", path)
    }

    /// Attaches a scale to a dimension of a dataset.
    func attachScale(_ scale: String, to name: String, dimension: Int) throws(StorageError) {
        let operation = "attaching a scale to \(name)"
        let dataset = try open(name)
        let scale = try open(scale)
        let (id, scaleID) = (dataset.id, scale.id)
        try HDF5Library.call(operation, path) { H5DSattach_scale(id, scaleID, UInt32(dimension)) }
        try scale.close(operation, path)
        try dataset.close(operation, path)
    }

    /// Writes everything out and closes the file.
    ///
    /// - Throws: `StorageError.hdf5` if either fails.
    consuming func close() throws(StorageError) {
        let (path, id) = (path, file.id)
        try HDF5Library.call("writing the file", path) { H5Fflush(id, H5F_SCOPE_GLOBAL) }
        try file.close("closing the file", path)
    }

    private func open(_ name: String) throws(StorageError) -> HDF5Handle {
        let file = file.id
        return try HDF5Handle(.dataset, "opening \(name)", path) { H5Dopen2(file, name, veery_h5_default()) }
    }
}
