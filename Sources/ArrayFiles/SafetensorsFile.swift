import FeatureModel

/// A safetensors file: the length of a header, the header as JSON, the numbers of all tensors.
struct SafetensorsFile: Sendable {
    /// The longest header that the library of the format reads, in bytes.
    static let maximumHeader = 100_000_000

    private let bytes: ArrayBytes
    /// Where the numbers start.
    private let start: Int
    private let tensors: [JSONValue.Member]

    /// Whether the first bytes may be those of such a file: the length of a JSON header, then that header.
    static func mayStart(_ start: [UInt8]) -> Bool { start.count > 8 && start[8] == UInt8(ascii: "{") }

    init(_ bytes: ArrayBytes) throws(ArrayFileError) {
        self.bytes = bytes
        let length = try bytes.number(at: 0, 8)
        guard let length, length <= min(Self.maximumHeader, bytes.count - 8) else {
            throw .content(
                path: bytes.path, name: nil, expected: "a safetensors file: the length of a header that fits into it",
                found: length.map { "\($0) of \(bytes.count) bytes" } ?? "\(bytes.count) bytes")
        }
        start = 8 + length
        let text = try bytes.bytes(at: 8, length)
        do throws(JSONValue.Failure) {
            tensors = try JSONValue(line: text).members.filter { $0.name != "__metadata__" }
        } catch {
            throw .content(
                path: bytes.path, name: nil, expected: "a header of JSON", found: "a text that \(error.text)")
        }
    }

    var names: [String] { tensors.map(\.name) }

    func array(_ index: Int) throws(ArrayFileError) -> NumericArray {
        let (name, tensor) = (tensors[index].name, tensors[index].value)
        func damaged(_ expected: String, _ found: String) -> ArrayFileError {
            .content(path: bytes.path, name: name, expected: expected, found: found)
        }
        let dtype = tensor["dtype"]?.string ?? ""
        guard let type = Self.types[dtype] else {
            throw damaged("real numbers, such as F32", dtype.isEmpty ? "no dtype" : "'\(dtype.excerpt)'")
        }
        func whole(_ value: JSONValue) -> Int? { value.number.flatMap { Int(exactly: $0) } }
        let extents = (tensor["shape"]?.elements ?? []).map(whole)
        let offsets = (tensor["data_offsets"]?.elements ?? []).map(whole)
        let shape = extents.compactMap(\.self)
        guard tensor["shape"]?.elements != nil, shape.count == extents.count, offsets.count == 2,
            let first = offsets[0], let end = offsets[1], first >= 0, first <= end, end <= bytes.count - start,
            let elements = NumericArray.count(shape), elements <= end - first, elements * type.size == end - first
        else {
            throw damaged(
                "a shape and data_offsets that agree, within \(bytes.count - start) bytes of numbers",
                "shape \(tensor["shape"]?.text.excerpt ?? "nothing"), data_offsets "
                    + "\(tensor["data_offsets"]?.text.excerpt ?? "nothing") of \(dtype)")
        }
        return try bytes.array(type, shape, at: start + first, name: name)
    }

    private static let types: [String: ElementType] = [
        "F64": ElementType(kind: .float, size: 8), "F32": ElementType(kind: .float, size: 4),
        "F16": ElementType(kind: .float, size: 2), "BF16": ElementType(kind: .brainFloat, size: 2),
        "I64": ElementType(kind: .signed, size: 8), "I32": ElementType(kind: .signed, size: 4),
        "I16": ElementType(kind: .signed, size: 2), "I8": ElementType(kind: .signed, size: 1),
        "U64": ElementType(kind: .unsigned, size: 8), "U32": ElementType(kind: .unsigned, size: 4),
        "U16": ElementType(kind: .unsigned, size: 2), "U8": ElementType(kind: .unsigned, size: 1),
        "BOOL": ElementType(kind: .unsigned, size: 1),
    ]
}
