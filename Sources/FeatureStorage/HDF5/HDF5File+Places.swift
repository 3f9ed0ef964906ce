import CHDF5
import ClipSpool

/// Where values are in the file, for those who read them past libhdf5: it does one thing at a time, and opens a dataset, looks at
/// its type and takes its lock for each read.
extension HDF5File {
    /// The offset of a dataset in one piece that holds exactly the numbers that this program writes; nil: only libhdf5 can read it.
    ///
    /// A file that is damaged, or from elsewhere, may say that its numbers are others of the same size.
    func exactOffset(of name: String, _ number: any HDF5Number.Type) throws(StorageError) -> Int? {
        try holds(number, name) ? try offset(of: name) : nil
    }

    /// The same of texts of a width.
    func exactOffset(of name: String, textWidth: Int) throws(StorageError) -> Int? {
        let type = try type(try open(name), name)
        guard try kind(type, name) == H5T_STRING.rawValue, try size(type, name) == textWidth,
            (try HDF5Library.call("reading the type of \(name)", path) { H5Tis_variable_str(type.id) }) == 0
        else { return nil }
        return try offset(of: name)
    }

    /// The chunks of a dataset of exactly these numbers that went through these filters; nil: only libhdf5 can find and unpack them.
    ///
    /// - Parameter filters: Their numbers in HDF5, in the order in which chunks go through them.
    func exactChunks(
        of name: String, _ number: any HDF5Number.Type, filters: [Int32]
    ) throws(StorageError) -> [StoredChunk]? {
        guard try holds(number, name), try self.filters(of: name) == filters else { return nil }
        return try structure?.chunks(of: name)
    }

    private func holds(_ number: any HDF5Number.Type, _ name: String) throws(StorageError) -> Bool {
        let type = try type(try open(name), name)
        return try HDF5Library.call("reading the type of \(name)", path) { H5Tequal(type.id, number.fileType()) } > 0
    }

    private func filters(of name: String) throws(StorageError) -> [Int32] {
        let id = try open(name)
        let operation = "reading the filters of \(name)"
        let list = try HDF5Handle(operation, path, close: H5Pclose) { H5Dget_create_plist(id.id) }
        let count = try HDF5Library.call(operation, path) { H5Pget_nfilters(list.id) }
        var filters: [Int32] = []
        for index in 0..<UInt32(count) {
            var values = 0
            filters.append(
                try HDF5Library.call(operation, path) {
                    H5Pget_filter2(list.id, index, nil, &values, nil, 0, nil, nil)
                })
        }
        return filters
    }
}

/// A file that is held open, for any number of threads.
final class OpenFile: Sendable {
    let descriptor: StorageFile

    init(_ descriptor: consuming StorageFile) { self.descriptor = descriptor }
}
