import FeatureModel
import FileIO

/// Checks what an HDF5 file says of its own parts, before libhdf5 relies on it.
///
/// libhdf5 1.10 trusts the lengths in the file: it allocates a number or a text of 4 GiB, several times over, before it checks
/// anything else. This type reads the headers, trees, heaps, types, extents, attributes and chunk addresses from the bytes alone.
/// Every address and length must lie in the file, every part in the part that contains it, and nothing may occur twice.
///
/// It covers the format that this program writes ("version 0"), which has no checksums. Newer formats have them, and are left to
/// libhdf5, like anything else that is not known here.
final class HDF5Structure {
    /// The maximum ratio of deflate: bytes out for each byte in.
    static let maximumInflation = 1032

    private let bytes: StructureBytes
    private let rootHeader: UInt64
    private let rootNames: (tree: UInt64, heap: UInt64)?
    private let nameCapacity: NameTree.Capacity
    private let chunkCapacity: Int
    // By address, as Int: Swift would look up at every start how UInt64 is hashed.
    private var headers: [Int: ObjectHeader] = [:]
    /// Whether the program that wrote the file has closed it, by its flags.
    let isClosed: Bool
    private var underWay: Set<Int> = []
    private var heaps: [Int: TextHeap] = [:]
    private var datasets: [String: ObjectHeader] = [:]
    private var known: [String: Int] = [:]

    /// Finds the start of the structure, and checks the header of the file.
    ///
    /// - Parameters:
    ///   - path: The file's, for what is thrown.
    ///   - byteCount: The file's length.
    ///   - source: Reads the file.
    /// - Returns: nil where libhdf5 detects the problem without large allocations: no HDF5 file, one that is cut off, or a newer
    ///   format.
    /// - Throws: `StorageError`: `.damaged`, or `.notFeatures` for a file of a form that other programs may write.
    init?(path: String, byteCount: Int, source: @escaping StructureBytes.Source) throws(StorageError) {
        let whole = StructureBytes(path: path, byteCount: byteCount, source: source)
        // The structure may start after other content, at 512 bytes or a power of two above.
        var base = 0
        while true {
            guard base <= byteCount - 96 else { return nil }
            let signature = try whole.piece("the start of the file", at: UInt64(base), count: 8)
            if signature.bytes.elementsEqual(HDF5Signature.bytes) { break }
            base = base == 0 ? 512 : 2 * base
        }
        let bytes = whole.counted(from: base)
        let head = try bytes.piece("the start of the file", at: 0, count: 96)
        let version = try head.number(8, UInt8.self)
        guard version < 2 else { return nil }
        let (addressSize, lengthSize) = (try head.number(13, UInt8.self), try head.number(14, UInt8.self))
        guard addressSize == 8, lengthSize == 8 else {
            throw .notFeatures(path: path, found: "another HDF5 file (of \(8 * Int(addressSize)) bits)")
        }
        let offset = version == 0 ? 24 : 28
        guard try head.number(offset + 16, UInt64.self) <= bytes.addressableCount else { return nil }
        guard try head.number(offset + 24, UInt64.self) == StructureBytes.undefined else {
            throw .notFeatures(path: path, found: "another HDF5 file (of several files)")
        }
        let (leaf, node) = (Int(try head.number(16, UInt16.self)), Int(try head.number(18, UInt16.self)))
        isClosed = try head.number(20, UInt32.self) == 0
        chunkCapacity = version == 0 ? 32 : Int(try head.number(24, UInt16.self))
        guard leaf > 0, node > 0, chunkCapacity > 0 else { throw head.damaged("promises nodes without entries") }
        nameCapacity = NameTree.Capacity(leaf: leaf, node: node)
        self.bytes = bytes
        let entry = offset + 32
        rootHeader = try head.number(entry + 8)
        // 1: the addresses of its names are cached here.
        rootNames =
            try head.number(entry + 16, UInt32.self) == 1 && version == 0
            ? (try head.number(entry + 24), try head.number(entry + 32)) : nil
        _ = try header(at: rootHeader, of: "/")
    }

    /// Checks all objects that the names in some groups refer to.
    ///
    /// - Parameter groups: Paths of groups, `/` among them. The members of other groups are not checked.
    /// - Throws: `StorageError.damaged`.
    func check(groups: Set<String>) throws(StorageError) {
        if let rootNames {
            _ = try NameTree(bytes, tree: rootNames.tree, heap: rootNames.heap, capacity: nameCapacity, group: "/")
        }
        try visit(rootHeader, "/", groups)
    }

    private func visit(_ address: UInt64, _ path: String, _ groups: Set<String>) throws(StorageError) {
        let header = try header(at: address, of: path)
        if header.layout != nil {
            try check(header, path)
            datasets[path] = header
        }
        guard let names = header.names, groups.contains(path) else { return }
        let tree = try NameTree(bytes, tree: names.tree, heap: names.heap, capacity: nameCapacity, group: path)
        for (name, header) in tree.objects { try visit(header, (path == "/" ? "/" : path + "/") + name, groups) }
    }

    /// The maximum size in bytes of a dataset's values, given what the file holds of it; nil: not known. The first call takes
    /// time in proportion to the number of chunks.
    ///
    /// - Throws: `StorageError.damaged` where a chunk lies outside the dataset or the file.
    func maximumBytes(of name: String) throws(StorageError) -> Int? {
        if let maximum = known[name] { return maximum }
        guard let header = datasets[name] else { return nil }
        let maximum: UInt64
        switch header.layout {
        case .compact(let count): maximum = count
        case .contiguous(let address, let count): maximum = address == StructureBytes.undefined ? 0 : count
        case .chunked(_, let chunk):
            let count = UInt64(clamping: try tree(of: name)?.count ?? 0)
            let (total, overflow) = count.multipliedReportingOverflow(by: chunk.reduce(1, *))
            maximum = overflow ? .max : total
        case .newer, nil: return nil
        }
        known[name] = Int(clamping: maximum)
        return Int(clamping: maximum)
    }

    /// The chunks of a dataset; nil: it has none, or they are not known.
    ///
    /// - Throws: `StorageError.damaged` where a chunk lies outside the dataset or the file.
    func chunks(of name: String) throws(StorageError) -> [StoredChunk]? { try orderedChunks(of: name)?.chunks }

    /// The same, and whether libhdf5 finds each of them.
    func orderedChunks(of name: String) throws(StorageError) -> (chunks: [StoredChunk], isOrdered: Bool)? {
        var chunks: [StoredChunk] = []
        return try tree(of: name) { chunks.append($0) }.map { (chunks, $0.isOrdered) }
    }

    /// Calls `body` with each chunk of a dataset, in the order of the dataset; returns whether its chunks are known.
    ///
    /// - Throws: What `body` throws, or `StorageError.damaged` where libhdf5 would find other chunks.
    func visitChunks(
        of name: String, _ body: @escaping (StoredChunk) throws(StorageError) -> Void
    ) throws(StorageError) -> Bool {
        guard let tree = try tree(of: name, found: body) else { return false }
        guard tree.isOrdered else { throw bytes.damaged("the tree of chunks of \(name) is not in order") }
        return true
    }

    /// Reads as many bytes of the file as `bytes` can hold, from `offset` on.
    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(StorageError) {
        try self.bytes.read(into: bytes, at: offset)
    }

    /// Goes through the chunks of a dataset; nil: it has none, or they are not known.
    private func tree(
        of name: String, found: ((StoredChunk) throws(StorageError) -> Void)? = nil
    ) throws(StorageError) -> ChunkTree? {
        guard let header = datasets[name], case .chunked(let address, let chunk) = header.layout else { return nil }
        // A chunk that deflate cannot make smaller is stored as it is.
        let size = chunk.reduce(1, *)
        return try ChunkTree(
            bytes, at: address, capacity: chunkCapacity, chunk: chunk, extents: header.extents?.extents ?? [],
            maximumStored: size + size / 16 + 1024, dataset: name, found: found)
    }

    /// Checks what a dataset's header says against itself and the file.
    private func check(_ header: ObjectHeader, _ path: String) throws(StorageError) {
        guard let extents = header.extents, let type = header.type else {
            throw bytes.damaged("\(path) has no extents, or values of no type")
        }
        let (size, tooLarge) = extents.count.multipliedReportingOverflow(by: UInt64(type.size))
        func claims(_ available: UInt64) -> StorageError {
            bytes.damaged("\(path) claims the extents \(extents.extents), for which it has \(available) bytes")
        }
        switch header.layout {
        case .compact(let count):
            guard !tooLarge, size <= count else { throw claims(count) }
        case .contiguous(let address, let count):
            guard address != StructureBytes.undefined else { return }
            try bytes.offset(of: path, at: address, count: count)
            guard !tooLarge, size <= count else { throw claims(count) }
        case .chunked(_, let chunk):
            let maximum = UInt64(bytes.byteCount).multipliedReportingOverflow(
                by: header.isFiltered ? UInt64(Self.maximumInflation) : 1)
            let product = chunk.product() ?? .max
            // HDF5 allows no chunk that is larger than the dataset can become.
            let isRight =
                chunk.count == extents.extents.count + 1 && chunk.last == UInt64(type.size) && product > 0
                && (extents.count == 0 || zip(chunk, extents.limits).allSatisfy { $0 <= $1 })
            guard isRight, product <= UInt64(UInt32.max), maximum.overflow || product <= maximum.partialValue else {
                throw bytes.damaged("\(path) of the extents \(extents.extents) has chunks of \(chunk)")
            }
            guard !tooLarge else { throw claims(maximum.partialValue) }
        case .newer, nil: break
        }
    }

    /// The header at an address, read and checked once.
    private func header(at address: UInt64, of path: String) throws(StorageError) -> ObjectHeader {
        if let known = headers[Int(truncatingIfNeeded: address)] { return known }
        let what = "the header of \(path)"
        guard underWay.insert(Int(truncatingIfNeeded: address)).inserted else {
            throw bytes.damaged("\(what) at byte \(address) refers to itself")
        }
        let prefix = try bytes.piece(what, at: address, count: 16)
        var header = ObjectHeader()
        if prefix.starts(with: "OHDR") {
            header.isNewer = true
        } else {
            let version = try prefix.number(0, UInt8.self)
            guard version == 1 else { throw prefix.damaged("has the unknown version \(version)") }
            var blocks: [(address: UInt64, count: UInt64)] = [(address + 16, UInt64(try prefix.number(8, UInt32.self)))]
            var seen: Set<UInt64> = []
            while let block = blocks.popLast() {
                guard seen.insert(block.address).inserted else { throw prefix.damaged("has a cycle") }
                let piece = try bytes.piece(what, at: block.address, count: block.count)
                for message in try HeaderMessage.all(in: piece) {
                    if message.kind == .continuation {
                        blocks.append((try message.piece.number(0), try message.piece.number(8)))
                    } else {
                        try take(message, into: &header, path)
                    }
                }
            }
        }
        underWay.remove(Int(truncatingIfNeeded: address))
        headers[Int(truncatingIfNeeded: address)] = header
        return header
    }

    private func take(_ message: HeaderMessage, into header: inout ObjectHeader, _ path: String) throws(StorageError) {
        guard let kind = message.kind else { return }
        guard !message.isShared else {
            let other = try self.header(at: try HeaderMessage.sharedAddress(message.piece), of: "what \(path) shares")
            if kind == .type { header.type = other.type }
            if kind == .extents { header.extents = other.extents }
            if kind == .filters { header.isFiltered = other.isFiltered }
            return
        }
        switch kind {
        case .extents: header.extents = try StoredExtents(message.piece)
        case .type: header.type = try StoredType(message.piece, fileBytes: bytes.byteCount)
        case .layout: header.layout = try StoredLayout(message.piece)
        case .names: header.names = (try message.piece.number(0), try message.piece.number(8))
        case .fillValue, .oldFillValue: try message.checkFillValue()
        case .filters:
            try message.checkFilters()
            header.isFiltered = true
        case .attribute: try checkAttribute(message.piece, path)
        case .continuation: break
        }
    }

    /// Checks an attribute: its name, type, extents and values have to end with the message, and a text in the heap.
    private func checkAttribute(_ piece: StructurePiece, _ path: String) throws(StorageError) {
        let (version, flags) = (try piece.number(0, UInt8.self), try piece.number(1, UInt8.self))
        guard (1...3).contains(version) else { throw piece.damaged("has an attribute of version \(version)") }
        let lengths = [
            Int(try piece.number(2, UInt16.self)), Int(try piece.number(4, UInt16.self)),
            Int(try piece.number(6, UInt16.self)),
        ]
        var offset = version == 3 ? 9 : 8
        var parts: [StructurePiece] = []
        for length in lengths {
            parts.append(try piece.part(from: offset, count: length))
            offset += version == 1 ? (length + 7) / 8 * 8 : length
        }
        let name = "the attribute \(try parts[0].text(0)) of \(path)"
        func shared(_ part: StructurePiece) throws(StorageError) -> ObjectHeader {
            try self.header(at: try HeaderMessage.sharedAddress(part), of: "what \(path) shares")
        }
        let isTypeShared = version > 1 && flags & 1 != 0
        let isSpaceShared = version > 1 && flags & 2 != 0
        let type =
            isTypeShared
            ? try shared(parts[1]).type
            : try StoredType(try parts[1].rest("the type of \(name)", from: 0), fileBytes: bytes.byteCount)
        let extents =
            isSpaceShared
            ? try shared(parts[2]).extents : try StoredExtents(try parts[2].rest("the extents of \(name)", from: 0))
        guard let type, let extents else { throw piece.damaged("has an attribute without a type or extents") }
        let (size, overflow) = extents.count.multipliedReportingOverflow(by: UInt64(type.size))
        let values = try piece.rest(name, from: offset)
        guard !overflow, size <= UInt64(values.count) else {
            throw values.damaged(
                "promises \(extents.count) values of \(type.size) bytes, and has \(values.count) bytes")
        }
        guard let entrySize = type.entrySize else { return }
        for index in 0..<Int(extents.count) {
            let reference = try HeapReference(values, at: index * HeapReference.size)
            // An empty text may have no heap.
            guard reference.heap != 0 else { continue }
            try heap(at: reference.heap).check(reference, entrySize: entrySize, of: name)
        }
    }

    private func heap(at address: UInt64) throws(StorageError) -> TextHeap {
        if let known = heaps[Int(truncatingIfNeeded: address)] { return known }
        let heap = try TextHeap(bytes, at: address)
        heaps[Int(truncatingIfNeeded: address)] = heap
        return heap
    }
}
