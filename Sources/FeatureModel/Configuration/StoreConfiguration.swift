/// How tensors lie in the file. This version knows one way: packed, float32, uncompressed.
public struct StoreConfiguration: Hashable, Sendable {
    /// How clips of different lengths share a tensor.
    public enum Layout: String, CaseIterable, Codable, Sendable {
        /// All clips' frames one after another, as rows.
        case packed
    }

    /// The stored number.
    public enum Element: String, CaseIterable, Codable, Sendable {
        /// IEEE single precision, little-endian.
        case float32
    }

    /// The compression.
    public enum Compression: String, CaseIterable, Codable, Sendable {
        /// None: the tensor can be mapped into memory.
        case none
    }

    /// How clips share a tensor.
    public let layout: Layout
    /// The stored number.
    public let element: Element
    /// The compression.
    public let compression: Compression

    /// Keeps the values; every combination is valid.
    public init(layout: Layout = .packed, element: Element = .float32, compression: Compression = .none) {
        self.layout = layout
        self.element = element
        self.compression = compression
    }
}

extension StoreConfiguration: Codable {
    private static let keys = ["layout", "type", "compression"]

    /// Reads the `store` section; a missing key has its default.
    public init(from decoder: any Decoder) throws {
        let section = try SectionReader(decoder, keys: Self.keys)
        self.init(
            layout: try section.choice("layout", default: .packed),
            element: try section.choice("type", default: .float32),
            compression: try section.choice("compression", default: .none))
    }

    /// Writes every key of the section.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        try container.encode(layout, forKey: AnyCodingKey("layout"))
        try container.encode(element, forKey: AnyCodingKey("type"))
        try container.encode(compression, forKey: AnyCodingKey("compression"))
    }
}
