import FileIO

/// The bytes of a file of arrays, or of a member of one, read where they are needed.
struct ArrayBytes: Sendable {
    let file: SharedFile
    let start: Int
    let count: Int
    /// The file that messages name.
    let path: String

    /// Opens a regular file.
    init(path: String) throws(ArrayFileError) {
        do throws(SystemError) {
            file = try SharedFile(path: path)
        } catch {
            throw .system(path: path, error)
        }
        guard let status = FileStatus(descriptor: file.descriptor), status.isRegular else {
            throw .content(path: path, name: nil, expected: "a file", found: "a pipe or a device")
        }
        (start, count, self.path) = (0, status.byteCount, path)
    }

    /// A part of an open file.
    init(_ part: FilePart, path: String) {
        (file, start, count, self.path) = (part.file, part.offset, part.count, path)
    }

    /// The bytes at an offset, fewer at the end.
    func bytes(at offset: Int, _ wanted: Int) throws(ArrayFileError) -> [UInt8] {
        guard offset >= 0, offset < count else { return [] }
        do throws(SystemError) {
            return try file.bytes(at: start + offset, min(wanted, count - offset))
        } catch {
            throw .system(path: path, error)
        }
    }

    /// The little-endian number of `size` bytes at an offset; nil: past the end, or more than an Int holds.
    func number(at offset: Int, _ size: Int) throws(ArrayFileError) -> Int? {
        let bytes = try bytes(at: offset, size)
        guard bytes.count == size else { return nil }
        return Int(exactly: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    /// An array whose numbers follow one another from an offset on.
    ///
    /// - Parameter name: For messages.
    func array(
        _ type: ElementType, _ shape: [Int], at offset: Int, isFortran: Bool = false, name: String?
    ) throws(ArrayFileError) -> NumericArray {
        let present = max(count - offset, 0)
        let elements = NumericArray.count(shape)
        guard let elements, elements <= present / type.size else {
            let expected = elements.map { "\($0 * type.size) bytes of values" } ?? "a shape that memory holds"
            throw .content(
                path: path, name: name, expected: expected + " for the shape \(shape.shapeText)",
                found: elements == nil ? "another" : "\(present)")
        }
        var values: [Float] = []
        values.reserveCapacity(elements)
        let piece = 1 << 20
        var done = 0
        while done < elements * type.size {
            let wanted = min(piece, elements * type.size - done)
            let bytes = try bytes(at: offset + done, wanted)
            guard bytes.count == wanted else {
                throw .content(
                    path: path, name: name, expected: "\(elements * type.size) bytes of values",
                    found: "\(done + bytes.count): it became shorter while it was read")
            }
            bytes.withUnsafeBytes { type.append($0, to: &values) }
            done += wanted
        }
        return isFortran
            ? .ofFortran(shape: shape, values: values) : NumericArray(shape: shape, values: values)
    }
}

extension [Int] {
    /// A shape as Python writes it: (1, 80, 98).
    package var shapeText: String { "(\(map { "\($0)" }.joined(separator: ", "))\(count == 1 ? "," : ""))" }
}
