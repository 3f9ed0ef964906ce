import CHDF5

/// An HDF5 file opened for reading. Everything read is checked for its type and extents first.
struct HDF5File: ~Copyable {
    let path: String
    private let file: HDF5Handle

    /// Opens a file.
    ///
    /// - Throws: `StorageError.hdf5`.
    init(path: String) throws(StorageError) {
        self.path = path
        file = try HDF5Handle("opening the file", path, close: H5Fclose) {
            H5Fopen(path, veery_h5_read_only(), veery_h5_default())
        }
    }

    /// The extents of a dataset; empty: a single value.
    func extents(of name: String) throws(StorageError) -> [Int] { try extents(try open(name), name) }

    /// Whether there is an object of this name. Each part of the name has to exist for the next to be asked for.
    func exists(_ name: String) -> Bool {
        let file = file.id
        var prefix = ""
        for part in name.split(separator: "/") {
            prefix += "/" + part
            let path = prefix
            let found = try? HDF5Library.call("looking for \(path)", self.path) {
                Int32(H5Lexists(file, path, veery_h5_default()))
            }
            guard let found, found > 0 else { return false }
        }
        return true
    }

    /// The names in a group, sorted.
    func names(in group: String) throws(StorageError) -> [String] {
        let file = file.id
        let handle = try HDF5Handle("opening \(group)", path, close: H5Gclose) {
            H5Gopen2(file, group, veery_h5_default())
        }
        var info = H5G_info_t()
        try HDF5Library.call("listing \(group)", path) { H5Gget_info(handle.id, &info) }
        var names: [String] = []
        for index in 0..<info.nlinks {
            var text = [CChar](repeating: 0, count: 1025)
            try HDF5Library.call("listing \(group)", path) {
                H5Lget_name_by_idx(
                    handle.id, ".", H5_INDEX_NAME, H5_ITER_INC, index, &text, 1024, veery_h5_default())
            }
            names.append(text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" })
        }
        return names
    }

    /// Reads numbers, `range` of the first dimension and all of the others.
    ///
    /// - Throws: `StorageError`, `.damaged` where the range lies outside the dataset or the numbers are of another class.
    func read<Number: HDF5Number>(
        _ name: String, as type: Number.Type, range: Range<Int>? = nil
    ) throws(StorageError) -> [Number] {
        let dataset = try open(name)
        let extents = try extents(dataset, name)
        try requireNumbers(dataset, name)
        let (range, others) = try checked(range, extents, name)
        var values = [Number](repeating: .zero, count: range.count * others)
        try read(dataset, name, range: range, extents: extents) { memory, places in
            values.withUnsafeMutableBytes {
                H5Dread(dataset.id, Number.memoryType(), memory, places, veery_h5_default(), $0.baseAddress)
            }
        }
        return values
    }

    /// Reads texts of fixed width.
    ///
    /// - Throws: `StorageError`, `.damaged` where they are not such texts or the range lies outside.
    func texts(_ name: String, range: Range<Int>? = nil) throws(StorageError) -> [String] {
        let dataset = try open(name)
        let extents = try extents(dataset, name)
        let type = try HDF5Handle("reading the type of \(name)", path, close: H5Tclose) { H5Dget_type(dataset.id) }
        guard
            (try HDF5Library.call("reading the type of \(name)", path) { H5Tget_class(type.id).rawValue })
                == H5T_STRING.rawValue,
            (try HDF5Library.call("reading the type of \(name)", path) { H5Tis_variable_str(type.id) }) == 0
        else { throw .damaged(path: path, found: "\(name) does not hold texts of fixed width") }
        let width = try HDF5Library.call("reading the type of \(name)", path) { Int(H5Tget_size(type.id)) }
        let (range, others) = try checked(range, extents, name)
        var bytes = [UInt8](repeating: 0, count: range.count * others * width)
        try read(dataset, name, range: range, extents: extents) { memory, places in
            bytes.withUnsafeMutableBytes {
                H5Dread(dataset.id, type.id, memory, places, veery_h5_default(), $0.baseAddress)
            }
        }
        return FixedText.texts(bytes, width: width)
    }

    /// An attribute's number; nil where there is none of this name.
    func number<Number: HDF5Number>(
        attribute name: String, of object: String, as type: Number.Type
    ) throws(StorageError) -> Number? {
        guard let attribute = try openAttribute(name, of: object) else { return nil }
        var number = Number.zero
        try HDF5Library.call("reading the attribute \(name)", path) {
            H5Aget_storage_size(attribute.id) > 8 ? -1 : H5Aread(attribute.id, Number.memoryType(), &number)
        }
        return number
    }

    /// An attribute's text; nil where there is none of this name.
    func text(attribute name: String, of object: String) throws(StorageError) -> String? {
        guard let attribute = try openAttribute(name, of: object) else { return nil }
        let type = try HDF5Handle.text(width: nil, path)
        var pointer: UnsafeMutablePointer<CChar>?
        try HDF5Library.call("reading the attribute \(name)", path) { H5Aread(attribute.id, type.id, &pointer) }
        defer { HDF5Library.quietly { _ = H5free_memory(pointer) } }
        return pointer.map { String(cString: $0) }
    }

    /// Where the bytes of a contiguous dataset begin in the file; nil where it is not stored in one piece.
    func offset(of name: String) throws(StorageError) -> Int? {
        let dataset = try open(name)
        var address = haddr_t.max
        HDF5Library.quietly { address = H5Dget_offset(dataset.id) }
        return address == .max ? nil : Int(exactly: address)
    }

    private func open(_ name: String) throws(StorageError) -> HDF5Handle {
        let file = file.id
        return try HDF5Handle("opening \(name)", path, close: H5Dclose) { H5Dopen2(file, name, veery_h5_default()) }
    }

    private func openAttribute(_ name: String, of object: String) throws(StorageError) -> HDF5Handle? {
        let file = file.id
        let found = try HDF5Library.call("looking for the attribute \(name)", path) {
            H5Aexists_by_name(file, object, name, veery_h5_default())
        }
        guard found > 0 else { return nil }
        return try HDF5Handle("opening the attribute \(name)", path, close: H5Aclose) {
            H5Aopen_by_name(file, object, name, veery_h5_default(), veery_h5_default())
        }
    }

    private func extents(_ dataset: borrowing HDF5Handle, _ name: String) throws(StorageError) -> [Int] {
        let id = dataset.id
        let space = try HDF5Handle("reading the extents of \(name)", path, close: H5Sclose) { H5Dget_space(id) }
        var extents = [hsize_t](repeating: 0, count: 32)
        let rank = try HDF5Library.call("reading the extents of \(name)", path) {
            H5Sget_simple_extent_dims(space.id, &extents, nil)
        }
        let known = extents.prefix(Int(rank)).compactMap { Int(exactly: $0) }
        guard known.count == Int(rank) else { throw .damaged(path: path, found: "\(name) is impossibly large") }
        return known
    }

    private func requireNumbers(_ dataset: borrowing HDF5Handle, _ name: String) throws(StorageError) {
        let id = dataset.id
        let type = try HDF5Handle("reading the type of \(name)", path, close: H5Tclose) { H5Dget_type(id) }
        let kind = try HDF5Library.call("reading the type of \(name)", path) { H5Tget_class(type.id).rawValue }
        guard kind == H5T_FLOAT.rawValue || kind == H5T_INTEGER.rawValue else {
            throw .damaged(path: path, found: "\(name) does not hold numbers")
        }
    }

    /// The range to read and the product of the other extents. A file's claims are not believed past 2⁴⁰ values.
    private func checked(
        _ range: Range<Int>?, _ extents: [Int], _ name: String
    ) throws(StorageError) -> (range: Range<Int>, others: Int) {
        let first = extents.first ?? 1
        let range = range ?? 0..<first
        guard range.lowerBound >= 0, range.upperBound <= first else {
            throw .damaged(
                path: path, found: "\(name) has \(first) entries, but entry \(range.upperBound - 1) is needed")
        }
        var others = 1
        for extent in extents.dropFirst() {
            let (product, overflow) = others.multipliedReportingOverflow(by: extent)
            guard !overflow, product < 1 << 40 else { throw .damaged(path: path, found: "\(name) is impossibly large") }
            others = product
        }
        guard range.count.multipliedReportingOverflow(by: max(others, 1)).partialValue < 1 << 40 else {
            throw .damaged(path: path, found: "\(name) is impossibly large")
        }
        return (range, others)
    }

    private func read(
        _ dataset: borrowing HDF5Handle, _ name: String, range: Range<Int>, extents: [Int],
        _ body: (hid_t, hid_t) -> herr_t
    ) throws(StorageError) {
        guard !range.isEmpty, extents.allSatisfy({ $0 > 0 }) else { return }
        let id = dataset.id
        guard !extents.isEmpty else {
            try HDF5Library.call("reading \(name)", path) { body(veery_h5_all(), veery_h5_all()) }
            return
        }
        let places = try HDF5Handle("placing values of \(name)", path, close: H5Sclose) { H5Dget_space(id) }
        let memory = try HDF5Handle.space([range.count] + extents.dropFirst(), path)
        let start = [hsize_t(range.lowerBound)] + extents.dropFirst().map { _ in 0 }
        let count = [hsize_t(range.count)] + extents.dropFirst().map { hsize_t($0) }
        try HDF5Library.call("reading \(name)", path) {
            let selected = H5Sselect_hyperslab(places.id, H5S_SELECT_SET, start, nil, count, nil)
            return selected < 0 ? selected : body(memory.id, places.id)
        }
    }
}
