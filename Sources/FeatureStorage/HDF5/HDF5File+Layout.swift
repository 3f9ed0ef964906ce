import CHDF5
import FeatureModel
import FileIO

/// How datasets are stored: in one piece or in chunks, and where.
extension HDF5File {
    /// The offset of a contiguous dataset in the file; nil where it is not stored in one piece.
    func offset(of name: String) throws(StorageError) -> Int? {
        let dataset = try open(name)
        return address(dataset)
    }

    private func address(_ dataset: borrowing HDF5Handle) -> Int? {
        let id = dataset.id
        var address = haddr_t.max
        HDF5Library.quietly { address = H5Dget_offset(id) }
        return address == .max ? nil : Int(exactly: address)
    }

    /// The extents of a dataset's chunks; nil where it lies in one piece.
    func chunkExtents(of name: String) throws(StorageError) -> [Int]? {
        let dataset = try open(name)
        let id = dataset.id
        let operation = "reading the chunks of \(name)"
        let list = try HDF5Handle(.properties, operation, path) { H5Dget_create_plist(id) }
        guard (try HDF5Library.call(operation, path) { H5Pget_layout(list.id).rawValue }) == H5D_CHUNKED.rawValue else {
            return nil
        }
        var extents = [hsize_t](repeating: 0, count: 32)
        let rank = try HDF5Library.call(operation, path) { H5Pget_chunk(list.id, 32, &extents) }
        return extents.prefix(Int(rank)).map { Int(clamping: $0) }
    }

    /// The chunks of a dataset, as they lie in the file. libhdf5 is asked where the structure is not known; it takes time in
    /// proportion to the square of their number.
    ///
    /// - Throws: `StorageError`, `.damaged` where one lies outside the file.
    func chunks(of name: String) throws(StorageError) -> [StoredChunk] {
        if let chunks = try structure?.chunks(of: name) { return chunks }
        let dataset = try open(name)
        let id = dataset.id
        let operation = "reading the chunks of \(name)"
        let rank = try extents(dataset, name).count
        let space = try HDF5Handle(.space, operation, path) { H5Dget_space(id) }
        var count: hsize_t = 0
        try HDF5Library.call(operation, path) { H5Dget_num_chunks(id, space.id, &count) }
        var chunks: [StoredChunk] = []
        for index in 0..<count {
            var start = [hsize_t](repeating: 0, count: 32)
            var (mask, offset, size): (UInt32, haddr_t, hsize_t) = (0, 0, 0)
            try HDF5Library.call(operation, path) {
                H5Dget_chunk_info(id, space.id, index, &start, &mask, &offset, &size)
            }
            guard offset <= byteCount, size <= hsize_t(byteCount) - hsize_t(offset) else {
                throw .damaged(path: path, found: "a chunk of \(name) lies outside the file")
            }
            chunks.append(
                StoredChunk(
                    start: start.prefix(rank).map { Int(clamping: $0) }, offset: Int(offset), byteCount: Int(size),
                    filterMask: mask))
        }
        return chunks
    }

    /// Maximum number of bytes of a dataset, given the length of the file. Takes time in proportion to the chunks.
    func maximumBytes(of name: String) throws(StorageError) -> Int { try maximumBytes(try open(name), name) }

    /// The maximum size in bytes of a dataset of this file: that of its chunks or its block. Where that is not known, the length of
    /// the file, or for compressed chunks what deflate can expand it to.
    func maximumBytes(_ dataset: borrowing HDF5Handle, _ name: String) throws(StorageError) -> Int {
        if let known = try structure?.maximumBytes(of: name) { return known }
        guard address(dataset) == nil else { return byteCount }
        let id = dataset.id
        var stored: hsize_t = 0
        HDF5Library.quietly { stored = H5Dget_storage_size(id) }
        return min(byteCount, Int(clamping: stored)).multipliedReportingOverflow(
            by: HDF5Structure.maximumInflation
        ).partialValue
    }
}

/// Where values are in the file, for threads that read them without libhdf5, which serves one thread at a time, and opens the
/// dataset and checks its type for each read.
extension HDF5File {
    /// The offset of a dataset in one piece that holds exactly the numbers that this program writes; nil: only libhdf5 can read it.
    ///
    /// A file that is damaged, or that another program wrote, may have numbers of another type of the same size, or an address
    /// outside the file.
    func exactOffset(of name: String, _ number: any HDF5Number.Type) throws(StorageError) -> Int? {
        try holds(number, name) ? try offsetInside(of: name) : nil
    }

    /// The same of texts of a width.
    func exactOffset(of name: String, textWidth: Int) throws(StorageError) -> Int? {
        let type = try type(try open(name), name)
        guard try kind(type, name) == H5T_STRING.rawValue, try size(type, name) == textWidth,
            (try HDF5Library.call("reading the type of \(name)", path) { H5Tis_variable_str(type.id) }) == 0
        else { return nil }
        return try offsetInside(of: name)
    }

    /// The offset of a dataset that lies in one piece, all of it within the file. libhdf5 checks that only as it reads.
    private func offsetInside(of name: String) throws(StorageError) -> Int? {
        guard let offset = try offset(of: name), offset <= byteCount,
            let size = try ([width(of: name)] + extents(of: name)).product(), size <= byteCount - offset
        else { return nil }
        return offset
    }

    /// A filter of a chunked dataset.
    struct Filter: Hashable {
        /// Its number in HDF5.
        let number: Int32
        /// Its first parameter; 0: it has none.
        let parameter: UInt32
    }

    /// The chunks of a dataset of exactly these numbers, and the filters that they went through; nil: only libhdf5 can find them,
    /// or it finds others.
    func exactChunks(
        of name: String, _ number: any HDF5Number.Type
    ) throws(StorageError) -> (chunks: [StoredChunk], filters: [Filter])? {
        guard try holds(number, name), let found = try structure?.orderedChunks(of: name), found.isOrdered else {
            return nil
        }
        return (found.chunks, try filters(of: name))
    }

    private func holds(_ number: any HDF5Number.Type, _ name: String) throws(StorageError) -> Bool {
        let type = try type(try open(name), name)
        return try HDF5Library.call("reading the type of \(name)", path) { H5Tequal(type.id, number.fileType()) } > 0
    }

    private func filters(of name: String) throws(StorageError) -> [Filter] {
        let id = try open(name)
        let operation = "reading the filters of \(name)"
        let list = try HDF5Handle(.properties, operation, path) { H5Dget_create_plist(id.id) }
        let count = try HDF5Library.call(operation, path) { H5Pget_nfilters(list.id) }
        var filters: [Filter] = []
        for index in 0..<UInt32(count) {
            // On input the capacity for parameters, on output their number.
            var (count, parameter): (Int, UInt32) = (1, 0)
            let number = try HDF5Library.call(operation, path) {
                H5Pget_filter2(list.id, index, nil, &count, &parameter, 0, nil, nil)
            }
            filters.append(Filter(number: number, parameter: count > 0 ? parameter : 0))
        }
        return filters
    }
}

/// A file that is held open, for any number of threads.
final class OpenFile: Sendable {
    let descriptor: StorageFile

    init(_ descriptor: consuming StorageFile) { self.descriptor = descriptor }
}
