import CHDF5
import FeatureModel
import FileIO

/// An HDF5 file opened for reading. Everything read is checked for its type and extents first.
struct HDF5File: ~Copyable {
    let path: String
    private let file: HDF5Handle
    let byteCount: Int
    let structure: HDF5Structure?
    /// The same file, for reading without libhdf5.
    let bytes: OpenFile

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - byteCount: Its length, which bounds what it can hold.
    ///   - structure: What was read of it before; nil: nothing, since it is of a form that libhdf5 checks.
    ///   - bytes: The same file, open for reading without libhdf5.
    /// - Throws: `StorageError.hdf5`.
    init(
        path: String, byteCount: Int, structure: HDF5Structure?, bytes: OpenFile
    ) throws(StorageError) {
        self.path = path
        self.bytes = bytes
        self.byteCount = byteCount
        self.structure = structure
        file = try HDF5Handle(.file, "opening the file", path) {
            H5Fopen(path, veery_h5_read_only(), veery_h5_default())
        }
    }

    /// Checks what the file says of its own parts, in these groups, before anything in them is opened.
    ///
    /// - Throws: `StorageError.damaged`.
    func check(groups: Set<String>) throws(StorageError) { try structure?.check(groups: groups) }

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
        let handle = try HDF5Handle(.group, "opening \(group)", path) {
            H5Gopen2(file, group, veery_h5_default())
        }
        var info = H5G_info_t()
        try HDF5Library.call("listing \(group)", path) { H5Gget_info(handle.id, &info) }
        var names: [String] = []
        for index in 0..<info.nlinks {
            func name(_ text: UnsafeMutablePointer<CChar>?, _ size: Int) -> Int {
                H5Lget_name_by_idx(handle.id, ".", H5_INDEX_NAME, H5_ITER_INC, index, text, size, veery_h5_default())
            }
            let length = try HDF5Library.call("listing \(group)", path) { name(nil, 0) }
            var text = [CChar](repeating: 0, count: length + 1)
            try HDF5Library.call("listing \(group)", path) { name(&text, length + 1) }
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
        let (range, others) = try checked(range, extents, name, maximumBytes: try maximumBytes(dataset, name))
        var values = [Number](repeating: .zero, count: range.count * others)
        try read(dataset, name, range: range, extents: extents) { memory, selection in
            values.withUnsafeMutableBytes {
                H5Dread(dataset.id, Number.memoryType(), memory, selection, veery_h5_default(), $0.baseAddress)
            }
        }
        return values
    }

    /// Reads a block of numbers of a dataset whose type and size were looked at before.
    ///
    /// - Precondition: The block lies within the extents.
    func read(
        _ name: String, as type: any HDF5Number.Type, start: [Int], count: [Int],
        into bytes: UnsafeMutableRawBufferPointer
    ) throws(StorageError) {
        precondition(bytes.count == count.reduce(type.size, *), "a buffer as large as the values")
        guard !bytes.isEmpty else { return }
        let dataset = try open(name)
        let id = dataset.id
        try dataset.withBlock("reading \(name)", path, start: start, count: count) { memory, selection in
            H5Dread(id, type.memoryType(), memory, selection, veery_h5_default(), bytes.baseAddress)
        }
    }

    /// The bytes of a floating-point number of a dataset; nil where it holds something else.
    func floatSize(of name: String) throws(StorageError) -> Int? {
        let type = try type(try open(name), name)
        return try kind(type, name) == H5T_FLOAT.rawValue ? try size(type, name) : nil
    }

    /// Bytes of an entry of a dataset, as it lies in the file.
    func width(of name: String) throws(StorageError) -> Int { try size(try type(try open(name), name), name) }

    /// Reads texts of fixed width.
    ///
    /// - Throws: `StorageError`, `.damaged` where they are not such texts or the range lies outside.
    func texts(_ name: String, range: Range<Int>? = nil) throws(StorageError) -> [String] {
        let (bytes, width) = try textBytes(name, range: range)
        return FixedText.texts(bytes, width: width)
    }

    /// The same as their bytes, `width` of each.
    func textBytes(_ name: String, range: Range<Int>? = nil) throws(StorageError) -> (bytes: [UInt8], width: Int) {
        let dataset = try open(name)
        let extents = try extents(dataset, name)
        let type = try type(dataset, name)
        guard try kind(type, name) == H5T_STRING.rawValue,
            (try HDF5Library.call("reading the type of \(name)", path) { H5Tis_variable_str(type.id) }) == 0
        else { throw .damaged(path: path, found: "\(name) does not hold texts of fixed width") }
        let width = try size(type, name)
        let (range, others) = try checked(
            range, extents, name, width: width, maximumBytes: try maximumBytes(dataset, name))
        var bytes = [UInt8](repeating: 0, count: range.count * others * width)
        try read(dataset, name, range: range, extents: extents) { memory, selection in
            bytes.withUnsafeMutableBytes {
                H5Dread(dataset.id, type.id, memory, selection, veery_h5_default(), $0.baseAddress)
            }
        }
        return (bytes, width)
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

    func open(_ name: String) throws(StorageError) -> HDF5Handle {
        let file = file.id
        return try HDF5Handle(.dataset, "opening \(name)", path) { H5Dopen2(file, name, veery_h5_default()) }
    }

    private func openAttribute(_ name: String, of object: String) throws(StorageError) -> HDF5Handle? {
        let file = file.id
        let found = try HDF5Library.call("looking for the attribute \(name)", path) {
            H5Aexists_by_name(file, object, name, veery_h5_default())
        }
        guard found > 0 else { return nil }
        let attribute = try HDF5Handle(.attribute, "opening the attribute \(name)", path) {
            H5Aopen_by_name(file, object, name, veery_h5_default(), veery_h5_default())
        }
        // All values are read at once, into a buffer for one.
        let operation = "reading the extents of \(name)"
        let space = try HDF5Handle(.space, operation, path) { H5Aget_space(attribute.id) }
        guard (try HDF5Library.call(operation, path) { H5Sget_simple_extent_npoints(space.id) }) == 1 else {
            throw .damaged(path: path, found: "the attribute \(name) is not a single value")
        }
        return attribute
    }

    func extents(_ dataset: borrowing HDF5Handle, _ name: String) throws(StorageError) -> [Int] {
        let id = dataset.id
        let space = try HDF5Handle(.space, "reading the extents of \(name)", path) { H5Dget_space(id) }
        var extents = [hsize_t](repeating: 0, count: 32)
        let rank = try HDF5Library.call("reading the extents of \(name)", path) {
            H5Sget_simple_extent_dims(space.id, &extents, nil)
        }
        let known = extents.prefix(Int(rank)).compactMap { Int(exactly: $0) }
        guard known.count == Int(rank) else { throw .damaged(path: path, found: "\(name) is impossibly large") }
        return known
    }

    func type(_ dataset: borrowing HDF5Handle, _ name: String) throws(StorageError) -> HDF5Handle {
        let id = dataset.id
        return try HDF5Handle(.type, "reading the type of \(name)", path) { H5Dget_type(id) }
    }

    func kind(_ type: borrowing HDF5Handle, _ name: String) throws(StorageError) -> H5T_class_t.RawValue {
        let id = type.id
        return try HDF5Library.call("reading the type of \(name)", path) { H5Tget_class(id).rawValue }
    }

    func size(_ type: borrowing HDF5Handle, _ name: String) throws(StorageError) -> Int {
        let id = type.id
        return try HDF5Library.call("reading the type of \(name)", path) { Int(H5Tget_size(id)) }
    }

    private func requireNumbers(_ dataset: borrowing HDF5Handle, _ name: String) throws(StorageError) {
        let kind = try kind(try type(dataset, name), name)
        guard kind == H5T_FLOAT.rawValue || kind == H5T_INTEGER.rawValue else {
            throw .damaged(path: path, found: "\(name) does not hold numbers")
        }
    }

    /// The range to read and the product of the other extents. Extents that the length of the file shows to be impossible are
    /// refused.
    ///
    /// - Parameters:
    ///   - width: Bytes that an entry has at least.
    ///   - maximumBytes: Maximum size of the dataset.
    private func checked(
        _ range: Range<Int>?, _ extents: [Int], _ name: String, width: Int = 1, maximumBytes: Int
    ) throws(StorageError) -> (range: Range<Int>, others: Int) {
        let first = extents.first ?? 1
        let range = range ?? 0..<first
        guard range.lowerBound >= 0, range.upperBound <= first else {
            throw .damaged(
                path: path, found: "\(name) has \(first) entries, but entry \(range.upperBound - 1) is needed")
        }
        guard width > 0, extents.dropFirst().allSatisfy({ $0 > 0 }) else {
            throw .damaged(path: path, found: "\(name) has entries without values")
        }
        guard let bytes = ([width, first] + extents.dropFirst()).product(), bytes <= maximumBytes else {
            throw .damaged(path: path, found: "\(name) claims the extents \(extents), more than the file can hold")
        }
        return (range, extents.dropFirst().reduce(1, *))
    }

    private func read(
        _ dataset: borrowing HDF5Handle, _ name: String, range: Range<Int>, extents: [Int],
        _ body: (hid_t, hid_t) -> herr_t
    ) throws(StorageError) {
        guard !range.isEmpty, extents.allSatisfy({ $0 > 0 }) else { return }
        guard !extents.isEmpty else {
            try HDF5Library.call("reading \(name)", path) { body(veery_h5_all(), veery_h5_all()) }
            return
        }
        try dataset.withBlock(
            "reading \(name)", path, start: [range.lowerBound] + extents.dropFirst().map { _ in 0 },
            count: [range.count] + extents.dropFirst(), body)
    }
}
